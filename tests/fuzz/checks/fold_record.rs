//! Records of instances and their samples: the same trace however the file is cut.

use tracefold::fold_record::{self, RecordReader};
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
    let (mut trace, mut reader) = (Builder::new("a", fold_record::meaning), RecordReader::new("a"));
    lines(bytes, piece, |at, line, _| reader.line(at, line, &mut trace))?;
    reader.finish(&mut trace)?;
    Ok(trace.finish())
}
