//! Archives record by record, beside what the reference library's printer says of them: counts by kind
//! and location, first and last times, what each metric adds up to, how often each region is entered.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use serde_json::{Value, json};
use tracefold::otf2::{Anchor, ChunkOf, Clock, Definitions, Local, Records};

/// Every archive of the folder of which there is an answer.
pub fn every_archive(folder: &Path) {
    let mut names = fs::read_dir(folder.join("oracle"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect::<Vec<_>>();
    names.sort();
    assert!(names.len() >= 10, "{names:?}");
    for name in names {
        let text = fs::read_to_string(folder.join("oracle").join(&name)).unwrap();
        let expected: Value = serde_json::from_str(&text).unwrap();
        let name = name.trim_end_matches(".json");
        let files = files(folder, name);
        for (location, expected) in expected["locations"].as_object().unwrap() {
            let found = of_location(&files, location.parse().unwrap());
            same(&found, expected, &format!("{name}, location {location}"));
        }
    }
}

/// By their paths from the folder that the anchor lies in.
fn files(folder: &Path, name: &str) -> BTreeMap<String, Vec<u8>> {
    let bare = [folder.join(name), folder.join("made").join(name)];
    let mut files = BTreeMap::new();
    if let Some(bare) = bare.iter().find(|path| path.is_dir()) {
        for inner in ["", "traces", "eztrace_log"] {
            for entry in fs::read_dir(bare.join(inner)).into_iter().flatten() {
                let path = entry.unwrap().path();
                if path.is_file() {
                    let own = path.strip_prefix(bare).unwrap().to_string_lossy().into_owned();
                    files.insert(own, fs::read(path).unwrap());
                }
            }
        }
        return files;
    }
    let packed = fs::File::open(folder.join("made").join(format!("{name}.tar.gz"))).unwrap();
    for entry in tar::Archive::new(GzDecoder::new(packed)).entries().unwrap() {
        let mut entry = entry.unwrap();
        let path = entry.path().unwrap().to_string_lossy().into_owned();
        let mut bytes = vec![];
        entry.read_to_end(&mut bytes).unwrap();
        let own = path.split_once('/').map_or("", |(_, own)| own);
        files.insert(own.to_owned(), bytes);
    }
    files
}

fn kind(id: u8) -> String {
    const KINDS: [(u8, &str); 22] = [
        (10, "BUFFER_FLUSH"),
        (11, "MEASUREMENT_ON_OFF"),
        (12, "ENTER"),
        (13, "LEAVE"),
        (14, "MPI_SEND"),
        (15, "MPI_ISEND"),
        (16, "MPI_ISEND_COMPLETE"),
        (17, "MPI_IRECV_REQUEST"),
        (18, "MPI_RECV"),
        (19, "MPI_IRECV"),
        (22, "MPI_COLLECTIVE_BEGIN"),
        (23, "MPI_COLLECTIVE_END"),
        (31, "METRIC"),
        (53, "THREAD_FORK"),
        (54, "THREAD_JOIN"),
        (63, "THREAD_BEGIN"),
        (65, "THREAD_END"),
        (66, "CALLING_CONTEXT_ENTER"),
        (67, "CALLING_CONTEXT_LEAVE"),
        (68, "CALLING_CONTEXT_SAMPLE"),
        (83, "PROGRAM_BEGIN"),
        (84, "PROGRAM_END"),
    ];
    let known = KINDS.iter().find(|(known, _)| *known == id);
    known.map_or_else(|| id.to_string(), |(_, name)| (*name).to_owned())
}

fn of_location(files: &BTreeMap<String, Vec<u8>>, location: u64) -> Value {
    let name = files.keys().find(|name| name.ends_with(".otf2")).unwrap();
    let stem = name.trim_end_matches(".otf2");
    let anchor = Anchor::read(name, &files[name]).unwrap();
    let chunk_bytes = anchor.definition_chunk_bytes;
    let mut definitions = Definitions::default();
    for chunk in files[&format!("{stem}.def")].chunks(chunk_bytes) {
        definitions.chunk(chunk, chunk_bytes).unwrap();
    }
    definitions.finish();
    let mut local = Local::default();
    for chunk in
        files.get(&format!("{stem}/{location}.def")).iter().flat_map(|of| of.chunks(chunk_bytes))
    {
        local.chunk(chunk, chunk_bytes).unwrap();
    }
    let mut clock = Clock::new(definitions.clock, &local.offsets);
    let string = |number: u32| definitions.strings.get(number).unwrap();
    let region = |region: u64| string(definitions.regions.get(region).unwrap().name);
    let (mut counts, mut enters) = (BTreeMap::new(), BTreeMap::new());
    let mut metrics: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let (mut first, mut last, mut attributes) = (None, 0, 0);
    for chunk in files[&format!("{stem}/{location}.evt")].chunks(anchor.chunk_bytes) {
        let mut records = Records::new(chunk, anchor.chunk_bytes, ChunkOf::Events).unwrap();
        while let Ok(mut record) = records.next_record().unwrap() {
            last = clock.corrected(record.ticks);
            first.get_or_insert(last);
            attributes += u64::from(record.has_attributes);
            *counts.entry(kind(record.id)).or_insert(0u64) += 1;
            let entered = match record.id {
                12 => Some(region(local.regions.of(record.body.number_32().unwrap()))),
                66..=68 => {
                    let context = local.contexts.of(record.body.number_32().unwrap());
                    let of = definitions.contexts.get(context).unwrap().region;
                    Some(format!("context {}", region(u64::from(of))))
                }
                _ => None,
            };
            if let Some(name) = entered {
                *enters.entry(name).or_insert(0u64) += 1;
            }
            if record.id == 31 {
                let metric = local.metrics.of(record.body.number_32().unwrap());
                let of_instance = definitions.instances.get(metric).map(|of| u64::from(of.class));
                let class = definitions.classes.get(of_instance.unwrap_or(metric)).unwrap();
                for member in class.members.iter().take(usize::from(record.body.byte().unwrap())) {
                    let of_type = record.body.byte().unwrap();
                    let bits = record.body.number_64().unwrap();
                    let value = match of_type {
                        10 => f64::from_bits(bits),
                        7 | 8 => bits as i64 as f64,
                        _ => bits as f64,
                    };
                    let member = definitions.members.get(u64::from(*member)).unwrap();
                    metrics.entry(string(member.name)).or_default().push(value);
                }
            }
        }
    }
    let metrics = metrics.into_iter().map(|(name, values)| {
        let sum = values.iter().sum::<f64>();
        let of =
            json!({ "n": values.len(), "sum": sum, "first": values[0], "last": values.last() });
        (name, of)
    });
    json!({
        "events": counts.values().sum::<u64>(),
        "attributes": attributes,
        "counts": counts,
        "first": first,
        "last": last,
        "metrics": metrics.collect::<serde_json::Map<_, _>>(),
        "enters": enters,
    })
}

/// The printer writes six digits of a float.
fn same(found: &Value, expected: &Value, what: &str) {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            for (key, expected) in expected {
                let found = found.get(key).unwrap_or_else(|| panic!("{what}: no {key}"));
                same(found, expected, &format!("{what}, {key}"));
            }
            let known = |key: &&String| expected.contains_key(key.as_str());
            let of_parts = found.values().all(|value| !value.is_object());
            assert!(!of_parts || found.keys().all(|key| known(&key)), "{what}: {found:?}");
        }
        (Value::Number(found), Value::Number(expected)) => {
            let is_float = expected.is_f64();
            let [found, expected] = [found, expected].map(|number| number.as_f64().unwrap());
            let most = if is_float { 1e-5 * expected.abs() } else { 0.0 };
            assert!((found - expected).abs() <= most, "{what}: {found} for {expected}");
        }
        _ => assert_eq!(found, expected, "{what}"),
    }
}
