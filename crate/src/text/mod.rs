//! Bytes to lines to fields, with positions. Knows no format.
//!
//! An *error* stops and has a place: file, line, column, what was met and what was expected. What
//! is odd but harmless is no error: readers count it, keep its first place and go on (notices).

mod decimal;
mod error;
mod fields;
mod fixed;
mod line_buffer;
mod nearest;
mod numbers;
mod packed;
mod whole_lines;
mod words;

pub use decimal::{decimal, leading_decimal, shortest};
pub use error::{ParseError, printable};
pub use fields::{Fields, number};
pub use fixed::fixed;
pub use line_buffer::{LineBuffer, LineTooLong, MAX_LINE_BYTES};
pub use nearest::nearest;
pub use numbers::{ShortLine, numbers};
pub use packed::{Packed, PackedRead};
pub use whole_lines::WholeLines;
pub use words::{Words, WordsRead};
