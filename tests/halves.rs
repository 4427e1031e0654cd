//! Halves of one run, between which nothing differs but chance: of the bundled example, and of real runs where the
//! folder `TRACEFOLD_SHARED` is, with a real pair.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tracefold_generate::{Generated, Shape, generate};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("halves-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn tracefold(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracefold"));
    let output = command.current_dir(folder).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Folds these instances of a trace; gives the file, and how many instances there were.
fn folded(
    folder: &Path,
    trace: &str,
    asked: &[&str],
    name: &str,
    numbers: &str,
) -> (String, usize) {
    let numbers = format!("instances={numbers}");
    let settings = ["--set", "group=none", "--set", &numbers];
    let asked =
        [&["fold", trace, "--format", "json", "--out", name], &settings[..], asked].concat();
    tracefold(folder, &asked);
    let file = format!("{name}/folding.json");
    let written: Value = serde_json::from_slice(&fs::read(folder.join(&file)).unwrap()).unwrap();
    let folding = written.as_array().map_or(&written, |all| &all[0]);
    (file, folding["groups"][0]["instances"].as_u64().unwrap() as usize)
}

/// First and second half, odd and even instances: neither is another program. Only `counters` count otherwise in some
/// instances than in others.
fn nothing_differs(name: &str, trace: &str, asked: &[&str], counters: &[&str]) {
    let folder = folder(name);
    let (_, all) = folded(&folder, trace, asked, "all", "");
    let each = |first: usize| (first..=all).step_by(2).map(|at| at.to_string());
    let list = |first: usize| each(first).collect::<Vec<_>>().join(",");
    let half = all / 2;
    let pairs = [
        ("first", format!("1-{half}"), "second", format!("{}-{all}", half + 1)),
        ("odd", list(1), "even", list(2)),
    ];
    for (a, of_a, b, of_b) in pairs {
        let (in_a, count_a) = folded(&folder, trace, asked, a, &of_a);
        let (in_b, count_b) = folded(&folder, trace, asked, b, &of_b);
        assert!(count_a + count_b == all && count_a.min(count_b) > all / 3, "{count_a} {count_b}");
        let told = tracefold(&folder, &["compare", &in_a, &in_b, "--json"]).stdout;
        let told: Value = serde_json::from_slice(&told).unwrap();
        let what = format!("{name}, {a} and {b}: {}", told["sentences"]);
        let verdicts = told["phases"].as_array().unwrap().iter().chain([&told["total"]]);
        let flagged =
            verdicts.filter(|row| row["verdict"] == "slower" || row["verdict"] == "faster");
        assert_eq!(flagged.count(), 0, "{what}");
        let is_new = |row: &&Value| !counters.contains(&row["counter"].as_str().unwrap());
        assert_eq!(told["ratios"].as_array().unwrap().iter().filter(is_new).count(), 0, "{what}");
        for list in ["structure", "lines", "routines"] {
            assert_eq!(told[list].as_array().unwrap().len(), 0, "{what}");
        }
        assert!(!told["phases"].as_array().unwrap().is_empty(), "{what}");
    }
}

/// The bundled example.
fn example() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../static/example.prv.gz");
    path.to_str().unwrap().to_owned()
}

#[test]
fn of_the_bundled_example() {
    nothing_differs("example", &example(), &["--set", "fit=segments"], &[]);
}

/// What `compare` tells of the part of a run up to a moment beside the rest, folded for it: nothing of other runs is
/// assumed, so that nothing hides what is told wrongly.
fn before_and_after(folder: &Path, trace: &str, asked: &[&str], at_ns: u64) -> Value {
    let (to, from) = (format!("to={at_ns}"), format!("from={}", at_ns + 1));
    let halves = ["compare", trace, trace, "--set", &to, "--set-with", "to=", "--set-with", &from];
    let told = tracefold(folder, &[&halves[..], asked, &["--json"]].concat()).stdout;
    serde_json::from_slice(&told).unwrap()
}

fn no_time_differs(told: &Value, phases: usize) {
    let sentences = &told["sentences"];
    let rows = told["phases"].as_array().unwrap();
    assert_eq!(rows.len(), phases, "{sentences}");
    for row in rows.iter().chain([&told["total"]]) {
        assert!(row["verdict"] != "slower" && row["verdict"] != "faster", "{sentences}");
    }
    assert_eq!(told["structure"].as_array().unwrap().len(), 0, "{sentences}");
}

/// Segments of either half are cut through slopes: they err by 1.2 and 1.3 times as much as its curves, and as they lie
/// between other breaks 15 phases seemed changed. Between those of the curves there is nothing.
#[test]
fn of_namd_as_parts_of_one_run() {
    let Some(trace) = of_corpus("namd/444.namd.prv") else { return };
    let folder = folder("namd-parts");
    let group = ["--set", "group=none"];
    let told = before_and_after(&folder, &trace, &group, 278_640_000_000);
    no_time_differs(&told, 18);
    assert_eq!(told["bent"], false);
    // Asked for, they are one phase, and so are breaks that sum smooth curves up.
    for fit in ["fit=segments", "fit=kriging"] {
        let asked = ["--set", "group=none", "--set", fit, "--set-with", fit];
        let told = before_and_after(&folder, &trace, &asked, 278_640_000_000);
        no_time_differs(&told, 1);
        assert_eq!(told["bent"], true);
    }
}

#[test]
fn of_the_bundled_example_as_parts_of_one_run() {
    let told = before_and_after(&folder("example-parts"), &example(), &[], 4_000_000_000);
    no_time_differs(&told, 4);
}

/// A rate that bends, and one that bends and jumps: no border of one half is one of the other.
#[test]
fn of_generated_rates_that_bend() {
    for shape in [Shape::Smooth, Shape::Mixed] {
        let folder = folder(&format!("{shape:?}"));
        let Generated { prv, pcf, row, .. } = generate(shape, 11);
        for (ending, bytes) in [("prv", prv), ("pcf", pcf), ("row", row)] {
            fs::write(folder.join(format!("a.{ending}")), bytes).unwrap();
        }
        let list = |first: usize| {
            let each = (first..=100).step_by(2).map(|at| at.to_string());
            format!("instances={}", each.collect::<Vec<_>>().join(","))
        };
        let (odd, even) = (list(1), list(2));
        let halves = ["compare", "a.prv", "a.prv", "--set", &odd, "--set-with", &even, "--json"];
        let told: Value = serde_json::from_slice(&tracefold(&folder, &halves).stdout).unwrap();
        no_time_differs(&told, 1);
        assert_eq!(told["bent"], true, "{}", told["sentences"]);
    }
}

/// 38 instances of 14.6 s, six of which count L2 misses in the first half (9.8 millions an instance, 9.0 in the
/// second) and those of memory (143 000 of one event, 9 000; 29 000 of another, 500): that is no chance.
#[test]
fn of_namd() {
    let Some(trace) = of_corpus("namd/444.namd.prv") else { return };
    let counters = ["PAPI_L2_TCM", "LLC_MISSES", "Event 42001032", "Event 42001033"];
    nothing_differs("namd", &trace, &[], &counters);
}

#[test]
fn of_the_iterations_of_epoch() {
    const REGION: &str = "Iteration: from MPI_Sendrecv \u{b7} 251 (boundary.F90, epoch2d)";
    for file in ["epoch_2proc", "epoch_4proc"] {
        let Some(trace) = of_corpus(&format!("epoch/{file}.prv.gz")) else { return };
        nothing_differs(file, &trace, &["--region", REGION], &[]);
    }
}

/// A trace of the corpus, which is not part of the project.
fn of_corpus(path: &str) -> Option<String> {
    let Some(shared) = std::env::var_os("TRACEFOLD_SHARED") else {
        println!("skipped: TRACEFOLD_SHARED names no folder with corpus/paraver/{path}");
        return None;
    };
    let path = Path::new(&shared).join("corpus/paraver").join(path);
    Some(path.to_str().unwrap().to_owned())
}

#[test]
fn the_parts_of_epoch_on_two_and_four_ranks_add_up_and_clusters_are_matched() {
    let (Some(two), Some(four)) =
        (of_corpus("epoch/epoch_2proc.prv.gz"), of_corpus("epoch/epoch_4proc.prv.gz"))
    else {
        return;
    };
    let told = tracefold(&folder("parts"), &["compare", &two, &four, "--run", "--json"]).stdout;
    let told: Value = serde_json::from_slice(&told).unwrap();
    let run = &told["run"];
    let number = |of: &Value, key: &str| of[key].as_f64().unwrap();
    let sum = run["parts"].as_array().unwrap().iter().map(|part| number(part, "ms")).sum::<f64>();
    let change = number(&run["time"], "b") - number(&run["time"], "a");
    assert!((sum - change).abs() < 1e-9 * number(&run["time"], "a"), "{sum} {change}");
    // Those of a study of both runs: the long one is after the same call, with less work and the same IPC.
    let longest = &told["clusters"][0];
    let names = ["a", "b"].map(|side| longest[side]["name"].as_str().unwrap().to_owned());
    assert!(names.iter().all(|name| name.contains("after MPI_Sendrecv")), "{names:?}");
    assert_eq!(longest["sure"], false, "{longest}");
}
