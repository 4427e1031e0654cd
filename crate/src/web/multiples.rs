//! The painter's side of several foldings: one picture of all of them.

use js_sys::Uint8Array;
use tsify::Ts;
use wasm_bindgen::prelude::*;

use super::encode::{Failure, from_js};
use crate::folding::Folding;
use crate::paint::{self, View};

/// Foldings to look at beside one another.
#[wasm_bindgen]
pub struct Multiples {
    foldings: Vec<Folding>,
}

#[wasm_bindgen]
impl Multiples {
    /// Each as [`super::Session::fold_clusters`] gives it.
    #[wasm_bindgen(constructor)]
    pub fn new(encoded: Vec<Uint8Array>) -> Result<Multiples, JsValue> {
        let decode = |bytes: Uint8Array| Folding::from_bytes_for_picture(&bytes.to_vec());
        let foldings = encoded.into_iter().map(decode).collect::<Option<_>>();
        Ok(Self { foldings: foldings.ok_or_else(|| Failure::bug("no folding"))? })
    }

    /// What is folded, by name.
    pub fn regions(&self) -> Vec<String> {
        self.foldings.iter().map(|folding| folding.region.clone()).collect()
    }

    /// Small multiples with equal axes, in SVG; of `view` the width and the theme. Painted with the
    /// part of this module that is loaded later.
    pub fn svg(&self, view: Ts<View>) -> Result<String, JsValue> {
        let foldings = self.foldings.iter().collect::<Vec<_>>();
        Ok(paint::multiples_svg(&foldings, &from_js(view.js_value())?))
    }
}
