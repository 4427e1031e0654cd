//! Hybrid profiles of traces written out here, of all that the generator makes, and odd ones.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tracefold::export::{ProfileFormat, profile, profile_table};
use tracefold::hybrid::{self, Choices, Unwind};
use tracefold::profile::{NodeKind, Profile, Quality, Weights};
use tracefold::trace::Trace;
use tracefold_generate::{Shape, generate};

use crate::identities;
use crate::traces::open;

const LABELS: &str = "EVENT_TYPE
0 60000019 User function
0 30000000 Sampled functions
0 30000001 Sampled functions (depth 1)
0 30000002 Sampled functions (depth 2)
VALUES
0 End
1 Unresolved
3 main
4 solve
5 dot
6 axpy

EVENT_TYPE
0 30000100 Sampled lines
0 30000101 Sampled lines (depth 1)
VALUES
0 End
10 10 (a.c)
11 11 (a.c)
20 20 (b.c)

EVENT_TYPE
0 50000002 MPI Collective Comm
VALUES
0 Outside MPI
8 MPI_Allreduce

EVENT_TYPE
0 1000 Step
VALUES
0 End

EVENT_TYPE
7 42000050 PAPI_TOT_INS [Instructions]
";

/// One thread until 1000 ns with these events, each `TIME:TYPE:VALUE…`.
fn trace(events: &[&str]) -> Trace {
    let mut prv = "#Paraver (01/02/2025 at 10:00):1000_ns:1(1):1:1(1:1)\n".to_owned();
    for event in events {
        prv += &format!("2:1:1:1:1:{event}\n");
    }
    prv += "2:1:1:1:1:1000:40000001:0\n";
    open(&[("a.prv", prv.as_bytes()), ("a.pcf", LABELS.as_bytes())])
}

/// main from 100 to 900; in it solve from 300 to 800, in it a reduction from 500 to 600.
fn run() -> Trace {
    trace(&[
        "0:40000001:1:42000050:0",
        "100:60000019:3:42000050:10",
        // In main, before solve.
        "200:30000000:3:30000001:0:30000100:10:42000050:20",
        "300:60000019:4:42000050:30",
        "400:30000000:5:30000001:4:30000002:3:30000100:20:30000101:11:42000050:40",
        "450:30000000:6:30000001:4:30000002:3:30000100:20:30000101:11:42000050:50",
        "500:50000002:8",
        "600:50000002:0:42000050:60",
        // The first one after the call: clipped to what has passed since then.
        "650:30000000:5:30000001:4:30000002:3:30000100:20:30000101:11:42000050:70",
        "700:30000000:5:30000001:4:30000002:3:30000100:10:30000101:11",
        "800:60000019:0",
        "900:60000019:0:42000050:80",
    ])
}

fn with(trace: &Trace, choices: Choices) -> Profile {
    hybrid::profile(trace, choices)
}

/// `depth kind name calls-or-samples: exclusive, inclusive time`, as the tree is read.
fn tree(profile: &Profile) -> Vec<String> {
    let total = profile.total();
    let depths = profile.depths();
    let line = |node: u32| {
        let at = node as usize;
        let of = &profile.nodes[at];
        let line = if of.line > 0 { format!(":{}", of.line) } else { String::new() };
        format!(
            "{} {} {}{line} {}: {}, {}",
            depths[at],
            of.kind.name(),
            of.name,
            total.counts[at],
            total.exclusive[0][at],
            total.inclusive[0][at]
        )
    };
    profile.in_order(|node| total.inclusive[0][node]).into_iter().map(line).collect()
}

#[test]
fn samples_lie_in_the_context_that_probes_opened() {
    let profile = with(&run(), Choices::default());
    assert_eq!(
        tree(&profile),
        [
            "0 probe application 1: 200, 1000",
            "1 probe main 1: 300, 800",
            "2 probe solve 1: 400, 500",
            // 100 + 50 before the call; 50 + 50 after it, of 100.
            "3 context solve 4: 0, 250",
            "4 sample dot:20 2: 150, 150",
            "4 sample axpy:20 1: 50, 50",
            "4 sample dot:10 1: 50, 50",
            "3 probe MPI_Allreduce 1: 100, 100",
            "2 context main 1: 0, 100",
            "3 sample main:10 1: 100, 100",
        ]
    );
    let Quality { samples, unresolved, sampled_ns, probed_ns, .. } = profile.quality;
    assert_eq!((samples, unresolved, sampled_ns, probed_ns), (5, 0, 350.0, 1000.0));
}

#[test]
fn counts_belong_to_the_region_that_was_innermost_until_they_were_read() {
    let profile = with(&run(), Choices::default());
    let table = profile_table(&profile, &profile.measures());
    let mut lines = table.lines();
    assert_eq!(
        lines.next(),
        Some(
            "thread,node,parent,depth,kind,name,file,line,group,calls,samples,subcalls,\
             TIME exclusive ns,TIME inclusive ns,PAPI_TOT_INS exclusive,PAPI_TOT_INS inclusive"
        )
    );
    let told = lines.map(|line| {
        let fields = line.split(',').collect::<Vec<_>>();
        (fields[4].to_owned() + " " + fields[5], fields[8..12].join(","), fields[14..].join(","))
    });
    let told = told.collect::<Vec<_>>();
    let told =
        told.iter().map(|(a, b, c)| (a.as_str(), b.as_str(), c.as_str())).collect::<Vec<_>>();
    assert_eq!(
        told,
        [
            ("probe application", ",1,,1", "10,360"),
            ("probe main", ",1,,1", "130,350"),
            ("probe solve", ",1,,1", "160,220"),
            ("context solve", ",,4,", "0,160"),
            ("sample dot", ",,2,", "110,110"),
            ("sample axpy", ",,1,", "50,50"),
            ("sample dot", ",,1,", "0,0"),
            ("probe MPI_Allreduce", "MPI,1,,0", "60,60"),
            ("context main", ",,1,", "0,20"),
            ("sample main", ",,1,", "20,20"),
        ]
    );
}

#[test]
fn a_sample_stands_for_all_since_the_one_before_where_that_is_asked_for() {
    let profile = with(&run(), Choices { weights: Weights::Whole, ..Choices::default() });
    let context = tree(&profile).into_iter().find(|line| line.contains("context solve"));
    // From 200 on, so with a hundred that main spent and a hundred of the call.
    assert_eq!(context.as_deref(), Some("3 context solve 4: 0, 500"));
}

#[test]
fn frames_that_the_context_has_are_left_out_unless_they_are_asked_for() {
    let stacks = |choices| {
        let profile = with(&run(), choices);
        let lines = tree(&profile).into_iter().skip_while(|line| !line.contains("context solve"));
        lines.skip(1).take_while(|line| line.as_str() >= "4").collect::<Vec<_>>()
    };
    let whole = Choices { trimmed: false, ..Choices::default() };
    assert_eq!(
        stacks(whole),
        [
            "4 unwind main 4: 0, 250",
            "5 unwind solve:11 4: 0, 250",
            "6 sample dot:20 2: 150, 150",
            "6 sample axpy:20 1: 50, 50",
            "6 sample dot:10 1: 50, 50",
        ]
    );
    assert_eq!(stacks(Choices { depth: Some(1), ..whole })[0], "4 unwind solve:11 4: 0, 250");
    assert_eq!(
        stacks(Choices { unwind: Unwind::Routines, ..whole })[1],
        "5 unwind solve 4: 0, 250"
    );
    let flat = Choices { unwind: Unwind::Flat, ..whole };
    assert_eq!(stacks(flat), stacks(Choices::default()));
}

#[test]
fn lines_of_a_routine_have_a_summary_that_counts_nothing_again() {
    let profile = with(&run(), Choices::default()).summarised();
    let lines = tree(&profile);
    let at = lines.iter().position(|line| line.contains("summary")).unwrap();
    assert_eq!(
        lines[at - 1..at + 4],
        [
            "3 context solve 4: 0, 250",
            "4 summary dot 3: 0, 200",
            "5 sample dot:20 2: 150, 150",
            "5 sample dot:10 1: 50, 50",
            "4 sample axpy:20 1: 50, 50",
        ]
    );
    // Its lines are of one file here; of several it would name none.
    let summary = profile.nodes.iter().find(|node| node.kind.name() == "summary");
    assert_eq!(summary.unwrap().file, "");
}

#[test]
fn a_sample_at_the_instant_of_a_begin_is_where_its_call_stack_says() {
    let at_begin = |routine: u32| {
        let begin = format!("300:60000019:4:30000000:{routine}:30000001:3");
        let trace = trace(&["100:60000019:3", &begin, "500:60000019:0", "600:60000019:0"]);
        let lines = tree(&with(&trace, Choices::default()));
        lines.into_iter().filter(|line| line.contains("sample ")).collect::<Vec<_>>()
    };
    // It shows solve, so it is in solve, of which nothing has passed; else it ends what was before.
    assert_eq!(at_begin(4), ["4 sample solve 1: 0, 0"]);
    assert_eq!(at_begin(5), ["3 sample dot 1: 200, 200"]);
}

#[test]
fn what_does_not_nest_is_counted_and_loses_no_time() {
    for (events, tells) in [
        (&["100:60000019:0"][..], (1, 0, 0)),
        (&["100:60000019:3"], (0, 0, 1)),
        // A step ends inside of main, and main with it; its own end finds nothing.
        (&["100:1000:1", "200:60000019:3", "300:1000:0", "400:60000019:0"], (1, 1, 0)),
        // A step follows the other.
        (&["100:1000:1", "200:1000:2", "300:1000:0"], (0, 0, 0)),
        // A call that takes no time, inside of main.
        (&["100:60000019:3", "200:60000019:4:60000019:0", "300:60000019:0"], (0, 0, 0)),
        // No zero anywhere: steps that have no end are values.
        (&["100:1000:1", "200:1000:2"], (0, 0, 0)),
    ] {
        let trace = trace(events);
        let Quality { ends_without_begin, ended_from_outside, begins_without_end, .. } =
            with(&trace, Choices::default()).quality;
        assert_eq!(
            (ends_without_begin, ended_from_outside, begins_without_end),
            tells,
            "{events:?}"
        );
        identities::check(&trace);
    }
}

#[test]
fn begins_that_never_end_make_no_endless_path() {
    let begins = (1..=5000).map(|at| format!("{}:60000019:{}", at / 10, 3 + at % 2));
    let mut events = begins.collect::<Vec<_>>();
    // The innermost is part of the deepest that is told.
    events.push("600:60000019:0".to_owned());
    let trace = trace(&events.iter().map(String::as_str).collect::<Vec<_>>());
    let profile = with(&trace, Choices::default());
    assert_eq!((profile.nodes.len(), profile.depths().last()), (1001, Some(&1000)));
    assert_eq!((profile.quality.too_deep, profile.quality.begins_without_end), (4000, 4999));
    // Ten begin in each ns; the deepest that is told, the thousandth, does so at 100 of 1000.
    let times = &profile.threads[0].columns.exclusive[0];
    assert_eq!((times[0], times[999], times[1000]), (0.0, 1.0, 900.0));
}

#[test]
fn samples_that_show_no_routine_and_those_of_memory_are_told_apart() {
    let trace = trace(&[
        "0:40000001:1",
        "100:60000019:3",
        "200:30000000:1:30000001:3",
        // A reference to memory with its call-stack, then a call-stack of zeros.
        "300:32000000:4096:30000000:5:30000001:3",
        "400:30000000:0:30000001:0",
        "500:60000019:0",
    ]);
    let profile = with(&trace, Choices::default());
    let Quality { samples, unresolved, references, .. } = profile.quality;
    assert_eq!((samples, unresolved, references), (1, 1, 1));
    assert!(tree(&profile).contains(&"3 unresolved unresolved 1: 100, 100".to_owned()));
    assert_eq!(
        profile.quality.sentences(),
        [
            "Samples: 1, for 10.0 % of the time; each since the one before, within its context.",
            "Samples whose routine is not known: 1 (100.0 %).",
            "Samples of memory references, left out as they stand for no time: 1.",
        ]
    );
}

#[test]
fn a_register_that_was_set_back_counts_nothing() {
    let below_zero = (-5i64).cast_unsigned();
    let reading = format!("500:42000050:{below_zero}");
    let trace = trace(&["0:42000050:0", "100:60000019:3:42000050:7", &reading, "600:60000019:0"]);
    let profile = with(&trace, Choices::default());
    assert_eq!(profile.total().inclusive[1], [7.0, 0.0]);
    assert_eq!(profile.quality.readings_left_out, 1);
    identities::check(&trace);
}

#[test]
fn the_identities_hold_of_all_that_the_generator_makes() {
    let mut contexts = 0;
    for (name, shape) in Shape::ALL.iter().filter(|(_, shape)| *shape != Shape::Big) {
        for seed in [1, 2] {
            let made = generate(*shape, seed);
            let trace = open(&[("a.prv", &made.prv), ("a.pcf", &made.pcf)]);
            let of_trace = identities::check(&trace);
            // But for `spmd`, which is sampled only if that is asked for.
            assert_eq!(of_trace > 0, *shape != Shape::Spmd, "{name}");
            contexts += of_trace;
        }
    }
    assert!(contexts > 30, "{contexts}");
}

#[test]
fn stacks_tell_each_time_once_in_every_format() {
    let of = |format| {
        let whole = with(&run(), Choices::default()).summarised();
        let files = profile(&whole, &whole.measures(), format);
        String::from_utf8(files[0].bytes.clone()).unwrap()
    };
    assert_eq!(
        of(ProfileFormat::Folded),
        "application 200\napplication;main 200\napplication;main;solve;dot 200\n\
         application;main;solve 150\napplication;main;main 100\n\
         application;main;solve;MPI_Allreduce 100\napplication;main;solve;axpy 50\n"
    );
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let speedscope = read(&of(ProfileFormat::Speedscope));
    let thread = &speedscope["profiles"][0];
    let weights = thread["weights"].as_array().unwrap().iter().map(|of| of.as_f64().unwrap());
    assert_eq!((weights.sum::<f64>(), thread["endValue"].as_f64()), (1000.0, Some(1000.0)));
    assert_eq!((&thread["unit"], &thread["name"]), (&"nanoseconds".into(), &"1.1.1".into()));
    let frames = speedscope["shared"]["frames"].as_array().unwrap();
    let names = thread["samples"].as_array().unwrap().iter().map(|stack| {
        let frame = |at: &serde_json::Value| frames[at.as_u64().unwrap() as usize]["name"].as_str();
        stack.as_array().unwrap().iter().filter_map(frame).collect::<Vec<_>>().join(";")
    });
    assert!(names.collect::<Vec<_>>().contains(&"application;main;solve;axpy".to_owned()));
    let json = read(&of(ProfileFormat::Json));
    assert_eq!(json["metrics"][1]["name"], "PAPI_TOT_INS");
    assert_eq!(json["threads"][0]["columns"]["inclusive"][0][0], 1000.0);
}

/// A folder of this test's own with the trace of [`run`].
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let made = generate(Shape::Nested, 3);
    fs::write(folder.join("a.prv"), made.prv).unwrap();
    fs::write(folder.join("a.pcf"), made.pcf).unwrap();
    folder
}

fn tracefold(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracefold"));
    command.current_dir(folder).arg("profile").args(arguments).output().unwrap()
}

#[test]
fn the_command_prints_a_tree_or_one_format_and_writes_several() {
    let folder = folder("profile");
    let printed = |arguments: &[&str]| {
        let output = tracefold(&folder, arguments);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let people = printed(&["a.prv"]);
    assert!(
        people.starts_with("share %   inclusive ms   exclusive ms      calls   samples  region")
    );
    assert!(people.contains("\n 100.00 ") && people.contains("\nSamples: "), "{people}");
    assert!(people.contains("\nRoom to fold: ") && !people.contains("Costs more"), "{people}");
    // Whatever a call costs: none is called often enough for TAU to throttle it.
    let select = printed(&["a.prv", "--format", "select"]);
    assert!(select.ends_with("\nBEGIN_EXCLUDE_LIST\nEND_EXCLUDE_LIST\n"), "{select}");
    let costly = printed(&["a.prv", "--overhead", "1000000000"]);
    assert!(costly.contains("\nCosts more than it tells: "), "{costly}");
    assert!(
        printed(&["a.prv", "--metric", "IPC=PAPI_TOT_INS/PAPI_TOT_CYC"]).contains("inclusive IPC")
    );
    let csv = printed(&["a.prv", "--format", "csv", "--metric", "papi_tot_ins"]);
    assert!(
        csv.lines().next().unwrap().ends_with(",PAPI_TOT_INS exclusive,PAPI_TOT_INS inclusive")
    );
    assert_eq!(printed(&["a.prv", "--json"]), printed(&["a.prv", "--format", "json"]));
    printed(&["a.prv", "--out", "out", "--format", "csv,json,speedscope,folded"]);
    let read = |name: &str| fs::read_to_string(folder.join("out").join(name)).unwrap();
    assert_eq!(read("profile.csv"), printed(&["a.prv", "--format", "csv"]));
    assert_eq!(read("profile.folded"), printed(&["a.prv", "--format", "folded"]));
    // The root is every thread's.
    let first = |line: &str| line.split(',').next().unwrap().to_owned();
    let threads = read("profile.csv").lines().skip(1).map(first).collect::<BTreeSet<_>>();
    let total = read("profile_total.csv").lines().nth(1).map(first);
    assert_eq!(total, Some(threads.len().to_string()));
    assert!(read("profile.speedscope.json").contains("\"exporter\":\"tracefold\""));
}

#[test]
fn two_runs_are_laid_side_by_side() {
    let folder = folder("profile-beside");
    let output = tracefold(&folder, &["a.prv", "--with", "a.prv"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().collect::<Vec<_>>();
    // A run beside itself: the heads, and nothing that differs.
    assert!(lines[0].starts_with("Time ") && lines[2] == "Nothing differs.", "{text}");
    assert!(text.contains("One run each") && !text.contains("same program"), "{text}");
    let refused = tracefold(&folder, &["a.prv", "--with", "a.prv", "--format", "json"]);
    assert_eq!(refused.status.code(), Some(2));
    let written = tracefold(&folder, &["a.prv", "--out", "both", "--with", "a.prv"]);
    assert!(written.status.success(), "{written:?}");
    let csv = fs::read_to_string(folder.join("both/profiles_beside.csv")).unwrap();
    // No difference, and a ratio of 1 where there is something to divide by.
    let differs = |line: &&str| !line.ends_with(",0,1,0,1") && !line.ends_with(",0,,0,");
    assert!(csv.lines().count() > 10, "{csv}");
    assert_eq!(csv.lines().skip(1).filter(differs).collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn what_cannot_be_told_is_refused_in_words() {
    let folder = folder("profile-refused");
    for (arguments, words) in [
        (
            &["--metric", "CYCLES"][..],
            "tracefold: --metric: “CYCLES” is neither a metric nor a formula of counters: column 1: found \
             “CYCLES”, expected the name of a counter; the nearest are PAPI_TOT_INS, PAPI_TOT_CYC",
        ),
        (
            &["--metric", "PAPI_TOT_INS/PAPI_TOT_CYC", "--format", "folded"],
            "tracefold: --metric: what the formula “PAPI_TOT_INS/PAPI_TOT_CYC” says of stacks does not \
             add up to a whole; expected a metric for --format speedscope or folded",
        ),
        (&["--overhead", "0"], "tracefold: --overhead: found 0, expected nanoseconds above 0"),
        (
            &["--format", "csv,json"],
            "tracefold: --format: only one format can be printed; expected --out DIR for several",
        ),
    ] {
        let output = tracefold(&folder, &[&["a.prv"], arguments].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.starts_with(words), "{said}");
    }
}

#[test]
fn calls_are_told_by_the_place_they_come_from_with_all_that_lies_inside() {
    let labels = "EVENT_TYPE
0 60000019 User function
VALUES
0 End
3 main
4 callback

EVENT_TYPE
0 50000002 MPI Collective Comm
VALUES
0 Outside MPI
8 MPI_Allreduce

EVENT_TYPE
0 70000001 Caller at level 1
VALUES
0 End
3 solve
4 norm

EVENT_TYPE
0 80000001 Caller line at level 1
VALUES
0 End
10 10 (solve.c)
20 20 (norm.c)
";
    let mut prv = "#Paraver (01/02/2025 at 10:00):1000_ns:1(1):1:1(1:1)\n".to_owned();
    for event in [
        "0:60000019:3",
        "100:50000002:8:70000001:3:80000001:10",
        "200:50000002:0",
        "300:50000002:8:70000001:4:80000001:20",
        // What MPI calls meanwhile is inside of that call.
        "320:60000019:4",
        "350:60000019:0",
        "400:50000002:0",
        "500:50000002:8:70000001:3:80000001:10",
        "550:50000002:0",
        // From nowhere.
        "600:50000002:8",
        "700:50000002:0",
        "1000:60000019:0",
    ] {
        prv += &format!("2:1:1:1:1:{event}\n");
    }
    let trace = open(&[("a.prv", prv.as_bytes()), ("a.pcf", labels.as_bytes())]);
    identities::check(&trace);
    let profile = hybrid::profile(&trace, Choices { call_sites: true, ..Choices::default() });
    let columns = &profile.threads[0].columns;
    let lines = profile.nodes.iter().enumerate().map(|(at, node)| {
        let place = columns.place(at as u32).unwrap();
        let [own, below] = [&columns.exclusive, &columns.inclusive].map(|of| of[0][place]);
        format!(
            "{} {} {}:{} {}: {own}, {below}",
            node.kind.name(),
            node.name,
            node.file,
            node.line,
            columns.counts[place]
        )
    });
    assert_eq!(
        lines.skip(1).collect::<Vec<_>>(),
        [
            "probe main :0 1: 650, 1000",
            "probe MPI_Allreduce :0 4: 320, 350",
            "part [CALLSITE] MPI_Allreduce [@] solve solve.c:10 2: 150, 150",
            "part [CALLSITE] MPI_Allreduce [@] norm norm.c:20 1: 70, 100",
            "probe callback :0 1: 30, 30",
        ]
    );
    let without = hybrid::profile(&trace, Choices::default());
    assert!(without.nodes.iter().all(|node| node.kind != NodeKind::Part));
}
