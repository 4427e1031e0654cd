use super::prevailing::prevailing;
use super::runs::{Run, bridged, meet, runs};
use super::tree::Tree;
use super::{Aligned, Shortest, Stacks};
use crate::folding::{Method, Stretch};
use crate::order;

/// Short stretches have at least so many samples, and are at least this share of the region.
const LEAST_SAMPLES: u32 = 3;
const FINEST: f64 = 1.0 / 2000.0;
/// Of more stretches the longest are found.
const MOST: usize = 4096;

/// The routines that represent a region, outer ones round inner ones: by start, then by level.
///
/// Level by level, from the roots, the runs of samples in one context are looked for, and inside of
/// each that is long enough those of the next level; the time of those that are not belongs to the
/// caller. Beside them there are *short* ones, which are for who looks closer. Where only innermost
/// frames were captured no caller stands for those that take turns: there a stretch belongs to the
/// routine that most of its samples are in.
/// O(samples × levels).
///
/// Source: Servat 2015, §4.5.2. That borders lie half-way between samples and that short stretches
/// are kept is ours, and, but for [`Method::Pivot`], that single foreign samples are passed over.
pub fn stretches(
    stacks: &Stacks,
    aligned: &Aligned,
    shortest: Shortest,
    duration_ns: f64,
) -> Vec<Stretch> {
    let tree = Tree::new(&aligned.contexts);
    let samples = (0..stacks.len() as u32)
        .filter(|sample| aligned.left_out.binary_search(sample).is_err())
        .collect::<Vec<_>>();
    let search = Search {
        tree: &tree,
        borders: borders(samples.iter().map(|&sample| stacks.x[sample as usize])),
        context: samples.iter().map(|&sample| aligned.context[sample as usize]).collect(),
        limits: shortest.limits(duration_ns),
        exact: aligned.method == Method::Pivot,
    };
    let mut found = match stacks.depth() == 1 && !search.exact {
        true => search.alone(),
        false => search.all(),
    };
    // A stretch is no longer than the one it lies in, which is kept before it.
    order::by_number(&mut found, |found| found.level.into());
    order::by_number(&mut found, |found| !order::of_float(search.width(&found.run)));
    found.truncate(MOST);
    order::by_number(&mut found, |found| found.level.into());
    order::by_number(&mut found, |found| found.run.start as u64);
    let mut lines = Lines::new(stacks);
    let stretch = |Found { run, level, short }| {
        let inside =
            (run.start..run.end).filter(|&at| tree.is_within(search.context[at], run.context));
        let frames = inside.filter_map(|at| {
            let sample = samples[at] as usize;
            // Frames in front of those that were captured have no line.
            let above = tree.level[search.context[at] as usize] + 1;
            let missing = above.checked_sub(stacks.of(sample).len() as u32)?;
            stacks.of(sample).get(level.checked_sub(missing)? as usize).copied()
        });
        Stretch {
            start: search.borders[run.start],
            end: search.borders[run.end],
            place: lines.most(frames, aligned.contexts[run.context as usize].routine),
            samples: run.samples,
            level,
            context: Some(run.context),
            short,
        }
    };
    found.into_iter().map(stretch).collect()
}

/// Half-way between samples, and the ends of the region.
fn borders(x: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut borders = vec![0.0];
    let mut last = None;
    for x in x {
        borders.extend(last.map(|last: f64| last + (x - last) / 2.0));
        last = Some(x);
    }
    borders.push(1.0);
    borders
}

/// A run of a context so many levels below its root.
struct Found {
    run: Run,
    level: u32,
    short: bool,
}

struct Search<'a> {
    tree: &'a Tree,
    /// Of each sample the border before it, and the one behind the last.
    borders: Vec<f64>,
    /// Of each sample.
    context: Vec<u32>,
    /// Least width and least samples of a stretch that is not short.
    limits: (f64, u32),
    /// Whether a single foreign sample ends a run, as it does in what was published.
    exact: bool,
}

impl Search<'_> {
    fn width(&self, run: &Run) -> f64 {
        self.borders[run.end] - self.borders[run.start]
    }

    fn all(&self) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        let mut room = Vec::new();
        let all = (0, self.context.len());
        self.inside(None, all, &mut room, &mut found);
        let mut searched = 0;
        while let Some(outer) = found.get(searched) {
            let outer = Found { ..*outer };
            searched += 1;
            self.inside(Some(&outer), (outer.run.start, outer.run.end), &mut room, &mut found);
        }
        found
    }

    /// Those of samples with a single frame.
    fn alone(&self) -> Vec<Found> {
        let roots = self.context.iter().map(|&context| self.tree.root[context as usize]);
        let mut runs = prevailing(&roots.collect::<Vec<_>>(), &self.borders, self.limits.0);
        runs.retain(|run| run.samples >= self.limits.1);
        let lasts = |run: &Run| Found { run: *run, level: 0, short: false };
        let is_free = |found: &Found| {
            let meets = |run: &Run| found.run.start < run.end && run.start < found.run.end;
            found.short && !runs.iter().any(meets)
        };
        let mut found = self.all();
        found.retain(is_free);
        found.extend(runs.iter().map(lasts));
        found
    }

    /// The stretches right inside `outer`, which has these samples; of the whole region the roots.
    fn inside(
        &self,
        outer: Option<&Found>,
        (first, end): (usize, usize),
        room: &mut Vec<Option<u32>>,
        found: &mut Vec<Found>,
    ) {
        room.clear();
        let mut last = None;
        for &context in &self.context[first..end] {
            let inner = match (last, outer) {
                (Some((known, inner)), _) if known == context => inner,
                (_, Some(outer)) => self.tree.child_towards(outer.run.context, context),
                (_, None) => Some(self.tree.root[context as usize]),
            };
            last = Some((context, inner));
            room.push(inner);
        }
        let (width, samples) = self.limits;
        let single_width = |at: usize| self.borders[first + at + 1] - self.borders[first + at];
        let is_brief = |at: usize| match width > 0.0 {
            true => single_width(at) < width,
            false => samples > 1,
        };
        let is_long = |run: &Run| {
            let width_found = self.borders[first + run.end] - self.borders[first + run.start];
            // What is as long as asked for, but for the last digits of its borders, is long enough.
            width_found >= width * (1.0 - 1e-9) && run.samples >= samples
        };
        let mut runs = runs(room);
        if !self.exact {
            runs = joined(bridged(runs, is_brief), room, is_long);
        }
        let level = outer.map_or(0, |outer| outer.level + 1);
        for run in runs {
            let short = outer.is_some_and(|outer| outer.short) || !is_long(&run);
            let run = Run { start: first + run.start, end: first + run.end, ..run };
            let is_seen = self.width(&run) >= FINEST && run.samples >= LEAST_SAMPLES;
            if (is_seen || !short) && self.width(&run) > 0.0 {
                found.push(Found { run, level, short });
            }
        }
    }
}

/// Lets long runs meet between which the two mix for less than is long.
fn joined(runs: Vec<Run>, contexts: &[Option<u32>], is_long: impl Fn(&Run) -> bool) -> Vec<Run> {
    let mut joined: Vec<Run> = Vec::with_capacity(runs.len());
    let mut last_long = None;
    for mut run in runs {
        if is_long(&run) {
            if let Some(last) = last_long {
                let left: &mut Run = &mut joined[last];
                let samples = (run.start - left.end) as u32;
                let between = Run { start: left.end, end: run.start, samples, context: 0 };
                if !is_long(&between) && meet(contexts, left, &mut run) {
                    joined.truncate(last + 1);
                }
            }
            last_long = Some(joined.len());
        }
        joined.push(run);
    }
    joined
}

/// How often the frames of a stretch are at which line.
struct Lines<'a> {
    stacks: &'a Stacks,
    counts: Vec<u32>,
    /// For each routine the line that most frames of it are at.
    of_routine: Vec<u32>,
}

impl<'a> Lines<'a> {
    fn new(stacks: &'a Stacks) -> Self {
        let mut counts = vec![0u32; stacks.places.len()];
        for &place in &stacks.frames {
            counts[place as usize] += 1;
        }
        let mut most = vec![(0, 0); stacks.routines.len()];
        for (place, (at, &count)) in (0u32..).zip(stacks.places.iter().zip(&counts)) {
            let of_routine = &mut most[at.routine as usize];
            if count > of_routine.1 {
                *of_routine = (place, count);
            }
        }
        counts.fill(0);
        Self { stacks, counts, of_routine: most.into_iter().map(|(place, _)| place).collect() }
    }

    /// The place that most of `places` are, the first of two alike; without any, the one where
    /// `routine` is most often.
    fn most(&mut self, places: impl Iterator<Item = u32>, routine: u32) -> u32 {
        let mut met = Vec::new();
        for place in places {
            let count = &mut self.counts[place as usize];
            if *count == 0 {
                met.push(place);
            }
            *count += 1;
        }
        let best = |&place: &u32| (self.counts[place as usize], std::cmp::Reverse(place));
        let most = met.iter().copied().max_by_key(best);
        met.iter().for_each(|&place| self.counts[place as usize] = 0);
        debug_assert!(
            most.is_none_or(|place| self.stacks.places[place as usize].routine == routine)
        );
        most.unwrap_or(self.of_routine[routine as usize])
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::stacks::tests::named;
    use super::super::{Align, align};
    use super::*;
    use crate::folding::Place;

    /// Level, first and last sample, routine.
    type Selected = (u32, usize, usize, String);

    fn selected(stacks: &Stacks, aligned: &Aligned, shortest: Shortest) -> Vec<Selected> {
        let sample = |border: f64| (border * stacks.len() as f64 + 0.5) as usize;
        let found = stretches(stacks, aligned, shortest, 1e6);
        let told = found.iter().filter(|found| !found.short).map(|found| {
            let routine = aligned.contexts[found.context.unwrap() as usize].routine;
            let name = stacks.routines[routine as usize].clone();
            (found.level, sample(found.start), sample(found.end) - 1, name)
        });
        told.collect()
    }

    /// Each letter is a sample in `main > x`; `.` is one in `main` itself.
    fn of_letters(text: &str) -> Stacks {
        let stack = |letter: char| match letter {
            '.' => vec!["main".to_owned()],
            _ => vec!["main".to_owned(), letter.to_string()],
        };
        named(&text.chars().map(stack).collect::<Vec<_>>())
    }

    fn names(text: &str, shortest: Shortest) -> Vec<Selected> {
        let stacks = of_letters(text);
        selected(&stacks, &align(&stacks, Align::Chain), shortest)
    }

    #[test]
    fn the_selection_of_the_published_example_is_reproduced() {
        let text = include_str!("../../../tests/oracles/callstack_fig2.json");
        let figure: Value = serde_json::from_str(text).unwrap();
        let words = |value: &Value| {
            let words = value.as_array().unwrap().iter().map(|word| word.as_str().unwrap());
            words.map(str::to_owned).collect::<Vec<_>>()
        };
        let samples = figure["samples"].as_array().unwrap();
        let samples = samples.iter().map(|sample| words(&sample["frames_outermost_first"]));
        let stacks = named(&samples.collect::<Vec<_>>());
        let number = |name: &Value| name.as_str().unwrap()[1..].parse::<usize>().unwrap() - 1;
        let expected = figure["selected"].as_array().unwrap().iter().map(|row| {
            let level = row["height"].as_u64().unwrap() as u32 - 1;
            let name = row["routine"].as_str().unwrap().to_owned();
            (level, number(&row["first"]), number(&row["last"]), name)
        });
        let mut expected = expected.collect::<Vec<_>>();
        expected.sort_by_key(|row| (row.1, row.0));
        let threshold = Shortest::Samples(figure["threshold"].as_u64().unwrap() as u32);
        let found = selected(&stacks, &align(&stacks, Align::Pivot), threshold);
        assert_eq!(found, expected);
    }

    #[test]
    fn inner_routines_lie_inside_of_outer_ones() {
        let found = names("..aaaaa....bbbb.c.c.", Shortest::Percent(20.0));
        let stretch = |level, first, last, name: &str| (level, first, last, name.to_owned());
        assert_eq!(
            found,
            [stretch(0, 0, 19, "main"), stretch(1, 2, 6, "a"), stretch(1, 11, 14, "b")]
        );
    }

    #[test]
    fn a_single_foreign_sample_ends_a_stretch_only_as_published() {
        let text = "aaaaaabaaaaaa";
        let stacks = of_letters(text);
        let mut aligned = align(&stacks, Align::Chain);
        let whole = selected(&stacks, &aligned, Shortest::Samples(4));
        assert_eq!(whole[1..], [(1, 0, 12, "a".to_owned())]);
        aligned.method = Method::Pivot;
        let published = selected(&stacks, &aligned, Shortest::Samples(4));
        assert_eq!(published[1..], [(1, 0, 5, "a".to_owned()), (1, 7, 12, "a".to_owned())]);
    }

    #[test]
    fn routines_that_mix_where_they_change_leave_no_gap() {
        let found = names("aaaaaabaabbabbbbbbbb", Shortest::Percent(25.0));
        let stretch = |level, first, last, name: &str| (level, first, last, name.to_owned());
        assert_eq!(
            found,
            [stretch(0, 0, 19, "main"), stretch(1, 0, 8, "a"), stretch(1, 9, 19, "b")]
        );
        // Where they take turns for longer, neither has the time.
        let found = names("aaaaaabababababbbbbb", Shortest::Percent(25.0));
        assert_eq!(
            found,
            [stretch(0, 0, 19, "main"), stretch(1, 0, 5, "a"), stretch(1, 14, 19, "b")]
        );
    }

    #[test]
    fn every_unit_of_the_shortest_is_a_limit() {
        // `a` has 4 of 20 samples, and a fifth of the region: 200,000 ns.
        let text = "..aaaa..............";
        for (fits, too_much) in [
            (Shortest::Samples(4), Shortest::Samples(5)),
            (Shortest::Percent(20.0), Shortest::Percent(20.1)),
            (Shortest::Ns(200_000), Shortest::Ns(201_000)),
        ] {
            assert_eq!(names(text, fits).len(), 2, "{fits}");
            assert_eq!(names(text, too_much).len(), 1, "{too_much}");
        }
    }

    #[test]
    fn what_is_shorter_is_kept_for_who_looks_closer() {
        let stacks = of_letters("....aaaa....bb......");
        let aligned = align(&stacks, Align::Chain);
        let found = stretches(&stacks, &aligned, Shortest::Percent(50.0), 1e6);
        let found = found.iter().map(|s| (s.level, s.samples, s.short)).collect::<Vec<_>>();
        // Two samples are too few.
        assert_eq!(found, [(0, 20, false), (1, 4, true)]);
    }

    #[test]
    fn what_is_too_narrow_to_be_seen_is_not_kept_though_it_has_samples() {
        let stretches = |step: f64| {
            let mut stacks = of_letters("..aaa..");
            let near = (0..5).map(|at| 0.5 + f64::from(at) * step);
            stacks.x = [0.1].into_iter().chain(near).chain([0.9]).collect();
            let aligned = align(&stacks, Align::Chain);
            super::stretches(&stacks, &aligned, Shortest::Percent(50.0), 1e6).len()
        };
        // Of `a` three steps: 0.03 % and 0.06 % of the region.
        assert_eq!((stretches(0.0001), stretches(0.0002)), (1, 2));
    }

    #[test]
    fn a_stretch_has_the_line_that_its_own_frame_is_at() {
        // `main` calls from line 7 but for two samples; the callee is at lines of its own.
        let mut stacks = of_letters("aaaaaaaaa");
        let place = |(routine, line)| Place { routine, line, file: "a.c".to_owned(), samples: 0 };
        stacks.places = [(0, 3), (0, 4), (1, 7), (1, 9)].map(place).to_vec();
        let main = [2, 2, 3, 2, 2, 3, 2, 2, 2];
        let inner = [0, 1, 1, 1, 0, 1, 0, 1, 1];
        stacks.frames = main.into_iter().zip(inner).flat_map(|(a, b)| [a, b]).collect();
        let aligned = align(&stacks, Align::Chain);
        let found = stretches(&stacks, &aligned, Shortest::Samples(2), 1e6);
        assert_eq!(found.iter().map(|s| s.place).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn borders_lie_half_way_and_at_the_ends() {
        let mut stacks = of_letters("aab");
        stacks.x = vec![0.1, 0.3, 0.9];
        let found = stretches(&stacks, &align(&stacks, Align::Chain), Shortest::Samples(1), 1e6);
        let ends = found.iter().map(|s| (s.start, s.end)).collect::<Vec<_>>();
        let middle = 0.3 + (0.9 - 0.3) / 2.0;
        assert_eq!(ends, [(0.0, 1.0), (0.0, middle), (middle, 1.0)]);
    }

    #[test]
    fn samples_of_one_moment_and_none_at_all_are_no_stretch() {
        let mut stacks = of_letters("aabb");
        stacks.x = vec![0.5; 4];
        let found = stretches(&stacks, &align(&stacks, Align::Chain), Shortest::Samples(1), 1e6);
        assert!(found.iter().all(|found| found.start < found.end), "{found:?}");
        let none = Stacks { first: vec![0], ..Stacks::default() };
        let aligned = align(&none, Align::Pivot);
        assert_eq!(
            (stretches(&none, &aligned, Shortest::default(), 1e6), aligned.coverage()),
            (vec![], (0.0, 0))
        );
    }
}
