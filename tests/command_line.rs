//! The command line as scripts see it: exit status, messages, files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tracefold_generate::{Options, big};

use crate::traces::{HEADER, MINI_PCF, MINI_PRV};

/// A folder of this test's own, with the smallest trace in it; empty at each run.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("mini.prv"), MINI_PRV).unwrap();
    fs::write(folder.join("mini.pcf"), MINI_PCF).unwrap();
    folder
}

fn tracefold(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracefold"));
    command.current_dir(folder).args(arguments).output().unwrap()
}

/// Exit status and the first line on stderr that is no notice.
fn refused(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let output = tracefold(folder, arguments);
    let text = String::from_utf8(output.stderr).unwrap();
    let first = text.lines().find(|line| !line.contains("notice:")).unwrap_or_default();
    (output.status.code().unwrap(), first.to_owned())
}

#[test]
fn a_fold_writes_the_tables_with_their_headers() {
    let folder = folder("tables");
    let done =
        tracefold(&folder, &["fold", "mini.prv", "--out", "out", "--format", "csv,json,svg"]);
    assert!(done.status.success() && done.stdout.is_empty() && done.stderr.is_empty(), "{done:?}");
    let read = |name: &str| fs::read_to_string(folder.join("out").join(name)).unwrap();
    for (name, header, lines) in [
        ("curves.csv", "region,group,counter,x,fitted,lower,upper,rate", 2001),
        (
            "phases.csv",
            "region,group,phase,start,end,PAPI_TOT_INS,PAPI_TOT_CYC,\
             PAPI_TOT_INS half_width,PAPI_TOT_INS lowest,PAPI_TOT_INS highest,\
             PAPI_TOT_CYC half_width,PAPI_TOT_CYC lowest,PAPI_TOT_CYC highest,\
             place,place_file,place_line",
            1,
        ),
        ("models.csv", "region,group,model,component,x,value,doubt", 1),
        ("activity.csv", "region,group,x,useful,mpi,openmp,io,other", 1),
        ("groups.csv", "region,group,appl,task,thread,start_ns,duration_ns,used", 3),
        (
            "instances.csv",
            "region,group,appl,task,thread,start_ns,duration_ns,why,PAPI_TOT_INS,PAPI_TOT_CYC",
            3,
        ),
        ("points.csv", "region,group,counter,x,y,used", 7),
        ("lines.csv", "region,group,x,routine,line,file", 4),
        ("routines.csv", "region,group,level,start,end,routine,line,file,samples", 2),
        (
            "code.csv",
            "region,group,kind,routine,file,line,inclusive_ms,exclusive_ms,samples,PAPI_TOT_INS,PAPI_TOT_CYC",
            4,
        ),
        ("references.csv", "region,group,x,kind,address,object,level,cost", 1),
    ] {
        let table = read(name);
        assert_eq!(table.lines().next(), Some(header));
        assert_eq!(table.lines().count(), lines, "{name}");
    }
    assert!(read("groups.csv").ends_with("User function:kernel,1,1,1,1,2500000,1000000,1\n"));
    // 1700 and 1670 instructions, 1250 and 1260 cycles.
    assert!(read("instances.csv").ends_with(
        "1,1,1,1000000,1000000,used,1700,1250\nUser function:kernel,1,1,1,1,2500000,1000000,used,1670,1260\n"
    ));
    let json: serde_json::Value = serde_json::from_str(&read("folding.json")).unwrap();
    assert_eq!(json[0]["region"], "User function:kernel");
    assert!(read("folding.svg").starts_with("<svg"));
}

#[test]
fn regions_are_listed_for_people_and_for_scripts() {
    let folder = folder("regions");
    let table = tracefold(&folder, &["regions", "mini.prv"]);
    let table = String::from_utf8(table.stdout).unwrap();
    assert!(table.lines().nth(1).unwrap().ends_with("1  User function:kernel"), "{table}");
    let json = tracefold(&folder, &["regions", "mini.prv", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    let row = &json[0];
    assert_eq!((row["instances"].as_u64(), row["samples"].as_u64()), (Some(2), Some(3)));
    assert_eq!(row["share"].as_f64(), Some(0.5));
    assert_eq!(row["mips"].as_f64(), Some(3370.0 / 2000.0));
}

#[test]
fn exit_status_2_is_usage() {
    let folder = folder("usage");
    for (arguments, message) in [
        (
            &["fold", "mini.prv", "--out", "o", "--set", "nuget=1"][..],
            "tracefold: unknown setting \"nuget\"; the nearest are nugget, names, bursts",
        ),
        (
            &["fold", "mini.prv", "--out", "o", "--set", "points=1"],
            "tracefold: setting points: found \"1\", expected a number of points from 2 to 100000",
        ),
        (
            &["fold", "mini.prv", "--out", "o", "--region", "kernl"],
            "tracefold: unknown region \"kernl\"; the nearest is \"User function:kernel\"",
        ),
        (
            &["fold", "mini.prv", "--out", "o", "--format", "csv,paraver:3"],
            "tracefold: paraver:3: no group has so many kept instances; the largest has 2",
        ),
        (
            &["regions", "mini.prv", "--only", "region=x"],
            "tracefold: --only: unknown setting \"region\"; the nearest are from, to, objects",
        ),
        (
            &["fold", "mini.prv", "--out", "o", "--only", "from=2", "--only", "to=1"],
            "tracefold: --only: setting to: found \"1\", expected a time that is not before from",
        ),
    ] {
        assert_eq!(refused(&folder, arguments), (2, message.to_owned()));
    }
}

#[test]
fn what_is_mistyped_is_told_with_what_was_meant_and_how_it_is_used() {
    let folder = folder("mistyped");
    for (arguments, message) in [
        (
            &["flod"][..],
            "unrecognized subcommand 'flod'\n\n  tip: a similar subcommand exists: 'fold'\n\n\
             Usage: tracefold <COMMAND>",
        ),
        (
            &["fold", "mini.prv", "--uot", "o"],
            "unexpected argument '--uot' found\n\n  \
             tip: some similar arguments exist: '--out', '--set', '--as'\n\n\
             Usage: tracefold fold --out <DIR> <FILE>...",
        ),
        (
            &["fold", "mini.prv"],
            "the following required arguments were not provided:\n  --out <DIR>\n\n\
             Usage: tracefold fold --out <DIR> <FILE>...",
        ),
        (
            &["regions"],
            "the following required arguments were not provided:\n  <FILE>...\n\n\
             Usage: tracefold regions <FILE>...",
        ),
        (
            &["fold", "mini.prv", "--out"],
            "a value is required for '--out <DIR>' but none was supplied",
        ),
        (
            &["fold", "mini.prv", "--out", "o", "--format", "csv,pdf"],
            "invalid value 'pdf' for '--format <FORMATS>': there are csv, json, svg, html, gnuplot, \
             paraver, extract",
        ),
        (
            &["regions", "mini.prv", "--only", "objects"],
            "invalid value 'objects' for '--only <KEY=VALUE>': expected KEY=VALUE",
        ),
        (
            &["regions", "mini.prv", "--threads", "0"],
            "invalid value '0' for '--threads <N>': expected a number from 1 to 1000000",
        ),
    ] {
        let output = tracefold(&folder, arguments);
        let help = "\n\nFor more information, try '--help'.\n";
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), said), (Some(2), format!("tracefold: {message}{help}")));
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn every_command_explains_itself() {
    let folder = folder("help");
    let printed = |arguments: &[&str]| {
        let done = tracefold(&folder, arguments);
        assert!(done.status.success() && done.stderr.is_empty(), "{done:?}");
        String::from_utf8(done.stdout).unwrap()
    };
    let commands = ["regions", "fold", "settings", "completions"];
    let whole = printed(&["--help"]);
    for command in commands {
        assert!(whole.contains(&format!("\n  {command} ")), "{whole}");
        let usage = format!("Usage: tracefold {command}");
        assert!(printed(&[command, "--help"]).contains(&usage), "{command}");
        assert_eq!(printed(&["help", command]), printed(&[command, "--help"]));
    }
    assert!(whole.contains("Exit status: 0 done, 1 output cannot be written, 2 usage,"));
    assert_eq!(printed(&["--version"]), concat!("tracefold ", env!("CARGO_PKG_VERSION"), "\n"));
    let fold = printed(&["fold", "--help"]);
    for option in ["--out <DIR>", "--region", "--set <KEY=VALUE>", "--threads <N>", "--only"] {
        assert!(fold.contains(option), "{option}");
    }
    let words = fold.split_whitespace().collect::<Vec<_>>();
    for key in tracefold::settings::schema() {
        assert!(words.iter().any(|word| word.trim_matches([',', '.']) == key.key), "{}", key.key);
    }
    // Without a command, what there is to choose from.
    let none = tracefold(&folder, &[]);
    let said = String::from_utf8(none.stderr).unwrap();
    assert!(none.status.code() == Some(2) && said.contains(&whole), "{said}");
}

#[test]
fn shells_are_told_how_to_complete_commands_and_options() {
    let folder = folder("completions");
    for (shell, words) in [
        ("bash", "complete -F _tracefold"),
        ("zsh", "#compdef tracefold"),
        ("fish", "complete -c tracefold"),
    ] {
        let done = tracefold(&folder, &["completions", shell]);
        let script = String::from_utf8(done.stdout).unwrap();
        assert!(done.status.success() && script.contains(words), "{shell}: {script}");
        for name in ["regions", "fold", "settings", "merge", "region", "threads"] {
            assert!(script.contains(name), "{shell}: {name}");
        }
    }
}

#[test]
fn values_may_follow_an_equals_sign_and_the_last_of_an_option_holds() {
    let folder = folder("equals");
    let fold = ["fold", "mini.prv", "--out=other", "--set=points=3", "--format=json,csv"];
    let done = tracefold(&folder, &[&fold[..], &["--out", "o"]].concat());
    assert!(done.status.success() && done.stderr.is_empty(), "{done:?}");
    assert!(!folder.join("other").exists() && folder.join("o/folding.json").exists());
    let curves = fs::read_to_string(folder.join("o/curves.csv")).unwrap();
    assert_eq!(curves.lines().count(), 1 + 2 * 3);
}

#[cfg(unix)]
#[test]
fn a_name_that_is_no_text_is_a_name_all_the_same() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder("names");
    let odd = |ending: &[u8]| [&b"m\xff."[..], ending].concat();
    for ending in [&b"prv"[..], b"pcf"] {
        let from = folder.join(std::ffi::OsStr::from_bytes(&[&b"mini."[..], ending].concat()));
        fs::rename(from, folder.join(std::ffi::OsStr::from_bytes(&odd(ending)))).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracefold"));
    let name = odd(b"prv");
    command.current_dir(&folder).arg("regions").arg(std::ffi::OsStr::from_bytes(&name));
    let table = String::from_utf8(command.output().unwrap().stdout).unwrap();
    // The labels beside it are read too.
    assert!(table.contains("User function:kernel"), "{table}");
}

#[test]
fn exit_status_3_is_wrong_input_and_4_nothing_to_fold() {
    let folder = folder("input");
    fs::write(folder.join("empty.prv"), "").unwrap();
    fs::write(folder.join("flat.prv"), format!("{HEADER}2:1:1:1:1:5:42000050:1\n")).unwrap();
    assert_eq!(
        refused(&folder, &["regions", "empty.prv"]),
        (
            3,
            "tracefold: empty.prv: found an empty file, expected a header that begins with \
             “#Paraver”"
                .to_owned()
        )
    );
    let (status, message) = refused(&folder, &["regions", "absent.prv"]);
    assert!(status == 3 && message.starts_with("tracefold: absent.prv: "), "{message}");
    let nothing = "tracefold: this trace has no repeated region: no type of event opens and closes; \
                   it holds 1 event of \"PAPI_TOT_INS\"; its run can be looked at";
    assert_eq!(refused(&folder, &["regions", "flat.prv"]), (4, nothing.to_owned()));
    let listed = tracefold(&folder, &["regions", "flat.prv", "--json"]);
    assert_eq!((listed.status.code(), listed.stdout.as_slice()), (Some(0), b"[]\n".as_slice()));
    let fold = refused(&folder, &["fold", "flat.prv", "--out", "o"]);
    assert_eq!(fold, (4, nothing.to_owned()));
}

#[test]
fn exit_status_1_is_output_that_cannot_be_written() {
    let folder = folder("output");
    let (status, message) = refused(&folder, &["fold", "mini.prv", "--out", "mini.pcf"]);
    assert!(status == 1 && message.starts_with("tracefold: mini.pcf: "), "{message}");
}

#[test]
fn settings_come_from_a_file_and_then_from_the_line() {
    let folder = folder("settings");
    fs::write(folder.join("s.json"), r#"{"points":"5","group":"none"}"#).unwrap();
    let fold = ["fold", "mini.prv", "--out", "o", "--settings", "s.json", "--set", "points=3"];
    assert!(tracefold(&folder, &fold).status.success());
    let curves = fs::read_to_string(folder.join("o/curves.csv")).unwrap();
    assert_eq!(curves.lines().count(), 1 + 2 * 3);
}

#[test]
fn a_part_of_a_trace_is_read_and_said_to_be_one() {
    let folder = folder("part");
    let only = ["--only", "counters=PAPI_TOT_CYC", "--only", "to=2000000"];
    let done = tracefold(&folder, &[&["fold", "mini.prv", "--out", "o"], &only[..]].concat());
    let notice =
        "tracefold: notice: Only counters PAPI_TOT_CYC and times up to 0.002 s were read.\n";
    assert_eq!(
        (done.status.code(), String::from_utf8(done.stderr).unwrap()),
        (Some(0), notice.into())
    );
    let read = |name: &str| fs::read_to_string(folder.join("o").join(name)).unwrap();
    assert!(read("groups.csv").ends_with("\nUser function:kernel,1,1,1,1,1000000,1000000,1\n"));
    assert!(read("points.csv").contains("PAPI_TOT_CYC") && !read("points.csv").contains("INS"));
    let table = tracefold(&folder, &[&["regions", "mini.prv", "--json"], &only[..]].concat());
    let json: serde_json::Value = serde_json::from_slice(&table.stdout).unwrap();
    assert_eq!((json[0]["instances"].as_u64(), json[0]["share"].as_f64()), (Some(1), Some(0.5)));
}

#[test]
fn a_type_without_a_value_folds_every_value() {
    let folder = folder("values");
    let text = format!("{HEADER}2:1:1:1:1:1:1000:3\n2:1:1:1:1:4:1000:4\n2:1:1:1:1:9:1000:0\n");
    fs::write(folder.join("two.prv"), text).unwrap();
    assert!(
        tracefold(&folder, &["fold", "two.prv", "--out", "o", "--region", "1000"]).status.success()
    );
    let groups = fs::read_to_string(folder.join("o/groups.csv")).unwrap();
    let rows = groups.lines().skip(1).collect::<Vec<_>>();
    assert_eq!(rows, ["Event 1000:3,1,1,1,1,1,3,1", "Event 1000:4,1,1,1,1,4,5,1"]);
}

#[cfg(unix)]
#[test]
fn a_trace_may_come_through_a_pipe() {
    let folder = folder("pipe");
    let mut command = Command::new("sh");
    let program = env!("CARGO_BIN_EXE_tracefold");
    command
        .current_dir(&folder)
        .arg("-c")
        .arg(format!("cat mini.prv | {program} regions /dev/stdin"));
    let piped = command.output().unwrap();
    assert!(piped.status.success(), "{piped:?}");
    assert!(String::from_utf8(piped.stdout).unwrap().contains("User function:3"));
}

/// Of more than one block, and of slices that end anywhere.
#[cfg(unix)]
#[test]
fn a_pipe_gives_what_the_file_gives_whoever_reads_it() {
    let folder = folder("long-pipe");
    let options = Options { size_mb: Some(9), threads: Some(3), ..Options::default() };
    fs::write(folder.join("long.prv"), big::in_memory(7, &options).prv).unwrap();
    let program = env!("CARGO_BIN_EXE_tracefold");
    let listed = |line: &str| {
        let line = line.replace("regions", &format!("{program} regions --json"));
        let run = Command::new("sh").current_dir(&folder).args(["-c", &line]).output().unwrap();
        assert!(run.status.success(), "{line}: {run:?}");
        String::from_utf8(run.stdout).unwrap()
    };
    let alone = listed("regions long.prv --threads 1");
    assert!(alone.contains("\"samples\""), "{alone}");
    let others = [
        "regions long.prv --threads 3",
        "cat long.prv | regions /dev/stdin",
        "gzip -c long.prv | regions /dev/stdin",
    ];
    for line in others {
        assert_eq!(listed(line), alone, "{line}");
    }
}

#[test]
fn a_trace_of_several_is_named() {
    let folder = folder("several");
    fs::copy(folder.join("mini.prv"), folder.join("other.prv")).unwrap();
    let files = ["regions", "mini.prv", "other.prv", "mini.pcf"];
    let text = String::from_utf8(tracefold(&folder, &files).stderr).unwrap();
    let asked =
        "tracefold: there are 2 traces; name one with --trace NAME:\n  mini.prv\n  other.prv\n";
    assert_eq!(text, asked);
    let named = |name| [&files[..], &["--trace", name]].concat();
    assert_eq!(
        refused(&folder, &named("othr.prv")),
        (
            2,
            "tracefold: --trace: unknown trace \"othr.prv\"; the nearest are other.prv, mini.prv"
                .to_owned()
        )
    );
    let done = tracefold(&folder, &named("mini.prv"));
    assert!(String::from_utf8(done.stdout).unwrap().contains("User function:kernel"));
    assert_eq!(
        String::from_utf8(done.stderr).unwrap(),
        "tracefold: notice: A file that does not belong to the trace; it was left out. ×1 (first \
         at other.prv)\n"
    );
}

#[test]
fn memory_samples_beside_a_trace_are_merged_and_said_to_be() {
    let folder = folder("memory");
    let mut mem = String::new();
    for (begin, end) in [(1_000_000, 2_000_000), (2_500_000, 3_500_000)] {
        let line = |ns: u64, what: &str| format!("app 4711 [000] 7.{ns:09}: {what}\n");
        mem += &line(begin, "probe_app:kernel: (401136)");
        mem += &line(
            begin + 100,
            "1 cpu/mem-loads,ldlat=30/P: 7f00 68100142 |OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No 8 401136 kernel+0x1c (/a/app)",
        );
        mem += &line(end, "probe_app:kernel_ret__return: (401190 <- 401136)");
    }
    fs::write(folder.join("mem.txt"), &mem).unwrap();
    let told = |arguments: &[&str]| {
        let done = tracefold(&folder, arguments);
        assert!(done.status.success(), "{done:?}");
        String::from_utf8(done.stdout).unwrap()
    };
    let words =
        "Memory references: 2 loads and 0 stores of mem.txt, aligned by 2 instances of kernel";
    let files = ["mini.prv", "mini.pcf"];
    assert!(told(&["regions", "mem.txt", files[0], files[1]]).contains(words));
    // The labels beside the trace are found too.
    assert!(told(&["regions", "mini.prv", "--merge", "mem.txt"]).contains(words));
    assert!(!told(&["regions", "mini.prv"]).contains("Memory"));
    assert!(
        told(&["fold", "mini.prv", "--merge", "mem.txt", "--out", "out", "--format", "json"])
            .is_empty()
    );
    let json = fs::read_to_string(folder.join("out/folding.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let references = json[0]["trace"]["provenance"]["references"].as_str().unwrap();
    assert!(references.starts_with("2 loads and 0 stores of mem.txt, aligned by 2 instances"));
    assert_eq!(
        refused(&folder, &["regions", "mini.prv", "--merge", "mini.pcf"]),
        (3, "tracefold: --merge: mini.pcf is no text of perf script".to_owned())
    );
}

/// Lines 12 and 19 of it were sampled; they are in two loops of one routine.
const KERNEL_C: &str = "\n\n\n\n\n\n\n\n\nvoid kernel(int n) {\n  for (int i = 0; i < n; i++)\n    \
                        work(i);\n\n\n\n\n\n  while (n--) {\n    rest(n);\n  }\n}\n";

/// What `fold --source …` says on stderr, and `code.csv`.
fn folded_with(folder: &Path, sources: &[&str]) -> (String, String) {
    let options = sources.iter().flat_map(|source| ["--source", source]);
    let arguments = ["fold", "mini.prv", "--out", "out"].into_iter().chain(options);
    let done = tracefold(folder, &arguments.collect::<Vec<_>>());
    assert!(done.status.success(), "{done:?}");
    let code = fs::read_to_string(folder.join("out/code.csv")).unwrap();
    (String::from_utf8(done.stderr).unwrap(), code)
}

fn loops(code: &str) -> Vec<String> {
    let loops = code.lines().filter(|line| line.split(',').nth(2) == Some("loop"));
    let place = |line: &str| {
        let cells: Vec<_> = line.split(',').collect();
        format!("{} {} {}–{}", cells[3], cells[4], cells[5], cells[cells.len() - 1])
    };
    loops.map(place).collect()
}

#[test]
fn with_source_loops_have_their_time() {
    let folder = folder("source");
    fs::create_dir_all(folder.join("src/deep/.hidden")).unwrap();
    fs::write(folder.join("src/deep/k.c"), KERNEL_C).unwrap();
    fs::write(folder.join("src/deep/.hidden/k.c"), "hidden").unwrap();
    fs::write(folder.join("src/other.c"), "int main() {}").unwrap();
    let (said, code) = folded_with(&folder, &["src"]);
    assert_eq!(said, "");
    let header = code.lines().next().unwrap();
    assert!(header.ends_with(",samples,PAPI_TOT_INS,PAPI_TOT_CYC,last_line"), "{header}");
    assert_eq!(loops(&code), ["kernel k.c 11–12", "kernel k.c 18–20"]);
    let phases = fs::read_to_string(folder.join("out/phases.csv")).unwrap();
    let blocks = ",block,block_name,routine,file,first_line,last_line,block_share,";
    assert!(phases.contains(blocks), "{phases}");
}

#[test]
fn source_that_cannot_be_used_is_left_out_and_named() {
    let folder = folder("source-left-out");
    for sub in ["a", "b", "short", "binary", "empty", "large"] {
        fs::create_dir_all(folder.join(sub)).unwrap();
    }
    fs::write(folder.join("a/k.c"), KERNEL_C).unwrap();
    fs::write(folder.join("b/K.c"), "").unwrap();
    fs::write(folder.join("b/k.c"), KERNEL_C).unwrap();
    fs::write(folder.join("short/k.c"), "int x;\n").unwrap();
    fs::write(folder.join("binary/k.c"), b"\x7fELF\0").unwrap();
    fs::write(folder.join("empty/k.c"), "").unwrap();
    fs::write(folder.join("large/k.c"), vec![b' '; 8_000_001]).unwrap();
    let cases = [
        (&["empty"][..], 0, "empty/k.c is left out: It is empty."),
        (
            &["binary"],
            0,
            "binary/k.c is left out: It is not text: it holds bytes that no source has.",
        ),
        (
            &["large"],
            0,
            "large/k.c is left out: It has 8.0\u{202f}MB; source of at most 8.0\u{202f}MB is shown.",
        ),
        (
            &["a", "b"],
            0,
            "2 files are named k.c and all are left out: name one of them by --source: a/k.c, b/k.c",
        ),
        (&["a", "b", "b/k.c"], 2, ""),
        (
            &["short"],
            0,
            "k.c: This source is of another version: 2 lines up to 19 were sampled, and the file \
             ends at line 1.",
        ),
        (&["mini.pcf"], 0, "no source file of this trace was found"),
    ];
    for (sources, count, message) in cases {
        let (said, code) = folded_with(&folder, sources);
        assert_eq!(
            said.lines().next().unwrap_or_default().trim_start_matches("tracefold: "),
            message
        );
        assert_eq!(loops(&code).len(), count, "{sources:?}");
    }
}

#[test]
fn source_that_is_not_there_is_wrong_input() {
    let folder = folder("source-missing");
    let (status, message) =
        refused(&folder, &["fold", "mini.prv", "--out", "out", "--source", "nowhere"]);
    assert_eq!((status, &message[..20]), (3, "tracefold: nowhere: "));
}
