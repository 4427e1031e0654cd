//! Labels of Paraver: any bytes beside a trace leave its events alone, however the file is cut.

use tracefold::paraver;
use tracefold::trace::{Builder, Moment, Trace};

use super::{MINI_PRV, assert_same, assert_sound, read_labels, read_records};

pub fn check(bytes: &[u8]) {
    let labelled = |labels: &[u8], piece| {
        let mut trace = Builder::new("a.prv", paraver::meaning);
        read_labels(labels, piece, &mut trace);
        read_records(MINI_PRV, usize::MAX, trace).expect("the trace itself is sound")
    };
    // What stands before the first word of a section is passed over.
    let labels = [b"EVENT_TYPE\n", bytes].concat();
    let (bare, trace) = (labelled(b"", 1), labelled(&labels, usize::MAX));
    assert_same(&trace, &labelled(&labels, 1 + bytes.len() % 61));
    assert_sound(&trace);
    let codes = |trace: &Trace| trace.types.iter().map(|known| known.code).collect::<Vec<_>>();
    assert_eq!(codes(&trace), codes(&bare));
    assert!(trace.types.iter().all(|known| !known.name.is_empty()));
    let same = |(a, b): (Moment, Moment)| a.time == b.time && a.events().eq(b.events());
    for (with, without) in trace.threads.iter().zip(&bare.threads) {
        assert!(with.moments().zip(without.moments()).all(same));
    }
}
