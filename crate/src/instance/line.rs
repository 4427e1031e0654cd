//! What a thread had counted of a counter by any time.

use super::Instance;
use super::reading::readings_of_thread;
use crate::trace::Trace;

/// The readings of a counter on one thread, joined by straight lines.
#[derive(Default)]
pub struct Line {
    times_ns: Vec<u64>,
    /// Events since the first reading, as far as each reading tells.
    events: Vec<u64>,
    /// How many readings up to and with each tell nothing of the time since the one before.
    unknown: Vec<u32>,
}

impl Line {
    /// O(moments of the thread).
    pub fn of(trace: &Trace, thread: u32, with_counter: &[bool], counter: u32) -> Self {
        let mut line = Self::default();
        let Some(thread) = trace.threads.get(thread as usize) else { return line };
        let (mut events, mut unknown) = (0u64, 0);
        for (time_ns, since) in readings_of_thread(trace, thread, with_counter, counter) {
            events = events.saturating_add(since.unwrap_or(0));
            unknown += u32::from(since.is_none());
            line.times_ns.push(time_ns);
            line.events.push(events);
            line.unknown.push(unknown);
        }
        line
    }

    /// Events of an instance, and those since its begin at each reading strictly inside; between two
    /// readings they are taken as even. `None` where it is not read around and throughout.
    pub fn inside(&self, instance: &Instance) -> Option<(u64, Vec<(u64, f64)>)> {
        let end_ns = instance.start_ns + instance.duration_ns;
        let [(first, begin), (last, end)] = [instance.start_ns, end_ns].map(|ns| self.at(ns));
        let (begin, end) = (begin?, end?);
        // The reading at or behind its begin tells of it, too, unless it is at the begin.
        if self.unknown.get(last)? > self.unknown.get(first)? {
            return None;
        }
        let readings = self.times_ns.iter().zip(&self.events);
        let inside = readings.skip(first).take(last - first);
        let inside = inside.filter(|(time_ns, _)| **time_ns > instance.start_ns);
        let since = inside.map(|(time_ns, events)| (*time_ns, *events as f64 - begin));
        Some(((end - begin).round() as u64, since.collect()))
    }

    /// The first reading at or behind a time, and the events until then.
    fn at(&self, time_ns: u64) -> (usize, Option<f64>) {
        let at = self.times_ns.partition_point(|reading_ns| *reading_ns < time_ns);
        let events = || {
            let after_ns = *self.times_ns.get(at)?;
            if after_ns == time_ns {
                return Some(self.events[at] as f64);
            }
            let before = at.checked_sub(1)?;
            if self.unknown[at] > self.unknown[before] {
                return None;
            }
            let share = (time_ns - self.times_ns[before]) as f64
                / (after_ns - self.times_ns[before]) as f64;
            let rise = self.events[at] - self.events[before];
            Some(self.events[before] as f64 + share * rise as f64)
        };
        (at, events())
    }
}
