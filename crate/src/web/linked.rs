//! Writes links, at a place of its own: it is loaded with what writes files.

use std::collections::BTreeMap;

use wasm_bindgen::JsValue;

use super::encode::{Failure, from_js, settings_of};
use super::picture::Picture;
use crate::result::Link;

/// The text after `s=`, of settings and of what the page shows, by their keys.
#[inline(never)]
pub fn text(picture: &Picture, settings: JsValue, view: JsValue) -> Result<String, Failure> {
    let folding = &picture.folding;
    let settings = settings_of(settings)?;
    let view: BTreeMap<String, String> = from_js(view)?;
    let shown = view.get("shown").and_then(|number| number.parse().ok());
    let range = view.get("selection").and_then(|range| {
        let (from, to) = range.split_once('_')?;
        Some([from.parse().ok()?, to.parse().ok()?])
    });
    let view = serde_json::to_string(&view).map_err(Failure::bug)?;
    let shown = shown.unwrap_or(folding.shown);
    match range {
        None => Ok(Link::encode(folding, shown, &settings, &view)?),
        Some(range) => {
            let mut folding = folding.clone();
            for group in folding.groups.iter_mut().filter(|group| group.number == shown) {
                let references = picture.references(shown);
                group.part = group.part.take().or_else(|| Some(group.part(references, range)));
            }
            Ok(Link::encode(&folding, shown, &settings, &view)?)
        }
    }
}
