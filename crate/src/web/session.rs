//! The engine's side: one trace and its last folding.

use gloo::file::File;
use js_sys::{Array, Float64Array, Function, Object, Reflect, Uint8Array, Uint32Array};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::encode::{Failure, files, settings_of, to_js};
use super::file::Slices;
use super::opened::{Opened, region_rows};
use super::reading::{Begun, How, Reading};
use super::references;
use crate::export::{Format, export};
use crate::input::NamedFile;
use crate::model::{self, Model};
use crate::pipeline;
use crate::result::{Fate, Folding, Points};
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
    /// The trace that is being opened.
    reading: Option<Reading>,
}

#[wasm_bindgen]
impl Session {
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins to open files: looks at what they are, and reads the labels.
    ///
    /// `names`: with their folders; `files`: `File[]`; `choice`: which trace is meant;
    /// `how`: `{mostBytes, earlyAboveBytes, only}`, see [`How`]; `progress`: called with `{phase,
    /// done, total}`, and of a large trace with `{folding, share}` as well, about once a megabyte.
    /// Returns `{blocks}`, in how many the trace can be read; or, if there are several traces and
    /// no choice, `{choices}`.
    pub fn begin(
        &mut self,
        names: Array,
        files: Array,
        choice: Option<String>,
        how: JsValue,
        progress: Function,
    ) -> Result<JsValue, JsValue> {
        let named = |(name, file): (JsValue, JsValue)| {
            let file = Slices::new(File::from(file.unchecked_into::<web_sys::File>()));
            Ok(NamedFile::new(text_of(&name), file.map_err(Failure::bug)?))
        };
        let files = names.iter().zip(files.iter()).map(named);
        let files = files.collect::<Result<_, Failure>>()?;
        match Reading::begin(files, choice, How::of(&how)?, progress)? {
            Begun::Choices(choices) => Ok(to_js(&choices)?),
            Begun::Reading(reading) => {
                let blocks = Blocks { blocks: reading.blocks() as f64 };
                self.reading = Some(*reading);
                Ok(to_js(&blocks)?)
            }
        }
    }

    /// Reads the trace whole; blocks the worker until then.
    pub fn read(&mut self) -> Result<(), JsValue> {
        Ok(self.reading()?.read()?)
    }

    /// Reads the first block of the trace. Returns whether to go on.
    #[wasm_bindgen(js_name = readFirst)]
    pub fn read_first(&mut self) -> Result<bool, JsValue> {
        Ok(self.reading()?.read_first()?)
    }

    /// Reads the next block. Returns whether to go on.
    #[wasm_bindgen(js_name = readNext)]
    pub fn read_next(&mut self, index: f64) -> Result<bool, JsValue> {
        Ok(self.reading()?.read_next(index as u64)?)
    }

    /// Reads a block after the first, for another worker to join.
    #[wasm_bindgen(js_name = readPart)]
    pub fn read_part(&mut self, index: f64) -> Result<Uint32Array, JsValue> {
        let words = self.reading()?.read_part(index as u64)?;
        Ok(Uint32Array::from(words.as_slice()))
    }

    /// Adds the next block, which another worker has read. Returns whether to go on.
    pub fn join(&mut self, index: f64, words: &Uint32Array) -> Result<bool, JsValue> {
        Ok(self.reading()?.join(index as u64, &words.to_vec())?)
    }

    /// What was read is the open trace now, in place of the one before.
    pub fn finish(&mut self) -> Result<JsValue, JsValue> {
        let reading = self.reading.take().ok_or_else(|| Failure::bug("nothing is being read"))?;
        let trace = reading.finish()?;
        let (rows, first) = pipeline::catalogue(&trace, &Settings::default());
        let opened = to_js(&Opened::new(&trace, rows, first.clone()))?;
        *self = Self { trace: Some(trace), first, ..Self::default() };
        Ok(opened)
    }

    /// Folds the region that `settings` (key to text) mean. Returns the encoded folding.
    ///
    /// `models`: `{name, text}[]`, models in XML beside those that are built in; one that cannot be
    /// read is an error that names its file.
    pub fn fold(&mut self, settings: JsValue, models: Array) -> Result<Uint8Array, JsValue> {
        let mut settings = settings_of(&settings)?;
        let models = models_of(&models)?;
        settings.region = settings.region.or_else(|| self.first.clone());
        let trace = self.trace.as_ref().ok_or_else(|| Failure::bug("no trace is open"))?;
        let folded = pipeline::run_with(trace, &settings, &models).map_err(Failure::from)?;
        let encoded = folded.0.to_bytes_for_picture();
        self.last = Some(folded);
        Ok(Uint8Array::from(encoded.as_slice()))
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

    /// The references of a group of the last folding as columns `{x, object, offset, store, level,
    /// cost, line}`, or `undefined` if there are none.
    pub fn references(&self, group: u32) -> Result<JsValue, JsValue> {
        let found = self.last.as_ref().and_then(|(_, points)| points.references(group));
        found.map_or(Ok(JsValue::UNDEFINED), references::to_columns)
    }

    /// Every instance of a group of the last folding as `{objects, startNs, durationNs, fate,
    /// fates}`, columns in the order of the trace; `undefined` if there is no such group.
    pub fn instances(&self, group: u32) -> Result<JsValue, JsValue> {
        let folding = self.last.as_ref().map(|(folding, _)| folding);
        let group = folding.and_then(|folding| folding.groups.iter().find(|g| g.number == group));
        let Some(group) = group else { return Ok(JsValue::UNDEFINED) };
        let rows = || group.rows.iter();
        let objects = rows().flat_map(|row| row.object).collect::<Vec<_>>();
        let start_ns = rows().map(|row| row.start_ns as f64).collect::<Vec<_>>();
        let duration_ns = rows().map(|row| row.duration_ns as f64).collect::<Vec<_>>();
        let fate = rows().map(|row| row.fate as u8).collect::<Vec<_>>();
        let fates = [Fate::Used, Fate::Outlier, Fate::Prefiltered].map(Fate::name);
        let columns = Object::new();
        let set = |key: &str, column: &JsValue| Reflect::set(&columns, &key.into(), column);
        set("objects", &Uint32Array::from(objects.as_slice()))?;
        set("startNs", &Float64Array::from(start_ns.as_slice()))?;
        set("durationNs", &Float64Array::from(duration_ns.as_slice()))?;
        set("fate", &Uint8Array::from(fate.as_slice()))?;
        set("fates", &fates.into_iter().map(JsValue::from).collect::<Array>())?;
        Ok(columns.into())
    }

    /// The last folding as files of a format: `[{name, bytes}]`.
    #[wasm_bindgen(js_name = exportFile)]
    pub fn export_file(&self, format: &str) -> Result<Array, JsValue> {
        let format = Format::parse(format).ok_or_else(|| Failure::bug("unknown format"))?;
        let last = self.last.as_ref().ok_or_else(|| Failure::bug("nothing is folded"))?;
        let trace = self.trace.as_ref().ok_or_else(|| Failure::bug("no trace is open"))?;
        files(export(trace, std::slice::from_ref(last), format).map_err(Failure::from)?)
    }
}

impl Session {
    fn reading(&mut self) -> Result<&mut Reading, Failure> {
        self.reading.as_mut().ok_or_else(|| Failure::bug("nothing is being read"))
    }
}

#[derive(Serialize)]
struct Blocks {
    blocks: f64,
}

/// The models of `{name, text}[]`, in order.
fn models_of(files: &Array) -> Result<Vec<Model>, JsValue> {
    let mut models = vec![];
    for file in files.iter() {
        let text = |key: &str| Reflect::get(&file, &key.into()).map(|value| text_of(&value));
        let read = model::read(&text("name")?, text("text")?.as_bytes());
        models.extend(read.map_err(Failure::from)?);
    }
    Ok(models)
}

fn text_of(value: &JsValue) -> String {
    value.as_string().unwrap_or_default()
}
