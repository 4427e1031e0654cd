//! The painter's side: one folding, painted and told.

use std::cell::RefCell;

use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

use super::address::{LastPick, Memory};
use super::canvas::{Canvas, context, pixels_of};
use super::encode::{ExportedFile, Failure, files, from_js, list, to_js};
use super::figured;
use super::linked::{self, MadeLink};
use super::{between, certainty, columns, counters};
use crate::export::{Format, export_without_trace};
use crate::folding::{Cloud, Folding, Group, Points, Undecided};
use crate::paint::{self, Layout, LegendEntry, ModelEntry, RgbaImage, View};
use crate::quantity;
use crate::report::{
    self, Above, Certainty, Code, CounterChoices, Lane, Moment, RangeSummary, Recheck, Stretch,
    Summary, Table,
};
use crate::settings::{Key, schema};

/// A folding to look at.
#[wasm_bindgen]
pub struct Picture {
    pub(super) folding: Folding,
    pub(super) memory: Vec<Memory>,
    pub(super) picked: RefCell<LastPick>,
    /// Samples of a counter that came with a link.
    pub(super) samples: Option<Cloud>,
    /// What it does not tell yet.
    undecided: Option<Undecided>,
}

impl Picture {
    pub(super) fn of(folding: Folding) -> Picture {
        let (memory, picked) = (Vec::new(), RefCell::new(None));
        Picture { folding, memory, picked, samples: None, undecided: None }
    }
}

#[wasm_bindgen]
impl Picture {
    /// From the encoded folding of [`super::Session::fold`].
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8]) -> Result<Picture, JsValue> {
        let folding =
            Folding::from_bytes_for_picture(bytes).ok_or_else(|| Failure::bug("no folding"))?;
        Ok(Self::of(folding))
    }

    /// From the same where it is not decided yet which kind of curve it will be: it tells no phases,
    /// until [`Picture::settle`].
    pub fn undecided(bytes: &[u8]) -> Result<Picture, JsValue> {
        let mut picture = Self::new(bytes)?;
        picture.undecided = Some(picture.folding.take_undecided());
        Ok(picture)
    }

    /// Tells the phases as they are: nothing else will be decided.
    pub fn settle(&mut self) {
        if let Some(undecided) = self.undecided.take() {
            self.folding.give_back(undecided);
        }
    }

    /// What stands beside the picture.
    pub fn summary(&self) -> Result<Ts<Summary>, JsValue> {
        Ok(to_js(&report::summary(&self.folding))?)
    }

    /// Paints a lane that needs nothing beside the folding.
    pub fn paint(
        &self,
        #[wasm_bindgen(
            unchecked_param_type = "'activity' | 'source' | 'performance' | 'gauge' | 'rail' | 'density' | 'axis'"
        )]
        lane: &str,
        canvas: HtmlCanvasElement,
        view: Ts<View>,
        dpr: f64,
    ) -> Result<Ts<Layout>, JsValue> {
        let paint: Painter = match lane {
            "activity" => paint::activity,
            "source" => paint::source,
            "performance" => paint::performance,
            "gauge" => paint::gauge,
            "rail" => paint::rail,
            "density" => paint::density,
            "axis" => paint::axis,
            _ => return Err(Failure::bug("no such lane").into()),
        };
        let (view, pen) = (self.view(view)?, Canvas::new(&canvas, dpr)?);
        Ok(to_js(&paint(&pen, &self.folding, &view))?)
    }

    /// `points`: the cloud as [`super::Session::points`] gives it, if it is there.
    #[wasm_bindgen(js_name = paintSamples)]
    pub fn paint_samples(
        &self,
        canvas: HtmlCanvasElement,
        view: Ts<View>,
        dpr: f64,
        #[wasm_bindgen(unchecked_param_type = "Points | undefined")] points: JsValue,
    ) -> Result<Ts<Layout>, JsValue> {
        let view = view_of(view)?;
        let cloud = self.cloud(&view, &points)?;
        if let Some(cloud) = &cloud {
            put(&canvas, &paint::cloud_image(cloud, &self.folding, &view, dpr), dpr)?;
        }
        let pen = Canvas::new(&canvas, dpr)?;
        Ok(to_js(&paint::samples(&pen, &self.folding, &view, cloud.as_ref(), true))?)
    }

    /// What a lane shows, in words: `activity`, `source`, `address`, `performance`, `gauge`, `samples`, `rail` or
    /// `density`.
    pub fn describe(&self, lane: &str, view: Ts<View>) -> Result<String, JsValue> {
        let (lane, view) = (Lane::named(lane), view_of(view)?);
        let lane = lane.ok_or_else(|| Failure::bug("no such lane"))?;
        let region = quantity::title(&self.folding.region, self.folding.kind);
        Ok(report::words(&region, self.group(view.group)?, &view, lane))
    }

    /// The legend of the performance lane.
    pub fn legend(&self, view: Ts<View>) -> Result<Vec<Ts<LegendEntry>>, JsValue> {
        Ok(list(&paint::legend(&self.folding, &view_of(view)?))?)
    }

    /// The legend of the model that the view asks for; empty without one.
    #[wasm_bindgen(js_name = modelLegend)]
    pub fn model_legend(&self, view: Ts<View>) -> Result<Vec<Ts<ModelEntry>>, JsValue> {
        Ok(list(&paint::model_legend(&self.folding, &view_of(view)?))?)
    }

    /// What stands at folded time `x`. `view` is that of the performance lane; `address` that of the
    /// address lane; `y` and `over` the height of the pointer over the latter and over the former, if it
    /// is there.
    pub fn at(
        &self,
        view: Ts<View>,
        x: f64,
        address: Option<Ts<View>>,
        y: Option<f64>,
        over: Option<f64>,
    ) -> Result<Option<Ts<Moment>>, JsValue> {
        let view = view_of(view)?;
        let address = address.map(|address| self.view(address)).transpose()?;
        let near = address.and_then(|address| self.nearest(&address, x, y));
        let moment = report::moment(&self.folding, &view, x, near.as_ref(), over);
        Ok(moment.map(|moment| to_js(&moment)).transpose()?)
    }

    /// What happens between two moments of folded time, as the performance lane shows it.
    pub fn stretch(
        &self,
        view: Ts<View>,
        from: f64,
        to: f64,
    ) -> Result<Option<Ts<Stretch>>, JsValue> {
        let stretch = report::stretch(&self.folding, &view_of(view)?, [from, to]);
        Ok(stretch.map(|stretch| to_js(&stretch)).transpose()?)
    }

    /// A share of the region's length, with its unit.
    pub fn extent(&self, group: u32, share: f64) -> Result<String, JsValue> {
        Ok(quantity::extent(self.group(group)?, share))
    }

    /// How much of the time the power of each counter of energy is above a limit.
    pub fn above(&self, group: u32, limit_watts: f64) -> Result<Vec<Ts<Above>>, JsValue> {
        Ok(list(&report::above_limit(self.group(group)?, limit_watts))?)
    }

    /// `rows` moments from begin to end with every curve's numbers.
    pub fn table(&self, group: u32, rows: u32) -> Result<Ts<Table>, JsValue> {
        Ok(to_js(&report::table(self.group(group)?, rows.min(100_000)))?)
    }

    /// Every counter, to choose those whose curves are shown.
    pub fn counters(&self, group: u32) -> Result<Ts<CounterChoices>, JsValue> {
        Ok(counters::choices(self.group(group)?)?)
    }

    /// How sure the curve of a counter is; `undefined` if there is no such curve.
    pub fn certainty(&self, group: u32, counter: &str) -> Result<Option<Ts<Certainty>>, JsValue> {
        Ok(certainty::certainty(&self.folding, self.group(group)?, counter)?)
    }

    /// How long and how fast each routine and line ran, and from where it was called; between two
    /// moments, if they are given.
    pub fn code(
        &self,
        group: u32,
        #[wasm_bindgen(unchecked_param_type = "[number, number] | null")] range: JsValue,
    ) -> Result<Ts<Code>, JsValue> {
        Ok(to_js(&report::code(self.group(group)?, from_js(range)?))?)
    }

    /// What stands between two moments.
    pub fn range(&self, group: u32, from: f64, to: f64) -> Result<Ts<RangeSummary>, JsValue> {
        let references = self.references(group);
        Ok(between::between(self.group(group)?, references, [from, to])?)
    }

    /// The words for a table that is of a range alone.
    #[wasm_bindgen(js_name = ofRange)]
    pub fn of_range(&self, group: u32, from: f64, to: f64) -> Result<String, JsValue> {
        Ok(report::of_range(&self.folding, self.group(group)?, [from, to]))
    }

    /// The figure of what is shown as SVG, or a report as HTML with it inside.
    pub fn figure(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Record<string, string>")] texts: JsValue,
        #[wasm_bindgen(unchecked_param_type = "Record<string, string>")] settings: JsValue,
        #[wasm_bindgen(unchecked_param_type = "Points | undefined")] points: JsValue,
        report: bool,
    ) -> Result<String, JsValue> {
        figured::figured(self, (texts, settings), &points, report)
    }

    /// What a link holds as files of a format, without samples.
    #[wasm_bindgen(js_name = exportFile)]
    pub fn export_file(&self, format: &str) -> Result<Vec<Ts<ExportedFile>>, JsValue> {
        let format = Format::parse(format).ok_or_else(|| Failure::bug("unknown format"))?;
        let linked = [(self.folding.clone(), Points::default())];
        Ok(files(export_without_trace(&linked, format).map_err(Failure::from)?)?)
    }

    /// A link to what is shown, with the samples of the counter that is shown alone.
    pub fn link(
        &self,
        #[wasm_bindgen(unchecked_param_type = "LinkAsked")] asked: JsValue,
        counter: Option<String>,
        #[wasm_bindgen(unchecked_param_type = "Points | undefined")] points: JsValue,
    ) -> Result<Ts<MadeLink>, JsValue> {
        linked::made(self, asked, counter, &points)
    }

    /// Compares a link with this picture, which is of its trace, folded as the link says.
    pub fn recheck(
        &self,
        text: &str,
        #[wasm_bindgen(unchecked_param_type = "Input[]")] inputs: JsValue,
    ) -> Result<Ts<Recheck>, JsValue> {
        linked::rechecked(self, text, inputs)
    }

    /// How many samples of a counter came with a link: 0 without.
    #[wasm_bindgen(js_name = carriedSamples)]
    pub fn carried_samples(&self, group: u32, counter: &str) -> u32 {
        let of = self.samples.as_ref().filter(|of| of.group == group && of.counter == counter);
        of.map_or(0, |cloud| cloud.x.len() as u32)
    }
}

impl Picture {
    pub(super) fn group(&self, number: u32) -> Result<&Group, Failure> {
        self.folding.group(number).ok_or_else(|| Failure::bug(format!("no group {number}")))
    }
}

impl Picture {
    /// The samples that the page has of the counter shown, else those that came with a link.
    pub(super) fn cloud(&self, view: &View, points: &JsValue) -> Result<Option<Cloud>, JsValue> {
        let Some(counter) = &view.counter else { return Ok(None) };
        let own = columns::cloud(view.group, counter, points)?;
        let carried = || {
            let carried = self.samples.as_ref();
            carried.filter(|of| of.group == view.group && of.counter == *counter).cloned()
        };
        Ok(own.or_else(carried))
    }
}

/// What paints a lane.
type Painter = fn(&dyn paint::Pen, &Folding, &View) -> Layout;

/// A link that was read.
#[wasm_bindgen]
pub struct OpenedLink {
    pub(super) picture: Picture,
    pub(super) facts: JsValue,
}

#[wasm_bindgen]
impl OpenedLink {
    /// Settings, view, and whether a newer Tracefold made it.
    #[wasm_bindgen(unchecked_return_type = "LinkFacts")]
    pub fn facts(&self) -> JsValue {
        self.facts.clone()
    }

    /// The folding in it; the link is no more.
    #[wasm_bindgen(js_name = intoPicture)]
    pub fn into_picture(self) -> Picture {
        self.picture
    }
}

/// Reads the text after `s=`, with the part of this module that is loaded later. `settings` stand beside
/// the link: they can only be its own, as there is no trace to fold with others.
#[wasm_bindgen(js_name = openLink)]
pub fn open_link(
    text: &str,
    #[wasm_bindgen(unchecked_param_type = "Record<string, string>")] settings: JsValue,
) -> Result<OpenedLink, JsValue> {
    linked::opened(text, settings)
}

/// Every setting as the page offers it.
#[wasm_bindgen(js_name = settingsSchema)]
pub fn settings_schema() -> Result<Vec<Ts<Key>>, JsValue> {
    Ok(list(&schema())?)
}

/// A time by itself, with its unit.
#[wasm_bindgen]
pub fn duration(ns: f64) -> String {
    quantity::duration(ns)
}

/// What a picture is asked for.
pub fn view_of(view: Ts<View>) -> Result<View, Failure> {
    from_js(view.js_value())
}

/// Puts the pixels of an image where they belong.
pub fn put(canvas: &HtmlCanvasElement, image: &RgbaImage, dpr: f64) -> Result<(), JsValue> {
    context(canvas)?.put_image_data(&pixels_of(image)?, image.left_px * dpr, image.top_px * dpr)
}
