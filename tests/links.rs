//! Links that the page made at each version of a folding (`links/`) open, and say of the bundled
//! example what its generator knows.

use std::collections::BTreeSet;

use serde_json::Value;
use tracefold::folding::{Curve, Folding, Group};
use tracefold::report;
use tracefold::result::{Beside, Link};
use tracefold::settings::Settings;
use tracefold_generate::{Shape, generate};

use crate::traces::{fold_with_points, open};

/// The text of a link for each version, from 1.
const LINKS: [&str; Folding::VERSION as usize] = [
    include_str!("links/1.txt"),
    include_str!("links/2.txt"),
    include_str!("links/3.txt"),
    include_str!("links/4.txt"),
];

/// Values of folded time beside a break at which a curve, in all its kinds, is that of the phase.
const CLEAR_OF_BREAKS: f64 = 0.03;

/// The arrays of the modified Stream, by address (`generator/src/program.rs`).
const OBJECTS: [&str; 3] = ["a", "b", "stream.c:181"];

fn truth() -> Value {
    serde_json::from_str(include_str!("truth/example.json")).unwrap()
}

#[track_caller]
fn near(value: f64, expected: &Value, share: f64, what: &str) {
    let expected = expected.as_f64().unwrap();
    assert!((value / expected - 1.0).abs() <= share, "{what}: {value}, not {expected}");
}

/// Events per microsecond between two places of folded time.
fn mean_rate(curve: &Curve, from: f64, to: f64) -> f64 {
    let last = (curve.rate.len() - 1) as f64;
    let inside = |&(at, _): &(usize, &f64)| (from..=to).contains(&(at as f64 / last));
    let (count, sum) = curve
        .rate
        .iter()
        .enumerate()
        .filter(inside)
        .fold((0.0, 0.0), |(n, sum), (_, rate)| (n + 1.0, sum + rate));
    sum / count
}

#[test]
fn links_of_every_version_show_the_example_as_it_was_made() {
    let truth = truth();
    let folded = &truth["folded"];
    for (text, version) in LINKS.into_iter().zip(1..) {
        let link = Link::decode(text.trim_end()).unwrap();
        assert_eq!((link.newer, link.folding.quantised), (None, true), "{version}");
        let folding = link.folding;
        assert_eq!(folding.trace.name, "example.prv.gz", "{version}");
        assert_eq!(folding.trace.duration_ns, truth["duration_ns"].as_u64().unwrap(), "{version}");
        assert_eq!(u64::from(folding.trace.threads), truth["threads"].as_u64().unwrap());
        assert!(folding.trace.generated);
        assert_eq!(folding.region, folded["region"].as_str().unwrap(), "{version}");

        // Outliers are in groups of their own, which links had room for at some versions only.
        let group = folding.group(1).unwrap();
        let alike = folded["instances"].as_u64().unwrap() - folded["outliers"].as_u64().unwrap();
        assert_eq!(u64::from(group.instances), alike, "{version}");
        let all = folding.groups.iter().map(|group| u64::from(group.instances)).sum::<u64>();
        assert!(all == alike || all == folded["instances"].as_u64().unwrap(), "{version}: {all}");
        near(group.mean_duration_ns, &folded["kept_mean_ns"], 2e-3, "mean duration");

        let counters = folded["kept_mean_counts"].as_object().unwrap();
        let named = group.curves.iter().map(|curve| &curve.counter).collect::<BTreeSet<_>>();
        assert_eq!(named, counters.keys().collect(), "{version}");
        for curve in &group.curves {
            near(curve.mean_count, &counters[&curve.counter], 5e-3, &curve.counter);
            for phase in folded["phases"].as_array().unwrap() {
                let place = |key: &str| phase[key].as_f64().unwrap();
                let (from, to) = (place("mean_start"), place("mean_end"));
                let rate = mean_rate(curve, from + CLEAR_OF_BREAKS, to - CLEAR_OF_BREAKS);
                let what = format!("{version}: {} in {}", curve.counter, phase["name"]);
                near(rate, &phase["mean_rates"][&curve.counter], 0.02, &what);
            }
        }
        for stack in truth["routines"].as_array().unwrap() {
            let innermost = stack["callstack"][0].as_str().unwrap();
            assert!(group.routines.iter().any(|name| name == innermost), "{version}: {innermost}");
        }
        assert!(!group.stretches.is_empty() && !group.lines.x.is_empty(), "{version}");
    }
}

#[test]
fn since_breaks_are_found_links_have_those_of_the_example() {
    let truth = truth();
    let phases = truth["folded"]["phases"].as_array().unwrap();
    for (text, version) in LINKS.into_iter().zip(1..).skip(1) {
        let folding = Link::decode(text.trim_end()).unwrap().folding;
        let group = folding.group(1).unwrap();
        assert_eq!((group.breaks.len(), group.phases.len()), (phases.len() - 1, phases.len()));
        for (own, phase) in group.phases.iter().zip(phases) {
            let end = phase["mean_end"].as_f64().unwrap();
            assert!((own.end - end).abs() < 2e-3, "{version}: {} not {end}", own.end);
        }
    }
}

#[test]
fn since_call_stacks_and_memory_are_folded_links_have_callers_and_data_objects() {
    let truth = truth();
    for text in &LINKS[2..] {
        let folding = Link::decode(text.trim_end()).unwrap().folding;
        let group = folding.group(1).unwrap();
        let objects = group.objects.iter().map(|object| object.name.as_str());
        assert_eq!(objects.collect::<Vec<_>>(), OBJECTS);
        let named = |at: u32, name: &Value| {
            group.routines[group.contexts[at as usize].routine as usize] == name.as_str().unwrap()
        };
        for stack in truth["routines"].as_array().unwrap() {
            let stack = &stack["callstack"];
            let calls = |at: u32| {
                let caller = group.contexts[at as usize].parent;
                named(at, &stack[0]) && caller.is_some_and(|caller| named(caller, &stack[1]))
            };
            assert!((0..group.contexts.len() as u32).any(calls), "{stack}");
        }
    }
}

/// Made-up traces of all kinds, and what of each is folded.
const SHARED: [(Shape, &[&str]); 12] = [
    (Shape::Example, &[]),
    (Shape::References, &[]),
    (Shape::Stream4, &["fit=segments"]),
    (Shape::Contrast5, &["fit=kriging"]),
    (Shape::Short7, &[]),
    (Shape::Smooth, &["group=none"]),
    (Shape::Mixed, &[]),
    (Shape::Many, &[]),
    (Shape::Rapl, &[]),
    (Shape::Nested, &[]),
    (Shape::Deep, &[]),
    (Shape::Spmd, &["region=Iteration:1"]),
];

/// The numbers from which counters are chosen.
fn choices(group: &Group) -> Vec<[String; 3]> {
    let families = report::counter_choices(group).families.into_iter();
    let counters = families.flat_map(|family| family.counters);
    counters.map(|of| [of.name, of.mean.text, of.r_squared.text]).collect()
}

#[test]
fn every_number_of_every_table_of_a_link_is_that_of_the_trace() {
    for (shape, texts) in SHARED {
        let made = generate(shape, 7);
        let trace = open(&[("a.prv", &made.prv[..]), ("a.pcf", &made.pcf)]);
        let (folding, points) = fold_with_points(&trace, texts);
        for group in &folding.groups {
            let references = points.references(group.number);
            let beside = Beside { references, ..Beside::default() };
            let link =
                Link::encode(&folding, group.number, &Settings::default(), "", beside).unwrap();
            assert!(link.len() <= 30_000, "{shape:?}: {}", link.len());
            let link = Link::decode(&link).unwrap();
            let groups = link.folding.groups.len() + link.folding.groups_left_out as usize;
            assert_eq!(groups, folding.groups.len());
            let compared = report::compare(&link.folding, &folding);
            assert!(compared.compared > 100, "{shape:?}: {}", compared.compared);
            assert_eq!(compared.differences, [], "{shape:?}, group {}", group.number);
            for own in &link.folding.groups {
                let group = folding.group(own.number).unwrap();
                assert_eq!(choices(own), choices(group), "{shape:?}, group {}", own.number);
            }
            let sampled = references.map_or(0, |references| references.x.len());
            let carried = link
                .references
                .map_or((0, 0), |thinned| (thinned.of as usize, thinned.references.x.len()));
            assert_eq!(carried.0, sampled, "{shape:?}");
            assert!(carried.1 >= sampled.min(300), "{shape:?}: {carried:?}");
        }
    }
}
