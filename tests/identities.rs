//! What holds of every hybrid profile of a trace, counted here from the trace itself.

use std::collections::BTreeMap;

use tracefold::hybrid::{self, Choices, Unwind};
use tracefold::input::NamedFile;
use tracefold::profile::{Columns, NodeKind, Profile, Weights};
use tracefold::trace::{Kind, Thread, Trace};
use tracefold::{open, tau};

/// Floats have all whole numbers up to 2⁵³.
const EXACT_BELOW: f64 = (1u64 << 53) as f64;

/// Checks the identities of Malony, Huck 2014, of a profile as TAU measures it, and that no time, count
/// or sample of the trace is lost or told twice; in every way to make one. How many contexts it has.
pub fn check(trace: &Trace) -> usize {
    let mut contexts = 0;
    for weights in [Weights::Clipped, Weights::Whole] {
        for unwind in [Unwind::Sites, Unwind::Routines, Unwind::Flat] {
            for (depth, trimmed) in [(None, true), (None, false), (Some(1), true)] {
                let choices = Choices { weights, unwind, depth, trimmed, ..Choices::default() };
                let profile = hybrid::profile(trace, choices);
                of_trace(trace, &profile);
                if choices == Choices::default() {
                    read_back(&profile);
                }
                contexts = of_profile(&profile);
                let summarised = profile.clone().summarised();
                of_trace(trace, &summarised);
                assert_eq!(of_profile(&summarised), contexts);
            }
        }
    }
    let by_site = hybrid::profile(trace, Choices { call_sites: true, ..Choices::default() });
    of_trace(trace, &by_site);
    assert_eq!(of_profile(&by_site), contexts);
    of_sites(&by_site);
    read_back(&by_site);
    contexts
}

/// The calls of a region from all places that are known are calls of it.
fn of_sites(profile: &Profile) {
    for columns in profile.threads.iter().map(|thread| &thread.columns) {
        let mut of_region = BTreeMap::<usize, Vec<f64>>::new();
        let values = |at: usize| {
            let of_metrics = columns.exclusive.iter().chain(&columns.inclusive);
            let own = of_metrics.map(|column| column[at]);
            std::iter::once(columns.counts[at]).chain(own).collect::<Vec<_>>()
        };
        for (at, node) in columns.nodes.iter().enumerate() {
            let node = &profile.nodes[*node as usize];
            if node.kind == NodeKind::Part {
                let region = columns.place(node.parent.unwrap()).unwrap();
                let sums = of_region.entry(region).or_insert_with(|| vec![0.0; values(at).len()]);
                sums.iter_mut().zip(values(at)).for_each(|(sum, value)| *sum += value);
            }
        }
        for (region, sums) in of_region {
            let all = values(region);
            assert!(sums.iter().zip(&all).all(|(sum, all)| sum <= all), "{sums:?} of {all:?}");
        }
    }
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
        let is_probe = |kind: NodeKind| kind == NodeKind::Probe;
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
fn of_profile(profile: &Profile) -> usize {
    let contexts = of_samples(profile);
    for thread in &profile.threads {
        let columns = &thread.columns;
        let below = below(profile, columns);
        for (place, node) in columns.nodes.iter().enumerate() {
            if profile.nodes[*node as usize].kind != NodeKind::Probe {
                continue;
            }
            let children = below.get(node).map_or(&[][..], Vec::as_slice);
            let of = |values: &[f64], kind: NodeKind| {
                let is_of = |at: &&usize| profile.nodes[columns.nodes[**at] as usize].kind == kind;
                children.iter().filter(is_of).map(|at| values[*at]).sum::<f64>()
            };
            assert_eq!(columns.subcalls[place], of(&columns.counts, NodeKind::Probe));
            for (exclusive, inclusive) in columns.exclusive.iter().zip(&columns.inclusive) {
                let inside = of(inclusive, NodeKind::Probe);
                assert!(same(inclusive[place], exclusive[place] + inside));
                let sampled = of(inclusive, NodeKind::Context);
                let is_clipped = profile.quality.weights == Weights::Clipped;
                let is_less = sampled <= exclusive[place] || same(sampled, exclusive[place]);
                assert!(is_less || !is_clipped);
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

/// The places of the nodes below each node of a thread.
fn below(profile: &Profile, columns: &Columns) -> BTreeMap<u32, Vec<usize>> {
    let mut below = BTreeMap::<u32, Vec<usize>>::new();
    for (place, node) in columns.nodes.iter().enumerate() {
        if let Some(parent) = profile.nodes[*node as usize].parent {
            assert!(columns.place(parent).is_some());
            below.entry(parent).or_default().push(place);
        }
    }
    below
}

/// The identities of what is sampled, which hold of measured profiles too; how many contexts there are in
/// all threads.
pub fn of_samples(profile: &Profile) -> usize {
    let mut contexts = 0;
    for (at, node) in profile.nodes.iter().enumerate() {
        assert!(node.parent.is_none_or(|parent| (parent as usize) < at));
        assert_eq!(node.parent.is_none(), at == 0);
    }
    for thread in &profile.threads {
        let columns = &thread.columns;
        assert!(columns.nodes.is_sorted_by(|a, b| a < b));
        let below = below(profile, columns);
        for (place, node) in columns.nodes.iter().enumerate() {
            let kind = profile.nodes[*node as usize].kind;
            let children = below.get(node).map_or(&[][..], Vec::as_slice);
            contexts += usize::from(kind == NodeKind::Context);
            if !kind.is_sampled() {
                continue;
            }
            let of_children = |values: &[f64]| children.iter().map(|at| values[*at]).sum::<f64>();
            assert!(kind.is_leaf() || columns.counts[place] == of_children(&columns.counts));
            assert!(!kind.is_leaf() || children.is_empty());
            for (exclusive, inclusive) in columns.exclusive.iter().zip(&columns.inclusive) {
                assert!(same(inclusive[place], exclusive[place] + of_children(inclusive)));
                assert!(kind.is_leaf() || exclusive[place] == 0.0);
            }
        }
    }
    contexts
}

/// What two profiles have alike, however their nodes and metrics are numbered: of each thread its paths,
/// with counts and, by metric, values.
pub fn canonical(profile: &Profile) -> BTreeMap<([u32; 3], String), BTreeMap<String, f64>> {
    let mut paths = Vec::<String>::new();
    for node in &profile.nodes {
        let above = node.parent.map_or("", |parent| paths[parent as usize].as_str());
        let own = format!("{:?} {} {} {}", node.kind, node.name, node.file, node.line);
        paths.push(format!("{above}\n{own} {}", node.group));
    }
    let mut all = BTreeMap::new();
    for thread in &profile.threads {
        let columns = &thread.columns;
        for (at, node) in columns.nodes.iter().enumerate() {
            let mut values = BTreeMap::from([
                ("counts".to_owned(), columns.counts[at]),
                ("subcalls".to_owned(), columns.subcalls[at]),
            ]);
            for (number, metric) in profile.metrics.iter().enumerate() {
                let name = &metric.name;
                values.insert(format!("{name} exclusive"), columns.exclusive[number][at]);
                values.insert(format!("{name} inclusive"), columns.inclusive[number][at]);
            }
            let key = (thread.node_context_thread, paths[*node as usize].clone());
            assert!(all.insert(key, values).is_none());
        }
    }
    all
}

/// Checks that a profile written as text of TAU is read back the same; but for what is outermost, which is
/// written in whole microseconds.
pub fn read_back(profile: &Profile) {
    let files = tau::written(profile);
    let named =
        files.iter().map(|(name, text)| NamedFile::new(format!("a/{name}"), text.as_bytes()));
    let contents = open::contents(named.collect(), &mut |_| {}).unwrap();
    let (read, _) = contents.profile(&contents.trials()[0], &mut |_| {}).unwrap();
    let (written, mut read) = (canonical(profile), canonical(&read));
    assert_eq!(written.len(), read.len());
    for (path, values) in &written {
        let of_read = read.remove(path).unwrap_or_else(|| panic!("{path:?} is not read back"));
        let is_first = path.1.matches('\n').count() == 1;
        for (name, value) in values {
            let is_near = is_first && (of_read[name] - value).abs() <= 500.0;
            assert!(is_near || same(of_read[name], *value), "{path:?}: {name}");
        }
    }
}
