//! What was read of a trace as bytes, for a file.

use std::sync::Arc;

use super::growing::Growing;
use super::shape::Shapes;
use super::{
    Boundaries, Builder, Known, Labels, Meanings, Moment, Notices, Object, Only, Place, Reduced,
    Thread, Variable,
};
use crate::order::Numbers;
use crate::text::{Packed, PackedRead};

/// More different notices no reader makes of one trace.
const MOST_NOTICES: usize = 1000;

impl Builder {
    /// What all parts of a trace have in common, and nothing that was read.
    pub fn common(&self) -> Self {
        let mut common = self.part();
        common.size_bytes = self.size_bytes;
        common.variables.clone_from(&self.variables);
        common.nodes.clone_from(&self.nodes);
        common.start_on_clock_ns = self.start_on_clock_ns;
        common
    }

    /// Writes what all parts of a trace have in common: what it is called, what things are called in it,
    /// and what was to be read.
    pub fn pack_common(&self, packed: &mut Packed) {
        packed.text(&self.name);
        packed.number(self.size_bytes);
        self.only.pack(packed);
        self.labels.pack(packed);
        packed.number(self.variables.len() as u64);
        for Variable { application, task, name, start, bytes } in &self.variables {
            packed.wide(*application);
            packed.wide(*task);
            packed.text(name);
            packed.number(*start);
            packed.number(*bytes);
        }
        packed.number(self.nodes.len() as u64);
        for tasks in &self.nodes {
            packed.number(tasks.len() as u64);
            tasks.iter().for_each(|node| packed.number(u64::from(*node)));
        }
        packed.flag(self.start_on_clock_ns.is_some());
        packed.number(self.start_on_clock_ns.unwrap_or(0));
        self.notices.pack(packed);
    }

    /// Reads that; `None` if it is something else.
    pub fn unpack_common(meaning: Meanings, packed: &mut PackedRead<'_>) -> Option<Self> {
        let mut trace = Self::new(&packed.text()?, meaning);
        trace.size_bytes = packed.number()?;
        trace.only = Only::unpack(packed)?;
        trace.labels = Labels::unpack(packed)?;
        for _ in 0..packed.count()? {
            let (application, task) = (packed.wide()?, packed.wide()?);
            let (name, start, bytes) = (packed.text()?, packed.number()?, packed.number()?);
            trace.variables.push(Variable { application, task, name, start, bytes });
        }
        for _ in 0..packed.count()? {
            let count = packed.count()?;
            let nodes = (0..count).map(|_| u32::try_from(packed.number()?).ok());
            trace.nodes.push(nodes.collect::<Option<Vec<_>>>()?);
        }
        let has_start = packed.flag()?;
        let start_ns = packed.number()?;
        trace.start_on_clock_ns = has_start.then_some(start_ns);
        trace.notices = Notices::unpack(packed)?;
        Some(trace)
    }

    /// Writes what was read. O(events).
    pub fn pack(mut self, packed: &mut Packed) {
        self.settle();
        self.threads.iter_mut().for_each(Growing::seal);
        packed.number(self.duration_ns);
        packed.flag(self.cut);
        packed.flag(self.generated);
        packed.text(self.provenance.boundaries.name());
        packed.text(&self.provenance.clock);
        packed.number(self.provenance.markers_lost);
        packed.number(self.provenance.objects_dropped);
        packed.number(self.codes.len() as u64);
        self.codes.iter().for_each(|(code, _)| packed.wide(*code));
        self.pack_threads(packed);
        packed.flag(self.reduced.is_some());
        self.reduced.unwrap_or_default().pack(packed);
        self.notices.pack(packed);
    }

    fn pack_threads(&self, packed: &mut Packed) {
        let shapes = Arc::new(self.shapes.clone());
        let threads = self.threads.iter().map(|growing| growing.frozen(&shapes, &Only::default()));
        let threads = threads.collect::<Vec<_>>();
        // Of a moment the types of its events are one number, in the order in which they are met.
        let mut met = Shapes::default();
        let mut types = vec![];
        let mut shape_of = |moment: &Moment<'_>, met: &mut Shapes| {
            types.clear();
            types.extend(moment.events().map(|event| event.event_type));
            met.of(&types)
        };
        for moment in threads.iter().flat_map(|thread| thread.moments()) {
            shape_of(&moment, &mut met);
        }
        packed.number(met.len() as u64);
        for shape in 0..met.len() as u32 {
            let types = met.types(shape);
            packed.number(types.len() as u64);
            types.iter().for_each(|of_type| packed.number(u64::from(*of_type)));
        }
        packed.number(self.threads.len() as u64);
        for (growing, thread) in self.threads.iter().zip(&threads) {
            growing.pack(packed);
            packed.number(thread.len() as u64);
            let mut before_ns = 0;
            for moment in thread.moments() {
                // Whatever the order, as of two files merged.
                packed.number(moment.time.wrapping_sub(before_ns));
                packed.number(u64::from(shape_of(&moment, &mut met)));
                moment.events().for_each(|event| packed.number(event.value));
                before_ns = moment.time;
            }
            growing.known.pack(thread, packed);
        }
    }

    /// Reads a part of this trace; `None` if that is not what was written. O(events).
    pub fn unpack_part(&self, packed: &mut PackedRead<'_>) -> Option<Self> {
        let mut part = self.part();
        part.duration_ns = packed.number()?;
        part.cut = packed.flag()?;
        part.generated = packed.flag()?;
        part.provenance.boundaries = Boundaries::of_name(&packed.text()?);
        part.provenance.clock = packed.text()?;
        part.provenance.markers_lost = packed.number()?;
        part.provenance.objects_dropped = packed.number()?;
        let mut met = Numbers::default();
        for at in 0..packed.count()? {
            let code = packed.wide()?;
            (met.of([u64::from(code), 0, 0]) == at).then_some(())?;
            part.looked_up(code);
        }
        let shapes = (0..packed.count()?).map(|_| {
            let count = packed.count().filter(|count| *count > 0)?;
            let of_type = |_| {
                let of_type = u32::try_from(packed.number()?).ok()?;
                ((of_type as usize) < part.codes.len()).then_some(of_type)
            };
            (0..count).map(of_type).collect::<Option<Vec<_>>>()
        });
        let shapes = shapes.collect::<Option<Vec<_>>>()?;
        for _ in 0..packed.count()? {
            let object = Object {
                application: packed.wide()?,
                task: packed.wide()?,
                thread: packed.wide()?,
            };
            let index = part.thread(object).0;
            // Each is written once.
            (index + 1 == part.threads.len()).then_some(())?;
            let growing = part.threads.get_mut(index)?;
            growing.unpack(packed)?;
            growing.unpack_moments(packed, &shapes, &mut part.shapes)?;
        }
        let is_reduced = packed.flag()?;
        let reduced = Reduced::unpack(packed)?;
        part.reduced = is_reduced.then_some(reduced);
        part.notices = Notices::unpack(packed)?;
        Some(part)
    }
}

impl Growing {
    fn pack(&self, packed: &mut Packed) {
        let Object { application, task, thread } = self.object;
        [application, task, thread].into_iter().for_each(|number| packed.wide(number));
        packed.flag(self.sorted);
        packed.flag(self.ends_in_zeros);
        packed.flag(self.span_ns.is_some());
        let (first, last) = self.span_ns.unwrap_or_default();
        packed.number(first);
        packed.number(last);
        pack_stretches(self.running.as_they_came(), packed);
    }

    fn unpack(&mut self, packed: &mut PackedRead<'_>) -> Option<()> {
        self.sorted = packed.flag()?;
        self.ends_in_zeros = packed.flag()?;
        let spans = packed.flag()?;
        let span_ns = (packed.number()?, packed.number()?);
        self.span_ns = spans.then_some(span_ns);
        let running = unpack_stretches(packed)?;
        running.into_iter().for_each(|[begin, end]| self.running.add(begin, end));
        Some(())
    }

    fn unpack_moments(
        &mut self,
        packed: &mut PackedRead<'_>,
        types: &[Vec<u32>],
        shapes: &mut Shapes,
    ) -> Option<()> {
        // As it was written, in order or not.
        let sorted = self.sorted;
        let mut time_ns = 0u64;
        let mut times_ns = vec![];
        for _ in 0..packed.count()? {
            time_ns = time_ns.wrapping_add(packed.number()?);
            times_ns.push(time_ns);
            let shape = usize::try_from(packed.number()?).ok()?;
            for of_type in types.get(shape)? {
                self.event(time_ns, *of_type, packed.number()?, shapes);
            }
        }
        self.close(shapes);
        self.seal();
        self.sorted &= sorted;
        self.known = Known::unpack(&times_ns, packed)?;
        Some(())
    }
}

impl Known {
    fn pack(&self, thread: &Thread, packed: &mut Packed) {
        let Self { stretches_ns, breaks_ns, summed } = self;
        packed.flag(stretches_ns.is_some());
        let stretches = stretches_ns.as_deref().unwrap_or_default();
        packed.number(stretches.len() as u64);
        let mut at = 0;
        for time_ns in stretches.as_flattened() {
            pack_time(*time_ns, thread, &mut at, packed);
        }
        packed.number(breaks_ns.len() as u64);
        breaks_ns.iter().for_each(|time_ns| packed.number(*time_ns));
        packed.number(summed.len() as u64);
        at = 0;
        for (start_ns, samples) in summed {
            pack_time(*start_ns, thread, &mut at, packed);
            packed.number(u64::from(*samples));
        }
    }

    /// `times_ns`: of the moments.
    fn unpack(times_ns: &[u64], packed: &mut PackedRead<'_>) -> Option<Self> {
        let mut known = Self::default();
        let is_some = packed.flag()?;
        let mut stretches: Vec<[u64; 2]> = vec![];
        let mut at = 0;
        for _ in 0..packed.count()? {
            let begin = unpack_time(times_ns, &mut at, packed)?;
            stretches.push([begin, unpack_time(times_ns, &mut at, packed)?]);
        }
        let rises = stretches.as_flattened().is_sorted();
        known.stretches_ns = is_some.then_some(rises.then_some(stretches)?);
        let count = packed.count()?;
        let breaks = (0..count).map(|_| packed.number()).collect::<Option<Vec<_>>>()?;
        known.breaks_ns = breaks.is_sorted().then_some(breaks)?;
        at = 0;
        for _ in 0..packed.count()? {
            let start_ns = unpack_time(times_ns, &mut at, packed)?;
            let rises = known.summed.last().is_none_or(|(last_ns, _)| *last_ns < start_ns);
            let samples = u32::try_from(packed.number()?).ok()?;
            known.summed.push(rises.then_some((start_ns, samples))?);
        }
        Some(known)
    }
}

/// A time, most often that of a moment: how many moments after the one before, which is `at`; or, behind a 0,
/// any.
fn pack_time(time_ns: u64, thread: &Thread, at: &mut u32, packed: &mut Packed) {
    let index = thread.moments_up_to(time_ns).checked_sub(1);
    match index.filter(|index| *at <= *index && thread.time_ns(*index) == time_ns) {
        Some(index) => {
            packed.number(u64::from(index - *at) + 1);
            *at = index;
        }
        None => {
            packed.number(0);
            packed.number(time_ns);
        }
    }
}

fn unpack_time(times_ns: &[u64], at: &mut usize, packed: &mut PackedRead<'_>) -> Option<u64> {
    match packed.number()? {
        0 => packed.number(),
        later => {
            *at = at.checked_add(usize::try_from(later - 1).ok()?)?;
            times_ns.get(*at).copied()
        }
    }
}

fn pack_stretches(stretches: &[[u64; 2]], packed: &mut Packed) {
    packed.number(stretches.len() as u64);
    let mut before = 0u64;
    for time in stretches.as_flattened() {
        packed.number(time.wrapping_sub(before));
        before = *time;
    }
}

fn unpack_stretches(packed: &mut PackedRead<'_>) -> Option<Vec<[u64; 2]>> {
    let mut time = 0u64;
    let mut next = |packed: &mut PackedRead<'_>| {
        time = time.wrapping_add(packed.number()?);
        Some(time)
    };
    let count = packed.count()?;
    (0..count).map(|_| Some([next(packed)?, next(packed)?])).collect()
}

impl Notices {
    fn pack(&self, packed: &mut Packed) {
        packed.number(self.iter().count() as u64);
        for notice in self.iter() {
            packed.text(&notice.text);
            packed.number(notice.count);
            packed.flag(notice.is_damage);
            packed.text(&notice.first.of);
            packed.number(notice.first.line);
        }
    }

    fn unpack(packed: &mut PackedRead<'_>) -> Option<Self> {
        let mut notices = Self::default();
        for _ in 0..packed.count().filter(|count| *count <= MOST_NOTICES)? {
            let (text, count, is_damage) = (packed.text()?, packed.number()?, packed.flag()?);
            let first = Place { of: packed.text()?, line: packed.number()? };
            notices.count(&text, count, is_damage, || first);
        }
        Some(notices)
    }
}

impl Only {
    fn pack(&self, packed: &mut Packed) {
        packed.text(&self.objects.to_string());
        packed.flag(self.counters.is_some());
        let counters = self.counters.as_deref().unwrap_or_default();
        packed.number(counters.len() as u64);
        counters.iter().for_each(|name| packed.text(name));
        packed.number(self.from_ns);
        packed.number(self.to_ns);
    }

    fn unpack(packed: &mut PackedRead<'_>) -> Option<Self> {
        let objects = packed.text()?.parse().ok()?;
        let has_counters = packed.flag()?;
        let count = packed.count()?;
        let counters = (0..count).map(|_| packed.text()).collect::<Option<Vec<_>>>()?;
        let (from_ns, to_ns) = (packed.number()?, packed.number()?);
        let counters = has_counters.then_some(counters);
        Some(Self { objects, counters, from_ns, to_ns, ..Self::default() })
    }
}

impl Reduced {
    fn pack(&self, packed: &mut Packed) {
        let (code, value) = self.region;
        packed.wide(code);
        packed.flag(value.is_some());
        packed.number(value.unwrap_or(0));
        packed.wide(self.level);
        packed.number(self.innermost.len() as u64);
        for ((code, value), [samples, calls]) in &self.innermost {
            packed.wide(*code);
            [value, samples, calls].into_iter().for_each(|number| packed.number(*number));
        }
    }

    fn unpack(packed: &mut PackedRead<'_>) -> Option<Self> {
        let code = packed.wide()?;
        let has_value = packed.flag()?;
        let value = packed.number()?;
        let region = (code, has_value.then_some(value));
        let mut reduced = Self { region, level: packed.wide()?, ..Self::default() };
        for _ in 0..packed.count()? {
            let frame = (packed.wide()?, packed.number()?);
            let counts = [packed.number()?, packed.number()?];
            let rises = reduced.innermost.last().is_none_or(|(last, _)| *last < frame);
            reduced.innermost.push(rises.then_some((frame, counts))?);
        }
        Some(reduced)
    }
}
