//! Names as the lanes write them.

pub use crate::quantity::{is_clock, is_start_up, printable, short};
