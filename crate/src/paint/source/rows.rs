//! Heights of code lines in the source lane: one row per file, the top of the file at the top. A row is as
//! high as its samples are many, and files that are rarely sampled share one.

use std::collections::BTreeMap;

use crate::folding::{Group, Place};
use crate::order;
use crate::paint::mark::Thin;
use crate::paint::scene::{Frame, Place as Coordinates};

/// Least height of a file's row, and the room at its edges as a share of it and in px.
const LEAST: f64 = 14.0;

/// A file with a smaller share of the samples than this shares the last row with others like it.
const RARE: f64 = 0.01;

const MARGIN: f64 = 0.14;
const MARGIN_PX: f64 = 10.0;

/// Most px that a point leaves its line's height by, so that many on one line look like many.
const JITTER: f64 = 1.0;

/// Where the lines of a group lie.
pub struct Rows {
    /// File of each row, the most sampled first; those without a row of their own share the last.
    pub files: Vec<String>,
    /// Height between each two rows.
    pub separators: Vec<f64>,
    /// For each place of the group, its row and height; none for those that only outer frames
    /// were at.
    pub places: Vec<Option<At>>,
    spans: Vec<(f64, f64)>,
    /// Index of the row that several files share.
    rest: Option<usize>,
}

/// The row and height of a place.
#[derive(Clone, Debug)]
pub struct At {
    pub row: usize,
    pub y: f64,
}

impl Rows {
    /// The rows of `group` between `top` and `bottom`.
    pub fn of(group: &Group, top: f64, bottom: f64) -> Rows {
        let (samples, ranks) = by_samples(group);
        let files = samples.iter().map(|(file, _)| *file).collect::<Vec<_>>();
        let bottom = bottom.max(top + 1.0);
        let most = (((bottom - top) / LEAST) as usize).max(1);
        let count = rows(&samples, most);
        let rest = (files.len() > count).then(|| count.saturating_sub(1));
        let spans = spans(&samples, count, (top, bottom));

        // Places by row, and in a row by file and line.
        let line = |index: usize| group.places.get(index).map_or(0, |place| place.line);
        let place_keys =
            ranks.iter().enumerate().map(|(i, &r)| (r as u64) << 32 | u64::from(line(i)));
        let mut order: Vec<_> =
            order::indices(place_keys).into_iter().map(|i| i as usize).collect();
        order.retain(|&index| group.places.get(index).is_some_and(is_sampled));
        let row_of =
            |index: usize| ranks.get(index).map_or(0, |rank| (*rank).min(count.saturating_sub(1)));
        let mut places = vec![None; group.places.len()];
        for chunk in order.chunk_by(|a, b| row_of(*a) == row_of(*b)) {
            let row = chunk.first().map_or(0, |first| row_of(*first));
            let Some(&span) = spans.get(row) else { continue };
            // In a row of one file lines keep their distances; in a shared one their order.
            let shared = rest == Some(row);
            let number = |(nth, index): (usize, &usize)| {
                if shared { nth as f64 } else { f64::from(line(*index)) }
            };
            let numbers: Vec<f64> = chunk.iter().enumerate().map(number).collect();
            for (y, index) in heights(&numbers, span).zip(chunk) {
                if let Some(place) = places.get_mut(*index) {
                    *place = Some(At { row, y });
                }
            }
        }
        let named = |(row, file): (usize, &&str)| match rest {
            Some(rest) if row == rest => format!("{} files", files.len() - rest),
            _ => file.to_string(),
        };
        let names = files.iter().take(count).enumerate().map(named).collect();
        let separators = spans.iter().skip(1).map(|&(from, _)| libm::round(from)).collect();
        Rows { files: names, separators, places, spans, rest }
    }

    /// Whether several files share this row.
    pub fn is_rest(&self, row: usize) -> bool {
        self.rest == Some(row)
    }

    /// The middle of a row.
    pub fn middle(&self, row: usize) -> Option<f64> {
        self.spans.get(row).map(|(from, to)| (from + to) / 2.0)
    }
}

/// How many rows there are: one for each file that is not rare, and one for all others, at most `most`. A
/// single rare file needs no more room than others do together.
fn rows(samples: &[(&str, u64)], most: usize) -> usize {
    let all = samples.iter().map(|(_, samples)| *samples as f64).sum::<f64>();
    let is_rare = |(_, samples): &&(&str, u64)| (*samples as f64) < RARE * all;
    let rare = samples.iter().filter(is_rare).count();
    (samples.len() - rare + rare.min(1)).min(most)
}

/// From where to where each of so many rows lies: what is left after the least height of each goes by samples.
fn spans(samples: &[(&str, u64)], count: usize, (top, bottom): (f64, f64)) -> Vec<(f64, f64)> {
    let all = samples.iter().map(|(_, samples)| *samples as f64).sum::<f64>().max(1.0);
    let least = LEAST.min((bottom - top) / count.max(1) as f64);
    let free = bottom - top - least * count as f64;
    let mut from = top;
    let span = |row: usize| {
        let own = if row + 1 == count { &samples[row..] } else { &samples[row..=row] };
        let share = own.iter().map(|(_, samples)| *samples as f64).sum::<f64>() / all;
        let to = from + least + free * share;
        (std::mem::replace(&mut from, to), to)
    };
    (0..count).map(span).collect()
}

/// Heights of `numbers` in a row, in proportion; 0, a line that is not known, is at the top.
fn heights(numbers: &[f64], (from, to): (f64, f64)) -> impl Iterator<Item = f64> {
    let known = || numbers.iter().copied().filter(|&number| number > 0.0);
    let least = known().fold(f64::INFINITY, f64::min);
    let most = known().fold(0.0, f64::max);
    let margin = (MARGIN * (to - from)).min(MARGIN_PX);
    numbers.iter().map(move |number| {
        let share = if most > least { ((number - least) / (most - least)).max(0.0) } else { 0.5 };
        from + margin + share * (to - from - 2.0 * margin)
    })
}

fn is_sampled(place: &Place) -> bool {
    place.samples > 0
}

/// Files of the group with their samples, the most sampled first, and for each place the index of its file.
fn by_samples(group: &Group) -> (Vec<(&str, u64)>, Vec<usize>) {
    let mut samples: BTreeMap<&str, u64> = BTreeMap::new();
    for place in group.places.iter().filter(|place| is_sampled(place)) {
        *samples.entry(&place.file).or_default() += u64::from(place.samples);
    }
    let mut files: Vec<(&str, u64)> = samples.into_iter().collect();
    order::by_number(&mut files, |(_, samples)| !samples);
    let ranks: BTreeMap<&str, usize> =
        files.iter().enumerate().map(|(rank, (file, _))| (*file, rank)).collect();
    let rank = |place: &Place| ranks.get(&*place.file).copied().unwrap_or(0);
    let of_places = group.places.iter().map(rank).collect();
    (files, of_places)
}

/// A sample where it lies.
pub struct Point {
    pub at: Coordinates,
    /// Its index among the lines of its group.
    pub sample: usize,
    /// The index of its place.
    pub place: usize,
}

/// Visible points; of too many, one to a pixel.
pub fn points(frame: &Frame, group: &Group, rows: &Rows) -> Vec<Point> {
    let lines = group.lines.x.iter().zip(&group.lines.place).enumerate();
    let in_view = lines.filter(|(_, (time, _))| (frame.from..=frame.to).contains(*time));
    let mut thin = Thin::of(in_view.clone().count(), frame);
    let point = |(sample, (&time, &place)): (usize, (&f64, &u32))| {
        let row = rows.places.get(place as usize)?.as_ref()?;
        let at = (frame.x(time), row.y + jitter(sample));
        thin.keeps(at).then_some(Point { at, sample, place: place as usize })
    };
    in_view.filter_map(point).collect()
}

/// A number within ±[`JITTER`] that depends on `index` alone. Source: SplitMix64, Steele 2014.
fn jitter(index: usize) -> f64 {
    let mut z = (index as u64).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    let share = ((z ^ (z >> 31)) >> 40) as f64 / f64::from(1_u32 << 24);
    (2.0 * share - 1.0) * JITTER
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example;

    #[test]
    fn files_have_rows_and_their_top_is_at_the_top() {
        let folding = example::stream();
        let group = folding.group(1).unwrap();
        let rows = Rows::of(group, 27.0, 109.0);
        assert_eq!(rows.files, ["stream.c", "memcpy.S"]);
        // 82 px: 14 of each, and of the 54 that are left as many as it has of the samples.
        let samples = |file: &str| {
            let of_file = group.places.iter().filter(|place| place.file == file);
            of_file.map(|place| f64::from(place.samples)).sum::<f64>()
        };
        let [first, second] = ["stream.c", "memcpy.S"].map(samples);
        let border = 27.0 + 14.0 + 54.0 * first / (first + second);
        assert_eq!(rows.separators, [libm::round(border)]);
        let (sampled, outer) = rows.places.split_at(6);
        assert!(outer.iter().all(Option::is_none), "lines of outer frames have no row");
        for (a, at) in group.places.iter().zip(sampled) {
            for (b, bt) in group.places.iter().zip(sampled) {
                let (at, bt) = (at.as_ref().unwrap(), bt.as_ref().unwrap());
                assert!(a.file != b.file || a.line >= b.line || at.y < bt.y);
            }
        }
    }

    #[test]
    fn files_without_room_share_the_last_row() {
        let mut folding = example::stream();
        for (index, place) in folding.groups[0].places.iter_mut().enumerate() {
            place.file = format!("{index}.c");
        }
        let group = folding.group(1).unwrap();
        let rows = Rows::of(group, 27.0, 57.0);
        assert_eq!(rows.files.len(), 2);
        assert_eq!(rows.files[1], "5 files", "of six that are sampled");
        assert!(rows.places.iter().flatten().all(|at| (27.0..57.0).contains(&at.y)));
    }

    #[test]
    fn files_that_are_rarely_sampled_share_a_row_though_there_is_room() {
        let mut folding = example::stream();
        for (index, place) in folding.groups[0].places.iter_mut().enumerate() {
            place.file = format!("{index}.c");
            place.samples = if index < 2 { 1000 } else { 5 };
        }
        let rows = Rows::of(folding.group(1).unwrap(), 27.0, 427.0);
        let others = folding.groups[0].places.len() - 2;
        assert_eq!(rows.files, ["0.c", "1.c", &format!("{others} files")]);
        assert!(rows.is_rest(2) && !rows.is_rest(1));
        folding.groups[0].places.truncate(3);
        let rows = Rows::of(folding.group(1).unwrap(), 27.0, 427.0);
        assert_eq!(rows.files, ["0.c", "1.c", "2.c"], "a single one keeps its name");
    }

    #[test]
    fn a_million_points_become_one_to_a_pixel() {
        let mut folding = example::stream();
        let lines = &mut folding.groups[0].lines;
        lines.x = (0..1_000_000).map(|i| f64::from(i) / 1e6).collect();
        lines.place = (0..1_000_000).map(|i| i % 4).collect();
        let frame = Frame::of(&example::view(976.0, 112.0));
        let group = folding.group(1).unwrap();
        let points = points(&frame, group, &Rows::of(group, 27.0, 109.0));
        assert!((4 * 796..4 * 4 * 800).contains(&points.len()), "{}", points.len());
    }

    #[test]
    fn jitter_is_small_even_and_always_the_same() {
        let mean = (0..10_000).map(jitter).sum::<f64>() / 1e4;
        assert!(mean.abs() < 0.02 && (0..10_000).all(|i| jitter(i).abs() <= JITTER));
        assert_eq!(jitter(7), jitter(7));
    }
}
