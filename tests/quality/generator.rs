//! The generator first: what the reference makes of its traces is as near to the truth as it was in
//! the study that the goals come from.

use std::ops::Range;

use serde_json::Value;
use tracefold_generate::{Jitter, Options};

use super::breaks::{found_within, recall};
use super::cell::{Cell, FIG418_MS, INSTRUCTIONS, SEEDS, Samples};
use super::reference::{analytic_kriging, breaks, kriging, segments};
use super::spread::{mean_and_deviation, standard_errors};
use super::truth::{Errors, Fitted, Truth, errors};

/// Most standard errors between our mean and the study's.
const MOST: f64 = 3.0;

/// Between the mean of thirty seeds and that of very many runs: of some hundred such figures one is
/// expected beyond three, and one in a hundred times one beyond this.
const MOST_OF_MANY: f64 = 4.0;

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
pub fn shortest(samples: usize) -> f64 {
    if samples >= 100 { 0.05 } else { 0.1 }
}

/// The study's thirty runs of this figure lie 2.5 standard errors below 1500 runs of its own
/// generator, and ours on the other side.
const ODD: &str = "\"contrast5\" 0.005 200: strucchange E_R 4.495";

type Figure = (usize, &'static str, fn(&Errors) -> f64);

const FIGURES: [Figure; 2] = [(0, "E_C", |errors| errors.curve), (1, "E_R", |errors| errors.rate)];

/// The figures of a row that are further than chance from those of `found`. How much runs differ is
/// what the row `spread` of more runs says, or these.
fn too_far(
    row: &Value,
    spread: Option<&Value>,
    method: &str,
    found: &[Errors],
    most: f64,
) -> Vec<String> {
    let figure = |(place, name, of): Figure| {
        let found: Vec<f64> = found.iter().map(of).collect();
        let (ours, deviation) = mean_and_deviation(&found);
        let deviation =
            spread.map_or(deviation, |row| number(&row[format!("{method}_deviation")][place]));
        let theirs = number(&row[method][place]);
        let runs = 1.0 / found.len() as f64 + 1.0 / number(&row["runs"]);
        let apart = (ours - theirs) / (deviation * runs.sqrt());
        let cell = format!("{} {} {}", row["scenario"], row["jitter"], row["samples"]);
        let what = format!("{cell}: {method} {name} {theirs}");
        println!("{what}, here {ours:.4}: {apart:+.1} standard errors");
        (apart.abs() > most && what != ODD).then_some(what)
    };
    FIGURES.into_iter().filter_map(figure).collect()
}

/// What kriging and strucchange err by, seed by seed.
fn both(
    cell: &Cell,
    kriging: fn(&Samples) -> Fitted,
    samples: usize,
    seeds: Range<u64>,
) -> (Vec<Errors>, Vec<Errors>) {
    let one = |seed| {
        let (folded, truth): (Samples, Truth) = cell.samples(seed, INSTRUCTIONS);
        let segments = segments(&folded, shortest(samples)).fitted();
        (errors(&kriging(&folded), &truth), errors(&segments, &truth))
    };
    seeds.map(one).unzip()
}

/// The seeds of the goals are like very many runs of the study's generator, and the study's few runs
/// like many seeds of ours.
fn the_reference_errs_as_in_the_study_on(scenario: &str) {
    let oracle = oracle();
    let mut far = Vec::new();
    for again in rows(&oracle, "again").iter().filter(|row| row["scenario"] == scenario) {
        let same = |row: &&Value| {
            ["scenario", "jitter", "samples"].iter().all(|key| row[*key] == again[*key])
        };
        let study = rows(&oracle, "cells").iter().find(same).unwrap();
        let samples = number(&again["samples"]) as usize;
        let cell = Cell::new(scenario, number(&again["jitter"]), samples);
        let seeds = match samples {
            ..500 => 0..240,
            500 => 0..120,
            _ => 0..60,
        };
        let (curves, lines) = both(&cell, kriging, samples, seeds);
        let few = SEEDS.end as usize;
        for (method, all) in [("kriging", curves), ("strucchange", lines)] {
            far.extend(too_far(again, Some(again), method, &all[..few], MOST_OF_MANY));
            far.extend(too_far(study, Some(again), method, &all, MOST));
        }
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
        let (curves, lines) = both(&cell, analytic_kriging, samples, SEEDS);
        far.extend(too_far(row, None, "kriging", &curves, MOST));
        far.extend(too_far(row, None, "strucchange", &lines, MOST));
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
            println!(
                "{}: {} for {theirs}: {apart:.1}",
                row["samples"],
                mean_and_deviation(&found).0
            );
            assert!(apart <= MOST, "{row}: {:?}", mean_and_deviation(&found));
        }
    }
}
