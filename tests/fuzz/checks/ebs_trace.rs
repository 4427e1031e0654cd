//! What TAU sampled of a thread: the same trace however the file is cut.

use tracefold::ebs_trace::{self, EbsReader, Thread};
use tracefold::text::ParseError;
use tracefold::trace::{Builder, Object, Trace};

use super::{alike, assert_sound, lines};

/// Names of timers and modules stand in lines that begin so, as files beside have them.
pub fn check(bytes: &[u8]) {
    let once = read(bytes, usize::MAX);
    if let Some(trace) = alike(once, read(bytes, 1 + bytes.len() % 61)) {
        assert_sound(&trace);
    }
}

fn read(bytes: &[u8], piece: usize) -> Result<Trace, ParseError> {
    let mut trace = Builder::new("a", ebs_trace::meaning);
    let mut thread = Thread::new("a");
    lines(bytes, piece, |at, line, _| match line.split_first() {
        Some((b'd', rest)) => {
            thread.definition(rest);
            Ok(())
        }
        Some((b'm', rest)) => {
            thread.module(rest);
            Ok(())
        }
        _ => thread.line(at, line),
    })?;
    let mut reader = EbsReader::new("a");
    reader.add(Object { application: 1, task: 1, thread: 1 }, thread, &mut trace);
    reader.finish(&mut trace)?;
    Ok(trace.finish())
}
