//! Writes figures, at a place of its own: it is loaded with what writes files.

use std::collections::BTreeMap;

use wasm_bindgen::JsValue;

use super::encode::{Failure, from_js, settings_of};
use super::picture::Picture;
use crate::export::{read_figure, report_html};
use crate::folding::{Cloud, References};
use crate::paint::{Figure, figure_svg};

/// The figure as SVG, or a report as HTML with it inside: of `texts` by the keys of the page's view and of how
/// it is drawn, and with `settings` by theirs.
#[inline(never)]
pub fn figured(
    picture: &Picture,
    (texts, settings): (JsValue, JsValue),
    points: &JsValue,
    is_report: bool,
) -> Result<String, JsValue> {
    let texts: BTreeMap<String, String> = from_js(texts)?;
    let texts = texts.iter().map(|(key, text)| (key.as_str(), text.as_str()));
    let mut figure = read_figure(texts).map_err(|error| Failure::new("usage", &error))?;
    figure.settings = BTreeMap::from(settings_of(&from_js(settings)?)?).into_iter().collect();
    let folding = &picture.folding;
    figure.view.group = folding.group(figure.view.group).map_or(0, |group| group.number);
    let cloud = picture.cloud(&figure.view, points)?;
    let references = picture.drawn(figure.view.group);
    let write: fn(&_, &Figure, Option<&Cloud>, Option<&References>) -> String =
        if is_report { report_html } else { figure_svg };
    Ok(write(folding, &figure, cloud.as_ref(), references))
}
