//! A folding with something in every field, to be written and read.

use super::{
    Activity, ActivityPart, Alignment, Axis, Bandwidth, Break, Callers, CellMeans, Context, Curve,
    CurveKind, DataObject, Direction, Doing, Durations, Family, Fate, FitReport, Folding, Group,
    InstanceRow, LeftOut, Lines, Lowest, Method, ObjectKind, Phase, PhaseRate, Place, Stream,
    Stretch, TraceSummary,
};
use crate::trace::{Boundaries, Provenance};

/// With so many counters.
pub fn folding(counters: usize) -> Folding {
    let waves = |at: fn(f64) -> f64, k: usize| {
        let value = |j: i32| at(9.0 * f64::from(j) / 999.0 + k as f64);
        (0..1000).map(value).collect::<Vec<_>>()
    };
    let fitted = |k: usize| {
        let ahead = waves(libm::sin, k).into_iter().enumerate();
        ahead.map(|(j, wave)| j as f64 / 999.0 + 0.02 * wave).collect::<Vec<_>>()
    };
    // Noise, so that a curve is not packed to nothing; in pairs that leave the integral alone.
    let rate = |k: usize| {
        let noisy = |(j, wave): (usize, f64)| {
            let noise = ((j / 2 * 7919 + k * 31) % 101) as f64;
            4e3 * (1.0 + 0.18 * wave) + if j % 2 == 0 { noise } else { -noise }
        };
        waves(libm::cos, k).into_iter().enumerate().map(noisy).collect::<Vec<_>>()
    };
    let curve = |k: usize| Curve {
        counter: format!("C{k}"),
        description: String::new(),
        instructions: k == 0,
        instances: 9,
        used: 100,
        unused: 0,
        excluded: 3,
        refused: 1,
        silent: 0,
        families: vec![Family { instances: 9, total: 5_000_000 }],
        mean_count: 5e6,
        mean_rate: 3.25,
        nugget: 1e-4,
        fitted: fitted(k),
        rate: rate(k),
        resolution: 0.0125,
        joules: (k == 1).then_some(1e-9),
        fitted_band: vec![0.001; 1000],
        rate_band: waves(libm::cos, k).into_iter().map(|wave| 100.0 + 10.0 * wave).collect(),
        band_width: None,
        phases: vec![
            PhaseRate { rate: 2e3, half_width: 5.0 },
            PhaseRate { rate: 3e3, half_width: 0.0 },
        ],
        own_breaks: vec![0.26],
        with_waiting: None,
        tabled: None,
    };
    let places = (0..40u32).map(|line| Place {
        routine: line % 3,
        line,
        file: "a.c".to_owned(),
        samples: 5,
    });
    let group = Group {
        code_times: None,
        part: None,
        other_objects: None,
        number: 1,
        instances: 10,
        kept: 9,
        left_out: vec![LeftOut { why: Fate::Outlier, instances: 1 }],
        one_in: 2,
        mean_duration_ns: 1.5e6,
        duration_half_width_ns: Some(12_000.0),
        samples: 900,
        rows: vec![InstanceRow {
            object: [1, 1, 1],
            start_ns: 1,
            duration_ns: 2,
            fate: Fate::Used,
        }],
        curves: (0..counters).map(curve).collect(),
        activity: Some(activity()),
        routines: ["f", "g", "h", "never shown"].map(str::to_owned).to_vec(),
        hues: vec![],
        places: places.collect(),
        dispersions: (0..40u32).map(|line| 1.0 + f64::from(line % 3)).collect(),
        lines: Lines {
            x: (0..900).map(|i| f64::from(i) / 900.0).collect(),
            place: (0..900).map(|i| i % 7).collect(),
            context: (0..900).map(|i| i % 3).collect(),
        },
        contexts: vec![
            Context { parent: None, routine: 2, samples: 300 },
            Context { parent: Some(0), routine: 1, samples: 300 },
            Context { parent: Some(1), routine: 0, samples: 300 },
        ],
        alignment: Alignment {
            method: Method::Chain,
            coverage: 0.75,
            components: 2,
            depth: 3,
            ambiguous: 0.125,
        },
        stretches: vec![
            Stretch {
                start: 0.0,
                end: 1.0,
                place: 2,
                samples: 900,
                level: 0,
                context: Some(0),
                short: false,
            },
            Stretch {
                start: 0.5,
                end: 0.75,
                place: 1,
                samples: 200,
                level: 1,
                context: Some(1),
                short: true,
            },
        ],
        callers: Some(Callers {
            routines: vec!["exchange".to_owned()],
            hues: vec![],
            places: vec![Place { routine: 0, line: 251, file: "b.c".to_owned(), samples: 3 }],
            lines: Lines { x: vec![0.1, 0.5, 0.9], place: vec![0; 3], context: vec![] },
        }),
        objects: vec![DataObject {
            name: "a.c:7".to_owned(),
            kind: ObjectKind::Dynamic,
            address: 0x7fff_ffff_ffff_f001,
            bytes: 80_000_000,
            loads: 70,
            stores: 30,
            bytes_touched: 6400,
            mean_cost: Some(240.5),
            high_cost: None,
            cost_error: Some(3.25),
            levels: vec![0, 50, 50],
            place: Some(0),
        }],
        streams: vec![Stream {
            object: 0,
            phase: Some(1),
            routine: None,
            loads: 70,
            stores: 0,
            direction: Direction::Descending,
            bytes_per_us: -5900.0,
            step_bytes: 64,
            mean_cost: None,
            high_cost: Some(400.0),
        }],
        limits_ns: Some([1.25e6, 1.75e6]),
        durations: Durations { least_ns: 5, most_ns: 9, kept: vec![0, 9], rejected: vec![1, 0] },
        drifting: true,
        axis: Axis::Counter { name: "C0".to_owned(), total: 5e6 },
        fit: FitReport {
            kind: CurveKind::Segments,
            error_ratio: Some(0.5),
            breaks_bic: 3,
            breaks_cross_validation: Some(1),
            log_odds: None,
            uncertain: true,
        },
        breaks: vec![Break {
            at: 0.25,
            half_width: 0.01,
            changed: vec![0],
            by_hand: true,
            site: "after call".to_owned(),
        }],
        phases: vec![
            Phase {
                start: 0.0,
                end: 0.25,
                name: "set-up".to_owned(),
                place: Some(2),
                end_place: Some(0),
                end_lines: [251, 257],
                balance: Some(0.875),
            },
            Phase { start: 0.25, end: 1.0, ..Phase::default() },
        ],
        idle: vec![],
        bandwidth: Some(bandwidth()),
        gauges: vec![],
        other_gauges: 0,
        density: vec![3, 0, 7],
        sparse: vec![[0.5, 0.75]],
        displacement: Some(1e-3),
        better_over_instructions: true,
        locked: true,
    };
    Folding {
        apart: vec![],
        version: Folding::VERSION,
        trace: TraceSummary {
            name: "a.prv".to_owned(),
            size_bytes: 1,
            duration_ns: 2,
            threads: 1,
            generated: false,
            provenance: Provenance {
                boundaries: Boundaries::Exact,
                markers_lost: 3,
                clock: "perf, in nanoseconds".to_owned(),
                objects_dropped: 4,
                references: "5 loads of mem.txt, on the same clock".to_owned(),
            },
            partial: Some("Only threads 1.1.* were read.".to_owned()),
        },
        region: "User function:main".to_owned(),
        groups: vec![group],
        shown: 1,
        notices: vec![],
        models: vec![],
        missing_models: vec![],
        ..Folding::default()
    }
}

/// Ranks of which one after the other waits in two kinds of calls.
fn bandwidth() -> Bandwidth {
    let traffic = |scale: f64| CellMeans {
        mean: 2.0 * scale,
        cells: [1.0, 3.0, 1.0, 3.0].map(|value| scale * value).to_vec(),
        half_widths: vec![0.12 * scale; 4],
    };
    let [read, written, both] = [10.0, 2.5, 12.5].map(traffic);
    Bandwidth { readers: 12, nodes: 1, period_ns: 10_000_000, read, written, both }
}

fn activity() -> Activity {
    let part = |doing: Doing, share: fn(f64) -> f64| ActivityPart {
        doing,
        shares: (0..1024).map(|cell| share(f64::from(cell / 128) / 8.0)).collect(),
    };
    Activity {
        threads: 4,
        efficiency: 9.0 / 16.0,
        load_balance: 0.75,
        communication: 0.75,
        of_phases: vec![],
        parts: vec![
            part(Doing::Computing, |x| 1.0 - x),
            part(Doing::PointToPoint, |x| 0.25 * x),
            part(Doing::Collective, |x| 0.75 * x),
        ],
        lowest: Some(Lowest {
            at: 896.5 / 1024.0,
            computing: 0.125,
            call: Some("MPI_Allreduce · 214 (a.c)".to_owned()),
        }),
    }
}
