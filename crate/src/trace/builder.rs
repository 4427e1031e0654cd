use std::sync::Arc;

use super::columns::{EventType, Object, Trace};
use super::growing::Growing;
use super::only::told_apart;
use super::shape::Shapes;
use super::{
    AllocationPart, Kind, Labels, Meaning, Notices, Only, Origin, Partial, Provenance, Reduced,
    Stopped, Variable,
};
use crate::order::{self, Numbers};

/// What a type of event takes, about: its code, its place in the order, and later its name.
const BYTES_OF_CODE: u64 = 160;

/// What the events of a type mean, by its code and the labels.
pub type Meanings = fn(u32, &Labels) -> Meaning;

/// Whether the events of a type are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    No,
    Yes,
    /// Sizes of allocations, routines and calls: they keep the callers of their moment.
    Called,
    /// Callers: calls are told apart by them.
    Caller,
}

/// Takes events one by one, in the order of each thread's time as far as the file keeps it, and
/// freezes into a [`Trace`].
///
/// Events of one thread at one time make one moment, wherever in the file they stand. Events that
/// mean nothing to folding ([`Kind::Other`]) are not kept, nor are those that [`Only`] leaves out:
/// they leave their time, and the types and threads that were met.
#[derive(Clone, Debug)]
pub struct Builder {
    pub name: String,
    pub size_bytes: u64,
    /// The largest time met, at the end also promised, in nanoseconds.
    pub duration_ns: u64,
    pub cut: bool,
    pub generated: bool,
    pub labels: Labels,
    /// The program's variables, in any order.
    pub variables: Vec<Variable>,
    pub notices: Notices,
    pub provenance: Provenance,
    /// See [`Trace::nodes`].
    pub nodes: Vec<Vec<u32>>,
    /// See [`Trace::start_on_clock_ns`].
    pub start_on_clock_ns: Option<u64>,
    /// Where reading stopped, if it did before the end.
    pub stopped: Option<Stopped>,
    /// See [`Trace::reduced`].
    pub reduced: Option<Reduced>,
    /// What is kept; see [`Builder::keep_only`].
    pub(super) only: Only,
    pub(super) meaning: Meanings,
    /// Codes met so far, and whether their events are kept.
    pub(super) codes: Vec<(u32, Keep)>,
    index_of_code: Numbers,
    /// Codes met last, with their indices and whether they are kept: most events are of a few types.
    recent: [Option<(u32, u32, Keep)>; 64],
    pub(super) threads: Vec<Growing>,
    recent_threads: [Option<(Object, u32)>; 64],
    index_of_object: Numbers,
    pub(super) shapes: Shapes,
}

/// A thread of the trace being built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadIndex(pub(super) usize);

impl ThreadIndex {
    pub fn number(self) -> u64 {
        self.0 as u64
    }
}

impl Builder {
    /// An empty trace with this name. Whether events of a type are kept is asked of `meaning` when
    /// the first one comes, so labels that decide it must be there by then.
    pub fn new(name: &str, meaning: Meanings) -> Self {
        Self {
            name: name.to_owned(),
            size_bytes: 0,
            duration_ns: 0,
            cut: false,
            nodes: vec![],
            generated: false,
            labels: Labels::default(),
            variables: vec![],
            notices: Notices::default(),
            provenance: Provenance::default(),
            start_on_clock_ns: None,
            stopped: None,
            reduced: None,
            only: Only::default(),
            meaning,
            codes: vec![],
            index_of_code: Numbers::default(),
            recent: [None; 64],
            threads: vec![],
            recent_threads: [None; 64],
            index_of_object: Numbers::default(),
            shapes: Shapes::default(),
        }
    }

    /// Keeps no more than `only` from here on. Before the first event.
    pub fn keep_only(&mut self, only: Only) {
        self.only = only;
    }

    /// What is kept.
    pub fn only(&self) -> &Only {
        &self.only
    }

    /// The thread of `object`, made when first met.
    pub fn thread(&mut self, object: Object) -> ThreadIndex {
        let Object { application, task, thread } = object;
        let index = self.index_of_object.of([application, task, thread].map(u64::from));
        if index == self.threads.len() {
            self.threads.push(Growing::new(object, self.only.has_object(object)));
        }
        ThreadIndex(index)
    }

    /// Adds an event of type `code` at `time_ns`.
    #[inline]
    pub fn event(&mut self, thread: ThreadIndex, time_ns: u64, code: u32, value: u64) {
        self.add(thread.0, time_ns, &[[u64::from(code), value]]);
    }

    /// Adds events, pairs of type and value, of the thread of `object` at `time_ns`. All types are
    /// of 32 bits.
    #[inline]
    pub fn moment(&mut self, object: Object, time_ns: u64, events: &[[u64; 2]]) {
        let thread = self.recent_thread(object);
        self.add(thread, time_ns, events);
    }

    /// The thread of `object` computes from `begin_ns` to `end_ns`. What a window of time cuts has no
    /// begin or no end.
    #[inline]
    pub fn computes(&mut self, object: Object, begin_ns: u64, end_ns: u64) {
        let thread = self.recent_thread(object);
        let in_window = self.only.has_time(begin_ns) && self.only.has_time(end_ns);
        if let Some(growing) = self.threads.get_mut(thread)
            && in_window
            && growing.is_wanted
        {
            growing.running.add(begin_ns, end_ns);
        }
    }

    #[inline]
    fn add(&mut self, thread: usize, time_ns: u64, events: &[[u64; 2]]) {
        self.duration_ns = self.duration_ns.max(time_ns);
        let in_window = self.only.has_time(time_ns);
        let is_zero = events.iter().all(|[_, value]| *value == 0);
        if let Some(growing) = self.threads.get_mut(thread).filter(|_| !events.is_empty()) {
            growing.note(time_ns, is_zero);
        }
        for &[code, value] in events {
            let (event_type, keep) = self.event_type(code as u32);
            let kept = match keep {
                Keep::No => false,
                Keep::Caller => self.calls(thread, time_ns, events),
                Keep::Yes | Keep::Called => true,
            };
            let Some(growing) = self.threads.get_mut(thread) else { return };
            if keep == Keep::Called {
                growing.called_ns = Some(time_ns);
            }
            if kept && in_window && growing.is_wanted {
                growing.event(time_ns, event_type, value, &mut self.shapes);
            }
        }
    }

    /// Whether something is called in the moment of these events, by them or by those before, of
    /// which the callers count.
    fn calls(&mut self, thread: usize, time_ns: u64, events: &[[u64; 2]]) -> bool {
        let known = |growing: &Growing| growing.called_ns == Some(time_ns);
        self.threads.get(thread).is_some_and(known)
            || events.iter().any(|&[code, _]| self.event_type(code as u32).1 == Keep::Called)
    }

    /// The index of the thread of `object`, found at once if it was met lately.
    #[inline]
    fn recent_thread(&mut self, object: Object) -> usize {
        let Object { application, task, thread } = object;
        let slot = (application ^ task.wrapping_mul(5) ^ thread.wrapping_mul(41)) as usize % 64;
        if let Some(&Some((known, index))) = self.recent_threads.get(slot)
            && known == object
        {
            return index as usize;
        }
        let index = self.thread(object).0;
        if let Some(slot) = self.recent_threads.get_mut(slot) {
            *slot = Some((object, index as u32));
        }
        index
    }

    /// The index of the type of `code`, and whether its events are kept.
    #[inline]
    fn event_type(&mut self, code: u32) -> (u32, Keep) {
        match self.recent.get(slot_of(code)) {
            Some(&Some((known, index, keep))) if known == code => (index, keep),
            _ => self.looked_up(code),
        }
    }

    pub(super) fn looked_up(&mut self, code: u32) -> (u32, Keep) {
        let index = self.index_of_code.of([u64::from(code), 0, 0]);
        if index == self.codes.len() {
            let Meaning { kind, name, .. } = (self.meaning)(code, &self.labels);
            let keep = match kind {
                Kind::Other => Keep::No,
                Kind::Counter if !self.only.has_counter(code, &name) => Keep::No,
                Kind::Allocation(AllocationPart::Size)
                | Kind::Region(_, Origin::Code | Origin::Outlined | Origin::Runtime(_)) => {
                    Keep::Called
                }
                Kind::Caller(_) | Kind::CallerLine(_) => Keep::Caller,
                _ => Keep::Yes,
            };
            self.codes.push((code, keep));
        }
        let keep = self.codes.get(index).map_or(Keep::No, |(_, keep)| *keep);
        if let Some(slot) = self.recent.get_mut(slot_of(code)) {
            *slot = Some((code, index as u32, keep));
        }
        (index as u32, keep)
    }

    pub(super) fn kind_of(&self, event_type: u32) -> Kind {
        let code = self.codes.get(event_type as usize).map_or(0, |(code, _)| *code);
        (self.meaning)(code, &self.labels).kind
    }

    /// Threads with events met so far.
    pub fn threads(&self) -> usize {
        let has_events = |of: &&Growing| of.span_ns.is_some() && of.object.beside().is_none();
        self.threads.iter().filter(has_events).count()
    }

    /// The types met so far, by code, and what their events mean.
    pub fn codes(&self) -> impl Iterator<Item = u32> {
        self.codes.iter().map(|(code, _)| *code)
    }

    /// What the events of a type mean.
    pub fn meaning(&self, code: u32) -> Meaning {
        (self.meaning)(code, &self.labels)
    }

    /// Whether an event of this type was met.
    pub fn has_code(&self, code: u32) -> bool {
        self.index_of_code.get([u64::from(code), 0, 0]).is_some()
    }

    /// The largest time of an event, kept or not; 0 without one.
    pub fn last_event_ns(&self) -> u64 {
        let last_ns = |growing: &Growing| growing.span_ns.map_or(0, |(_, last_ns)| last_ns);
        self.threads.iter().map(last_ns).max().unwrap_or(0)
    }

    /// Moments kept so far, over all threads. O(chunks).
    pub fn moments(&self) -> usize {
        self.threads.iter().map(Growing::moments).sum()
    }

    /// Bytes that what is kept takes. O(chunks).
    pub fn held_bytes(&self) -> u64 {
        let columns = self.threads.iter().map(Growing::held_bytes).sum::<u64>();
        columns + self.shapes.held_bytes() + BYTES_OF_CODE * self.codes.len() as u64
    }

    /// What was read so far, as a trace: moments that are still open are not in it. The columns
    /// are shared, not copied.
    pub fn so_far(&self) -> Trace {
        let mut shapes = self.shapes.clone();
        let growing = self.threads.iter().map(|growing| growing.so_far());
        let threads = growing.collect::<Vec<_>>();
        self.frozen(threads, &mut shapes, self.labels.clone(), self.notices.clone())
    }

    /// Freezes what was read.
    pub fn finish(mut self) -> Trace {
        let mut shapes = std::mem::take(&mut self.shapes);
        let close = |mut growing: Growing| {
            growing.close(&mut shapes);
            growing.seal();
            growing
        };
        let threads = std::mem::take(&mut self.threads).into_iter().map(close).collect::<Vec<_>>();
        let labels = std::mem::take(&mut self.labels);
        let mut notices = std::mem::take(&mut self.notices);
        self.note_what_is_missing(&labels, &threads, &mut notices);
        self.frozen(threads, &mut shapes, labels, notices)
    }

    /// The trace of these threads, whose moments are all closed.
    fn frozen(
        &self,
        mut threads: Vec<Growing>,
        shapes: &mut Shapes,
        labels: Labels,
        mut notices: Notices,
    ) -> Trace {
        let type_of = |&(code, _): &(u32, Keep)| {
            let Meaning { kind, name, description } = (self.meaning)(code, &labels);
            EventType { code, kind, name, description }
        };
        let mut types = self.codes.iter().map(type_of).collect::<Vec<_>>();
        for index in shared_names(&types) {
            types[index].name = told_apart(&types[index].name, types[index].code);
        }
        // A counter without a reading is none; its name counted all the same.
        for (known, (_, keep)) in types.iter_mut().zip(&self.codes) {
            if known.kind == Kind::Counter && *keep == Keep::No {
                known.kind = Kind::Other;
            }
        }
        if threads.iter().any(|growing| !growing.sorted) {
            let met = Arc::new(shapes.clone());
            for growing in threads.iter_mut().filter(|growing| !growing.sorted) {
                growing.sort(&met, shapes);
            }
        }
        let shapes = Arc::new(std::mem::take(shapes));
        // By object: the order in the file must not reach the result.
        let mut by_object = Vec::with_capacity(threads.len());
        let mut readers = vec![];
        let in_order = self.index_of_object.by_key().filter_map(|index| threads.get(index));
        for growing in in_order.filter(|growing| growing.is_wanted) {
            if !growing.sorted {
                let text = "Times of a thread go back; its events were put in order.";
                notices.add(text, || format!("thread {}", growing.object));
            }
            let is_thread = growing.object.beside().is_none();
            let own = if is_thread { &mut by_object } else { &mut readers };
            own.push(growing.frozen(&shapes, &self.only));
        }
        let mut variables = self.variables.clone();
        order::by(&mut variables, |a, b| a.place().cmp(&b.place()));
        Trace {
            name: self.name.clone(),
            size_bytes: self.size_bytes,
            duration_ns: self.duration_ns,
            cut: self.cut,
            generated: self.generated,
            types,
            labels,
            variables,
            threads: by_object,
            readers,
            notices,
            provenance: self.provenance.clone(),
            nodes: self.nodes.clone(),
            start_on_clock_ns: self.start_on_clock_ns,
            partial: Partial::of(&self.only, &self.stopped),
            reduced: self.reduced.clone(),
            shapes,
        }
    }
}

/// Where a code is remembered: those of callers, lines and counters differ by round numbers.
fn slot_of(code: u32) -> usize {
    (code.wrapping_mul(0x9e37_79b1) >> 26) as usize
}

/// Counters whose name another one has too: it takes the code to tell them apart.
fn shared_names(types: &[EventType]) -> Vec<usize> {
    let is_counter = |at: &usize| types[*at].kind == Kind::Counter;
    let mut counters = (0..types.len()).filter(is_counter).collect::<Vec<_>>();
    order::by(&mut counters, |a, b| types[*a].name.cmp(&types[*b].name));
    let same_name = counters.chunk_by(|a, b| types[*a].name == types[*b].name);
    same_name.filter(|same| same.len() > 1).flatten().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Nesting, Paradigm};

    /// A type that folding has no use for.
    const NOTHING: u32 = 999;

    fn trace(events: &[(u64, u32, u64)]) -> Trace {
        let mut builder = Builder::new("made up", |code, _| Meaning {
            kind: if code == NOTHING { Kind::Other } else { Kind::Counter },
            name: format!("type {code}"),
            description: String::new(),
        });
        let thread = builder.thread(Object { application: 1, task: 1, thread: 1 });
        for &(time, code, value) in events {
            builder.event(thread, time, code, value);
        }
        builder.finish()
    }

    fn moments(trace: &Trace) -> Vec<(u64, Vec<(u32, u64)>)> {
        let thread = &trace.threads[0];
        let pair =
            |event: super::super::Event| (trace.types[event.event_type as usize].code, event.value);
        thread.moments().map(|m| (m.time, m.events().map(pair).collect())).collect()
    }

    #[test]
    fn events_of_one_time_make_one_moment_in_the_order_written() {
        let trace = trace(&[(5, 20, 1), (5, 10, 2), (9, 20, 3)]);
        assert_eq!(moments(&trace), [(5, vec![(20, 1), (10, 2)]), (9, vec![(20, 3)])]);
    }

    #[test]
    fn moments_of_many_values_are_what_was_written() {
        // After 2,048 moments there are 2¹⁶ words, which a chunk counts in 16 bits.
        let values = |time: u64| (0..32).map(move |code| (code, 32 * time + u64::from(code)));
        let written = (0..3000).map(|time| (time, values(time).collect::<Vec<_>>()));
        let written = written.collect::<Vec<_>>();
        let event = |time: u64| values(time).map(move |(code, value)| (time, code, value));
        let trace = trace(&(0..3000).flat_map(event).collect::<Vec<_>>());
        assert!(moments(&trace) == written);
    }

    #[test]
    fn times_that_go_back_are_put_in_order_and_noticed() {
        let trace = trace(&[(5, 1, 1), (9, 1, 2), (5, 2, 3), (7, 1, 4)]);
        let expected = [(5, vec![(1, 1), (2, 3)]), (7, vec![(1, 4)]), (9, vec![(1, 2)])];
        assert_eq!(moments(&trace), expected);
        assert_eq!(trace.notices.iter().count(), 1);
    }

    #[test]
    fn a_thread_begins_at_its_earliest_event_wherever_that_stands() {
        let trace = trace(&[(5, 1, 1), (9, 1, 2), (3, 1, 3), (8, 1, 4)]);
        assert_eq!((trace.threads[0].span_ns(), trace.threads[0].end_ns()), (6, 9));
    }

    #[test]
    fn what_folding_has_no_use_for_leaves_nothing_but_its_time() {
        let trace = trace(&[(3, NOTHING, 1), (5, 20, 1), (5, NOTHING, 2), (9, NOTHING, 0)]);
        assert_eq!(moments(&trace), [(5, vec![(20, 1)])]);
        let thread = &trace.threads[0];
        assert_eq!((thread.span_ns(), thread.ends_in_zeros()), (6, true));
    }

    #[test]
    fn callers_are_kept_where_memory_is_asked_for_or_something_called_and_nowhere_else() {
        let mut builder = Builder::new("made up", |code, _| Meaning {
            kind: match code {
                1 => Kind::Allocation(AllocationPart::Size),
                2 => Kind::Region(Nesting::Flat, Origin::Runtime(Paradigm::Mpi)),
                3 => Kind::Region(Nesting::Stack, Origin::Code),
                70 => Kind::Caller(1),
                80 => Kind::CallerLine(1),
                _ => Kind::Counter,
            },
            name: format!("type {code}"),
            description: String::new(),
        });
        let object = Object { application: 1, task: 1, thread: 1 };
        // A call without a size; one with callers before and after it; one in two lines.
        builder.moment(object, 5, &[[5, 1], [70, 3], [80, 4]]);
        builder.moment(object, 7, &[[70, 3], [1, 64], [80, 4]]);
        builder.moment(object, 8, &[[1, 0]]);
        builder.moment(object, 9, &[[1, 32]]);
        builder.moment(object, 9, &[[80, 6]]);
        builder.moment(object, 11, &[[80, 7]]);
        builder.moment(object, 12, &[[2, 3], [70, 9]]);
        builder.moment(object, 13, &[[3, 3], [70, 9]]);
        builder.moment(object, 14, &[[5, 1], [70, 9]]);
        let expected = [
            (5, vec![(5, 1)]),
            (7, vec![(70, 3), (1, 64), (80, 4)]),
            (8, vec![(1, 0)]),
            (9, vec![(1, 32), (80, 6)]),
            (12, vec![(2, 3), (70, 9)]),
            (13, vec![(3, 3), (70, 9)]),
            (14, vec![(5, 1)]),
        ];
        assert_eq!(moments(&builder.finish()), expected);
    }

    #[test]
    fn long_gaps_large_values_and_many_moments_come_back_as_they_were() {
        let value = |n: u64| if n.is_multiple_of(3) { n << 40 } else { n };
        let time = |n: u64| n * 1000 + if n > 6000 { 1 << 40 } else { 0 };
        let events = (0..10_000).map(|n| (time(n), 1 + (n % 5) as u32, value(n)));
        let events = events.collect::<Vec<_>>();
        let trace = trace(&events);
        let expected = events.iter().map(|&(time, code, value)| (time, vec![(code, value)]));
        assert_eq!(moments(&trace), expected.collect::<Vec<_>>());
        let thread = &trace.threads[0];
        for at in [0, 1, 4095, 4096, 6000, 6001, 9999] {
            assert_eq!(thread.moment(at).time, time(at as u64), "moment {at}");
        }
        assert_eq!(thread.moment(10_000).events().count(), 0);
        let all = || thread.moments().map(|moment| moment.time);
        let times = all().flat_map(|time| [time.saturating_sub(1), time, time + 1]);
        for time in times.step_by(61).chain([0, 1, time(6000) + 1, time(6001) - 1, u64::MAX]) {
            let until = |has: &dyn Fn(u64) -> bool| all().filter(|at| has(*at)).count() as u32;
            assert_eq!(thread.moments_up_to(time), until(&|at| at <= time), "{time}");
            assert_eq!(thread.moments_before(time), until(&|at| at < time), "{time}");
        }
    }

    #[test]
    fn what_was_read_so_far_is_in_order_too() {
        let mut builder = Builder::new("made up", |_, _| Meaning {
            kind: Kind::Counter,
            name: String::new(),
            description: String::new(),
        });
        let thread = builder.thread(Object { application: 1, task: 1, thread: 1 });
        for time in [5, 9, 7, 11, 12] {
            builder.event(thread, time, 1, time);
        }
        let times = builder.so_far().threads[0].moments().map(|m| m.time).collect::<Vec<_>>();
        assert_eq!(times, [5, 7, 9, 11]);
    }

    #[test]
    fn what_was_read_so_far_is_a_trace_without_the_open_moment() {
        let mut builder = Builder::new("made up", |_, _| Meaning {
            kind: Kind::Counter,
            name: String::new(),
            description: String::new(),
        });
        let thread = builder.thread(Object { application: 1, task: 1, thread: 1 });
        for (time, value) in [(1, 7), (2, 8), (3, u64::MAX), (3, 9)] {
            builder.event(thread, time, 5, value);
        }
        let so_far = builder.so_far();
        assert_eq!(moments(&so_far), [(1, vec![(5, 7)]), (2, vec![(5, 8)])]);
        let whole = vec![(1, vec![(5, 7)]), (2, vec![(5, 8)]), (3, vec![(5, u64::MAX), (5, 9)])];
        assert_eq!(moments(&builder.finish()), whole);
    }
}
