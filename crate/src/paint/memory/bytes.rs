//! Amounts of memory as the lanes write them.

pub use crate::quantity::{bytes, offset};
