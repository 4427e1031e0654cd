//! The JavaScript boundary: decode, call, encode. Compiled for wasm32 only, into two modules by the
//! features of the same names.
//!
//! The *engine* works in a worker: a [`session::Session`] owns a trace and its last folding. The
//! *painter* works in the page: a [`picture::Picture`] of an encoded folding paints it and reads its
//! numbers. What either throws is an [`encode::Failure`].

mod encode;
mod references;
#[cfg(feature = "engine")]
mod file;
#[cfg(feature = "engine")]
mod opened;
#[cfg(feature = "engine")]
mod reading;
#[cfg(feature = "engine")]
mod session;
#[cfg(feature = "painter")]
mod settings;
#[cfg(feature = "painter")]
mod lane;
#[cfg(feature = "painter")]
mod energy;
#[cfg(feature = "painter")]
mod code;
#[cfg(feature = "painter")]
mod phases;
#[cfg(feature = "painter")]
mod models;
#[cfg(feature = "painter")]
mod numbers;
#[cfg(feature = "painter")]
mod canvas;
#[cfg(feature = "painter")]
mod objects;
#[cfg(feature = "painter")]
mod address;
#[cfg(feature = "painter")]
mod picture;
#[cfg(feature = "painter")]
mod source_file;
