//! The numbers of a folding as the page is told them.

use serde::Serialize;

use super::encode::NoticeRow;
use super::models::{MissingRow, ModelRow};
use super::phases::{AxisRow, BreakRow, DurationsRow, FitRow, PhaseRow};
use crate::paint;
use crate::result::{Curve, Folding, FoldingNotice, Group, Row};

/// Trace, region, groups and counters of a folding, without its columns.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    trace: TraceRow,
    region: String,
    shown: u32,
    quantised: bool,
    notices: Vec<NoticeRow>,
    groups: Vec<GroupRow>,
    /// Models that the counters do not allow.
    missing_models: Vec<MissingRow>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TraceRow {
    name: String,
    size_bytes: f64,
    duration_ns: f64,
    threads: u32,
    generated: bool,
    /// How sure the numbers are, and what was not read, in sentences.
    provenance: Vec<String>,
    partial: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GroupRow {
    number: u32,
    instances: u32,
    kept: u32,
    mean_ms: f64,
    mean_instructions: Option<f64>,
    samples: u32,
    mips: Option<f64>,
    counters: Vec<CounterRow>,
    routines: Vec<String>,
    has_source: bool,
    /// Grid points of the curves.
    points: usize,
    /// Models that its counters allow.
    models: Vec<ModelRow>,
    fit: FitRow,
    phases: Vec<PhaseRow>,
    breaks: Vec<BreakRow>,
    /// Durations between which instances were folded; none if all were.
    limits_ms: Option<[f64; 2]>,
    durations: DurationsRow,
    /// Instances that were left out.
    rejected: u32,
    axis: AxisRow,
    /// Stretches with too few samples, `[start, end]`.
    sparse: Vec<[f64; 2]>,
    displacement: Option<f64>,
    better_over_instructions: bool,
    locked: bool,
    /// Whether there are too few samples for curves that say much.
    few: bool,
}

/// Fewer samples make curves that say little.
const FEW: u32 = 50;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CounterRow {
    counter: String,
    name: String,
    description: String,
    instructions: bool,
    /// Whether it counts the nanoseconds that threads ran.
    clock: bool,
    instances: u32,
    used: u32,
    unused: u32,
    excluded: u32,
    mean_count: f64,
    mean_rate: f64,
    nugget: f64,
    /// Joules per event and mean power, if it counts energy.
    joules: Option<f64>,
    watts: Option<f64>,
    /// Finest detail of a spline, as a share and in milliseconds; 0 for segments.
    resolution: f64,
    resolution_ms: f64,
    /// Where it changes if it is asked alone.
    own_breaks: Vec<f64>,
}

impl Summary {
    pub fn of(folding: &Folding) -> Self {
        let counter = |curve: &Curve, group: &Group| CounterRow {
            counter: curve.counter.clone(),
            name: paint::counter_name(&curve.counter).to_owned(),
            description: curve.description.clone(),
            instructions: curve.instructions,
            clock: paint::is_clock(&curve.counter),
            instances: curve.instances,
            used: curve.used,
            unused: curve.unused,
            excluded: curve.excluded,
            mean_count: curve.mean_count,
            mean_rate: curve.mean_rate,
            nugget: curve.nugget,
            joules: curve.joules,
            watts: curve.watts(curve.mean_rate),
            resolution: curve.resolution,
            resolution_ms: curve.resolution * group.mean_duration_ns / 1e6,
            own_breaks: curve.own_breaks.clone(),
        };
        let group = |group: &Group| GroupRow {
            number: group.number,
            instances: group.instances,
            kept: group.kept,
            mean_ms: group.mean_duration_ns / 1e6,
            mean_instructions: group.instructions().map(|curve| curve.mean_count),
            samples: group.samples,
            mips: group.instructions().map(|curve| curve.mean_rate),
            counters: group.curves.iter().map(|curve| counter(curve, group)).collect(),
            routines: group.routines.clone(),
            has_source: !group.lines.x.is_empty(),
            points: group.curves.first().map_or(0, |curve| curve.rate.len()),
            models: ModelRow::all(folding, group),
            fit: FitRow::of(&group.fit),
            phases: PhaseRow::all(group),
            breaks: BreakRow::all(group),
            limits_ms: group.limits_ns.map(|limits| limits.map(|ns| ns / 1e6)),
            durations: DurationsRow::of(&group.durations),
            rejected: group.instances.saturating_sub(group.kept),
            axis: AxisRow::of(group),
            sparse: group.sparse.clone(),
            displacement: group.displacement,
            better_over_instructions: group.better_over_instructions,
            locked: group.locked,
            few: group.samples < FEW,
        };
        let notice = |notice: &FoldingNotice| NoticeRow {
            text: notice.text.clone(),
            count: notice.count as f64,
            first: notice.first.clone(),
        };
        let trace = &folding.trace;
        Self {
            trace: TraceRow {
                name: trace.name.clone(),
                size_bytes: trace.size_bytes as f64,
                duration_ns: trace.duration_ns as f64,
                threads: trace.threads,
                generated: trace.generated,
                provenance: trace.provenance.sentences(),
                partial: trace.partial.clone(),
            },
            region: folding.region.clone(),
            shown: folding.shown,
            quantised: folding.quantised,
            notices: folding.notices.iter().map(notice).collect(),
            groups: folding.groups.iter().map(group).collect(),
            missing_models: MissingRow::all(folding),
        }
    }
}

/// What stands at one moment of folded time.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AtCursor {
    ms: f64,
    /// What the axis counts by then; the same as `ms` if it is time.
    axis: f64,
    /// Number of the phase, from 1.
    phase: Option<u32>,
    routine: Option<String>,
    line: Option<u32>,
    file: Option<String>,
    values: Vec<AtCounter>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AtCounter {
    counter: String,
    fitted: f64,
    rate: f64,
    /// Of the 95 % interval of the rate; 0 where nothing tells.
    half_width: f64,
    /// Power, if the counter is of energy.
    watts: Option<f64>,
    per_instruction: Option<f64>,
}

impl AtCursor {
    pub fn of(group: &Group, x: f64) -> Self {
        let row = group.at(x);
        let place = group.place_at(x);
        let values = group.curves.iter().zip(&row.values).map(|(curve, value)| AtCounter {
            counter: curve.counter.clone(),
            fitted: value.fitted,
            rate: value.rate,
            half_width: group.half_width_at(curve, row.x),
            watts: curve.watts(value.rate),
            per_instruction: value.per_instruction,
        });
        Self {
            ms: row.ms,
            axis: row.x * AxisRow::of(group).total,
            phase: group.phase_at(row.x),
            routine: place.and_then(|place| group.routines.get(place.routine as usize).cloned()),
            line: place.map(|place| place.line).filter(|line| *line > 0),
            file: place.map(|place| place.file.clone()).filter(|file| !file.is_empty()),
            values: values.collect(),
        }
    }
}

/// Every curve's numbers at evenly spread moments.
#[derive(Serialize)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<TableRow>,
}

#[derive(Serialize)]
struct Column {
    counter: String,
    name: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TableRow {
    x: f64,
    ms: f64,
    mips: Option<f64>,
    rates: Vec<f64>,
    /// Power, of counters of energy.
    watts: Vec<Option<f64>>,
    per_instruction: Vec<Option<f64>>,
}

impl Table {
    pub fn of(group: &Group, rows: u32) -> Self {
        let instructions = group.curves.iter().position(|curve| curve.instructions);
        let column = |curve: &Curve| Column {
            counter: curve.counter.clone(),
            name: paint::counter_name(&curve.counter).to_owned(),
        };
        let watts = |row: &Row| {
            let values = group.curves.iter().zip(&row.values);
            values.map(|(curve, value)| curve.watts(value.rate)).collect()
        };
        let row = |row: Row| TableRow {
            watts: watts(&row),
            x: row.x,
            ms: row.ms,
            mips: instructions.and_then(|index| row.values.get(index)).map(|value| value.rate),
            rates: row.values.iter().map(|value| value.rate).collect(),
            per_instruction: row.values.iter().map(|value| value.per_instruction).collect(),
        };
        Self {
            columns: group.curves.iter().map(column).collect(),
            rows: group.table(rows).into_iter().map(row).collect(),
        }
    }
}
