//! The instances of a group over the run: traces written out, and a part of them.

use tracefold::folding::{Asked, Course};
use tracefold::pipeline::{Kept, course};
use tracefold::report;
use tracefold::trace::Trace;

use crate::traces::{HEADER, open, settings};

const PCF: &str = "\
EVENT_TYPE
0    60000019    User function
VALUES
0   End
3   kernel

EVENT_TYPE
7  42000050 PAPI_TOT_INS
7  42000007 unc::CAS:RD
";

const EVERY_NS: u64 = 100_000;

/// Instances one after the other that last so long, with the events that the second counter counts; it is
/// not read where there is no number.
fn trace(instances: impl IntoIterator<Item = (u64, Option<u64>)>) -> Trace {
    let (mut records, mut end) = (String::new(), 0);
    for (place, (duration_ns, count)) in (1..).zip(instances) {
        let start = EVERY_NS * place;
        end = start + duration_ns;
        let read = |count: Option<u64>| count.map_or(String::new(), |n| format!(":42000007:{n}"));
        for (at, events, count) in [
            (start, "60000019:3:42000050:0", count.map(|_| 0)),
            (start + duration_ns / 2, "42000050:70", None),
            (end, "60000019:0:42000050:30", count),
        ] {
            records += &format!("2:1:1:1:1:{at}:{events}{}\n", read(count));
        }
    }
    let records = HEADER.replace("4000000_ns", &format!("{end}_ns")) + &records;
    open(&[("a.prv", records.as_bytes()), ("a.pcf", PCF.as_bytes())])
}

/// What is asked of the one group that `texts` fold.
fn over_run(trace: &Trace, texts: &[&str], asked: &str) -> Option<Course> {
    let mut settings = settings(texts).unwrap();
    settings.region = Some("User function:kernel".to_owned());
    let mut kept = Kept::default();
    kept.fold(trace, &settings, &[]).unwrap();
    course(&mut kept, trace, &settings, 1, &asked.parse::<Asked>().unwrap())
}

/// From 0 to 9, evenly and in no order.
fn scatter(place: u64) -> u64 {
    place * 37 % 10
}

#[test]
fn every_instance_is_a_point_with_its_value_and_what_became_of_it() {
    let durations = (0..20).map(|place| if place == 7 { 40_000 } else { 10_000 + scatter(place) });
    let trace = trace(durations.map(|duration_ns| (duration_ns, Some(duration_ns / 10))));
    let of = over_run(&trace, &["group=none"], "duration").unwrap();
    assert_eq!((of.of_kind.as_slice(), of.unknown, of.thinned), (&[19, 1, 0, 0][..], 0, false));
    let left = of.kinds.iter().position(|kind| *kind == 1).unwrap();
    assert_eq!((of.starts_ns[left], of.values[left]), (8.0 * EVERY_NS as f64, 40_000.0));
    assert_eq!(of.threads, ["1.1.1"]);
    let total = over_run(&trace, &["group=none"], "total:unc::CAS:RD").unwrap();
    assert_eq!(total.values[left], 4000.0, "of what was left out, too");
    let rate = over_run(&trace, &["group=none"], "rate:unc::CAS:RD").unwrap();
    assert_eq!(rate.values[left], 100.0, "events per microsecond");
    assert_eq!(over_run(&trace, &["group=none"], "total:NOTHING"), None);
}

#[test]
fn a_run_that_gets_slower_says_by_how_much_and_one_that_does_not_says_so() {
    let slower = |place: u64| 10_000 + 1_400 * (place / 50) + scatter(place);
    let of = |duration_ns: fn(u64) -> u64| {
        let trace = trace((0..100).map(|place| (duration_ns(place), None)));
        report::course(&over_run(&trace, &["group=none", "outliers=none"], "duration").unwrap())
    };
    let told = of(slower);
    assert!(told.drift.starts_with("14\u{202f}% longer in the second half, ±"), "{}", told.drift);
    assert!(told.trend.starts_with("Trend: +"), "{}", told.trend);
    let told = of(|place| 10_000 + scatter(place));
    assert!(told.drift.starts_with("No drift: "), "{}", told.drift);
    assert!(told.trend.starts_with("No trend: "), "{}", told.trend);
    let told = of(|_| 10_000);
    assert!(told.drift.starts_with("No drift: all are "), "{}", told.drift);
}

#[test]
fn of_a_part_of_the_run_the_rest_is_shown_and_does_not_count() {
    let slower = (0..100).map(|place| 10_000 + 1_400 * (place / 50) + scatter(place));
    let trace = trace(slower.map(|duration_ns| (duration_ns, None)));
    let from = format!("from={}", 51 * EVERY_NS);
    let of = over_run(&trace, &["group=none", "outliers=none", &from], "duration").unwrap();
    assert_eq!(of.of_kind, [50, 0, 0, 50]);
    assert_eq!((of.from_ns, of.to_ns), (EVERY_NS as f64, 100.0 * EVERY_NS as f64));
    assert!(report::course(&of).drift.starts_with("No drift: "));
    let median = of.range.unwrap()[1];
    assert!((11_400.0..11_410.0).contains(&median), "{median}");
    let one = format!("to={}", EVERY_NS);
    let of = over_run(&trace, &["group=none", &one], "duration").unwrap();
    assert_eq!(of.of_kind, [1, 0, 0, 99]);
    assert!(report::course(&of).drift.starts_with("One instance"));
}

#[test]
fn a_counter_that_some_instances_lack_is_told_of_the_others() {
    let counts =
        (0..30).map(|place| (10_000 + scatter(place), (place % 3 > 0).then_some(500 + place)));
    let of = over_run(&trace(counts), &["group=none"], "total:unc::CAS:RD").unwrap();
    assert_eq!((of.unknown, of.values.len()), (10, 20));
    let told = report::course(&of);
    assert!(told.remarks[0].starts_with("10 instances without a value"), "{:?}", told.remarks);
}

#[test]
fn very_many_instances_are_points_of_cells_and_all_of_them_count() {
    let many = trace((0..30_000).map(|place| (10_000 + scatter(place), None)));
    let of = over_run(&many, &["group=none", "outliers=none"], "duration").unwrap();
    assert!(of.thinned && of.values.len() <= 10_000, "{} points", of.values.len());
    assert_eq!(of.counts.iter().sum::<u32>(), 30_000);
    assert_eq!(of.of_kind, [30_000, 0, 0, 0]);
    assert!(report::course(&of).drift.starts_with("No drift: "));
}

#[test]
fn what_was_folded_with_other_settings_is_not_told() {
    let trace = trace((0..20).map(|place| (10_000 + scatter(place), None)));
    let mut asked = settings(&["group=none"]).unwrap();
    asked.region = Some("User function:kernel".to_owned());
    let mut kept = Kept::default();
    assert_eq!(course(&mut kept, &trace, &asked, 1, &Asked::Duration), None);
    kept.fold(&trace, &asked, &[]).unwrap();
    assert_eq!(course(&mut kept, &trace, &asked, 2, &Asked::Duration), None);
    asked.set("group", "gaps").unwrap();
    assert_eq!(course(&mut kept, &trace, &asked, 1, &Asked::Duration), None);
}
