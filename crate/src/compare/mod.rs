//! Before and after: which changes between two sides of runs are beyond doubt.
//!
//! A change is `ln(B/A)`: A with B mirrors B with A. What is compared of a run is a [`Run`], its phases are
//! put together by [`canonical`], laid beside those of another by [`matched`], and what became of them is
//! told by [`structure`]. How much runs of one program differ is [`effects`], and what is told [`holm`] and
//! [`benjamini_hochberg`] decide; [`compare`] does all of it.

mod aligned;
mod appeared;
mod borders;
mod by_hand;
mod canonical;
mod clusters;
mod chosen;
mod code;
mod comparison;
mod counters;
mod covers;
mod decision;
mod difference;
mod effects;
mod line_map;
mod lines;
mod matching;
mod measures;
mod names;
mod objects;
mod parts;
mod referenced;
mod regions;
mod run;
mod sampled;
mod series;
mod similarity;
mod sources;
mod stretch;
mod structure;
mod text_diff;
mod whole;
mod words;

pub use aligned::{Aligned, Along, Piece};
pub use appeared::Appeared;
pub use by_hand::{ByHand, check_by_hand};
pub use canonical::canonical;
pub use chosen::{are_grouped_unlike, is_cut, is_smooth, largest};
pub use clusters::{ClusterRow, Clustered, clusters};
pub use code::{LineRow, lines_of_both};
pub use comparison::{
    Comparison, NotCompared, PhaseRow, Row, StructureRow, Verdict, Wanted, compare, compare_by_hand,
};
pub use counters::{CounterRow, Of};
pub use decision::{Change, benjamini_hochberg, holm};
pub use difference::{Difference, Differing};
pub use effects::{Between, Effects, Sides, change_of, effects, within_of};
pub use line_map::{Kin, LineMap, MappedLine};
pub use lines::{Moved, moved};
pub use matching::{Pair, matched};
pub use measures::{Measure, Measured, energy_counters};
pub use names::values_in;
pub use objects::ObjectRow;
pub use parts::{Part, Parts, Spent, parts};
pub use referenced::RunObject;
pub use regions::{RegionRow, RegionSpent, Waterfall, waterfall};
pub use run::{Counter, Place, Run, Unfit};
pub use sampled::SampledTime;
pub use series::{Beside, Series, SeriesError, SeriesRow, Trend, Values, series};
pub use similarity::similarity;
pub use sources::{FileOfBoth, Hunk, LineOfBoth};
pub use stretch::Stretch;
pub use structure::{Kind, Note, structure};
pub use text_diff::beside;
pub use whole::WholeRun;
pub use words::{Sentence, sentences, series_sentences, told};
