//! Phases found over instructions and shown in time.

use std::fmt;
use std::str::FromStr;

use super::group::Fitted;
use crate::folding::{Break, Curve, PhaseRate};
use crate::instance::ChoiceError;

/// A counter whose events take the place of time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Along {
    pub counter: String,
    /// Whether what is found over its events is shown in time.
    pub in_time: bool,
}

/// What follows the name of a counter whose events are shown in time.
const IN_TIME: &str = ":time";

impl FromStr for Along {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        const EXPECTED: &str = "time, the name of a counter, or that with :time after it";
        let shown = text.strip_suffix(IN_TIME);
        match shown.unwrap_or(text) {
            "" => Err(ChoiceError(EXPECTED)),
            counter => Ok(Self { counter: counter.to_owned(), in_time: shown.is_some() }),
        }
    }
}

impl fmt::Display for Along {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}", self.counter, if self.in_time { IN_TIME } else { "" })
    }
}

/// Breaks closer than this in time are one: only one phase can be drawn between.
const CLOSEST: f64 = 1e-4;

/// Where events lie in time: straight lines between the breaks that were found over events.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clock {
    /// Shares of the events, from 0 to 1, and the shares of the time at them.
    events: Vec<f64>,
    time: Vec<f64>,
}

impl Clock {
    /// `of_time`: time as if it were a counter, over events, with a rate in each phase; `breaks`
    /// are those between the phases.
    pub fn new(breaks: &[Break], of_time: &Curve) -> Self {
        let events = knots(breaks);
        let widths = events.windows(2).map(|pair| pair[1] - pair[0]);
        let mut passed = 0.0;
        let steps = of_time.phases.iter().zip(widths).map(|(slope, width)| {
            passed += slope.rate * width;
            passed
        });
        let mut time = vec![0.0];
        time.extend(steps);
        let total = time.last().copied().filter(|total| *total > 0.0);
        match total {
            Some(total) if time.len() == events.len() => {
                time.iter_mut().for_each(|at| *at /= total);
                Self { events, time }
            }
            // Time that does not pass: the events themselves.
            _ => Self { time: events.clone(), events },
        }
    }

    /// How many of all events have happened at the end of each of some equal cells of time, from 0 at
    /// the begin to 1.
    pub fn through(events: Vec<f64>) -> Self {
        let last = (events.len().max(2) - 1) as f64;
        let time = (0..events.len()).map(|cell| cell as f64 / last).collect();
        Self { events, time }
    }

    /// The share of time at a share of the events.
    pub fn time(&self, events: f64) -> f64 {
        on_line(&self.events, &self.time, events)
    }

    /// The share of the events at a share of time.
    pub fn event(&self, time: f64) -> f64 {
        on_line(&self.time, &self.events, time)
    }
}

/// `over_events`, which was fitted over the events of a counter, drawn in time: the same events
/// in the same phases, each where `clock` has it.
///
/// Rates are per event of the axis before and per microsecond after: `events_per_microsecond` of
/// it pass on average.
///
/// Phases that move in time from instance to instance are found sharper over instructions, which
/// do not move.
pub fn in_time(
    over_events: Fitted,
    clock: &Clock,
    events_per_microsecond: f64,
    grid: &[f64],
) -> Fitted {
    let Fitted { curves, report, breaks } = over_events;
    let events = knots(&breaks);
    let time = events.iter().map(|at| clock.time(*at)).collect::<Vec<_>>();
    // Of breaks that are too close in time the later goes.
    let mut kept = vec![0];
    for (place, at) in time.iter().enumerate().skip(1) {
        let is_last = place + 1 == time.len();
        if is_last && kept.len() > 1 && at - time[kept[kept.len() - 1]] < CLOSEST {
            kept.pop();
        }
        if is_last || at - time[kept[kept.len() - 1]] >= CLOSEST {
            kept.push(place);
        }
    }
    let knots = kept.iter().map(|place| time[*place]).collect::<Vec<_>>();
    let curves = curves.into_iter().map(|curve| {
        let phases = kept.windows(2).map(|pair| {
            let (first, end) = (pair[0], pair[1]);
            let width = time[end] - time[first];
            let over = |of: fn(&PhaseRate) -> f64| {
                let parts = (first..end).filter_map(|at| {
                    Some(of(curve.phases.get(at)?) * (events[at + 1] - events[at]))
                });
                if width > 0.0 { parts.sum::<f64>() / width * events_per_microsecond } else { 0.0 }
            };
            PhaseRate { rate: over(|phase| phase.rate), half_width: over(|phase| phase.half_width) }
        });
        let phases = phases.collect::<Vec<_>>();
        let of_phase = |of: fn(&PhaseRate) -> f64| {
            let phase = |x: &f64| knots[1..knots.len() - 1].partition_point(|at| at <= x);
            grid.iter().map(|x| phases.get(phase(x)).map_or(0.0, of)).collect::<Vec<_>>()
        };
        let at = |column: &[f64]| match column.len() {
            0 => vec![],
            _ => grid.iter().map(|x| on_line(grid, column, clock.event(*x))).collect(),
        };
        let has_band = !curve.rate_band.is_empty();
        Curve {
            rate: of_phase(|phase| phase.rate),
            rate_band: if has_band { of_phase(|phase| phase.half_width) } else { vec![] },
            fitted: at(&curve.fitted),
            fitted_band: at(&curve.fitted_band),
            own_breaks: curve.own_breaks.iter().map(|at| clock.time(*at)).collect(),
            phases,
            ..curve
        }
    });
    let curves = curves.collect();
    let inner = &kept[1..kept.len() - 1];
    let breaks = inner.iter().map(|place| {
        let found = &breaks[place - 1];
        let reach = |at: f64| clock.time(at.clamp(0.0, 1.0));
        let half_width =
            (reach(found.at + found.half_width) - reach(found.at - found.half_width)) / 2.0;
        Break { at: time[*place], half_width, ..found.clone() }
    });
    Fitted { curves, report, breaks: breaks.collect() }
}

fn knots(breaks: &[Break]) -> Vec<f64> {
    let inner = breaks.iter().map(|found| found.at);
    std::iter::once(0.0).chain(inner).chain([1.0]).collect()
}

/// The straight line through (`x`, `y`), of which `x` does not fall, at `at`.
pub(super) fn on_line(x: &[f64], y: &[f64], at: f64) -> f64 {
    let after = x.partition_point(|place| *place < at).clamp(1, x.len().max(2) - 1);
    let (Some(&x1), Some(&y1)) = (x.get(after), y.get(after)) else {
        return y.last().copied().unwrap_or(0.0);
    };
    let (x0, y0) = (x[after - 1], y[after - 1]);
    let share = if x1 > x0 { ((at - x0) / (x1 - x0)).clamp(0.0, 1.0) } else { 1.0 };
    y0 + (y1 - y0) * share
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::performance::grid;

    fn curve(phases: &[f64], grid: &[f64], knots: &[f64]) -> Curve {
        let widths = knots.windows(2).map(|pair| pair[1] - pair[0]);
        let mut sum = 0.0;
        let sums = phases.iter().zip(widths).map(|(slope, width)| {
            sum += slope * width;
            sum
        });
        let values = [0.0].into_iter().chain(sums).collect::<Vec<_>>();
        Curve {
            fitted: grid.iter().map(|x| on_line(knots, &values, *x)).collect(),
            phases: phases.iter().map(|&rate| PhaseRate { rate, half_width: 0.0 }).collect(),
            ..Curve::default()
        }
    }

    #[test]
    fn half_of_the_instructions_in_a_quarter_of_the_time_run_three_times_as_fast() {
        let grid = grid(1001);
        let breaks = [Break {
            at: 0.5,
            half_width: 0.01,
            changed: vec![0],
            by_hand: false,
            site: String::new(),
        }];
        let knots = [0.0, 0.5, 1.0];
        let time = curve(&[0.5, 1.5], &grid, &knots);
        let clock = Clock::new(&breaks, &time);
        assert!((clock.time(0.5) - 0.25).abs() < 1e-12 && (clock.time(0.75) - 0.625).abs() < 1e-12);
        let instructions = curve(&[1.0, 1.0], &grid, &knots);
        let misses = curve(&[0.02, 0.0], &grid, &knots);
        let fitted = Fitted {
            curves: vec![instructions, misses],
            breaks: breaks.to_vec(),
            ..Fitted::default()
        };
        let shown = in_time(fitted, &clock, 1000.0, &grid);
        let rates = |curve: &Curve| curve.phases.iter().map(|p| p.rate).collect::<Vec<_>>();
        let near = |found: Vec<f64>, expected: [f64; 2]| {
            found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9 * (1.0 + b))
        };
        assert!(near(rates(&shown.curves[0]), [2000.0, 2000.0 / 3.0]));
        assert!(near(rates(&shown.curves[1]), [40.0, 0.0]));
        assert!((shown.breaks[0].at - 0.25).abs() < 1e-12);
        assert!((shown.breaks[0].half_width - 0.01).abs() < 1e-12, "between 0.005 and 0.015");
        let quarter = shown.curves[0].fitted[250];
        assert!((quarter - 0.5).abs() < 1e-9, "{quarter}");
    }

    #[test]
    fn a_counter_is_named_with_or_without_time() {
        for text in ["PAPI_TOT_INS", "PAPI_TOT_INS:time", "rapl:::PKG:time"] {
            assert_eq!(text.parse::<Along>().unwrap().to_string(), text);
        }
        assert!("PAPI_TOT_INS:time".parse::<Along>().unwrap().in_time);
        assert!("".parse::<Along>().is_err() && ":time".parse::<Along>().is_err());
    }

    #[test]
    fn phases_that_take_no_time_are_not_drawn() {
        let grid = grid(101);
        let at = |at| Break { at, ..Break::default() };
        let breaks = [at(0.4), at(0.6)];
        let knots = [0.0, 0.4, 0.6, 1.0];
        let clock = Clock::new(&breaks, &curve(&[1.25, 0.0, 1.25], &grid, &knots));
        let fitted = Fitted {
            curves: vec![curve(&[1.0; 3], &grid, &knots)],
            breaks: breaks.to_vec(),
            ..Fitted::default()
        };
        let shown = in_time(fitted, &clock, 1.0, &grid);
        assert_eq!((shown.breaks.len(), shown.curves[0].phases.len()), (1, 2));
        let events = shown.curves[0].phases.iter().zip([0.5, 0.5]).map(|(p, w)| p.rate * w);
        assert!((events.sum::<f64>() - 1.0).abs() < 1e-12, "no event is lost");
        let still = Clock::new(&breaks, &Curve::default());
        assert_eq!(still.time(0.3), 0.3);
    }
}
