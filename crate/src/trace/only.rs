//! The part of a trace that is kept while it is read.

use super::{Beside, Object, Objects};

/// Which threads, counters and moments of a trace are kept: all of them by default.
///
/// What is read is as if the tracer had recorded no more. Call-stacks, changes of the counter set
/// and all that is no counter stay, whatever the counters. A region that crosses the border of the
/// window has no begin or no end there, and is no instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Only {
    pub objects: Objects,
    /// By name, and with the code behind it, `NAME (CODE)`, where two have one name; `None` for
    /// all.
    pub counters: Option<Vec<String>>,
    /// The window of time, both ends within, in nanoseconds since the start of the trace.
    pub from_ns: u64,
    pub to_ns: u64,
    /// Of every so many tasks which one, from 1; `None` for all.
    pub share: Option<Share>,
}

/// One of several equal shares of a whole, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    pub number: u32,
    pub of: u32,
}

impl Default for Only {
    fn default() -> Self {
        Self {
            objects: Objects::default(),
            counters: None,
            from_ns: 0,
            to_ns: u64::MAX,
            share: None,
        }
    }
}

impl Only {
    pub fn is_everything(&self) -> bool {
        *self == Self::default()
    }

    /// A reader is kept with any thread of its task; that of a node with all.
    pub fn has_object(&self, object: Object) -> bool {
        let is_one = match object.beside() {
            Some(Beside::Task(task)) => self.objects.has_task(1, task),
            Some(Beside::Node(_)) => true,
            None => self.objects.has(object),
        };
        is_one && self.share.is_none_or(|share| share.has_task(object))
    }

    #[inline]
    pub fn has_time(&self, time_ns: u64) -> bool {
        self.from_ns <= time_ns && time_ns <= self.to_ns
    }

    /// Whether the counter of this code and name is kept.
    pub fn has_counter(&self, code: u32, name: &str) -> bool {
        let is_it = |wanted: &String| *wanted == name || *wanted == told_apart(name, code);
        self.counters.as_ref().is_none_or(|counters| counters.iter().any(is_it))
    }

    /// How much of the time from `first_ns` to `last_ns` lies in the window.
    pub fn within_ns(&self, (first_ns, last_ns): (u64, u64)) -> u64 {
        last_ns.min(self.to_ns).saturating_sub(first_ns.max(self.from_ns))
    }

    /// What is kept, e.g. `threads 1.1.* and times from 1 s to 2 s`; `None` if it is everything.
    pub fn words(&self) -> Option<String> {
        let mut parts = Vec::new();
        if self.objects != Objects::default() {
            parts.push(format!("threads {}", self.objects));
        }
        match self.counters.as_deref() {
            None => {}
            Some([]) => parts.push("no counters".to_owned()),
            Some(counters) => parts.push(format!("counters {}", counters.join(", "))),
        }
        match (self.from_ns, self.to_ns) {
            (0, u64::MAX) => {}
            (from, u64::MAX) => parts.push(format!("times from {} on", seconds(from))),
            (0, to) => parts.push(format!("times up to {}", seconds(to))),
            (from, to) => parts.push(format!("times from {} to {}", seconds(from), seconds(to))),
        }
        let last = parts.pop()?;
        Some(if parts.is_empty() { last } else { format!("{} and {last}", parts.join(", ")) })
    }
}

impl Share {
    /// Tasks are dealt in turn, so that those that are there at all are spread evenly.
    fn has_task(self, Object { application, task, .. }: Object) -> bool {
        let at = u64::from(application) + u64::from(task);
        let of = u64::from(self.of.max(1));
        at % of == (u64::from(self.number) + 1) % of
    }
}

/// The name of a counter that shares it with another one.
pub fn told_apart(name: &str, code: u32) -> String {
    format!("{name} ({code})")
}

/// All digits that count: `1.5 s`.
fn seconds(time_ns: u64) -> String {
    let (whole, part) = (time_ns / 1_000_000_000, time_ns % 1_000_000_000);
    let part = format!(".{part:09}");
    format!("{whole}{} s", part.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_said_in_words() {
        let everything = Only::default();
        assert_eq!((everything.is_everything(), everything.words()), (true, None));
        let objects = "1.1.*".parse().unwrap();
        let names = |names: &[&str]| Some(names.iter().map(|&name| name.to_owned()).collect());
        for (only, words) in [
            (Only { objects, ..Only::default() }, "threads 1.1.*"),
            (Only { counters: names(&[]), ..Only::default() }, "no counters"),
            (Only { from_ns: 1, ..Only::default() }, "times from 0.000000001 s on"),
            (Only { to_ns: 10_500_000_000, ..Only::default() }, "times up to 10.5 s"),
            (
                Only {
                    objects,
                    counters: names(&["A", "B"]),
                    from_ns: 1_000_000_000,
                    to_ns: 2_000_000_000,
                    ..Only::default()
                },
                "threads 1.1.*, counters A, B and times from 1 s to 2 s",
            ),
        ] {
            assert_eq!((only.is_everything(), only.words().as_deref()), (false, Some(words)));
        }
    }

    #[test]
    fn shares_of_tasks_are_even_and_all_of_them_are_all() {
        let tasks = (1..=2).flat_map(|application| (1..=9).map(move |task| (application, task)));
        let objects = tasks.map(|(application, task)| Object { application, task, thread: 3 });
        let objects = objects.collect::<Vec<_>>();
        for of in [1, 2, 4, 20] {
            let has = |number: u32, object: &Object| {
                let share = Some(Share { number, of });
                Only { share, ..Only::default() }.has_object(*object)
            };
            let counts = |number: u32| objects.iter().filter(|object| has(number, object)).count();
            let counts = (1..=of).map(counts).collect::<Vec<_>>();
            assert_eq!(counts.iter().sum::<usize>(), objects.len());
            let (least, most) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
            assert!(most - least <= 2, "{counts:?}");
            assert!(has(1, &objects[0]), "the first task is of the first share");
        }
    }

    #[test]
    fn a_window_has_both_its_ends_and_what_a_thread_spends_in_it() {
        let window = Only { from_ns: 10, to_ns: 20, ..Only::default() };
        assert_eq!([9, 10, 20, 21].map(|at| window.has_time(at)), [false, true, true, false]);
        let spans = [(0, 9), (0, 15), (12, 15), (15, 99), (21, 99), (0, u64::MAX)];
        assert_eq!(spans.map(|span| window.within_ns(span)), [0, 5, 3, 5, 0, 10]);
        let none = Only { from_ns: 20, to_ns: 10, ..Only::default() };
        assert!(!(0..30).any(|at| none.has_time(at)) && none.within_ns((0, 30)) == 0);
    }
}
