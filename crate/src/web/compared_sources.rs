//! Source files of both sides of a comparison: loaded when the first is looked at.

use tsify::Ts;
use wasm_bindgen::prelude::*;

use super::compared::ComparedPicture;
use super::encode::{Failure, to_js};
use super::source_file::SourceFile;
use crate::compare::beside;
use crate::report::{self, BothSources};
use crate::result::SourceDoubt;

#[wasm_bindgen]
impl ComparedPicture {
    /// Takes the text of a file of both sides for the comparisons to come. Returns whether it did: one text cannot
    /// be that of both sides where lines moved.
    #[wasm_bindgen(js_name = addSource)]
    pub fn add_source(&mut self, a: &SourceFile, b: &SourceFile, is_one: bool) -> bool {
        self.source_added(a, b, is_one)
    }

    /// Such a file, as both sides have it; `undefined` where samples of a side stayed behind.
    pub fn source(
        &self,
        a: &SourceFile,
        b: &SourceFile,
    ) -> Result<Option<Ts<BothSources>>, JsValue> {
        Ok(self.source_of_both([a, b])?)
    }
}

impl ComparedPicture {
    #[inline(never)]
    fn source_added(&mut self, a: &SourceFile, b: &SourceFile, is_one: bool) -> bool {
        let file = &a.0.name;
        let moved =
            |of: &crate::paint::Compared| of.comparison.lines.iter().any(|of| of.file == *file);
        if is_one && self.compared.as_ref().is_some_and(moved) {
            return false;
        }
        self.maps.insert(file.clone(), beside(&a.0.lines, &b.0.lines));
        true
    }

    #[inline(never)]
    fn source_of_both(&self, texts: [&SourceFile; 2]) -> Result<Option<Ts<BothSources>>, Failure> {
        let of = self.of()?;
        let name = &texts[0].0.name;
        let Some(file) = of.comparison.sources.iter().find(|of| of.file == *name) else {
            return Ok(None);
        };
        let doubts = [0, 1].map(|side: usize| {
            let lines = of.groups[side].sampled_file(name).lines;
            SourceDoubt::of(&texts[side].0, &lines).map(|doubt| doubt.to_string())
        });
        Ok(Some(to_js(&report::compared_sources(of, file, doubts))?))
    }
}
