//! A timeline saved as text: any bytes beside a trace add regions to it and change nothing else.

use tracefold::trace::{Event, Moment, Trace};

use super::{MINI_PRV, assert_sound, opened};

pub fn check(bytes: &[u8]) {
    let trace = opened(&[("a.prv", MINI_PRV), ("a.csv", bytes)]);
    let trace = trace.expect("a timeline leaves its trace alone");
    assert_sound(&trace);
    let bare = opened(&[("a.prv", MINI_PRV)]).expect("the trace itself is sound");
    assert_eq!(bare.duration_ns, trace.duration_ns);
    assert!(trace.types.starts_with(&bare.types));
    for (one, other) in bare.threads.iter().zip(&trace.threads) {
        assert_eq!((one.object, one.span_ns()), (other.object, other.span_ns()));
        assert_eq!(known_events(&bare, one.moments()), known_events(&bare, other.moments()));
    }
}

/// The events of types that `bare` has, with their times.
fn known_events<'a>(
    bare: &Trace,
    moments: impl Iterator<Item = Moment<'a>>,
) -> Vec<(u64, u32, u64)> {
    let is_known = |event: &Event| (event.event_type as usize) < bare.types.len();
    let events = moments.flat_map(|moment| {
        let of_moment = move |event: Event| (moment.time, event.event_type, event.value);
        moment.events().filter(is_known).map(of_moment)
    });
    events.collect()
}
