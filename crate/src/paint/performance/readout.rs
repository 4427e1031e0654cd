//! What the performance lane says at a moment: each curve by the axis that it is drawn against.

use serde::Serialize;

use super::model::{asked, components};
use super::series::{Series, on_axis};
use super::shown::Shown;
use super::strips::strips;
use crate::folding::Folding;
use crate::paint::View;
use crate::paint::scene::{Frame, css};

/// A curve at a moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct CurveAt {
    /// Its counter, or the component of the model.
    pub counter: String,
    /// In the unit of its axis, without it; empty in a gap.
    pub text: String,
    /// Unit of that axis.
    pub unit: String,
    /// Where it lies, in px from the top of the lane; none in a gap and beyond the axis.
    pub y: Option<f64>,
    /// `#RRGGBB`.
    pub colour: String,
}

/// Every curve that is drawn at folded time `x`.
pub fn curves_at(folding: &Folding, view: &View, x: f64) -> Vec<CurveAt> {
    let Some(group) = folding.group(view.group) else { return Vec::new() };
    let shown = match asked(folding, view) {
        Some(modelled) => components(group, &modelled, view.theme.tokens()),
        None => Shown::of(group, view),
    };
    let strips = strips(&Frame::of(view), &shown);
    let drawn = shown.all().filter(|series| !series.hidden);
    let at = |series: &Series<'_>| {
        let strip = strips.iter().find(|strip| strip.has(series.key))?;
        let alike = shown.all().filter(|other| strip.has(other.key));
        let quantity = on_axis(&alike.collect::<Vec<_>>())?;
        let value = series.at(x);
        // Values of a series are scaled already.
        let number = |value: f64| quantity.number(value / quantity.scale);
        let share = value.map(|value| (value * strip.factor - strip.min) / (strip.max - strip.min));
        let is_inside = share.is_some_and(|share| (0.0..=1.0).contains(&share));
        Some(CurveAt {
            counter: series.key.to_owned(),
            text: value.map_or_else(String::new, number),
            unit: strip.unit.clone(),
            y: value.filter(|_| is_inside).map(|value| strip.y(value)),
            colour: css(series.colour),
        })
    };
    drawn.filter_map(at).collect()
}
