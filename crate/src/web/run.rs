//! The painter's side of a run: what its engine saw, painted and told.

use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

use super::canvas::Canvas;
use super::encode::{Failure, to_js};
use super::picture::put;
use super::run_values;
use crate::glance::{Brush, Glance, Raster, Rates};
use crate::paint::{self, KeyMark, Layout, RunView};
use crate::report::{self, Brushed, RunSummary};

/// A run to look at.
#[wasm_bindgen]
pub struct RunPicture {
    glance: Glance,
}

#[wasm_bindgen]
impl RunPicture {
    /// From what [`super::Session::glance`] gives.
    #[wasm_bindgen(constructor)]
    pub fn new(glance: Ts<Glance>) -> Result<RunPicture, JsValue> {
        Ok(Self { glance: run_values::glance(glance)? })
    }

    /// What stands round the pictures.
    pub fn summary(&self) -> Result<Ts<RunSummary>, JsValue> {
        Ok(run_values::summary(&report::run(&self.glance))?)
    }

    /// How many rows a time line of so many CSS px has, and how high it is then.
    pub fn rows(&self, most_px: f64) -> Vec<f64> {
        let (rows, px) = paint::rows(self.glance.lifelines.len(), most_px);
        vec![f64::from(rows), px]
    }

    /// Paints the time line, the strip below it or both axes.
    ///
    /// `raster`: as [`super::Session::raster`] gives it.
    pub fn paint(
        &self,
        #[wasm_bindgen(
            unchecked_param_type = "'timeline' | 'waiting' | 'structure' | 'axis' | 'scatter' | 'distances' | 'threads'"
        )]
        what: &str,
        canvas: HtmlCanvasElement,
        view: Ts<RunView>,
        dpr: f64,
        raster: &[u8],
    ) -> Result<Ts<Layout>, JsValue> {
        let view = run_values::view(view)?;
        let raster = Raster::from_bytes(raster);
        if what == "timeline" && raster.rows > 0 {
            put(&canvas, &paint::pixels(&view, &raster, dpr), dpr)?;
        }
        let pen = Canvas::new(&canvas, dpr)?;
        let glance = &self.glance;
        let layout = match what {
            "timeline" => paint::timeline(&pen, glance, &view, raster.rows),
            "waiting" => paint::waiting(&pen, &view, &raster),
            "structure" => paint::structure(&pen, glance, &view),
            "axis" => paint::run_axis(&pen, glance, &view),
            "scatter" => paint::scatter(&pen, glance, &view),
            "distances" => paint::distances(&pen, glance, &view),
            "threads" => paint::run_threads(&pen, glance, &view),
            _ => return Err(Failure::bug("no such picture").into()),
        };
        Ok(to_js(&layout)?)
    }

    /// Paints rates between readings, as [`super::Session::rates`] gives them. Returns what is seen,
    /// in words.
    pub fn rates(
        &self,
        canvas: HtmlCanvasElement,
        view: Ts<RunView>,
        dpr: f64,
        rates: Ts<Rates>,
    ) -> Result<String, JsValue> {
        let rates = run_values::rates(rates)?;
        paint::run_rates(&Canvas::new(&canvas, dpr)?, &run_values::view(view)?, &rates);
        Ok(report::rates(&rates))
    }

    /// What the colours of the time line tell; `raster` as above.
    pub fn key(&self, view: Ts<RunView>, raster: &[u8]) -> Result<Vec<Ts<KeyMark>>, JsValue> {
        let view = run_values::view(view)?;
        Ok(run_values::key(&paint::run_key(&view, &Raster::from_bytes(raster)))?)
    }

    /// The cluster of the point near a place of the scatter; `undefined` of none.
    pub fn nearest(&self, view: Ts<RunView>, x: f64, y: f64) -> Result<Option<u32>, JsValue> {
        Ok(paint::nearest_cluster(&self.glance, &run_values::view(view)?, (x, y)))
    }

    /// How many columns and rows the raster has that [`Self::svg`] paints.
    pub fn cells(&self) -> Vec<u32> {
        paint::run_cells(self.glance.lifelines.len()).to_vec()
    }

    /// The picture of the whole, in SVG; `view` without a size. Painted with the part for pictures.
    pub fn svg(&self, view: Ts<RunView>, raster: &[u8]) -> Result<String, JsValue> {
        let view = run_values::view(view)?;
        let words = report::heading(&self.glance);
        Ok(paint::run_svg(&self.glance, &Raster::from_bytes(raster), &view, &words))
    }

    /// What the thread does whose bar is at `x` of their picture, in words; empty beside them.
    #[wasm_bindgen(js_name = threadAt)]
    pub fn thread_at(&self, view: Ts<RunView>, x: f64) -> Result<String, JsValue> {
        let at = paint::thread_at(&self.glance, &run_values::view(view)?, x);
        Ok(at.map(|at| report::thread(&self.glance, at)).unwrap_or_default())
    }

    /// What lies between two places of the scatter: least and largest value across, then up.
    pub fn brush(
        &self,
        view: Ts<RunView>,
        from_x: f64,
        from_y: f64,
        to_x: f64,
        to_y: f64,
    ) -> Result<Vec<f64>, JsValue> {
        let view = run_values::view(view)?;
        let brush = paint::brush(&self.glance, &view, (from_x, from_y), (to_x, to_y));
        Ok(brush.map(|brush| [brush.across, brush.up].concat()).unwrap_or_default())
    }

    /// What lies inside a line of places of the scatter, each across and down: least and largest value
    /// across, then up, then the corners of its outline.
    pub fn lasso(&self, view: Ts<RunView>, line: &[f64]) -> Result<Vec<f64>, JsValue> {
        let (line, _) = line.as_chunks();
        let line = line.iter().map(|[x, y]| (*x, *y)).collect::<Vec<_>>();
        let brush = paint::lasso(&self.glance, &run_values::view(view)?, &line);
        let numbers = |brush: Brush| [brush.across, brush.up].into_iter().chain(brush.outline);
        Ok(brush.into_iter().flat_map(numbers).flatten().collect())
    }

    /// Left, top, right and bottom of the brush of a view; empty without one.
    #[wasm_bindgen(js_name = brushCorners)]
    pub fn brush_corners(&self, view: Ts<RunView>) -> Result<Vec<f64>, JsValue> {
        let corners = paint::brush_corners(&self.glance, &run_values::view(view)?);
        Ok(corners.map(|(from, to)| vec![from.0, from.1, to.0, to.1]).unwrap_or_default())
    }

    /// What the brush of a view holds.
    pub fn brushed(&self, view: Ts<RunView>) -> Result<Ts<Brushed>, JsValue> {
        let points = paint::brushed_points(&self.glance, &run_values::view(view)?);
        Ok(run_values::brushed(&report::brushed(&self.glance, &points))?)
    }

    /// The setting `eps` at a height of the picture of distances.
    #[wasm_bindgen(js_name = epsAt)]
    pub fn eps_at(&self, view: Ts<RunView>, y: f64) -> Result<String, JsValue> {
        Ok(paint::eps_at(&self.glance, &run_values::view(view)?, y))
    }

    /// The colour of a cluster, as `#RRGGBB`.
    pub fn colour(&self, view: Ts<RunView>, cluster: u32) -> Result<String, JsValue> {
        let view = run_values::view(view)?;
        Ok(paint::cluster_colour(&view, cluster))
    }
}
