use std::fmt::Display;
use std::fs;

use tracefold::settings::{Key, Settings, schema};

use crate::arguments::Changed;
use crate::failure::Failure;

/// The settings of the file, then those of `--set`, then those that have an option of their own, each
/// with its key.
pub fn asked_for(asked: &Changed, own: &[(&str, &Option<String>)]) -> Result<Settings, Failure> {
    let usage = |error: &dyn Display| Failure::Usage(error.to_string());
    let mut settings = match &asked.settings_file {
        None => Settings::default(),
        Some(path) => {
            let of_file = |error: &dyn Display| usage(&format!("{}: {error}", path.display()));
            let text = fs::read_to_string(path).map_err(|error| of_file(&error))?;
            serde_json::from_str(&text).map_err(|error| of_file(&error))?
        }
    };
    let own = own.iter().filter_map(|(key, value)| Some((*key, value.as_deref()?)));
    let pairs = asked.settings.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    for (key, value) in pairs.chain(own) {
        settings.set(key, value).map_err(|error| usage(&error))?;
    }
    Ok(settings)
}

/// Every setting, its default and what it does, a line each.
pub fn listed() -> String {
    let line = |key: Key| {
        let default = if key.default.is_empty() { "–" } else { &key.default };
        format!("{:<10} {default:<12} {}\n", key.key, key.help)
    };
    schema().into_iter().map(line).collect()
}
