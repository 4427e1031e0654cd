//! Two sides of runs, as `tracefold compare` tells them apart: loops that the generator makes up.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tracefold::compare::{Between, Counter, Run, Wanted, sentences};
use tracefold::folding::Folding;
use tracefold::result::{Beside, Link};
use tracefold::settings::Settings;
use tracefold_generate::{Options, Shape, generate_with};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("compare-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes a run of a shape, and gives its file's name.
fn run(folder: &Path, shape: Shape, seed: u64, options: &Options) -> String {
    let made = generate_with(shape, seed, options);
    let name = format!("{shape:?}-{seed}-{}", options.slower.map_or(0, |(phase, _)| phase + 1));
    fs::write(folder.join(format!("{name}.prv")), made.prv).unwrap();
    fs::write(folder.join(format!("{name}.pcf")), made.pcf).unwrap();
    fs::write(folder.join(format!("{name}.row")), made.row).unwrap();
    format!("{name}.prv")
}

fn compare(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracefold"));
    command.current_dir(folder).arg("compare").args(arguments).output().unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = compare(folder, &[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Exit status, and what is said on stderr but for notices.
fn refused(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let output = compare(folder, arguments);
    let text = String::from_utf8(output.stderr).unwrap();
    let lines = text.lines().filter(|line| !line.contains("notice:"));
    (output.status.code().unwrap(), lines.collect::<Vec<_>>().join(" "))
}

fn verdicts(told: &Value) -> Vec<&str> {
    let phases = told["phases"].as_array().unwrap().iter();
    phases.map(|phase| phase["verdict"].as_str().unwrap()).collect()
}

fn span(value: &Value) -> [f64; 2] {
    [0, 1].map(|end| value[end].as_f64().unwrap())
}

#[test]
fn runs_of_one_program_do_not_differ() {
    let folder = folder("unchanged");
    let options = Options::default();
    for shape in [Shape::Stream4, Shape::Contrast5, Shape::Short7, Shape::Joint4] {
        for seed in [11, 12] {
            let (a, b) =
                (run(&folder, shape, seed, &options), run(&folder, shape, seed + 50, &options));
            let told = json(&folder, &[&a, &b]);
            let flagged =
                verdicts(&told).into_iter().filter(|of| ["slower", "faster"].contains(of));
            assert_eq!(flagged.count(), 0, "{shape:?} {seed}: {told:#}");
            assert_eq!(told["structure"], Value::Array(vec![]), "{shape:?} {seed}");
            assert_eq!(told["ratios"], Value::Array(vec![]), "{shape:?} {seed}");
        }
    }
}

#[test]
fn a_phase_that_became_slower_is_told_at_its_place_and_mirrored() {
    let folder = folder("slower");
    let a = run(&folder, Shape::Contrast5, 21, &Options::default());
    let b = run(
        &folder,
        Shape::Contrast5,
        22,
        &Options { slower: Some((2, 1.15)), ..Options::default() },
    );
    let (there, back) = (json(&folder, &[&a, &b]), json(&folder, &[&b, &a]));
    assert_eq!(verdicts(&there).iter().filter(|of| **of == "slower").count(), 1, "{there:#}");
    let slower =
        there["phases"].as_array().unwrap().iter().find(|of| of["verdict"] == "slower").unwrap();
    // 35 and 70 of 100 ms lie before its ends.
    for (at, truth) in span(&slower["a"]).into_iter().zip([0.35, 0.7]) {
        assert!((at - truth).abs() < 0.01, "{at} for {truth}");
    }
    let [low, high] = span(&slower["interval"]);
    assert!(low < 0.15 && 0.15 < high, "[{low}, {high}]");
    let faster =
        back["phases"].as_array().unwrap().iter().find(|of| of["verdict"] == "faster").unwrap();
    let product =
        (1.0 + slower["change"].as_f64().unwrap()) * (1.0 + faster["change"].as_f64().unwrap());
    assert!((product - 1.0).abs() < 1e-12, "{product}");
    let sentences = there["sentences"].to_string();
    assert!(
        sentences.contains("Phase 3") && sentences.contains("One run each: 1 % between"),
        "{sentences}"
    );
}

/// A run of phases of 10 ms, each with a routine, samples and a rate of its own.
fn of_phases(phases: &[usize]) -> Run {
    const ROUTINES: [&str; 4] = ["copy", "scale", "add", "triad"];
    let count = phases.len();
    let error = |at: usize| if at == 0 || at == count { 0.0 } else { 1e-4 };
    let edges = (0..=count).map(|at| [at as f64 / count as f64, error(at)]).collect();
    let mut run = Run::new([10.0 * count as f64, 0.01], edges);
    for (at, phase) in phases.iter().enumerate() {
        for sample in 0..40 {
            let x = (at as f64 + (f64::from(sample) + 0.5) / 40.0) / count as f64;
            run.sample(x, (ROUTINES[*phase].to_owned(), "a.c".to_owned(), *phase as u32));
        }
    }
    let rates = phases.iter().map(|phase| [1000.0 * (*phase as f64 + 1.0), 1.0]).collect();
    run.counters = vec![Counter { name: "PAPI_TOT_INS".to_owned(), rates, ..Counter::default() }];
    (run.instructions, run.instances) = (Some(0), 200);
    run
}

#[test]
fn a_phase_that_not_every_run_has_is_named_where_nothing_tells_what_became_of_it() {
    let (whole, without) = (of_phases(&[0, 1, 2, 3]), of_phases(&[0, 1, 3]));
    let told = |b: &[&Run]| {
        let b = b.iter().map(|run| (*run).clone()).collect::<Vec<_>>();
        let a = [whole.clone(), whole.clone()];
        tracefold::compare::compare([&a, &b], &Wanted::default()).unwrap()
    };
    let names = |of: &tracefold::compare::Comparison| {
        of.phases.iter().map(|phase| phase.routines()).collect::<Vec<_>>()
    };
    let one_in_three = told(&[&whole, &without, &whole]);
    assert_eq!(names(&one_in_three), ["copy", "scale", "triad"]);
    assert!(one_in_three.structure.is_empty(), "{:?}", one_in_three.structure);
    let [lacking] = &one_in_three.not_compared[..] else { panic!("{one_in_three:?}") };
    assert_eq!((lacking.routine.as_deref(), lacking.a), (Some("add"), [0.5, 0.75]));
    let said = sentences(&one_in_three, Between::default());
    let words = "Not in every run, so not compared: add, 10.0 ms of A.";
    assert!(said.iter().any(|of| of == words), "{said:?}");
    // In most runs of B it is lost, which is told; where all have it nothing is.
    let in_most = told(&[&without, &without, &whole]);
    assert_eq!((in_most.structure.len(), in_most.not_compared.len()), (1, 0));
    let everywhere = told(&[&whole, &whole]);
    assert_eq!((names(&everywhere).len(), everywhere.not_compared.len()), (4, 0));
}

#[test]
fn where_the_rates_of_a_run_bend_all_of_it_is_one_phase_of_every_run() {
    let (whole, other) = (of_phases(&[0, 1, 2, 3]), of_phases(&[0, 1, 3]));
    let bent = Run { is_bent: true, ..other };
    for sides in [[&whole, &bent], [&bent, &whole]] {
        let [a, b] = sides.map(|run| std::slice::from_ref(run));
        let told = tracefold::compare::compare([a, b], &Wanted::default()).unwrap();
        assert!(told.is_bent && told.structure.is_empty() && told.not_compared.is_empty());
        let [only] = &told.phases[..] else { panic!("{told:?}") };
        assert_eq!((only.a, only.b), ([0.0, 1.0], [0.0, 1.0]));
        assert_eq!(only.row.change, told.total.change);
        let said = sentences(&told, Between::default());
        let words = "Rates bend and do not jump, so all of it is one phase; borders that you put (phases) are compared.";
        assert!(said.iter().any(|of| of == words), "{said:?}");
        assert_eq!(told.pairs_left_out, 0);
    }
    // That pairs are named makes no borders, and is not passed over.
    let sides = [std::slice::from_ref(&whole), std::slice::from_ref(&bent)];
    let named = ["1-1", "2-2"].map(|pair| pair.parse().unwrap());
    let told = tracefold::compare::compare_by_hand(sides, &Wanted::default(), &named).unwrap();
    assert_eq!((told.phases.len(), told.pairs_left_out), (1, 2));
    let said = sentences(&told, Between::default());
    let words =
        "borders that you put (phases) are compared. The pairs that you named are left out.";
    assert!(said.iter().any(|of| of.ends_with(words)), "{said:?}");
    // Its rate is the mean of 1000, 2000, 3000 and 4000 of phases that are equally long.
    let told = tracefold::compare::compare([&[whole], &[bent]], &Wanted::default()).unwrap();
    let of_phase = |row: &&tracefold::compare::CounterRow| row.phase == Some(0);
    let row = told.counters.iter().find(of_phase).unwrap();
    assert!((row.a - 2500.0).abs() < 1e-9, "{row:?}");
}

#[test]
fn several_runs_measure_what_one_assumes() {
    let folder = folder("several");
    let runs = |seeds: [u64; 3], options: &Options| {
        seeds.map(|seed| run(&folder, Shape::Stream4, seed, options))
    };
    let a = runs([31, 32, 33], &Options::default());
    let b = runs([34, 35, 36], &Options { slower: Some((2, 1.03)), ..Options::default() });
    let told = json(&folder, &[&a[0], &a[1], &a[2], "--with", &b[0], &b[1], &b[2]]);
    assert_eq!(told["assumed"]["measured"], true);
    let one = json(&folder, &[&a[0], &b[0]]);
    let width = |of: &Value| {
        let [low, high] = span(&of["phases"][2]["interval"]);
        high - low
    };
    assert!(width(&told) < 0.7 * width(&one), "{} {}", width(&told), width(&one));
    assert!(!told["sentences"].to_string().contains("One run each"));
}

#[test]
fn a_run_with_itself_is_the_same_result() {
    let folder = folder("same");
    let a = run(&folder, Shape::Contrast5, 41, &Options::default());
    let told = json(&folder, &[&a, &a]);
    assert_eq!(told["sentences"], serde_json::json!(["The same result."]));
    assert!(verdicts(&told).iter().all(|of| ["same", "no change seen"].contains(of)), "{told:#}");
}

#[test]
fn ranks_windows_and_groups_of_one_trace_stand_as_both_runs() {
    let folder = folder("parts");
    let trace = run(&folder, Shape::Example, 141, &Options::default());
    let region = ["--region", "User function:main loop"];
    let of = |more: &[&str]| json(&folder, &[&[&trace[..], &trace][..], &region, more].concat());
    let said = |told: &Value| {
        let mut notices = told["notices"].as_array().unwrap().iter();
        notices.any(|notice| notice.as_str().unwrap().starts_with("Parts of one run"))
    };
    let ranks = of(&["--set", "objects=1.1.*", "--set-with", "objects=1.2.*"]);
    assert!(said(&ranks) && ranks["total"]["a_ms"] != ranks["total"]["b_ms"], "{ranks:#}");
    // Of other runs nothing is said: both intervals are one.
    for row in ranks["phases"].as_array().unwrap().iter().chain([&ranks["total"]]) {
        assert_eq!(row["interval"], row["within"], "{row:#}");
    }
    let alone = json(&folder, &[&[&trace[..], &trace][..], &region].concat());
    assert!(!said(&alone) && alone["sentences"][0] == "The same result.", "{alone:#}");
    // Halves of the run: as many instances, and no verdict.
    let lasts = String::from_utf8(fs::read(folder.join(&trace)).unwrap()).unwrap();
    let lasts_ns: u64 = lasts.split(['_', ':']).find_map(|part| part.parse().ok()).unwrap();
    let middle = lasts_ns / 2;
    let (first, second) = (format!("to={middle}"), format!("from={middle}"));
    let halves = of(&["--set", &first, "--set-with", "to=", "--set-with", &second]);
    assert!(said(&halves), "{halves:#}");
    assert!(verdicts(&halves).iter().all(|of| ["same", "no change seen"].contains(of)));

    // A group by its number, and one that is not there.
    let grouped = of(&["--group", "1"]);
    assert_eq!(grouped["total"], alone["total"]);
    let files = [&trace[..], &trace, "--group", "1", "--group-with", "99"];
    let (code, words) = refused(&folder, &files);
    assert!(code == 4 && words.contains("found no group 99, expected one of 1"), "{words}");
    for wrong in [["--group", "0"], ["--set-with", "objects=x"], ["--set-with", "fits=auto"]] {
        let (code, words) = refused(&folder, &[&[&trace[..], &trace][..], &wrong].concat());
        assert!(code == 2 && words.contains(wrong[0]), "{code} {words}");
    }
}

#[test]
fn other_programs_are_compared_as_a_whole() {
    let folder = folder("others");
    let a = run(&folder, Shape::Stream4, 51, &Options::default());
    let b = run(&folder, Shape::Contrast5, 52, &Options::default());
    let told = json(&folder, &[&a, &b]);
    // 64 and 100 ms.
    let [low, high] = span(&told["total"]["interval"]);
    assert!(low < 36.0 / 64.0 && 36.0 / 64.0 < high, "[{low}, {high}]");
    assert_eq!(told["total"]["verdict"], "slower");
}

#[test]
fn what_a_script_asks_to_fail_on_is_status_five() {
    let folder = folder("status");
    let a = run(&folder, Shape::Stream4, 61, &Options::default());
    let b =
        run(&folder, Shape::Stream4, 62, &Options { slower: Some((0, 1.2)), ..Options::default() });
    let status = |what: &str| compare(&folder, &[&a, &b, "--fail-on", what]).status.code();
    assert_eq!(status("slower"), Some(5));
    assert_eq!(status("slower:10%"), Some(5));
    assert_eq!(status("slower:30%"), Some(0));
    assert_eq!(status("structure"), Some(0));
    assert_eq!(status("undecided:1%"), Some(5));
    assert_eq!(status("undecided:90%"), Some(0));
    let (code, words) = refused(&folder, &[&a, &b, "--fail-on", "slower"]);
    assert_eq!((code, words.as_str()), (5, "tracefold: --fail-on slower holds"));
    assert_eq!(refused(&folder, &[&a, &b, "--fail-on", "worse"]).0, 2);
}

#[test]
fn what_cannot_be_compared_is_told_with_what_to_do() {
    let folder = folder("wrong");
    let a = run(&folder, Shape::Stream4, 71, &Options::default());
    let few =
        run(&folder, Shape::Stream4, 72, &Options { instances: Some(3), ..Options::default() });
    let (code, words) = refused(&folder, &[&a]);
    assert!(code == 2 && words.contains("found 1 runs, expected two"), "{code} {words}");
    let (code, words) = refused(&folder, &[&a, "none.prv"]);
    assert!(code == 3 && words.contains("none.prv"), "{code} {words}");
    let (code, words) = refused(&folder, &[&a, &few]);
    assert!(code == 4 && words.contains("expected at least 4"), "{code} {words}");
    let (code, words) = refused(&folder, &[&a, &a, "--least", "many"]);
    assert!(code == 2 && words.contains("such as 5%"), "{code} {words}");
    fs::write(folder.join("cut.json"), "[{\"region\":").unwrap();
    let (code, words) = refused(&folder, &[&a, "cut.json"]);
    assert!(code == 3 && words.contains("cut.json"), "{code} {words}");
}

#[test]
fn what_was_written_and_a_link_are_compared_as_their_traces_are() {
    let folder = folder("written");
    let a = run(&folder, Shape::Contrast5, 81, &Options::default());
    let slower = Options { slower: Some((2, 1.15)), ..Options::default() };
    let b = run(&folder, Shape::Contrast5, 82, &slower);
    let fold = |trace: &str, out: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tracefold"));
        let command = command.current_dir(&folder).args(["fold", trace, "--out", out]);
        let done = command.args(["--format", "json", "--set", "fit=segments"]).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        format!("{out}/folding.json")
    };
    let (folded_a, folded_b) = (fold(&a, "a"), fold(&b, "b"));
    let of_traces = json(&folder, &[&a, &b, "--set", "fit=segments"]);
    let of_foldings = json(&folder, &[&folded_a, &folded_b]);
    assert_eq!(of_traces["phases"], of_foldings["phases"]);
    assert_eq!(of_traces["total"], of_foldings["total"]);
    assert_eq!(of_foldings["a"][0]["settings"], Value::Null);
    assert_eq!(of_traces["a"][0]["settings"]["fit"], "segments");
    // SHA-256 has 64 digits; those of two files differ.
    let sum = |of: &Value| of[0]["sha256"].as_str().unwrap().to_owned();
    assert!(sum(&of_traces["a"]).len() == 64 && sum(&of_traces["a"]) != sum(&of_traces["b"]));

    // A link of B holds no instances, and still tells how sure its duration is.
    let bytes = fs::read(folder.join(&folded_b)).unwrap();
    let written: Value = serde_json::from_slice(&bytes).unwrap();
    let one = written.as_array().map_or(written.clone(), |all| all[0].clone());
    let folding = Folding::from_json(one.to_string().as_bytes()).unwrap();
    let shown = folding.groups[0].number;
    let text = Link::encode(&folding, shown, &Settings::default(), "", Beside::default()).unwrap();
    fs::write(folder.join("b.txt"), format!("https://example.org/#s={text}\n")).unwrap();
    let of_link = json(&folder, &[&folded_a, "b.txt"]);
    let change = |of: &Value| of["phases"][2]["change"].as_f64().unwrap();
    assert!((change(&of_link) - change(&of_foldings)).abs() < 1e-4);
    assert_eq!(verdicts(&of_link), verdicts(&of_foldings));
    assert_eq!(of_link["notices"], serde_json::json!([]), "nobody knows the settings of a folding");
    let unlike = json(&folder, &[&a, "b.txt", "--set", "fit=segments"]);
    let said = "Folded with unlike settings: fit \"segments\" and \"auto\".";
    assert_eq!(unlike["notices"], serde_json::json!([said]));
    let (code, words) = refused(&folder, &[&a, "nothing.txt"]);
    assert!(code == 3 && words.contains("nothing.txt"), "{code} {words}");
    fs::write(folder.join("nothing.txt"), "see the other one").unwrap();
    let (code, words) = refused(&folder, &[&a, "nothing.txt"]);
    assert!(code == 3 && words.contains("found no s= of a link"), "{code} {words}");
}

#[test]
fn tables_and_a_picture_are_written_of_it() {
    let folder = folder("files");
    let a = run(&folder, Shape::Stream4, 91, &Options::default());
    let slower = Options { slower: Some((1, 1.2)), ..Options::default() };
    let b = run(&folder, Shape::Stream4, 92, &slower);
    let out = compare(&folder, &[&a, &b, "--out", "told", "--format", "csv,json,svg"]);
    assert!(out.status.success() && out.stdout.is_empty());
    let read = |name: &str| fs::read_to_string(folder.join("told").join(name)).unwrap();
    let told = json(&folder, &[&a, &b]);
    assert_eq!(serde_json::from_str::<Value>(&read("comparison.json")).unwrap(), told);
    let table = read("comparison.csv");
    let lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>()).collect::<Vec<_>>();
    assert!(lines.iter().all(|line| line.len() == lines[0].len()), "{table}");
    let column = |name: &str| lines[0].iter().position(|head| *head == name).unwrap();
    let phases = told["phases"].as_array().unwrap();
    // The whole, then the phases.
    assert_eq!(lines.len(), 2 + phases.len());
    for (line, phase) in lines[2..].iter().zip(phases) {
        let change = line[column("change")].parse::<f64>().unwrap();
        assert_eq!(Some(change), phase["change"].as_f64());
        assert_eq!(Some(line[column("verdict")]), phase["verdict"].as_str());
    }
    let picture = read("comparison.svg");
    for words in ["Phases", "Source", "Rate", "Difference, B less A", "ms of A", "no change seen"] {
        assert!(picture.contains(words), "{words}");
    }
    assert!(!picture.contains("NaN"));
    for axis in ["share", "time"] {
        let out = compare(&folder, &[&a, &b, "--out", axis, "--format", "svg", "--axis", axis]);
        assert!(out.status.success());
        let picture = fs::read_to_string(folder.join(axis).join("comparison.svg")).unwrap();
        assert!(picture.contains("of each") && !picture.contains("ms of A"), "{axis}");
    }
}

#[test]
fn at_one_clock_a_slower_clock_is_no_change() {
    let folder = folder("clock");
    let a = run(&folder, Shape::Contrast5, 101, &Options::default());
    let slower = Options { slower: Some((2, 1.2)), ..Options::default() };
    let b = run(&folder, Shape::Contrast5, 102, &slower);
    // The generator stretches a phase and counts as many events in it, cycles too: its clock is slower.
    let (told, by_time) = (json(&folder, &[&a, &b, "--equal-clock"]), json(&folder, &[&a, &b]));
    assert_eq!(told["equal_clock"], true);
    assert_eq!(verdicts(&by_time).iter().filter(|of| **of == "slower").count(), 1, "{by_time:#}");
    assert!(!verdicts(&told).contains(&"slower"), "{told:#}");
    assert!(told["phases"][2]["change"].as_f64().unwrap().abs() < 0.03, "{told:#}");
    // Times are told as they are.
    assert_eq!(told["phases"][2]["b_ms"], by_time["phases"][2]["b_ms"]);
}

/// The guide's page on comparisons.
fn guide() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../static/guide/compare.html");
    fs::read_to_string(file).unwrap()
}

#[test]
fn the_recipe_of_the_guide_fails_where_a_phase_became_slower_and_only_there() {
    let folder = folder("recipe");
    let guide = guide();
    let (_, recipe) = guide.split_once("<pre id=\"recipe\">").unwrap();
    let (recipe, _) = recipe.split_once("</pre>").unwrap();
    assert!(!recipe.contains('&'), "what is escaped would have to be put back");
    let is_named = |name: &str, file: String| {
        for kind in ["prv", "pcf", "row"] {
            let from = folder.join(&file).with_extension(kind);
            fs::rename(from, folder.join(name).with_extension(kind)).unwrap();
        }
    };
    let run_recipe = || {
        let bin = Path::new(env!("CARGO_BIN_EXE_tracefold")).parent().unwrap();
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
        let mut shell = Command::new("sh");
        shell.current_dir(&folder).args(["-c", recipe]).env("PATH", path).output().unwrap()
    };
    is_named("before", run(&folder, Shape::Contrast5, 61, &Options::default()));
    is_named("after", run(&folder, Shape::Contrast5, 62, &Options::default()));
    let same = run_recipe();
    assert!(same.status.success(), "{}", String::from_utf8_lossy(&same.stderr));
    let slower = Options { slower: Some((2, 1.2)), ..Options::default() };
    is_named("after", run(&folder, Shape::Contrast5, 63, &slower));
    let changed = run_recipe();
    assert_eq!(changed.status.code(), Some(5), "{}", String::from_utf8_lossy(&changed.stderr));
    assert!(folder.join("changed/comparison.svg").is_file());
}

#[test]
fn the_guide_names_every_key_of_the_json() {
    let folder = folder("keys");
    let a = run(&folder, Shape::Contrast5, 71, &Options::default());
    let slower = Options { slower: Some((2, 1.2)), ..Options::default() };
    let told = json(&folder, &[&a, &run(&folder, Shape::Contrast5, 72, &slower)]);
    let guide = guide();
    let ranks = |threads| Options { threads: Some(threads), ..Options::default() };
    let (a, b) =
        (run(&folder, Shape::Spmd, 73, &ranks(4)), run(&folder, Shape::Spmd, 74, &ranks(8)));
    let of_run = json(&folder, &[&a, &b, "--run"]);
    let series = json(&folder, &[&a, &a, &b, "--series", "ranks=4,4,8"]);
    let texts = json(&folder, &[&a, &a, &b, "--series", "ranks=few,few,many"]);
    let pair = [76, 77].map(|seed| run(&folder, Shape::References, seed, &Options::default()));
    let referenced = json(&folder, &[&pair[0], &pair[1]]);
    let mut keys = vec![];
    let regions = json(&folder, &[&a, &b, "--regions"]);
    for (side, line) in [("before", "int a;\n"), ("after", "int b;\n")] {
        fs::create_dir_all(folder.join(side)).unwrap();
        fs::write(folder.join(side).join("stream.c"), line).unwrap();
    }
    let example = run(&folder, Shape::Example, 75, &Options::default());
    let sources = ["--source", "before", "--source-with", "after"];
    let with_source = json(&folder, &[&[&example[..], &example][..], &sources].concat());
    let mut all = vec![&told, &of_run, &regions, &series, &texts, &with_source, &referenced];
    while let Some(value) = all.pop() {
        match value {
            Value::Object(fields) => {
                for (key, value) in fields {
                    keys.push(key.clone());
                    // Keys of settings are those of `tracefold settings`, those of rates counters.
                    all.extend(Some(value).filter(|_| key != "settings" && key != "rates"));
                }
            }
            Value::Array(values) => all.extend(values),
            _ => {}
        }
    }
    let missing = keys.iter().filter(|key| !guide.contains(&format!("<code>{key}</code>")));
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<&String>::new());
    assert!(keys.len() > 50, "{}", keys.len());
}

#[test]
fn parts_of_the_time_of_a_run_add_up_and_clusters_are_matched() {
    let folder = folder("run");
    let ranks = |threads| Options { threads: Some(threads), ..Options::default() };
    let a = run(&folder, Shape::Spmd, 81, &ranks(4));
    let b = run(&folder, Shape::Spmd, 82, &ranks(8));
    let told = json(&folder, &[&a, &b, "--run"]);
    let number = |value: &Value, key: &str| value[key].as_f64().unwrap();
    let (time, parts) = (&told["run"]["time"], told["run"]["parts"].as_array().unwrap());
    let sum = parts.iter().map(|part| number(part, "ms")).sum::<f64>();
    let change = number(time, "b") - number(time, "a");
    assert!((sum - change).abs() < 1e-9 * number(time, "a"), "{sum} {change}");
    assert_eq!(parts.len(), 6);
    // The same program, whatever the numbers of its clusters: each is one of the other, and none is another.
    for row in told["clusters"].as_array().unwrap() {
        assert!(!row["a"].is_null() && !row["b"].is_null(), "{row}");
        let ipc = ["a", "b"].map(|side| number(&row[side], "ipc"));
        assert!((ipc[0] / ipc[1] - 1.0).abs() < 0.05 && row["sure"] == false, "{row}");
    }

    let again = json(&folder, &[&a, &a, "--run"]);
    assert_eq!(again["sentences"][0], "The same result.");
    let output = compare(&folder, &[&a, &b, "--run", "--out", "tables"]);
    assert!(output.status.success());
    let table = fs::read_to_string(folder.join("tables/comparison_run.csv")).unwrap();
    let last = table.lines().last().unwrap();
    assert!(last.starts_with("\"time, ms\","), "{last}");

    let kept = folder.join("kept");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracefold"));
    let fold = command.current_dir(&folder).args(["fold", &a, "--format", "json", "--out"]);
    assert!(fold.arg(&kept).output().unwrap().status.success());
    let (code, words) = refused(&folder, &["kept/folding.json", &b, "--run"]);
    assert!(code == 4 && words.contains("--run needs the trace"), "{code} {words}");
}

#[test]
fn phases_that_a_person_names_are_the_same_whatever_was_found() {
    let folder = folder("pairs");
    let a = run(&folder, Shape::Contrast5, 111, &Options::default());
    let b = run(&folder, Shape::Contrast5, 112, &Options::default());
    let names = |told: &Value| {
        let phases = told["phases"].as_array().unwrap().iter();
        phases.map(|phase| (span(&phase["a"]), span(&phase["b"]))).collect::<Vec<_>>()
    };
    let alone = names(&json(&folder, &[&a, &b]));
    assert_eq!(alone.len(), 5);
    // As it is found, and otherwise: the second phase of A is the second and third of B together.
    assert_eq!(names(&json(&folder, &[&a, &b, "--pairs", "2-2"])), alone);
    let told = json(&folder, &[&a, &b, "--pairs", "2-2.3"]);
    let own = names(&told);
    let [named] = own.iter().filter(|(of_a, _)| *of_a == alone[1].0).collect::<Vec<_>>()[..] else {
        panic!("{own:?}");
    };
    assert_eq!(named.1, [alone[1].1[0], alone[2].1[1]]);
    let split = told["structure"].as_array().unwrap().iter().find(|row| row["kind"] == "split");
    assert_eq!(span(&split.expect("a phase that was split")["a"][0]), alone[1].0);
    // Two phases of A are one of B.
    let told = names(&json(&folder, &[&a, &b, "--pairs", "2.3-2"]));
    assert!(told.contains(&([alone[1].0[0], alone[2].0[1]], alone[1].1)), "{told:?}");
    // Of several runs a side those of the first ones are named, and what they are in the others is found.
    let [c, d] = [113, 114].map(|seed| run(&folder, Shape::Contrast5, seed, &Options::default()));
    let several = json(&folder, &[&a, &c, "--with", &b, &d, "--pairs", "2-2.3"]);
    assert_eq!(names(&several), own);
    let b_ms = |told: &Value| {
        let mut phases = told["phases"].as_array().unwrap().iter();
        let own = phases.find(|phase| span(&phase["a"]) == alone[1].0);
        own.expect("the phase that is named")["b_ms"].as_f64().unwrap()
    };
    let [of_b, of_d] = [&b, &d].map(|run| b_ms(&json(&folder, &[&a, run, "--pairs", "2-2.3"])));
    let mean = (of_b * of_d).sqrt();
    assert!((b_ms(&several) / mean - 1.0).abs() < 1e-9, "{several:#}");
    for (pairs, wrong) in [
        ("7-2", "found phase 7 of A, expected one of its 5 phases"),
        ("1-2,2-2", "found phase 2 of B in two pairs"),
        ("2", "expected phases of A and of B"),
        ("2-1.3", "that follow one another"),
    ] {
        let (code, words) = refused(&folder, &[&a, &b, "--pairs", pairs]);
        assert!(code == 2 && words.contains(wrong), "{pairs}: {code} {words}");
    }
}

#[test]
fn regions_are_the_change_of_the_run_and_the_one_that_became_slower_is_named_where_runs_tell() {
    let folder = folder("regions");
    let number = |value: &Value, key: &str| value[key].as_f64().unwrap();
    let of = |seed: u64, slower: Option<(usize, f64)>| {
        let own = folder.join(format!("{seed}"));
        fs::create_dir(&own).unwrap();
        let options = Options { slower, ..Options::default() };
        format!("{seed}/{}", run(&own, Shape::Contrast5, seed, &options))
    };
    let a = [101, 102, 103].map(|seed| of(seed, None));
    let b = [104, 105, 106].map(|seed| of(seed, Some((2, 1.5))));
    let one = json(&folder, &[&a[0], &b[0], "--regions"]);
    let rows = one["regions"]["rows"].as_array().unwrap();
    let sum = rows.iter().map(|row| number(row, "ms")).sum::<f64>();
    let change = number(&one["regions"], "b_ms") - number(&one["regions"], "a_ms");
    assert!((sum - change).abs() < 1e-9 * number(&one["regions"], "a_ms"), "{sum} {change}");
    for row in rows {
        let parts = number(row, "by_duration_ms") + number(row, "by_number_ms");
        assert!((parts - number(row, "ms")).abs() < 1e-9, "{row}");
        assert!(row["interval"].is_null() && row["verdict"].is_null(), "one run each: {row}");
    }
    let files = [&a[0], &a[1], &a[2], "--with", &b[0], &b[1], &b[2], "--regions"];
    let three = json(&folder, &files.map(|file: &str| file));
    let first = &three["regions"]["rows"][0];
    assert_eq!(first["verdict"], "slower", "{first}");
    let sentences = three["sentences"].as_array().unwrap();
    let name = first["name"].as_str().unwrap();
    let told = format!("Region {name} takes ");
    assert!(
        sentences.iter().any(|text| text.as_str().unwrap().starts_with(&told)),
        "{sentences:?}"
    );
    let same = json(&folder, &[&a[0], &a[1], "--with", &a[2], &a[1], "--regions"]);
    let rows = same["regions"]["rows"].as_array().unwrap().iter();
    assert!(rows.clone().all(|row| row["verdict"] != "slower" && row["verdict"] != "faster"));
    // A folding holds no run.
    let kept = folder.join("kept");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracefold"));
    let fold = command.current_dir(&folder).args(["fold", &a[0], "--format", "json", "--out"]);
    assert!(fold.arg(&kept).output().unwrap().status.success());
    let (code, words) = refused(&folder, &["kept/folding.json", &b[0], "--regions"]);
    assert!(code == 4 && words.contains("--regions needs the trace"), "{code} {words}");
}

#[test]
fn a_series_tells_which_phase_follows_the_value_and_how() {
    let folder = folder("series");
    let factors = [1.0, 1.1, 1.2, 1.3];
    let runs = factors.iter().enumerate().map(|(at, factor)| {
        let own = folder.join(format!("{at}"));
        fs::create_dir(&own).unwrap();
        let options = Options { slower: Some((2, *factor)), ..Options::default() };
        format!("{at}/{}", run(&own, Shape::Contrast5, 91 + at as u64, &options))
    });
    let runs = runs.collect::<Vec<_>>();
    let files = runs.iter().map(String::as_str).collect::<Vec<_>>();
    let told = json(&folder, &[&files[..], &["--series", "work=1,1.1,1.2,1.3"]].concat());
    let phases = told["phases"].as_array().unwrap();
    assert_eq!(phases.len(), 5, "{told:#}");
    let [low, high] = span(&phases[2]["trend"]["interval"]);
    // It was made to take as long as the value says. Of runs that differ by √2 % the slope through these four is
    // known by .073, with three degrees of freedom within .232.
    assert!(low < 1.0 && 1.0 < high && high - low < 0.47, "{low} {high}");
    let sure = phases.iter().map(|phase| phase["trend"]["sure"].as_bool().unwrap());
    assert_eq!(sure.collect::<Vec<_>>(), [false, false, true, false, false]);
    let time = &phases[2]["measures"]["time"];
    let ms = |at: usize| time["runs"][at]["value"].as_f64().unwrap();
    assert_eq!(time["best"], 0);
    assert!((ms(3) / ms(0) / 1.3 - 1.0).abs() < 0.05, "{} {}", ms(0), ms(3));

    let texts = json(&folder, &[&files[..], &["--series", "flags=-O0,-O1,-O2,-O3"]].concat());
    let of_third = texts["phases"][2]["beside"].as_array().unwrap().iter();
    assert!(of_third.map(|of| &of["verdict"]).all(|verdict| verdict == "slower"), "{texts:#}");
    assert_eq!(texts["phases"][0]["trend"], Value::Null);

    let output = compare(&folder, &[&files[..], &["--series", "work=1,1.1,1.2,1.3"]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("time \u{221d} work^"), "{text}");
    let all = ["--series", "work=1,1.1,1.2,1.3", "--out", "told", "--format", "csv,json,svg"];
    assert!(compare(&folder, &[&files[..], &all].concat()).status.success());
    let written = |name: &str| fs::read_to_string(folder.join("told").join(name)).unwrap();
    let picture = written("series.svg");
    for words in ["work 1</text>", "work 1.3</text>", "MIPS</text>", "time \u{221d} work^"] {
        assert!(picture.contains(words), "{words}");
    }
    assert!(!picture.contains("NaN") && !picture.contains("inf"));
    // A line of the table for each row, of time and of MIPS, and run; and the header.
    assert_eq!(written("series.csv").lines().count(), 1 + 6 * 2 * 4);
    assert_eq!(serde_json::from_str::<Value>(&written("series.json")).unwrap(), told);

    // As if cycles spent energy: what is in an instance of the first run, by its own folding.
    let spent = ["--set", "energy=PAPI_TOT_CYC:1e-9"];
    let energy = json(&folder, &[&files[..], &["--series", "work=1,1.1,1.2,1.3"], &spent].concat());
    let mut fold = Command::new(env!("CARGO_BIN_EXE_tracefold"));
    fold.current_dir(&folder).args(["fold", files[0], "--out", "one", "--format", "json"]);
    assert!(fold.output().unwrap().status.success());
    let one: Value =
        serde_json::from_slice(&fs::read(folder.join("one/folding.json")).unwrap()).unwrap();
    let one = one.as_array().map_or(&one, |all| &all[0]);
    let curves = one["groups"][0]["curves"].as_array().unwrap();
    let count = |name: &str| {
        let curve = curves.iter().find(|curve| curve["counter"] == name).unwrap();
        curve["mean_count"].as_f64().unwrap()
    };
    let of_first =
        |measure: &str| energy["total"]["measures"][measure]["runs"][0]["value"].as_f64().unwrap();
    let joules = 1e-9 * count("PAPI_TOT_CYC");
    assert!((of_first("energy") / joules - 1.0).abs() < 1e-6, "{joules} {energy:#}");
    let work = count("PAPI_TOT_INS") / joules / 1e6;
    assert!((of_first("work") / work - 1.0).abs() < 1e-6, "{work} {energy:#}");

    let (code, words) = refused(&folder, &[&files[..], &["--series", "work=1,2"]].concat());
    assert!(code == 2 && words.contains("found 2 values for 4 runs"), "{code} {words}");
    let (code, words) = refused(&folder, &[files[0], files[1], "--series", "work=1,2"]);
    assert!(code == 2 && words.contains("found 2 runs, expected at least 3"), "{code} {words}");
    let (code, words) = refused(&folder, &[files[0], files[1], files[2], "--series", "=1,2,3"]);
    assert!(code == 2 && words.contains("such as freq=1.2,2.0,2.6"), "{code} {words}");
    // What differs in the names of the files, their folders among it.
    let named = json(&folder, &[&files[..], &["--series", "run"]].concat());
    let values = runs.iter().map(|run| run.trim_end_matches("-3.prv")).collect::<Vec<_>>();
    assert_eq!(named["values"], serde_json::json!(values));
}

#[test]
fn lines_of_both_sides_stand_beside_one_another_with_their_source() {
    let folder = folder("lines");
    let region = ["--region", "User function:main loop"];
    let runs = [31, 32].map(|seed| run(&folder, Shape::Example, seed, &Options::default()));
    let [a, b] = runs.each_ref().map(String::as_str);
    let both = [&[a, b][..], &region].concat();
    let told = json(&folder, &both);
    let code = told["code"].as_array().unwrap();
    let ms = |side: usize| code.iter().map(|row| row["ms"][side].as_f64().unwrap()).sum::<f64>();
    for (side, name) in ["a_ms", "b_ms"].into_iter().enumerate() {
        let whole = told["total"][name].as_f64().unwrap();
        assert!((ms(side) / whole - 1.0).abs() < 1e-9, "{} of {whole}", ms(side));
    }
    assert!(code.iter().all(|row| row["sure"] == false), "{code:#?}");
    let number = |row: &Value, side: usize| row["lines"][side].as_u64().unwrap_or(0);
    assert!(code.iter().all(|row| number(row, 0) == number(row, 1)), "{code:#?}");

    // In B all code lies twelve lines further down.
    let pcf = b.replace(".prv", ".pcf");
    let labels = fs::read_to_string(folder.join(&pcf)).unwrap();
    let file = code[0]["file"].as_str().unwrap().to_owned();
    let moved = labels.lines().map(|line| {
        let of_file = line.split_once(" (").filter(|(_, rest)| rest.starts_with(&file));
        let place = of_file.and_then(|(place, rest)| Some((place.split_once(' ')?, rest)));
        let number = place.and_then(|((value, line), rest)| {
            Some(format!("{value} {} ({rest}\n", line.trim().parse::<u32>().ok()? + 12))
        });
        number.unwrap_or_else(|| format!("{line}\n"))
    });
    fs::write(folder.join(&pcf), moved.collect::<String>()).unwrap();
    let told = json(&folder, &both);
    let code = told["code"].as_array().unwrap();
    let own = code.iter().filter(|row| row["file"] == file.as_str()).collect::<Vec<_>>();
    assert!(
        own.len() > 2 && own.iter().all(|row| number(row, 1) == number(row, 0) + 12),
        "{own:#?}"
    );

    // Nobody sampled the lines between, so that by numbers alone each of them may be any.
    let line = number(own[0], 0);
    for (side, added) in [("before", 0), ("after", 12)] {
        fs::create_dir_all(folder.join(side)).unwrap();
        let added = (0..added).map(|n| format!("// added {n}\n"));
        let text = (1..3000).map(|n| if n == line { side.to_owned() } else { format!("same {n}") });
        let lines = added.chain(text.map(|text| format!("  {text};\n")));
        fs::write(folder.join(side).join(&file), lines.collect::<String>()).unwrap();
    }
    let sources = ["--source", "before", "--source-with", "after"];
    let with_sources = [&both[..], &sources].concat();
    let out = compare(&folder, &with_sources);
    let text = String::from_utf8(out.stdout).unwrap();
    let place = format!("{file}:{line} → {}", line + 12);
    assert!(text.contains(&place), "{text}");
    assert!(text.contains("  A  before;\n") && text.contains("  B  after;\n"), "{text}");
    // Where the source says the same it stands once.
    assert!(text.lines().filter(|line| line.trim().starts_with("same ")).count() > 1, "{text}");
    assert!(text.contains("lines that are not the same"), "{text}");

    // The line that changed is one hunk with its time, those that were added are another, without.
    let told = json(&folder, &with_sources);
    assert_eq!(told["code"], json(&folder, &both)["code"], "the text says what samples say");
    let [source] = &told["sources"].as_array().unwrap()[..] else { panic!("{}", told["sources"]) };
    let lines = |hunk: &Value| hunk["lines"].clone();
    let hunks = source["hunks"].as_array().unwrap();
    let (of_a, of_b) = ([line, line], [line + 12, line + 12]);
    assert_eq!(lines(&hunks[0]), serde_json::json!([null, [1, 12]]));
    assert_eq!(lines(&hunks[1]), serde_json::json!([of_a, of_b]));
    assert_eq!((hunks.len(), &hunks[0]["samples"]), (2, &serde_json::json!([0, 0])));
    let row = told["code"].as_array().unwrap().iter().filter(|row| number(row, 0) == line);
    let ms = row.map(|row| row["ms"][1].as_f64().unwrap()).sum::<f64>();
    assert!((hunks[1]["ms"][1].as_f64().unwrap() / ms - 1.0).abs() < 1e-9, "{source}");
    assert!(compare(&folder, &[&with_sources[..], &["--out", "told"]].concat()).status.success());
    let table = fs::read_to_string(folder.join("told/comparison_source.csv")).unwrap();
    let of_hunks = table.lines().filter(|row| row.contains(",changed,,"));
    assert_eq!(of_hunks.count(), 13, "{table}");

    // One text is not that of both sides where lines moved.
    let told = json(&folder, &[&both[..], &["--source", "before"]].concat());
    assert_eq!(told["sources"], serde_json::json!([]));
    let notices = told["notices"].as_array().unwrap();
    let is_said = |notice: &Value| notice.as_str().is_some_and(|of| of.contains("--source-with"));
    assert!(notices.iter().any(is_said), "{notices:?}");
    let (status, said) = refused(&folder, &[a, b, "--source-with", "after"]);
    assert!(status == 2 && said.contains("--source"), "{said}");
}

#[test]
fn data_objects_of_unchanged_runs_are_the_same_and_one_that_has_another_name_is_gone_and_new() {
    let folder = folder("objects");
    let runs = [81, 82].map(|seed| run(&folder, Shape::References, seed, &Options::default()));
    let [a, b] = runs.each_ref().map(String::as_str);
    let told = json(&folder, &[a, b]);
    let objects = told["objects"].as_array().unwrap();
    assert!(objects.len() > 2, "{told}");
    for side in [0, 1] {
        let shares = objects.iter().map(|of| of["shares"][side].as_f64().unwrap()).sum::<f64>();
        assert!(shares > 0.95 && shares < 1.0 + 1e-9, "{shares}");
    }
    let sure = |of: &&Value| of["share_sure"] == true || of["cost_sure"] == true;
    assert_eq!(objects.iter().find(sure), None);
    assert!(objects.iter().all(|of| of["object"] == of["object_b"]));

    // In B the largest of them is called otherwise.
    let name =
        objects.iter().find(|of| of["kind"] == "static").unwrap()["object"].as_str().unwrap();
    let pcf = b.replace(".prv", ".pcf");
    let labels = fs::read_to_string(folder.join(&pcf)).unwrap();
    let renamed = labels.replace(&format!(" {name} [0x"), " another [0x");
    assert_ne!(labels, renamed, "{name}: {labels}");
    fs::write(folder.join(&pcf), renamed).unwrap();
    let told = json(&folder, &[a, b]);
    let objects = told["objects"].as_array().unwrap();
    let is_sure = |wanted: &str, gone: usize| {
        let mut own = objects.iter().filter(|of| of["object"] == wanted);
        own.any(|of| of["share_sure"] == true && of["bytes"][gone].is_null())
    };
    assert!(is_sure(name, 1) && is_sure("another", 0), "{objects:#?}");
    let sentences = told["sentences"].to_string();
    assert!(
        sentences.contains(&format!("Data object {name} is gone"))
            && sentences.contains("Data object another is new"),
        "{sentences}"
    );
    let text = String::from_utf8(compare(&folder, &[a, b]).stdout).unwrap();
    assert!(
        text.contains("object, of all references") && text.contains("another · static"),
        "{text}"
    );
    assert!(compare(&folder, &[a, b, "--out", "told"]).status.success());
    let table = fs::read_to_string(folder.join("told/comparison_objects.csv")).unwrap();
    // A walk has commas in it, between quotes.
    let outside =
        |line: &str| line.split('"').step_by(2).map(|of| of.matches(',').count()).sum::<usize>();
    let columns = table.lines().map(outside).collect::<Vec<_>>();
    assert_eq!((columns.len(), columns.iter().min()), (1 + objects.len(), columns.iter().max()));
}
