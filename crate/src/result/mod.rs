//! The answer for one region: [`Folding`], what every view needs, and [`Points`], the clouds of
//! samples, which travel apart.
//!
//! Both are plain columns, versioned, and know nothing of pixels. An older version is always
//! readable: a field added later has a default.

mod code;
mod references;
mod stride;
mod folding;
mod points;
mod base64url;
mod column;
mod parse;
mod json;
mod fields;
mod carried;
mod models;
mod prune;
mod link;
#[cfg(test)]
mod example;
mod table;
mod routine_table;
mod source_file;
mod source_doubt;
mod phase_code;
mod uncertainty;
mod modelled;

pub use code::{Alignment, Band, Context, Lines, Place, Stretch};
pub use folding::{
    Axis, Break, Curve, CurveKind, Durations, Fate, FitReport, Folding, FoldingNotice, Group,
    InstanceRow, Phase, PhaseRate, TraceSummary,
};
pub use json::{Fields, Writer, number};
pub use link::{Link, LinkError};
pub use modelled::{Modelled, Uncertain};
pub use models::MissingModel;
pub use parse::{Json, NoJson};
pub use phase_code::PhaseCode;
pub use points::{Cloud, Points, References, Use};
pub use references::{DataObject, Direction, MemoryLevel, ObjectKind, Stream};
pub use routine_table::{CodeTable, ContextTime, LineTime, RoutineTime, Speed};
pub use source_doubt::SourceDoubt;
pub use source_file::{SampledFile, SourceBlock, SourceLine, SourceView};
pub use table::{Row, Value};
pub use uncertainty::InPhase;
