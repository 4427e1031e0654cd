//! The page's side: what a profile sums up to, painted and told.

use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

use crate::paint::{
    self, Axis, AxisOf, Bars, Heat, Layout, Order, OverTime, Pictured, ProfileView,
};
use crate::profile::{Overview, Share, correlation};
use crate::quantity::{OfMetric, number, percent, printable, short};
use crate::report::{self, OverTimeTable, PickedNode, ProfileRow, ProfileSummary, Rows, RowsAsked};
use crate::web::canvas::Canvas;
use crate::web::encode::{Failure, from_js, list, to_js};

/// A profile that is looked at.
#[wasm_bindgen]
pub struct ProfilePicture {
    pictured: Pictured,
    rows: Rows,
    asked: Option<RowsAsked>,
    heat: Heat,
    over_time: OverTime,
    /// What each thread has of the picked node.
    values: Vec<f64>,
    axes: [Axis; 4],
}

/// How many rows there are, and how many of them are searched for.
#[derive(serde::Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct RowCounts {
    rows: u32,
    matches: u32,
    /// The place of the picked node among them.
    #[tsify(type = "number | null")]
    picked: Option<u32>,
}

#[wasm_bindgen]
impl ProfilePicture {
    /// Of what [`super::session::ProfileSession::overview`] gives.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8]) -> Result<ProfilePicture, JsValue> {
        let overview =
            Overview::from_bytes(bytes).ok_or_else(|| Failure::bug("an overview that is none"))?;
        let pictured = Pictured::of(overview).map_err(|error| Failure::new("usage", &error))?;
        let heat = Heat::of(&pictured);
        let over_time = OverTime::of(&pictured);
        let (rows, axes) = (Rows::default(), std::array::from_fn(|_| Axis::default()));
        Ok(Self { pictured, rows, asked: None, heat, over_time, values: vec![], axes })
    }

    /// What stands round the pictures.
    pub fn summary(&self) -> Result<Ts<ProfileSummary>, JsValue> {
        Ok(to_js(&report::profile(&self.pictured))?)
    }

    /// Decides which rows there are.
    #[wasm_bindgen(js_name = setRows)]
    pub fn set_rows(&mut self, asked: Ts<RowsAsked>) -> Result<Ts<RowCounts>, JsValue> {
        let asked: RowsAsked = from_js(asked.js_value())?;
        let picked = asked.picked;
        if self.asked.as_ref() != Some(&asked) {
            self.rows = Rows::of(&self.pictured, &asked);
            self.asked = Some(asked);
        }
        let place = self.rows.nodes.iter().position(|node| Some(*node) == picked);
        let rows = self.rows.nodes.len() as u32;
        let matches = self.rows.matches as u32;
        Ok(to_js(&RowCounts { rows, matches, picked: place.map(|place| place as u32) })?)
    }

    /// The rows from one place to before another, printed.
    pub fn rows(
        &self,
        from: u32,
        to: u32,
        exclusive: bool,
    ) -> Result<Vec<Ts<ProfileRow>>, JsValue> {
        let share = if exclusive { Share::Exclusive } else { Share::Inclusive };
        let rows =
            report::profile_rows(&self.pictured, &self.rows, share, from as usize..to as usize);
        Ok(list(&rows)?)
    }

    /// The node at a place among the rows.
    #[wasm_bindgen(js_name = nodeOfRow)]
    pub fn node_of_row(&self, place: u32) -> Option<u32> {
        self.rows.nodes.get(place as usize).copied()
    }

    /// What is told of a node; `undefined` of none.
    pub fn picked(&self, node: u32) -> Result<Option<Ts<PickedNode>>, JsValue> {
        Ok(report::picked(&self.pictured, node).map(|picked| to_js(&picked)).transpose()?)
    }

    /// The node above another; `undefined` of a root.
    pub fn above(&self, node: u32) -> Option<u32> {
        self.pictured.shown.parents.get(node as usize).copied().flatten()
    }

    /// The node against which another stands at first: that of MPI with most that is not on its way, else
    /// the one above it.
    pub fn against(&self, node: u32) -> Option<u32> {
        let of = &self.pictured;
        let is_apart = |at: &u32| {
            of.shown.upwards(*at).all(|above| above != node)
                && of.shown.upwards(node).all(|above| above != *at)
        };
        let calls =
            (0..of.overview.whole.nodes.len() as u32).filter(|at| of.is_mpi(*at) && is_apart(at));
        let most = calls.reduce(|a, b| if of.inclusive(b) > of.inclusive(a) { b } else { a });
        most.or_else(|| self.above(node))
    }

    /// What each thread has of the picked node, as [`super::session::ProfileSession::over_threads`] gives it.
    #[wasm_bindgen(js_name = setValues)]
    pub fn set_values(&mut self, values: Vec<f64>) {
        self.values = values;
    }

    /// What an axis of the points tells: of which node what measure.
    #[wasm_bindgen(js_name = setAxis)]
    pub fn set_axis(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "'x' | 'y' | 'colour' | 'size'")] axis: &str,
        node: u32,
        measure: &str,
        values: Vec<f64>,
    ) {
        let at = match axis {
            "x" => AxisOf::X,
            "y" => AxisOf::Y,
            "colour" => AxisOf::Colour,
            _ => AxisOf::Size,
        };
        let whole = &self.pictured.overview.whole;
        let largest = values.iter().copied().filter(|value| value.is_finite()).fold(0.0, f64::max);
        let metric = if measure.is_empty() { Some(0) } else { whole.metric(measure) };
        let metric = metric.and_then(|metric| whole.metrics.get(metric));
        let written =
            metric.map_or_else(OfMetric::of_formula, |metric| OfMetric::of(&metric.unit, largest));
        let of =
            metric.map_or(
                measure,
                |metric| if metric.unit == "ns" { "time" } else { short(&metric.name) },
            );
        let node = whole.nodes.get(node as usize).map_or("", |node| &node.name);
        let name = format!("{} of {}", printable(of), printable(node));
        self.axes[at as usize] = Axis { name, values, written: Some(written) };
    }

    /// Nothing is told by that axis.
    #[wasm_bindgen(js_name = clearAxis)]
    pub fn clear_axis(&mut self, colour: bool) {
        self.axes[if colour { AxisOf::Colour } else { AxisOf::Size } as usize] = Axis::default();
    }

    /// What the points tell, in words: the correlation of the first two axes.
    #[wasm_bindgen(js_name = pointsWords)]
    pub fn points_words(&self) -> String {
        let [x, y, ..] = &self.axes;
        let threads =
            x.values.iter().zip(&y.values).filter(|(x, y)| x.is_finite() && y.is_finite()).count();
        let threads = format!("a point a thread, {}", number(threads as f64, 0));
        match correlation(&x.values, &y.values) {
            Some(r) => format!("{threads}; r {}", number(r, 2)),
            None => threads,
        }
    }

    /// Least px that a picture is high.
    pub fn height(
        &self,
        #[wasm_bindgen(unchecked_param_type = "'icicle' | 'heat'")] what: &str,
        view: Ts<ProfileView>,
    ) -> Result<f64, JsValue> {
        let view = view_of(view)?;
        Ok(if what == "heat" {
            self.heat.height()
        } else {
            paint::icicle_height(&self.pictured, &view)
        })
    }

    /// How many contexts have samples, for the picture of contexts against routines.
    pub fn contexts(&self) -> u32 {
        self.heat.contexts.len() as u32
    }

    /// Paints a picture.
    pub fn paint(
        &self,
        #[wasm_bindgen(
            unchecked_param_type = "'icicle' | 'threads' | 'points' | 'heat' | 'intervals'"
        )]
        what: &str,
        canvas: HtmlCanvasElement,
        view: Ts<ProfileView>,
        dpr: f64,
    ) -> Result<Ts<Layout>, JsValue> {
        let view = view_of(view)?;
        let pen = Canvas::new(&canvas, dpr)?;
        let layout = match what {
            "icicle" => paint::icicle(&pen, &self.pictured, &view),
            "threads" => paint::bars(&pen, &self.pictured, &view, &self.values),
            "points" => paint::thread_points(&pen, &view, &self.axes),
            "intervals" => paint::over_time(&pen, &self.pictured, &view, &self.over_time),
            "heat" => paint::heat(&pen, &self.pictured, &view, &self.heat),
            _ => return Err(Failure::bug("no such picture").into()),
        };
        Ok(to_js(&layout)?)
    }

    /// The node at a place of the icicle.
    #[wasm_bindgen(js_name = nodeAt)]
    pub fn node_at(&self, view: Ts<ProfileView>, x: f64, y: f64) -> Result<Option<u32>, JsValue> {
        Ok(paint::node_at(&self.pictured, &view_of(view)?, (x, y)))
    }

    /// What a node of the icicle is, in words.
    pub fn told(&self, node: u32) -> String {
        let picked = report::picked(&self.pictured, node);
        picked.map_or_else(String::new, |picked| {
            let lines = picked.lines.iter().take(2).map(|line| {
                format!("{} {} ({})", line.name.to_lowercase(), line.value, line.words)
            });
            format!("{}: {}", picked.name, lines.collect::<Vec<_>>().join(", "))
        })
    }

    /// The thread of which a place of the bars tells, by its place; of several the first.
    #[wasm_bindgen(js_name = threadAt)]
    pub fn thread_at(&self, view: Ts<ProfileView>, x: f64) -> Result<Option<u32>, JsValue> {
        let view = view_of(view)?;
        let is_counted = view.order == Order::Histogram;
        Ok(Bars::of(&view, &self.values).at(x).first().copied().filter(|_| !is_counted))
    }

    /// What the threads at a place of the bars have, in words.
    #[wasm_bindgen(js_name = threadsTold)]
    pub fn threads_told(&self, view: Ts<ProfileView>, x: f64) -> Result<String, JsValue> {
        let view = view_of(view)?;
        if view.order == Order::Histogram {
            return Ok(String::new());
        }
        let bars = Bars::of(&view, &self.values);
        let threads = bars.at(x);
        let name = |thread: &u32| {
            self.pictured.overview.threads.get(*thread as usize).map_or("", |name| name.as_str())
        };
        let values = threads
            .iter()
            .map(|thread| self.values[*thread as usize])
            .filter(|value| value.is_finite());
        let values = values.collect::<Vec<_>>();
        let written = self.pictured.written();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        Ok(match (threads, values.is_empty()) {
            ([], _) => String::new(),
            ([only], true) => format!("{}: no value", name(only)),
            ([only], false) => format!("{}: {}", name(only), written.text(mean)),
            ([first, .., last], true) => format!("{} to {}: no value", name(first), name(last)),
            ([first, .., last], false) => {
                format!(
                    "{} to {}, {} in 1 px: {} on average",
                    name(first),
                    name(last),
                    threads.len(),
                    written.text(mean)
                )
            }
        })
    }

    /// The thread whose point is nearest to a place, by its place.
    #[wasm_bindgen(js_name = nearestThread)]
    pub fn nearest_thread(
        &self,
        view: Ts<ProfileView>,
        x: f64,
        y: f64,
    ) -> Result<Option<u32>, JsValue> {
        Ok(paint::nearest_thread(&view_of(view)?, &self.axes, (x, y)))
    }

    /// What a thread has on the first two axes, in words.
    #[wasm_bindgen(js_name = pointTold)]
    pub fn point_told(&self, thread: u32) -> String {
        let told = |axis: &Axis| {
            let value = axis.values.get(thread as usize).copied().filter(|value| value.is_finite());
            let written = axis.written.as_ref();
            value
                .zip(written)
                .map(|(value, written)| format!("{} {}", axis.name, written.text(value)))
        };
        let name =
            self.pictured.overview.threads.get(thread as usize).map_or("", |name| name.as_str());
        let told = self.axes.iter().filter_map(told).collect::<Vec<_>>();
        format!("{name}: {}", told.join("; "))
    }

    /// What a cell of the contexts against routines tells, in words; empty beside them.
    #[wasm_bindgen(js_name = heatTold)]
    pub fn heat_told(&self, view: Ts<ProfileView>, x: f64, y: f64) -> Result<String, JsValue> {
        let Some((row, column)) = self.heat.at(&view_of(view)?, (x, y)) else {
            return Ok(String::new());
        };
        let context = self.heat.contexts[row];
        let context = printable(&self.pictured.overview.whole.nodes[context as usize].name);
        let samples = self.heat.samples[row][column];
        let share = percent(samples / self.heat.of_context[row].max(1.0), 1);
        let routine = printable(&self.heat.routines[column]);
        Ok(format!(
            "{routine} in {context}: {} samples, {share} of the context's",
            number(samples, 0)
        ))
    }

    /// What the intervals of the run are made of.
    #[wasm_bindgen(js_name = overTime)]
    pub fn over_time(&self) -> Result<Ts<OverTimeTable>, JsValue> {
        Ok(to_js(&report::over_time(&self.pictured, &self.over_time))?)
    }

    /// The interval at a place of their picture, and what is there of it, in words; empty beside them.
    #[wasm_bindgen(js_name = intervalTold)]
    pub fn interval_told(&self, view: Ts<ProfileView>, x: f64, y: f64) -> Result<String, JsValue> {
        let at = paint::interval_at(&self.pictured, &view_of(view)?, &self.over_time, (x, y));
        let told = |(at, piece)| report::interval(&self.pictured, &self.over_time, at, piece);
        Ok(at.map_or_else(String::new, told))
    }

    /// The node of what is there.
    #[wasm_bindgen(js_name = intervalNode)]
    pub fn interval_node(
        &self,
        view: Ts<ProfileView>,
        x: f64,
        y: f64,
    ) -> Result<Option<u32>, JsValue> {
        let at = paint::interval_at(&self.pictured, &view_of(view)?, &self.over_time, (x, y));
        Ok(at.and_then(|(_, piece)| self.over_time.pieces.get(piece?)?.node))
    }

    /// The context of a row of that picture.
    #[wasm_bindgen(js_name = heatNode)]
    pub fn heat_node(&self, view: Ts<ProfileView>, x: f64, y: f64) -> Result<Option<u32>, JsValue> {
        let at = self.heat.at(&view_of(view)?, (x, y));
        Ok(at.and_then(|(row, _)| self.heat.contexts.get(row).copied()))
    }
}

fn view_of(view: Ts<ProfileView>) -> Result<ProfileView, Failure> {
    from_js(view.js_value())
}
