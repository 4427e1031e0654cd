//! Runs of one program under a value that changes, such as the clock or the number of threads: which phases
//! change with it, and how.

use std::fmt;

use super::comparison::{LEVEL, Verdict, Wanted, verdict};
use super::covers::phases_of_all;
use super::decision::{Change, holm};
use super::effects::ASSUMED;
use super::measures::{Log, Measure, Measured, log_of, measures};
use super::run::Run;
use super::stretch::Stretch;

/// Most runs of a series; fewer than three have no trend.
const MOST_RUNS: usize = 40;
const FEWEST: usize = 3;

/// What the runs are of, one of each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// As they were written.
    pub texts: Vec<String>,
    /// If all are numbers. Texts are in no order: each run is compared with the first.
    pub numbers: Option<Vec<f64>>,
}

impl Values {
    /// Numbers if all are.
    pub fn of(texts: Vec<String>) -> Self {
        let number = |text: &String| text.parse::<f64>().ok().filter(|value| value.is_finite());
        Self { numbers: texts.iter().map(number).collect(), texts }
    }

    /// Whether two runs are of one value.
    pub fn are_equal(&self, a: usize, b: usize) -> bool {
        match &self.numbers {
            Some(numbers) => numbers.get(a) == numbers.get(b),
            None => self.texts.get(a) == self.texts.get(b),
        }
    }

    fn count(&self) -> usize {
        self.texts.len()
    }
}

/// A phase in all runs, or the whole region.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeriesRow {
    /// That most samples of the first run are in; `None` without, and of the whole.
    pub routine: Option<String>,
    /// Time, and what else is counted of it.
    pub measures: Vec<Measured>,
    /// By counter of the first run, of each run events per µs; `None` where a run does not count it.
    pub rates: Vec<(String, Vec<Option<f64>>)>,
    /// Of numbers that differ.
    pub trend: Option<Trend>,
    /// Of texts: each run but the first beside that.
    pub beside: Vec<Beside>,
}

impl SeriesRow {
    /// Of each run its time in ms, with the 95 % interval of the program.
    pub fn ms(&self) -> impl Iterator<Item = [f64; 3]> + '_ {
        self.of(Measure::Time).into_iter().flat_map(|of| of.runs.iter().copied().flatten())
    }

    pub fn of(&self, measure: Measure) -> Option<&Measured> {
        self.measures.iter().find(|of| of.measure == measure)
    }
}

/// How a time follows the value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trend {
    /// Of a power of the value, `time ∝ value^exponent`; or, where values are not above 0, of the logarithm of
    /// the time by one of the value.
    pub exponent: f64,
    pub interval: [f64; 2],
    pub is_power: bool,
    /// From the least value to the largest, as a share.
    pub change: f64,
    /// Whether it is beyond doubt, all rows counted, and by as much as matters.
    pub is_sure: bool,
}

/// A run beside the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beside {
    pub change: f64,
    pub interval: [f64; 2],
    pub verdict: Verdict,
}

/// Runs with their values.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub values: Values,
    /// The whole region, then the phases that all runs have, in the order of the first.
    pub rows: Vec<SeriesRow>,
}

/// Why there is no series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeriesError {
    TooFew(usize),
    TooMany(usize),
    /// So many runs, and so many values.
    Unlike(usize, usize),
}

impl fmt::Display for SeriesError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew(runs) => write!(out, "found {runs} runs, expected at least {FEWEST}"),
            Self::TooMany(runs) => write!(out, "found {runs} runs, expected at most {MOST_RUNS}"),
            Self::Unlike(runs, values) => {
                write!(out, "found {values} values for {runs} runs, expected one for each")
            }
        }
    }
}

impl std::error::Error for SeriesError {}

/// The series of these runs, of which the first is what the phases of others are laid beside. Trends are weighted
/// regressions of logarithms, their residual variance mixed with what is assumed to differ between runs, which
/// weighs as one degree of freedom (comparison of foldings, §5).
///
/// # Errors
///
/// Of fewer than three runs, of more than forty, and of runs without a value.
pub fn series(runs: &[Run], values: Values, wanted: &Wanted) -> Result<Series, SeriesError> {
    match runs.len() {
        few if few < FEWEST => return Err(SeriesError::TooFew(few)),
        many if many > MOST_RUNS => return Err(SeriesError::TooMany(many)),
        count if count != values.count() => {
            return Err(SeriesError::Unlike(count, values.count()));
        }
        _ => {}
    }
    let whole = runs.iter().map(Stretch::whole).collect::<Vec<_>>();
    let rows = [whole].into_iter().chain(phases_of_all(runs)).collect::<Vec<_>>();
    let times = rows.iter().map(|row| times(row, wanted)).collect::<Vec<_>>();
    let least = libm::log(1.0 + wanted.least);
    let each = rows.iter().enumerate().map(|(at, row)| SeriesRow {
        measures: measures(row, &values, wanted),
        ..row_of(row, at == 0)
    });
    let mut told = each.collect::<Vec<_>>();
    match &values.numbers {
        Some(numbers) => {
            let fits = times.iter().map(|times| Fitted::of(numbers, times)).collect::<Vec<_>>();
            let p = fits.iter().map(|of| of.as_ref().map_or(1.0, |of| of.change.p_beyond(0.0)));
            let falls = holm(&p.collect::<Vec<_>>(), LEVEL);
            for ((row, fitted), falls) in told.iter_mut().zip(&fits).zip(falls) {
                row.trend = fitted.as_ref().map(|of| of.trend(falls, least));
            }
        }
        None => {
            let change = |times: &Times, at: usize| {
                let [[before, of_before], [after, of_after]] = [times[0], times[at]];
                Change {
                    log: after - before,
                    variance: of_before + of_after,
                    degrees: f64::INFINITY,
                }
            };
            let changes =
                times.iter().map(|times| (1..times.len()).map(move |at| change(times, at)));
            let changes = changes.map(Iterator::collect).collect::<Vec<Vec<_>>>();
            let p = changes.iter().flatten().map(|change| change.p_beyond(least));
            let mut falls = holm(&p.collect::<Vec<_>>(), LEVEL).into_iter();
            for (row, changes) in told.iter_mut().zip(&changes) {
                let beside = changes.iter().map(|change| Beside {
                    change: libm::expm1(change.log),
                    interval: change.interval().map(libm::expm1),
                    verdict: verdict(change, falls.next().unwrap_or(false), least),
                });
                row.beside = beside.collect();
            }
        }
    }
    Ok(Series { values, rows: told })
}

/// Of each run, of its time in ms.
type Times = Vec<Log>;

fn times(row: &[Stretch<'_>], wanted: &Wanted) -> Times {
    row.iter().filter_map(|of| log_of(of, Measure::Time, wanted)).collect()
}

fn row_of(row: &[Stretch<'_>], is_whole: bool) -> SeriesRow {
    let counters = row.first().map_or(&[][..], |of| &of.run.counters);
    let rates = counters.iter().map(|counter| {
        let rate = |of: &Stretch<'_>| Some(of.rates.get(of.run.counter(&counter.name)?)?[0]);
        (counter.name.clone(), row.iter().map(rate).collect())
    });
    let routine = row.first().and_then(Stretch::routine).filter(|_| !is_whole);
    SeriesRow {
        routine: routine.map(str::to_owned),
        measures: vec![],
        rates: rates.collect(),
        trend: None,
        beside: vec![],
    }
}

/// A line through logarithms of times.
struct Fitted {
    /// From the least value to the largest.
    change: Change,
    /// Of the value, or of its logarithm.
    range: f64,
    is_power: bool,
}

impl Fitted {
    /// `None` where all values are one.
    fn of(values: &[f64], times: &Times) -> Option<Self> {
        let is_power = values.iter().all(|value| *value > 0.0);
        let x = values.iter().map(|value| if is_power { libm::log(*value) } else { *value });
        let x = x.collect::<Vec<_>>();
        let weights = times.iter().map(|[_, variance]| 1.0 / variance).collect::<Vec<_>>();
        let sum = weights.iter().sum::<f64>();
        let mean = |of: &dyn Fn(usize) -> f64| {
            weights.iter().enumerate().map(|(at, weight)| weight * of(at)).sum::<f64>() / sum
        };
        let (mean_x, mean_y) = (mean(&|at| x[at]), mean(&|at| times[at][0]));
        let spread = sum * mean(&|at| (x[at] - mean_x) * (x[at] - mean_x));
        let range = x.iter().copied().fold(f64::NEG_INFINITY, f64::max)
            - x.iter().copied().fold(f64::INFINITY, f64::min);
        if spread.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
            return None;
        }
        let slope = sum * mean(&|at| (x[at] - mean_x) * (times[at][0] - mean_y)) / spread;
        let residual = |at: usize| times[at][0] - mean_y - slope * (x[at] - mean_x);
        let free = (times.len() - 2) as f64;
        let squares = sum * mean(&|at| residual(at) * residual(at));
        // Weights are one over what is assumed: of such runs the squares are `free`.
        let scale = (ASSUMED + squares) / (ASSUMED + free);
        let change = Change {
            log: slope * range,
            variance: scale * range * range / spread,
            degrees: ASSUMED + free,
        };
        Some(Self { change, range, is_power })
    }

    fn trend(&self, falls: bool, least: f64) -> Trend {
        Trend {
            exponent: self.change.log / self.range,
            interval: self.change.interval().map(|end| end / self.range),
            is_power: self.is_power,
            change: libm::expm1(self.change.log),
            is_sure: falls && self.change.log.abs() >= least,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs of two phases: the first follows the value as this power of it, the second does not.
    fn runs(values: &[f64], power: f64) -> Vec<Run> {
        let run = |value: &f64| {
            let (first, second) = (100.0 * libm::pow(*value, power), 60.0);
            let border = first / (first + second);
            let edges = vec![[0.0, 0.0], [border, 1e-4], [1.0, 0.0]];
            let mut run = Run::new([first + second, 0.05], edges);
            for (x, routine) in [(0.5 * border, "solve"), ((1.0 + border) / 2.0, "wait")] {
                for _ in 0..50 {
                    run.sample(x, (routine.to_owned(), "a.c".to_owned(), 1));
                }
            }
            run
        };
        values.iter().map(run).collect()
    }

    fn numbers(values: &[f64]) -> Values {
        Values::of(values.iter().map(f64::to_string).collect())
    }

    #[test]
    fn a_time_that_follows_the_clock_is_told_with_its_power_and_the_other_is_not() {
        let values = [1.2, 1.6, 2.0, 2.6];
        let told = series(&runs(&values, -0.9), numbers(&values), &Wanted::default()).unwrap();
        let [whole, solve, wait] = &told.rows[..] else { panic!("{told:#?}") };
        let trend = solve.trend.unwrap();
        assert!(
            (trend.exponent + 0.9).abs() < 1e-6 && trend.is_power && trend.is_sure,
            "{trend:?}"
        );
        assert!(trend.interval[0] < -0.9 && trend.interval[1] > -0.9 && trend.interval[1] < -0.8);
        assert!((trend.change - (libm::pow(2.6 / 1.2, -0.9) - 1.0)).abs() < 1e-6);
        assert!(!wait.trend.unwrap().is_sure && whole.trend.unwrap().is_sure);
        assert_eq!(solve.routine.as_deref(), Some("solve"));
        let [ms, low, high] = solve.ms().next().unwrap();
        assert!((ms - 100.0 * libm::pow(1.2, -0.9)).abs() < 1e-9);
        assert!(low < ms && ms < high);
    }

    #[test]
    fn values_below_zero_are_not_taken_for_powers_and_one_value_has_no_trend() {
        let values = [-1.0, 0.0, 1.0];
        let told = series(&runs(&[1.0, 2.0, 4.0], 1.0), numbers(&values), &Wanted::default());
        let trend = told.unwrap().rows[1].trend.unwrap();
        assert!(!trend.is_power && (trend.exponent - libm::log(2.0)).abs() < 1e-6, "{trend:?}");
        let one = series(&runs(&[1.0, 1.0, 1.0], 1.0), numbers(&[2.0; 3]), &Wanted::default());
        assert!(one.unwrap().rows.iter().all(|row| row.trend.is_none()));
    }

    #[test]
    fn texts_are_each_beside_the_first() {
        let texts = Values::of(["-O0", "-O2", "-O3"].map(str::to_owned).to_vec());
        let told = series(&runs(&[1.0, 0.5, 0.499], 1.0), texts, &Wanted::default()).unwrap();
        let verdicts = |row: &SeriesRow| row.beside.iter().map(|of| of.verdict).collect::<Vec<_>>();
        assert_eq!(verdicts(&told.rows[1]), [Verdict::Faster; 2]);
        assert_eq!(verdicts(&told.rows[2]), [Verdict::NotSeen; 2]);
        assert!((told.rows[1].beside[0].change + 0.5).abs() < 1e-9);
    }

    #[test]
    fn too_few_too_many_and_runs_without_a_value_are_told() {
        let error = |count: usize, values: usize| {
            let runs = runs(&vec![1.0; count], 1.0);
            series(&runs, numbers(&vec![1.0; values]), &Wanted::default()).unwrap_err().to_string()
        };
        assert_eq!(error(2, 2), "found 2 runs, expected at least 3");
        assert_eq!(error(41, 41), "found 41 runs, expected at most 40");
        assert_eq!(error(3, 2), "found 2 values for 3 runs, expected one for each");
    }
}
