//! Counter readings of a thread, and in which instances a counter can be trusted.

use super::{Counting, Inside, Instance};
use crate::order::{self, Numbers};
use crate::trace::{Kind, Moment, Thread, Trace};

/// A reading at or above this is no count: a glitch, or a negative number.
pub const ABSURD: u64 = 1 << 62;
/// Nor is one beyond 10¹² events per millisecond since the thread's reading before, with a
/// millisecond of slack: memory that was never written looks like that.
const FASTEST_PER_NS: f64 = 1e6;
const SLACK_NS: f64 = 1e6;

/// Names of the counter of completed instructions on the processors that traces come from.
const INSTRUCTIONS: &str = "PAPI_TOT_INS PM_INST_CMPL PM_RUN_INST_CMPL INSTRUCTION_RETIRED INSTRUCTIONS_RETIRED \
     PEVT_INST_ALL instructions instructions:u";

/// Whether this counter counts completed instructions.
pub fn is_instructions(counter: &str) -> bool {
    INSTRUCTIONS.split(' ').any(|name| name == counter)
}

/// The counter readings of one thread, summed up to the moments at which instances begin and end.
///
/// Values in a trace are deltas since the thread's previous reading, whatever caused it.
#[derive(Default)]
pub struct Readings {
    /// The moments at which instances begin or end, rising.
    borders: Vec<u32>,
    /// By counter (index into [`Trace::types`]).
    columns: Vec<(u32, Column)>,
    /// Changes of the counter set: moment and set.
    changes: Vec<(u32, u64)>,
}

/// The readings of one counter, one entry per border.
#[derive(Default)]
struct Column {
    running: Running,
    at_border: Vec<Sums>,
}

/// What was read of a counter up to and with a border.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// All readings; bases and absurd ones count nothing.
    events: u64,
    /// Of each moment the first reading.
    firsts: u64,
    /// How many readings were absurd.
    absurd: u32,
    /// Whether there is a reading at the border itself; a base is none.
    is_read: bool,
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
        let changes = trace.shapes_with(|_, kind| kind == Kind::CounterSet);
        if !changes.contains(&true) {
            return sets;
        }
        for thread in &trace.threads {
            let mut active = None;
            // Shapes whose counters are known to be in the active set.
            let mut learned = vec![false; changes.len()];
            for moment in thread.moments() {
                if moment.is_of(&learned) {
                    continue;
                }
                match moment.is_of(&changes) {
                    true => learned.fill(false),
                    false => moment.mark(&mut learned),
                }
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
    /// Sums the readings of `thread` of the counters for which `wanted`, up to the moments at which
    /// `is_border` (by index). O(events).
    pub fn of(
        trace: &Trace,
        thread: &Thread,
        wanted: impl Fn(u32) -> bool,
        is_border: impl Fn(u32, &Moment<'_>) -> bool,
    ) -> Self {
        let mut readings = Self::default();
        let start_ns = thread.moment(0).time;
        let read_here =
            trace.shapes_with(|event_type, kind| kind == Kind::Counter && wanted(event_type));
        let changes = trace.shapes_with(|_, kind| kind == Kind::CounterSet);
        for (at, moment) in (0u32..).zip(thread.moments()) {
            let is_border = is_border(at, &moment);
            if moment.is_of(&changes)
                && let Some(set) = change(trace, &moment)
            {
                readings.changes.push((at, set));
            }
            if moment.is_of(&read_here) {
                let of_wanted = read(trace, &moment).filter(|(counter, ..)| wanted(*counter));
                for (counter, value, is_base) in of_wanted {
                    let column = order::entry(&mut readings.columns, counter);
                    column.running.add(&moment, start_ns, value, is_base);
                }
            }
            if is_border {
                for (_, column) in &mut readings.columns {
                    let sums = column.running.at_border(moment.time);
                    column.at_border.resize(readings.borders.len(), Sums::default());
                    column.at_border.push(sums);
                }
                readings.borders.push(at);
            }
        }
        readings
    }

    /// As [`Readings::of`], with these borders in any order.
    pub fn between(
        trace: &Trace,
        thread: &Thread,
        wanted: impl Fn(u32) -> bool,
        borders: Vec<u32>,
    ) -> Self {
        if borders.is_empty() {
            return Self::default();
        }
        let mut at_moments = vec![false; thread.len()];
        for at in borders {
            if let Some(is_border) = at_moments.get_mut(at as usize) {
                *is_border = true;
            }
        }
        let is_border = |at: u32, _: &Moment<'_>| at_moments.get(at as usize) == Some(&true);
        Self::of(trace, thread, wanted, is_border)
    }

    /// Events of `counter` in an instance, if the counter can be trusted there: it was read at the
    /// begin (or its set starts exactly there; of a burst it does not matter) and at the end, no set
    /// without it becomes active in between, and no reading is absurd.
    pub fn total(&self, sets: &Sets, counter: u32, inside: Inside) -> Option<u64> {
        let Inside { first, last, counting } = inside;
        let [begin, end] = self.sums(counter, first, last)?;
        if !end.is_read || counting == Counting::Unknown {
            return None;
        }
        let from = self.changes.partition_point(|(at, _)| *at < first);
        let mut changes = self.changes[from..].iter().take_while(|(at, _)| *at < last);
        let starts_here = self
            .changes
            .get(from)
            .is_some_and(|&(at, set)| at == first && sets.reads(set, counter));
        let is_read = begin.is_read || starts_here || counting == Counting::First;
        if !is_read || !changes.all(|(_, set)| sets.reads(*set, counter)) {
            return None;
        }
        let counted = match counting {
            Counting::First => end.firsts.saturating_sub(begin.firsts),
            _ => end.events - begin.events,
        };
        (end.absurd == begin.absurd).then_some(counted)
    }

    /// Whether readings of `counter` in the instance are absurd, so that it was refused for that.
    pub fn is_absurd(&self, counter: u32, inside: Inside) -> bool {
        let sums = self.sums(counter, inside.first, inside.last);
        sums.is_some_and(|[begin, end]| end.absurd > begin.absurd)
    }

    /// What was read up to the borders `first` and `last`.
    fn sums(&self, counter: u32, first: u32, last: u32) -> Option<[Sums; 2]> {
        let column = order::get(&self.columns, &counter)?;
        let at = |border: u32| {
            let index = self.borders.binary_search(&border).ok()?;
            Some(column.at_border.get(index).copied().unwrap_or_default())
        };
        Some([at(first)?, at(last)?])
    }
}

/// Readings of `counter` strictly inside an instance: nanoseconds since the start of the trace, and
/// events since its begin. `with_counter`: the shapes that have it.
pub fn readings_inside<'t>(
    trace: &'t Trace,
    instance: &Instance,
    with_counter: &'t [bool],
    counter: u32,
) -> impl Iterator<Item = (u64, u64)> + use<'t> {
    let mut count = 0u64;
    let &Instance { first, last, counting, .. } = instance;
    let thread = &trace.threads[instance.thread as usize];
    let most = if counting == Counting::First { 1 } else { usize::MAX };
    let inside = thread.moments_between(first, last).filter(|moment| moment.is_of(with_counter));
    inside.filter_map(move |moment| {
        let of_counter =
            read(trace, &moment).filter(|(read, _, is_base)| *read == counter && !is_base);
        let mut was_read = false;
        for (_, value, _) in of_counter.take(most) {
            count = count.saturating_add(value);
            was_read = true;
        }
        was_read.then_some((moment.time, count))
    })
}

/// Readings of `counter` on the whole of `thread`: nanoseconds since the start of the trace, and the
/// events since the reading before; `None` where those are not known: at the first reading, at a
/// base, and where they are no count. `with_counter`: the shapes that have it.
pub(super) fn readings_of_thread(
    trace: &Trace,
    thread: &Thread,
    with_counter: &[bool],
    counter: u32,
) -> impl Iterator<Item = (u64, Option<u64>)> {
    let mut before_ns = None;
    thread.moments_of(with_counter).map(move |(_, moment)| {
        let read = read(trace, &moment).filter(|(read, _, is_base)| *read == counter && !is_base);
        let events = read.map(|(_, value, _)| value).reduce(u64::saturating_add);
        let since = before_ns.replace(moment.time).zip(events);
        let since = since.filter(|(before, events)| !is_absurd(*events, moment.time - before));
        (moment.time, since.map(|(_, events)| events))
    })
}

/// What was read of a counter so far.
#[derive(Default)]
struct Running {
    sums: Sums,
    /// Time of the last moment that has the counter.
    last_ns: Option<u64>,
    /// Time of the reading before that one.
    before_ns: Option<u64>,
}

impl Running {
    fn add(&mut self, moment: &Moment<'_>, start_ns: u64, value: u64, is_base: bool) {
        if self.last_ns != Some(moment.time) {
            self.before_ns = self.last_ns;
            self.last_ns = Some(moment.time);
            self.sums.is_read = false;
        }
        let is_first = !self.sums.is_read;
        self.sums.is_read |= !is_base;
        let since_ns = moment.time - self.before_ns.unwrap_or(start_ns);
        if is_absurd(value, since_ns) {
            self.sums.absurd += 1;
        } else if !is_base {
            // Readings are below 2^62 each; a sum of many may still not wrap.
            self.sums.events = self.sums.events.saturating_add(value);
            if is_first {
                self.sums.firsts = self.sums.firsts.saturating_add(value);
            }
        }
    }

    fn at_border(&self, time_ns: u64) -> Sums {
        Sums { is_read: self.sums.is_read && self.last_ns == Some(time_ns), ..self.sums }
    }
}

/// Whether a reading is no count, so long after the reading before.
pub fn is_absurd(value: u64, since_ns: u64) -> bool {
    value >= ABSURD || value as f64 > FASTEST_PER_NS * (since_ns as f64 + SLACK_NS)
}

/// The set that becomes active at a moment.
pub(super) fn change(trace: &Trace, moment: &Moment<'_>) -> Option<u64> {
    let mut events = moment.events();
    events.find(|event| trace.kind(event.event_type) == Kind::CounterSet).map(|event| event.value)
}

/// Counter events of a moment as (counter, value, whether it is a base).
///
/// Readings before a change of set belong to the old one, the zeros after it are bases of the new.
/// Tools that sort a line by type lose that order; there a zero is taken for a base, and anything
/// else for a reading.
pub(super) fn read<'m>(
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
