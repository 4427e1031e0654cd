//! Values of ours as JavaScript values, and back.

#[cfg(any(feature = "engine", feature = "painter"))]
use std::collections::BTreeMap;
use std::fmt::Display;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use crate::export::{ExportError, Exported};
use crate::settings::SettingError;
#[cfg(any(feature = "engine", feature = "painter"))]
use crate::settings::Settings;
use crate::text::ParseError;

/// What every call throws: words for a person, and the place in the file if there is one.
#[derive(Default, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    pub message: String,
    #[tsify(optional)]
    pub file: Option<String>,
    #[tsify(optional)]
    pub line: Option<u64>,
    #[tsify(optional)]
    pub column: Option<u64>,
    /// The message, the line of the file and a caret under the column.
    #[tsify(optional)]
    pub full: Option<String>,
    /// `input`, `usage`, `nothing`, `link` or `bug`.
    #[tsify(optional)]
    pub code: &'static str,
}

impl Failure {
    pub fn new(code: &'static str, error: &dyn Display) -> Self {
        Self { message: error.to_string(), code, ..Self::default() }
    }

    /// Something that the page or this crate did wrong, not a person.
    pub fn bug(error: impl Display) -> Self {
        Self::new("bug", &error)
    }
}

impl From<SettingError> for Failure {
    fn from(error: SettingError) -> Self {
        Self::new("usage", &error)
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        Self::new("usage", &error)
    }
}

impl From<ParseError> for Failure {
    fn from(error: ParseError) -> Self {
        Self {
            file: Some(error.file.clone()),
            line: Some(error.line).filter(|line| *line > 0),
            column: Some(error.column as u64).filter(|column| *column > 0),
            full: Some(format!("{error:#}")),
            ..Self::new("input", &error)
        }
    }
}

impl From<Failure> for JsValue {
    fn from(failure: Failure) -> Self {
        let value = serde_wasm_bindgen::to_value(&failure);
        value.unwrap_or_else(|_| Self::from_str(&failure.message))
    }
}

/// As a plain object, with `null` for what is absent and bytes as a typed array.
pub fn to_js<T: Serialize + Tsify>(value: &T) -> Result<Ts<T>, Failure> {
    let plain = serde_wasm_bindgen::Serializer::json_compatible();
    let plain = plain.serialize_bytes_as_arrays(false);
    Ok(Ts::new_unchecked(value.serialize(&plain).map_err(Failure::bug)?))
}

/// The same of each.
pub fn list<T: Serialize + Tsify>(values: &[T]) -> Result<Vec<Ts<T>>, Failure> {
    values.iter().map(to_js).collect()
}

/// What a plain object says.
pub fn from_js<T: DeserializeOwned>(value: JsValue) -> Result<T, Failure> {
    let wrong = |error| Failure::bug(format!("an argument of another shape: {error}"));
    serde_wasm_bindgen::from_value(value).map_err(wrong)
}

/// Settings from an object of texts by key.
#[cfg(feature = "engine")]
pub fn settings_from(value: JsValue) -> Result<Settings, Failure> {
    settings_of(&from_js(value)?)
}

/// Settings from texts by key.
#[cfg(any(feature = "engine", feature = "painter"))]
pub fn settings_of(texts: &BTreeMap<String, String>) -> Result<Settings, Failure> {
    let mut settings = Settings::default();
    for (key, value) in texts {
        settings.set(key, value)?;
    }
    Ok(settings)
}

/// Exported files.
pub fn files(files: Vec<Exported>) -> Result<Vec<Ts<ExportedFile>>, Failure> {
    list(&files.into_iter().map(ExportedFile::from).collect::<Vec<_>>())
}

/// A file that was exported.
#[derive(Serialize, Tsify)]
pub struct ExportedFile {
    name: String,
    #[serde(serialize_with = "as_bytes")]
    #[tsify(type = "Uint8Array<ArrayBuffer>")]
    bytes: Vec<u8>,
}

impl From<Exported> for ExportedFile {
    fn from(Exported { name, bytes }: Exported) -> Self {
        Self { name, bytes }
    }
}

fn as_bytes<S: serde::Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_bytes(bytes)
}
