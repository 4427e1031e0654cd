//! What holds for every shape, read back with a reader of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};

use flate2::{Compression, GzBuilder, read::GzDecoder};
use serde_json::Value;
use tracefold_generate::{Generated, Options, Shape, generate, generate_with};

const FUNCTION: u64 = 60_000_019;
const COUNTER_SET: u64 = 41_999_999;

/// Everything but `big`, which does not list its instances.
fn listed() -> impl Iterator<Item = (&'static str, Generated)> {
    let shapes = Shape::ALL.into_iter().filter(|(_, shape)| *shape != Shape::Big);
    shapes.map(|(name, shape)| (name, generate(shape, 1)))
}

fn truth(generated: &Generated) -> Value {
    serde_json::from_str(&generated.truth).expect("the truth is JSON")
}

/// Thread, time and pairs of every event line.
type Event = ((u64, u64), u64, Vec<(u64, u64)>);

fn events(generated: &Generated) -> Vec<Event> {
    let text = std::str::from_utf8(&generated.prv).expect("a trace is text");
    let lines = text.lines().filter(|line| line.starts_with("2:"));
    let event = |line: &str| {
        let fields: Vec<u64> =
            line.split(':').map(|field| field.parse().expect("a number")).collect();
        let pairs = fields[6..].chunks(2).map(|pair| (pair[0], pair[1])).collect();
        ((fields[3], fields[4]), fields[5], pairs)
    };
    lines.map(event).collect()
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let options = Options { size_mb: Some(1), ..Options::default() };
    for (name, shape) in Shape::ALL {
        let [one, again, other] = [1, 1, 2].map(|seed| generate_with(shape, seed, &options));
        assert!(one.prv == again.prv && one.pcf == again.pcf && one.row == again.row, "{name}");
        assert_eq!(one.truth, again.truth, "{name}");
        assert!(one.prv != other.prv, "{name}");
    }
}

#[test]
fn records_are_sorted_by_time() {
    for (name, generated) in listed() {
        let text = String::from_utf8(generated.prv).expect("a trace is text");
        let records = text.lines().filter(|line| line.starts_with(['1', '2']));
        let times: Vec<u64> =
            records.map(|line| line.split(':').nth(5).unwrap().parse().unwrap()).collect();
        assert!(times.is_sorted(), "{name}");
        assert!(!times.is_empty(), "{name}");
    }
}

#[test]
fn no_thread_has_two_samples_at_one_time() {
    for (name, generated) in listed() {
        let mut seen = BTreeSet::new();
        for (thread, time, pairs) in events(&generated) {
            if pairs.iter().any(|pair| pair.0 == 30_000_000) {
                assert!(seen.insert((thread, time)), "{name}: {thread:?} at {time}");
            }
        }
    }
}

#[test]
fn every_instance_is_in_the_trace_with_the_counts_of_the_truth() {
    for (name, generated) in listed() {
        let truth = truth(&generated);
        let codes: Vec<u64> = truth["counters"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["type"].as_u64().unwrap())
            .collect();
        let names: Vec<&Value> =
            truth["counters"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
        // Sum of each counter's deltas of each thread up to every time at which it was read.
        let mut sums: BTreeMap<((u64, u64), u64), BTreeMap<u64, u64>> = BTreeMap::new();
        let mut readings: BTreeMap<((u64, u64), u64), u64> = BTreeMap::new();
        for (thread, time, pairs) in events(&generated) {
            for (code, value) in pairs.into_iter().filter(|pair| codes.contains(&pair.0)) {
                let sum = readings.entry((thread, code)).or_default();
                *sum += value;
                sums.entry((thread, time)).or_default().insert(code, *sum);
            }
        }
        let instances = truth["instances"].as_array().unwrap();
        assert!(instances.len() >= 80, "{name}");
        for (place, row) in instances.iter().enumerate() {
            let number = |column: usize| row[column].as_u64().unwrap();
            let thread = (number(1), number(2));
            let (begin, end) = (number(3), number(3) + number(4));
            for (column, code) in codes.iter().enumerate() {
                let carried =
                    truth.get("carried").map(|carried| carried[place].as_array().unwrap());
                if carried.is_some_and(|carried| !carried.contains(names[column])) {
                    continue;
                }
                let (low, high) = (sums[&(thread, begin)][code], sums[&(thread, end)][code]);
                assert_eq!(
                    high - low,
                    number(6 + column),
                    "{name}: instance {place}, {}",
                    names[column]
                );
            }
        }
    }
}

#[test]
fn all_deltas_together_are_the_totals_where_one_set_is_read() {
    for (name, generated) in listed().filter(|(name, _)| *name != "sets") {
        for counter in truth(&generated)["counters"].as_array().unwrap() {
            let code = counter["type"].as_u64().unwrap();
            let pairs = events(&generated).into_iter().flat_map(|event| event.2);
            let sum: u64 = pairs.filter(|pair| pair.0 == code).map(|pair| pair.1).sum();
            assert_eq!(Some(sum), counter["total"].as_u64(), "{name}: {code}");
        }
    }
}

#[test]
fn user_functions_close_in_order_and_as_often_as_the_truth_says() {
    for (name, generated) in listed() {
        let mut open: BTreeMap<(u64, u64), Vec<u64>> = BTreeMap::new();
        let mut closed = 0;
        for (thread, _, pairs) in events(&generated) {
            for (_, value) in pairs.into_iter().filter(|pair| pair.0 == FUNCTION) {
                let stack = open.entry(thread).or_default();
                if value > 0 {
                    stack.push(value);
                } else {
                    let left = stack.pop().expect("a function that was entered");
                    closed += u64::from(!stack.contains(&left));
                }
            }
        }
        assert!(open.values().all(Vec::is_empty), "{name}");
        let truth = truth(&generated);
        let regions = truth["regions"].as_array().unwrap().iter();
        let functions =
            regions.filter(|one| one["region"].as_str().unwrap().starts_with("User function:"));
        let known: u64 = functions.map(|one| one["instances"].as_u64().unwrap()).sum();
        assert_eq!(closed, known, "{name}");
    }
}

#[test]
fn everything_in_the_trace_has_a_label() {
    for (name, generated) in listed().chain([("big", generate(Shape::Big, 1))]) {
        let pcf = String::from_utf8(generated.pcf.clone()).expect("labels are text");
        let mut values: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
        for block in pcf.split("EVENT_TYPE\n").skip(1) {
            let (types, labels) = block.split_once("VALUES\n").unwrap_or((block, ""));
            let first = |line: &str, place| {
                line.split_whitespace().nth(place).and_then(|one| one.parse().ok())
            };
            let labels: BTreeSet<u64> = labels.lines().filter_map(|line| first(line, 0)).collect();
            values.extend(types.lines().filter_map(|line| Some((first(line, 1)?, labels.clone()))));
        }
        for (code, value) in events(&generated).into_iter().flat_map(|event| event.2) {
            let known = values.get(&code).unwrap_or_else(|| panic!("{name}: {code} has no label"));
            assert!(
                known.is_empty() || known.contains(&value),
                "{name}: {code}:{value} has no label"
            );
        }
    }
}

#[test]
fn sets_change_at_borders_and_inside() {
    let generated = generate(Shape::Sets, 1);
    let changes = |with: fn(&(u64, u64)) -> bool| {
        let pairs = events(&generated).into_iter().map(|event| event.2);
        let changing = pairs.filter(|pairs| pairs.iter().any(|pair| pair.0 == COUNTER_SET));
        changing.filter(|pairs| pairs.iter().any(with)).count()
    };
    assert_eq!(changes(|pair| pair.0 == FUNCTION && pair.1 == 0), 8);
    assert_eq!(changes(|pair| pair.0 == FUNCTION && pair.1 != 0), 8);
    // And one where the application begins.
    assert_eq!(changes(|pair| pair.0 == COUNTER_SET), 25);
}

#[test]
fn a_loop_ends_after_the_samples_asked_for() {
    for (period, samples) in [(1.05, 77), (0.2, 50), (0.03, 1)] {
        let options =
            Options { samples: Some(samples), period: Some(period), ..Options::default() };
        for shape in [Shape::Short7, Shape::Smooth, Shape::Rapl] {
            let truth = truth(&generate_with(shape, 3, &options));
            assert_eq!(truth["regions"][0]["samples"].as_u64(), Some(samples as u64));
            let least = (samples as f64 * period / 1.2) as u64;
            assert!(truth["regions"][0]["instances"].as_u64() > Some(least), "{shape:?}");
        }
    }
}

#[test]
fn sets_of_a_loop_take_turns_from_instance_to_instance() {
    let options = Options { sets: Some(4), ..Options::default() };
    let counters = [42_000_050, 42_000_000, 42_000_002, 42_000_055];
    let mut instances = 0;
    for (_, _, pairs) in events(&generate_with(Shape::Joint4, 1, &options)) {
        let read = |code: u64| pairs.iter().any(|pair| pair.0 == code);
        let begins = pairs.iter().any(|pair| pair.0 == FUNCTION && pair.1 > 0);
        if begins {
            assert!(read(COUNTER_SET));
            instances += 1;
        } else if instances > 0 {
            let found: Vec<bool> = counters.iter().map(|&code| read(code)).collect();
            let wanted: Vec<bool> = (0..4).map(|set| set == (instances - 1) % 4).collect();
            assert_eq!(found, wanted, "instance {instances}");
        }
    }
    assert_eq!(instances, 100);
}

#[test]
fn an_energy_register_shows_whole_quanta_up_to_its_last_refresh() {
    let options = Options { period: Some(0.03), ..Options::default() };
    let generated = generate_with(Shape::Rapl, 1, &options);
    let truth = truth(&generated);
    let (mut joules, mut refreshes, mut last) = (0, 0, 0);
    for (_, time, pairs) in events(&generated) {
        for (_, value) in pairs.iter().filter(|pair| pair.0 == 42_001_000) {
            assert_eq!(value % 15_200, 0, "at {time}");
            // Nothing is added but by a refresh, and by a refresh at least what 12 W need.
            let refreshed = time / 1_000_000 > last / 1_000_000;
            assert_eq!(*value > 0, refreshed, "at {time} after {last}");
            (joules, last, refreshes) = (joules + value, time, refreshes + u64::from(refreshed));
        }
    }
    assert!(refreshes > 3000);
    // 45 W in the loop and 12 W beside it.
    let total = truth["duration_ns"].as_f64().unwrap();
    let inside = truth["regions"][0]["total_ns"].as_f64().unwrap();
    let planned = 45.0 * inside + 12.0 * (total - inside);
    assert!((joules as f64 / planned - 1.0).abs() < 0.002, "{joules} {planned}");
}

#[test]
fn borders_that_are_not_read_carry_no_counter() {
    let options = Options { unread_borders: true, ..Options::default() };
    let mut borders = 0;
    for (_, _, pairs) in events(&generate_with(Shape::Rapl, 1, &options)) {
        let border = pairs.iter().any(|pair| pair.0 == FUNCTION);
        assert_eq!(border, !pairs.iter().any(|pair| pair.0 >= 42_000_000 && pair.0 < 42_100_000));
        borders += u32::from(border);
    }
    assert_eq!(borders, 300);
}

#[test]
fn the_folded_rates_are_those_that_were_planned() {
    for (name, generated) in
        listed().filter(|(name, _)| !["nested", "bt", "deep", "spmd"].contains(name))
    {
        let truth = truth(&generated);
        for phase in truth["folded"]["phases"].as_array().unwrap() {
            for (counter, planned) in phase["rates"].as_object().unwrap() {
                let [planned, found] =
                    [planned, &phase["mean_rates"][counter]].map(|rate| rate.as_f64().unwrap());
                // Counts are whole numbers where a phase ends: of few events half a one is much.
                let half_an_event = 0.5 / (phase["ms"].as_f64().unwrap() * 1e3);
                let apart = (found - planned).abs();
                assert!(
                    apart <= 0.005 * planned + half_an_event,
                    "{name}: {counter} is off by {apart}"
                );
            }
        }
    }
}

#[test]
fn big_is_as_long_as_wanted_and_mostly_skipped() {
    for threads in [1, 16] {
        let options = Options { size_mb: Some(3), threads: Some(threads), ..Options::default() };
        let generated = generate_with(Shape::Big, 1, &options);
        let truth = truth(&generated);
        let count = |key: &str| truth[key].as_u64().unwrap();
        assert_eq!(count("bytes"), generated.prv.len() as u64);
        assert!((3_000_000..3_100_000).contains(&generated.prv.len()));
        let text = String::from_utf8_lossy(&generated.prv);
        let lines = text.lines().filter(|line| !line.starts_with(['#', 'c'])).collect::<Vec<_>>();
        assert_eq!(count("records"), lines.len() as u64);
        let skipped = |line: &&&str| !line.starts_with('2') || line.contains(":50100001:");
        assert_eq!(count("skipped_records"), lines.iter().filter(skipped).count() as u64);
        let bytes = lines.iter().filter(skipped).map(|line| line.len() as u64 + 1);
        assert_eq!(count("skipped_bytes"), bytes.sum::<u64>());
        let share = count("skipped_records") as f64 / count("records") as f64;
        assert!((0.595..0.605).contains(&share), "{share}");
        let duration: u64 =
            text.split("):").nth(1).unwrap().split_once('_').unwrap().0.parse().unwrap();
        let last = events(&generated).last().unwrap().1;
        assert!((last..last * 5 / 4).contains(&duration), "{duration} for {last}");
    }
}

#[test]
fn big_has_the_regions_samples_and_totals_of_its_truth() {
    let generated =
        generate_with(Shape::Big, 1, &Options { size_mb: Some(1), ..Options::default() });
    let (truth, events) = (truth(&generated), events(&generated));
    let with = |code: u64, ends: bool| {
        let has = |(known, value): &(u64, u64)| *known == code && (*value == 0) == ends;
        events.iter().filter(|event| event.2.iter().any(has)).count() as u64
    };
    let [step, allreduce] = [0, 1].map(|region| truth["regions"][region].clone());
    for (region, code) in [(&step, FUNCTION), (&allreduce, 50_000_002)] {
        let instances = region["instances"].as_u64().unwrap();
        assert_eq!([with(code, false), with(code, true)], [instances; 2]);
    }
    let carries = |code: u64| events.iter().filter(move |e| e.2.iter().any(|pair| pair.0 == code));
    let samples = step["samples"].as_u64().unwrap();
    for code in [30_000_000, 30_000_001, 30_000_100, 30_000_101] {
        assert_eq!(carries(code).count() as u64, samples);
    }
    for counter in truth["counters"].as_array().unwrap() {
        let pairs = events.iter().flat_map(|event| &event.2);
        let own = pairs.filter(|pair| Some(pair.0) == counter["type"].as_u64());
        assert_eq!(counter["total"].as_u64(), Some(own.map(|pair| pair.1).sum()));
    }
}

#[test]
fn the_bundled_example_is_the_one_of_seed_1_and_small() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let file = |path: &str| std::fs::read(format!("{root}/{path}")).expect(path);
    let example = generate(Shape::Example, 1);
    let packed = file("static/example.prv.gz");
    let mut prv = Vec::new();
    GzDecoder::new(&packed[..]).read_to_end(&mut prv).expect("a whole gzip file");
    assert!(prv == example.prv, "run `make example`");
    assert!(file("static/example.pcf") == example.pcf && file("static/example.row") == example.row);
    assert!(file("tests/truth/example.json") == example.truth.as_bytes());
    let size = |bytes: &[u8]| {
        let mut gzip = GzBuilder::new().write(Vec::new(), Compression::best());
        gzip.write_all(bytes).expect("memory takes every byte");
        gzip.finish().expect("memory takes every byte").len()
    };
    assert!(packed.len() <= 250_000, "{}", packed.len());
    assert!(packed.len() + size(&example.pcf) + size(&example.row) <= 300_000);
    for text in [&example.prv, &example.pcf, &example.row] {
        assert!(String::from_utf8_lossy(text).contains("\n#Tracefold generated example, seed 1\n"));
    }
}

#[test]
fn an_unknown_shape_is_refused_with_those_that_exist() {
    let expected = "no shape flat; there are example references stream4 contrast5 short7 smooth mixed fig418 joint4 many rapl \
         nested sets bt deep spmd cgpop pmemd arts_cf isc genesis big";
    assert_eq!("flat".parse::<Shape>(), Err(expected.into()));
}

#[test]
fn fewer_frames_are_the_innermost_of_the_same_samples() {
    for shape in [Shape::Bt, Shape::Deep] {
        let stacks = |depth| {
            let options = Options { depth: Some(depth), ..Options::default() };
            let routine = |pair: &(u64, u64)| (30_000_000..30_000_100).contains(&pair.0);
            let stack = |(_, time, pairs): Event| {
                let stack = pairs.into_iter().filter(routine).map(|pair| pair.1);
                (time, stack.collect::<Vec<_>>())
            };
            let all = events(&generate_with(shape, 7, &options)).into_iter().map(stack);
            all.filter(|(_, stack)| !stack.is_empty()).collect::<Vec<_>>()
        };
        let (whole, cut) = (stacks(99), stacks(2));
        assert_eq!(whole.len(), 1000);
        assert!(whole.iter().any(|(_, stack)| stack.len() > 6));
        for ((time, whole), (cut_time, cut)) in whole.iter().zip(&cut) {
            assert_eq!((time, &whole[..whole.len().min(2)]), (cut_time, &cut[..]));
        }
    }
}
