//! How alike two stretches are.

use std::collections::BTreeSet;

use super::run::Run;
use super::stretch::Stretch;

/// Weights of code, rates and duration (comparison of foldings, §3.2).
pub const CODE: f64 = 0.6;
pub const RATES: f64 = 0.25;
pub const DURATION: f64 = 0.15;

/// Differences of rates and of durations, as logarithms, at which these are alike by 1/e.
pub const FAR_RATE: f64 = 0.5;
pub const FAR_DURATION: f64 = 0.7;

/// A rate that differs by more, as a logarithm, says nothing more.
const FARTHEST: f64 = 2.0;

/// Fewer samples say nothing of code.
pub const FEW: u32 = 5;

/// What is taken off where nothing is known of code.
pub const WITHOUT_CODE: f64 = 0.2;

/// Half of √(2/π): by so many standard deviations of each share chance alone keeps apart what is the same.
const CHANCE: f64 = 0.3989;

/// From 0 to 1. A name that only one of the runs has says nothing (it is renamed, inlined, or new), and
/// where most of both is so, or too little is sampled, rates and duration decide alone, and say less.
pub fn similarity(a: &Stretch<'_>, b: &Stretch<'_>) -> f64 {
    similarity_but_for(a, b, Pace::default())
}

/// How many times as long one run lasts as the other, and how many times as many instructions it executes in a
/// second, as logarithms.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    duration: f64,
    speed: f64,
}

impl Pace {
    /// Of a run beside another; both are as fast where one counts no instructions.
    pub fn of(a: &Run, b: &Run) -> Self {
        let speeds = [a, b].map(|run| Stretch::whole(run).instructions());
        let speed = speeds[0].zip(speeds[1]).map_or(0.0, |([a, _], [b, _])| libm::log(a / b));
        Self { duration: libm::log(a.duration_ms / b.duration_ms), speed }
    }
}

/// The same, but for what the runs differ by as a whole: a phase that takes the same share of each, and is as much faster
/// or slower than the rest, is the same at another clock frequency too.
pub fn similarity_but_for(a: &Stretch<'_>, b: &Stretch<'_>, pace: Pace) -> f64 {
    let mut parts = Vec::new();
    let code = (a.samples >= FEW && b.samples >= FEW && is_known(a, b)).then(|| overlap(a, b));
    parts.extend(code.map(|code| (CODE, code)));
    parts.extend(distance(a, b, pace.speed).map(|far| (RATES, libm::exp(-far / FAR_RATE))));
    let far = (libm::log(a.duration_ms() / b.duration_ms()) - pace.duration).abs();
    parts.push((DURATION, libm::exp(-far / FAR_DURATION)));
    let weights = parts.iter().map(|(weight, _)| weight).sum::<f64>();
    let mean = parts.iter().map(|(weight, alike)| weight * alike).sum::<f64>() / weights;
    if code.is_some() { mean } else { (mean - WITHOUT_CODE).max(0.0) }
}

/// Whether half of the samples of either lie in routines that both runs have.
fn is_known(a: &Stretch<'_>, b: &Stretch<'_>) -> bool {
    let known = |of: &Stretch<'_>, other: &Stretch<'_>| {
        let shares = of.routines.iter().filter(|(name, _)| other.run.routines.contains(**name));
        shares.map(|(_, share)| share).sum::<f64>() >= 0.5
    };
    known(a, b) || known(b, a)
}

/// What the mixes of routines have in common, from 0 to 1; what chance alone keeps apart is given back.
/// Both have samples.
pub fn overlap(a: &Stretch<'_>, b: &Stretch<'_>) -> f64 {
    let [of_a, of_b] = [a, b].map(|of| f64::from(of.samples));
    let share = |of: &Stretch<'_>, name: &str| of.routines.get(name).copied().unwrap_or(0.0);
    let names = a.routines.keys().chain(b.routines.keys()).collect::<BTreeSet<_>>();
    let (mut common, mut chance) = (0.0, 0.0);
    for name in names {
        let [in_a, in_b] = [share(a, name), share(b, name)];
        common += f64::min(in_a, in_b);
        let both = (in_a * of_a + in_b * of_b) / (of_a + of_b);
        chance += (both * (1.0 - both) * (1.0 / of_a + 1.0 / of_b)).max(0.0).sqrt();
    }
    (common + CHANCE * chance).min(1.0)
}

/// Mean difference, as a logarithm, of instructions per second and of events per instruction, over what both
/// count. Cycles are left out: with time and instructions they say nothing of their own.
pub fn distance_of_rates(a: &Stretch<'_>, b: &Stretch<'_>) -> Option<f64> {
    distance(a, b, 0.0)
}

/// The same of runs of which one executes instructions so many times, as a logarithm, as fast.
fn distance(a: &Stretch<'_>, b: &Stretch<'_>, speed: f64) -> Option<f64> {
    let far = |a: f64, b: f64, of_runs: f64| (libm::log(a / b) - of_runs).abs().min(FARTHEST);
    let speeds = a.instructions().zip(b.instructions()).map(|([a, _], [b, _])| far(a, b, speed));
    let counters = a.run.counters.iter().enumerate().filter(|(_, counter)| !counter.is_cycles);
    let ratios = counters.filter_map(|(at, counter)| {
        let [own, _] = a.per_instruction(at)?;
        let [other, _] = b.per_instruction(b.run.counter(&counter.name)?)?;
        Some(far(own, other, 0.0))
    });
    let all = speeds.into_iter().chain(ratios).collect::<Vec<_>>();
    (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
}
