//! Times of one recording as times of another.

use super::marks::Mark;
use crate::order;

/// Marks that are looked for at a time, and from how many places they are taken; then a quarter of
/// all, where of so many in a row one is missing.
const WINDOW: usize = 32;
const WINDOWS: usize = 16;
/// Durations of the same marks, seen by two recorders, differ by no more than this on average, and
/// those of any others by at least four times as much.
const ALIKE: f64 = 0.01;
const DISTINCT: f64 = 4.0;
/// Two clocks of one run keep this near to each other, as a share of what lies between two marks.
const EVEN: f64 = 0.005;

/// How the times of a recording are read on the clock of a trace.
#[derive(Clone, Debug, PartialEq)]
pub enum Clock {
    /// The same clock: what is to be added to a time.
    Same(i64),
    Aligned(Aligned),
}

/// Two recordings of the same marks: in between, time runs evenly.
#[derive(Clone, Debug, PartialEq)]
pub struct Aligned {
    /// Times there and here, both rising.
    points: Vec<(u64, u64)>,
    /// Marks found in both.
    pub marks: usize,
    /// Nanoseconds here per nanosecond there.
    pub rate: f64,
    /// Time here less time there at the first mark, in nanoseconds.
    pub offset_ns: f64,
    /// How far begins lie from the even clock of that rate and offset: the median, in nanoseconds.
    pub residue_ns: f64,
    /// Whether no even clock leads from one to the other: they are of two runs, or nothing but
    /// their number says which mark is which.
    pub of_two_runs: bool,
}

impl Clock {
    /// The time here; `None` if that is before the trace began. O(log marks).
    pub fn time(&self, there_ns: u64) -> Option<u64> {
        match self {
            Self::Same(add) => there_ns.checked_add_signed(*add),
            Self::Aligned(aligned) => aligned.time(there_ns),
        }
    }
}

impl Aligned {
    fn time(&self, there_ns: u64) -> Option<u64> {
        let next = self.points.partition_point(|(there, _)| *there <= there_ns);
        let (first, last) = (self.points.first()?, self.points.last()?);
        if next == 0 {
            let before = (first.0 - there_ns) as f64 * self.rate;
            return first.1.checked_sub(before.round_ties_even() as u64);
        }
        let Some((from, to)) = self.points.get(next - 1).zip(self.points.get(next)) else {
            let after = (there_ns - last.0) as f64 * self.rate;
            return last.1.checked_add(after.round_ties_even() as u64);
        };
        let part = u128::from(there_ns - from.0) * u128::from(to.1 - from.1);
        Some(from.1 + (part / u128::from(to.0 - from.0)) as u64)
    }
}

/// Finds which marks of `there` are which of `here`, both by time, and the clock that follows.
///
/// Marks may be missing in either. First some in a row are found by what lies between them: the
/// place at which durations and gaps agree best. From there each mark is looked for where the one
/// before it predicts it. Where no place stands out, marks are taken one after the other if there
/// are as many; else `None`. O(marks × 1000).
pub fn align(here: &[Mark], there: &[Mark]) -> Option<Aligned> {
    let in_a_row = [WINDOW, (there.len() / 4).clamp(4, WINDOW)];
    match in_a_row.into_iter().find_map(|window| anchor(here, there, window)) {
        Some(anchor) => {
            let aligned = Aligned::of(here, there, &grown(here, there, anchor))?;
            // A program that does the same again takes as long, but not to the nanosecond.
            let of_two_runs = aligned.residue_ns > EVEN * order::median(&mut steps(there))?;
            Some(Aligned { of_two_runs, ..aligned })
        }
        None if here.len() == there.len() && here.len() > 1 => {
            let pairs = (0..here.len()).map(|index| (index, index)).collect::<Vec<_>>();
            Some(Aligned { of_two_runs: true, ..Aligned::of(here, there, &pairs)? })
        }
        None => None,
    }
}

impl Aligned {
    /// `pairs`: marks of `here` and of `there`, both rising.
    fn of(here: &[Mark], there: &[Mark], pairs: &[(usize, usize)]) -> Option<Self> {
        let pair = |&(i, j): &(usize, usize)| Some((there.get(j)?, here.get(i)?));
        let pairs = pairs.iter().filter_map(pair).collect::<Vec<_>>();
        let mut points: Vec<(u64, u64)> = Vec::with_capacity(2 * pairs.len());
        for (there, here) in &pairs {
            for point in [(there.begin_ns, here.begin_ns), (there.end_ns, here.end_ns)] {
                if points.last().is_none_or(|last| last.0 < point.0 && last.1 < point.1) {
                    points.push(point);
                }
            }
        }
        let first = pairs.first().map(|(there, here)| (there.begin_ns, here.begin_ns))?;
        let from_first = |(there, here): &(&Mark, &Mark)| {
            (difference(there.begin_ns, first.0), difference(here.begin_ns, first.1))
        };
        let begins = pairs.iter().map(from_first).collect::<Vec<_>>();
        // The median of slopes over half of all marks: a few wrong ones do not matter.
        let later = begins.get(begins.len() / 2..)?;
        let slopes = begins.iter().zip(later).filter(|(a, b)| a.0 < b.0);
        let mut slopes = slopes.map(|(a, b)| (b.1 - a.1) / (b.0 - a.0)).collect::<Vec<_>>();
        let rate = order::median(&mut slopes).unwrap_or(1.0);
        let offsets = begins.iter().map(|(there, here)| here - rate * there);
        let mut offsets = offsets.collect::<Vec<_>>();
        let offset = order::median(&mut offsets)?;
        let mut residues = offsets.iter().map(|each| (each - offset).abs()).collect::<Vec<_>>();
        Some(Self {
            points,
            marks: pairs.len(),
            rate,
            offset_ns: difference(first.1, first.0) + offset,
            residue_ns: order::median(&mut residues)?,
            of_two_runs: false,
        })
    }
}

/// A mark of `here` and the same mark in `there`.
fn anchor(here: &[Mark], there: &[Mark], window: usize) -> Option<(usize, usize)> {
    let window = window.min(here.len()).min(there.len());
    if window < 3 {
        return None;
    }
    let (here_ns, there_ns) = (steps(here), steps(there));
    let (mut best, mut place) = (f64::INFINITY, None);
    let mut second = f64::INFINITY;
    let last = there.len() - window;
    let windows = WINDOWS.min(last + 1);
    for number in 0..windows {
        let j = last * number / (windows - 1).max(1);
        let wanted = there_ns.get(2 * j..2 * (j + window) - 1)?;
        let (mut least, mut at, mut next) = (f64::INFINITY, 0, f64::INFINITY);
        for i in 0..=here.len() - window {
            let unlike = unlikeness(wanted, here_ns.get(2 * i..)?, next);
            if unlike < least {
                (next, least, at) = (least, unlike, i);
            } else if unlike < next {
                next = unlike;
            }
        }
        if least < best {
            (best, second, place) = (least, next, Some((at, j)));
        }
    }
    let alike = best <= ALIKE && best * DISTINCT <= second && second > 0.0;
    place.filter(|_| alike)
}

/// The duration of each mark and the gap to the next, in turns.
fn steps(marks: &[Mark]) -> Vec<f64> {
    let times = marks.iter().flat_map(|mark| [mark.begin_ns, mark.end_ns]).collect::<Vec<_>>();
    times.windows(2).map(|pair| difference(pair[1], pair[0])).collect()
}

/// How much two rows of durations differ: Σ |a − b| / Σ a; more than `enough` is not told apart.
fn unlikeness(wanted: &[f64], found: &[f64], enough: f64) -> f64 {
    let (mut apart, whole) = (0.0, wanted.iter().sum::<f64>().max(1.0));
    for (a, b) in wanted.iter().zip(found) {
        apart += (a - b).abs() / whole;
        if apart > enough {
            break;
        }
    }
    apart
}

/// Pairs of marks, from the anchor on in both directions.
fn grown(here: &[Mark], there: &[Mark], anchor: (usize, usize)) -> Vec<(usize, usize)> {
    let mut before = walked(here, there, anchor, &|index: usize| index.checked_sub(1));
    before.reverse();
    before.push(anchor);
    before.extend(walked(here, there, anchor, &|index: usize| index.checked_add(1)));
    before
}

/// Follows the marks of `there` in one direction: each is the one of `here` that lies where it is
/// predicted from the pair before, within a quarter of the way or of a usual way.
fn walked(
    here: &[Mark],
    there: &[Mark],
    anchor: (usize, usize),
    next: &dyn Fn(usize) -> Option<usize>,
) -> Vec<(usize, usize)> {
    let ways = there.windows(2).map(|pair| difference(pair[1].begin_ns, pair[0].begin_ns));
    let usual = order::median(&mut ways.collect::<Vec<_>>()).unwrap_or(0.0);
    let (mut pairs, mut last) = (Vec::new(), anchor);
    let (mut i, mut j) = (next(anchor.0), next(anchor.1));
    let begin = |marks: &[Mark], index: Option<usize>| {
        index.and_then(|index| Some((index, marks.get(index)?.begin_ns)))
    };
    while let (Some((at, here_ns)), Some((other, there_ns))) = (begin(here, i), begin(there, j)) {
        let from_last = |marks: &[Mark], index: usize, to: u64| {
            marks.get(index).map_or(0.0, |mark| difference(to, mark.begin_ns).abs())
        };
        let way_here = from_last(here, last.0, here_ns);
        let way_there = from_last(there, last.1, there_ns);
        let near = (way_here - way_there).abs() <= way_there.min(way_here).min(usual) / 4.0;
        if near {
            last = (at, other);
            pairs.push(last);
            (i, j) = (next(at), next(other));
        } else if way_here < way_there {
            i = next(at);
        } else {
            j = next(other);
        }
    }
    pairs
}

fn difference(a: u64, b: u64) -> f64 {
    if a >= b { (a - b) as f64 } else { -((b - a) as f64) }
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::*;

    /// Marks whose durations and gaps vary as a program's do, from 1 ms to 2 ms.
    fn marks(count: usize, seed: u64) -> Vec<Mark> {
        let mut random = Random::new(seed);
        let mut random = || 1_000_000 + random.below(1_000_000);
        let mut time_ns = 5_000_000;
        let mut mark = |_| {
            let begin_ns = time_ns + random();
            time_ns = begin_ns + random();
            Mark { begin_ns, end_ns: time_ns }
        };
        (0..count).map(&mut mark).collect()
    }

    /// The marks on a clock that is `rate` as fast and shows `add_ns` more, but for those left out.
    fn seen(marks: &[Mark], rate: f64, add_ns: f64, left_out: &[usize]) -> Vec<Mark> {
        let time = |ns: u64| (ns as f64 * rate + add_ns).round() as u64;
        let mark = |mark: &Mark| Mark { begin_ns: time(mark.begin_ns), end_ns: time(mark.end_ns) };
        let kept = (0..).zip(marks).filter(|(index, _)| !left_out.contains(index));
        kept.map(|(_, kept)| mark(kept)).collect()
    }

    #[test]
    fn another_clock_is_found_whatever_marks_are_missing() {
        let here = marks(500, 1);
        for (rate, add_ns) in [(1.0, 0.0), (1.0, 3e15), (1.0 + 4e-6, 7e9), (1.0 - 2e-5, 1e12)] {
            for left_out in [&[][..], &[0, 1, 2], &[499], &[7, 100, 101, 240, 480]] {
                let there = seen(&here, rate, add_ns, left_out);
                for (aligned, forth) in
                    [(align(&here, &there).unwrap(), true), (align(&there, &here).unwrap(), false)]
                {
                    assert_eq!(aligned.marks, 500 - left_out.len());
                    assert!(!aligned.of_two_runs);
                    let expected = if forth { 1.0 / rate } else { rate };
                    assert!((aligned.rate - expected).abs() < 1e-8, "{}", aligned.rate);
                    assert!(aligned.residue_ns < 2.0, "{}", aligned.residue_ns);
                    // Every moment of the run, marked or not.
                    for ns in (8_000_000..1_500_000_000).step_by(1_234_567) {
                        let other = (ns as f64 * rate + add_ns).round() as u64;
                        let (from, to) = if forth { (other, ns) } else { (ns, other) };
                        let found = Clock::Aligned(aligned.clone()).time(from).unwrap();
                        assert!(found.abs_diff(to) <= 100, "{ns}: {found}, expected {to}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_short_recording_finds_its_place_in_a_long_one() {
        let here = marks(2000, 3);
        let there = seen(&here[1200..1240], 1.0, 1e9, &[17]);
        let aligned = align(&here, &there).unwrap();
        assert_eq!((aligned.marks, aligned.offset_ns), (39, -1e9));
    }

    #[test]
    fn jitter_of_the_markers_does_not_matter() {
        let here = marks(300, 5);
        let mut there = seen(&here, 1.0, 2e9, &[150]);
        for (index, mark) in there.iter_mut().enumerate() {
            mark.begin_ns += index as u64 * 7919 % 3000;
            mark.end_ns += index as u64 * 104_729 % 3000;
        }
        let aligned = align(&here, &there).unwrap();
        assert_eq!(aligned.marks, 299);
        assert!((aligned.offset_ns + 2e9).abs() < 3000.0 && aligned.residue_ns < 1500.0);
    }

    #[test]
    fn another_run_goes_instance_by_instance_if_there_are_as_many() {
        let (here, there) = (marks(50, 1), marks(50, 2));
        let aligned = align(&here, &there).unwrap();
        assert!(aligned.of_two_runs && aligned.marks == 50);
        let clock = Clock::Aligned(aligned);
        for (here, there) in here.iter().zip(&there) {
            assert_eq!(clock.time(there.begin_ns), Some(here.begin_ns));
            assert_eq!(clock.time(there.end_ns), Some(here.end_ns));
            // The middle is the middle.
            let middle = |mark: &Mark| mark.begin_ns + (mark.end_ns - mark.begin_ns) / 2;
            assert!(clock.time(middle(there)).unwrap().abs_diff(middle(here)) <= 2);
        }
        assert_eq!(align(&here, &there[1..]), None);
        assert_eq!(align(&here, &marks(2000, 2)), None);
    }

    #[test]
    fn a_program_that_does_the_same_again_is_met_though_marks_are_missing() {
        let here = marks(500, 9);
        // Each step takes up to 0.6 % more or less than before: a walk of many milliseconds.
        let (mut time_ns, mut random, mut before) = (7_000_000u64, Random::new(13), 0);
        let mut step = |to: u64| {
            let ns = to - std::mem::replace(&mut before, to);
            time_ns += ns * (994 + random.below(13)) / 1000;
            time_ns
        };
        let again =
            here.iter().map(|m| Mark { begin_ns: step(m.begin_ns), end_ns: step(m.end_ns) });
        let mut there = again.collect::<Vec<_>>();
        let lost = there.remove(250);
        let aligned = align(&here, &there).unwrap();
        assert!(aligned.of_two_runs && aligned.marks == 499, "{}", aligned.marks);
        let clock = Clock::Aligned(aligned);
        assert!(there.iter().all(|mark| {
            here.iter().any(|known| clock.time(mark.begin_ns) == Some(known.begin_ns))
        }));
        assert!(clock.time(lost.begin_ns).unwrap().abs_diff(here[250].begin_ns) < 20_000);
    }

    #[test]
    fn runs_whose_durations_hardly_vary_are_not_taken_for_one() {
        // As even as a quiet machine: within 0.3 %.
        let even = |seed: u64| {
            let mut time_ns = 0;
            let mut mark = |mark: Mark| {
                let begin_ns = time_ns + 1_500_000 + mark.begin_ns % 4500;
                time_ns = begin_ns + 1_500_000 + mark.end_ns % 4500;
                Mark { begin_ns, end_ns: time_ns }
            };
            marks(60, seed).into_iter().map(&mut mark).collect::<Vec<_>>()
        };
        for seed in 0..40 {
            let (here, there) = (even(seed), even(seed + 100));
            let aligned = align(&here, &there).unwrap();
            assert!(aligned.of_two_runs, "seed {seed}: {} marks", aligned.marks);
            assert_eq!(align(&here, &there[1..]), None, "seed {seed}");
            let same = align(&here, &seen(&here, 1.0 + 4e-6, 1e9, &[0, 30])).unwrap();
            assert_eq!((same.of_two_runs, same.marks), (false, 58), "seed {seed}");
        }
    }

    #[test]
    fn marks_that_are_all_alike_say_nothing_but_their_number() {
        let even = |count: u64| {
            let mark = |n| Mark { begin_ns: n * 1000, end_ns: n * 1000 + 600 };
            (0..count).map(mark).collect::<Vec<_>>()
        };
        assert_eq!(align(&even(100), &even(99)), None);
        assert!(align(&even(100), &even(100)).unwrap().of_two_runs);
        assert_eq!(align(&even(100), &[]), None);
        assert_eq!(align(&[], &[]), None);
        assert_eq!(align(&even(1), &even(1)), None);
    }

    #[test]
    fn times_before_the_trace_and_beyond_all_numbers_are_none() {
        let aligned = align(&marks(50, 1), &seen(&marks(50, 1), 1.0, 1e12, &[])).unwrap();
        let clock = Clock::Aligned(aligned);
        assert_eq!(clock.time(3), None);
        assert_eq!(clock.time(1_000_000_000_000), Some(0));
        assert!(clock.time(u64::MAX).is_some());
        assert_eq!(Clock::Same(-5).time(4), None);
        assert_eq!(Clock::Same(5).time(u64::MAX), None);
    }
}
