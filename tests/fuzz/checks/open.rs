//! Any bytes under any name, as dropped on the page: read or refused with words, and the same
//! however the file is cut.

use super::{alike, assert_sound, opened, piece_and_rest};

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
    let (piece, rest) = piece_and_rest(rest);
    let name = NAMES[usize::from(*name) % NAMES.len()];
    let read = |piece| opened(&[(name, rest)], piece);
    if let Some(trace) = alike(read(usize::MAX), read(piece)) {
        assert_sound(&trace);
    }
}
