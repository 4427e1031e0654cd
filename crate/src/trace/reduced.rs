//! A trace that has the samples of one region alone.

use std::collections::BTreeMap;

use super::growing::Growing;
use super::shape::Shapes;
use super::{Builder, Event, Kind, Object, Thread, Trace};
use crate::order;

/// The region whose samples a trace has, and what is known of those that it has not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reduced {
    /// The code of the region's type, and its value; `None` for any.
    pub region: (u32, Option<u64>),
    pub innermost: Innermost,
    /// Instances whose key ends in fewer bits 0 have their samples summed up, whatever group they are of:
    /// all that was kept as the trace came had grown too large.
    pub level: u32,
    /// Which parts of the trace are missing, in words; `None` if none is.
    pub missing: Option<String>,
    /// Whether more of the trace may come.
    pub grows: bool,
}

/// The innermost routines, by the code of their type and value (rising), of samples and of calls that
/// are not kept, and of how many.
pub type Innermost = Vec<((u32, u64), [u64; 2])>;

/// When the samples of a thread are kept, in nanoseconds since the start of the trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// From when to when, rising and apart, both ends within; `None` for all of the time. The first may
    /// begin with the part that was read (0), the last one end with it (the largest number).
    pub stretches_ns: Option<Vec<[u64; 2]>>,
    /// Where something is missing before: what was open there is not known, and what is may go on.
    pub breaks_ns: Vec<u64>,
    /// When instances begin whose samples were summed up into the readings at their ends, rising, and how
    /// many samples these were.
    pub summed: Vec<(u64, u32)>,
}

impl Known {
    /// Whether all that was sampled from one time to another is there.
    pub fn has(&self, from_ns: u64, to_ns: u64) -> bool {
        let Some(stretches) = &self.stretches_ns else { return true };
        let after = stretches.partition_point(|[begin, _]| *begin <= from_ns);
        let last = after.checked_sub(1).and_then(|at| stretches.get(at));
        last.is_some_and(|[_, end]| to_ns <= *end)
    }

    /// How many samples of the instance that begins then were summed up; 0 if its samples are there.
    pub fn summed_at(&self, start_ns: u64) -> u32 {
        let at = self.summed.binary_search_by_key(&start_ns, |(start_ns, _)| *start_ns);
        at.ok().and_then(|at| self.summed.get(at)).map_or(0, |(_, samples)| *samples)
    }

    /// Those of `stretches_ns`, rising and apart, that are known, as far as they are.
    fn both(&self, stretches_ns: &[[u64; 2]]) -> Vec<[u64; 2]> {
        let Some(own) = &self.stretches_ns else { return stretches_ns.to_vec() };
        let mut both = vec![];
        let mut from = 0;
        for &[begin, end] in stretches_ns {
            from += own[from..].partition_point(|[_, own_end]| *own_end < begin);
            let meeting = own[from..].iter().take_while(|[own_begin, _]| *own_begin <= end);
            both.extend(
                meeting.map(|[own_begin, own_end]| [begin.max(*own_begin), end.min(*own_end)]),
            );
        }
        both
    }
}

/// An instance whose samples are summed up: indices of the moments at which it begins and ends, when it
/// begins, and how many samples it has.
#[derive(Clone, Copy, Debug)]
pub struct Summed {
    pub first: u32,
    pub last: u32,
    pub start_ns: u64,
    pub samples: u32,
}

/// What is kept of a thread, beside all that no sample tells.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// Whether all events of a moment are, by its index.
    pub whole: Vec<bool>,
    /// When its samples are.
    pub stretches_ns: Vec<[u64; 2]>,
    /// Moments, rising, with which something begins and nothing ends: that counters are read there counts,
    /// and not how much they counted before.
    pub begins: Vec<u32>,
}

impl Reduced {
    /// Counts what is left out, too.
    pub fn leave_out(&mut self, innermost: Innermost) {
        for (frame, counts) in innermost {
            let own = order::entry(&mut self.innermost, frame);
            *own = [0, 1].map(|of| own[of].saturating_add(counts[of]));
        }
    }

    /// With those that a later part left out.
    // On the page all that parts of folds take is loaded for them alone.
    #[inline(never)]
    pub(super) fn and(mut self, later: Option<Self>) -> Self {
        if let Some(later) = later {
            self.level = self.level.max(later.level);
            self.leave_out(later.innermost);
        }
        self
    }
}

impl Builder {
    /// Ends what is open, so that [`Builder::so_far`] is all of it.
    pub fn settle(&mut self) {
        for growing in &mut self.threads {
            growing.close(&mut self.shapes);
        }
    }

    /// The first thread whose times go back.
    pub fn unsorted(&self) -> Option<Object> {
        self.threads.iter().find(|growing| !growing.sorted).map(|growing| growing.object)
    }

    /// Keeps of the events of the types that are `dropped` (by index) those of the moments that are kept
    /// whole, in the order in which threads were met. `trace` is what was read so far, `kept` what to keep of each of its threads; more of the
    /// samples is left out by `reduced`. O(events).
    pub fn reduce(&mut self, trace: Trace, dropped: &[bool], kept: Vec<Kept>, reduced: Reduced) {
        let mut shapes = Shapes::default();
        let types = trace.types.iter().map(|of| of.kind).collect::<Vec<_>>();
        // Readers have no samples.
        let readers = trace.readers.into_iter().map(|reader| (reader, Kept::default()));
        let kept = trace.threads.into_iter().zip(kept).chain(readers);
        let mut by_object =
            kept.map(|(thread, kept)| (thread.object, (thread, kept))).collect::<BTreeMap<_, _>>();
        for growing in &mut self.threads {
            // What is not kept of a thread is let go before the next one.
            let Some((thread, kept)) = by_object.remove(&growing.object) else { continue };
            growing.full.clear();
            let mut fewer = Growing::new(growing.object, true);
            let mut begins = kept.begins.into_iter().peekable();
            for (at, moment) in (0u32..).zip(thread.moments()) {
                let is_whole = kept.whole.get(at as usize).copied().unwrap_or(true);
                let is_of =
                    |event: &Event, kind| types.get(event.event_type as usize) == Some(&kind);
                // A zero behind a change of the set would be another one's base.
                let begins = begins.next_if_eq(&at).is_some()
                    && !moment.events().any(|event| is_of(&event, Kind::CounterSet));
                for event in moment.events() {
                    let is_dropped = dropped.get(event.event_type as usize) == Some(&true);
                    let counts = !(begins && is_dropped && is_of(&event, Kind::Counter));
                    if is_whole || !is_dropped {
                        let value = if counts { event.value } else { 0 };
                        fewer.event(moment.time, event.event_type, value, &mut shapes);
                    }
                }
            }
            fewer.close(&mut shapes);
            fewer.seal();
            fewer.note_part(growing);
            fewer.called_ns = growing.called_ns;
            fewer.known.breaks_ns = std::mem::take(&mut growing.known.breaks_ns);
            fewer.known.summed = std::mem::take(&mut growing.known.summed);
            // What was left out before is not known again.
            fewer.known.stretches_ns = Some(growing.known.both(&kept.stretches_ns));
            *growing = fewer;
        }
        self.shapes = shapes;
        let before = self.reduced.take();
        self.reduced = Some(reduced.and(before));
    }

    /// Sums up the readings inside of instances into those at their ends, and keeps no other sample of them.
    /// `trace` is what was read so far, `instances` some of each of its threads, rising and apart, in which no
    /// set changes; `dropped` the types of samples. O(events).
    pub fn sum_up(&mut self, trace: &Trace, dropped: &[bool], instances: &[Vec<Summed>]) {
        let mut shapes = Shapes::default();
        for growing in &mut self.threads {
            // Threads and readers are by object; these have no instances.
            let find = |all: &[Thread]| {
                all.binary_search_by_key(&growing.object, |thread| thread.object).ok()
            };
            let of_thread = find(&trace.threads);
            let thread = match of_thread {
                Some(at) => trace.threads.get(at),
                None => find(&trace.readers).and_then(|at| trace.readers.get(at)),
            };
            let Some(thread) = thread else { continue };
            let instances =
                of_thread.and_then(|at| instances.get(at)).map_or(&[][..], Vec::as_slice);
            let mut fewer = Growing::new(growing.object, true);
            let mut next = instances.iter().peekable();
            let mut sums: BTreeMap<u32, u64> = BTreeMap::new();
            for (at, moment) in (0u32..).zip(thread.moments()) {
                if let Some(ended) = next.next_if(|of| of.last < at) {
                    fewer.known.summed.push((ended.start_ns, ended.samples));
                    sums.clear();
                }
                let within = next.peek().filter(|of| of.first < at);
                let (is_inside, is_end) =
                    within.map_or((false, false), |of| (at < of.last, at == of.last));
                let mut has_changed = false;
                for Event { event_type, value } in moment.events() {
                    let kind = trace.kind(event_type);
                    has_changed |= kind == Kind::CounterSet;
                    let is_dropped = dropped.get(event_type as usize) == Some(&true);
                    let mut value = value;
                    if kind == Kind::Counter && is_dropped {
                        if is_inside {
                            let sum = sums.entry(event_type).or_default();
                            *sum = sum.saturating_add(value);
                        } else if is_end && !(has_changed && value == 0) {
                            let sum = sums.remove(&event_type).unwrap_or(0);
                            value = value.saturating_add(sum);
                        }
                    }
                    if !(is_inside && is_dropped) {
                        fewer.event(moment.time, event_type, value, &mut shapes);
                    }
                }
            }
            fewer.known.summed.extend(next.map(|of| (of.start_ns, of.samples)));
            fewer.close(&mut shapes);
            fewer.seal();
            fewer.note_part(growing);
            fewer.called_ns = growing.called_ns;
            let summed = std::mem::take(&mut fewer.known.summed);
            fewer.known = std::mem::take(&mut growing.known);
            fewer.known.summed.extend(summed);
            order::by_number(&mut fewer.known.summed, |(start_ns, _)| *start_ns);
            *growing = fewer;
        }
        self.shapes = shapes;
    }

    /// What is read from here on is kept, as it comes behind what was made smaller.
    pub fn go_on(&mut self) {
        for growing in &mut self.threads {
            growing.reopen(&self.shapes);
            growing.know_what_follows();
        }
    }

    /// What was read begins after something that is missing.
    pub fn begin_broken_off(&mut self) {
        self.threads.iter_mut().for_each(|growing| growing.known.breaks_ns.insert(0, 0));
    }

    /// What is read from here on comes after something that is missing.
    pub fn break_off(&mut self) {
        for growing in &mut self.threads {
            growing.is_broken_off = growing.last_ns().is_some();
        }
    }
}

impl Growing {
    /// All that comes after the last event is known.
    fn know_what_follows(&mut self) {
        let last_ns = self.span_ns.map_or(0, |(_, last_ns)| last_ns);
        let Some(stretches_ns) = &mut self.known.stretches_ns else { return };
        match stretches_ns.last_mut().filter(|[_, end]| *end >= last_ns) {
            Some([_, end]) => *end = u64::MAX,
            None => stretches_ns.push([last_ns, u64::MAX]),
        }
    }

    /// Takes note of what is known of a later part of the thread.
    #[inline(never)]
    pub fn know_part(&mut self, part: &Self) {
        let last_ns = self.span_ns.map_or(0, |(_, last_ns)| last_ns);
        let first_ns = part.span_ns.map_or(last_ns, |(first_ns, _)| first_ns);
        let is_broken_off = std::mem::take(&mut self.is_broken_off);
        if is_broken_off {
            self.known.breaks_ns.push(first_ns);
        }
        self.known.breaks_ns.extend(&part.known.breaks_ns);
        self.known.summed.extend(&part.known.summed);
        let later = match &part.known.stretches_ns {
            Some(later) => later.clone(),
            // Of a thread that is in neither nothing was read.
            None if part.moments() == 0 => return,
            // All of it was.
            None => vec![[0, u64::MAX]],
        };
        let Some(own) = &mut self.known.stretches_ns else {
            self.known.stretches_ns = Some(later);
            return;
        };
        let goes_on = own.last().is_some_and(|[_, end]| *end == u64::MAX);
        let went_on = later.first().is_some_and(|[begin, _]| *begin == 0);
        let mut later = later;
        match (own.last_mut(), later.first_mut()) {
            (Some(last), Some(first)) if goes_on && went_on && !is_broken_off => {
                last[1] = first[1];
                later.remove(0);
            }
            (last, first) => {
                last.into_iter().for_each(|[_, end]| *end = (*end).min(last_ns));
                let from_ns = if is_broken_off { first_ns } else { last_ns };
                first.into_iter().for_each(|[begin, _]| *begin = (*begin).max(from_ns));
            }
        }
        // What ends and begins in one moment of both is known throughout.
        if let (Some(last), Some(first)) = (own.last_mut(), later.first())
            && last[1] == first[0]
            && !is_broken_off
        {
            last[1] = first[1];
            later.remove(0);
        }
        own.extend(later);
    }
}
