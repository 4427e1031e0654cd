use super::{Measure, Scaling, ThreadUse};

/// A number that says how well a run, or a run beside its reference, uses its threads.
pub struct NamedFactor {
    /// As scripts know it, with its unit.
    pub key: &'static str,
    /// As people know it, without its unit.
    pub name: &'static str,
    /// How many factors above it it is a factor of.
    pub depth: usize,
    pub measure: Measure,
    pub of: Of,
}

/// What a factor is of.
#[derive(Clone, Copy)]
pub enum Of {
    Run(fn(&ThreadUse) -> Option<f64>),
    /// Of a run beside its reference.
    Beside(fn(&Scaling) -> Option<f64>),
}

/// Those that passes of a loop have, too: of them alone, and without those of OpenMP.
pub fn of_iterations() -> impl Iterator<Item = &'static NamedFactor> {
    let is_of_openmp = |key: &str| key.starts_with("omp_") || key.starts_with("serial_");
    FACTORS.iter().filter(move |of| matches!(of.of, Of::Run(_)) && !is_of_openmp(of.key))
}

impl NamedFactor {
    /// `None` where the run lacks what it is made of, or has no reference and is to be compared.
    pub fn value(&self, run: &ThreadUse, beside: Option<&Scaling>) -> Option<f64> {
        match self.of {
            Of::Run(of) => of(run),
            Of::Beside(of) => of(beside?),
        }
    }
}

const fn factor(
    key: &'static str,
    name: &'static str,
    depth: usize,
    measure: Measure,
    of: Of,
) -> NamedFactor {
    NamedFactor { key, name, depth, measure, of }
}

use Measure::{Count, Frequency, Ratio, Share, Time};
use Of::{Beside, Run};

/// All of them, in the order of tables: those that multiply to one stand below it.
pub const FACTORS: &[NamedFactor] = &[
    factor("global_efficiency", "Global efficiency", 0, Share, Beside(|s| Some(s.global))),
    factor("parallel_efficiency", "Parallel efficiency", 1, Share, Run(|e| Some(e.parallel()))),
    factor("load_balance", "Load balance", 2, Share, Run(|e| Some(e.load_balance()))),
    factor(
        "communication_efficiency",
        "Communication efficiency",
        2,
        Share,
        Run(|e| Some(e.communication())),
    ),
    factor(
        "computation_scalability",
        "Computation scalability",
        1,
        Share,
        Beside(|s| Some(s.computation)),
    ),
    factor(
        "instruction_scalability",
        "Instruction scalability",
        2,
        Share,
        Beside(|s| s.instructions),
    ),
    factor("ipc_scalability", "IPC scalability", 2, Share, Beside(|s| s.ipc)),
    factor("frequency_scalability", "Frequency scalability", 2, Share, Beside(|s| s.frequency)),
    factor(
        "omp_region_efficiency",
        "OpenMP region efficiency",
        0,
        Share,
        Run(|e| Some(e.openmp?.region_efficiency)),
    ),
    factor(
        "serial_region_efficiency",
        "Serial efficiency",
        0,
        Share,
        Run(|e| Some(e.openmp?.serial_efficiency)),
    ),
    factor("runtime_ns", "Run time", 0, Time, Run(|e| Some(e.runtime_ns as f64))),
    factor("speedup", "Speedup", 0, Ratio, Beside(|s| Some(s.speedup))),
    factor("ipc", "IPC of useful code", 0, Ratio, Run(ThreadUse::ipc)),
    factor("frequency_ghz", "Frequency", 0, Frequency, Run(ThreadUse::frequency_ghz)),
    factor("useful_avg_ns", "Useful time, mean thread", 0, Time, Run(|e| Some(e.mean_useful_ns()))),
    factor(
        "useful_max_ns",
        "Useful time, longest thread",
        0,
        Time,
        Run(|e| Some(e.longest_ns as f64)),
    ),
    factor(
        "useful_total_ns",
        "Useful time, all threads",
        0,
        Time,
        Run(|e| Some(e.useful_ns as f64)),
    ),
    factor(
        "instructions",
        "Useful instructions",
        0,
        Count,
        Run(|e| Some(e.instructions()? as f64)),
    ),
    factor("cycles", "Useful cycles", 0, Count, Run(|e| Some(e.cycles()? as f64))),
    factor("omp_regions", "Parallel regions", 0, Count, Run(|e| Some(e.openmp?.regions as f64))),
    factor("omp_time_ns", "In parallel regions", 0, Time, Run(|e| Some(e.openmp?.region_ns))),
    factor(
        "omp_useful_avg_ns",
        "Useful in them, mean thread",
        0,
        Time,
        Run(|e| Some(e.openmp?.useful_ns)),
    ),
    factor(
        "serial_useful_ns",
        "Useful outside, master",
        0,
        Time,
        Run(|e| Some(e.openmp?.serial_ns)),
    ),
];
