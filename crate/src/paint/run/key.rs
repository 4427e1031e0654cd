//! What the colours of the time line tell.

use plotters::style::RGBColor;
use serde::Serialize;

use super::RunView;
use crate::folding::Doing;
use crate::glance::{Colour, Raster};
use crate::paint::scene::css;
use crate::quantity::{duration, significant};

/// A colour and what it tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct KeyMark {
    /// As `#RRGGBB`.
    pub colour: String,
    pub words: String,
}

/// What threads do anywhere in the run, or both ends of the scale; of clusters nothing, which the
/// table of regions has.
#[inline(never)]
pub fn key(view: &RunView, raster: &Raster) -> Vec<KeyMark> {
    let marks = colours(view, raster).into_iter();
    marks.map(|(colour, words)| KeyMark { colour: css(colour), words }).collect()
}

/// The same, to be painted.
pub fn colours(view: &RunView, raster: &Raster) -> Vec<(RGBColor, String)> {
    let mark = |class: u8, words: String| (view.colour(class), words);
    let ends = |unit: &dyn Fn(f64) -> String| {
        let [low, high] = raster.scale;
        let is_scale = low < high;
        let ends = [(1, "at most", low), (Raster::STEPS, "at least", high)];
        let ends = ends.into_iter().filter(|_| is_scale);
        ends.map(|(class, words, value)| mark(class, format!("{words} {}", unit(value)))).collect()
    };
    match view.by {
        Colour::Cluster => vec![],
        Colour::Duration => ends(&duration),
        Colour::Ipc => ends(&|ipc| significant(ipc, 3)),
        Colour::Activity => {
            let is_present = |of: &Doing| raster.present & 1 << (of.class() - 1) != 0;
            let present = Doing::ALL.into_iter().filter(is_present);
            present.map(|doing| mark(doing.class(), doing.name().to_owned())).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(by: Colour, raster: &Raster) -> Vec<String> {
        let view = RunView { by, ..RunView::default() };
        key(&view, raster).into_iter().map(|mark| mark.words).collect()
    }

    #[test]
    fn a_scale_is_told_by_its_ends_and_what_is_done_by_its_names() {
        let raster = Raster { scale: [2.5e3, 4e6], present: 0b101, ..Raster::default() };
        assert_eq!(
            words(Colour::Duration, &raster),
            ["at most 2.50\u{202f}µs", "at least 4.00\u{202f}ms"]
        );
        assert_eq!(words(Colour::Activity, &raster), ["computing", "MPI collective"]);
        assert!(words(Colour::Cluster, &raster).is_empty());
        let raster = Raster { scale: [0.5, 2.13], ..Raster::default() };
        assert_eq!(words(Colour::Ipc, &raster), ["at most 0.500", "at least 2.13"]);
        let of_one_value = Raster { scale: [1.0; 2], ..Raster::default() };
        assert!(words(Colour::Ipc, &of_one_value).is_empty());
    }
}
