//! What happens between two moments that are laid a measure on.

use serde::Serialize;

use super::range::between;
use crate::folding::{Curve, Folding};
use crate::paint::{self, View};
use crate::quantity::{
    Kind, NONE, Quantity, THIN, count, duration, extent, is_clock, percent, significant,
};

/// A stretch of folded time in numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Stretch {
    /// How long it is, with its unit.
    pub length: String,
    /// The same as a share of the region.
    pub share: String,
    /// Where it begins and ends.
    pub between: String,
    /// Of every curve that is drawn.
    pub curves: Vec<StretchOf>,
}

/// What one counter does in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct StretchOf {
    pub counter: String,
    pub name: String,
    /// `#RRGGBB`.
    pub colour: String,
    /// Its mean, per instruction where its curve is, with its unit; a dash where that means nothing.
    pub mean: String,
    /// Its events in a mean instance: `12.4 M`; of energy and of clocks what they stand for.
    pub events: String,
}

/// What happens from `from` to `to`, whichever comes first, as far as the performance lane shows it;
/// `None` without the group, or where they are the same moment.
///
/// O(curves × grid).
pub fn stretch(folding: &Folding, view: &View, [from, to]: [f64; 2]) -> Option<Stretch> {
    let group = folding.group(view.group)?;
    let [from, to] = [from.min(to), from.max(to)].map(|x| x.clamp(0.0, 1.0));
    if to <= from || (to - from).is_nan() {
        return None;
    }
    let all = group.all_in_range([from, to]);
    let drawn = paint::legend(folding, view).into_iter().filter(|entry| !entry.hidden);
    let of = |entry: paint::LegendEntry| {
        let (curve, value) =
            group.curves.iter().zip(&all).find(|(curve, _)| curve.counter == entry.counter)?;
        let is_rate =
            curve.instructions || view.counter.is_some() || group.instructions().is_none();
        let quantity = Quantity::of(group, curve, if is_rate { Kind::Rate } else { Kind::Ratio });
        let is_rate = is_rate || quantity.is_power();
        let mean = value.and_then(|of| match is_rate {
            true => Some(of.rate),
            false => of.per_instruction.map(|(ratio, _)| ratio),
        });
        let events = value.map(|of| group.events_in_range(curve, of, [from, to]));
        let events = events.filter(|events| events.is_finite());
        let sized = |mean: f64| quantity.clone().sized(mean.abs() * quantity.scale).text(mean);
        Some(StretchOf {
            counter: entry.counter,
            name: if quantity.is_power() { quantity.name.clone() } else { entry.name },
            colour: entry.colour,
            mean: mean.map_or_else(|| NONE.to_owned(), sized),
            events: events.map_or_else(|| NONE.to_owned(), |events| counted(curve, events)),
        })
    };
    Some(Stretch {
        length: extent(group, to - from),
        share: percent(to - from, 1),
        between: between(group, [from, to]),
        curves: drawn.filter_map(of).collect(),
    })
}

fn counted(curve: &Curve, events: f64) -> String {
    match curve.joules {
        Some(joules) => format!("{}{THIN}J", significant(events * joules, 3)),
        None if is_clock(&curve.counter) => duration(events),
        None => count(events),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example;

    fn plain(text: &str) -> String {
        text.replace(THIN, " ")
    }

    #[test]
    fn a_stretch_tells_its_length_and_every_curve_that_is_drawn() {
        let mut folding = example::namd();
        let group = &mut folding.groups[0];
        group.mean_duration_ns = 64e6;
        for curve in &mut group.curves {
            curve.mean_rate = if curve.instructions { 2000.0 } else { 500.0 };
            curve.mean_count = curve.mean_rate * 64e3;
            curve.fitted = vec![0.0, 0.5, 1.0];
            curve.rate = vec![curve.mean_rate; 3];
            curve.joules = None;
        }
        let hidden = View { hidden: vec!["PAPI_TOT_CYC".into()], ..example::view(976.0, 414.0) };
        let whole = stretch(&folding, &hidden, [0.5, 0.25]).unwrap();
        assert_eq!(
            (plain(&whole.length), plain(&whole.share)),
            ("16.0 ms".into(), "25.0 %".into())
        );
        assert_eq!(plain(&whole.between), "16.0 ms to 32.0 ms");
        let drawn = paint::legend(&folding, &hidden).into_iter().filter(|entry| !entry.hidden);
        let told = whole.curves.iter().map(|of| &of.counter);
        assert!(told.eq(drawn.map(|entry| entry.counter).collect::<Vec<_>>().iter()));
        let of = |counter: &str| {
            let of = whole.curves.iter().find(|of| of.counter == counter).unwrap();
            (plain(&of.mean), plain(&of.events))
        };
        assert_eq!(of("PAPI_TOT_INS"), ("2 000 MIPS".to_owned(), "32.00 M".to_owned()));
        assert_eq!(of("PAPI_L2_TCM"), ("0.250 per ins".to_owned(), "8.000 M".to_owned()));
        for odd in [[0.5, 0.5], [f64::NAN, 0.5], [f64::NAN; 2], [2.0, 3.0]] {
            assert_eq!(stretch(&folding, &hidden, odd), None, "{odd:?}");
        }
    }

    #[test]
    fn odd_foldings_are_told() {
        for folding in example::odd() {
            for view in example::odd_views() {
                let told = stretch(&folding, &view, [0.1, 0.7]);
                let texts = told.iter().flat_map(|of| &of.curves);
                let texts = texts.flat_map(|of| [of.mean.clone(), of.events.clone()]);
                assert!(
                    texts.into_iter().all(|text| !text.contains("NaN") && !text.contains("inf"))
                );
            }
        }
    }
}
