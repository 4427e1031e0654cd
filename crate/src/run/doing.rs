//! What a thread does while it does not compute, by the calls that are open.

use super::computing::WAITS_FOR_LOCK;
use super::parallel::PARALLEL;
use crate::folding::Doing;
use crate::instance::closing_cut;
use crate::order;
use crate::trace::{Event, EventType, Kind, Nesting, Origin, Paradigm, Thread, Trace};

/// Types of MPI calls; those of the next ones are one-sided, for files, or about processes.
const MPI_POINT_TO_POINT: u32 = 50_000_001;
const MPI_COLLECTIVE: u32 = 50_000_002;
/// Of one type for all calls their names tell.
const MPI_OTHERS: std::ops::RangeInclusive<u32> = 50_000_003..=50_000_005;

/// From a time on, until the next change, a thread does one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub since_ns: u64,
    pub doing: Doing,
    /// The call that it is in: the index of the moment at which it begins, and its event. `None` if
    /// it is in none, or in one that began before the trace.
    pub call: Option<(u32, Event)>,
}

/// What calls say of the threads of a trace.
pub struct Doings<'trace> {
    trace: &'trace Trace,
    /// Of each type of event what a thread does while a call of it is open, unless nothing.
    types: Vec<Option<While>>,
    /// Of types that tell it by their values: the values, rising, and what a thread does.
    values: Vec<Vec<(u64, Doing)>>,
    /// Shapes of the moments with such calls.
    shapes: Vec<bool>,
}

#[derive(Clone, Copy)]
struct While {
    doing: Doing,
    nesting: Nesting,
    is_lock: bool,
}

/// A call that has not returned.
struct Open {
    doing: Doing,
    event_type: u32,
    call: Option<(u32, Event)>,
}

impl<'trace> Doings<'trace> {
    pub fn of(trace: &'trace Trace) -> Self {
        let types = trace.types.iter().map(While::of).collect::<Vec<_>>();
        let is_call = |event_type: u32, _| types[event_type as usize].is_some();
        let shapes = trace.shapes_with(is_call);
        let values = trace.types.iter().map(|of| by_value(trace, of)).collect();
        Self { trace, types, values, shapes }
    }

    /// What a thread does while a call of this type and value is open.
    fn doing(&self, of_type: While, event: Event) -> Doing {
        let values = &self.values[event.event_type as usize];
        order::get(values, &event.value).copied().unwrap_or(of_type.doing)
    }

    /// Whether there is any type of call.
    pub fn has_calls(&self) -> bool {
        self.types.iter().any(Option::is_some)
    }

    /// What threads of a task do that neither compute nor are in a call: those that share its work by
    /// OpenMP, and have none, wait for it.
    pub fn in_no_call(&self, task: &[Thread]) -> impl Fn(&Thread) -> Doing + use<> {
        let shares_work = self.shares_work(task);
        move |thread| match shares_work && thread.object.thread > 1 {
            true => Doing::OpenMp,
            false => Doing::Other,
        }
    }

    /// Whether a task shares its work among its threads by OpenMP.
    fn shares_work(&self, task: &[Thread]) -> bool {
        let is_outlined = |_, kind| matches!(kind, Kind::Region(_, Origin::Outlined));
        let of_openmp = |event_type: u32, kind| {
            is_outlined(event_type, kind)
                || self.types[event_type as usize].is_some_and(|of| of.doing == Doing::OpenMp)
        };
        let shapes = self.trace.shapes_with(of_openmp);
        task.len() > 1 && task.iter().any(|thread| thread.moments_of(&shapes).next().is_some())
    }

    /// What a thread does all the time, given when it computes (rising, apart) and what it does where
    /// nothing is said: changes by time, the first at 0. O(events of the thread).
    pub fn of_thread(&self, thread: &Thread, computes: &[[u64; 2]], else_: Doing) -> Vec<Change> {
        between(computes, &self.calls(thread, else_))
    }

    /// The same of a thread that never computes.
    fn calls(&self, thread: &Thread, else_: Doing) -> Vec<Change> {
        let mut open = self.open_at_start(thread);
        let mut changes = vec![innermost(&open, else_, 0)];
        let closing_cut = closing_cut(self.trace, thread);
        for (at, moment) in
            thread.moments_of(&self.shapes).filter(|(at, _)| Some(*at) != closing_cut)
        {
            for event in moment.events() {
                let Some(of_type) = self.types[event.event_type as usize] else { continue };
                let opens = of_type.opens(event.value);
                if !opens || of_type.nesting == Nesting::Flat {
                    let last = open.iter().rposition(|open| open.event_type == event.event_type);
                    last.map(|last| open.remove(last));
                }
                if opens {
                    let (doing, call) = (self.doing(of_type, event), Some((at, event)));
                    open.push(Open { doing, event_type: event.event_type, call });
                }
            }
            let change = innermost(&open, else_, moment.time);
            let is_same = |last: &Change| (last.doing, last.call) == (change.doing, change.call);
            if !changes.last().is_some_and(is_same) {
                changes.push(change);
            }
        }
        changes
    }

    /// Calls of which the thread has an exit and no entry before.
    fn open_at_start(&self, thread: &Thread) -> Vec<Open> {
        let mut met = vec![false; self.types.len()];
        let mut open = Vec::new();
        let closing_cut = closing_cut(self.trace, thread);
        let moments = thread.moments_of(&self.shapes).filter(|(at, _)| Some(*at) != closing_cut);
        for event in moments.flat_map(|(_, moment)| moment.events()) {
            let Some(of_type) = self.types[event.event_type as usize] else { continue };
            let is_first = !std::mem::replace(&mut met[event.event_type as usize], true);
            if is_first && event.value == 0 && !of_type.is_lock {
                let Event { event_type, .. } = event;
                open.push(Open { doing: of_type.doing, event_type, call: None });
            }
        }
        open
    }
}

impl While {
    fn of(of: &EventType) -> Option<Self> {
        let is_lock = matches!(of.kind, Kind::Region(_, Origin::Runtime(Paradigm::Lock)));
        let (nesting, doing) = match of.kind {
            Kind::Region(nesting, Origin::Runtime(paradigm)) => match paradigm {
                Paradigm::Mpi if of.code == MPI_POINT_TO_POINT => (nesting, Doing::PointToPoint),
                Paradigm::Mpi if of.code == MPI_COLLECTIVE => (nesting, Doing::Collective),
                Paradigm::Mpi => (nesting, Doing::OtherMpi),
                Paradigm::OpenMp | Paradigm::OpenMpWork | Paradigm::Lock | Paradigm::Pthread => {
                    (nesting, Doing::OpenMp)
                }
                Paradigm::Io => (nesting, Doing::Io),
                Paradigm::Critical | Paradigm::Accelerator | Paradigm::System => return None,
            },
            Kind::Region(nesting, _) if of.code == PARALLEL => (nesting, Doing::OpenMp),
            _ => return None,
        };
        Some(Self { doing, nesting, is_lock })
    }

    fn opens(self, value: u64) -> bool {
        if self.is_lock { WAITS_FOR_LOCK.contains(&value) } else { value != 0 }
    }
}

/// Of a type of all calls of MPI, what each is by its name.
fn by_value(trace: &Trace, of: &EventType) -> Vec<(u64, Doing)> {
    let is_mpi = matches!(of.kind, Kind::Region(_, Origin::Runtime(Paradigm::Mpi)));
    if !is_mpi
        || [MPI_POINT_TO_POINT, MPI_COLLECTIVE].contains(&of.code)
        || MPI_OTHERS.contains(&of.code)
    {
        return vec![];
    }
    let values = trace.labels.values_of(of.code).iter();
    values.filter_map(|(value, name)| Some((*value, of_call(name)?))).collect()
}

/// `None` for what is neither between two ranks nor between all.
fn of_call(name: &str) -> Option<Doing> {
    // As Extrae sorts them; each also as one that does not wait (`MPI_Ibcast`).
    const COLLECTIVE: [&str; 17] = [
        "barrier",
        "bcast",
        "gather",
        "gatherv",
        "scatter",
        "scatterv",
        "allgather",
        "allgatherv",
        "alltoall",
        "alltoallv",
        "alltoallw",
        "reduce",
        "allreduce",
        "reduce_scatter",
        "reduce_scatter_block",
        "scan",
        "exscan",
    ];
    const POINT_TO_POINT: [&str; 25] = [
        "send",
        "bsend",
        "ssend",
        "rsend",
        "recv",
        "sendrecv",
        "sendrecv_replace",
        "mrecv",
        "probe",
        "mprobe",
        "wait",
        "waitall",
        "waitany",
        "waitsome",
        "test",
        "testall",
        "testany",
        "testsome",
        "start",
        "startall",
        "send_init",
        "bsend_init",
        "ssend_init",
        "rsend_init",
        "recv_init",
    ];
    let call = name.strip_prefix("MPI_").or(name.strip_prefix("mpi_"))?.to_ascii_lowercase();
    let call = call.trim_end_matches('_');
    let is_in = |all: &[&str]| {
        all.contains(&call) || call.strip_prefix('i').is_some_and(|call| all.contains(&call))
    };
    match (is_in(&COLLECTIVE), is_in(&POINT_TO_POINT)) {
        (true, _) => Some(Doing::Collective),
        (_, true) => Some(Doing::PointToPoint),
        _ => None,
    }
}

/// Of what is open that which counts.
fn innermost(open: &[Open], else_: Doing, since_ns: u64) -> Change {
    let first = open.iter().min_by_key(|open| open.doing);
    let (doing, call) = first.map_or((else_, None), |open| (open.doing, open.call));
    Change { since_ns, doing, call }
}

/// Where the thread computes nothing else counts.
fn between(computes: &[[u64; 2]], calls: &[Change]) -> Vec<Change> {
    let mut all = Vec::with_capacity(calls.len() + 2 * computes.len());
    let mut calls = calls.iter().copied().peekable();
    let mut now = Change { since_ns: 0, doing: Doing::Other, call: None };
    let mut free_from_ns = 0;
    for &[begin_ns, end_ns] in computes.iter().chain([&[u64::MAX, u64::MAX]]) {
        while let Some(change) = calls.next_if(|change| change.since_ns <= free_from_ns) {
            now = change;
        }
        if free_from_ns < begin_ns {
            all.push(Change { since_ns: free_from_ns, ..now });
        }
        while let Some(change) = calls.next_if(|change| change.since_ns < begin_ns) {
            now = change;
            all.push(change);
        }
        all.push(Change { since_ns: begin_ns, doing: Doing::Computing, call: None });
        free_from_ns = end_ns;
    }
    // The last one is that of the end of all time.
    all.pop();
    all
}

#[cfg(test)]
mod tests {
    use super::super::made_up::{
        BARRIER, COLLECTIVE, INSTRUCTIONS, IO, LOCK, OTHER_MPI, OUTLINED, POINT_TO_POINT, Program,
    };
    use super::*;

    const THREAD: [u32; 3] = [1, 1, 1];

    /// What the first thread does from when on.
    fn of(program: &Program, else_: Doing) -> Vec<(u64, Doing)> {
        let trace = program.trace();
        let thread = &trace.threads[0];
        let changes = Doings::of(&trace).of_thread(thread, thread.running_ns(), else_);
        changes.iter().map(|change| (change.since_ns, change.doing)).collect()
    }

    fn events(all: &[(u64, u64, u64)]) -> Program {
        let mut program = Program::lasting(1000);
        // The last event is none of a cutter.
        for &(time_ns, code, value) in all.iter().chain([&(1000, INSTRUCTIONS, 1)]) {
            program.reads(THREAD, time_ns, &[[code, value]]);
        }
        program
    }

    #[test]
    fn of_calls_inside_one_another_the_first_kind_counts_and_computing_before_all() {
        use Doing::*;
        let mut program = events(&[
            (10, IO, 1),
            (20, BARRIER, 1),
            (30, OTHER_MPI, 4),
            (40, COLLECTIVE, 1),
            (50, POINT_TO_POINT, 7),
            (60, POINT_TO_POINT, 0),
            (70, COLLECTIVE, 0),
            (80, OTHER_MPI, 0),
            (90, BARRIER, 0),
            (100, IO, 0),
        ]);
        let calls = [
            (0, Other),
            (10, Io),
            (20, OpenMp),
            (30, OtherMpi),
            (40, Collective),
            (50, PointToPoint),
            (60, Collective),
            (70, OtherMpi),
            (80, OpenMp),
            (90, Io),
            (100, Other),
        ];
        assert_eq!(of(&program, Other), calls);
        program.computes(THREAD, 0, 15, &[]);
        program.computes(THREAD, 45, 70, &[]);
        program.computes(THREAD, 95, 120, &[]);
        let expected = [
            (0, Computing),
            (15, Io),
            (20, OpenMp),
            (30, OtherMpi),
            (40, Collective),
            (45, Computing),
            (70, OtherMpi),
            (80, OpenMp),
            (90, Io),
            (95, Computing),
            (120, Other),
        ];
        assert_eq!(of(&program, Other), expected);
    }

    #[test]
    fn calls_of_one_type_are_told_by_their_names() {
        use Doing::*;
        for (name, doing) in [
            ("MPI_Send", Some(PointToPoint)),
            ("MPI_Isend", Some(PointToPoint)),
            ("MPI_Irecv", Some(PointToPoint)),
            ("mpi_waitall_", Some(PointToPoint)),
            ("MPI_Improbe", Some(PointToPoint)),
            ("MPI_Barrier", Some(Collective)),
            ("MPI_Ibcast", Some(Collective)),
            ("MPI_Reduce_scatter_block", Some(Collective)),
            ("MPI_Init", None),
            ("MPI_Put", None),
            ("MPI_File_write", None),
            ("send", None),
        ] {
            assert_eq!(of_call(name), doing, "{name}");
        }
    }

    #[test]
    fn a_call_behind_another_of_its_type_is_another_call() {
        let program = events(&[(10, COLLECTIVE, 1), (20, COLLECTIVE, 2), (30, COLLECTIVE, 0)]);
        let trace = program.trace();
        let changes = Doings::of(&trace).of_thread(&trace.threads[0], &[], Doing::Other);
        let calls = changes.iter().map(|change| change.call.map(|(at, call)| (at, call.value)));
        assert_eq!(calls.collect::<Vec<_>>(), [None, Some((0, 1)), Some((1, 2)), None]);
    }

    #[test]
    fn waiting_for_a_lock_counts_and_having_it_does_not() {
        let program = events(&[(10, LOCK, 3), (20, LOCK, 6), (30, LOCK, 5), (40, LOCK, 0)]);
        let expected = [(0, false), (10, true), (20, false), (30, true), (40, false)];
        let waits = of(&program, Doing::Other).into_iter();
        let waits = waits.map(|(since_ns, doing)| (since_ns, doing == Doing::OpenMp));
        assert_eq!(waits.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn in_a_parallel_region_who_has_no_work_waits_until_the_outermost_ends() {
        let parallel = u64::from(PARALLEL);
        let program =
            events(&[(10, parallel, 1), (20, parallel, 1), (30, parallel, 0), (40, parallel, 0)]);
        let waits = [(0, Doing::Other), (10, Doing::OpenMp), (40, Doing::Other)];
        assert_eq!(of(&program, Doing::Other), waits);
    }

    #[test]
    fn a_cut_opens_calls_before_the_begin_and_its_zeros_end_none() {
        let mut program = Program::lasting(1000);
        for (time_ns, code, value) in
            [(10, COLLECTIVE, 0), (20, POINT_TO_POINT, 1), (30, LOCK, 0), (500, POINT_TO_POINT, 0)]
        {
            program.reads(THREAD, time_ns, &[[code, value]]);
        }
        program.cut = true;
        let expected = [(0, Doing::Collective), (10, Doing::Other), (20, Doing::PointToPoint)];
        assert_eq!(of(&program, Doing::Other), expected);
    }

    #[test]
    fn threads_share_work_if_there_are_several_and_one_tells_of_openmp() {
        for (code, shares) in [(OUTLINED, true), (BARRIER, true), (COLLECTIVE, false)] {
            let mut program = events(&[(10, code, 1)]);
            program.reads([1, 1, 2], 10, &[[INSTRUCTIONS, 1]]);
            let trace = program.trace();
            let doings = Doings::of(&trace);
            assert_eq!(doings.shares_work(&trace.threads), shares, "{code}");
            assert!(!doings.shares_work(&trace.threads[..1]), "{code}");
        }
    }
}
