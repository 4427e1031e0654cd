//! What the page needs to offer the settings, so that no key, default or help is typed twice.

use serde::Serialize;

use super::Settings;
use super::table::{ROWS, Row, WORDS, Words};

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
    let defaults = Settings::default();
    let choice = |&(value, label): &(&'static str, &'static str)| Choice { value, label };
    let key = |(row, words): (&Row, &Words)| Key {
        key: row.key,
        label: words.label,
        theme: words.theme,
        default: (row.write)(&defaults),
        help: words.help,
        choices: (!words.choices.is_empty()).then(|| words.choices.iter().map(choice).collect()),
        placeholder: words.placeholder,
    };
    ROWS.iter().zip(WORDS).map(key).collect()
}

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
