//! Sums of the files of a trace, at a place of its own: it is loaded when somebody shares a link.

use js_sys::{Array, Function};
use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::JsValue;

use super::encode::{Failure, list, to_js};
use super::file::named;
use crate::input::{NamedFile, sha256};
use crate::result::Input;

/// How many bytes have been read.
#[derive(Serialize, Tsify)]
pub struct Digested {
    done: u64,
    total: u64,
}

#[inline(never)]
pub fn inputs(
    names: Vec<String>,
    files: &Array,
    progress: &Function,
) -> Result<Vec<Ts<Input>>, Failure> {
    let files = named(names, files)?;
    let total = files.iter().map(|file| file.source.size()).sum();
    let mut before = 0;
    let mut inputs = vec![];
    for NamedFile { name, source } in &files {
        let sha256 = sha256(source.as_ref(), &mut |done| {
            let digested = to_js(&Digested { done: before + done, total });
            // One that does not listen must not stop it.
            let _ = digested.map(|digested| progress.call1(&JsValue::NULL, &digested.into()));
        });
        let bytes = source.size();
        let sha256 = sha256.map_err(|error| Failure::new("input", &format!("{name}: {error}")))?;
        before += bytes;
        let name = name.rsplit('/').next().unwrap_or(name).to_owned();
        inputs.push(Input { name, bytes, sha256 });
    }
    list(&inputs)
}
