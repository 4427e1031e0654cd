//! A file of the browser as a stream of bytes.

use std::io::{Error, Read, Result};

use gloo::file::File;
use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use web_sys::FileReaderSync;

/// Reads a dropped file slice by slice, inside a worker: nothing of it is held but the slice.
pub struct Slices {
    file: File,
    reader: FileReaderSync,
    at: u64,
}

impl Slices {
    /// An error outside of a worker.
    pub fn new(file: File) -> Result<Self> {
        let reader = FileReaderSync::new().map_err(in_words)?;
        Ok(Self { file, reader, at: 0 })
    }
}

impl Read for Slices {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let end = (self.at + buffer.len() as u64).min(self.file.size());
        if end <= self.at {
            return Ok(0);
        }
        let slice = self.file.slice(self.at, end);
        let bytes = self.reader.read_as_array_buffer(slice.as_ref()).map_err(in_words)?;
        let bytes = Uint8Array::new(&bytes);
        let count = bytes.length() as usize;
        let Some(filled) = buffer.get_mut(..count) else {
            return Err(Error::other("the browser returned more bytes than were asked for"));
        };
        bytes.copy_to(filled);
        self.at += count as u64;
        Ok(count)
    }
}

/// A file may be gone or changed since it was dropped.
fn in_words(thrown: JsValue) -> Error {
    let message = js_sys::Reflect::get(&thrown, &"message".into()).ok();
    let message = message.and_then(|message| message.as_string());
    Error::other(message.unwrap_or_else(|| "the browser could not read the file".to_owned()))
}
