//! Which loop each phase is about.

use crate::folding::{CodeTimes, Group};
use crate::order;
use crate::outline::{Block, SourceFile};

/// The code that a phase is about.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseCode {
    pub file: String,
    /// The line of most time in it; 0 where the trace does not tell.
    pub line: u32,
    /// Share of the phase.
    pub share: f64,
    /// E.g. `loop 223–229 in Scale`.
    pub words: String,
    /// The loop or routine; `None` where no source shows one, so that a line stands for the phase.
    pub block: Option<Block>,
    /// The routine round it, as the source has it; empty without one.
    pub routine: String,
}

impl Group {
    /// For each phase the innermost block with more than half of its time, if it is in one of
    /// `sources`; else the line with most of it; `None` without samples of a file that has a name.
    /// O(samples + phases × (places + blocks)), times the logarithm of the places.
    ///
    /// Source: Servat 2015, §4.5.1.
    pub fn code_of_phases(&self, sources: &[SourceFile]) -> Vec<Option<PhaseCode>> {
        self.code_by_times(&self.code_times(), sources)
    }

    /// The same where it is known what samples add up to.
    pub(super) fn code_by_times(
        &self,
        times: &CodeTimes,
        sources: &[SourceFile],
    ) -> Vec<Option<PhaseCode>> {
        let of_places = |of: &Vec<(u32, f64)>| {
            let mut times = vec![0.0; self.places.len()];
            for (place, time) in of {
                times.get_mut(*place as usize).into_iter().for_each(|own| *own = *time);
            }
            times
        };
        let others = times.others_of_phases.iter().copied().chain(std::iter::repeat(0.0));
        let of_phases = times.phases.iter().zip(others);
        let code = |(of, others)| self.code_of_phase(&of_places(of), others, sources);
        of_phases.map(code).collect()
    }

    /// `others` is the time of places that are not told.
    fn code_of_phase(
        &self,
        times: &[f64],
        others: f64,
        sources: &[SourceFile],
    ) -> Option<PhaseCode> {
        let total = times.iter().sum::<f64>() + others;
        if total <= 0.0 {
            return None;
        }
        let block = |source: &SourceFile| self.block_of_phase(times, total, source);
        sources.iter().find_map(block).or_else(|| self.line_of_phase(times, total))
    }

    fn block_of_phase(&self, times: &[f64], total: f64, source: &SourceFile) -> Option<PhaseCode> {
        let mut lines: Vec<(u32, f64)> = vec![];
        let places = self.places.iter().zip(times);
        for (place, time) in
            places.filter(|(place, time)| place.file == source.name && **time > 0.0)
        {
            lines.push((place.line, *time));
        }
        order::by_number(&mut lines, |(line, _)| u64::from(*line));
        let within = |block: &Block| {
            let begin = lines.partition_point(|(line, _)| *line < block.first);
            let end = lines.partition_point(|(line, _)| *line <= block.last);
            &lines[begin..end]
        };
        let time = |lines: &[(u32, f64)]| lines.iter().map(|(_, time)| time).sum::<f64>();
        let path = source.outline.path(|block| time(within(block)) > total / 2.0);
        let index = *path.last()?;
        let block = source.outline.blocks().get(index)?;
        let of_line = |lines: &[(u32, f64)]| (lines[0].0, time(lines));
        let by_line = within(block).chunk_by(|a, b| a.0 == b.0).map(of_line);
        // The first of those alike.
        let most = by_line.reduce(|most, next| if next.1 > most.1 { next } else { most });
        let routine = source.outline.routine_of(index);
        Some(PhaseCode {
            file: source.name.clone(),
            line: most.map_or(block.first, |(line, _)| line),
            share: time(within(block)) / total,
            words: source.outline.words_with_routine(index),
            block: Some(block.clone()),
            routine: routine.map_or_else(String::new, |routine| routine.name.clone()),
        })
    }

    fn line_of_phase(&self, times: &[f64], total: f64) -> Option<PhaseCode> {
        let places = self.places.iter().zip(times);
        let known = places.filter(|(place, time)| !place.file.is_empty() && **time > 0.0);
        let (place, time) = known.reduce(|most, next| if next.1 > most.1 { next } else { most })?;
        let routine = self.routine(place.routine);
        Some(PhaseCode {
            file: place.file.clone(),
            line: place.line,
            share: time / total,
            words: format!("{routine} [{}] in {}", place.line, place.file),
            block: None,
            routine: String::new(),
        })
    }

    /// The share of folded time of every place that each phase has. A sample belongs to the phase that it
    /// lies in, with all of the time that it stands for.
    pub(super) fn place_times_of_phases(&self, shares: &[f64]) -> Vec<Vec<(u32, f64)>> {
        let mut times = vec![vec![0.0; self.places.len()]; self.phases.len()];
        let last = self.phases.len().saturating_sub(1);
        let mut phase = 0;
        let samples = self.lines.x.iter().zip(&self.lines.place).zip(shares);
        for ((&x, &place), share) in samples {
            while self.phases.get(phase).is_some_and(|of| phase < last && x >= of.end) {
                phase += 1;
            }
            let is_in = self.phases.get(phase).is_some_and(|of| x >= of.start);
            let time = times.get_mut(phase).and_then(|times| times.get_mut(place as usize));
            time.filter(|_| is_in).into_iter().for_each(|time| *time += share);
        }
        let of_phase = |times: Vec<f64>| {
            let of_places = (0..).zip(times);
            of_places.filter(|(_, time)| *time > 0.0).collect()
        };
        times.into_iter().map(of_phase).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{Lines, Phase, Place};

    /// Places are lines 1 on of `a.f90`, but the last, which is of a file without name.
    fn group(ends: &[f64], x: &[f64], line: &[u32]) -> Group {
        let starts = [0.0].into_iter().chain(ends.iter().copied());
        let phase = |(start, &end)| Phase { start, end, ..Phase::default() };
        let place = |line| Place { routine: 0, line, file: "a.f90".to_owned(), samples: 1 };
        let nameless = Place { routine: 0, line: 0, file: String::new(), samples: 1 };
        Group {
            phases: starts.zip(ends).map(phase).collect(),
            routines: vec!["solve_".to_owned()],
            places: (1..10).map(place).chain([nameless]).collect(),
            lines: Lines {
                x: x.to_vec(),
                place: line.iter().map(|line| line - 1).collect(),
                context: vec![],
            },
            ..Group::default()
        }
    }

    /// A routine in lines 1 to 8, with loops in 2 to 7, 3 to 4 and 5 to 6.
    const SOLVE: &[u8] =
        b"subroutine solve\ndo i = 1, 2\ndo j = 1, 2\nend do\ndo j = 1, 2\nend do\nend do\nend\n";

    fn words(group: &Group) -> Vec<String> {
        let source = SourceFile::new("a.f90", SOLVE).unwrap();
        let code = group.code_of_phases(&[source]);
        code.iter()
            .map(|code| code.as_ref().map_or("nothing", |code| &code.words).to_owned())
            .collect()
    }

    #[test]
    fn a_phase_is_about_the_innermost_block_with_more_than_half_of_its_time() {
        let evenly = |lines: &[u32]| {
            let x: Vec<f64> =
                (0..lines.len()).map(|i| (i as f64 + 0.5) / lines.len() as f64).collect();
            words(&group(&[1.0], &x, lines)).remove(0)
        };
        assert_eq!(evenly(&[3, 4, 3, 5]), "loop 3–4 in solve");
        assert_eq!(evenly(&[3, 4, 5, 6]), "loop 2–7 in solve", "half is not more than half");
        assert_eq!(evenly(&[1, 8, 3, 5]), "solve 1–8");
        assert_eq!(evenly(&[3, 3, 9, 9, 9]), "solve_ [9] in a.f90");
        assert_eq!(evenly(&[3, 3, 10, 10]), "solve_ [3] in a.f90", "time without a file counts");
        assert_eq!(evenly(&[10, 10]), "nothing");
    }

    #[test]
    fn each_phase_has_the_samples_in_it() {
        let two = group(&[0.4, 1.0], &[0.1, 0.3, 0.4, 0.9], &[3, 4, 5, 6]);
        assert_eq!(words(&two), ["loop 3–4 in solve", "loop 5–6 in solve"]);
        let times = two.code_times();
        let time = |phase: usize, line: usize| {
            let of_line = |(place, _): &&(u32, f64)| *place as usize == line - 1;
            times.phases[phase].iter().find(of_line).map_or(0.0, |(_, time)| *time)
        };
        let near =
            |phase: usize, line: usize, share: f64| (time(phase, line) - share).abs() < 1e-12;
        assert!(
            near(0, 3, 0.2) && near(0, 4, 0.15) && near(1, 5, 0.3) && near(1, 6, 0.35),
            "{times:?}"
        );
        assert_eq!(words(&group(&[0.5, 1.0], &[0.1], &[3])), ["loop 3–4 in solve", "nothing"]);
    }

    #[test]
    fn samples_of_one_moment_share_its_time_wherever_they_are_in_the_list() {
        // At 0.5 stand four samples for half of the time: three lines of the first inner loop.
        let x = [0.1, 0.5, 0.5, 0.5, 0.5, 0.9];
        for lines in [[5, 3, 3, 4, 5, 3], [5, 5, 3, 4, 3, 3]] {
            let group = group(&[1.0], &x, &lines);
            let code = group.code_of_phases(&[SourceFile::new("a.f90", SOLVE).unwrap()]);
            let code = code[0].as_ref().unwrap();
            assert_eq!((code.words.as_str(), code.line), ("loop 3–4 in solve", 3));
            assert!((code.share - 0.6).abs() < 1e-12, "{}", code.share);
        }
    }
}
