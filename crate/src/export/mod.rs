//! A [`Folding`] to files: CSV, JSON, SVG.

mod csv;
mod files;

pub use csv::{curves, groups, lines, points, routines};
pub use files::{Exported, Format, export};
