//! What the search for bytes that break parts begins with.

use std::path::Path;
use std::{env, fs};

use tracefold::accumulate::{By, merge, thin};
use tracefold::partial::{End, Partial};
use tracefold::settings::Settings;
use tracefold::trace::Only;

use super::adding::part;
use super::{mini, of_mini};

/// Of the smallest trace: its name, and what is written of it but for the sum.
fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let kernel = "User function:kernel";
    let of = |region: &str, by| part(&mini(), region, by, [1, 1], &Only::default()).unwrap();
    let missing = [1, 3].map(|number| (number.to_string(), of_mini(number, 3)));
    let mut settings = Settings::default();
    settings.set("samples", "2").unwrap();
    let mut thinned = of_mini(1, 1);
    let kept = thinned.pieces[0].trace.reduced.as_mut().unwrap();
    kept.level = 2;
    let parts = [
        ("any", of("User function:*", By::Bytes)),
        ("bytes", of_mini(1, 2)),
        ("growing", Partial { end: End::Growing, ..of_mini(1, 1) }),
        ("full", Partial { end: End::Full(1 << 20), ..of_mini(1, 1) }),
        ("missing", merge(missing.into()).unwrap()),
        ("summed", thin(of_mini(1, 1), &settings).unwrap()),
        ("tasks", of(kernel, By::Tasks)),
        ("thinned", thinned),
        ("whole", of_mini(1, 1)),
    ];
    parts
        .map(|(name, part)| (name, part.write().split_last_chunk::<4>().unwrap().0.to_vec()))
        .into()
}

/// Those of another version would all be refused, and nothing be looked for.
#[test]
fn seeds_are_parts_of_this_version() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fuzz/seeds/part");
    for (name, bytes) in seeds() {
        let file = folder.join(name);
        if env::var_os("TRACEFOLD_WRITE_SEEDS").is_some() {
            fs::write(&file, &bytes).unwrap();
        }
        let there = fs::read(&file).unwrap();
        assert!(
            there == bytes,
            "{name}: the format has changed; TRACEFOLD_WRITE_SEEDS=1 writes the seeds anew"
        );
    }
}
