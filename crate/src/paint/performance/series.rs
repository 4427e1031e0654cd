//! A curve as it is drawn: a counter's ratio per instruction, its rate, or its power, or a component
//! of a model, with how far each value may be off.

use plotters::style::RGBColor;

use crate::folding::{Curve, Group};
use crate::paint::mark::{Mark, Plotted, Sampled};
use crate::paint::scale::tame;
use crate::paint::scene::{Frame, Strip, Stroke};
use crate::quantity::{Kind, Quantity};

/// A curve as it is drawn.
pub struct Series<'a> {
    /// What it is told apart by: its counter, or the component of the model.
    pub key: &'a str,
    pub quantity: Quantity,
    pub sampled: Sampled<'a>,
    /// Extremes of the values; 0 if there are none.
    pub smallest: f64,
    pub largest: f64,
    pub colour: RGBColor,
    /// Lengths of dash and gap in px; empty for a solid curve.
    pub dash: &'static [f64],
    /// Switched off in the legend.
    pub hidden: bool,
    /// Whether its axis is at the right.
    pub right: bool,
    /// Whether it is an area of a stack: its values are its upper edge, on those below it.
    pub area: bool,
    /// Its mean over an instance, of a rate or of power.
    pub mean: f64,
    /// The same of all threads, where it is of those that compute.
    pub with_waiting: Option<Sampled<'a>>,
}

impl<'a> Series<'a> {
    /// Its rate, or its ratio per instruction; a counter of energy is power over time, and never a
    /// ratio. Values are scaled to what curves of one kind have in common.
    pub fn of(group: &'a Group, curve: &'a Curve, kind: Kind) -> Self {
        let quantity = Quantity::of(group, curve, kind);
        let scaled =
            |values: &[f64]| values.iter().map(|v| tame(v * quantity.scale)).collect::<Vec<_>>();
        let is_ratio = kind == Kind::Ratio && !quantity.is_power();
        let (values, band) = match is_ratio {
            true => {
                let scaled_ratio = |ratio: Option<f64>| ratio.map(|r| tame(r * quantity.scale));
                let ratios = group.per_instruction(curve).into_iter().map(scaled_ratio).collect();
                (ratios, scaled(&group.per_instruction_band(curve)))
            }
            false => {
                let value = |rate: &f64| rate.is_finite().then(|| tame(rate * quantity.scale));
                (curve.rate.iter().map(value).collect(), scaled(&curve.rate_band))
            }
        };
        let mean = curve.mean_rate * quantity.scale;
        let with_waiting = curve.with_waiting.as_ref().filter(|_| !is_ratio).map(|of| {
            Sampled::over(group, scaled(&of.rate).into_iter().map(Some).collect(), vec![])
        });
        let sampled = Sampled::over(group, values, band);
        let series = Series::new(&curve.counter, quantity, sampled);
        let of_all = with_waiting.as_ref().map_or(0.0, |sampled| sampled.extremes().1);
        Series { mean, largest: series.largest.max(of_all), with_waiting, ..series }
    }

    /// Values of that quantity: a solid line at the left.
    pub fn new(key: &'a str, quantity: Quantity, sampled: Sampled<'a>) -> Self {
        let (smallest, largest) = sampled.extremes();
        Series {
            key,
            quantity,
            sampled,
            smallest,
            largest,
            colour: RGBColor(0, 0, 0),
            dash: &[],
            hidden: false,
            right: false,
            area: false,
            mean: 0.0,
            with_waiting: None,
        }
    }

    /// Its curve on the scales of a plot.
    pub fn on<'b>(&'b self, frame: &'b Frame, strip: &'b Strip) -> Plotted<'b> {
        Plotted { frame, strip, sampled: &self.sampled }
    }

    /// Its line, `width` px wide.
    pub fn mark(&self, width: f64) -> Mark {
        Mark::Line { stroke: Stroke::solid(self.colour, width), dash: self.dash }
    }

    /// The value at folded time `time`.
    pub fn at(&self, time: f64) -> Option<f64> {
        self.sampled.at(time)
    }
}

/// What the axis of curves that can share one is of, in the unit for the largest of them.
pub fn on_axis(strip: &[&Series]) -> Option<Quantity> {
    strip.first().map(|series| series.quantity.clone().sized(largest(strip)))
}

/// The largest value of several curves; 0 if there is none above.
pub fn largest(strip: &[&Series]) -> f64 {
    strip.iter().map(|series| series.largest).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::Axis;
    use crate::paint::example;

    #[test]
    fn energy_is_power_in_watts() {
        let mut folding = example::namd();
        let group = &mut folding.groups[0];
        // 20 units of 61 µJ each microsecond.
        group.curves[1].joules = Some(61e-6);
        group.curves[1].rate.fill(0.02);
        group.curves[1].rate_band = vec![0.001; 1000];
        let series = Series::of(group, &group.curves[1], Kind::Ratio);
        assert!((series.largest - 1.22).abs() < 1e-12, "{}", series.largest);
        assert!((series.sampled.band[7] - 0.061).abs() < 1e-12);
        assert_eq!((series.quantity.factor, &*series.quantity.unit), (1.0, "W"));
    }

    #[test]
    fn over_an_axis_of_events_there_is_neither_rate_nor_power() {
        let mut folding = example::namd();
        let group = &mut folding.groups[0];
        group.axis = Axis::Counter { name: "PAPI_TOT_CYC".to_owned(), total: 1e9 };
        group.curves[1].joules = Some(61e-6);
        let unit = |at: usize| Series::of(group, &group.curves[at], Kind::Rate).quantity.unit;
        assert_eq!([0, 1].map(unit), ["per cycle", "J per cycle"]);
    }
}
