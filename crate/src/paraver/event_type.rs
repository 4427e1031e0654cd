//! The event types of Extrae that folding understands, each named once.

use crate::trace::{
    AllocationPart, Kind, Labels, Meaning, Nesting, Origin, Paradigm, ReferencePart, TracingPart,
};

const NESTED: Kind = Kind::Region(Nesting::Stack, Origin::Code);
const FLAT: Kind = Kind::Region(Nesting::Flat, Origin::Code);
const MPI: Kind = runtime(Paradigm::Mpi);
const OUTLINED: Kind = Kind::Region(Nesting::Stack, Origin::Outlined);
const OPENMP: Kind = runtime(Paradigm::OpenMp);
const OPENMP_WORK: Kind = runtime(Paradigm::OpenMpWork);
const OLD_OPENMP: Kind = Kind::Region(Nesting::Stack, Origin::Runtime(Paradigm::OpenMpWork));
const LOCK: Kind = runtime(Paradigm::Lock);
const ACCELERATOR: Kind = runtime(Paradigm::Accelerator);
const UNKNOWN: Kind = Kind::Region(Nesting::Flat, Origin::Unknown);

const fn runtime(paradigm: Paradigm) -> Kind {
    Kind::Region(Nesting::Flat, Origin::Runtime(paradigm))
}

/// Codes whose meaning is fixed, with the name they go by where the labels have none.
///
/// Ranges are looked at in order; the first that holds a code decides.
const KINDS: &[(u32, u32, Kind, &str)] = &[
    // Call-stacks and references of samples.
    (30_000_000, 30_000_099, Kind::Routine(0), "Sampled functions"),
    (30_000_100, 30_000_199, Kind::CodeLine(0), "Sampled lines"),
    (30_000_200, 31_000_299, Kind::Other, "Sampled blocks"),
    (32_000_000, 32_000_000, Kind::Reference(ReferencePart::LoadAddress), "Load address"),
    (32_000_001, 32_000_001, Kind::Reference(ReferencePart::StoreAddress), "Store address"),
    (32_000_002, 32_000_002, Kind::Reference(ReferencePart::Level), "Memory level"),
    (32_000_003, 32_000_003, Kind::Reference(ReferencePart::LevelHit), "Memory level hit"),
    (32_000_004, 32_000_004, Kind::Reference(ReferencePart::TlbLevel), "TLB level"),
    (32_000_005, 32_000_005, Kind::Reference(ReferencePart::TlbHit), "TLB hit"),
    (32_000_006, 32_000_006, Kind::Reference(ReferencePart::Cost), "Reference cost"),
    (32_000_007, 32_000_007, Kind::Reference(ReferencePart::DataObject), "Data object"),
    // 32000008 is the address once more, where the tracer knew of no object round it.
    (32_000_009, 32_000_009, Kind::Allocation(AllocationPart::DataObject), "Allocated object"),
    (32_000_000, 32_000_199, Kind::Other, "Reference"),
    // The tracing itself.
    (40_000_001, 40_000_001, Kind::Tracing(TracingPart::Program), "Tracing"),
    (40_000_002, 40_000_002, Kind::Tracing(TracingPart::Initialisation), "Tracing"),
    (40_000_003, 40_000_003, Kind::Tracing(TracingPart::Flush), "Tracing"),
    (40_000_004, 40_000_005, runtime(Paradigm::Io), "I/O call"),
    (40_000_012, 40_000_012, Kind::Tracing(TracingPart::Enabled), "Tracing enabled"),
    (40_000_018, 40_000_018, Kind::Tracing(TracingPart::Mode), "Tracing mode"),
    (40_000_040, 40_000_040, Kind::Allocation(AllocationPart::Call), "Memory call"),
    (40_000_041, 40_000_041, Kind::Allocation(AllocationPart::Size), "Memory size"),
    (40_000_042, 40_000_042, Kind::Allocation(AllocationPart::PointerIn), "Pointer in"),
    (40_000_043, 40_000_043, Kind::Allocation(AllocationPart::PointerOut), "Pointer out"),
    // Sizes, descriptors, processors, processes.
    (40_000_010, 40_000_011, Kind::Other, "I/O"),
    (40_000_013, 40_000_013, Kind::Other, "I/O descriptor"),
    (40_000_023, 40_000_024, Kind::Other, "Virtual thread"),
    (40_000_027, 40_000_027, runtime(Paradigm::System), "Process call"),
    (40_000_033, 40_000_039, Kind::Other, "System"),
    (40_000_050, 40_000_070, Kind::Other, "System"),
    (40_000_133, 40_000_133, Kind::Other, "Sampling interval"),
    (40_001_000, 40_001_000, Kind::Other, "Memory partition"),
    (41_000_000, 41_000_999, Kind::Other, "Data objects"),
    // Counters. Between them lie resource use, memory statistics and absolute twins.
    (41_999_999, 41_999_999, Kind::CounterSet, "Active counter set"),
    (42_000_000, 42_999_999, Kind::Counter, ""),
    (44_000_000, 44_999_999, Kind::Counter, ""),
    (46_000_005, 46_999_999, Kind::Counter, ""),
    (48_000_005, 49_999_999, Kind::Counter, ""),
    (43_000_000, 49_999_999, Kind::Other, "Resource use"),
    // MPI: calls are regions, what they carry is not.
    (50_000_001, 50_000_005, MPI, "MPI"),
    (50_000_006, 50_999_999, Kind::Other, "MPI"),
    (54_000_000, 54_999_999, Kind::Other, "Burst statistics"),
    // Code: functions of every kind nest, their line twins say the same once more.
    (60_000_018, 60_000_018, OUTLINED, "User function"),
    (60_000_019, 60_000_020, NESTED, "User function"),
    (60_000_023, 60_000_023, OUTLINED, "Task function"),
    (60_000_024, 60_000_024, NESTED, "Task function"),
    (60_000_219, 60_000_219, NESTED, "Basic block"),
    (60_000_100, 60_000_199, Kind::Other, "Line"),
    (60_012, 60_012, NESTED, "Outlined function"),
    (60_015, 60_015, NESTED, "Task function"),
    (60_018, 60_018, NESTED, "Task function"),
    (60_001, 60_003, NESTED, "OpenMP"),
    (60_000, 60_010, OLD_OPENMP, "OpenMP"),
    (60_011, 60_019, Kind::Other, "OpenMP"),
    (60_000_001, 60_000_001, NESTED, "OpenMP parallel"),
    (60_000_025, 60_000_025, Kind::Other, "Task id"),
    (60_000_030, 60_000_031, Kind::Other, "Number of threads"),
    (60_000_002, 60_000_002, FLAT, "OpenMP worksharing"),
    (60_000_006, 60_000_007, LOCK, "OpenMP lock"),
    (60_000_032, 60_000_032, runtime(Paradigm::Critical), "OpenMP lock"),
    // Barriers, joins, making tasks and waiting for them.
    (60_000_005, 60_000_005, OPENMP, "OpenMP"),
    (60_000_016, 60_000_016, OPENMP, "OpenMP"),
    (60_000_021, 60_000_022, OPENMP, "OpenMP"),
    (60_000_034, 60_000_035, OPENMP, "OpenMP"),
    (60_000_000, 60_000_099, OPENMP_WORK, "OpenMP"),
    (61_000_000, 61_000_099, runtime(Paradigm::Pthread), "pthread call"),
    (63_000_000, 63_000_000, ACCELERATOR, "CUDA call"),
    (63_500_000, 63_500_000, ACCELERATOR, "HIP call"),
    (64_000_000, 64_000_000, ACCELERATOR, "OpenCL call"),
    (65_000_000, 65_000_001, Kind::Other, "Number of tasks"),
    // Where instrumented calls were made from; kept of those that ask for memory.
    (70_000_000, 70_000_099, Kind::Caller(0), "Caller"),
    (80_000_000, 80_000_099, Kind::CallerLine(0), "Caller line"),
    // Found by analysis.
    (90_000_001, 90_000_001, FLAT, "Cluster ID"),
    (91_000_001, 91_000_001, FLAT, "Spectral period"),
    (93_000_001, 93_000_001, FLAT, "Gremlin"),
    // Written by Folding: results, not input.
    (600_000_000, 699_999_999, Kind::Other, "Folded"),
    // The programmer's own.
    (0, 9_999_999, UNKNOWN, ""),
];

/// The code of a part of a reference; 0 if it had none.
pub fn code_of(part: ReferencePart) -> u32 {
    let of_part = KINDS.iter().find(|(_, _, kind, _)| *kind == Kind::Reference(part));
    of_part.map_or(0, |(first, ..)| *first)
}

/// What a type of event means and what people call it.
///
/// A type that is in no table is a region if its value 0 is labelled like an end.
pub fn meaning(code: u32, labels: &Labels) -> Meaning {
    let says_something = |label: &&str| !label.trim_end_matches(':').is_empty();
    let label = labels.of_type(code).map(str::trim).filter(says_something);
    let known = KINDS.iter().find(|(first, last, ..)| (*first..=*last).contains(&code));
    let kind = match known {
        Some(&(first, _, Kind::Routine(_), _)) => Kind::Routine((code - first) as u8),
        Some(&(first, _, Kind::CodeLine(_), _)) => Kind::CodeLine((code - first) as u8),
        Some(&(first, _, Kind::Caller(_), _)) => Kind::Caller((code - first) as u8),
        Some(&(first, _, Kind::CallerLine(_), _)) => Kind::CallerLine((code - first) as u8),
        Some((_, _, Kind::Counter, _)) if is_absolute(label) => Kind::Other,
        None | Some((_, _, UNKNOWN, _)) if counts(code, label, labels) => Kind::Counter,
        Some((_, _, kind, _)) => *kind,
        None if labels.of_value(code, 0).is_some_and(is_end) => UNKNOWN,
        None => Kind::Other,
    };
    if kind == Kind::Counter {
        let (name, description) = counter_name(code, label);
        return Meaning { kind, name, description };
    }
    let given = known.map(|(.., name)| *name).filter(|name| !name.is_empty());
    let name = match (label, given) {
        (Some(label), _) => label.trim_end_matches(':').to_owned(),
        (None, Some(name)) if matches!(kind, Kind::Region(Nesting::Stack, _)) => name.to_owned(),
        _ => format!("Event {code}"),
    };
    Meaning { kind, name, description: String::new() }
}

/// Absolute readings stand beside the increments and say the same.
fn is_absolute(label: Option<&str>) -> bool {
    label.is_some_and(|label| label.starts_with("Absolute "))
}

/// Whether a type of the programmer's own range, or of none, is a hardware counter by its label:
/// `PAPI_TOT_INS`, `skx_unc_imc1::UNC_M_CAS_COUNT:RD:cpu=0`. Values of counters have no labels.
fn counts(code: u32, label: Option<&str>, labels: &Labels) -> bool {
    let names_one = |label: &str| {
        let (unit, event) = label.split_once("::").unwrap_or_default();
        let is_native = !unit.is_empty()
            && !unit.contains(' ')
            && event.starts_with(|first: char| first.is_ascii_uppercase());
        let mut word = event.bytes().take_while(|byte| !b": ".contains(byte));
        label.starts_with("PAPI_") || is_native && !word.any(|byte| byte.is_ascii_lowercase())
    };
    labels.values_of(code).is_empty() && label.is_some_and(names_one)
}

fn is_end(label: &str) -> bool {
    let label = label.trim().to_ascii_lowercase();
    ["end", "exit", "outside", "leave", "close"].iter().any(|word| label.starts_with(word))
}

/// Short and long name of a counter, from the labels of every age:
/// `PAPI_TOT_INS [Instr completed]`, `(PAPI_TOT_INS) Instr completed`,
/// `PAPI_TOT_INS ([Instr completed])`; the oldest have no short name.
fn counter_name(code: u32, label: Option<&str>) -> (String, String) {
    let Some(label) = label else {
        let preset = PRESETS.iter().find(|(number, _)| 42_000_000 + number == code);
        let name =
            preset.map_or_else(|| format!("Event {code}"), |(_, name)| format!("PAPI_{name}"));
        return (name, String::new());
    };
    let (first, rest) = label.split_once(char::is_whitespace).unwrap_or((label, ""));
    let inner = first.strip_prefix('(').and_then(|word| word.strip_suffix(')'));
    let name = inner.filter(|name| !name.is_empty()).unwrap_or(first);
    let bare = rest.is_empty() || first.starts_with('(') || rest.contains('[');
    if !bare {
        return (label.to_owned(), String::new());
    }
    (name.to_owned(), rest.trim_matches(|c: char| "()[] ".contains(c)).to_owned())
}

/// The code that Extrae has for a counter of PAPI, e.g. of `PAPI_TOT_INS`; `None` for one that is no
/// preset.
pub fn counter_code(name: &str) -> Option<u32> {
    let preset = name.strip_prefix("PAPI_")?;
    let known = PRESETS.iter().find(|(_, known)| *known == preset);
    known.map(|(number, _)| 42_000_000 + number)
}

/// PAPI's presets, by the low bits of their codes.
const PRESETS: &[(u32, &str)] = &[
    (0, "L1_DCM"),
    (1, "L1_ICM"),
    (2, "L2_DCM"),
    (3, "L2_ICM"),
    (4, "L3_DCM"),
    (5, "L3_ICM"),
    (6, "L1_TCM"),
    (7, "L2_TCM"),
    (8, "L3_TCM"),
    (20, "TLB_DM"),
    (21, "TLB_IM"),
    (42, "BR_UCN"),
    (43, "BR_CN"),
    (44, "BR_TKN"),
    (45, "BR_NTK"),
    (46, "BR_MSP"),
    (47, "BR_PRC"),
    (50, "TOT_INS"),
    (51, "INT_INS"),
    (52, "FP_INS"),
    (53, "LD_INS"),
    (54, "SR_INS"),
    (55, "BR_INS"),
    (56, "VEC_INS"),
    (57, "RES_STL"),
    (59, "TOT_CYC"),
    (60, "LST_INS"),
    (99, "FDV_INS"),
    (102, "FP_OPS"),
    (103, "SP_OPS"),
    (104, "DP_OPS"),
    (105, "VEC_SP"),
    (106, "VEC_DP"),
    (107, "REF_CYC"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn labelled(code: u32, label: &str, zero: &str) -> Meaning {
        let mut labels = Labels::default();
        labels.add_types(&[(code, label.to_owned())], vec![(0, zero.to_owned())]);
        meaning(code, &labels)
    }

    #[test]
    fn counters_have_short_names_whatever_the_age_of_the_label() {
        for (label, name, description) in [
            ("PAPI_TOT_INS [Instr completed]", "PAPI_TOT_INS", "Instr completed"),
            ("(PAPI_TOT_INS) Instr completed", "PAPI_TOT_INS", "Instr completed"),
            ("PAPI_TOT_INS ([Instr completed])", "PAPI_TOT_INS", "Instr completed"),
            ("a::b:cpu=0 ([x])", "a::b:cpu=0", "x"),
            ("Level 2 cache misses (L2)", "Level 2 cache misses (L2)", ""),
            ("LLC_MISSES", "LLC_MISSES", ""),
            ("() misses", "()", "misses"),
            (" :: ", "PAPI_L2_TCM", ""),
        ] {
            let found = labelled(42_000_007, label, "");
            assert_eq!((found.name.as_str(), found.description.as_str()), (name, description));
        }
        assert_eq!(meaning(42_000_050, &Labels::default()).name, "PAPI_TOT_INS");
        assert_eq!(meaning(42_001_008, &Labels::default()).name, "Event 42001008");
    }

    #[test]
    fn what_only_looks_like_a_counter_is_none() {
        for code in [45_000_000, 46_000_004, 48_000_001, 43_000_050] {
            assert_eq!(meaning(code, &Labels::default()).kind, Kind::Other, "{code}");
        }
        assert_eq!(labelled(44_000_001, "Absolute X [x]", "").kind, Kind::Other);
    }

    #[test]
    fn an_end_label_makes_a_region_unless_the_type_is_known_for_something_else() {
        assert_eq!(labelled(9_200_001, "Runtime", "Outside").kind, UNKNOWN);
        assert_eq!(labelled(77_000_001, ":", "End").name, "Event 77000001");
        assert_eq!(labelled(77_000_001, "Mine", "End").kind, UNKNOWN);
        assert_eq!(labelled(77_000_001, "Mine", "zero").kind, Kind::Other);
        assert_eq!(labelled(70_000_001, "Caller", "End").kind, Kind::Caller(1));
        assert_eq!(labelled(80_000_003, "Line", "End").kind, Kind::CallerLine(3));
        assert_eq!(labelled(60_000_119, "Line", "End").kind, Kind::Other);
        assert_eq!(labelled(30_000_003, "Depth", "End").kind, Kind::Routine(3));
        assert_eq!(
            labelled(40_000_001, "Application", "End").kind,
            Kind::Tracing(TracingPart::Program)
        );
    }
}
