//! Values of ours as JavaScript values.
//!
//! The engine derives how they are written; the painter writes JSON field by field, because derived
//! code would be several times as much of what the page loads first.

use js_sys::{Array, Object, Reflect, Uint8Array};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::export::{ExportError, Exported};
use crate::result::{Json, Writer};
use crate::settings::{SettingError, Settings};

/// What every call throws: words for a person, and the place in the file if there is one.
#[derive(Default)]
pub struct Failure {
    pub message: String,
    pub file: Option<String>,
    pub line: Option<f64>,
    pub column: Option<f64>,
    /// The message, the line of the file and a caret under the column.
    pub full: Option<String>,
    /// `input`, `usage`, `nothing`, `link` or `bug`.
    pub code: &'static str,
}

impl Failure {
    pub fn new(code: &'static str, error: &dyn std::fmt::Display) -> Self {
        Self { message: error.to_string(), code, ..Self::default() }
    }

    /// Something that the page or this crate did wrong, not a person.
    pub fn bug(error: impl std::fmt::Display) -> Self {
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

impl From<Failure> for JsValue {
    fn from(failure: Failure) -> Self {
        let mut json = Writer::default();
        json.open("", '{');
        json.text("message", &failure.message);
        json.text("code", failure.code);
        for (key, text) in [("file", &failure.file), ("full", &failure.full)] {
            text.iter().for_each(|text| json.text(key, text));
        }
        for (key, number) in [("line", failure.line), ("column", failure.column)] {
            number.iter().for_each(|number| json.number(key, *number));
        }
        json.close('}');
        parsed(json).unwrap_or_else(|_| JsValue::from_str(&failure.message))
    }
}

/// What was written, as plain objects.
pub fn parsed(json: Writer) -> Result<JsValue, JsValue> {
    js_sys::JSON::parse(&json.finish())
}

/// As plain objects, with `null` for what is absent.
pub fn to_js<T: Serialize>(value: &T) -> Result<JsValue, Failure> {
    value.serialize(&serde_wasm_bindgen::Serializer::json_compatible()).map_err(Failure::bug)
}

/// A plain object as JSON.
pub fn json_of(value: &JsValue) -> Result<Json, Failure> {
    let text = js_sys::JSON::stringify(value).ok().and_then(|text| text.as_string());
    let text = text.ok_or_else(|| Failure::bug("an argument is no plain object"))?;
    Json::parse(text.as_bytes()).map_err(|_| Failure::bug("an argument is no plain object"))
}

/// Settings from an object of texts by key.
pub fn settings_of(value: &JsValue) -> Result<Settings, Failure> {
    let mut settings = Settings::default();
    for (key, value) in json_of(value)?.fields() {
        settings.set(key, value.text())?;
    }
    Ok(settings)
}

/// Exported files as `[{name, bytes}]`.
pub fn files(files: Vec<Exported>) -> Result<Array, JsValue> {
    let file = |file: Exported| {
        let object = Object::new();
        Reflect::set(&object, &"name".into(), &file.name.into())?;
        Reflect::set(&object, &"bytes".into(), &Uint8Array::from(file.bytes.as_slice()))?;
        Ok(JsValue::from(object))
    };
    files.into_iter().map(file).collect()
}

/// A notice of a trace.
#[cfg(feature = "engine")]
#[derive(Serialize)]
pub struct NoticeRow {
    pub text: String,
    pub count: f64,
    pub first: String,
}
