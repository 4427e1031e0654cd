//! A comparison to files: tables, JSON for scripts, and the picture.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::compared_runs::whole_runs;
use super::files::Exported;
use super::table::{Table, field, or_empty};
use crate::compare::{
    Comparison, FileOfBoth, Hunk, ObjectRow, Of, Row, SampledTime, Wanted, sentences,
};
use crate::folding::Folding;
use crate::paint::{Compared, ComparedView, compared_svg};
use crate::text::shortest;

/// A run that is compared: where it is from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ComparedInput {
    pub file: String,
    /// SHA-256 of the file in hexadecimal, where that is known.
    pub sha256: Option<String>,
    /// What it was folded with, other than default; `None` of a folding that was written before.
    pub settings: Option<BTreeMap<String, String>>,
}

/// What is told of a comparison beside its rows.
#[derive(Clone, Debug, Default)]
pub struct About {
    pub inputs: [Vec<ComparedInput>; 2],
    pub wanted: Wanted,
    pub notices: Vec<String>,
}

/// `comparison.csv`, `comparison_counters.csv`, `comparison_structure.csv` and `comparison_code.csv`; and
/// `comparison_source.csv` where texts of both sides are known. Changes, intervals and what is visible are shares of
/// A; the row without a phase is the whole region.
pub fn comparison_tables(
    comparison: &Comparison,
    folding: &Folding,
    group: u32,
) -> impl Iterator<Item = Exported> {
    let ends = |ends: [f64; 2]| ends.map(shortest);
    let mut rows = Table::new(
        "phase,routine_a,routine_b,start_a,end_a,start_b,end_b,ms_a,ms_b,change,low,high,within_low,within_high,\
         p,verdict,visible,runs_needed",
    );
    rows.about(folding, group);
    let mut line = |places: [String; 7], ms: [f64; 2], row: &Row| {
        let numbers = [ms[0], ms[1], row.change].map(shortest).into_iter();
        let numbers = numbers.chain(ends(row.interval)).chain(ends(row.within));
        let needed = or_empty(row.runs_needed.map(|runs| runs.to_string()));
        let last =
            [shortest(row.p), <&str>::from(row.verdict).to_owned(), shortest(row.visible), needed];
        rows.line_with(&[&places.join(",")], numbers.chain(last));
    };
    line(Default::default(), [comparison.a_ms, comparison.b_ms], &comparison.total);
    for (at, phase) in comparison.phases.iter().enumerate() {
        let name = |routine: &Option<String>| or_empty(routine.as_deref().map(field));
        let ([start_a, end_a], [start_b, end_b]) = (ends(phase.a), ends(phase.b));
        let (a, b) = (name(&phase.routine), name(&phase.routine_b));
        let places = [(at + 1).to_string(), a, b, start_a, end_a, start_b, end_b];
        line(places, [phase.a_ms, phase.b_ms], &phase.row);
    }
    let mut counters =
        Table::new("phase,counter,of,a,b,change,low,high,within_low,within_high,sure");
    counters.about(folding, group);
    for row in &comparison.counters {
        let of = match row.of {
            Of::Ratio => "per_instruction",
            Of::Rate => "per_us",
            Of::Total => "events",
        };
        let phase = or_empty(row.phase.map(|at| (at + 1).to_string()));
        let numbers = [row.a, row.b, row.change].map(shortest).into_iter();
        let numbers = numbers.chain(ends(row.interval)).chain(ends(row.within));
        let sure = u32::from(row.is_sure).to_string();
        counters.line_with(&[&phase, &field(&row.counter), &of], numbers.chain([sure]));
    }
    let mut structure = Table::new("kind,routine,a,b,file,lines");
    structure.about(folding, group);
    let places = |spans: &[[f64; 2]]| {
        let span = |of: &[f64; 2]| format!("{} {}", shortest(of[0]), shortest(of[1]));
        spans.iter().map(span).collect::<Vec<_>>().join(";")
    };
    for row in &comparison.structure {
        let routine = or_empty(row.routine.as_deref().map(field));
        let kind = <&str>::from(row.kind);
        structure.line(&[&kind, &routine, &places(&row.a), &places(&row.b), &"", &""]);
    }
    for of in &comparison.appeared {
        let kind = if of.is_new { "routine new" } else { "routine gone" };
        structure.line(&[&kind, &field(&of.routine), &"", &"", &"", &""]);
    }
    for moved in &comparison.lines {
        let routine = field(&moved.routine);
        structure.line(&[&"moved", &routine, &"", &"", &field(&moved.file), &moved.by]);
    }
    let mut code = Table::new(
        "routine_a,routine_b,file,line_a,line_b,ms_a,ms_b,change_ms,half_width_ms,samples_a,samples_b,sure,phase",
    );
    code.about(folding, group);
    for row in &comparison.code {
        let number = |side: usize| or_empty(row.numbers[side].map(|number| number.to_string()));
        let names = [&row.routine, &row.routine_b, &row.file].map(|name| field(name));
        let place = [names.join(","), number(0), number(1)].join(",");
        let numbers = [row.ms[0], row.ms[1], row.change_ms(), row.half_width_ms].map(shortest);
        let samples = row.samples.map(|samples| samples.to_string()).into_iter();
        let phase = or_empty(row.phase.map(|at| (at + 1).to_string()));
        let last = samples.chain([u32::from(row.is_sure).to_string(), phase]);
        code.line_with(&[&place], numbers.into_iter().chain(last));
    }
    let source = source_table(comparison, folding, group);
    let objects = object_table(comparison, folding, group);
    [
        ("comparison.csv", rows.finish()),
        ("comparison_counters.csv", counters.finish()),
        ("comparison_structure.csv", structure.finish()),
        ("comparison_code.csv", code.finish()),
    ]
    .into_iter()
    .chain(source.map(|source| ("comparison_source.csv", source.finish())))
    .chain(objects.map(|objects| ("comparison_objects.csv", objects.finish())))
    .map(|(name, text)| Exported { name: name.to_owned(), bytes: text.into_bytes() })
}

/// Data objects of both sides; an empty size: that side has no such object.
fn object_table(comparison: &Comparison, folding: &Folding, group: u32) -> Option<Table> {
    comparison.objects.first()?;
    let mut table = Table::new(
        "object_a,object_b,kind,bytes_a,bytes_b,loads_a,loads_b,stores_a,stores_b,share_a,share_b,share_half_width,\
         share_sure,cost_a,cost_b,cost_change,cost_low,cost_high,cost_sure,loads_walk_a,loads_walk_b,\
         stores_walk_a,stores_walk_b",
    );
    table.about(folding, group);
    let real = |value: Option<f64>| or_empty(value.map(shortest));
    let sure = |is_sure: bool| u32::from(is_sure).to_string();
    for row in &comparison.objects {
        let size = |side: usize| or_empty(row.bytes[side].map(|bytes| bytes.to_string()));
        let counts = [row.loads[0], row.loads[1], row.stores[0], row.stores[1]];
        let names = [&row.name, &row.name_b].map(|name| field(name)).join(",");
        let [low, high] = row.cost_change.map(|(_, ends)| ends.map(Some)).unwrap_or_default();
        let walks = [0, 1].map(|what| row.walks.each_ref().map(|of| field(&of[what])).join(","));
        let cells = [names, row.kind.name().to_owned(), size(0), size(1)].into_iter();
        let cells = cells.chain(counts.map(|count| count.to_string()));
        let cells = cells.chain([row.shares[0], row.shares[1], row.share_half_width].map(shortest));
        let cells = cells.chain([sure(row.is_share_sure), real(row.costs[0]), real(row.costs[1])]);
        let change = real(row.cost_change.map(|(change, _)| change));
        let cells = cells.chain([change, real(low), real(high), sure(row.is_cost_sure)]);
        table.line_with(&[], cells.chain(walks));
    }
    Some(table)
}

/// Lines of files whose text is known of both sides: those that were sampled, changed or moved; `hunk` is the same,
/// from 1 in each file, for neighbours that changed or moved.
fn source_table(comparison: &Comparison, folding: &Folding, group: u32) -> Option<Table> {
    comparison.sources.first()?;
    let mut table = Table::new(
        "file,line_a,line_b,kind,elsewhere,hunk,ms_a,ms_b,change_ms,half_width_ms,samples_a,samples_b,sure",
    );
    table.about(folding, group);
    let number = |number: Option<u32>| or_empty(number.map(|number| number.to_string()));
    for file in &comparison.sources {
        for (at, line) in file.lines.iter().enumerate() {
            let hunk = file.hunks.iter().position(|hunk| hunk.first <= at && at < hunk.end);
            if line.time.is_none() && hunk.is_none() {
                continue;
            }
            let numbers = line.line.numbers.map(number);
            let name = field(&file.file);
            let place = [name.as_str(), &numbers[0], &numbers[1]];
            let kind = <&str>::from(line.line.kin).to_owned();
            let elsewhere = number(line.line.elsewhere);
            let time = line.time.unwrap_or_default();
            let times = [time.ms[0], time.ms[1], time.change_ms()].map(shortest).into_iter();
            let times = times.chain([or_empty(line.time.map(|time| shortest(time.half_width_ms)))]);
            let last = time.samples.map(|samples| samples.to_string()).into_iter();
            let last = last.chain([u32::from(line.is_sure).to_string()]);
            let first = [kind, elsewhere, number(hunk.map(|hunk| hunk as u32 + 1))].into_iter();
            table.line_with(&[&place.join(",")], first.chain(times).chain(last));
        }
    }
    Some(table)
}

/// All of it for scripts, with raw numbers: changes, intervals and what is visible are shares of A, places folded
/// times, `ratios` those that change beyond doubt.
pub fn comparison_json(comparison: &Comparison, about: &About) -> String {
    let wanted = &about.wanted;
    let of_row = |row: &Row| {
        json!({
            "change": row.change, "interval": row.interval, "within": row.within, "p": row.p,
            "verdict": <&str>::from(row.verdict), "visible": row.visible, "runs_needed": row.runs_needed,
        })
    };
    let with = |mut value: Value, more: Value| {
        if let (Value::Object(value), Value::Object(more)) = (&mut value, more) {
            value.extend(more);
        }
        value
    };
    let phases = comparison.phases.iter().map(|phase| {
        let place = json!({
            "a": phase.a, "b": phase.b, "routine": phase.routine, "routine_b": phase.routine_b,
            "a_ms": phase.a_ms, "b_ms": phase.b_ms,
        });
        with(place, of_row(&phase.row))
    });
    let structure = comparison.structure.iter().map(|row| {
        json!({ "kind": <&str>::from(row.kind), "routine": row.routine, "a": row.a, "b": row.b })
    });
    let lines = comparison
        .lines
        .iter()
        .map(|moved| json!({ "routine": moved.routine, "file": moved.file, "by": moved.by }));
    let ratios = comparison.sure_ratios().map(|(phase, ratio)| {
        let routine = comparison.phases.get(phase).and_then(|phase| phase.routine.as_ref());
        json!({
            "phase": phase + 1, "routine": routine, "counter": ratio.counter,
            "change": ratio.change, "interval": ratio.interval,
        })
    });
    let inputs = |side: &[ComparedInput]| {
        let input = |of: &ComparedInput| json!({ "file": of.file, "sha256": of.sha256, "settings": of.settings });
        side.iter().map(input).collect::<Vec<_>>()
    };
    let total = with(
        json!({ "a_ms": comparison.a_ms, "b_ms": comparison.b_ms }),
        of_row(&comparison.total),
    );
    let mut all = Map::new();
    let mut tell = |name: &str, value: Value| all.insert(name.to_owned(), value);
    tell("a", inputs(&about.inputs[0]).into());
    tell("b", inputs(&about.inputs[1]).into());
    tell("runs", comparison.runs.as_slice().into());
    let is_measured = comparison.runs != [1, 1];
    let between = wanted.between;
    tell(
        "assumed",
        json!({ "clock": between.clock, "phase": between.phase, "ratio": between.ratio, "measured": is_measured }),
    );
    tell("least", wanted.least.into());
    tell("least_ratio", wanted.least_ratio.into());
    tell("equal_clock", wanted.equal_clock.into());
    tell("sentences", sentences(comparison, wanted.between).into());
    tell("notices", about.notices.clone().into());
    tell("total", total);
    tell("bent", comparison.is_bent.into());
    tell("pairs_left_out", comparison.pairs_left_out.into());
    tell("phases", phases.collect::<Vec<_>>().into());
    tell("ratios", ratios.collect::<Vec<_>>().into());
    for (name, value) in whole_runs(comparison) {
        tell(name, value);
    }
    tell("structure", structure.collect::<Vec<_>>().into());
    let lacking = comparison
        .not_compared
        .iter()
        .map(|of| json!({ "a": of.a, "routine": of.routine, "a_ms": of.ms }));
    tell("not_compared", lacking.collect::<Vec<_>>().into());
    let routines = comparison
        .appeared
        .iter()
        .map(|of| json!({ "routine": of.routine, "new": of.is_new, "ms": of.ms, "p": of.p }));
    tell("routines", routines.collect::<Vec<_>>().into());
    tell("lines", lines.collect::<Vec<_>>().into());
    let code = comparison.code.iter().map(|row| {
        json!({
            "routine": row.routine, "routine_b": row.routine_b, "file": row.file, "lines": row.numbers, "ms": row.ms,
            "change_ms": row.change_ms(), "half_width_ms": row.half_width_ms, "samples": row.samples,
            "sure": row.is_sure, "phase": row.phase.map(|at| at + 1),
        })
    });
    tell("code", code.collect::<Vec<_>>().into());
    tell("objects", comparison.objects.iter().map(object_json).collect::<Vec<_>>().into());
    tell("sources", comparison.sources.iter().map(source_json).collect::<Vec<_>>().into());
    format!("{:#}\n", Value::Object(all))
}

/// A data object of both sides.
fn object_json(row: &ObjectRow) -> Value {
    let cost_change = row.cost_change.map(|(change, _)| change);
    json!({
        "object": row.name, "object_b": row.name_b, "kind": row.kind.name(), "bytes": row.bytes, "loads": row.loads,
        "stores": row.stores, "shares": row.shares, "share_half_width": row.share_half_width,
        "share_sure": row.is_share_sure, "costs": row.costs, "cost_change": cost_change,
        "cost_interval": row.cost_change.map(|(_, interval)| interval), "cost_sure": row.is_cost_sure,
        "walks": { "loads": row.walks.each_ref().map(|of| &of[0]), "stores": row.walks.each_ref().map(|of| &of[1]) },
    })
}

/// A file whose text is known of both sides, with what they do not have in common.
fn source_json(file: &FileOfBoth) -> Value {
    let time = |time: &SampledTime| {
        json!({
            "ms": time.ms, "change_ms": time.change_ms(), "half_width_ms": time.half_width_ms,
            "samples": time.samples,
        })
    };
    let hunk = |hunk: &Hunk| {
        let mut of = time(&hunk.time);
        of["lines"] = json!(file.numbers_of(hunk));
        of["moved"] = file.is_moved(hunk).into();
        of
    };
    let mut of = time(&file.time);
    of["file"] = file.file.as_str().into();
    of["hunks"] = file.hunks.iter().map(hunk).collect::<Vec<_>>().into();
    of
}

/// The picture, with the sentences over it.
pub fn comparison_svg(compared: &Compared, view: &ComparedView, words: &[String]) -> Exported {
    let svg = compared_svg(compared, view, words);
    Exported { name: "comparison.svg".to_owned(), bytes: svg.into_bytes() }
}
