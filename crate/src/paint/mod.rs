//! Pictures of a folding: [`Folding`] → marks drawn with any [`Pen`], on a canvas and in SVG alike.
//!
//! It knows no DOM, no JavaScript and no canvas. Each lane is painted by one function from the
//! folding and a [`View`]; all of them share one time axis and one pair of gutters. A lane paints
//! no background: the caller clears its canvas with the theme's surface. All places and sizes are
//! CSS px; where a value lies is told by the [`Layout`] that every lane returns.
//!
//! Looks: mockups/README.md of the project's documents.

mod scale;
mod scene;
mod mark;
mod picked;
mod time;
mod activity;
mod gauge;
mod source;
mod performance;
mod memory;
mod picture;
mod run;
mod course;
mod compared;
mod series;
mod profile;
#[cfg(test)]
pub mod example;

pub use activity::{activity, has_activity, hue};
pub use compared::{
    Compared, ComparedView, axis as compared_axis, code as compared_code,
    counters as compared_counters, curves as compared_curves, difference as compared_difference,
    phases as compared_phases,
};
pub use course::{CourseView, course, course_axis, course_image, nearest_instance, start_at};
pub use gauge::{HUES as HUES_OF_GAUGE, ShownGauge, gauge, gauges, has_gauge, shown_gauge};
pub use mark::MANY;
pub use memory::{
    AddressKey, AddressLayout, Costs, LevelKey, Nearest, ObjectRow, Raster, Sampled, address,
    address_key, bytes, has_address, kind, nearest, routine_at,
};
pub use performance::{
    CurveAt, LegendEntry, ModelEntry, Shared, cloud_image, curves_at, legend, model_legend,
    performance, samples, shown_counters,
};
pub use picked::{Matched, Picked};
pub use picture::{
    Figure, FigureLane, Width, compared_svg, figure_svg, multiples_figure, multiples_svg,
    run_cells, run_svg, scaling_svg, series_svg,
};
pub use profile::{
    Axis, AxisOf, Bars, Heat, Order, OverTime, Pictured, Piece, ProfileView, bars, heat, icicle,
    icicle_height, interval_at, is_time_looked_at, nearest_thread, node_at, over_time,
    points as thread_points,
};
pub use run::{
    HUES as HUES_OF_LOSS, KeyMark, RunView, brush, brush_corners, brushed_points, cluster_colour,
    core_time, distances, eps_at, hue_of_part, key as run_key, lasso, nearest_cluster, pixels,
    rates as run_rates, rows, run_axis, scaling, scatter, structure, thread_at,
    threads as run_threads, timeline, waiting,
};
pub use scene::{
    Anchor, Dots, FAMILY, Face, Layout, Pen, Place, Plot, RgbaImage, Strip, Stroke, Svg, Theme,
    Tokens, escape, is_clock, is_start_up, printable, short as counter_name,
};
pub use series::{
    SeriesLine, SeriesLook, axis as series_axis, lines as series_lines,
    measures_of as series_measures, painted_plot as series_plot, row as series_row,
};
pub use source::source;
pub use time::{axis, density, rail};

use std::rc::Rc;

use serde::{Deserialize, Deserializer};

use crate::folding::{Folding, References};

/// All that a lane's picture depends on beside the folding.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(default, rename_all = "camelCase")]
pub struct View {
    /// Number of the group.
    pub group: u32,
    /// Visible folded time, within 0 to 1.
    pub from: f64,
    pub to: f64,
    pub theme: Theme,
    /// Size of the lane in CSS px.
    pub width: f64,
    pub height: f64,
    /// Gutters in CSS px: 112 and 68, or 32 and 50 where it is narrow.
    pub left: f64,
    pub right: f64,
    /// The counter that is shown alone, if one is.
    pub counter: Option<String>,
    /// Counters whose curves are asked for beside MIPS, the newest last; none: those that tell most.
    pub curves: Option<Vec<String>>,
    /// Counters that are switched off in the legend.
    pub hidden: Vec<String>,
    /// Whether curves and phases are not decided yet: what depends on them is not shown.
    pub undecided: bool,
    /// The model that is shown instead of the counters, if one is.
    pub model: Option<String>,
    /// What was picked: all else is faint.
    #[serde(deserialize_with = "picked::of_text")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "string | null"))]
    pub picked: Option<Picked>,
    /// What belongs to it; see [`View::with_matched`].
    #[serde(skip)]
    pub matched: Option<Rc<Matched>>,
    /// What this picture has in common with others beside it, so that their axes are equal.
    #[serde(skip)]
    pub shared: Option<Rc<Shared>>,
    /// The data object that has the address lane alone, by name.
    pub object: Option<String>,
    /// Whether loads have the colour of their memory level, not of their latency.
    #[serde(rename = "colour", deserialize_with = "is_level")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "'latency' | 'level'"))]
    pub by_level: bool,
    /// The level or counter of a socket that is shown, by its event type; none: memory controllers, or the
    /// first that there is.
    pub gauge: Option<u32>,
    /// Whether routines are shown under those that call them, not the innermost alone.
    #[serde(rename = "stacks", deserialize_with = "is_icicle")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "'bands' | 'icicle'"))]
    pub icicle: bool,
}

fn is_level<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    Ok(String::deserialize(from)? == "level")
}

fn is_icicle<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    Ok(String::deserialize(from)? == "icicle")
}

impl View {
    /// With what belongs to what was picked, which every lane needs.
    pub fn with_matched(self, folding: &Folding, references: Option<&References>) -> Self {
        let picked = self.picked.as_ref().zip(folding.group(self.group));
        let matched = picked.and_then(|(picked, group)| Matched::of(picked, group, references));
        Self { matched: matched.map(Rc::new), ..self }
    }
}
