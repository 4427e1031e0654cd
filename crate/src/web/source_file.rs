//! Source files that the page looks at, and what was sampled of them. What the pane asks is not inlined
//! in what JavaScript calls, so that the page loads it with the first file that is looked at.

use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use super::encode::{Failure, list, to_js};
use super::picture::Picture;
use crate::outline::{self, DECLARATORS, NoText, Node, OUTLINED};
use crate::report::{self, FileLine, SourceReport};

/// The text of a source file.
#[wasm_bindgen]
pub struct SourceFile(pub(super) outline::SourceFile);

#[wasm_bindgen]
impl SourceFile {
    /// `name` as the trace has it. Fails in words if the bytes are no text.
    #[inline(never)]
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, bytes: &[u8]) -> Result<SourceFile, JsValue> {
        Ok(Self(outline::SourceFile::new(name, bytes).map_err(Failure::from)?))
    }

    /// The grammar that it is to be parsed with, if any.
    #[inline(never)]
    pub fn grammar(&self) -> Option<String> {
        self.0.grammar().map(|grammar| grammar.name().to_owned())
    }

    /// What the highlighter calls its language.
    #[inline(never)]
    pub fn colours(&self) -> Option<String> {
        self.0.colours().map(str::to_owned)
    }

    /// Its lines, each but the last with one `\n` behind it, whatever the file has.
    #[inline(never)]
    pub fn text(&self) -> String {
        self.0.text()
    }

    /// Takes routines and loops out of the nodes of a syntax tree that [`outline_kinds`] asks for, as
    /// JSON: there may be many thousands.
    #[inline(never)]
    #[wasm_bindgen(js_name = outlineByNodes)]
    pub fn outline_by_nodes(&mut self, json: &str) -> Result<(), JsValue> {
        let nodes: Vec<Node> = serde_json::from_slice(json.as_bytes()).map_err(Failure::bug)?;
        self.0.outline_by_nodes(&nodes);
        Ok(())
    }
}

#[wasm_bindgen]
impl Picture {
    /// The files of a group, that of most time first.
    #[inline(never)]
    #[wasm_bindgen(js_name = sampledFiles)]
    pub fn sampled_files(&self, group: u32) -> Result<Vec<Ts<FileLine>>, JsValue> {
        Ok(list(&report::files(self.group(group)?))?)
    }

    /// What was sampled of the file of this name, whose text is not at hand.
    #[inline(never)]
    #[wasm_bindgen(js_name = sampledFile)]
    pub fn sampled_file(&self, group: u32, name: &str) -> Result<Ts<SourceReport>, JsValue> {
        let group = self.group(group)?;
        Ok(to_js(&report::source_file(group, group.sampled_file(name)))?)
    }

    /// What was sampled of a file, and of its routines and loops.
    #[inline(never)]
    #[wasm_bindgen(js_name = sourceFile)]
    pub fn source_file(&self, group: u32, file: &SourceFile) -> Result<Ts<SourceReport>, JsValue> {
        let group = self.group(group)?;
        Ok(to_js(&report::source_file(group, group.source_file(&file.0)))?)
    }
}

/// The kinds of nodes of a syntax tree that are asked for, and those asked for in declarators.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct OutlineKinds {
    outlined: &'static [&'static str],
    declarators: &'static [&'static str],
}

#[inline(never)]
#[wasm_bindgen(js_name = outlineKinds)]
pub fn outline_kinds() -> Result<Ts<OutlineKinds>, JsValue> {
    Ok(to_js(&OutlineKinds { outlined: &OUTLINED, declarators: &DECLARATORS })?)
}

/// Those of `paths`, as indices, that may be the file that a trace calls `file`.
#[wasm_bindgen(js_name = bestNamed)]
pub fn best_named(paths: Vec<String>, file: &str) -> Vec<u32> {
    outline::best_named(&paths, file).into_iter().map(|index| index as u32).collect()
}

/// Fails in words if a file of so many bytes is not looked at.
#[wasm_bindgen(js_name = checkSourceSize)]
pub fn check_source_size(bytes: f64) -> Result<(), JsValue> {
    Ok(outline::check_size(bytes as u64).map_err(Failure::from)?)
}

impl From<NoText> for Failure {
    fn from(error: NoText) -> Self {
        Self::new("input", &error)
    }
}
