//! What the page is told of an opened trace.

use serde::Serialize;
use tsify::Tsify;

use crate::instance::{self, CatalogueRow};
use crate::report::{self, NoticeLine, Regions};
use crate::trace::{EventType, Kind, Origin, Thread, Trace};

/// What the page is told of an opened trace.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub struct Opened {
    name: String,
    size_bytes: u64,
    /// The region shown first, if there is any.
    pub(super) first: Option<String>,
    /// Whether that region answers, so that nothing else need be looked for.
    answers: bool,
    /// Whether any event or state is known of its threads.
    holds: bool,
    /// Whether calls or states tell what threads do.
    has_run: bool,
    /// Whether calls of a runtime do.
    has_calls: bool,
    /// Whether something may be read beside the program: a level, or anything by another application.
    has_gauges: bool,
    /// Whether a region is looked at first, not the run: it is sampled and covers enough of the run, or
    /// nothing else is known of that.
    region_first: bool,
    /// Why nothing but a region is looked at; `None` if all can be.
    region_alone: Option<String>,
    /// Whether more of the trace may have come since.
    grows: bool,
    regions: Regions,
    notices: Vec<NoticeLine>,
}

const REGION_ALONE: &str =
    "This needs the trace: a part of a fold has the samples of one region alone.";

impl Opened {
    pub(super) fn of(trace: &Trace, rows: &[CatalogueRow]) -> Self {
        let first = instance::chosen_first(rows);
        Self {
            name: trace.name.clone(),
            size_bytes: trace.size_bytes,
            first: first.map(|first| first.region.to_owned()),
            answers: first.is_some_and(|first| first.answers),
            holds: trace.threads.iter().any(Thread::is_known),
            has_run: has_run(trace),
            has_calls: has_calls(trace),
            has_gauges: has_gauges(trace),
            region_first: first.is_some_and(|first| first.is_sampled)
                || rows.iter().all(|row| row.kind.is_of_events()),
            region_alone: trace.reduced.as_ref().map(|_| REGION_ALONE.to_owned()),
            grows: trace.reduced.as_ref().is_some_and(|of| of.grows),
            regions: report::regions(rows),
            notices: trace.notices.iter().map(report::trace_notice).collect(),
        }
    }
}

fn has_run(trace: &Trace) -> bool {
    let mut threads = trace.threads.iter();
    has_calls(trace) || threads.any(|thread| !thread.running_ns().is_empty())
}

fn has_gauges(trace: &Trace) -> bool {
    let applications = trace.threads.iter().map(|thread| thread.object.application);
    applications.max() > Some(1) || instance::levels(trace).contains(&true)
}

fn has_calls(trace: &Trace) -> bool {
    let is_call = |known: &EventType| matches!(known.kind, Kind::Region(_, Origin::Runtime(_)));
    trace.types.iter().any(is_call)
}
