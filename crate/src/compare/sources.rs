//! Source files of both sides beside one another, with the time of their lines.

use std::collections::BTreeMap;

use super::code::lines_of_both;
use super::comparison::Comparison;
use super::line_map::{Kin, LineMap, MappedLine};
use super::run::Run;
use super::sampled::{Counted, Sampled, SampledTime};
use crate::order;

/// A file whose text is known of both sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileOfBoth {
    pub file: String,
    /// As they stand beside one another.
    pub lines: Vec<LineOfBoth>,
    /// Neighbouring lines that are not the same on both sides, with their sums.
    pub hunks: Vec<Hunk>,
    pub time: SampledTime,
}

/// A line of either side, or of both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineOfBoth {
    pub line: MappedLine,
    /// Of all routines that it is in, as code that was inlined is; `None` where neither side was sampled in it. A
    /// line that moved has the time of both, whichever side it stands on.
    pub time: Option<SampledTime>,
    /// Whether it changes beyond doubt in any routine.
    pub is_sure: bool,
}

/// Lines that changed or moved, from `first` to before `end` of those of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hunk {
    pub first: usize,
    pub end: usize,
    /// Of its lines of each side, those that moved where they lie.
    pub time: SampledTime,
}

impl FileOfBoth {
    /// First and last line of a hunk on each side; `None` of a side that has no line of it.
    pub fn numbers_of(&self, hunk: &Hunk) -> [Option<[u32; 2]>; 2] {
        let lines = self.lines.get(hunk.first..hunk.end).unwrap_or_default();
        [0, 1].map(|side| {
            let mut numbers = lines.iter().filter_map(|of| of.line.numbers[side]);
            let first = numbers.next()?;
            Some([first, numbers.next_back().unwrap_or(first)])
        })
    }

    /// Whether no line of a hunk changed: all of it lies elsewhere on the other side.
    pub fn is_moved(&self, hunk: &Hunk) -> bool {
        let lines = self.lines.get(hunk.first..hunk.end).unwrap_or_default();
        lines.iter().all(|of| of.line.kin == Kin::Moved)
    }
}

impl Comparison {
    /// Tells lines by the texts of both sides, by file, and lays these beside one another; `sides` and `least` are
    /// those of the comparison. Nothing changes where samples stayed behind. O(lines × log
    /// + sampled lines × lines of code).
    pub fn add_sources(
        &mut self,
        sides: [&[Run]; 2],
        maps: &BTreeMap<String, LineMap>,
        least: f64,
    ) {
        let Some(sampled) = Sampled::of(sides, self) else { return };
        self.code = lines_of_both(sides, self, maps, least);
        let files = maps.iter().map(|(file, map)| self.file(sides, &sampled, file, map));
        let mut files = files.collect::<Vec<_>>();
        let longest = |file: &FileOfBoth| f64::max(file.time.ms[0], file.time.ms[1]);
        order::by_number(&mut files, |file| !order::of_float(longest(file)));
        self.sources = files;
    }

    fn file(&self, sides: [&[Run]; 2], sampled: &Sampled, file: &str, map: &LineMap) -> FileOfBoth {
        let counts = sides.map(|runs| counts_of(runs, file));
        let count = |side: usize, number: Option<u32>| {
            number.and_then(|number| counts[side].get(&number)).copied().unwrap_or_default()
        };
        let time = |counts| sampled.time(counts).0;
        let line = |line: &MappedLine| {
            let numbers = line.numbers.map(|number| number.or(line.elsewhere));
            let numbers = if line.kin == Kin::Moved { numbers } else { line.numbers };
            let counts = [count(0, numbers[0]), count(1, numbers[1])];
            let is_own = |row: &&super::LineRow| {
                row.is_sure && row.file == file && is_of(row.numbers, numbers)
            };
            let is_sampled = counts.iter().any(|of| of.samples > 0);
            LineOfBoth {
                line: *line,
                time: is_sampled.then(|| time(counts)),
                is_sure: is_sampled && self.code.iter().any(|row| is_own(&row)),
            }
        };
        let own = |lines: &[MappedLine]| {
            [0, 1].map(|side| lines.iter().map(|line| count(side, line.numbers[side])).sum())
        };
        let mut hunks = vec![];
        let mut first = 0;
        for lines in map.lines.chunk_by(|a, b| (a.kin == Kin::Same) == (b.kin == Kin::Same)) {
            let end = first + lines.len();
            if lines[0].kin != Kin::Same {
                hunks.push(Hunk { first, end, time: time(own(lines)) });
            }
            first = end;
        }
        FileOfBoth {
            file: file.to_owned(),
            lines: map.lines.iter().map(line).collect(),
            hunks,
            time: time([0, 1].map(|side| counts[side].values().copied().sum())),
        }
    }
}

/// Whether a row is of the line that has these numbers: of a routine that only one side was sampled in it has one.
fn is_of(row: [Option<u32>; 2], numbers: [Option<u32>; 2]) -> bool {
    let is_own = |side: usize| row[side].is_none() || row[side] == numbers[side];
    row != [None, None] && is_own(0) && is_own(1)
}

/// The samples of the runs of a side, by line of a file.
fn counts_of(runs: &[Run], file: &str) -> BTreeMap<u32, Counted> {
    let mut counts: BTreeMap<u32, Counted> = BTreeMap::new();
    for run in runs {
        let places = run.places.iter().flatten().filter(|((_, own, _), _)| own == file);
        for (place, count) in places {
            counts.entry(place.2).or_default().add(run, place, *count);
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::*;
    use crate::compare::{Wanted, beside, compare};

    const TEXT: &str = "void add() {\n  for (i)\n    a[i] = b[i];\n}\nvoid scale() {\n  for (i)\n    s *= a[i];\n}\n";

    fn text(of: &str) -> Vec<String> {
        of.lines().map(str::to_owned).collect()
    }

    fn compared(a: &Run, b: &Run, texts: [&str; 2]) -> Comparison {
        let sides = [std::slice::from_ref(a), std::slice::from_ref(b)];
        let mut comparison = compare(sides, &Wanted::default()).unwrap();
        let map = beside(&text(texts[0]), &text(texts[1]));
        comparison.add_sources(sides, &BTreeMap::from([("a.c".to_owned(), map)]), 0.01);
        comparison
    }

    /// B has three lines above all others, and its first loop is blocked in two.
    const BLOCKED: &str = "// blocked\n#define N 8\n\nvoid add() {\n  for (j)\n    for (i)\n      a[j + i] = b[j + i];\n}\nvoid scale() {\n  for (i)\n    s *= a[i];\n}\n";

    #[test]
    fn lines_are_those_that_the_texts_say_and_hunks_have_their_sums() {
        let mut random = Random::new(1);
        let a = Run::sampled(&mut random, 10.0, &[("add", 3, 1.0), ("scale", 7, 1.0)]);
        let b = Run::sampled(
            &mut random,
            15.0,
            &[("add", 6, 1.0), ("add", 7, 1.0), ("scale", 11, 1.0)],
        );
        let comparison = compared(&a, &b, [TEXT, BLOCKED]);
        let numbers = |routine: &str| {
            let rows = comparison.code.iter().filter(|row| row.routine == routine);
            let mut numbers = rows.map(|row| row.numbers).collect::<Vec<_>>();
            numbers.sort();
            numbers
        };
        assert_eq!(numbers("scale"), [[Some(7), Some(11)]]);
        assert_eq!(numbers("add"), [[None, Some(7)], [Some(3), Some(6)]]);
        let [file] = &comparison.sources[..] else { panic!("{:?}", comparison.sources) };
        let hunks = file.hunks.iter().map(|hunk| file.numbers_of(hunk)).collect::<Vec<_>>();
        assert_eq!(hunks, [[None, Some([1, 3])], [Some([2, 3]), Some([5, 7])]]);
        let of_add = &file.hunks[1].time;
        assert!(
            (of_add.ms[0] - 5.0).abs() < 0.5 && (of_add.ms[1] - 10.0).abs() < 1.0,
            "{of_add:?}"
        );
        assert!(of_add.change_ms() > of_add.half_width_ms);
        assert_eq!(file.hunks[0].time.samples, [0, 0]);
        // Every sample lies in one line of each side.
        for side in [0, 1] {
            let of_lines = file
                .lines
                .iter()
                .filter_map(|of| of.time)
                .map(|time| time.samples[side])
                .sum::<u32>();
            assert_eq!((of_lines, file.time.samples[side]), (600, 600));
        }
        assert!((file.time.ms[0] - 10.0).abs() < 1e-9 && (file.time.ms[1] - 15.0).abs() < 1e-9);
    }

    #[test]
    fn a_routine_that_moved_has_its_time_of_both_wherever_it_stands() {
        let turned = "void scale() {\n  for (i)\n    s *= a[i];\n}\nvoid add() {\n  for (i)\n    a[i] = b[i];\n}\n";
        let mut random = Random::new(2);
        let a = Run::sampled(&mut random, 10.0, &[("add", 3, 1.0), ("scale", 7, 1.0)]);
        let b = Run::sampled(&mut random, 10.0, &[("add", 7, 1.0), ("scale", 3, 1.0)]);
        let comparison = compared(&a, &b, [TEXT, turned]);
        assert_eq!(comparison.code.len(), 2, "{:?}", comparison.code);
        assert!(comparison.code.iter().all(|row| !row.is_sure && row.change_ms().abs() < 1.0));
        let file = &comparison.sources[0];
        assert!(file.hunks.iter().all(|hunk| file.is_moved(hunk)), "{file:?}");
        // What moved away is missed on its side, and is met on the other.
        let sums =
            [0, 1].map(|side| file.hunks.iter().map(|hunk| hunk.time.samples[side]).sum::<u32>());
        assert!(sums.iter().all(|samples| (240..360).contains(samples)), "half of each: {sums:?}");
        let moved = file.lines.iter().filter(|of| of.line.kin == Kin::Moved && of.time.is_some());
        assert_eq!(moved.count(), 2, "once on each side");
    }

    #[test]
    fn samples_beyond_the_end_of_a_text_keep_their_numbers() {
        let mut random = Random::new(3);
        let a = Run::sampled(&mut random, 10.0, &[("add", 3, 1.0), ("late", 90, 1.0)]);
        let comparison = compared(&a, &a.clone(), [TEXT, TEXT]);
        let late = comparison.code.iter().find(|row| row.routine == "late").unwrap();
        assert_eq!(late.numbers, [Some(90); 2]);
        assert!(comparison.sources[0].hunks.is_empty());
        let stayed = Run { instances: 0, ..a.clone() };
        assert!(compared(&a, &stayed, [TEXT, TEXT]).sources.is_empty(), "no samples, no times");
    }
}
