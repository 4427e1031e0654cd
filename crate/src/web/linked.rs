//! Writes links, at a place of its own: it is loaded with what writes files.

use std::collections::BTreeMap;

use wasm_bindgen::JsValue;

use super::encode::{Failure, from_js, settings_of};
use crate::folding::Folding;
use crate::result::Link;

/// The text after `s=`, of settings and of what the page shows, by their keys.
#[inline(never)]
pub fn text(folding: &Folding, settings: JsValue, view: JsValue) -> Result<String, Failure> {
    let settings = settings_of(settings)?;
    let view: BTreeMap<String, String> = from_js(view)?;
    let shown = view.get("shown").and_then(|number| number.parse().ok());
    let view = serde_json::to_string(&view).map_err(Failure::bug)?;
    let shown = shown.unwrap_or(folding.shown);
    Ok(Link::encode(folding, shown, &settings, &view)?)
}
