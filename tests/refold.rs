//! A fold that may use what the last one left gives what a fold from the beginning gives, whichever
//! setting was changed between them.

use tracefold::instance::chosen_first;
use tracefold::pipeline::{self, Kept};
use tracefold::settings::{Settings, schema};
use tracefold::trace::Trace;
use tracefold_generate::{Options, Shape, generate_with};

use crate::traces::open;

/// Values of settings that offer none to pick from; of some a second that changes more.
const TYPED: [(&str, &str); 25] = [
    ("region", "User function:*"),
    ("region", "User function:nothing"),
    ("objects", "1.1.*"),
    ("from", "20000000"),
    ("to", "90000000"),
    ("durations", "1..1"),
    ("durations", "1..1000000000000"),
    ("instances", "2-9"),
    ("samples", "30"),
    ("resolution", "0.02"),
    ("points", "77"),
    ("counters", "PAPI_TOT_INS"),
    ("counters", "NOTHING"),
    ("x", "PAPI_TOT_INS"),
    ("x", "PAPI_TOT_INS:time"),
    ("phases", "PAPI_TOT_INS"),
    ("models", "none"),
    ("models", "nothing"),
    ("expressions", "twice=PAPI_TOT_INS*2"),
    ("breaks", "1:0.25,0.5"),
    ("names", "1:1=first"),
    ("routines", "samples:40"),
    ("energy", "PAPI_TOT_INS:0.001"),
    ("eps", "0.02"),
    ("boundary", "after nothing"),
];

/// Every setting with a value that is not its default.
fn changes() -> Vec<(&'static str, &'static str)> {
    let mut changes = vec![];
    for key in schema() {
        let offered = key.choices.into_iter().flatten().map(|choice| choice.value);
        let typed = TYPED.iter().filter(|(of, _)| *of == key.key).map(|(_, value)| *value);
        let values = offered.chain(typed).filter(|value| *value != key.default);
        let before = changes.len();
        changes.extend(values.map(|value| (key.key, value)));
        assert!(changes.len() > before, "no value to try of {}", key.key);
    }
    changes
}

#[track_caller]
fn folds_alike(trace: &Trace, base: &[(&'static str, &'static str)]) {
    let set = |changes: &[(&str, &str)]| {
        let mut settings = Settings::default();
        for (key, value) in changes {
            settings.set(key, value).unwrap();
        }
        settings
    };
    let mut kept = Kept::default();
    let mut check = |settings: &Settings, of: &str| {
        let (refolded, folded) = (kept.fold(trace, settings, &[]), pipeline::run(trace, settings));
        // What is not equal to itself, such as a rate of no time, is as text.
        assert!(format!("{refolded:?}") == format!("{folded:?}"), "{of} with {base:?}");
    };
    check(&set(base), "the first fold");
    for (key, value) in changes() {
        check(&set(&[base, &[(key, value)]].concat()), &format!("{key}={value}"));
        check(&set(base), &format!("back from {key}={value}"));
    }
}

fn made(shape: Shape) -> Trace {
    let options = Options { instances: Some(12), ..Options::default() };
    let made = generate_with(shape, 5, &options);
    open(&[("made.prv", made.prv.as_slice()), ("made.pcf", made.pcf.as_slice())])
}

#[test]
fn code_memory_and_groups_are_refolded_as_they_are_folded() {
    let trace = made(Shape::References);
    folds_alike(&trace, &[("fit", "kriging"), ("points", "50")]);
}

#[test]
fn what_leaves_out_instances_by_their_curves_folds_alike_whichever_the_curves() {
    let trace = made(Shape::Contrast5);
    folds_alike(&trace, &[("prefilter", "yes"), ("points", "50")]);
}

#[test]
fn registers_of_energy_are_refolded_as_they_are_folded() {
    folds_alike(&made(Shape::Rapl), &[("points", "50")]);
}

#[test]
fn the_catalogue_is_that_of_the_grouping_asked_for() {
    let trace = made(Shape::References);
    let mut kept = Kept::default();
    let mut lengths = vec![];
    for group in ["gaps", "none", "auto", "gaps", "dbscan:8:auto"] {
        let mut settings = Settings::default();
        settings.set("group", group).unwrap();
        let (rows, first) = pipeline::catalogue(&trace, &settings);
        assert_eq!(kept.catalogue(&trace, &settings), rows, "{group}");
        lengths.push(rows.len());
        let of_kept = chosen_first(kept.catalogue(&trace, &settings)).map(|first| first.region);
        assert_eq!(of_kept, first.as_deref(), "{group}");
        // Folding between takes nothing of it away.
        kept.fold(&trace, &settings, &[]).unwrap();
    }
    assert!(lengths[0] > lengths[1], "groups make rows: {lengths:?}");
}
