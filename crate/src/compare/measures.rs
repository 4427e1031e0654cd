//! What the runs of a series are measured by: time and, where they are counted, instructions and energy.

use strum::IntoStaticStr;

use super::comparison::{LEVEL, Wanted};
use super::decision::Change;
use super::run::Run;
use super::series::Values;
use super::stretch::Stretch;
use crate::fit;
use crate::order;

/// What a phase or the whole region is measured by, as the tables of a study of frequencies are (Servat 2015,
/// Tables 5.12 and 5.13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Measure {
    /// In ms.
    Time,
    /// Per µs.
    Instructions,
    /// In W.
    Power,
    /// In J an instance.
    Energy,
    /// Millions of instructions per J.
    Work,
}

impl Measure {
    pub const ALL: [Self; 5] =
        [Self::Time, Self::Instructions, Self::Power, Self::Energy, Self::Work];

    pub fn unit(self) -> &'static str {
        match self {
            Self::Time => "ms",
            Self::Instructions => "MIPS",
            Self::Power => "W",
            Self::Energy => "J",
            Self::Work => "M ins/J",
        }
    }

    /// Whether least is best, if one is better than another at all: power is spent for something.
    fn is_least_best(self) -> Option<bool> {
        match self {
            Self::Time | Self::Energy => Some(true),
            Self::Work => Some(false),
            Self::Instructions | Self::Power => None,
        }
    }
}

/// A measure of a row of a series in each run.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    pub measure: Measure,
    /// The value with the 95 % interval of the program; `None` where a run does not count it.
    pub runs: Vec<Option<[f64; 3]>>,
    /// The run that is best, where it is so beyond doubt and by as much as matters beside the next value.
    pub best: Option<usize>,
}

/// Logarithm of a value and the variance of that.
pub type Log = [f64; 2];

/// Each measure of a row that some run of it has.
pub fn measures(row: &[Stretch<'_>], values: &Values, wanted: &Wanted) -> Vec<Measured> {
    let measured = |measure: Measure| {
        let logs = row.iter().map(|of| log_of(of, measure, wanted)).collect::<Vec<_>>();
        let runs = logs.iter().map(|log| log.map(with_interval)).collect::<Vec<_>>();
        let best = best(&logs, measure, values, wanted);
        runs.iter().any(Option::is_some).then_some(Measured { measure, runs, best })
    };
    Measure::ALL.into_iter().filter_map(measured).collect()
}

/// Of a measure, what runs of one program differ by included.
pub fn log_of(of: &Stretch<'_>, measure: Measure, wanted: &Wanted) -> Option<Log> {
    let (value, own) = value_of(of, measure)?;
    let between = match measure {
        Measure::Energy | Measure::Work => wanted.between.ratio,
        _ => wanted.between.of_rate(),
    };
    Some([libm::log(value), own + between * between])
}

/// The value and the variance of its logarithm that the run itself tells.
fn value_of(of: &Stretch<'_>, measure: Measure) -> Option<(f64, f64)> {
    let power = || watts(of).filter(|(watts, _)| *watts > 0.0);
    let instructions = || {
        let [rate, variance] = of.instructions()?;
        Some((rate, variance / (rate * rate)))
    };
    match measure {
        Measure::Time => Some((of.duration_ms(), of.variance())),
        Measure::Instructions => instructions(),
        Measure::Power => power(),
        Measure::Energy => {
            let (watts, own) = power()?;
            Some((watts * of.duration_ms() / 1e3, own + of.variance()))
        }
        // Both rates are over the same time. Taken for independent, which is conservative.
        Measure::Work => {
            let ((watts, own), (rate, of_rate)) = (power()?, instructions()?);
            Some((rate / watts, own + of_rate))
        }
    }
}

/// What is spent, and the variance of its logarithm: by the packages of all sockets, in which cores are, else by
/// what the first counter of energy counts.
fn watts(of: &Stretch<'_>) -> Option<(f64, f64)> {
    let counters = || of.run.counters.iter().zip(&of.rates);
    let joules = |(counter, &[per_us, variance]): (&super::Counter, &[f64; 2])| {
        let watts = counter.joules? * 1e6;
        Some((per_us * watts, variance * watts * watts))
    };
    let packages = counters().filter(|(counter, _)| is_package(&counter.name)).filter_map(joules);
    let packages = packages.collect::<Vec<_>>();
    let all = if packages.is_empty() {
        counters().find_map(joules).into_iter().collect()
    } else {
        packages
    };
    let watts = all.iter().map(|(watts, _)| watts).sum::<f64>();
    let variance = all.iter().map(|(_, variance)| variance).sum::<f64>();
    (!all.is_empty()).then_some((watts, variance / (watts * watts)))
}

/// As PAPI (`PACKAGE_ENERGY`) and Linux (`energy-pkg`) call what a socket spends.
fn is_package(counter: &str) -> bool {
    let name = counter.to_lowercase();
    name.contains("package") || name.contains("pkg")
}

/// What counts the energy that a series is measured by, as it is called; empty without.
pub fn energy_counters(run: &Run) -> Vec<&str> {
    let named = |is: &dyn Fn(&str) -> bool| {
        let counters = run.counters.iter().filter(|of| of.joules.is_some() && is(&of.name));
        counters.map(|counter| counter.name.as_str()).collect::<Vec<_>>()
    };
    let packages = named(&is_package);
    if packages.is_empty() { named(&|_| true).into_iter().take(1).collect() } else { packages }
}

fn with_interval([log, variance]: Log) -> [f64; 3] {
    let half_width = fit::student_exceeded(0.025, f64::INFINITY) * variance.sqrt();
    [log, log - half_width, log + half_width].map(libm::exp)
}

/// Runs of one value stand for one another.
fn best(logs: &[Option<Log>], measure: Measure, values: &Values, wanted: &Wanted) -> Option<usize> {
    let is_least_best = measure.is_least_best()?;
    let lost = |[log, _]: &Log| if is_least_best { *log } else { -*log };
    let known = logs.iter().enumerate().filter_map(|(at, log)| Some((at, (*log)?)));
    let mut ranked = known.collect::<Vec<_>>();
    order::by_number(&mut ranked, |(_, log)| order::of_float(lost(log)));
    let (first, [log, variance]) = *ranked.first()?;
    let (_, [of_next, next_variance]) =
        *ranked.iter().find(|(at, _)| !values.are_equal(first, *at))?;
    let least = if measure == Measure::Work { wanted.least_ratio } else { wanted.least };
    let change =
        Change { log: of_next - log, variance: variance + next_variance, degrees: f64::INFINITY };
    (change.p_beyond(libm::log(1.0 + least)) <= LEVEL).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{Between, Counter};

    /// A run of one phase of so many ms, with instructions and energy (in µJ) per µs.
    fn run(ms: f64, mips: f64, counters: &[(&str, f64)]) -> Run {
        let mut run = Run::new([ms, 0.001 * ms], vec![[0.0, 0.0], [1.0, 0.0]]);
        let counter = |name: &str, rate: f64, joules: Option<f64>| Counter {
            name: name.to_owned(),
            joules,
            rates: vec![[rate, 1e-6 * rate * rate]],
            ..Counter::default()
        };
        run.instructions = Some(0);
        run.counters = vec![counter("PAPI_TOT_INS", mips, None)];
        run.counters.extend(counters.iter().map(|(name, watts)| counter(name, *watts, Some(1e-6))));
        run
    }

    fn measured(runs: &[Run], values: &[f64]) -> Vec<Measured> {
        let row = runs.iter().map(Stretch::whole).collect::<Vec<_>>();
        measures(&row, &Values::of(values.iter().map(f64::to_string).collect()), &Wanted::default())
    }

    fn of(all: &[Measured], measure: Measure) -> &Measured {
        all.iter().find(|of| of.measure == measure).unwrap()
    }

    #[test]
    fn energy_is_power_times_time_and_work_is_instructions_per_joule() {
        let package = "rapl:::PACKAGE_ENERGY:PACKAGE0";
        let runs = [run(100.0, 2000.0, &[(package, 20.0)]), run(50.0, 4000.0, &[(package, 60.0)])];
        let all = measured(&runs, &[1.0, 2.0]);
        let value = |measure, at: usize| of(&all, measure).runs[at].unwrap()[0];
        let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-12, "{a} {b}");
        near(value(Measure::Power, 0), 20.0);
        near(value(Measure::Energy, 0), 2.0);
        near(value(Measure::Energy, 1), 3.0);
        near(value(Measure::Work, 0), 100.0);
        near(value(Measure::Instructions, 1), 4000.0);
        // What the run tells of itself (1e-3 of power, 1e-3 of time) and 2 % between runs.
        let [joules, low, high] = of(&all, Measure::Energy).runs[0].unwrap();
        let half_width = 1.959_963_984_540_054 * (2e-6_f64 + 4e-4).sqrt();
        near(libm::log(high / joules), half_width);
        near(libm::log(joules / low), half_width);
    }

    #[test]
    fn packages_are_added_and_what_is_in_them_is_not() {
        let counters = [
            ("power/energy-cores/", 7.0),
            ("power/energy-pkg/0", 10.0),
            ("power/energy-pkg/1", 5.0),
        ];
        let one = run(1.0, 1.0, &counters);
        let all = measured(std::slice::from_ref(&one), &[1.0]);
        assert!((of(&all, Measure::Power).runs[0].unwrap()[0] - 15.0).abs() < 1e-9);
        assert_eq!(energy_counters(&one), ["power/energy-pkg/0", "power/energy-pkg/1"]);
        let board = run(1.0, 1.0, &[("nvml:::board", 9.0), ("nvml:::fan", 1.0)]);
        let all = measured(std::slice::from_ref(&board), &[1.0]);
        assert!((of(&all, Measure::Power).runs[0].unwrap()[0] - 9.0).abs() < 1e-9);
        assert_eq!(energy_counters(&board), ["nvml:::board"]);
    }

    #[test]
    fn a_run_is_best_where_the_next_value_is_surely_worse() {
        let package = "energy-pkg";
        let runs = [(100.0, 10.0), (80.0, 11.0), (79.9, 20.0), (99.0, 10.0)]
            .map(|(ms, watts)| run(ms, 1e5 / ms, &[(package, watts)]));
        let all = measured(&runs, &[1.0, 2.0, 3.0, 1.0]);
        // 80 and 79.9 ms are not told apart; 0.88 J beside 0.99 and 1.6 are.
        assert_eq!(of(&all, Measure::Time).best, None);
        assert_eq!(of(&all, Measure::Energy).best, Some(1));
        assert_eq!(of(&all, Measure::Work).best, Some(1));
        assert_eq!(of(&all, Measure::Power).best, None);
        // Two runs of the best value do not stand against one another.
        assert_eq!(of(&measured(&runs, &[1.0, 2.0, 2.0, 1.0]), Measure::Time).best, Some(2));
        let one = measured(&runs, &[1.0; 4]);
        assert!(one.iter().all(|of| of.best.is_none()));
    }

    #[test]
    fn without_energy_there_is_none_and_one_run_without_has_no_value() {
        let all = measured(&[run(1.0, 1.0, &[])], &[1.0]);
        let names = all.iter().map(|of| of.measure).collect::<Vec<_>>();
        assert_eq!(names, [Measure::Time, Measure::Instructions]);
        let all =
            measured(&[run(1.0, 1.0, &[("energy-pkg", 3.0)]), run(1.0, 1.0, &[])], &[1.0, 2.0]);
        assert_eq!(of(&all, Measure::Energy).runs[1], None);
        assert!(of(&all, Measure::Energy).runs[0].is_some());
        assert_eq!(Between::NONE.ratio, 0.0);
    }
}
