//! stub
pub mod text;
pub mod input;
pub mod trace;
pub mod paraver;
pub mod extract_file;
pub mod open;
pub mod fit;
pub mod instance;
pub mod performance;
pub mod source;
pub mod settings;
pub mod result;
pub mod pipeline;
pub mod export;
pub mod paint;
#[cfg(target_arch = "wasm32")]
mod web;
