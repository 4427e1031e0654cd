//! What all lanes share of folded time: its axis, phases, breaks, and how many samples there are where.

mod axis;
mod rail;
mod breaks;
mod density;
mod values;

pub use axis::{MIDDLE, TICK, axis, grid, ticks, ticks_of_share, ticks_of_time};
pub use breaks::{breaks, lines as break_lines, places as break_places};
pub use density::{HEIGHT as DENSITY, density};
pub use rail::{HEIGHT as RAIL, rail};
pub use values::values_beside;
