//! What the page needs to offer the settings, so that no key, default or help is typed twice.

use serde::Serialize;

use super::Settings;
use crate::order;

/// One setting as a person meets it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Key {
    pub key: &'static str,
    /// Words before the field.
    pub label: &'static str,
    /// The heading it stands under.
    pub theme: &'static str,
    pub default: String,
    /// One sentence.
    pub help: &'static str,
    /// Values to pick from; `None` for free text. A value outside the list can still be typed.
    pub choices: Option<Vec<Choice>>,
    /// The form of a free text.
    pub placeholder: &'static str,
}

/// A value to pick and the words for it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Choice {
    pub value: &'static str,
    pub label: &'static str,
}

/// Every setting that this version carries out, in the order in which the page shows them.
pub fn schema() -> Vec<Key> {
    let defaults = Settings::default().texts();
    let key = |&(key, label, theme, help, placeholder, choices): &Row| {
        let choices: &[(&'static str, &'static str)] = choices;
        Key {
            key,
            label,
            theme,
            default: order::get(&defaults, &key).cloned().unwrap_or_default(),
            help,
            choices: (!choices.is_empty())
                .then(|| choices.iter().map(|&(value, label)| Choice { value, label }).collect()),
            placeholder,
        }
    };
    ROWS.iter().map(key).collect()
}

type Row = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

const ROWS: &[Row] = &[
    (
        "region",
        "Region",
        "Region",
        "The repeated code that is folded: TYPE:VALUE, TYPE:* for any value of a type, or TYPE \
         for every value in turn.",
        "User function:main",
        &[],
    ),
    (
        "group",
        "Group",
        "Instances",
        "How instances are told apart by duration; each group is folded by itself.",
        "dbscan:8:0.01",
        &[
            ("auto", "automatic"),
            ("none", "none"),
            ("dbscan:8:auto", "density (8, automatic)"),
            ("dbscan:8:0.01", "density (8, 0.01)"),
        ],
    ),
    (
        "outliers",
        "Leave out",
        "Instances",
        "Instances of unusual duration that are not folded, within each group.",
        "median:1.5",
        &[
            ("median:1.5", "beyond median ± 1.5 MAD"),
            ("median:3", "beyond median ± 3 MAD"),
            ("mean:2", "beyond mean ± 2 deviations"),
            ("logmad:3", "beyond 3 deviations of the logarithms"),
            ("none", "nothing"),
        ],
    ),
    (
        "prefilter",
        "Compare first",
        "Instances",
        "Whether instances are left out too whose samples lie unlike those of the others, judged \
         counter by counter by a first fit.",
        "no",
        &[("no", "no"), ("yes", "yes, the reference offers it for energy")],
    ),
    (
        "objects",
        "Objects",
        "Instances",
        "Application, task and thread whose instances are taken; * stands for any.",
        "*.*.*",
        &[],
    ),
    ("from", "From (ns)", "Instances", "Earliest start of an instance.", "start of the trace", &[]),
    ("to", "To (ns)", "Instances", "Latest start of an instance.", "end of the trace", &[]),
    (
        "durations",
        "Durations (ns)",
        "Instances",
        "Shortest and longest duration of an instance that is taken, before they are grouped.",
        "1000000..2500000",
        &[],
    ),
    (
        "instances",
        "Numbers",
        "Instances",
        "Numbers of the instances that are taken, from 1 in the order of the trace; empty for all.",
        "1-50,60",
        &[],
    ),
    (
        "select",
        "Samples",
        "Fit",
        "Which samples the curves are fitted to.",
        "distance:500",
        &[("all", "all"), ("distance:500", "500, evenly spread"), ("first:500", "first 500")],
    ),
    (
        "fit",
        "Curve",
        "Fit",
        "A smooth curve, straight segments between breaks, or whichever of the two errs less \
         in cross-validation.",
        "auto",
        &[("auto", "automatic"), ("kriging", "spline (kriging)"), ("segments", "segments")],
    ),
    (
        "nugget",
        "Smoothing",
        "Fit",
        "The nugget of kriging: automatic (REML, per counter), or a number; larger is smoother.",
        "0.0001",
        &[("auto", "automatic"), ("0.0001", "1e-4, the reference"), ("0.01", "1e-2")],
    ),
    (
        "resolution",
        "Resolution",
        "Fit",
        "Finest detail of a smooth curve as a share of the region, in place of the smoothing.",
        "0.01",
        &[],
    ),
    (
        "monotone",
        "Falling rates",
        "Fit",
        "Whether a smooth curve may fall, and its rate be negative, where samples say so.",
        "yes",
        &[("yes", "not allowed"), ("no", "allowed, the reference")],
    ),
    (
        "ends",
        "Ends",
        "Fit",
        "Whether curves go through the two corners exactly, or take them as two more samples.",
        "exact",
        &[("exact", "exact"), ("soft", "soft, the reference")],
    ),
    (
        "x",
        "Axis",
        "Fit",
        "What the horizontal axis counts: time, or the events of a counter; rates are then per event \
         of it. NAME:time finds phases over its events and shows them in time.",
        "PAPI_TOT_INS",
        &[("time", "time")],
    ),
    ("points", "Points", "Fit", "Points of the output grid.", "1000", &[]),
    (
        "counters",
        "Counters",
        "Fit",
        "Names between commas; empty for all.",
        "PAPI_TOT_INS,PAPI_TOT_CYC",
        &[],
    ),
    (
        "models",
        "Models",
        "Models",
        "Names of models between commas, or none; empty for all that the counters allow.",
        "architecture-impact",
        &[],
    ),
    (
        "expressions",
        "Formulas",
        "Models",
        "Formulas of counters between semicolons, each with a name before it or without.",
        "traffic=PAPI_L3_TCM*64/PAPI_TOT_INS",
        &[],
    ),
    (
        "energy",
        "Energy counters",
        "Energy",
        "Counters of energy beside those known by their names, each with its joules per count; none \
         to take no counter for one.",
        "BOARD_ENERGY:0.001",
        &[("", "by name"), ("none", "none")],
    ),
    (
        "refresh",
        "Refreshed after (ns)",
        "Energy",
        "How often registers of energy are refreshed: found out where they are read faster than \
         that, 1 ms for those of processors, or so many nanoseconds.",
        "1000000",
        &[("auto", "automatic"), ("1000000", "1 ms")],
    ),
    (
        "align",
        "Call-stacks",
        "Source",
        "How callers beyond the captured frames are found: from the samples nearest in time, or on \
         the routine that most samples have, as published. Complete call-stacks need neither.",
        "chain",
        &[("chain", "from the nearest samples"), ("pivot", "on a pivot, as published")],
    ),
    (
        "routines",
        "Shortest routine",
        "Source",
        "Shortest stretch of a routine that is shown: percent of the region, nanoseconds of a mean \
         instance, or samples. Shorter ones come up where one looks closer.",
        "percent:1",
        &[("percent:2.5", "2.5 % of the region"), ("percent:1", "1 %"), ("samples:7", "7 samples")],
    ),
    (
        "phases",
        "Decided by",
        "Phases",
        "Whose breaks divide the region: those of all counters together, or of one.",
        "joint",
        &[("joint", "all counters")],
    ),
    (
        "breaks",
        "Borders",
        "Phases",
        "Borders of phases put by hand, by group, as shares of the region.",
        "1:0.25,0.5",
        &[],
    ),
    ("names", "Names", "Phases", "Names of phases by group.", "1:1=set-up,2=solve", &[]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_offered_every_setting_and_only_values_that_can_be_set() {
        let offered = schema();
        let mut keys = offered.iter().map(|key| key.key).collect::<Vec<_>>();
        keys.sort();
        assert_eq!(keys, Settings::default().texts().map(|(key, _)| key));
        for key in offered {
            for choice in key.choices.into_iter().flatten() {
                Settings::default().set(key.key, choice.value).unwrap();
            }
        }
    }
}
