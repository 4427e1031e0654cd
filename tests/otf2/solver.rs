//! A solver that never ran, written as an archive of OTF2 and as Extrae would: one truth, two files.

use tracefold_generate::Random;
use tracefold_generate::otf2::{Anchor, Body, Definitions, File, Format, UNDEFINED};
use tracefold_generate::otf2::{definition, event};

pub const COUNTERS: [&str; 3] = ["PAPI_TOT_INS", "PAPI_TOT_CYC", "PAPI_L2_DCM"];
/// Names, lines, and whether MPI is called.
const ROUTINES: [(&str, u64, bool); 6] = [
    ("main", 10, false),
    ("iteration", 20, false),
    ("sweep", 31, false),
    ("gather", 47, false),
    ("MPI_Allreduce", 0, true),
    ("MPI_Init", 0, true),
];
// Places among them.
const MAIN: usize = 0;
const ITERATION: usize = 1;
const SWEEP: usize = 2;
const GATHER: usize = 3;
const ALLREDUCE: usize = 4;
const INIT: usize = 5;

/// What of a run or its archive differs.
#[derive(Clone, Copy, Debug)]
pub struct Solver {
    pub seed: u64,
    pub ranks: u64,
    pub iterations: u64,
    /// Each rank takes so much longer than the one before, in hundredths.
    pub slower: u64,
    /// Between two samples, in nanoseconds; 0 without samples.
    pub period_ns: u64,
    pub format: Format,
    pub ticks_per_second: u64,
    pub begin_ticks: u64,
    /// Regions by contexts.
    pub by_context: bool,
    /// Numbers of locations' own, and a clock that runs away.
    pub with_local: bool,
}

impl Default for Solver {
    fn default() -> Self {
        Self {
            seed: 1,
            ranks: 3,
            iterations: 40,
            slower: 0,
            period_ns: 700_000,
            format: Format::default(),
            ticks_per_second: 1_000_000_000,
            begin_ticks: 0,
            by_context: false,
            with_local: false,
        }
    }
}

#[derive(Clone, Debug)]
pub enum What {
    Enter(usize),
    Leave(usize),
    /// The routines of the call-stack, the outermost first.
    Sample(Vec<usize>),
}

/// What happened to a rank, and what its counters had counted by then.
#[derive(Clone, Debug)]
pub struct Happened {
    /// On the clock of the location, in ticks since the begin.
    pub ticks: u64,
    pub what: What,
    pub sums: [u64; 3],
}

struct Rank<'run> {
    solver: &'run Solver,
    ticks: u64,
    due: u64,
    sums: [u64; 3],
    stack: Vec<usize>,
    happened: Vec<Happened>,
}

impl Rank<'_> {
    fn ticks_of(&self, ns: u64) -> u64 {
        (u128::from(ns) * u128::from(self.solver.ticks_per_second) / 1_000_000_000) as u64
    }

    /// Passes so much time at these rates, in events per 1000 ticks.
    fn spend(&mut self, ns: u64, rates: [u64; 3]) {
        let until = self.ticks + self.ticks_of(ns).max(1);
        let period = self.ticks_of(self.solver.period_ns);
        while period > 0 && self.due < until {
            self.pass(self.due, rates);
            self.happened.push(Happened {
                ticks: self.ticks,
                what: What::Sample(self.stack.clone()),
                sums: self.sums,
            });
            self.due += period + period / 7;
        }
        self.pass(until, rates);
    }

    fn pass(&mut self, until: u64, rates: [u64; 3]) {
        let ticks = until - self.ticks;
        for (sum, rate) in self.sums.iter_mut().zip(rates) {
            *sum += ticks * rate / 1000;
        }
        self.ticks = until;
    }

    fn inside(&mut self, region: usize, body: impl FnOnce(&mut Self)) {
        self.stack.push(region);
        self.border(What::Enter(region));
        body(self);
        self.border(What::Leave(region));
        self.stack.pop();
    }

    fn border(&mut self, what: What) {
        self.happened.push(Happened { ticks: self.ticks, what, sums: self.sums });
    }
}

impl Solver {
    /// By rank.
    pub fn run(&self) -> Vec<Vec<Happened>> {
        (0..self.ranks).map(|rank| self.rank(rank)).collect()
    }

    fn rank(&self, number: u64) -> Vec<Happened> {
        let mut random = Random::new(self.seed + 1000 * number);
        let (happened, stack) = (vec![], vec![]);
        let mut rank = Rank { solver: self, ticks: 1000, due: 0, sums: [0; 3], stack, happened };
        rank.due = rank.ticks + rank.ticks_of(self.period_ns * (number + 1) / 3);
        rank.inside(MAIN, |rank| {
            rank.spend(5_000, [1000, 2000, 1]);
            rank.inside(INIT, |rank| rank.spend(400_000 + 1000 * number, [300, 2000, 1]));
            for _ in 0..self.iterations {
                let whole = 1_000_000 * (100 + self.slower * number) / 100 + random.below(20_000);
                rank.inside(ITERATION, |rank| {
                    rank.inside(SWEEP, |rank| rank.spend(whole * 6 / 10, [3000, 2000, 2]));
                    rank.inside(GATHER, |rank| rank.spend(whole * 4 / 10, [800, 2000, 30]));
                });
                rank.inside(ALLREDUCE, |rank| {
                    rank.spend(20_000 + random.below(9_000), [600, 2000, 1])
                });
            }
        });
        rank.happened
    }

    /// The clock of a location is ahead of that of the archive by 500 ticks and, from the begin on, by
    /// one in 4096 more: halves of that are floats without error.
    fn local_ticks(&self, ticks: u64) -> u64 {
        self.begin_ticks + ticks
    }

    /// What the archive says of a time of a location, in nanoseconds since the begin: the definition.
    fn ns(&self, ticks: u64) -> u64 {
        let mut own = i128::from(self.local_ticks(ticks));
        if self.with_local {
            // Half to even, without floats.
            let drift = own - i128::from(self.begin_ticks);
            let (whole, rest) = (drift / 4096, drift % 4096);
            let up = rest > 2048 || rest == 2048 && whole % 2 == 1;
            own += 500 + whole + i128::from(up);
        }
        let since = own - i128::from(self.begin_ticks);
        (since * 1_000_000_000 / i128::from(self.ticks_per_second)) as u64
    }

    /// The numbers that a location has for regions and contexts: the same ones in reverse.
    fn own_number(&self, number: u64, count: u64) -> u64 {
        if self.with_local { count - 1 - number } else { number }
    }

    /// The files of the archive, in the folder `run`.
    pub fn archive(&self) -> Vec<(String, Vec<u8>)> {
        let run = self.run();
        let mut all = Definitions::new(self.format, self.ticks_per_second, self.begin_ticks);
        let node = all.node("node0", "node", UNDEFINED);
        for (name, line, is_mpi) in ROUTINES {
            let (paradigm, role, file) = if is_mpi { (4, 26, "") } else { (2, 1, "solver.c") };
            all.region(name, paradigm, role, file, line);
        }
        let members = COUNTERS.map(|name| all.member(name, 0, 4, 0, "#"));
        let class = all.class(&members, 0);
        let lines = ROUTINES.map(|(_, line, _)| all.line("solver.c", line));
        // Contexts by path, each after the one that it was called from.
        let mut contexts: Vec<Vec<usize>> = vec![];
        for path in [
            vec![MAIN],
            vec![MAIN, INIT],
            vec![MAIN, ITERATION],
            vec![MAIN, ITERATION, SWEEP],
            vec![MAIN, ITERATION, GATHER],
            vec![MAIN, ALLREDUCE],
        ] {
            let parent = contexts.iter().position(|known| *known == path[..path.len() - 1]);
            let leaf = path[path.len() - 1];
            let parent = parent.map_or(UNDEFINED, |parent| parent as u64);
            all.context(leaf as u64, lines[leaf], parent);
            contexts.push(path);
        }
        let context_of = |path: &[usize]| contexts.iter().position(|known| known == path).unwrap();
        let mut files = vec![];
        for (rank, happened) in (0..).zip(&run) {
            // Not small, as thread << 32 | rank is not.
            let location = rank | 1 << 33;
            let process = all.group(&format!("rank {rank}"), node, None);
            all.location(location, 1, happened.len() as u64, process);
            let mut events = File::new(self.format);
            let body = || Body::new(self.format);
            let mut path = vec![];
            for Happened { ticks, what, sums } in happened {
                let ticks = self.local_ticks(*ticks);
                let values = body().number(class).byte(3);
                let values = sums.iter().fold(values, |body, sum| body.byte(4).number_64(*sum));
                events.event(ticks, event::METRIC, values);
                let own = |number: usize| self.own_number(number as u64, 6);
                let (id, number) = match what {
                    What::Enter(region) => {
                        path.push(*region);
                        match self.by_context {
                            true => (event::CONTEXT_ENTER, own(context_of(&path))),
                            false => (event::ENTER, own(*region)),
                        }
                    }
                    What::Leave(region) => {
                        let number = match self.by_context {
                            true => (event::CONTEXT_LEAVE, own(context_of(&path))),
                            false => (event::LEAVE, own(*region)),
                        };
                        path.pop();
                        number
                    }
                    What::Sample(stack) => (event::SAMPLE, own(context_of(stack))),
                };
                let fields = match id {
                    event::CONTEXT_ENTER => body().numbers(&[number, 1]),
                    event::SAMPLE => body().numbers(&[number, 1, 0]),
                    _ => body().number(number),
                };
                events.event(ticks, id, fields);
            }
            files.push((format!("run/traces/{location}.evt"), events.finish()));
            files.push((format!("run/traces/{location}.def"), self.local_definitions(rank)));
        }
        let anchor = Anchor {
            format: self.format,
            definition_chunk_bytes: self.format.chunk_bytes,
            locations: self.ranks,
            definitions: all.file.records(),
            ..Anchor::default()
        };
        files.push(("run/traces.otf2".to_owned(), anchor.bytes()));
        files.push(("run/traces.def".to_owned(), all.file.finish()));
        files
    }

    fn local_definitions(&self, rank: u64) -> Vec<u8> {
        let mut local = File::new(self.format);
        if !self.with_local {
            return local.finish();
        }
        let body = || Body::new(self.format);
        // Of regions and of contexts.
        for kind in [3, 10] {
            // Of every second rank sparse: pairs.
            let is_sparse = rank % 2 == 1;
            let map = body().byte(kind).number_64(6).byte(u8::from(is_sparse));
            let map = (0..6).fold(map, |map, own| {
                let map = if is_sparse { map.number_64(own) } else { map };
                map.number_64(5 - own)
            });
            local.record(definition::MAP, map);
        }
        for ahead in [0, 1 << 32] {
            let at = self.begin_ticks + 4096 * ahead;
            let offset = body().whole_64(at).number_64(500 + ahead).whole_64(0);
            local.record(definition::OFFSET, offset);
        }
        local.finish()
    }

    /// The same run as Extrae writes it: a `.prv` and its `.pcf`.
    pub fn paraver(&self) -> [Vec<u8>; 2] {
        let mut records = vec![];
        for (rank, happened) in (1..).zip(self.run()) {
            let mut before = happened.first().map_or([0; 3], |first| first.sums);
            for moment in happened.chunk_by(|a, b| self.ns(a.ticks) == self.ns(b.ticks)) {
                let mut line = String::new();
                // Ends first, as a moment has no order.
                let is_end = |of: &&Happened| matches!(of.what, What::Leave(_));
                for of in moment.iter().filter(is_end).chain(moment.iter().filter(|of| !is_end(of)))
                {
                    match &of.what {
                        What::Enter(region) => {
                            line += &format!(":{}:{}", code_of(*region), region + 1);
                        }
                        What::Leave(region) => line += &format!(":{}:0", code_of(*region)),
                        What::Sample(stack) => {
                            for (depth, region) in stack.iter().rev().enumerate() {
                                let (routine, at) = (30_000_000 + depth, 30_000_100 + depth);
                                line += &format!(":{routine}:{0}:{at}:{0}", region + 1);
                            }
                        }
                    }
                }
                let last = &moment[moment.len() - 1];
                for (at, code) in [42_000_050, 42_000_059, 42_000_002].into_iter().enumerate() {
                    line += &format!(":{code}:{}", last.sums[at] - before[at]);
                }
                before = last.sums;
                let ns = self.ns(last.ticks);
                records.push((ns, rank, format!("2:{rank}:1:{rank}:1:{ns}{line}\n")));
            }
        }
        records.sort();
        let end = records.last().map_or(0, |(ns, ..)| *ns);
        let tasks = vec!["1:1"; self.ranks as usize].join(",");
        let head =
            format!("#Paraver (01/01/2026 at 00:00):{end}_ns:1({0}):1:{0}({tasks})\n", self.ranks);
        let prv = records.into_iter().fold(head, |prv, (.., line)| prv + &line);
        let mut pcf = String::new();
        for (code, label) in [(60_000_019, "User function"), (50_000_002, "MPI Collective Comm")] {
            pcf += &format!("EVENT_TYPE\n9 {code} {label}\nVALUES\n0 End\n");
            for (at, (name, ..)) in
                ROUTINES.iter().enumerate().filter(|(at, _)| code_of(*at) == code)
            {
                pcf += &format!("{} {name}\n", at + 1);
            }
            pcf += "\n";
        }
        let depths = |first: u32, label: &str| {
            (first..first + 4).map(|code| format!("9 {code} {label}\n")).collect::<String>()
        };
        let names = ROUTINES.iter().enumerate();
        let names = names.clone().map(|(at, (name, ..))| format!("{} {name}\n", at + 1));
        pcf += &format!("EVENT_TYPE\n{}VALUES\n0 End\n", depths(30_000_000, "Sampled functions"));
        pcf += &names.collect::<String>();
        let lines = ROUTINES.iter().enumerate();
        let lines = lines.map(|(at, (_, line, _))| format!("{} {line} (solver.c)\n", at + 1));
        pcf += &format!("\nEVENT_TYPE\n{}VALUES\n0 End\n", depths(30_000_100, "Sampled lines"));
        pcf += &lines.collect::<String>();
        pcf += "\nEVENT_TYPE\n";
        for (code, name) in [42_000_050, 42_000_059, 42_000_002].into_iter().zip(COUNTERS) {
            pcf += &format!("7 {code} {name} [{name}]\n");
        }
        [prv.into_bytes(), pcf.into_bytes()]
    }
}

fn code_of(region: usize) -> u32 {
    if ROUTINES[region].2 { 50_000_002 } else { 60_000_019 }
}
