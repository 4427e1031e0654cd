//! What a trace holds in which nothing can be folded.

use std::fmt;

use crate::order;
use crate::trace::Trace;

/// More types of events are not named in one sentence.
const MOST_NAMED: usize = 3;

/// The events of a trace, and whether anything is known of its threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Of each type that has any its name and how many, the most frequent first.
    types: Vec<(String, usize)>,
    /// Threads of which an event or a state is known.
    threads: usize,
}

impl Held {
    /// O(events).
    pub fn by(trace: &Trace) -> Self {
        let mut counts = vec![0; trace.types.len()];
        let mut threads = 0;
        for thread in &trace.threads {
            threads += usize::from(thread.is_known());
            for event in thread.moments().flat_map(|moment| moment.events()) {
                counts[event.event_type as usize] += 1;
            }
        }
        let named = trace.types.iter().map(|known| known.name.clone()).zip(counts);
        let mut types = named.filter(|(_, count)| *count > 0).collect::<Vec<_>>();
        order::by(&mut types, |(a, many), (b, most)| most.cmp(many).then_with(|| a.cmp(b)));
        Self { types, threads }
    }

    /// Whether there is a run to look at.
    pub fn is_empty(&self) -> bool {
        self.threads == 0
    }
}

impl fmt::Display for Held {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.types.iter().map(|(_, count)| count).sum::<usize>();
        let events = if all == 1 { "event" } else { "events" };
        let (named, more) = self.types.split_at(self.types.len().min(MOST_NAMED));
        match named {
            [] => write!(out, "it holds no event")?,
            [(name, _)] => write!(out, "it holds {all} {events} of {name:?}")?,
            named => {
                write!(out, "it holds {all} {events}: ")?;
                for (at, (name, count)) in named.iter().enumerate() {
                    write!(out, "{}{name:?} ({count})", if at == 0 { "" } else { ", " })?;
                }
            }
        }
        match more.len() {
            0 => {}
            1 => write!(out, " and one more type")?,
            many => write!(out, " and {many} more types")?,
        }
        if self.is_empty() { Ok(()) } else { write!(out, "; its run can be looked at") }
    }
}
