//! Writes figures, at a place of its own: it is loaded with what writes files.

use std::collections::BTreeMap;

use serde::Deserialize;
use tsify::Tsify;
use wasm_bindgen::JsValue;

use super::encode::{Failure, from_js, settings_of};
use super::picture::Picture;
use crate::export::{read_figure, report_html};
use crate::folding::{Cloud, References};
use crate::paint::{Figure, figure_svg};

/// What a figure is asked for.
#[derive(Deserialize, Tsify)]
pub struct FigureAsked {
    /// Keys and texts of the page's view, and of how it is drawn.
    #[tsify(type = "[string, string][]")]
    texts: Vec<(String, String)>,
    #[tsify(type = "Record<string, string>")]
    settings: BTreeMap<String, String>,
}

/// The figure as SVG, or a report as HTML with it inside.
#[inline(never)]
pub fn figured(
    picture: &Picture,
    asked: JsValue,
    points: &JsValue,
    is_report: bool,
) -> Result<String, JsValue> {
    let FigureAsked { texts, settings } = from_js(asked)?;
    let texts = texts.iter().map(|(key, text)| (key.as_str(), text.as_str()));
    let mut figure = read_figure(texts).map_err(|error| Failure::new("usage", &error))?;
    figure.settings = BTreeMap::from(settings_of(&settings)?).into_iter().collect();
    let folding = &picture.folding;
    figure.view.group = folding.group(figure.view.group).map_or(0, |group| group.number);
    let cloud = picture.cloud(&figure.view, points)?;
    let references = picture.drawn(figure.view.group);
    let write: fn(&_, &Figure, Option<&Cloud>, Option<&References>) -> String =
        if is_report { report_html } else { figure_svg };
    Ok(write(folding, &figure, cloud.as_ref(), references))
}
