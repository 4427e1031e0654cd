//! Counter readings of a thread, and in which instances a counter can be trusted.

use crate::order::{self, Numbers};
use crate::trace::{Kind, Moment, Thread, Trace};

/// A reading at or above this is no count: a glitch, or a negative number.
const ABSURD: u64 = 1 << 62;
/// Nor is one beyond 10¹² events per millisecond since the thread's reading before, with a
/// millisecond of slack: memory that was never written looks like that.
const FASTEST_PER_NS: f64 = 1e6;
const SLACK_NS: f64 = 1e6;

/// Names of the counter of completed instructions on the processors that traces come from.
const INSTRUCTIONS: [&str; 7] = [
    "PAPI_TOT_INS",
    "PM_INST_CMPL",
    "INSTRUCTION_RETIRED",
    "INSTRUCTIONS_RETIRED",
    "PEVT_INST_ALL",
    "instructions",
    "instructions:u",
];

/// Whether this counter counts completed instructions.
pub fn is_instructions(counter: &str) -> bool {
    INSTRUCTIONS.contains(&counter)
}

/// All counter readings of one thread.
///
/// Values in a trace are deltas since the thread's previous reading, whatever caused it.
#[derive(Default)]
pub struct Readings {
    /// By counter (index into [`Trace::types`]).
    columns: Vec<(u32, Column)>,
    /// Changes of the counter set: moment and set.
    changes: Vec<(u32, u64)>,
}

/// The readings of one counter, one entry per moment that has any.
#[derive(Default)]
struct Column {
    moments: Vec<u32>,
    /// Sum of all readings up to and with this moment; bases and absurd ones count nothing.
    sums: Vec<u64>,
    /// Absurd readings up to and with this moment.
    absurd: Vec<u32>,
    /// Whether this is the base of a counter whose set begins here, not a reading.
    base: Vec<bool>,
}

/// Which counters each set reads: those read between a change to it and the next.
#[derive(Default)]
pub struct Sets {
    numbers: Numbers,
    /// Counters by number of the set.
    counters: Vec<Vec<u32>>,
}

impl Sets {
    /// Learns the sets from all threads; the trace does not list them.
    pub fn of(trace: &Trace) -> Self {
        let mut sets = Self::default();
        for thread in &trace.threads {
            let mut active = None;
            for moment in thread.moments() {
                let changed = change(trace, &moment);
                for (counter, _, is_base) in read(trace, &moment) {
                    let set = if is_base { changed } else { active };
                    if let Some(set) = set {
                        sets.add(set, counter);
                    }
                }
                active = changed.or(active);
            }
        }
        sets
    }

    fn add(&mut self, set: u64, counter: u32) {
        let number = self.numbers.of([set, 0, 0]);
        self.counters.resize(self.numbers.len(), vec![]);
        let counters = &mut self.counters[number];
        if !counters.contains(&counter) {
            counters.push(counter);
        }
    }

    fn reads(&self, set: u64, counter: u32) -> bool {
        let number = self.numbers.get([set, 0, 0]);
        number.is_some_and(|number| self.counters[number].contains(&counter))
    }
}

impl Readings {
    /// Collects the readings of `thread`. O(events).
    pub fn of(trace: &Trace, thread: &Thread) -> Self {
        let mut readings = Self::default();
        for (at, moment) in thread.moments().enumerate() {
            if let Some(set) = change(trace, &moment) {
                readings.changes.push((at as u32, set));
            }
            for (counter, value, is_base) in read(trace, &moment) {
                let column = order::entry(&mut readings.columns, counter);
                let before = column.moments.last().map_or(0, |&before| before as usize);
                let since_ns = moment.time - thread.moment(before).time;
                column.add(at as u32, value, is_absurd(value, since_ns), is_base);
            }
        }
        readings
    }

    /// Events of `counter` from moment `first` to `last`, if the counter can be trusted there: it
    /// was read at the begin (or its set starts exactly there) and at the end, no set without it
    /// becomes active in between, and no reading is absurd.
    pub fn total(&self, sets: &Sets, counter: u32, first: u32, last: u32) -> Option<u64> {
        let column = order::get(&self.columns, &counter)?;
        let begin = column.moments.binary_search(&first).ok();
        let end = column.moments.binary_search(&last).ok().filter(|&end| !column.base[end])?;
        let from = self.changes.partition_point(|(at, _)| *at < first);
        let mut changes = self.changes[from..].iter().take_while(|(at, _)| *at < last);
        let starts_here = self
            .changes
            .get(from)
            .is_some_and(|&(at, set)| at == first && sets.reads(set, counter));
        if !(begin.is_some() || starts_here) || !changes.all(|(_, set)| sets.reads(*set, counter)) {
            return None;
        }
        let before = column.up_to(first);
        let absurd = column.absurd[end] - before.map_or(0, |index| column.absurd[index]);
        (absurd == 0).then(|| column.sums[end] - before.map_or(0, |index| column.sums[index]))
    }

    /// Whether readings of `counter` in the instance are absurd, so that it was refused for that.
    pub fn is_absurd(&self, counter: u32, first: u32, last: u32) -> bool {
        order::get(&self.columns, &counter).is_some_and(|column| {
            let upto = |moment| column.up_to(moment).map_or(0, |index| column.absurd[index]);
            upto(last) > upto(first)
        })
    }

    /// Readings of `counter` strictly between `first` and `last`: moment, events since `first`.
    pub fn inside(
        &self,
        counter: u32,
        first: u32,
        last: u32,
    ) -> impl Iterator<Item = (u32, u64)> + '_ {
        let column = order::get(&self.columns, &counter);
        let entries = column.map_or(0..0, |column| {
            let from = column.moments.partition_point(|moment| *moment <= first);
            from..column.moments.partition_point(|moment| *moment < last).max(from)
        });
        let start = column.and_then(|c| c.up_to(first).map(|index| c.sums[index])).unwrap_or(0);
        entries.filter_map(move |index| {
            let column = column.filter(|column| !column.base[index])?;
            Some((column.moments[index], column.sums[index] - start))
        })
    }
}

impl Column {
    fn add(&mut self, at: u32, value: u64, is_absurd: bool, is_base: bool) {
        if self.moments.last() != Some(&at) {
            self.moments.push(at);
            self.sums.push(self.sums.last().copied().unwrap_or(0));
            self.absurd.push(self.absurd.last().copied().unwrap_or(0));
            self.base.push(true);
        }
        let last = self.moments.len() - 1;
        self.base[last] &= is_base;
        if is_absurd {
            self.absurd[last] += 1;
        } else if !is_base {
            // Readings are below 2^62 each; a sum of many may still not wrap.
            self.sums[last] = self.sums[last].saturating_add(value);
        }
    }

    /// The last entry at or before `moment`.
    fn up_to(&self, moment: u32) -> Option<usize> {
        self.moments.partition_point(|at| *at <= moment).checked_sub(1)
    }
}

fn is_absurd(value: u64, since_ns: u64) -> bool {
    value >= ABSURD || value as f64 > FASTEST_PER_NS * (since_ns as f64 + SLACK_NS)
}

/// The set that becomes active at a moment.
fn change(trace: &Trace, moment: &Moment<'_>) -> Option<u64> {
    let mut events = moment.events();
    events.find(|event| trace.kind(event.event_type) == Kind::CounterSet).map(|event| event.value)
}

/// Counter events of a moment as (counter, value, whether it is a base).
///
/// Readings before a change of set belong to the old one, the zeros after it are bases of the new.
/// Tools that sort a line by type lose that order; there a zero is taken for a base, and anything
/// else for a reading.
fn read<'m>(
    trace: &'m Trace,
    moment: &Moment<'m>,
) -> impl Iterator<Item = (u32, u64, bool)> + use<'m> {
    let mut changed = false;
    moment.events().filter_map(move |event| match trace.kind(event.event_type) {
        Kind::CounterSet => {
            changed = true;
            None
        }
        Kind::Counter => Some((event.event_type, event.value, changed && event.value == 0)),
        _ => None,
    })
}
