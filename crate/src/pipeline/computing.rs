//! Rates of the threads that compute, in iterations: there the others wait, and count while they do.

use super::counted::Over;
use super::counters::Counters;
use super::curves::{by_name, how};
use super::measured::{Measured, uses};
use super::steps::{anchors, kept};
use crate::folding::{CurveKind, Group, Use};
use crate::instance::{self, BurstsFrom, Giving, is_instructions};
use crate::performance::{self, Clock, Shown, grid};
use crate::run::WhileComputing;
use crate::settings::Settings;
use crate::trace::{EventType, Kind, Trace};

/// Instructions per microsecond of those that compute in a group of an iteration; `None` where all do all
/// of the time, and where no counter tells.
#[inline(never)]
pub fn mips(trace: &Trace, group: &instance::Group, from: BurstsFrom) -> Option<f64> {
    let computing = WhileComputing::of(trace, &kept(group), from)?;
    let is_counter = |of: &EventType| of.kind == Kind::Counter && is_instructions(&of.name);
    let counter = trace.types.iter().position(is_counter)?;
    Some(computing.mean_rate(counter as u32)).filter(|rate| *rate > 0.0)
}

/// What each counter counts of a group in each kept instance that carries it, as far as it is counted by
/// those that compute; `None` where all do all of the time.
#[inline(never)]
pub fn counts(
    over: &Over<'_>,
    measured: &[Measured],
    settings: &Settings,
) -> Option<Vec<Vec<u64>>> {
    let computing = computing(over, settings)?;
    let counts = |of: &Measured| {
        let folded = computing.fold(of.counter, &of.samples, &Giving::default());
        folded.carried.into_iter().map(|(_, count)| count).collect()
    };
    Some(measured.iter().map(counts).collect())
}

fn computing<'a>(over: &Over<'a>, settings: &Settings) -> Option<WhileComputing<'a>> {
    WhileComputing::of(over.trace, &kept(over.group), settings.bursts)
}

/// Gives the curves of an iteration the rates of those that compute, and what they had as those with
/// waiting. Nothing changes where all compute all of the time or nothing tells, and of energy: who
/// waits draws power, too.
#[inline(never)]
pub fn of_computing(
    group: &mut Group,
    over: &Over<'_>,
    measured: &[Measured],
    counters: &Counters,
    settings: &Settings,
) {
    let &Over { trace, kind, giving, .. } = over;
    let Some(computing) = computing(over, settings) else { return };
    let mut order = by_name(trace, measured);
    order.retain(|index| {
        let of_type = &trace.types[measured[*index].counter as usize];
        settings.energy.of(&of_type.name, &of_type.description).is_none()
    });
    let folded = order.iter().map(|&index| {
        let Measured { counter, samples, .. } = &measured[index];
        computing.fold(*counter, samples, giving)
    });
    let folded = folded.collect::<Vec<_>>();
    if folded.is_empty() || folded.iter().any(|folded| folded.instances == 0) {
        return;
    }
    let to_fit = folded.iter().map(|folded| {
        let used = uses(folded, settings).into_iter().map(|of| of == Use::Used);
        performance::Measured { folded, used: used.collect() }
    });
    let to_fit = to_fit.collect::<Vec<_>>();
    let (clock, grid) = (Clock::through(computing.clock()), grid(settings.points));
    let over_computing = |x: &f64| clock.event(*x);
    let by_hand = settings.breaks.of(group.number);
    let by_hand = by_hand.map(|at| {
        let inside = at.iter().map(over_computing).filter(|at| 0.0 < *at && *at < 1.0);
        inside.collect::<Vec<_>>()
    });
    let fitted = match group.fit.kind {
        CurveKind::Steps => {
            let kept = kept(over.group).into_iter().map(|(_, instance)| instance);
            let anchors =
                anchors(trace, kind, &kept.collect::<Vec<_>>(), |ns| computing.places(ns));
            let lengths = computing.lengths();
            performance::steps(&to_fit, &anchors, &lengths, giving, by_hand.as_deref(), &grid)
        }
        _ => {
            let how = how(over.group, measured, &order, counters, settings);
            let how = performance::How { borders: by_hand.as_deref(), ..how };
            performance::fit_group(&to_fit, &how, &grid)
        }
    };
    let breaks = group.breaks.iter().map(|at| at.at);
    let borders = [0.0].into_iter().chain(breaks).chain([1.0]).collect::<Vec<_>>();
    let shown = Shown { clock: &clock, kind: fitted.report.kind, grid: &grid, borders: &borders };
    for ((index, mut over), folded) in order.into_iter().zip(fitted.curves).zip(&folded) {
        over.mean_rate = folded.mean_rate();
        shown.give(&mut group.curves[index], &over);
    }
    group.idle = computing.idle(&borders);
}
