//! What must hold for any bytes, one module per reader. The fuzz targets search for bytes that
//! break it; `tests/seeds.rs` replays the seeds, among them every input that once did.
#![allow(dead_code)]

pub mod extract;
pub mod fold;
pub mod folding;
pub mod gzip;
pub mod json;
pub mod link;
pub mod open;
pub mod pcf;
pub mod prv;
pub mod row;
pub mod settings;

use std::io::Read;

use tracefold::input::NamedFile;
use tracefold::paraver::{self, PcfReader, PrvReader};
use tracefold::text::{LineBuffer, LineTooLong, ParseError};
use tracefold::trace::{Builder, Trace};

/// Two instances of function 3 with samples: what the readers of labels are given to label.
pub const MINI_PRV: &[u8] = include_bytes!("../seeds/prv/mini.prv");

/// Fails for bytes that break a promise.
type Check = fn(&[u8]);

/// Every target: its name, as that of its folder of seeds, and what it checks.
pub const ALL: [(&str, Check); 11] = [
    ("extract", extract::check),
    ("fold", fold::check),
    ("folding", folding::check),
    ("gzip", gzip::check),
    ("json", json::check),
    ("link", link::check),
    ("open", open::check),
    ("pcf", pcf::check),
    ("prv", prv::check),
    ("row", row::check),
    ("settings", settings::check),
];

/// A file as the page and the command line hand it over.
fn named(name: &str, bytes: &[u8], piece: usize) -> NamedFile<'static> {
    let size = bytes.len() as u64;
    let bytes = Pieces { rest: std::io::Cursor::new(bytes.to_vec()), piece };
    NamedFile { name: name.to_owned(), size, bytes: Box::new(bytes) }
}

/// Hands out its bytes a few at a time.
struct Pieces {
    rest: std::io::Cursor<Vec<u8>>,
    piece: usize,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.piece.min(buffer.len());
        self.rest.read(&mut buffer[..count])
    }
}

/// Reads files of one trace, in pieces of at most `piece` bytes.
pub fn opened(files: &[(&str, &[u8])], piece: usize) -> Result<Trace, ParseError> {
    let files = files.iter().map(|(name, bytes)| named(name, bytes, piece)).collect();
    tracefold::open::open(files, &mut |_| {})
}

/// The lines of a `.prv`, `.extract` or of labels, without the buffers of whole files: some thirty
/// times as fast as [`opened`].
pub fn lines(
    bytes: &[u8],
    piece: usize,
    mut take: impl FnMut(u64, &[u8], bool) -> Result<(), ParseError>,
) -> Result<(), ParseError> {
    let mut lines = LineBuffer::default();
    for piece in bytes.chunks(piece) {
        let pushed = lines.push(piece, |at, line| take(at, line, false).map_err(Stop::Wrong));
        match pushed {
            Ok(()) => {}
            Err(Stop::Wrong(error)) => return Err(error),
            Err(Stop::TooLong) => return Err(ParseError::of_file("a", "a long line", "lines")),
        }
    }
    lines.finish(|at, line| take(at, line, true)).map(|_| ())
}

enum Stop {
    Wrong(ParseError),
    TooLong,
}

impl From<LineTooLong> for Stop {
    fn from(_: LineTooLong) -> Self {
        Self::TooLong
    }
}

/// The lines of a `.pcf` into a trace.
pub fn read_labels(bytes: &[u8], piece: usize, trace: &mut Builder) {
    let mut reader = PcfReader::default();
    let read = lines(bytes, piece, |_, line, _| {
        reader.line(line, trace);
        Ok(())
    });
    read.expect("labels cannot be wrong");
    reader.finish(trace);
}

/// The records of a `.prv` into a trace.
pub fn read_records(bytes: &[u8], piece: usize, mut trace: Builder) -> Result<Trace, ParseError> {
    let mut reader = PrvReader::new("a.prv");
    lines(bytes, piece, |at, line, last| match last {
        false => reader.line(at, line, &mut trace),
        true => reader.cut_line(at, line, &mut trace),
    })?;
    reader.finish(&mut trace)?;
    Ok(trace.finish(paraver::meaning))
}

/// What both came to, which must be the same.
pub fn alike(a: Result<Trace, ParseError>, b: Result<Trace, ParseError>) -> Option<Trace> {
    match (a, b) {
        (Ok(a), Ok(b)) => {
            assert_same(&a, &b);
            Some(a)
        }
        (Err(a), Err(b)) => {
            assert_eq!(format!("{a:#}"), format!("{b:#}"));
            None
        }
        (a, b) => panic!("one: {:?}, the other: {:?}", a.err(), b.err()),
    }
}

/// Fails unless both say the same, but for the size of their files.
pub fn assert_same(a: &Trace, b: &Trace) {
    assert_eq!((a.duration_ns, a.cut, a.generated), (b.duration_ns, b.cut, b.generated));
    assert_eq!(a.types, b.types);
    assert!(a.notices.iter().eq(b.notices.iter()), "{:?} {:?}", a.notices, b.notices);
    assert_same_events(a, b);
}

/// Fails unless both have the same events with the same names.
pub fn assert_same_events(a: &Trace, b: &Trace) {
    assert_eq!(a.types.len(), b.types.len());
    assert_eq!(a.threads.len(), b.threads.len());
    for (one, other) in a.threads.iter().zip(&b.threads) {
        assert_eq!((one.object, one.times()), (other.object, other.times()));
        for (left, right) in one.moments().zip(other.moments()) {
            assert!(left.events().eq(right.events()), "{} at {}", one.object, left.time);
            for event in left.events() {
                let name = |trace: &Trace| trace.value_name(event.event_type, event.value);
                assert_eq!(name(a), name(b));
            }
        }
    }
}

/// Fails unless the moments of each thread are in order and every event has a type.
pub fn assert_sound(trace: &Trace) {
    for thread in &trace.threads {
        assert!(thread.times().is_sorted_by(|a, b| a < b), "{} goes back", thread.object);
        assert!(thread.times().last().is_none_or(|last| *last <= trace.duration_ns));
        let types = thread.moments().flat_map(|moment| moment.events());
        assert!(types.into_iter().all(|event| (event.event_type as usize) < trace.types.len()));
    }
}

/// The first byte as a number of bytes from 1, and the rest.
pub fn piece_and_rest(bytes: &[u8]) -> (usize, &[u8]) {
    bytes.split_first().map_or((1, bytes), |(first, rest)| (usize::from(*first) % 64 + 1, rest))
}
