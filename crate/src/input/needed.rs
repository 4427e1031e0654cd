//! Which readers files take, told by their first bytes: the page loads some of them only then.

use std::sync::Arc;

use super::damage::Packing;
use super::inflate::packing;
use super::member::{Member, Way};
use super::sniff::{FileKind, is_otf2_part, sniff};
use super::source::NamedFile;
use super::{tar_archive, zip_archive};

/// Readers beside those of Paraver traces, plain or in gzip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needed {
    /// Of other traces, of archives and of bzip2.
    pub formats: bool,
    /// Of timelines that were saved as text.
    pub timelines: bool,
}

/// What reads these files. An archive may hold anything, and so may a file that only bzip2 tells.
pub fn needed(files: &[NamedFile<'_>]) -> Needed {
    let mut all = Needed::default();
    for file in files {
        let Needed { formats, timelines } = of_file(file);
        all = Needed { formats: all.formats || formats, timelines: all.timelines || timelines };
        if all.formats && all.timelines {
            break;
        }
    }
    all
}

fn of_file(file: &NamedFile<'_>) -> Needed {
    if is_otf2_part(&file.name) {
        return Needed::default();
    }
    let mut magic = [0; 10];
    // What cannot be read says so when it is.
    let _ = file.source.read_at(0, &mut magic);
    if zip_archive::is_zip(&magic) || packing(&magic) == Some(Packing::Bzip2) {
        return Needed { formats: true, timelines: true };
    }
    let size = file.source.size();
    let head = Member::new(file.name.clone(), size, Arc::clone(&file.source), Way::Bare).look();
    if tar_archive::is_tar(&head) {
        return Needed { formats: true, timelines: true };
    }
    let kind = sniff(file.name.rsplit('/').next().unwrap_or_default(), &head);
    Needed {
        formats: matches!(
            kind,
            FileKind::Extract
                | FileKind::FoldRecord
                | FileKind::EbsTrace
                | FileKind::PerfScript
                | FileKind::Otf2
                | FileKind::Part
        ),
        timelines: kind == FileKind::Semantic,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use bzip2::write::BzEncoder;
    use flate2::{Compression, write::GzEncoder};

    use super::*;

    fn of(name: &str, bytes: Vec<u8>) -> [bool; 2] {
        let Needed { formats, timelines } = needed(&[NamedFile::new(name, bytes)]);
        [formats, timelines]
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn first_bytes_tell_what_reads_a_file_whatever_its_name_is() {
        let prv = b"#Paraver (01/01/2026 at 00:00):1:1(1):1:1(1:1)\n".to_vec();
        let perf = b"app 7 1.000001: cycles:\n".to_vec();
        let timeline = b"1.2.1 4310 82 A\n".to_vec();
        let mut tar = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_size(prv.len() as u64);
        header.set_cksum();
        tar.append_data(&mut header, "a.prv", prv.as_slice()).unwrap();
        let tar = tar.into_inner().unwrap();
        let mut bzip2 = BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        bzip2.write_all(&prv).unwrap();
        let bzip2 = bzip2.finish().unwrap();
        let zip = b"PK\x03\x04 and so on".to_vec();
        for (name, bytes, expected) in [
            ("a.prv", prv.clone(), [false, false]),
            ("a.txt", gzip(&prv), [false, false]),
            ("a.prv", perf.clone(), [true, false]),
            ("a.prv.gz", gzip(&perf), [true, false]),
            ("run/a.extract", b"I 1 1 1".to_vec(), [true, false]),
            ("a.txt", timeline.clone(), [false, true]),
            ("a.csv.gz", gzip(&timeline), [false, true]),
            ("a.prv", bzip2, [true, true]),
            ("a.prv.gz", gzip(&tar), [true, true]),
            ("a.prv", tar, [true, true]),
            ("a.prv", zip, [true, true]),
            ("a.prv", vec![], [false, false]),
            ("traces.otf2", b"\x03BOTF2\0".to_vec(), [true, false]),
            ("traces/0.evt", prv.clone(), [false, false]),
        ] {
            assert_eq!(of(name, bytes), expected, "{name}");
        }
        let files = [NamedFile::new("a", perf), NamedFile::new("b", timeline)];
        assert_eq!(needed(&files), Needed { formats: true, timelines: true });
    }
}
