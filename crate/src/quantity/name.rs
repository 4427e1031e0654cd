//! Short names of counters, as analysts say them.

/// Whether a counter has no name but the number of its type: `Event 42001008`.
pub fn is_numbered(counter: &str) -> bool {
    let number = counter.strip_prefix("Event ");
    number.is_some_and(|number| number.chars().all(|c| c.is_ascii_digit()))
}

/// Names of PAPI presets and of the native events that Extrae's users record.
const SHORT: &[(&str, &str)] = &[
    ("PAPI_TOT_INS", "Instructions"),
    ("PAPI_TOT_CYC", "Cycles"),
    ("PAPI_REF_CYC", "Reference cycles"),
    ("PAPI_STL_ICY", "Cycles without issue"),
    ("PAPI_STL_CCY", "Cycles without completion"),
    ("PAPI_RES_STL", "Stalled cycles"),
    ("PAPI_L1_DCM", "L1D misses"),
    ("PAPI_L1_ICM", "L1I misses"),
    ("PAPI_L1_TCM", "L1 misses"),
    ("PAPI_L1_LDM", "L1 load misses"),
    ("PAPI_L1_STM", "L1 store misses"),
    ("PAPI_L2_DCM", "L2D misses"),
    ("PAPI_L2_ICM", "L2I misses"),
    ("PAPI_L2_TCM", "L2 misses"),
    ("PAPI_L2_LDM", "L2 load misses"),
    ("PAPI_L2_STM", "L2 store misses"),
    ("PAPI_L2_DCA", "L2D accesses"),
    ("PAPI_L2_TCA", "L2 accesses"),
    ("PAPI_L3_DCM", "L3D misses"),
    ("PAPI_L3_TCM", "L3 misses"),
    ("PAPI_L3_LDM", "L3 load misses"),
    ("PAPI_L3_TCA", "L3 accesses"),
    ("PAPI_TLB_DM", "Data TLB misses"),
    ("PAPI_TLB_IM", "Code TLB misses"),
    ("PAPI_TLB_TL", "TLB misses"),
    ("PAPI_BR_INS", "Branches"),
    ("PAPI_BR_CN", "Conditional branches"),
    ("PAPI_BR_UCN", "Jumps"),
    ("PAPI_BR_TKN", "Branches taken"),
    ("PAPI_BR_MSP", "Mispredictions"),
    ("PAPI_LD_INS", "Loads"),
    ("PAPI_SR_INS", "Stores"),
    ("PAPI_LST_INS", "Loads and stores"),
    ("PAPI_INT_INS", "Integer"),
    ("PAPI_FP_INS", "Floating point"),
    ("PAPI_FP_OPS", "Flops"),
    ("PAPI_SP_OPS", "Single flops"),
    ("PAPI_DP_OPS", "Double flops"),
    ("PAPI_VEC_INS", "Vector"),
    ("PAPI_VEC_SP", "Single vector"),
    ("PAPI_VEC_DP", "Double vector"),
    ("PAPI_PRF_DM", "Prefetch misses"),
    ("LLC_MISSES", "LLC misses"),
    ("LLC_REFERENCES", "LLC accesses"),
    ("INSTRUCTION_RETIRED", "Instructions"),
    ("UNHALTED_CORE_CYCLES", "Cycles"),
    ("UNHALTED_REFERENCE_CYCLES", "Reference cycles"),
    ("RESOURCE_STALLS", "Stalled cycles"),
    ("RESOURCE_STALLS:ANY", "Stalled cycles"),
    ("instructions", "Instructions"),
    ("cycles", "Cycles"),
    ("page-faults", "Page faults"),
    ("task-clock", "CPU time"),
    ("cpu-clock", "CPU time, sampled"),
    ("cache-misses", "LLC misses"),
    ("cache-references", "LLC accesses"),
    ("branch-misses", "Mispredictions"),
    ("branches", "Branches"),
    ("L1-dcache-load-misses", "L1D load misses"),
];

/// What names of counters of energy contain, as perf, Linux and PAPI say it; their curve is power.
const POWER: &[(&str, &str)] = &[
    ("energy-pkg", "Package power"),
    ("PACKAGE_ENERGY", "Package power"),
    ("RAPL_ENERGY_PKG", "Package power"),
    ("energy-cores", "Core power"),
    ("PP0_ENERGY", "Core power"),
    ("RAPL_ENERGY_CORES", "Core power"),
    ("energy-ram", "Memory power"),
    ("DRAM_ENERGY", "Memory power"),
    ("RAPL_ENERGY_DRAM", "Memory power"),
    ("energy-gpu", "Graphics power"),
    ("PP1_ENERGY", "Graphics power"),
    ("RAPL_ENERGY_GPU", "Graphics power"),
    ("energy-psys", "Platform power"),
    ("PSYS_ENERGY", "Platform power"),
];

/// The short name of `counter`; one that is not known keeps its own.
pub fn short(counter: &str) -> &str {
    let whole = SHORT.iter().find(|(long, _)| *long == counter);
    let part = || POWER.iter().find(|(part, _)| counter.contains(part));
    whole.or_else(part).map_or(counter, |(_, short)| short)
}

/// What the C library runs before a program's or a thread's own code.
const START_UP: [&str; 6] = ["_start", "start_thread", "clone", "__clone", "clone3", "__clone3"];

/// Whether `routine` is start-up code: a caller of everything, which tells nothing.
pub fn is_start_up(routine: &str) -> bool {
    routine.starts_with("__libc_start_") || START_UP.contains(&routine)
}

/// Whether `counter` counts the nanoseconds that threads ran.
pub fn is_clock(counter: &str) -> bool {
    matches!(counter, "task-clock" | "cpu-clock")
}

/// `text` as it may be drawn: one line, without control characters or marks that turn the
/// direction of what follows, each of which becomes `U+FFFD`; at most 512 characters.
pub fn printable(text: &str) -> String {
    let turns = |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let none = |c: char| matches!(c, '\u{fffe}' | '\u{ffff}' | '\u{2028}' | '\u{2029}');
    let show = |c: char| if c.is_control() || turns(c) || none(c) { '\u{fffd}' } else { c };
    text.chars().take(512).map(show).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_counters_have_short_names_and_others_keep_theirs() {
        assert_eq!(short("PAPI_L1_DCM"), "L1D misses");
        assert_eq!(short("LLC_MISSES"), "LLC misses");
        assert_eq!(short("my_counter"), "my_counter");
    }

    #[test]
    fn start_up_code_is_known_from_code_of_like_names() {
        assert!(is_start_up("__libc_start_main@@GLIBC_2.34") && is_start_up("_start"));
        assert!(!is_start_up("main") && !is_start_up("clone_mesh"));
    }

    #[test]
    fn nothing_that_steers_a_terminal_or_turns_text_is_drawn() {
        assert_eq!(printable("a\u{1b}[31m\nb\u{202e}c"), "a\u{fffd}[31m\u{fffd}b\u{fffd}c");
        assert_eq!(printable(&"x".repeat(10_000)).len(), 512);
    }
}
