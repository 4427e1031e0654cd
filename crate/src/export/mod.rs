//! A [`Folding`](crate::folding::Folding) to files: CSV, JSON, SVG, HTML, gnuplot; with its trace also a
//! folded trace for Paraver and the instances as `.extract`.

mod table;
mod columns;
mod csv;
mod code;
mod memory;
mod label;
mod instances;
mod each_instance;
mod repeated;
mod efficiency;
mod timeline;
mod run;
mod callers;
mod folded;
mod paraver;
mod configuration;
mod extract;
mod gnuplot;
mod figure;
mod html;
mod files;
mod compared;
mod compared_runs;
mod series;
mod profile;
mod profiles_beside;

pub use code::code;
pub use columns::{Values, values_of};
pub use compared::{About, ComparedInput, comparison_json, comparison_svg, comparison_tables};
pub use compared_runs::comparison_run_tables;
pub use csv::{
    activity, bandwidth, curves, gauges, groups, lines, models, phases, points, routines,
};
pub use efficiency::{efficiency_tables, scaling_files};
pub use figure::{FigureError, figure_of, is_there, read_figure};
pub use files::{
    ExportError, Exported, Format, Put, TABLES, export, export_in_parts, export_without_trace,
    table,
};
pub use html::report_html;
pub use profile::{ProfileFormat, profile, profile_json, profile_table, profile_total_table};
pub use profiles_beside::profiles_beside;
pub use repeated::{bursts, clusters, iterations, regions};
pub use run::{RunFormat, export_run};
pub use series::{SeriesAbout, series_json, series_picture, series_tables};
pub use timeline::{TimelineFormat, clusters_over_time, iterations_over_time};
