//! Which instances are folded together, which are left out, and what is told of it: small traces
//! written out, and the bundled example.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::traces::{HEADER, fold, open, settings};
use tracefold::export::{Format, export};
use tracefold::folding::{Fate, Folding, Points};
use tracefold::pipeline;
use tracefold::trace::Trace;
use tracefold_generate::{Shape, generate};

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

/// So many nanoseconds after each other, more than any lasts.
const EVERY_NS: u64 = 60_000;

/// Begins, middles and ends of instances that last so long, with the events that the second counter
/// counts in each half; it is not read where there is no number.
fn trace(instances: &[(u64, Option<[u64; 2]>)]) -> Trace {
    let (mut records, mut end) = (String::new(), 0);
    for (place, (duration_ns, halves)) in (1..).zip(instances) {
        let start = EVERY_NS * place;
        end = start + duration_ns;
        let read = |events: Option<u64>| events.map_or(String::new(), |n| format!(":42000007:{n}"));
        let moments = [
            (0, "60000019:3:42000050:0", halves.map(|_| 0)),
            (duration_ns / 2, "42000050:70", halves.map(|[first, _]| first)),
            (*duration_ns, "60000019:0:42000050:30", halves.map(|[_, second]| second)),
        ];
        for (after, events, count) in moments {
            records += &format!("2:1:1:1:1:{}:{events}{}\n", start + after, read(count));
        }
    }
    let records = HEADER.replace("4000000_ns", &format!("{end}_ns")) + &records;
    open(&[("a.prv", records.as_bytes()), ("a.pcf", PCF.as_bytes())])
}

/// Around `middle`, by up to 1 % less or more.
fn around(middle: u64, place: u64) -> u64 {
    middle + middle * (place * 37 % 21) / 1000 - middle / 100
}

/// Notices about instances, groups and families, each with its count.
fn notices(folding: &Folding) -> Vec<(u64, &str)> {
    let told = folding.notices.iter().map(|notice| (notice.count, notice.text.as_str()));
    told.filter(|(_, text)| !text.contains("fewer than 50 samples")).collect()
}

fn sizes(folding: &Folding) -> Vec<u32> {
    folding.groups.iter().map(|group| group.instances).collect()
}

#[test]
fn an_instance_apart_by_duration_is_in_no_group_and_told_and_listed() {
    let mut instances = (0..60).map(|place| (around(10_000, place), None)).collect::<Vec<_>>();
    instances[20].0 = 30_000;
    let folding = fold(&trace(&instances), &["outliers=none"]);
    assert_eq!((sizes(&folding), folding.groups[0].kept), (vec![59], 59));
    let apart = folding.apart.iter().map(|row| (row.start_ns, row.duration_ns, row.fate.name()));
    assert_eq!(apart.collect::<Vec<_>>(), [(21 * EVERY_NS, 30_000, "apart")]);
    let told = "An instance apart by duration: fewer than 5, or than 2 % of all, last as long; it \
                was left out.";
    assert_eq!(notices(&folding), [(1, told)]);

    let folded = [(folding, Points::default())];
    let files = export(&trace(&instances), &folded, Format::Csv).unwrap();
    let groups = files.iter().find(|file| file.name == "groups.csv").unwrap();
    let groups = String::from_utf8(groups.bytes.clone()).unwrap();
    assert_eq!(groups.lines().count(), 61);
    assert_eq!(groups.lines().last(), Some("User function:kernel,0,1,1,1,1260000,30000,0"));
}

#[test]
fn as_few_as_half_a_dozen_that_last_as_long_are_a_group() {
    let lasting = |few: u64| {
        let instances = (0..40 + few).map(|place| {
            let middle = if place < 40 { 10_000 } else { 30_000 };
            (around(middle, place), None)
        });
        fold(&trace(&instances.collect::<Vec<_>>()), &[])
    };
    assert_eq!(sizes(&lasting(4)), [40]);
    assert_eq!(sizes(&lasting(6)), [40, 6]);
}

/// Forty instances that count 4000 or, every other, 5000, early or late; the last three do not say.
fn two_families() -> Trace {
    let of = |place: u64| {
        let (total, first) = [(4000, 8), (5000, 2)][place as usize % 2];
        let total = around(total, place);
        let first = total * first / 10;
        (around(10_000, place), (place < 37).then_some([first, total - first]))
    };
    trace(&(0..40).map(of).collect::<Vec<_>>())
}

#[test]
fn two_families_of_a_counter_are_told_with_their_sizes_and_what_to_set() {
    let folding = fold(&two_families(), &["outliers=none"]);
    assert_eq!(sizes(&folding), [40]);
    let [(1, text)] = notices(&folding)[..] else { panic!("{:?}", folding.notices) };
    let numbers = text.split(|letter: char| !letter.is_ascii_digit());
    let numbers = numbers.filter_map(|digits| digits.parse::<u64>().ok()).collect::<Vec<_>>();
    // Of 37 the even ones are 19.
    let [2, 19, fewer, 18, more] = numbers[..] else { panic!("{text}") };
    assert!(fewer.abs_diff(4000) <= 40 && more.abs_diff(5000) <= 50, "{text}");
    assert!(text.starts_with("unc::CAS:RD has 2 families of instances: "), "{text}");
    assert!(text.ends_with("group=by:unc::CAS:RD folds each by itself."), "{text}");
}

#[test]
fn by_a_counter_each_of_its_families_is_a_group() {
    let folding = fold(&two_families(), &["group=by:unc::CAS:RD", "outliers=none"]);
    assert_eq!(sizes(&folding), [19, 18]);
    let halfway = |number: u32| {
        let curve = folding.group(number).unwrap().curve("unc::CAS:RD").unwrap();
        curve.fitted[curve.fitted.len() / 2]
    };
    assert!((halfway(1) - 0.8).abs() < 0.01 && (halfway(2) - 0.2).abs() < 0.01);
    let told = "An instance in which unc::CAS:RD is not read at the begin and the end; no group by \
                it takes it, and it was left out.";
    assert_eq!(notices(&folding), [(3, told)]);
    assert!(folding.apart.iter().all(|row| row.fate.name() == "uncounted"));
}

#[test]
fn by_a_counter_a_total_that_few_have_is_in_no_group() {
    let instances = (0..40).map(|place| (10_000, Some([0, around(4000, place)])));
    let mut instances = instances.collect::<Vec<_>>();
    instances[5].1 = Some([0, 90_000]);
    instances[6].1 = Some([0, 0]);
    let folding = fold(&trace(&instances), &["group=by:unc::CAS:RD", "outliers=none"]);
    assert_eq!(sizes(&folding), [38]);
    let told = "An instance apart by its total of unc::CAS:RD: fewer than 5, or than 2 % of all, \
                count as much; it was left out.";
    assert_eq!(notices(&folding), [(2, told)]);
}

#[test]
fn a_counter_that_cannot_group_is_refused_by_name() {
    let refused = |trace: &Trace, group: &str| {
        pipeline::run(trace, &settings(&[group]).unwrap()).unwrap_err().to_string()
    };
    let counts_nowhere = trace(&[(10_000, None); 9]);
    assert_eq!(
        refused(&two_families(), "group=by:CAS"),
        "unknown counter \"CAS\"; the nearest are \"unc::CAS:RD\", \"PAPI_TOT_INS\""
    );
    // It is in the .pcf file, and in no instance.
    let message = refused(&counts_nowhere, "group=by:unc::CAS:RD");
    assert!(message.contains("unc::CAS:RD"), "{message}");
    let mut once = vec![(10_000, None); 9];
    once[3].1 = Some([1, 1]);
    let outside = format!("durations={}..{}", 10_001, 20_000);
    once.push((20_000, None));
    let asked = settings(&["group=by:unc::CAS:RD", &outside]).unwrap();
    assert_eq!(
        pipeline::run(&trace(&once), &asked).unwrap_err().to_string(),
        "\"User function:kernel\" cannot be grouped by \"unc::CAS:RD\": in no instance is it read \
         at the begin and the end; use group=auto"
    );
}

#[test]
fn threads_that_last_a_little_longer_are_folded_with_the_others_and_told() {
    let (mut records, mut end) = (String::new(), 0);
    for place in 0..30 {
        for (task, middle) in [(1, 10_000), (2, 10_400)] {
            let start = EVERY_NS * place;
            end = start + around(middle, place);
            records += &format!("2:1:1:{task}:1:{start}:60000019:3\n");
            records += &format!("2:1:1:{task}:1:{end}:60000019:0\n");
        }
    }
    let records = format!("#Paraver (01/02/2025 at 10:00):{end}_ns:1(2):1:2(1:1,1:1)\n{records}");
    let trace = open(&[("a.prv", records.as_bytes()), ("a.pcf", PCF.as_bytes())]);
    let folding = fold(&trace, &[]);
    assert_eq!((sizes(&folding), folding.groups[0].kept), (vec![60], 60));
    let told = "Threads of a group last a little longer than others of it, and are folded with \
                them; objects=… folds one by itself.";
    assert_eq!(notices(&folding), [(1, told)]);
    assert!(fold(&trace, &["group=gaps"]).groups.len() > 1);
}

#[test]
fn the_loop_of_the_example_is_folded_over_every_instance_that_nothing_disturbed_and_no_other() {
    let made = generate(Shape::Example, 1);
    let files = [("g.prv", made.prv.as_slice()), ("g.pcf", &made.pcf), ("g.row", &made.row)];
    let folding = fold(&open(&files), &[]);
    let group = folding.group(folding.shown).unwrap();
    let used = group.rows.iter().filter(|row| row.fate == Fate::Used);
    let used = used.map(|row| (row.object[1], row.start_ns)).collect::<BTreeSet<_>>();
    let truth = serde_json::from_str::<Value>(&made.truth).unwrap();
    let columns = truth["instance_columns"].as_array().unwrap();
    let column = |name: &str| columns.iter().position(|column| *column == name).unwrap();
    let number = |row: &Value, name: &str| row[column(name)].as_u64().unwrap();
    let rows = truth["instances"].as_array().unwrap().iter();
    let alike = rows.filter(|row| {
        row[column("region")] == folding.region.as_str() && row[column("outlier")].is_null()
    });
    let alike = alike.map(|row| (number(row, "task") as u32, number(row, "start_ns")));
    assert_eq!(used, alike.collect());
}

#[test]
fn a_routine_has_one_colour_in_every_group_and_region_of_a_trace() {
    // Two functions, in which the routines 3 and 5 are sampled unlike often: of all samples 3 has most.
    let pcf = format!(
        "{PCF}\nEVENT_TYPE\n0    30000000    Sampled functions\nVALUES\n3   often\n5   seldom\n"
    );
    let mut prv = HEADER.to_owned();
    for at in 0..20_u64 {
        let (start, function) = (EVERY_NS * (at + 1), 3 + at % 2);
        prv += &format!("2:1:1:1:1:{start}:60000019:{function}:42000050:0\n");
        for sample in 0..10 {
            let is_often = if function == 3 { sample < 9 } else { sample < 2 };
            let (time, routine) = (start + 1000 * (sample + 1), if is_often { 3 } else { 5 });
            prv += &format!("2:1:1:1:1:{time}:30000000:{routine}:42000050:70\n");
        }
        prv += &format!("2:1:1:1:1:{}:60000019:0:42000050:70\n", start + 12_000);
    }
    let trace = open(&[("a.prv", prv.as_bytes()), ("a.pcf", pcf.as_bytes())]);
    let hues = |region: &str| {
        let folding = fold(&trace, &[&format!("region={region}")]);
        let group = &folding.groups[0];
        let named = |name: &str| {
            let routine = group.routines.iter().position(|known| known == name).unwrap();
            group.hue(routine as u32)
        };
        (group.routines.clone(), ["often", "seldom"].map(named))
    };
    let [first, second] = ["60000019:3", "60000019:4"].map(hues);
    assert_eq!(first.0, ["often", "seldom"]);
    assert_eq!(second.0, ["seldom", "often"], "the most sampled of the region first");
    assert_eq!((first.1, second.1), ([0, 1], [0, 1]));
}
