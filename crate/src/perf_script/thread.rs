//! One thread: its markers paired, its counters as deltas, in the order of its time.

use super::data_source::Operation;
use super::event::Family;
use super::frame::Frame;
use super::reference::Reference;
use super::{
    CODE_LINE, COST, FIRST_COUNTER, FIRST_REGION, LEVEL, LOAD_ADDRESS, ROUTINE, STORE_ADDRESS,
    TLB_LEVEL,
};
use crate::order;
use crate::trace::{Builder, ThreadIndex};

/// Events held back for what is not known yet, at most; then they go as they are.
const MOST_HELD: usize = 2048;
/// A counter at a boundary is interpolated between two readings that lie no further apart than
/// this part of the instance; over longer gaps the thread may not have run at all.
const CLOSE: u64 = 4;

/// What a thread did that has no place in the trace yet.
///
/// A begin counts once its end is met, and a counter at a boundary once it is read again; until
/// then events are held back, so that those of a thread reach the trace in the order of time.
#[derive(Clone)]
pub(super) struct Thread {
    index: ThreadIndex,
    held: Vec<Held>,
    open: Vec<Open>,
    /// By number.
    counters: Vec<(u32, Counter)>,
    /// Events so far by group and counter: each group of events is read by itself.
    sums: Vec<(u64, u64)>,
    /// Boundaries whose counters are not known yet.
    waiting: usize,
    /// Families of which a begin was met here.
    begun: Vec<(usize, bool)>,
    last_reference: Option<(u64, Reference)>,
    pub interpolated: u64,
    /// Readings of one group that lie behind those of another, beyond what clocks explain.
    pub behind: u64,
}

#[derive(Clone, Copy)]
struct Held {
    time_ns: u64,
    what: What,
}

#[derive(Clone, Copy)]
enum What {
    /// Taken back.
    Nothing,
    Event {
        code: u32,
        value: u64,
    },
    /// Events of a counter since the recording began.
    Reading {
        counter: u32,
        sum: u64,
    },
    /// A boundary at which a counter was not read: the sum by interpolation, between readings
    /// `gap_ns` apart; it counts if that is within `limit_ns`.
    Boundary {
        counter: u32,
        sum: Option<u64>,
        gap_ns: u64,
        limit_ns: u64,
    },
}

/// A begin without its end.
#[derive(Clone)]
struct Open {
    family: usize,
    start_ns: u64,
    /// Where it lies in `held`, and how many boundaries follow it; `None` once in the trace.
    at: Option<(usize, usize)>,
    /// Whether another begin followed it: it may be a mark by itself.
    superseded: bool,
}

#[derive(Clone, Default)]
struct Counter {
    /// Time and sum of the last reading.
    last: Option<(u64, u64)>,
    /// What the trace has been told.
    told: u64,
    /// Boundaries in `held` that wait for the next reading.
    waiting: Vec<usize>,
}

/// A counter that a record reads: events since its group was read before.
pub(super) struct Read {
    pub group: usize,
    pub counter: u32,
    pub period: u64,
}

impl Thread {
    pub fn new(index: ThreadIndex) -> Self {
        Self {
            index,
            held: vec![],
            open: vec![],
            counters: vec![],
            sums: vec![],
            waiting: 0,
            begun: vec![],
            last_reference: None,
            interpolated: 0,
            behind: 0,
        }
    }

    /// A call-stack, innermost frame first.
    pub fn stack(&mut self, time_ns: u64, stack: &[Frame], trace: &mut Builder) {
        for (depth, frame) in (0u32..).zip(stack).filter(|(_, frame)| frame.routine > 0) {
            self.event(time_ns, ROUTINE + depth, frame.routine, trace);
            if frame.code_line > 0 {
                self.event(time_ns, CODE_LINE + depth, frame.code_line, trace);
            }
        }
    }

    /// A load or store. One that is told again, as the same access under another event, is not
    /// taken twice.
    pub fn reference(&mut self, time_ns: u64, reference: &Reference, trace: &mut Builder) {
        if self.last_reference.replace((time_ns, *reference)) == Some((time_ns, *reference)) {
            return;
        }
        let address = match reference.operation {
            Operation::Load => LOAD_ADDRESS,
            Operation::Store => STORE_ADDRESS,
        };
        self.event(time_ns, address, reference.address, trace);
        let known = [(LEVEL, reference.level), (TLB_LEVEL, reference.tlb), (COST, reference.cost)];
        for (code, value) in known {
            if let Some(value) = value {
                self.event(time_ns, code, value, trace);
            }
        }
    }

    /// A counter that was read.
    pub fn read(&mut self, time_ns: u64, read: &Read, trace: &mut Builder) {
        let key = (read.group as u64) << 32 | u64::from(read.counter);
        let sum = order::entry(&mut self.sums, key);
        *sum = sum.saturating_add(read.period);
        let sum = *sum;
        let counter = order::entry(&mut self.counters, read.counter);
        let before = counter.last.unwrap_or((time_ns, sum));
        counter.last = Some((time_ns, sum.max(before.1)));
        self.behind += u64::from(sum < before.1);
        for at in std::mem::take(&mut counter.waiting) {
            self.waiting -= 1;
            if let Some(Held { time_ns: at_ns, what: What::Boundary { sum: here, gap_ns, .. } }) =
                self.held.get_mut(at)
            {
                *gap_ns = time_ns.saturating_sub(before.0);
                *here = Some(between(before, (time_ns, sum), *at_ns));
            }
        }
        self.hold(time_ns, What::Reading { counter: read.counter, sum }, trace);
    }

    /// A begin. `nested` says, where it is known, whether the region is open further out in the
    /// call-stack; `exact`, whether the counters are read here.
    pub fn begin(
        &mut self,
        time_ns: u64,
        (number, family): (usize, &mut Family),
        nested: Option<bool>,
        exact: bool,
        trace: &mut Builder,
    ) {
        family.begins += 1;
        *order::entry(&mut self.begun, number) = true;
        if family.ends == 0 {
            // Begins that the trace knows, and no end so far: marks by themselves.
            self.open.retain(|open| open.family != number || open.at.is_some());
        }
        let open = self.open.iter_mut().rev();
        let before = open.filter(|open| !open.superseded).find(|open| open.family == number);
        if let (Some(before), false) = (before, nested.unwrap_or(!family.is_lossy)) {
            before.superseded = true;
            if family.ends > 0 {
                self.take_back(time_ns, number, family, trace);
            }
        }
        // The begin and its boundaries stay together.
        if self.held.len() + self.counters.len() >= MOST_HELD {
            self.hand_over(trace);
        }
        let at = self.held.len();
        let code = FIRST_REGION + number as u32;
        self.held.push(Held { time_ns, what: What::Event { code, value: 1 } });
        let boundaries = if exact { 0 } else { self.boundaries(time_ns, u64::MAX) };
        let at = Some((at, boundaries));
        self.open.push(Open { family: number, start_ns: time_ns, at, superseded: false });
    }

    /// An end; it is left out where nothing is open.
    pub fn end(
        &mut self,
        time_ns: u64,
        (number, family): (usize, &mut Family),
        exact: bool,
        trace: &mut Builder,
    ) {
        family.ends += 1;
        self.take_back(time_ns, number, family, trace);
        let Some(at) = self.open.iter().rposition(|open| open.family == number) else {
            // One whose begin lies before the recording is not lost.
            if order::get(&self.begun, &number).is_some() {
                family.lost += 1;
                family.is_lossy = true;
            }
            *order::entry(&mut self.begun, number) = true;
            return;
        };
        let open = self.open.remove(at);
        let limit = time_ns.saturating_sub(open.start_ns) / CLOSE;
        if let Some((begin, boundaries)) = open.at {
            for held in self.held.iter_mut().skip(begin + 1).take(boundaries) {
                if let What::Boundary { limit_ns, .. } = &mut held.what {
                    *limit_ns = limit;
                }
            }
        }
        self.event(time_ns, FIRST_REGION + number as u32, 0, trace);
        if !exact {
            self.boundaries(time_ns, limit);
        }
        if self.open.is_empty() && self.waiting == 0 {
            self.hand_over(trace);
        }
    }

    /// Hands over what is left. Begins without an end are left out, unless their family has none.
    pub fn finish(mut self, families: &mut [Family], trace: &mut Builder) -> (u64, u64) {
        for open in std::mem::take(&mut self.open) {
            let has_ends = families.get(open.family).is_some_and(|family| family.ends > 0);
            if let (true, Some(begin)) = (has_ends, open.at) {
                self.forget(begin);
            }
        }
        self.hand_over(trace);
        (self.interpolated, self.behind)
    }

    /// Takes back the begins of a family that another begin followed: their ends were lost.
    fn take_back(&mut self, now_ns: u64, number: usize, family: &mut Family, trace: &mut Builder) {
        let mut told = 0;
        let mut kept = Vec::with_capacity(self.open.len());
        for open in std::mem::take(&mut self.open) {
            if open.family != number || !open.superseded {
                kept.push(open);
                continue;
            }
            family.lost += 1;
            match open.at {
                Some(begin) => self.forget(begin),
                None => told += 1,
            }
        }
        self.open = kept;
        // What the trace knows already can only be ended.
        for _ in 0..told {
            self.event(now_ns, FIRST_REGION + number as u32, 0, trace);
        }
    }

    /// Forgets a begin with its boundaries.
    fn forget(&mut self, (at, boundaries): (usize, usize)) {
        let held = self.held.iter_mut().skip(at).take(1 + boundaries);
        held.for_each(|held| held.what = What::Nothing);
    }

    /// Notes that counters would be wanted here; how many.
    fn boundaries(&mut self, time_ns: u64, limit_ns: u64) -> usize {
        for (number, counter) in &mut self.counters {
            counter.waiting.push(self.held.len());
            self.waiting += 1;
            let what = What::Boundary { counter: *number, sum: None, gap_ns: 0, limit_ns };
            self.held.push(Held { time_ns, what });
        }
        self.counters.len()
    }

    fn event(&mut self, time_ns: u64, code: u32, value: u64, trace: &mut Builder) {
        self.hold(time_ns, What::Event { code, value }, trace);
    }

    fn hold(&mut self, time_ns: u64, what: What, trace: &mut Builder) {
        let held = Held { time_ns, what };
        let nothing_open = self.open.is_empty() && self.waiting == 0;
        if nothing_open && self.held.is_empty() {
            return self.pass(held, trace);
        }
        self.held.push(held);
        if nothing_open || self.held.len() >= MOST_HELD {
            self.hand_over(trace);
        }
    }

    fn hand_over(&mut self, trace: &mut Builder) {
        let mut held = std::mem::take(&mut self.held);
        held.drain(..).for_each(|held| self.pass(held, trace));
        self.held = held;
        self.open.iter_mut().for_each(|open| open.at = None);
        self.counters.iter_mut().for_each(|(_, counter)| counter.waiting.clear());
        self.waiting = 0;
    }

    fn pass(&mut self, Held { time_ns, what }: Held, trace: &mut Builder) {
        match what {
            What::Nothing => {}
            What::Event { code, value } => trace.event(self.index, time_ns, code, value),
            What::Reading { counter, sum } => self.tell(time_ns, counter, sum, trace),
            What::Boundary { counter, sum, gap_ns, limit_ns } => {
                if let Some(sum) = sum.filter(|_| gap_ns <= limit_ns) {
                    self.interpolated += 1;
                    self.tell(time_ns, counter, sum, trace);
                }
            }
        }
    }

    fn tell(&mut self, time_ns: u64, number: u32, sum: u64, trace: &mut Builder) {
        let counter = order::entry(&mut self.counters, number);
        let delta = sum.saturating_sub(counter.told);
        counter.told = counter.told.max(sum);
        trace.event(self.index, time_ns, FIRST_COUNTER + number, delta);
    }
}

/// The sum at `at_ns` on the line through two readings, (time, sum) each.
fn between(before: (u64, u64), after: (u64, u64), at_ns: u64) -> u64 {
    let span = u128::from(after.0.saturating_sub(before.0)).max(1);
    let part = u128::from(at_ns.saturating_sub(before.0)).min(span);
    let events = u128::from(after.1.saturating_sub(before.1));
    before.1.saturating_add((events * part / span) as u64)
}
