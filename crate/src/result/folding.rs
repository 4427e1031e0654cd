use super::code::{Alignment, Context, Lines, Place, Stretch};
use super::models::MissingModel;
use super::references::{DataObject, Stream};
use super::table::ratio;
use crate::model::Model;
use crate::trace::Provenance;

/// Everything that is known of one region: its groups, their curves and their code.
#[derive(Clone, Debug, PartialEq)]
pub struct Folding {
    /// Version of this encoding; see [`Folding::VERSION`].
    pub version: u32,
    /// The trace that was folded.
    pub trace: TraceSummary,
    /// The region as `TYPE:VALUE`, in the words of the trace, e.g. `User function:main`.
    pub region: String,
    /// Every group with at least one instance, by increasing duration.
    pub groups: Vec<Group>,
    /// Number of the group shown first: the most populated one, the longer of two alike.
    pub shown: u32,
    /// What was odd but harmless, in the trace and in the folding.
    pub notices: Vec<FoldingNotice>,
    /// Formulas that the counters allow: models and a person's expressions.
    pub models: Vec<Model>,
    /// Models that they do not allow.
    pub missing_models: Vec<MissingModel>,
    /// Whether the curves came from a link, in 12-bit steps and without sample clouds.
    pub quantised: bool,
}

/// What a reader wants to know of a trace before its regions.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceSummary {
    /// Name of the file, e.g. `444.namd.prv`.
    pub name: String,
    /// Size of the file in bytes, as it lay on disk.
    pub size_bytes: u64,
    /// Nanoseconds from the start of the trace to its last record.
    pub duration_ns: u64,
    /// Threads that carry at least one event.
    pub threads: u32,
    /// Whether the trace says of itself that a generator made it.
    pub generated: bool,
    /// How sure its numbers are; the older versions do not tell.
    pub provenance: Provenance,
    /// Which part of it was read, in a sentence, if not the whole.
    pub partial: Option<String>,
}

/// Something odd but harmless: counted, its first place kept.
#[derive(Clone, Debug, PartialEq)]
pub struct FoldingNotice {
    /// What was found and what was done about it, one sentence.
    pub text: String,
    /// How often.
    pub count: u64,
    /// Where first, as `file:line`; empty where a place makes no sense.
    pub first: String,
}

/// One group of instances of a region, folded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// From 1, by increasing duration.
    pub number: u32,
    /// Instances in the group, kept or not.
    pub instances: u32,
    /// Instances that were folded: those within the limits of `outliers`.
    pub kept: u32,
    /// Mean duration of the kept instances in nanoseconds.
    pub mean_duration_ns: f64,
    /// Samples inside the kept instances.
    pub samples: u32,
    /// Each instance; empty in a folding that came from a link.
    pub rows: Vec<InstanceRow>,
    /// Durations in nanoseconds between which instances were folded; `None` if all were.
    pub limits_ns: Option<[f64; 2]>,
    /// How long its instances last.
    pub durations: Durations,
    /// What `x` counts.
    pub axis: Axis,
    /// One curve per counter, in the order of the trace's counters.
    pub curves: Vec<Curve>,
    /// Which kind of curve was taken, and why.
    pub fit: FitReport,
    /// Where rates change, by `at`.
    pub breaks: Vec<Break>,
    /// What lies between the breaks, in order, without a gap; empty if there is no break.
    pub phases: Vec<Phase>,
    /// Samples of the kept instances in each of as many equal cells of the axis.
    pub density: Vec<u32>,
    /// Stretches with too few samples for the detail that is shown: `[start, end]`, disjoint.
    pub sparse: Vec<[f64; 2]>,
    /// By how much the phases of an instance lie beside those of the curve, as a share of the
    /// region (root mean square); `None` where nothing tells.
    pub displacement: Option<f64>,
    /// Whether instructions as the axis, shown in time, would draw the phases sharper.
    pub better_over_instructions: bool,
    /// Whether samples were taken always at the same few places of the region.
    pub locked: bool,
    /// Routine names, the most sampled first; a routine's colour is its place here.
    pub routines: Vec<String>,
    /// Distinct code lines of all frames, by file and line; those that only an outer frame was at
    /// have no samples.
    pub places: Vec<Place>,
    /// Calling contexts, parents before their children.
    pub contexts: Vec<Context>,
    /// How well call-stacks could be joined.
    pub alignment: Alignment,
    /// Which place and context ran when.
    pub lines: Lines,
    /// Stretches of folded time in which a routine is on the call-stack: by start, then by level.
    pub stretches: Vec<Stretch>,
    /// Data objects that were referenced, by the place of their band from the bottom: by address.
    pub objects: Vec<DataObject>,
    /// How objects are walked through, by object, then by phase or routine.
    pub streams: Vec<Stream>,
}

/// One instance of a region.
#[derive(Clone, Debug, PartialEq)]
pub struct InstanceRow {
    /// Application, task and thread, each from 1.
    pub object: [u32; 3],
    pub start_ns: u64,
    pub duration_ns: u64,
    pub fate: Fate,
}

/// What became of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was folded.
    Used,
    /// Its duration is beyond the limits of `outliers`.
    Outlier,
    /// Its samples lie too far from the curve, or too near: left out by `prefilter`.
    Prefiltered,
}

/// How many instances of a group last how long.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Durations {
    /// Shortest and longest, in nanoseconds.
    pub least_ns: u64,
    pub most_ns: u64,
    /// Instances in each of as many equal steps from the shortest to the longest.
    pub kept: Vec<u32>,
    /// Those that were left out.
    pub rejected: Vec<u32>,
}

/// What the horizontal axis counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Axis {
    /// Time: the mean duration of the kept instances is the whole.
    #[default]
    Time,
    /// Events of a counter; `total` in a mean instance.
    Counter { name: String, total: f64 },
}

/// Which kind of curve was taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CurveKind {
    /// A smooth curve.
    #[default]
    Spline,
    /// Straight segments between breaks that all counters share.
    Segments,
}

/// Which kind of curve a group was given, and by how much it is the better one.
///
/// Source: `fit=auto`, in `ARCHITECTURE.md`, "Rules".
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FitReport {
    pub kind: CurveKind,
    /// Error of segments at instances that were held out, over that of the spline; `None` if they
    /// were not compared.
    pub ratio: Option<f64>,
    /// Breaks that the information criterion and the held-out error ask for.
    pub breaks_bic: u32,
    pub breaks_held_out: u32,
    /// Whether there are too few samples per counter to rely on the choice.
    pub uncertain: bool,
}

/// A moment of folded time at which rates change.
#[derive(Clone, Debug, PartialEq)]
pub struct Break {
    pub at: f64,
    /// Of its 95 % interval; 0 where nothing tells.
    pub half_width: f64,
    /// Indices into [`Group::curves`] of the counters whose rate changes there beyond doubt.
    pub changed: Vec<u32>,
    /// Whether a person put it there.
    pub by_hand: bool,
}

/// A stretch of folded time between two breaks.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    pub start: f64,
    pub end: f64,
    /// As a person named it; empty otherwise.
    pub name: String,
    /// Its most sampled line: index into [`Group::places`], which names the routine too.
    pub place: Option<u32>,
}

/// The rate of a counter in one phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhaseRate {
    /// Events per microsecond.
    pub rate: f64,
    /// Of its 95 % interval; 0 where nothing tells.
    pub half_width: f64,
}

/// The curve of one counter over folded time, on the grid `x_j = j/(points - 1)`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// As people know it, e.g. `PAPI_TOT_INS`.
    pub counter: String,
    /// The long name from the trace, e.g. `Instr completed`; may be empty.
    pub description: String,
    /// Whether it counts completed instructions, by which ratios are formed.
    pub instructions: bool,
    /// Kept instances that carry the counter throughout.
    pub instances: u32,
    /// Samples the curve was fitted to.
    pub used: u32,
    /// Samples of kept instances that `select` passed over.
    pub unused: u32,
    /// Samples of instances that `outliers` left out.
    pub excluded: u32,
    /// Events in a mean instance.
    pub mean_count: f64,
    /// Events per microsecond over a mean instance (millions per second).
    pub mean_rate: f64,
    /// The nugget of the fit, given or found; 0 for segments.
    pub nugget: f64,
    /// Finest detail that a spline shows, as a share of the region; 0 for segments.
    pub resolution: f64,
    /// Joules per event, if it counts energy.
    pub joules: Option<f64>,
    /// Share of the instance's events that have happened by `x_j`; 0 to 1, but for noise.
    pub fitted: Vec<f64>,
    /// Events per microsecond at `x_j` (millions per second).
    pub rate: Vec<f64>,
    /// Half widths of the 95 % band of `fitted` and of `rate`; empty where nothing tells.
    pub fitted_band: Vec<f64>,
    pub rate_band: Vec<f64>,
    /// Its rate in each of [`Group::phases`].
    pub phases: Vec<PhaseRate>,
    /// Where it changes if it is asked alone.
    pub own_breaks: Vec<f64>,
}

impl Folding {
    /// Version that this code writes. It reads every version up to it.
    pub const VERSION: u32 = 3;

    /// The group with this number, else the one shown first.
    pub fn group(&self, number: u32) -> Option<&Group> {
        let find = |n| self.groups.iter().find(|group| group.number == n);
        find(number).or_else(|| find(self.shown))
    }
}

impl Group {
    /// The curve of completed instructions, if the trace has one.
    pub fn instructions(&self) -> Option<&Curve> {
        self.curves.iter().find(|curve| curve.instructions)
    }

    /// Events of `curve` per instruction at each grid point; `None` where fewer than 1 % of the
    /// mean instruction rate leaves the ratio without meaning, and everywhere if no curve counts
    /// instructions.
    pub fn per_instruction(&self, curve: &Curve) -> Vec<Option<f64>> {
        let Some(instructions) = self.instructions() else {
            return vec![None; curve.rate.len()];
        };
        let ratio = |(&events, &ins): (&f64, &f64)| ratio(events, ins, instructions.mean_rate);
        curve.rate.iter().zip(&instructions.rate).map(ratio).collect()
    }
}

impl Fate {
    pub fn name(self) -> &'static str {
        match self {
            Self::Used => "used",
            Self::Outlier => "outlier",
            Self::Prefiltered => "prefiltered",
        }
    }

    /// What no version knows is taken as used.
    pub fn named(name: &str) -> Self {
        match name {
            "outlier" => Self::Outlier,
            "prefiltered" => Self::Prefiltered,
            _ => Self::Used,
        }
    }
}

impl CurveKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Spline => "spline",
            Self::Segments => "segments",
        }
    }

    /// What no version knows is a spline, as version 1 had no other.
    pub fn named(name: &str) -> Self {
        if name == "segments" { Self::Segments } else { Self::Spline }
    }
}
