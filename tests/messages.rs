//! What a person is told about input that is wrong, word for word.

use std::io::Write;

use crate::traces::{HEADER, MINI_PCF, MINI_PRV, fold, open, open_err, settings};
use flate2::{Compression, write::GzEncoder};
use tracefold::pipeline;
use tracefold::settings::Settings;

/// Files by name and bytes, and the whole long message.
#[track_caller]
fn refused(files: &[(&str, &[u8])], message: &str) {
    assert_eq!(format!("{:#}", open_err(files)), message);
}

/// A state until the end that [`HEADER`] promises.
const UNTIL_THE_END: &str = "1:1:1:1:1:0:4000000:1\n";

#[test]
fn a_trace_that_ends_before_its_header_s_duration_is_cut_short() {
    let ending_at = |ns: u64| {
        let text = format!("{HEADER}2:1:1:1:1:5:42000050:1\n2:1:1:1:1:{ns}:42000050:1\n");
        let trace = open(&[("a.prv", text.as_bytes())]);
        assert_eq!(trace.duration_ns, ns.max(4_000_000));
        let damage = trace.notices.iter().filter(|notice| notice.is_damage);
        damage.map(|n| format!("{} {}", n.text, n.first)).collect::<Vec<_>>()
    };
    let text = "The trace ends at 0.003959999 s, and its header promises 0.004 s: what came after \
                is missing. a.prv:3";
    assert_eq!(ending_at(3_959_999), [text]);
    // Clocks differ by so much, and some writers round.
    for ns in [3_960_000, 4_000_000, 4_000_001] {
        assert_eq!(ending_at(ns), [""; 0]);
    }
    // States last until the end, too; a folded trace tells of some instances only.
    let event = "2:1:1:1:1:5:42000050:1\n";
    let states = [format!("{event}{UNTIL_THE_END}"), format!("{UNTIL_THE_END}{event}")];
    for text in states.into_iter().chain([format!("#Folded by Tracefold 1\n{event}")]) {
        noticed(&[("a.prv", (HEADER.to_owned() + &text).as_bytes())], &[]);
    }
    // In the middle of its last number, too.
    let text = "The trace ends at 0.003 s inside a line, and its header promises 0.004 s: what came after is missing.";
    let cut = format!("{HEADER}2:1:1:1:1:3000000:42000050:123");
    noticed(&[("a.prv", cut.as_bytes())], &[(text, 1, "a.prv:2")]);
    // Not where the program's begin is recorded, and so its end would be.
    let begun = format!("{HEADER}{UNTIL_THE_END}2:1:1:1:1:2000000:40000001:1\n");
    let text =
        "The trace ends at 0.002 s, and its header promises 0.004 s: what came after is missing.";
    noticed(&[("a.prv", begun.as_bytes())], &[(text, 1, "a.prv:3")]);
    noticed(&[("a.prv", (begun + "2:1:1:1:1:4000000:40000001:0\n").as_bytes())], &[]);
}

#[track_caller]
fn noticed(files: &[(&str, &[u8])], expected: &[(&str, u64, &str)]) {
    let trace = open(files);
    let found = trace.notices.iter().map(|n| (n.text.as_str(), n.count, n.first.to_string()));
    let expected = expected.iter().map(|&(text, count, first)| (text, count, first.to_owned()));
    let beside = "No .pcf among the files: types and values without a name are shown by number.";
    assert_eq!(
        found.filter(|(text, ..)| *text != beside).collect::<Vec<_>>(),
        expected.collect::<Vec<_>>()
    );
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_file_of_0_bytes() {
    refused(
        &[("a.prv", b"")],
        "a.prv: found an empty file, expected a header that begins with “#Paraver”",
    );
    refused(
        &[("a.extract", b"")],
        "a.extract: found an empty file, expected instances, lines that begin with “I”",
    );
}

#[test]
fn a_picture_named_prv() {
    refused(
        &[("a.prv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")],
        "a.prv:1:1: found “\u{fffd}PNG”, expected a header such as “#Paraver \
         (date):DURATION_ns:NODES:APPLICATIONS:…”\n  \u{fffd}PNG\n  ^",
    );
}

#[test]
fn labels_without_a_trace() {
    let expected = "expected a trace: a .prv (with its .pcf and .row), an .extract, the text of \
                    perf script, an OTF2 archive or a fold record, bare, gzipped or in a .zip or .tar";
    refused(
        &[("a.pcf", MINI_PCF.as_bytes())],
        &format!("a.pcf: found only the labels of a trace, {expected}"),
    );
    refused(
        &[("a.pcf", MINI_PCF.as_bytes()), ("b.txt", b"hello")],
        &format!("these files: found 2 files and no trace among them, {expected}"),
    );
    refused(&[("a.doc", b"hello")], &format!("a.doc: found a file of another kind, {expected}"));
    refused(&[], &format!("these files: found no file, {expected}"));
}

#[test]
fn two_traces_at_once() {
    refused(
        &[("a.prv", MINI_PRV.as_bytes()), ("b.prv", MINI_PRV.as_bytes())],
        "these files: found 2 traces (a.prv, b.prv), expected a choice: name the one to \
         open",
    );
}

#[test]
fn a_record_whose_time_is_no_number() {
    let text = format!("{HEADER}2:1:1:1:1:x61871:42000050:1\n");
    refused(
        &[("a.prv", text.as_bytes())],
        "a.prv:2:11: found “x61871”, expected a time\n  2:1:1:1:1:x61871:42000050:1\n            ^",
    );
}

#[test]
fn one_unreadable_record_among_many_is_noticed_and_many_are_an_error() {
    let good = "2:1:1:1:1:5:42000050:1\n".repeat(300);
    let text = format!("{HEADER}{good}2:1:1:1:1:?:42000050:1\n{UNTIL_THE_END}");
    noticed(
        &[("a.prv", text.as_bytes())],
        &[("A record that cannot be read; it was left out.", 1, "a.prv:302")],
    );
    let text = text + &"1:x\n".repeat(20) + "2:1:1:1:1:9:42000050:1\n";
    refused(
        &[("a.prv", text.as_bytes())],
        "a.prv:302:11: found “?”, expected a time\n  2:1:1:1:1:?:42000050:1\n            ^",
    );
}

#[test]
fn a_cut_last_line() {
    for cut in ["2:1:1:1:1", "2:1:1:1:", "1:1:1:1:1:5", "2:1:1:1:1:4000000:42000050"] {
        let text = format!("{MINI_PRV}{cut}");
        let lines = MINI_PRV.lines().count() + 1;
        noticed(
            &[("a.prv", text.as_bytes())],
            &[("The last line is cut; it was left out.", 1, &format!("a.prv:{lines}"))],
        );
    }
}

#[test]
fn windows_line_ends_change_nothing() {
    let windows = MINI_PRV.replace('\n', "\r\n");
    let (unix, windows) =
        (open(&[("a.prv", MINI_PRV.as_bytes())]), open(&[("a.prv", windows.as_bytes())]));
    assert_eq!(fold(&unix, &[]), fold(&windows, &[]).map_size(&unix));
}

/// The size in bytes is the one thing that differs.
trait MapSize {
    fn map_size(self, of: &tracefold::trace::Trace) -> Self;
}

impl MapSize for tracefold::folding::Folding {
    fn map_size(mut self, of: &tracefold::trace::Trace) -> Self {
        self.trace.size_bytes = of.size_bytes;
        self
    }
}

#[test]
fn a_header_that_promises_other_numbers() {
    // Another duration is not believed; threads that it does not have are left out.
    let text = MINI_PRV.replace("4000000_ns", "12_ns");
    let trace = open(&[("a.prv", text.as_bytes())]);
    assert_eq!(trace.duration_ns, 4_000_000);
    let text = format!("{MINI_PRV}2:1:1:1:2:4000000:42000050:1\n2:1:7:1:1:4000000:42000050:1\n");
    let line = MINI_PRV.lines().count() + 1;
    noticed(
        &[("a.prv", MINI_PRV.replace("1:1(1:1)", "2:2(3:1,4:1),1(1:1)").as_bytes())],
        &[("A thread of the header has no events.", 7, "a.prv:1")],
    );
    noticed(
        &[("a.prv", MINI_PRV.replace("4000000_ns", "12_ns").as_bytes())],
        &[("The trace goes on after the duration of its header.", 1, "a.prv:1")],
    );
    noticed(
        &[("a.prv", text.as_bytes())],
        &[(
            "A record of a thread that the header does not have; it was left out.",
            2,
            &format!("a.prv:{line}"),
        )],
    );
}

#[test]
fn what_is_damaged_is_said_before_what_is_less_sure_and_what_is_merely_odd_last() {
    let prv = MINI_PRV.replace("4000000_ns", "5000000_ns") + "2:1:1:1:1:4000000\n";
    let trace = open(&[("a.prv", prv.as_bytes()), ("a.pcf", MINI_PCF.as_bytes())]);
    let folding = fold(&trace, &[]);
    let told = folding.notices.iter().map(|notice| notice.text.as_str()).collect::<Vec<_>>();
    let expected = [
        "The trace ends at 0.004 s, and its header promises 0.005 s: what came after is missing.",
        "A group has fewer than 50 samples; its curves say little.",
        "An event record without events.",
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_line_of_100_mb() {
    let text = [HEADER.as_bytes(), b"2:1:1:1:1:5", &b":1:2".repeat(25 << 20)].concat();
    refused(
        &[("a.prv", &text)],
        "a.prv: found a line of more than 16 MiB (line 2), expected lines of text, as tracers \
         write them",
    );
}

#[test]
fn odd_records_are_noticed_one_by_one() {
    let text = format!(
        "{HEADER}2:1:1:1:1:5:42000050:1:7\n2:1:1:1:1:6\n1:1:1:1:1:9:3:1\n9:1:2\n\
         2:1:1:1:1:7:42000050:99999999999999999999\n2:1:1:1:1:8:42000050:1:x:2\n\
         {UNTIL_THE_END}"
    );
    noticed(
        &[("a.prv", text.as_bytes())],
        &[
            // What makes a number wrong before what is merely odd.
            ("A number beyond 64 bits; the largest one was taken.", 1, "a.prv:6"),
            ("An event type without a value; the pairs before it were kept.", 1, "a.prv:2"),
            ("An event record without events.", 1, "a.prv:3"),
            ("A state that ends before it begins.", 1, "a.prv:4"),
            ("A record of a kind that is not known; it was left out.", 1, "a.prv:5"),
            (
                "An event that is not a pair of numbers; the pairs before it were kept.",
                1,
                "a.prv:7",
            ),
        ],
    );
}

#[test]
fn a_gzip_cut_short_or_damaged() {
    let good = (0..20_000).map(|n| format!("2:1:1:1:1:{}:42000050:{}\n", n * 7, n * n % 977));
    let text = HEADER.to_owned() + &good.collect::<String>();
    let packed = gzip(text.as_bytes());
    noticed(
        &[("a.prv.gz", &packed[..packed.len() / 2])],
        &[
            ("The gzip file is cut short; it was read up to there.", 1, "a.prv.gz"),
            (
                "The trace ends at 0.000070133 s, and its header promises 0.004 s: what came \
                 after is missing.",
                1,
                "a.prv.gz:10021",
            ),
        ],
    );
    refused(
        &[("a.prv.gz", &packed[..12])],
        "a.prv.gz: found a gzip file that stops before its first record, expected a whole gzip \
         file",
    );
    let mut broken = packed.clone();
    broken[10] = 0xff;
    refused(
        &[("a.prv.gz", &broken)],
        "a.prv.gz: found a gzip file that is damaged before its first record, expected a whole \
         gzip file",
    );
}

#[test]
fn labels_of_hostile_letters_stay_letters() {
    let pcf = MINI_PCF.replace("kernel", "<script>alert(1)</script>\u{1b}[31m");
    let trace = open(&[("a.prv", MINI_PRV.as_bytes()), ("a.pcf", pcf.as_bytes())]);
    let folding = fold(&trace, &[]);
    assert_eq!(folding.region, "User function:<script>alert(1)</script>\u{1b}[31m");
    let folded = [(folding, Default::default())];
    let svg = tracefold::export::export(&trace, &folded, tracefold::export::Format::Svg).unwrap();
    let svg = String::from_utf8(svg[0].bytes.clone()).unwrap();
    assert!(!svg.contains("<script") && !svg.contains('\u{1b}'));
    let wrong = [("\u{1b}[2J.prv", b"\x1b[31m".as_slice())];
    assert!(!format!("{:#}", open_err(&wrong)).contains('\u{1b}'));
}

#[test]
fn a_region_that_never_closes() {
    let text = format!("{HEADER}2:1:1:1:1:5:50000001:4:42000050:1\n2:1:1:1:1:9:42000050:7\n");
    let trace = open(&[("a.prv", text.as_bytes())]);
    let error = pipeline::run(&trace, &Settings::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "this trace has no repeated region: no type of event opens and closes; it holds 3 events: \
         \"PAPI_TOT_INS\" (2), \"Event 50000001\" (1); its run can be looked at"
    );
    assert!(!error.is_usage());
}

#[test]
fn a_trace_without_a_region_says_what_it_holds() {
    let told = |records: &str| {
        let trace = open(&[("a.prv", format!("{HEADER}{records}").as_bytes())]);
        pipeline::run(&trace, &Settings::default()).unwrap_err().to_string()
    };
    let none = "this trace has no repeated region: no type of event opens and closes; it holds ";
    assert_eq!(told(""), format!("{none}no event"));
    assert_eq!(told(UNTIL_THE_END), format!("{none}no event; its run can be looked at"));
    let one = "2:1:1:1:1:5:777:5\n";
    assert_eq!(told(one), format!("{none}1 event of \"Event 777\"; its run can be looked at"));
    // A level goes up and down: it opens and closes nothing.
    let level = [5, 9, 4, 12, 3, 8, 7].into_iter().zip(1..);
    let level = level.map(|(value, at)| format!("2:1:1:1:1:{at}00:777:{value}\n"));
    let level = level.collect::<String>();
    assert_eq!(told(&level), format!("{none}7 events of \"Event 777\"; its run can be looked at"));
    let many = (780..785).map(|code| format!("2:1:1:1:1:900:{code}:5\n")).collect::<String>();
    let expected = format!(
        "{none}12 events: \"Event 777\" (7), \"Event 780\" (1), \"Event 781\" (1) and 3 more types; \
         its run can be looked at"
    );
    assert_eq!(told(&(level + &many)), expected);
}

#[test]
fn unknown_regions_counters_and_settings_name_the_nearest() {
    let trace = open(&[("a.prv", MINI_PRV.as_bytes()), ("a.pcf", MINI_PCF.as_bytes())]);
    let refused = |texts: &[&str]| {
        let error = pipeline::run(&trace, &settings(texts).unwrap()).unwrap_err();
        assert!(error.is_usage());
        error.to_string()
    };
    assert_eq!(
        refused(&["region=User function:kernl"]),
        "unknown region \"User function:kernl\"; the nearest is \"User function:kernel\""
    );
    assert_eq!(
        refused(&["counters=PAPI_TOT_IN"]),
        "unknown counter \"PAPI_TOT_IN\"; the nearest are \"PAPI_TOT_INS\", \"PAPI_TOT_CYC\""
    );
    assert_eq!(
        settings(&["outlier=none"]).unwrap_err().to_string(),
        "unknown setting \"outlier\"; the nearest are outliers, routines, align"
    );
    let error = pipeline::run(&trace, &settings(&["objects=2.*.*"]).unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "\"User function:kernel\" has no instance left: all are outside of objects, from, to, \
         durations and instances, or have no duration"
    );
}

#[test]
fn an_extract_file_says_where_it_is_wrong() {
    refused(
        &[("a.extract", b"I 1 1 1 main 1000 x 1 C 5\n")],
        "a.extract:1:19: found “x”, expected a duration in nanoseconds\n  \
         I 1 1 1 main 1000 x 1 C 5\n                    ^",
    );
    refused(
        &[("a.extract", b"I 1 1 1 main 1000 1000 1 C\n")],
        "a.extract:1:27: found the end of the line, expected a total\n  \
         I 1 1 1 main 1000 1000 1 C\n                            ^",
    );
    refused(
        &[("a.extract", b"hello\n")],
        "a.extract:1:1: found “hello”, expected an instance, a line that begins with “I”\n  \
         hello\n  ^",
    );
}

const PERF: &str = "\
app  7 [000] 2.000001000:          probe_app:step: (401000)
app  7       2.000005000:     9000      cycles:u:
\t401010 work+0x10 (/a/app)

app  7 [000] 2.000009000: probe_app:step__return: (401000 <- 402000)
";

#[test]
fn text_of_perf_script_that_lacks_something_says_what_to_record() {
    let path = "markers that begin and end a region: perf probe -x ./app --add step --add \
                'step_ret=step%return', then perf record -e probe_app:step -e \
                probe_app:step_ret__return -e cycles/freq=499/ -g ./app";
    let samples = PERF.lines().filter(|line| !line.contains("probe")).collect::<Vec<_>>();
    refused(
        &[("a.txt", samples.join("\n").as_bytes())],
        &format!("a.txt: found no marker (samples: 1), expected {path}"),
    );
    let markers = PERF.lines().filter(|line| line.contains("probe")).collect::<Vec<_>>();
    noticed(
        &[("a.txt", (markers.join("\n") + "\n").as_bytes())],
        &[(
            "There are markers and no samples; record both: perf record -e probe_app:step -e \
             probe_app:step__return -e cycles/freq=499/ -g ./app",
            1,
            "a.txt",
        )],
    );
    refused(
        &[("perf.data", b"PERFILE2\0\0\0\0\0")],
        "perf.data: found a recording that only perf can read, expected its text: perf script \
         --ns -F +period > trace.txt",
    );
    refused(
        &[("a.perf-script", b"")],
        "a.perf-script: found an empty file, expected records as perf script prints them",
    );
}

#[test]
fn markers_that_were_sampled_away_are_counted_and_the_command_is_given() {
    // The second return is missing, and the third begin.
    let mut text = String::new();
    for (time, event) in [(1, "step"), (2, "step__return"), (3, "step"), (5, "step__return")]
        .into_iter()
        .chain([(6, "step__return"), (7, "step"), (8, "step__return")])
    {
        text += &format!("app 7 2.{time:06}: probe_app:{event}: (401000)\n");
    }
    text += "app 7 2.000009: 9 cpu/cycles/u: 401010 work+0x10 (/a/app)\n";
    noticed(
        &[("a.txt", text.as_bytes())],
        &[(
            "Markers are missing: probe_app:step begins 3 times and ends 4 times; those without \
             their other half were left out. perf drops markers where -F is given for all \
             events; give each sampled one its own: perf record -e probe_app:step -e \
             probe_app:step__return -e cpu/freq=499,cycles/u -g ./app",
            1,
            "a.txt",
        )],
    );
}

#[test]
fn lines_that_are_no_records_of_perf_script() {
    let expected = "expected a trace: a .prv (with its .pcf and .row), an .extract, the text \
                    of perf script, an OTF2 archive or a fold record, bare, gzipped or in a .zip or .tar";
    let other = b"bash-1234 [001] 1498.672300: sched_switch: prev=a";
    refused(&[("a.txt", other)], &format!("a.txt: found a file of another kind, {expected}"));
    refused(
        &[("a.txt", format!("{PERF}hello\n").as_bytes())],
        "a.txt:6:1: found “hello”, expected a command, a thread and a time such as “app 4615 \
         2144.807830162:”\n  hello\n  ^",
    );
    refused(
        &[("a.txt", format!("{PERF}app 7 2.5: 12 cycles\n").as_bytes())],
        "a.txt:6:15: found “cycles”, expected an event such as “cycles:”\n  \
         app 7 2.5: 12 cycles\n                ^",
    );
    for cut in ["app  7 [000] 2.00", "app 7 2.1: 12 cyc", "\t401010 wor", "ap"] {
        noticed(
            &[("a.txt", format!("{PERF}{cut}").as_bytes())],
            &[("The last line is cut; it was left out.", 1, "a.txt:6")],
        );
    }
    let late = PERF.repeat(120) + "Warning: 3 chunks lost\n";
    let found = open(&[("a.txt", late.as_bytes())]);
    let notice = found.notices.iter().find(|notice| notice.text.contains("no record")).unwrap();
    assert_eq!(
        (notice.text.as_str(), notice.count, notice.first.to_string().as_str()),
        ("A line that is no record; it was left out.", 1, "a.txt:601")
    );
}

#[test]
fn a_symbol_of_10_kb_is_shortened_and_the_rest_is_kept() {
    let text = PERF.replace("work+", &format!("{}+", "<T>\u{1b}[31m".repeat(1_200)));
    let folding = fold(&open(&[("a.txt", text.as_bytes())]), &["points=9"]);
    assert_eq!(folding.region, "probe_app:step");
    let routines = &folding.groups[0].routines;
    assert!(routines[0].starts_with("<T>") && routines[0].len() < 600, "{}", routines[0].len());
}
