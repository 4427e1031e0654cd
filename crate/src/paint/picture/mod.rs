//! Whole pictures as SVG: of one group, and of several beside one another.

mod address;
mod legend;
mod title;
mod figure;
mod heights;
mod caption;
mod sheet;
mod whole;
mod multiples;
mod run;
mod compared;
mod series;
mod scaling;

pub use compared::compared_svg;
pub use figure::{Figure, FigureLane, Width};
pub use multiples::{multiples_figure, multiples_svg};
pub use run::{run_cells, run_svg};
pub use scaling::scaling_svg;
pub use series::series_svg;
pub use whole::figure_svg;
