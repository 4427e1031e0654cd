//! The memory references of a made-up trace, recorded apart: as `perf script` prints what `perf mem
//! record` wrote, on a clock of its own.
//!
//! The layout is that of perf 6.1 with call-stacks and `-F +pid,+addr,+data_src,+weight,+srcline`; the
//! bits of the data source are those of `linux/perf_event.h`. It is made up: no processor sampled it.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::Generated;
use crate::codes::{
    FUNCTION, LOAD, LOAD_COST, MEMORY_LEVEL, SAMPLED, SAMPLED_LINE, STORE, TLB_LEVEL,
};

/// What the other clock shows.
#[derive(Clone, Copy)]
pub struct Clock {
    /// At time 0 of the trace, in nanoseconds.
    pub start_ns: u64,
    /// Nanoseconds that it gains in each second.
    pub gain: u64,
    /// Every so many markers one is lost; 0 for none.
    pub lost: u64,
}

impl Clock {
    /// The time of the trace on this clock, rounded down.
    pub fn time_ns(self, ns: u64) -> u64 {
        self.start_ns + ns + (u128::from(ns) * u128::from(self.gain) / 1_000_000_000) as u64
    }
}

/// The trace without its references, and the text of the recording that has them. `marked`: the user
/// function in which both have markers.
pub fn apart(whole: &Generated, marked: &str, clock: Clock) -> (Vec<u8>, String) {
    let prv = std::str::from_utf8(&whole.prv).expect("a made-up trace is text");
    let names = names(std::str::from_utf8(&whole.pcf).expect("labels are text"));
    let marked_value = *names
        .iter()
        .find(|(key, name)| key.0 == FUNCTION && *name == marked)
        .expect("a function of this name")
        .0;
    let marker = format!("probe_app:{}", marked.replace(' ', "_"));
    let (mut rest, mut recorded) = (String::new(), String::new());
    let mut markers = 0;
    let mut inside: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for line in prv.lines() {
        let fields = line.split(':').collect::<Vec<_>>();
        let number = |at: usize| fields[at].parse::<u64>().expect("a number");
        let events = if fields[0] == "2" {
            (6..fields.len()).step_by(2).map(|at| (number(at) as u32, number(at + 1))).collect()
        } else {
            vec![]
        };
        let value = |code: u32| events.iter().find(|event| event.0 == code).map(|event| event.1);
        let is_reference = value(LOAD).or(value(STORE)).is_some();
        if !is_reference {
            rest += line;
            rest.push('\n');
        }
        if events.is_empty() {
            continue;
        }
        // Ranks are processes of one thread each, by increasing number.
        let process = 4000 + 10 * number(3);
        let time_ns = clock.time_ns(number(5));
        let start = format!(
            "{:>16} {process:>5}/{process:<5} [{:03}] {:>5}.{:09}: ",
            "stream",
            number(1) - 1,
            time_ns / 1_000_000_000,
            time_ns % 1_000_000_000
        );
        if let (false, Some(function)) = (is_reference, value(FUNCTION)) {
            let open = inside.entry(fields[2..5].join(":")).or_default();
            let left = if function == 0 { open.pop() } else { None };
            if function > 0 {
                open.push(function);
            }
            if function == marked_value.1 || left == Some(marked_value.1) {
                markers += 1;
                let end = if function == 0 { "_ret__return" } else { "" };
                if clock.lost == 0 || markers % clock.lost > 0 {
                    writeln!(recorded, "{start}           {marker}{end}: (401136)").unwrap();
                    recorded.push('\n');
                }
            }
        }
        if let Some(address) = value(LOAD).or(value(STORE)) {
            let is_load = value(LOAD).is_some();
            let event = if is_load { "cpu/mem-loads,ldlat=30/P" } else { "cpu/mem-stores/P" };
            let (bits, words) = data_source(
                is_load,
                value(MEMORY_LEVEL).unwrap_or(0),
                value(TLB_LEVEL).unwrap_or(0),
            );
            let cost = value(LOAD_COST).unwrap_or(0);
            writeln!(
                recorded,
                "{start}         1 {event:>24}: {address:>16x} {bits:>16x} {words:<80}{cost:>16}"
            )
            .unwrap();
            let name = |code: u32| value(code).and_then(|value| names.get(&(code, value)));
            if let (Some(routine), Some(line)) = (name(SAMPLED), name(SAMPLED_LINE)) {
                writeln!(recorded, "\t          401136 {routine}+0x1c (/home/user/stream)")
                    .unwrap();
                let (line, file) = line.split_once(" (").unwrap_or((line, "stream.c)"));
                let file = file.split([')', ',']).next().unwrap_or(file);
                writeln!(recorded, "  /home/user/{file}:{line}").unwrap();
            }
            recorded.push('\n');
        }
    }
    (rest.into_bytes(), recorded)
}

/// The data source of a reference, and what perf 6.1 prints of it.
fn data_source(is_load: bool, level: u64, tlb: u64) -> (u64, String) {
    // Operation, snoop and lock: load or store, none, none.
    let operation = if is_load { 0x02 } else { 0x04 };
    let (level_bits, level) = match level {
        1 => (0x008, "L1"),
        2 => (0x010, "LFB"),
        3 => (0x020, "L2"),
        4 => (0x040, "L3"),
        5 => (0x400, "Remote Cache (1 hop)"),
        6 => (0x800, "Remote Cache (2 hops)"),
        7 => (0x080, "Local RAM"),
        8 => (0x100, "Remote RAM (1 hop)"),
        9 => (0x200, "Remote RAM (2 hops)"),
        _ => (0x2000, "Uncached"),
    };
    let (tlb_bits, tlb) = match tlb {
        1 => (0x08 | 0x02, "L1 hit"),
        2 => (0x10 | 0x02, "L2 hit"),
        _ => (0x10 | 0x04, "L2 miss"),
    };
    let bits = operation | (level_bits | 0x02) << 5 | 0x02 << 19 | tlb_bits << 26 | 1 << 40;
    let operation = if is_load { "LOAD" } else { "STORE" };
    (bits, format!("|OP {operation}|LVL {level} hit|SNP None|TLB {tlb}|LCK No|BLK  N/A"))
}

/// Labels of values by type.
fn names(pcf: &str) -> BTreeMap<(u32, u64), String> {
    let (mut names, mut types, mut in_values) = (BTreeMap::new(), vec![], false);
    for line in pcf.lines() {
        let words = line.split_whitespace().collect::<Vec<_>>();
        match words.as_slice() {
            [] | ["EVENT_TYPE"] => (types, in_values) = (vec![], false),
            ["VALUES"] => in_values = true,
            [value, ..] if in_values => {
                let label = line.trim_start()[value.len()..].trim().to_owned();
                for &code in &types {
                    names.insert((code, value.parse().unwrap_or(0)), label.clone());
                }
            }
            [_, code, ..] => types.extend(code.parse::<u32>()),
            _ => {}
        }
    }
    names
}
