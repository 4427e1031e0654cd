//! What the threads of a run do while instances run: of made-up programs, by their truth.

use std::collections::BTreeMap;

use serde_json::Value;
use tracefold::export;
use tracefold::folding::{Activity, Doing, Fate, Folding, Group, Phase};
use tracefold::trace::Trace;
use tracefold_generate::{Options, Shape, generate_with};

use crate::traces::{MINI_PCF, MINI_PRV, fold, open};

/// Begin and end in nanoseconds.
type Span = (u64, u64);

/// What each task does outside of these: nothing.
#[derive(Default)]
struct Known {
    bursts: Vec<Span>,
    /// In calls between two ranks, and of all.
    pairwise: Vec<Span>,
    collective: Vec<Span>,
}

fn made(seed: u64, ranks: u32) -> (Vec<u8>, Vec<u8>, BTreeMap<u32, Known>) {
    let options = Options { threads: Some(ranks), ..Options::default() };
    let made = generate_with(Shape::Spmd, seed, &options);
    let truth: Value = serde_json::from_str(&made.truth).unwrap();
    let mut known = BTreeMap::<u32, Known>::new();
    for row in truth["instances"].as_array().unwrap() {
        let number = |at: usize| row[at].as_u64().unwrap();
        let own = known.entry(number(1) as u32).or_default();
        let (begin_ns, end_ns) = (number(3), number(3) + number(4));
        // Of the five calls of the loop those before these two bursts are of all ranks.
        let calls = match row[0].as_str() {
            Some("Cluster 3" | "Cluster 5") => &mut own.collective,
            _ => &mut own.pairwise,
        };
        if let Some((_, before_ns)) = own.bursts.last() {
            calls.push((*before_ns, begin_ns));
        }
        own.bursts.push((begin_ns, end_ns));
    }
    (made.prv, made.pcf, known)
}

/// How long `spans` and a part of an instance overlap, in nanoseconds.
fn overlap(spans: &[Span], begin_ns: f64, end_ns: f64) -> f64 {
    let shared = |&(from, to): &Span| (end_ns.min(to as f64) - begin_ns.max(from as f64)).max(0.0);
    spans.iter().map(shared).sum()
}

fn group(folding: &Folding) -> (&Group, &Activity) {
    let group = &folding.groups[0];
    (group, group.activity.as_ref().expect("it is known"))
}

fn near(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < 1e-9, "{what}: {found}, expected {expected}");
}

/// All shares of all cells of the kept instances, and what follows from them.
fn check(folding: &Folding, known: &BTreeMap<u32, Known>) {
    let (group, activity) = group(folding);
    let kept = group.rows.iter().filter(|row| row.fate == Fate::Used).collect::<Vec<_>>();
    let all_ns = kept.iter().map(|row| row.duration_ns as f64).sum::<f64>();
    let cells = activity.cells();
    let mut useful_ns = BTreeMap::<u32, f64>::new();
    let mut mean = 0.0;
    for cell in 0..cells {
        let mut expected = [0.0; 3];
        for row in &kept {
            let own = &known[&row.object[1]];
            let at = |cell: usize| {
                row.start_ns as f64 + row.duration_ns as f64 * cell as f64 / cells as f64
            };
            let spans = [&own.bursts, &own.pairwise, &own.collective];
            let ns = spans.map(|spans| overlap(spans, at(cell), at(cell + 1)));
            *useful_ns.entry(row.object[1]).or_default() += ns[0];
            expected.iter_mut().zip(ns).for_each(|(sum, ns)| *sum += ns * cells as f64 / all_ns);
        }
        let doings = [Doing::Computing, Doing::PointToPoint, Doing::Collective];
        for (doing, expected) in doings.into_iter().zip(expected) {
            let found = activity.share(doing, cell);
            // Places in a cell are rounded to a few picoseconds here.
            assert!((found - expected).abs() < 1e-6, "{cell} {doing:?}: {found} {expected}");
        }
        near(
            activity.at((cell as f64 + 0.5) / cells as f64).map(|(_, share)| share).sum(),
            1.0,
            "sum",
        );
        mean += activity.share(Doing::Computing, cell) / cells as f64;
    }
    near(mean, activity.efficiency, "mean");
    let of_phase = |phase: &Phase| {
        activity.between(Doing::Computing, phase.start, phase.end) * (phase.end - phase.start)
    };
    near(group.phases.iter().map(of_phase).sum(), activity.efficiency, "sum over phases");
    for phase in &group.phases {
        let mut useful_ns = BTreeMap::<u32, f64>::new();
        for row in &kept {
            let at = |x: f64| row.start_ns as f64 + row.duration_ns as f64 * x;
            let own = &known[&row.object[1]];
            let ns = overlap(&own.bursts, at(phase.start), at(phase.end));
            *useful_ns.entry(row.object[1]).or_default() += ns;
        }
        let most = useful_ns.values().copied().fold(0.0, f64::max);
        let mean = useful_ns.values().sum::<f64>() / useful_ns.len() as f64;
        let found = phase.balance.expect("somebody computes");
        // Its ends are rounded to nanoseconds there.
        let within = kept.len() as f64 / most;
        assert!((found - mean / most).abs() <= within, "{phase:?}: {}", mean / most);
    }
    let inside = activity.between(Doing::Computing, 2.25 / cells as f64, 4.0 / cells as f64);
    let [third, fourth] = [2, 3].map(|cell| activity.share(Doing::Computing, cell));
    near(inside, (0.75 * third + fourth) / 1.75, "from within a cell");
    near(activity.load_balance * activity.communication, activity.efficiency, "product");
    assert_eq!(activity.threads as usize, useful_ns.len());
    let useful = useful_ns.values().sum::<f64>();
    let most = useful_ns.values().copied().fold(0.0, f64::max);
    let threads = useful_ns.len() as f64;
    assert!((activity.efficiency - useful / all_ns).abs() < 1e-6);
    assert!((activity.load_balance - useful / threads / most).abs() < 1e-6);
    assert!((activity.communication - most * threads / all_ns).abs() < 1e-6);
}

fn opened(prv: &[u8], pcf: &[u8]) -> Trace {
    open(&[("a.prv", prv), ("a.pcf", pcf)])
}

#[test]
fn what_ranks_do_in_an_iteration_is_what_the_truth_says() {
    for (seed, ranks) in [(0, 2), (1, 5), (2, 8)] {
        let (prv, pcf, known) = made(seed, ranks);
        let folding = fold(&opened(&prv, &pcf), &["region=Iteration:1"]);
        check(&folding, &known);
        assert!(!export::activity([&folding].into_iter()).contains(",-"), "no share is below 0");
        assert!(group(&folding).0.phases.len() > 1, "each has its balance");
        let phases = export::phases([&folding].into_iter(), None);
        let column = phases.lines().map(|line| line.rsplit(',').next().unwrap());
        let column = column.collect::<Vec<_>>();
        assert_eq!(column[0], "balance");
        for (text, phase) in column[1..].iter().zip(&group(&folding).0.phases) {
            assert_eq!(text.parse().ok(), phase.balance);
        }
        // The last rank is slower: in the call of all the others wait for it.
        let (_, activity) = group(&folding);
        assert!(activity.load_balance < 0.99 && activity.communication < 1.0, "{activity:?}");
        let lowest = activity.lowest.as_ref().unwrap();
        let call = lowest.call.as_deref().unwrap();
        assert!(call.starts_with("MPI_") && call.contains(" · "), "{call}");
        let least = |cell: usize| activity.share(Doing::Computing, cell);
        assert!((0..activity.cells()).all(|cell| least(cell) >= lowest.computing));
    }
}

#[test]
fn few_and_unlike_passes_and_a_trace_without_states_give_the_same_shares() {
    let (prv, pcf, known) = made(4, 3);
    let without_states = |prv: &[u8]| {
        let text = std::str::from_utf8(prv).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with("1:"));
        lines.map(|line| format!("{line}\n")).collect::<String>().into_bytes()
    };
    let trace = opened(&without_states(&prv), &pcf);
    assert!(trace.threads.iter().all(|thread| thread.running_ns().is_empty()));
    let between_calls = fold(&trace, &["region=Iteration:1"]);
    check(&between_calls, &known);
    let few =
        fold(&opened(&prv, &pcf), &["region=Iteration:1", "group=none", "outliers=factor:1.01"]);
    assert!(few.groups[0].kept < few.groups[0].instances / 2);
    check(&few, &known);
}

/// What a cutter leaves: the records of a window, and zeros at its end.
#[test]
fn a_cut_trace_tells_of_the_passes_that_are_whole() {
    let (prv, pcf, known) = made(6, 4);
    let (from_ns, to_ns) = (400_000_000, 1_500_000_000);
    let text = String::from_utf8(prv).unwrap();
    let mut cut = String::new();
    for line in text.lines() {
        let mut fields = line.split(':').map(str::to_owned).collect::<Vec<_>>();
        let time = |fields: &[String], at: usize| fields[at].parse::<u64>().unwrap();
        match line.as_bytes() {
            [b'1', b':', ..] => {
                let (begin_ns, end_ns) = (time(&fields, 5), time(&fields, 6));
                if end_ns <= from_ns || begin_ns >= to_ns {
                    continue;
                }
                fields[5] = begin_ns.max(from_ns).to_string();
                fields[6] = end_ns.min(to_ns).to_string();
            }
            [b'2', b':', ..] if !(from_ns..=to_ns).contains(&time(&fields, 5)) => continue,
            _ => {}
        }
        cut += &format!("{}\n", fields.join(":"));
    }
    for task in 1..=4 {
        cut += &format!("2:{task}:1:{task}:1:{to_ns}:50000001:0:50000002:0\n");
    }
    cut += "#20250101120000:CUTTER:RUNAPP:\"a.prv\":0:1:2\n";
    let folding = fold(&opened(cut.as_bytes(), &pcf), &["region=Iteration:1"]);
    assert!(folding.groups[0].kept >= 4 * 8, "{}", folding.groups[0].kept);
    check(&folding, &known);
}

#[test]
fn regions_of_which_there_is_no_news_have_no_activity() {
    let (prv, pcf, _) = made(1, 2);
    let trace = opened(&prv, &pcf);
    let of = |region: &str| fold(&trace, &[&format!("region={region}")]).groups[0].activity.clone();
    assert_eq!(of("Cluster:1"), None, "bursts compute");
    assert_eq!(of("MPI Collective Comm:MPI_Allreduce"), None, "a call is that call");
    let along = fold(&trace, &["region=Iteration:1", "x=PAPI_TOT_INS"]);
    assert_eq!(along.groups[0].activity, None, "instructions are no time");
    let serial = opened(MINI_PRV.as_bytes(), MINI_PCF.as_bytes());
    assert_eq!(fold(&serial, &[]).groups[0].activity, None, "it computes all the time");
}

/// A routine of two ranks, with a call inside.
#[test]
fn a_region_that_events_delimit_has_one_if_calls_are_made_in_it() {
    let mut prv = "#Paraver (01/02/2025 at 10:00):4000_ns:1(2):1:2(1:1,1:1)\n".to_owned();
    for instance in 0..4u64 {
        for (task, useful_ns) in [(1, 600), (2, 450)] {
            let begin_ns = 1000 * instance;
            let mut at = |ns: u64, what: &str| {
                prv += &format!("2:{task}:1:{task}:1:{}:{what}\n", begin_ns + ns);
            };
            at(0, "60000019:5");
            at(useful_ns, "50000002:10");
            at(800, "50000002:0");
            at(900, "60000019:0");
        }
    }
    let folding = fold(&open(&[("a.prv", prv.as_bytes())]), &[]);
    let (_, activity) = group(&folding);
    assert_eq!((activity.threads, activity.parts.len()), (2, 2));
    near(activity.efficiency, (700.0 + 550.0) / 1800.0, "efficiency");
    near(activity.load_balance, 625.0 / 700.0, "load balance");
    near(activity.communication, 700.0 / 900.0, "communication");
    let lowest = activity.lowest.as_ref().unwrap();
    assert_eq!((lowest.computing, lowest.call.as_deref()), (0.0, Some("Event 50000002 10")));
}
