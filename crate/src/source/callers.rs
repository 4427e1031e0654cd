use std::collections::{BTreeMap, BTreeSet};

use super::frames::FrameReader;
use super::numbered::Numbered;
use super::stacks::{Met, in_words};
use crate::folding::{Callers, Fate, Lines, Phase, Place};
use crate::instance::{Giving, Group, Rulers};
use crate::order::{self, Numbers};
use crate::trace::{Kind, Moment, Origin, Trace};

/// More calls than this no lane can show: of more one in several is kept.
const MOST_CALLS: usize = 10_000;

/// A phase whose longest stretch without a call is a smaller share of it is spent in calls: as much of
/// the stretch before them lies in it as calls of instances are not at the same place.
const SHORTEST: f64 = 0.1;

/// A stretch without a call, in folded time, and what makes the call that ends it: first the number of
/// the path to it, in the end that of a place.
#[derive(Clone, Copy)]
struct Between {
    from: f64,
    to: f64,
    caller: Option<u32>,
}

/// From where the kept instances of `group` call a runtime; `None` if no caller is known. Phases are
/// told which calls end them. Of those that are `giving`. O(calls × phases + n log n).
///
/// Between two calls of an instance nothing is known but that the later one ends what is between. A
/// phase is ended by the call that ends the longest stretch of it without a call; where calls from
/// one routine do in at least half of the instances.
#[inline(never)]
pub fn callers(
    trace: &Trace,
    group: &Group,
    rulers: &Rulers,
    giving: &Giving,
    phases: &mut [Phase],
) -> Option<Callers> {
    let is_call = |kind| matches!(kind, Kind::Region(_, Origin::Runtime(_)));
    let shapes = trace.shapes_with(|_, kind| is_call(kind));
    let mut paths = Paths::default();
    let mut of_instances: Vec<Vec<Between>> = Vec::new();
    let given = group.instances.iter().enumerate().filter(|(at, _)| giving.has(*at));
    for (_, (instance, _)) in given.filter(|(_, (_, fate))| *fate == Fate::Used) {
        let thread = &trace.threads[instance.thread as usize];
        let ruler = rulers.ruler(trace, instance);
        // With the call, if it is one, at which the next instance begins.
        let moments = thread.moments_between(instance.first, instance.last.saturating_add(1));
        let mut between: Vec<Between> = Vec::new();
        // Where the last call returned, unless one goes on.
        let mut free_from = Some(0.0);
        for moment in moments.filter(|moment| moment.is_of(&shapes)) {
            let Some(x) = ruler.place(moment.time) else { continue };
            let calls = moment.events().filter(|event| is_call(trace.kind(event.event_type)));
            let (returns, begins) = calls.fold((false, false), |(returns, begins), event| {
                (returns || event.value == 0, begins || event.value > 0)
            });
            if returns {
                free_from = Some(x);
            }
            if !begins {
                continue;
            }
            let path = paths.of(trace, &moment);
            between.push(Between { from: free_from.take().unwrap_or(x), to: x, caller: path });
        }
        of_instances.push(between);
    }
    let frame_of_path = paths.outside_layers();
    let mut met = paths.met;
    let callers = || of_instances.iter().flatten().filter_map(|between| between.caller);
    for path in callers() {
        if let Some(met) = &mut met[frame_of_path[path as usize] as usize] {
            met.samples += 1;
        }
    }
    callers().next()?;
    let (routines, places, place_of_frame) = in_words(met);
    for caller in of_instances.iter_mut().flatten().filter_map(|between| between.caller.as_mut()) {
        *caller = place_of_frame[frame_of_path[*caller as usize] as usize];
    }
    let calls = of_instances.iter().flatten();
    let mut all = calls.filter_map(|call| Some((call.to, call.caller?))).collect::<Vec<_>>();
    order::by_number(&mut all, |(x, _)| order::of_float(*x));
    let one_in = all.len().div_ceil(MOST_CALLS).max(1);
    let (x, place) = all.into_iter().step_by(one_in).unzip();
    for phase in phases {
        let endings = of_instances.iter().map(|calls| ending(calls, phase)).collect::<Vec<_>>();
        if let Some((place, lines)) = end(&endings, &places) {
            (phase.end_place, phase.end_lines) = (Some(place), lines);
        }
    }
    let lines = Lines { x, place, context: vec![] };
    Some(Callers { routines, hues: vec![], places, lines })
}

/// Call-stacks of callers, each once.
#[derive(Default)]
struct Paths {
    reader: FrameReader,
    frames: Numbered,
    /// Of each frame, by its number; `None` of those that are not known.
    met: Vec<Option<Met>>,
    /// The known frames of each, from the innermost outwards; at least one. With each the path without
    /// its last frame.
    paths: Vec<Vec<u32>>,
    numbers: Numbers,
}

impl Paths {
    /// The number of the path to the call that begins in a moment; `None` if no caller is known.
    fn of(&mut self, trace: &Trace, moment: &Moment<'_>) -> Option<u32> {
        let Self { reader, frames, met, paths, numbers } = self;
        let known = reader.callers(trace, moment).filter_map(|frame| {
            let number = frames.of(frame.key()) as usize;
            if number == met.len() {
                let words = frame.in_words(trace);
                met.push(words.map(|words| Met { number, words, samples: 0 }));
            }
            met[number].is_some().then_some(number as u32)
        });
        let mut path = None;
        for frame in known {
            // A path is the one without its last frame, and that frame.
            let before = path.map_or(0, |path: u32| u64::from(path) + 1);
            let number = numbers.of([before, u64::from(frame), 0]) as u32;
            if number as usize == paths.len() {
                let before = path.and_then(|path| paths.get(path as usize));
                let mut frames = before.cloned().unwrap_or_default();
                frames.push(frame);
                paths.push(frames);
            }
            path = Some(number);
        }
        path
    }

    /// Of each path the frame that tells most: the innermost one that lies in no layer, or of those in
    /// layers alone the innermost.
    ///
    /// A layer is a file that routines of several other files call to have it call the runtime: what is
    /// told by it is told of all of them.
    fn outside_layers(&self) -> Vec<u32> {
        let words = |frame: &u32| self.met[*frame as usize].as_ref().map(|met| &met.words);
        let mut users: BTreeMap<&str, BTreeSet<(&str, &str)>> = BTreeMap::new();
        for path in &self.paths {
            let named = path.iter().filter_map(words).collect::<Vec<_>>();
            for both in named.windows(2) {
                let [(inner, _), (outer, routine)] = [both[0], both[1]];
                if !inner.file.is_empty() && !outer.file.is_empty() && inner.file != outer.file {
                    users.entry(&inner.file).or_default().insert((&outer.file, routine));
                }
            }
        }
        let is_layer = |file: &str| users.get(file).is_some_and(|users| users.len() > 1);
        let tells = |path: &Vec<u32>| {
            let outside =
                path.iter().find(|frame| words(frame).is_some_and(|of| !is_layer(&of.0.file)));
            outside.or(path.first()).copied().unwrap_or(0)
        };
        self.paths.iter().map(tells).collect()
    }
}

/// The place of the call that ends the longest stretch without a call in a phase; `None` if it is not
/// known, or there is none of that length.
fn ending(calls: &[Between], phase: &Phase) -> Option<u32> {
    let inside = |of: &Between| of.to.min(phase.end) - of.from.max(phase.start);
    // Of two alike the first.
    let longest = calls.iter().rev().max_by(|a, b| inside(a).total_cmp(&inside(b)))?;
    let is_long = inside(longest) >= SHORTEST * (phase.end - phase.start);
    longest.caller.filter(|_| is_long)
}

/// The place and the lines that most instances end a phase with, if calls from one routine do in half of them.
fn end(endings: &[Option<u32>], places: &[Place]) -> Option<(u32, [u32; 2])> {
    let mut counts = vec![0usize; places.len()];
    endings.iter().flatten().for_each(|place| counts[*place as usize] += 1);
    let of = |place: usize| {
        let own = &places[place];
        let alike = places
            .iter()
            .zip(&counts)
            .filter(move |(other, _)| (other.routine, &other.file) == (own.routine, &own.file));
        alike.filter(|(_, count)| **count > 0)
    };
    let most = (0..places.len()).rev().max_by_key(|place| counts[*place])?;
    let together = of(most).map(|(_, count)| count).sum::<usize>();
    if together == 0 || 2 * together < endings.len() {
        return None;
    }
    let lines = of(most).map(|(place, _)| place.line);
    let [first, last] = [lines.clone().min(), lines.max()].map(Option::unwrap_or_default);
    Some((most as u32, [first, last]))
}

#[cfg(test)]
mod tests {
    use super::super::CodeLine;
    use super::*;

    fn words(frames: &[(&str, u32, &str)]) -> Vec<Option<Met>> {
        let met = |(number, (file, line, routine)): (usize, &(&str, u32, &str))| {
            let line = CodeLine { file: (*file).to_owned(), line: *line };
            Some(Met { number, words: (line, (*routine).to_owned()), samples: 0 })
        };
        frames.iter().enumerate().map(met).collect()
    }

    #[test]
    fn what_several_routines_of_other_files_call_tells_less_than_they_do() {
        let met = words(&[
            ("comm.c", 10, "send"),
            ("solve.c", 20, "momentum"),
            ("solve.c", 30, "energy"),
            ("main.c", 5, "main"),
            ("main.c", 9, "norm"),
            ("io.c", 7, "write"),
        ]);
        let chosen = |paths: &[&[u32]]| {
            let paths = paths.iter().map(|path| path.to_vec()).collect();
            let met = met
                .iter()
                .map(|met| met.as_ref().map(|met| Met { words: met.words.clone(), ..*met }));
            Paths { paths, met: met.collect(), ..Paths::default() }.outside_layers()
        };
        // Two routines send; one writes; `norm` is called in its own file.
        let paths: [&[u32]; 4] = [&[0, 1, 3], &[0, 2, 3], &[5, 3], &[4, 3]];
        assert_eq!(chosen(&paths), [1, 2, 5, 4]);
        // One alone sends: that is no layer.
        assert_eq!(chosen(&[&[0, 1, 3], &[4, 3]]), [0, 4]);
        // Of a path that goes no further than the layer the innermost is all there is.
        assert_eq!(chosen(&[&[0, 1], &[0, 2], &[0]]), [1, 2, 0]);
        // Routines of its own file do not make it one, however many lead to the call.
        let own = [&[0, 1][..], &[5, 3], &[4, 3]];
        assert_eq!(chosen(&own), [0, 5, 4]);
        assert_eq!(chosen(&[&[3, 4, 1], &[4, 3, 1]]), [3, 4]);
        assert!(chosen(&[]).is_empty());
    }

    fn between(stretches: &[(f64, f64, u32)]) -> Vec<Between> {
        stretches
            .iter()
            .map(|&(from, to, caller)| Between { from, to, caller: Some(caller) })
            .collect()
    }

    #[test]
    fn a_phase_ends_with_the_call_behind_its_longest_stretch_and_one_of_waiting_with_none() {
        let calls = between(&[(0.0, 0.3, 1), (0.31, 0.4, 2), (0.9, 1.0, 3)]);
        let of = |start, end| ending(&calls, &Phase { start, end, ..Phase::default() });
        assert_eq!([of(0.0, 0.5), of(0.25, 0.45), of(0.5, 1.0)], [Some(1), Some(2), Some(3)]);
        assert_eq!([of(0.4, 0.9), of(0.5, 0.91)], [None, None], "all of it is a call");
        let alike = between(&[(0.0, 0.25, 1), (0.5, 0.75, 2), (0.75, 1.0, 3)]);
        let whole = Phase { start: 0.0, end: 1.0, ..Phase::default() };
        assert_eq!(ending(&alike, &whole), Some(1), "the first of those alike");
        assert_eq!(ending(&[], &Phase { start: 0.0, end: 1.0, ..Phase::default() }), None);
    }

    #[test]
    fn half_of_the_instances_agree_on_a_routine_if_not_on_its_line() {
        let place = |routine, line| Place { routine, line, file: "a.c".to_owned(), samples: 1 };
        let places = [place(0, 10), place(0, 14), place(1, 30)];
        let of = |endings: &[Option<u32>]| end(endings, &places);
        assert_eq!(of(&[Some(0), Some(1), Some(1), Some(2), None]), Some((1, [10, 14])));
        assert_eq!(of(&[Some(0), Some(2), None, None, None]), None, "too few");
        assert_eq!(of(&[None, None]), None);
        assert_eq!(of(&[]), None);
    }
}
