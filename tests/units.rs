//! What stands beside a number must be what the axis counts: every text that tells a place, a rate or
//! a ratio, or what a model says, for an axis of time and for axes of a counter, is searched for units.

use std::collections::BTreeSet;

use tracefold::export::{Format, export};
use tracefold::folding::{Folding, Points};
use tracefold::paint::{self, Svg, View};
use tracefold::report::{self, Lane};
use tracefold::trace::Trace;
use tracefold_generate::{Options, Shape, generate_with};

use crate::traces::{fold_with_points, open};

/// Units of time, and of what happens per time.
const OF_TIME: [&str; 8] = ["ms", "µs", "MIPS", "M/s", "k/s", "W", "mW", "CPUs"];

fn made(shape: Shape) -> Trace {
    let made = generate_with(shape, 1, &Options::default());
    open(&[("made.prv", made.prv.as_slice()), ("made.pcf", made.pcf.as_slice())])
}

/// All that is told of the first group, each with what tells it. Left out is what is of time on any
/// axis: how long instances last, and the power of a mean instance.
fn told(trace: &Trace, folding: &Folding, points: &Points) -> Vec<(&'static str, String)> {
    let group = &folding.groups[0];
    let view = View { group: group.number, width: 1280.0, height: 540.0, ..View::default() };
    let json = |value: serde_json::Result<serde_json::Value>| value.unwrap().to_string();
    // The last sentence is how long an instance lasts.
    let words = |lane| {
        let words = report::words("work", group, &view, lane);
        words.split(" Over one folded instance").next().unwrap().to_owned()
    };
    let summary = report::summary(folding).groups.swap_remove(0);
    let mut told = vec![
        ("phases", json(serde_json::to_value(&summary.phases))),
        ("columns", json(serde_json::to_value(&summary.columns))),
        ("counters", json(serde_json::to_value(&summary.counters))),
        ("breaks", json(serde_json::to_value(&summary.breaks))),
        ("own breaks", json(serde_json::to_value(&summary.own_breaks))),
        ("displacement", summary.displacement),
        ("axis", json(serde_json::to_value(&summary.axis))),
        ("table", json(serde_json::to_value(report::table(group, 9)))),
        ("code", json(serde_json::to_value(report::code(group, None)))),
        ("moment", json(serde_json::to_value(report::moment(folding, &view, 0.3, None, None)))),
        ("stretch", json(serde_json::to_value(report::stretch(folding, &view, [0.2, 0.6])))),
        (
            "range",
            json(serde_json::to_value(report::range(group, points.references(1), [0.1, 0.6]))),
        ),
        ("legend", json(serde_json::to_value(paint::legend(folding, &view)))),
        ("performance", words(Lane::Performance)),
        ("rail", words(Lane::Rail)),
        ("source", words(Lane::Source)),
    ];
    for counter in group.curves.iter().map(|curve| curve.counter.clone()) {
        let view = View { counter: Some(counter), ..view.clone() };
        told.push((
            "moment of one",
            json(serde_json::to_value(report::moment(folding, &view, 0.3, None, None))),
        ));
        told.push(("legend of one", json(serde_json::to_value(paint::legend(folding, &view)))));
    }
    let counters = std::iter::once(view.clone());
    let models = folding.models.iter();
    let models = models.map(|model| View { model: Some(model.name.clone()), ..view.clone() });
    for view in counters.chain(models) {
        let strips = paint::performance(&Svg::default(), folding, &view).strips;
        told.extend(strips.into_iter().map(|strip| ("axis of a strip", strip.unit)));
        let legend = paint::model_legend(folding, &view);
        told.push(("legend of a model", json(serde_json::to_value(legend))));
        let components =
            report::moment(folding, &view, 0.3, None, None).map(|moment| moment.components);
        told.push(("components", json(serde_json::to_value(components))));
        let shown = summary.models.iter().find(|model| Some(&model.name) == view.model.as_ref());
        told.push(("name of a model", json(serde_json::to_value(shown))));
    }
    let last = (folding.clone(), points.clone());
    for file in export(trace, std::slice::from_ref(&last), Format::Gnuplot).unwrap() {
        let text = String::from_utf8(file.bytes).unwrap();
        let labels = |line: &&str| {
            line.starts_with("set x") || line.starts_with("set y") || line.contains("title '")
        };
        told.push((
            "gnuplot",
            text.lines()
                .filter(labels)
                .filter(|line| !line.contains("multiplot"))
                .collect::<Vec<_>>()
                .join("\n"),
        ));
    }
    told
}

/// The units of time among the words of a text.
fn units(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '/' || c == '_'));
    words.filter(|word| OF_TIME.contains(word)).collect()
}

#[track_caller]
fn check(shape: Shape, x: &str, expected: &[&str]) {
    let trace = made(shape);
    let (folding, points) = fold_with_points(&trace, &[x]);
    let told = told(&trace, &folding, &points);
    if expected.is_empty() {
        for (what, text) in &told {
            assert!(units(text).is_empty(), "{x}: {what} has {:?}: {text}", units(text));
        }
    }
    let seen = told.iter().flat_map(|(_, text)| units(text)).collect::<BTreeSet<_>>();
    for unit in expected {
        assert!(seen.contains(unit), "{x}: nothing in {unit}");
    }
}

#[test]
fn along_time_there_are_units_of_time() {
    check(Shape::Example, "x=time", &["ms", "MIPS"]);
    check(Shape::Rapl, "x=time", &["ms", "W"]);
}

#[test]
fn along_a_counter_nothing_is_told_in_units_of_time() {
    check(Shape::Example, "x=PAPI_TOT_INS", &[]);
    check(Shape::Example, "x=PAPI_TOT_CYC", &[]);
    check(Shape::Rapl, "x=PAPI_TOT_INS", &[]);
}

#[test]
fn what_the_axis_counts_is_told_by_how_many_they_are_and_not_by_a_rate() {
    let trace = made(Shape::Example);
    let (folding, _) = fold_with_points(&trace, &["x=PAPI_TOT_INS"]);
    let group = &folding.groups[0];
    let view = View { group: group.number, width: 1280.0, height: 540.0, ..View::default() };
    let words = report::words("work", group, &view, Lane::Performance);
    // 237,317,154 in a mean instance, by the generator.
    let words = words.replace('\u{202f}', " ");
    assert!(words.contains("The axis counts 237.3 M Instructions."), "{words}");
    assert!(!words.contains("Instructions, mean") && words.contains("Cycles, mean 0.6"), "{words}");
    let answers = |view: &View| report::moment(&folding, view, 0.3, None, None).unwrap().answers;
    let rate = answers(&view).into_iter().find(|answer| answer[0] == "Rate").unwrap();
    assert!(rate[2].ends_with("Cycles"), "{rate:?}");
    let alone = View { counter: Some("PAPI_TOT_INS".to_owned()), ..view };
    assert!(answers(&alone).iter().all(|answer| answer[0] != "Rate"));
}

#[test]
fn phases_of_a_counter_that_are_shown_in_time_are_told_in_time() {
    check(Shape::Example, "x=PAPI_TOT_INS:time", &["ms", "MIPS"]);
}
