//! The JavaScript boundary: decode, call, encode. Compiled for wasm32 only, into three modules by the
//! features of the same names.
//!
//! The *engine* works in a worker: a [`session::Session`] owns a trace and its last folding. The
//! *painter* works in the page: a [`picture::Picture`] of an encoded folding paints it and tells it.
//! The *profiler* ([`profile`]) is loaded for profiles, and does both.
//! What any throws is an [`encode::Failure`]. Values cross as the plain objects that serde makes
//! of them, and their TypeScript types are generated from the same structs; long columns cross as
//! typed arrays ([`columns`]).
//!
//! Page and worker need little of each other: the page paints, links and lists settings, and is
//! small (`opt-level = "z"`); the worker reads and folds, and is fast (`opt-level = 3`). Only what
//! an exported function reaches is in a module. References of memory travel to the painter once for
//! each picture, as columns; sample clouds apart, on demand.

mod encode;
#[cfg(any(feature = "engine", feature = "painter"))]
mod columns;
#[cfg(feature = "engine")]
mod digest;
#[cfg(any(feature = "engine", feature = "profiler"))]
mod file;
#[cfg(feature = "engine")]
mod reading;
#[cfg(feature = "engine")]
mod looked;
#[cfg(feature = "engine")]
mod opened;
#[cfg(feature = "engine")]
mod profiled;
#[cfg(feature = "engine")]
mod whole;
#[cfg(feature = "engine")]
mod used;
#[cfg(feature = "engine")]
mod session;
#[cfg(feature = "engine")]
mod coursed;
#[cfg(any(feature = "painter", feature = "profiler"))]
mod canvas;
#[cfg(feature = "painter")]
mod counters;
#[cfg(feature = "painter")]
mod between;
#[cfg(feature = "painter")]
mod certainty;
#[cfg(feature = "painter")]
mod course;
#[cfg(feature = "painter")]
mod course_values;
#[cfg(feature = "painter")]
mod compared;
#[cfg(feature = "painter")]
mod compared_files;
#[cfg(feature = "painter")]
mod compared_objects;
#[cfg(feature = "painter")]
mod compared_pairs;
#[cfg(feature = "painter")]
mod compared_sources;
#[cfg(feature = "painter")]
mod compared_values;
#[cfg(feature = "painter")]
mod series;
#[cfg(feature = "painter")]
mod linked;
#[cfg(feature = "painter")]
mod figured;
#[cfg(feature = "painter")]
mod address;
#[cfg(feature = "painter")]
mod run_values;
#[cfg(feature = "painter")]
mod multiples;
#[cfg(feature = "painter")]
mod picture;
#[cfg(feature = "painter")]
mod run;
#[cfg(feature = "painter")]
mod scaling;
#[cfg(feature = "painter")]
mod source_file;
#[cfg(feature = "profiler")]
mod profile;
