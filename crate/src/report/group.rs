use serde::Serialize;

use super::activity::{ActivitySummary, activity};
use super::doubts::{Doubt, doubts};
use super::gauge::{GaugeSummary, gauges};
use super::objects::{ObjectSummary, StreamSummary, object_heads, objects, streams};
use super::phases::{BreakSummary, OwnBreaks, PhaseSummary, breaks, own_breaks, phases};
use super::{Column, Figure};
use crate::folding::{Axis, Curve, CurveKind, Durations, FitReport, Folding, Group};
use crate::model::Model;
use crate::paint;
use crate::quantity::{
    Kind, Quantity, count, duration, length_unit, number, percent, short, significant,
};

/// A group without its columns.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct GroupSummary {
    pub number: u32,
    pub instances: u32,
    pub kept: u32,
    /// What stands in the title line.
    pub facts: Facts,
    pub counters: Vec<CounterSummary>,
    pub routines: Vec<String>,
    pub has_source: bool,
    /// Whether code was sampled.
    pub has_code: bool,
    /// Whether routines lie under those that call them.
    pub has_callers: bool,
    pub has_address: bool,
    /// What threads do; `null` where it is not known.
    pub activity: Option<ActivitySummary>,
    /// What stands over the lane of memory controllers; `None` without it.
    pub gauges: Vec<GaugeSummary>,
    /// By address.
    pub objects: Vec<ObjectSummary>,
    /// What stands over each of their figures, and what that is.
    pub object_heads: [[&'static str; 2]; 5],
    pub streams: Vec<StreamSummary>,
    /// What puts all that is shown in doubt.
    pub doubts: Vec<Doubt>,
    /// Models that its counters allow.
    pub models: Vec<ModelSummary>,
    pub fit: FitSummary,
    pub phases: Vec<PhaseSummary>,
    /// Columns of [`PhaseSummary::figures`].
    pub columns: Vec<Column>,
    pub breaks: Vec<BreakSummary>,
    pub own_breaks: Vec<OwnBreaks>,
    pub durations: DurationsSummary,
    pub axis: AxisSummary,
    /// Stretches with too few samples.
    pub sparse: Vec<[f64; 2]>,
    /// How far the phases of one instance lie beside those of the curve, in words; empty where
    /// nothing tells.
    pub displacement: String,
    pub better_over_instructions: bool,
    /// Counters of energy, each with what it spends.
    pub energy: Vec<EnergyLine>,
}

/// The title line: counts, a duration, and the words behind them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Facts {
    pub kept: String,
    pub instances: String,
    /// Of the kept instances, with its unit.
    pub mean: String,
    /// Of a mean instance, where they are counted.
    pub instructions: Option<String>,
    /// How many, and what they are.
    pub samples: [String; 2],
    /// Share of the threads' time that computes; `null` where it is not known.
    pub efficiency: Option<String>,
}

/// A counter of a group.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct CounterSummary {
    pub counter: String,
    /// As analysts say it: `L2 misses`; `MIPS` for the rate of instructions.
    pub name: String,
    pub description: String,
    pub instructions: bool,
    /// Mean rate with its unit.
    pub mean: String,
    /// Mean power with its unit, if it counts energy and the axis is time.
    pub power: Option<String>,
    /// Samples that the curve was fitted to, those passed over, and those of instances left out.
    pub samples: [Figure; 3],
}

/// A model that can be shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct ModelSummary {
    pub name: String,
    pub title: String,
    pub source: String,
}

/// Which kind of curve is shown, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct FitSummary {
    /// `spline`, `segments`, `pieces` or `steps`.
    pub kind: String,
    pub words: String,
}

/// How many instances last how long.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct DurationsSummary {
    /// Shortest and longest, in nanoseconds.
    pub least_ns: f64,
    pub most_ns: f64,
    /// Durations in nanoseconds between which instances were folded; `null` if all were.
    pub limits_ns: Option<[f64; 2]>,
    /// Instances in each of as many equal steps.
    pub kept: Vec<u32>,
    pub rejected: Vec<u32>,
    pub words: String,
}

/// What `x` counts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct AxisSummary {
    /// `null` for time.
    pub counter: Option<String>,
    /// Over columns of lengths along it: `ms`, or the name of the counter.
    pub unit: String,
}

/// What a counter of energy tells of a mean instance.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct EnergyLine {
    pub counter: String,
    pub name: String,
    /// Power, energy and work.
    pub words: String,
}

/// What a page is told of `group`.
pub fn group(folding: &Folding, group: &Group) -> GroupSummary {
    let (columns, phases) = phases(group);
    GroupSummary {
        number: group.number,
        instances: group.instances,
        kept: group.kept,
        facts: facts(group),
        counters: group.curves.iter().map(|curve| counter(group, curve)).collect(),
        routines: group.routines.clone(),
        has_source: group.has_source(),
        has_code: !group.lines.x.is_empty(),
        has_callers: group.stretches.iter().any(|stretch| stretch.level > 0),
        has_address: paint::has_address(group),
        activity: activity(group),
        gauges: gauges(group),
        objects: objects(group),
        object_heads: object_heads(group),
        streams: streams(group),
        doubts: doubts(folding, group),
        models: models(folding, group),
        fit: fit(&group.fit),
        phases,
        columns,
        breaks: breaks(group),
        own_breaks: own_breaks(group),
        durations: durations(group),
        axis: AxisSummary {
            counter: match &group.axis {
                Axis::Time => None,
                Axis::Counter { name, .. } => Some(name.clone()),
            },
            unit: length_unit(group).to_owned(),
        },
        sparse: group.sparse.clone(),
        displacement: displacement(group),
        better_over_instructions: group.better_over_instructions,
        energy: group.curves.iter().filter_map(|curve| energy(group, curve)).collect(),
    }
}

fn whole(n: u32) -> String {
    number(f64::from(n), 0)
}

fn facts(group: &Group) -> Facts {
    let shown = group.instructions().or(group.curves.first());
    let samples = match shown {
        Some(curve) if curve.unused > 0 => {
            let all = whole(curve.used.saturating_add(curve.unused));
            [whole(curve.used), format!("of {all} samples used")]
        }
        _ => [whole(group.samples), "samples".to_owned()],
    };
    Facts {
        kept: whole(group.kept),
        instances: whole(group.instances),
        mean: duration(group.mean_duration_ns),
        instructions: group.instructions().map(|curve| count(curve.mean_count)),
        samples,
        efficiency: group.activity.as_ref().map(|activity| percent(activity.efficiency, 1)),
    }
}

fn counter(group: &Group, curve: &Curve) -> CounterSummary {
    let rate = Quantity::of(group, curve, Kind::Rate);
    let rate = rate.clone().sized(curve.mean_rate * rate.scale);
    let samples = [curve.used, curve.unused, curve.excluded];
    CounterSummary {
        counter: curve.counter.clone(),
        name: if rate.is_power() { short(&curve.counter).to_owned() } else { rate.name.clone() },
        description: curve.description.clone(),
        instructions: curve.instructions,
        mean: rate.text(curve.mean_rate),
        power: rate.is_power().then(|| rate.text(curve.mean_rate)),
        samples: samples.map(|samples| Figure::whole(f64::from(samples))),
    }
}

fn models(folding: &Folding, group: &Group) -> Vec<ModelSummary> {
    let possible = folding.models.iter().filter(|model| group.modelled(model).is_some());
    let summary = |Model { name, title, source, .. }: &Model| ModelSummary {
        name: name.clone(),
        title: if title.is_empty() { name.clone() } else { title.clone() },
        source: source.clone(),
    };
    possible.map(summary).collect()
}

/// A ratio of errors this near to 1 says that neither kind is nearer.
const ALIKE: f64 = 1.005;
/// Logarithm of odds of a million to one.
const BEYOND_DOUBT: f64 = 13.8;

fn fit(report: &FitReport) -> FitSummary {
    let kind = report.kind.name().to_owned();
    let doubt = match report.uncertain {
        true => " Uncertain: fewer than 100 samples per counter.",
        false => "",
    };
    if report.kind == CurveKind::Steps {
        let words = "Steps: mean rates between readings; their course in between is not known.";
        return FitSummary { kind, words: words.to_owned() };
    }
    let (name, other, are) = match report.kind {
        CurveKind::Segments => ("Segments", "the spline", "is"),
        CurveKind::Pieces => ("Smooth pieces", "the spline", "is"),
        CurveKind::Spline | CurveKind::Steps => ("Spline", "segments", "are"),
    };
    let nearer = report.error_ratio.map(|ratio| match report.kind {
        CurveKind::Spline => ratio,
        _ => 1.0 / ratio,
    });
    let words = match (report.log_odds, nearer) {
        (Some(log_odds), _) => {
            let how = if report.kind == CurveKind::Pieces { "smooth" } else { "straight" };
            let odds = match log_odds < BEYOND_DOUBT {
                true => format!(", odds of {} to 1", significant(libm::exp(log_odds), 2)),
                false => " that are beyond doubt".to_owned(),
            };
            format!("{name}: {how} between breaks{odds}.{doubt}")
        }
        (None, None) => format!("{name}.{doubt}"),
        (None, Some(times)) if times < ALIKE => {
            format!("{name}: {other} {are} not nearer in cross-validation.{doubt}")
        }
        (None, Some(times)) => {
            let times = significant(times, 3);
            format!("{name}: {times}× nearer than {other} in cross-validation.{doubt}")
        }
    };
    FitSummary { kind, words }
}

fn durations(group: &Group) -> DurationsSummary {
    let Durations { least_ns, most_ns, kept, rejected } = &group.durations;
    let (least_ns, most_ns) = (*least_ns as f64, *most_ns as f64);
    let left = group.instances.saturating_sub(group.kept);
    let instances = super::counted(u64::from(group.instances), "instance");
    let [least, most] = [least_ns, most_ns].map(duration);
    DurationsSummary {
        least_ns,
        most_ns,
        limits_ns: group.limits_ns,
        kept: kept.clone(),
        rejected: rejected.clone(),
        words: format!("Durations of {instances}, {least} to {most}; {} left out", whole(left)),
    }
}

fn displacement(group: &Group) -> String {
    let share = group.displacement.filter(|share| *share > 0.0);
    share.map_or_else(String::new, |share| {
        format!(
            "The phases of one instance lie ±{} ({}) beside those of the curve.",
            percent(share, 1),
            duration(share * group.mean_duration_ns)
        )
    })
}

/// Power, energy and work of a counter of energy.
fn energy(group: &Group, curve: &Curve) -> Option<EnergyLine> {
    let spent = curve.mean_count * curve.joules?;
    let rate = Quantity::of(group, curve, Kind::Rate);
    let rate = rate.clone().sized(curve.mean_rate * rate.scale);
    let work = group.instructions().filter(|_| spent > 0.0).map(|instructions| {
        format!(" · {} instructions per J", count(instructions.mean_count / spent))
    });
    let words = format!(
        "{} · {}\u{202f}J per instance{}",
        rate.text(curve.mean_rate),
        significant(spent, 3),
        work.unwrap_or_default()
    );
    Some(EnergyLine {
        counter: curve.counter.clone(),
        name: short(&curve.counter).to_owned(),
        words,
    })
}
