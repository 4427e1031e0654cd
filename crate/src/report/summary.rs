use serde::Serialize;

use super::GroupSummary;
use super::group::group;
use crate::folding::{Folding, FoldingNotice, MissingModel};
use crate::quantity::number;
use crate::trace::Notice;

/// Trace, region, groups and counters of a folding, without its columns.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    pub trace: TraceFacts,
    /// As `TYPE:VALUE`.
    pub region: String,
    /// Number of the group shown first.
    pub shown: u32,
    /// Whether it came from a link.
    pub quantised: bool,
    pub notices: Vec<NoticeLine>,
    pub groups: Vec<GroupSummary>,
    /// Models that the counters do not allow.
    pub missing_models: Vec<MissingLine>,
}

/// What is known of the trace.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct TraceFacts {
    pub name: String,
    /// Of its files.
    pub size_bytes: u64,
    pub generated: bool,
    /// How sure the numbers are, sentence by sentence.
    pub provenance: Vec<String>,
    /// If only a part of the trace is in the picture: how much, and why.
    pub partial: Option<String>,
}

/// Something odd but harmless.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct NoticeLine {
    pub text: String,
    /// ` 3 times`; empty for once.
    pub often: String,
    /// `file:line` of the first, or empty.
    pub first: String,
}

/// A model that the counters do not allow.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct MissingLine {
    pub title: String,
    /// What is missing: a few counters by name, else how many.
    pub without: String,
    /// All that is missing.
    pub counters: String,
}

/// More missing counters than this are counted, not named.
const FEW_COUNTERS: usize = 3;

/// What stands beside the picture of `folding`.
pub fn summary(folding: &Folding) -> Summary {
    let trace = &folding.trace;
    Summary {
        trace: TraceFacts {
            name: trace.name.clone(),
            size_bytes: trace.size_bytes,
            generated: trace.generated,
            provenance: trace.provenance.sentences(),
            partial: trace.partial.clone(),
        },
        region: folding.region.clone(),
        shown: folding.shown,
        quantised: folding.quantised,
        notices: folding.notices.iter().map(notice).collect(),
        groups: folding.groups.iter().map(|each| group(folding, each)).collect(),
        missing_models: folding.missing_models.iter().map(missing).collect(),
    }
}

fn notice(FoldingNotice { text, count, first }: &FoldingNotice) -> NoticeLine {
    NoticeLine { text: text.clone(), often: often(*count), first: first.clone() }
}

/// What was odd in a trace of which nothing is folded yet.
pub fn trace_notice(Notice { text, count, first }: &Notice) -> NoticeLine {
    NoticeLine { text: text.clone(), often: often(*count), first: first.to_string() }
}

/// ` 3 times`; empty for once.
pub fn often(count: u64) -> String {
    if count > 1 { format!(" {} times", number(count as f64, 0)) } else { String::new() }
}

fn missing(MissingModel { title, counters }: &MissingModel) -> MissingLine {
    let names = counters.iter().map(|names| names.split('|').collect::<Vec<_>>().join(" or "));
    let names = names.collect::<Vec<_>>().join(", ");
    let without = match counters.len() {
        many if many > FEW_COUNTERS => format!("{} counters", number(many as f64, 0)),
        _ => names.clone(),
    };
    MissingLine { title: title.clone(), without, counters: names }
}
