//! Data objects of both sides of a comparison: loaded where a side references any.

use tsify::Ts;
use wasm_bindgen::prelude::*;

use super::compared::{ComparedPicture, group_of};
use super::encode::{Failure, list};
use super::picture::Picture;
use crate::compare::RunObject;
use crate::report::{self, ComparedObject};

#[wasm_bindgen]
impl ComparedPicture {
    /// Takes what the last run that was added to a side references, for the comparisons to come.
    #[wasm_bindgen(js_name = addObjects)]
    pub fn add_objects(&mut self, side: usize, picture: &Picture, group: u32) {
        self.objects_added(side, picture, group);
    }

    /// Objects of both sides, those of the largest share first; none where samples of a run stayed behind.
    pub fn objects(&self) -> Result<Vec<Ts<ComparedObject>>, JsValue> {
        Ok(self.objects_of_both()?)
    }
}

impl ComparedPicture {
    #[inline(never)]
    fn objects_added(&mut self, side: usize, picture: &Picture, group: u32) {
        let run = self.runs[side.min(1)].last_mut();
        if let Some((run, group)) = run.zip(group_of(&picture.folding, group)) {
            run.objects = RunObject::of_group(group);
        }
    }

    #[inline(never)]
    fn objects_of_both(&self) -> Result<Vec<Ts<ComparedObject>>, Failure> {
        list(&report::compared_objects(&self.of()?.comparison))
    }
}
