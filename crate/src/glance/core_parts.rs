use super::{Scales, ThreadUse};

/// What the time of all threads of a run goes into, beside a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CorePart {
    /// What the reference computes, for the work that is expected.
    Work,
    /// What of computing is longer: all of it, or by what makes it so.
    Computing,
    Instructions,
    Ipc,
    Frequency,
    Imbalance,
    Communication,
}

impl CorePart {
    /// In their order; those of computing are there together, or in one.
    pub const ALL: [Self; 7] = [
        Self::Work,
        Self::Computing,
        Self::Instructions,
        Self::Ipc,
        Self::Frequency,
        Self::Imbalance,
        Self::Communication,
    ];

    /// As scripts know it.
    pub fn key(self) -> &'static str {
        match self {
            Self::Work => "work",
            Self::Computing => "computing",
            Self::Instructions => "instructions",
            Self::Ipc => "ipc",
            Self::Frequency => "frequency",
            Self::Imbalance => "load_imbalance",
            Self::Communication => "communication",
        }
    }

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Work => "the reference\u{2019}s work",
            Self::Computing => "slower computing",
            Self::Instructions => "more instructions",
            Self::Ipc => "lower IPC",
            Self::Frequency => "lower frequency",
            Self::Imbalance => "load imbalance",
            Self::Communication => "communication",
        }
    }
}

/// The time of all threads of a run, threads × run time, in parts that add up to it, in nanoseconds: the work of the
/// reference, what the run computes beyond it, what its threads lack to the one that computes most, and what that
/// one lacks to the run time. What is computed beyond is dealt in the order of the tree of efficiencies, each part
/// as if those before it were there alone; where one of both runs did not count it is one part. Parts are negative
/// where a run does better than its reference.
pub fn core_parts(run: &ThreadUse, reference: &ThreadUse, scales: Scales) -> Vec<(CorePart, f64)> {
    let scaling = run.scaling(reference, scales);
    let work_ns = run.work_beside(reference, scales) * reference.useful_ns as f64;
    let useful_ns = run.useful_ns as f64;
    let (threads, longest_ns) = (f64::from(run.threads), run.longest_ns as f64);
    let mut parts = vec![(CorePart::Work, work_ns)];
    match (scaling.instructions, scaling.ipc, scaling.frequency) {
        (Some(instructions), Some(ipc), Some(_)) => {
            let with_instructions = work_ns / instructions;
            let with_ipc = with_instructions / ipc;
            parts.push((CorePart::Instructions, with_instructions - work_ns));
            parts.push((CorePart::Ipc, with_ipc - with_instructions));
            parts.push((CorePart::Frequency, useful_ns - with_ipc));
        }
        _ => parts.push((CorePart::Computing, useful_ns - work_ns)),
    }
    parts.push((CorePart::Imbalance, threads * longest_ns - useful_ns));
    parts.push((CorePart::Communication, threads * (run.runtime_ns as f64 - longest_ns)));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glance::Total;

    /// Threads that compute alike, all the time but for `waits` ns, at 1 GHz.
    fn run(threads: u32, ns: u64, waits: u64, instructions: u64) -> ThreadUse {
        let useful_ns = (ns - waits) * u64::from(threads);
        let counted = |events| Total { events, read_ns: useful_ns };
        ThreadUse {
            runtime_ns: ns,
            tasks: threads,
            threads,
            useful_ns,
            longest_ns: ns - waits,
            of_threads_ns: vec![],
            instructions: counted(instructions),
            cycles: counted(useful_ns),
            openmp: None,
            others: 0,
        }
    }

    #[test]
    fn parts_add_up_to_the_time_of_all_threads_whatever_is_better_or_worse() {
        let reference = run(1, 1000, 0, 2000);
        for run in [run(4, 300, 40, 2200), run(2, 400, 10, 1500), run(1, 1000, 0, 2000)] {
            for scales in [Scales::Strong, Scales::Weak] {
                let parts = core_parts(&run, &reference, scales);
                let sum = parts.iter().map(|(_, ns)| ns).sum::<f64>();
                let all = f64::from(run.threads) * run.runtime_ns as f64;
                assert!((sum / all - 1.0).abs() < 1e-12, "{run:?} {parts:?}");
            }
        }
    }

    #[test]
    fn what_is_computed_beyond_the_reference_is_dealt_in_the_order_of_the_tree() {
        // A tenth more instructions, then 1040 / 1100 of the cycles that they would take.
        let parts = core_parts(&run(4, 300, 40, 2200), &run(1, 1000, 0, 2000), Scales::Strong);
        let expected = [
            (CorePart::Work, 1000.0),
            (CorePart::Instructions, 100.0),
            (CorePart::Ipc, -60.0),
            (CorePart::Frequency, 0.0),
            (CorePart::Imbalance, 0.0),
            (CorePart::Communication, 160.0),
        ];
        assert_eq!(parts.len(), expected.len());
        for ((part, ns), (name, wanted)) in parts.iter().zip(expected) {
            assert!(*part == name && (ns - wanted).abs() < 1e-9, "{part:?} {ns} {wanted}");
        }
    }

    #[test]
    fn work_that_grows_with_the_threads_is_expected_and_uncounted_work_is_one_part() {
        let silent = ThreadUse { cycles: Total::default(), ..run(2, 1100, 100, 4000) };
        let parts = core_parts(&silent, &run(1, 1000, 0, 2000), Scales::Weak);
        let expected = [
            (CorePart::Work, 2000.0),
            (CorePart::Computing, 0.0),
            (CorePart::Imbalance, 0.0),
            (CorePart::Communication, 200.0),
        ];
        assert_eq!(parts, expected);
        let scaling = silent.scaling(&run(1, 1000, 0, 2000), Scales::Weak);
        assert_eq!((scaling.computation, scaling.instructions), (1.0, Some(1.0)));
        assert!((scaling.speedup - 2000.0 / 1100.0).abs() < 1e-12);
    }
}
