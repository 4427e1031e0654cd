//! A trace that is read as it comes gives the part that all of it would give.

use std::fs;
use std::path::Path;

use tracefold::accumulate::{By, Online};
use tracefold::folding::{Folding, Group};
use tracefold::open::{self, candidates};
use tracefold::partial::{End, Partial};
use tracefold::pipeline;
use tracefold::settings::Settings;
use tracefold::trace::{Only, Trace};
use tracefold_generate::{Options, Random, big};

use super::adding::{Files, again, folded, named, part, same};
use super::of_all_kinds;
use crate::traces::{HEADER, MINI_PCF, inflated};

/// The reading of the first of the files as it comes, of which no byte was given yet.
fn online(files: &Files, region: &str, most_bytes: u64) -> Result<Online, String> {
    let found = candidates(named(files), &mut |_| {}).map_err(|error| error.to_string())?;
    let opening = found.opening(None, &mut |_| {}).map_err(|error| error.to_string())?;
    let online = Online::new(opening, region, &Only::default(), most_bytes);
    online.map_err(|error| error.to_string())
}

/// In pieces of any size, of about so many bytes.
fn pieces<'text>(text: &'text [u8], about: usize, random: &mut Random) -> Vec<&'text [u8]> {
    let mut rest = text;
    let mut pieces = vec![];
    while !rest.is_empty() {
        let length = (1 + random.below(2 * about as u64) as usize).min(rest.len());
        let (piece, after) = rest.split_at(length);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// Pushed in pieces, made smaller after each, with parts made meanwhile, a trace ends in the bytes of its only
/// part.
#[track_caller]
fn comes_as(files: &Files, region: &str, by: By, about: usize) {
    let text = &files[0].1;
    let whole = part(files, region, by, [1, 1], &Only::default()).unwrap().write();
    for seed in 0..3 {
        let mut random = Random::new(seed);
        let mut online = online(files, region, u64::MAX).unwrap().in_steps_of(0);
        for piece in pieces(text, about, &mut random) {
            assert_eq!(online.push(piece), Ok(true));
            if random.below(4) == 0 && online.waits().is_none() {
                let so_far = again(online.so_far().unwrap());
                assert_eq!(so_far.end, End::Growing);
                so_far.trace().unwrap();
            }
        }
        assert_eq!(online.bytes() as usize, text.len());
        assert!(online.end().unwrap().write() == whole, "{region} {seed}: other bytes");
    }
}

fn example() -> Files {
    let pcf = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../static/example.pcf"));
    vec![
        ("a.prv".to_owned(), inflated("static/example.prv.gz")),
        ("a.pcf".to_owned(), pcf.unwrap()),
    ]
}

fn perf_text() -> Files {
    vec![("a.txt".to_owned(), inflated("tests/traces/calls-perf.txt.gz"))]
}

#[test]
fn the_bundled_example() {
    comes_as(&example(), "User function:main loop", By::Bytes, 60_000);
    // Around all of it, and one that is never met.
    comes_as(&example(), "User function:main", By::Bytes, 200_000);
}

#[test]
fn traces_of_all_kinds() {
    for (files, region) in of_all_kinds() {
        comes_as(&files, region, By::Bytes, files[0].1.len() / 20);
    }
}

#[test]
fn a_text_of_perf() {
    comes_as(&perf_text(), "probe_phases:iteration", By::Tasks, 9_000);
}

#[test]
fn what_has_come_folds_to_what_a_trace_that_ends_there_does() {
    for (files, region, by) in [
        (example(), "User function:main loop", By::Bytes),
        (perf_text(), "probe_phases:iteration", By::Tasks),
    ] {
        let text = files[0].1.clone();
        let mut online = online(&files, region, u64::MAX).unwrap().in_steps_of(0);
        let mut read = 0;
        for tenths in [3, 5, 8] {
            // Inside of a line.
            let end = text.len() * tenths / 10;
            online.push(&text[read..end]).unwrap();
            read = end;
            let so_far = again(online.so_far().unwrap());
            let whole_lines = 1 + text[..end].iter().rposition(|byte| *byte == b'\n').unwrap();
            let mut cut = files.clone();
            cut[0].1.truncate(whole_lines);
            assert_eq!(so_far.common.size_bytes, whole_lines as u64);
            let trace = so_far.trace().unwrap();
            let of_cut = open::open(named(&cut), &mut |_| {}).unwrap();
            let [cut, so_far] =
                [&of_cut, &trace].map(|trace| tables(folded(trace, region, &[]).unwrap()));
            same(&cut, &so_far, &format!("{tenths} tenths {by:?}"));
            let partial = answer(&trace, &of_region(region)).trace.partial;
            let said = "The trace was still being written: its first ";
            assert!(partial.clone().unwrap().starts_with(said), "{partial:?}");
        }
    }
}

fn answer(trace: &Trace, settings: &Settings) -> Folding {
    pipeline::run(trace, settings).unwrap().0
}

fn of_region(region: &str) -> Settings {
    let mut settings = Settings::default();
    settings.set("region", region).unwrap();
    settings
}

/// One region again and again, for some megabytes.
fn steps() -> Files {
    let options = Options { size_mb: Some(16), ..Options::default() };
    let (labels, prv) = big::generate(7, &options, Vec::new()).unwrap();
    vec![("a.prv".to_owned(), prv), ("a.pcf".to_owned(), labels.pcf)]
}

fn thinned(files: &Files, region: &str, most_bytes: u64) -> (Partial, u32) {
    let mut online = online(files, region, most_bytes).unwrap();
    for piece in pieces(&files[0].1, 100_000, &mut Random::new(1)) {
        assert_eq!(online.push(piece), Ok(true));
    }
    let one_in = online.one_in();
    (again(online.end().unwrap()), one_in)
}

/// Files but for what is said of the trace as a whole.
fn tables(files: Files) -> Files {
    files.into_iter().filter(|(name, _)| name.ends_with(".csv")).collect()
}

#[test]
fn what_is_thinned_as_it_comes_is_what_the_whole_shows_of_as_few_samples() {
    let (files, region) = (steps(), "User function:step");
    let whole = open::open(named(&files), &mut |_| {}).unwrap();
    let shown = |trace: &Trace, samples: u64| {
        let mut settings = of_region(region);
        settings.set("samples", &samples.to_string()).unwrap();
        answer(trace, &settings)
    };
    for most_bytes in [2_000_000, 1_200_000] {
        let (part, one_in) = thinned(&files, region, most_bytes);
        assert!(one_in > 1 && part.end == End::Reached, "{one_in} {:?}", part.end);
        let trace = part.trace().unwrap();
        let fewer = std::iter::successors(Some(1_000_000), |samples| Some(samples * 4 / 5));
        let asked = fewer.take(50).find(|samples| {
            shown(&whole, *samples).groups.iter().all(|group| group.one_in == one_in)
        });
        let samples = asked.unwrap().to_string();
        let of_whole = folded(&whole, region, &[("samples", &samples)]).unwrap();
        let of_thinned = folded(&trace, region, &[]).unwrap();
        same(&tables(of_whole), &tables(of_thinned), &format!("one in {one_in}"));
        let notices = answer(&trace, &of_region(region)).notices;
        let said =
            notices.iter().filter(|of| of.text.contains(&format!("one in {one_in} instances")));
        assert_eq!(said.count(), 1, "{notices:?}");
    }
}

#[test]
fn what_cannot_be_thinned_is_read_no_further_and_says_so() {
    let (files, region) = (steps(), "User function:step");
    let mut online = online(&files, region, 100_000).unwrap();
    let goes_on = pieces(&files[0].1, 100_000, &mut Random::new(1))
        .into_iter()
        .map(|piece| online.push(piece).unwrap())
        .collect::<Vec<_>>();
    assert!(goes_on.first() == Some(&true) && goes_on.last() == Some(&false));
    let bytes = online.bytes();
    assert!(bytes < files[0].1.len() as u64 / 2, "{bytes}");
    let part = again(online.end().unwrap());
    assert!(matches!(part.end, End::Full(held) if held > 100_000), "{:?}", part.end);
    let words = part.missing_words().unwrap();
    assert_eq!(part.common.size_bytes, bytes);
    assert!(words.starts_with("The trace went on: its first "), "{words}");
    assert!(words.ends_with("Allow more (--memory), or read less of it (--only)."), "{words}");
    let folding = answer(&part.trace().unwrap(), &of_region(region));
    assert_eq!(folding.trace.partial, Some(words));
}

#[test]
fn what_is_not_read_as_it_comes_is_refused() {
    let packed = vec![("a.prv.gz".to_owned(), {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../static");
        fs::read(folder.join("example.prv.gz")).unwrap()
    })];
    let refused = online(&packed, "User function:main loop", 1).err().unwrap();
    let expected = "not packed: they are read as they come";
    assert!(refused.contains("a packed file") && refused.contains(expected), "{refused}");
}

#[test]
fn no_part_is_made_of_a_region_that_has_not_come_and_none_of_a_text_without_its_header() {
    let files = perf_text();
    let mut online = online(&files, "probe_phases:iteratoin", u64::MAX).unwrap().in_steps_of(0);
    assert_eq!(online.push(&files[0].1), Ok(true));
    assert!(online.waits().unwrap().contains("probe_phases:iteration"));
    assert!(online.end().is_err());
    let (mut example, region) = (example(), "User function:main loop");
    let text = std::mem::take(&mut example[0].1);
    example[0].1 = text[..text.len() / 3].to_vec();
    let mut online = self::online(&example, region, u64::MAX).unwrap();
    online.push(&text[..20]).unwrap();
    assert!(online.so_far().unwrap_err().to_string().contains("no header"));
    // The first line may come in two.
    online.push(&text[20..4000]).unwrap();
    online.so_far().unwrap();
}

/// Many short instances and a few long ones, each of so many samples.
fn few_among_many(start: u64) -> Files {
    let mut text = HEADER.to_owned();
    let mut now = start;
    let mut add = |length: u64, samples: u64| {
        text += &format!("2:1:1:1:1:{now}:60000019:3:42000050:7:42000059:9\n");
        for at in 1..=samples {
            let time = now + at * length / (samples + 1);
            text += &format!("2:1:1:1:1:{time}:42000050:{}:42000059:50\n", 100 + at);
        }
        now += length;
        text += &format!("2:1:1:1:1:{now}:60000019:0:42000050:30:42000059:20\n");
        now += 100;
    };
    for at in 0..280 {
        add(100_000 + 10 * (at % 7), 400);
        if at % 47 == 0 {
            add(9_000_000 + 100 * (at % 11), 40);
        }
    }
    vec![("a.prv".to_owned(), text.into_bytes()), ("a.pcf".to_owned(), MINI_PCF.into())]
}

#[test]
fn of_a_group_none_of_whose_instances_gives_its_samples_the_totals_stay() {
    let region = "User function:kernel";
    let mut of_none = 0;
    for start in 1000..1006 {
        let files = few_among_many(start);
        let whole = open::open(named(&files), &mut |_| {}).unwrap();
        let (part, one_in) = thinned(&files, region, 400_000);
        assert!(one_in >= 16, "{one_in}");
        let trace = part.trace().unwrap();
        let [whole, thinned] = [&whole, &trace].map(|trace| answer(trace, &of_region(region)));
        let seen = |of: &Folding| {
            let of_group = |group: &Group| {
                let counts = group.curves.iter().map(|of| (of.counter.clone(), of.mean_count));
                (group.instances, group.mean_duration_ns, group.samples, counts.collect::<Vec<_>>())
            };
            of.groups.iter().map(of_group).collect::<Vec<_>>()
        };
        assert_eq!(seen(&whole), seen(&thinned), "{start}");
        let is_said = thinned.notices.iter().any(|of| of.text == NONE_KEPT && of.groups == [2]);
        let has_none = thinned.groups[1].curves[0].used == 0;
        assert_eq!(is_said, has_none, "{:?}", thinned.notices);
        of_none += u32::from(has_none);
    }
    assert!((1..6).contains(&of_none), "{of_none} of 6");
}

const NONE_KEPT: &str = "None of the instances of a group kept its samples, as what was kept of the trace as it \
                         came had grown too large: the totals are of all, the curves straight lines.";
