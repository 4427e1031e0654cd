//! A folding in words and printed numbers, as a page shows it and a screen reader tells it.
//!
//! Every name, unit and number that stands beside a picture is made here, in the units of
//! [`crate::quantity`]; whoever shows it adds nothing and knows no unit. The values are plain structs:
//! their fields are the fields of the page's objects, whose types are generated from them.

mod figure;
mod activity;
mod gauge;
mod columns;
mod counters;
mod course;
mod compared;
mod certainty;
mod summary;
mod group;
mod phases;
mod code;
mod objects;
mod profile;
mod table;
mod moment;
mod range;
mod stretch;
mod energy;
mod doubts;
mod lanes;
mod instances;
mod regions;
mod run;
mod recheck;
mod series;
mod shared;
mod source_file;

pub use activity::{ActivityKey, ActivitySummary};
pub use certainty::{Certainty, certainty};
pub use code::{Code, ContextRow, LineRow, RoutineRow, code};
pub use columns::Column;
pub use compared::{
    BothLine, BothPiece, BothSources, BothTimes, ComparedCounter, ComparedLine, ComparedObject,
    ComparedRow, ComparedSentence, ComparedSummary, Tone, WholeRow, WholeTable, compared,
    compared_at, cost_in_words, name_of_object, objects as compared_objects, place_of_hunk,
    place_of_line, routine_of_line, sources as compared_sources, walks_in_words,
};
pub use counters::{CounterChoice, CounterChoices, CounterFamily, counter_choices};
pub use course::{CourseRange, CourseSummary, course, course_range, instance_near};
pub use energy::{Above, above_limit};
pub use figure::Figure;
pub use gauge::{GaugeKey, GaugeSummary};
pub use group::{CounterSummary, GroupSummary};
pub use instances::{InstanceLine, Instances, instances};
pub use lanes::{Lane, words};
pub use moment::{ComponentAt, Moment, Near, Under, moment};
pub use objects::{ObjectSummary, StreamSummary, objects_between};
pub use phases::{BreakSummary, OwnBreaks, PhaseSummary};
pub use profile::{
    BesideAsked, BesideBy, BesidePair, BesideRow, BesideTable, By, CostlyLine, Over, OverTimeTable,
    PickedLine, PickedNode, ProfileRow, ProfileSummary, QualityCell, Rows, RowsAsked,
    UserEventLine, beside, costly, interval, over_time, picked, profile, room_to_fold,
    rows as profile_rows, user_events,
};
pub use range::{CounterBetween, LineBetween, ObjectBetween, RangeSummary, of_range, range};
pub use recheck::{Comparison, Difference, Recheck, compare, recheck};
pub use regions::{RegionLine, Regions, regions};
pub use run::{
    Brushed, EfficiencyLine, EfficiencySummary, PartLine, RunLine, RunSummary, ScalingSummary,
    brushed, heading, rates, run, scaling, thread,
};
pub use series::{SeriesRowTold, SeriesSummary, series};
pub use shared::shared;
pub use source_file::{FileLine, SourceReport, files, source_file};
pub use stretch::{Stretch, StretchOf, stretch};
pub use summary::{NoticeLine, Summary, summary, trace_notice};
pub use table::{Table, table};

use crate::folding::Group;
use crate::quantity::is_start_up;

/// Callers that are named of one context, the innermost ones.
const MOST_CALLERS: usize = 64;

/// The routines that call the last one of a context, from the root without start-up code; of very
/// many the innermost.
fn callers(group: &Group, context: Option<u32>) -> Vec<String> {
    let routines = context.map_or_else(Vec::new, |context| group.callers(context));
    let above = routines.split_last().map_or(&[][..], |(_, above)| above);
    let start_up = above.iter().take_while(|index| is_start_up(group.routine(**index)));
    let left_out = start_up.count().max(above.len().saturating_sub(MOST_CALLERS));
    above.iter().skip(left_out).map(|index| group.routine(*index).to_owned()).collect()
}

/// `X › Y › Z [n]`, from the outermost routine on; without the line where it is not known.
fn path(callers: &[String], routine: &str, line: Option<u32>) -> String {
    let routines = callers.iter().map(String::as_str).chain([routine]).collect::<Vec<_>>();
    let line = line.map(|line| format!(" [{line}]")).unwrap_or_default();
    routines.join(" › ") + &line
}

/// One word or two: `1 notice`, `2 notices`.
fn counted(n: u64, word: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {word}{plural}", crate::quantity::number(n as f64, 0))
}
