//! A trace of which only a part was read.

use super::columns::Thread;
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
        threads: &[(Thread, bool)],
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
        if let Some(words) = self.only.words().filter(|_| threads.iter().all(|(t, _)| t.is_empty()))
        {
            notices.add("Nothing of what was to be read is in the trace.", || words);
        }
    }
}
