//! What is read off a [`Folding`]: the numbers at a moment, in a phase, of a routine and of a model;
//! and the link that holds one.

mod column;
mod tabled;
mod thinned;
mod prune;
mod fewer_places;
mod shorten;
mod origin;
mod names;
mod link;
mod gap;
mod table;
mod routine_table;
mod source_file;
mod source_doubt;
mod phase_code;
mod uncertainty;
mod range;
mod modelled;
mod r_squared;

pub use gap::Gap;
pub use link::{Beside, Link, LinkError};
pub use modelled::{Modelled, Uncertain};
pub use names::{NameKind, Pseudonyms, names};
pub use origin::{Input, Origin};
pub use phase_code::PhaseCode;
pub use routine_table::{CodeTable, ContextTime, LineTime, RoutineTime, Speed};
pub use source_doubt::SourceDoubt;
pub use source_file::{SampledFile, SourceBlock, SourceLine, SourceView};
pub use table::{Row, Value};
pub use thinned::{Samples, Thinned};
pub use uncertainty::InPhase;
