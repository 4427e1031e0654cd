//! Profiles of TAU written out here, in every format and with every oddity that real ones have.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tracefold::export::{self, ProfileFormat};
use tracefold::input::NamedFile;
use tracefold::open;
use tracefold::profile::Profile;
use tracefold::text::ParseError;
use tracefold::trace::Notices;

use crate::identities;

type Read = Result<(Profile, Notices), ParseError>;

fn read(files: &[(&str, &[u8])]) -> Read {
    let named = files.iter().map(|(name, bytes)| NamedFile::new(*name, *bytes));
    let contents = open::contents(named.collect(), &mut |_| {})?;
    contents.profile(&contents.trials()[0], &mut |_| {})
}

/// A text of these lines as TAU has it, `NAME CALLS SUBRS EXCL INCL|GROUP`, and what follows them.
fn text(metric: &str, lines: &[&str], rest: &str) -> String {
    let mut text = format!(
        "{} templated_functions_MULTI_{metric}\n# Name Calls Subrs Excl Incl ProfileCalls # \
         <metadata><attribute><name>Metric Name</name><value>{metric}</value></attribute>\
         <attribute><name>TAU_EBS_PERIOD</name><value>10000</value></attribute>\
         <attribute><name>CWD</name><value>/a &amp; b</value></attribute></metadata>\n",
        lines.len()
    );
    for line in lines {
        let (line, group) = line.split_once('|').unwrap_or((line, ""));
        let mut words = line.rsplitn(5, ' ').collect::<Vec<_>>();
        words.reverse();
        text += &format!("\"{}\" {} 0 GROUP=\"{group}\" \n", words[0], words[1..].join(" "));
    }
    text + "0 aggregates\n" + rest
}

fn profile(lines: &[&str]) -> Profile {
    read(&[("profile.0.0.0", text("TIME", lines, "").as_bytes())]).unwrap().0
}

/// The tree of the first thread: `DEPTH KIND NAME COUNT: EXCLUSIVE, INCLUSIVE` in microseconds.
fn tree(profile: &Profile) -> Vec<String> {
    let (depths, columns) = (profile.depths(), &profile.threads[0].columns);
    let line = |node: u32| {
        let place = columns.place(node)?;
        let of = &profile.nodes[node as usize];
        let [own, below] = [&columns.exclusive[0], &columns.inclusive[0]].map(|of| of[place] / 1e3);
        let (depth, kind, name) = (depths[node as usize], of.kind.name(), &of.name);
        let place_of =
            if of.line > 0 { format!(" {}:{}", of.file, of.line) } else { String::new() };
        Some(format!("{depth} {kind} {name}{place_of} {}: {own}, {below}", columns.counts[place]))
    };
    profile.in_order(|_| 0.0).into_iter().filter_map(line).collect()
}

fn told(notices: &Notices) -> Vec<String> {
    notices.iter().map(|notice| format!("{} ×{}", notice.text, notice.count)).collect()
}

/// main calls solve and, twice, a reduction, once inside of solve; solve was sampled.
const PATHS: &[&str] = &[
    "main() C [{a.c} {5,1}-{17,1}] 1 2 20 100|TAU_USER",
    "solve 1 1 50 60|TAU_USER",
    "MPI_Allreduce()   2 0 30 30|MPI",
    "main() C [{a.c} {5,1}-{17,1}]  => solve 1 1 50 60|TAU_USER|TAU_CALLPATH",
    "main() C [{a.c} {5,1}-{17,1}]  => MPI_Allreduce()   1 0 20 20|MPI|TAU_CALLPATH",
    "main() C [{a.c} {5,1}-{17,1}]  => solve  => MPI_Allreduce()   1 0 10 10|MPI|TAU_CALLPATH",
    "[CONTEXT] solve 5 0 0 50|TAU_SAMPLE_CONTEXT",
    "main() C [{a.c} {5,1}-{17,1}] => solve => [CONTEXT] solve 5 0 0 50|TAU_SAMPLE_CONTEXT|TAU_CALLPATH",
    "[SAMPLE] dot [{/src/a.c} {7}] 3 0 30 30|TAU_SAMPLE",
    "main() C [{a.c} {5,1}-{17,1}] => solve => [CONTEXT] solve => [UNWIND] a.c.7 [@] step [{/src/a.c} \
     {30}] => [SAMPLE] dot [{/src/a.c} {7}] 3 0 30 30|TAU_SAMPLE|TAU_CALLPATH|TAU_UNWIND",
    "main() C [{a.c} {5,1}-{17,1}] => solve => [CONTEXT] solve => [UNWIND] a.c.7 [@] step [{/src/a.c} \
     {30}] 3 0 0 30|TAU_UNWIND|TAU_SAMPLE|TAU_CALLPATH",
    "main() C [{a.c} {5,1}-{17,1}] => solve => [CONTEXT] solve => [SAMPLE] UNRESOLVED /lib/libc.so 2 0 \
     20 20|TAU_SAMPLE|TAU_CALLPATH",
];

#[test]
fn a_timer_and_the_paths_to_it_are_never_added() {
    let profile = profile(PATHS);
    assert_eq!(
        tree(&profile),
        [
            "0 probe main() C a.c:5 1: 20, 100",
            "1 probe solve 1: 50, 60",
            "2 probe MPI_Allreduce() 1: 10, 10",
            "2 context solve 5: 0, 50",
            "3 unwind step /src/a.c:30 3: 0, 30",
            "4 sample dot /src/a.c:7 3: 30, 30",
            "3 unresolved /lib/libc.so 2: 20, 20",
            "1 probe MPI_Allreduce() 1: 20, 20",
        ]
    );
    let groups = profile.nodes.iter().map(|node| node.group.as_str()).collect::<Vec<_>>();
    assert_eq!(groups[..3], ["TAU_USER", "TAU_USER", "MPI"]);
    assert_eq!(
        profile.quality.sentences(),
        [
            "Samples: 5, for 50.0 % of the time; each since the one before, wherever that was.",
            "Samples were taken each 10000 µs.",
            "Samples whose routine is not known: 2 (40.0 %).",
        ]
    );
    assert!(profile.metadata.contains(&("CWD".to_owned(), "/a & b".to_owned())));
    assert_eq!(identities::of_samples(&profile), 1);
    identities::read_back(&profile);
}

#[test]
fn lines_are_read_as_tau_and_others_write_them() {
    for (line, expected) in [
        ("a \"b\" c 1 0 5 5|G", "0 probe a \"b\" c 1: 5, 5"),
        ("a 1 0 1.25E+06 1.25e6|G", "0 probe a 1: 1250000, 1250000"),
        ("a 0.5 0 5 5|G | H", "0 probe a 0.5: 5, 5"),
        // Below zero: a clock that went back.
        ("a 1 0 -5 7|G", "0 probe a 1: 0, 7"),
        ("a [THROTTLED] 9 0 5 5|TAU_DISABLE", "0 probe a 9: 5, 5"),
        ("Loop: f [{/x y/f.c} {3,2}-{9,4}] 1 0 5 5|G", "0 probe Loop: f /x y/f.c:3 1: 5, 5"),
        ("operator[] [{f.c} {3}] 1 0 5 5|G", "0 probe operator[] f.c:3 1: 5, 5"),
    ] {
        assert_eq!(tree(&profile(&[line])), [expected], "{line}");
    }
    // Nor is it taken from what another path has: the notice says that something is wrong.
    let back = text("TIME", &["a 2 1 7 9|G", "b 1 0 2 2|G", "a => b 1 0 -5 2|TAU_CALLPATH"], "");
    let (back, notices) = read(&[("profile.0.0.0", back.as_bytes())]).unwrap();
    assert_eq!(tree(&back), ["0 probe a 2: 7, 9", "1 probe b 1: 0, 2"]);
    assert_eq!(told(&notices), ["A value below zero, or none; it counts nothing. ×1"]);
    // No group, twice the same name, and lines that are none.
    let odd = "4 templated_functions\n# Name # <metadata><attribute><name>x</na\n\"a\" 1 0 5 5 0\n\
               \"a\" 2 0 6 6 0\n\"b\" 1 x 5 5 0\nb\n";
    let (profile, notices) = read(&[("profile.0.0.0", odd.as_bytes())]).unwrap();
    assert_eq!(tree(&profile), ["0 probe a 3: 11, 11"]);
    assert_eq!(profile.metrics[0].name, "TIME");
    assert_eq!(
        told(&notices),
        [
            "A line of a profile that cannot be read; it was left out. ×2",
            "Metadata that cannot be read to its end; the rest was left out. ×1",
        ]
    );
}

#[test]
fn what_leads_nowhere_is_no_deeper_than_it_is_told() {
    // A recursion: main inside of main. The flat timer has both calls, and its inclusive time once.
    let recursion = profile(&["main 2 1 30 100", "main => main 1 0 10 80|TAU_CALLPATH"]);
    assert_eq!(tree(&recursion), ["0 probe main 1: 20, 100", "1 probe main 1: 10, 80"]);
    // Paths of two calls at most: b is under main, c under b, which alone leads there.
    let cut = profile(&[
        "main 1 1 10 100",
        "b 1 1 20 90",
        "c 1 0 70 70",
        "main => b 1 1 20 90|TAU_CALLPATH",
        "b => c 1 0 70 70|TAU_CALLPATH",
    ]);
    assert_eq!(
        tree(&cut),
        ["0 probe main 1: 10, 100", "1 probe b 1: 20, 90", "2 probe c 1: 70, 70"]
    );
    // Two calls lead to b: what is under which nothing tells. Its own time counts where it was called.
    let several = profile(&[
        "main 1 2 10 100",
        "a 1 1 5 45",
        "b 2 2 20 85",
        "c 2 0 65 65",
        "main => a 1 1 5 45|TAU_CALLPATH",
        "main => b 1 1 10 45|TAU_CALLPATH",
        "a => b 1 1 10 40|TAU_CALLPATH",
        "b => c 2 0 65 65|TAU_CALLPATH",
    ]);
    assert_eq!(
        tree(&several),
        [
            "0 probe main 1: 10, 100",
            "1 probe a 1: 5, 45",
            "2 probe b 1: 10, 40",
            "1 probe b 1: 10, 45",
            "1 part b 2: 20, 85",
            "2 probe c 2: 65, 65",
        ]
    );
    let spent = several.stacks(&several.threads[0].columns, 0);
    assert_eq!(spent.iter().map(|(_, spent)| spent).sum::<f64>(), 100e3);
    for profile in [recursion, cut, several] {
        identities::read_back(&profile);
    }
    // A timer that still runs has no call yet.
    assert_eq!(tree(&profile(&["main 0 0 20 20"])), ["0 probe main 0: 20, 20"]);
    // Each path leads to the next: as deep as anything is told, then beside.
    let chain = (0..1500).map(|at| format!("f{at} => f{} 1 0 1 1|TAU_CALLPATH", at + 1));
    let chain = chain.collect::<Vec<_>>();
    let chain = profile(&chain.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(chain.depths().iter().all(|depth| *depth <= 1001), "{:?}", chain.depths().iter().max());
    assert!(chain.nodes.len() >= 1500);
    // A path that is its own way to itself, and one of very many calls.
    let deep = format!("{} 1 0 5 5|TAU_CALLPATH", vec!["a"; 2000].join(" => "));
    let odd =
        text("TIME", &["b => c 1 0 5 5|TAU_CALLPATH", "c => b 1 0 5 5|TAU_CALLPATH", &deep], "");
    let (odd, notices) = read(&[("profile.0.0.0", odd.as_bytes())]).unwrap();
    assert_eq!(odd.nodes.len(), 5);
    assert_eq!(told(&notices), ["A call path of more than 1000 calls; it was left out. ×1"]);
}

#[test]
fn without_call_paths_timers_lie_side_by_side() {
    let lines =
        ["main 1 1 20 100", "solve 4 0 80 80", "solve [ <size> = <64> ] 3 0 70 70|TAU_PARAM"];
    let whole = text("TIME", &lines, "");
    let (profile, notices) = read(&[("profile.0.0.0", whole.as_bytes())]).unwrap();
    assert_eq!(
        tree(&profile),
        [
            "0 probe (whole) 1: 0, 100",
            "1 probe main 1: 20, 100",
            "1 probe solve 4: 80, 80",
            "2 part solve [ <size> = <64> ] 3: 70, 70",
        ]
    );
    let text = "No call paths were recorded: timers lie side by side, and what each has inclusively \
                overlaps. ×1";
    assert_eq!(told(&notices), [text]);
    identities::read_back(&profile);
    // Samples of which nothing tells the context, as they were before 2013 too.
    let old = self::profile(&["main 1 0 50 50", "[SAMPLE] f [{a.c} {3}] 4 0 40 40|TAU_SAMPLE"]);
    assert_eq!(tree(&old)[1..], ["1 context main 4: 0, 40", "2 sample f a.c:3 4: 40, 40"]);
    let old = self::profile(&[
        "main 1 0 50 50",
        "main => [INTERMEDIATE] main 4 0 0 40|TAU_SAMPLE",
        "main => [INTERMEDIATE] main => [SAMPLE] f [{a.c} {3}] 4 0 40 40|TAU_SAMPLE",
    ]);
    assert_eq!(tree(&old)[1..], ["1 context main 4: 0, 40", "2 sample f a.c:3 4: 40, 40"]);
}

#[test]
fn what_the_measurement_says_of_its_samples_is_told() {
    let lines = [
        "main [THROTTLED] 1 0 50 50|TAU_DISABLE",
        "main => [CONTEXT] main 4 0 0 40|TAU_SAMPLE_CONTEXT",
        "main => [CONTEXT] main => [SAMPLE] f [{a.c} {3}] 4 0 40 40|TAU_SAMPLE",
    ];
    let told = "<attribute><name>TAU_EBS_SOURCE</name><value>PAPI_TOT_INS</value></attribute>\
                <attribute><name>TAU_EBS_SAMPLES_TAKEN_2</name><value>6</value></attribute>\
                <attribute><name>TAU_EBS_SAMPLES_DROPPED_TAU_2</name><value>1</value></attribute>\
                <attribute><name>TAU_EBS_SAMPLES_TAKEN_0</name><value>99</value></attribute></metadata>";
    let text = text("TIME", &lines, "").replace("</metadata>", told);
    let (profile, _) = read(&[("profile.1.0.2", text.as_bytes())]).unwrap();
    assert_eq!(
        profile.quality.sentences()[1..],
        [
            "Samples were taken each 10000 of PAPI_TOT_INS: they stand for events, not for time.",
            "As the measurement states of 1 thread: 6 samples, 1 dropped.",
            "Probes that were called too often, so that the measurement stopped them: 1.",
        ]
    );
}

#[test]
fn summaries_of_files_are_left_out_and_made_anew() {
    let context = "main => [CONTEXT] main";
    let profile = profile(&[
        "main 1 0 50 50",
        "[SUMMARY] f [{a.c}] 5 0 50 50|TAU_SAMPLE|TAU_DERIVED",
        &format!("{context} 5 0 0 50|TAU_SAMPLE_CONTEXT"),
        &format!("{context} => [SUMMARY] f [{{a.c}}] 5 0 50 50|TAU_SAMPLE"),
        &format!(
            "{context} => [SUMMARY] f [{{a.c}}] => [SAMPLE] f [{{a.c}} {{3}}] 3 0 30 30|TAU_SAMPLE"
        ),
        &format!(
            "{context} => [SUMMARY] f [{{a.c}}] => [SAMPLE] f [{{a.c}} {{4}}] 2 0 20 20|TAU_SAMPLE"
        ),
    ]);
    assert_eq!(
        tree(&profile)[1..],
        ["1 context main 5: 0, 50", "2 sample f a.c:3 3: 30, 30", "2 sample f a.c:4 2: 20, 20"]
    );
    let summarised = profile.summarised();
    assert_eq!(tree(&summarised)[2], "2 summary f 5: 0, 50");
    assert_eq!(identities::of_samples(&summarised), 1);
}

#[test]
fn each_metric_is_a_folder_and_calls_are_those_of_the_first() {
    let events = "2 userevents\n# eventname numevents max min mean sumsqr\n\"Size : main\" 4 8 2 5 108\n\
                  \"Size\" 4 8 2 5 108\n";
    let first = text("TIME", &["main 3 0 50 50"], events);
    let second = text("PAPI_TOT_INS", &["main 9 0 500 500", "late 9 0 7 7"], events);
    let files = [
        ("t/MULTI__PAPI_TOT_INS/profile.0.0.0", second.as_bytes()),
        ("t/MULTI__TIME/profile.0.0.0", first.as_bytes()),
        ("t/MULTI__TIME/profile.1.0.2", first.as_bytes()),
    ];
    let (profile, notices) = read(&files).unwrap();
    // Time is the first, whatever came first.
    let metrics = profile.metrics.iter().map(|metric| (metric.name.as_str(), metric.unit.as_str()));
    assert_eq!(metrics.collect::<Vec<_>>(), [("TIME", "ns"), ("PAPI_TOT_INS", "")]);
    assert_eq!(profile.threads[1].thread, "1.0.2");
    let columns = &profile.threads[0].columns;
    let root = columns.place(0).unwrap();
    assert_eq!(columns.inclusive[1][root], 507.0);
    let missing = "A thread without a file of each metric; what is missing counts nothing. ×1";
    assert!(told(&notices).contains(&missing.to_owned()));
    let of = &profile.threads[0].user_events;
    assert_eq!(profile.user_events, ["Size : main", "Size"]);
    assert_eq!((of.counts[0], of.min[0], of.max[0], of.mean[0]), (4.0, 2.0, 8.0, 5.0));
    assert_eq!(of.events.len(), 2);
    identities::read_back(&profile);
    // The same where timers lie side by side.
    let both = text("TIME", &["main 3 0 50 50", "other 1 0 9 9"], "");
    let files = [
        ("t/MULTI__TIME/profile.0.0.0", both.as_bytes()),
        ("t/MULTI__PAPI_TOT_INS/profile.1.0.0", second.as_bytes()),
        ("t/MULTI__TIME/profile.1.0.0", both.as_bytes()),
    ];
    let profile = read(&files).unwrap().0;
    let roots =
        profile.threads.iter().map(|of| of.columns.inclusive.iter().map(|of| of[0]).collect());
    assert_eq!(roots.collect::<Vec<Vec<_>>>(), [[59e3, 0.0], [59e3, 507.0]]);
}

const XML: &str = r#"<profile_xml>
<definitions thread="*">
<metric id="0"><name>TIME</name><units>unknown</units></metric>
<event id="0"><name>main&lt;int&gt; &amp; &bomb;</name><group>TAU_USER</group></event>
<event id="3"><name><![CDATA[f(a[b[1]]]]]></name><group>G</group></event>
<userevent id="0"><name>Size</name></userevent>
</definitions>
</profile_xml>
<profile_xml>
<thread id="2.0.1.77" node="2" context="0" thread="1"><metadata>
<attribute><name>TAU_EBS_SAMPLES_TAKEN_1</name><value>12</value></attribute></metadata></thread>
<profile thread="2.0.1.77"><timestamp>1</timestamp><interval_data metrics="0 ">
0 1 0 3 3 
</interval_data></profile>
<profile thread="2.0.1.77"><timestamp>2</timestamp><interval_data metrics="0 ">
0 1 1 30 50 
3 2 0 20 20 
9 1 0 1 1
</interval_data><atomic_data>
0 4 8 2 5 108
</atomic_data></profile>
<derivedentity id="total"></derivedentity>
<derivedprofile derivedentity="total"><derivedinterval_data metrics="0 ">
0 9 9 999 999 
</derivedinterval_data></derivedprofile>
</profile_xml>
"#;

#[test]
fn xml_is_many_documents_and_the_last_state_of_a_thread_counts() {
    let bomb =
        XML.replacen("<profile_xml>", "<!DOCTYPE x [<!ENTITY bomb \"b&bomb;\">]><profile_xml>", 1);
    for text in [XML, &format!("<?xml version=\"1.0\"?>\n{bomb}\0")] {
        let (profile, notices) = read(&[("tauprofile.xml", text.as_bytes())]).unwrap();
        let lines = tree(&profile);
        assert_eq!(
            lines[1..],
            ["1 probe main<int> & &bomb; 1: 30, 50", "1 probe f(a[b[1]]] 2: 20, 20"]
        );
        assert_eq!((profile.threads[0].thread.as_str(), profile.quality.taken), ("2.0.1", 12));
        assert_eq!(profile.threads[0].user_events.max, [8.0]);
        let line = "A line of numbers that cannot be read; it was left out. ×1";
        assert_eq!(told(&notices)[0], line);
    }
    // Names are in whatever encoding the program's source has.
    let latin = [
        &XML.as_bytes()[..XML.find("f(a[b").unwrap()],
        b"f\xfc",
        &XML.as_bytes()[XML.find("f(a[b").unwrap() + 1..],
    ]
    .concat();
    let (profile, _) = read(&[("tauprofile.xml", &latin)]).unwrap();
    assert_eq!(tree(&profile)[2], "1 probe f\u{fffd}(a[b[1]]] 2: 20, 20");
    // Cut: what came before is kept.
    let cut = &XML[..XML.find("<atomic_data>").unwrap() + 5];
    let (profile, notices) = read(&[("tauprofile.xml", cut.as_bytes())]).unwrap();
    assert_eq!(tree(&profile).len(), 3);
    assert!(
        told(&notices).iter().any(|text| text.contains("cannot be read to its end")),
        "{notices:?}"
    );
    for (bad, found) in [
        ("<profile_xml></profile_xml>", "no thread in it"),
        ("<profile_xml><interval_data metrics=\"0\">1</interval_data>", "a thread before them"),
        ("<profile_xml><a b", "byte 13, expected profiles of TAU as XML"),
    ] {
        let error = read(&[("a.xml", bad.as_bytes())]).unwrap_err().to_string();
        assert!(error.contains(found), "{error}");
    }
}

/// A stream as Java writes it.
#[derive(Default)]
struct Packed(Vec<u8>);

impl Packed {
    fn numbers(mut self, numbers: &[i32]) -> Self {
        self.0.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
        self
    }

    fn floats(mut self, floats: &[f64]) -> Self {
        self.0.extend(floats.iter().flat_map(|float| float.to_be_bytes()));
        self
    }

    fn text(mut self, text: &str) -> Self {
        self.0.extend((text.len() as u16).to_be_bytes());
        self.0.extend(text.as_bytes());
        self
    }
}

/// Two threads of main and f, with a user event; as versions 1 and 2 have it.
fn packed(version: i32) -> Vec<u8> {
    let head = Packed(b"\0P\0P\0K".to_vec()).numbers(&[version, 1]);
    let head = match version {
        1 => head.numbers(&[0]),
        _ => {
            let of_trial =
                head.numbers(&[99, 0, 1]).text("CWD").text("/a").numbers(&[1, 0, 0, 0, 1]);
            of_trial.text("TAU_EBS_SAMPLES_TAKEN_0").text("7")
        }
    };
    let metrics = head.numbers(&[1]).text("TIME").numbers(&[2]).text("G").text("TAU_CALLPATH");
    let events = metrics.numbers(&[3]).text("main").numbers(&[1, 0]).text("f").numbers(&[0]);
    let events = events.text("main => f").numbers(&[2, 0, 1]).numbers(&[1]).text("Size");
    let mut packed = events.numbers(&[2]);
    for thread in [0, 1] {
        packed = packed.numbers(&[0, 0, thread, 3]);
        for (event, [calls, subcalls, own, below]) in
            [[1.0, 1.0, 30.0, 50.0], [2.0, 0.0, 20.0, 20.0], [2.0, 0.0, 20.0, 20.0]]
                .iter()
                .enumerate()
        {
            packed = packed.numbers(&[event as i32]).floats(&[*calls, *subcalls, *own, *below]);
        }
        packed = packed.numbers(&[1, 0, 4]).floats(&[2.0, 8.0, 5.0, 108.0]);
    }
    packed.0
}

#[test]
fn packed_profiles_of_both_versions_are_read() {
    for version in [1, 2] {
        let (profile, notices) = read(&[("a.ppk", &packed(version))]).unwrap();
        assert_eq!(tree(&profile), ["0 probe main 1: 30, 50", "1 probe f 2: 20, 20"]);
        assert_eq!((profile.threads.len(), profile.name.as_str()), (2, "a.ppk"));
        assert_eq!(profile.nodes[1].group, "G");
        assert_eq!(profile.threads[1].user_events.min, [2.0]);
        assert_eq!(profile.quality.taken, if version == 2 { 7 } else { 0 });
        assert_eq!(told(&notices), [""; 0]);
    }
}

#[test]
fn packed_profiles_that_are_cut_or_count_wrong_say_where() {
    let whole = packed(2);
    for end in 6..whole.len() {
        match read(&[("a.ppk", &whole[..end])]) {
            // The first thread has come.
            Ok((_, notices)) => {
                let notices = told(&notices);
                let says = "found the end of the file at byte";
                assert!(notices[0].contains(says), "{notices:?}");
            }
            Err(error) => {
                let error = error.to_string();
                let says = ["found the end of the file at byte", "no thread in it"];
                assert!(says.iter().any(|text| error.contains(text)), "{error}");
            }
        }
    }
    // The counts of what is said of the trial: far beyond the end, and below zero.
    for (count, found) in
        [(i32::MAX, "the end of the file at byte"), (-1, "a count of -1 at byte 22")]
    {
        let mut wrong = whole.clone();
        wrong[18..22].copy_from_slice(&count.to_be_bytes());
        let error = read(&[("a.ppk", &wrong)]).unwrap_err().to_string();
        assert!(error.contains(found), "{error}");
    }
    let later = Packed(b"\0P\0P\0K".to_vec()).numbers(&[9, 9]).0;
    let error = read(&[("a.ppk", &later)]).unwrap_err().to_string();
    assert_eq!(
        error,
        "a.ppk: found version 9, which readers of version 9 understand at byte 14, expected a packed \
         profile of version 1 or 2"
    );
}

#[test]
fn more_metrics_than_anything_measures_are_refused() {
    let files = (0..101).map(|at| {
        let name = format!("t/MULTI__M{at}/profile.0.0.0");
        (name, text(&format!("M{at}"), &["main 1 0 5 5"], ""))
    });
    let files = files.collect::<Vec<_>>();
    let files =
        files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect::<Vec<_>>();
    let (profile, notices) = read(&files).unwrap();
    assert_eq!(profile.metrics.len(), 100);
    assert!(told(&notices)[0].contains("found more than 100 metrics"), "{notices:?}");
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tracefold-tau-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn tracefold(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracefold"));
    command.current_dir(folder).args(arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_folder_of_profiles_is_read_and_written_again() {
    let at = folder("folder");
    for (trial, own) in [("one", 20), ("two", 30)] {
        for metric in ["TIME", "PAPI_TOT_INS"] {
            let path = at.join(trial).join(format!("MULTI__{metric}"));
            fs::create_dir_all(&path).unwrap();
            let line = format!("main 1 0 {own} {own}");
            fs::write(path.join("profile.0.0.0"), text(metric, &[&line], "")).unwrap();
        }
    }
    let one = tracefold(&at, &["profile", "one"]);
    assert!(String::from_utf8_lossy(&one.stdout).contains("main"), "{}", stderr(&one));
    let both = tracefold(&at, &["profile", "one", "two"]);
    let says = "there are 2 traces and profiles; name one with --trace NAME:\n  one\n  two";
    assert!(stderr(&both).contains(says), "{}", stderr(&both));
    let two = tracefold(&at, &["profile", ".", "--trace", "two", "--format", "csv"]);
    assert!(String::from_utf8_lossy(&two.stdout).contains("30000"), "{}", stderr(&two));
    let two = tracefold(&at, &["profile", ".", "--trace", "to"]);
    assert!(stderr(&two).contains("unknown trace or profile \"to\"; the nearest are two"));
    for arguments in [["--format", "tau"], ["--depth", "3"]] {
        let refused = tracefold(&at, &["profile", "one", arguments[0], arguments[1]]);
        assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    }
    assert!(
        tracefold(&at, &["profile", "one", "--format", "tau", "--out", "again"]).status.success()
    );
    let written = fs::read_to_string(at.join("again/MULTI__PAPI_TOT_INS/profile.0.0.0")).unwrap();
    assert!(written.contains("\"main\" 1 0 20 20 0 GROUP=\"TAU_DEFAULT\""), "{written}");
    let folded = tracefold(&at, &["regions", "one/MULTI__TIME/profile.0.0.0"]);
    let says =
        "found a profile of TAU, expected a trace; `tracefold profile` shows what profiles say";
    assert!(stderr(&folded).contains(says), "{}", stderr(&folded));
    fs::remove_dir_all(&at).unwrap();
}

/// A snapshot file of a thread: main, in it work and wait, in microseconds, each state with its name.
fn snapshots(thread: u32, states: &[(&str, [f64; 3])]) -> String {
    let mut text = format!(
        "<profile_xml>\n<thread id=\"{thread}.0.0.1\" node=\"{thread}\" context=\"0\" thread=\"0\"><metadata/></thread>\n\
         <definitions thread=\"{thread}.0.0.1\"><metric id=\"0\"><name>TIME</name></metric>\n"
    );
    for (id, name) in ["main", "work", "wait", "main => work", "main => wait"].iter().enumerate() {
        text += &format!(
            "<event id=\"{id}\"><name>{}</name><group>G</group></event>\n",
            name.replace('>', "&gt;")
        );
    }
    text += "</definitions>\n";
    for (name, [own, work, wait]) in states {
        text += &format!(
            "<profile thread=\"{thread}.0.0.1\"><name>{name}</name><timestamp>7</timestamp>\
             <interval_data metrics=\"0 \">\n0 1 2 {own} {}\n1 3 0 {work} {work}\n2 1 0 {wait} {wait}\n\
             3 3 0 {work} {work}\n4 1 0 {wait} {wait}\n</interval_data></profile>\n",
            own + work + wait
        );
    }
    text + "</profile_xml>\n"
}

#[test]
fn snapshots_tell_what_came_between_and_their_last_state_counts() {
    let first = snapshots(
        0,
        &[("step 1", [1.0, 8.0, 1.0]), ("step 2", [2.0, 10.0, 8.0]), ("final", [3.0, 18.0, 9.0])],
    );
    let second = snapshots(1, &[("step 1", [1.0, 6.0, 3.0]), ("final", [2.0, 14.0, 4.0])]);
    // A thread that tells of its end alone says nothing of when.
    let third = snapshots(2, &[("final", [5.0, 5.0, 5.0])]);
    let files = [
        ("snapshot.0.0.0", first.as_bytes()),
        ("snapshot.1.0.0", second.as_bytes()),
        ("snapshot.2.0.0", third.as_bytes()),
    ];
    let (profile, notices) = read(&files).unwrap();
    assert_eq!(told(&notices), [""; 0]);
    assert_eq!(
        tree(&profile),
        ["0 probe main 1: 3, 30", "1 probe work 3: 18, 18", "1 probe wait 1: 9, 9"]
    );
    let at = |interval: usize, name: &str| {
        let columns = &profile.intervals[interval].columns;
        let node = profile.nodes.iter().position(|node| node.name == name).unwrap();
        columns.place(node as u32).map_or(0.0, |place| columns.exclusive[0][place])
    };
    let told = profile.intervals.iter().map(|of| (&*of.until, of.threads)).collect::<Vec<_>>();
    assert_eq!(told, [("step 1", 2), ("step 2", 2), ("final", 1)]);
    // In nanoseconds: 8 + 6, then 2 + 8, then 8 more of the first thread.
    assert_eq!([0, 1, 2].map(|of| at(of, "work")), [14e3, 10e3, 8e3]);
    assert_eq!([0, 1, 2].map(|of| at(of, "wait")), [4e3, 8e3, 1e3]);
    // 10 and 10 µs, then 10 and 10, then 10 of one of both.
    assert_eq!(profile.ends_ns(), Some(vec![10e3, 20e3, 25e3]));
    // With summaries, as bytes, and as a table it is the same.
    let summarised = profile.clone().summarised();
    assert_eq!(summarised.intervals, profile.intervals);
    assert_eq!(Profile::from_bytes(&profile.to_bytes()), Some(profile.clone()));
    let files = export::profile(&profile, &profile.measures(), ProfileFormat::Csv);
    let table = files.iter().find(|file| file.name == "profile_intervals.csv").unwrap();
    let table = String::from_utf8(table.bytes.clone()).unwrap();
    let columns = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let line =
        table.lines().find(|line| line.starts_with("2,step 2,20000,2,") && line.contains(",wait,"));
    let line = columns(line.unwrap());
    assert_eq!(line.last().map(|last| &**last), Some("8000"));
    assert_eq!(line.len(), columns(table.lines().next().unwrap()).len());
    // What says the end alone has no intervals.
    let alone = read(&[("snapshot.2.0.0", third.as_bytes())]).unwrap().0;
    assert!(alone.intervals.is_empty());
    let files = export::profile(&alone, &alone.measures(), ProfileFormat::Csv);
    assert!(files.iter().all(|file| file.name != "profile_intervals.csv"));
}

#[test]
fn very_many_snapshots_are_not_all_told_apart() {
    let states = (1..=1200).map(|at| ("", [f64::from(at), 0.0, 0.0])).collect::<Vec<_>>();
    let text = snapshots(0, &states);
    let (profile, notices) = read(&[("snapshot.0.0.0", text.as_bytes())]).unwrap();
    // A thousand states before the last, which has all that came meanwhile.
    assert_eq!(profile.intervals.len(), 1001);
    assert_eq!(profile.intervals[1000].columns.exclusive[0][0], 200e3);
    assert!(told(&notices).iter().any(|text| text.starts_with("More states of threads")));
}
