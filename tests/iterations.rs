//! Bursts and iterations of traces that nobody prepared for folding: small ones, written out here.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::traces::{open, settings};
use tracefold::pipeline::{self, Kept};
use tracefold::run::{self, NoIteration, Repeats, Seen, bursts, repeats, repeats_from};
use tracefold::trace::Trace;

const LABELS: &str = "EVENT_TYPE
9 50000001 MPI Point-to-point
VALUES
3 MPI_Send
4 MPI_Recv
0 Outside MPI

EVENT_TYPE
9 50000002 MPI Collective
VALUES
10 MPI_Allreduce
0 Outside MPI

EVENT_TYPE
0 80000001 Caller line at level 1
0 80000002 Caller line at level 2
VALUES
0 End
1 0 (Unresolved)
3 14 (halo.c)
4 17 (halo.c)
5 63 (solve.c)
6 64 (solve.c)
";

const SEND: [u64; 2] = [50_000_001, 3];
const RECEIVE: [u64; 2] = [50_000_001, 4];
const ALL_REDUCE: [u64; 2] = [50_000_002, 10];

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

    fn computes(&mut self, ns: u64) {
        let Self { number, now, .. } = *self;
        self.now += ns;
        let _ = writeln!(self.records, "1:{number}:1:{number}:1:{now}:{}:1", self.now);
    }

    fn calls(&mut self, [code, value]: [u64; 2], line: u64, ns: u64) {
        let Self { number, now, .. } = *self;
        // The nearest caller is a layer that passes on, of which nothing is resolved.
        let callers = format!("80000001:1:80000002:{line}");
        let _ = writeln!(self.records, "2:{number}:1:{number}:1:{now}:{code}:{value}:{callers}");
        self.now += ns;
        let _ = writeln!(self.records, "2:{number}:1:{number}:1:{}:{code}:0", self.now);
    }
}

fn trace(tasks: &[Task]) -> String {
    let end = tasks.iter().map(|task| task.now).max().unwrap_or(0);
    let count = tasks.len();
    let each = (1..=count).map(|node| format!("1:{node}")).collect::<Vec<_>>().join(",");
    let each_node = vec!["1"; count].join(",");
    let header =
        format!("#Paraver (01/02/2026 at 10:00):{end}_ns:{count}({each_node}):1:{count}({each})\n");
    header + &tasks.iter().map(|task| task.records.as_str()).collect::<String>()
}

fn opened(tasks: &[Task]) -> Trace {
    open(&[("run.prv", trace(tasks).as_bytes()), ("run.pcf", LABELS.as_bytes())])
}

/// Of two ranks the first sends and then receives, the other the other way round; then they meet.
fn exchange(passes: u64) -> Vec<Task> {
    let rank = |number: u32| {
        let mut task = Task::new(number);
        task.computes(5_000);
        for pass in 0..passes {
            let [first, second] =
                if number == 1 { [(SEND, 3), (RECEIVE, 4)] } else { [(RECEIVE, 4), (SEND, 3)] };
            task.calls(first.0, first.1, 50);
            task.computes(300 + pass);
            task.calls(second.0, second.1, 50);
            task.computes(500);
            task.calls(ALL_REDUCE, 5, 100);
            task.computes(200);
        }
        task
    };
    vec![rank(1), rank(2)]
}

fn passes(repeats: &Repeats) -> Vec<&[(u64, u64)]> {
    repeats.levels[0].ranks.iter().map(|rank| rank.instances_ns.as_slice()).collect()
}

#[test]
fn a_loop_is_found_on_ranks_that_call_in_another_order_each_from_its_first_call() {
    let repeats = repeats(&opened(&exchange(20))).expect("it repeats");
    // A pass takes 1,200 ns, and each of them one more than the one before.
    let mut begin = 5_000;
    let expected = (0..20).map(|pass| {
        begin += 1_200 + pass;
        (begin - 1_200 - pass, begin)
    });
    let expected = expected.collect::<Vec<_>>();
    assert_eq!(passes(&repeats), [expected.as_slice(), &expected]);
    let level = &repeats.levels[0];
    assert_eq!((level.agreement, level.inner, level.sites), (1.0, false, 3));
    assert!((level.share - 24_190.0 / 29_190.0).abs() < 1e-12, "{}", level.share);
    let begins =
        ["Iteration: from MPI_Send · 14 (halo.c)", "Iteration: from MPI_Recv · 17 (halo.c)"];
    assert!(begins.contains(&repeats.name(level).as_str()), "{}", repeats.name(level));
}

#[test]
fn a_call_from_another_line_is_another_site_and_calls_in_no_order_repeat_nothing() {
    let mut task = Task::new(1);
    for pass in 0..20 {
        task.calls(ALL_REDUCE, 5 + pass % 2, 10);
        task.computes(100);
    }
    let found = repeats(&opened(&[task])).expect("it repeats");
    assert_eq!((passes(&found)[0].len(), found.levels[0].median_ns()), (10, 220));
    let mut random = tracefold_generate::Random::new(7);
    let mut task = Task::new(1);
    for _ in 0..60 {
        let calls = [(SEND, 3), (RECEIVE, 4), (ALL_REDUCE, 5), (ALL_REDUCE, 6)];
        let (call, line) = calls[random.below(4) as usize];
        task.calls(call, line, 10);
        task.computes(100);
    }
    assert_eq!(repeats(&opened(&[task])), Err(NoIteration::NoOrder));
    let mut silent = Task::new(1);
    silent.computes(100);
    assert_eq!(repeats(&opened(&[silent])), Err(NoIteration::NoCalls));
}

#[test]
fn parallel_regions_repeat_as_calls_do_where_calls_of_mpi_do_not() {
    let mut task = Task::new(1);
    task.calls(ALL_REDUCE, 5, 10);
    for _ in 0..12 {
        for line in [3, 4, 6] {
            task.calls([60_000_001, 1], line, 400);
            task.computes(50);
        }
    }
    task.calls(ALL_REDUCE, 6, 10);
    let found = repeats(&opened(&[task])).expect("it repeats");
    assert_eq!(found.name(&found.levels[0]), "Iteration: from OpenMP parallel 1 · 14 (halo.c)");
    let expected = (0..12).map(|pass| (10 + 1_350 * pass, 10 + 1_350 * (pass + 1)));
    assert_eq!(passes(&found), [expected.collect::<Vec<_>>()]);
}

#[test]
fn bursts_are_the_time_between_calls_with_the_first_reading_of_each_moment_after_their_begin() {
    let records = "1:1:1:1:1:0:100:1
2:1:1:1:1:0:42000050:7
1:1:1:1:1:100:140:1
2:1:1:1:1:120:42000050:30
1:1:1:1:1:140:150:13
2:1:1:1:1:140:50000003:43:42000050:20:42000059:9
2:1:1:1:1:140:50000003:0:42000050:1000:42000059:1
2:1:1:1:1:150:42000050:5
1:1:1:1:1:150:150:1
1:1:1:1:1:150:400:1
2:1:1:1:1:399:42000050:9223372036854775807
1:1:1:1:2:10:20:1
1:1:1:1:2:20:30:7
";
    let text = format!("#Paraver (01/02/2026 at 10:00):400_ns:1(2):1:1(2:1)\n{records}");
    let trace = open(&[("a.prv", text.as_bytes())]);
    let found = bursts(&trace);
    let times = found.iter().map(|burst| (burst.thread, burst.begin_ns, burst.end_ns));
    assert_eq!(times.collect::<Vec<_>>(), [(0, 0, 140), (0, 150, 400), (1, 10, 20)]);
    let counted = |at: usize| {
        let mut sums = std::collections::BTreeMap::new();
        for (counter, events) in found[at].counted(&trace) {
            *sums.entry(trace.types[counter as usize].code).or_insert(0) += events;
        }
        sums.into_iter().collect::<Vec<_>>()
    };
    // What is read as a burst begins is of what was before; 2⁶³ − 1 is no count.
    assert_eq!(counted(0), [(42_000_050, 50), (42_000_059, 9)]);
    assert_eq!((counted(1), counted(2)), (vec![], vec![]));
}

#[test]
fn the_command_line_lists_iterations_or_says_why_there_are_none() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("iterations");
    fs::create_dir_all(&folder).unwrap();
    let listed = |tasks: &[Task], more: &[&str]| {
        fs::write(folder.join("run.prv"), trace(tasks)).unwrap();
        fs::write(folder.join("run.pcf"), LABELS).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tracefold"));
        let done =
            command.arg("iterations").args(more).arg(folder.join("run.prv")).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (done.status.code(), text(done.stdout), text(done.stderr))
    };
    let (status, table, _) = listed(&exchange(20), &[]);
    assert_eq!(status, Some(0));
    let row = table.lines().nth(1).expect("a row").split_whitespace().collect::<Vec<_>>();
    assert_eq!(row[..5], ["82.87", "20", "0.001", "100", "Iteration:"], "{table}");
    let (_, json, _) = listed(&exchange(20), &["--json"]);
    let rows: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&rows[0]["instances"], &rows[0]["inner"]), (&40.into(), &false.into()));
    assert_eq!(rows[0]["begins_ends_ns"]["1.2.1"][0], serde_json::json!([5_000, 6_200]));
    // After the last call of a pass nothing says where it ends.
    assert_eq!(rows[0]["last_end_estimated"], serde_json::json!(["1.1.1", "1.2.1"]));
    let out_of = |name: &str| folder.join(name);
    let out = out_of("tables");
    let (status, said, _) =
        listed(&exchange(20), &["--format=csv", "--out", out.to_str().unwrap()]);
    assert_eq!((status, said.as_str()), (Some(0), ""));
    let table = fs::read_to_string(out.join("iterations.csv")).unwrap();
    let lines = table.lines().collect::<Vec<_>>();
    let head = "region,name,inner,application,task,thread,pass,begin_ns,end_ns,end_is_estimated";
    assert_eq!((lines.len(), lines[0]), (41, head));
    let name = rows[0]["name"].as_str().unwrap();
    assert_eq!(lines[1], format!("Iteration:1,{name},no,1,1,1,1,5000,6200,no"));
    assert_eq!(lines[40], format!("Iteration:1,{name},no,1,2,1,20,27971,29190,yes"));
    // Where a pass begins is said as for a fold.
    let moved = "boundary=after MPI_Allreduce · 63 (solve.c)";
    let (_, table, _) = listed(&exchange(20), &["--set", moved]);
    assert!(table.contains("Iteration: after MPI_Allreduce · 63 (solve.c)"), "{table}");
    let (status, _, error) = listed(&exchange(20), &["--set", "boundary=after MPI_Send"]);
    assert_eq!(status, Some(2), "{error}");
    assert!(error.contains("it offers \"from MPI_Send · 14 (halo.c)\""), "{error}");
    let mut alone = Task::new(1);
    alone.calls(SEND, 3, 10);
    let sentence = "tracefold: No iterations: no call site recurs.\n";
    let (status, out, error) = listed(&[alone], &[]);
    assert_eq!((status, out.as_str(), error.as_str()), (Some(4), "", sentence));
    let mut alone = Task::new(1);
    alone.calls(SEND, 3, 10);
    assert_eq!(listed(&[alone], &["--json"]).1, "[]\n");
    // The picture of the run is there whether anything repeats or not.
    let (picture, into) = (out_of("picture"), out_of("nothing"));
    let svg = |folder: &Path| fs::read_to_string(folder.join("run.svg")).unwrap();
    let both = ["--format=svg,csv", "--out", picture.to_str().unwrap()];
    assert_eq!(listed(&exchange(20), &both).0, Some(0));
    let text = svg(&picture);
    assert!(text.starts_with("<svg ") && text.contains(">20 × iteration<"), "{text}");
    assert!(text.contains(">rank 1<") && text.contains(">rank 2<"), "{text}");
    assert!(picture.join("iterations.csv").exists());
    let mut alone = Task::new(1);
    alone.calls(SEND, 3, 10);
    let only = ["--format=svg", "--out", into.to_str().unwrap()];
    assert_eq!(listed(&[alone], &only).0, Some(0));
    assert!(svg(&into).contains("No iterations: no call site recurs."));
}

#[test]
fn passes_begin_at_another_call_of_the_loop_where_that_is_asked_for() {
    let trace = opened(&exchange(20));
    let offered = repeats(&trace).map(|found| found.boundaries(&found.levels[0]));
    let offered = offered.expect("it repeats").iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(offered.len(), 6);
    let boundary = "after MPI_Allreduce · 63 (solve.c)";
    assert!(offered.iter().any(|begin| begin == boundary), "{offered:?}");
    let found = repeats_from(&trace, Some(&boundary.parse().unwrap())).expect("it repeats");
    assert_eq!(found.name(&found.levels[0]), format!("Iteration: {boundary}"));
    // 200 ns before the first call of each pass but the first, on both ranks.
    let mut begin = 5_000 - 200;
    let expected = (0..20).map(|pass| {
        begin += 1_200 + pass;
        (begin - 1_200 - pass, begin)
    });
    let expected = expected.skip(1).collect::<Vec<_>>();
    for passes in passes(&found) {
        assert_eq!(passes, expected);
    }
    for begin in offered {
        let begin = begin.parse().unwrap();
        let found = repeats_from(&trace, Some(&begin)).expect("it repeats");
        assert!(found.begins_at(&begin) && found.levels.len() == 1, "{begin}");
        assert!(passes(&found).iter().all(|passes| passes.len() >= 19), "{begin}");
    }
}

#[test]
fn a_boundary_that_no_loop_has_is_refused_with_those_that_there_are() {
    let trace = opened(&exchange(20));
    let settings = settings(&["boundary=after MPI_Send", "region=Iteration:1"]).unwrap();
    let refused = pipeline::run(&trace, &settings).map(drop).unwrap_err();
    assert!(refused.is_usage());
    let sentence = "setting boundary: no loop calls \"after MPI_Send\"; it offers \
                    \"from MPI_Send · 14 (halo.c)\", \"after MPI_Send · 14 (halo.c)\", ";
    assert!(refused.to_string().starts_with(sentence), "{refused}");
    let mut silent = Task::new(1);
    silent.computes(100);
    let nothing = pipeline::check_boundary(&opened(&[silent]), &settings).unwrap_err();
    let sentence = "setting boundary: no pass begins \"after MPI_Send\": nothing repeats";
    assert_eq!(nothing.to_string(), sentence);
}

#[test]
fn what_is_kept_between_folds_is_that_of_the_settings_of_each() {
    let trace = opened(&exchange(20));
    let mut kept = Kept::default();
    let mut seen = Vec::new();
    for changed in [
        &[][..],
        &["boundary=after MPI_Allreduce · 63 (solve.c)"],
        &["bursts=calls"],
        &["eps=0.001"],
        &[],
    ] {
        let settings = settings(changed).unwrap();
        let (rows, _) = pipeline::catalogue(&trace, &settings);
        assert_eq!(kept.catalogue(&trace, &settings), rows, "{changed:?}");
        let begins = kept.boundaries(&trace, &settings, "Iteration:1");
        assert_eq!(begins.len(), 6, "{changed:?}");
        assert!(kept.boundaries(&trace, &settings, "Cluster:1").is_empty());
        seen.push(rows.into_iter().map(|row| (row.region, row.instances)).collect::<Vec<_>>());
    }
    assert_eq!(seen[0], seen[4]);
    for other in &seen[1..4] {
        assert_ne!(*other, seen[0]);
    }
}

/// Rank 2 of `exchange`, which is there for so many passes and whose clock leaps `by` before the tenth.
fn second(passes: u64, by: i64) -> Task {
    let mut task = Task::new(2);
    task.computes(5_000);
    for pass in 0..passes {
        if pass == 9 {
            task.now = task.now.saturating_add_signed(by);
        }
        task.calls(RECEIVE, 4, 50);
        task.computes(300 + pass);
        task.calls(SEND, 3, 50);
        task.computes(500);
        task.calls(ALL_REDUCE, 5, 100);
        task.computes(200);
    }
    task
}

/// What is seen of a run: its threads, passes of its loop, bursts, and what was odd in it.
fn seen(text: &str) -> (usize, usize, f64, Vec<String>) {
    let trace = open(&[("run.prv", text.as_bytes()), ("run.pcf", LABELS.as_bytes())]);
    let settings = settings(&[]).unwrap();
    let (rows, _) = pipeline::catalogue(&trace, &settings);
    let glance = run::glance(&trace, &Seen::of(&trace, &settings.repeating()), &rows);
    let passes = glance.loops.map_or(0, |loops| loops.begins_ns.len());
    let odd = trace.notices.iter().map(|notice| notice.text.to_string()).collect();
    (glance.lifelines.len(), passes, glance.bursts, odd)
}

#[test]
fn ranks_that_end_early_and_clocks_that_leap_leave_the_loop_of_the_others() {
    let none = Vec::<String>::new();
    let with = |second: Task| {
        let [first, _] = <[Task; 2]>::try_from(exchange(20)).ok().unwrap();
        seen(&trace(&[first, second]))
    };
    // A burst before the first pass and three in each.
    let bursts = |passes: f64| 1.0 + 3.0 * passes;
    assert_eq!(with(second(20, 0)), (2, 20, 2.0 * bursts(20.0), none.clone()));
    assert_eq!(with(second(7, 0)), (2, 20, bursts(20.0) + bursts(7.0), none.clone()));
    assert_eq!(with(second(20, 4_000_000_000)), (2, 20, 2.0 * bursts(20.0), none));
    // What overlaps is put in order, and is no burst twice.
    let (threads, passes, bursts_of_both, odd) = with(second(20, -4_000));
    assert_eq!((threads, passes), (2, 20));
    assert!(bursts_of_both > bursts(20.0) && bursts_of_both < 2.0 * bursts(20.0));
    assert_eq!(odd, ["Times of a thread go back; its events were put in order."]);
}

#[test]
fn a_header_of_a_million_threads_costs_no_more_than_those_that_do_something() {
    let text = trace(&exchange(20));
    let wide = text.replacen(":2(1,1):1:2(1:1,1:2)", ":1(1000000):1:1(1000000:1)", 1);
    let (threads, passes, bursts, odd) = seen(&wide);
    assert_eq!((threads, passes, bursts), (1, 20, 61.0));
    assert_eq!(
        odd.len(),
        2,
        "the rank that the header does not have, and the threads without events: {odd:?}"
    );
}
