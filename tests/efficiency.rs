//! How well runs use their threads, as `tracefold efficiency` tells: traces written out here.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

const LABELS: &str = "EVENT_TYPE
7 42000050 PAPI_TOT_INS [Instr completed]
7 42000059 PAPI_TOT_CYC [Total cycles]
";

/// One rank that computes for 0.8 of 1 s: two instructions in each of its cycles, of 1 ns.
const ONE: &str = "#Paraver (01/02/2026 at 10:00):1000000000_ns:1(1):1:1(1:1)
1:1:1:1:1:0:800000000:1
2:1:1:1:1:800000000:50000002:10:42000050:1600000000:42000059:800000000
1:1:1:1:1:800000000:1000000000:13
";

/// Two ranks that compute for 0.4 and 0.6 of 0.625 s. What the second one reads on leaving a call is
/// not of its burst.
const TWO: &str = "#Paraver (01/02/2026 at 10:00):625000000_ns:1(2):1:2(1:1,1:1)
1:1:1:1:1:0:400000000:1
1:2:1:2:1:0:200000000:1
2:2:1:2:1:200000000:50000002:10:42000050:300000000:42000059:200000000
2:2:1:2:1:210000000:50000002:0:42000050:777:42000059:777
1:2:1:2:1:210000000:610000000:1
2:1:1:1:1:400000000:50000002:10:42000050:800000000:42000059:400000000
2:2:1:2:1:610000000:50000002:10:42000050:900000000:42000059:400000000
1:2:1:2:1:610000000:625000000:13
";

/// Two threads; the master computes alone, then both in a parallel region.
const OPENMP: &str = "#Paraver (01/02/2026 at 10:00):1000_ns:1(2):1:1(2:1)
1:1:1:1:1:0:600:1
2:1:1:1:1:200:60000001:1
2:2:1:1:2:200:60000018:1
1:2:1:1:2:200:500:1
2:2:1:1:2:500:60000018:0
2:1:1:1:1:700:60000001:0
1:1:1:1:1:700:900:1
1:1:1:1:1:900:1000:0
";

/// A rank that computes 5000 ns, then twelve passes of two calls, behind each of which it computes
/// 400 ns: 1200 instructions in 800 cycles.
fn passes() -> String {
    let mut records = String::new();
    let mut now = 0;
    let mut computes = |ns: u64, counts: [u64; 2], call: [u64; 3]| {
        let end = now + ns;
        let [code, value, lasts] = call;
        let [instructions, cycles] = counts;
        records += &format!(
            "1:1:1:1:1:{now}:{end}:1\n\
             2:1:1:1:1:{end}:{code}:{value}:42000050:{instructions}:42000059:{cycles}\n\
             2:1:1:1:1:{}:{code}:0:42000050:9:42000059:9\n",
            end + lasts
        );
        now = end + lasts;
    };
    let [send, all_reduce, last] =
        [[50_000_001, 1, 50], [50_000_002, 10, 100], [50_000_003, 32, 10]];
    computes(5_000, [5_000, 5_000], send);
    for pass in 1..=12 {
        computes(400, [1_200, 800], all_reduce);
        computes(400, [1_200, 800], if pass < 12 { send } else { last });
    }
    format!("#Paraver (01/02/2026 at 10:00):{now}_ns:1(1):1:1(1:1)\n{records}")
}

/// No state but that of a thread that waits.
const SILENT: &str = "#Paraver (01/02/2026 at 10:00):1000_ns:1(1):1:1(1:1)
2:1:1:1:1:200:60000019:1
2:1:1:1:1:700:60000019:0
1:1:1:1:1:700:1000:0
";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    for (name, text) in [("one", ONE), ("two", TWO), ("openmp", OPENMP), ("silent", SILENT)] {
        // Runs lie in folders of their own, and all are called the same.
        fs::create_dir_all(folder.join(name)).unwrap();
        fs::write(folder.join(name).join("run.prv"), text).unwrap();
        fs::write(folder.join(name).join("run.pcf"), LABELS).unwrap();
    }
    folder
}

/// Exit status, stdout, stderr.
fn efficiency(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracefold"));
    let done = command.current_dir(folder).arg("efficiency").args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (done.status.code().unwrap(), text(done.stdout), text(done.stderr))
}

#[track_caller]
fn is(row: &Value, expected: Value) {
    for (key, expected) in expected.as_object().unwrap() {
        let near = match (row[key].as_f64(), expected.as_f64()) {
            (Some(found), Some(expected)) => (found - expected).abs() <= 1e-12 * expected.abs(),
            _ => row[key] == *expected,
        };
        assert!(near, "{key}: {} and not {expected}", row[key]);
    }
}

#[test]
fn runs_are_compared_to_the_first_each_with_the_labels_beside_it() {
    let folder = folder("efficiency");
    let (status, text, told) = efficiency(&folder, &["one/run.prv", "two/run.prv", "--json"]);
    assert_eq!((status, told.as_str()), (0, ""));
    let rows: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(rows.len(), 2);
    is(
        &rows[0],
        json!({
            "trace": "one/run.prv", "ranks": 1, "threads": 1, "runtime_ns": 1_000_000_000,
            "useful_total_ns": 800_000_000, "parallel_efficiency": 0.8, "load_balance": 1.0,
            "communication_efficiency": 0.8, "ipc": 2.0, "frequency_ghz": 1.0,
            "computation_scalability": 1.0, "instruction_scalability": 1.0, "speedup": 1.0,
            "global_efficiency": 0.8, "omp_region_efficiency": null,
        }),
    );
    is(
        &rows[1],
        json!({
            "ranks": 2, "threads": 2, "runtime_ns": 625_000_000, "useful_avg_ns": 500_000_000,
            "useful_max_ns": 600_000_000, "useful_total_ns": 1_000_000_000,
            "instructions": 2_000_000_000, "cycles": 1_000_000_000,
            "parallel_efficiency": 0.8, "load_balance": 5.0 / 6.0,
            "communication_efficiency": 0.96, "computation_scalability": 0.8,
            "global_efficiency": 0.64, "instruction_scalability": 0.8, "ipc_scalability": 1.0,
            "frequency_scalability": 1.0, "speedup": 1.6,
        }),
    );
    let with_labels = ["one/run.pcf", "one/run.prv", "two/run.pcf", "two/run.prv", "--json"];
    assert_eq!(efficiency(&folder, &with_labels).1, text);
    let (_, table, _) = efficiency(&folder, &["one/run.prv", "two/run.prv"]);
    let line = |begins: &str| {
        let line = table.lines().find(|line| line.trim_start().starts_with(begins));
        line.unwrap_or_else(|| panic!("no {begins} in {table}"))
            .split_whitespace()
            .collect::<Vec<_>>()
    };
    assert_eq!(line("1 rank"), ["1", "rank", "2", "ranks"]);
    assert_eq!(line("Load balance, %")[3..], ["100.0", "83.3"]);
    assert_eq!(line("Global efficiency, %")[3..], ["80.0", "64.0"]);
    assert_eq!(line("Run time, ms")[3..], ["1000.000", "625.000"]);
}

#[test]
fn a_run_of_threads_has_a_second_list_and_alone_it_is_not_compared() {
    let folder = folder("efficiency-openmp");
    let (status, table, told) = efficiency(&folder, &["openmp/run.prv"]);
    assert_eq!(status, 0, "{told}");
    let expected = "\
Efficiencies                       run.prv
                                 2 threads
  Parallel efficiency, %              55.0
    Load balance, %                   68.8
    Communication efficiency, %       80.0
OpenMP region efficiency, %           85.0
Serial efficiency, %                  80.0
";
    assert!(table.starts_with(expected), "{table}");
    for compared in ["scalability", "Global", "Speedup", "IPC"] {
        assert!(!table.contains(compared), "{table}");
    }
    let expected = "tracefold: run.prv: Instructions were not counted: no IPC.\n\
                    tracefold: run.prv: Cycles were not counted: no IPC, no frequency.\n";
    assert_eq!(told, expected);
    let (_, json, _) = efficiency(&folder, &["openmp/run.prv", "--json"]);
    let rows: Value = serde_json::from_str(&json).unwrap();
    is(
        &rows[0],
        json!({"omp_regions": 1, "omp_time_ns": 500, "omp_useful_avg_ns": 350,
               "serial_useful_ns": 400, "omp_region_efficiency": 0.85,
               "serial_region_efficiency": 0.8, "ipc": null, "instructions": null}),
    );
}

#[test]
fn iterations_have_the_factors_of_a_run_of_them_alone() {
    let folder = folder("efficiency-iterations");
    fs::write(folder.join("one/run.prv"), passes()).unwrap();
    let (status, json, told) = efficiency(&folder, &["one/run.prv", "--json"]);
    assert_eq!((status, told.as_str()), (0, ""));
    let rows: Value = serde_json::from_str(&json).unwrap();
    // What is read on leaving a call is of no burst, and neither is what comes before the first pass.
    is(
        &rows[0],
        json!({
            "instructions": 33_800, "cycles": 24_200, "iteration_instructions": 28_800,
            "iteration_cycles": 19_200, "iteration_ipc": 1.5, "iteration_frequency_ghz": 2.0,
            "iteration_runtime_ns": 11_400, "iteration_useful_total_ns": 9_600,
            "iteration_parallel_efficiency": 800.0 / 950.0, "iteration_load_balance": 1.0,
            "iteration_communication_efficiency": 800.0 / 950.0,
        }),
    );
    let (_, table, _) = efficiency(&folder, &["one/run.prv"]);
    let ends = |begins: &str| {
        let line = table.lines().find(|line| line.trim_start().starts_with(begins)).unwrap();
        let words = line.split_whitespace().collect::<Vec<_>>();
        [words[words.len() - 2].to_owned(), words[words.len() - 1].to_owned()]
    };
    assert_eq!(ends("Efficiencies"), ["run.prv", "iterations"]);
    assert_eq!(ends("IPC of useful code"), ["1.40", "1.50"]);
    assert_eq!(ends("Frequency, GHz"), ["1.66", "2.00"]);
    assert_eq!(ends("Useful instructions"), ["33800", "28800"]);
    // Of several runs there is no column of iterations, and of one without there is none either.
    let (_, table, _) = efficiency(&folder, &["one/run.prv", "two/run.prv"]);
    assert!(!table.contains("iterations"), "{table}");
    let (_, json, _) = efficiency(&folder, &["two/run.prv", "--json"]);
    let rows: Value = serde_json::from_str(&json).unwrap();
    is(&rows[0], json!({"iteration_ipc": null, "iteration_runtime_ns": null}));
}

#[test]
fn what_cannot_be_had_is_told_and_is_no_number() {
    let folder = folder("efficiency-none");
    let sentence = "No efficiencies: nothing tells when threads compute.";
    let (status, out, told) = efficiency(&folder, &["silent/run.prv"]);
    assert_eq!((status, out.as_str(), told), (4, "", format!("tracefold: {sentence}\n")));
    let (status, json, told) = efficiency(&folder, &["silent/run.prv", "one/run.prv", "--json"]);
    assert_eq!((status, told), (0, format!("tracefold: silent/run.prv: {sentence}\n")));
    let rows: Value = serde_json::from_str(&json).unwrap();
    is(&rows[0], json!({"threads": null, "parallel_efficiency": null, "runtime_ns": null}));
    // Without a reference there is nothing to compare to.
    is(&rows[1], json!({"parallel_efficiency": 0.8, "computation_scalability": null}));
    let (_, table, _) = efficiency(&folder, &["silent/run.prv", "one/run.prv"]);
    let parallel = table.lines().find(|line| line.contains("Parallel efficiency")).unwrap();
    assert!(parallel.split_whitespace().collect::<Vec<_>>().ends_with(&["–", "80.0"]), "{table}");

    let (status, _, told) = efficiency(&folder, &["one/run.pcf"]);
    let first = "tracefold: run.pcf: found only the labels of a trace, expected a trace: ";
    assert!(status == 3 && told.starts_with(first), "{told}");
    let (status, _, told) = efficiency(&folder, &["one/run.prv", "nowhere.prv"]);
    assert!(status == 3 && told.contains("nowhere.prv: "), "{told}");
    let (status, _, told) = efficiency(&folder, &[]);
    assert!(status == 2 && told.contains("<TRACE>..."), "{told}");
}

#[test]
fn a_table_has_a_line_for_each_run_with_the_numbers_of_the_json() {
    let folder = folder("efficiency-table");
    let arguments = ["one/run.prv", "two/run.prv", "silent/run.prv"];
    let (_, json, _) = efficiency(&folder, &[&arguments[..], &["--json"]].concat());
    let rows: Value = serde_json::from_str(&json).unwrap();
    let (status, said, _) = efficiency(&folder, &[&arguments[..], &["--out", "tables"]].concat());
    assert_eq!((status, said.as_str()), (0, ""));
    let table = fs::read_to_string(folder.join("tables/efficiency.csv")).unwrap();
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    assert_eq!(head[..3], ["trace", "ranks", "threads"]);
    let lines = lines.collect::<Vec<_>>();
    assert_eq!(lines.len(), 3);
    for (row, line) in rows.as_array().unwrap().iter().zip(lines) {
        assert_eq!(line.len(), head.len());
        for (key, text) in head.iter().zip(line) {
            match &row[*key] {
                Value::Null => assert_eq!(text, "", "{key}"),
                Value::String(name) => assert_eq!(text, name),
                number => assert_eq!(text.parse().ok(), number.as_f64(), "{key}"),
            }
        }
    }
}

#[test]
fn ranks_of_unlike_many_threads_are_counted_apart() {
    let folder = folder("efficiency-uneven");
    let uneven = "#Paraver (01/02/2026 at 10:00):1000_ns:1(4):1:2(2:1,1:1)\n\
                  1:1:1:1:1:0:600:1\n1:2:1:1:2:0:500:1\n1:3:1:2:1:0:400:1\n\
                  2:1:1:1:1:600:60000001:0\n2:2:1:1:2:500:60000001:0\n2:3:1:2:1:400:60000001:0\n";
    fs::write(folder.join("two/run.prv"), uneven).unwrap();
    let (status, table, _) = efficiency(&folder, &["two/run.prv"]);
    assert_eq!((status, table.lines().nth(1).map(str::trim)), (0, Some("2 ranks, 3 threads")));
}

#[test]
fn counts_and_times_are_whole_numbers_in_json_and_packed_runs_have_their_labels() {
    let folder = folder("efficiency-packed");
    let (_, text, _) = efficiency(&folder, &["one/run.prv", "--json"]);
    let rows: Value = serde_json::from_str(&text).unwrap();
    for key in ["runtime_ns", "useful_total_ns", "instructions", "cycles"] {
        assert!(rows[0][key].is_u64(), "{key}: {}", rows[0][key]);
    }
    assert!(rows[0]["ipc"].is_f64());
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(ONE.as_bytes()).unwrap();
    fs::write(folder.join("one/run.prv.bz2"), encoder.finish().unwrap()).unwrap();
    let (_, packed, told) = efficiency(&folder, &["one/run.prv.bz2", "--json"]);
    let rows: Value = serde_json::from_str(&packed).unwrap();
    assert_eq!((&rows[0]["ipc"], told.as_str()), (&json!(2.0), ""));
}

#[test]
fn another_run_is_the_reference_and_work_may_grow_with_the_threads() {
    let folder = folder("efficiency-scaling");
    let files = ["one/run.prv", "two/run.prv", "--json"];
    let rows = |arguments: &[&str]| {
        let (status, text, told) = efficiency(&folder, &[&files, arguments].concat());
        assert_eq!((status, told.as_str()), (0, ""), "{arguments:?}");
        serde_json::from_str::<Vec<Value>>(&text).unwrap()
    };
    // Twice the threads, so twice the work is expected: of 2 s of useful time there is 1 s.
    is(
        &rows(&["--weak"])[1],
        json!({"computation_scalability": 1.6, "instruction_scalability": 1.6,
               "ipc_scalability": 1.0, "frequency_scalability": 1.0, "speedup": 3.2,
               "global_efficiency": 1.28}),
    );
    let rows = rows(&["--reference", "2"]);
    is(&rows[0], json!({"computation_scalability": 1.25, "speedup": 0.625}));
    is(&rows[1], json!({"computation_scalability": 1.0, "speedup": 1.0}));
    let (status, _, told) = efficiency(&folder, &[&files[..], &["--reference", "3"]].concat());
    assert_eq!(status, 2);
    assert!(told.contains("--reference 3: there are 2 runs"), "{told}");
}

#[test]
fn where_the_core_seconds_go_is_written_so_that_it_adds_up_and_drawn() {
    let folder = folder("efficiency-files");
    let files = ["one/run.prv", "two/run.prv", "--out", "out", "--format", "csv,svg"];
    let (status, _, told) = efficiency(&folder, &files);
    assert_eq!((status, told.as_str()), (0, ""));
    let table = fs::read_to_string(folder.join("out/core_time.csv")).unwrap();
    // 0.8 s of work takes 1 s: a quarter more instructions. Then 0.2 s of imbalance, 0.05 of waiting.
    let expected = "trace,ranks,threads,part,ns,share
one/run.prv,1,1,work,800000000,0.8
one/run.prv,1,1,instructions,0,0
one/run.prv,1,1,ipc,0,0
one/run.prv,1,1,frequency,0,0
one/run.prv,1,1,load_imbalance,0,0
one/run.prv,1,1,communication,200000000,0.2
two/run.prv,2,2,work,800000000,0.64
two/run.prv,2,2,instructions,200000000,0.16
two/run.prv,2,2,ipc,0,0
two/run.prv,2,2,frequency,0,0
two/run.prv,2,2,load_imbalance,200000000,0.16
two/run.prv,2,2,communication,50000000,0.04
";
    assert_eq!(table, expected);
    let picture = fs::read_to_string(folder.join("out/efficiency.svg")).unwrap();
    for words in
        ["64.0\u{202f}% of the ideal is reached on 2 ranks.", "1 rank", "Global", "load imbalance"]
    {
        assert!(picture.contains(words), "{words}");
    }
    assert!(fs::read_to_string(folder.join("out/efficiency.csv")).unwrap().contains("two/run.prv"));
}
