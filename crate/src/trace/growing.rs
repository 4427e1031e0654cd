use std::cmp::Ordering;
use std::sync::Arc;

use super::chunk::{CHUNK_MOMENTS, Chunk};
use super::columns::{Object, Thread};
use super::running::Running;
use super::shape::{Shapes, Wide, wide};
use super::{Known, Only};
use crate::order;

/// A chunk with fewer moments than this is copied rather than taken over: a thread must not become
/// a heap of crumbs.
const LARGE: usize = CHUNK_MOMENTS / 4;

/// A thread of the trace being built: full chunks, the chunk that is being filled, and the moment
/// that is still open.
#[derive(Clone, Debug)]
pub struct Growing {
    pub object: Object,
    /// Whether its moments are kept.
    pub is_wanted: bool,
    pub full: Vec<Arc<Chunk>>,
    pub chunk: Chunk,
    /// Types of the open moment; its values are the words of `chunk` that no moment has.
    types: Vec<Wide>,
    open_ns: u64,
    /// Whether times have risen so far.
    pub sorted: bool,
    /// From the first event to the last, those that are not kept too; `None` before any.
    pub span_ns: Option<(u64, u64)>,
    /// Whether everything at the last time was zero.
    pub ends_in_zeros: bool,
    /// Time of the last moment that is kept.
    kept_ns: Option<u64>,
    /// When it computes.
    pub running: Running,
    /// When memory was last asked for, or something called.
    pub called_ns: Option<u64>,
    /// When its samples are kept.
    pub known: Known,
    /// Whether something is missing before what comes next.
    pub is_broken_off: bool,
}

impl Growing {
    pub fn new(object: Object, is_wanted: bool) -> Self {
        Self {
            object,
            is_wanted,
            full: vec![],
            chunk: Chunk::default(),
            types: vec![],
            open_ns: 0,
            sorted: true,
            span_ns: None,
            ends_in_zeros: false,
            kept_ns: None,
            running: Running::default(),
            called_ns: None,
            known: Known::default(),
            is_broken_off: false,
        }
    }

    /// Takes note of events at a time, kept or not; `is_zero`: whether the values of all of them are.
    #[inline]
    pub fn note(&mut self, time_ns: u64, is_zero: bool) {
        match &mut self.span_ns {
            Some((_, last)) if *last == time_ns => self.ends_in_zeros &= is_zero,
            Some((first, last)) if *last < time_ns => {
                *last = time_ns;
                *first = (*first).min(time_ns);
                self.ends_in_zeros = is_zero;
            }
            Some((first, _)) => *first = (*first).min(time_ns),
            None => {
                self.span_ns = Some((time_ns, time_ns));
                self.ends_in_zeros = is_zero;
            }
        }
    }

    /// Keeps an event.
    #[inline]
    pub fn event(&mut self, time_ns: u64, event_type: u32, value: u64, shapes: &mut Shapes) {
        if self.types.is_empty() || self.open_ns != time_ns {
            self.close(shapes);
            self.open(time_ns);
        }
        let of_type = wide(event_type, value);
        self.types.push(of_type);
        self.chunk.words.push(value as u32);
        if of_type & 1 == 1 {
            self.chunk.words.push((value >> 32) as u32);
        }
    }

    fn open(&mut self, time_ns: u64) {
        let rises = self.kept_ns < Some(time_ns);
        let fits = rises && self.chunk.has_room(time_ns);
        if !(fits || self.chunk.times.is_empty()) {
            let full = self.chunk.take();
            self.full.push(full);
        }
        self.sorted &= rises;
        self.kept_ns = Some(time_ns);
        self.open_ns = time_ns;
    }

    /// The time of the last moment, open or not.
    pub fn last_ns(&self) -> Option<u64> {
        self.kept_ns
    }

    /// Ends the open moment, if there is one.
    pub fn close(&mut self, shapes: &mut Shapes) {
        if self.types.is_empty() {
            return;
        }
        let words = self.types.iter().map(|of_type| 1 + (of_type & 1) as usize).sum::<usize>();
        let first = self.chunk.words.len() - words;
        self.chunk.push(self.open_ns, shapes.of(&self.types), first);
        self.types.clear();
    }

    /// Opens the last moment again, if it was closed by [`Growing::adopt`]: a later part can go on
    /// with it.
    pub fn reopen(&mut self, shapes: &Shapes) {
        if !(self.types.is_empty() && self.chunk.times.is_empty()) {
            return;
        }
        let Some(last) = self.full.pop() else { return };
        self.chunk = Arc::unwrap_or_clone(last);
        if let (Some(_), Some(shape), Some(time_ns)) =
            (self.chunk.first.pop(), self.chunk.shapes.pop(), self.kept_ns)
        {
            self.chunk.times.pop();
            self.types = shapes.types(shape).to_vec();
            self.open_ns = time_ns;
        }
    }

    /// Makes the chunk that is being filled a full one. No moment is open.
    pub fn seal(&mut self) {
        if !self.chunk.times.is_empty() {
            let full = self.chunk.take();
            self.full.push(full);
        }
        self.chunk = Chunk::default();
    }

    /// Whether a chunk can be taken over as it is: its moments come after all that are here.
    pub fn can_adopt(&self, chunk: &Chunk) -> bool {
        chunk.times.len() >= LARGE && self.kept_ns < Some(chunk.start_ns)
    }

    /// Takes over a chunk that [`Growing::can_adopt`]. No moment may be open.
    pub fn adopt(&mut self, chunk: Arc<Chunk>) {
        self.seal();
        self.kept_ns = chunk.times.len().checked_sub(1).map(|last| chunk.time_ns(last));
        self.full.push(chunk);
    }

    /// Takes note of a later part of the thread.
    pub fn note_part(&mut self, part: &Self) {
        self.running.append(&part.running);
        let Some((part_first, part_last)) = part.span_ns else { return };
        let (first, last) = self.span_ns.unwrap_or((part_first, part_last));
        self.ends_in_zeros = match self.span_ns.map(|_| part_last.cmp(&last)) {
            Some(Ordering::Less) => self.ends_in_zeros,
            Some(Ordering::Equal) => self.ends_in_zeros && part.ends_in_zeros,
            Some(Ordering::Greater) | None => part.ends_in_zeros,
        };
        self.span_ns = Some((first.min(part_first), last.max(part_last)));
        self.sorted &= part.sorted;
    }

    /// The thread as it stands, all in full chunks; a moment that is still open is not in it.
    pub fn so_far(&self) -> Self {
        let mut chunk = self.chunk.clone();
        let open = self.types.iter().map(|of_type| 1 + (of_type & 1) as usize).sum::<usize>();
        chunk.words.truncate(chunk.words.len() - open);
        let mut so_far =
            Self { full: self.full.clone(), chunk, ..Self::new(self.object, self.is_wanted) };
        so_far.seal();
        so_far.note_part(self);
        so_far.known = self.known.clone();
        so_far
    }

    /// Puts the moments in the order of time, and joins those of one time in the order of the file.
    ///
    /// `met`: a copy of `shapes`, for all threads that are sorted.
    pub fn sort(&mut self, met: &Arc<Shapes>, shapes: &mut Shapes) {
        let as_met = self.frozen(met, &Only::default());
        let mut sorted = Self::new(self.object, true);
        for index in order::indices(as_met.moments().map(|moment| moment.time)) {
            let moment = as_met.moment(index as usize);
            for event in moment.events() {
                sorted.event(moment.time, event.event_type, event.value, shapes);
            }
        }
        sorted.close(shapes);
        sorted.seal();
        self.full = sorted.full;
    }

    /// The thread, all of whose moments are in full chunks.
    pub fn frozen(&self, shapes: &Arc<Shapes>, only: &Only) -> Thread {
        let chunks = self.full.clone();
        let span_ns = self.span_ns.unwrap_or_default();
        let times = (only.within_ns(span_ns), span_ns.1);
        let running = self.running.in_order();
        let ends_in_zeros = self.ends_in_zeros;
        Thread::of_chunks(self.object, chunks, shapes, times, ends_in_zeros, running)
            .knowing(self.known.clone())
    }

    pub fn moments(&self) -> usize {
        let full = self.full.iter().map(|chunk| chunk.times.len()).sum::<usize>();
        full + self.chunk.times.len() + usize::from(!self.types.is_empty())
    }

    /// Bytes that its columns take.
    pub fn held_bytes(&self) -> u64 {
        let full = self.full.iter().map(|chunk| chunk.held_bytes()).sum::<u64>();
        let Known { stretches_ns, breaks_ns, summed } = &self.known;
        let stretches = stretches_ns.as_ref().map_or(0, Vec::len);
        let known = (16 * (stretches + summed.len()) + 8 * breaks_ns.len()) as u64;
        full + self.chunk.held_bytes() + self.running.held_bytes() + known
    }
}
