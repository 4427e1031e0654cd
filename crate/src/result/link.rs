//! A folding inside a link: the text after `s=`.
//!
//! A version byte and deflated JSON, in base64url. Curves are in steps of 1/4095 of their range,
//! on as many points as fit; lines are cells of folded time; clouds and instances are left out.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;

use flate2::read::DeflateDecoder;
use serde_json::Value;

use super::base64url::{self, Unreadable};
use super::json::{Fields, Writer};
use super::{Curve, Folding, Group, Lines};
use crate::order;
use crate::settings::Settings;

/// Version of links that this code writes.
const VERSION: u8 = 1;
/// A link beyond this many characters is cut by some mail and chat programs; the rest of the
/// 30 kB is for the address and the settings.
const LONGEST: usize = 28_000;
/// What a link may unpack to.
const LARGEST_BYTES: u64 = 8 << 20;
/// Steps of a curve's range.
const STEPS: f64 = 4095.0;
/// Points of a curve, the most that fit.
const POINTS: [usize; 3] = [1000, 500, 250];
/// Folded time is cut into so many cells; of each the most sampled line is kept.
const CELLS: usize = 500;
/// Notices that travel along.
const NOTICES: usize = 8;

/// What a link holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    pub folding: Folding,
    pub settings: Settings,
    /// What the page makes of it; opaque here.
    pub view: String,
    /// Version of the Tracefold that made it, if that is newer than this one: what is understood
    /// is here.
    pub newer: Option<u8>,
}

/// Why a link cannot be made or read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// The folding does not fit; a file must do.
    TooLong,
    /// Its end is missing.
    Incomplete,
    /// Letters that no link has, or contents that no version wrote.
    Damaged,
    /// It unpacks to more than any link holds.
    TooLarge,
}

impl fmt::Display for LinkError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{}",
            match self {
                Self::TooLong => {
                    "This folding is too large for a link. Export it as JSON and share the file."
                }
                Self::Incomplete => {
                    "This link is incomplete. Its end is missing; ask for it again, or open the trace."
                }
                Self::Damaged => {
                    "This link is damaged. It holds what no link holds; ask for it again, or open \
                 the trace."
                }
                Self::TooLarge => {
                    "This link unpacks to more than 8 MB and was not read. No Tracefold makes such \
                 a link."
                }
            }
        )
    }
}

impl std::error::Error for LinkError {}

/// The two columns of a curve.
struct Columns {
    /// Share of events minus share of time: a far smaller range than the share itself.
    ahead: Quantised,
    rate: Quantised,
}

/// A column as steps of its range: the first, then what each adds.
struct Quantised {
    least: f64,
    most: f64,
    steps: Vec<i32>,
}

impl Link {
    /// The text after `s=`: all groups on 1000, 500 or 250 points, or else the group `shown` alone.
    pub fn encode(
        folding: &Folding,
        shown: u32,
        settings: &Settings,
        view: &str,
    ) -> Result<String, LinkError> {
        let mut alone = folding.clone();
        alone.groups.retain(|group| group.number == shown);
        for folding in [folding, &alone] {
            for points in POINTS {
                let text = packed(folding, points, settings, view);
                if text.len() <= LONGEST {
                    return Ok(text);
                }
            }
        }
        Err(LinkError::TooLong)
    }

    /// Reads what [`Link::encode`] wrote, of this version or another.
    pub fn decode(text: &str) -> Result<Self, LinkError> {
        let bytes = base64url::decode(text).map_err(|unreadable| match unreadable {
            Unreadable::Cut => LinkError::Incomplete,
            Unreadable::Letter => LinkError::Damaged,
        })?;
        let (&version, deflated) = bytes.split_first().ok_or(LinkError::Incomplete)?;
        let mut json = Vec::new();
        let read = DeflateDecoder::new(deflated).take(LARGEST_BYTES + 1).read_to_end(&mut json);
        if json.len() as u64 > LARGEST_BYTES {
            return Err(LinkError::TooLarge);
        }
        read.map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => LinkError::Incomplete,
            _ => LinkError::Damaged,
        })?;
        let body = serde_json::from_slice::<Value>(&json).map_err(|error| {
            if error.is_eof() { LinkError::Incomplete } else { LinkError::Damaged }
        })?;
        let mut settings = Settings::default();
        for (key, value) in body.get("settings").and_then(Value::as_object).into_iter().flatten() {
            // A newer version may have keys that this one does not; the curves are there anyway.
            let set = settings.set(key, value.as_str().unwrap_or_default());
            if set.is_err() && version <= VERSION {
                return Err(LinkError::Damaged);
            }
        }
        let newer = (version > VERSION).then_some(version);
        let view = Fields(&body).text("view");
        Ok(Self { folding: restored(Fields(&body))?, settings, view, newer })
    }
}

fn packed(folding: &Folding, points: usize, settings: &Settings, view: &str) -> String {
    let mut slim = folding.clone();
    slim.quantised = true;
    slim.notices.truncate(NOTICES);
    let mut columns: Vec<Vec<Columns>> = Vec::new();
    for group in &mut slim.groups {
        group.rows.clear();
        in_cells(group);
        columns.push(
            group
                .curves
                .iter_mut()
                .map(|curve| Columns {
                    ahead: Quantised::of(&resampled(&ahead(&curve.fitted), points)),
                    rate: Quantised::of(&resampled(&curve.rate, points)),
                })
                .collect(),
        );
    }
    for curve in slim.groups.iter_mut().flat_map(|group| &mut group.curves) {
        (curve.fitted, curve.rate) = (vec![], vec![]);
    }
    let mut json = Writer::default();
    json.open("", '{');
    json.open("columns", '[');
    for columns in &columns {
        json.list("", columns, |columns, json| {
            columns.ahead.write("ahead", json);
            columns.rate.write("rate", json);
        });
    }
    json.close(']');
    json.open("folding", '{');
    slim.write(&mut json);
    json.close('}');
    json.open("settings", '{');
    for (key, value) in BTreeMap::from(settings.clone()) {
        json.text(&key, &value);
    }
    json.close('}');
    json.text("view", view);
    json.close('}');
    let json = json.finish();
    let mut bytes = vec![VERSION];
    bytes.extend(miniz_oxide::deflate::compress_to_vec(json.as_bytes(), 9));
    base64url::encode(&bytes)
}

fn restored(body: Fields<'_>) -> Result<Folding, LinkError> {
    let mut folding = Folding::read(body.object("folding"));
    for (group, columns) in folding.groups.iter_mut().zip(body.values("columns")) {
        let columns = columns.as_array().map_or(&[][..], Vec::as_slice);
        for (curve, columns) in group.curves.iter_mut().zip(columns) {
            let columns = Fields(columns);
            curve.fitted = from_ahead(Quantised::read(columns.object("ahead")).values());
            curve.rate = Quantised::read(columns.object("rate")).values();
        }
    }
    let sound = |group: &Group| {
        let whole =
            |curve: &Curve| !curve.rate.is_empty() && curve.fitted.len() == curve.rate.len();
        group.curves.iter().all(whole) && group.lines.x.len() == group.lines.place.len()
    };
    if folding.groups.is_empty() || !folding.groups.iter().all(sound) {
        return Err(LinkError::Damaged);
    }
    folding.quantised = true;
    Ok(folding)
}

fn ahead(fitted: &[f64]) -> Vec<f64> {
    let last = (fitted.len().max(2) - 1) as f64;
    fitted.iter().enumerate().map(|(j, y)| y - j as f64 / last).collect()
}

fn from_ahead(mut ahead: Vec<f64>) -> Vec<f64> {
    let last = (ahead.len().max(2) - 1) as f64;
    ahead.iter_mut().enumerate().for_each(|(j, y)| *y += j as f64 / last);
    ahead
}

impl Quantised {
    fn of(values: &[f64]) -> Self {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let range = most - least;
        let step = |value: f64| match range > 0.0 && range.is_finite() {
            true => ((value - least) / range * STEPS).round() as i32,
            false => 0,
        };
        let mut before = 0;
        let steps = values.iter().map(|&value| {
            let now = step(value);
            now - std::mem::replace(&mut before, now)
        });
        Self { least, most, steps: steps.collect() }
    }

    fn write(&self, key: &str, json: &mut Writer) {
        json.open(key, '{');
        json.number("least", self.least);
        json.number("most", self.most);
        json.open("steps", '[');
        self.steps.iter().for_each(|step| json.number("", f64::from(*step)));
        json.close(']');
        json.close('}');
    }

    fn read(fields: Fields<'_>) -> Self {
        let steps = fields.numbers("steps").into_iter().map(|step| step as i32).collect();
        Self { least: fields.number("least"), most: fields.number("most"), steps }
    }

    fn values(&self) -> Vec<f64> {
        let mut step = 0i32;
        let value = |added: &i32| {
            step = step.saturating_add(*added);
            self.least + (self.most - self.least) * (f64::from(step) / STEPS)
        };
        self.steps.iter().map(value).collect()
    }
}

/// The column on at most `points` evenly spread points, both ends included, by straight lines.
fn resampled(values: &[f64], points: usize) -> Vec<f64> {
    if values.len() <= points {
        return values.to_vec();
    }
    let last = (values.len() - 1) as f64;
    let at = |j: usize| {
        let place = j as f64 / (points - 1) as f64 * last;
        let below = (place as usize).min(values.len() - 2);
        let share = place - below as f64;
        values[below] * (1.0 - share) + values[below + 1] * share
    };
    (0..points).map(at).collect()
}

/// Leaves of the lines the most sampled one of each cell, and of places and routines those in use.
fn in_cells(group: &mut Group) {
    let mut cells: Vec<Vec<u32>> = vec![Vec::new(); CELLS];
    for (&x, &place) in group.lines.x.iter().zip(&group.lines.place) {
        cells[((x * CELLS as f64) as usize).min(CELLS - 1)].push(place);
    }
    let mut lines = Lines::default();
    for (cell, mut places) in cells.into_iter().enumerate() {
        order::by_number(&mut places, |place| u64::from(*place));
        let runs = places.chunk_by(|a, b| a == b);
        // The first of the longest runs: the lowest place of those alike.
        let Some(longest) = runs.rev().max_by_key(|run| run.len()) else { continue };
        lines.x.push((cell as f64 + 0.5) / CELLS as f64);
        lines.place.extend(longest.first());
    }
    let shown = lines.place.iter().copied().chain(group.stretches.iter().map(|s| s.place));
    let used = order::distinct(shown.map(u64::from));
    let rank = |place: u32| used.partition_point(|used| *used < u64::from(place)) as u32;
    lines.place.iter_mut().for_each(|place| *place = rank(*place));
    group.stretches.iter_mut().for_each(|stretch| stretch.place = rank(stretch.place));
    group.places = used.iter().filter_map(|&p| group.places.get(p as usize).cloned()).collect();
    group.lines = lines;
    // A routine's colour is its place in the list: those after the last one in use can go.
    let last = group.places.iter().map(|place| place.routine as usize + 1).max().unwrap_or(0);
    group.routines.truncate(last);
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::DeflateEncoder;

    use super::super::{InstanceRow, Place, Stretch, TraceSummary};
    use super::*;

    pub fn folding(counters: usize) -> Folding {
        let wave = |k: usize| {
            let at = move |j: i32| {
                let x = f64::from(j) / 999.0;
                x + 0.02 * libm::sin(9.0 * x + k as f64)
            };
            (0..1000).map(at).collect::<Vec<_>>()
        };
        let curve = |k: usize| Curve {
            counter: format!("C{k}"),
            description: String::new(),
            instructions: k == 0,
            instances: 9,
            used: 100,
            unused: 0,
            excluded: 3,
            mean_count: 5e6,
            mean_rate: 3.25,
            nugget: 1e-4,
            fitted: wave(k),
            rate: wave(k + 1).iter().map(|v| v * 4e3).collect(),
        };
        let places = (0..40u32).map(|line| Place {
            routine: line % 3,
            line,
            file: "a.c".to_owned(),
            samples: 5,
        });
        let group = Group {
            number: 1,
            instances: 10,
            kept: 9,
            mean_duration_ns: 1.5e6,
            samples: 900,
            rows: vec![InstanceRow { object: [1, 1, 1], start_ns: 1, duration_ns: 2, used: true }],
            curves: (0..counters).map(curve).collect(),
            routines: ["f", "g", "h", "never shown"].map(str::to_owned).to_vec(),
            places: places.collect(),
            lines: Lines {
                x: (0..900).map(|i| f64::from(i) / 900.0).collect(),
                place: (0..900).map(|i| i % 7).collect(),
            },
            stretches: vec![Stretch { start: 0.0, end: 1.0, place: 2, samples: 900 }],
        };
        Folding {
            version: Folding::VERSION,
            trace: TraceSummary {
                name: "a.prv".to_owned(),
                size_bytes: 1,
                duration_ns: 2,
                threads: 1,
                generated: false,
            },
            region: "User function:main".to_owned(),
            groups: vec![group],
            shown: 1,
            notices: vec![],
            quantised: false,
        }
    }

    fn settings() -> Settings {
        let mut settings = Settings::default();
        settings.set("group", "none").unwrap();
        settings
    }

    const VIEW: &str = r#"{"shown":1}"#;

    fn encoded(counters: usize) -> String {
        Link::encode(&folding(counters), 1, &settings(), VIEW).unwrap()
    }

    #[test]
    fn curves_come_back_within_a_step_of_their_range() {
        let before = folding(6);
        let link = Link::decode(&encoded(6)).unwrap();
        assert_eq!((link.settings, link.newer), (settings(), None));
        assert_eq!(link.view, VIEW);
        for (a, b) in before.groups[0].curves.iter().zip(&link.folding.groups[0].curves) {
            for (a, b) in [(&a.fitted, &b.fitted), (&a.rate, &b.rate)] {
                let most = a.iter().copied().fold(f64::MIN, f64::max);
                let least = a.iter().copied().fold(f64::MAX, f64::min);
                let step = (most - least) / STEPS;
                assert_eq!(a.len(), b.len());
                assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() <= step));
            }
        }
        let group = &link.folding.groups[0];
        assert_eq!(
            (group.routines.len(), group.places.len(), group.lines.x.len()),
            (3, 7, 450 + 50)
        );
    }

    #[test]
    fn many_counters_get_fewer_points_and_too_many_no_link() {
        let points = |counters| {
            Link::decode(&encoded(counters)).unwrap().folding.groups[0].curves[0].rate.len()
        };
        assert_eq!(points(4), 1000);
        assert!(points(90) < 1000 && encoded(90).len() <= LONGEST);
        let all = Link::encode(&folding(2000), 1, &settings(), VIEW);
        assert_eq!(all, Err(LinkError::TooLong));
    }

    #[test]
    fn a_link_cut_anywhere_says_so() {
        let text = encoded(2);
        for end in 0..text.len() {
            let error = Link::decode(&text[..end]).unwrap_err();
            assert_eq!(error, LinkError::Incomplete, "{end} of {}", text.len());
        }
        assert_eq!(Link::decode("<script>"), Err(LinkError::Damaged));
    }

    #[test]
    fn a_newer_version_shows_what_is_understood() {
        let mut bytes = base64url::decode(&encoded(2)).unwrap();
        bytes[0] = 3;
        let link = Link::decode(&base64url::encode(&bytes)).unwrap();
        assert_eq!((link.newer, link.folding.groups.len()), (Some(3), 1));
    }

    #[test]
    fn a_link_that_unpacks_to_a_gigabyte_is_not_unpacked() {
        let mut encoder = DeflateEncoder::new(vec![VERSION], Compression::best());
        let megabyte = vec![b' '; 1 << 20];
        (0..1024).for_each(|_| encoder.write_all(&megabyte).unwrap());
        let text = base64url::encode(&encoder.finish().unwrap());
        assert_eq!(Link::decode(&text), Err(LinkError::TooLarge));
    }
}
