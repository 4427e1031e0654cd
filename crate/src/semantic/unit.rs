//! In which unit the times of a text are.

use super::row::Written;
use crate::trace::Thread;

/// The units of a window, in nanoseconds: those of a trace, and those that a person chooses.
const UNITS: [(u64, &str); 4] = [
    (1, "nanoseconds"),
    (1_000, "microseconds"),
    (1_000_000, "milliseconds"),
    (1_000_000_000, "seconds"),
];

/// Times that are looked at: enough to tell, whatever the length of the text.
const LOOKED_AT: usize = 10_000;

/// The smallest unit in which at least half of the times are those of events, or of changes of
/// state, of their thread; with its name. `None` if there is none.
///
/// In a unit that is too small hardly any time is; one that is too large leaves so much open that
/// many may be. O(log moments) for each of at most 10,000 times, spread evenly.
pub fn unit(times: &[(&Thread, Written)]) -> Option<(u64, &'static str)> {
    let step = times.len().div_ceil(LOOKED_AT).max(1);
    let fits = |unit_ns: u64| {
        let meets = |(thread, written): &&(&Thread, Written)| {
            let (ns, open_ns) = (written.ns(unit_ns), written.open_ns(unit_ns));
            nearest_ns(thread, ns).abs_diff(ns) <= open_ns
        };
        let met = times.iter().step_by(step).filter(meets).count();
        met > 0 && 2 * met >= times.iter().step_by(step).count()
    };
    UNITS.into_iter().find(|(unit_ns, _)| fits(*unit_ns))
}

/// The time nearest to `ns` at which something happened to the thread: an event or a change of
/// state; the earlier of two. O(log moments).
pub fn nearest_ns(thread: &Thread, ns: u64) -> u64 {
    let moment = |index: usize| thread.time_ns(index as u32);
    let state = |index: usize| {
        let ends = thread.running_ns().get(index / 2).copied().unwrap_or_default();
        ends[index % 2]
    };
    let events = nearest(thread.len(), moment, ns);
    let states = nearest(2 * thread.running_ns().len(), state, ns);
    let both = [events, states].into_iter().flatten();
    both.min_by_key(|time_ns| time_ns.abs_diff(ns)).unwrap_or(u64::MAX)
}

/// The one of `count` rising times that is nearest to `ns`, the earlier of two.
fn nearest(count: usize, time_ns: impl Fn(usize) -> u64, ns: u64) -> Option<u64> {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if time_ns(middle) < ns { low = middle + 1 } else { high = middle }
    }
    let before = low.checked_sub(1).map(&time_ns);
    let after = (low < count).then(|| time_ns(low));
    before.into_iter().chain(after).min_by_key(|time_ns| time_ns.abs_diff(ns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_time_is_found_and_the_earlier_of_two() {
        let times = [10, 20, 40];
        let of = |count, ns| nearest(count, |at| times[at], ns);
        let asked = [0, 14, 15, 16, 20, 31, 900];
        let expected = [10, 10, 10, 20, 20, 40, 40].map(Some);
        assert_eq!(asked.map(|ns| of(3, ns)), expected);
        assert_eq!(of(0, 5), None);
    }
}
