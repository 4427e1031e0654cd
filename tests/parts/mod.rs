//! Parts of a trace, read apart and put together in any order, fold to the bytes of the whole.

pub mod adding;
mod coming;
mod passes;
mod seeds;

use std::fs;
use std::path::Path;
use std::process::Command;

use tracefold::accumulate::{By, merge, thin};
use tracefold::input::NamedFile;
use tracefold::open::{self, candidates};
use tracefold::partial::{NotAPart, Partial};
use tracefold::pipeline;
use tracefold::settings::Settings;
use tracefold::trace::{Only, Trace};
use tracefold_generate::{Generated, Options, Random, Shape, big, generate, generate_with};

use adding::{Files, adds_up, folded, in_any_order, named, part, parts, same};

use crate::otf2::solver::Solver;
use crate::traces::{HEADER, MINI_PCF, MINI_PRV, inflated};

fn of_generated(Generated { prv, pcf, row, .. }: Generated) -> Files {
    let file = |name: &str, bytes| (name.to_owned(), bytes);
    vec![file("a.prv", prv), file("a.pcf", pcf), file("a.row", row)]
}

const BOTH: &[(By, &[u32])] = &[(By::Bytes, &[1, 2, 7, 64]), (By::Tasks, &[1, 2, 7])];

#[test]
fn of_the_bundled_example() {
    let text = inflated("static/example.prv.gz");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../static");
    let packed = fs::read(folder.join("example.prv.gz")).unwrap();
    let pcf = fs::read(folder.join("example.pcf")).unwrap();
    let files = vec![("a.prv".to_owned(), text), ("a.pcf".to_owned(), pcf.clone())];
    adds_up(&files, "User function:main loop", BOTH, 5);
    adds_up(&files, "User function:main", &[(By::Bytes, &[7])], 1);
    // Packed, by tasks alone.
    let files = vec![("a.prv.gz".to_owned(), packed), ("a.pcf".to_owned(), pcf)];
    adds_up(&files, "User function:main loop", &[(By::Tasks, &[2])], 1);
    let refused = part(&files, "User function:main loop", By::Bytes, [1, 2], &Only::default());
    let expected = "only a .prv that is not packed is read by bytes: unpack it, or accumulate by tasks \
                    (--by objects)";
    assert_eq!(refused.unwrap_err(), expected);
}

/// Sets of counters that take turns with stacks, references to memory, ranks with calls: of each a region.
fn of_all_kinds() -> impl Iterator<Item = (Files, &'static str)> {
    let shapes = [
        (Shape::Sets, "User function:step"),
        (Shape::References, "User function:main loop"),
        (Shape::Spmd, "MPI Collective Comm:MPI_Allreduce"),
    ];
    shapes.into_iter().map(|(shape, region)| {
        let options = Options { instances: Some(40), ..Options::default() };
        (of_generated(generate_with(shape, 3, &options)), region)
    })
}

#[test]
fn of_traces_of_all_kinds() {
    for (files, region) in of_all_kinds() {
        adds_up(&files, region, BOTH, 2);
    }
}

#[test]
fn of_megabytes_that_are_made_smaller_block_by_block() {
    let options = Options { size_mb: Some(15), ..Options::default() };
    let (labels, prv) = big::generate(7, &options, Vec::new()).unwrap();
    let files = vec![("a.prv".to_owned(), prv), ("a.pcf".to_owned(), labels.pcf)];
    adds_up(&files, "User function:step", &[(By::Bytes, &[1, 2, 5])], 1);
}

#[test]
fn of_a_text_of_perf_whose_region_has_no_name_but_that_of_its_marker() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/traces/calls-perf.txt.gz");
    let files = vec![("a.txt.gz".to_owned(), fs::read(file).unwrap())];
    adds_up(&files, "probe_phases:iteration", &[(By::Tasks, &[1, 2, 3])], 1);
}

#[test]
fn of_an_archive_by_tasks() {
    let solver = Solver { ranks: 5, ..Solver::default() };
    for region in ["User function:iteration", "User function:sweep"] {
        adds_up(&solver.archive(), region, &[(By::Tasks, &[1, 2, 7])], 3);
    }
}

/// A tiny trace: a region inside others and inside itself, ends and begins in one moment, samples,
/// sets that take turns, and marks that the next one ends.
fn random_trace(random: &mut Random, recurs: bool) -> String {
    let mut text = "#Paraver (01/01/2026 at 00:00):9000_ns:1(2):1:2(2:1,1:1)\n".to_owned();
    let mut open = [0u32; 3];
    let mut open_three = [false; 3];
    let mut time = 0u64;
    for _ in 0..20 + random.below(160) {
        let mut callers = String::new();
        time += [0, 1, 7, 30][random.below(4) as usize];
        let at = random.below(3) as usize;
        let object = ["1:1:1", "1:1:2", "1:2:1"][at];
        text += &format!("2:1:{object}:{time}");
        for _ in 0..1 + random.below(3) {
            let count = random.below(2000);
            match random.below(12) {
                0..=2 => {
                    let can_nest = recurs || !open_three[at];
                    let value =
                        if can_nest && random.below(2) == 0 { 3 } else { 4 + random.below(2) };
                    open_three[at] |= value == 3;
                    open[at] += 1;
                    text += &format!(":60000019:{value}:42000050:{count}");
                }
                3..=5 => {
                    open[at] = open[at].saturating_sub(1);
                    if open[at] == 0 {
                        open_three[at] = false;
                    }
                    text += &format!(":60000019:0:42000050:{count}");
                }
                6 => text += &format!(":41999999:{}:42000059:0", 1 + random.below(2)),
                // Who calls stands in a line of its own.
                7 => {
                    text += &format!(":50000001:{}", random.below(2));
                    callers = format!("2:1:{object}:{time}:70000001:{}:80000001:9\n", 5 + time % 2);
                }
                8 => text += &format!(":6000:{}", 1 + random.below(3)),
                9 => text += &format!(":42000059:{count}:42000050:{count}"),
                _ => {
                    let routine = 3 + random.below(4);
                    text += &format!(":30000000:{routine}:30000100:{routine}:42000050:{count}");
                }
            }
        }
        text += "\n";
        text += &callers;
        if random.below(4) == 0 {
            let begin = time.saturating_sub(5);
            text += &format!("1:1:{object}:{begin}:{time}:1\n");
        }
    }
    text
}

#[test]
fn of_regions_however_they_nest_and_wherever_the_border_lies() {
    let random = &mut Random::new(17);
    let (mut folds, mut recur, mut alike) = (0, 0, 0);
    for number in 0..400 {
        let recurs = number % 4 == 0;
        let text = random_trace(random, recurs);
        let files = vec![("a.prv".to_owned(), text.clone().into_bytes())];
        let trace = open::open(named(&files), &mut |_| {}).unwrap();
        for region in ["60000019:3", "60000019:4", "6000:2", "60000019:*"] {
            let whole = folded(&trace, region, &[]);
            let count = [2, 3, 5, 20][random.below(4) as usize];
            for (by, count) in [(By::Bytes, 1), (By::Bytes, count), (By::Tasks, 2)] {
                let what = format!("{region} {by:?} {count}\n{text}");
                let parts = parts(&files, region, by, count);
                let merged = in_any_order(parts, random);
                let trace = merged.trace().unwrap_or_else(|error| panic!("{what}: {error}"));
                match (&whole, folded(&trace, region, &[])) {
                    (Ok(whole), Ok(own)) => {
                        folds += 1;
                        same(whole, &own, &what);
                    }
                    (Ok(_), Err(error)) => {
                        assert!(error.contains("calls itself across"), "{error} {what}");
                        assert!(by == By::Bytes && count > 1, "{error} {what}");
                        recur += 1;
                    }
                    // A part knows no other regions to name.
                    (Err(_), Err(_)) => alike += 1,
                    (Err(error), Ok(_)) => panic!("{error} {what}"),
                }
            }
        }
    }
    assert!(folds > 1500 && recur < folds / 10 && alike > 100, "{folds} {recur} {alike}");
}

#[test]
fn what_a_fold_shows_is_kept_and_the_rest_is_summed_up() {
    for (shape, by) in
        [(Shape::Example, By::Bytes), (Shape::Sets, By::Tasks), (Shape::Bt, By::Bytes)]
    {
        let files = of_generated(generate(shape, 5));
        let trace = open::open(named(&files), &mut |_| {}).unwrap();
        let region =
            if shape == Shape::Sets { "User function:step" } else { "User function:main loop" };
        for most in ["200", "40"] {
            let few = [("samples", most)];
            let whole = folded(&trace, region, &few).unwrap();
            let merged = in_any_order(parts(&files, region, by, 3), &mut Random::new(2));
            let before = merged.write();
            let mut settings = Settings::default();
            settings.set("samples", most).unwrap();
            let thinner = thin(Partial::read(&before).unwrap(), &settings).unwrap().write();
            let what = format!("{shape:?} {most}: {} of {} bytes", thinner.len(), before.len());
            assert!(thinner.len() < before.len(), "{what}");
            // Once more changes nothing.
            let again = thin(Partial::read(&thinner).unwrap(), &settings).unwrap().write();
            assert!(again == thinner, "{what}");
            let trace = Partial::read(&thinner).unwrap().trace().unwrap();
            same(&whole, &folded(&trace, region, &few).unwrap(), &what);
            let more = folded(&trace, region, &[]).unwrap_err();
            assert!(more.contains("more samples of"), "{more}");
        }
    }
}

/// Two iterations of a function, in two parts.
fn mini() -> Files {
    vec![
        ("a.prv".to_owned(), MINI_PRV.as_bytes().to_vec()),
        ("a.pcf".to_owned(), MINI_PCF.as_bytes().to_vec()),
    ]
}

fn of_mini(number: u32, of: u32) -> Partial {
    part(&mini(), "User function:kernel", By::Bytes, [number, of], &Only::default()).unwrap()
}

#[test]
fn parts_that_do_not_add_up_say_what_each_has() {
    let refused = |other: Partial| {
        let parts = vec![("one".to_owned(), of_mini(1, 2)), ("two".to_owned(), other)];
        merge(parts).unwrap_err().to_string()
    };
    assert_eq!(
        refused(of_mini(1, 3)),
        "one and two overlap: both have bytes 0 to 197 of 593; leave one of them out"
    );
    let unlike = |what: &str, one: &str, two: &str| {
        format!("parts of unlike {what} do not add up: one has {one}, two has {two}")
    };
    let all = Only::default();
    let region = part(&mini(), "60000019:4", By::Bytes, [2, 2], &all).unwrap();
    let one = "User function:kernel (60000019:3)";
    assert_eq!(refused(region), unlike("regions", one, "User function:4 (60000019:4)"));
    let tasks = part(&mini(), "kernel", By::Tasks, [2, 2], &all).unwrap();
    let two = "by tasks, in 2 shares";
    assert_eq!(refused(tasks), unlike("splits", "by bytes, of which there are 593", two));
    let only = Only { counters: Some(vec!["PAPI_TOT_INS".to_owned()]), ..Only::default() };
    let fewer = part(&mini(), "kernel", By::Bytes, [2, 2], &only).unwrap();
    assert_eq!(refused(fewer), unlike("readings", "all of it", "only counters PAPI_TOT_INS"));
    let mut files = mini();
    files[0].0 = "b.prv".to_owned();
    let other = part(&files, "kernel", By::Bytes, [2, 2], &all).unwrap();
    assert_eq!(refused(other), unlike("traces", "a.prv of 593 bytes", "b.prv of 593 bytes"));
    let mut files = mini();
    files[1].1 = MINI_PCF.replace("3   kernel", "3   kernel\n4   other").into_bytes();
    let other = part(&files, "kernel", By::Bytes, [2, 2], &all).unwrap();
    let words = refused(other);
    assert!(
        words.starts_with("parts of unlike labels or headers do not add up: one has the sum "),
        "{words}"
    );
    assert_eq!(merge(vec![]).unwrap_err().to_string(), "there is no part to merge");
}

#[test]
fn what_is_missing_is_said_and_what_crosses_it_is_no_instance() {
    let files = of_generated(generate(Shape::Example, 4));
    let region = "User function:main loop";
    let whole = folded(&open::open(named(&files), &mut |_| {}).unwrap(), region, &[]).unwrap();
    let instances = |files: &Files| {
        let table = &files.iter().find(|(name, _)| name == "instances.csv").unwrap().1;
        let lines = String::from_utf8(table.clone()).unwrap();
        lines.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    // Without the limits of outliers, which the others move.
    let place = |line: &String| line.split(',').skip(2).take(5).collect::<Vec<_>>().join(",");
    let whole = instances(&whole).iter().map(place).collect::<Vec<_>>();
    for (by, missing) in [(By::Bytes, vec![1, 4]), (By::Bytes, vec![8]), (By::Tasks, vec![2])] {
        let count = if by == By::Bytes { 8 } else { 4 };
        let there = (1..=count).filter(|number| !missing.contains(number));
        let there = there.map(|number| part(&files, region, by, [number, count], &Only::default()));
        let there = there.collect::<Result<Vec<_>, _>>().unwrap();
        let part = in_any_order(there, &mut Random::new(1));
        let words = part.missing_words().unwrap();
        assert_eq!(words.matches(" to ").count().max(1), missing.len(), "{words}");
        let trace = part.trace().unwrap();
        let settings = [("outliers", "none"), ("group", "none")];
        let some = folded(&trace, region, &settings).unwrap();
        let json = some.iter().find(|(name, _)| name == "folding.json").unwrap();
        let said = String::from_utf8(json.1.clone()).unwrap();
        assert!(said.contains(&format!("\"partial\":\"{words}\"")), "{words}");
        let some = instances(&some).iter().map(place).collect::<Vec<_>>();
        assert!(some.iter().all(|line| whole.contains(line)), "no instance that is none");
        let share = some.len() as f64 / whole.len() as f64;
        let expected = 1.0 - missing.len() as f64 / f64::from(count);
        // Two at each border and thread may be lost.
        assert!((share - expected).abs() < 0.1, "{by:?} {share} of {expected}");
    }
}

#[test]
fn bytes_that_are_no_part_say_why() {
    let bytes = of_mini(1, 1).write();
    let read = |bytes: &[u8]| Partial::read(bytes).map(|_| ()).unwrap_err();
    assert_eq!(read(b"#Paraver"), NotAPart::Other);
    for length in 15..bytes.len() {
        assert_eq!(read(&bytes[..length]), NotAPart::Damaged, "{length} bytes");
    }
    for at in (19..bytes.len()).step_by(7) {
        let mut other = bytes.clone();
        other[at] ^= 4;
        assert!(matches!(read(&other), NotAPart::Damaged | NotAPart::Version(_)), "byte {at}");
    }
    // The number of the format lies behind the mark, the program's version behind that.
    let mut other = bytes.clone();
    other[15] = 9;
    let own = env!("CARGO_PKG_VERSION");
    let words = format!(
        "found a part that Tracefold {own} (format 9) wrote, expected one of Tracefold {own}: parts are read \
         by the version that made them"
    );
    assert_eq!(read(&other).to_string(), words);
}

#[test]
fn a_part_opens_as_the_trace_that_it_is_of_and_folds_its_region_alone() {
    let bytes = of_mini(1, 1).write();
    let trace = open::open(vec![NamedFile::new("a.part", bytes.as_slice())], &mut |_| {}).unwrap();
    let whole = open::open(named(&mini()), &mut |_| {}).unwrap();
    let [own, of_whole] = [&trace, &whole].map(|trace| folded(trace, "kernel", &[]).unwrap());
    same(&of_whole, &own, "opened");
    let (rows, first) = pipeline::catalogue(&trace, &Settings::default());
    assert_eq!(first.as_deref(), Some("User function:kernel"));
    assert!(rows.iter().all(|row| row.region == "User function:kernel"));
    let refused = folded(&trace, "Burst:*", &[]).unwrap_err();
    assert!(refused.starts_with("unknown region \"Burst:*\""), "{refused}");
    // Beside another trace it is one of two.
    let files = vec![
        NamedFile::new("a.part", bytes.as_slice()),
        NamedFile::new("a.prv", MINI_PRV.as_bytes()),
    ];
    let found = candidates(files, &mut |_| {}).unwrap();
    assert_eq!(found.traces.len(), 2);
    let cut = &bytes[..bytes.len() / 2];
    let error = open::open(vec![NamedFile::new("a.part", cut)], &mut |_| {}).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a.part: found a part that is cut or damaged, expected one as it was written: copy it again, or \
         accumulate it again"
    );
}

#[test]
fn what_cannot_be_accumulated_is_refused_in_words() {
    let all = Only::default();
    let refused =
        |asked: &str, by: By, files: &Files| part(files, asked, by, [1, 2], &all).unwrap_err();
    assert_eq!(
        refused("User function", By::Bytes, &mini()),
        "--region: \"User function\" is all regions of User function, and a part is of one: say User \
         function:VALUE"
    );
    let words = refused("kernal", By::Bytes, &mini());
    assert!(
        words.starts_with("--region: unknown region \"kernal\"; the nearest are ")
            && words.contains("User function:kernel"),
        "{words}"
    );
    assert!(
        words.ends_with("clusters and iterations are found in a whole run: they do not add up"),
        "{words}"
    );
    // Times that go back.
    let back = format!("{HEADER}2:1:1:1:1:9:60000019:3\n2:1:1:1:1:5:60000019:0\n");
    let back = vec![("a.prv".to_owned(), back.into_bytes())];
    let words = part(&back, "60000019:3", By::Bytes, [1, 1], &all).unwrap_err();
    assert!(words.starts_with("times of the thread 1.1.1 go back"), "{words}");
    adds_up_to_nothing(&back);
    let energy = of_generated(generate(Shape::Rapl, 1));
    let words = refused("User function:loop", By::Tasks, &energy);
    assert!(words.contains("is a register of energy"), "{words}");
    let files = vec![("a.part".to_owned(), of_mini(1, 1).write())];
    let words = refused("kernel", By::Tasks, &files);
    assert_eq!(
        words,
        "a.part: found a part of a fold, expected a trace; `tracefold merge` puts parts together"
    );
}

/// By tasks times that go back are put in order, as of the whole.
fn adds_up_to_nothing(files: &Files) {
    let trace = open::open(named(files), &mut |_| {}).unwrap();
    let part = part(files, "60000019:3", By::Tasks, [1, 1], &Only::default()).unwrap();
    let own = part.trace().unwrap();
    let notices = |trace: &Trace| trace.notices.iter().cloned().collect::<Vec<_>>();
    assert_eq!(notices(&own), notices(&trace));
}

/// What stands between the tags of a recipe of the guide's page on parts.
pub fn recipe(id: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../static/guide/cluster.html");
    let guide = fs::read_to_string(file).unwrap();
    let (_, recipe) = guide.split_once(&format!("id=\"{id}\">")).unwrap();
    recipe.split_once("</pre>").unwrap().0.replace("&amp;", "&").replace("&quot;", "\"")
}

/// Runs a script of a shell in a folder, with this program.
pub fn shell(folder: &Path, script: &str, variables: &[(&str, &str)]) {
    let bin = Path::new(env!("CARGO_BIN_EXE_tracefold")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.current_dir(folder).args(["-ec", script]).env("PATH", path);
    let output = shell.envs(variables.iter().copied()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_recipes_of_the_guide_fold_to_the_bytes_of_the_whole() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("parts-recipes");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let files = of_generated(generate(Shape::Example, 6));
    for (name, bytes) in &files {
        fs::write(folder.join(name.replace("a.", "run.")), bytes).unwrap();
    }
    let whole =
        "tracefold fold run.prv --region 'User function:main loop' --out whole --format csv,json";
    shell(&folder, whole, &[]);
    shell(&folder, &recipe("recipe-shell"), &[]);
    shell(&folder, "diff -r whole folded && rm -r folded && mv all.part first && rm *.part", &[]);
    let clear = "diff -r whole folded && rm -r folded *.part *.durations";
    shell(&folder, &recipe("recipe-passes"), &[]);
    shell(&folder, clear, &[]);
    // What Slurm does with the script of an array: it runs it with the number of each. Where it is installed
    // `python/test_engines.py` has Slurm itself do so.
    let array = recipe("recipe-slurm");
    assert!(array.contains("#SBATCH --array=1-8\n"));
    for number in (1..=8).rev() {
        shell(&folder, &array, &[("SLURM_ARRAY_TASK_ID", &number.to_string())]);
    }
    let merge = "tracefold merge *.part --partial all.part --out folded --format csv,json";
    shell(&folder, &format!("{merge} && diff -r whole folded && cmp first all.part"), &[]);
    let again = "tracefold fold all.part --out again --format csv,json && diff -r whole again";
    shell(&folder, again, &[]);
    // What is missing, and what cannot be read, have a status of their own.
    let status = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tracefold"));
        let output = command.current_dir(&folder).args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, words) = status(&["merge", "1.part", "2.part", "4.part", "--out", "some"]);
    assert_eq!(code, Some(4));
    assert!(words.starts_with("tracefold: Parts of the trace are missing: bytes "), "{words}");
    let (code, words) = status(&["merge", "1.part", "2.part", "--out", "some", "--incomplete"]);
    assert_eq!(code, Some(0));
    assert!(words.contains("notice: Parts of the trace are missing"), "{words}");
    assert_eq!(status(&["merge", "1.part", "1.part", "--partial", "x"]).0, Some(3));
    assert_eq!(status(&["merge", "run.prv", "--partial", "x"]).0, Some(3));
    assert_eq!(status(&["accumulate", "run.prv", "--region", "x", "-o", "x"]).0, Some(2));
    for command in ["iterations", "clusters", "efficiency", "profile"] {
        let (code, words) = status(&[command, "1.part"]);
        assert_eq!(code, Some(3), "{command}: {words}");
        assert!(words.contains("has the samples of one region alone"), "{command}: {words}");
    }
}
