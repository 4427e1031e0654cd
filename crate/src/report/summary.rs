use serde::Serialize;

use super::GroupSummary;
use super::group::group;
use crate::folding::{Folding, FoldingNotice, MissingModel, RegionKind};
use crate::quantity::{self, number};
use crate::trace::Notice;

/// Trace, region, groups and counters of a folding, without its columns.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    pub trace: TraceFacts,
    /// As `TYPE:VALUE`.
    pub region: String,
    /// What it is called beside its pictures.
    pub title: String,
    /// Whether its instances are bursts: they compute, and nothing else is told of them.
    pub bursts: bool,
    /// Number of the group shown first.
    pub shown: u32,
    /// Whether it came from a link.
    pub quantised: bool,
    pub notices: Vec<NoticeLine>,
    pub groups: Vec<GroupSummary>,
    /// How many there are, those that a link had no room for too.
    pub all_groups: u32,
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
        title: quantity::title(&folding.region, folding.kind),
        bursts: matches!(folding.kind, RegionKind::Cluster | RegionKind::Burst),
        shown: folding.shown,
        quantised: folding.quantised,
        notices: folding.notices.iter().map(notice).collect(),
        groups: folding.groups.iter().map(|each| group(folding, each)).collect(),
        all_groups: folding.groups.len() as u32 + folding.groups_left_out,
        missing_models: folding.missing_models.iter().map(missing).collect(),
    }
}

fn notice(FoldingNotice { text, count, first, groups }: &FoldingNotice) -> NoticeLine {
    let (often, first) = match groups.as_slice() {
        [] => (often(*count), first.clone()),
        groups => (String::new(), words_of_groups(groups)),
    };
    NoticeLine { text: text.clone(), often, first }
}

/// `group 2`, `groups 1–3, 5 and 9`: of rising numbers.
fn words_of_groups(groups: &[u32]) -> String {
    let runs = groups.chunk_by(|a, b| a + 1 == *b).filter_map(|run| run.first().zip(run.last()));
    let words = runs.map(|(first, last)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first}\u{2013}{last}"),
    });
    let words = words.collect::<Vec<_>>().join(", ");
    let plural = if groups.len() > 1 { "s" } else { "" };
    match words.rsplit_once(", ") {
        Some((before, last)) => format!("group{plural} {before} and {last}"),
        None => format!("group{plural} {words}"),
    }
}

/// What was odd in a trace of which nothing is folded yet.
pub fn trace_notice(Notice { text, count, first, .. }: &Notice) -> NoticeLine {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_about_groups_names_them_in_place_of_how_often() {
        let told = |count, first: &str, groups: &[u32]| {
            let notice = FoldingNotice {
                text: "Few.".to_owned(),
                count,
                first: first.to_owned(),
                groups: groups.to_vec(),
            };
            let NoticeLine { often, first, .. } = super::notice(&notice);
            (often, first)
        };
        for (groups, words) in [
            (&[2][..], "group 2"),
            (&[1, 2], "groups 1 and 2"),
            (&[1, 3, 4], "groups 1, 3 and 4"),
            (&[1, 2, 3], "groups 1\u{2013}3"),
            (&[1, 2, 3, 5, 7, 8, 9, 10], "groups 1\u{2013}3, 5 and 7\u{2013}10"),
        ] {
            assert_eq!(
                told(groups.len() as u64, "group 1", groups),
                (String::new(), words.to_owned())
            );
        }
        assert_eq!(told(3, "a.prv:7", &[]), (" 3 times".to_owned(), "a.prv:7".to_owned()));
    }
    #[test]
    fn a_few_missing_counters_are_named_and_more_are_counted() {
        let without = |counters: &[&str]| {
            let counters = counters.iter().map(|name| (*name).to_owned()).collect();
            let line = missing(&MissingModel { title: "Mix".to_owned(), counters });
            (line.without, line.counters)
        };
        let few = "A or B, C, D".to_owned();
        assert_eq!(without(&["A|B", "C", "D"]), (few.clone(), few));
        assert_eq!(
            without(&["A", "B", "C", "D"]),
            ("4 counters".to_owned(), "A, B, C, D".to_owned())
        );
    }
}
