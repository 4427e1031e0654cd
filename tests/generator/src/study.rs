//! `cgpop pmemd arts_cf isc genesis`: programs of chapter 5 of the thesis, as its figures and its text say that they
//! ran, before and after their change.
//!
//! Source: Servat 2015, Figs. 5.1, 5.2, 5.9, 5.14, 5.21 and 5.23 with the text beside them. What these do not say (where
//! two phases of one rate part, misses) is made up.

use crate::codes::*;
use crate::path::Register;
use crate::phases::{Phase, rates};
use crate::repeat::{Code, Repeated};
use crate::{Generated, Options};

/// Cycles per microsecond of the three computers.
const POWER_PC: f64 = 2300.0;
const SANDY_BRIDGE: f64 = 2600.0;

const fn code(routine: &'static str, file: &'static str, lines: &'static [(u64, f64)]) -> Code {
    Code { routine, file, lines }
}

/// A phase of so many milliseconds at so many MIPS, with events per 1000 instructions.
fn phase(name: &'static str, clock: f64, ms: f64, mips: f64, others: &[f64]) -> Phase {
    Phase { name, ms, rates: rates(mips, clock, others) }
}

/// 56 ms that become 50: the loops of phases B and D are merged into those of A and C.
pub fn cgpop(seed: u64, options: &Options) -> Generated {
    const COUNTERS: [Counter; 4] = [TOT_INS, TOT_CYC, L1_DCM, L2_DCM];
    const FILE: &str = "solvers.F90";
    const SOLVER: &str = "pcg_chrongear_linear";
    const BEFORE: [Code; 4] = [
        code(SOLVER, FILE, &[(521, 2.0), (523, 1.0)]),
        code(SOLVER, FILE, &[(505, 1.0), (507, 2.0), (510, 1.0)]),
        code("matvec", FILE, &[(1021, 3.0), (1022, 1.0)]),
        code(SOLVER, FILE, &[(515, 1.0)]),
    ];
    const AFTER: [Code; 2] = [
        code(SOLVER, FILE, &[(521, 2.0), (523, 1.0), (525, 2.0)]),
        code("matvec", FILE, &[(1021, 3.0), (1022, 1.0), (1024, 0.5)]),
    ];
    let phase = |name, ms, mips, misses: [f64; 2]| phase(name, POWER_PC, ms, mips, &misses);
    let (phases, code) = match options.modified {
        false => (
            vec![
                phase("A", 12.0, 230.0, [60.0, 9.0]),
                phase("B", 11.0, 170.0, [110.0, 24.0]),
                phase("C", 29.0, 800.0, [30.0, 4.0]),
                phase("D", 4.0, 200.0, [120.0, 26.0]),
            ],
            &BEFORE[..],
        ),
        true => (
            vec![phase("A", 23.0, 350.0, [62.0, 10.0]), phase("B", 27.0, 860.0, [32.0, 4.0])],
            &AFTER[..],
        ),
    };
    Repeated { code, ..Repeated::new("cgpop", &COUNTERS, phases) }.generate(seed, options)
}

/// 83.7 ms, of which the forces take 58 at 1400 MIPS; after, 2600 MIPS for 8 % more instructions of the whole.
pub fn pmemd(seed: u64, options: &Options) -> Generated {
    const COUNTERS: [Counter; 3] = [TOT_INS, TOT_CYC, L1_DCM];
    const FILE: &str = "pme_direct.f90";
    const BEFORE: [Code; 4] = [
        code("get_nb_list", "nb_pairlist.f90", &[(310, 1.0), (322, 1.0)]),
        code("pairs_calc_efv", FILE, &[(695, 1.0), (698, 4.0), (699, 5.0), (703, 1.0)]),
        code("grid_charges", "pme_recip.f90", &[(140, 1.0)]),
        code("grad_sum", "pme_recip.f90", &[(288, 1.0)]),
    ];
    const AFTER: [Code; 4] = [
        code("get_nb_list", "nb_pairlist.f90", &[(310, 1.0), (322, 1.0)]),
        code("pairs_calc_efv", FILE, &[(689, 2.0), (690, 2.0), (698, 2.0), (699, 2.0), (703, 3.0)]),
        code("grid_charges", "pme_recip.f90", &[(140, 1.0)]),
        code("grad_sum", "pme_recip.f90", &[(288, 1.0)]),
    ];
    let phase = |name, ms, mips, misses: f64| phase(name, POWER_PC, ms, mips, &[misses]);
    let (ms, mips) = if options.modified { (34.6, 2600.0) } else { (58.0, 1400.0) };
    let phases = vec![
        phase("A", 9.0, 900.0, 28.0),
        phase("B", ms, mips, if options.modified { 11.0 } else { 9.0 }),
        phase("C", 10.0, 1900.0, 14.0),
        phase("D", 6.7, 700.0, 41.0),
    ];
    let code = if options.modified { &AFTER } else { &BEFORE };
    Repeated { code, ..Repeated::new("pmemd", &COUNTERS, phases) }.generate(seed, options)
}

/// 59 ms, of which the first 30 run at 2600 MIPS with three cycles of four stalled; after, at 4200 MIPS.
pub fn arts_cf(seed: u64, options: &Options) -> Generated {
    const COUNTERS: [Counter; 4] = [TOT_INS, TOT_CYC, L1_DCM, RES_STL];
    const FILE: &str = "scalar_weno5.f90";
    const CODE: [Code; 4] = [
        code("scalar_weno5_coeff", FILE, &[(667, 8.0), (665, 1.0)]),
        code("scalar_weno5_residual", FILE, &[(722, 1.0)]),
        code("scalar_weno5_residual", FILE, &[(773, 1.0)]),
        code("update_div", "update.f90", &[(88, 1.0)]),
    ];
    // Cycles stalled, as a share of all, on 1000 instructions.
    let phase = |name, ms, mips, l1: f64, stalled: f64| {
        phase(name, SANDY_BRIDGE, ms, mips, &[l1, stalled * SANDY_BRIDGE / mips * 1000.0])
    };
    let first = match options.modified {
        false => phase("coefficients", 30.0, 2600.0, 15.0, 0.75),
        true => phase("coefficients", 30.0 * 2600.0 / 4200.0, 4200.0, 15.0, 0.58),
    };
    let phases = vec![
        first,
        phase("residual", 14.0, 7300.0, 4.0, 0.22),
        phase("residual", 12.0, 8900.0, 3.0, 0.12),
        phase("divergence", 3.0, 4800.0, 12.0, 0.4),
    ];
    Repeated { code: &CODE, ..Repeated::new("arts_cf", &COUNTERS, phases) }.generate(seed, options)
}

/// Four phases of the same instructions at 1200, 2000 or 2600 MHz, with the power that the cores draw.
pub fn isc(seed: u64, options: &Options) -> Generated {
    const COUNTERS: [Counter; 3] = [TOT_INS, TOT_CYC, CORE_ENERGY];
    const CODE: [Code; 4] = [
        code("rank", "is.c", &[(480, 1.0), (482, 1.0)]),
        code("rank", "is.c", &[(540, 1.0)]),
        code("rank", "is.c", &[(571, 1.0), (573, 1.0)]),
        code("rank", "is.c", &[(620, 1.0)]),
    ];
    let mhz = options.mhz.unwrap_or(2600.0);
    // Least and most MIPS, and least and most watts.
    let (mips, watts) = match mhz {
        ..1600.0 => ([600.0, 2400.0], [4.9, 5.8]),
        ..2300.0 => ([900.0, 4000.0], [10.6, 11.9]),
        _ => ([1100.0, 5000.0], [16.4, 18.3]),
    };
    let phase = |millions: f64, level: usize| Phase {
        name: "rank",
        ms: 1000.0 * millions / mips[level],
        // A watt is a thousand nanojoules per microsecond.
        rates: vec![mips[level], mhz, 1e3 * watts[level]],
    };
    let phases = vec![phase(22.0, 0), phase(110.0, 1), phase(16.5, 0), phase(60.0, 1)];
    let register = Register { counter: 2, refresh_ns: 1_000_000, quantum: 15_200 };
    Repeated {
        code: &CODE,
        register: Some(register),
        idle: vec![200.0, mhz, 4e3],
        ..Repeated::new("isc", &COUNTERS, phases)
    }
    .generate(seed, options)
}

/// Two sweeps, of which the second transposes matrices before it begins and when it ends: misses of the last level, and
/// what memory draws.
pub fn genesis(seed: u64, options: &Options) -> Generated {
    const COUNTERS: [Counter; 4] = [TOT_INS, TOT_CYC, L3_TCM, MEMORY_ENERGY];
    const CODE: [Code; 5] = [
        code("sweepx", "sweep.f", &[(203, 2.0), (221, 1.0)]),
        code("sweepx", "sweep.f", &[(290, 1.0)]),
        code("sweepy", "sweep.f", &[(412, 1.0), (415, 3.0), (418, 1.0)]),
        code("sweepy", "sweep.f", &[(470, 2.0), (490, 1.0)]),
        code("sweepy", "sweep.f", &[(558, 1.0), (561, 1.0)]),
    ];
    // Millions of misses a second.
    let phase = |name, ms, mips, misses: f64, watts: f64| Phase {
        name,
        ms,
        rates: vec![mips, SANDY_BRIDGE, misses, 1e3 * watts],
    };
    let phases = vec![
        phase("A", 120.0, 4000.0, 0.8, 7.0),
        phase("A'", 20.0, 4500.0, 0.6, 7.0),
        phase("B", 36.0, 500.0, 20.0, 12.0),
        phase("C", 110.0, 4500.0, 0.8, 7.0),
        phase("D", 30.0, 1800.0, 20.0, 17.0),
    ];
    let register = Register { counter: 3, refresh_ns: 1_000_000, quantum: 15_200 };
    Repeated {
        code: &CODE,
        register: Some(register),
        idle: vec![200.0, SANDY_BRIDGE, 0.1, 4e3],
        ..Repeated::new("genesis", &COUNTERS, phases)
    }
    .generate(seed, options)
}
