//! The run at a glance: its time line, what repeats in it, and its bursts as points.

mod structure;
mod timeline;
mod scatter;
mod distances;
mod key;
mod rates;
mod threads;
mod scaling;

pub use distances::{distances, eps_at};
pub use key::{KeyMark, colours, key};
pub use rates::rates;
pub use scaling::{core_time, hue_of_part, scaling};
pub use scatter::{brush, brush_corners, brushed_points, lasso, nearest_cluster, scatter};
pub use structure::structure;
pub use threads::{COMPUTING, HUES, thread_at, threads};
pub use timeline::{cells, pixels, rows, run_axis, timeline, waiting};

use plotters::style::RGBColor;
use serde::Deserialize;

use super::View;
use super::activity::doing_colour;
use super::scene::{Frame, Theme, Tokens, css, mix, rgb};
use crate::folding::Doing;
use crate::glance::{Brush, Colour, Raster};

/// All that a picture of a run depends on beside the run.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(default, rename_all = "camelCase")]
pub struct RunView {
    /// Visible shares of the run time, within 0 to 1.
    pub from: f64,
    pub to: f64,
    pub theme: Theme,
    /// Size of the canvas, and its gutters, in CSS px.
    pub width: f64,
    pub height: f64,
    pub left: f64,
    pub right: f64,
    /// What colours tell.
    pub by: Colour,
    /// Whether points are by duration, not by instructions.
    pub durations: bool,
    /// Numbers of clusters: all others are faint. Empty: none is.
    pub marked: Vec<u32>,
    /// All points beside it are faint.
    pub brush: Option<Brush>,
    /// Where the line of Eps lies while it is moved; `None`: where it is.
    pub eps: Option<f64>,
}

/// The colour of a cluster, as `#RRGGBB`.
pub fn cluster_colour(view: &RunView, cluster: u32) -> String {
    css(view.of_cluster(cluster))
}

/// How much of its colour what is not marked keeps.
const FAINT: f64 = 0.22;

/// How much of the ink what has no colour of its own has.
const GREY: f64 = 0.45;

impl RunView {
    fn frame(&self) -> Frame {
        Frame::of(&self.plain())
    }

    /// What it has of the view of a folding.
    pub fn plain(&self) -> View {
        let &Self { from, to, theme, width, height, left, right, .. } = self;
        View { from, to, theme, width, height, left, right, ..View::default() }
    }

    /// The share of the run time that stands at a share of the width.
    fn share(&self, of_width: f64) -> f64 {
        self.from + of_width * (self.to - self.from)
    }

    fn tokens(&self) -> &'static Tokens {
        self.theme.tokens()
    }

    /// The colour of what a raster tells.
    fn colour(&self, class: u8) -> RGBColor {
        let tokens = self.tokens();
        match (class, self.by) {
            (Raster::NOTHING, _) => tokens.surface,
            (class @ Raster::NOT_BRUSHED.., _) if class < Raster::NONE => {
                mix(tokens.surface, self.colour(Raster::brushed(class)), FAINT)
            }
            (_, Colour::Cluster) => {
                self.of_cluster(if class == Raster::NONE { 0 } else { class.into() })
            }
            (Raster::NONE, _) => mix(tokens.surface, tokens.ink3, GREY),
            (class, Colour::Activity) => {
                let doing = Doing::ALL.into_iter().find(|doing| doing.class() == class);
                doing.map_or(tokens.ink3, |doing| doing_colour(doing, tokens))
            }
            (step, _) => {
                tokens.latency.get(usize::from(step) - 1).map_or(tokens.ink3, |&hex| rgb(hex))
            }
        }
    }

    /// The colour of a cluster, faint unless it is marked or nothing is; those beyond the palette, and
    /// what is in none, are grey.
    fn of_cluster(&self, number: u32) -> RGBColor {
        let tokens = self.tokens();
        let colour = match number as usize {
            0 => mix(tokens.surface, tokens.ink3, GREY),
            number if number <= tokens.palette.len() => tokens.routine(number - 1),
            _ => tokens.ink3,
        };
        let is_faint = !self.marked.is_empty() && !self.marked.contains(&number);
        if is_faint { mix(tokens.surface, colour, FAINT) } else { colour }
    }
}
