//! The painter's side: one folding, painted and read.

use std::cell::RefCell;
use std::collections::BTreeMap;

use js_sys::{Array, Float64Array, JSON, Object, Reflect, Uint8Array, Uint32Array};
use wasm_bindgen::Clamped;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlCanvasElement, ImageData};

use super::address::{LastPick, Memory};
use super::canvas::{Canvas, context};
use super::code::code;
use super::encode::{Failure, files, json_of, parsed, settings_of};
use super::energy::energy;
use super::models::model_at;
use super::numbers::{at_cursor, summary, table};
use super::{lane, settings};
use crate::export::{Format, export_without_trace};
use crate::paint::{self, View};
use crate::result::{Cloud, Fields, Folding, Group, Link, LinkError, Points, Use};
use crate::settings::schema;

/// A folding to look at.
#[wasm_bindgen]
pub struct Picture {
    pub(super) folding: Folding,
    pub(super) memory: Vec<Memory>,
    pub(super) picked: RefCell<LastPick>,
}

impl Picture {
    fn of(folding: Folding) -> Picture {
        Picture { folding, memory: Vec::new(), picked: RefCell::new(None) }
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

    /// Trace, region, groups and counters, without columns.
    pub fn summary(&self) -> Result<JsValue, JsValue> {
        parsed(summary(&self.folding))
    }

    #[wasm_bindgen(js_name = paintSource)]
    pub fn paint_source(
        &self,
        canvas: HtmlCanvasElement,
        view: JsValue,
        dpr: f64,
    ) -> Result<JsValue, JsValue> {
        self.lane(&canvas, &view, dpr, paint::source)
    }

    /// Number, name, duration and share of each phase, over the lanes.
    #[wasm_bindgen(js_name = paintRail)]
    pub fn paint_rail(
        &self,
        canvas: HtmlCanvasElement,
        view: JsValue,
        dpr: f64,
    ) -> Result<JsValue, JsValue> {
        self.lane(&canvas, &view, dpr, paint::rail)
    }

    /// How many samples there are where, under the lanes.
    #[wasm_bindgen(js_name = paintDensity)]
    pub fn paint_density(
        &self,
        canvas: HtmlCanvasElement,
        view: JsValue,
        dpr: f64,
    ) -> Result<JsValue, JsValue> {
        self.lane(&canvas, &view, dpr, paint::density)
    }

    #[wasm_bindgen(js_name = paintPerformance)]
    pub fn paint_performance(
        &self,
        canvas: HtmlCanvasElement,
        view: JsValue,
        dpr: f64,
    ) -> Result<JsValue, JsValue> {
        self.lane(&canvas, &view, dpr, paint::performance)
    }

    /// `points`: the cloud as [`super::Session::points`] gives it, or `undefined`.
    #[wasm_bindgen(js_name = paintSamples)]
    pub fn paint_samples(
        &self,
        canvas: HtmlCanvasElement,
        view: JsValue,
        dpr: f64,
        points: JsValue,
    ) -> Result<JsValue, JsValue> {
        let view = view_of(&view)?;
        let cloud = cloud(&view, &points)?;
        if let Some(cloud) = &cloud {
            let image = paint::cloud_image(cloud, &self.folding, &view, dpr);
            let data = ImageData::new_with_u8_clamped_array_and_sh(
                Clamped(&image.pixels),
                image.width,
                image.height,
            )?;
            context(&canvas)?.put_image_data(&data, image.left_px * dpr, image.top_px * dpr)?;
        }
        let pen = Canvas::new(&canvas, dpr)?;
        painted(&paint::samples(&pen, &self.folding, &view, cloud.as_ref(), true))
    }

    #[wasm_bindgen(js_name = paintAxis)]
    pub fn paint_axis(
        &self,
        canvas: HtmlCanvasElement,
        view: JsValue,
        dpr: f64,
    ) -> Result<JsValue, JsValue> {
        self.lane(&canvas, &view, dpr, paint::axis)
    }

    /// The legend of the performance lane.
    pub fn legend(&self, view: JsValue) -> Result<JsValue, JsValue> {
        parsed(lane::legend(&paint::legend(&self.folding, &view_of(&view)?)))
    }

    /// The legend of the model that the view asks for; empty without one.
    #[wasm_bindgen(js_name = modelLegend)]
    pub fn model_legend(&self, view: JsValue) -> Result<JsValue, JsValue> {
        parsed(lane::model_legend(&paint::model_legend(&self.folding, &view_of(&view)?)))
    }

    /// What that model says at folded time `x`; null without one.
    #[wasm_bindgen(js_name = modelAt)]
    pub fn model_at(&self, view: JsValue, x: f64) -> Result<JsValue, JsValue> {
        let view = view_of(&view)?;
        let name = view.model.as_deref().unwrap_or_default();
        let model = self.folding.models.iter().find(|model| model.name == name);
        let modelled = model.and_then(|model| self.folding.group(view.group)?.modelled(model));
        modelled.map_or(Ok(JsValue::NULL), |modelled| parsed(model_at(&modelled, x)))
    }

    /// What stands at folded time `x`.
    pub fn at(&self, group: u32, x: f64) -> Result<JsValue, JsValue> {
        parsed(at_cursor(self.group(group)?, x))
    }

    /// Energy of `counter`, and how much of the time its power is above a limit; null if it does not
    /// count energy.
    pub fn energy(&self, group: u32, counter: &str, limit_watts: f64) -> Result<JsValue, JsValue> {
        energy(self.group(group)?, counter, limit_watts).map_or(Ok(JsValue::NULL), parsed)
    }

    /// `rows` moments from begin to end with every curve's numbers.
    pub fn table(&self, group: u32, rows: u32) -> Result<JsValue, JsValue> {
        parsed(table(self.group(group)?, rows.min(100_000)))
    }

    /// The innermost line of every sample, as columns `{x, place}` by folded time; places as in the
    /// folding.
    pub fn lines(&self, group: u32) -> Result<JsValue, JsValue> {
        let lines = &self.group(group)?.lines;
        let object = Object::new();
        let set = |key: &str, value: JsValue| Reflect::set(&object, &key.into(), &value);
        set("x", Float64Array::from(&lines.x[..]).into())?;
        set("place", Uint32Array::from(&lines.place[..]).into())?;
        Ok(object.into())
    }

    /// How long and how fast each routine and line ran, and from where it was called.
    pub fn code(&self, group: u32) -> Result<JsValue, JsValue> {
        parsed(code(self.group(group)?))
    }

    /// The whole picture as SVG.
    pub fn svg(&self, view: JsValue, points: JsValue) -> Result<String, JsValue> {
        let view = view_of(&view)?;
        let (cloud, references) = (cloud(&view, &points)?, self.references(view.group));
        Ok(paint::picture_svg(&self.folding, &view, cloud.as_ref(), references))
    }

    /// What a link holds as files of a format, without samples: `[{name, bytes}]`.
    #[wasm_bindgen(js_name = exportFile)]
    pub fn export_file(&self, format: &str) -> Result<Array, JsValue> {
        let format = Format::parse(format).ok_or_else(|| Failure::bug("unknown format"))?;
        let linked = [(self.folding.clone(), Points::default())];
        files(export_without_trace(&linked, format).map_err(Failure::from)?)
    }

    /// The text after `s=` of a link. `view` is kept as it is.
    pub fn link(&self, settings: JsValue, view: JsValue) -> Result<String, JsValue> {
        let settings = settings_of(&settings)?;
        let shown = shown_number(&Reflect::get(&view, &"shown".into())?);
        let shown = shown.unwrap_or(self.folding.shown);
        let view = String::from(JSON::stringify(&view)?);
        Ok(Link::encode(&self.folding, shown, &settings, &view).map_err(Failure::from)?)
    }
}

impl Picture {
    fn lane(
        &self,
        canvas: &HtmlCanvasElement,
        view: &JsValue,
        dpr: f64,
        paint: Lane,
    ) -> Result<JsValue, JsValue> {
        let (view, pen) = (self.view(view)?, Canvas::new(canvas, dpr)?);
        painted(&paint(&pen, &self.folding, &view))
    }

    fn group(&self, number: u32) -> Result<&Group, Failure> {
        self.folding.group(number).ok_or_else(|| Failure::bug(format!("no group {number}")))
    }
}

/// What paints a lane.
type Lane = fn(&dyn paint::Pen, &Folding, &View) -> paint::Layout;

/// The group of a view, which the page keeps as a number or as its text.
fn shown_number(value: &JsValue) -> Option<u32> {
    let text = value.as_string().or_else(|| value.as_f64().map(|number| number.to_string()))?;
    text.parse().ok()
}

/// Reads the text after `s=`: `{picture, settings, view, newer}`. `settings` stand beside the link:
/// they can only be its own, as there is no trace to fold with others.
#[wasm_bindgen(js_name = openLink)]
pub fn open_link(text: &str, settings: JsValue) -> Result<JsValue, JsValue> {
    let link = Link::decode(text).map_err(Failure::from)?;
    for (key, value) in json_of(&settings)?.fields() {
        let mut asked = link.settings.clone();
        asked.set(key, value.text()).map_err(Failure::from)?;
        if asked != link.settings {
            return Err(no_trace(key, value.text()).into());
        }
    }
    let settings = BTreeMap::<String, String>::from(link.settings);
    let object = Object::new();
    let set = |key: &str, value: JsValue| Reflect::set(&object, &key.into(), &value);
    set("settings", parsed(settings::texts(&settings))?)?;
    set("view", JSON::parse(&link.view)?)?;
    set("newer", link.newer.is_some().into())?;
    set("version", link.newer.map_or(JsValue::NULL, JsValue::from))?;
    set("picture", Picture::of(link.folding).into())?;
    Ok(object.into())
}

/// A setting beside a link that is not the link's own.
fn no_trace(key: &str, value: &str) -> Failure {
    let message = format!(
        "This link holds a finished picture. The setting {key}={value} needs the trace: open it \
         to fold it again."
    );
    Failure::new("link", &message)
}

impl From<LinkError> for Failure {
    fn from(error: LinkError) -> Self {
        Self::new("link", &error)
    }
}

/// Every setting as the page offers it.
#[wasm_bindgen(js_name = settingsSchema)]
pub fn settings_schema() -> Result<JsValue, JsValue> {
    parsed(settings::offered(&schema()))
}

/// What a picture is asked for.
pub fn view_of(value: &JsValue) -> Result<View, Failure> {
    Ok(View::read(Fields(&json_of(value)?)))
}

fn painted(layout: &paint::Layout) -> Result<JsValue, JsValue> {
    parsed(lane::layout(layout))
}

fn cloud(view: &View, points: &JsValue) -> Result<Option<Cloud>, JsValue> {
    let (false, Some(counter)) = (points.is_falsy(), &view.counter) else { return Ok(None) };
    let column = |key: &str| Reflect::get(points, &key.into());
    let numbers = |key| Ok::<_, JsValue>(Float64Array::new(&column(key)?).to_vec());
    let used = Uint8Array::new(&column("used")?).to_vec().into_iter().map(|used| match used {
        0 => Use::Used,
        1 => Use::Unused,
        _ => Use::Excluded,
    });
    Ok(Some(Cloud {
        group: view.group,
        counter: counter.clone(),
        x: numbers("x")?,
        y: numbers("y")?,
        used: used.collect(),
    }))
}
