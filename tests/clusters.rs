//! Clusters of bursts and their names: small runs, written out here, and odd ones.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::traces::open;
use tracefold::export;
use tracefold::instance::Repeating;
use tracefold::run::{Axes, Clusters, EPS, Seen, bursts, clusters, places};
use tracefold::trace::Trace;

/// The lines of the two tasks have numbers of their own.
const LABELS: &str = "EVENT_TYPE
9 50000001 MPI Point-to-point
VALUES
3 MPI_Send
4 MPI_Recv
0 Outside MPI

EVENT_TYPE
7 42000050 PAPI_TOT_INS [Instructions]
7 42000059 PAPI_TOT_CYC [Cycles]

EVENT_TYPE
0 80000001 Caller line at level 1
VALUES
0 End
13 14 (halo.c)
14 17 (halo.c)
23 14 (halo.c)
24 17 (halo.c)
";

const SEND: u32 = 3;
const RECEIVE: u32 = 4;

/// A task: its records, and the time.
struct Task {
    number: u32,
    now: u64,
    records: String,
}

impl Task {
    fn new(number: u32) -> Self {
        Self { number, now: 0, records: String::new() }
    }

    /// Computes, then calls for a microsecond.
    fn pass(&mut self, ns: u64, [instructions, cycles]: [u64; 2], call: u32) {
        let Self { number, now, .. } = *self;
        let (end, line) = (now + ns, 10 * number + call);
        self.now = end + 1_000;
        let _ = writeln!(
            self.records,
            "1:{number}:1:{number}:1:{now}:{end}:1
2:{number}:1:{number}:1:{end}:50000001:{call}:42000050:{instructions}:42000059:{cycles}:80000001:{line}
2:{number}:1:{number}:1:{}:50000001:0:42000050:77:42000059:99",
            self.now
        );
    }
}

fn text(tasks: &[Task]) -> String {
    let end = tasks.iter().map(|task| task.now).max().unwrap_or(0);
    let count = tasks.len();
    let each = (1..=count).map(|node| format!("1:{node}")).collect::<Vec<_>>().join(",");
    let each_node = vec!["1"; count].join(",");
    let header =
        format!("#Paraver (01/02/2026 at 10:00):{end}_ns:{count}({each_node}):1:{count}({each})\n");
    header + &tasks.iter().map(|task| task.records.as_str()).collect::<String>()
}

fn opened(text: &str) -> Trace {
    open(&[("run.prv", text.as_bytes()), ("run.pcf", LABELS.as_bytes())])
}

fn found(text: &str) -> Clusters {
    let trace = opened(text);
    clusters(&trace, &bursts(&trace), EPS)
}

/// Two ranks, ten passes each: a long burst after a receive, two short ones after a send, of which
/// the second is as long as the first but does half of the work.
fn halo() -> Vec<Task> {
    let rank = |number| {
        let mut task = Task::new(number);
        for pass in 0..10 {
            task.pass(900_000 + 2_000 * pass, [2_000_000 + pass, 1_000_000], SEND);
            task.pass(50_000, [100_000, 50_000], SEND);
            task.pass(50_000, [50_000, 50_000], RECEIVE);
        }
        task
    };
    vec![rank(1), rank(2)]
}

#[test]
fn clusters_are_told_by_time_with_the_call_that_they_follow_on_all_tasks() {
    let found = found(&text(&halo()));
    assert_eq!((found.axes, found.min_points, found.clusters.len()), (Axes::Work, 4, 3));
    let [first, second, third] = found.clusters.as_slice() else { panic!() };
    assert_eq!(first.name, "Cluster 1: after MPI_Recv · 17 (halo.c)");
    assert_eq!((first.bursts, first.threads, first.per_thread), (20, 2, (10, 10)));
    assert_eq!((first.median_ns, first.range_ns), (909_000, (900_000, 918_000)));
    assert_eq!((first.time_ns, first.mean_ns), (20 * 909_000, 909_000.0));
    assert_eq!((first.instructions, first.ipc), (Some(2_000_004.5), Some(2.0000045)));
    // Of all bursts; of all time, in which every call takes a microsecond.
    assert!((first.share_of_bursts - 909.0 / 1009.0).abs() < 1e-12);
    assert!((first.share_of_threads - 909.0 / 1012.0).abs() < 1e-12);
    // Equally long, and alike in their call: numbered as they are met.
    assert_eq!((second.instructions, third.instructions), (Some(1e5), Some(5e4)));
    for (number, cluster) in [(2, second), (3, third)] {
        assert_eq!(cluster.name, format!("Cluster {number}: after MPI_Send · 14 (halo.c)"));
    }
    let bursts = bursts(&opened(&text(&halo())));
    let sequence = [1, 2, 3].repeat(10);
    assert_eq!(found.sequences(&bursts), [(0, sequence.clone()), (1, sequence)]);
    assert_eq!((found.of(0), found.of(59), found.of(60)), (1, 3, 0));
}

#[test]
fn a_burst_is_named_by_the_call_before_it_else_by_the_one_behind_it() {
    let trace = opened(&text(&halo()));
    let places = places(&trace, &bursts(&trace));
    let name = |at: usize| places.of_bursts[at].and_then(|place| places.name(place));
    let names = [0, 1, 3, 30].map(|at| name(at).unwrap());
    let [send, receive] = ["MPI_Send · 14 (halo.c)", "MPI_Recv · 17 (halo.c)"];
    let expected = [format!("before {send}"), format!("after {send}"), format!("after {receive}")];
    assert_eq!(names[..3], expected);
    // The other task's lines have other numbers.
    assert_eq!((names[3].as_str(), places.names.len()), (expected[0].as_str(), 2));
}

#[test]
fn a_cluster_after_several_calls_is_named_by_what_it_does() {
    let mut task = Task::new(1);
    for pass in 0..20 {
        task.pass(160_000, [320_000_000, 168_000_000], if pass % 4 == 0 { SEND } else { RECEIVE });
    }
    let found = found(&text(&[task]));
    assert_eq!(found.clusters[0].name, "Cluster 1: 3.2e8 instructions, IPC 1.9");
}

#[test]
fn a_burst_of_a_tenth_of_the_run_is_told_by_its_call_though_it_is_alone() {
    let mut tasks = halo();
    tasks[1].pass(2_000_000, [9_000_000, 1_000_000], RECEIVE);
    let known = found(&text(&tasks));
    let [call] = known.calls.as_slice() else { panic!("{:?}", known.calls) };
    assert_eq!((call.name.as_str(), call.bursts), ("after MPI_Recv · 17 (halo.c)", 1));
    assert_eq!((call.time_ns, known.clusters.len()), (2_000_000, 3));
    // Of less than a tenth nothing is told.
    let mut tasks = halo();
    tasks[1].pass(900_000, [9_000_000, 1_000_000], RECEIVE);
    assert_eq!(found(&text(&tasks)).calls, []);
}

#[test]
fn a_cluster_of_one_task_is_on_no_other() {
    let mut tasks = halo();
    (0..5).for_each(|_| tasks[1].pass(400_000, [9_000_000, 1_000_000], SEND));
    let known = found(&text(&tasks));
    let of_one = &known.clusters[1];
    assert_eq!((of_one.bursts, of_one.threads, of_one.per_thread), (5, 1, (0, 5)));
}

#[test]
fn without_counters_bursts_are_alike_by_their_durations() {
    let durations = text(&halo()).replace("42000050", "77").replace("42000059", "78");
    let found = found(&durations);
    // Twenty long ones, and as many short ones as 99 % of 20.18 ms takes.
    assert_eq!((found.axes, found.without_work, found.used), (Axes::Duration, 56, 20 + 36));
    let of_cluster = found.clusters.iter().map(|c| (c.bursts, c.instructions, c.ipc));
    assert_eq!(of_cluster.collect::<Vec<_>>(), [(20, None, None), (40, None, None)]);
    assert_eq!(
        found.sentence(),
        "From the 56 longest bursts, with Eps 0.1, by duration: none has both instructions and cycles."
    );
}

#[test]
fn odd_runs_have_an_answer() {
    let one = |passes: &[(u64, [u64; 2])]| {
        let mut task = Task::new(1);
        passes.iter().for_each(|(ns, work)| task.pass(*ns, *work, SEND));
        text(&[task])
    };
    // One burst: nothing is alike, and it is the run.
    let known = found(&one(&[(100_000, [7, 7])]));
    assert_eq!(
        (known.clusters.len(), known.calls[0].name.as_str()),
        (0, "before MPI_Send · 14 (halo.c)")
    );
    let known = found(&one(&[(100, [7, 7])]));
    let sentence = "No clusters: fewer than 4 bursts make up the time that is computed.";
    assert_eq!(known.why_none().as_deref(), Some(sentence));
    // All alike, more of them than are used.
    let known = found(&one(&[(100, [7, 7]); 25_000]));
    assert_eq!((known.used, known.clusters.len()), (20_000, 1));
    assert_eq!((known.clusters[0].bursts, known.clusters[0].range_ns), (25_000, (100, 100)));
    // All far apart.
    let apart = (0..40_000u64).map(|n| (1_000, [1 << (n % 60), 1 + (n * n) % 1_000_003]));
    let known = found(&one(&apart.collect::<Vec<_>>()));
    assert_eq!(known.axes, Axes::Work);
    // Counters that stand still or that count more than there can be.
    for work in [[0, 7], [7, 0], [u64::MAX, 7], [1 << 61, 1], [0, 0]] {
        let known = found(&one(&[(100, work); 9]));
        assert_eq!(known.clusters[0].bursts, 9, "{work:?}");
        let is_known = work[0] > 0 && work[1] > 0 && work[0] < 1 << 62;
        assert_eq!(known.clusters[0].ipc.is_some(), is_known, "{work:?}");
        assert_eq!(known.axes == Axes::Work, is_known, "{work:?}");
    }
    // Nothing but one call of nothing.
    let header = "#Paraver (01/02/2026 at 10:00):100_ns:1(1):1:1(1:1)\n";
    assert_eq!(
        found(&format!("{header}2:1:1:1:1:5:7:1\n")).why_none().unwrap(),
        "No bursts: nothing says when a thread computes."
    );
    // Any distance has an answer.
    let trace = opened(&text(&halo()));
    for (eps, count) in [(0.0, 2), (1e300, 1), (f64::INFINITY, 1), (f64::NAN, 2), (-1.0, 2)] {
        let known = clusters(&trace, &bursts(&trace), eps);
        assert_eq!(known.clusters.len(), count, "{eps}");
    }
}

#[test]
fn the_command_line_lists_clusters_or_says_why_there_are_none() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clusters");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("run.pcf"), LABELS).unwrap();
    let listed = |tasks: &[Task], more: &[&str]| {
        fs::write(folder.join("run.prv"), text(tasks)).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tracefold"));
        let done = command.arg("clusters").args(more).arg(folder.join("run.prv")).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (done.status.code(), text(done.stdout), text(done.stderr))
    };
    let (status, table, _) = listed(&halo(), &[]);
    assert_eq!(status, Some(0));
    let row = table.lines().nth(1).expect("a row").split_whitespace().collect::<Vec<_>>();
    let expected = ["89.82", "20", "10", "0.909", "0.900–0.918", "2.00e6", "2.00", "Cluster", "1:"];
    assert_eq!(row[..9], expected, "{table}");
    let sentence = "From the 56 longest bursts, with Eps 0.1, by instructions and IPC.";
    assert_eq!(table.lines().last(), Some(sentence));
    let (_, json, _) = listed(&halo(), &["--json", "--bursts"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let first = &json["clusters"][0];
    assert_eq!((&first["region"], &first["instances"]), (&"Cluster:1".into(), &20.into()));
    assert_eq!(first["per_thread_min_max"], serde_json::json!([10, 10]));
    assert_eq!(json["sequences"]["1.2.1"][2], 3);
    assert_eq!(
        json["bursts"][30],
        serde_json::json!({ "thread": "1.2.1", "begin_ns": 0, "end_ns": 900_000, "cluster": 1 })
    );
    let out = folder.join("tables");
    let (status, said, _) = listed(&halo(), &["--out", out.to_str().unwrap()]);
    assert_eq!((status, said.as_str()), (Some(0), ""));
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    let (bursts, clusters) = (read("bursts.csv"), read("clusters.csv"));
    let head = "application,task,thread,begin_ns,end_ns,cluster,instructions,cycles";
    assert_eq!(bursts.lines().next(), Some(head));
    let all = json["bursts"].as_array().unwrap();
    assert_eq!(bursts.lines().count(), 1 + all.len());
    for (line, burst) in bursts.lines().skip(1).zip(all) {
        let [thread, cluster] = ["thread", "cluster"].map(|key| burst[key].to_string());
        let [begin, end] = ["begin_ns", "end_ns"].map(|key| burst[key].to_string());
        let thread = thread.trim_matches('"').replace('.', ",");
        let cluster = if cluster == "0" { "" } else { &cluster };
        assert!(line.starts_with(&format!("{thread},{begin},{end},{cluster},")), "{line}");
    }
    let row = clusters.lines().nth(1).unwrap();
    let name = first["name"].as_str().unwrap();
    assert!(row.starts_with(&format!("Cluster:1,{name},20,2,10,10,")), "{clusters}");
    let columns = clusters.lines().map(|line| line.split(',').count()).collect::<Vec<_>>();
    assert!(columns.iter().all(|count| *count == 15), "{clusters}");
    // A wider Eps takes the two kinds of short bursts for one.
    let (_, table, _) = listed(&halo(), &["--eps", "1"]);
    assert_eq!(table.lines().filter(|line| line.contains("Cluster")).count(), 2, "{table}");
    for eps in ["-1", "nan", "inf", "11", "x"] {
        let (status, _, error) = listed(&halo(), &[&format!("--eps={eps}")]);
        assert_eq!(status, Some(2), "{error}");
        assert!(error.contains("expected a number from 0 to 10"), "{error}");
    }
    let mut idle = Task::new(1);
    idle.now = 5;
    idle.records = "2:1:1:1:1:5:7:1\n".to_owned();
    let sentence = "tracefold: No bursts: nothing says when a thread computes.\n";
    let (status, out, error) = listed(&[idle], &[]);
    assert_eq!((status, out.as_str(), error.as_str()), (Some(4), "", sentence));
}

#[test]
fn what_was_found_is_written_in_every_format_that_is_asked_for() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clusters-formats");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    // One burst is like no other.
    let mut tasks = halo();
    tasks[0].pass(700_000, [9_000_000, 1_000_000], SEND);
    fs::write(folder.join("run.prv"), text(&tasks)).unwrap();
    fs::write(folder.join("run.pcf"), LABELS).unwrap();
    let formats = ["svg", "csv", "semantic", "paraver"].map(|format| ["--format", format]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracefold"));
    let command = command.current_dir(&folder).args(["clusters", "run.prv", "--out", "out"]);
    let done = command.args(formats.as_flattened()).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let read = |name: &str| fs::read_to_string(folder.join("out").join(name)).unwrap();
    assert!(read("run.svg").contains("<svg"));
    assert_eq!(read("bursts.csv").lines().count(), 1 + 61);
    // Only what is in a cluster is a region; the states of all threads stand by time.
    let rows = read("semantic-clusters.csv");
    assert_eq!(rows.lines().filter(|row| row.contains("Cluster")).count(), 60, "{rows}");
    assert_eq!(rows.lines().filter(|row| row.contains("Noise")).count(), 0, "{rows}");
    let prv = read("clusters.prv");
    let begins = prv.lines().filter_map(|line| line.strip_prefix("1:")?.split(':').nth(4));
    let begins = begins.map(|begin| begin.parse::<u64>().unwrap()).collect::<Vec<_>>();
    assert_eq!((begins.len(), begins.is_sorted()), (61, true), "{begins:?}");
}

#[test]
fn bursts_that_make_no_cluster_are_listed_all_the_same() {
    let mut task = Task::new(1);
    task.pass(100_000, [7, 7], SEND);
    let trace = opened(&text(&[task]));
    let seen = Seen::of(&trace, &Repeating::default());
    let files = export::export_run(&trace, &seen, export::RunFormat::Tables).unwrap();
    let names = files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>();
    assert!(names.contains(&"bursts.csv"), "{names:?}");
}
