//! Phases, breaks and how curves were made, as the page is told them.

use serde::Serialize;

use crate::paint;
use crate::result::{Axis, Break, Durations, FitReport, Group};

/// Which kind of curve was taken, and why.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FitRow {
    /// `spline` or `segments`.
    kind: &'static str,
    ratio: Option<f64>,
    breaks_bic: u32,
    breaks_held_out: u32,
    uncertain: bool,
}

impl FitRow {
    pub fn of(fit: &FitReport) -> Self {
        Self {
            kind: fit.kind.name(),
            ratio: fit.ratio,
            breaks_bic: fit.breaks_bic,
            breaks_held_out: fit.breaks_held_out,
            uncertain: fit.uncertain,
        }
    }
}

/// A phase with what runs in it and each counter's rate.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PhaseRow {
    /// From 1.
    number: u32,
    start: f64,
    end: f64,
    start_ms: f64,
    end_ms: f64,
    ms: f64,
    share: f64,
    name: String,
    routine: Option<String>,
    /// Its place among the routines, which is its colour.
    routine_index: Option<u32>,
    line: Option<u32>,
    file: Option<String>,
    rates: Vec<RateRow>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RateRow {
    counter: String,
    rate: f64,
    half_width: f64,
    per_instruction: Option<f64>,
    per_instruction_half_width: Option<f64>,
    /// Power and the half width of its interval, of a counter of energy.
    watts: Option<f64>,
    watts_half_width: Option<f64>,
}

impl PhaseRow {
    pub fn all(group: &Group) -> Vec<Self> {
        let ms = |share: f64| share * group.mean_duration_ns / 1e6;
        let rates = |phase: usize| {
            let rate = |curve| group.in_phase(curve, phase).map(|value| (curve, value));
            let known = group.curves.iter().filter_map(rate);
            let row = known.map(|(curve, value)| RateRow {
                counter: curve.counter.clone(),
                rate: value.rate,
                half_width: value.half_width,
                per_instruction: value.per_instruction.map(|(ratio, _)| ratio),
                per_instruction_half_width: value.per_instruction.map(|(_, half)| half),
                watts: curve.watts(value.rate),
                watts_half_width: curve.watts(value.half_width),
            });
            row.collect()
        };
        let row = |(index, phase): (usize, &crate::result::Phase)| {
            let place = phase.place.and_then(|place| group.places.get(place as usize));
            let routine = place.and_then(|place| group.routines.get(place.routine as usize));
            Self {
                number: index as u32 + 1,
                start: phase.start,
                end: phase.end,
                start_ms: ms(phase.start),
                end_ms: ms(phase.end),
                ms: ms(phase.end - phase.start),
                share: phase.end - phase.start,
                name: phase.name.clone(),
                routine: routine.cloned(),
                routine_index: place.filter(|_| routine.is_some()).map(|place| place.routine),
                line: place.map(|place| place.line).filter(|line| *line > 0),
                file: place.map(|place| place.file.clone()).filter(|file| !file.is_empty()),
                rates: rates(index),
            }
        };
        group.phases.iter().enumerate().map(row).collect()
    }
}

/// Where rates change.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BreakRow {
    at: f64,
    half_width: f64,
    ms: f64,
    half_width_ms: f64,
    /// Counters whose rate changes there beyond doubt.
    changed: Vec<String>,
    by_hand: bool,
}

impl BreakRow {
    pub fn all(group: &Group) -> Vec<Self> {
        let ms = |share: f64| share * group.mean_duration_ns / 1e6;
        let counter = |index: &u32| Some(group.curves.get(*index as usize)?.counter.clone());
        let row = |found: &Break| Self {
            at: found.at,
            half_width: found.half_width,
            ms: ms(found.at),
            half_width_ms: ms(found.half_width),
            changed: found.changed.iter().filter_map(counter).collect(),
            by_hand: found.by_hand,
        };
        group.breaks.iter().map(row).collect()
    }
}

/// How many instances last how long.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DurationsRow {
    least_ms: f64,
    most_ms: f64,
    kept: Vec<u32>,
    rejected: Vec<u32>,
}

impl DurationsRow {
    pub fn of(durations: &Durations) -> Self {
        Self {
            least_ms: durations.least_ns as f64 / 1e6,
            most_ms: durations.most_ns as f64 / 1e6,
            kept: durations.kept.clone(),
            rejected: durations.rejected.clone(),
        }
    }
}

/// What the horizontal axis counts, and how much of it a mean instance has.
#[derive(Serialize)]
pub struct AxisRow {
    /// None if it is time.
    counter: Option<String>,
    /// Milliseconds, or events.
    pub total: f64,
    /// `ms`, or the counter's short name.
    unit: String,
}

impl AxisRow {
    pub fn of(group: &Group) -> Self {
        match &group.axis {
            Axis::Time => {
                let total = group.mean_duration_ns / 1e6;
                Self { counter: None, total, unit: "ms".to_owned() }
            }
            Axis::Counter { name, total } => Self {
                counter: Some(name.clone()),
                total: *total,
                unit: paint::counter_name(name).to_owned(),
            },
        }
    }
}
