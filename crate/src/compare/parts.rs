//! What the time of runs is made of, and which part of it changed.

use serde::{Deserialize, Serialize};

use super::comparison::{LEVEL, Verdict, Wanted, verdict};
use super::decision::{Change, holm};
use super::effects::{Sides, change_of, geometric_mean};

/// What a run took, and what was counted while its threads computed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    pub runtime_ns: f64,
    /// Time that threads computed, of all together, and of the one that did most.
    pub useful_ns: f64,
    pub longest_ns: f64,
    pub threads: f64,
    /// Instructions and cycles of that; `None` where one of them was not counted.
    pub counted: Option<[f64; 2]>,
}

/// A part of the time.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub name: &'static str,
    /// Geometric means of the runs of each side, in the unit of the name.
    pub a: f64,
    pub b: f64,
    /// What its change alone does to the time, as a share of A, with a 95 % interval.
    pub change: f64,
    pub interval: [f64; 2],
    /// How many ms of the change of the time are its own. Those of all parts are the change of the time.
    pub ms: f64,
    pub verdict: Verdict,
}

/// The time of both sides, and its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    /// Of which `a` and `b` are in ms.
    pub time: Part,
    pub parts: Vec<Part>,
}

/// A factor of the time.
#[derive(Clone, Copy)]
struct Factor {
    name: &'static str,
    of: fn(&Spent) -> f64,
    /// Whether more of it makes the run longer.
    is_work: bool,
    /// Whether runs of one program have it alike.
    is_chosen: bool,
}

const fn factor(name: &'static str, of: fn(&Spent) -> f64) -> Factor {
    Factor { name, of, is_work: false, is_chosen: false }
}

/// Instructions or cycles per something; NaN where they were not counted.
fn counted(of: &Spent, tell: fn([f64; 2]) -> f64) -> f64 {
    of.counted.map_or(f64::NAN, tell)
}

const THREADS: Factor = Factor { is_chosen: true, ..factor("threads", |of| of.threads) };
const BALANCE: Factor = factor("load balance", |of| of.useful_ns / of.threads / of.longest_ns);
const COMMUNICATION: Factor =
    factor("communication efficiency", |of| of.longest_ns / of.runtime_ns);

/// A run takes instructions / (threads × instructions per cycle × clock × load balance × communication
/// efficiency); where one does not count, useful time stands for instructions / (their rate × clock).
const COUNTED: [Factor; 6] = [
    Factor {
        is_work: true,
        ..factor("instructions", |of| counted(of, |[instructions, _]| instructions))
    },
    THREADS,
    factor("IPC", |of| counted(of, |[instructions, cycles]| instructions / cycles)),
    factor("clock, GHz", |of| counted(of, |[_, cycles]| cycles) / of.useful_ns),
    BALANCE,
    COMMUNICATION,
];
const TIMED: [Factor; 4] = [
    Factor { is_work: true, ..factor("useful time, ms", |of| of.useful_ns / 1e6) },
    THREADS,
    BALANCE,
    COMMUNICATION,
];

/// The parts of the change of time from A to B. Logarithms of the factors add up to that of the time, which is
/// dealt among them in proportion. A run tells nothing of how sure its factors are: what differs between runs of
/// one program is assumed, or measured where a side has several (`wanted.between.ratio`); threads are chosen.
/// `None` if a side has no run, or a factor is not above 0.
///
/// Source: the model of the POP project; comparison of foldings, §6.
pub fn parts(sides: [&[Spent]; 2], wanted: &Wanted) -> Option<Parts> {
    let all = sides.concat();
    let factors = match all.iter().all(|of| of.counted.is_some()) {
        true => COUNTED.as_slice(),
        false => TIMED.as_slice(),
    };
    let is_sound = |value: f64| value.is_finite() && value > 0.0;
    let mut values = all.iter().flat_map(|of| factors.iter().map(move |factor| (factor.of)(of)));
    if sides.iter().any(|side| side.is_empty()) || !values.all(is_sound) {
        return None;
    }
    let logs = |value: &dyn Fn(&Spent) -> f64| -> Sides<[f64; 2]> {
        sides.map(|side| side.iter().map(|of| [libm::log(value(of)), 0.0]).collect())
    };
    let mean = |side: &Vec<[f64; 2]>| geometric_mean(side.iter().map(|[log, _]| *log));
    let of_time = logs(&|of: &Spent| of.runtime_ns / 1e6);
    let [a_ms, b_ms] = [0, 1].map(|side| mean(&of_time[side]));
    let (time, _) = change_of(&of_time, wanted.between.ratio, f64::INFINITY);
    // The logarithmic mean: so many ms are a change of the logarithm.
    let ms_of = match time.log.abs() < 1e-9 {
        true => a_ms,
        false => (b_ms - a_ms) / time.log,
    };
    let changes = factors.iter().map(|factor| {
        let logs = logs(&factor.of);
        let deviation = if factor.is_chosen { 0.0 } else { wanted.between.ratio };
        let (change, _) = change_of(&logs, deviation, f64::INFINITY);
        let log = if factor.is_work { change.log } else { -change.log };
        (factor.name, [mean(&logs[0]), mean(&logs[1])], Change { log, ..change })
    });
    let changes = changes.collect::<Vec<_>>();
    let least = libm::log(1.0 + wanted.least);
    // What is known for sure is no hypothesis.
    let is_known = |change: &Change| change.variance == 0.0;
    let tested = [&time].into_iter().chain(changes.iter().map(|(.., change)| change));
    let tested = tested.filter(|of| !is_known(of));
    let p = tested.map(|of| of.p_beyond(least)).collect::<Vec<_>>();
    let mut falls = holm(&p, LEVEL).into_iter();
    let mut part = |name, [a, b]: [f64; 2], change: &Change| {
        let falls = match is_known(change) {
            true => change.log.abs() > least,
            false => falls.next().unwrap_or(false),
        };
        Part {
            name,
            a,
            b,
            change: libm::expm1(change.log),
            interval: change.interval().map(libm::expm1),
            ms: change.log * ms_of,
            verdict: verdict(change, falls, least),
        }
    };
    Some(Parts {
        time: part("time, ms", [a_ms, b_ms], &time),
        parts: changes.iter().map(|(name, ends, change)| part(name, *ends, change)).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two threads that wait a twentieth of the time; the numbers are of no run.
    const A: Spent = Spent {
        runtime_ns: 1e9,
        useful_ns: 1.8e9,
        longest_ns: 0.95e9,
        threads: 2.0,
        counted: Some([4e9, 3.6e9]),
    };

    fn sum(parts: &Parts) -> f64 {
        parts.parts.iter().map(|part| part.ms).sum()
    }

    fn part<'a>(parts: &'a Parts, name: &str) -> &'a Part {
        parts.parts.iter().find(|part| part.name == name).unwrap()
    }

    #[test]
    fn the_parts_are_the_change_of_the_time() {
        let b = Spent {
            runtime_ns: 0.61e9,
            useful_ns: 1.9e9,
            longest_ns: 0.51e9,
            threads: 4.0,
            counted: Some([4.1e9, 3.7e9]),
        };
        for (a, b) in [(A, b), (b, A), (A, A), (A, Spent { counted: None, ..b })] {
            let parts = parts([&[a], &[b]], &Wanted::default()).unwrap();
            let change = (b.runtime_ns - a.runtime_ns) / 1e6;
            assert!((sum(&parts) - change).abs() < 1e-9 * a.runtime_ns / 1e6, "{change}");
        }
    }

    #[test]
    fn a_lower_ipc_alone_is_all_of_it() {
        // A third more cycles for the same instructions, at the same clock.
        let longer = |ns: f64| ns * 4.0 / 3.0;
        let b = Spent {
            runtime_ns: longer(A.runtime_ns),
            useful_ns: longer(A.useful_ns),
            longest_ns: longer(A.longest_ns),
            counted: Some([4e9, 4.8e9]),
            ..A
        };
        let parts = parts([&[A], &[b]], &Wanted::default()).unwrap();
        let ipc = part(&parts, "IPC");
        assert!((ipc.ms - 1000.0 / 3.0).abs() < 1e-9 && ipc.verdict == Verdict::Slower, "{ipc:?}");
        assert!((ipc.change - 1.0 / 3.0).abs() < 1e-12);
        for other in parts.parts.iter().filter(|part| part.name != "IPC") {
            assert!(other.ms.abs() < 1e-9 && other.verdict != Verdict::Slower, "{other:?}");
        }
    }

    #[test]
    fn four_per_cent_of_one_run_each_are_no_verdict_and_of_five_they_are() {
        let slower = |by: f64| Spent { runtime_ns: A.runtime_ns * by, ..A };
        let wanted = Wanted::default();
        let single = parts([&[A], &[slower(1.04)]], &wanted).unwrap();
        assert_eq!(part(&single, "communication efficiency").verdict, Verdict::NotSeen);
        let runs = |by: f64| [0.999, 1.001, 1.0, 0.9995, 1.0005].map(|noise| slower(by * noise));
        let several = parts([&runs(1.0), &runs(1.04)], &wanted).unwrap();
        assert_eq!(part(&several, "communication efficiency").verdict, Verdict::Slower);
    }

    #[test]
    fn of_these_runs_alone_all_is_known() {
        let wanted = Wanted { between: crate::compare::Between::NONE, ..Wanted::default() };
        let b = Spent { runtime_ns: 1.1e9, ..A };
        let told = parts([&[A], &[b]], &wanted).unwrap();
        let communication = part(&told, "communication efficiency");
        for of in [&told.time, communication] {
            assert_eq!(of.verdict, Verdict::Slower, "{of:?}");
            assert!(of.interval.iter().all(|end| (end - 0.1).abs() < 1e-9), "{of:?}");
        }
        assert_eq!(part(&told, "IPC").verdict, Verdict::Same);
    }

    #[test]
    fn without_a_run_or_a_factor_there_is_nothing() {
        assert_eq!(parts([&[], &[A]], &Wanted::default()), None);
        let idle = Spent { useful_ns: 0.0, ..A };
        assert_eq!(parts([&[A], &[idle]], &Wanted::default()), None);
    }
}
