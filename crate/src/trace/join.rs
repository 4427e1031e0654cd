//! Parts of a trace that were read apart, joined in the order of the file.

use std::sync::Arc;

use super::Builder;
use super::chunk::Chunk;
use super::growing::Growing;
use super::shape::{Wide, narrow};

impl Builder {
    /// An empty builder for a later part of the same trace, with the same labels, which keeps the
    /// same.
    pub fn part(&self) -> Self {
        let mut part = Self::new(&self.name, self.meaning);
        part.labels = self.labels.clone();
        part.only = self.only.clone();
        part
    }

    /// Adds what was read of the next part of the file. `lines` came before it.
    ///
    /// Whoever reads the parts, in whatever order, what comes out is as if one builder had been
    /// given every event. O(chunks) where times rise from part to part, else O(events).
    pub fn append(&mut self, mut part: Self, lines: u64) {
        self.duration_ns = self.duration_ns.max(part.duration_ns);
        self.cut |= part.cut;
        self.generated |= part.generated;
        let dropped = &mut self.provenance.objects_dropped;
        *dropped = dropped.saturating_add(part.provenance.objects_dropped);
        for growing in &mut part.threads {
            growing.close(&mut part.shapes);
        }
        let types = part.codes.iter().map(|(code, _)| self.looked_up(*code).0).collect::<Vec<_>>();
        let here = |of_type: &Wide| {
            let (event_type, _) = narrow(*of_type);
            types.get(event_type as usize).map_or(0, |here| here << 1 | of_type & 1)
        };
        let shape = |number: u32| {
            let of_types = part.shapes.types(number).iter().map(here).collect::<Vec<_>>();
            (self.shapes.of(&of_types), of_types)
        };
        let shapes = (0..part.shapes.len() as u32).map(shape).collect::<Vec<_>>();
        for growing in part.threads {
            let thread = self.thread(growing.object).0;
            self.append_thread(thread, growing, &shapes);
        }
        self.notices.append(part.notices, lines);
        if let Some(reduced) = part.reduced {
            self.reduced = Some(reduced.and(self.reduced.take()));
        }
    }

    /// `shapes`: by number in the part, the number and the types here.
    fn append_thread(&mut self, thread: usize, mut part: Growing, shapes: &[(u32, Vec<Wide>)]) {
        let Some(growing) = self.threads.get_mut(thread) else { return };
        let is_reduced = |of: &Growing| of.known.stretches_ns.is_some();
        if growing.is_broken_off || is_reduced(growing) || is_reduced(&part) {
            growing.know_part(&part);
        }
        growing.note_part(&part);
        part.seal();
        for mut chunk in part.full {
            let alone = Arc::get_mut(&mut chunk).filter(|chunk| growing.can_adopt(chunk));
            if let Some(columns) = alone {
                for shape in &mut columns.shapes {
                    *shape = shapes.get(*shape as usize).map_or(*shape, |(here, _)| *here);
                }
                growing.close(&mut self.shapes);
                growing.adopt(chunk);
                continue;
            }
            if growing.last_ns() == Some(chunk.time_ns(0)) {
                growing.reopen(&self.shapes);
            }
            for at in 0..chunk.times.len() {
                let types = shape_at(&chunk, at, shapes);
                let mut words = chunk.words_of(at).iter().copied();
                for of_type in types {
                    let (event_type, width) = narrow(*of_type);
                    let low = u64::from(words.next().unwrap_or(0));
                    let high = if width == 2 { u64::from(words.next().unwrap_or(0)) } else { 0 };
                    let value = high << 32 | low;
                    growing.event(chunk.time_ns(at), event_type, value, &mut self.shapes);
                }
            }
        }
    }
}

fn shape_at<'s>(chunk: &Chunk, at: usize, shapes: &'s [(u32, Vec<Wide>)]) -> &'s [Wide] {
    let number = chunk.shapes.get(at).map_or(usize::MAX, |number| *number as usize);
    shapes.get(number).map_or(&[], |(_, types)| types)
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::*;
    use crate::text::{Words, WordsRead};
    use crate::trace::{Kind, Meaning, Object, Only, Trace};

    fn builder(only: &Only) -> Builder {
        let mut builder = Builder::new("made up", |code, _| Meaning {
            kind: if code == 9 { Kind::Other } else { Kind::Counter },
            name: format!("type {code}"),
            description: String::new(),
        });
        builder.keep_only(only.clone());
        builder
    }

    /// (thread, time, type, value)
    type Events = Vec<(u32, u64, u32, u64)>;

    fn add(builder: &mut Builder, events: &[(u32, u64, u32, u64)]) {
        for &(thread, time, code, value) in events {
            let object = Object { application: 1, task: 1, thread };
            let thread = builder.thread(object);
            builder.event(thread, time, code, value);
            if code == 3 {
                builder.computes(object, time, time + value % 7);
            }
        }
    }

    fn text(trace: &Trace) -> String {
        let types = trace.types.iter().map(|known| format!("{} ", known.code)).collect::<String>();
        let threads = trace.threads.iter().map(|thread| {
            let moment = |m: crate::trace::Moment<'_>| {
                format!("{}{:?}\n", m.time, m.events().collect::<Vec<_>>())
            };
            let moments = thread.moments().map(moment).collect::<String>();
            let (object, span) = (thread.object, thread.span_ns());
            let running = thread.running_ns();
            let (end_ns, in_zeros) = (thread.end_ns(), thread.ends_in_zeros());
            format!("{object} {span} {end_ns} {in_zeros}\n{running:?}\n{moments}")
        });
        let notices = trace.notices.iter().map(|n| format!("{} {} {}\n", n.text, n.count, n.first));
        types + &threads.collect::<String>() + &notices.collect::<String>()
    }

    /// What one builder makes of the events, and what is made of parts of so many, each sent from
    /// afar.
    fn whole_and_joined(events: &Events, each: usize, only: &Only) -> [String; 2] {
        let mut whole = builder(only);
        add(&mut whole, events);
        let mut joined = builder(only);
        for part in events.chunks(each) {
            let mut apart = joined.part();
            add(&mut apart, part);
            let mut words = Words::default();
            apart.write(&mut words);
            let apart = joined.read_part(&mut WordsRead(&words.0)).unwrap();
            joined.append(apart, 0);
        }
        [whole, joined].map(|builder| text(&builder.finish()))
    }

    #[test]
    fn a_moment_that_goes_on_in_the_next_part_stays_one_moment() {
        // Parts so large that they are taken over, and one that begins where they end.
        let mut events: Events = (0..5000).map(|time| (1, time, 3, time % 3)).collect();
        events.extend([(1, 4999, 4, 1 << 40), (1, 4999, 4, 2), (1, 5001, 3, 1)]);
        let [whole, joined] = whole_and_joined(&events, 5000, &Only::default());
        assert!(joined == whole && !joined.contains("go back"));
    }

    #[test]
    fn a_last_time_that_two_parts_share_ends_in_zeros_if_both_say_so() {
        for (values, zeros) in [([0, 0], true), ([0, 1], false), ([1, 0], false)] {
            let events = vec![(1, 4, 3, 7), (1, 5, 3, values[0]), (1, 5, 3, values[1])];
            let [whole, joined] = whole_and_joined(&events, 2, &Only::default());
            assert!(whole.contains(&format!("1.1.1 1 5 {zeros}")), "{values:?} {whole}");
            assert_eq!(joined, whole, "{values:?}");
        }
    }

    #[test]
    fn parts_joined_even_from_afar_are_what_one_builder_makes() {
        let mut random = Random::new(11);
        for (count, back) in [(0, 0), (1, 0), (40, 0), (40, 9), (30_000, 0), (30_000, 3)] {
            let mut time = 100;
            let mut event = |_| {
                time += random.below(3);
                let earlier = if random.below(10) == 0 { random.below(back + 1) } else { 0 };
                let value = [0, 1, 77, 1 << 40][random.below(4) as usize];
                (
                    1 + random.below(3) as u32,
                    time - earlier,
                    [3, 4, 9, 70][random.below(4) as usize],
                    value,
                )
            };
            let events: Events = (0..count).map(&mut event).collect();
            let chosen = Only {
                objects: "*.*.2".parse().unwrap(),
                counters: Some(vec!["type 3".to_owned()]),
                from_ns: 110,
                to_ns: time / 2,
                ..Only::default()
            };
            let only = [Only::default(), chosen];
            for (parts, only) in
                [1, 2, 3, 7].into_iter().flat_map(|n| only.iter().map(move |o| (n, o)))
            {
                let each = events.len().div_ceil(parts).max(1);
                let [whole, joined] = whole_and_joined(&events, each, only);
                assert!(joined == whole, "{count} events in {parts} parts");
            }
        }
    }
}
