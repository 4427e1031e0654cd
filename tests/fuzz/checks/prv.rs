//! Records of Paraver: the same trace however the file is cut, read as one or in parts, and however
//! its lines end.

use tracefold::paraver;
use tracefold::trace::{Builder, Objects, Only};

use super::{alike, assert_sound, join_records, read_records};

/// For records that come without one: two tasks of two threads and of one.
pub const HEADER: &[u8] = b"#Paraver (01/02/2025 at 10:00):4000000_ns:1(2):2:1(2:1),1(1:1)\n";

/// Bytes that do not begin with a header get one: the records are what can go wrong. Each input is
/// read once more, in one of three ways, which keeps this quick; of some only a part is kept.
pub fn check(bytes: &[u8]) {
    let whole = if bytes.starts_with(b"#") { bytes.to_vec() } else { [HEADER, bytes].concat() };
    let sum = bytes.iter().fold(bytes.len(), |sum, byte| sum + usize::from(*byte));
    let trace = || {
        let mut trace = Builder::new("a.prv", paraver::meaning);
        if sum % 5 == 0 {
            trace.keep_only(Only { objects: first_task(), from_ns: 9, ..Only::default() });
        }
        trace
    };
    let once = read_records(&whole, usize::MAX, trace());
    let again = match sum % 3 {
        0 => read_records(&whole, 1 + sum % 61, trace()),
        1 => join_records(&whole, 1 + sum % 4, trace()),
        _ if whole.contains(&b'\r') => read_records(&whole, 1, trace()),
        _ => {
            let lines = whole.split(|byte| *byte == b'\n').collect::<Vec<_>>();
            read_records(&lines.join(&b"\r\n"[..]), usize::MAX, trace())
        }
    };
    if let Some(trace) = alike(once, again) {
        assert_sound(&trace);
    }
}

fn first_task() -> Objects {
    "*.1.*".parse().expect("objects as they are written")
}
