//! Which thread of a recording is which of a trace.

use crate::order;
use crate::trace::{Object, Trace};

/// How threads were told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Both have the numbers that the system gives.
    Number,
    /// The first process is the first task, its first thread the first thread.
    Order,
}

/// For each thread of `recording` the index of the thread of `trace` that it is, if any; no two are
/// the same.
///
/// Recordings of perf know a thread by the number that the system gave: if any is in both, all are
/// told apart so. Otherwise the k-th process that `takes_part` is task k and its h-th thread thread
/// h of it, by increasing number; if the recording does not tell processes apart, the k-th thread
/// is the k-th of the trace. O(threads log threads).
pub fn matched(trace: &Trace, recording: &Trace, takes_part: &[bool]) -> (Vec<Option<usize>>, By) {
    let both_of_perf = trace.start_on_clock_ns.is_some() && recording.start_on_clock_ns.is_some();
    if both_of_perf {
        let same = by_number(trace, recording);
        if same.iter().any(Option::is_some) {
            return (same, By::Number);
        }
    }
    (by_order(trace, recording, takes_part), By::Order)
}

fn by_number(trace: &Trace, recording: &Trace) -> Vec<Option<usize>> {
    let mut taken = vec![false; trace.threads.len()];
    let home = |object: Object| {
        let of_number = |index: &usize| trace.threads[*index].object.thread == object.thread;
        let same = (0..trace.threads.len()).filter(of_number);
        let free = same.filter(|&index| !taken[index]).collect::<Vec<_>>();
        // Without its process the number says it all.
        let of_process = |index: &&usize| trace.threads[**index].object == object;
        let found = free.iter().find(of_process).or(free.first()).copied()?;
        taken[found] = true;
        Some(found)
    };
    recording.threads.iter().map(|thread| thread.object).map(home).collect()
}

fn by_order(trace: &Trace, recording: &Trace, takes_part: &[bool]) -> Vec<Option<usize>> {
    let of_task = |object: Object| u64::from(object.application) << 32 | u64::from(object.task);
    let here = trace.threads.iter().map(|thread| thread.object).collect::<Vec<_>>();
    // A process takes part as a whole.
    let objects = || recording.threads.iter().map(|thread| thread.object).zip(takes_part);
    let taking_part = objects().filter(|(_, takes_part)| **takes_part);
    let processes = order::distinct(taking_part.map(|(object, _)| of_task(object)));
    let tasks = order::distinct(here.iter().map(|object| of_task(*object)));
    let whole = trace.partial.as_ref().is_none_or(|part| part.only.objects == Default::default());
    let alike = whole && processes.len() == 1 && tasks.len() > 1;
    let is_of_perf = trace.start_on_clock_ns.is_some();
    let (mut last, mut nth, mut all) = (None, 0, 0);
    let home = |(object, takes_part): (Object, &bool)| {
        let process = processes.iter().position(|process| *process == of_task(object))?;
        nth = if last.replace(process) == Some(process) { nth + 1 } else { 0 };
        if alike {
            all += usize::from(*takes_part);
            return (all <= here.len() && *takes_part).then(|| all - 1);
        }
        if is_of_perf || tasks.iter().any(|task| task >> 32 != 1) {
            let task = *tasks.get(process)?;
            let first = here.iter().position(|known| of_task(*known) == task)?;
            let of_task = |index: &usize| of_task(here[*index]) == task;
            return Some(first + nth).filter(|index| *index < here.len()).filter(of_task);
        }
        // Tracers number them: some may not have been read.
        let (task, thread) = (process as u32 + 1, nth as u32 + 1);
        here.iter().position(|known| (known.task, known.thread) == (task, thread))
    };
    objects().map(home).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Builder, Kind, Meaning, Only};

    fn of(objects: &[(u32, u32)], is_of_perf: bool, only: &str) -> Trace {
        let mut builder = Builder::new("a", |code, _| Meaning {
            kind: Kind::Counter,
            name: code.to_string(),
            description: String::new(),
        });
        builder.start_on_clock_ns = is_of_perf.then_some(0);
        builder.keep_only(Only { objects: only.parse().unwrap(), ..Only::default() });
        for &(task, thread) in objects {
            let thread = builder.thread(Object { application: 1, task, thread });
            builder.event(thread, 1, 2, 3);
        }
        builder.finish()
    }

    #[test]
    fn threads_of_one_run_are_known_by_their_numbers() {
        let trace = of(&[(9, 9), (9, 10), (12, 12)], true, "*.*.*");
        let recording = of(&[(1, 10), (1, 9), (2, 77)], true, "*.*.*");
        let (found, by) = matched(&trace, &recording, &[true; 3]);
        assert_eq!((found, by), (vec![Some(0), Some(1), None], By::Number));
    }

    #[test]
    fn otherwise_processes_are_tasks_in_order() {
        let ranks = [(1, 1), (1, 2), (2, 1), (2, 2)];
        let recording = of(&[(4, 4), (70, 70), (70, 73), (90, 90), (90, 95)], true, "*.*.*");
        // 4 is some other program.
        let takes_part = [false, true, false, true, false];
        for (only, expected) in [
            ("*.*.*", vec![None, Some(0), Some(1), Some(2), Some(3)]),
            ("*.2.*", vec![None, None, None, Some(0), Some(1)]),
            ("*.*.2", vec![None, None, Some(0), None, Some(1)]),
        ] {
            let (found, by) = matched(&of(&ranks, false, only), &recording, &takes_part);
            assert_eq!((found, by), (expected, By::Order), "{only}");
        }
        // Another run under perf: numbers are others.
        let again = of(&[(170, 170), (170, 171), (180, 180)], true, "*.*.*");
        let (found, _) = matched(&again, &recording, &takes_part);
        assert_eq!(found, [None, Some(0), Some(1), Some(2), None]);
    }

    #[test]
    fn ranks_that_share_a_command_are_taken_one_after_the_other() {
        let trace = of(&[(1, 1), (2, 1), (3, 1)], false, "*.*.*");
        let recording = of(&[(1, 500), (1, 501), (1, 502), (1, 503)], true, "*.*.*");
        let (found, _) = matched(&trace, &recording, &[true, false, true, true]);
        assert_eq!(found, [Some(0), None, Some(1), Some(2)]);
    }
}
