//! Records of Paraver: the same trace however the file is cut, read as one or in parts, and however
//! its lines end.

use tracefold::paraver;
use tracefold::trace::Builder;

use super::{alike, assert_sound, join_records, read_records};

/// For records that come without one: two tasks of two threads and of one.
pub const HEADER: &[u8] = b"#Paraver (01/02/2025 at 10:00):4000000_ns:1(2):2:1(2:1),1(1:1)\n";

/// Bytes that do not begin with a header get one: the records are what can go wrong.
pub fn check(bytes: &[u8]) {
    let whole = if bytes.starts_with(b"#") { bytes.to_vec() } else { [HEADER, bytes].concat() };
    let read =
        |bytes: &[u8], piece| read_records(bytes, piece, Builder::new("a.prv", paraver::meaning));
    let once = read(&whole, usize::MAX);
    let Some(trace) = alike(once.clone(), read(&whole, 1 + whole.len() % 61)) else { return };
    assert_sound(&trace);
    let each = 1 + whole.len() % 3;
    alike(once.clone(), join_records(&whole, each, Builder::new("a.prv", paraver::meaning)));
    if !whole.contains(&b'\r') {
        let returns = whole.split(|byte| *byte == b'\n').collect::<Vec<_>>().join(&b"\r\n"[..]);
        alike(once, read(&returns, usize::MAX));
    }
}
