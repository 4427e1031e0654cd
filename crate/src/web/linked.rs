//! Writes and reads links and compares them, at a place of its own: it is loaded with what writes files.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tsify::{Ts, Tsify};
use wasm_bindgen::JsValue;

use super::address::Memory;
use super::encode::{Failure, from_js, settings_of, to_js};
use super::picture::{OpenedLink, Picture};
use crate::folding::{Cloud, Folding};
use crate::paint::View;
use crate::report::{self, Recheck};
use crate::result::{self, Beside, Input, Link, LinkError, Origin, Pseudonyms};
use crate::settings::Settings;

/// What a link is asked for.
#[derive(Deserialize, Tsify)]
pub struct LinkAsked {
    #[tsify(type = "Record<string, string>")]
    settings: BTreeMap<String, String>,
    /// What the page shows, by its keys; kept as it is.
    #[tsify(type = "Record<string, string>")]
    view: BTreeMap<String, String>,
    /// The files of the trace; empty where nobody has read them for it.
    inputs: Vec<Input>,
    /// With other names: the number of the region among those of the trace.
    #[tsify(optional)]
    pseudonyms: Option<u32>,
    /// Characters it may have, if another stands beside it.
    #[tsify(optional)]
    longest: Option<usize>,
}

impl LinkAsked {
    /// The group that is shown, if the page says which.
    fn group(&self) -> Option<u32> {
        self.view.get("shown")?.parse().ok()
    }
}

/// A link, and the names that leave with it.
#[derive(Serialize, Tsify)]
pub struct MadeLink {
    /// What stands after `s=`.
    text: String,
    names: Vec<NamesOf>,
}

/// Names of one kind, in order of first use.
#[derive(Serialize, Tsify)]
pub struct NamesOf {
    /// `file`, `routine` and so on.
    kind: &'static str,
    names: Vec<String>,
}

/// What came out of a link beside its picture.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub struct LinkFacts {
    #[tsify(type = "Record<string, string>")]
    settings: BTreeMap<String, String>,
    /// View state by its keys.
    #[tsify(type = "Record<string, string>")]
    view: serde_json::Value,
    /// Version of the Tracefold that made it, if that is newer than this one.
    newer: Option<u8>,
    origin: Origin,
    /// What it is, what of it stayed behind, and what the trace adds: sentences.
    words: Vec<String>,
    /// With pseudonyms the number of its region among those of the trace.
    #[serde(rename = "regionNumber")]
    region_number: Option<u32>,
}

/// Reads the text after `s=`; see [`super::picture::open_link`].
#[inline(never)]
pub fn opened(text: &str, settings: JsValue) -> Result<OpenedLink, JsValue> {
    let link = Link::decode(text).map_err(Failure::from)?;
    for (key, value) in from_js::<BTreeMap<String, String>>(settings)? {
        let mut asked = link.settings.clone();
        asked.set(&key, &value).map_err(Failure::from)?;
        if asked != link.settings {
            return Err(no_trace(&key, &value).into());
        }
    }
    let view = serde_json::from_slice(link.view.as_bytes()).unwrap_or_default();
    let (words, region_number) = (report::shared(&link), link.region_number());
    let Link { folding, references, samples, origin, settings, newer, .. } = link;
    let facts = LinkFacts { settings: settings.into(), view, newer, origin, words, region_number };
    let facts = to_js(&facts)?.js_value();
    let mut picture = Picture::of(folding);
    picture.samples = samples.map(|samples| samples.cloud);
    picture.memory.extend(references.map(Memory::thinned));
    Ok(OpenedLink { picture, facts })
}

/// A setting beside a link that is not the link's own.
fn no_trace(key: &str, value: &str) -> Failure {
    let message = format!(
        "This link holds a finished picture. The setting {key}={value} needs the trace: open it \
         to fold it again."
    );
    Failure::new("link", &message)
}

impl From<LinkError> for Failure {
    fn from(error: LinkError) -> Self {
        Self::new("link", &error)
    }
}

#[inline(never)]
pub fn made(
    picture: &Picture,
    asked: JsValue,
    counter: Option<String>,
    points: &JsValue,
) -> Result<Ts<MadeLink>, JsValue> {
    let asked: LinkAsked = from_js(asked)?;
    let group = asked.group().unwrap_or(picture.folding.shown);
    let cloud = picture.cloud(&View { group, counter, ..View::default() }, points)?;
    Ok(to_js(&link(picture, asked, cloud.as_ref())?)?)
}

fn link(picture: &Picture, asked: LinkAsked, cloud: Option<&Cloud>) -> Result<MadeLink, Failure> {
    let settings = settings_of(&asked.settings)?;
    let LinkAsked { view, inputs, pseudonyms, longest, .. } = asked;
    let text = text(picture, &settings, &view, inputs, pseudonyms, (cloud, longest))?;
    let link = Link::decode(&text)?;
    let view = serde_json::from_str(&link.view).unwrap_or_default();
    let settings = BTreeMap::from(link.settings);
    let kinds = result::names(&link.folding, &link.origin.inputs, &settings, &view);
    let names = kinds.into_iter().map(|(kind, names)| NamesOf { kind: kind.word(), names });
    Ok(MadeLink { names: names.collect(), text })
}

/// What a link tells and what its trace does, which `picture` was folded of as the link says. Both are
/// made to links: what these leave out or round is so of both.
#[inline(never)]
pub fn rechecked(
    picture: &Picture,
    text_of_link: &str,
    inputs: JsValue,
) -> Result<Ts<Recheck>, JsValue> {
    let inputs: Vec<Input> = from_js(inputs)?;
    Ok(to_js(&recheck(picture, text_of_link, inputs)?)?)
}

fn recheck(picture: &Picture, text_of_link: &str, inputs: Vec<Input>) -> Result<Recheck, Failure> {
    let link = Link::decode(text_of_link)?;
    let view: BTreeMap<String, String> = serde_json::from_str(&link.view).unwrap_or_default();
    let pseudonyms = link.origin.pseudonyms.then(|| link.region_number().unwrap_or(1));
    let again = text(picture, &link.settings, &view, inputs.clone(), pseudonyms, (None, None))?;
    let again = Link::decode(&again)?;
    Ok(report::recheck(&link, &again, &inputs))
}

fn text(
    picture: &Picture,
    settings: &Settings,
    view: &BTreeMap<String, String>,
    inputs: Vec<Input>,
    pseudonyms: Option<u32>,
    (cloud, longest): (Option<&Cloud>, Option<usize>),
) -> Result<String, Failure> {
    let folding = &picture.folding;
    let shown = view.get("shown").and_then(|number| number.parse().ok()).unwrap_or(folding.shown);
    let range = view.get("selection").and_then(|range| {
        let (from, to) = range.split_once('_')?;
        Some([from.parse().ok()?, to.parse().ok()?])
    });
    let mut folding: Folding = folding.clone();
    if let Some(range) = range {
        for group in folding.groups.iter_mut().filter(|group| group.number == shown) {
            let references = picture.references(shown);
            group.part = group.part.take().or_else(|| Some(group.part(references, range)));
        }
    }
    let mut origin = Origin { version: Origin::VERSION.to_owned(), inputs, pseudonyms: false };
    let (mut settings, mut view) = (settings.clone(), view.clone());
    if let Some(number) = pseudonyms {
        let names = Pseudonyms::of(&folding, &origin.inputs, number);
        names.rename(&mut folding);
        (settings, view) = (names.settings(&settings), names.view(&view));
        origin.inputs.iter_mut().for_each(|input| input.name = names.file(&input.name));
        origin.pseudonyms = true;
    }
    let view = serde_json::to_string(&view).map_err(Failure::bug)?;
    let (references, ends_of_costs) = picture.to_carry(shown);
    let beside = Beside { references, ends_of_costs, cloud, origin: Some(&origin), longest };
    Ok(Link::encode(&folding, shown, &settings, &view, beside)?)
}
