//! The Paraver format, as Extrae writes it: lines of `.prv`, `.pcf` and `.row` to
//! [`crate::trace::Builder`], and the table of event types.
//!
//! It reads any Paraver trace and knows nothing of folding. Code types (user functions, tasks,
//! basic blocks) and OpenMP nesting are a stack; every other type of region is flat, a value
//! closing the one before. A line that is no record is left out with a notice; a trace is refused
//! if fixed fields are no numbers among its first 100 records, or in more than 1 % of all.
//!
//! Sources: Paraver's and Extrae's own readers and writers; the traces of the test corpus.

mod header;
mod record;
mod prv;
mod part;
mod pcf;
mod row;
mod variables;
mod event_type;

pub use event_type::{code_of, counter_code, meaning};
pub use header::Header;
pub use pcf::PcfReader;
pub use prv::PrvReader;
pub use row::RowReader;
