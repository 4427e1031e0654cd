use std::fmt;
use std::sync::Arc;

use super::chunk::Chunk;
use super::shape::{Shapes, Wide, narrow};
use super::{Kind, Known, Labels, Notices, Partial, Provenance, Reduced, Variable};

/// A whole trace; nothing in it changes.
#[derive(Clone, Debug)]
pub struct Trace {
    pub name: String,
    /// Size of its files' main part in bytes, as it lay on disk.
    pub size_bytes: u64,
    /// The later of what the header promises and the last record, in nanoseconds.
    pub duration_ns: u64,
    /// Whether it was cut out of a longer trace: it may begin and end inside regions.
    pub cut: bool,
    /// Whether it says of itself that a generator made it.
    pub generated: bool,
    /// Every type of event met, by code.
    pub types: Vec<EventType>,
    pub labels: Labels,
    /// The program's variables, by application, task and address.
    pub variables: Vec<Variable>,
    /// Threads that carry events and were to be read, by application, task and thread.
    pub threads: Vec<Thread>,
    /// What reads levels beside the program, in the same order; see [`Beside`].
    pub readers: Vec<Thread>,
    pub notices: Notices,
    /// How sure its numbers are.
    pub provenance: Provenance,
    /// By application and task, from 1, the node that it runs on; 0 or none where it is not told.
    pub nodes: Vec<Vec<u32>>,
    /// What its clock showed at time 0, if other recordings of the machine have the same clock.
    pub start_on_clock_ns: Option<u64>,
    /// Which part of it was read, if that is not all.
    pub partial: Option<Partial>,
    /// Of which region it has the samples, if not of all.
    pub reduced: Option<Reduced>,
    /// Of the moments of all threads.
    pub(super) shapes: Arc<Shapes>,
}

/// A type of event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventType {
    pub code: u32,
    pub kind: Kind,
    /// As people know it: `PAPI_TOT_INS`, `User function`.
    pub name: String,
    /// The long name; may be empty.
    pub description: String,
}

/// Application, task and thread, each from 1; of what is no thread of the program, see [`Beside`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Object {
    pub application: u32,
    pub task: u32,
    pub thread: u32,
}

/// What a reader reads for, where it is no thread of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// This task of application 1.
    Task(u32),
    /// All that runs on this node.
    Node(u32),
}

/// Of the application of readers that are no threads, and in the number of the task of those of a node.
const NO_APPLICATION: u32 = 0;
const OF_NODE: u32 = 1 << 31;

impl Object {
    /// A reader, with a number that tells it from others. Numbers of tasks and nodes have 31 bits.
    pub fn reader(of: Beside, number: u32) -> Self {
        let task = match of {
            Beside::Task(task) => task & !OF_NODE,
            Beside::Node(node) => node | OF_NODE,
        };
        Self { application: NO_APPLICATION, task, thread: number }
    }

    /// What it reads for; `None` of a thread of the program.
    pub fn beside(self) -> Option<Beside> {
        let node = (self.task & OF_NODE != 0).then_some(Beside::Node(self.task & !OF_NODE));
        (self.application == NO_APPLICATION).then(|| node.unwrap_or(Beside::Task(self.task)))
    }
}

impl Trace {
    /// The node that a thread runs on or a reader reads for, from 1; 0 where it is not told.
    pub fn node(&self, object: Object) -> u32 {
        let object = match object.beside() {
            Some(Beside::Node(node)) => return node,
            Some(Beside::Task(task)) => Object { application: 1, task, ..object },
            None => object,
        };
        let nth = |number: u32| (number as usize).wrapping_sub(1);
        let tasks = self.nodes.get(nth(object.application));
        tasks.and_then(|tasks| tasks.get(nth(object.task))).copied().unwrap_or(0)
    }
}

impl fmt::Display for Object {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.beside() {
            Some(Beside::Task(task)) => return write!(out, "{} beside task {task}", self.thread),
            Some(Beside::Node(node)) => return write!(out, "{} beside node {node}", self.thread),
            None => {}
        }
        write!(out, "{}.{}.{}", self.application, self.task, self.thread)
    }
}

/// One thread: its moments by increasing time, in chunks of columns.
#[derive(Clone, Debug)]
pub struct Thread {
    pub object: Object,
    chunks: Vec<Arc<Chunk>>,
    /// Index of each chunk's first moment; one more at the end.
    first: Vec<u32>,
    shapes: Arc<Shapes>,
    /// From its first event to its last, those that are not kept too, as far as that was to be
    /// read.
    span_ns: u64,
    end_ns: u64,
    ends_in_zeros: bool,
    running: Vec<[u64; 2]>,
    known: Known,
}

/// All that happened to a thread at one instant, in the order written.
///
/// Its events are looked up when they are asked for: of most moments the shape says enough.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'thread> {
    /// Nanoseconds since the start of the trace.
    pub time: u64,
    shape: u32,
    thread: &'thread Thread,
    /// Its chunk, and its place there; `None` beyond the last moment.
    place: Option<(&'thread Chunk, u32)>,
}

/// A (type, value) pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Index into [`Trace::types`].
    pub event_type: u32,
    pub value: u64,
}

impl Thread {
    pub(super) fn of_chunks(
        object: Object,
        chunks: Vec<Arc<Chunk>>,
        shapes: &Arc<Shapes>,
        (span_ns, end_ns): (u64, u64),
        ends_in_zeros: bool,
        running: Vec<[u64; 2]>,
    ) -> Self {
        let mut first = Vec::with_capacity(chunks.len() + 1);
        let mut moments = 0;
        for chunk in &chunks {
            first.push(moments);
            moments += chunk.times.len() as u32;
        }
        first.push(moments);
        let shapes = Arc::clone(shapes);
        let known = Known::default();
        Self { object, chunks, first, shapes, span_ns, end_ns, ends_in_zeros, running, known }
    }

    /// The same thread with other moments; its span stays that of its own events.
    pub(super) fn with_chunks(&self, chunks: Vec<Arc<Chunk>>, shapes: &Arc<Shapes>) -> Self {
        let times = (self.span_ns, self.end_ns);
        let running = self.running.clone();
        let known = self.known.clone();
        let ends_in_zeros = self.ends_in_zeros;
        Self::of_chunks(self.object, chunks, shapes, times, ends_in_zeros, running).knowing(known)
    }

    /// The same of which this is known.
    pub(super) fn knowing(self, known: Known) -> Self {
        Self { known, ..self }
    }

    /// When its samples are kept, and where something of it is missing.
    pub fn known(&self) -> &Known {
        &self.known
    }

    /// How many moments it has.
    pub fn len(&self) -> usize {
        self.first.last().map_or(0, |&moments| moments as usize)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The moment with this index; empty at time 0 beyond the last. O(log moments).
    pub fn moment(&self, index: usize) -> Moment<'_> {
        let beyond = Moment { time: 0, shape: u32::MAX, thread: self, place: None };
        self.moments_from(index).next().unwrap_or(beyond)
    }

    pub fn moments(&self) -> impl Iterator<Item = Moment<'_>> {
        self.moments_from(0)
    }

    /// The moments whose shape is one of [`Trace::shapes_with`], with their indices. The others are
    /// passed over without a look at more than their shape.
    pub fn moments_of(&self, shapes: &[bool]) -> impl Iterator<Item = (u32, Moment<'_>)> {
        self.chunks.iter().zip(&self.first).flat_map(move |(chunk, &first)| {
            let is_of = |shape: &u32| shapes.get(*shape as usize).copied().unwrap_or(false);
            let places = (0u32..).zip(&chunk.shapes).filter(move |(_, shape)| is_of(shape));
            places.map(move |(at, _)| (first + at, self.moment_of(chunk, at as usize)))
        })
    }

    /// When the moment with this index was, in nanoseconds since the start of the trace; 0 beyond the
    /// last. O(log moments).
    pub fn time_ns(&self, index: u32) -> u64 {
        let at = self.first.partition_point(|&first| first <= index).saturating_sub(1);
        let chunk = self.chunks.get(at).zip(self.first.get(at));
        chunk.map_or(0, |(chunk, first)| chunk.time_ns((index - first) as usize))
    }

    /// How many moments are not after a time, in nanoseconds since the start of the trace.
    /// O(log moments).
    pub fn moments_up_to(&self, time_ns: u64) -> u32 {
        // The last chunk that begins by then; all before it are over.
        let begun = self.chunks.partition_point(|chunk| chunk.start_ns <= time_ns);
        let Some(last) = begun.checked_sub(1) else { return 0 };
        let inside = self.chunks.get(last).map_or(0, |chunk| chunk.moments_up_to(time_ns));
        self.first.get(last).map_or(0, |first| first + inside)
    }

    /// How many moments are before a time. O(log moments).
    pub fn moments_before(&self, time_ns: u64) -> u32 {
        time_ns.checked_sub(1).map_or(0, |before_ns| self.moments_up_to(before_ns))
    }

    /// The moments from the one with this index on; stepping takes O(1).
    pub fn moments_from(&self, index: usize) -> impl Iterator<Item = Moment<'_>> {
        let at = self.first.partition_point(|&first| first as usize <= index).saturating_sub(1);
        let skipped = index - self.first.get(at).map_or(0, |&first| first as usize);
        let mut chunks = self.chunks.get(at..).unwrap_or_default().iter();
        let mut chunk = chunks.next();
        let mut next = skipped;
        std::iter::from_fn(move || {
            while chunk?.times.len() <= next {
                chunk = chunks.next();
                next = 0;
            }
            let moment = chunk.map(|chunk| self.moment_of(chunk, next));
            next += 1;
            moment
        })
    }

    /// The moments strictly between two.
    pub fn moments_between(&self, first: u32, last: u32) -> impl Iterator<Item = Moment<'_>> {
        let count = last.saturating_sub(first).saturating_sub(1);
        self.moments_from(first as usize + 1).take(count as usize)
    }

    #[inline]
    fn moment_of<'thread>(&'thread self, chunk: &'thread Chunk, at: usize) -> Moment<'thread> {
        let shape = chunk.shapes.get(at).copied().unwrap_or(u32::MAX);
        Moment { time: chunk.time_ns(at), shape, thread: self, place: Some((chunk, at as u32)) }
    }

    /// Nanoseconds from its first event to its last; of a window of time, those that lie in it.
    pub fn span_ns(&self) -> u64 {
        self.span_ns
    }

    /// Whether everything that happened at its last time was zero.
    ///
    /// The last moment is of that time only if something then was worth keeping, and was to be
    /// read.
    pub fn ends_in_zeros(&self) -> bool {
        self.ends_in_zeros
    }

    /// The time of its last event, whatever was to be read, in nanoseconds since the start of the
    /// trace.
    pub fn end_ns(&self) -> u64 {
        self.end_ns
    }

    /// Whether any event or state of it is known: whether there is something to look at.
    pub fn is_known(&self) -> bool {
        !self.is_empty() || !self.running.is_empty()
    }

    /// Begin and end of each stretch of time in which it computes, rising and apart, as far as its
    /// states tell; in nanoseconds since the start of the trace.
    pub fn running_ns(&self) -> &[[u64; 2]] {
        &self.running
    }

    /// From the first thing that is told of it to the last, its events and when it computes, in
    /// nanoseconds since the start of the trace.
    pub fn lifetime_ns(&self) -> (u64, u64) {
        let begins =
            [self.moments().next().map(|first| first.time), self.running.first().map(|[b, _]| *b)];
        let ends = [Some(self.end_ns), self.running.last().map(|[_, end]| *end)];
        let begin_ns = begins.into_iter().flatten().min().unwrap_or(0);
        (begin_ns, ends.into_iter().flatten().max().unwrap_or(begin_ns).max(begin_ns))
    }

    /// Bytes that its moments take.
    pub fn held_bytes(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.held_bytes()).sum()
    }
}

impl<'thread> Moment<'thread> {
    /// Whether its shape is one of [`Trace::shapes_with`].
    #[inline]
    pub fn is_of(&self, shapes: &[bool]) -> bool {
        shapes.get(self.shape as usize).copied().unwrap_or(false)
    }

    /// Marks its shape among those of [`Trace::shapes_with`].
    pub fn mark(&self, shapes: &mut [bool]) {
        if let Some(shape) = shapes.get_mut(self.shape as usize) {
            *shape = true;
        }
    }

    pub fn events(&self) -> impl Iterator<Item = Event> + use<'thread> {
        let mut words = self.place.map_or(&[][..], |(chunk, at)| chunk.words_of(at as usize));
        self.thread.shapes.types(self.shape).iter().filter_map(move |&of_type| {
            let (event_type, width) = narrow(of_type);
            let (low, rest) = words.split_first()?;
            let mut value = u64::from(*low);
            words = rest;
            if width == 2 {
                let (high, rest) = words.split_first()?;
                value |= u64::from(*high) << 32;
                words = rest;
            }
            Some(Event { event_type, value })
        })
    }
}

impl Trace {
    /// For each shape of a moment, whether it has an event whose type and kind are `wanted`: a look
    /// at it spares a look at the events.
    pub fn shapes_with(&self, wanted: impl Fn(u32, Kind) -> bool) -> Vec<bool> {
        let wanted = |of_type: &Wide| {
            let (event_type, _) = narrow(*of_type);
            wanted(event_type, self.kind(event_type))
        };
        let shapes = 0..self.shapes.len() as u32;
        shapes.map(|shape| self.shapes.types(shape).iter().any(wanted)).collect()
    }

    /// What the events of this type mean.
    pub fn kind(&self, event_type: u32) -> Kind {
        self.types.get(event_type as usize).map_or(Kind::Other, |known| known.kind)
    }

    /// The label of a value, or its number where the trace has none.
    pub fn value_name(&self, event_type: u32, value: u64) -> String {
        let code = self.types.get(event_type as usize).map_or(0, |known| known.code);
        self.labels.of_value(code, value).map_or_else(|| value.to_string(), str::to_owned)
    }
}
