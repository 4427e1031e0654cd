//! When a thread computes, where no states say so: between its calls.

use crate::instance::{BurstsFrom, closing_cut};
use crate::trace::{Event, Kind, Nesting, Origin, Paradigm, Thread, Trace, TracingPart};

/// What an event says of whether its thread computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    /// In a call of a runtime, or while the tracing itself is at work, it does not.
    Call,
    /// Nor while it waits for a lock or gives it back; having it, it does.
    Lock,
    /// In a routine that a runtime hands to its threads it does, as a worker only there.
    Outlined,
    /// The program begins, or ends (0).
    Program,
    /// From here on events are recorded, or not (0).
    Enabled,
    /// From here on the thread is followed.
    Mode,
}

/// Values of a lock: asked for, and given back.
pub(super) const WAITS_FOR_LOCK: [u64; 2] = [3, 5];

/// Of each type of event what it says, unless nothing.
pub struct Calls<'trace> {
    trace: &'trace Trace,
    says: Vec<Option<Says>>,
    /// Shapes of the moments that say anything.
    shapes: Vec<bool>,
}

impl<'trace> Calls<'trace> {
    pub fn of(trace: &'trace Trace, from: BurstsFrom) -> Self {
        let says = trace.types.iter().map(|known| says(known.kind, from)).collect();
        let shapes = trace.shapes_with(|_, kind| says_anything(kind, from));
        Self { trace, says, shapes }
    }

    /// The stretches in which the threads of a task compute, of each thread rising and apart.
    ///
    /// A thread computes from its first event to its last while no call is open; a worker only while
    /// it is in a routine that was handed to it. An exit without entry ends a call that was open
    /// since the start; what a cutter wrote to close the trace ends nothing. A thread that makes no
    /// call at all says nothing. O(events of the threads).
    pub fn computing(&self, task: &[Thread]) -> Vec<Vec<[u64; 2]>> {
        let has_outlined = task.iter().any(|thread| {
            self.events(thread).any(|(_, event)| self.says(event) == Some(Says::Outlined))
        });
        let of_thread = |thread| self.of_thread(thread, has_outlined);
        task.iter().map(of_thread).collect()
    }

    fn says(&self, event: Event) -> Option<Says> {
        self.says.get(event.event_type as usize).copied().flatten()
    }

    /// All events of a thread that say anything, but those of a cutter.
    fn events(&self, thread: &Thread) -> impl Iterator<Item = (u64, Event)> {
        let closing_cut = closing_cut(self.trace, thread);
        let moments = thread.moments_of(&self.shapes);
        let moments = moments.filter(move |(at, _)| Some(*at) != closing_cut);
        let events = moments.flat_map(|(_, moment)| {
            let time_ns = moment.time;
            moment.events().map(move |event| (time_ns, event))
        });
        events.filter(|(_, event)| self.says(*event).is_some())
    }

    fn of_thread(&self, thread: &Thread, task_has_outlined: bool) -> Vec<[u64; 2]> {
        let Some(first) = thread.moments().next() else { return vec![] };
        let mut state = self.at_start(thread, task_has_outlined);
        if !state.makes_calls {
            return vec![];
        }
        let mut stretches = Vec::new();
        let mut since_ns = state.computes().then_some(first.time);
        let mut events = self.events(thread).peekable();
        while let Some((now_ns, event)) = events.next() {
            if let Some(says) = self.says(event) {
                state.take(says, event);
            }
            // What happens within a moment ends nothing.
            if events.peek().is_some_and(|(next_ns, _)| *next_ns == now_ns) {
                continue;
            }
            match (since_ns, state.computes()) {
                (Some(begin_ns), false) => {
                    stretches.push([begin_ns, now_ns]);
                    since_ns = None;
                }
                (None, true) => since_ns = Some(now_ns),
                _ => {}
            }
        }
        stretches.extend(since_ns.map(|begin_ns| [begin_ns, thread.end_ns()]));
        stretches.retain(|[begin_ns, end_ns]| begin_ns < end_ns);
        stretches
    }

    /// How a thread stands before its first event, by the first of each type.
    fn at_start(&self, thread: &Thread, task_has_outlined: bool) -> State {
        let mut met = vec![false; self.says.len()];
        let mut state = State {
            open: vec![false; self.says.len()],
            count: 0,
            outlined: 0,
            is_worker: thread.object.thread > 1 && task_has_outlined,
            is_alive: true,
            is_recorded: true,
            makes_calls: false,
        };
        for (_, event) in self.events(thread) {
            let is_first = !std::mem::replace(&mut met[event.event_type as usize], true);
            match self.says(event) {
                Some(Says::Call) => {
                    state.makes_calls = true;
                    if is_first && event.value == 0 {
                        state.set(event.event_type, true);
                    }
                }
                Some(Says::Lock) => state.makes_calls = true,
                Some(Says::Outlined) => {
                    state.makes_calls = true;
                    state.outlined += u32::from(is_first && event.value == 0);
                }
                Some(Says::Mode) => state.is_alive = false,
                _ => {}
            }
        }
        state
    }
}

fn says_anything(kind: Kind, from: BurstsFrom) -> bool {
    says(kind, from).is_some()
}

fn says(kind: Kind, from: BurstsFrom) -> Option<Says> {
    const IO: Origin = Origin::Runtime(Paradigm::Io);
    Some(match kind {
        Kind::Region(_, IO) if from == BurstsFrom::CallsAndIo => Says::Call,
        Kind::Region(_, Origin::Outlined) => Says::Outlined,
        Kind::Region(Nesting::Flat, Origin::Runtime(Paradigm::Lock)) => Says::Lock,
        // Reading and writing is work.
        Kind::Region(
            _,
            Origin::Runtime(Paradigm::Io | Paradigm::OpenMpWork | Paradigm::Critical),
        ) => return None,
        Kind::Region(_, Origin::Runtime(_)) => Says::Call,
        Kind::Tracing(TracingPart::Initialisation | TracingPart::Flush) => Says::Call,
        Kind::Tracing(TracingPart::Program) => Says::Program,
        Kind::Tracing(TracingPart::Enabled) => Says::Enabled,
        Kind::Tracing(TracingPart::Mode) => Says::Mode,
        _ => return None,
    })
}

/// How a thread stands.
struct State {
    /// Of each type whether a call is open.
    open: Vec<bool>,
    /// How many of these are.
    count: usize,
    /// Routines that were handed to it and that it is in.
    outlined: u32,
    is_worker: bool,
    is_alive: bool,
    is_recorded: bool,
    makes_calls: bool,
}

impl State {
    fn computes(&self) -> bool {
        let has_work = !self.is_worker || self.outlined > 0;
        self.count == 0 && has_work && self.is_alive && self.is_recorded
    }

    fn set(&mut self, event_type: u32, is_open: bool) {
        let was_open = std::mem::replace(&mut self.open[event_type as usize], is_open);
        self.count += usize::from(is_open);
        self.count -= usize::from(was_open);
    }

    fn take(&mut self, says: Says, Event { event_type, value }: Event) {
        match says {
            Says::Call => self.set(event_type, value != 0),
            Says::Lock => self.set(event_type, WAITS_FOR_LOCK.contains(&value)),
            Says::Outlined if value == 0 => self.outlined = self.outlined.saturating_sub(1),
            Says::Outlined => self.outlined = self.outlined.saturating_add(1),
            Says::Program => self.is_alive &= value != 0,
            Says::Enabled => self.is_recorded = value != 0,
            Says::Mode => self.is_alive = true,
        }
    }
}
