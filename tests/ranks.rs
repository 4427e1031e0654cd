//! Several files that are ranks of one run are the trace that one file of all ranks is.

use std::fs;
use std::path::Path;
use std::process::Command;

use tracefold::export::{Format, export};
use tracefold::input::NamedFile;
use tracefold::open::{Watch, candidates};
use tracefold::pipeline;
use tracefold::trace::{Only, Trace};

use crate::otf2::solver::Solver;
use crate::traces;

type Files = Vec<(String, Vec<u8>)>;

fn ranks(files: &Files, only: &Only) -> Result<Trace, String> {
    let named = files.iter().map(|(name, bytes)| NamedFile::new(name.clone(), bytes.as_slice()));
    let (report, early) = (&mut |_| {}, &mut |_, _: &_| {});
    let found = candidates(named.collect(), report).map_err(|error| error.to_string())?;
    let mut watch = Watch::new(report, early);
    found.ranks(only, &mut watch).map_err(|error| error.to_string())
}

fn tables(trace: &Trace, region: &str) -> Vec<(String, String)> {
    let settings = traces::settings(&[&format!("region={region}")]).unwrap();
    let folded = pipeline::run(trace, &settings).unwrap_or_else(|error| panic!("{error}"));
    let files = export(trace, &[folded], Format::Csv).unwrap().into_iter();
    let files = files.map(|file| (file.name, String::from_utf8(file.bytes).unwrap()));
    files.filter(|(name, _)| name != "facts.csv").collect()
}

/// The run of a solver, a `.prv` with its `.pcf` for each rank; of every second one regions and routines
/// have other numbers.
fn each_apart(solver: Solver) -> Files {
    let [prv, pcf] = solver.paraver().map(|bytes| String::from_utf8(bytes).unwrap());
    let mut files = vec![];
    for rank in 1..=solver.ranks {
        let other = rank % 2 == 0;
        let number = |value: &str| match (other, value) {
            (false, _) | (_, "0") => value.to_owned(),
            _ => (value.parse::<u64>().unwrap() + 40).to_string(),
        };
        let lines = prv.lines().filter(|line| line.starts_with(&format!("2:{rank}:")));
        let end = lines.clone().next_back().unwrap().split(':').nth(5).unwrap();
        let mut own = format!("#Paraver (01/01/2026 at 00:00):{end}_ns:1(1):1:1(1:1)\n");
        for line in lines {
            let fields = line.split(':').collect::<Vec<_>>();
            own += &format!("2:1:1:1:1:{}", fields[5]);
            for pair in fields[6..].chunks(2) {
                let is_counter = pair[0].starts_with("42");
                let value = if is_counter { pair[1].to_owned() } else { number(pair[1]) };
                own += &format!(":{}:{value}", pair[0]);
            }
            own += "\n";
        }
        let label = |line: &str| match line.split_once(' ') {
            Some((value, name))
                if value.parse::<u64>().is_ok() && !line.starts_with(['7', '9']) =>
            {
                format!("{} {name}\n", number(value))
            }
            _ => format!("{line}\n"),
        };
        files.push((format!("rank{rank}/a.prv"), own.into_bytes()));
        files.push((
            format!("rank{rank}/a.pcf"),
            pcf.lines().map(label).collect::<String>().into_bytes(),
        ));
    }
    files
}

#[test]
fn ranks_of_several_files_fold_to_the_bytes_of_one_file_of_all() {
    let solver = Solver { ranks: 4, slower: 15, ..Solver::default() };
    let [prv, pcf] = solver.paraver();
    let whole = traces::open(&[("a.prv", &prv), ("a.pcf", &pcf)]);
    let apart = ranks(&each_apart(solver), &Only::default()).unwrap();
    let objects = |trace: &Trace| {
        trace.threads.iter().map(|thread| thread.object.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(objects(&apart), objects(&whole));
    assert_eq!(apart.notices.iter().count(), 0);
    for region in ["User function:iteration", "User function:sweep", "Iteration:1"] {
        let [own, other] = [&apart, &whole].map(|trace| tables(trace, region));
        assert_eq!(own.len(), other.len());
        for (own, other) in own.iter().zip(&other) {
            assert!(own.1 == other.1, "{region}: {}", own.0);
        }
    }
    assert_eq!(apart.name, "rank1/a.prv and 3 more");
    let clock = "Clock: one for each file; every one begins at 0 (Paraver, in nanoseconds).";
    assert!(apart.provenance.sentences().contains(&clock.to_owned()), "{:?}", apart.provenance);
    // Of some of them alone.
    let only = Only { objects: "1.3.*".parse().unwrap(), ..Only::default() };
    let one = ranks(&each_apart(solver), &only).unwrap();
    assert_eq!(objects(&one), ["1.3.1"]);
}

#[test]
fn ranks_may_be_of_different_formats() {
    let solver = Solver { ranks: 2, ..Solver::default() };
    let mut files = each_apart(solver);
    files.truncate(2);
    files.extend(Solver { seed: 9, ..solver }.archive());
    let trace = ranks(&files, &Only::default()).unwrap();
    let objects = trace.threads.iter().map(|thread| thread.object.to_string());
    assert_eq!(objects.collect::<Vec<_>>(), ["1.1.1", "1.2.1", "1.3.1"]);
    let folding = traces::fold(&trace, &["region=User function:iteration"]);
    assert_eq!(folding.groups.iter().map(|group| group.instances).sum::<u32>(), 3 * 40);
}

/// A program that steps three times from a time on, as `perf script` prints it.
fn of_perf(process: u32, begin_ms: u64) -> Vec<u8> {
    let mut text = String::new();
    for step in 0..3 {
        for (name, ms) in [("step", 0), ("step__return", 7)] {
            let ms = begin_ms + 10 * step + ms;
            text += &format!(
                "app  {process}/{process} [000]  {}.{:03}000000: probe_app:{name}: (4004f0)\n\n",
                500 + ms / 1000,
                ms % 1000
            );
        }
    }
    text.into_bytes()
}

#[test]
fn recordings_of_perf_stay_on_the_clock_that_they_share() {
    let files =
        vec![("one.txt".to_owned(), of_perf(71, 250)), ("two.txt".to_owned(), of_perf(72, 100))];
    let trace = ranks(&files, &Only::default()).unwrap();
    let begins = trace.threads.iter().map(|thread| thread.moments().next().unwrap().time);
    assert_eq!(begins.collect::<Vec<_>>(), [150_000_000, 0]);
    assert_eq!(trace.start_on_clock_ns, Some(500_100_000_000));
    let clock = "Clock: one for all files, which say what it showed when they began (";
    assert!(trace.provenance.sentences().iter().any(|words| words.starts_with(clock)));
    let folding = traces::fold(&trace, &[]);
    assert_eq!(folding.groups[0].instances, 6);
}

#[test]
fn the_command_line_takes_ranks_of_one_name_in_folders_of_their_own() {
    let folder = std::env::temp_dir().join(format!("tracefold-ranks-{}", std::process::id()));
    let solver = Solver { ranks: 3, ..Solver::default() };
    for (name, bytes) in each_apart(solver) {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let run = |options: &[&str]| {
        let traces = (1..=3).map(|rank| folder.join(format!("rank{rank}/a.prv")));
        let ran = Command::new(env!("CARGO_BIN_EXE_tracefold"))
            .arg("regions")
            .args(traces.collect::<Vec<_>>())
            .args(options)
            .output()
            .unwrap();
        String::from_utf8([ran.stdout, ran.stderr].concat()).unwrap()
    };
    // The labels beside each are read without being named.
    let told = run(&["--as", "ranks"]);
    assert!(told.contains(" 120 ") && told.contains("User function:iteration"), "{told}");
    assert!(run(&[]).contains("there are 3 traces"), "{}", run(&[]));
    fs::remove_dir_all(Path::new(&folder)).unwrap();
}
