//! What the threads of a program do from their begin to their end, as a time line.

use super::activity::between;
use super::bursts::{stretches, tasks};
use super::computing::Calls;
use super::doing::Doings;
use super::{Burst, Seen, Timeline};
use crate::folding::Doing;
use crate::glance::Colour;
use crate::instance::BurstsFrom;
use crate::trace::Trace;

impl Timeline {
    /// Of a run in which `seen` was found, with bursts by what `from` says, by [`Doing`]; nothing where
    /// that is not known. A burst has its work, all else has none. O(events).
    pub fn of_activity(trace: &Trace, seen: &Seen, from: BurstsFrom) -> Self {
        let (doings, calls) = (Doings::of(trace), Calls::of(trace, from));
        let mut timeline = Self::with_room(seen.runtime_ns(trace) as u64, seen.bursts.len());
        let mut numbers = 0..;
        for task in tasks(trace) {
            let in_no_call = doings.in_no_call(task);
            for (thread, computes) in task.iter().zip(stretches(&calls, task, from)) {
                let number = numbers.next().unwrap_or_default();
                if seen.threads.binary_search(&number).is_err() {
                    continue;
                }
                let (begin_ns, end_ns) = thread.lifetime_ns();
                let changes = doings.of_thread(thread, &computes, in_no_call(thread));
                for (change, from_ns, to_ns) in between(&changes, [begin_ns, end_ns]) {
                    let place = |burst: &Burst| (burst.thread, burst.begin_ns);
                    let burst = seen.bursts.binary_search_by_key(&(number, from_ns), place);
                    let burst = burst.ok().filter(|_| change.doing == Doing::Computing);
                    let work = burst.and_then(|at| seen.work.get(at).copied().flatten());
                    if change.doing != Doing::Other && from_ns < to_ns {
                        timeline.push([from_ns, to_ns], change.doing.class().into(), work);
                    }
                }
                timeline.end_thread();
            }
        }
        timeline.colour((Colour::Activity, None));
        timeline
    }
}

#[cfg(test)]
mod tests {
    use super::super::made_up::{COLLECTIVE, POINT_TO_POINT, Program};
    use super::*;
    use crate::glance::{Brush, Raster, Window};
    use crate::instance::Repeating;

    /// Two ranks, in units of 128 ns: `c` computes, `p` and `a` are in calls of both kinds, of the rest
    /// nothing is known.
    const RANKS: [&str; 2] = ["ccccppcc", "cc..aacc"];
    const UNIT_NS: u64 = 128;

    fn trace() -> Trace {
        let mut program = Program::lasting(8 * UNIT_NS);
        for (task, units) in (1..).zip(RANKS) {
            let units = units.char_indices().map(|(at, unit)| (at as u64 * UNIT_NS, unit));
            let units = units.collect::<Vec<_>>();
            for of in units.chunk_by(|a, b| a.1 == b.1) {
                let (begin_ns, end_ns) = (of[0].0, of[of.len() - 1].0 + UNIT_NS);
                let call = match of[0].1 {
                    'p' => POINT_TO_POINT,
                    'a' => COLLECTIVE,
                    'c' => {
                        program.computes([1, task, 1], begin_ns, end_ns, &[]);
                        continue;
                    }
                    _ => continue,
                };
                program.reads([1, task, 1], begin_ns, &[[call, 4]]);
                program.reads([1, task, 1], end_ns, &[[call, 0]]);
            }
        }
        program.trace()
    }

    fn shown(brush: Option<Brush>) -> Raster {
        let trace = trace();
        let seen = Seen::of(&trace, &Repeating::default());
        let mut timeline = Timeline::of_activity(&trace, &seen, BurstsFrom::Auto);
        let window =
            Window { from: 0.0, to: 1.0, columns: 8, rows: 2, by: Colour::Activity, brush };
        timeline.raster(&window)
    }

    #[test]
    fn every_pixel_has_what_its_thread_does_there() {
        let class = |unit: char| match unit {
            'c' => Doing::Computing.class(),
            'p' => Doing::PointToPoint.class(),
            'a' => Doing::Collective.class(),
            _ => Raster::NOTHING,
        };
        let raster = shown(None);
        assert_eq!(raster.classes, RANKS.concat().chars().map(class).collect::<Vec<_>>());
        assert_eq!((raster.present, raster.scale), (0b111, [0.0; 2]));
    }

    #[test]
    fn of_what_is_brushed_only_bursts_are_as_they_were() {
        // Without counters across is the thread: all bursts of the second that last two units.
        let (across, up) = ([2.0, 2.0], [250.0, 260.0]);
        let raster = shown(Some(Brush { across, up, durations: true, ..Brush::default() }));
        let full = |class: &u8| (1..=7).contains(class);
        let full = raster.classes.iter().map(|class| if full(class) { 'x' } else { '.' });
        assert_eq!(full.collect::<String>(), [".".repeat(8), "xx....xx".to_owned()].concat());
    }
}
