//! Names, units and printed numbers of whatever is measured.
//!
//! A number that a person sees is printed here, whoever shows it: lanes, legends, tooltips, tables,
//! words for screen readers. A [`Quantity`] is what a value is of, along the axis at hand: its name,
//! its unit, and how many times larger it is written than it is held.

mod bytes;
mod name;
mod number;
mod axis;
mod family;
mod rate;
mod gauge;
mod region;
mod of_instance;
mod of_metric;

pub use axis::{core_time_unit, extent, length_unit, time_unit};
pub use bytes::{bytes, offset};
pub use family::family;
pub use gauge::{gauge_half_width, gauge_name, gauge_unit, gauge_value};
pub use name::{is_clock, is_numbered, is_start_up, printable, short};
pub use number::{
    NONE, THIN, change, count, duration, number, percent, signed, significant, tame, thousands,
};
pub use of_instance::{OfInstance, per_cent};
pub use of_metric::OfMetric;
pub use rate::{Kind, Quantity};
pub use region::title;
