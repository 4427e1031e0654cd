//! What stands between two moments: how long, how fast, how much, which lines and which data.

use serde::Serialize;

use super::objects::Weigh;
use super::{counted, path};
use crate::folding::{Curve, DataObject, Folding, Group, References, Usage};
use crate::order;
use crate::quantity::{Kind, NONE, Quantity, count, extent, number, percent};
use crate::result::InPhase;

/// The answers of a part of folded time.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct RangeSummary {
    /// How long it is, with its unit.
    pub length: String,
    /// From where to where, and what share of the region that is.
    pub place: String,
    /// One for each curve, in their order.
    pub counters: Vec<CounterBetween>,
    /// What it is, its value, and what that belongs to: work, samples, loads, stores.
    pub answers: Vec<[String; 3]>,
    /// Those of most time in it, and how many more there are.
    pub lines: Vec<LineBetween>,
    pub more_lines: String,
    /// The dearest in it, and how many more there are.
    pub objects: Vec<ObjectBetween>,
    pub more_objects: String,
    /// Why it says less than another; empty if it does not.
    pub doubt: String,
}

/// The mean of a counter.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct CounterBetween {
    pub counter: String,
    pub name: String,
    /// Per instruction where that is told, else a rate; a dash where neither is.
    pub value: String,
    pub unit: String,
    /// Of 95 %: `[3 271, 3 325]`; empty where nothing tells.
    pub interval: String,
}

/// A line of code.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct LineBetween {
    /// `Add [237]`.
    pub words: String,
    /// The place of its routine's colour.
    pub hue: u32,
    /// `LINE:FILE`; `null` where the trace does not tell the file.
    pub place: Option<String>,
    /// Of the time of the range.
    pub share: String,
}

/// A data object.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct ObjectBetween {
    pub name: String,
    /// Of what loads cost in the range, else of its references.
    pub share: String,
    /// `952 loads, 1 store`.
    pub words: String,
}

/// Lines and objects that are named; the tables beside the picture have all.
const MOST: usize = 3;

/// What stands between two moments of folded time, the first before the second; of data with the
/// references of the group. O(samples in it), times the
/// logarithm of those of memory.
pub fn range(group: &Group, references: Option<&References>, ends: [f64; 2]) -> RangeSummary {
    let ends = ordered(ends);
    let (share, empty) = (ends[1] - ends[0], is_unsampled(group, ends));
    let all = group.all_in_range(ends);
    let counters = group.curves.iter().zip(&all).filter(|(curve, _)| !group.is_axis(curve));
    let counters = counters.map(|(curve, of)| counter(group, curve, of.filter(|_| !empty)));
    let lines = group.lines_between(ends);
    let line = |(place, own): &(u32, f64)| {
        let at = group.places.get(*place as usize)?;
        let known = Some(at.line).filter(|line| *line > 0);
        Some(LineBetween {
            words: path(&[], group.routine(at.routine), known),
            hue: group.hue(at.routine) as u32,
            place: (!at.file.is_empty()).then(|| format!("{}:{}", at.line, at.file)),
            share: percent(own / share, 0),
        })
    };
    let part = group.part_of(ends);
    let carried = || part.map_or_else(Vec::new, |part| part.objects.clone());
    let mut objects = references.map_or_else(carried, |all| all.objects_between(group, ends));
    let of_link = || part.map_or_else(Usage::default, |part| part.used.clone());
    let all_used = references.map_or_else(of_link, |all| all.used_between(ends));
    let weigh = Weigh::of(objects.iter().map(|(_, object)| object));
    order::by_number(&mut objects, |(_, object)| !order::of_float(weigh.of_object(object)));
    RangeSummary {
        length: extent(group, share),
        place: format!("{} · {}", between(group, ends), percent(share, 1)),
        counters: counters.collect(),
        answers: [work(group, &all, ends), samples(group, ends)]
            .into_iter()
            .flatten()
            .chain(used(&all_used))
            .collect(),
        more_lines: more(lines.len()),
        lines: lines.iter().take(MOST).filter_map(line).collect(),
        more_objects: more(objects.len()),
        objects: objects.iter().take(MOST).map(|(_, of)| object(of, weigh.share(of))).collect(),
        doubt: doubt(group, ends, empty),
    }
}

/// Of a table of code or data that is of a range alone: which, and what its shares are of.
pub fn of_range(folding: &Folding, group: &Group, ends: [f64; 2]) -> String {
    let ends = ordered(ends);
    let coarse = folding.quantised && group.part_of(ends).is_none();
    let how = if coarse { ", as coarse as a link carries them" } else { "" };
    format!("{}; shares are of this range{how}", between(group, ends))
}

/// Within folded time, the first before the second.
pub fn ordered(ends: [f64; 2]) -> [f64; 2] {
    let [a, b] = ends.map(|x| if x.is_finite() { x.clamp(0.0, 1.0) } else { 0.0 });
    let from = a.min(b).min(1.0 - NARROWEST);
    [from, a.max(b).max(from + NARROWEST)]
}

/// A range is no narrower, as the page cannot zoom nearer, so that there is something to divide by.
const NARROWEST: f64 = 1e-4;

/// `12.8 ms to 22.4 ms`.
pub fn between(group: &Group, [from, to]: [f64; 2]) -> String {
    format!("{} to {}", extent(group, from), extent(group, to))
}

fn more(all: usize) -> String {
    match all.saturating_sub(MOST) {
        0 => String::new(),
        more => format!("{} more", number(more as f64, 0)),
    }
}

fn counter(group: &Group, curve: &Curve, of: Option<InPhase>) -> CounterBetween {
    let ratio = of.and_then(|of| of.per_instruction).filter(|_| !curve.instructions);
    let rate = Quantity::of(group, curve, Kind::Rate);
    let (quantity, value) = match ratio.filter(|_| !rate.is_power()) {
        Some(ratio) => (Quantity::of(group, curve, Kind::Ratio), Some(ratio)),
        None => (rate, of.map(|of| (of.rate, of.half_width))),
    };
    let quantity = quantity.clone().sized(value.map_or(0.0, |(value, _)| value) * quantity.scale);
    CounterBetween {
        counter: curve.counter.clone(),
        name: quantity.name.clone(),
        value: value.map_or_else(|| NONE.to_owned(), |(value, _)| quantity.number(value)),
        unit: if value.is_some() { quantity.unit.clone() } else { String::new() },
        interval: value.map_or_else(String::new, |(value, half)| quantity.interval(value, half)),
    }
}

/// The instructions completed in it, where they are not what the axis counts.
fn work(group: &Group, all: &[Option<InPhase>], ends: [f64; 2]) -> Option<[String; 3]> {
    let at = group.curves.iter().position(|curve| curve.instructions)?;
    let curve = group.curves.get(at).filter(|curve| !group.is_axis(curve))?;
    let of = all.get(at).copied().flatten().filter(|_| curve.with_waiting.is_none())?;
    let events =
        Some(group.events_in_range(curve, of, ends)).filter(|events| events.is_finite())?;
    Some(["Work".to_owned(), count(events), "instructions".to_owned()])
}

/// How many samples lie in it: counted where each is known, else by the cells of their strip.
fn samples(group: &Group, [from, to]: [f64; 2]) -> Option<[String; 3]> {
    let all = group.samples;
    // With a call-stack, all of them have a line.
    let lines = group.code_times.as_ref().map_or(group.lines.x.len() as u32, |times| {
        let others = times.others.iter().map(|others| &others.time);
        times.places.iter().chain(others).map(|place| place.samples).sum()
    });
    let counted = match group.part_of([from, to]) {
        Some(part) => Some(part.samples),
        None if group.code_times.is_some() => None,
        None => Some(group.samples_between([from, to]).len() as u32),
    };
    let counted = counted.filter(|_| lines == all).map(f64::from);
    let about = if counted.is_some() { "" } else { "about " };
    let here = counted.or_else(|| in_cells(&group.density, [from, to]))?;
    let here = format!("{about}{}", number(libm::round(here), 0));
    Some(["Samples".to_owned(), here, format!("of {}", number(f64::from(all), 0))])
}

/// What cells hold, and of those at the ends as much as lies inside; `None` without cells.
fn in_cells(cells: &[u32], [from, to]: [f64; 2]) -> Option<f64> {
    let count = cells.len() as f64;
    let inside = |(cell, samples): (usize, &u32)| {
        let [begin, end] = [cell, cell + 1].map(|cell| cell as f64 / count);
        f64::from(*samples) * (end.min(to) - begin.max(from)).max(0.0) * count
    };
    (!cells.is_empty()).then(|| cells.iter().enumerate().map(inside).sum())
}

/// Whether all of it has too few samples for what is drawn there, or none at all.
fn is_unsampled(group: &Group, [from, to]: [f64; 2]) -> bool {
    let is_sparse = group.sparse.iter().any(|[start, end]| *start <= from && to <= *end);
    let cells = group.density.len();
    let place = |x: f64| (x * cells as f64) as usize;
    let inside = place(from).min(cells)..(place(to) + 1).min(cells);
    let is_empty = cells > 0 && group.density[inside].iter().all(|samples| *samples == 0);
    is_sparse || is_empty
}

fn doubt(group: &Group, [from, to]: [f64; 2], is_unsampled: bool) -> String {
    if is_unsampled {
        return "Too few samples here: what curves do is not known.".to_owned();
    }
    let inside = |[start, end]: &[f64; 2]| (end.min(to) - start.max(from)).max(0.0);
    let sparse = group.sparse.iter().map(inside).sum::<f64>() / (to - from);
    match sparse >= 0.005 {
        true => format!("{} of it has too few samples.", percent(sparse, 0)),
        false => String::new(),
    }
}

/// Sampled loads and stores, and what loads cost.
fn used(used: &Usage) -> impl Iterator<Item = [String; 3]> + use<> {
    let high = used.high_cost.map(|cost| format!("95 % within {} cycles", number(cost, 0)));
    let row = |name: &str, of: u32, words: String| {
        (of > 0).then(|| [name.to_owned(), number(f64::from(of), 0), words])
    };
    let loads = row("Loads", used.loads, high.unwrap_or_default());
    [loads, row("Stores", used.stores, String::new())].into_iter().flatten()
}

fn object(object: &DataObject, share: Option<f64>) -> ObjectBetween {
    let loads = counted(u64::from(object.loads), "load");
    let stores = counted(u64::from(object.stores), "store");
    let words = match (object.loads, object.stores) {
        (_, 0) => loads,
        (0, _) => stores,
        _ => format!("{loads}, {stores}"),
    };
    ObjectBetween {
        name: object.name.clone(),
        share: share.map_or_else(|| NONE.to_owned(), |share| percent(share, 0)),
        words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{Break, Lines, Place};
    use crate::result::{Beside, Link};
    use crate::settings::Settings;

    /// 1,000 instructions a microsecond up to the middle and 3,000 after it, over a millisecond; a line
    /// each, 100 samples.
    fn group() -> Group {
        let rate = |j: u32| if j <= 50 { 1e3 } else { 3e3 };
        let fitted =
            |j: u32| if j <= 50 { j as f64 / 200.0 } else { 0.25 + 0.015 * (j - 50) as f64 };
        let instructions = Curve {
            counter: "PAPI_TOT_INS".to_owned(),
            instructions: true,
            mean_rate: 2e3,
            mean_count: 2e6,
            rate: (0..=100).map(rate).collect(),
            fitted: (0..=100).map(fitted).collect(),
            rate_band: vec![50.0; 101],
            fitted_band: vec![0.001; 101],
            ..Curve::default()
        };
        let misses = Curve {
            counter: "PAPI_L2_DCM".to_owned(),
            mean_rate: 20.0,
            rate: vec![20.0; 101],
            fitted: (0..=100).map(|j| f64::from(j) / 100.0).collect(),
            ..Curve::default()
        };
        let place = |routine, line| Place { routine, line, file: "a.c".to_owned(), samples: 50 };
        let x = |k: u32| (f64::from(k) + 0.5) / 100.0;
        Group {
            number: 1,
            samples: 100,
            mean_duration_ns: 1e6,
            curves: vec![instructions, misses],
            breaks: vec![Break { at: 0.505, ..Break::default() }],
            routines: ["first", "second"].map(str::to_owned).to_vec(),
            places: vec![place(0, 5), place(1, 9)],
            lines: Lines {
                x: (0..100).map(x).collect(),
                place: (0..100).map(|k| u32::from(k >= 50)).collect(),
                context: vec![],
            },
            density: vec![10; 10],
            objects: vec![DataObject { name: "a".to_owned(), ..DataObject::default() }],
            ..Group::default()
        }
    }

    fn plain(text: &str) -> String {
        text.replace('\u{202f}', " ")
    }

    fn answers(of: &RangeSummary) -> Vec<String> {
        of.answers.iter().map(|answer| plain(&answer.join(" "))).collect()
    }

    #[test]
    fn a_range_tells_how_long_how_fast_how_much_and_where() {
        let told = range(&group(), None, [0.105, 0.905]);
        assert_eq!(
            (plain(&told.length), plain(&told.place)),
            ("0.800 ms".to_owned(), "0.105 ms to 0.905 ms · 80.0 %".to_owned())
        );
        let [instructions, misses] = &told.counters[..] else { panic!() };
        // As much before the break as after it: the ends are off by √2 of 0.001 in 0.8, of 2,000.
        assert_eq!(plain(&instructions.value), "2 000");
        assert_eq!(plain(&instructions.interval), "[1 996, 2 004]");
        assert_eq!((&*instructions.name, &*instructions.unit), ("MIPS", "MIPS"));
        assert_eq!((&*misses.value, &*misses.unit), ("10.00", "per 1000 ins"));
        assert_eq!(answers(&told), ["Work 1.600 M instructions", "Samples 80 of 100"]);
        let lines = told.lines.iter().map(|line| (&*line.words, plain(&line.share)));
        assert_eq!(
            lines.collect::<Vec<_>>(),
            [("second [9]", "51 %".to_owned()), ("first [5]", "49 %".to_owned())]
        );
        assert_eq!((&*told.doubt, &*told.more_lines, told.objects.len()), ("", "", 0));
    }

    #[test]
    fn without_samples_nothing_is_told_of_counters() {
        let mut group = group();
        group.sparse = vec![[0.4, 0.8]];
        let told = range(&group, None, [0.5, 0.7]);
        assert!(told.counters.iter().all(|of| of.value == NONE && of.interval.is_empty()));
        assert_eq!(told.doubt, "Too few samples here: what curves do is not known.");
        let told = range(&group, None, [0.3, 0.5]);
        assert_eq!(plain(&told.doubt), "50 % of it has too few samples.");
        assert!(told.counters.iter().all(|of| of.value != NONE));
        group.sparse.clear();
        group.density[6] = 0;
        assert_eq!(range(&group, None, [0.61, 0.69]).counters[0].value, NONE);
        assert_ne!(range(&group, None, [0.61, 0.71]).counters[0].value, NONE);
    }

    #[test]
    fn samples_without_a_line_are_counted_by_their_strip() {
        let mut group = group();
        group.samples = 200;
        group.density = vec![20; 10];
        assert_eq!(answers(&range(&group, None, [0.05, 0.3]))[1], "Samples about 50 of 200");
        group.density.clear();
        assert_eq!(answers(&range(&group, None, [0.05, 0.3])).len(), 1);
    }

    #[test]
    fn odd_ends_are_a_range_within_the_region() {
        for (ends, expected) in [
            ([0.7, 0.2], [0.2, 0.7]),
            ([-3.0, f64::INFINITY], [0.0, NARROWEST]),
            ([0.4, 0.4], [0.4, 0.4 + NARROWEST]),
            ([1.0, 9.0], [1.0 - NARROWEST, 1.0]),
        ] {
            let found = ordered(ends);
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
        }
        for ends in [[f64::NAN; 2], [0.5, 0.5], [1.0, 1.0], [0.0, 1e-300]] {
            let told = serde_json::to_string(&range(&group(), None, ends)).unwrap();
            assert!(!told.contains("NaN") && !told.contains("inf"), "{told}");
            range(&Group::default(), None, ends);
        }
    }

    #[test]
    fn a_link_tells_of_the_range_that_was_dragged_what_the_trace_does() {
        let ends = [0.312, 0.733];
        let references = References {
            x: vec![0.3, 0.4, 0.5, 0.9],
            object: vec![0; 4],
            offset: vec![0; 4],
            store: vec![0, 0, 1, 0],
            level: vec![1; 4],
            cost: vec![10, 30, 0, 20],
            line: vec![0; 4],
            ..References::default()
        };
        let mut folding = Folding { groups: vec![group()], shown: 1, ..Folding::default() };
        // Of the many samples of a cell one would stay.
        let of = &mut folding.groups[0].lines.x;
        of.iter_mut().for_each(|x| *x = *x * *x);
        let told = |folding: &Folding, references: Option<&References>| {
            let group = &folding.groups[0];
            let code = super::super::code(group, Some(ends));
            let objects = super::super::objects_between(group, references, ends);
            (range(group, references, ends), code, objects)
        };
        let expected = told(&folding, Some(&references));
        assert_eq!(expected.2.as_ref().unwrap().len(), 1);
        assert!(!of_range(&folding, &folding.groups[0], ends).contains("coarse"));
        let part = folding.groups[0].part(Some(&references), ends);
        folding.groups[0].part = Some(part);
        let text =
            Link::encode(&folding, 1, &Settings::default(), "{}", Beside::default()).unwrap();
        let link = Link::decode(&text).unwrap().folding;
        let found = told(&link, None);
        assert_eq!(found.0, expected.0);
        let texts = |code: &super::super::Code| {
            let figures = code.lines.iter().flat_map(|line| [&line.time, &line.share]);
            figures.map(|figure| figure.text.clone()).collect::<Vec<_>>()
        };
        assert_eq!(texts(&found.1), texts(&expected.1));
        assert_eq!(found.2, expected.2);
        assert!(!of_range(&link, &link.groups[0], ends).contains("coarse"));
        assert!(of_range(&link, &link.groups[0], [0.1, 0.2]).contains("as coarse as a link"));
    }
}
