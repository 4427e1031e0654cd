//! What a saved figure shows, and how.

use crate::paint::View;
use crate::paint::scene::Theme;

/// CSS px of an inch, and its mm.
const INCH: (f64, f64) = (96.0, 25.4);

/// Below this width in px names of lanes have no room of their own beside the plot, and gutters are those
/// of a narrow page (`www/lanes/sizes.ts`).
const NARROW: f64 = 600.0;
const NARROW_GUTTERS: (f64, f64) = (32.0, 50.0);
const GUTTERS: (f64, f64) = (112.0, 68.0);

/// What a figure shows, and how it is drawn: in light colours or in greys, whatever theme a page has.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    /// What is shown. Its size, gutters and theme are not looked at.
    pub view: View,
    pub width: Width,
    /// Lanes that are drawn, as far as there are any; empty: all.
    pub lanes: Vec<FigureLane>,
    /// Whether it has greys and patterns, no colours.
    pub grey: bool,
    /// Key and text of the settings that are not at their defaults: the caption tells them.
    pub settings: Vec<(String, String)>,
}

/// How wide a figure is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Width {
    Px(f64),
    /// On paper, where 96 px are an inch.
    Mm(f64),
}

impl Default for Width {
    /// Of a page on a usual screen beside its panel.
    fn default() -> Self {
        Self::Px(976.0)
    }
}

impl Width {
    pub fn px(self) -> f64 {
        match self {
            Self::Px(px) => px,
            Self::Mm(mm) => libm::round(mm / INCH.1 * INCH.0),
        }
    }

    /// Of a picture of so many px by so many: what its attributes `width` and `height` say.
    pub fn attributes(self, (width, height): (f64, f64)) -> [String; 2] {
        match self {
            Self::Px(_) => [width.to_string(), height.to_string()],
            Self::Mm(mm) => {
                let high = libm::round(100.0 * mm * height / width) / 100.0;
                [format!("{mm}mm"), format!("{high}mm")]
            }
        }
    }
}

/// A lane that a figure may have, or leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureLane {
    Activity,
    Source,
    Address,
    Performance,
    Gauge,
    Samples,
}

impl FigureLane {
    /// Every lane with its name, from the top.
    pub const ALL: [(&'static str, FigureLane); 6] = [
        ("activity", FigureLane::Activity),
        ("source", FigureLane::Source),
        ("address", FigureLane::Address),
        ("performance", FigureLane::Performance),
        ("gauge", FigureLane::Gauge),
        ("samples", FigureLane::Samples),
    ];

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, lane)| *lane)
    }
}

impl Figure {
    /// Whether the lane is drawn where there is one.
    pub fn has(&self, lane: FigureLane) -> bool {
        self.lanes.is_empty() || self.lanes.contains(&lane)
    }

    /// What its parts are painted with; the height is theirs. No place is kept for curves that are
    /// switched off.
    pub(super) fn view(&self) -> View {
        let view = &self.view;
        let width = self.width.px();
        let (left, right) = if width < NARROW { NARROW_GUTTERS } else { GUTTERS };
        let theme = if self.grey { Theme::Grey } else { Theme::Light };
        let shown =
            |name: &String| if view.hidden.contains(name) { String::new() } else { name.clone() };
        let curves = view.curves.as_ref().map(|names| names.iter().map(shown).collect());
        View { width, left, right, theme, curves, undecided: false, ..view.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_width_on_paper_is_told_in_mm_and_its_px_are_those_of_css() {
        assert_eq!(
            [Width::Mm(25.4), Width::Mm(85.0), Width::Px(300.0)].map(Width::px),
            [96.0, 321.0, 300.0]
        );
        assert_eq!(Width::Mm(170.0).attributes((640.0, 320.0)), ["170mm", "85mm"]);
        assert_eq!(Width::Px(640.0).attributes((640.0, 320.0)), ["640", "320"]);
    }
}
