//! How long each routine and each of its lines ran, how fast, and from where it was called.
//!
//! A sample stands for the folded time that is nearer to it than to any other sample. Over that
//! time, not over samples, is everything summed, so that samples taken at the overflow of a counter
//! do not favour code in which it counts fast. Rates are means over that time of the curves at
//! the samples, ratios those of the sums.

use std::borrow::Cow;
use std::ops::Range;

use super::table::{between, ratio};
use crate::folding::{CodeTimes, Context, Group, Part, PlaceTime, References, Usage};
use crate::order;

/// Bins of a histogram of MIPS.
const BINS: usize = 24;

/// All of folded time.
pub(super) const WHOLE: [f64; 2] = [0.0, 1.0];

/// The tables of a group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CodeTable {
    /// Every routine on a call-stack, the longest exclusive time first, then the longest inclusive.
    pub routines: Vec<RoutineTime>,
    /// Every sampled line, the longest time first.
    pub lines: Vec<LineTime>,
    /// One for each of [`Group::contexts`].
    pub contexts: Vec<ContextTime>,
    /// Rates of instructions at the begin of the first and the end of the last bin; `None` without
    /// a curve of instructions or without samples.
    pub mips: Option<[f64; 2]>,
}

/// A routine, whatever called it.
#[derive(Clone, Debug, PartialEq)]
pub struct RoutineTime {
    /// Index into [`Group::routines`].
    pub routine: u32,
    /// Share of folded time with it on the call-stack; once, however often it is on it.
    pub inclusive: f64,
    /// Share of folded time with it innermost.
    pub exclusive: f64,
    /// Samples with it innermost.
    pub samples: u32,
    /// While it is innermost.
    pub speed: Speed,
}

/// A line of code as the innermost frame.
#[derive(Clone, Debug, PartialEq)]
pub struct LineTime {
    /// Index into [`Group::places`].
    pub place: u32,
    /// Share of folded time.
    pub share: f64,
    pub samples: u32,
    pub speed: Speed,
}

/// A routine as called from one place of the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContextTime {
    /// Shares of folded time with it on the call-stack, and innermost.
    pub inclusive: f64,
    pub exclusive: f64,
    /// Samples with it innermost.
    pub samples: u32,
}

/// What the curves say of some time: one value per curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Speed {
    /// Mean rate in events per microsecond; `None` over no time.
    pub rates: Vec<Option<f64>>,
    /// Events per instruction; `None` where too few instructions are executed for a ratio.
    pub per_instruction: Vec<Option<f64>>,
    /// Shares of folded time in each of as many equal steps of the rates of instructions; empty without them.
    pub histogram: Vec<f64>,
}

impl Group {
    /// Time and speed of routines, lines and calling contexts. O(samples × curves).
    ///
    /// Of a link they are those of the trace, as far as they fit into it; else the lines are those of
    /// cells of folded time, and the times as coarse.
    pub fn code(&self) -> CodeTable {
        self.code_of(&self.code_times())
    }

    /// The same of the time between two moments, the first before the second: of the samples in it,
    /// each of which stands for the time that is nearer to it than to any other of them. Shares are of
    /// all folded time.
    ///
    /// Of a link they are those of the trace for the range that was dragged when it was made, and else as
    /// coarse as the cells that it carries.
    pub fn code_between(&self, range: [f64; 2]) -> CodeTable {
        match self.part_of(range) {
            Some(part) => self.code_of(&part.code),
            None => self.code_of(&self.times_between(range)),
        }
    }

    /// The lines that ran between two moments, as places with their shares of all folded time: those of
    /// [`Group::code_between`], in O(samples there).
    pub fn lines_between(&self, range: [f64; 2]) -> Vec<(u32, f64)> {
        let mut own = vec![(0.0, 0); self.places.len()];
        match self.part_of(range) {
            Some(part) => {
                own = part.code.places.iter().map(|of| (of.share, of.samples)).collect();
            }
            None => {
                let samples = self.samples_between(range);
                let shares = shares(&self.lines.x[samples.clone()], range);
                let places = self.lines.place.get(samples).unwrap_or_default();
                for (&place, share) in places.iter().zip(shares) {
                    let Some(own) = own.get_mut(place as usize) else { continue };
                    *own = (own.0 + share, own.1 + 1);
                }
            }
        }
        let sampled = (0..).zip(own).filter(|(_, (_, samples))| *samples > 0);
        let mut lines: Vec<_> = sampled.map(|(place, (share, _))| (place, share)).collect();
        order::by_number(&mut lines, |(_, share)| !order::of_float(*share));
        lines
    }

    /// What a link carries of just this range.
    pub fn part_of(&self, [from, to]: [f64; 2]) -> Option<&Part> {
        self.part.as_ref().filter(|part| (part.start, part.end) == (from, to))
    }

    /// What there is to carry of a range, with the references of the group.
    pub fn part(&self, references: Option<&References>, [start, end]: [f64; 2]) -> Part {
        let range = [start, end];
        Part {
            start,
            end,
            rates: self.rates_in_range(range),
            code: self.times_between(range),
            samples: self.samples_between(range).len() as u32,
            objects: references.map_or_else(Vec::new, |all| all.objects_between(self, range)),
            used: references.map_or_else(Usage::default, |all| all.used_between(range)),
        }
    }

    fn code_of(&self, times: &CodeTimes) -> CodeTable {
        let CodeTimes { mips, places: sums, .. } = times;
        let contexts = self.context_times(&times.contexts);
        let mut routines = self.routine_times(times, &contexts);
        routines.retain(|routine| routine.samples > 0 || routine.inclusive > 0.0);
        order::by_number(&mut routines, |routine| !order::of_float(routine.inclusive));
        order::by_number(&mut routines, |routine| !order::of_float(routine.exclusive));
        let line = |(sums, place): (&PlaceTime, u32)| LineTime {
            place,
            share: sums.share,
            samples: sums.samples,
            speed: self.speed(sums),
        };
        let mut lines: Vec<_> = sums.iter().zip(0..).map(line).collect();
        lines.retain(|line| line.samples > 0);
        order::by_number(&mut lines, |line| !order::of_float(line.share));
        CodeTable { routines, lines, contexts, mips: *mips }
    }

    /// What all samples add up to. O(samples × curves), but for a link that holds it.
    pub(super) fn code_times(&self) -> Cow<'_, CodeTimes> {
        if let Some(times) = &self.code_times {
            return Cow::Borrowed(times);
        }
        let phases = self.place_times_of_phases(&shares(&self.lines.x, WHOLE));
        let contexts_of_phases = self.phases.iter().map(|phase| {
            let place = phase.place?;
            self.context_between(phase.start, phase.end, place)
        });
        let contexts_of_phases = contexts_of_phases.collect();
        Cow::Owned(CodeTimes { phases, contexts_of_phases, ..self.times_between(WHOLE) })
    }

    /// The calling context of most samples on the place of a phase; `None` where nothing tells.
    pub fn context_of_phase(&self, index: usize) -> Option<u32> {
        let carried = self.code_times.as_ref().and_then(|of| of.contexts_of_phases.get(index));
        carried.copied().unwrap_or_else(|| {
            let phase = self.phases.get(index)?;
            self.context_between(phase.start, phase.end, phase.place?)
        })
    }

    /// The same of the samples between two moments; without phases.
    fn times_between(&self, range: [f64; 2]) -> CodeTimes {
        let samples = self.samples_between(range);
        let shares = shares(&self.lines.x[samples.clone()], range);
        let mips = self.mips_of_samples(samples.clone());
        let mut contexts = vec![(0.0, 0); self.contexts.len()];
        let of_samples = self.lines.context.get(samples.clone()).unwrap_or_default();
        for (&context, share) in of_samples.iter().zip(&shares) {
            let Some((time, samples)) = contexts.get_mut(context as usize) else { continue };
            *time += share;
            *samples += 1;
        }
        let places = self.sums(samples, &shares, mips);
        CodeTimes { mips, places, contexts, ..CodeTimes::default() }
    }

    /// The samples of code from one moment to another; one at the end is of what comes after it, if
    /// anything does.
    pub fn samples_between(&self, [from, to]: [f64; 2]) -> Range<usize> {
        let x = &self.lines.x;
        let start = if from <= 0.0 { 0 } else { x.partition_point(|x| *x < from) };
        let end = if to >= 1.0 { x.len() } else { x.partition_point(|x| *x < to) };
        start..end.max(start)
    }

    /// The least and the largest rate of instructions at a sample.
    fn mips_of_samples(&self, samples: Range<usize>) -> Option<[f64; 2]> {
        let rate = &self.instructions()?.rate;
        let x = self.lines.x[samples].iter();
        let rates = x.map(|&x| between(rate, x)).filter(|rate| rate.is_finite());
        let [least, most] = rates
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], rate| {
                [least.min(rate), most.max(rate)]
            });
        (least <= most).then_some([least, most])
    }

    /// What the samples of each place add up to.
    fn sums(
        &self,
        samples: Range<usize>,
        shares: &[f64],
        mips: Option<[f64; 2]>,
    ) -> Vec<PlaceTime> {
        let bins = if mips.is_some() { BINS } else { 0 };
        let mut sums = vec![PlaceTime::new(self.curves.len(), bins); self.places.len()];
        let bin = |rate: f64| {
            let [least, most] = mips.unwrap_or_default();
            ((rate - least) / (most - least) * BINS as f64) as usize
        };
        let x = &self.lines.x[samples.clone()];
        let places = self.lines.place.get(samples).unwrap_or_default();
        let samples = || x.iter().zip(places).zip(shares);
        for ((_, &place), share) in samples() {
            let Some(sums) = sums.get_mut(place as usize) else { continue };
            sums.share += share;
            sums.samples += 1;
        }
        for (index, curve) in self.curves.iter().enumerate() {
            let binned = bins > 0 && self.is_instructions(index);
            for ((&x, &place), share) in samples().filter(|(_, share)| **share > 0.0) {
                let Some(sums) = sums.get_mut(place as usize) else { continue };
                let rate = between(&curve.rate, x);
                // A rate of those that compute says nothing where none does.
                if !rate.is_finite() {
                    continue;
                }
                let [events, rated] = &mut sums.events[index];
                (*events, *rated) = (*events + share * rate, *rated + share);
                if binned {
                    sums.histogram[bin(rate).min(BINS - 1)] += share;
                }
            }
        }
        sums
    }

    pub(super) fn is_instructions(&self, index: usize) -> bool {
        self.curves.iter().position(|curve| curve.instructions) == Some(index)
    }

    pub(super) fn speed(&self, sums: &PlaceTime) -> Speed {
        let rate = |[events, share]: &[f64; 2]| (*share > 0.0).then(|| events / share);
        let rates = sums.events.iter().map(rate).collect::<Vec<_>>();
        let instructions = self.instructions().map(|curve| curve.mean_rate);
        let own = self.curves.iter().position(|curve| curve.instructions);
        let own = own.and_then(|index| rates.get(index).copied().flatten());
        let per_instruction = rates.iter().map(|rate| ratio((*rate)?, own?, instructions?));
        Speed {
            per_instruction: per_instruction.collect(),
            histogram: sums.histogram.clone(),
            rates,
        }
    }

    /// Times of each context; inclusive ones are summed from the leaves to the roots.
    fn context_times(&self, own: &[(f64, u32)]) -> Vec<ContextTime> {
        let own = own.iter().copied().chain(std::iter::repeat((0.0, 0)));
        let time = |(exclusive, samples)| ContextTime { exclusive, samples, inclusive: 0.0 };
        let mut times = own.map(time).take(self.contexts.len()).collect::<Vec<_>>();
        times.iter_mut().for_each(|time| time.inclusive = time.exclusive);
        // Parents come before their children.
        for (index, context) in self.contexts.iter().enumerate().rev() {
            let inclusive = times[index].inclusive;
            let parent = context.parent.and_then(|parent| times.get_mut(parent as usize));
            parent.into_iter().for_each(|parent| parent.inclusive += inclusive);
        }
        times
    }

    fn routine_times(&self, times: &CodeTimes, contexts: &[ContextTime]) -> Vec<RoutineTime> {
        let others = times
            .others
            .iter()
            .filter_map(|of| Some((self.places.get(of.place as usize)?, &of.time)));
        let places = || self.places.iter().zip(&times.places).chain(others.clone());
        let bins = places().map(|(_, sums)| sums.histogram.len()).max().unwrap_or(0);
        let mut sums = vec![PlaceTime::new(self.curves.len(), bins); self.routines.len()];
        for (place, of_place) in places() {
            sums.get_mut(place.routine as usize).into_iter().for_each(|sums| sums.add(of_place));
        }
        let mut inclusive = vec![0.0; self.routines.len()];
        for ((context, time), is_outermost) in
            self.contexts.iter().zip(contexts).zip(outermost(&self.contexts, self.routines.len()))
        {
            if let Some(inclusive) =
                inclusive.get_mut(context.routine as usize).filter(|_| is_outermost)
            {
                *inclusive += time.inclusive;
            }
        }
        let routine = |((sums, inclusive), routine): ((&PlaceTime, f64), u32)| RoutineTime {
            routine,
            // Without contexts only the innermost routine is known.
            inclusive: inclusive.max(sums.share),
            exclusive: sums.share,
            samples: sums.samples,
            speed: self.speed(sums),
        };
        sums.iter().zip(inclusive).zip(0..).map(routine).collect()
    }
}

/// The share of folded time that each sample stands for: half of the gaps to its neighbours, up to
/// two moments at the ends. Samples of the same moment share alike. `x` rises; what is no number stands
/// for nothing.
pub(super) fn shares(x: &[f64], [begin, end]: [f64; 2]) -> Vec<f64> {
    let mut shares = vec![0.0; x.len()];
    let sound: Vec<u32> = (0..).zip(x).filter(|(_, x)| x.is_finite()).map(|(i, _)| i).collect();
    let at = |index: u32| x[index as usize].max(begin).min(end);
    let mut moments = sound.chunk_by(|a, b| at(*a) == at(*b)).peekable();
    let mut from = begin;
    while let Some(moment) = moments.next() {
        let next = moments.peek().map(|next| (at(moment[0]) + at(next[0])) / 2.0);
        let to = next.unwrap_or(end);
        for &index in moment {
            shares[index as usize] = (to - from).max(0.0) / moment.len() as f64;
        }
        from = to;
    }
    shares
}

/// For each context, whether its routine, one of `routines`, is not further out already. O(contexts).
fn outermost(contexts: &[Context], routines: usize) -> Vec<bool> {
    let parent = |context: &Context| context.parent.map_or(u64::MAX, u64::from);
    let by_parent = order::indices(contexts.iter().map(parent));
    let parent_of = |index: &u32| parent(&contexts[*index as usize]);
    let children = |of: u64| {
        let from = by_parent.partition_point(|index| parent_of(index) < of);
        by_parent[from..].iter().take_while(move |index| parent_of(index) == of)
    };
    // How often each routine is on the path to the context that is looked at.
    let mut open = vec![0_u32; routines];
    let mut outermost = vec![false; contexts.len()];
    // What comes next: to enter a context, or to leave it.
    let mut steps: Vec<(u32, bool)> = children(u64::MAX).map(|&root| (root, true)).collect();
    while let Some((index, enters)) = steps.pop() {
        if let Some(open) = open.get_mut(contexts[index as usize].routine as usize) {
            if !enters {
                *open -= 1;
                continue;
            }
            outermost[index as usize] = *open == 0;
            *open += 1;
            steps.push((index, false));
        }
        steps.extend(children(u64::from(index)).map(|&child| (child, true)));
    }
    outermost
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{Curve, Lines, Place};

    /// Routines 0 `main`, 1 `solve`, 2 `copy`; `solve` calls itself.
    fn group(x: &[f64], place: &[u32], context: &[u32]) -> Group {
        let of = |parent, routine| Context { parent, routine, samples: 0 };
        let at = |routine, line| Place { routine, line, file: "a.c".to_owned(), samples: 1 };
        Group {
            mean_duration_ns: 1e6,
            routines: ["main", "solve", "copy"].map(str::to_owned).to_vec(),
            places: vec![at(0, 5), at(1, 10), at(1, 11), at(2, 20)],
            contexts: vec![
                of(None, 0),
                of(Some(0), 1),
                of(Some(1), 1),
                of(Some(2), 2),
                of(Some(0), 2),
            ],
            lines: Lines { x: x.to_vec(), place: place.to_vec(), context: context.to_vec() },
            ..Group::default()
        }
    }

    fn curve(counter: &str, rate: &[f64]) -> Curve {
        let mean_rate = rate.iter().sum::<f64>() / rate.len() as f64;
        let instructions = counter == "INS";
        let (counter, rate) = (counter.to_owned(), rate.to_vec());
        Curve { counter, instructions, rate, mean_rate, ..Curve::default() }
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn a_part_has_the_time_between_its_ends_and_no_sample_of_others() {
        let mut group = group(&[0.1, 0.3, 0.5, 0.6, 0.9], &[0, 1, 2, 1, 3], &[0, 1, 1, 2, 4]);
        group.curves = vec![curve("INS", &[1.0, 1.0, 3.0])];
        let code = group.code_between([0.25, 0.65]);
        // From 0.25 to 0.4, to 0.55, and to 0.65.
        let lines = code.lines.iter().map(|line| (line.place, line.share, line.samples));
        let lines: Vec<_> = lines.collect();
        assert!(lines[0].0 == 1 && near(lines[0].1, 0.25) && lines[0].2 == 2, "{lines:?}");
        assert!(lines[1].0 == 2 && near(lines[1].1, 0.15) && lines.len() == 2, "{lines:?}");
        assert_eq!(
            group.lines_between([0.25, 0.65]),
            code.lines.iter().map(|line| (line.place, line.share)).collect::<Vec<_>>()
        );
        let main = code.routines.iter().find(|row| row.routine == 0).unwrap();
        assert!(near(main.inclusive, 0.4) && near(main.exclusive, 0.0), "{main:?}");
        assert_eq!(group.code_between([0.0, 1.0]), group.code());
        assert_eq!(group.code_between([0.65, 0.8]).lines, []);
        // A moment between two ranges is of the second.
        assert_eq!(group.samples_between([0.1, 0.5]), 0..2);
        assert_eq!(group.samples_between([0.5, 1.0]), 2..5);
    }

    #[test]
    fn a_sample_stands_for_half_the_gaps_beside_it() {
        for (x, expected) in [
            (&[][..], &[][..]),
            (&[0.3], &[1.0]),
            (&[0.25, 0.75], &[0.5, 0.5]),
            (&[0.0, 0.5, 0.5, 1.0], &[0.25, 0.25, 0.25, 0.25]),
            (&[0.1, 0.1, f64::NAN, 0.5], &[0.15, 0.15, 0.0, 0.7]),
            (&[-3.0, 7.0], &[0.5, 0.5]),
        ] {
            let shares = shares(x, WHOLE);
            assert!(
                shares.len() == x.len() && shares.iter().zip(expected).all(|(a, b)| near(*a, *b)),
                "{shares:?}"
            );
        }
    }

    #[test]
    fn recursion_counts_once_in_inclusive_time() {
        // A quarter each in main, in the inner solve, in copy under it, and in copy under main.
        let group = group(&[0.125, 0.375, 0.625, 0.875], &[0, 1, 3, 3], &[0, 2, 3, 4]);
        let table = group.code();
        let times = |routine: u32| {
            let row = table.routines.iter().find(|row| row.routine == routine).unwrap();
            (row.inclusive, row.exclusive, row.samples)
        };
        assert_eq!(times(0), (1.0, 0.25, 1));
        assert_eq!(times(1), (0.5, 0.25, 1), "solve is on the stack twice and half of the time");
        assert_eq!(times(2), (0.5, 0.5, 2));
        assert_eq!(table.routines[0].routine, 2, "the longest exclusive time first");
        let of_contexts: Vec<_> =
            table.contexts.iter().map(|time| (time.inclusive, time.exclusive)).collect();
        assert_eq!(of_contexts, [(1.0, 0.25), (0.5, 0.0), (0.5, 0.25), (0.25, 0.25), (0.25, 0.25)]);
    }

    #[test]
    fn without_contexts_the_innermost_routine_is_all_that_is_known() {
        let table = group(&[0.25, 0.75], &[1, 2], &[]).code();
        let [solve] = table.routines.as_slice() else { panic!("{:?}", table.routines) };
        assert_eq!((solve.routine, solve.inclusive, solve.exclusive), (1, 1.0, 1.0));
        assert_eq!(table.lines.iter().map(|line| line.place).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn many_samples_where_a_counter_counts_fast_weigh_no_more() {
        // A third of the time at 10 MIPS with as many samples as the rest at 1 MIPS.
        let x: Vec<f64> = (0..50)
            .map(|i| (f64::from(i) + 0.5) / 150.0)
            .chain((0..50).map(|i| (1.0 + 2.0 * (f64::from(i) + 0.5) / 50.0) / 3.0))
            .collect();
        let place: Vec<u32> = (0..100).map(|i| if i < 50 { 1 } else { 3 }).collect();
        let mut group = group(&x, &place, &[]);
        let step = |fast: f64, slow: f64| -> Vec<f64> {
            (0..3001).map(|j| if j < 1000 { fast } else { slow }).collect()
        };
        group.curves = vec![curve("INS", &step(10.0, 1.0)), curve("L1", &step(1.0, 0.5))];
        let table = group.code();
        let [copy, solve] = table.routines.as_slice() else { panic!("two routines") };
        assert!((copy.exclusive - 2.0 / 3.0).abs() < 0.01, "{}", copy.exclusive);
        assert!(near(copy.speed.rates[0].unwrap(), 1.0));
        assert!(near(solve.speed.rates[0].unwrap(), 10.0));
        assert!(near(copy.speed.per_instruction[1].unwrap(), 0.5));
        assert!(near(solve.speed.per_instruction[1].unwrap(), 0.1));
        assert_eq!(table.mips, Some([1.0, 10.0]));
        assert!(near(copy.speed.histogram[0], copy.exclusive));
        assert!(near(solve.speed.histogram[BINS - 1], solve.exclusive));
        assert_eq!(solve.speed.histogram.iter().filter(|share| **share > 0.0).count(), 1);
    }

    #[test]
    fn a_ratio_is_that_of_the_sums_and_needs_instructions() {
        let mut group = group(&[0.0, 0.5, 1.0], &[1, 1, 3], &[]);
        group.curves = vec![curve("L1", &[2.0, 3.0, 5.0]), curve("INS", &[10.0, 30.0, 0.01])];
        let table = group.code();
        // 1/4 of the time at 2 and 10, half of it at 3 and 30: (0.5 + 1.5) / (2.5 + 15).
        let solve = &table.routines[0].speed;
        assert!(near(solve.per_instruction[0].unwrap(), 2.0 / 17.5));
        assert!(near(solve.rates[1].unwrap(), 17.5 / 0.75));
        assert_eq!(table.routines[1].speed.per_instruction[0], None);
        assert_eq!(table.routines[1].speed.rates[0], Some(5.0));
    }

    #[test]
    fn indices_that_lead_nowhere_are_passed_over() {
        let mut group = group(&[0.1, 0.2, 0.3], &[0, 99, 1], &[0, 99, 1]);
        group.places[1].routine = 77;
        group.contexts.push(Context { parent: Some(1), routine: u32::MAX, samples: 0 });
        let table = group.code();
        assert_eq!(table.lines.len(), 2);
        assert_eq!(table.routines.len(), 2, "main, and solve above it");
    }

    #[test]
    fn long_chains_and_wide_trees_take_no_long_time() {
        let of = |parent, routine| Context { parent, routine, samples: 0 };
        let chain: Vec<_> = (0..200_000_u32).map(|i| of(i.checked_sub(1), i % 2)).collect();
        assert_eq!(outermost(&chain, 2).iter().filter(|outermost| **outermost).count(), 2);
        let wide: Vec<_> = (0..200_000_u32).map(|i| of((i > 0).then_some(0), i)).collect();
        assert!(outermost(&wide, 200_000).into_iter().all(|outermost| outermost));
    }
}
