//! What of the samples of a trace a fold of one region looks at.

use super::execution::{closes_no_region, closing_cut};
use super::reading::{change, read};
use crate::trace::{Event, Kept, Kind, Moment, Nesting, Thread, Trace};

/// Whether a part of a trace begins and ends where the trace does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    pub is_first: bool,
    pub is_last: bool,
}

impl Ends {
    pub const WHOLE: Self = Self { is_first: true, is_last: true };
}

/// What is to be kept of the samples of each thread of a part of a trace, so that the fold of one region
/// of events comes out as of the whole trace once all parts are there: those in its instances; those
/// around which one may be open that began before the part or ends behind it; and of the others the few
/// that readings in instances are judged by.
///
/// `region`: the index of the region's type, `None` if the part has none of it, and its value, `None`
/// for any. An instance inside another one that began before the part is not seen as such: whoever puts
/// parts together finds it in no stretch that is known. O(events).
pub fn looked_at(trace: &Trace, region: (Option<u32>, Option<u64>), ends: Ends) -> Vec<Kept> {
    let marks = Marks::of(trace);
    let region = OfRegion::of(trace, region, ends);
    trace.threads.iter().map(|thread| region.kept(thread, &marks)).collect()
}

/// Indices of two moments, both within; and whether what began before the part, or goes on behind it, is
/// meant.
#[derive(Clone, Copy)]
struct Stretch {
    first: u32,
    last: u32,
    from_before: bool,
    goes_on: bool,
}

struct OfRegion<'a> {
    trace: &'a Trace,
    event_type: Option<u32>,
    value: Option<u64>,
    nesting: Nesting,
    shapes: Vec<bool>,
    ends: Ends,
}

impl<'a> OfRegion<'a> {
    fn of(trace: &'a Trace, (event_type, value): (Option<u32>, Option<u64>), ends: Ends) -> Self {
        let kind = event_type.map(|event_type| trace.kind(event_type));
        let nesting = match kind {
            Some(Kind::Region(Nesting::Flat, _)) => Nesting::Flat,
            // Only who sees the whole trace knows that nothing closes them.
            Some(Kind::Region(..))
                if ends == Ends::WHOLE
                    && event_type.is_some_and(|of| closes_no_region(trace, of)) =>
            {
                Nesting::Flat
            }
            _ => Nesting::Stack,
        };
        let shapes = trace.shapes_with(|of_event, _| Some(of_event) == event_type);
        Self { trace, event_type, value, nesting, shapes, ends }
    }

    fn kept(&self, thread: &Thread, marks: &Marks) -> Kept {
        let stretches = self.stretches(thread);
        let time_ns = |at: u32| thread.time_ns(at);
        let known = stretches.iter().map(|of| {
            let from = if of.from_before { 0 } else { time_ns(of.first) };
            [from, if of.goes_on { u64::MAX } else { time_ns(of.last) }]
        });
        let stretches_ns = known.collect();
        // The last moment may go on in the next part.
        let goes_on = |at: u32| !self.ends.is_last && at as usize + 1 == thread.len();
        let begins = stretches.iter().filter(|of| !of.from_before && !goes_on(of.first));
        let begins = begins.map(|of| of.first).collect();
        let whole = marks.whole(self.trace, thread, &stretches, self.ends);
        Kept { whole, stretches_ns, begins }
    }

    /// In which an instance of the thread is open, or may be; rising and apart.
    fn stretches(&self, thread: &Thread) -> Vec<Stretch> {
        let last = (thread.len() as u32).saturating_sub(1);
        let all = |from_before, goes_on| vec![Stretch { first: 0, last, from_before, goes_on }];
        // Of any value whatever is open around a part is one.
        if thread.is_empty() || (self.value.is_none() && !self.ends.is_first) {
            return all(!self.ends.is_first, !self.ends.is_last);
        }
        let Walked { mut found, open, begins } = self.walk(thread);
        if !self.ends.is_first {
            match begins {
                Some(begins) => {
                    let (first, from_before, goes_on) = (0, true, false);
                    found.push(Stretch { first, last: begins, from_before, goes_on });
                }
                None => return all(true, !self.ends.is_last),
            }
        }
        if let (Some(first), false) = (open, self.ends.is_last) {
            found.push(Stretch { first, last, from_before: false, goes_on: true });
        }
        apart(found)
    }

    fn walk(&self, thread: &Thread) -> Walked {
        let closing_cut = self.ends.is_last.then(|| closing_cut(self.trace, thread)).flatten();
        let mut walk = Open {
            of: self,
            open: vec![],
            is_known_below: self.ends.is_first,
            walked: Walked::default(),
        };
        for (at, moment) in thread.moments_of(&self.shapes) {
            if Some(at) == closing_cut {
                break;
            }
            walk.moment(at, &moment);
        }
        let is_meant = |(value, _): &&(u64, u32)| self.is_meant(*value);
        walk.walked.open = walk.open.iter().find(is_meant).map(|(_, first)| *first);
        walk.walked
    }

    fn is_meant(&self, value: u64) -> bool {
        self.value.is_none_or(|meant| meant == value)
    }
}

#[derive(Default)]
struct Walked {
    found: Vec<Stretch>,
    /// Where the outermost begins that is still open.
    open: Option<u32>,
    /// Where an instance begins first, or, if each ends where the next begins, anything of its type.
    begins: Option<u32>,
}

/// The regions of a type that are open, as [`super::executions`] has it. What lies below those that are
/// known to be open may be nothing or anything.
struct Open<'a> {
    of: &'a OfRegion<'a>,
    /// Value, and the moment of the begin; outermost first.
    open: Vec<(u64, u32)>,
    is_known_below: bool,
    walked: Walked,
}

impl Open<'_> {
    fn moment(&mut self, at: u32, moment: &Moment<'_>) {
        let events = || moment.events().filter(|of| Some(of.event_type) == self.of.event_type);
        let events = events().collect::<Vec<Event>>();
        let is_flat = self.of.nesting == Nesting::Flat;
        let mut surplus = vec![];
        for (position, _) in events.iter().enumerate().filter(|(_, event)| event.value == 0) {
            if self.open.is_empty() {
                surplus.push(position);
            }
            self.close(at);
        }
        for (position, event) in events.iter().enumerate() {
            if event.value != 0 {
                if is_flat {
                    self.close(at);
                }
                self.open.push((event.value, at));
                if self.of.is_meant(event.value) {
                    self.walked.begins.get_or_insert(at);
                }
            } else if self.is_known_below && surplus.contains(&position) {
                self.close(at);
            }
        }
        if is_flat {
            self.walked.begins.get_or_insert(at);
        }
    }

    fn close(&mut self, at: u32) {
        let Some((value, first)) = self.open.pop() else { return };
        let is_inside = self.open.iter().any(|(outer, _)| self.of.is_meant(*outer));
        if self.of.is_meant(value) && !is_inside {
            let (from_before, goes_on) = (false, false);
            self.walked.found.push(Stretch { first, last: at, from_before, goes_on });
        }
    }
}

/// Those that share a moment are one.
fn apart(mut found: Vec<Stretch>) -> Vec<Stretch> {
    crate::order::by_number(&mut found, |of| u64::from(of.first));
    let mut apart: Vec<Stretch> = vec![];
    for of in found {
        match apart.last_mut().filter(|last| of.first <= last.last) {
            Some(last) => {
                last.last = last.last.max(of.last);
                last.from_before |= of.from_before;
                last.goes_on |= of.goes_on;
            }
            None => apart.push(of),
        }
    }
    apart
}

/// Shapes of moments that are looked at wherever they are.
struct Marks {
    allocations: Vec<bool>,
    references: Vec<bool>,
    counters: Vec<bool>,
    sets: Vec<bool>,
    types: usize,
}

impl Marks {
    fn of(trace: &Trace) -> Self {
        Self {
            allocations: trace.shapes_with(|_, kind| matches!(kind, Kind::Allocation(_))),
            references: trace.shapes_with(|_, kind| matches!(kind, Kind::Reference(_))),
            counters: trace.shapes_with(|_, kind| kind == Kind::Counter),
            sets: trace.shapes_with(|_, kind| kind == Kind::CounterSet),
            types: trace.types.len(),
        }
    }

    /// Which moments are kept whole: those of the stretches; the first and the last, from which on and up
    /// to which there is anything; allocations; the first reference, which says that there are any; the
    /// first reading of each counter in each set, which says what a set reads; and the last one of each
    /// counter before a stretch, since when the first one in it counts.
    fn whole(
        &self,
        trace: &Trace,
        thread: &Thread,
        stretches: &[Stretch],
        ends: Ends,
    ) -> Vec<bool> {
        let count = thread.len();
        let mut whole = vec![false; count];
        for at in [0, count.wrapping_sub(1)] {
            whole.get_mut(at).into_iter().for_each(|of| *of = true);
        }
        for of in stretches {
            let inside = whole.get_mut(of.first as usize..=of.last as usize);
            inside.into_iter().for_each(|inside| inside.fill(true));
        }
        let mut has_references = false;
        let mut last_read: Vec<Option<u32>> = vec![None; self.types];
        let mut taught: Vec<(u64, u32)> = vec![];
        // Which set is active before the first change of a later part is not known.
        let has_sets = self.sets.contains(&true) || !ends.is_first;
        let mut set = None;
        let mut next = stretches.iter().peekable();
        for (at, moment) in (0u32..).zip(thread.moments()) {
            if next.next_if(|of| of.first == at).is_some() {
                last_read
                    .iter_mut()
                    .filter_map(Option::take)
                    .for_each(|of| whole[of as usize] = true);
            }
            let mut keep = moment.is_of(&self.allocations);
            if !has_references && moment.is_of(&self.references) {
                (has_references, keep) = (true, true);
            }
            let changed = if moment.is_of(&self.sets) { change(trace, &moment) } else { None };
            if moment.is_of(&self.counters) {
                for (counter, _, is_base) in read(trace, &moment) {
                    last_read[counter as usize] = Some(at);
                    let of_set = if is_base { changed } else { set };
                    let pair = (of_set.map_or(0, |set| set.saturating_add(1)), counter);
                    let is_told = of_set.is_some() || !ends.is_first;
                    if has_sets && is_told && !taught.contains(&pair) {
                        taught.push(pair);
                        keep = true;
                    }
                }
            }
            set = changed.or(set);
            whole[at as usize] |= keep;
        }
        if !ends.is_last {
            last_read.into_iter().flatten().for_each(|of| whole[of as usize] = true);
        }
        whole
    }
}
