//! Time by line of code, of both sides beside each other.

use std::collections::BTreeMap;

use super::comparison::{Comparison, LEVEL, Verdict};
use super::decision::benjamini_hochberg;
use super::line_map::LineMap;
use super::run::{Place, Run};
use super::sampled::{Counted, Sampled};
use super::similarity::FEW;
use crate::order;

/// A line of code that was sampled, as both sides have it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineRow {
    pub routine: String,
    /// As B calls it.
    pub routine_b: String,
    pub file: String,
    /// Its number on each side, that of B where the lines of the routine have moved to; `None` where a side was
    /// never sampled in the routine, or its text has no such line.
    pub numbers: [Option<u32>; 2],
    /// Of an instance on each side, in ms: its share of the samples times the duration.
    pub ms: [f64; 2],
    /// Half the width of the 95 % interval of their difference, for these runs and those like them.
    pub half_width_ms: f64,
    /// How many samples of each side lie in it.
    pub samples: [u32; 2],
    /// Whether it changes beyond doubt, among all lines, by more than matters.
    pub is_sure: bool,
    /// Index of the phase that most of its samples in the first run of each side lie in.
    pub phase: Option<usize>,
}

/// Lines of a phase that are told, and of the whole.
const MOST_TOLD: usize = 12;

/// Lines of less than this share of an instance on both sides are not.
const LEAST_TOLD: f64 = 0.01;

impl Comparison {
    /// The lines that are told of a phase, by index, or (`None`) of the whole: those that change most first.
    pub fn code_of(&self, phase: Option<usize>) -> impl Iterator<Item = &LineRow> {
        let least_ms = LEAST_TOLD * self.a_ms.max(self.b_ms);
        let is_of = move |row: &&LineRow| phase.is_none() || row.phase == phase;
        let is_much = move |row: &&LineRow| row.ms.iter().any(|ms| *ms >= least_ms);
        self.code.iter().filter(is_of).filter(is_much).take(MOST_TOLD)
    }
}

impl LineRow {
    pub fn change_ms(&self) -> f64 {
        self.ms[1] - self.ms[0]
    }
}

/// A line by routine, file and its number.
type Key = (String, String, Number);

/// The number of a line in A; of one that A does not have, that in B.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Number {
    OfA(i64),
    OfB(u32),
}

/// Which line of A each line of B is.
struct Correspondence<'a> {
    /// By how many lines those of a routine moved.
    shifts: BTreeMap<(&'a str, &'a str), i64>,
    /// By file, where the texts of both sides are known.
    maps: &'a BTreeMap<String, LineMap>,
}

impl Correspondence<'_> {
    fn shift(&self, routine: &str, file: &str) -> i64 {
        self.shifts.get(&(routine, file)).copied().unwrap_or(0)
    }

    /// A line of B, whose routine has this name in A.
    fn in_a(&self, routine: &str, file: &str, number: u32) -> Number {
        match self.maps.get(file).filter(|map| map.has(1, number)) {
            Some(map) => map
                .other(1, number)
                .map_or(Number::OfB(number), |number| Number::OfA(i64::from(number))),
            None => Number::OfA(i64::from(number) - self.shift(routine, file)),
        }
    }

    /// The numbers of a line on both sides, as far as these have it.
    fn numbers(&self, (routine, file, number): &Key) -> [Option<u32>; 2] {
        let of_a = match *number {
            Number::OfB(number) => return [None, Some(number)],
            Number::OfA(number) => number,
        };
        let own = u32::try_from(of_a).ok();
        let map = own.and_then(|own| self.maps.get(file).filter(|map| map.has(0, own)));
        let in_b = match (map, own) {
            (Some(map), Some(own)) => map.other(0, own),
            _ => u32::try_from(of_a.saturating_add(self.shift(routine, file))).ok(),
        };
        [own, in_b]
    }
}

/// The samples of the runs of a side, by line; `here`: a place as a line of A.
fn lines_of(runs: &[Run], here: impl Fn(&Place) -> Key) -> BTreeMap<Key, Counted> {
    let mut lines: BTreeMap<Key, Counted> = BTreeMap::new();
    for run in runs {
        for (place, count) in run.places.iter().flatten() {
            lines.entry(here(place)).or_default().add(run, place, *count);
        }
    }
    lines
}

/// Lines with a sample on any side, those of the largest change first. Empty where samples stayed behind.
///
/// A line of A is that of B that `maps` says, by file; of a file that is not among them, that with the same number,
/// or with the number to which the lines of its routine have moved. The routine of a phase that has another name
/// in B is the same. A line is sure where its phase is, the same way, or its routine appeared or went: instances
/// tell of phases, samples alone cannot say how much instances differ. `least`: the least change that matters, as
/// a share of the duration. O(lines × log).
pub fn lines_of_both(
    sides: [&[Run]; 2],
    comparison: &Comparison,
    maps: &BTreeMap<String, LineMap>,
    least: f64,
) -> Vec<LineRow> {
    let Some(sampled) = Sampled::of(sides, comparison) else { return vec![] };
    let has =
        |side: usize, routine: &str| sides[side].iter().any(|run| run.routines.contains(routine));
    let renamed = renamed(comparison, has);
    let of_b_in_a = |routine: &str| {
        let own = renamed.iter().find(|(_, of_b)| *of_b == routine);
        own.map_or(routine, |(of_a, _)| of_a).to_owned()
    };
    let of_a_in_b = |routine: &str| {
        let own = renamed.iter().find(|(of_a, _)| *of_a == routine);
        own.map_or(routine, |(_, of_b)| of_b).to_owned()
    };
    let shifts = comparison.lines.iter().map(|of| ((of.routine.as_str(), of.file.as_str()), of.by));
    let correspondence = Correspondence { shifts: shifts.collect(), maps };
    let of_a = |(routine, file, line): &Place| {
        (routine.clone(), file.clone(), Number::OfA(i64::from(*line)))
    };
    let of_b = |(routine, file, line): &Place| {
        let routine = of_b_in_a(routine);
        let number = correspondence.in_a(&routine, file, *line);
        (routine, file.clone(), number)
    };
    let lines = [lines_of(sides[0], of_a), lines_of(sides[1], of_b)];
    let phases =
        [phases_of(sides[0], comparison, 0, of_a), phases_of(sides[1], comparison, 1, of_b)];
    let mut p = vec![];
    let of_b_alone = lines[1].keys().filter(|key| !lines[0].contains_key(key));
    let mut rows = vec![];
    for key in lines[0].keys().chain(of_b_alone) {
        let (routine, file, _) = key;
        let counted = [0, 1].map(|side| lines[side].get(key).copied().unwrap_or_default());
        let (time, change) = sampled.time(counted);
        let is_much = time.samples.iter().any(|count| *count >= FEW);
        p.push(if is_much { change.p_beyond(least) } else { 1.0 });
        let routine_b = of_a_in_b(routine);
        let numbers = correspondence.numbers(key);
        let names = [routine.as_str(), routine_b.as_str()];
        let numbers = [0, 1].map(|side| numbers[side].filter(|_| has(side, names[side])));
        let weigh =
            |phase: &usize| phases.iter().filter_map(|of| of.get(key)?.get(phase)).sum::<u32>();
        let met = phases.iter().filter_map(|of| of.get(key)).flat_map(|of| of.keys());
        let phase =
            order::distinct(met.map(|phase| *phase as u64)).into_iter().map(|of| of as usize);
        rows.push(LineRow {
            routine: routine.clone(),
            file: file.clone(),
            numbers,
            routine_b,
            ms: time.ms,
            half_width_ms: time.half_width_ms,
            samples: time.samples,
            is_sure: false,
            phase: phase.rev().max_by_key(weigh),
        });
    }
    let falls = benjamini_hochberg(&p, LEVEL);
    for (row, falls) in rows.iter_mut().zip(falls) {
        row.is_sure = falls && is_backed(row, comparison);
    }
    order::by_number(&mut rows, |row| !order::of_float(row.change_ms().abs()));
    rows
}

/// Whether the phase of a line, or the whole, surely changes the same way, or its routine appeared or went.
fn is_backed(row: &LineRow, comparison: &Comparison) -> bool {
    let is_more = row.change_ms() > 0.0;
    let of_phase = row.phase.and_then(|at| comparison.phases.get(at)).map(|phase| &phase.row);
    let verdict = of_phase.unwrap_or(&comparison.total).verdict;
    let is_same_way = verdict == if is_more { Verdict::Slower } else { Verdict::Faster };
    let mut appeared = comparison.appeared.iter();
    is_same_way
        || appeared.any(|of| {
            of.is_new == is_more && (of.routine == row.routine || of.routine == row.routine_b)
        })
}

/// Names of routines that are others in B, of phases that are the same: in A and in B. Where a side has both
/// names they are two routines.
fn renamed(comparison: &Comparison, has: impl Fn(usize, &str) -> bool) -> Vec<(&str, &str)> {
    let names = comparison
        .phases
        .iter()
        .filter_map(|phase| Some((phase.routine.as_deref()?, phase.routine_b.as_deref()?)));
    names.filter(|(of_a, of_b)| of_a != of_b && !has(1, of_a) && !has(0, of_b)).collect()
}

/// How many samples of a line lie in which phase of the comparison, in the first run of a side.
fn phases_of(
    runs: &[Run],
    comparison: &Comparison,
    side: usize,
    here: impl Fn(&Place) -> Key,
) -> BTreeMap<Key, BTreeMap<usize, u32>> {
    let mut lines: BTreeMap<Key, BTreeMap<usize, u32>> = BTreeMap::new();
    let Some(run) = runs.first() else { return lines };
    for (edges, places) in run.edges.windows(2).zip(&run.places) {
        let middle = (edges[0] + edges[1]) / 2.0;
        let is_in = |[begin, end]: [f64; 2]| begin <= middle && middle < end;
        let mut spans = comparison.phases.iter().map(|phase| [phase.a, phase.b][side]);
        let Some(phase) = spans.position(is_in) else { continue };
        for (place, count) in places {
            *lines.entry(here(place)).or_default().entry(phase).or_default() += count;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::*;
    use crate::compare::{Wanted, compare};

    const LINES: [(&str, u32, f64); 5] = [
        ("add", 10, 1.0),
        ("add", 11, 4.0),
        ("add", 12, 3.0),
        ("scale", 40, 5.0),
        ("scale", 44, 7.0),
    ];

    fn lines(a: &[Run], b: &[Run]) -> Vec<LineRow> {
        let comparison = compare([a, b], &Wanted::default()).unwrap();
        lines_of_both([a, b], &comparison, &BTreeMap::new(), 0.01)
    }

    #[test]
    fn the_line_that_takes_longer_is_sure_and_all_add_up_to_the_instance() {
        let mut random = Random::new(1);
        let mut slower = LINES;
        slower[3].2 = 11.0;
        let (a, b) =
            ([Run::sampled(&mut random, 10.0, &LINES)], [Run::sampled(&mut random, 13.0, &slower)]);
        let rows = lines(&a, &b);
        let sure = rows.iter().filter(|row| row.is_sure).collect::<Vec<_>>();
        assert_eq!(sure.iter().map(|row| row.numbers).collect::<Vec<_>>(), [[Some(40), Some(40)]]);
        assert!(rows[0] == *sure[0], "the largest change stands first");
        let ms = [0, 1].map(|side| rows.iter().map(|row| row.ms[side]).sum::<f64>());
        assert!((ms[0] - 10.0).abs() < 1e-9 && (ms[1] - 13.0).abs() < 1e-9, "{ms:?}");
        // Of 5 and 11 parts of 20 and 26.
        assert!((rows[0].change_ms() - 3.0).abs() < rows[0].half_width_ms, "{:?}", rows[0]);
        // It lies from .4 to .65 of A, and from .31 to .73 of B.
        assert_eq!(rows[0].phase, Some(1));
    }

    #[test]
    fn lines_that_moved_are_the_same_lines() {
        let mut random = Random::new(2);
        let moved = LINES.map(|(routine, line, share)| {
            (routine, if routine == "scale" { line + 12 } else { line }, share)
        });
        let (a, b) =
            ([Run::sampled(&mut random, 10.0, &LINES)], [Run::sampled(&mut random, 10.0, &moved)]);
        let rows = lines(&a, &b);
        assert_eq!(rows.len(), LINES.len(), "{rows:?}");
        assert!(rows.iter().all(|row| !row.is_sure));
        let of = |number: u32| rows.iter().find(|row| row.numbers[0] == Some(number)).unwrap();
        assert_eq!((of(44).numbers, of(11).numbers), ([Some(44), Some(56)], [Some(11), Some(11)]));
    }

    #[test]
    fn the_lines_of_a_routine_with_another_name_are_the_same_lines() {
        let mut random = Random::new(6);
        let other = LINES.map(|(routine, line, share)| {
            (if routine == "scale" { "scale_v2" } else { routine }, line, share)
        });
        let (a, b) =
            ([Run::sampled(&mut random, 10.0, &LINES)], [Run::sampled(&mut random, 10.0, &other)]);
        let rows = lines(&a, &b);
        assert_eq!(rows.len(), LINES.len(), "{rows:?}");
        let of_scale = rows.iter().filter(|row| row.routine == "scale");
        let told = of_scale.map(|row| (row.routine_b.as_str(), row.numbers, row.is_sure));
        let told = told.collect::<Vec<_>>();
        assert!(told.contains(&("scale_v2", [Some(44), Some(44)], false)), "{told:?}");
    }

    #[test]
    fn a_routine_of_one_side_has_no_line_on_the_other() {
        let mut random = Random::new(3);
        let mut other = LINES;
        other[2].0 = "add_fast";
        let (a, b) =
            ([Run::sampled(&mut random, 10.0, &LINES)], [Run::sampled(&mut random, 10.0, &other)]);
        let rows = lines(&a, &b);
        let of = |routine: &str, number: [Option<u32>; 2]| {
            rows.iter().any(|row| row.routine == routine && row.numbers == number && row.is_sure)
        };
        assert!(of("add_fast", [None, Some(12)]), "{rows:?}");
        // Of the routine that is still there nothing is sure: no phase changed.
        assert_eq!(rows.iter().filter(|row| row.is_sure).count(), 1);
        assert!(rows.iter().any(|row| row.numbers == [Some(12); 2] && row.ms[1] == 0.0));
    }

    #[test]
    fn instances_that_do_other_things_in_the_same_time_make_no_line_sure() {
        let mut random = Random::new(7);
        let (mut held, mut all) = (0, 0);
        for _ in 0..200 {
            let (a, b) = ([by_turns(&mut random)], [by_turns(&mut random)]);
            for row in lines(&a, &b) {
                assert!(!row.is_sure);
                held += usize::from(row.change_ms().abs() <= row.half_width_ms);
                all += 1;
            }
        }
        // 95 of 100, and what 400 of them, two by two alike, leave to chance.
        assert!(held * 100 >= 90 * all, "{held} of {all}");
    }

    /// Of one line in an instance, or of the other, as chance has it.
    fn by_turns(random: &mut Random) -> Run {
        let mut run = Run::new([10.0, 0.01], vec![[0.0, 0.0], [1.0, 0.0]]);
        run.instances = 60;
        let place = |line: u32| ("add".to_owned(), "a.c".to_owned(), line);
        for _ in 0..60 {
            let line = 10 + random.below(2) as u32;
            (0..20).for_each(|_| run.sample(random.uniform(), place(line)));
        }
        // All twenty samples of an instance tell what one does.
        run.dispersions_permille = [10, 11].map(|line| (place(line), 20_000)).into();
        run
    }

    /// The claim: of unchanged pairs at most one in twenty tells any line, whatever its samples are like.
    #[test]
    fn unchanged_lines_are_not_told_and_intervals_hold_no_change() {
        let mut random = Random::new(4);
        const PAIRS: usize = 400;
        let (mut told, mut held, mut all) = (0, 0, 0);
        for _ in 0..PAIRS {
            let (a, b) = (
                [Run::sampled(&mut random, 10.0, &LINES)],
                [Run::sampled(&mut random, 10.0, &LINES)],
            );
            let rows = lines(&a, &b);
            told += usize::from(rows.iter().any(|row| row.is_sure));
            held += rows.iter().filter(|row| row.change_ms().abs() <= row.half_width_ms).count();
            all += rows.len();
        }
        assert!(told * 20 <= PAIRS, "{told} of {PAIRS}");
        // 95 of 100, and what 2000 of them leave to chance.
        assert!(held * 100 >= 93 * all, "{held} of {all}");
    }

    #[test]
    fn where_samples_stayed_behind_no_line_is_told() {
        let mut random = Random::new(5);
        let full = [Run::sampled(&mut random, 10.0, &LINES)];
        let thinned = [Run { instances: 0, ..full[0].clone() }];
        assert!(lines(&full, &thinned).is_empty());
        assert!(!lines(&full, &full).is_empty());
        assert!(lines(&full, &full).iter().all(|row| row.change_ms() == 0.0 && !row.is_sure));
    }
}
