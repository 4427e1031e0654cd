//! Packing: a trace comes out of every wrapping as it went in.

use std::io::Write;

use bzip2::write::BzEncoder;
use flate2::{Compression, Crc, write::GzEncoder};
use tracefold::text::ParseError;
use tracefold::trace::Trace;

use super::prv::HEADER;
use super::{assert_same_events, opened};

/// Lines of a `.prv`, wrapped in every way that we read.
pub fn check(bytes: &[u8]) {
    let prv = [HEADER, bytes].concat();
    let bare = opened(&[("a.prv", &prv)]);
    let tar = tar(&prv);
    for (name, packed) in [
        ("a.prv.gz", gzip(&prv)),
        ("a.prv.bz2", bzip2(&prv)),
        ("a.zip", zip(&prv)),
        ("a.tar.gz", gzip(&tar)),
        ("a.tar.bz2", bzip2(&tar)),
        ("a.tar", tar),
    ] {
        assert_alike(&bare, &opened(&[(name, &packed)]), name);
    }
}

fn assert_alike(bare: &Result<Trace, ParseError>, packed: &Result<Trace, ParseError>, name: &str) {
    match (bare, packed) {
        (Ok(bare), Ok(packed)) => assert_same_events(bare, packed),
        // The names differ, the reason does not.
        (Err(bare), Err(packed)) => assert_eq!(
            (bare.line, bare.column, &bare.expected),
            (packed.line, packed.column, &packed.expected)
        ),
        (bare, packed) => panic!("{name}: {:?} {:?}", bare.as_ref().err(), packed.as_ref().err()),
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes every byte")
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes every byte")
}

fn tar(bytes: &[u8]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(bytes.len() as u64);
    header.set_mode(0o644);
    archive.append_data(&mut header, "t/a.prv", bytes).expect("memory takes every byte");
    archive.into_inner().expect("memory takes every byte")
}

/// One file, stored, as the format's description has it.
fn zip(bytes: &[u8]) -> Vec<u8> {
    let mut sum = Crc::new();
    sum.update(bytes);
    let (name, length) = (b"t/a.prv", bytes.len() as u32);
    let mut described = vec![20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0];
    for number in [sum.sum(), length, length, name.len() as u32] {
        described.extend(number.to_le_bytes());
    }
    let local = [b"PK\x03\x04", described.as_slice(), name, bytes].concat();
    let directory = [b"PK\x01\x02\x14\0", described.as_slice(), &[0; 14], name.as_slice()].concat();
    let mut archive = [local.as_slice(), &directory].concat();
    archive.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    archive.extend((directory.len() as u32).to_le_bytes());
    archive.extend((local.len() as u32).to_le_bytes());
    archive.extend([0, 0]);
    archive
}
