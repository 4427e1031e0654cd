//! All settings, a row each, under the headings and in the order in which the page shows them.
//!
//! A new setting is one more row here, and its use in the pipeline.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::form::{Decimal, Form, List, Names, Number, Or, Own, Text, YesOrNo};
use super::stage::Stage;
use crate::instance::{
    BurstsFrom, DurationRange, EPS, Grouping, Holds, InstanceNumbers, MOST_SAMPLES, Objects,
    Outliers, PassBegin, Select,
};
use crate::performance::{Along, Borders, Ends, EnergyCounters, Fit, Nugget, PhaseNames, PhasesOf};
use crate::source::{Align, Shortest};
use crate::trace::ChoiceError;

/// A setting: how its text is put into [`Settings`] and taken out.
pub struct Row {
    /// The name of its field.
    pub key: &'static str,
    /// Where in the pipeline it acts first.
    pub stage: Stage,
    pub read: fn(&mut Settings, &str) -> Result<(), ChoiceError>,
    pub write: fn(&Settings) -> String,
}

/// A setting as a person meets it. Apart from its [`Row`], so that the engine, which shows none, has
/// no words.
pub struct Words {
    pub theme: &'static str,
    pub label: &'static str,
    pub help: &'static str,
    pub placeholder: &'static str,
    /// Values to pick, each with the words for it.
    pub choices: &'static [(&'static str, &'static str)],
}

/// One that a row does not name acts on everything.
macro_rules! stage {
    () => {
        Stage::Counters
    };
    ($stage:ident) => {
        Stage::$stage
    };
}

/// From the table below: [`Settings`] with a field for each row, their defaults, [`ROWS`] and
/// [`WORDS`].
macro_rules! settings {
    ($($theme:literal { $(
        $(#[$doc:meta])*
        $key:ident {
            value: $type:ty = $default:expr,
            text: $form:expr,
            $(stage: $stage:ident,)?
            label: $label:literal,
            placeholder: $placeholder:literal,
            help: $help:literal,
            $(choices: [$($choice:expr),* $(,)?],)?
        }
    )* })*) => {
        /// Checked choices; what a stage gets is its own type, with nothing left to distrust.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(try_from = "BTreeMap<String, String>", into = "BTreeMap<String, String>")]
        pub struct Settings {
            $($(#[doc = $help] $(#[$doc])* pub $key: $type,)*)*
        }

        impl Default for Settings {
            fn default() -> Self {
                Self { $($($key: $default,)*)* }
            }
        }

        pub const ROWS: &[Row] = &[$($(Row {
            key: stringify!($key),
            stage: stage!($($stage)?),
            read: |settings, text| {
                settings.$key = $form.read(text)?;
                Ok(())
            },
            write: |settings| $form.write(&settings.$key),
        },)*)*];

        /// As many as [`ROWS`].
        pub const WORDS: &[Words] = &[$($(Words {
            theme: $theme,
            label: $label,
            help: $help,
            placeholder: $placeholder,
            choices: &[$($($choice),*)?],
        },)*)*];
    };
}

const TIME: &str = "nanoseconds from the start of the trace";
const REFRESH: &str = "auto or a number of nanoseconds such as 1000000";
const ALIKE: &str = "a number from 0 to 10 such as 0.1";
const SHARE: &str = "a share of the region from 0.001 to 0.3 such as 0.01";

settings! {
    "Region" {
        /// `None` for the one shown at first.
        region {
            value: Option<String> = None, text: Or("", Text),
            label: "Region", placeholder: "User function:main",
            help: "The repeated code that is folded: TYPE:VALUE, TYPE:* for any value of a type, \
                   or TYPE for every value in turn.",
        }
    }
    "Repetition" {
        bursts {
            value: BurstsFrom = BurstsFrom::Auto, text: Own,
            label: "Bursts from", placeholder: "states",
            help: "What tells when a thread computes: states, or what lies between its calls of a \
                   runtime, where files may be read and written or not.",
            choices: [
                ("auto", "states, else calls"),
                ("states", "states"),
                ("calls", "calls"),
                ("calls+io", "calls, and reading or writing"),
            ],
        }
        // Beyond 10 nothing is unlike anything: e¹⁰ is a factor of 22,000.
        eps {
            value: f64 = EPS, text: Decimal(0.0..=10.0, ALIKE),
            label: "Alike within", placeholder: "0.1",
            help: "How far apart bursts of one cluster may be: 0.1 is 10 % in instructions or in \
                   speed.",
        }
        /// `None` for where most passes are whole.
        boundary {
            value: Option<PassBegin> = None, text: Or("", Own),
            label: "Iterations begin", placeholder: "after MPI_Allreduce · 214 (lulesh.cc)",
            help: "Where a pass of a loop begins: from or after one of its calls, as the list of \
                   regions names them; empty for where most passes are whole.",
        }
    }
    "Instances" {
        group {
            value: Grouping = Grouping::Auto, text: Own,
            label: "Group", placeholder: "dbscan:8:0.01",
            help: "How instances are told apart; each group is folded by itself: by modes of their \
                   durations that stand apart, by gaps between durations as the reference does, by \
                   density, or by:COUNTER, by modes of what each counted of a counter.",
            choices: [
                ("auto", "automatic"),
                ("none", "none"),
                ("gaps", "by gaps, the reference"),
                ("dbscan:8:auto", "density (8, automatic)"),
                ("dbscan:8:0.01", "density (8, 0.01)"),
            ],
        }
        outliers {
            value: Outliers = Outliers::Median(3.0), text: Own,
            label: "Leave out", placeholder: "median:3",
            help: "Instances of unusual duration that are not folded, within each group. Of \
                   iterations, unless groups are chosen, those beyond a factor 2 of the median.",
            choices: [
                ("median:3", "beyond median ± 3 MAD"),
                ("median:1.5", "beyond median ± 1.5 MAD, the reference"),
                ("mean:2", "beyond mean ± 2 deviations"),
                ("logmad:3", "beyond 3 deviations of the logarithms"),
                ("factor:2", "beyond a factor 2 of threads’ medians"),
                ("none", "nothing"),
            ],
        }
        prefilter {
            value: bool = false, text: YesOrNo,
            label: "Compare first", placeholder: "no",
            help: "Whether instances are left out too whose samples lie unlike those of the \
                   others, judged counter by counter by a first fit.",
            choices: [("no", "no"), ("yes", "yes, the reference offers it for energy")],
        }
        objects {
            value: Objects = Objects::default(), text: Own,
            label: "Objects", placeholder: "*.*.*",
            help: "Application, task and thread whose instances are taken; * stands for any.",
        }
        /// In nanoseconds; `None` for the start of the trace.
        from {
            value: Option<u64> = None, text: Or("", Number(0..=u64::MAX, TIME)),
            label: "From (ns)", placeholder: "start of the trace",
            help: "Earliest start of an instance.",
        }
        /// In nanoseconds; `None` for the end of the trace.
        to {
            value: Option<u64> = None, text: Or("", Number(0..=u64::MAX, TIME)),
            label: "To (ns)", placeholder: "end of the trace",
            help: "Latest start of an instance.",
        }
        durations {
            value: DurationRange = DurationRange::default(), text: Own,
            label: "Durations (ns)", placeholder: "1000000..2500000",
            help: "Shortest and longest duration of an instance that is taken, before they are \
                   grouped.",
        }
        instances {
            value: InstanceNumbers = InstanceNumbers::default(), text: Own,
            label: "Numbers", placeholder: "1-50,60",
            help: "Numbers of the instances that are taken, from 1 in the order of the trace; \
                   empty for all.",
        }
    }
    "Fit" {
        /// Of each group; `None` for all.
        samples {
            value: Option<u64> = Some(MOST_SAMPLES),
            text: Or("all", Number(1..=u64::MAX, "all or a number of samples such as 524288")),
            label: "Most samples", placeholder: "524288",
            help: "Most samples of a group that are folded: of more, one in so many instances \
                   shows its samples, and all of them count for the totals.",
            choices: [("65536", "65 536"), ("524288", "524 288"), ("all", "all")],
        }
        select {
            value: Select = Select::All, text: Own,
            label: "Samples", placeholder: "distance:500",
            help: "Which samples the curves are fitted to.",
            choices: [
                ("all", "all"),
                ("distance:500", "500, evenly spread"),
                ("first:500", "first 500"),
            ],
        }
        fit {
            value: Fit = Fit::Auto, text: Own,
            stage: Curves,
            label: "Curve", placeholder: "auto",
            help: "A smooth curve, straight segments between breaks, or both in one: smooth, with \
                   breaks where a rate likelier jumps than not.",
            choices: [
                ("auto", "automatic"),
                ("kriging", "spline (kriging)"),
                ("segments", "segments"),
                ("steps", "steps between readings"),
            ],
        }
        nugget {
            value: Nugget = Nugget::Auto, text: Own,
            stage: Curves,
            label: "Smoothing", placeholder: "0.0001",
            help: "The nugget of kriging: automatic (REML, per counter), or a number; larger is \
                   smoother.",
            choices: [("auto", "automatic"), ("0.0001", "1e-4, the reference"), ("0.01", "1e-2")],
        }
        /// `None` for the nugget.
        resolution {
            value: Option<f64> = None, text: Or("", Decimal(0.001..=0.3, SHARE)),
            stage: Curves,
            label: "Resolution", placeholder: "0.01",
            help: "Finest detail of a smooth curve as a share of the region, in place of the \
                   smoothing.",
        }
        /// `true`: it may not.
        monotone {
            value: bool = true, text: YesOrNo,
            stage: Curves,
            label: "Falling rates", placeholder: "yes",
            help: "Whether a smooth curve may fall, and its rate be negative, where samples say \
                   so.",
            choices: [("yes", "not allowed"), ("no", "allowed, the reference")],
        }
        ends {
            value: Ends = Ends::Exact, text: Own,
            stage: Curves,
            label: "Ends", placeholder: "exact",
            help: "Whether curves go through the two corners exactly, or take them as two more \
                   samples.",
            choices: [("exact", "exact"), ("soft", "soft, the reference")],
        }
        /// `None` for time.
        x {
            value: Option<Along> = None, text: Or("time", Own),
            label: "Axis", placeholder: "PAPI_TOT_INS",
            help: "What the horizontal axis counts: time, or the events of a counter; rates are \
                   then per event of it. NAME:time finds phases over its events and shows them in \
                   time.",
            choices: [("time", "time")],
        }
        points {
            value: u32 = 1000, text: Number(2..=100_000, "a number of points from 2 to 100000"),
            stage: Curves,
            label: "Points", placeholder: "1000",
            help: "Points of the output grid.",
        }
        /// In the order asked for; `None` for all.
        counters {
            value: Option<Vec<String>> = None, text: Names,
            label: "Counters", placeholder: "PAPI_TOT_INS,PAPI_TOT_CYC",
            help: "Names between commas; empty for all.",
        }
    }
    "Levels" {
        holds {
            value: Holds = Holds::Next, text: Own,
            label: "A reading holds", placeholder: "next",
            help: "Of which time a reading of a level tells, such as a temperature or a bandwidth: of \
                   that until the next reading, as Paraver has it, of that since the previous, or between \
                   two readings their mean.",
            choices: [("next", "until the next"), ("previous", "since the previous"), ("mean", "the mean of both")],
        }
    }
    "Models" {
        /// In the order asked for; `None` for all that the counters allow.
        models {
            value: Option<Vec<String>> = None, text: Names,
            stage: Code,
            label: "Models", placeholder: "architecture-impact",
            help: "Names of models between commas, or none; empty for all that the counters allow.",
        }
        /// As a person types them: `NAME=FORMULA`, or a formula alone.
        expressions {
            value: Vec<String> = vec![], text: List(';'),
            stage: Code,
            label: "Formulas", placeholder: "traffic=PAPI_L3_TCM*64/PAPI_TOT_INS",
            help: "Formulas of counters between semicolons, each with a name before it or without.",
        }
    }
    "Energy" {
        energy {
            value: EnergyCounters = EnergyCounters::default(), text: Own,
            label: "Energy counters", placeholder: "BOARD_ENERGY:0.001",
            help: "Counters of energy beside those known by their names, each with its joules per \
                   count; none to take no counter for one.",
            choices: [("", "by name"), ("none", "none")],
        }
        /// In nanoseconds; `None` to find out.
        refresh {
            value: Option<u64> = None, text: Or("auto", Number(1..=u64::MAX, REFRESH)),
            label: "Refreshed after (ns)", placeholder: "1000000",
            help: "How often registers of energy are refreshed: found out where they are read \
                   faster than that, 1 ms for those of processors, or so many nanoseconds.",
            choices: [("auto", "automatic"), ("1000000", "1 ms")],
        }
    }
    "Source" {
        align {
            value: Align = Align::default(), text: Own,
            stage: Code,
            label: "Call-stacks", placeholder: "chain",
            help: "How callers beyond the captured frames are found: from the samples nearest in \
                   time, or on the routine that most samples have, as published. Complete \
                   call-stacks need neither.",
            choices: [("chain", "from the nearest samples"), ("pivot", "on a pivot, as published")],
        }
        routines {
            value: Shortest = Shortest::default(), text: Own,
            stage: Code,
            label: "Shortest routine", placeholder: "percent:1",
            help: "Shortest stretch of a routine that is shown: percent of the region, nanoseconds \
                   of a mean instance, or samples. Shorter ones come up where one looks closer.",
            choices: [
                ("percent:2.5", "2.5 % of the region"),
                ("percent:1", "1 %"),
                ("samples:7", "7 samples"),
            ],
        }
    }
    "Phases" {
        phases {
            value: PhasesOf = PhasesOf::Joint, text: Own,
            stage: Curves,
            label: "Decided by", placeholder: "joint",
            help: "Whose breaks divide the region: those of all counters together, or of one.",
            choices: [("joint", "all counters")],
        }
        breaks {
            value: Borders = Borders::default(), text: Own,
            stage: Curves,
            label: "Borders", placeholder: "1:0.25,0.5",
            help: "Borders of phases put by hand, by group, as shares of the region.",
        }
        names {
            value: PhaseNames = PhaseNames::default(), text: Own,
            stage: Code,
            label: "Names", placeholder: "1:1=set-up,2=solve",
            help: "Names of phases by group.",
        }
    }
}
