//! Settings as the page is told them.

use std::collections::BTreeMap;

use crate::result::Writer;
use crate::settings::{Choice, Key};

/// Every setting as the page offers it.
pub fn offered(keys: &[Key]) -> Writer {
    let mut json = Writer::default();
    json.list("", keys, |key, json| {
        json.text("key", key.key);
        json.text("label", key.label);
        json.text("theme", key.theme);
        json.text("default", &key.default);
        json.text("help", key.help);
        json.text("placeholder", key.placeholder);
        match &key.choices {
            None => json.known_text("choices", None),
            Some(choices) => json.list("choices", choices, |choice: &Choice, json| {
                json.text("value", choice.value);
                json.text("label", choice.label);
            }),
        }
    });
    json
}

/// Texts by key.
pub fn texts(settings: &BTreeMap<String, String>) -> Writer {
    let mut json = Writer::default();
    json.open("", '{');
    settings.iter().for_each(|(key, text)| json.text(key, text));
    json.close('}');
    json
}
