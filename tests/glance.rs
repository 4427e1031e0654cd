//! A run at a glance, against what made it.

use serde_json::Value;
use tracefold::glance::{Factor, Glance, RowKind};
use tracefold::pipeline;
use tracefold::run::{self, Seen};
use tracefold::settings::Settings;
use tracefold_generate::{Options, Shape, generate_with};

use crate::traces::open;

fn made(seed: u64, options: &Options) -> (Glance, Value) {
    let made = generate_with(Shape::Spmd, seed, options);
    let trace = open(&[("a.prv", &made.prv), ("a.pcf", &made.pcf), ("a.row", &made.row)]);
    let (rows, _) = pipeline::catalogue(&trace, &Settings::default());
    let glance = run::glance(&trace, &Seen::of(&trace, &Settings::default().repeating()), &rows);
    (glance, serde_json::from_str(&made.truth).unwrap())
}

fn near(a: f64, b: f64, within: f64) -> bool {
    (a - b).abs() <= within * b.abs()
}

#[test]
fn loops_clusters_and_shares_are_those_of_the_program() {
    for (seed, ranks) in [(0, 1), (1, 2), (2, 5), (3, 8)] {
        for period in [None, Some(0.31)] {
            let options = Options { threads: Some(ranks), period, ..Options::default() };
            let (glance, truth) = made(seed, &options);
            let instances = truth["instances"].as_array().unwrap();
            let durations = || instances.iter().map(|row| row[4].as_f64().unwrap());
            assert_eq!((glance.tasks, glance.lifelines.len()), (ranks, ranks as usize));
            assert_eq!(glance.bursts, instances.len() as f64);

            // 40 passes of five bursts each, on every rank.
            let of = glance.loops.as_ref().expect("it repeats");
            assert_eq!((of.begins_ns.len(), of.boundaries.len()), (40, 2 * 5));
            assert_eq!(of.boundaries[0], "from MPI_Sendrecv · 41 (halo.c)");
            assert_eq!(
                (glance.best.as_str(), glance.rows[0].region.as_str()),
                ("Iteration:1", "Iteration:1")
            );
            assert!(of.score > 0.9 && of.begins_ns.is_sorted(), "{of:?}");

            // Each kind of burst is a row, with its share of the time of all ranks.
            let useful_ns = durations().sum::<f64>();
            let clusters = glance.rows.iter().filter(|row| row.kind == RowKind::Cluster);
            let share = clusters.clone().map(|row| row.share).sum::<f64>();
            let rest = glance.rows.iter().find(|row| row.kind == RowKind::Apart);
            let share = share + rest.map_or(0.0, |row| row.share);
            assert!(near(share, glance.computing, 1e-9), "{share} {}", glance.computing);
            assert!(
                clusters.clone().map(|row| row.times).sum::<f64>()
                    >= 0.98 * 200.0 * f64::from(ranks)
            );
            assert!(clusters.count() >= 5);

            // Lines of ranks are their useful time.
            for (lifeline, task) in glance.lifelines.iter().zip(1..) {
                let own = instances.iter().filter(|row| row[1] == task);
                let own_ns = own.map(|row| row[4].as_f64().unwrap()).sum::<f64>();
                assert!(
                    near(lifeline.computing * glance.runtime_ns, own_ns, 1e-12),
                    "{lifeline:?}"
                );
                assert_eq!(lifeline.name, format!("rank {task}"));
            }
            assert!(near(
                glance.points.durations_ns.iter().sum::<f64>(),
                glance.points.share * useful_ns,
                1e-9
            ));
            assert!(glance.points.share >= 0.99);
        }
    }
}

#[test]
fn efficiencies_multiply_and_the_loop_uses_its_threads_as_the_truth_says() {
    let options = Options { threads: Some(5), ..Options::default() };
    let (glance, truth) = made(7, &options);
    let of_what: [fn(&Factor) -> Option<f64>; 2] = [|of| of.of_run, |of| of.of_loop];
    let efficiency = &glance.efficiency;
    let value = |key: &str, of: fn(&Factor) -> Option<f64>| {
        of(efficiency.factors.iter().find(|factor| factor.key == key).unwrap()).unwrap()
    };
    for (of, time) in of_what.into_iter().zip([&efficiency.of_run, &efficiency.of_loop]) {
        let [parallel, balance, communication] =
            ["parallel_efficiency", "load_balance", "communication_efficiency"]
                .map(|key| value(key, of));
        assert!(near(balance * communication, parallel, 1e-12), "{efficiency:?}");
        // What the time of all threads went into says the same, and adds up.
        let time = time.as_ref().unwrap();
        let [useful, imbalance, rest] = time.parts_ns();
        assert!(near(useful + imbalance + rest, time.all_ns(), 1e-12), "{time:?}");
        assert!(near(useful / time.all_ns(), parallel, 1e-12), "{time:?}");
        assert!(near(useful / (useful + imbalance), balance, 1e-12), "{time:?}");
        assert!(near(value("useful_total_ns", of), useful, 1e-12), "{time:?}");
        assert!(near(value("runtime_ns", of), time.elapsed_ns, 1e-12), "{time:?}");
        let (at, _) = time.longest().unwrap();
        assert_eq!((time.lifelines.len(), time.lifelines[at]), (5, at as u32));
    }
    // All bursts lie in passes: the loop counts what the run does, but for what its ends cut.
    for key in ["instructions", "cycles", "ipc", "frequency_ghz"] {
        let [of_run, of_loop] = of_what.map(|of| value(key, of));
        assert!(near(of_loop, of_run, 0.03), "{key}: {of_loop} {of_run}");
    }
    let of_loop = |key: &str| value(key, |of| of.of_loop);
    assert!(near(of_loop("instructions") / of_loop("cycles"), of_loop("ipc"), 1e-12));
    assert!(near(of_loop("cycles") / of_loop("useful_total_ns"), of_loop("frequency_ghz"), 1e-12));
    // Useful time of the passes, over their time, from the bursts that the truth has.
    let of = glance.loops.as_ref().unwrap();
    let (begin, end) = (of.begins_ns[0], of.end_ns);
    let instances = truth["instances"].as_array().unwrap();
    let inside = instances.iter().filter(|row| {
        let at = row[3].as_f64().unwrap();
        (begin..end).contains(&at)
    });
    let useful_ns = inside.map(|row| row[4].as_f64().unwrap()).sum::<f64>();
    // Ranks begin and end their passes a little apart.
    let share = useful_ns / (5.0 * (end - begin));
    assert!(
        near(value("parallel_efficiency", |of| of.of_loop), share, 0.01),
        "{share} {efficiency:?}"
    );
}

#[test]
fn a_run_of_which_nothing_is_known_has_lines_and_says_why_there_is_nothing_else() {
    let made = "#Paraver (01/01/2026 at 10:00):1000_ns:1(1):1:2(1:1,1:1)\n\
                2:1:1:1:1:10:77:5\n2:2:1:2:1:20:77:5\n";
    let trace = open(&[("a.prv", made.as_bytes())]);
    let (rows, _) = pipeline::catalogue(&trace, &Settings::default());
    let glance = run::glance(&trace, &Seen::of(&trace, &Settings::default().repeating()), &rows);
    assert_eq!((glance.lifelines.len(), glance.bursts, glance.loops.is_none()), (2, 0.0, true));
    assert_eq!(glance.best, "");
    assert_eq!(
        glance.remarks,
        [
            "No iterations: nothing is called whose repetition could be seen.",
            "No bursts: nothing says when a thread computes.",
        ]
    );
    let why = "No efficiencies: nothing tells when threads compute.";
    assert_eq!(
        (glance.efficiency.remarks, glance.efficiency.factors.len()),
        (vec![why.to_owned()], 0)
    );
}
