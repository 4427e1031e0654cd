//! What to run instead, in the words of the recording at hand.

use super::event::{Events, Family, Role};
use crate::trace::Builder;

/// Samples per second, a prime: what recurs at round times is met at all its phases.
const HERTZ: &str = "freq=499";

/// `perf record` with every event of the recording, the sampled ones at a frequency of their own.
fn record(events: &Events) -> String {
    let mut command = "perf record".to_owned();
    let markers =
        events.families.iter().flat_map(|family| std::iter::once(&family.begin).chain(&family.end));
    markers.for_each(|marker| command += &format!(" -e {marker}"));
    let sampled = events.all.iter().filter_map(|event| match event.role {
        Role::Sample(_) => Some(at_a_frequency(&event.name)),
        // With the period that perf mem chooses.
        Role::Memory(_) => Some(event.name.clone()),
        _ => None,
    });
    let sampled = sampled.collect::<Vec<_>>();
    match sampled.as_slice() {
        [] => command += &format!(" -e cycles/{HERTZ}/"),
        sampled => sampled.iter().for_each(|event| command += &format!(" -e {event}")),
    }
    command + " -g ./app"
}

/// The way from a program to a recording with markers.
pub(super) const MARK: &str = "markers that begin and end a region: perf probe -x ./app --add \
    step --add 'step_ret=step%return', then perf record -e probe_app:step -e \
    probe_app:step_ret__return -e cycles/freq=499/ -g ./app";

/// The way from memory samples to a picture.
pub(super) const MARK_MEMORY: &str = "markers too (perf record -d -W -e \
    cpu/mem-loads,ldlat=30/P -e probe_app:step -e probe_app:step_ret__return ./app), \
    or the trace of the same program beside it";

/// The way to the addresses of a recording that holds them.
pub(super) const PRINT_ADDRESSES: &str = "Samples of memory without an address: no load or store \
    is known. Print what was recorded: perf script --ns -F +addr,+data_src,+weight";

/// Says which markers or samples a recording lacks, and the command that gets them.
pub(super) fn say_what_is_missing(events: &Events, samples: u64, file: &str, trace: &mut Builder) {
    let place = || file.to_owned();
    let lacks_some = |family: &&Family| {
        let is_sampled = family.is_lossy && family.begins + family.ends > 0;
        family.end.is_some() && (family.lost > 0 || is_sampled)
    };
    for family in events.families.iter().filter(lacks_some) {
        let Family { begins, ends, lost, .. } = family;
        trace.provenance.markers_lost += lost;
        let text = format!(
            "Markers are missing: {} begins {begins} times and ends {ends} times; those without \
             their other half were left out. perf drops markers where -F is given for all events; \
             give each sampled one its own: {}",
            family.label(),
            record(events)
        );
        trace.notices.damage_many(&text, (*lost).max(1), place);
    }
    if samples == 0 {
        let text = format!("There are markers and no samples; record both: {}", record(events));
        trace.notices.add(&text, place);
    }
}

/// `cycles:u` to `cycles/freq=499/u`.
fn at_a_frequency(event: &str) -> String {
    if event.contains("freq=") || event.contains("period=") {
        return event.to_owned();
    }
    match (event.split_once('/'), event.split_once(':')) {
        (Some((head, rest)), _) => format!("{head}/{HERTZ},{rest}"),
        (None, Some((head, modifiers))) => format!("{head}/{HERTZ}/{modifiers}"),
        (None, None) => format!("{event}/{HERTZ}/"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_stay_bare_and_samples_get_a_frequency() {
        let mut events = Events::default();
        for name in ["probe_a:it", "cycles:u", "cpu/cache-misses/", "probe_a:it__return"] {
            events.of(name.as_bytes());
        }
        assert_eq!(
            record(&events),
            "perf record -e probe_a:it -e probe_a:it__return -e cycles/freq=499/u \
             -e cpu/freq=499,cache-misses/ -g ./app"
        );
        assert!(record(&Events::default()).ends_with(" -e cycles/freq=499/ -g ./app"));
    }
}
