//! The worker's side: one profile, read from files or made of a trace.

use js_sys::{Array, Float64Array, Function, Uint8Array};
use serde::{Deserialize, Serialize};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use super::reading::{self, ProfileBegun};
use super::saving;
use crate::profile::{Asked, Beside, BesideError, MeasureError, Profile, Share, ThreadProfile};
use crate::report::{self, BesideAsked, BesideTable, CostlyLine, UserEventLine};
use crate::web::encode::{ExportedFile, Failure, from_js, list, to_js};

/// A profile that is looked at.
#[wasm_bindgen]
#[derive(Default)]
pub struct ProfileSession {
    profile: Option<Profile>,
    /// With another one.
    beside: Option<Beside>,
}

/// What of a node is wanted over the threads.
#[derive(Default, Deserialize, Tsify)]
#[serde(default, rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub struct OverThreads {
    node: u32,
    /// A metric or a formula; empty: the first metric.
    measure: String,
    exclusive: bool,
}

/// Values that the program told, and how many are not listed.
#[derive(Serialize, Tsify)]
pub struct UserEventLines {
    lines: Vec<UserEventLine>,
    more: u32,
}

#[wasm_bindgen]
impl ProfileSession {
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the profile among files, or that which `choice` names of several: with the part of this
    /// module that is loaded later.
    pub fn open(
        &mut self,
        names: Vec<String>,
        #[wasm_bindgen(unchecked_param_type = "File[]")] dropped: Array,
        choice: Option<String>,
        #[wasm_bindgen(
            unchecked_param_type = "(progressed: { phase: string, done: number, total: number }) => void"
        )]
        progress: Function,
    ) -> Result<Ts<ProfileBegun>, JsValue> {
        let (begun, profile) = reading::read(names, &dropped, choice.as_deref(), &progress)?;
        self.profile = profile;
        self.beside = None;
        Ok(to_js(&begun)?)
    }

    /// Reads a profile to lay beside the one that is open, in the same way.
    #[wasm_bindgen(js_name = openBeside)]
    pub fn open_beside(
        &mut self,
        names: Vec<String>,
        #[wasm_bindgen(unchecked_param_type = "File[]")] dropped: Array,
        choice: Option<String>,
        #[wasm_bindgen(
            unchecked_param_type = "(progressed: { phase: string, done: number, total: number }) => void"
        )]
        progress: Function,
    ) -> Result<Ts<ProfileBegun>, JsValue> {
        let (begun, profile) = reading::read(names, &dropped, choice.as_deref(), &progress)?;
        if let Some(profile) = profile {
            self.beside = Some(Beside::of(self.profile()?, &profile));
        }
        Ok(to_js(&begun)?)
    }

    /// Lays a profile that an engine made of a trace beside the one that is open.
    #[wasm_bindgen(js_name = takeBeside)]
    pub fn take_beside(&mut self, bytes: &[u8]) -> Result<(), JsValue> {
        let profile =
            Profile::from_bytes(bytes).ok_or_else(|| Failure::bug("a profile that is none"))?;
        self.beside = Some(Beside::of(self.profile()?, &checked(profile)?));
        Ok(())
    }

    /// What both profiles have.
    pub fn beside(&self, asked: Ts<BesideAsked>) -> Result<Ts<BesideTable>, JsValue> {
        let asked: BesideAsked = from_js(asked.js_value())?;
        Ok(to_js(&report::beside(self.both()?, &asked).map_err(not_beside)?)?)
    }

    /// What a node of both is in the profile that is open; `undefined` of what only the other has.
    #[wasm_bindgen(js_name = nodeOfPair)]
    pub fn node_of_pair(&self, pair: u32) -> Result<Option<u32>, JsValue> {
        Ok(self.both()?.node_of(0, pair, self.profile()?))
    }

    /// Both as a table, of what is looked at alone, if that is asked for: with the part of this module that is
    /// loaded later.
    #[wasm_bindgen(js_name = besideFiles)]
    pub fn beside_files(&self, measure: Option<String>) -> Result<Vec<Ts<ExportedFile>>, JsValue> {
        let both = self.both()?;
        let measures = both.measures(measure.as_deref()).map_err(not_beside)?;
        Ok(saving::save_beside(both, &measures)?)
    }

    /// Takes a profile that the engine made of a trace.
    pub fn take(&mut self, bytes: &[u8]) -> Result<(), JsValue> {
        let profile =
            Profile::from_bytes(bytes).ok_or_else(|| Failure::bug("a profile that is none"))?;
        self.profile = Some(checked(profile)?.summarised());
        self.beside = None;
        Ok(())
    }

    /// What threads have together, for [`super::picture::ProfilePicture`].
    pub fn overview(&self, asked: Ts<Asked>) -> Result<Uint8Array, JsValue> {
        let asked: Asked = from_js(asked.js_value())?;
        let overview = self.profile()?.overview(&asked).map_err(refused)?;
        Ok(Uint8Array::from(overview.to_bytes().as_slice()))
    }

    /// What each thread has of a node; NaN where it has no value.
    #[wasm_bindgen(js_name = overThreads)]
    pub fn over_threads(&self, asked: Ts<OverThreads>) -> Result<Float64Array, JsValue> {
        let OverThreads { node, measure, exclusive } = from_js(asked.js_value())?;
        let profile = self.profile()?;
        let measure = profile.measure_or_first(&measure).map_err(refused)?;
        let share = if exclusive { Share::Exclusive } else { Share::Inclusive };
        Ok(Float64Array::from(profile.over_threads(node, &measure, share).as_slice()))
    }

    /// The profile as files of a format: with the part of this module that is loaded later.
    pub fn files(
        &self,
        #[wasm_bindgen(
            unchecked_param_type = "'csv' | 'json' | 'speedscope' | 'folded' | 'tau' | 'select'"
        )]
        format: &str,
        measure: &str,
        cost_ns: Option<f64>,
    ) -> Result<Vec<Ts<ExportedFile>>, JsValue> {
        Ok(saving::save(self.profile()?, format, measure, cost_ns)?)
    }

    /// The probes that cost more than they tell, where a call costs so many nanoseconds.
    pub fn costly(&self, cost_ns: Option<f64>) -> Result<Vec<Ts<CostlyLine>>, JsValue> {
        Ok(list(&report::costly(&self.profile()?.costly(cost_ns)))?)
    }

    /// What the program told of values of its own, on all threads or on one.
    #[wasm_bindgen(js_name = userEvents)]
    pub fn user_events(&self, thread: Option<u32>) -> Result<Ts<UserEventLines>, JsValue> {
        let (lines, more) = report::user_events(self.profile()?, thread);
        Ok(to_js(&UserEventLines { lines, more: more as u32 })?)
    }

    fn profile(&self) -> Result<&Profile, Failure> {
        self.profile.as_ref().ok_or_else(|| Failure::bug("no profile is open"))
    }

    fn both(&self) -> Result<&Beside, Failure> {
        self.beside.as_ref().ok_or_else(|| Failure::bug("no other profile is open"))
    }
}

fn not_beside(error: BesideError) -> Failure {
    Failure::new("usage", &error)
}

fn refused(error: MeasureError) -> Failure {
    Failure::new("usage", &error)
}

/// A profile of which something is known.
pub fn checked(profile: Profile) -> Result<Profile, Failure> {
    let is_known = |thread: &ThreadProfile| !thread.columns.is_empty();
    if profile.threads.iter().any(is_known) && !profile.metrics.is_empty() {
        return Ok(profile);
    }
    Err(Failure::new("nothing", &"nothing is known of any thread: there is no profile"))
}
