//! The JavaScript boundary: decode, call, encode. Compiled for wasm32 only.
//!
//! A worker owns a [`session::Session`]: the trace and its last folding. The page owns a
//! [`picture::Picture`] of an encoded folding, paints it and reads its numbers. What is thrown is
//! an [`encode::Failure`].

mod encode;
mod file;
mod session;
mod numbers;
mod picture;
