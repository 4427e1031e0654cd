//! Every choice that changes a number, under one name on the command line, in links, in JSON and
//! on the page.
//!
//! [`Settings`] is what a link carries: as text, only what differs from the default, keys sorted.

mod schema;
mod only;
mod stage;

pub use crate::text::nearest;
pub use only::only;
pub use schema::{Choice, Key, schema};
pub use stage::Stage;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::instance::{
    ChoiceError, DurationRange, Grouping, InstanceNumbers, Objects, Outliers, Select, Wanted,
};
use crate::performance::{
    Along, Borders, Ends, EnergyCounters, Fit, Nugget, PhaseNames, PhasesOf, resolution,
};
use crate::source::{Align, Shortest};

/// Checked choices; what a stage gets is its own type, with nothing left to distrust.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<String, String>", into = "BTreeMap<String, String>")]
pub struct Settings {
    /// As asked for; `None` for the one shown at first.
    pub region: Option<String>,
    pub objects: Objects,
    /// Nanoseconds; on the start of an instance.
    pub from: Option<u64>,
    pub to: Option<u64>,
    pub durations: DurationRange,
    pub instances: InstanceNumbers,
    pub group: Grouping,
    pub outliers: Outliers,
    /// Whether instances whose samples lie unlike those of the others are left out.
    pub prefilter: bool,
    pub select: Select,
    pub fit: Fit,
    pub nugget: Nugget,
    /// Finest detail of a spline as a share of the region; in place of the nugget.
    pub resolution: Option<f64>,
    pub ends: Ends,
    /// Whether a spline may not fall.
    pub monotone: bool,
    pub phases: PhasesOf,
    /// Borders of phases that a person put.
    pub breaks: Borders,
    pub names: PhaseNames,
    /// How call-stacks are joined.
    pub align: Align,
    /// The shortest stretch of a routine that is shown.
    pub routines: Shortest,
    /// Points of the output grid, from 2.
    pub points: u32,
    /// The counter whose events take the place of time.
    pub x: Option<Along>,
    pub energy: EnergyCounters,
    /// Nanoseconds after which registers of energy are refreshed; `None` to find out.
    pub refresh: Option<u64>,
    /// Names of counters, in the order asked for; `None` for all.
    pub counters: Option<Vec<String>>,
    /// Names of models, in the order asked for; `None` for all that the counters allow.
    pub models: Option<Vec<String>>,
    /// Formulas of counters, as a person types them: `NAME=FORMULA`, or a formula alone.
    pub expressions: Vec<String>,
}

/// A key or value that cannot be carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingError {
    /// No such key; the nearest three.
    UnknownKey {
        key: String,
        nearest: Vec<String>,
    },
    Value {
        key: String,
        value: String,
        expected: &'static str,
    },
}

impl fmt::Display for SettingError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownKey { key, nearest } => {
                write!(out, "unknown setting {key:?}; the nearest are {}", nearest.join(", "))
            }
            Self::Value { key, value, expected } => {
                write!(out, "setting {key}: found {value:?}, expected {expected}")
            }
        }
    }
}

impl std::error::Error for SettingError {}

impl Default for Settings {
    fn default() -> Self {
        Self {
            region: None,
            objects: Objects::default(),
            from: None,
            to: None,
            durations: DurationRange::default(),
            instances: InstanceNumbers::default(),
            group: Grouping::Auto,
            outliers: Outliers::Median(1.5),
            prefilter: false,
            select: Select::All,
            fit: Fit::Auto,
            nugget: Nugget::Auto,
            resolution: None,
            ends: Ends::Exact,
            monotone: true,
            phases: PhasesOf::Joint,
            breaks: Borders::default(),
            names: PhaseNames::default(),
            align: Align::default(),
            routines: Shortest::default(),
            points: 1000,
            x: None,
            energy: EnergyCounters::default(),
            refresh: None,
            counters: None,
            models: None,
            expressions: vec![],
        }
    }
}

impl Settings {
    /// Sets one key from its text. An error names the key, and leaves everything as it was.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SettingError> {
        let wrong = |expected| SettingError::Value {
            key: key.to_owned(),
            value: value.to_owned(),
            expected,
        };
        let choice = |ChoiceError(expected)| wrong(expected);
        match key {
            "region" => self.region = Some(value.to_owned()).filter(|region| !region.is_empty()),
            "objects" => self.objects = value.parse().map_err(choice)?,
            "from" => self.from = time(value).ok_or_else(|| wrong(TIME))?,
            "to" => self.to = time(value).ok_or_else(|| wrong(TIME))?,
            "durations" => self.durations = value.parse().map_err(choice)?,
            "instances" => self.instances = value.parse().map_err(choice)?,
            "group" => self.group = value.parse().map_err(choice)?,
            "outliers" => self.outliers = value.parse().map_err(choice)?,
            "prefilter" => self.prefilter = yes_or_no(value).ok_or_else(|| wrong("yes or no"))?,
            "select" => self.select = value.parse().map_err(choice)?,
            "fit" => self.fit = value.parse().map_err(choice)?,
            "resolution" => self.resolution = resolution(value).map_err(choice)?,
            "monotone" => self.monotone = yes_or_no(value).ok_or_else(|| wrong("yes or no"))?,
            "phases" => self.phases = value.parse().map_err(choice)?,
            "breaks" => self.breaks = value.parse().map_err(choice)?,
            "names" => self.names = value.parse().map_err(choice)?,
            "align" => self.align = value.parse().map_err(choice)?,
            "routines" => self.routines = value.parse().map_err(choice)?,
            "nugget" => self.nugget = value.parse().map_err(choice)?,
            "ends" => self.ends = value.parse().map_err(choice)?,
            "points" => self.points = points(value).ok_or_else(|| wrong(POINTS))?,
            "x" => {
                self.x = along(value).ok_or_else(|| {
                    wrong("time, the name of a counter, or that with :time after it")
                })?
            }
            "energy" => self.energy = value.parse().map_err(choice)?,
            "refresh" => self.refresh = refresh(value).ok_or_else(|| wrong(REFRESH))?,
            "counters" => self.counters = list(value),
            "models" => self.models = list(value),
            "expressions" => self.expressions = expressions(value),
            // Of these texts themselves; left out while it is the first.
            "version" if value == "1" => {}
            "version" => return Err(wrong(VERSION)),
            _ => return Err(unknown(key)),
        }
        Ok(())
    }

    /// Which instances of the region are taken.
    pub fn wanted(&self) -> Wanted {
        Wanted {
            objects: self.objects,
            from_ns: self.from,
            to_ns: self.to,
            durations: self.durations,
            numbers: self.instances.clone(),
        }
    }

    /// Every key with its text, also those at their default; by key.
    pub fn texts(&self) -> [(&'static str, String); 27] {
        let time = |time: Option<u64>| time.map_or_else(String::new, |time| time.to_string());
        let names =
            |of: &Option<Vec<String>>| of.as_ref().map_or_else(String::new, |n| n.join(","));
        [
            ("align", self.align.to_string()),
            ("breaks", self.breaks.to_string()),
            ("counters", names(&self.counters)),
            ("durations", self.durations.to_string()),
            ("ends", self.ends.to_string()),
            ("energy", self.energy.to_string()),
            ("expressions", self.expressions.join(";")),
            ("fit", self.fit.to_string()),
            ("from", time(self.from)),
            ("group", self.group.to_string()),
            ("instances", self.instances.to_string()),
            ("models", names(&self.models)),
            ("monotone", if self.monotone { "yes" } else { "no" }.to_owned()),
            ("names", self.names.to_string()),
            ("nugget", self.nugget.to_string()),
            ("objects", self.objects.to_string()),
            ("outliers", self.outliers.to_string()),
            ("phases", self.phases.to_string()),
            ("points", self.points.to_string()),
            ("prefilter", if self.prefilter { "yes" } else { "no" }.to_owned()),
            ("refresh", self.refresh.map_or_else(|| "auto".to_owned(), |ns| ns.to_string())),
            ("region", self.region.clone().unwrap_or_default()),
            ("resolution", self.resolution.map_or_else(String::new, |share| share.to_string())),
            ("routines", self.routines.to_string()),
            ("select", self.select.to_string()),
            ("to", time(self.to)),
            ("x", self.x.as_ref().map_or_else(|| "time".to_owned(), Along::to_string)),
        ]
    }
}

impl From<Settings> for BTreeMap<String, String> {
    /// Only what differs from the default.
    fn from(settings: Settings) -> Self {
        let mut changed = BTreeMap::new();
        let defaults = Settings::default().texts();
        for ((key, value), (_, default)) in settings.texts().into_iter().zip(defaults) {
            if value != default {
                changed.insert(key.to_owned(), value);
            }
        }
        changed
    }
}

impl TryFrom<BTreeMap<String, String>> for Settings {
    type Error = SettingError;

    fn try_from(texts: BTreeMap<String, String>) -> Result<Self, SettingError> {
        let mut settings = Self::default();
        for (key, value) in texts {
            settings.set(&key, &value)?;
        }
        Ok(settings)
    }
}

const TIME: &str = "nanoseconds from the start of the trace";
const REFRESH: &str = "auto or a number of nanoseconds such as 1000000";
const VERSION: &str = "1; settings of a later version cannot be carried out";
const POINTS: &str = "a number of points from 2 to 100000";

fn time(text: &str) -> Option<Option<u64>> {
    if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) }
}

fn refresh(text: &str) -> Option<Option<u64>> {
    match text {
        "auto" => Some(None),
        number => number.parse().ok().filter(|ns| *ns > 0).map(Some),
    }
}

/// The counter that takes the place of time; `Some(None)` for time itself.
fn along(text: &str) -> Option<Option<Along>> {
    if text == "time" { Some(None) } else { Along::parse(text).map(Some) }
}

fn yes_or_no(text: &str) -> Option<bool> {
    match text {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

fn points(text: &str) -> Option<u32> {
    text.parse().ok().filter(|points| (2..=100_000).contains(points))
}

/// Formulas between semicolons.
fn expressions(text: &str) -> Vec<String> {
    let formulas = text.split(';').map(str::trim).filter(|formula| !formula.is_empty());
    formulas.map(str::to_owned).collect()
}

/// Names between commas; nothing, or `all`, for every counter.
fn list(text: &str) -> Option<Vec<String>> {
    let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
    let names = names.map(str::to_owned).collect::<Vec<_>>();
    (text != "all" && !names.is_empty()).then_some(names)
}

fn unknown(key: &str) -> SettingError {
    let defaults = Settings::default().texts();
    let nearest = nearest(key, defaults.iter().map(|(key, _)| *key));
    SettingError::UnknownKey { key: key.to_owned(), nearest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_from_the_default_is_written() {
        let mut settings = Settings::default();
        assert_eq!(serde_json::to_string(&settings).unwrap(), "{}");
        settings.set("nugget", "0.0001").unwrap();
        settings.set("group", "none").unwrap();
        let text = r#"{"group":"none","nugget":"0.0001"}"#;
        assert_eq!(serde_json::to_string(&settings).unwrap(), text);
        assert_eq!(serde_json::from_str::<Settings>(text).unwrap(), settings);
    }

    #[test]
    fn every_key_reads_its_own_text() {
        let defaults = Settings::default();
        for (key, value) in defaults.texts() {
            let mut settings = Settings::default();
            settings.set(key, &value).unwrap();
            assert_eq!(settings, defaults, "{key}");
        }
    }

    #[test]
    fn a_number_of_many_digits_stays_itself() {
        let mut settings = Settings::default();
        for (key, value) in [
            ("nugget", "0.0011811787438864678"),
            ("outliers", "median:1.4826022185056018"),
            ("outliers", "mean:1e23"),
            ("group", "dbscan:8:0.30000000000000004"),
        ] {
            settings.set(key, value).unwrap();
        }
        let again = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<Settings>(&again).unwrap(), settings);
        assert!(again.contains("0.0011811787438864678") && again.contains("0.30000000000000004"));
    }

    #[test]
    fn what_cannot_be_carried_out_is_refused_by_name() {
        let refused = |key, value| Settings::default().set(key, value).unwrap_err().to_string();
        assert_eq!(
            refused("nuget", "1"),
            "unknown setting \"nuget\"; the nearest are nugget, names, fit"
        );
        assert_eq!(
            refused("version", "2"),
            "setting version: found \"2\", expected 1; settings of a later version cannot be carried out"
        );
        assert_eq!(
            refused("monotone", "perhaps"),
            "setting monotone: found \"perhaps\", expected yes or no"
        );
        assert_eq!(
            refused("group", "two"),
            "setting group: found \"two\", expected none, auto, dbscan:MINPTS or \
             dbscan:MINPTS:EPS such as dbscan:8:0.01"
        );
        Settings::default().set("version", "1").unwrap();
    }
}
