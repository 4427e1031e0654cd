//! A counter's curve as it is drawn: its ratio per instruction, its rate, or its power, with how
//! far each value may be off.

use plotters::style::RGBColor;

use crate::paint::mark::{Mark, Plotted, Sampled};
use crate::paint::scale::tame;
use crate::paint::scene::{Frame, Strip, Stroke, is_clock};
use crate::result::{Axis, Curve, Group};

/// What of a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Events per microsecond.
    Rate,
    /// Events per instruction.
    Ratio,
    /// Watts, of a counter of energy.
    Power,
    /// Events for each event that the axis counts.
    PerEvent,
}

/// A curve as it is drawn.
pub struct Series<'a> {
    pub curve: &'a Curve,
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
}

impl<'a> Series<'a> {
    /// A ratio where `quantity` is one; a counter of energy is power, and never a ratio. Over an
    /// axis that counts events there is neither rate nor power: both become events per event.
    pub fn of(group: &'a Group, curve: &'a Curve, quantity: Quantity) -> Self {
        let scaled =
            |values: &[f64], factor: f64| values.iter().map(|v| tame(v * factor)).collect();
        let known = |values: Vec<f64>| values.into_iter().map(Some).collect();
        let in_time = group.axis == Axis::Time;
        let rate = if in_time { Quantity::Rate } else { Quantity::PerEvent };
        let watts = curve.watts(1.0).filter(|_| in_time);
        let (quantity, values, band) = match (watts, quantity) {
            (Some(watts), _) => {
                let values = known(scaled(&curve.rate, watts));
                (Quantity::Power, values, scaled(&curve.rate_band, watts))
            }
            (None, Quantity::Ratio) => {
                (quantity, group.per_instruction(curve), group.per_instruction_band(curve))
            }
            (None, _) => (rate, known(scaled(&curve.rate, 1.0)), scaled(&curve.rate_band, 1.0)),
        };
        let sampled = Sampled::over(group, values, band);
        let (smallest, largest) = sampled.extremes();
        let colour = RGBColor(0, 0, 0);
        let (dash, hidden) = (&[] as &[f64], false);
        Series { curve, quantity, sampled, smallest, largest, colour, dash, hidden }
    }

    /// Its mean over an instance, of a rate or of power.
    pub fn mean(&self) -> f64 {
        let rate = self.curve.mean_rate;
        let watts = self.curve.watts(rate).filter(|_| self.quantity == Quantity::Power);
        watts.unwrap_or(rate)
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

    /// Factor and unit of its rate.
    pub fn unit(&self) -> (f64, &'static str) {
        let is_rate = self.curve.instructions && self.quantity == Quantity::Rate;
        if is_rate { (1.0, "MIPS") } else { unit(&[self]) }
    }

    /// Whether both can stand on one axis.
    pub fn shares_unit(&self, other: &Series) -> bool {
        let clocks = [self, other].map(|series| is_clock(&series.curve.counter));
        self.quantity == other.quantity && clocks[0] == clocks[1]
    }
}

/// Factor and unit of the axis of curves that can share one. Clocks tell how many processors are
/// busy, as perf does.
pub fn unit(strip: &[&Series]) -> (f64, &'static str) {
    let largest = strip.iter().map(|series| series.largest).fold(0.0, f64::max);
    let clock = strip.iter().any(|series| is_clock(&series.curve.counter));
    let quantity = strip.first().map_or(Quantity::Rate, |series| series.quantity);
    match (quantity, largest) {
        (Quantity::Power, v) if v >= 0.1 || v <= 0.0 => (1.0, "W"),
        (Quantity::Power, _) => (1e3, "mW"),
        (Quantity::PerEvent, v) if v >= 0.1 || v <= 0.0 => (1.0, "per event"),
        (Quantity::PerEvent, v) if v >= 1e-3 => (1e3, "per 1000 events"),
        (Quantity::PerEvent, _) => (1e6, "per 10⁶ events"),
        (Quantity::Ratio, _) if clock => (1.0, "ns per ins"),
        (Quantity::Rate, _) if clock => (1e-3, "CPUs"),
        (Quantity::Ratio, v) if v >= 0.1 || v <= 0.0 => (1.0, "per ins"),
        (Quantity::Ratio, v) if v >= 1e-3 => (1e3, "per 1000 ins"),
        (Quantity::Ratio, _) => (1e6, "per 10⁶ ins"),
        (Quantity::Rate, v) if v >= 0.1 || v <= 0.0 => (1.0, "M/s"),
        (Quantity::Rate, v) if v >= 1e-3 => (1e3, "k/s"),
        (Quantity::Rate, _) => (1e6, "per s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example;

    #[test]
    fn energy_is_power_in_watts() {
        let mut folding = example::namd();
        let group = &mut folding.groups[0];
        // 20 units of 61 µJ each microsecond.
        group.curves[1].joules = Some(61e-6);
        group.curves[1].rate.fill(0.02);
        group.curves[1].rate_band = vec![0.001; 1000];
        let series = Series::of(group, &group.curves[1], Quantity::Ratio);
        assert_eq!(series.quantity, Quantity::Power);
        assert!((series.largest - 1.22).abs() < 1e-12, "{}", series.largest);
        assert!((series.sampled.band[7] - 0.061).abs() < 1e-12);
        assert_eq!(series.unit(), (1.0, "W"));
    }

    #[test]
    fn over_an_axis_of_events_there_is_neither_rate_nor_power() {
        let mut folding = example::namd();
        let group = &mut folding.groups[0];
        group.axis = Axis::Counter { name: "PAPI_TOT_CYC".to_owned(), total: 1e9 };
        group.curves[1].joules = Some(61e-6);
        let instructions = Series::of(group, &group.curves[0], Quantity::Rate);
        assert_eq!(instructions.unit(), (1.0, "per event"));
        let energy = Series::of(group, &group.curves[1], Quantity::Rate);
        assert_eq!((energy.quantity, energy.mean()), (Quantity::PerEvent, energy.curve.mean_rate));
    }
}
