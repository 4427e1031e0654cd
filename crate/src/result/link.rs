//! A folding inside a link: the text after `s=`.
//!
//! A version byte and deflated JSON, in base64url. What tables tell is written down as it is
//! (`tabled.rs`). Pictures are coarser: curves are in steps of 1/4095 of their range, on as many points as
//! fit; lines are cells of folded time (`prune.rs`), clouds a few of their points (`thinned.rs`).
//! Instances are left out.

use std::collections::BTreeMap;
use std::fmt;

use base64::DecodeError;
use base64::engine::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};
use serde::{Deserialize, Serialize};

use super::Origin;
use super::column::Column;
use super::prune::prune;
use super::shorten::{Digits, EXACT, SHORT, shorten};
use super::thinned::{PackedReferences, PackedSamples, Samples, Thinned};
use crate::folding::{Cloud, Curve, Folding, Group, References};
use crate::settings::Settings;

/// Version of links that this code writes. It reads every version up to it.
///
/// 1: what is not said of groups and outliers is as in [`Settings::of_first_links`].
const VERSION: u8 = 2;
/// A link beyond this many characters is cut by some mail and chat programs; the rest of the
/// 30 kB is for the address and the settings.
const LONGEST: usize = 29_500;
/// What a link may unpack to.
const LARGEST_BYTES: usize = 8 << 20;
/// What a link has room for: the first that fits is taken.
#[derive(Clone, Copy)]
struct Room {
    /// Points of a curve, of the group shown and of each other group. Without points a group is left
    /// out.
    points: usize,
    of_others: usize,
    /// References, and samples of a counter.
    cloud: usize,
    digits: Digits,
    /// Of so many places each it is told what all samples add up to, of the others together; with none
    /// only of the samples that are there.
    places: usize,
    /// Whether what tables tell of curves is, not only these.
    curves: bool,
}

/// Tables are as they are, as long as anything else can give way: first the curves of other groups, then
/// those groups, then clouds, then the curves of the group shown. Each takes less than the one before.
const ROOMS: [Room; 18] = [
    Room::of([1000, 1000, 1500]),
    Room::of([1000, 500, 1500]),
    Room::of([1000, 250, 1500]),
    Room::of([500, 250, 1500]),
    Room::of([500, 0, 1500]),
    Room::of([500, 0, 700]),
    Room::of([250, 0, 700]),
    Room::of([250, 0, 300]),
    Room::of([250, 0, 0]),
    SMALL,
    Room { places: 40, ..SMALL },
    Room { places: 20, ..SMALL },
    Room { places: 10, ..SMALL },
    Room { points: 60, places: 10, ..SMALL },
    Room { points: 60, places: 5, ..SMALL },
    Room { places: 10, digits: SHORT, ..SMALL },
    Room { places: 0, digits: SHORT, ..SMALL },
    Room { places: 0, digits: SHORT, curves: false, ..SMALL },
];
const SMALL: Room = Room::of([120, 0, 0]);

impl Room {
    const fn of([points, of_others, cloud]: [usize; 3]) -> Self {
        Self { points, of_others, cloud, digits: EXACT, places: usize::MAX, curves: true }
    }
}

/// Notices that travel along.
const NOTICES: usize = 8;

/// What a link holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    pub folding: Folding,
    pub references: Option<Thinned>,
    pub samples: Option<Samples>,
    pub origin: Origin,
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

/// What a link is made of beside a folding: what was sampled of the group shown, as far as it is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beside<'a> {
    pub references: Option<&'a References>,
    /// Cycles at both ends of the scale of their latency.
    pub ends_of_costs: Option<(u32, u32)>,
    pub cloud: Option<&'a Cloud>,
    pub origin: Option<&'a Origin>,
    /// Characters that it may have where another link stands beside it in an address; `None`: as many as a
    /// link may.
    pub longest: Option<usize>,
}

impl Link {
    /// The text after `s=`, with as many points of as many groups as fit; those of the group
    /// `shown` come first.
    pub fn encode(
        folding: &Folding,
        shown: u32,
        settings: &Settings,
        view: &str,
        beside: Beside<'_>,
    ) -> Result<String, LinkError> {
        let longest = beside.longest.unwrap_or(LONGEST).min(LONGEST);
        let slim = Slim::of(folding, shown, beside);
        // Each is shorter than the one before: the first that fits is found in four steps.
        let mut found = None;
        let mut is_too_long = |room: &Room| {
            let text = slim.packed(*room, settings, view);
            let is_too_long = text.len() > longest;
            if !is_too_long {
                found = Some(text);
            }
            is_too_long
        };
        let first = ROOMS.partition_point(&mut is_too_long);
        debug_assert_eq!(found.is_some(), first < ROOMS.len());
        found.ok_or(LinkError::TooLong)
    }

    /// Reads what [`Link::encode`] wrote, of this version or another.
    pub fn decode(text: &str) -> Result<Self, LinkError> {
        let letters = text.trim_end_matches('=');
        let bytes = URL_SAFE_NO_PAD.decode(letters).map_err(|unreadable| match unreadable {
            DecodeError::InvalidByte(..) => LinkError::Damaged,
            _ => LinkError::Incomplete,
        })?;
        let (&version, deflated) = bytes.split_first().ok_or(LinkError::Incomplete)?;
        let inflated = decompress_to_vec_with_limit(deflated, LARGEST_BYTES);
        let json = inflated.map_err(|error| match error.status {
            TINFLStatus::HasMoreOutput => LinkError::TooLarge,
            TINFLStatus::FailedCannotMakeProgress => LinkError::Incomplete,
            _ => LinkError::Damaged,
        })?;
        let mut body: Body =
            serde_json::from_slice(&json).map_err(|error| match error.is_eof() {
                true => LinkError::Incomplete,
                false => LinkError::Damaged,
            })?;
        let mut settings = match version {
            1 => Settings::of_first_links(),
            _ => Settings::default(),
        };
        for (key, value) in &body.settings {
            // A newer version may have keys that this one does not; the curves are there anyway.
            let set = settings.set(key, value);
            if set.is_err() && version <= VERSION {
                return Err(LinkError::Damaged);
            }
        }
        let newer = (version > VERSION).then_some(version);
        let view = body.view.clone();
        let (references, samples) = (body.references.take(), body.samples.take());
        let origin = std::mem::take(&mut body.origin);
        let folding = restored(body)?;
        let of_group = |packed: PackedReferences| {
            let group = folding.groups.iter().find(|group| packed.is_of(group))?;
            packed.into_thinned(group)
        };
        let references = references.map(|packed| of_group(packed).ok_or(LinkError::Damaged));
        let samples = samples.map(|of| of.into_samples().ok_or(LinkError::Damaged)).transpose()?;
        let references = references.transpose()?;
        Ok(Self { folding, references, samples, origin, settings, view, newer })
    }
}

impl Link {
    /// With pseudonyms, the number of its region among those of the trace.
    pub fn region_number(&self) -> Option<u32> {
        let number = self.folding.region.strip_prefix("region ").filter(|_| self.origin.pseudonyms);
        number?.parse().ok()
    }
}

/// What is deflated, as JSON.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Body {
    /// The curves of each group, taken out of the folding.
    columns: Vec<Vec<Column>>,
    folding: Folding,
    #[serde(skip_serializing_if = "Option::is_none")]
    references: Option<PackedReferences>,
    #[serde(skip_serializing_if = "Option::is_none")]
    samples: Option<PackedSamples>,
    origin: Origin,
    settings: BTreeMap<String, String>,
    view: String,
}

/// A folding without what no link has.
struct Slim {
    folding: Folding,
    shown: u32,
    references: Option<Thinned>,
    samples: Option<Samples>,
    origin: Origin,
}

impl Slim {
    fn of(folding: &Folding, shown: u32, beside: Beside<'_>) -> Self {
        let mut slim = folding.clone();
        slim.quantised = true;
        slim.notices.truncate(NOTICES);
        slim.apart.clear();
        slim.missing_models.clear();
        slim.models.iter_mut().for_each(|model| model.source.clear());
        let most = ROOMS[0].cloud;
        let of_shown = beside.references.filter(|references| references.group == shown);
        let thin = |all: &References| {
            let (of, ends_of_costs) = (all.x.len() as u32, beside.ends_of_costs);
            Thinned { references: all.clone(), of, ends_of_costs }.thinner(most)
        };
        let mut references = of_shown.map(thin);
        for group in &mut slim.groups {
            group.rows.clear();
            group.write_tables();
            for curve in &mut group.curves {
                curve.band_width = curve.band_width();
            }
            group.part = group.part.take().filter(|_| group.code_times.is_some());
            prune(group, references.as_mut().filter(|_| group.number == shown));
        }
        let cloud = beside.cloud.filter(|cloud| cloud.group == shown);
        let samples = cloud.map(|cloud| Samples::of(cloud, cloud.x.len() as u32, most));
        let origin = beside.origin.cloned().unwrap_or_default();
        Self { folding: slim, shown, references, samples, origin }
    }

    fn packed(&self, room: Room, settings: &Settings, view: &str) -> String {
        let is_shown = |group: &Group| group.number == self.shown;
        let points_of = |group: &Group| if is_shown(group) { room.points } else { room.of_others };
        let mut folding = self.folding.clone();
        folding.groups.retain(|group| points_of(group) > 0);
        folding.groups_left_out += (self.folding.groups.len() - folding.groups.len()) as u32;
        let mut columns: Vec<Vec<Column>> = Vec::new();
        for group in &mut folding.groups {
            match room.places {
                0 => (group.code_times, group.part) = (None, None),
                most => group.tell_places_together(most),
            }
            if !room.curves {
                group.curves.iter_mut().for_each(|curve| curve.tabled = None);
            }
            shorten(group, room.digits);
            let points = points_of(group);
            columns.push(group.curves.iter().map(|curve| Column::of(curve, points)).collect());
            group.curves.iter_mut().for_each(without_points);
        }
        let thinner = |all: &Thinned| all.thinner(room.cloud);
        let group = folding.groups.iter().find(|group| is_shown(group));
        let references = self.references.as_ref().zip(group);
        let references = references.map(|(all, group)| PackedReferences::of(&thinner(all), group));
        let thinner =
            |all: &Samples| PackedSamples::of(&Samples::of(&all.cloud, all.of, room.cloud));
        let samples = self.samples.as_ref().map(thinner);
        let settings = BTreeMap::from(settings.clone());
        let view = view.to_owned();
        let origin = self.origin.clone();
        let body = Body { columns, folding, references, samples, origin, settings, view };
        // Texts, numbers and lists of them cannot fail.
        let json = serde_json::to_vec(&body).unwrap_or_default();
        let mut bytes = vec![VERSION];
        bytes.extend(miniz_oxide::deflate::compress_to_vec(&json, 9));
        URL_SAFE_NO_PAD.encode(&bytes)
    }
}

/// They travel as columns.
fn without_points(curve: &mut Curve) {
    (curve.fitted, curve.rate) = (vec![], vec![]);
    (curve.fitted_band, curve.rate_band) = (vec![], vec![]);
    if let Some(with_waiting) = &mut curve.with_waiting {
        (with_waiting.rate, with_waiting.rate_band) = (vec![], vec![]);
    }
}

fn restored(body: Body) -> Result<Folding, LinkError> {
    let mut folding = body.folding.sound();
    for (group, columns) in folding.groups.iter_mut().zip(body.columns) {
        for (curve, column) in group.curves.iter_mut().zip(columns) {
            column.into_curve(curve);
        }
        group.without_idle();
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

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::DeflateEncoder;

    use super::*;
    use crate::folding::example::folding;
    use crate::folding::{CodeTimes, Context, FoldingNotice, MissingModel};
    use crate::result::shorten::digits;

    fn settings() -> Settings {
        let mut settings = Settings::default();
        settings.set("group", "none").unwrap();
        settings
    }

    const VIEW: &str = r#"{"shown":1}"#;

    fn encoded(counters: usize) -> String {
        Link::encode(&folding(counters), 1, &settings(), VIEW, Beside::default()).unwrap()
    }

    #[test]
    fn curves_come_back_within_a_step_of_their_range() {
        let before = folding(6);
        let link = Link::decode(&encoded(6)).unwrap();
        assert_eq!(link.folding.trace, before.trace);
        assert_eq!((link.settings, link.newer), (settings(), None));
        assert_eq!(link.view, VIEW);
        for (a, b) in before.groups[0].curves.iter().zip(&link.folding.groups[0].curves) {
            assert_eq!((&a.phases, &a.own_breaks, a.joules), (&b.phases, &b.own_breaks, b.joules));
            assert_eq!(b.rate_band.len(), b.rate.len());
            let apart = a.rate_band.iter().zip(&b.rate_band).map(|(a, b)| (a - b).abs());
            assert!(apart.fold(0.0, f64::max) < 0.5, "a band of 90 to 110");
            for (a, b) in [(&a.fitted, &b.fitted), (&a.rate, &b.rate)] {
                let most = a.iter().copied().fold(f64::MIN, f64::max);
                let least = a.iter().copied().fold(f64::MAX, f64::min);
                let step = (most - least) / crate::result::column::STEPS;
                assert_eq!(a.len(), b.len());
                assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() <= step));
            }
        }
        let group = &link.folding.groups[0];
        assert_eq!(group.phases[0].name, "set-up");
        assert_eq!(group.places[group.phases[0].place.unwrap() as usize].line, 2);
        assert_eq!((&group.breaks, &group.fit), (&before.groups[0].breaks, &before.groups[0].fit));
        assert_eq!(
            (group.routines.len(), group.places.len(), group.lines.x.len()),
            (3, 7, 450 + 50)
        );
    }

    #[test]
    fn tables_of_code_are_those_of_the_trace_though_most_samples_stay_behind() {
        let mut before = folding(2);
        let group = &mut before.groups[0];
        // Samples at odd times, more in some cells than in others.
        let x = (0..group.lines.x.len()).map(|k| {
            let x = (k as f64 + 0.37) / group.lines.x.len() as f64;
            x * x
        });
        group.lines.x = x.collect();
        // Places and contexts that nobody was at lie between the others, and go.
        group.lines.place.iter_mut().for_each(|place| *place = 2 * *place + 1);
        group.contexts.insert(0, Context::default());
        let parents = group.contexts.iter_mut().flat_map(|context| &mut context.parent);
        let of_stretches = group.stretches.iter_mut().flat_map(|stretch| &mut stretch.context);
        let all = parents.chain(of_stretches).chain(&mut group.lines.context);
        all.for_each(|context| *context += 1);
        let after =
            Link::decode(&Link::encode(&before, 1, &settings(), VIEW, Beside::default()).unwrap())
                .unwrap();
        let (before, after) = (&before.groups[0], &after.folding.groups[0]);
        assert!(after.lines.x.len() < before.lines.x.len());
        assert!(after.places.len() < before.places.len());
        assert!(after.contexts.len() < before.contexts.len());
        let (expected, found) = (before.code(), after.code());
        assert!(expected.routines.len() > 1 && expected.lines.len() > 2);
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-7 * a.abs();
        assert_eq!(expected.routines.len(), found.routines.len());
        for (a, b) in expected.routines.iter().zip(&found.routines) {
            assert_eq!(
                (before.routine(a.routine), a.samples),
                (after.routine(b.routine), b.samples)
            );
            assert!(
                near(a.exclusive, b.exclusive) && near(a.inclusive, b.inclusive),
                "{a:?} {b:?}"
            );
            let rates = a.speed.rates.iter().zip(&b.speed.rates);
            assert!(rates.into_iter().all(|(a, b)| near(a.unwrap(), b.unwrap())));
        }
        let kept = expected.contexts.iter().filter(|context| context.inclusive > 0.0);
        let pairs = kept.zip(&found.contexts);
        assert!(pairs.clone().count() > 0, "{:?}", before.contexts);
        for (a, b) in pairs {
            assert!(near(a.inclusive, b.inclusive) && a.samples == b.samples, "{a:?} {b:?}");
        }
        assert_eq!(expected.lines.len(), found.lines.len());
        for (a, b) in expected.lines.iter().zip(&found.lines) {
            let place = |group: &Group, at: u32| group.places[at as usize].clone();
            assert_eq!(place(before, a.place), place(after, b.place));
            assert!(near(a.share, b.share) && a.samples == b.samples);
        }
        let codes = before.code_of_phases(&[]).into_iter().zip(after.code_of_phases(&[]));
        for (a, b) in codes.map(|(a, b)| (a.unwrap(), b.unwrap())) {
            assert!((&a.words, a.line) == (&b.words, b.line) && near(a.share, b.share));
        }
        // Where they do not fit they are those of the samples that are here.
        let fits = |counters| {
            Link::encode(&folding(counters), 1, &settings(), VIEW, Beside::default()).ok()
        };
        let most = (40..100).step_by(20).rev().find_map(fits).unwrap();
        assert_eq!(Link::decode(&most).unwrap().folding.groups[0].code_times, None);
    }

    #[test]
    fn times_of_code_that_are_of_another_group_are_left_out() {
        let times = |change: &dyn Fn(&mut CodeTimes)| {
            let mut folding = folding(2);
            let group = &mut folding.groups[0];
            let mut times = group.code_times().into_owned();
            change(&mut times);
            group.code_times = Some(times);
            folding.sound().groups.remove(0).code_times
        };
        assert!(times(&|_| ()).is_some());
        let of_others: [fn(&mut CodeTimes); 4] = [
            |times| times.places.truncate(1),
            |times| times.contexts.push((0.1, 1)),
            |times| times.phases.push(vec![]),
            |times| times.places[1].events.truncate(1),
        ];
        for change in of_others {
            assert_eq!(times(&change), None);
        }
    }

    #[test]
    fn instances_and_texts_of_models_stay_behind() {
        let xml = "<models><model name='m'><component name='c' where='y1'><value>C0</value>\
            </component></model></models>";
        let mut before = folding(1);
        before.models = crate::model::read("m.xml", xml.as_bytes()).unwrap();
        before.models[0].source = "where it is from".to_owned();
        before.missing_models =
            vec![MissingModel { title: "n".to_owned(), counters: vec!["L1".to_owned()] }];
        before.apart = before.groups[0].rows.clone();
        let text = Link::encode(&before, 1, &settings(), VIEW, Beside::default()).unwrap();
        let after = Link::decode(&text).unwrap().folding;
        assert_eq!((&after.groups[0].rows, &after.apart), (&vec![], &vec![]));
        assert_eq!((after.missing_models, after.models[0].source.as_str()), (vec![], ""));
        assert_eq!(after.models[0].components, before.models[0].components);
    }

    #[test]
    fn a_setting_that_is_not_known_is_damage_unless_the_link_is_newer() {
        let bytes = URL_SAFE_NO_PAD.decode(encoded(1)).unwrap();
        let json = decompress_to_vec_with_limit(&bytes[1..], LARGEST_BYTES).unwrap();
        let mut body: Body = serde_json::from_slice(&json).unwrap();
        body.settings.insert("nonsense".to_owned(), "1".to_owned());
        let json = serde_json::to_vec(&body).unwrap();
        let decode = |version: u8| {
            let deflated = miniz_oxide::deflate::compress_to_vec(&json, 9);
            Link::decode(&URL_SAFE_NO_PAD.encode([vec![version], deflated].concat()))
        };
        assert_eq!(decode(VERSION).unwrap_err(), LinkError::Damaged);
        assert_eq!(decode(VERSION + 1).unwrap().newer, Some(VERSION + 1));
    }

    #[test]
    fn the_first_notices_travel_along() {
        let notice = |n: u64| FoldingNotice {
            text: format!("Odd {n}."),
            count: n,
            first: format!("a.prv:{n}"),
            groups: vec![1],
        };
        let mut before = folding(1);
        before.notices = (1..=20).map(notice).collect();
        let text = Link::encode(&before, 1, &settings(), VIEW, Beside::default()).unwrap();
        let notices = Link::decode(&text).unwrap().folding.notices;
        assert_eq!(notices, before.notices[..8]);
    }

    #[test]
    fn numbers_to_be_read_are_short() {
        for (value, short) in
            [(3811.886830871364, 3811.88), (-0.000123456789, -0.000123456), (0.0, 0.0)]
        {
            assert_eq!(digits(6.0, value), short);
        }
        let mut group = folding(1).groups.remove(0);
        group.curves[0].phases[0].half_width = 0.123456789;
        shorten(&mut group, EXACT);
        assert_eq!(group.curves[0].phases[0].half_width, 0.123456);
        shorten(&mut group, SHORT);
        assert_eq!(group.curves[0].phases[0].half_width, 0.123);
        assert!(digits(6.0, f64::MAX).is_finite() && digits(6.0, 5e-324).is_finite());
    }

    #[test]
    fn many_counters_get_fewer_points_and_too_many_no_link() {
        let points = |counters| {
            Link::decode(&encoded(counters)).unwrap().folding.groups[0].curves[0].rate.len()
        };
        assert_eq!(points(4), 1000);
        assert!(points(40) < 1000 && encoded(40).len() <= LONGEST);
        let all = Link::encode(&folding(2000), 1, &settings(), VIEW, Beside::default());
        assert_eq!(all, Err(LinkError::TooLong));
    }

    #[test]
    fn the_group_shown_keeps_more_points_than_the_others() {
        let mut before = folding(40);
        before.groups.push(Group { number: 2, ..before.groups[0].clone() });
        for (shown, other) in [(1, 2), (2, 1)] {
            let text = Link::encode(&before, shown, &settings(), VIEW, Beside::default()).unwrap();
            let link = Link::decode(&text).unwrap();
            let points = |number| {
                let group = link.folding.groups.iter().find(|group| group.number == number);
                group.map_or(0, |group| group.curves[0].rate.len())
            };
            assert!(points(shown) > points(other), "{} {}", points(shown), points(other));
        }
    }

    #[test]
    fn a_link_cut_anywhere_says_so() {
        let text = encoded(2);
        for end in (0..text.len()).step_by(11) {
            let error = Link::decode(&text[..end]).unwrap_err();
            assert_eq!(error, LinkError::Incomplete, "{end} of {}", text.len());
        }
        assert_eq!(Link::decode("<script>"), Err(LinkError::Damaged));
    }

    #[test]
    fn what_an_older_link_leaves_out_is_as_it_was_then() {
        let mut bytes = URL_SAFE_NO_PAD.decode(encoded(2)).unwrap();
        bytes[0] = 1;
        let link = Link::decode(&URL_SAFE_NO_PAD.encode(&bytes)).unwrap();
        let mut expected = settings();
        expected.set("outliers", "median:1.5").unwrap();
        assert_eq!((link.settings, link.newer), (expected, None));
        assert_eq!(Settings::of_first_links().group.to_string(), "gaps");
    }

    #[test]
    fn a_newer_version_shows_what_is_understood() {
        let mut bytes = URL_SAFE_NO_PAD.decode(encoded(2)).unwrap();
        bytes[0] = 3;
        let link = Link::decode(&URL_SAFE_NO_PAD.encode(&bytes)).unwrap();
        assert_eq!((link.newer, link.folding.groups.len()), (Some(3), 1));
    }

    #[test]
    fn a_link_that_unpacks_to_a_gigabyte_is_not_unpacked() {
        let mut encoder = DeflateEncoder::new(vec![VERSION], Compression::best());
        let megabyte = vec![b' '; 1 << 20];
        (0..1024).for_each(|_| encoder.write_all(&megabyte).unwrap());
        let text = URL_SAFE_NO_PAD.encode(encoder.finish().unwrap());
        assert_eq!(Link::decode(&text), Err(LinkError::TooLarge));
    }
}
