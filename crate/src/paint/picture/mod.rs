//! The whole picture as one SVG.

mod whole;
mod key;

pub use whole::picture_svg;
