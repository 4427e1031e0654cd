//! A file of the browser as bytes that can be read at any place.

use std::io::{Error, Result};

use gloo::file::File;
use js_sys::{Array, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::FileReaderSync;

use super::encode::Failure;
use crate::input::{NamedFile, Source};

/// Reads a dropped file slice by slice, inside a worker: nothing of it is held but the slice.
pub struct Slices {
    file: File,
    reader: FileReaderSync,
}

impl Slices {
    /// An error outside of a worker.
    pub fn new(file: File) -> Result<Self> {
        let reader = FileReaderSync::new().map_err(in_words)?;
        Ok(Self { file, reader })
    }
}

impl Source for Slices {
    fn size(&self) -> u64 {
        self.file.size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let end = offset.saturating_add(buffer.len() as u64).min(self.file.size());
        if end <= offset {
            return Ok(0);
        }
        // A slice of gloo's is a new file with a name of its own: that costs as much as reading it.
        let file: &web_sys::Blob = self.file.as_ref();
        let slice = file.slice_with_f64_and_f64(offset as f64, end as f64).map_err(in_words)?;
        let bytes = self.reader.read_as_array_buffer(&slice).map_err(in_words)?;
        let bytes = Uint8Array::new(&bytes);
        let count = bytes.length() as usize;
        let Some(filled) = buffer.get_mut(..count) else {
            return Err(Error::other("the browser returned more bytes than were asked for"));
        };
        bytes.copy_to(filled);
        Ok(count)
    }
}

/// A file may be gone or changed since it was dropped.
fn in_words(thrown: JsValue) -> Error {
    let message = js_sys::Reflect::get(&thrown, &"message".into()).ok();
    let message = message.and_then(|message| message.as_string());
    Error::other(message.unwrap_or_else(|| "the browser could not read the file".to_owned()))
}

/// Files of the page with their names, which have their folders.
pub fn named(
    names: Vec<String>,
    files: &Array,
) -> std::result::Result<Vec<NamedFile<'static>>, Failure> {
    let named = |(name, file): (String, JsValue)| {
        let file = Slices::new(File::from(file.unchecked_into::<web_sys::File>()));
        Ok(NamedFile::new(name, file.map_err(Failure::bug)?))
    };
    names.into_iter().zip(files.iter()).map(named).collect()
}
