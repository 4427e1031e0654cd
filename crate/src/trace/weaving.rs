//! Moments and events put among those that a thread has.

use std::sync::Arc;

use super::growing::Growing;
use super::shape::Shapes;
use super::{Event, EventType, Moment, Object, Trace};

impl Trace {
    /// Adds a type of event, with names for its `values`, and its events: for each thread times in
    /// nanoseconds and values, by time. An event joins the moment of its time, behind the events
    /// that it has, or is a moment of its own; spans of threads stay. O(moments of the threads that
    /// have events).
    pub fn add_events(
        &mut self,
        of: EventType,
        values: Vec<(u64, String)>,
        events: &[Vec<(u64, u64)>],
    ) {
        let event_type = self.types.len() as u32;
        self.labels.add_types(&[(of.code, of.name.clone())], values);
        self.types.push(of);
        let mut shapes = Shapes::clone(&self.shapes);
        let mut grown = Vec::new();
        for ((index, known), events) in self.threads.iter().enumerate().zip(events) {
            if events.is_empty() {
                continue;
            }
            let mut weaving = Weaving::of(known.object, known.moments(), &mut shapes);
            for &(time_ns, value) in events {
                weaving.join(time_ns, Event { event_type, value });
            }
            grown.push((index, weaving.finish()));
        }
        self.take(grown, shapes);
    }

    /// Gives threads, by index, the moments that were woven, which are of `shapes`.
    pub(super) fn take(&mut self, grown: Vec<(usize, Growing)>, shapes: Shapes) {
        let shapes = Arc::new(shapes);
        for (index, growing) in grown {
            if let Some(known) = self.threads.get_mut(index) {
                *known = known.with_chunks(growing.full, &shapes);
            }
        }
        self.shapes = shapes;
    }
}

/// A thread's moments being copied, with others among them.
pub struct Weaving<'a, Moments> {
    thread: Growing,
    moments: Moments,
    /// The first moment that is not copied yet.
    next: Option<Moment<'a>>,
    shapes: &'a mut Shapes,
}

impl<'a, Moments: Iterator<Item = Moment<'a>>> Weaving<'a, Moments> {
    /// None of `moments`, those of the thread of `object`, is copied yet.
    pub fn of(object: Object, moments: Moments, shapes: &'a mut Shapes) -> Self {
        let thread = Growing::new(object, true);
        let mut weaving = Self { thread, moments, next: None, shapes };
        weaving.step();
        weaving
    }

    /// Copies the next moment and looks at the one behind it.
    fn step(&mut self) {
        if let Some(moment) = self.next.take() {
            for Event { event_type, value } in moment.events() {
                self.thread.event(moment.time, event_type, value, self.shapes);
            }
        }
        self.next = self.moments.next();
    }

    /// Puts a moment after all that are not later; times never fall.
    pub fn add(&mut self, time_ns: u64, events: impl Iterator<Item = Event>) {
        let mut time_ns = time_ns;
        if let Some(last) = self.thread.last_ns().filter(|&last| last >= time_ns) {
            time_ns = last + 1;
        }
        while self.next.as_ref().is_some_and(|moment| moment.time <= time_ns) {
            let taken = self.next.as_ref().is_some_and(|moment| moment.time == time_ns);
            time_ns += u64::from(taken);
            self.step();
        }
        for Event { event_type, value } in events {
            self.thread.event(time_ns, event_type, value, self.shapes);
        }
    }

    /// Puts an event behind those of the thread at that time; times never fall.
    pub fn join(&mut self, time_ns: u64, event: Event) {
        while self.next.as_ref().is_some_and(|moment| moment.time <= time_ns) {
            self.step();
        }
        self.thread.event(time_ns, event.event_type, event.value, self.shapes);
    }

    pub fn finish(mut self) -> Growing {
        while self.next.is_some() {
            self.step();
        }
        self.thread.close(self.shapes);
        self.thread.seal();
        self.thread
    }
}
