//! Parts of a trace, and what they fold to.

use tracefold::accumulate::{By, Keep, Wanted, accumulate, merge};
use tracefold::export::{Format, export};
use tracefold::input::NamedFile;
use tracefold::open::{self, Watch, candidates};
use tracefold::partial::Partial;
use tracefold::pipeline;
use tracefold::settings::Settings;
use tracefold::trace::{Only, Share, Trace};
use tracefold_generate::Random;

pub type Files = Vec<(String, Vec<u8>)>;

pub fn named(files: &Files) -> Vec<NamedFile<'_>> {
    let file = |(name, bytes): &'_ (String, Vec<u8>)| (name.clone(), bytes.clone());
    files.iter().map(file).map(|(name, bytes)| NamedFile::new(name, bytes)).collect()
}

/// Part `number` of so many.
pub fn part(
    files: &Files,
    region: &str,
    by: By,
    [number, of]: [u32; 2],
    only: &Only,
) -> Result<Partial, String> {
    part_keeping(&Keep::All, files, region, by, [number, of], only)
}

/// The same with those samples.
pub fn part_keeping(
    keep: &Keep,
    files: &Files,
    region: &str,
    by: By,
    [number, of]: [u32; 2],
    only: &Only,
) -> Result<Partial, String> {
    let (report, early) = (&mut |_| {}, &mut |_, _: &_| {});
    let found = candidates(named(files), report).map_err(|error| error.to_string())?;
    let opening = found.opening(None, report).map_err(|error| error.to_string())?;
    let mut watch = Watch::new(report, early);
    // By bytes what is held is made smaller after every block.
    watch.most_bytes = if by == By::Bytes { 1 } else { u64::MAX };
    let share = Share { number, of };
    let wanted = Wanted { region, by, share, only, keep };
    accumulate(opening, &wanted, &mut watch).map_err(|error| error.to_string())
}

pub fn parts(files: &Files, region: &str, by: By, of: u32) -> Vec<Partial> {
    let part = |number| part(files, region, by, [number, of], &Only::default());
    (1..=of).map(part).collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{error}"))
}

/// Puts some of them together, and these with others, until there is one; each on its way through a file.
pub fn in_any_order(mut parts: Vec<Partial>, random: &mut Random) -> Partial {
    while parts.len() > 1 {
        let count = (2 + random.below(3) as usize).min(parts.len());
        let some = (0..count).map(|at| {
            let part = parts.swap_remove(random.below(parts.len() as u64) as usize);
            (at.to_string(), again(part))
        });
        let some = some.collect();
        parts.push(merge(some).unwrap_or_else(|refusal| panic!("{refusal}")));
    }
    again(parts.pop().unwrap())
}

pub fn again(part: Partial) -> Partial {
    Partial::read(&part.write()).unwrap()
}

/// Every table and the whole answer of a region, or why there is none.
pub fn folded(trace: &Trace, region: &str, texts: &[(&str, &str)]) -> Result<Files, String> {
    let mut settings = Settings::default();
    settings.set("region", region).unwrap();
    for (key, value) in texts {
        settings.set(key, value).unwrap();
    }
    let folded = pipeline::run(trace, &settings).map_err(|error| error.to_string())?;
    let mut files = vec![];
    for format in [Format::Csv, Format::Json] {
        let written = export(trace, std::slice::from_ref(&folded), format).unwrap();
        files.extend(written.into_iter().map(|file| (file.name, file.bytes)));
    }
    Ok(files)
}

#[track_caller]
pub fn same(whole: &Files, other: &Files, what: &str) {
    assert_eq!(whole.len(), other.len(), "{what}");
    for ((name, whole), (_, other)) in whole.iter().zip(other) {
        if whole != other {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(",\"", ",\n\"");
            let (whole, other) = (text(whole), text(other));
            let unlike = whole.lines().zip(other.lines()).find(|(a, b)| a != b);
            panic!("{what}: {name}: {unlike:?}");
        }
    }
}

/// Parts by bytes and by tasks, in so many random trees, fold to the bytes of the whole, and the same parts
/// are the same bytes whatever the tree.
#[track_caller]
pub fn adds_up(files: &Files, region: &str, bys: &[(By, &[u32])], trees: u64) {
    let trace = open::open(named(files), &mut |_| {}).unwrap();
    let whole = folded(&trace, region, &[]).unwrap();
    for &(by, counts) in bys {
        let mut one = None;
        for &count in counts {
            for seed in 0..trees {
                let what = format!("{region} {by:?} {count} {seed}");
                let merged = in_any_order(parts(files, region, by, count), &mut Random::new(seed));
                let bytes = merged.write();
                let merged = Partial::read(&bytes).unwrap();
                // Shares of tasks stay apart, and are as many as they were.
                if by == By::Bytes || count == 1 {
                    assert!(*one.get_or_insert(bytes.clone()) == bytes, "{what}: other bytes");
                }
                let trace = merged.trace().unwrap_or_else(|error| panic!("{what}: {error}"));
                same(&whole, &folded(&trace, region, &[]).unwrap(), &what);
            }
        }
    }
}
