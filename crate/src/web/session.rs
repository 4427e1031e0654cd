//! The engine's side: one trace and its last folding.

use gloo::file::File;
use js_sys::{Array, Float64Array, Function, Object, Reflect, Uint8Array};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::encode::{Failure, files, settings_of, to_js};
use super::file::Slices;
use super::opened::{Opened, region_rows};
use crate::export::{Format, export};
use crate::input::NamedFile;
use crate::open::{self, Candidate, Progress};
use crate::pipeline;
use crate::result::{Folding, Points};
use crate::settings::Settings;
use crate::trace::Trace;

/// A trace and what was last folded of it.
#[wasm_bindgen]
#[derive(Default)]
pub struct Session {
    trace: Option<Trace>,
    /// The region that is meant where none is named: found once, not at every fold.
    first: Option<String>,
    last: Option<(Folding, Points)>,
}

#[wasm_bindgen]
impl Session {
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Opens dropped files; blocks the worker until they are read.
    ///
    /// `names`: with their folders; `files`: `File[]`; `choice`: which trace is meant;
    /// `progress`: called with `{phase, done, total}` about once a megabyte.
    /// Returns what is open; or, if there are several traces and no choice, `{choices}`.
    pub fn open(
        &mut self,
        names: Array,
        files: Array,
        choice: Option<String>,
        progress: &Function,
    ) -> Result<JsValue, JsValue> {
        let named = |(name, file): (JsValue, JsValue)| {
            let file = Slices::new(File::from(file.unchecked_into::<web_sys::File>()));
            Ok(NamedFile::new(text_of(&name), file.map_err(Failure::bug)?))
        };
        let files = names.iter().zip(files.iter()).map(named);
        self.read(files.collect::<Result<_, Failure>>()?, choice, progress)
    }

    /// As [`Session::open`], of files that the page has fetched. `buffers`: `Uint8Array[]`.
    #[wasm_bindgen(js_name = openBytes)]
    pub fn open_bytes(
        &mut self,
        names: Array,
        buffers: Array,
        choice: Option<String>,
        progress: &Function,
    ) -> Result<JsValue, JsValue> {
        let named = |(name, buffer): (JsValue, JsValue)| {
            NamedFile::new(text_of(&name), Uint8Array::new(&buffer).to_vec())
        };
        self.read(names.iter().zip(buffers.iter()).map(named).collect(), choice, progress)
    }

    /// Folds the region that `settings` (key to text) mean. Returns the encoded folding.
    pub fn fold(&mut self, settings: JsValue) -> Result<Uint8Array, JsValue> {
        let mut settings = settings_of(&settings)?;
        settings.region = settings.region.or_else(|| self.first.clone());
        let trace = self.trace.as_ref().ok_or_else(|| Failure::bug("no trace is open"))?;
        let folded = pipeline::run(trace, &settings).map_err(Failure::from)?;
        let encoded = folded.0.to_json();
        self.last = Some(folded);
        Ok(Uint8Array::from(encoded.as_bytes()))
    }

    /// The table of regions, grouped as `settings` say.
    pub fn regions(&self, settings: JsValue) -> Result<JsValue, JsValue> {
        let settings = settings_of(&settings)?;
        let trace = self.trace.as_ref().ok_or_else(|| Failure::bug("no trace is open"))?;
        Ok(to_js(&region_rows(pipeline::catalogue(trace, &settings).0))?)
    }

    /// The sample cloud of a counter as `{x, y, used}`, or `undefined` if there is none.
    pub fn points(&self, group: u32, counter: &str) -> Result<JsValue, JsValue> {
        let cloud = self.last.as_ref().and_then(|(_, points)| points.cloud(group, counter));
        let Some(cloud) = cloud else { return Ok(JsValue::UNDEFINED) };
        let used = cloud.used.iter().map(|used| *used as u8).collect::<Vec<_>>();
        let columns = Object::new();
        Reflect::set(&columns, &"x".into(), &Float64Array::from(cloud.x.as_slice()))?;
        Reflect::set(&columns, &"y".into(), &Float64Array::from(cloud.y.as_slice()))?;
        Reflect::set(&columns, &"used".into(), &Uint8Array::from(used.as_slice()))?;
        Ok(columns.into())
    }

    /// The last folding as files of a format: `[{name, bytes}]`.
    #[wasm_bindgen(js_name = exportFile)]
    pub fn export_file(&self, format: &str) -> Result<Array, JsValue> {
        let format = Format::parse(format).ok_or_else(|| Failure::bug("unknown format"))?;
        let last = self.last.as_ref().ok_or_else(|| Failure::bug("nothing is folded"))?;
        files(export(std::slice::from_ref(last), format))
    }
}

impl Session {
    fn read(
        &mut self,
        files: Vec<NamedFile<'_>>,
        choice: Option<String>,
        progress: &Function,
    ) -> Result<JsValue, JsValue> {
        #[derive(Serialize)]
        struct Reported {
            phase: String,
            done: f64,
            total: f64,
        }
        let mut report = |Progress { file, done, total }| {
            let phase = format!("Reading {file}");
            let reported = Reported { phase, done: done as f64, total: total as f64 };
            // A page that does not listen must not stop the reading.
            if let Ok(reported) = to_js(&reported) {
                let _ = progress.call1(&JsValue::NULL, &reported);
            }
        };
        let found = open::candidates(files, &mut report).map_err(Failure::from)?;
        if choice.is_none() && found.traces.len() > 1 {
            return Ok(to_js(&Choices::of(&found.traces))?);
        }
        let trace = found.open(choice.as_deref(), &mut report).map_err(Failure::from)?;
        let (rows, first) = pipeline::catalogue(&trace, &Settings::default());
        let opened = to_js(&Opened::new(&trace, rows, first.clone()))?;
        *self = Self { trace: Some(trace), first, last: None };
        Ok(opened)
    }
}

/// Several traces, of which a person names one.
#[derive(Serialize)]
struct Choices {
    choices: Vec<Choice>,
}

#[derive(Serialize)]
struct Choice {
    name: String,
    size: f64,
    missing: Vec<&'static str>,
}

impl Choices {
    fn of(traces: &[Candidate]) -> Self {
        let choice = |trace: &Candidate| Choice {
            name: trace.name.clone(),
            size: trace.size as f64,
            missing: trace.missing.clone(),
        };
        Self { choices: traces.iter().map(choice).collect() }
    }
}

fn text_of(value: &JsValue) -> String {
    value.as_string().unwrap_or_default()
}
