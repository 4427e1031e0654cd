//! The seeds of the fuzz targets, replayed: what held for them once holds still. An input that
//! broke something becomes a seed when that is repaired.

use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fuzz")
}

/// Names of what lies in `folder`.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    let mut names = entries.map(|entry| name(entry.unwrap())).collect::<Vec<_>>();
    names.sort();
    names
}

#[test]
fn every_seed_holds_whole_and_cut_anywhere() {
    for (target, check) in crate::checks::ALL {
        let seeds = folder().join("seeds").join(target);
        for name in names(&seeds) {
            let bytes = fs::read(seeds.join(&name)).unwrap();
            let step = 1 + bytes.len() / 200;
            for end in (0..bytes.len()).step_by(step).chain([bytes.len()]) {
                let held = std::panic::catch_unwind(|| check(&bytes[..end]));
                assert!(held.is_ok(), "{target}/{name}, its first {end} bytes");
            }
        }
    }
}

#[test]
fn every_check_has_a_target_and_seeds() {
    let checks = crate::checks::ALL.map(|(name, _)| name.to_owned());
    let targets = names(&folder().join("targets"));
    assert_eq!(targets, checks.each_ref().map(|name| format!("{name}.rs")));
    assert_eq!(names(&folder().join("seeds")), checks);
    let manifest = fs::read_to_string(folder().join("Cargo.toml")).unwrap();
    for name in &checks {
        assert!(manifest.contains(&format!("name = \"{name}\"\npath = \"targets/{name}.rs\"")));
    }
}
