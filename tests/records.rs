//! Records of a runtime that folds while the program runs: they fold as the trace does that they come from.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use tracefold::export::{Format, export};
use tracefold::input::NamedFile;
use tracefold::settings::Settings;
use tracefold::trace::{Kind, Trace};
use tracefold::{open, pipeline};
use tracefold_generate::{Shape, generate};

fn read(name: &str, text: &str) -> Result<Trace, String> {
    let files = vec![NamedFile::new(name, text.as_bytes().to_vec())];
    open::open(files, &mut |_| {}).map_err(|error| format!("{error:#}"))
}

fn notices(trace: &Trace) -> Vec<(String, u64)> {
    trace.notices.iter().map(|notice| (notice.text.clone(), notice.count)).collect()
}

fn of(region: &str) -> Settings {
    let mut settings = Settings::default();
    settings.set("region", region).unwrap();
    settings
}

/// A file of a fold of the region.
fn table(trace: &Trace, region: &str, name: &str) -> String {
    let folded = pipeline::run(trace, &of(region)).unwrap();
    let files = export(trace, &[folded], Format::Csv).unwrap();
    let file = files.into_iter().find(|file| file.name == name).unwrap();
    String::from_utf8(file.bytes).unwrap()
}

/// The instances of an extract, as its own lines tell: object, region, duration, totals; and of each sample its time,
/// its counts and its frames, innermost first.
struct Instance {
    object: [u32; 3],
    region: String,
    duration: u64,
    totals: BTreeMap<String, u64>,
    samples: Vec<Sample>,
}

type Sample = (u64, BTreeMap<String, u64>, Vec<[u64; 2]>);

fn instances(extract: &str) -> Vec<Instance> {
    let mut all: Vec<Instance> = vec![];
    for line in extract.lines() {
        let mut words = line.split_whitespace();
        let kind = words.next();
        let mut next = || words.next().unwrap();
        match kind {
            Some("I") => {
                let object = [0; 3].map(|_: u32| next().parse().unwrap());
                let region = next().to_owned();
                let (_, duration) = (next(), next().parse().unwrap());
                let count = next().parse::<usize>().unwrap();
                let totals = (0..count).map(|_| (next().to_owned(), next().parse().unwrap()));
                let totals = totals.collect();
                all.push(Instance { object, region, duration, totals, samples: vec![] });
            }
            Some("S") => {
                let (_, since) = (next(), next().parse().unwrap());
                let count = next().parse::<usize>().unwrap();
                let counts = (0..count).map(|_| (next().to_owned(), next().parse().unwrap()));
                let counts = counts.collect();
                let frames = next().parse::<usize>().unwrap();
                let mut frame = || {
                    let [_, routine, line, _] = [0; 4].map(|_| next().parse::<u64>().unwrap());
                    [routine, line]
                };
                let frames = (0..frames).map(|_| frame()).collect();
                all.last_mut().unwrap().samples.push((since, counts, frames));
            }
            _ => {}
        }
    }
    all
}

#[derive(Clone, Copy, PartialEq)]
enum Order {
    Behind,
    Before,
}

/// The same as records, in one of the ways in which they are written.
fn records(instances: &[Instance], order: Order, unit_ns: u64, separator: &str) -> String {
    let counters =
        instances.iter().flat_map(|of| of.totals.keys().cloned()).collect::<BTreeSet<_>>();
    let unit = if unit_ns == 1 { "ns" } else { "us" };
    let mut text = format!(
        "# Times: {unit}\n# Counters: {}\n",
        counters.iter().cloned().collect::<Vec<_>>().join(" ")
    );
    let time = |ns: u64| match unit_ns {
        1 => ns.to_string(),
        _ => format!("{}.{:03}", ns / 1000, ns % 1000),
    };
    let counts = |of: &BTreeMap<String, u64>| {
        let count = |name| of.get(name).map_or_else(|| "-".to_owned(), u64::to_string);
        counters.iter().map(|name| format!("{separator}{}", count(name))).collect::<String>()
    };
    for of in instances {
        let thread = format!("{}.{}", of.object[1] - 1, of.object[2] - 1);
        let whose = format!("{thread}{separator}{}", of.region);
        let mut own =
            format!("I{separator}{whose}{separator}{}{}\n", time(of.duration), counts(&of.totals));
        let mut samples = String::new();
        for (since, of_sample, frames) in &of.samples {
            let stack =
                frames.iter().rev().map(|[routine, line]| format!("f{routine} (a.c:{line})"));
            let stack = stack.collect::<Vec<_>>().join(";");
            let (since, counts) = (time(*since), counts(of_sample));
            writeln!(samples, "S{separator}{whose}{separator}{since}{counts}{separator}{stack}")
                .unwrap();
        }
        match order {
            Order::Behind => own += &samples,
            Order::Before => own.insert_str(0, &samples),
        }
        text += &own;
    }
    text
}

#[test]
fn records_fold_as_the_extract_of_the_same_instances() {
    let made = generate(Shape::Example, 3);
    let files = vec![NamedFile::new("a.prv", made.prv), NamedFile::new("a.pcf", made.pcf)];
    let trace = open::open(files, &mut |_| {}).unwrap();
    let folded = pipeline::run(&trace, &of("User function:main loop")).unwrap();
    let extract = export(&trace, &[folded], Format::Extract).unwrap();
    let extract = extract.iter().find(|file| file.name.ends_with(".extract")).unwrap();
    let extract = String::from_utf8(extract.bytes.clone()).unwrap();
    let mut instances = instances(&extract);
    // Of one thread: which of two threads ends first records do not tell.
    let object = instances[0].object;
    instances.retain(|of| of.object == object);
    let [application, task, thread] = object;
    let own = format!("I {application} {task} {thread} ");
    let mut is_own = false;
    let own_lines = extract.lines().filter(|line| {
        is_own = if line.starts_with('I') { line.starts_with(&own) } else { is_own };
        is_own
    });
    let extract = own_lines.collect::<Vec<_>>().join("\n");
    let of_extract = read("a.extract", &extract).unwrap();
    assert!(instances.len() > 100 && instances.iter().any(|of| of.samples.len() > 2));
    let region = format!("Region:{}", instances[0].region);
    for (order, unit_ns, separator) in [
        (Order::Behind, 1, " "),
        (Order::Before, 1000, " "),
        (Order::Before, 1, "\t"),
        (Order::Behind, 1000, "\t"),
    ] {
        let text = records(&instances, order, unit_ns, separator);
        let trace = read("a.txt", &text).unwrap();
        assert_eq!(notices(&trace), []);
        let [expected, own] =
            [&of_extract, &trace].map(|trace| table(trace, &region, "curves.csv"));
        assert!(expected.lines().count() > 1000 && expected == own, "{unit_ns} {separator:?}");
        // Of another name, so by how many are sampled where.
        let [expected, own] = [&of_extract, &trace].map(|trace| table(trace, &region, "lines.csv"));
        assert_eq!(expected.lines().count(), own.lines().count());
        assert!(own.contains("a.c"), "{own}");
    }
}

#[test]
fn shares_of_the_older_spelling_are_points_of_a_curve() {
    let mut text = String::from("T solve:a.c:10-20 1500.5\n");
    // One half of the instructions in the first quarter of the time.
    let share = |x: f64| if x < 0.25 { 2.0 * x } else { 0.5 + (x - 0.25) * 2.0 / 3.0 };
    for at in 1..400 {
        let x = f64::from(at * 37 % 400) / 400.0;
        if x > 0.0 {
            let line = if x < 0.25 { 12 } else { 17 };
            write!(text, "S LINE {x} {line}\nS PAPI_TOT_INS {x} {}\n", share(x)).unwrap();
        }
    }
    let trace = read("a.txt", &text).unwrap();
    let said = notices(&trace);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].0.starts_with("The text tells shares"), "{said:?}");
    let region = "Region:solve:a.c:10-20";
    let (folding, _) = pipeline::run(&trace, &of(region)).unwrap();
    let [group] = folding.groups.as_slice() else { panic!("{}", folding.groups.len()) };
    assert_eq!(group.mean_duration_ns, 1_500_500.0);
    let curve = &group.curves[0];
    assert_eq!(
        (curve.counter.as_str(), curve.mean_count),
        ("PAPI_TOT_INS, share of its total", 1e6)
    );
    for (at, fitted) in curve.fitted.iter().enumerate() {
        let x = at as f64 / (curve.fitted.len() - 1) as f64;
        // A share is told in millionths, and a break lies within a point of the grid.
        assert!((fitted - share(x)).abs() < 0.01, "{x}: {fitted}");
    }
    let lines = table(&trace, region, "lines.csv");
    assert!(lines.contains(",12,") && lines.contains(",17,"), "{lines}");
}

#[test]
fn what_is_odd_is_said_and_the_rest_is_read() {
    let odd = "\
# any comment
# Counters: A
I 0 solve 100 10
S 0 solve 50 5 f;g
S 0 solve 50 5 f;g
S 0 solve 100 5 f
S 0 solve 0 0 f
S 1 solve 10 1 f
I 0 solve 100 10 77
";
    let trace = read("a.txt", odd).unwrap();
    let times = |words: &str| {
        let said = notices(&trace).into_iter().find(|(text, _)| text.starts_with(words));
        said.map(|(_, count)| count)
    };
    assert_eq!(
        times("A sample that lies outside of its instance, or at the time of another"),
        Some(3)
    );
    assert_eq!(times("A sample before the first instance of its region"), Some(1));
    assert_eq!(times("A count of a counter that the header does not name"), Some(1));
    let groups = table(&trace, "Region:solve", "groups.csv");
    assert_eq!(groups.lines().filter(|line| line.starts_with("Region:solve,1,1,1,1,")).count(), 2);
    // A later header names counters of its own.
    let trace = read("a", "# Counters: A B\nI 0 a 3 4 5\n# Counters: B C\nI 0 a 3 5 6\n").unwrap();
    let instances = table(&trace, "Region:a", "instances.csv");
    let counts =
        instances.lines().map(|line| line.rsplitn(4, ',').collect::<Vec<_>>()[..3].join(","));
    assert_eq!(counts.collect::<Vec<_>>(), ["C,B,A", ",5,4", "6,5,"]);
    // Before their instance, which one never has; and without names of counters.
    let trace = read("a", "S 0 a 1 2 f\nI 0 a 3 4 5\nS 0 a 1 2 f\n").unwrap();
    let said = notices(&trace);
    assert_eq!(said, [("A sample of an instance that never came; it was left out.".to_owned(), 1)]);
    let names = trace.types.iter().map(|known| known.name.as_str()).collect::<Vec<_>>();
    assert!(names.contains(&"Counter 1") && names.contains(&"Counter 2"), "{names:?}");
}

#[test]
fn what_is_no_record_is_refused_with_its_place() {
    for (text, error) in [
        ("I 0 solve 5\nI 0 solve\n", "a.txt:2:10: found the end of the line, expected a duration"),
        ("S 0 solve 5 1 f\nbye\n", "a.txt:2:1: found \u{201c}bye\u{201d}, expected a record"),
        (
            "# Counters: A B\nI 0 a 5 1 2\nS 0 a 1 1 f\n",
            "a.txt:3:11: found \u{201c}f\u{201d}, expected a count",
        ),
        (
            "T a 5\nS A 0.5 1.5\n",
            "a.txt:2:9: found \u{201c}1.5\u{201d}, expected how much of the total, from 0 to 1",
        ),
    ] {
        let refused = read("a.txt", text).unwrap_err();
        assert!(refused.starts_with(error), "{refused}");
    }
}

#[test]
fn counters_without_end_are_bounded_in_words() {
    let shares = (0..1002).map(|at| format!("S C{at} 0.5 0.5\n")).collect::<String>();
    let header = (0..1002).map(|at| format!(" C{at}")).collect::<String>();
    let counts = " 7".repeat(1002);
    for text in [
        format!("T a 5\n{shares}"),
        format!("# Counters:{header}\nI 0 a 5{counts}\n"),
        format!("I 0 a 5{counts}\n"),
    ] {
        let trace = read("a", &text).unwrap();
        let of_counters = trace.types.iter().filter(|known| known.kind == Kind::Counter);
        assert_eq!(of_counters.count(), 1000);
        let cut = "More than 1000 counters; the rest was left out.".to_owned();
        assert!(notices(&trace).contains(&(cut, 2)), "{:?}", notices(&trace));
    }
}
