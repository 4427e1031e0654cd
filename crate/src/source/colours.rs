use std::collections::BTreeMap;

use super::frames::Frame;
use super::numbered::Numbered;
use crate::order;
use crate::trace::{Kind, Trace};

/// The place of each routine among the colours of a trace, whatever is folded of it: those of most samples
/// first, then those that call a runtime most often; of two alike, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Colours(BTreeMap<String, u32>);

/// In how many samples and calls a routine is innermost.
#[derive(Clone, Copy, Default)]
struct Met {
    samples: u64,
    calls: u64,
}

impl Colours {
    /// O(frames of the trace).
    pub fn of(trace: &Trace) -> Self {
        let shapes =
            trace.shapes_with(|_, kind| matches!(kind, Kind::Routine(_) | Kind::Caller(_)));
        let mut numbers = Numbered::default();
        // By number, the name if it is known.
        let mut names: Vec<Option<String>> = vec![];
        let mut met: Vec<Met> = vec![];
        for thread in &trace.threads {
            for (_, moment) in thread.moments_of(&shapes) {
                let mut innermost: [Option<(u8, usize)>; 2] = [None, None];
                for event in moment.events() {
                    let (of, depth) = match trace.kind(event.event_type) {
                        Kind::Routine(depth) => (0, depth),
                        Kind::Caller(depth) => (1, depth),
                        _ => continue,
                    };
                    let frame = Frame::of_routine(event.event_type, event.value);
                    let number = numbers.of(frame.key()) as usize;
                    if number == names.len() {
                        names.push(frame.in_words(trace).map(|(_, routine)| routine));
                        met.push(Met::default());
                    }
                    let is_inner = innermost[of].is_none_or(|(known, _)| depth < known);
                    if names[number].is_some() && is_inner {
                        innermost[of] = Some((depth, number));
                    }
                }
                if let Some((_, number)) = innermost[0] {
                    met[number].samples += 1;
                }
                if let Some((_, number)) = innermost[1] {
                    met[number].calls += 1;
                }
            }
        }
        let mut by_name = BTreeMap::<String, Met>::new();
        for (name, Met { samples, calls }) in names.into_iter().zip(met) {
            let Some(name) = name else { continue };
            let of_name = by_name.entry(name).or_default();
            of_name.samples += samples;
            of_name.calls += calls;
        }
        let mut ranked = by_name.into_iter().collect::<Vec<_>>();
        // Orders keep what is alike as it is: by name.
        order::by_number(&mut ranked, |(_, met)| !met.calls);
        order::by_number(&mut ranked, |(_, met)| !met.samples);
        Self(ranked.into_iter().zip(0..).map(|((name, _), place)| (name, place)).collect())
    }

    /// The places of these; what the trace does not know comes after all others. Empty if each has its own
    /// place here.
    pub fn places(&self, routines: &[String]) -> Vec<u32> {
        let after = (self.0.len() as u32..).zip(routines);
        let places = after.map(|(after, name)| self.0.get(name).copied().unwrap_or(after));
        let places = places.collect::<Vec<_>>();
        if places.iter().copied().eq(0..places.len() as u32) { vec![] } else { places }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Builder, Meaning, Nesting, Object, Origin, Paradigm};

    /// Samples on two threads, each the routines from the innermost on, by their numbers; and calls.
    fn trace(samples: &[&[u64]], calls: &[u64]) -> Trace {
        const CALLER: u32 = 100;
        const CALL: u32 = 200;
        let mut builder = Builder::new("made up", |code, _| {
            let kind = match code {
                CALLER => Kind::Caller(1),
                CALL => Kind::Region(Nesting::Flat, Origin::Runtime(Paradigm::Mpi)),
                _ => Kind::Routine(code as u8),
            };
            Meaning { kind, name: format!("{code}"), description: String::new() }
        });
        let types = [0, 1, CALLER].map(|code| (code, code.to_string()));
        let names = [
            (3, "Unresolved"),
            (11, "solve"),
            (12, "add"),
            (13, "main"),
            (14, "talk"),
            (15, "ask"),
        ];
        builder
            .labels
            .add_types(&types, names.map(|(value, name)| (value, name.to_owned())).to_vec());
        for (at, frames) in samples.iter().enumerate() {
            let object = Object { application: 1, task: 1, thread: at as u32 % 2 + 1 };
            let pairs = (0..).zip(*frames).map(|(depth, value)| [depth, *value]);
            builder.moment(object, at as u64 * 10, &pairs.collect::<Vec<_>>());
        }
        for (at, value) in calls.iter().enumerate() {
            let object = Object { application: 1, task: 2, thread: 1 };
            builder.moment(
                object,
                at as u64 * 10,
                &[[u64::from(CALL), 1], [u64::from(CALLER), *value]],
            );
        }
        builder.finish()
    }

    fn ranked(trace: &Trace) -> Vec<String> {
        let mut all = Colours::of(trace).0.into_iter().collect::<Vec<_>>();
        all.sort_by_key(|(_, place)| *place);
        all.into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn routines_of_most_samples_come_first_then_those_that_call_most() {
        let samples: [&[u64]; 6] = [&[11, 13], &[12, 13], &[12, 13], &[3, 12], &[11, 13], &[13]];
        let trace = trace(&samples, &[15, 14, 14, 13]);
        // The innermost that is known of the fourth is `add`.
        assert_eq!(ranked(&trace), ["add", "solve", "main", "talk", "ask"]);
        let routines = ["main", "of nobody", "add"].map(str::to_owned);
        assert_eq!(Colours::of(&trace).places(&routines), [2, 6, 0]);
    }

    #[test]
    fn of_two_alike_the_name_decides_and_a_trace_without_code_has_none() {
        assert_eq!(ranked(&trace(&[&[11], &[12]], &[])), ["add", "solve"]);
        assert_eq!(ranked(&trace(&[], &[])), [""; 0]);
        assert_eq!(Colours::default().places(&["a".to_owned()]), [0; 0]);
        let two = Colours::of(&trace(&[&[11], &[12]], &[]));
        assert_eq!(two.places(&["add".to_owned(), "solve".to_owned()]), [0; 0], "as they stand");
        assert_eq!(two.places(&["solve".to_owned(), "add".to_owned()]), [1, 0]);
    }
}
