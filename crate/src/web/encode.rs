//! Values of ours as JavaScript values.

use js_sys::{Array, Object, Reflect, Uint8Array};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::export::{ExportError, Exported};
use crate::instance::CatalogueRow;
use crate::paint::View;
use crate::pipeline::FoldError;
use crate::result::{Fields, Json, LinkError};
use crate::settings::{SettingError, Settings};
use crate::text::ParseError;
use crate::trace::{Notice, Trace};

/// What every call throws: words for a person, and the place in the file if there is one.
#[derive(Serialize, Default)]
pub struct Failure {
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<f64>,
    /// The message, the line of the file and a caret under the column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full: Option<String>,
    /// `input`, `usage`, `nothing`, `link` or `bug`.
    pub code: &'static str,
}

impl Failure {
    fn new(code: &'static str, error: &dyn std::fmt::Display) -> Self {
        Self { message: error.to_string(), code, ..Self::default() }
    }

    /// A setting beside a link that is not the link's own.
    pub fn no_trace(key: &str, value: &str) -> Self {
        let message = format!(
            "This link holds a finished picture. The setting {key}={value} needs the trace: open \
             it to fold it again."
        );
        Self { message, code: "link", ..Self::default() }
    }

    /// Something that the page or this crate did wrong, not a person.
    pub fn bug(error: impl std::fmt::Display) -> Self {
        Self::new("bug", &error)
    }
}

impl From<ParseError> for Failure {
    fn from(error: ParseError) -> Self {
        Self {
            file: Some(error.file.clone()),
            line: (error.line > 0).then_some(error.line as f64),
            column: (error.column > 0).then_some(error.column as f64),
            full: Some(format!("{error:#}")),
            ..Self::new("input", &error)
        }
    }
}

impl From<FoldError> for Failure {
    fn from(error: FoldError) -> Self {
        Self::new(if error.is_usage() { "usage" } else { "nothing" }, &error)
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

impl From<LinkError> for Failure {
    fn from(error: LinkError) -> Self {
        Self::new("link", &error)
    }
}

impl From<Failure> for JsValue {
    fn from(failure: Failure) -> Self {
        to_js(&failure).unwrap_or_else(|_| JsValue::from_str(&failure.message))
    }
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

/// What a picture is asked for.
pub fn view_of(value: &JsValue) -> Result<View, Failure> {
    Ok(View::read(Fields(&json_of(value)?)))
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

/// What the page is told of an opened trace.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Opened {
    name: String,
    size_bytes: f64,
    duration_ns: f64,
    threads: u32,
    generated: bool,
    first: Option<String>,
    regions: Vec<RegionRow>,
    notices: Vec<NoticeRow>,
}

/// The table of regions.
pub fn region_rows(rows: Vec<CatalogueRow>) -> Vec<RegionRow> {
    let region = |row: CatalogueRow| RegionRow {
        region: row.region,
        group: row.group,
        instances: row.instances,
        samples: row.samples as f64,
        mean_ms: row.mean_ms,
        mips: row.mips,
        share: row.share,
    };
    rows.into_iter().map(region).collect()
}

/// One group of one region, as the page lists it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RegionRow {
    region: String,
    group: u32,
    instances: u32,
    samples: f64,
    mean_ms: f64,
    mips: Option<f64>,
    share: f64,
}

/// A notice, from the trace or from a folding.
#[derive(Serialize)]
pub struct NoticeRow {
    pub text: String,
    pub count: f64,
    pub first: String,
}

impl Opened {
    pub fn new(trace: &Trace, rows: Vec<CatalogueRow>, first: Option<String>) -> Self {
        let notice = |notice: &Notice| NoticeRow {
            text: notice.text.clone(),
            count: notice.count as f64,
            first: notice.first.clone(),
        };
        Self {
            name: trace.name.clone(),
            size_bytes: trace.size_bytes as f64,
            duration_ns: trace.duration_ns as f64,
            threads: trace.threads.len() as u32,
            generated: trace.generated,
            first,
            regions: region_rows(rows),
            notices: trace.notices.iter().map(notice).collect(),
        }
    }
}
