//! Names of objects: any bytes beside a trace leave its events alone.

use tracefold::paraver::{self, RowReader};
use tracefold::trace::Builder;

use super::{MINI_PRV, alike, assert_same_events, lines, read_records};

pub fn check(bytes: &[u8]) {
    let named = |names: &[u8], piece| {
        let (mut trace, mut reader) = (Builder::new("a.prv", paraver::meaning), RowReader);
        let read = lines(names, piece, |_, line, _| {
            reader.line(line, &mut trace);
            Ok(())
        });
        read.expect("names cannot be wrong");
        read_records(MINI_PRV, usize::MAX, trace)
    };
    let trace = alike(named(bytes, usize::MAX), named(bytes, 1 + bytes.len() % 61));
    let bare = named(b"", 1).expect("the trace itself is sound");
    assert_same_events(&trace.expect("names cannot be wrong"), &bare);
}
