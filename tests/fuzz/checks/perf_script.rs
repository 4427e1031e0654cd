//! Text of `perf script`: the same trace however the file is cut, and merged with itself.

use tracefold::merge;
use tracefold::perf_script::{self, PerfReader};
use tracefold::text::ParseError;
use tracefold::trace::{Builder, Trace};

use super::{alike, assert_sound, lines};

pub fn check(bytes: &[u8]) {
    let once = read(bytes, usize::MAX, PerfReader::new);
    if let Some(mut trace) = alike(once, read(bytes, 1 + bytes.len() % 61, PerfReader::new)) {
        assert_sound(&trace);
        if let Ok(mut recording) = read(bytes, usize::MAX, PerfReader::beside) {
            merge::merge(&mut trace, &recording);
            assert_sound(&trace);
            // As of another machine: by its markers.
            recording.start_on_clock_ns = None;
            merge::merge(&mut trace, &recording);
            assert_sound(&trace);
        }
    }
}

fn read(bytes: &[u8], piece: usize, new: fn(&str) -> PerfReader) -> Result<Trace, ParseError> {
    let (mut trace, mut reader) = (Builder::new("a.perf", perf_script::meaning), new("a.perf"));
    lines(bytes, piece, |at, line, last| match last {
        false => reader.line(at, line, &mut trace),
        true => reader.cut_line(at, line, &mut trace),
    })?;
    reader.finish(&mut trace)?;
    Ok(trace.finish())
}
