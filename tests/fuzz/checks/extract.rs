//! Instances from BSC Folding: the same trace however the file is cut.

use tracefold::extract_file::{self, ExtractReader};
use tracefold::text::ParseError;
use tracefold::trace::{Builder, Trace};

use super::{alike, assert_sound, lines};

pub fn check(bytes: &[u8]) {
    let once = read(bytes, usize::MAX);
    if let Some(trace) = alike(once, read(bytes, 1 + bytes.len() % 61)) {
        assert_sound(&trace);
    }
}

fn read(bytes: &[u8], piece: usize) -> Result<Trace, ParseError> {
    let (mut trace, mut reader) =
        (Builder::new("a.extract", extract_file::meaning), ExtractReader::new("a.extract"));
    lines(bytes, piece, |at, line, _| reader.line(at, line, &mut trace))?;
    reader.finish(&mut trace)?;
    Ok(trace.finish())
}
