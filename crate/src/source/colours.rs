use super::frames::Frame;
use super::numbered::Numbered;
use crate::order;
use crate::trace::{self, Kind, Moment, Trace};

/// The place of each routine among the colours of a trace, whatever is folded of it: those of most samples
/// first, then those that call a runtime most often; of two alike, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Colours(Vec<(String, u32)>);

impl Colours {
    /// O(frames of the trace).
    pub fn of(trace: &Trace) -> Self {
        let mut innermost = Innermost::of(trace);
        let shapes = innermost.shapes.clone();
        for thread in &trace.threads {
            thread.moments_of(&shapes).for_each(|(_, moment)| innermost.add(trace, &moment));
        }
        // Of a part of a trace what was left out counts, too.
        if let Some(reduced) = &trace.reduced {
            innermost.add_counts(trace, &reduced.innermost);
        }
        let all = innermost.names.into_iter().zip(innermost.counts);
        let known = all.filter_map(|(name, counts)| Some((name?, counts)));
        let mut ranked = known.collect::<Vec<_>>();
        order::by(&mut ranked, |(a, _), (b, _)| a.cmp(b));
        // One routine may have several numbers.
        ranked.dedup_by(|(name, counts), (known, of_known)| {
            let is_same = name == known;
            if is_same {
                *of_known = [0, 1].map(|of| of_known[of].saturating_add(counts[of]));
            }
            is_same
        });
        // Orders keep what is alike as it is: by name.
        order::by_number(&mut ranked, |(_, [_, calls])| !calls);
        order::by_number(&mut ranked, |(_, [samples, _])| !samples);
        let places = ranked.into_iter().zip(0..).map(|((name, _), place)| (name, place));
        let mut by_name = places.collect::<Vec<_>>();
        order::by(&mut by_name, |(a, _), (b, _)| a.cmp(b));
        Self(by_name)
    }

    /// The places of these; what the trace does not know comes after all others. Empty if each has its own
    /// place here.
    pub fn places(&self, routines: &[String]) -> Vec<u32> {
        let after = (self.0.len() as u32..).zip(routines);
        let places = after.map(|(after, name)| order::get(&self.0, name).copied().unwrap_or(after));
        let places = places.collect::<Vec<_>>();
        if places.iter().copied().eq(0..places.len() as u32) { vec![] } else { places }
    }
}

/// In how many samples and calls each routine is innermost, of those that are known.
pub struct Innermost {
    /// Shapes of the moments with any.
    pub shapes: Vec<bool>,
    numbers: Numbered,
    /// By number: type and value, the name if it is known, and samples and calls.
    frames: Vec<(u32, u64)>,
    names: Vec<Option<String>>,
    counts: Vec<[u64; 2]>,
}

impl Innermost {
    /// Of none so far.
    pub fn of(trace: &Trace) -> Self {
        let shapes =
            trace.shapes_with(|_, kind| matches!(kind, Kind::Routine(_) | Kind::Caller(_)));
        let (frames, names, counts) = (vec![], vec![], vec![]);
        Self { shapes, numbers: Numbered::default(), frames, names, counts }
    }

    /// Counts a moment of one of the shapes.
    pub fn add(&mut self, trace: &Trace, moment: &Moment<'_>) {
        let mut innermost: [Option<(u8, usize)>; 2] = [None, None];
        for event in moment.events() {
            let (of, depth) = match trace.kind(event.event_type) {
                Kind::Routine(depth) => (0, depth),
                Kind::Caller(depth) => (1, depth),
                _ => continue,
            };
            let number = self.number(trace, event.event_type, event.value);
            let is_inner = innermost[of].is_none_or(|(known, _)| depth < known);
            if self.names[number].is_some() && is_inner {
                innermost[of] = Some((depth, number));
            }
        }
        for (of, (_, number)) in
            innermost.into_iter().enumerate().filter_map(|(of, met)| Some((of, met?)))
        {
            self.counts[number][of] += 1;
        }
    }

    /// Adds what was counted elsewhere.
    // On the page it is loaded for parts of folds alone.
    #[inline(never)]
    fn add_counts(&mut self, trace: &Trace, counts: &trace::Innermost) {
        for ((code, value), counts) in counts {
            let event_type = trace.types.iter().position(|of| of.code == *code);
            let Some(event_type) = event_type else { continue };
            let number = self.number(trace, event_type as u32, *value);
            let own = &mut self.counts[number];
            *own = [0, 1].map(|of| own[of].saturating_add(counts[of]));
        }
    }

    /// All known routines that were met, each with its counts.
    pub fn counts(&self, trace: &Trace) -> trace::Innermost {
        let known = self.frames.iter().zip(&self.names).zip(&self.counts);
        let known = known.filter(|((_, name), _)| name.is_some());
        let frame = |(((event_type, value), _), counts): ((&(u32, u64), _), &[u64; 2])| {
            let code = trace.types.get(*event_type as usize).map_or(0, |of| of.code);
            ((code, *value), *counts)
        };
        let mut counts = known.map(frame).collect::<trace::Innermost>();
        counts.sort_unstable();
        counts
    }

    fn number(&mut self, trace: &Trace, event_type: u32, value: u64) -> usize {
        let frame = Frame::of_routine(event_type, value);
        let number = self.numbers.of(frame.key()) as usize;
        if number == self.names.len() {
            self.frames.push((event_type, value));
            self.names.push(frame.in_words(trace).map(|(_, routine)| routine));
            self.counts.push([0, 0]);
        }
        number
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
