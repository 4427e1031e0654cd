//! Traces of parts of one run, each of some of its ranks, as one trace.

use std::sync::Arc;

use super::chunk::Chunk;
use super::growing::Growing;
use super::shape::Shapes;
use super::{
    Beside, Boundaries, Event, EventType, Kind, Notices, Object, Objects, Provenance, Thread, Trace,
};
use crate::order;

impl Trace {
    /// Adds the threads of `other`, those of `wanted`, as further tasks of the first application, all
    /// of it `later_ns` later.
    ///
    /// Types of one kind and name are one type, and values of regions, routines and lines that have
    /// one name one value, whatever their numbers are. Which of its tasks run on one node is not known
    /// of both: a reader of a node reads for each of its tasks. `before`: how many tasks come first; returns how many there are then. O(moments of
    /// `other` + types²).
    // The page loads it with what reads other formats.
    #[inline(never)]
    pub fn add_ranks(&mut self, other: &Self, before: u32, later_ns: u64, wanted: Objects) -> u32 {
        let here = Renumbered::of(self, other);
        // Of several applications one after the other: how many tasks come before each.
        let mut first = Vec::new();
        let mut tasks = before;
        let of_applications =
            other.threads.chunk_by(|a, b| a.object.application == b.object.application);
        for own in of_applications.filter_map(<[Thread]>::last) {
            first.push((own.object.application, tasks));
            tasks = tasks.saturating_add(own.object.task);
        }
        let object_here = |object: Object| {
            let first = order::get(&first, &object.application).copied().unwrap_or(before);
            Object { application: 1, task: first.saturating_add(object.task), ..object }
        };
        let mut shapes = Shapes::clone(&self.shapes);
        let mut grown = Vec::new();
        for thread in &other.threads {
            let object = object_here(thread.object);
            if !wanted.has(object) {
                continue;
            }
            let chunks = here.chunks(thread, later_ns, &mut shapes);
            grown.push((object, chunks, thread));
        }
        for reader in &other.readers {
            let mut chunks = None;
            for task in other.tasks_beside(reader.object) {
                let of = Object { application: 1, task: task as u32, thread: 1 };
                let task = object_here(of).task;
                if wanted.has_task(1, task) {
                    let all = || here.chunks(reader, later_ns, &mut shapes);
                    let own = chunks.get_or_insert_with(all).clone();
                    grown.push((Object::reader(Beside::Task(task), 0), own, reader));
                }
            }
        }
        let shapes = Arc::new(shapes);
        for (object, chunks, thread) in grown {
            let times = (thread.span_ns(), thread.end_ns().saturating_add(later_ns));
            let running = thread.running_ns().iter();
            let running =
                running.map(|stretch| stretch.map(|ns| ns.saturating_add(later_ns))).collect();
            let ends_in_zeros = thread.ends_in_zeros();
            let is_thread = object.beside().is_none();
            let own = if is_thread { &mut self.threads } else { &mut self.readers };
            // Of readers of one task each has a number.
            let number = own.len() as u32 + 1;
            let object = if is_thread { object } else { Object { thread: number, ..object } };
            own.push(Thread::of_chunks(object, chunks, &shapes, times, ends_in_zeros, running));
        }
        self.shapes = shapes;
        let variables = other.variables.iter().cloned().map(|mut variable| {
            let of = Object { application: variable.application, task: variable.task, thread: 1 };
            (variable.application, variable.task) = (1, object_here(of).task);
            variable
        });
        self.variables.extend(variables);
        order::by(&mut self.variables, |a, b| a.place().cmp(&b.place()));
        self.duration_ns = self.duration_ns.max(other.duration_ns.saturating_add(later_ns));
        self.size_bytes = self.size_bytes.saturating_add(other.size_bytes);
        self.cut |= other.cut;
        self.generated |= other.generated;
        self.notices.append(other.notices.clone(), 0);
        self.provenance.markers_lost += other.provenance.markers_lost;
        self.provenance.objects_dropped += other.provenance.objects_dropped;
        self.provenance.boundaries = match (before, other.provenance.boundaries) {
            (0, boundaries) => boundaries,
            (_, boundaries) if boundaries == self.provenance.boundaries => boundaries,
            _ => Boundaries::Unknown,
        };
        if self.partial.is_none() {
            self.partial.clone_from(&other.partial);
        }
        tasks
    }

    /// The tasks, rising, that a reader reads for: of a node all that run on it. O(threads).
    fn tasks_beside(&self, reader: Object) -> Vec<u64> {
        let is_of_node = |of: &&Thread| match reader.beside() {
            Some(Beside::Node(node)) => of.object.application == 1 && self.node(of.object) == node,
            _ => false,
        };
        match reader.beside() {
            Some(Beside::Task(task)) => vec![u64::from(task)],
            _ => order::distinct(
                self.threads.iter().filter(is_of_node).map(|of| u64::from(of.object.task)),
            ),
        }
    }

    /// Its types and names, and nothing that happened.
    #[inline(never)]
    pub fn without_threads(&self) -> Self {
        Self {
            name: self.name.clone(),
            size_bytes: 0,
            duration_ns: 0,
            cut: false,
            generated: false,
            types: self.types.clone(),
            labels: self.labels.clone(),
            variables: vec![],
            threads: vec![],
            readers: vec![],
            notices: Notices::default(),
            provenance: Provenance {
                clock: self.provenance.clock.clone(),
                ..Provenance::default()
            },
            nodes: vec![],
            start_on_clock_ns: None,
            partial: None,
            reduced: self.reduced.clone(),
            shapes: Arc::clone(&self.shapes),
        }
    }
}

/// The types and values of one trace as those of another.
struct Renumbered {
    /// By type there, the type here.
    types: Vec<u32>,
    /// By type there, numbers of its values that have names, there and here.
    values: Vec<Arc<Vec<(u64, u64)>>>,
}

impl Renumbered {
    fn of(trace: &mut Trace, other: &Trace) -> Self {
        let types = other.types.iter().map(|known| type_of(trace, known)).collect::<Vec<_>>();
        let mut values: Vec<Arc<Vec<(u64, u64)>>> = Vec::with_capacity(types.len());
        for (at, known) in other.types.iter().enumerate() {
            // Types of one family share their names: every depth of a call-stack does.
            let before = other.types.iter().take(at).position(|of| is_family(of.kind, known.kind));
            let shared = before.and_then(|before| values.get(before)).cloned();
            let own = shared.unwrap_or_else(|| Arc::new(adopted(trace, other, known, &types)));
            values.push(own);
        }
        Self { types, values }
    }

    /// All that happened to a thread there, as it is here.
    fn chunks(&self, thread: &Thread, later_ns: u64, shapes: &mut Shapes) -> Vec<Arc<Chunk>> {
        let mut growing = Growing::new(thread.object, true);
        for moment in thread.moments() {
            let time_ns = moment.time.saturating_add(later_ns);
            for event in moment.events() {
                let Event { event_type, value } = self.event(event);
                growing.event(time_ns, event_type, value, shapes);
            }
        }
        growing.close(shapes);
        growing.seal();
        growing.full
    }

    fn event(&self, Event { event_type, value }: Event) -> Event {
        let at = event_type as usize;
        let number = self.values.get(at).and_then(|values| order::get(values, &value));
        let event_type = self.types.get(at).copied().unwrap_or(event_type);
        Event { event_type, value: number.copied().unwrap_or(value) }
    }
}

/// The type of the same kind and name, added if there is none: with a code that no other has.
fn type_of(trace: &mut Trace, wanted: &EventType) -> u32 {
    let is_same = |known: &EventType| known.kind == wanted.kind && known.name == wanted.name;
    if let Some(at) = trace.types.iter().position(is_same) {
        return at as u32;
    }
    let mut own = wanted.clone();
    while trace.types.iter().any(|known| known.code == own.code) {
        own.code = own.code.wrapping_add(1);
    }
    trace.types.push(own);
    trace.types.len() as u32 - 1
}

fn is_family(one: Kind, other: Kind) -> bool {
    matches!(
        (one, other),
        (Kind::Routine(_), Kind::Routine(_))
            | (Kind::CodeLine(_), Kind::CodeLine(_))
            | (Kind::Caller(_), Kind::Caller(_))
            | (Kind::CallerLine(_), Kind::CallerLine(_))
    )
}

/// Numbers of the values of `known`, a type of `other`, in `trace`, which is given their names; those of
/// its whole family, if it is of one.
fn adopted(trace: &mut Trace, other: &Trace, known: &EventType, types: &[u32]) -> Vec<(u64, u64)> {
    let of_family = other.types.iter().zip(types);
    let is_own = |there: &EventType| there.code == known.code || is_family(there.kind, known.kind);
    let here = of_family.filter(|(there, _)| is_own(there)).filter_map(|(there, here)| {
        let code = trace.types.get(*here as usize)?.code;
        let label = other.labels.of_type(there.code).unwrap_or(&there.name);
        Some((code, label.to_owned()))
    });
    let here = here.collect::<Vec<_>>();
    trace.labels.adopt(&here, other.labels.values_of(known.code))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Builder, Meaning, Nesting, Origin};

    const REGION: u32 = 7;
    const ROUTINE: u32 = 30;
    const OTHER_ROUTINE: u32 = 31;
    const COUNTER: u32 = 40;

    /// Threads of these tasks, each in a region of this name with a sample in these routines and a
    /// reading of this counter; numbers are of the trace's own.
    fn trace(tasks: &[u32], first: u64, region: &str, routines: [&str; 2], counter: &str) -> Trace {
        let mut builder = Builder::new("a", |code, labels| Meaning {
            kind: match code {
                REGION => Kind::Region(Nesting::Stack, Origin::Code),
                ROUTINE => Kind::Routine(0),
                OTHER_ROUTINE => Kind::Routine(1),
                _ => Kind::Counter,
            },
            name: labels.of_type(code).unwrap_or_default().to_owned(),
            description: String::new(),
        });
        let label = |code: u32, name: &str| (code, name.to_owned());
        let labels = &mut builder.labels;
        labels.add_types(&[label(REGION, "Function")], vec![(first, region.to_owned())]);
        let names = (first..).zip(routines.map(str::to_owned)).collect();
        labels.add_types(&[label(ROUTINE, "Routine"), label(OTHER_ROUTINE, "Routine")], names);
        labels.add_types(&[label(COUNTER, counter)], vec![]);
        for task in tasks {
            let thread = builder.thread(Object { application: 1, task: *task, thread: 1 });
            for (ns, code, value) in [
                (10, REGION, first),
                (20, ROUTINE, first),
                (20, OTHER_ROUTINE, first + 1),
                (20, COUNTER, 5),
                (30, REGION, 0),
            ] {
                builder.event(thread, ns, code, value);
            }
            builder.computes(Object { application: 1, task: *task, thread: 1 }, 10, 30);
        }
        builder.finish()
    }

    /// Every event in words.
    fn told(trace: &Trace) -> Vec<String> {
        let of_thread = |thread: &Thread| {
            let events = thread.moments().flat_map(|moment| {
                moment.events().map(move |event| (moment.time, event)).collect::<Vec<_>>()
            });
            let words = events.map(|(ns, Event { event_type, value })| {
                let of = &trace.types[event_type as usize];
                format!("{ns} {} {}", of.name, trace.value_name(event_type, value))
            });
            format!("{}: {}", thread.object, words.collect::<Vec<_>>().join(", "))
        };
        trace.threads.iter().map(of_thread).collect()
    }

    #[test]
    fn what_has_one_name_is_one_whatever_its_numbers_and_tasks_count_on() {
        let parts = [
            trace(&[1, 2], 1, "step", ["f", "main"], "cycles"),
            trace(&[4], 9, "step", ["main", "g"], "cycles"),
            trace(&[1], 5, "other", ["g", "f"], "misses"),
        ];
        let mut whole = parts[0].without_threads();
        let mut before = 0;
        for (part, later_ns) in parts.iter().zip([0, 100, 0]) {
            before = whole.add_ranks(part, before, later_ns, Objects::default());
        }
        let first = "10 Function step, 20 Routine f, 20 Routine main, 20 cycles 5, 30 Function 0";
        assert_eq!(
            told(&whole),
            [
                format!("1.1.1: {first}"),
                format!("1.2.1: {first}"),
                "1.6.1: 110 Function step, 120 Routine main, 120 Routine g, 120 cycles 5, 130 \
                 Function 0"
                    .to_owned(),
                "1.7.1: 10 Function other, 20 Routine g, 20 Routine f, 20 misses 5, 30 Function 0"
                    .to_owned(),
            ]
        );
        let regions = whole.types.iter().filter(|of| matches!(of.kind, Kind::Region(..)));
        assert_eq!((regions.count(), whole.types.len(), whole.duration_ns), (1, 5, 130));
        assert_eq!(whole.threads[2].running_ns(), [[110, 130]]);
        // A shape of one thread is looked up in the trace, too.
        let with_counter = whole.shapes_with(|_, kind| kind == Kind::Counter);
        assert!(whole.threads.iter().all(|of| of.moments_of(&with_counter).count() == 1));
        // However far apart its numbers are.
        let mut far = trace(&[u32::MAX], 1, "step", ["f", "main"], "cycles");
        far.threads[0].object.application = u32::MAX;
        assert_eq!(whole.clone().add_ranks(&far, 7, u64::MAX, Objects::default()), u32::MAX);
        let mut some = parts[0].without_threads();
        assert_eq!(some.add_ranks(&parts[0], 0, 0, "1.2.*".parse().unwrap()), 2);
        assert_eq!(told(&some), [format!("1.2.1: {first}")]);
    }
}
