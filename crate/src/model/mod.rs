//! Models: formulas of counters, as XML or typed, and what they say at a moment.
//!
//! A [`Model`] is what the reference tool calls so: components such as “L1 misses per instruction”,
//! each a [`Formula`] of the rates of counters, drawn as lines or stacked. [`read`] reads its XML,
//! [`built_in`] has those that come with Tracefold (`static/models`). An [`Expression`] is one
//! formula as a person types it. Nothing here knows traces or curves: rates come in as numbers, in
//! events per microsecond, and a value goes out where there is one.
//!
//! A formula has no value where a part of it has none (a division by zero, a gap), so that nothing
//! infinite is shown, or hidden by a minimum. Values are plain; only as areas of a stack they are
//! cut at 0. A component may not name itself or a later one. Files are at most 1 MiB, without
//! document type; formulas at most 1,000 terms with their aliases put in. A counter is met by its
//! name, else by another spelling of the event: other case, `.` for `:`, perf's `cpu/…/` and `:u`.
//! Where a built-in model differs from the reference's, its file says so.

mod formula;
mod polish;
mod expression;
mod typed;
mod spelling;
mod quote;
mod colour;
mod component;
mod file;
mod value;
mod built_in;

pub use built_in::built_in;
pub use component::{Axis, Component, Model, possible};
pub use expression::{Expression, ExpressionError};
pub use file::read;
pub use formula::{Formula, MOST_TERMS, Operator};
