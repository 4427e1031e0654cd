//! The worker's side: one profile, read from files or made of a trace.

use js_sys::{Array, Float64Array, Function, Uint8Array};
use serde::Deserialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use super::reading::{self, ProfileBegun};
use super::saving;
use crate::profile::{Asked, MeasureError, Profile, Share, ThreadProfile};
use crate::report::{self, CostlyLine};
use crate::web::encode::{ExportedFile, Failure, from_js, list, to_js};

/// A profile that is looked at.
#[wasm_bindgen]
#[derive(Default)]
pub struct ProfileSession {
    profile: Option<Profile>,
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
        Ok(to_js(&begun)?)
    }

    /// Takes a profile that the engine made of a trace.
    pub fn take(&mut self, bytes: &[u8]) -> Result<(), JsValue> {
        let profile =
            Profile::from_bytes(bytes).ok_or_else(|| Failure::bug("a profile that is none"))?;
        self.profile = Some(checked(profile)?.summarised());
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

    fn profile(&self) -> Result<&Profile, Failure> {
        self.profile.as_ref().ok_or_else(|| Failure::bug("no profile is open"))
    }
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
