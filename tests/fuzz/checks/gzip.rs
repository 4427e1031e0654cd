//! Inflating: any bytes give the same however they are cut; what was packed comes back, however it
//! was cut into members.

use std::io::{BufReader, Read, Write};

use flate2::{Compression, write::GzEncoder};
use tracefold::input::{Damage, Inflate};

use super::piece_and_rest;

/// More than any input of the fuzzer can unpack to by accident.
const MOST_BYTES: u64 = 16 << 20;

pub fn check(bytes: &[u8]) {
    let (piece, rest) = piece_and_rest(bytes);
    assert_eq!(inflated(rest, rest.len().max(1), 1 << 16), inflated(rest, piece, piece));
    let packed = in_members(rest, piece);
    assert_eq!(inflated(&packed, 1 + packed.len() / 3, 4096), (rest.to_vec(), None));
}

/// The bytes that come out, and the damage; taken in pieces of `taken`, given in pieces of `given`.
fn inflated(bytes: &[u8], taken: usize, given: usize) -> (Vec<u8>, Option<Damage>) {
    let mut inflate = Inflate::new(BufReader::with_capacity(taken, bytes)).expect("memory is read");
    let mut text = Vec::new();
    let mut slice = vec![0; given];
    let mut damage = None;
    while (text.len() as u64) < MOST_BYTES {
        match inflate.read(&mut slice) {
            Ok(0) => break,
            Ok(count) => text.extend_from_slice(&slice[..count]),
            Err(error) => {
                damage = Some(Damage::in_error(&error).expect("memory is read"));
                break;
            }
        }
    }
    text.truncate(MOST_BYTES as usize);
    (text, damage)
}

/// Members of growing length, with zeros after some; nothing at all is one empty member.
fn in_members(text: &[u8], first: usize) -> Vec<u8> {
    let mut packed = Vec::new();
    let (mut rest, mut length) = (text, first);
    loop {
        let (now, later) = rest.split_at(length.min(rest.len()));
        let mut encoder = GzEncoder::new(packed, Compression::fast());
        encoder.write_all(now).expect("memory takes every byte");
        packed = encoder.finish().expect("memory takes every byte");
        packed.resize(packed.len() + length % 3 * 5, 0);
        (rest, length) = (later, length * 2);
        if rest.is_empty() {
            return packed;
        }
    }
}
