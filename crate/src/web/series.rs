//! The painter's side of a series: runs under a value that changes, painted and told.

use serde::Deserialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

use super::canvas::Canvas;
use super::compared_files;
use super::compared_values as values;
use super::encode::{ExportedFile, Failure, files, from_js, to_js};
use super::picture::Picture;
use crate::compare::{Between, Run, Series, Values, Wanted, largest, series, values_in};
use crate::folding::{Folding, Group};
use crate::paint::{self, ComparedView, SeriesLook, Theme};
use crate::report::{self, SeriesSummary};

/// What is asked of a series.
#[derive(Clone, Debug, Default, Deserialize, Tsify)]
#[serde(default, rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub struct SeriesAsked {
    /// Name of the value, and the value of each run.
    key: String,
    values: Vec<String>,
    /// The same as numbers, if all are. Read here they would be 10 kB of tables more.
    numbers: Option<Vec<f64>>,
    theme: Theme,
}

/// The value of each run as the names of its files tell it.
#[wasm_bindgen(js_name = seriesValues)]
pub fn series_values(names: Vec<String>) -> Vec<String> {
    values_of(&names)
}

#[inline(never)]
fn values_of(names: &[String]) -> Vec<String> {
    values_in(&names.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Runs to look at.
#[wasm_bindgen]
#[derive(Default)]
pub struct SeriesPicture {
    runs: Vec<Run>,
    pub(super) first: Folding,
    pub(super) groups: Vec<Group>,
    pub(super) names: Vec<String>,
    pub(super) told: Option<(Series, String)>,
    look: Option<SeriesLook>,
}

#[wasm_bindgen]
impl SeriesPicture {
    /// Without a run.
    #[wasm_bindgen(constructor)]
    pub fn new() -> SeriesPicture {
        Self::default()
    }

    /// Adds a run, which is called so: the group of most instances of its folding, or the one of this number.
    pub fn add(&mut self, picture: &Picture, name: &str, group: u32) -> Result<(), JsValue> {
        Ok(self.added(&picture.folding, name, group)?)
    }

    /// Lays the runs beside one another; an error says why they cannot be.
    pub fn compare(&mut self, asked: Ts<SeriesAsked>) -> Result<Ts<SeriesSummary>, JsValue> {
        Ok(self.compared(asked)?)
    }

    /// Paints a run on the axis of all (`row`), that `axis`, or a measure over the value (`plot`): the one at
    /// this place.
    pub fn paint(
        &self,
        #[wasm_bindgen(unchecked_param_type = "'row' | 'axis' | 'plot'")] part: &str,
        at: usize,
        canvas: HtmlCanvasElement,
        view: Ts<ComparedView>,
        dpr: f64,
    ) -> Result<(), JsValue> {
        Ok(self.painted((part, at), &Canvas::new(&canvas, dpr)?, &values::view(view)?)?)
    }

    /// Files of a format: `csv`, `json` or `svg`.
    #[wasm_bindgen(js_name = exportFile)]
    pub fn export_file(&self, format: &str) -> Result<Vec<Ts<ExportedFile>>, JsValue> {
        Ok(files(compared_files::series_files(self, format)?)?)
    }
}

impl SeriesPicture {
    #[inline(never)]
    fn added(&mut self, folding: &Folding, name: &str, group: u32) -> Result<(), Failure> {
        let group = match group {
            0 => largest(folding),
            number => folding.group(number),
        };
        let failure = |what: String| Failure::new("nothing", &format!("{name}: {what}"));
        let group = group.ok_or_else(|| failure("nothing is folded".to_owned()))?;
        let run = Run::of(group).map_err(|unfit| failure(unfit.to_string()))?;
        match self.runs.is_empty() {
            true => {
                let (region, trace) = (folding.region.clone(), folding.trace.clone());
                self.first = Folding { region, trace, ..Folding::default() };
            }
            false if folding.region != self.first.region => {
                let region = &self.first.region;
                return Err(failure(format!(
                    "is folded over {}, the others over {region}",
                    folding.region
                )));
            }
            false => {}
        }
        self.runs.push(run);
        self.groups.push(group.clone());
        self.names.push(name.to_owned());
        Ok(())
    }

    #[inline(never)]
    fn compared(&mut self, asked: Ts<SeriesAsked>) -> Result<Ts<SeriesSummary>, Failure> {
        to_js(&self.decide(from_js(asked.js_value())?)?)
    }

    fn decide(&mut self, asked: SeriesAsked) -> Result<SeriesSummary, Failure> {
        let wanted = Wanted { between: Between::default(), ..Wanted::default() };
        let values = Values { texts: asked.values, numbers: asked.numbers };
        let told =
            series(&self.runs, values, &wanted).map_err(|error| Failure::new("nothing", &error))?;
        let summary = report::series(&told, &self.groups, &asked.key, asked.theme);
        self.look = SeriesLook::new(self.groups.clone());
        self.told = Some((told, asked.key));
        Ok(summary)
    }

    #[inline(never)]
    fn painted(
        &self,
        (part, at): (&str, usize),
        pen: &Canvas,
        view: &ComparedView,
    ) -> Result<(), Failure> {
        let both = self.told.as_ref().zip(self.look.as_ref());
        let ((told, key), look) = both.ok_or_else(|| Failure::bug("not compared"))?;
        let view = view.plain();
        match part {
            "row" => {
                let label = told.values.texts.get(at).map(|value| format!("{key} {value}"));
                paint::series_row(pen, look, &view, at, &label.unwrap_or_default());
            }
            "axis" => paint::series_axis(pen, look, &view),
            "plot" => paint::series_plot(pen, look, &view, told, at),
            _ => return Err(Failure::bug("no such part")),
        }
        Ok(())
    }
}
