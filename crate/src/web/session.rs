//! The engine's side: one trace and its last folding.

use js_sys::{Array, Function, Uint8Array, Uint32Array};
use serde::Deserialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use super::encode::{ExportedFile, Failure, files, from_js, settings_from, to_js};
use super::file::named;
use super::looked::{self, Looked};
use super::opened::Opened;
use super::profiled::{self, HowProfiled};
use super::reading::{Begun, How, Reading};
use super::{columns, coursed, digest, used, whole};
use crate::export::{Format, RunFormat, export, export_run};
use crate::folding::{Course, Folding, Points};
use crate::glance::{Glance, Rates, Window};
use crate::input;
use crate::instance::{self, Repeating};
use crate::model::{self, Model};
use crate::pipeline::{self, FoldError, Kept};
use crate::report::{self, Instances, Regions};
use crate::run::Seen;
use crate::settings::Settings;
use crate::trace::Trace;

/// More bursts, of 60 bytes each, are found again rather than kept until somebody looks at the run.
const MOST_SEEN: usize = 1 << 21;

/// A trace and what was last folded of it.
#[wasm_bindgen]
#[derive(Default)]
pub struct Session {
    trace: Option<Trace>,
    /// The region that is meant where none is named, and how repetition was looked for when it was
    /// chosen.
    first: Option<String>,
    first_by: Repeating,
    last: Option<(Folding, Points)>,
    /// What the next fold may use again.
    kept: Kept,
    /// What was found in the run when it was looked for regions, and how: the first glance takes it.
    seen: Option<(Repeating, Seen)>,
    looked: Option<Looked>,
    /// The trace that is being opened.
    reading: Option<Reading>,
}

#[wasm_bindgen]
impl Session {
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// The parts of the engine that read these files and are loaded for them alone, by name.
    pub fn parts(
        &self,
        names: Vec<String>,
        #[wasm_bindgen(unchecked_param_type = "File[]")] files: Array,
    ) -> Result<Vec<String>, JsValue> {
        let needed = input::needed(&named(names, &files)?);
        let parts = [("formats", needed.formats), ("run", needed.timelines)];
        Ok(parts.into_iter().filter(|(_, is)| *is).map(|(part, _)| part.to_owned()).collect())
    }

    /// SHA-256 of each file, as it lies on disk: with the part of this module that is loaded later.
    #[wasm_bindgen(unchecked_return_type = "Input[]")]
    pub fn digest(
        &self,
        names: Vec<String>,
        #[wasm_bindgen(unchecked_param_type = "File[]")] files: Array,
        #[wasm_bindgen(unchecked_param_type = "(digested: Digested) => void")] progress: Function,
    ) -> Result<Array, JsValue> {
        Ok(digest::inputs(names, &files, &progress)?.into_iter().map(JsValue::from).collect())
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
        let files = named(names, &files)?;
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

    /// Reads what a worker that reads other blocks must know of the first.
    #[wasm_bindgen(js_name = readHeader)]
    pub fn read_header(&mut self) -> Result<(), JsValue> {
        Ok(self.reading()?.read_header()?)
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
        let mut kept = Kept::of_events();
        let opened = Opened::of(&trace, kept.catalogue(&trace, &Settings::default()));
        let told = to_js(&opened)?;
        *self = Self { trace: Some(trace), first: opened.first, kept, ..Self::default() };
        Ok(told)
    }

    /// From now on folds tell what threads do, and regions may be what repeats: with the part of this
    /// module that is loaded later.
    pub fn see(&mut self) {
        self.kept.look();
    }

    /// Looks for what repeats, from now on: with the part of this module that is loaded later.
    pub fn look(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Record<string, string>")] settings: JsValue,
    ) -> Result<Ts<Opened>, JsValue> {
        let settings = settings_from(settings)?;
        let trace = self.trace.as_ref().ok_or_else(|| Failure::bug("no trace is open"))?;
        self.kept.look();
        let by = settings.repeating();
        let seen = looked::seen(trace, &by);
        let rows = self.kept.catalogue_with(trace, &settings, Some(&seen));
        let opened = Opened::of(trace, rows);
        let told = to_js(&opened)?;
        self.seen = (seen.bursts.len() <= MOST_SEEN).then_some((by.clone(), seen));
        (self.first, self.first_by) = (opened.first, by);
        Ok(told)
    }

    /// The run at a glance: with the part of this module that is loaded later.
    pub fn glance(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Record<string, string>")] settings: JsValue,
    ) -> Result<Ts<Glance>, JsValue> {
        let settings = settings_from(settings)?;
        let trace = self.trace.as_ref().ok_or_else(|| Failure::bug("no trace is open"))?;
        self.kept.look();
        let by = settings.repeating();
        let seen = self.seen.take().filter(|(of, _)| *of == by);
        let seen = seen.map_or_else(|| looked::seen(trace, &by), |(_, seen)| seen);
        let rows = self.kept.catalogue_with(trace, &settings, Some(&seen));
        let (looked, glance) = Looked::at(trace, &seen, by, rows)?;
        self.looked = Some(looked);
        Ok(glance)
    }

    /// The hybrid profile of the trace, as bytes for the module that shows profiles: with the part of this
    /// module that is loaded later.
    pub fn profile(&self, how: Ts<HowProfiled>) -> Result<Uint8Array, JsValue> {
        let trace = self.trace.as_ref().ok_or_else(|| Failure::bug("no trace is open"))?;
        Ok(profiled::profile(trace, how)?)
    }

    /// What the run is as a whole, for a comparison, as JSON: with the parts of this module that look at runs and make
    /// profiles.
    #[wasm_bindgen(js_name = wholeRun)]
    pub fn whole_run(&self) -> Result<Vec<u8>, JsValue> {
        let trace = self.trace.as_ref().ok_or_else(|| Failure::bug("no trace is open"))?;
        Ok(whole::told(trace)?)
    }

    /// How the run uses its threads, as bytes for the module that paints: with the part of this module that looks at
    /// runs.
    #[wasm_bindgen(js_name = runUse)]
    pub fn run_use(&self) -> Result<Vec<u8>, JsValue> {
        let trace = self.trace.as_ref().ok_or_else(|| Failure::bug("no trace is open"))?;
        Ok(used::told(trace))
    }

    /// The time line of the run; see [`Looked::raster`].
    pub fn raster(&mut self, window: Ts<Window>) -> Result<Uint8Array, JsValue> {
        let trace = self.trace.as_ref().ok_or_else(|| Failure::bug("no trace is open"))?;
        let looked = self.looked.as_mut().ok_or_else(|| Failure::bug("nothing was looked at"))?;
        looked.raster(trace, window)
    }

    /// What a counter counts between its readings in a window of the run; `undefined` if none has that
    /// name.
    pub fn rates(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Record<string, string>")] settings: JsValue,
        counter: &str,
        window: Ts<Window>,
    ) -> Result<Option<Ts<Rates>>, JsValue> {
        let settings = settings_from(settings)?;
        let trace = self.trace.as_ref().ok_or_else(|| Failure::bug("no trace is open"))?;
        let looked = self.looked.as_ref().ok_or_else(|| Failure::bug("nothing was looked at"))?;
        looked.rates(trace, &settings, counter, window)
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
        let mut settings = settings_from(settings)?;
        let models = models_of(models)?;
        let trace = self.trace.as_ref().ok_or_else(|| Failure::bug("no trace is open"))?;
        if settings.region.is_none() && settings.repeating() != self.first_by {
            let first = instance::chosen_first(self.kept.catalogue(trace, &settings));
            self.first = first.map(|first| first.region.to_owned());
            self.first_by = settings.repeating();
        }
        settings.region = settings.region.or_else(|| self.first.clone());
        let folded = self.kept.fold(trace, &settings, &models).map_err(Failure::from)?;
        let encoded = folded.0.to_bytes_for_picture();
        self.last = Some(folded);
        Ok(Uint8Array::from(encoded.as_slice()))
    }

    /// Folds every cluster, with all else as `settings` say; each encoded as [`Session::fold`] does.
    #[wasm_bindgen(js_name = foldClusters)]
    pub fn fold_clusters(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Record<string, string>")] settings: JsValue,
    ) -> Result<Vec<Uint8Array>, JsValue> {
        let clusters = Some("Cluster:*".to_owned());
        let settings = Settings { region: clusters, ..settings_from(settings)? };
        let trace = self.trace.as_ref().ok_or_else(|| Failure::bug("no trace is open"))?;
        let foldings = pipeline::run_each(trace, &settings, &[]).map_err(Failure::from)?;
        let encoded = foldings.iter().map(|(folding, _)| folding.to_bytes_for_picture());
        Ok(encoded.map(|bytes| Uint8Array::from(bytes.as_slice())).collect())
    }

    /// The table of regions, grouped as `settings` say.
    pub fn regions(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Record<string, string>")] settings: JsValue,
    ) -> Result<Ts<Regions>, JsValue> {
        let settings = settings_from(settings)?;
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

    /// The instances of a group of the last fold, which these settings gave, over the run; `asked` as
    /// [`crate::folding::Asked`] is written. `undefined` if there is nothing of the kind. With the part
    /// of this module that is loaded later.
    pub fn course(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Record<string, string>")] settings: JsValue,
        group: u32,
        asked: &str,
    ) -> Result<Option<Ts<Course>>, JsValue> {
        let mut settings = settings_from(settings)?;
        let trace = self.trace.as_ref().ok_or_else(|| Failure::bug("no trace is open"))?;
        settings.region = settings.region.or_else(|| self.first.clone());
        Ok(coursed::course(&mut self.kept, trace, &settings, group, asked)?)
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

    /// What was found in the run as files of a format.
    #[wasm_bindgen(js_name = exportRun)]
    pub fn export_run(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Record<string, string>")] settings: JsValue,
        format: &str,
    ) -> Result<Vec<Ts<ExportedFile>>, JsValue> {
        let settings = settings_from(settings)?;
        let format = RunFormat::parse(format).ok_or_else(|| Failure::bug("unknown format"))?;
        let trace = self.trace.as_ref().ok_or_else(|| Failure::bug("no trace is open"))?;
        let seen = looked::seen(trace, &settings.repeating());
        Ok(files(export_run(trace, &seen, format).map_err(Failure::from)?)?)
    }
}

impl Session {
    fn reading(&mut self) -> Result<&mut Reading, Failure> {
        self.reading.as_mut().ok_or_else(|| Failure::bug("nothing is being read"))
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

impl From<FoldError> for Failure {
    fn from(error: FoldError) -> Self {
        Self::new(if error.is_usage() { "usage" } else { "nothing" }, &error)
    }
}
