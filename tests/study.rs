//! Pairs and series of the thesis (Servat 2015, ch. 5), of runs that are made up as its figures and its text say that they
//! ran: what the text reads off the figures is what the comparison says.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tracefold_generate::{Options, Shape, generate_with};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("study-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn write(folder: &Path, name: &str, shape: Shape, seed: u64, options: &Options) {
    let made = generate_with(shape, seed, options);
    for (kind, bytes) in [("prv", made.prv), ("pcf", made.pcf), ("row", made.row)] {
        fs::write(folder.join(format!("{name}.{kind}")), bytes).unwrap();
    }
}

fn tracefold(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracefold"));
    let output = command.current_dir(folder).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// A program before and after its change, compared.
fn pair(name: &str, shape: Shape, seed: u64) -> (PathBuf, Value) {
    let folder = folder(&format!("{name}-{seed}"));
    write(&folder, "before", shape, seed, &Options::default());
    let modified = Options { modified: true, ..Options::default() };
    write(&folder, "after", shape, seed + 100, &modified);
    let told = tracefold(&folder, &["compare", "before.prv", "after.prv", "--json"]);
    (folder, serde_json::from_slice(&told.stdout).unwrap())
}

const SEEDS: [u64; 3] = [1, 2, 3];

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// That the interval of a change has what is true.
fn covers(row: &Value, [before, after]: [f64; 2]) {
    let [low, high] = [0, 1].map(|end| number(&row["interval"][end]));
    let truth = after / before - 1.0;
    assert!(low < truth && truth < high, "{truth} in [{low}, {high}]: {row}");
}

/// That a phase takes so many ms on each side, to a fiftieth.
fn takes(row: &Value, ms: [f64; 2]) {
    for (side, truth) in ["a_ms", "b_ms"].into_iter().zip(ms) {
        let own = number(&row[side]);
        assert!((own / truth - 1.0).abs() < 0.02, "{own} for {truth}: {row}");
    }
}

fn verdicts(told: &Value) -> Vec<&str> {
    told["phases"].as_array().unwrap().iter().map(|of| of["verdict"].as_str().unwrap()).collect()
}

fn structure(told: &Value) -> Vec<(&str, &str)> {
    let changes = told["structure"].as_array().unwrap().iter();
    let words = |of: &'_ Value, key: &str| of[key].as_str().unwrap().to_owned().leak() as &str;
    changes.map(|of| (words(of, "kind"), words(of, "routine"))).collect()
}

/// What `comparison_counters.csv` or another table has, a row each by column.
fn table(path: &Path) -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let head = lines.next().unwrap().collect::<Vec<_>>();
    lines.map(|line| head.iter().cloned().zip(line).collect()).collect()
}

/// Figs. 5.1 and 5.2: two phases of 23 and 27 ms where there were four, and all of it is 6 ms shorter.
#[test]
fn loops_that_were_merged_are_one_phase_and_what_they_save_is_told() {
    for seed in SEEDS {
        let (_, told) = pair("cgpop", Shape::Cgpop, seed);
        covers(&told["total"], [56.0, 50.0]);
        assert_eq!(told["total"]["verdict"], "faster");
        assert_eq!(verdicts(&told), ["no change seen", "faster"], "{told:#}");
        takes(&told["phases"][0], [23.0, 23.0]);
        takes(&told["phases"][1], [29.0, 27.0]);
        assert_eq!(
            structure(&told),
            [("merged", "pcg_chrongear_linear"), ("lost", "pcg_chrongear_linear")]
        );
    }
}

/// Fig. 5.9: the forces run at 2600 MIPS in place of 1400, with fewer cycles per instruction; nothing else changes.
#[test]
fn roots_that_are_calculated_ahead_make_one_phase_faster() {
    for seed in SEEDS {
        let (folder, told) = pair("pmemd", Shape::Pmemd, seed);
        let quiet = "no change seen";
        assert_eq!(verdicts(&told), [quiet, "faster", quiet, quiet], "{told:#}");
        let row = &told["phases"][1];
        assert_eq!(row["routine"], "pairs_calc_efv");
        covers(row, [58.0, 34.6]);
        covers(&told["total"], [83.7, 60.3]);
        assert_eq!(structure(&told), []);
        tracefold(&folder, &["compare", "before.prv", "after.prv", "--out", "out"]);
        let rows = table(&folder.join("out/comparison_counters.csv"));
        let of = |of: &str, counter: &str| {
            let is = |row: &&BTreeMap<String, String>| {
                row["phase"] == "2" && row["of"] == of && row["counter"] == counter
            };
            let row = rows.iter().find(is).unwrap();
            ["a", "b"].map(|side| row[side].parse::<f64>().unwrap())
        };
        for (told, truth) in [
            (of("per_us", "PAPI_TOT_INS"), [1400.0, 2600.0]),
            // 1.6 and 0.9 cycles per instruction.
            (of("per_instruction", "PAPI_TOT_CYC"), [2300.0 / 1400.0, 2300.0 / 2600.0]),
        ] {
            for (told, truth) in told.into_iter().zip(truth) {
                assert!((told / truth - 1.0).abs() < 0.02, "{told} for {truth}");
            }
        }
    }
}

/// Fig. 5.14: the first phase runs at 4200 MIPS in place of 2600, and fewer of its cycles are stalled.
#[test]
fn divisions_that_became_multiplications_stall_less() {
    for seed in SEEDS {
        let (folder, told) = pair("arts_cf", Shape::ArtsCf, seed);
        let quiet = "no change seen";
        assert_eq!(verdicts(&told), ["faster", quiet, quiet, quiet], "{told:#}");
        covers(&told["phases"][0], [4200.0, 2600.0]);
        let ratios = told["ratios"].as_array().unwrap();
        let [stalled] = &ratios[..] else { panic!("{ratios:?}") };
        assert_eq!((&stalled["phase"], &stalled["counter"]), (&1.into(), &"PAPI_RES_STL".into()));
        covers(stalled, [0.75 / 2600.0, 0.58 / 4200.0]);
        // The picture shows what changed, and each phase with a line that is sampled in it.
        tracefold(
            &folder,
            &["compare", "before.prv", "after.prv", "--out", "out", "--format", "svg"],
        );
        let picture = fs::read_to_string(folder.join("out/comparison.svg")).unwrap();
        assert!(picture.contains("Stalled cycles") && !picture.contains("L1D misses"));
        for line in ["[667]", "[722]", "[773]"] {
            assert_eq!(picture.matches(line).count(), 2, "{line}");
        }
    }
}

/// Fig. 5.21 and Tables 5.12, 5.13: at a higher frequency the shape stays and the amplitude grows, and of the cores'
/// energy an instruction takes least at the lowest.
#[test]
fn phases_of_one_routine_are_the_same_at_each_frequency() {
    const RUNS: [(&str, [f64; 2], [f64; 2]); 3] = [
        ("1.2", [600.0, 2400.0], [4.9, 5.8]),
        ("2.0", [900.0, 4000.0], [10.6, 11.9]),
        ("2.6", [1100.0, 5000.0], [16.4, 18.3]),
    ];
    const MILLIONS: [f64; 4] = [22.0, 110.0, 16.5, 60.0];
    for seed in SEEDS {
        let folder = folder(&format!("isc-{seed}"));
        for ((name, ..), more) in RUNS.iter().zip(0..) {
            let mhz = Some(1000.0 * name.parse::<f64>().unwrap());
            let options = Options { mhz, instances: Some(300), ..Options::default() };
            write(&folder, name, Shape::Isc, seed + 100 * more, &options);
        }
        let names = RUNS.map(|(name, ..)| format!("{name}.prv"));
        let mut arguments = vec!["compare"];
        arguments.extend(names.iter().map(String::as_str));
        arguments.extend(["--series", "freq=1.2,2.0,2.6", "--json"]);
        let told: Value = serde_json::from_slice(&tracefold(&folder, &arguments).stdout).unwrap();
        let phases = told["phases"].as_array().unwrap();
        assert_eq!(phases.len(), 4, "{told:#}");
        for (phase, (row, millions)) in phases.iter().zip(MILLIONS).enumerate() {
            for (run, (_, mips, watts)) in RUNS.iter().enumerate() {
                let level = phase % 2;
                let near = |measure: &str, truth: f64, share: f64| {
                    let own = number(&row["measures"][measure]["runs"][run]["value"]);
                    assert!((own / truth - 1.0).abs() < share, "{measure} {own} for {truth}");
                };
                near("time", 1000.0 * millions / mips[level], 0.02);
                near("instructions", mips[level], 0.04);
                near("power", watts[level], 0.05);
            }
            assert_eq!(row["measures"]["time"]["best"], 2, "{row}");
        }
        assert_eq!(told["total"]["measures"]["work"]["best"], 0);
    }
}

/// The same of two runs alone, of many seeds: all at once lasts another time.
#[test]
fn a_run_at_another_frequency_has_the_phases_that_it_had() {
    for seed in 0..20 {
        let folder = folder(&format!("frequency-{seed}"));
        for (name, mhz) in [("a", 1200.0), ("b", 2600.0)] {
            let options = Options { mhz: Some(mhz), ..Options::default() };
            write(&folder, name, Shape::Isc, 2 * seed + u64::from(name == "b"), &options);
        }
        let told = tracefold(&folder, &["compare", "a.prv", "b.prv", "--json"]);
        let told: Value = serde_json::from_slice(&told.stdout).unwrap();
        assert_eq!(verdicts(&told), ["faster"; 4], "{seed}");
        assert_eq!(structure(&told), [], "{seed}");
    }
}

/// Figs. 5.23a and b: where matrices are transposed, one instruction of 25 and of 90 misses the last level, and memory
/// draws 12 and 17 W.
#[test]
fn sweeps_that_transpose_miss_and_draw_power() {
    // Length in ms, MIPS, watts of memory, and, where many miss, how many instructions execute for one that does.
    const PHASES: [(f64, f64, f64, Option<f64>); 5] = [
        (120.0, 4000.0, 7.0, None),
        (20.0, 4500.0, 7.0, None),
        (36.0, 500.0, 12.0, Some(25.0)),
        (110.0, 4500.0, 7.0, None),
        (30.0, 1800.0, 17.0, Some(90.0)),
    ];
    let whole = PHASES.iter().map(|(ms, ..)| ms).sum::<f64>();
    for seed in SEEDS {
        let folder = folder(&format!("genesis-{seed}"));
        let options = Options { instances: Some(400), ..Options::default() };
        write(&folder, "run", Shape::Genesis, seed, &options);
        tracefold(&folder, &["fold", "run.prv", "--out", "out"]);
        let rows = table(&folder.join("out/phases.csv"));
        let mut start = 0.0;
        for (ms, mips, watts, of_a_miss) in PHASES {
            let middle = (start + ms / 2.0) / whole;
            start += ms;
            let of = |row: &BTreeMap<String, String>, key: &str| row[key].parse::<f64>().unwrap();
            let row = rows.iter().find(|row| middle < of(row, "end")).unwrap();
            let near = |key: &str, own: f64, truth: f64| {
                assert!((own / truth - 1.0).abs() < 0.08, "{key} {own} for {truth}, seed {seed}");
            };
            let instructions = of(row, "PAPI_TOT_INS");
            near("MIPS", instructions, mips);
            // Nanojoules per microsecond.
            near("W", of(row, "rapl:::DRAM_ENERGY:PACKAGE0") / 1e3, watts);
            if let Some(truth) = of_a_miss {
                near("instructions of a miss", instructions / of(row, "PAPI_L3_TCM"), truth);
            }
        }
    }
}
