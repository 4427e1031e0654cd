//! Any bytes under any name, as dropped on the page: read or refused with words.

use tracefold::hybrid::{self, Choices};

use super::{assert_sound, opened};

/// What the first byte chooses; the seeds rely on the order, so new names go to the end.
const NAMES: [&str; 12] = [
    "a",
    "a.prv",
    "a.prv.gz",
    "a.pcf",
    "a.row",
    "a.extract",
    "a.zip",
    "a.tar",
    "a.tar.gz",
    "a.tar.bz2",
    "a.txt",
    "a.perf",
];

pub fn check(bytes: &[u8]) {
    let Some((name, rest)) = bytes.split_first() else { return };
    // One byte more stands before the file in all seeds.
    let rest = rest.get(1..).unwrap_or_default();
    let name = NAMES[usize::from(*name) % NAMES.len()];
    if let Ok(trace) = opened(&[(name, rest)]) {
        assert_sound(&trace);
        let profile = hybrid::profile(&trace, Choices::default()).summarised();
        for columns in profile.threads.iter().map(|thread| &thread.columns) {
            for column in columns.exclusive.iter().chain(&columns.inclusive) {
                assert!(column.len() == columns.len() && column.iter().all(|of| of.is_finite()));
            }
        }
    }
}
