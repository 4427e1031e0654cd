use super::columns::{EventType, Object, Thread, Trace};
use super::{Kind, Labels, Meaning, Notices, Provenance};
use crate::order::{self, Numbers};

/// Takes events one by one, in the order of each thread's time as far as the file keeps it, and
/// freezes into a [`Trace`].
///
/// Events of one thread at one time make one moment, wherever in the file they stand.
#[derive(Default)]
pub struct Builder {
    pub name: String,
    pub size_bytes: u64,
    /// The largest time met or promised, in nanoseconds.
    pub duration_ns: u64,
    pub cut: bool,
    pub generated: bool,
    pub labels: Labels,
    pub notices: Notices,
    pub provenance: Provenance,
    codes: Vec<u32>,
    index_of_code: Numbers,
    /// Codes met last, with their indices: most events are of a few types.
    recent: [Option<(u32, u32)>; 32],
    threads: Vec<Growing>,
    index_of_object: Numbers,
}

/// A thread of the trace being built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadIndex(usize);

impl ThreadIndex {
    pub fn number(self) -> u64 {
        self.0 as u64
    }
}

struct Growing {
    columns: Thread,
    sorted: bool,
}

impl Builder {
    /// An empty trace with this name.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// The thread of `object`, made when first met.
    pub fn thread(&mut self, object: Object) -> ThreadIndex {
        let Object { application, task, thread } = object;
        let index = self.index_of_object.of([application, task, thread].map(u64::from));
        if index == self.threads.len() {
            self.threads.push(Growing { columns: Thread::empty(object), sorted: true });
        }
        ThreadIndex(index)
    }

    /// Adds an event of type `code` at `time_ns`.
    #[inline]
    pub fn event(&mut self, thread: ThreadIndex, time_ns: u64, code: u32, value: u64) {
        let event_type = self.event_type(code);
        self.duration_ns = self.duration_ns.max(time_ns);
        let Some(growing) = self.threads.get_mut(thread.0) else { return };
        let columns = &mut growing.columns;
        let last = columns.times.last().copied();
        if last != Some(time_ns) {
            growing.sorted &= last < Some(time_ns);
            columns.times.push(time_ns);
            columns.first.push(columns.types.len() as u32);
        }
        columns.types.push(event_type);
        columns.values.push(value);
    }

    fn event_type(&mut self, code: u32) -> u32 {
        let slot = self.recent.get_mut(code as usize % 32);
        match slot {
            Some(&mut Some((known, index))) if known == code => index,
            slot => {
                let index = self.index_of_code.of([u64::from(code), 0, 0]);
                if index == self.codes.len() {
                    self.codes.push(code);
                }
                if let Some(slot) = slot {
                    *slot = Some((code, index as u32));
                }
                index as u32
            }
        }
    }

    /// Threads met so far.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Moments so far, over all threads.
    pub fn moments(&self) -> usize {
        self.threads.iter().map(|growing| growing.columns.times.len()).sum()
    }

    /// Freezes what was read. `meaning` says what a type of event is, by its code and the labels.
    pub fn finish(mut self, meaning: impl Fn(u32, &Labels) -> Meaning) -> Trace {
        let mut notices = self.notices;
        let type_of = |&code: &u32| {
            let Meaning { kind, name, description } = meaning(code, &self.labels);
            EventType { code, kind, name, description }
        };
        let mut types = self.codes.iter().map(type_of).collect::<Vec<_>>();
        for index in shared_names(&types) {
            let code = types[index].code;
            types[index].name += &format!(" ({code})");
        }
        let mut threads = Vec::with_capacity(self.threads.len());
        // By object: the order in the file must not reach the result.
        for index in self.index_of_object.by_key() {
            let Some(growing) = self.threads.get_mut(index) else { continue };
            let empty = Thread::empty(growing.columns.object);
            let mut thread = std::mem::replace(&mut growing.columns, empty);
            if !growing.sorted {
                let text = "Times of a thread go back; its events were put in order.";
                notices.add(text, || format!("thread {}", thread.object));
                thread = in_order(thread);
            }
            thread.first.push(thread.types.len() as u32);
            threads.push(thread);
        }
        Trace {
            name: self.name,
            size_bytes: self.size_bytes,
            duration_ns: self.duration_ns,
            cut: self.cut,
            generated: self.generated,
            types,
            labels: self.labels,
            threads,
            notices,
            provenance: self.provenance,
        }
    }
}

/// Counters whose name another one has too: it takes the code to tell them apart.
fn shared_names(types: &[EventType]) -> Vec<usize> {
    let counter = |index: &usize| types[*index].kind == Kind::Counter;
    let same = |a: usize, b: usize| a != b && types[a].name == types[b].name;
    let shared = |&index: &usize| (0..types.len()).filter(counter).any(|other| same(index, other));
    (0..types.len()).filter(counter).filter(shared).collect()
}

/// The moments by time, those of one time joined in the order of the file.
fn in_order(mut thread: Thread) -> Thread {
    thread.first.push(thread.types.len() as u32);
    let mut sorted = Thread::empty(thread.object);
    for index in order::indices(thread.times.iter().copied()) {
        let moment = thread.moment(index as usize);
        if sorted.times.last() != Some(&moment.time) {
            sorted.times.push(moment.time);
            sorted.first.push(sorted.types.len() as u32);
        }
        for event in moment.events() {
            sorted.types.push(event.event_type);
            sorted.values.push(event.value);
        }
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(events: &[(u64, u32, u64)]) -> Trace {
        let mut builder = Builder::default();
        let thread = builder.thread(Object { application: 1, task: 1, thread: 1 });
        for &(time, code, value) in events {
            builder.event(thread, time, code, value);
        }
        let name = |code: u32| format!("type {code}");
        builder.finish(|code, _| Meaning {
            kind: Kind::Other,
            name: name(code),
            description: String::new(),
        })
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
    fn times_that_go_back_are_put_in_order_and_noticed() {
        let trace = trace(&[(5, 1, 1), (9, 1, 2), (5, 2, 3), (7, 1, 4)]);
        let expected = [(5, vec![(1, 1), (2, 3)]), (7, vec![(1, 4)]), (9, vec![(1, 2)])];
        assert_eq!(moments(&trace), expected);
        assert_eq!(trace.notices.iter().count(), 1);
    }
}
