//! What must hold for any bytes, one module per reader. The fuzz targets search for bytes that
//! break it; `tests/seeds.rs` replays the seeds, among them every input that once did.
#![allow(dead_code)]

pub mod archive;
pub mod ebs_trace;
pub mod extract;
pub mod fold;
pub mod fold_record;
pub mod folding;
pub mod gzip;
pub mod json;
pub mod link;
pub mod model;
pub mod open;
pub mod otf2;
pub mod part;
pub mod pcf;
pub mod perf_script;
pub mod prv;
pub mod row;
pub mod semantic;
pub mod settings;
pub mod tau;
pub mod written;

use tracefold::input::NamedFile;
use tracefold::paraver::{PcfReader, PrvReader};
use tracefold::text::{LineBuffer, LineTooLong, ParseError, WholeLines, Words, WordsRead};
use tracefold::trace::{Builder, Trace};

/// Two instances of function 3 with samples: what the readers of labels are given to label.
pub const MINI_PRV: &[u8] = include_bytes!("../seeds/prv/mini.prv");

/// Fails for bytes that break a promise.
type Check = fn(&[u8]);

/// Every target: its name, as that of its folder of seeds, and what it checks.
pub const ALL: [(&str, Check); 22] = [
    ("archive", archive::check),
    ("ebs_trace", ebs_trace::check),
    ("extract", extract::check),
    ("fold", fold::check),
    ("fold_record", fold_record::check),
    ("folding", folding::check),
    ("gzip", gzip::check),
    ("json", json::check),
    ("link", link::check),
    ("model", model::check),
    ("open", open::check),
    ("otf2", otf2::check),
    ("part", part::check),
    ("pcf", pcf::check),
    ("perf_script", perf_script::check),
    ("prv", prv::check),
    ("row", row::check),
    ("semantic", semantic::check),
    ("settings", settings::check),
    ("tau_packed", tau::packed),
    ("tau_text", tau::text),
    ("tau_xml", tau::xml),
];

/// Reads files of one trace.
pub fn opened(files: &[(&str, &[u8])]) -> Result<Trace, ParseError> {
    let file = |(name, bytes): &(&str, &[u8])| NamedFile::new(*name, bytes.to_vec());
    tracefold::open::open(files.iter().map(file).collect(), &mut |_| {})
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
        stopped(lines.push(piece, |at, line| take(at, line, false).map_err(Stop::Wrong)))?;
    }
    lines.finish(|at, line| take(at, line, true)).map(|_| ())
}

fn stopped(pushed: Result<(), Stop>) -> Result<(), ParseError> {
    pushed.map_err(|stop| match stop {
        Stop::Wrong(error) => error,
        Stop::TooLong => ParseError::of_file("a", "a long line", "lines"),
    })
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

/// The records of a `.prv` into a trace, in pieces of at most so many bytes.
pub fn read_records(bytes: &[u8], piece: usize, mut trace: Builder) -> Result<Trace, ParseError> {
    let mut reader = PrvReader::new("a.prv");
    let mut lines = WholeLines::default();
    for piece in bytes.chunks(piece) {
        let pushed = lines.push(piece, |text| reader.lines(text, &mut trace).map_err(Stop::Wrong));
        stopped(pushed)?;
    }
    if let Some(last) = lines.finish() {
        reader.cut_line(&last, &mut trace)?;
    }
    reader.finish(&mut trace)?;
    Ok(trace.finish())
}

/// The same in parts of so many lines, each read apart and joined to those before it; the first
/// lines are read by one reader until it knows the header.
///
/// Every second part goes as words from one worker to another.
pub fn join_records(bytes: &[u8], each: usize, mut trace: Builder) -> Result<Trace, ParseError> {
    let mut reader = PrvReader::new("a.prv");
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').collect::<Vec<_>>();
    let headed =
        lines.iter().position(|line| line.starts_with(b"#")).map_or(lines.len(), |at| at + 1);
    let (head, records) = lines.split_at(headed);
    read_lines(&mut reader, &head.concat(), &mut trace)?;
    for (index, lines) in records.chunks(each).enumerate() {
        let text = lines.concat();
        let Some(mut part) = reader.part() else {
            read_lines(&mut reader, &text, &mut trace)?;
            continue;
        };
        let mut of_part = trace.part();
        read_lines(&mut part, &text, &mut of_part)?;
        if index % 2 == 1 {
            (part, of_part) = sent(part, of_part, &reader, &trace);
        }
        reader.join(part, &mut trace, of_part)?;
    }
    reader.finish(&mut trace)?;
    Ok(trace.finish())
}

/// Whole lines, and perhaps a last one that is cut.
fn read_lines(reader: &mut PrvReader, text: &[u8], trace: &mut Builder) -> Result<(), ParseError> {
    let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let (whole, cut) = text.split_at(whole);
    reader.lines(whole, trace)?;
    if cut.is_empty() { Ok(()) } else { reader.cut_line(cut, trace) }
}

/// What arrives of a part when it is sent as words.
fn sent(
    part: PrvReader,
    of_part: Builder,
    reader: &PrvReader,
    trace: &Builder,
) -> (PrvReader, Builder) {
    let mut words = Words::default();
    part.write(&mut words);
    of_part.write(&mut words);
    let mut words = WordsRead(&words.0);
    let read = reader.read_part(&mut words).zip(trace.read_part(&mut words));
    read.expect("what was written is read")
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
    assert_eq!((&a.types, &a.partial), (&b.types, &b.partial));
    assert!(a.notices.iter().eq(b.notices.iter()), "{:?} {:?}", a.notices, b.notices);
    assert_same_events(a, b);
}

/// Fails unless both have the same events with the same names.
pub fn assert_same_events(a: &Trace, b: &Trace) {
    assert_eq!(a.types.len(), b.types.len());
    assert_eq!(a.threads.len(), b.threads.len());
    for (one, other) in a.threads.iter().zip(&b.threads) {
        assert_eq!((one.object, one.len()), (other.object, other.len()));
        assert_eq!((one.span_ns(), one.ends_in_zeros()), (other.span_ns(), other.ends_in_zeros()));
        for (left, right) in one.moments().zip(other.moments()) {
            assert_eq!(left.time, right.time);
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
        let times = thread.moments().map(|moment| moment.time).collect::<Vec<_>>();
        assert!(times.is_sorted_by(|a, b| a < b), "{} goes back", thread.object);
        assert!(times.last().is_none_or(|last| *last <= trace.duration_ns));
        let types = thread.moments().flat_map(|moment| moment.events());
        assert!(types.into_iter().all(|event| (event.event_type as usize) < trace.types.len()));
    }
}

/// The first byte as a number of bytes from 1, and the rest.
pub fn piece_and_rest(bytes: &[u8]) -> (usize, &[u8]) {
    bytes.split_first().map_or((1, bytes), |(first, rest)| (usize::from(*first) % 64 + 1, rest))
}
