//! Programs whose loops, and whose use of time, are known, for the tests.

use super::{Call, Level, NoIteration, Rank, iterations};
use crate::trace::{
    Builder, Kind, Labels, Meaning, Nesting, Object, Only, Origin, Paradigm, Trace,
};

/// How long a call takes; small beside the work between calls.
pub const CALL_NS: u64 = 10;

/// What a thread does from time 0 on, or the part of it that a trace has.
#[derive(Clone, Default)]
pub struct Thread {
    pub calls: Vec<Call>,
    pub begin_ns: u64,
    pub now_ns: u64,
}

impl Thread {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn work(&mut self, duration_ns: u64) {
        self.now_ns += duration_ns;
    }

    pub fn call(&mut self, site: u32) {
        let begin_ns = self.now_ns;
        self.now_ns += CALL_NS;
        self.calls.push(Call { site, begin_ns, exit_ns: self.now_ns });
    }

    /// Work before a call of each site, one after the other.
    pub fn pass(&mut self, sites: impl IntoIterator<Item = u32>, work_ns: u64) {
        for site in sites {
            self.work(work_ns);
            self.call(site);
        }
    }

    /// The part from one time to another; of calls across a border nothing is left.
    pub fn cut(mut self, begin_ns: u64, end_ns: u64) -> Self {
        self.calls.retain(|call| begin_ns <= call.begin_ns && call.exit_ns <= end_ns);
        Self { begin_ns, now_ns: end_ns, ..self }
    }

    pub fn rank(&self) -> Rank<'_> {
        Rank { calls: &self.calls, span_ns: (self.begin_ns, self.now_ns) }
    }
}

/// What repeats on threads whose sites are places of their own.
pub fn repeats(threads: &[Thread]) -> Result<Vec<Level>, NoIteration> {
    let sites = threads.iter().flat_map(|thread| &thread.calls).map(|call| call.site + 1).max();
    repeats_with(threads, &(0..sites.unwrap_or(0)).collect::<Vec<_>>())
}

/// The same of sites that have these labels.
pub fn repeats_with(threads: &[Thread], labels: &[u32]) -> Result<Vec<Level>, NoIteration> {
    let ranks = threads.iter().map(Thread::rank).collect::<Vec<_>>();
    iterations(&ranks, labels)
}

/// Types of events; any other is one of regions.
pub const INSTRUCTIONS: u64 = 42_000_050;
pub const RUN_INSTRUCTIONS: u64 = 42_001_050;
pub const CYCLES: u64 = 42_000_059;
pub const OTHER_SET: u64 = 41_999_999;
pub const POINT_TO_POINT: u64 = 50_000_001;
pub const COLLECTIVE: u64 = 50_000_002;
pub const OTHER_MPI: u64 = 50_000_003;
pub const IO: u64 = 40_000_004;
pub const BARRIER: u64 = 60_000_005;
pub const LOCK: u64 = 60_000_006;
pub const OUTLINED: u64 = 60_000_018;

/// A program by when its threads compute and what is read there. Objects are application, task and
/// thread; times are nanoseconds.
#[derive(Clone, Default)]
pub struct Program {
    pub lasts_ns: u64,
    pub cut: bool,
    pub only: Only,
    bursts: Vec<([u32; 3], u64, u64)>,
    events: Vec<([u32; 3], u64, Vec<[u64; 2]>)>,
}

impl Program {
    /// One whose trace promises to last so long.
    pub fn lasting(lasts_ns: u64) -> Self {
        Self { lasts_ns, ..Self::default() }
    }

    /// A burst, and events at its end.
    pub fn computes(&mut self, of: [u32; 3], begin_ns: u64, end_ns: u64, events: &[[u64; 2]]) {
        self.bursts.push((of, begin_ns, end_ns));
        self.reads(of, end_ns, events);
    }

    /// Events of one moment.
    pub fn reads(&mut self, of: [u32; 3], time_ns: u64, events: &[[u64; 2]]) {
        self.events.push((of, time_ns, events.to_vec()));
    }

    pub fn trace(&self) -> Trace {
        let object = |[application, task, thread]: [u32; 3]| Object { application, task, thread };
        let mut builder = Builder::new("made up", meaning);
        builder.keep_only(self.only.clone());
        for &(of, begin_ns, end_ns) in &self.bursts {
            builder.computes(object(of), begin_ns, end_ns);
        }
        for (of, time_ns, events) in &self.events {
            builder.moment(object(*of), *time_ns, events);
        }
        builder.duration_ns = builder.duration_ns.max(self.lasts_ns);
        builder.cut = self.cut;
        builder.finish()
    }
}

fn meaning(code: u32, _: &Labels) -> Meaning {
    let of = |paradigm| (Kind::Region(Nesting::Flat, Origin::Runtime(paradigm)), "call");
    let (kind, name) = match u64::from(code) {
        INSTRUCTIONS => (Kind::Counter, "PAPI_TOT_INS"),
        RUN_INSTRUCTIONS => (Kind::Counter, "PM_RUN_INST_CMPL"),
        CYCLES => (Kind::Counter, "PAPI_TOT_CYC"),
        OTHER_SET => (Kind::CounterSet, "counter set"),
        POINT_TO_POINT | COLLECTIVE | OTHER_MPI => of(Paradigm::Mpi),
        IO => of(Paradigm::Io),
        BARRIER => of(Paradigm::OpenMp),
        LOCK => of(Paradigm::Lock),
        OUTLINED => (Kind::Region(Nesting::Stack, Origin::Outlined), "routine"),
        _ => (Kind::Region(Nesting::Stack, Origin::Code), "region"),
    };
    Meaning { kind, name: name.to_owned(), description: String::new() }
}
