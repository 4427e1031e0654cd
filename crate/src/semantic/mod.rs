//! Timelines as text, read and written: what each thread had as *semantic value*, from when, for
//! how long. Paraver saves a window so, and BSC Folding takes it for regions.
//!
//! ```text
//! 1.2.1         4310.25   82.50   Cluster 1         a row; tabs, or blanks where the value is one word
//! THREAD 1.2.1  4392.75    0.75   End               nothing: as do 0 and the trace's own names for it
//! ```
//!
//! Neither the unit of times nor the trace stands in the text: a window has its own unit and digits.
//! So times are taken in the unit in which they are those of events, and moved onto these as far as
//! the digits leave open: that is where counters were read. Values that are words or whole numbers
//! tell regions apart; with fractions they are a level, and only where it is not 0 is known.
//!
//! *What is left out*, with a notice: rows that cannot be read, of threads that the trace has not,
//! beyond its end, over another row, and those before the first or behind the last that is known of
//! their thread: of these nobody knows where they begin or end.

mod row;
mod reader;
mod unit;
mod regions;
mod writer;

pub use reader::{SemanticReader, Timeline};
pub use regions::{add_regions, words_for_nothing};
pub use writer::{Stretch, text};
