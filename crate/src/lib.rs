//! stub
pub mod result;
pub mod paint;
