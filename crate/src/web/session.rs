//! The engine's side: one trace and its last folding.

use gloo::file::File;
use js_sys::{Array, Function, Uint8Array, Uint32Array};
use serde::{Deserialize, Serialize};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use super::columns;
use super::encode::{ExportedFile, Failure, files, from_js, settings_of, to_js};
use super::file::Slices;
use super::reading::{Begun, How, Reading};
use crate::export::{Format, export};
use crate::folding::{Folding, Points};
use crate::input::NamedFile;
use crate::instance::{self, CatalogueRow};
use crate::model::{self, Model};
use crate::pipeline::{FoldError, Kept};
use crate::report::{self, Instances, NoticeLine, Regions};
use crate::settings::Settings;
use crate::text::ParseError;
use crate::trace::Trace;

/// A trace and what was last folded of it.
#[wasm_bindgen]
#[derive(Default)]
pub struct Session {
    trace: Option<Trace>,
    /// The region that is meant where none is named: found once, not at every fold.
    first: Option<String>,
    last: Option<(Folding, Points)>,
    /// What the next fold may use again.
    kept: Kept,
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
    /// `names`: with their folders; `choice`: which trace is meant; `progress` is called about once a
    /// megabyte.
    pub fn begin(
        &mut self,
        names: Vec<String>,
        #[wasm_bindgen(unchecked_param_type = "File[]")] files: Array,
        choice: Option<String>,
        how: Ts<How>,
        #[wasm_bindgen(unchecked_param_type = "(progress: Progressed | EarlyFolding) => void")]
        progress: Function,
    ) -> Result<Ts<Begun>, JsValue> {
        let named = |(name, file): (String, JsValue)| {
            let file = Slices::new(File::from(file.unchecked_into::<web_sys::File>()));
            Ok(NamedFile::new(name, file.map_err(Failure::bug)?))
        };
        let files = names.into_iter().zip(files.iter()).map(named);
        let files = files.collect::<Result<_, Failure>>()?;
        let how = from_js(how.js_value())?;
        let (begun, reading) = Reading::begin(files, choice, how, progress)?;
        self.reading = reading.or(self.reading.take());
        Ok(to_js(&begun)?)
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
    pub fn finish(&mut self) -> Result<Ts<Opened>, JsValue> {
        let reading = self.reading.take().ok_or_else(|| Failure::bug("nothing is being read"))?;
        let trace = reading.finish()?;
        let mut kept = Kept::default();
        let rows = kept.catalogue(&trace, &Settings::default());
        let first = instance::chosen_first(rows).map(str::to_owned);
        let opened = to_js(&Opened::new(&trace, rows, first.clone()))?;
        *self = Self { trace: Some(trace), first, kept, ..Self::default() };
        Ok(opened)
    }

    /// Folds the region that `settings` mean. Returns the encoded folding.
    ///
    /// `models`: in XML, beside those that are built in; one that cannot be read is an error that
    /// names its file.
    pub fn fold(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Record<string, string>")] settings: JsValue,
        #[wasm_bindgen(unchecked_param_type = "ModelFile[]")] models: JsValue,
    ) -> Result<Uint8Array, JsValue> {
        let mut settings = settings_of(settings)?;
        let models = models_of(models)?;
        settings.region = settings.region.or_else(|| self.first.clone());
        let trace = self.trace.as_ref().ok_or_else(|| Failure::bug("no trace is open"))?;
        let folded = self.kept.fold(trace, &settings, &models).map_err(Failure::from)?;
        let encoded = folded.0.to_bytes_for_picture();
        self.last = Some(folded);
        Ok(Uint8Array::from(encoded.as_slice()))
    }

    /// The table of regions, grouped as `settings` say.
    pub fn regions(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Record<string, string>")] settings: JsValue,
    ) -> Result<Ts<Regions>, JsValue> {
        let settings = settings_of(settings)?;
        let trace = self.trace.as_ref().ok_or_else(|| Failure::bug("no trace is open"))?;
        Ok(to_js(&report::regions(self.kept.catalogue(trace, &settings)))?)
    }

    /// The sample cloud of a counter; `undefined` if there is none.
    #[wasm_bindgen(unchecked_return_type = "Points | undefined")]
    pub fn points(&self, group: u32, counter: &str) -> Result<JsValue, JsValue> {
        let cloud = self.last.as_ref().and_then(|(_, points)| points.cloud(group, counter));
        cloud.map_or(Ok(JsValue::UNDEFINED), |cloud| columns::of_cloud(&cloud))
    }

    /// The references of a group of the last folding; `undefined` if there are none.
    #[wasm_bindgen(unchecked_return_type = "References | undefined")]
    pub fn references(&self, group: u32) -> Result<JsValue, JsValue> {
        let references = self.last.as_ref().and_then(|(_, points)| points.references(group));
        references.map_or(Ok(JsValue::UNDEFINED), columns::of_references)
    }

    /// Every instance of a group of the last folding; `undefined` if there is no such group.
    pub fn instances(&self, group: u32) -> Result<Option<Ts<Instances>>, JsValue> {
        let Some((folding, _)) = self.last.as_ref() else { return Ok(None) };
        let group = folding.groups.iter().find(|g| g.number == group);
        Ok(group.map(|group| to_js(&report::instances(folding, group))).transpose()?)
    }

    /// The last folding as files of a format.
    #[wasm_bindgen(js_name = exportFile)]
    pub fn export_file(&self, format: &str) -> Result<Vec<Ts<ExportedFile>>, JsValue> {
        let format = Format::parse(format).ok_or_else(|| Failure::bug("unknown format"))?;
        let last = self.last.as_ref().ok_or_else(|| Failure::bug("nothing is folded"))?;
        let trace = self.trace.as_ref().ok_or_else(|| Failure::bug("no trace is open"))?;
        let exported = export(trace, std::slice::from_ref(last), format).map_err(Failure::from)?;
        Ok(files(exported)?)
    }
}

impl Session {
    fn reading(&mut self) -> Result<&mut Reading, Failure> {
        self.reading.as_mut().ok_or_else(|| Failure::bug("nothing is being read"))
    }
}

/// What the page is told of an opened trace.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub struct Opened {
    name: String,
    size_bytes: u64,
    /// The region shown first, if there is any.
    first: Option<String>,
    regions: Regions,
    notices: Vec<NoticeLine>,
}

impl Opened {
    fn new(trace: &Trace, rows: &[CatalogueRow], first: Option<String>) -> Self {
        let (name, size_bytes) = (trace.name.clone(), trace.size_bytes);
        let notices = trace.notices.iter().map(report::trace_notice).collect();
        Self { name, size_bytes, first, regions: report::regions(rows), notices }
    }
}

/// A model in XML that a person dropped.
#[derive(Deserialize, Tsify)]
pub struct ModelFile {
    name: String,
    text: String,
}

/// The models of these files, in order.
fn models_of(files: JsValue) -> Result<Vec<Model>, Failure> {
    let mut models = vec![];
    for ModelFile { name, text } in from_js::<Vec<ModelFile>>(files)? {
        models.extend(model::read(&name, text.as_bytes())?);
    }
    Ok(models)
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

impl From<FoldError> for Failure {
    fn from(error: FoldError) -> Self {
        Self::new(if error.is_usage() { "usage" } else { "nothing" }, &error)
    }
}
