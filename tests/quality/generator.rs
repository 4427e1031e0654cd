//! The generator first: what the reference makes of its traces is as near to the truth as it was in
//! the study that the goals come from.

use serde_json::Value;
use tracefold_generate::{Jitter, Options};

use crate::breaks::{found_within, recall};
use crate::cell::{Cell, FIG418_MS, INSTRUCTIONS, SEEDS, Samples};
use crate::reference::{analytic_kriging, breaks, kriging, segments};
use crate::spread::{spread, standard_errors};
use crate::truth::{Errors, Fitted, Truth, errors};

/// Most standard errors between our mean and the study's.
const MOST: f64 = 3.0;

/// More than the goals are means over: what the reference makes of few samples varies so much that
/// the deviation of thirty runs says little about its own accuracy.
const MANY: std::ops::Range<u64> = 0..120;

pub fn oracle() -> Value {
    serde_json::from_str(include_str!("../oracles/quality.json")).unwrap()
}

fn rows<'a>(oracle: &'a Value, table: &str) -> &'a [Value] {
    oracle[table].as_array().unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// As the study chose it for the reference: its user has to know.
fn shortest(samples: usize) -> f64 {
    if samples >= 100 { 0.05 } else { 0.1 }
}

/// The figures of a row that are further than chance from those of `found`.
fn too_far(row: &Value, method: &str, found: &[Errors]) -> Vec<String> {
    let runs = number(&row["runs"]);
    let figure = |(place, name, of): (usize, &str, fn(&Errors) -> f64)| {
        let found: Vec<f64> = found.iter().map(of).collect();
        let theirs = number(&row[method][place]);
        let apart = standard_errors(&found, theirs, runs);
        let ours = spread(&found).0;
        let what = format!("{} {} {}", row["scenario"], row["jitter"], row["samples"]);
        println!("{what}: {method} {name} {ours:.4} for {theirs:.4}: {apart:.1} standard errors");
        (apart > MOST).then(|| format!("{what} {method} {name}: {ours} for {theirs}: {apart}"))
    };
    let figures: [(usize, &str, fn(&Errors) -> f64); 2] =
        [(0, "E_C", |errors| errors.curve), (1, "E_R", |errors| errors.rate)];
    figures.into_iter().filter_map(figure).collect()
}

fn both(
    cell: &Cell,
    kriging: fn(&Samples) -> Fitted,
    samples: usize,
) -> (Vec<Errors>, Vec<Errors>) {
    let one = |seed| {
        let (folded, truth): (Samples, Truth) = cell.samples(seed, INSTRUCTIONS);
        let segments = segments(&folded, shortest(samples)).fitted();
        (errors(&kriging(&folded), &truth), errors(&segments, &truth))
    };
    MANY.map(one).unzip()
}

fn the_reference_errs_as_in_the_study_on(scenario: &str) {
    let oracle = oracle();
    let mut far = Vec::new();
    let compared = |row: &&Value| row["scenario"] == scenario && number(&row["samples"]) <= 1000.0;
    for row in rows(&oracle, "cells").iter().filter(compared) {
        let samples = number(&row["samples"]) as usize;
        let cell = Cell::new(scenario, number(&row["jitter"]), samples);
        let (curves, lines) = both(&cell, kriging, samples);
        far.extend(too_far(row, "kriging", &curves));
        far.extend(too_far(row, "strucchange", &lines));
    }
    assert!(far.is_empty(), "{far:#?}");
}

#[test]
fn the_reference_errs_on_stream4_as_in_the_study() {
    the_reference_errs_as_in_the_study_on("stream4");
}

#[test]
fn the_reference_errs_on_contrast5_as_in_the_study() {
    the_reference_errs_as_in_the_study_on("contrast5");
}

#[test]
fn the_reference_errs_on_short7_as_in_the_study() {
    the_reference_errs_as_in_the_study_on("short7");
}

#[test]
fn the_reference_errs_on_a_smooth_rate_as_in_the_study() {
    let oracle = oracle();
    let mut far = Vec::new();
    for row in rows(&oracle, "smooth") {
        let samples = number(&row["samples"]) as usize;
        let jitter = Some(Jitter { instance: 0.01, phase: 0.02, rate: 0.02 });
        let cell = Cell::new("smooth", 0.0, samples);
        let cell = Cell { options: Options { jitter, ..cell.options }, ..cell };
        let (curves, lines) = both(&cell, analytic_kriging, samples);
        far.extend(too_far(row, "kriging", &curves));
        far.extend(too_far(row, "strucchange", &lines));
    }
    assert!(far.is_empty(), "{far:#?}");
}

#[test]
fn the_reference_finds_short_phases_as_often_as_in_the_study() {
    for row in rows(&oracle(), "fig418") {
        let [hertz, iterations, jitter] =
            ["hz", "iterations", "jitter"].map(|key| number(&row[key]));
        let cell = Cell::fig418(hertz, iterations as usize, jitter);
        let all = |seed: &u64| {
            let (samples, truth) = cell.samples(*seed, INSTRUCTIONS);
            let shortest = if samples.x.len() > 148 { 0.02 } else { 0.05 };
            let found = breaks(&samples, shortest, usize::MAX);
            found_within(&found, truth.breaks(), 0.5 / FIG418_MS)
        };
        let (runs, theirs) = (number(&row["runs"]), number(&row["strucchange"]));
        let seeds = (SEEDS.end - SEEDS.start) as f64;
        let ours = SEEDS.filter(all).count() as f64 / seeds;
        // Of both together, and one more found and one more missed: never 0.
        let either = (ours * seeds + theirs * runs + 1.0) / (seeds + runs + 2.0);
        let error = (either * (1.0 - either) * (1.0 / seeds + 1.0 / runs)).sqrt();
        println!("{hertz} Hz, {iterations} at {jitter}: {ours:.2} for {theirs:.2} +- {error:.2}");
        assert!((ours - theirs).abs() <= MOST * error, "{row}: {ours}");
    }
}

#[test]
fn the_reference_finds_the_breaks_of_one_counter_of_four_as_in_the_study() {
    for row in rows(&oracle(), "joint").iter().filter(|row| row["sets"] == 1) {
        let cell = Cell::new("joint4", 0.01, number(&row["samples"]) as usize);
        let one = |seed| {
            let (samples, truth) = cell.samples(seed, INSTRUCTIONS);
            let shortest = 0.05_f64.max(3.0 / (samples.x.len() + 2) as f64);
            recall(&breaks(&samples, shortest, 10), truth.breaks(), 0.015)
        };
        let (recalls, spurious): (Vec<f64>, Vec<f64>) = SEEDS.map(one).unzip();
        for (found, place) in [(recalls, 0), (spurious, 1)] {
            let theirs = number(&row["strucchange"][place]);
            let apart = standard_errors(&found, theirs, number(&row["runs"]));
            println!("{}: {} for {theirs}: {apart:.1}", row["samples"], spread(&found).0);
            assert!(apart <= MOST, "{row}: {:?}", spread(&found));
        }
    }
}
