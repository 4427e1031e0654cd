//! What is written reads back equal: `.extract` and folded traces through our own readers, gnuplot
//! and Paraver configurations by their grammar.

use std::collections::{BTreeMap, BTreeSet};

use crate::traces::{MINI_PCF, MINI_PRV, fold_with_points, open, settings};
use tracefold::export::{ExportError, Exported, Format};
use tracefold::folding::{Break, Fate, Folding, InstanceRow, Phase, Points};
use tracefold::trace::{Kind, Object, Trace};
use tracefold::{export, pipeline};
use tracefold_generate::{Shape, generate};

type Folded = (Folding, Points);

fn mini() -> Trace {
    open(&[("a.prv", MINI_PRV.as_bytes()), ("a.pcf", MINI_PCF.as_bytes())])
}

fn made(shape: Shape) -> Trace {
    let made = generate(shape, 3);
    open(&[("a.prv", &made.prv), ("a.pcf", &made.pcf), ("a.row", &made.row)])
}

#[track_caller]
fn exported(trace: &Trace, folded: &[Folded], format: &str) -> Vec<Exported> {
    export::export(trace, folded, Format::parse(format).unwrap()).unwrap()
}

#[track_caller]
fn text(files: &[Exported], name: &str) -> String {
    let file = files.iter().find(|file| file.name == name);
    let names = || files.iter().map(|file| &file.name).collect::<Vec<_>>();
    let file = file.unwrap_or_else(|| panic!("{name} is not among {:?}", names()));
    String::from_utf8(file.bytes.clone()).unwrap()
}

#[track_caller]
fn reopened(files: &[Exported], main: &str, labels: &str) -> Trace {
    let trace =
        open(&[(main, text(files, main).as_bytes()), (labels, text(files, labels).as_bytes())]);
    // Only threads that were fed carry events.
    for notice in trace.notices.iter() {
        assert_eq!(notice.text, "A thread of the header has no events.");
    }
    trace
}

/// A table in the words of an `.extract`, which has no type of region, no blanks in names, and
/// counters by name.
fn in_words_of_extract(table: &str, region: &str) -> Vec<String> {
    let (_, value) = region.split_once(':').unwrap();
    let word = format!("Region:{}", value.split_whitespace().collect::<Vec<_>>().join("_"));
    let line = |line: &str| line.replacen(region, &word, 1).replace(' ', "_");
    let mut lines = table.lines().map(line).collect::<Vec<_>>();
    lines.sort();
    lines
}

/// The instances, every folded sample, every curve, every code line: equal to the last digit.
#[test]
fn an_extract_reads_back_with_equal_instances_samples_and_curves() {
    for (trace, asked) in [
        (mini(), &[][..]),
        (made(Shape::Example), &[]),
        // Three sets of counters that take turns: not every instance has every counter.
        (made(Shape::Sets), &[]),
        // A function inside itself: samples in it are samples of the outermost.
        (made(Shape::Nested), &[]),
        (made(Shape::Contrast5), &["group=none", "outliers=mean:1"]),
    ] {
        let folded = fold_with_points(&trace, asked);
        let files = exported(&trace, std::slice::from_ref(&folded), "extract");
        let names = files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>();
        assert_eq!(names, ["instances.extract", "instances.pcf"]);
        let again = fold_with_points(&reopened(&files, names[0], names[1]), asked);
        let region = folded.0.region.as_str();
        let tables = |(folding, points): &Folded| {
            let one = || std::iter::once(folding);
            let (mut clouds, mut lines) = (String::new(), String::new());
            export::points(std::iter::once((folding, points)), &mut |part| clouds += &part);
            export::lines(one(), &mut |part| lines += &part);
            [export::groups(one()), clouds, export::curves(one()), lines, export::routines(one())]
                .map(|table| in_words_of_extract(&table, &folding.region))
        };
        for (written, read) in tables(&folded).iter().zip(&tables(&again)) {
            assert_eq!(written.len(), read.len(), "{region}");
            for (written, read) in written.iter().zip(read) {
                assert_eq!(written, read, "{region}");
            }
        }
        assert!(!again.1.clouds().all(|cloud| cloud.x.is_empty()), "{region}");
    }
}

/// References, and frames without a line, come from files that other tools write.
#[test]
fn an_extract_is_written_as_it_was_read() {
    let extract = "\
        I 1 2 1 smooth_grid 1000 1000 2 A 1250 B 1700\nDO 0\n\
        S 1400 400 2 A 500 B 900 2 0 3 4 4 2 9 9 9 0\n\
        S 1500 500 1 A 700 0 Y LD 4096 7 Y 1 2 35\n\
        S 1600 600 0 1 1 8 0 0 Y ST 8192 8192 9 N\n\
        I 1 2 1 smooth_grid 2000 900 2 A 1000 B 1800\nDO 0\n\
        S 2400 400 2 A 480 B 900 0 0\n\
        I 2 1 3 smooth_grid 1500 950 1 A 1100\nDO 0\n";
    let trace = open(&[("a.extract", extract.as_bytes()), ("a.pcf", MINI_PCF.as_bytes())]);
    let folded = fold_with_points(&trace, &["outliers=none"]);
    assert_eq!(text(&exported(&trace, &[folded], "extract"), "instances.extract"), extract);
}

/// What Paraver would show of a counter on a thread: for each reading its time, the events so far,
/// and events per microsecond since the reading before.
fn readings(trace: &Trace, object: [u32; 3], counter: &str) -> Vec<(u64, f64, f64)> {
    let is_counter = |index: u32| {
        trace.kind(index) == Kind::Counter && trace.types[index as usize].name == counter
    };
    let same = |o: Object| [o.application, o.task, o.thread] == object;
    let thread = trace.threads.iter().find(|thread| same(thread.object)).unwrap();
    let mut found: Vec<(u64, f64, f64)> = vec![];
    for moment in thread.moments() {
        let of_counter = moment.events().filter(|event| is_counter(event.event_type));
        // Where one instance ends and the next begins there are two: the last count and a zero.
        let values = of_counter.map(|event| event.value as f64).collect::<Vec<_>>();
        if !values.is_empty() {
            let (before, so_far) = found.last().map_or((moment.time, 0.0), |r| (r.0, r.1));
            let value = values.iter().sum::<f64>();
            found.push((
                moment.time,
                so_far + value,
                value / ((moment.time - before) as f64 / 1e3),
            ));
        }
    }
    found
}

/// Between two readings the counts are off by half an event each and their times by half a
/// nanosecond each: with Δt in nanoseconds the rate R, in events per microsecond, is off by at most
/// (R + 1000)/Δt.
#[track_caller]
fn equals_the_curves(trace: &Trace, (folding, _): &Folded, fed: &[(u32, InstanceRow)]) {
    for (number, row) in fed {
        let group = folding.group(*number).unwrap();
        let InstanceRow { object, start_ns, duration_ns, .. } = *row;
        for curve in &group.curves {
            let end = start_ns + duration_ns;
            let all = readings(trace, object, &curve.counter);
            let of_instance = all.iter().filter(|(time, ..)| (start_ns..=end).contains(time));
            let read = of_instance.collect::<Vec<_>>();
            assert_eq!(read.len(), curve.fitted.len(), "{}", curve.counter);
            let last = (curve.fitted.len() - 1) as f64;
            let total = curve.mean_rate * duration_ns as f64 / 1e3;
            let mut highest = 0.0f64;
            for (j, pair) in read.windows(2).enumerate() {
                let before = highest;
                // A count cannot fall: where noise makes the curve do so, it waits.
                highest = highest.max(curve.fitted[j + 1]);
                let expected = curve.mean_rate * (highest - before) * last;
                let &[&(from, ..), &(to, so_far, rate)] = pair else { unreachable!() };
                let bound = (expected + 1000.0) / (to - from) as f64 + 1e-9 * expected;
                assert!(
                    (rate - expected).abs() <= bound,
                    "{} {j}: {rate} {expected} {bound}",
                    curve.counter
                );
                let counted = so_far - read[0].1;
                assert!((counted - total * highest).abs() <= 0.5 + 1e-9 * total);
            }
        }
    }
}

/// The instance of each group that `paraver:N` feeds.
fn kept(folding: &Folding, nth: usize) -> Vec<(u32, InstanceRow)> {
    let of_group = |group: &tracefold::folding::Group| {
        let row = group.rows.iter().filter(|row| row.fate == Fate::Used).nth(nth - 1)?;
        Some((group.number, row.clone()))
    };
    folding.groups.iter().filter_map(of_group).collect()
}

#[test]
fn a_folded_trace_has_the_rates_of_the_curves_in_the_instance_that_was_fed() {
    for (trace, asked, nth) in [
        (mini(), &[][..], 1),
        (mini(), &[], 2),
        (made(Shape::Example), &["points=200"], 1),
        (made(Shape::Contrast5), &["points=500", "group=none"], 7),
        (made(Shape::Sets), &["nugget=0.000001"], 1),
    ] {
        let folded = fold_with_points(&trace, asked);
        let format = format!("paraver:{nth}");
        let files = exported(&trace, std::slice::from_ref(&folded), &format);
        let again = reopened(&files, "folded.prv", "folded.pcf");
        let fed = kept(&folded.0, nth);
        equals_the_curves(&again, &folded, &fed);
        let group = &fold_with_points(&again, &["group=none", "outliers=none"]).0.groups[0];
        let mut rows = group.rows.iter().map(|r| (r.start_ns, r.duration_ns)).collect::<Vec<_>>();
        let mut expected =
            fed.iter().map(|(_, row)| (row.start_ns, row.duration_ns)).collect::<Vec<_>>();
        rows.sort_unstable();
        expected.sort_unstable();
        assert_eq!(rows, expected);
    }
}

/// The routine and line of every sample, at its place to the nanosecond.
#[test]
fn a_folded_trace_has_the_samples_of_all_instances() {
    let prv = MINI_PRV.replace("2900000:30000000:3:30000100:4", "2900000:30000000:3:30000100:5");
    let trace = open(&[("a.prv", prv.as_bytes()), ("a.pcf", MINI_PCF.as_bytes())]);
    let folded = fold_with_points(&trace, &[]);
    let files = exported(&trace, &[folded], "paraver");
    assert_eq!(text(&files, "folded.prv").matches(":30000100:").count(), 2);
    let again = fold_with_points(&reopened(&files, "folded.prv", "folded.pcf"), &[]);
    let mut lines = String::new();
    export::lines(std::iter::once(&again.0), &mut |part| lines += &part);
    assert_eq!(again.0.region, "User function:kernel");
    // Both samples at 0.4 fall on one nanosecond, where one is told.
    assert_eq!(
        lines,
        "region,group,x,routine,line,file\n\
         User function:kernel,1,0.4,kernel,12,k.c\n\
         User function:kernel,1,0.9,kernel,19,k.c\n"
    );
}

#[test]
fn samples_at_the_very_ends_of_an_instance_stay_inside_of_a_shorter_one() {
    let prv = MINI_PRV.replace(":2000000:", ":1950000:").replace(":2900000:", ":2500001:");
    let trace = open(&[("a.prv", prv.as_bytes()), ("a.pcf", MINI_PCF.as_bytes())]);
    let folded = fold_with_points(&trace, &["group=none", "outliers=none"]);
    assert_eq!(folded.0.groups[0].lines.x[0], 1e-6);
    let files = exported(&trace, &[folded], "paraver");
    let again = fold_with_points(&reopened(&files, "folded.prv", "folded.pcf"), &[]);
    assert_eq!(
        again.0.groups[0].lines.x,
        [1, 400_000, 900_000].map(|ns| f64::from(ns) / 950_000.0)
    );
}

#[test]
fn a_folded_trace_has_no_sample_of_an_outlier() {
    let prv = MINI_PRV.replace("1:2900000:", "1:2600000:");
    let trace = open(&[("a.prv", prv.as_bytes()), ("a.pcf", MINI_PCF.as_bytes())]);
    let mut folded = fold_with_points(&trace, &[]);
    let mut samples = |fate: Fate| {
        folded.0.groups[0].rows[1].fate = fate;
        let files = exported(&trace, std::slice::from_ref(&folded), "paraver");
        let again = fold_with_points(&reopened(&files, "folded.prv", "folded.pcf"), &[]);
        again.0.groups[0].lines.x.clone()
    };
    assert_eq!(samples(Fate::Used), [0.1, 0.4, 0.9]);
    assert_eq!(samples(Fate::Outlier), [0.4, 0.9]);
}

/// Fields of the records, by hand: no reader of ours is asked.
#[test]
fn a_folded_trace_is_sorted_labelled_and_has_the_header_of_its_source() {
    let trace = made(Shape::Example);
    let folded = fold_with_points(&trace, &["points=100"]);
    let files = exported(&trace, std::slice::from_ref(&folded), "paraver");
    let (prv, pcf) = (text(&files, "folded.prv"), text(&files, "folded.pcf"));
    let header = prv.lines().next().unwrap();
    let threads = trace.threads.iter().map(|thread| thread.object);
    let tasks = threads.clone().map(|object| object.task).max().unwrap();
    let list = vec!["1:0"; tasks as usize].join(",");
    let expected =
        format!("#Paraver (01/01/1970 at 00:00):{}_ns:0:1:{tasks}({list})", trace.duration_ns);
    assert_eq!(header, expected);
    let row = text(&files, "folded.row");
    assert_eq!(row.lines().next().unwrap(), format!("LEVEL THREAD SIZE {tasks}"));
    assert_eq!(row.lines().count(), 1 + tasks as usize);
    // The source says that it is made up; so does what is folded of it.
    assert!(reopened(&files, "folded.prv", "folded.pcf").generated);

    let mut labelled = BTreeSet::new();
    for block in pcf.split("EVENT_TYPE\n").skip(1) {
        let mut lines = block.lines();
        let code = lines.next().unwrap().split_whitespace().nth(1).unwrap();
        labelled.insert((code.to_owned(), None));
        for line in lines.skip(1).filter(|line| !line.is_empty()) {
            let value = line.split_whitespace().next().unwrap();
            labelled.insert((code.to_owned(), Some(value.to_owned())));
        }
    }
    let (mut before, mut states, mut types) = (0, 0, BTreeSet::new());
    for line in prv.lines().skip(1).filter(|line| !line.starts_with('#')) {
        let fields = line.split(':').collect::<Vec<_>>();
        let time = fields[5].parse::<u64>().unwrap();
        assert!(before <= time && time <= trace.duration_ns, "{line}");
        before = time;
        if fields[0] == "1" {
            states += 1;
            assert!(fields.len() == 8 && fields[7] == "1", "{line}");
            continue;
        }
        assert!(fields[0] == "2" && fields.len() % 2 == 0 && fields.len() >= 8, "{line}");
        for pair in fields[6..].chunks(2) {
            types.insert(pair[0].to_owned());
            assert!(labelled.contains(&(pair[0].to_owned(), None)), "{line}");
            // Counts, addresses, levels and costs.
            let is_count = ["42", "32"].iter().any(|range| pair[0].starts_with(range));
            let value = Some(pair[1].to_owned());
            assert!(is_count || labelled.contains(&(pair[0].to_owned(), value)), "{line}");
        }
    }
    assert_eq!(states, folded.0.groups.len());
    // What calls `main` to what `Copy` calls: four levels.
    let levels = ["31000000", "31000001", "31000002", "31000003"];
    let codes = ["600000001", "600000002", "600000004", "600000005", "600000006", "60000019"];
    for code in codes.into_iter().chain(levels) {
        assert!(types.contains(code), "{code}");
    }
}

/// Number and time of the phases in the `.prv`, and their labels in the `.pcf`.
fn phases(files: &[Exported]) -> (Vec<(u64, u64)>, Vec<String>) {
    let (prv, pcf) = (text(files, "folded.prv"), text(files, "folded.pcf"));
    let mut found = vec![];
    for line in prv.lines().filter(|line| line.starts_with("2:")) {
        let fields = line.split(':').map(|field| field.parse::<u64>().unwrap()).collect::<Vec<_>>();
        let of_phase = fields[6..].chunks(2).filter(|pair| pair[0] == 600_000_002);
        found.extend(of_phase.map(|pair| (fields[5], pair[1])));
    }
    let block = pcf.split("EVENT_TYPE\n").find(|block| block.contains(" 600000002 ")).unwrap();
    let labels = block.lines().skip(2).filter(|line| !line.is_empty());
    let label = |line: &str| line.split_once("      ").unwrap().1.to_owned();
    (found, labels.map(label).collect())
}

#[test]
fn a_folded_trace_tells_the_phase_of_every_moment() {
    let trace = mini();
    let (mut folding, points) = fold_with_points(&trace, &[]);
    let mut told = |ends: &[(f64, &str)]| {
        let starts = [0.0].into_iter().chain(ends.iter().map(|(end, _)| *end));
        let phase = |(start, (end, name)): (f64, &(f64, &str))| Phase {
            start,
            end: *end,
            name: (*name).to_owned(),
            ..Phase::default()
        };
        folding.groups[0].phases = starts.zip(ends).map(phase).collect();
        phases(&exported(&trace, &[(folding.clone(), points.clone())], "paraver"))
    };
    let row = fold_with_points(&trace, &[]).0.groups[0].rows[0].clone();
    let at = |ns: u64| row.start_ns + ns;
    assert_eq!(row.duration_ns, 1_000_000);
    let (found, labels) = told(&[(0.25, ""), (0.75, "solve"), (1.0, "")]);
    let expected = [(at(0), 1), (at(250_000), 2), (at(750_000), 3), (at(1_000_000), 0)];
    assert_eq!(found, expected);
    assert_eq!(labels, ["End", "Phase 1", "Phase 2: solve", "Phase 3"]);
    assert_eq!(told(&[]).0, [(at(0), 1), (at(1_000_000), 0)]);
    // Of two that begin within one nanosecond the last is told; one that lasts no time is not.
    let (found, _) = told(&[(0.25, ""), (0.2500001, ""), (0.9999999, ""), (1.0, "")]);
    assert_eq!(found, [(at(0), 1), (at(250_000), 3), (at(1_000_000), 0)]);
}

#[test]
fn configurations_show_types_that_the_trace_has() {
    let trace = made(Shape::Example);
    let files = exported(&trace, &[fold_with_points(&trace, &["points=100"])], "paraver");
    let prv = text(&files, "folded.prv");
    let mut seen = vec![];
    for file in files.iter().filter(|file| file.name.ends_with(".cfg")) {
        let cfg = text(&files, &file.name);
        let all = |tag: &str| {
            let lines = cfg.lines().filter_map(|line| line.strip_prefix(tag));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        assert!(cfg.starts_with("#ParaverCFG\nConfigFile.Version: 3.4\n"), "{}", file.name);
        let windows = all("window_id ");
        let expected = (1..=windows.len()).map(|id| id.to_string()).collect::<Vec<_>>();
        assert_eq!(windows, expected);
        assert_eq!(all("ConfigFile.NumWindows: "), [windows.len().to_string()]);
        for code in all("window_filter_module evt_type 1 ") {
            assert!(prv.contains(&format!(":{code}:")), "{} {code}", file.name);
            seen.push(code);
        }
        for line in cfg.lines() {
            let count = |letter: char| line.matches(letter).count();
            assert_eq!(count('{'), count('}'), "{line}");
        }
        for tag in ["Analyzer2D.ControlWindow: ", "Analyzer2D.3D_ControlWindow: "] {
            assert!(all(tag).iter().all(|id| windows.contains(id)));
            assert_eq!(all(tag).len(), usize::from(file.name.starts_with("3dh")));
        }
    }
    let seen = seen.iter().map(String::as_str).collect::<BTreeSet<_>>();
    let expected = ["42000050", "600000001", "600000002", "600000004", "600000005", "600000006"];
    assert_eq!(seen, expected.into_iter().collect());
}

/// Where instructions are not counted and no call-stack is sampled, nothing asks for them.
#[test]
fn configurations_of_a_trace_without_instructions_and_call_stacks() {
    let prv = MINI_PRV.replace("42000050", "42000007").replace("30000", "36000");
    let trace = open(&[("a.prv", prv.as_bytes())]);
    let files = exported(&trace, &[fold_with_points(&trace, &[])], "paraver");
    let names = files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>();
    assert_eq!(names, ["win_folded_type.cfg", "folded.prv", "folded.row", "folded.pcf"]);
}

/// Codes of an `.extract` are not Paraver's; what it holds must be regions and counters there too.
#[test]
fn a_folded_trace_of_an_extract_opens_as_a_paraver_trace() {
    let extract = "I 1 2 1 solve 1000 1000 2 A 1250 PAPI_TOT_INS 1700\nDO 0\n\
        S 1400 400 2 A 500 PAPI_TOT_INS 900 1 0 3 4 4 0\n";
    let trace = open(&[("a.extract", extract.as_bytes()), ("a.pcf", MINI_PCF.as_bytes())]);
    let folded = fold_with_points(&trace, &["points=50"]);
    let files = exported(&trace, std::slice::from_ref(&folded), "paraver");
    let again = reopened(&files, "folded.prv", "folded.pcf");
    equals_the_curves(&again, &folded, &kept(&folded.0, 1));
    assert_eq!(fold_with_points(&again, &[]).0.region, "Region:solve");
    assert!(
        text(&files, "folded.prv").starts_with("#Paraver (01/01/1970 at 00:00):2000_ns:0:1:2(")
    );
}

#[test]
fn a_trace_that_numbers_its_tasks_in_millions_is_no_paraver_trace() {
    let of_task = |task: u32| {
        let extract = format!("I 1 {task} 1 solve 1000 1000 0\nDO 0\n");
        let trace = open(&[("a.extract", extract.as_bytes())]);
        let folded = fold_with_points(&trace, &["points=5"]);
        export::export(&trace, &[folded], Format::Paraver(1)).map(|files| files.len())
    };
    assert_eq!(of_task(1000), Ok(4));
    assert_eq!(of_task(u32::MAX), Err(ExportError::TooManyObjects));
}

#[test]
fn regions_inside_one_another_have_files_of_their_own() {
    let trace = made(Shape::Nested);
    let asked = settings(&["region=User function"]).unwrap();
    let folded = pipeline::run_each(&trace, &asked, &[]).unwrap();
    assert!(folded.len() > 1);
    for (number, one) in (1..).zip(&folded) {
        let files = exported(&trace, &folded, "paraver");
        let main = format!("folded-{number}.prv");
        let again = reopened(&files, &main, &format!("folded-{number}.pcf"));
        equals_the_curves(&again, one, &kept(&one.0, 1));
        assert!(files.iter().any(|f| f.name == format!("win_folded_type-{number}.cfg")));
        let files = exported(&trace, &folded, "extract");
        let main = format!("instances-{number}.extract");
        let again = reopened(&files, &main, &format!("instances-{number}.pcf"));
        let count = |folding: &Folding| folding.groups.iter().map(|g| g.instances).sum::<u32>();
        assert_eq!(count(&fold_with_points(&again, &[]).0), count(&one.0));
    }
}

#[test]
fn formats_that_need_the_trace_say_so_without_it() {
    let folded = [fold_with_points(&mini(), &[])];
    for (name, format) in Format::ALL {
        let files = export::export_without_trace(&folded, format);
        match format {
            Format::Paraver(_) | Format::Extract => {
                assert_eq!(files, Err(ExportError::NeedsTrace), "{name}");
            }
            _ => assert_eq!(files, export::export(&mini(), &folded, format), "{name}"),
        }
    }
    let third = export::export(&mini(), &folded, Format::Paraver(3));
    assert_eq!(third, Err(ExportError::NoInstance { asked: 3, most: 2 }));
    for name in ["paraver:0", "paraver:", "paraver:x", "paraver:99999999999", "extract:1", "Csv"] {
        assert_eq!(Format::parse(name), None, "{name}");
    }
}

#[test]
fn files_in_parts_hold_what_they_hold_whole() {
    let trace = mini();
    let folded = [fold_with_points(&trace, &[])];
    for (name, format) in Format::ALL {
        let whole = export::export(&trace, &folded, format).unwrap();
        let mut joined = BTreeMap::<String, Vec<u8>>::new();
        let mut put = |name: &str, part| joined.entry(name.to_owned()).or_default().extend(part);
        export::export_in_parts(&trace, &folded, None, format, &Default::default(), &mut put)
            .unwrap();
        let whole = whole.into_iter().map(|file| (file.name, file.bytes));
        assert_eq!(joined, whole.collect(), "{name}");
    }
}

/// Names with all that means something somewhere.
fn hostile() -> String {
    format!(
        "a\u{1}b\u{2028}c\u{85}d\u{1b}[31m'quoted' \"twice\" \\\\ `date` @macro {{x}}_y^2 $1 % {}",
        "\u{e9}".repeat(10_000)
    )
}

#[test]
fn hostile_labels_stay_on_one_line() {
    let pcf = MINI_PCF.replace("kernel", &hostile()).replace("k.c", &hostile());
    let pcf = pcf.replace("PAPI_TOT_CYC", &hostile());
    let trace = open(&[("a.prv", MINI_PRV.as_bytes()), ("a.pcf", pcf.as_bytes())]);
    let folded = fold_with_points(&trace, &["points=20"]);
    let sober = exported(&mini(), &[fold_with_points(&mini(), &["points=20"])], "paraver");
    for (_, format) in Format::ALL.into_iter().filter(|(name, _)| *name != "json") {
        for file in export::export(&trace, std::slice::from_ref(&folded), format).unwrap() {
            let is_csv = file.name.ends_with(".csv");
            let text = String::from_utf8(file.bytes).unwrap();
            let breaks = |c: char| c.is_control() && c != '\n' || c == '\u{2028}';
            assert!(is_csv || !text.contains(breaks), "{}", file.name);
            if let Some(sober) = sober.iter().find(|sober| sober.name == file.name) {
                let lines = sober.bytes.iter().filter(|byte| **byte == b'\n').count();
                assert_eq!(text.lines().count(), lines, "{}", file.name);
            }
        }
    }
    let files = exported(&trace, std::slice::from_ref(&folded), "extract");
    let again = reopened(&files, "instances.extract", "instances.pcf");
    assert_eq!(fold_with_points(&again, &[]).1.counters.len(), 2);
    let files = exported(&trace, std::slice::from_ref(&folded), "paraver");
    equals_the_curves_of_instructions(&reopened(&files, "folded.prv", "folded.pcf"), &folded);
}

#[track_caller]
fn equals_the_curves_of_instructions(trace: &Trace, (folding, points): &Folded) {
    let mut folding = folding.clone();
    folding.groups[0].curves.retain(|curve| curve.instructions);
    equals_the_curves(trace, &(folding.clone(), points.clone()), &kept(&folding, 1));
}

/// The text outside of quotes of a script, continued lines joined; panics at an open quote.
fn commands(script: &str) -> Vec<String> {
    let joined = script.replace("\\\n", " ");
    let outside = |line: &str| {
        let parts = line.split('\'').collect::<Vec<_>>();
        assert!(parts.len() % 2 == 1, "an open quote: {line}");
        parts.into_iter().step_by(2).collect::<String>()
    };
    joined.lines().filter(|line| !line.starts_with('#')).map(outside).collect()
}

#[test]
fn a_gnuplot_script_draws_columns_that_are_there() {
    let pcf = MINI_PCF.replace("PAPI_TOT_CYC", "it's\\").replace("kernel", &hostile());
    let trace = open(&[("a.prv", MINI_PRV.as_bytes()), ("a.pcf", pcf.as_bytes())]);
    let mut folded = fold_with_points(&trace, &["points=20"]);
    let group = &mut folded.0.groups[0];
    group.curves[0].fitted_band = vec![0.125; 20];
    group.curves[0].rate_band = (1..=20).map(f64::from).collect();
    // 50,000 in a second are told in thousands.
    group.curves[1].rate = vec![0.05; 20];
    group.curves[1].rate_band = vec![0.0125; 20];
    group.mean_duration_ns = 2e6;
    group.breaks = vec![Break {
        at: 0.25,
        half_width: 0.0,
        changed: vec![],
        by_hand: false,
        site: String::new(),
    }];
    let phase =
        |start, end, name: &str| Phase { start, end, name: name.to_owned(), ..Phase::default() };
    group.phases = vec![phase(0.0, 0.25, ""), phase(0.25, 1.0, "it's")];
    let group = &folded.0.groups[0];
    let files = exported(&trace, std::slice::from_ref(&folded), "gnuplot");
    let [script, curves, samples] =
        ["folding.gnuplot", "folding-curves.dat", "folding-samples.dat"].map(|n| text(&files, n));

    let rows = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        let numbers = |line: &str| line.split(' ').map(|n| n.parse::<f64>().unwrap()).collect();
        lines.map(numbers).collect::<Vec<Vec<f64>>>()
    };
    for (j, row) in rows(&curves).iter().enumerate() {
        assert_eq!(row.len(), 2 + 6 * group.curves.len());
        assert!((row[1] - row[0] * group.mean_duration_ns / 1e6).abs() < 1e-12);
        for (curve, columns) in group.curves.iter().zip(row[2..].chunks(6)) {
            assert_eq!(columns[..2], [curve.fitted[j], curve.rate[j]]);
            let ratio = group.per_instruction(curve)[j].unwrap_or(f64::NAN);
            assert_eq!(columns[2].to_bits(), ratio.to_bits());
            let ratio_band = group.per_instruction_band(curve);
            for (band, column) in
                [&curve.fitted_band, &curve.rate_band, &ratio_band].into_iter().zip(&columns[3..])
            {
                assert_eq!(band.get(j).copied().unwrap_or(f64::NAN).to_bits(), column.to_bits());
            }
        }
    }
    let blocks = samples.trim_end().split("\n\n\n").collect::<Vec<_>>();
    assert_eq!((rows(&curves).len(), blocks.len()), (20, 2));
    for (block, curve) in blocks.iter().zip(&group.curves) {
        let cloud = folded.1.cloud(1, &curve.counter).unwrap();
        let expected = cloud.x.iter().zip(&cloud.y).map(|(x, y)| vec![*x, x * 2.0, *y, 0.0]);
        assert_eq!(rows(block), expected.collect::<Vec<_>>());
    }

    let commands = commands(&script);
    let plots = commands.iter().filter(|line| line.starts_with("plot ")).collect::<Vec<_>>();
    assert_eq!(plots.len(), 1 + group.curves.len());
    for plot in plots {
        for part in plot.split(',') {
            if let Some((_, columns)) = part.split_once("curves using 2:") {
                let columns = columns.split(' ').next().unwrap();
                let named = match columns.strip_prefix('(') {
                    Some(_) => columns.split('$').skip(1).collect(),
                    None => vec![columns],
                };
                for column in named {
                    let column = column.trim_end_matches(|c: char| !c.is_ascii_digit());
                    let column = column.split(|c: char| !c.is_ascii_digit()).next().unwrap();
                    let column = column.parse::<usize>().unwrap();
                    assert!((3..=2 + 6 * group.curves.len()).contains(&column), "{part}");
                }
            }
        }
    }
    // Of the first in the overview, of its share and its rate; of the second not of its share.
    assert_eq!(script.matches("with filledcurves").count(), 5, "{script}");
    let mean = 1000.0 * group.curves[1].mean_rate;
    for plot in [
        "curves using 2:9 with lines lw 2",
        "curves using 2:(1000*($10-$13)):(1000*($10+$13)) axes x1y2 with filledcurves",
        "curves using 2:(1000*$10) axes x1y2 with lines lw 2",
        &format!("{mean} axes x1y2 with lines dt 2"),
    ] {
        assert!(script.contains(plot), "{plot}: {script}");
    }
    let at = 0.25 * group.mean_duration_ns / 1e6;
    assert!(script.contains(&format!("set arrow from {at}, graph 0 to {at}, graph 1")), "{script}");
    let middle =
        |x: f64| format!("at {}, graph 0.97 center front", x * group.mean_duration_ns / 1e6);
    for label in [format!("'1' {}", middle(0.125)), format!("'2 it''s' {}", middle(0.625))] {
        assert!(script.contains(&format!("set label {label}")), "{script}");
    }
    assert!(script.contains("set ylabel 'it''s\\'\n"), "{script}");
    assert!(commands.iter().all(|line| !line.contains(['`', '@', '"'])));
}

#[test]
fn power_has_no_place_among_ratios_of_a_gnuplot_script() {
    let mut folded = fold_with_points(&mini(), &["points=20"]);
    let mut has_ratio = |joules: Option<f64>| {
        folded.0.groups[0].curves[1].joules = joules;
        let files = exported(&mini(), std::slice::from_ref(&folded), "gnuplot");
        let commands = commands(&text(&files, "folding.gnuplot"));
        let overview = commands.iter().find(|line| line.starts_with("plot ")).unwrap();
        overview.contains("curves using 2:11 ")
    };
    assert_eq!([None, Some(1e-6)].map(&mut has_ratio), [true, false]);
}

/// Where gnuplot is installed it draws the script without a word.
#[test]
fn gnuplot_draws_the_script_where_it_is_installed() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("gnuplot");
    std::fs::create_dir_all(&folder).unwrap();
    let pcf = MINI_PCF.replace("PAPI_TOT_CYC", &hostile()).replace("kernel", &hostile());
    let trace = open(&[("a.prv", MINI_PRV.as_bytes()), ("a.pcf", pcf.as_bytes())]);
    for file in exported(&trace, &[fold_with_points(&trace, &[])], "gnuplot") {
        std::fs::write(folder.join(&file.name), &file.bytes).unwrap();
    }
    let mut gnuplot = std::process::Command::new("gnuplot");
    gnuplot.args(["-e", "set terminal svg; set output 'folding.svg'", "folding.gnuplot"]);
    let Ok(done) = gnuplot.current_dir(&folder).output() else {
        return println!("skipped: gnuplot is not installed");
    };
    let words = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success() && words.is_empty(), "{words}");
    let svg = std::fs::read_to_string(folder.join("folding.svg")).unwrap();
    assert!(svg.contains("`date`") && svg.trim_end().ends_with("</svg>"));
}

/// Begins and durations of all instances of a region, by thread.
fn instances(trace: &Trace, region: &str) -> Vec<([u32; 3], u64, u64)> {
    let region = format!("region={region}");
    let (folding, _) = fold_with_points(trace, &[&region, "group=none", "outliers=none"]);
    let rows = folding.groups.iter().flat_map(|group| &group.rows);
    let mut found = rows.map(|row| (row.object, row.start_ns, row.duration_ns)).collect::<Vec<_>>();
    found.sort_unstable();
    found
}

/// A run of MPI with clusters and iterations, its files, and the same with others beside it.
fn mpi_run() -> (Trace, impl Fn(&Exported) -> Trace) {
    let made = tracefold_generate::generate(Shape::Spmd, 3);
    let trace = open(&[("a.prv", &made.prv), ("a.pcf", &made.pcf), ("a.row", &made.row)]);
    let beside = move |more: &Exported| {
        open(&[("a.prv", &made.prv), ("a.pcf", &made.pcf), (&more.name, &more.bytes)])
    };
    (trace, beside)
}

#[test]
fn clusters_over_time_read_back_as_the_same_regions() {
    use tracefold::export::{TimelineFormat, clusters_over_time};
    use tracefold::run::{bursts_from, clusters};
    let (trace, beside) = mpi_run();
    let settings = settings(&[]).unwrap();
    let bursts = bursts_from(&trace, settings.bursts).bursts;
    let found = clusters(&trace, &bursts, settings.eps);
    let written = |format| clusters_over_time(&trace, &found, &bursts, format).unwrap();

    let text_files = written(TimelineFormat::Semantic);
    let with_text = beside(&text_files[0]);
    assert_eq!(with_text.notices.iter().count(), trace.notices.iter().count());
    let files = written(TimelineFormat::Paraver);
    let alone = reopened(&files, "clusters.prv", "clusters.pcf");
    assert_eq!(alone.duration_ns, trace.duration_ns);
    assert!(found.clusters.len() >= 5, "{}", found.clusters.len());
    for cluster in &found.clusters {
        let number = cluster.number;
        let expected = instances(&trace, &format!("Cluster:{number}"));
        assert_eq!(expected.len(), cluster.bursts);
        let of_text = instances(&with_text, &format!("semantic-clusters:Cluster_{number}"));
        assert_eq!(of_text, expected, "cluster {number}");
        let of_prv = instances(&alone, &format!("Cluster ID:Cluster {number}"));
        assert_eq!(of_prv, expected, "cluster {number}");
    }
    // As the ClusteringSuite numbers them; bursts are when threads compute.
    let pcf = text(&files, "clusters.pcf");
    assert!(pcf.contains("90000001    Cluster ID\nVALUES\n0      End\n"), "{pcf}");
    assert!(pcf.contains("\n5      Noise\n6      Cluster 1\n"), "{pcf}");
    let states = |trace: &Trace| {
        let running = trace.threads.iter().flat_map(|thread| thread.running_ns().to_vec());
        running.map(|[begin_ns, end_ns]| end_ns - begin_ns).sum::<u64>()
    };
    assert_eq!(states(&alone), bursts.iter().map(|burst| burst.duration_ns()).sum::<u64>());
}

#[test]
fn iterations_over_time_read_back_as_the_same_regions() {
    use tracefold::export::{TimelineFormat, iterations_over_time};
    let (trace, beside) = mpi_run();
    let repeats = tracefold::run::repeats(&trace).unwrap();
    let written = |format| iterations_over_time(&trace, &repeats, format).unwrap();
    let text_files = written(TimelineFormat::Semantic);
    assert_eq!(text_files.len(), repeats.levels.len());
    let files = written(TimelineFormat::Paraver);
    let alone = reopened(&files, "iterations.prv", "iterations.pcf");
    for ((number, level), file) in (1..).zip(&repeats.levels).zip(&text_files) {
        let expected = instances(&trace, &format!("Iteration:{number}"));
        assert_eq!(expected.len(), level.passes());
        let region = format!("semantic-iterations-{number}:Iteration_{number}");
        assert_eq!(instances(&beside(file), &region), expected, "iteration {number}");
        let region = format!("{}:Iteration {number}", repeats.name(level));
        assert_eq!(instances(&alone, &region), expected, "iteration {number}");
    }
    // Passes are numbered beside, which is no region.
    let (rows, _) = pipeline::catalogue(&alone, &settings(&[]).unwrap());
    let of_events = rows.iter().filter(|row| row.alias.is_none()).map(|row| &row.region);
    assert_eq!(of_events.collect::<BTreeSet<_>>().len(), repeats.levels.len());
    assert!(text(&files, "iterations.prv").contains(":600000101:2"));
}
