//! What a figure shows, read from the texts of an address: the page and the command line hand over the
//! same ones, and get the same bytes.

use std::fmt;

use crate::folding::{Cloud, Folding, Points, References};
use crate::paint::{Figure, FigureLane, Picked, Width};
use crate::text::{decimal, nearest};

/// Least and widest figure: below it nothing is read, and beyond it pens draw no more.
const PX: (f64, f64) = (240.0, 8000.0);
const MM: (f64, f64) = (64.0, 1000.0);

/// Reads the text of a key; what was expected where it is none.
type Read = fn(&mut Figure, &str) -> Result<(), &'static str>;

/// The keys that change a figure: those of the page's view (`www/view.ts`), and how it is drawn.
const KEYS: [(&str, Read); 14] = [
    ("shown", |figure, text| {
        put(&mut figure.view.group, text.parse().ok(), "the number of a group")
    }),
    ("range", |figure, text| {
        let (from, to) = span(text).ok_or("FROM_TO, shares of the region from 0 to 1")?;
        (figure.view.from, figure.view.to) = (from, to);
        Ok(())
    }),
    ("counter", |figure, text| name(&mut figure.view.counter, text)),
    ("model", |figure, text| name(&mut figure.view.model, text)),
    ("object", |figure, text| name(&mut figure.view.object, text)),
    ("curves", |figure, text| put(&mut figure.view.curves, names(text).map(Some), NAMES)),
    ("hidden", |figure, text| put(&mut figure.view.hidden, names(text), NAMES)),
    ("picked", |figure, text| {
        let expected = "routine:NAME, line:NUMBER:FILE, object:NAME or level:NUMBER";
        put(&mut figure.view.picked, Picked::parse(text).map(Some), expected)
    }),
    ("colour", |figure, text| {
        let by_level = one_of(text, "latency", "level");
        put(&mut figure.view.by_level, by_level, "latency or level")
    }),
    ("stacks", |figure, text| {
        put(&mut figure.view.icicle, one_of(text, "bands", "icicle"), "bands or icicle")
    }),
    ("gauge", |figure, text| {
        put(&mut figure.view.gauge, text.parse().ok().map(Some), "the number of an event type")
    }),
    ("width", |figure, text| put(&mut figure.width, width(text), "such as 85mm, 170mm or 976px")),
    ("lanes", |figure, text| {
        let lanes = text.split(',').map(FigureLane::parse).collect();
        let expected =
            "of activity, source, address, performance, gauge and samples, between commas";
        put(&mut figure.lanes, lanes, expected)
    }),
    ("ink", |figure, text| put(&mut figure.grey, one_of(text, "colour", "grey"), "colour or grey")),
];

const NAMES: &str = "names of counters between commas, escaped as in an address";

/// Keys of the page's view that tell how the page looks, or what of the run is shown.
const OF_PAGE: [&str; 35] = [
    "sourceURL",
    "pairs",
    "view",
    "tab",
    "metric",
    "run",
    "by",
    "plane",
    "brush",
    "distances",
    "rates",
    "multiples",
    "profile",
    "clusters",
    "course",
    "ratios",
    "selection",
    "panel",
    "order",
    "code",
    "pane",
    "theme",
    "compareURL",
    "with",
    "withRuns",
    "withGroup",
    "withObjects",
    "withWindow",
    "compareBy",
    "least",
    "between",
    "clock",
    "phase",
    "third",
    "swap",
];

/// A key or a text that no figure can be drawn with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FigureError {
    /// No such key; the nearest three.
    UnknownKey {
        key: String,
        nearest: Vec<String>,
    },
    Value {
        key: String,
        value: String,
        expected: &'static str,
    },
    /// The folding has not what the figure should show.
    Absent {
        key: &'static str,
        value: String,
    },
}

impl fmt::Display for FigureError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownKey { key, nearest } => {
                write!(out, "unknown key of a view {key:?}; the nearest are {}", nearest.join(", "))
            }
            Self::Value { key, value, expected } => {
                write!(out, "view {key}: found {value:?}, expected {expected}")
            }
            Self::Absent { key, value } => {
                write!(out, "view {key}: there is no {value:?} in what was folded")
            }
        }
    }
}

impl std::error::Error for FigureError {}

/// A figure as keys and texts ask for it, in their order; of one key the last counts. A key of the page alone
/// changes nothing.
pub fn read_figure<'a>(
    texts: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<Figure, FigureError> {
    let mut figure = Figure::default();
    (figure.view.from, figure.view.to) = (0.0, 1.0);
    for (key, text) in texts {
        let Some((_, read)) = KEYS.iter().find(|(known, _)| *known == key) else {
            if OF_PAGE.contains(&key) {
                continue;
            }
            let nearest = nearest(key, KEYS.iter().map(|(key, _)| *key));
            return Err(FigureError::UnknownKey { key: key.to_owned(), nearest });
        };
        let (key, value) = (key.to_owned(), text.to_owned());
        read(&mut figure, text).map_err(|expected| FigureError::Value { key, value, expected })?;
    }
    Ok(figure)
}

/// What draws a figure: as SVG, or as a report with it inside.
pub type Drawn = fn(&Folding, &Figure, Option<&Cloud>, Option<&References>) -> String;

/// The figure of a folding, of the group that it shows or of the one shown first, with what `points` has
/// of it.
#[inline(never)]
pub fn figure_of(folding: &Folding, points: &Points, figure: &Figure, of: Drawn) -> String {
    let group = folding.group(figure.view.group).map_or(0, |group| group.number);
    let counter = figure.view.counter.as_ref();
    let cloud: Option<Cloud> = counter.and_then(|counter| points.cloud(group, counter));
    of(folding, figure, cloud.as_ref(), points.references(group))
}

/// Whether the folding has the group, the counter and the model that a figure asks for.
pub fn is_there(folding: &Folding, figure: &Figure) -> Result<(), FigureError> {
    let view = &figure.view;
    let absent = |key, value: String| Err(FigureError::Absent { key, value });
    if view.group > 0 && folding.groups.iter().all(|group| group.number != view.group) {
        return absent("shown", view.group.to_string());
    }
    let group = folding.group(view.group);
    if let Some(name) = &view.counter
        && group.is_some_and(|group| group.curve(name).is_none())
    {
        return absent("counter", name.clone());
    }
    match &view.model {
        Some(name) if folding.models.iter().all(|model| model.name != *name) => {
            absent("model", name.clone())
        }
        _ => Ok(()),
    }
}

fn put<T>(to: &mut T, value: Option<T>, expected: &'static str) -> Result<(), &'static str> {
    *to = value.ok_or(expected)?;
    Ok(())
}

fn name(to: &mut Option<String>, text: &str) -> Result<(), &'static str> {
    let value = Some(text.to_owned()).filter(|text| !text.is_empty());
    put(to, value.map(Some), "a name")
}

fn one_of(text: &str, usual: &str, other: &str) -> Option<bool> {
    match text {
        _ if text == usual => Some(false),
        _ if text == other => Some(true),
        _ => None,
    }
}

fn span(text: &str) -> Option<(f64, f64)> {
    let (from, to) = text.split_once('_')?;
    let (from, to) = (decimal(from)?, decimal(to)?);
    (0.0 <= from && from < to && to <= 1.0).then_some((from, to))
}

fn width(text: &str) -> Option<Width> {
    match (text.strip_suffix("mm"), text.strip_suffix("px")) {
        (Some(mm), _) => decimal(mm).filter(|mm| (MM.0..=MM.1).contains(mm)).map(Width::Mm),
        (_, Some(px)) => decimal(px).filter(|px| (PX.0..=PX.1).contains(px)).map(Width::Px),
        _ => None,
    }
}

/// Names between commas, each escaped; an empty one keeps the place of one that was there.
fn names(text: &str) -> Option<Vec<String>> {
    let text = text.trim_end_matches(',');
    if text.is_empty() { Some(vec![]) } else { text.split(',').map(unescaped).collect() }
}

/// `%2C` and so on as the bytes that they stand for.
fn unescaped(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        bytes.extend(part.get(2..)?.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_of_the_page_is_known_and_each_wrong_text_told() {
        let page = include_str!("../../../www/view.ts");
        let rows = page.split("const ROWS = {").nth(1).unwrap().split("\n};").next().unwrap();
        let mut own = None;
        let mut keys = Vec::new();
        for line in rows.lines() {
            let indented =
                line.strip_prefix("  ").filter(|line| !line.starts_with([' ', '/', '}', '*']));
            if let Some((key, _)) = indented.and_then(|line| line.split_once(": row")) {
                keys.extend(own.replace(key.to_owned()));
            }
            if let Some((_, name)) = line.split_once("name: '") {
                own = name.split('\'').next().map(str::to_owned);
            }
        }
        keys.extend(own);
        assert!(keys.len() > 25 && keys.iter().any(|key| key == "sourceURL"), "{keys:?}");
        for key in keys {
            let unknown = matches!(read_figure([(&*key, "")]), Err(FigureError::UnknownKey { .. }));
            assert!(!unknown, "{key}");
        }
        for (key, text, words) in [
            ("rage", "0_1", "unknown key of a view \"rage\"; the nearest are range, "),
            ("range", "0.5_0.2", "view range: found \"0.5_0.2\", expected FROM_TO"),
            ("range", "NaN_1", "view range: found"),
            ("curves", "%2", "view curves: found \"%2\", expected names"),
            ("curves", "%zz", "view curves: found"),
            ("width", "85", "view width: found \"85\", expected such as 85mm"),
            ("width", "1e9px", "view width: found"),
            ("lanes", "source,memory", "view lanes: found"),
            ("picked", "nothing", "view picked: found"),
            ("ink", "blue", "view ink: found \"blue\", expected colour or grey"),
        ] {
            let error = read_figure([(key, text)]).unwrap_err().to_string();
            assert!(error.starts_with(words), "{error}");
        }
    }

    #[test]
    fn texts_of_an_address_become_what_they_say() {
        let figure = read_figure([
            ("shown", "2"),
            ("range", "0.25_0.5"),
            ("curves", "a%2Cb,,%C3%A9"),
            ("hidden", "c"),
            ("colour", "level"),
            ("width", "85mm"),
            ("lanes", "source,performance"),
            ("theme", "dark"),
        ]);
        let Figure { view, width, lanes, .. } = figure.unwrap();
        assert_eq!((view.group, view.from, view.to), (2, 0.25, 0.5));
        assert_eq!(view.curves, Some(vec!["a,b".to_owned(), String::new(), "é".to_owned()]));
        assert_eq!((view.hidden, view.by_level), (vec!["c".to_owned()], true));
        assert_eq!(
            (width, lanes),
            (Width::Mm(85.0), vec![FigureLane::Source, FigureLane::Performance])
        );
        assert_eq!(read_figure([("curves", ",")]).unwrap().view.curves, Some(vec![]));
    }
}
