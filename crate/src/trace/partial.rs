//! A trace of which only a part was read.

use super::growing::Growing;
use super::shape::narrow;
use super::{Builder, Kind, Labels, Notices, Only};

/// Which part of a trace was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Partial {
    /// What was chosen; it may be everything.
    pub only: Only,
    /// Where reading stopped, if it did before the end.
    pub stopped: Option<Stopped>,
}

/// How far a trace was read, and what took the memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Stopped {
    /// Of the file, 0 to 1.
    pub share: f64,
    /// Bytes that were kept by then.
    pub held_bytes: u64,
    /// Shares of them, 0 to 1: counter readings, call-stacks, and memory references.
    pub counters: f64,
    pub callstacks: f64,
    pub references: f64,
}

impl Partial {
    /// `None` if the whole trace was read.
    pub(super) fn of(only: &Only, stopped: &Option<Stopped>) -> Option<Self> {
        let whole = only.is_everything() && stopped.is_none();
        (!whole).then(|| Self { only: only.clone(), stopped: stopped.clone() })
    }

    /// What was chosen; what happened, and what to do about it. For people.
    pub fn sentence(&self) -> String {
        let chosen = self.only.words().map(|words| format!("Only {words} were read."));
        let stopped = self.stopped.as_ref().map(Stopped::sentence);
        chosen.into_iter().chain(stopped).collect::<Vec<_>>().join(" ")
    }
}

impl Stopped {
    fn sentence(&self) -> String {
        let percent = |share: f64| (100.0 * share).round() as u32;
        format!(
            "Only the first {} % of the trace were read: what is kept had grown to {} MB ({} % \
             counters, {} % call-stacks, {} % memory references, the rest times and regions). \
             Choose some threads (objects), counters (counters) or a window of time (from, to), \
             and read it again.",
            percent(self.share),
            self.held_bytes.div_ceil(1_000_000),
            percent(self.counters),
            percent(self.callstacks),
            percent(self.references),
        )
    }
}

impl Builder {
    /// Whether reading has stopped before the end.
    pub fn has_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// Reading stops here, after this share of the file. O(moments).
    pub fn stop_at(&mut self, share: f64) {
        let mut moments = vec![0u64; self.shapes.len()];
        let chunks = |growing: &Growing| {
            let full = growing.full.iter().map(|chunk| chunk.shapes.clone());
            full.chain([growing.chunk.shapes.clone()]).flatten().collect::<Vec<_>>()
        };
        for shape in self.threads.iter().flat_map(chunks) {
            if let Some(count) = moments.get_mut(shape as usize) {
                *count += 1;
            }
        }
        let [mut counters, mut callstacks, mut references] = [0u64; 3];
        for (shape, moments) in (0u32..).zip(moments) {
            for &of_type in self.shapes.types(shape) {
                let (event_type, width) = narrow(of_type);
                let bytes = 4 * width as u64 * moments;
                match self.kind_of(event_type) {
                    Kind::Counter => counters += bytes,
                    Kind::Routine(_) | Kind::CodeLine(_) => callstacks += bytes,
                    Kind::Reference(_) => references += bytes,
                    _ => {}
                }
            }
        }
        let held_bytes = self.held_bytes();
        let [counters, callstacks, references] =
            [counters, callstacks, references].map(|bytes| bytes as f64 / held_bytes.max(1) as f64);
        self.stopped = Some(Stopped { share, held_bytes, counters, callstacks, references });
    }

    /// Says what was chosen and is not there.
    pub(super) fn note_what_is_missing(
        &self,
        labels: &Labels,
        threads: &[Growing],
        notices: &mut Notices,
    ) {
        let met = self.codes.iter().map(|&(code, _)| (code, (self.meaning)(code, labels)));
        let met = met.filter(|(_, meaning)| meaning.kind == Kind::Counter).collect::<Vec<_>>();
        for name in self.only.counters.iter().flatten() {
            let just = Only { counters: Some(vec![name.clone()]), ..Only::default() };
            if !met.iter().any(|(code, meaning)| just.has_counter(*code, &meaning.name)) {
                let text = "A counter that was to be read is not in the trace.";
                notices.add(text, || name.clone());
            }
        }
        let is_empty = |of: &Growing| of.moments() == 0 || of.object.beside().is_some();
        if let Some(words) = self.only.words().filter(|_| threads.iter().all(is_empty)) {
            notices.add("Nothing of what was to be read is in the trace.", || words);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Event, Meaning, Object};

    #[test]
    fn only_what_was_chosen_is_kept_and_the_rest_leaves_its_time() {
        let mut builder = Builder::new("made up", |code, _| Meaning {
            kind: [Kind::CounterSet, Kind::Counter][code.min(1) as usize],
            name: format!("type {}", code / 2),
            description: String::new(),
        });
        builder.keep_only(Only {
            objects: "*.*.1".parse().unwrap(),
            counters: Some(vec!["type 1 (3)".to_owned(), "type 9".to_owned()]),
            from_ns: 10,
            to_ns: 20,
            ..Only::default()
        });
        for thread in [2, 1] {
            let thread = builder.thread(Object { application: 1, task: 1, thread });
            for time in [5, 10, 15, 20, 25] {
                for (code, value) in [(0, 7), (2, 0), (3, 0)] {
                    builder.event(thread, time, code, value * (25 - time));
                }
            }
        }
        assert_eq!((builder.threads(), builder.moments()), (2, 3));
        let trace = builder.finish();
        let [thread] = trace.threads.as_slice() else { panic!("{:?}", trace.threads) };
        let moments = thread.moments().map(|m| {
            let code = |event: Event| trace.types[event.event_type as usize].code;
            (m.time, m.events().map(|event| (code(event), event.value)).collect::<Vec<_>>())
        });
        let set_and_counter = |time| (time, vec![(0, 7 * (25 - time)), (3, 0)]);
        assert_eq!(moments.collect::<Vec<_>>(), [10, 15, 20].map(set_and_counter));
        // Of what lies in the window; the end, and whether it closes the thread, of all.
        assert_eq!((thread.object.thread, thread.span_ns(), trace.duration_ns), (1, 10, 25));
        assert_eq!((thread.end_ns(), thread.ends_in_zeros()), (25, true));
        let types = trace.types.iter().map(|known| (known.kind, known.name.as_str()));
        let expected = [
            (Kind::CounterSet, "type 0"),
            (Kind::Other, "type 1 (2)"),
            (Kind::Counter, "type 1 (3)"),
        ];
        assert_eq!(types.collect::<Vec<_>>(), expected);
        let notices = trace.notices.iter().map(|n| (n.text.as_str(), n.first.to_string()));
        let missing = ("A counter that was to be read is not in the trace.", "type 9".to_owned());
        assert_eq!(notices.collect::<Vec<_>>(), [missing]);
        assert_eq!(
            trace.partial.map(|partial| partial.sentence()).as_deref(),
            Some(
                "Only threads *.*.1, counters type 1 (3), type 9 and times from 0.00000001 s to \
                 0.00000002 s were read."
            )
        );
    }
}
