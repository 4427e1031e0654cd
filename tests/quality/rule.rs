//! `fit=auto` against the column "rule" of spec/algorithms-real-traces.md §2.4, cell by cell.

use serde_json::Value;

use super::cell::Cell;
use super::generator::oracle;
use super::means::{Means, ours};

/// Less than one and five samples of an instance, half of the traces each.
pub const PERIODS: [f64; 2] = [1.05, 0.2];

pub fn auto(scenario: &str, jitter: f64, samples: usize) -> Means {
    let [few, many] =
        PERIODS.map(|period| ours(&Cell::new(scenario, jitter, samples).every(period), &[]));
    few.and(many)
}

/// Cells that are not reached (scenario, jitter, samples), and neither are by the study's own method on
/// 60 other traces: `rule_again` of the oracle. With the true number of breaks given, the least
/// squares err .77 and 1.45 % in the rate there, for .58 and 1.2.
pub const NOT_REACHED: [(&str, f64, u64); 2] = [("stream4", 0.02, 300), ("short7", 0.005, 300)];

/// Whether both figures are within 15 % of those of a row of the oracle, or better.
pub fn is_reached(row: &Value, found: Means) -> bool {
    let [curve, rate] = [0, 1].map(|place| row["rule"][place].as_f64().unwrap());
    found.curve <= 1.15 * curve && found.rate <= 1.15 * rate
}

fn reaches_the_rule(scenario: &str) {
    let oracle = oracle();
    let mut missed = Vec::new();
    for row in oracle["rule"].as_array().unwrap().iter().filter(|row| row["scenario"] == scenario) {
        let (jitter, samples) = (row["jitter"].as_f64().unwrap(), row["samples"].as_u64().unwrap());
        if NOT_REACHED.contains(&(scenario, jitter, samples)) {
            continue;
        }
        let found = auto(scenario, jitter, samples as usize);
        println!("{scenario} {jitter} {samples}: {found:.4?} for {}", row["rule"]);
        if !is_reached(row, found) {
            missed.push(format!("{row}: {found:?}"));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn four_phases() {
    reaches_the_rule("stream4");
}

#[test]
fn five_phases() {
    reaches_the_rule("contrast5");
}

#[test]
fn seven_phases() {
    reaches_the_rule("short7");
}

#[test]
fn a_smooth_rate() {
    reaches_the_rule("smooth");
}

#[test]
fn half_jumps_half_smooth() {
    reaches_the_rule("mixed");
}
