//! Every choice that changes a number, under one name on the command line, in links, in JSON and
//! on the page.
//!
//! `table.rs` has them all, a row each, and makes [`Settings`] of it. They are what a link carries:
//! as text, only what differs from the default, keys sorted.

mod form;
mod table;
mod schema;
mod only;
mod stage;

pub use crate::text::nearest;
pub use only::only;
pub use schema::{Choice, Key, schema};
pub use stage::Stage;
pub use table::Settings;

use std::collections::BTreeMap;
use std::fmt;

use crate::instance::{Grouping, Outliers, Repeating, Wanted};
use crate::order;
use crate::trace::ChoiceError;
use table::ROWS;

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

impl Settings {
    /// Sets one key from its text. An error names the key, and leaves everything as it was.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SettingError> {
        let set = match ROWS.iter().find(|row| row.key == key) {
            Some(row) => (row.read)(self, value),
            None if key == "version" => version(value),
            None => return Err(unknown(key)),
        };
        set.map_err(|ChoiceError(expected)| {
            let (key, value) = (key.to_owned(), value.to_owned());
            SettingError::Value { key, value, expected }
        })
    }

    /// The defaults at the time of the first links, which carry only what differs from them.
    pub fn of_first_links() -> Self {
        Self { group: Grouping::Gaps, outliers: Outliers::Median(1.5), ..Self::default() }
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

    /// How what repeats is found.
    pub fn repeating(&self) -> Repeating {
        Repeating { bursts: self.bursts, eps: self.eps, boundary: self.boundary.clone() }
    }

    /// Every key with its text, also those at their default; by key.
    pub fn texts(&self) -> [(&'static str, String); ROWS.len()] {
        let mut texts = std::array::from_fn(|at| (ROWS[at].key, (ROWS[at].write)(self)));
        order::by(&mut texts, |(a, _), (b, _)| a.cmp(b));
        texts
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

/// That of the texts themselves; left out while it is the first.
fn version(text: &str) -> Result<(), ChoiceError> {
    const EXPECTED: &str = "1; settings of a later version cannot be carried out";
    if text == "1" { Ok(()) } else { Err(ChoiceError(EXPECTED)) }
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
            "unknown setting \"nuget\"; the nearest are nugget, names, bursts"
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
            "setting group: found \"two\", expected auto, none, gaps, by:COUNTER, dbscan:MINPTS or \
             dbscan:MINPTS:EPS such as dbscan:8:0.01"
        );
        Settings::default().set("version", "1").unwrap();
    }
}
