//! The program that the example pretends to be: its routines, lines, stacks and memory.

use serde_json::{Value, json};

use crate::codes::*;
use crate::labels::Labels;
use crate::random::Random;

/// Elements of each array, 8 bytes each.
const ELEMENTS: u64 = 10_000_000;
pub const ARRAY_BYTES: u64 = ELEMENTS * 8;
const A: u64 = 0x60_6680;
const B: u64 = A + ARRAY_BYTES;

const ROUTINES: [&str; 10] = [
    "main",
    "main loop",
    "Copy",
    "Scale",
    "Add",
    "Triad",
    "__memcpy_ssse3_back",
    "__libc_start_main",
    "PMPI_Barrier",
    "MPIDI_CH3I_Progress",
];

const LINES: [(u64, &str); 22] = [
    (172, "stream.c"),
    (181, "stream.c"),
    (186, "stream.c"),
    (202, "stream.c"),
    (204, "stream.c"),
    (205, "stream.c"),
    (206, "stream.c"),
    (207, "stream.c"),
    (209, "stream.c"),
    (218, "stream.c"),
    (224, "stream.c"),
    (225, "stream.c"),
    (226, "stream.c"),
    (236, "stream.c"),
    (237, "stream.c"),
    (247, "stream.c"),
    (248, "stream.c"),
    (2098, "memcpy.S"),
    (2131, "memcpy.S"),
    (2140, "memcpy.S"),
    (2156, "memcpy.S"),
    (289, "libc-start.c"),
];
const LIBRARY_LINES: [(u64, &str); 2] = [(95, "barrier.c"), (431, "ch3_progress.c")];

/// Where a thread is.
#[derive(Clone, Copy, PartialEq)]
pub enum Place {
    Start,
    Phase(usize),
    Barrier,
    /// Between two calls, or in the tracing tool: never sampled.
    Nowhere,
}

pub fn routine(name: &str) -> u64 {
    id(ROUTINES.iter().position(|known| *known == name))
}

pub fn line(number: u64, file: &str) -> u64 {
    id(LINES.iter().chain(&LIBRARY_LINES).position(|known| *known == (number, file)))
}

/// Ids begin behind End, Unresolved and not found.
fn id(place: Option<usize>) -> u64 {
    place.expect("the tables hold every name that the example uses") as u64 + 3
}

/// Where the samples of a phase fall.
pub struct Code {
    /// From the innermost routine outwards.
    pub callstack: [&'static str; 3],
    /// Of the innermost routine.
    pub file: &'static str,
    /// Lines of the innermost routine, with weights.
    pub lines: &'static [(u64, f64)],
}

const fn code(
    callstack: [&'static str; 3],
    file: &'static str,
    lines: &'static [(u64, f64)],
) -> Code {
    Code { callstack, file, lines }
}

pub const PHASES: [Code; 4] = [
    code(
        ["__memcpy_ssse3_back", "Copy", "main"],
        "memcpy.S",
        &[(2140, 6.0), (2131, 2.0), (2156, 2.0), (2098, 0.7)],
    ),
    code(["Scale", "main", "__libc_start_main"], "stream.c", &[(226, 7.0), (225, 2.2), (224, 0.4)]),
    code(["Add", "main", "__libc_start_main"], "stream.c", &[(237, 8.0), (236, 1.6)]),
    code(["Triad", "main", "__libc_start_main"], "stream.c", &[(248, 8.0), (247, 1.7)]),
];

/// The innermost routine of a phase and one of its lines.
fn innermost(phase: usize, random: &mut Random) -> (&'static str, u64) {
    let Code { callstack, file, lines } = &PHASES[phase];
    (callstack[0], line(random.pick(lines), file))
}

/// A sampled call-stack of three frames, innermost first; `None` where nothing is sampled.
pub fn callstack(place: Place, random: &mut Random) -> Option<Vec<(u32, u64)>> {
    let outermost = ("__libc_start_main", line(289, "libc-start.c"));
    let frames: Vec<(&str, u64)> = match place {
        Place::Nowhere => return None,
        Place::Start => vec![("main", line(186, "stream.c")), outermost],
        Place::Barrier => vec![
            ("MPIDI_CH3I_Progress", line(431, "ch3_progress.c")),
            ("PMPI_Barrier", line(95, "barrier.c")),
            ("main", line(209, "stream.c")),
        ],
        Place::Phase(phase) => {
            let sampled = innermost(phase, random);
            let call = ("main", line(204 + phase as u64, "stream.c"));
            match phase {
                0 => vec![sampled, ("Copy", line(218, "stream.c")), call],
                _ => vec![sampled, call, outermost],
            }
        }
    };
    let events = (0..).zip(frames).flat_map(|(depth, (name, code_line))| {
        [(SAMPLED + depth, routine(name)), (SAMPLED_LINE + depth, code_line)]
    });
    Some(events.collect())
}

/// A sampled load or store after the share `done` of a phase; `c` is where the array c begins.
///
/// Copy reads a and writes c downwards, Scale gathers from c at random and writes b upwards, Add and
/// Triad read two arrays and write the third upwards.
pub fn reference(phase: usize, done: f64, c: u64, random: &mut Random) -> Vec<(u32, u64)> {
    let load = random.uniform() < 0.7;
    let (first, second, written) = [(A, A, c), (c, c, B), (A, B, c), (B, c, A)][phase];
    let array = match (load, random.uniform() < 0.5) {
        (false, _) => written,
        (true, true) => first,
        (true, false) => second,
    };
    let gather = phase == 1 && load;
    let along = if phase == 0 { 1.0 - done } else { done };
    // Out of order by some cache lines.
    let element = if gather {
        random.below(ELEMENTS)
    } else {
        ((along * ELEMENTS as f64) as u64 + random.below(64)).min(ELEMENTS - 1)
    };
    // SSSE3 moves 16 bytes at a time.
    let element = if phase == 0 { element & !1 } else { element };
    // Memory level with the range of its cost in cycles: L1, fill buffer, L2, L3, DRAM.
    let cost =
        [(1, 6.0, 9.0), (2, 12.0, 60.0), (3, 11.0, 18.0), (4, 28.0, 70.0), (7, 180.0, 400.0)];
    let weights = if gather { [4.0, 4.0, 2.0, 14.0, 76.0] } else { [55.0, 30.0, 7.0, 5.0, 3.0] };
    let choices: Vec<_> = cost.into_iter().zip(weights).collect();
    let (level, low, high) = if load { random.pick(&choices) } else { cost[0] };
    let tlb = random.pick(if gather {
        &[(0, 85.0), (2, 12.0), (1, 3.0)]
    } else {
        &[(0, 1.0), (2, 3.0), (1, 96.0)]
    });
    let (name, code_line) = innermost(phase, random);
    let mut events = vec![
        (SAMPLED, routine(name)),
        (SAMPLED_LINE, code_line),
        (if load { LOAD } else { STORE }, array + element * 8),
        (MEMORY_LEVEL, level),
        (TLB_LEVEL, tlb),
    ];
    if load {
        events.push((LOAD_COST, random.between(low, high) as u64));
    }
    events
}

/// The same reference as a tracer writes it that also tells whether level and TLB hit: a walk is
/// none of both.
pub fn with_hits(events: Vec<(u32, u64)>) -> Vec<(u32, u64)> {
    let told = |(code, value): (u32, u64)| match code {
        MEMORY_LEVEL => vec![(code, value), (MEMORY_HIT, 1)],
        TLB_LEVEL => vec![(code, value), (TLB_HIT, u64::from(value > 0))],
        _ => vec![(code, value)],
    };
    events.into_iter().flat_map(told).collect()
}

/// What the arrays are called, and where they are from.
const ARRAYS: [(&str, &str); 3] = [("a", "static"), ("b", "static"), ("stream.c:181", "dynamic")];

pub fn objects() -> Value {
    let object =
        |(name, kind): &(&str, &str)| json!({"name": name, "kind": kind, "bytes": ARRAY_BYTES});
    ARRAYS.iter().map(object).collect()
}

/// How [`reference`] walks through the arrays: by phase and array, which way and by what step.
pub fn streams() -> Value {
    let [a, b, c] = ARRAYS.map(|(name, _)| name);
    let stream = |(phase, routine, object, direction, step): (usize, &str, &str, &str, u64)| {
        json!({"phase": phase, "routine": routine, "object": object, "direction": direction,
               "step_bytes": step})
    };
    let all = [
        (0, "__memcpy_ssse3_back", a, "descending", 16),
        (0, "__memcpy_ssse3_back", c, "descending", 16),
        (1, "Scale", c, "random", 8),
        (1, "Scale", b, "ascending", 8),
        (2, "Add", a, "ascending", 8),
        (2, "Add", b, "ascending", 8),
        (2, "Add", c, "ascending", 8),
        (3, "Triad", b, "ascending", 8),
        (3, "Triad", c, "ascending", 8),
        (3, "Triad", a, "ascending", 8),
    ];
    all.into_iter().map(stream).collect()
}

/// With the labels of what [`with_hits`] adds, if there are `hits`.
pub fn labels(hits: bool) -> Labels {
    let known = [(0, "End"), (1, "Unresolved"), (2, "_NOT_Found")];
    let routines: Vec<_> = known.into_iter().chain((3..).zip(ROUTINES)).collect();
    let known =
        [(0, "End".to_owned()), (1, "0 (Unresolved)".to_owned()), (2, "0 (_NOT_Found)".to_owned())];
    let binary = |file: &str| match file {
        "libc-start.c" | "memcpy.S" => "libc.so",
        "barrier.c" | "ch3_progress.c" => "libmpi.so",
        _ => "stream",
    };
    let name = |(number, file): &(u64, &str)| format!("{number} ({file}, {})", binary(file));
    let lines: Vec<_> = LINES.iter().chain(&LIBRARY_LINES).map(name).collect();
    let lines: Vec<_> = known.into_iter().chain((3..).zip(lines)).collect();
    let lines = || lines.iter().map(|(id, name)| (*id, name.as_str()));
    let mut labels = Labels::default();
    labels.add([(APPLICATION, "Application")], [(0, "End"), (1, "Begin")]);
    labels.add([(FLUSH, "Flushing Traces")], [(0, "End"), (1, "Begin")]);
    labels
        .add([(MPI_COLLECTIVE, "MPI Collective Comm")], [(0, "End"), (MPI_BARRIER, "MPI_Barrier")]);
    labels.add([(FUNCTION, "User function")], routines.clone());
    labels.add([(FUNCTION_LINE, "User function line")], lines());
    let depths = ["", " (depth 1)", " (depth 2)"];
    let names = |what: &str| depths.map(|depth| format!("{what}{depth}"));
    let (functions, code) = (names("Sampled functions"), names("Sampled line functions"));
    labels.add((SAMPLED..).zip(functions.iter().map(String::as_str)), routines.clone());
    labels.add((SAMPLED_LINE..).zip(code.iter().map(String::as_str)), lines());
    labels.add([(CALLER, "Caller at level 1")], routines);
    labels.add([(CALLER_LINE, "Caller line at level 1")], lines());
    labels.add([(MEMORY_CALL, "Dynamic memory calls")], [(0, "End"), (1, "malloc()")]);
    labels.add([(MEMORY_SIZE, "Requested size in dynamic memory call")], []);
    labels.add([(MEMORY_OUT, "Out pointer in dynamic memory call")], []);
    labels.add([(LOAD, "Sampled address (load)")], []);
    labels.add([(STORE, "Sampled address (store)")], []);
    let levels = [
        "other (uncacheable or I/O)",
        "L1 cache",
        "Line Fill Buffer (LFB)",
        "L2 cache",
        "L3 cache",
    ];
    let levels = (0..).zip(levels).chain([(7, "DRAM (local)")]);
    labels.add([(MEMORY_LEVEL, "Memory hierarchy location for sampled address")], levels);
    let tlb = [(0, "other (hw walker or OS)"), (1, "L1 TLB"), (2, "L2 TLB")];
    labels.add([(TLB_LEVEL, "TLB hierarchy location for sampled address")], tlb);
    if hits {
        let hit = [(0, "n/a"), (1, "hit"), (2, "miss")];
        labels.add([(MEMORY_HIT, "Memory hierarchy hit"), (TLB_HIT, "TLB hit")], hit);
    }
    labels.add([(LOAD_COST, "Access cost in core cycles")], []);
    let end = |start: u64| start + ARRAY_BYTES - 1;
    let (a, b) = (format!("a [0x{A:x}-0x{:x}]", end(A)), format!("b [0x{B:x}-0x{:x}]", end(B)));
    labels.add([(OBJECTS, "Object addresses for task 1.1")], [(1, a.as_str()), (2, b.as_str())]);
    labels
}
