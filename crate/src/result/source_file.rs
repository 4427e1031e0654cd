//! What was sampled of a source file: time and speed of its lines, loops and routines.

use super::{PhaseCode, SourceDoubt, Speed};
use crate::folding::{CodeTimes, Group, OtherPlaces, PlaceTime};
use crate::order;
use crate::outline::SourceFile;

/// Steps of the heat of lines.
const STEPS: f64 = 8.0;

/// A file of the trace.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledFile {
    /// Empty for all lines without one.
    pub file: String,
    pub ms: f64,
    /// Share of folded time.
    pub share: f64,
    /// Its line of most time.
    pub line: u32,
}

/// A line of a file. One that is in several routines, as code that was inlined is, has the time of all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceLine {
    /// From 1; 0 where the trace does not tell.
    pub line: u32,
    /// The one with most of its time.
    pub routine: String,
    pub samples: u32,
    pub ms: f64,
    /// Share of folded time.
    pub share: f64,
    /// Events per microsecond and per instruction, for each curve.
    pub rates: Vec<Option<f64>>,
    pub per_instruction: Vec<Option<f64>>,
    /// From 1 to 8, 0 for none: by time, then by each curve.
    pub heat: Vec<u8>,
}

/// A routine or loop of a file with what its lines take, without what they call.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceBlock {
    /// `routine` or `loop`.
    pub kind: &'static str,
    pub name: String,
    /// E.g. `loop 223–229`.
    pub words: String,
    /// The routine round it, or itself; empty without one.
    pub routine: String,
    /// First and last line, from 1.
    pub first: u32,
    pub last: u32,
    /// Blocks round it.
    pub depth: u32,
    pub samples: u32,
    pub ms: f64,
    /// Share of folded time.
    pub share: f64,
    /// Events per microsecond, for each curve.
    pub rates: Vec<Option<f64>>,
}

/// All that the page shows of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceView {
    /// Those that were sampled, in order.
    pub lines: Vec<SourceLine>,
    /// Outer ones before those in them; empty without the text.
    pub blocks: Vec<SourceBlock>,
    /// For each phase.
    pub phases: Vec<Option<PhaseCode>>,
    /// Why it may be another file than the one that ran, in words.
    pub doubt: Option<String>,
}

/// What the samples of a line add up to.
struct LineSums {
    line: u32,
    /// Index into [`Group::routines`], and its share.
    routine: (u32, f64),
    sums: PlaceTime,
}

impl Group {
    /// The files of the trace, that of most time first.
    pub fn sampled_files(&self) -> Vec<SampledFile> {
        let sums = self.code_times();
        let mut files: Vec<(&str, SampledFile, f64)> = vec![];
        let others = sums.others.iter();
        let others = others.filter_map(|of| Some((self.places.get(of.place as usize)?, &of.time)));
        let places = self.places.iter().zip(&sums.places).chain(others);
        for (place, sums) in places.filter(|(_, sums)| sums.samples > 0) {
            let known = files.iter().position(|(name, ..)| *name == place.file);
            let index = known.unwrap_or(files.len());
            if known.is_none() {
                let (file, line) = (place.file.clone(), place.line);
                files.push((&place.file, SampledFile { file, ms: 0.0, share: 0.0, line }, -1.0));
            }
            let (_, file, most) = &mut files[index];
            file.share += sums.share;
            file.ms = self.ms(file.share);
            if sums.share > *most {
                (file.line, *most) = (place.line, sums.share);
            }
        }
        let mut files: Vec<_> = files.into_iter().map(|(_, file, _)| file).collect();
        order::by_number(&mut files, |file| !order::of_float(file.share));
        files
    }

    /// What was sampled of the file of this name, whose text is not known. O(samples × curves).
    pub fn sampled_file(&self, name: &str) -> SourceView {
        let times = self.code_times();
        let lines = self.source_lines(&self.line_sums(&times.places, name));
        SourceView { lines, blocks: vec![], phases: self.code_by_times(&times, &[]), doubt: None }
    }

    /// What was sampled of a file, and of its routines and loops. O(samples × curves + blocks × lines
    /// in them).
    pub fn source_file(&self, source: &SourceFile) -> SourceView {
        let times = self.code_times();
        let sums = self.line_sums(&times.places, &source.name);
        let lines = self.source_lines(&sums);
        let doubt = SourceDoubt::of(source, &lines).map(|doubt| doubt.to_string());
        let doubt = doubt.or_else(|| self.lines_left_behind(&times, &source.name));
        let blocks = self.source_blocks(source, &sums);
        SourceView {
            lines,
            blocks,
            phases: self.code_by_times(&times, std::slice::from_ref(source)),
            doubt,
        }
    }

    /// Of a link that tells some lines of a file together: that what lies round them has less time here.
    fn lines_left_behind(&self, times: &CodeTimes, file: &str) -> Option<String> {
        let of_file = |of: &&OtherPlaces| {
            self.places.get(of.place as usize).is_some_and(|place| place.file == file)
        };
        let lines: u32 = times.others.iter().filter(of_file).map(|of| of.places).sum();
        let lines = Some(lines).filter(|lines| *lines > 0)?;
        let words = if lines == 1 { "1 line" } else { &format!("{lines} lines") };
        Some(format!(
            "{words} with few samples stayed behind: this is of a link. Loops and routines round them \
             have more time in the trace."
        ))
    }

    /// The routines and loops of each file, with what was sampled of them.
    pub fn blocks_of_each(&self, sources: &[SourceFile]) -> Vec<Vec<SourceBlock>> {
        let sums = self.code_times();
        let blocks =
            |source| self.source_blocks(source, &self.line_sums(&sums.places, &source.name));
        sources.iter().map(blocks).collect()
    }

    /// What speaks against each file.
    pub fn doubts_of_each(&self, sources: &[SourceFile]) -> Vec<Option<SourceDoubt>> {
        let sums = self.code_times();
        let lines =
            |source: &SourceFile| self.source_lines(&self.line_sums(&sums.places, &source.name));
        sources.iter().map(|source| SourceDoubt::of(source, &lines(source))).collect()
    }

    /// What the samples of each line of a file add up to, in the order of the lines.
    fn line_sums(&self, of_places: &[PlaceTime], file: &str) -> Vec<LineSums> {
        let of_file = self.places.iter().zip(of_places);
        let mut places: Vec<_> =
            of_file.filter(|(place, sums)| place.file == file && sums.samples > 0).collect();
        order::by_number(&mut places, |(place, _)| u64::from(place.line));
        let mut lines: Vec<LineSums> = vec![];
        for (place, sums) in places {
            let routine = (place.routine, sums.share);
            match lines.last_mut().filter(|before| before.line == place.line) {
                None => lines.push(LineSums { line: place.line, routine, sums: sums.clone() }),
                Some(before) => {
                    before.sums.add(sums);
                    if routine.1 > before.routine.1 {
                        before.routine = routine;
                    }
                }
            }
        }
        lines
    }

    fn source_lines(&self, lines: &[LineSums]) -> Vec<SourceLine> {
        let speeds: Vec<Speed> = lines.iter().map(|line| self.speed(&line.sums)).collect();
        let by_time: Vec<_> = lines.iter().map(|line| Some(line.sums.share)).collect();
        let by_curve = (0..self.curves.len()).map(|curve| {
            // Instructions are hot where there are few in a microsecond.
            let value = |speed: &Speed| match self.is_instructions(curve) {
                true => speed.rates[curve].map(|rate| -rate),
                false => speed.per_instruction[curve],
            };
            speeds.iter().map(value).collect()
        });
        let heats: Vec<_> =
            [by_time].into_iter().chain(by_curve).map(|values| heats(&values, lines)).collect();
        let line = |((index, line), speed): ((usize, &LineSums), Speed)| SourceLine {
            line: line.line,
            routine: self.routine(line.routine.0).to_owned(),
            samples: line.sums.samples,
            ms: self.ms(line.sums.share),
            share: line.sums.share,
            rates: speed.rates,
            per_instruction: speed.per_instruction,
            heat: heats.iter().map(|heats| heats[index]).collect(),
        };
        lines.iter().enumerate().zip(speeds.clone()).map(line).collect()
    }

    fn source_blocks(&self, source: &SourceFile, lines: &[LineSums]) -> Vec<SourceBlock> {
        let block = |(index, block): (usize, &crate::outline::Block)| {
            let begin = lines.partition_point(|line| line.line < block.first);
            let end = lines.partition_point(|line| line.line <= block.last);
            let mut sums = PlaceTime::new(self.curves.len(), 0);
            lines[begin..end].iter().for_each(|line| sums.add(&line.sums));
            let routine = source.outline.routine_of(index);
            SourceBlock {
                kind: block.kind.name(),
                name: block.name.clone(),
                words: source.outline.words(index),
                routine: routine.map_or_else(String::new, |routine| routine.name.clone()),
                first: block.first,
                last: block.last,
                depth: block.depth,
                samples: sums.samples,
                ms: self.ms(sums.share),
                share: sums.share,
                rates: self.speed(&sums).rates,
            }
        };
        source.outline.blocks().iter().enumerate().map(block).collect()
    }

    fn ms(&self, share: f64) -> f64 {
        share * self.mean_duration_ns / 1e6
    }
}

/// How hot each line is: the rank of its value among the lines, times its time, both as shares of
/// the largest.
fn heats(values: &[Option<f64>], lines: &[LineSums]) -> Vec<u8> {
    let mut sorted: Vec<f64> = values.iter().copied().flatten().collect();
    order::floats(&mut sorted);
    let longest = lines.iter().map(|line| line.sums.share).fold(0.0, f64::max);
    let heat = |(value, line): (&Option<f64>, &LineSums)| {
        let value = (*value).filter(|_| longest > 0.0)?;
        let rank = sorted.partition_point(|other| *other <= value) as f64 / sorted.len() as f64;
        Some((STEPS * rank * (line.sums.share / longest)).ceil().max(1.0) as u8)
    };
    values.iter().zip(lines).map(|line| heat(line).unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{Curve, Lines, Place};

    /// Two samples in each stretch of time, one for each `(line, routine, share)`; rates are constant
    /// within a stretch.
    fn group(stretches: &[(u32, u32, f64)], counters: &[(&str, &[f64])]) -> Group {
        const GRID: usize = 1000;
        let (mut x, mut at) = (vec![], 0.0);
        let mut of_grid = vec![];
        for (index, (_, _, share)) in stretches.iter().enumerate() {
            // As far from its borders as those beside it, so that the border lies between them.
            x.extend([at + 0.002, at + share - 0.002]);
            at += share;
            of_grid.resize((at * GRID as f64).round() as usize, index);
        }
        of_grid.push(stretches.len() - 1);
        let curve = |(counter, rates): &(&str, &[f64])| {
            let rate: Vec<f64> = of_grid.iter().map(|stretch| rates[*stretch]).collect();
            Curve {
                counter: (*counter).to_owned(),
                instructions: *counter == "INS",
                mean_rate: rate.iter().sum::<f64>() / rate.len() as f64,
                rate,
                ..Curve::default()
            }
        };
        let place =
            |&(line, routine, _): &_| Place { routine, line, file: "a.f90".to_owned(), samples: 2 };
        Group {
            mean_duration_ns: 10e6,
            curves: counters.iter().map(curve).collect(),
            routines: ["f", "g"].map(str::to_owned).to_vec(),
            places: stretches.iter().map(place).collect(),
            lines: Lines {
                x,
                place: (0..stretches.len() as u32).flat_map(|place| [place, place]).collect(),
                context: vec![],
            },
            ..Group::default()
        }
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-2 * b.abs().max(1.0)
    }

    #[test]
    fn a_line_in_several_routines_has_their_time_together() {
        let counters: [(&str, &[f64]); 2] =
            [("INS", &[100.0, 300.0, 50.0]), ("L1", &[10.0, 60.0, 1.0])];
        let mut group = group(&[(7, 0, 0.6), (7, 1, 0.2), (9, 0, 0.2)], &counters);
        group.places[2].file = "b.c".to_owned();
        let view = group.sampled_file("a.f90");
        let [line] = &view.lines[..] else { panic!("one line: {view:?}") };
        assert_eq!((line.line, line.samples, line.routine.as_str()), (7, 4, "f"));
        assert!(near(line.ms, 8.0) && near(line.share, 0.8), "{line:?}");
        assert!(near(line.rates[0].unwrap(), (0.6 * 100.0 + 0.2 * 300.0) / 0.8), "{line:?}");
        let misses = (0.6 * 10.0 + 0.2 * 60.0) / (0.6 * 100.0 + 0.2 * 300.0);
        assert!((line.per_instruction[1].unwrap() - misses).abs() < 1e-2 * misses, "{line:?}");
    }

    #[test]
    fn heat_is_the_rank_of_a_value_times_the_time_of_its_line() {
        let line = |share| {
            let mut sums = PlaceTime::new(0, 0);
            sums.share = share;
            LineSums { line: 1, routine: (0, share), sums }
        };
        let lines = [8.0, 8.0, 1.0].map(line);
        let heats = |values: [f64; 3]| heats(&values.map(Some), &lines);
        assert_eq!(heats([8.0, 8.0, 1.0]), [8, 8, 1]);
        assert_eq!(heats([0.01, 0.1, 0.2]), [3, 6, 1], "ranks 1 to 3 of 3");
        assert_eq!(super::heats(&[None, Some(1.0), None], &lines), [0, 8, 0]);
    }

    #[test]
    fn instructions_are_hot_where_they_are_slow_and_other_events_where_they_are_dense() {
        let counters: [(&str, &[f64]); 2] = [("INS", &[400.0, 100.0]), ("L1", &[4.0, 10.0])];
        let view = group(&[(1, 0, 0.5), (2, 0, 0.5)], &counters).sampled_file("a.f90");
        let heat = |by: usize| view.lines.iter().map(|line| line.heat[by]).collect::<Vec<_>>();
        assert_eq!(heat(1), [4, 8]);
        assert_eq!(heat(2), [4, 8]);
    }

    #[test]
    fn a_block_has_the_time_of_its_lines() {
        let source =
            SourceFile::new("a.f90", b"subroutine f\ndo i = 1, 2\nx = 1\nend do\nend\n").unwrap();
        let group = group(
            &[(1, 0, 0.5), (3, 0, 0.2), (4, 0, 0.2), (9, 0, 0.1)],
            &[("A", &[1.0, 4.0, 2.0, 8.0])],
        );
        let view = group.source_file(&source);
        let [routine, inner] = &view.blocks[..] else { panic!("two blocks: {view:?}") };
        assert_eq!((routine.kind, routine.name.as_str(), routine.samples), ("routine", "f", 6));
        assert!(
            near(routine.ms, 9.0) && near(inner.ms, 4.0) && near(inner.share, 0.4),
            "{inner:?}"
        );
        assert!(near(inner.rates[0].unwrap(), 3.0), "{inner:?}");
        assert_eq!((inner.words.as_str(), inner.routine.as_str()), ("loop 2–4", "f"));
        assert!(view.doubt.unwrap().contains("line 9 was sampled"));
    }

    #[test]
    fn files_are_told_by_their_time_with_their_hottest_line() {
        let mut group = group(&[(1, 0, 0.2), (2, 0, 0.3), (7, 1, 0.4), (0, 1, 0.1)], &[]);
        group.places[2].file = "b.c".to_owned();
        group.places[3].file = String::new();
        let files = group.sampled_files();
        let told: Vec<_> = files.iter().map(|file| (file.file.as_str(), file.line)).collect();
        assert_eq!(told, [("a.f90", 2), ("b.c", 7), ("", 0)]);
        assert!(near(files[0].ms, 5.0) && near(files[1].share, 0.4), "{files:?}");
    }

    #[test]
    fn nothing_sampled_is_an_empty_view() {
        let view = Group::default().sampled_file("a.c");
        assert!(view.lines.is_empty() && view.blocks.is_empty() && view.phases.is_empty());
    }
}
