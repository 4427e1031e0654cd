//! The performance lane: counters in strips, one alone with its samples, or a model.

mod lane;
mod model;
mod series;
mod chosen;
mod shown;
mod shared;
mod strips;
mod legend;
mod readout;
mod samples;
mod cloud;

pub use cloud::{cloud_image, marks as sample_marks};
pub use lane::{AREA, OTHER, RATE, comfortable, performance, sparse};
pub use legend::{LegendEntry, legend};
pub use model::{ModelEntry, asked_model, model_legend};
pub use readout::{CurveAt, curves_at};
pub use samples::{FITTED, alone, samples};
pub use series::Series;
pub use shared::Shared;
pub use shown::shown_counters;
