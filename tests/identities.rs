//! What holds of every hybrid profile of a trace, counted here from the trace itself.

use std::collections::BTreeMap;

use tracefold::hybrid::{self, Choices, Unwind};
use tracefold::profile::{Columns, NodeKind, Profile, Weights};
use tracefold::trace::{Kind, Thread, Trace};

/// Floats have all whole numbers up to 2⁵³.
const EXACT_BELOW: f64 = (1u64 << 53) as f64;

/// Checks the identities of Malony, Huck 2014, of a profile as TAU measures it, and that no time, count
/// or sample of the trace is lost or told twice; in every way to make one. How many contexts it has.
pub fn check(trace: &Trace) -> usize {
    let mut contexts = 0;
    for weights in [Weights::Clipped, Weights::Whole] {
        for unwind in [Unwind::Sites, Unwind::Routines, Unwind::Flat] {
            for (depth, trimmed) in [(None, true), (None, false), (Some(1), true)] {
                let choices = Choices { weights, unwind, depth, trimmed };
                let profile = hybrid::profile(trace, choices);
                of_trace(trace, &profile);
                contexts = of_profile(&profile);
                let summarised = profile.clone().summarised();
                of_trace(trace, &summarised);
                assert_eq!(of_profile(&summarised), contexts);
            }
        }
    }
    contexts
}

/// The sum of a column over the nodes of a thread that `wanted`.
fn sum(profile: &Profile, columns: &Columns, of: &[f64], wanted: impl Fn(NodeKind) -> bool) -> f64 {
    let kinds = columns.nodes.iter().map(|node| profile.nodes[*node as usize].kind);
    kinds.zip(of).filter(|(kind, _)| wanted(*kind)).map(|(_, value)| value).sum()
}

fn of_trace(trace: &Trace, profile: &Profile) {
    let known = trace.threads.iter().filter(|thread| thread.is_known()).collect::<Vec<_>>();
    assert_eq!(known.len(), profile.threads.len());
    for (thread, of) in known.into_iter().zip(&profile.threads) {
        let columns = &of.columns;
        let (begin_ns, end_ns) = thread.lifetime_ns();
        assert_eq!(columns.inclusive[0][0], (end_ns - begin_ns) as f64, "{}", of.thread);
        let is_probe = |kind: NodeKind| !kind.is_sampled();
        let counts = counts(trace, thread);
        for (metric, exclusive) in profile.metrics.iter().zip(&columns.exclusive).skip(1) {
            let told = sum(profile, columns, exclusive, is_probe);
            let counted = counts[&metric.name];
            assert!(same(told, counted), "{} of {}: {told}, {counted}", metric.name, of.thread);
        }
        let samples = sum(profile, columns, &columns.counts, NodeKind::is_leaf);
        assert_eq!(samples, samples_of(trace, thread) as f64, "{}", of.thread);
    }
}

/// By name, what the counters of a thread count, without what is no count: below zero, or faster than
/// 10¹² events a millisecond since the reading before, with a millisecond of slack.
fn counts(trace: &Trace, thread: &Thread) -> BTreeMap<String, f64> {
    let begin_ns = thread.lifetime_ns().0;
    let mut counts = BTreeMap::new();
    for (number, known) in trace.types.iter().enumerate() {
        if known.kind != Kind::Counter {
            continue;
        }
        let (mut sum, mut last_ns) = (0.0, begin_ns);
        for moment in thread.moments() {
            for event in moment.events().filter(|event| event.event_type as usize == number) {
                let most = 1e12 * (1.0 + (moment.time - last_ns) as f64 / 1e6);
                last_ns = moment.time;
                let is_count = event.value < 1 << 62 && event.value as f64 <= most;
                sum += if is_count { event.value as f64 } else { 0.0 };
            }
        }
        counts.insert(known.name.clone(), sum);
    }
    counts
}

/// Whether sums of the same whole numbers, in different orders, are the same: exactly, as far as floats
/// have all whole numbers.
fn same(a: f64, b: f64) -> bool {
    a == b || a.max(b) > EXACT_BELOW && (a - b).abs() <= 1e-12 * a.max(b)
}

/// Moments with a call-stack that is not one of a memory reference.
fn samples_of(trace: &Trace, thread: &Thread) -> usize {
    let is_sample = |events: &[(Kind, u64)]| {
        let is_frame =
            |(kind, value): &(Kind, u64)| matches!(kind, Kind::Routine(_)) && *value != 0;
        events.iter().any(is_frame)
            && !events.iter().any(|(kind, _)| matches!(kind, Kind::Reference(_)))
    };
    let events = thread.moments().map(|moment| {
        let event = moment.events().map(|event| (trace.kind(event.event_type), event.value));
        event.collect::<Vec<_>>()
    });
    events.filter(|events| is_sample(events)).count()
}

/// The identities that need no trace; how many contexts there are in all threads.
pub fn of_profile(profile: &Profile) -> usize {
    let mut contexts = 0;
    for (at, node) in profile.nodes.iter().enumerate() {
        assert!(node.parent.is_none_or(|parent| (parent as usize) < at));
        assert_eq!(node.parent.is_none(), at == 0);
    }
    for thread in &profile.threads {
        let columns = &thread.columns;
        assert!(columns.nodes.is_sorted_by(|a, b| a < b));
        let mut below = BTreeMap::<u32, Vec<usize>>::new();
        for (place, node) in columns.nodes.iter().enumerate() {
            if let Some(parent) = profile.nodes[*node as usize].parent {
                assert!(columns.place(parent).is_some());
                below.entry(parent).or_default().push(place);
            }
        }
        for (place, node) in columns.nodes.iter().enumerate() {
            let kind = profile.nodes[*node as usize].kind;
            let children = below.get(node).map_or(&[][..], Vec::as_slice);
            let kind_of = |place: usize| profile.nodes[columns.nodes[place] as usize].kind;
            contexts += usize::from(kind == NodeKind::Context);
            if kind.is_sampled() && !kind.is_leaf() {
                let samples = children.iter().map(|child| columns.counts[*child]).sum::<f64>();
                assert_eq!(columns.counts[place], samples);
            }
            if kind == NodeKind::Probe {
                let probes = children.iter().filter(|child| kind_of(**child) == NodeKind::Probe);
                let begun = probes.map(|child| columns.counts[*child]).sum::<f64>();
                assert_eq!(columns.subcalls[place], begun);
            }
            for (exclusive, inclusive) in columns.exclusive.iter().zip(&columns.inclusive) {
                let of = |is: fn(NodeKind) -> bool| {
                    let of = children.iter().filter(|child| is(kind_of(**child)));
                    of.map(|child| inclusive[*child]).sum::<f64>()
                };
                let told = match kind {
                    NodeKind::Probe => of(|kind| kind == NodeKind::Probe),
                    _ => of(|_| true),
                };
                assert!(same(inclusive[place], exclusive[place] + told));
                if kind == NodeKind::Probe && profile.quality.weights == Weights::Clipped {
                    let sampled = of(|kind| kind == NodeKind::Context);
                    assert!(sampled <= exclusive[place] || same(sampled, exclusive[place]));
                }
                let has_own = matches!(kind, NodeKind::Probe) || kind.is_leaf();
                assert!(has_own || exclusive[place] == 0.0);
                assert!(!kind.is_leaf() || children.is_empty());
            }
        }
        for metric in 0..profile.metrics.len() {
            let spent = profile.stacks(columns, metric).iter().map(|(_, spent)| spent).sum::<f64>();
            let whole = columns.inclusive[metric][0];
            // Where weights are whole, a sample may stand for more than its context has.
            let may_be_more = profile.quality.weights == Weights::Whole && spent > whole;
            assert!(may_be_more || same(spent, whole), "{spent}, {whole}");
        }
    }
    contexts
}
