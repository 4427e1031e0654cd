//! The painter's side of several runs beside one another: how efficiently they use their threads, painted and
//! told.

use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

use super::canvas::Canvas;
use super::encode::{ExportedFile, Failure, files, from_js, to_js};
use crate::export::scaling_files;
use crate::glance::{RunUse, ScalingAsked};
use crate::paint::{self, RunView};
use crate::report::{self, ScalingSummary};

/// Runs to look at, by the number of their threads.
#[wasm_bindgen]
#[derive(Default)]
pub struct ScalingPicture {
    runs: Vec<RunUse>,
}

#[wasm_bindgen]
impl ScalingPicture {
    /// Without a run.
    #[wasm_bindgen(constructor)]
    pub fn new() -> ScalingPicture {
        Self::default()
    }

    /// Adds a run, as [`super::Session::run_use`] tells it.
    pub fn add(&mut self, told: &[u8]) -> Result<(), JsValue> {
        Ok(self.added(told)?)
    }

    /// The table of all, and what stands beside it.
    pub fn summary(&self, asked: Ts<ScalingAsked>) -> Result<Ts<ScalingSummary>, JsValue> {
        Ok(self.told(asked)?)
    }

    /// Paints efficiencies over the number of threads, or where the time of all threads goes.
    pub fn paint(
        &self,
        #[wasm_bindgen(unchecked_param_type = "'scaling' | 'core'")] what: &str,
        canvas: HtmlCanvasElement,
        view: Ts<RunView>,
        dpr: f64,
        asked: Ts<ScalingAsked>,
    ) -> Result<(), JsValue> {
        Ok(self.painted(what, &Canvas::new(&canvas, dpr)?, view, asked)?)
    }

    /// Files of a format: `csv` or `svg`. With the part that writes files.
    #[wasm_bindgen(js_name = exportFile)]
    pub fn export_file(
        &self,
        format: &str,
        view: Ts<RunView>,
        asked: Ts<ScalingAsked>,
    ) -> Result<Vec<Ts<ExportedFile>>, JsValue> {
        Ok(self.exported(format, view, asked)?)
    }
}

impl ScalingPicture {
    #[inline(never)]
    fn added(&mut self, told: &[u8]) -> Result<(), Failure> {
        let run = RunUse::from_bytes(told).ok_or_else(|| Failure::bug("no run"))?;
        self.runs.push(run);
        // Those of which nothing is known stand last.
        self.runs.sort_by_key(|run| run.threads().unwrap_or(u32::MAX));
        Ok(())
    }

    #[inline(never)]
    fn told(&self, asked: Ts<ScalingAsked>) -> Result<Ts<ScalingSummary>, Failure> {
        to_js(&report::scaling(&self.runs, &from_js(asked.js_value())?))
    }

    #[inline(never)]
    fn painted(
        &self,
        what: &str,
        pen: &Canvas,
        view: Ts<RunView>,
        asked: Ts<ScalingAsked>,
    ) -> Result<(), Failure> {
        let (view, asked) = (from_js(view.js_value())?, from_js(asked.js_value())?);
        match what {
            "scaling" => paint::scaling(pen, &self.runs, &asked, &view),
            "core" => paint::core_time(pen, &self.runs, &asked, &view),
            _ => return Err(Failure::bug("no such picture")),
        }
        Ok(())
    }

    #[inline(never)]
    fn exported(
        &self,
        format: &str,
        view: Ts<RunView>,
        asked: Ts<ScalingAsked>,
    ) -> Result<Vec<Ts<ExportedFile>>, Failure> {
        let (view, asked) = (from_js::<RunView>(view.js_value())?, from_js(asked.js_value())?);
        files(scaling_files(&self.runs, &asked, view.theme, format))
    }
}
