//! Numbers of the Paraver format that the shapes write, with their names.
//!
//! Typed again from the format's description: an oracle shares no code with what it tests.

pub const APPLICATION: u32 = 40_000_001;
pub const FLUSH: u32 = 40_000_003;
pub const MEMORY_CALL: u32 = 40_000_040;
pub const MEMORY_SIZE: u32 = 40_000_041;
pub const MEMORY_OUT: u32 = 40_000_043;
pub const COUNTER_SET: u32 = 41_999_999;
pub const OBJECTS: u32 = 41_000_000;
pub const MPI_POINT_TO_POINT: u32 = 50_000_001;
pub const MPI_SENDRECV: u64 = 41;
pub const MPI_OTHER: u32 = 50_000_003;
pub const MPI_INIT: u64 = 31;
pub const MPI_FINALIZE: u64 = 32;
pub const MPI_COLLECTIVE: u32 = 50_000_002;
pub const MPI_BARRIER: u64 = 8;
pub const MPI_ALLREDUCE: u64 = 10;
pub const FUNCTION: u32 = 60_000_019;
pub const FUNCTION_LINE: u32 = 60_000_119;
/// Sampled routine at depth 0; its line is 100 higher, its caller 1 higher.
pub const SAMPLED: u32 = 30_000_000;
pub const SAMPLED_LINE: u32 = 30_000_100;
pub const CALLER: u32 = 70_000_001;
pub const CALLER_LINE: u32 = 80_000_001;
pub const LOAD: u32 = 32_000_000;
pub const STORE: u32 = 32_000_001;
pub const MEMORY_LEVEL: u32 = 32_000_002;
pub const MEMORY_HIT: u32 = 32_000_003;
pub const TLB_LEVEL: u32 = 32_000_004;
pub const TLB_HIT: u32 = 32_000_005;
pub const LOAD_COST: u32 = 32_000_006;

/// A counter: event type, name, description.
#[derive(Clone, Copy)]
pub struct Counter {
    pub code: u32,
    pub name: &'static str,
    pub description: &'static str,
}

const fn counter(code: u32, name: &'static str, description: &'static str) -> Counter {
    Counter { code, name, description }
}

pub const TOT_INS: Counter = counter(42_000_050, "PAPI_TOT_INS", "Instr completed");
pub const TOT_CYC: Counter = counter(42_000_059, "PAPI_TOT_CYC", "Total cycles");
pub const L1_DCM: Counter = counter(42_000_000, "PAPI_L1_DCM", "L1D cache misses");
pub const L2_DCM: Counter = counter(42_000_002, "PAPI_L2_DCM", "L2D cache misses");
pub const L3_TCM: Counter = counter(42_000_008, "PAPI_L3_TCM", "L3 cache misses");
pub const RES_STL: Counter = counter(42_000_057, "PAPI_RES_STL", "Cycles stalled on any resource");
pub const BR_INS: Counter = counter(42_000_055, "PAPI_BR_INS", "Branches");

/// Of a processor package, in nanojoules.
pub const ENERGY: Counter = counter(
    42_001_000,
    "rapl:::PACKAGE_ENERGY:PACKAGE0",
    "Energy used by chip package 0, units: nJ",
);

/// Of the cores of a package, and of its memory, in nanojoules.
pub const CORE_ENERGY: Counter = counter(
    42_001_001,
    "rapl:::PP0_ENERGY:PACKAGE0",
    "Energy used by all cores in package 0, units: nJ",
);
pub const MEMORY_ENERGY: Counter = counter(
    42_001_002,
    "rapl:::DRAM_ENERGY:PACKAGE0",
    "Energy used by DRAM of package 0, units: nJ",
);

/// States: number, name, colour.
pub const STATES: [(u32, &str, &str); 6] = [
    (0, "Idle", "{117,195,255}"),
    (1, "Running", "{0,0,255}"),
    (2, "Not created", "{255,255,255}"),
    (9, "Blocked", "{172,174,41}"),
    (12, "I/O", "{236,155,69}"),
    (13, "Group Communication", "{255,144,26}"),
];
pub const RUNNING: u32 = 1;
pub const BLOCKED: u32 = 9;
pub const IN_OUT: u32 = 12;
pub const GROUP_COMMUNICATION: u32 = 13;
