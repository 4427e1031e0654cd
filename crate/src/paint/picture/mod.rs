//! The whole picture as one SVG.

mod address;
mod legend;
mod title;
mod whole;

pub use whole::picture_svg;
