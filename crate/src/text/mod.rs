//! Bytes to lines to fields, with positions. Knows no format.

mod error;
mod fields;
mod line_buffer;

pub use error::ParseError;
pub use fields::{Fields, number};
pub use line_buffer::{LineBuffer, LineTooLong, MAX_LINE_BYTES};
