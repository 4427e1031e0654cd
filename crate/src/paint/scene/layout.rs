//! Where everything lies: the frame that all lanes share, and axes with their curves.

use serde::Serialize;

use crate::paint::View;
use crate::paint::scale::{Linear, Steps};

/// Where the values of a painted lane lie, in CSS px of its canvas.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Layout {
    pub plot: Plot,
    pub strips: Vec<Strip>,
}

/// The rectangle that time and data are drawn in.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Plot {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

/// An axis with its curves. Two that share a rectangle have equal `top` and `bottom`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Strip {
    pub top: f64,
    pub bottom: f64,
    /// Stands in place of the topmost tick.
    pub unit: String,
    /// Values of the axis at `bottom` and `top`, and from one tick to the next.
    pub min: f64,
    pub max: f64,
    pub step: f64,
    /// What a curve's value is multiplied by to be read on the axis: 1, 1e3 or 1e6; 100 in the
    /// samples lane, whose values are shares ahead.
    pub factor: f64,
    /// Counters drawn on this axis.
    pub curves: Vec<String>,
    /// Whether the axis stands at the right.
    pub right: bool,
}

impl Strip {
    /// An axis of `steps` at the left or at the right, between top and bottom.
    pub fn of((top, bottom): (f64, f64), steps: Steps, right: bool) -> Strip {
        let (min, max, step) = (steps.min, steps.max(), steps.step);
        let (unit, curves) = ("".into(), Vec::new());
        Strip { top, bottom, unit, min, max, step, factor: 1.0, curves, right }
    }

    /// Whether the curve of that counter or component is drawn on it.
    pub fn has(&self, curve: &str) -> bool {
        self.curves.iter().any(|own| own == curve)
    }

    /// Where `value` of a curve lies; values beyond the axis lie on its end.
    pub fn y(&self, value: f64) -> f64 {
        let scale = Linear { domain: (self.min, self.max), range: (self.bottom, self.top) };
        scale.at(value * self.factor)
    }
}

/// The time axis and the gutters, whatever the view asks for made sound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    pub width: f64,
    pub height: f64,
    /// Edges of the plot.
    pub left: f64,
    pub right: f64,
    /// Visible folded time, `from < to`.
    pub from: f64,
    pub to: f64,
}

/// Widest and highest lane that is painted.
const LARGEST: f64 = 16_384.0;

/// A range in an address has six decimals: what lies this near to an end of what is visible is meant to
/// lie on it.
pub const ON_EDGE: f64 = 6e-7;

/// Below this width the rules of a narrow page hold.
const NARROW: f64 = 600.0;

/// Px left of titles and of names in the left gutter.
pub const LEFT: f64 = 12.0;

/// Below this, a gutter has no room for words.
pub const NARROW_GUTTER: f64 = 60.0;

impl Frame {
    pub fn of(view: &View) -> Frame {
        let size = |v: f64| if v.is_finite() { v.clamp(1.0, LARGEST) } else { 1.0 };
        let (width, height) = (size(view.width), size(view.height));
        let gutter = |v: f64| if v.is_finite() { v.clamp(0.0, width) } else { 0.0 };
        let left = gutter(view.left).min(width - 1.0);
        let right = (width - gutter(view.right)).max(left + 1.0);
        let sound = 0.0 <= view.from && view.to <= 1.0 && view.to - view.from >= 1e-9;
        let (from, to) = if sound { (view.from, view.to) } else { (0.0, 1.0) };
        Frame { width, height, left, right, from, to }
    }

    /// Where folded time lies; beyond what is visible, on the edge.
    pub fn x(&self, time: f64) -> f64 {
        self.scale().at(time)
    }

    /// The folded time at `x`.
    pub fn time(&self, x: f64) -> f64 {
        self.scale().value(x)
    }

    fn scale(&self) -> Linear {
        Linear { domain: (self.from, self.to), range: (self.left, self.right) }
    }

    /// Whether folded time is visible, and not where what is visible ends.
    pub fn within(&self, time: f64) -> bool {
        time > self.from + ON_EDGE && time < self.to - ON_EDGE
    }

    /// Whether the rules of a narrow page hold.
    pub fn narrow(&self) -> bool {
        self.width < NARROW
    }

    /// Size of words.
    pub fn words(&self) -> f64 {
        if self.narrow() { 11.0 } else { 12.0 }
    }

    /// Px between the plot and what stands beside it in a gutter of so many px.
    pub fn inset(&self, gutter: f64) -> f64 {
        if gutter < NARROW_GUTTER { 5.0 } else { 8.0 }
    }

    /// The layout of a lane without axes of values.
    pub fn layout(&self) -> Layout {
        Layout { plot: self.plot(), strips: Vec::new() }
    }

    /// The plot of a lane that uses its whole height.
    pub fn plot(&self) -> Plot {
        Plot { left: self.left, top: 0.0, right: self.right, bottom: self.height }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example;

    #[test]
    fn any_view_makes_a_sound_frame() {
        let odd = [f64::NAN, f64::INFINITY, -1.0, 0.0, 0.3, 1e9];
        for a in odd {
            for b in odd {
                let view = View {
                    from: a,
                    to: b,
                    width: a,
                    height: b,
                    left: b,
                    right: a,
                    ..example::view(9.0, 9.0)
                };
                let frame = Frame::of(&view);
                assert!(frame.left < frame.right && frame.from < frame.to, "{view:?}");
                assert!(frame.x(a).is_finite() && frame.x(0.5) <= frame.right, "{view:?}");
            }
        }
    }
}
