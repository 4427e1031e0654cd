//! The events of one location.

use super::archive::{Archive, Tally};
use super::clock::Clock;
use super::counters::Counted;
use super::definitions::LocationKind;
use super::local::Local;
use super::moment::Moment;
use super::record::{ChunkOf, End, Record, Records};
use super::regions::Known;
use super::{Damage, ENABLED, FLUSH};
use crate::order::{self, Numbers};
use crate::trace::{Builder, Notices, Object};

// Events that are not skipped.
const BUFFER_FLUSH: u8 = 10;
const MEASUREMENT_ON_OFF: u8 = 11;
const ENTER: u8 = 12;
const LEAVE: u8 = 13;
const METRIC: u8 = 31;
const CONTEXT_ENTER: u8 = 66;
const CONTEXT_LEAVE: u8 = 67;
const CONTEXT_SAMPLE: u8 = 68;

/// Call-stacks that a location keeps: a hundred frames take 3 kB, and a file may name any number.
const MOST_STACKS: usize = 1 << 12;
/// A region that lost its end is looked for among so many: deeper than programs call, and no file makes
/// each of its events a search through all before.
const MOST_SEARCHED: usize = 1 << 10;

const CANCELLED: &str = "A region that is left in the nanosecond in which it is entered: it has no \
                         duration and is no instance.";
const NOBODYS: &str = "A reading of a metric of which nobody says whose it is; it was left out.";
const BEFORE_BEGIN: &str = "An event before the begin of the archive: it counts as at its begin.";
const TOO_LARGE: &str =
    "A reading of a floating counter beyond what can be counted exactly; it was left out.";
const UNREADABLE: &str = "A definition of a location that cannot be read; it was left out.";

/// Reads the events of one location, chunk by chunk.
pub struct LocationReader<'archive> {
    archive: &'archive Archive,
    /// Of its file, as notices call it.
    file: String,
    location: u64,
    object: Option<Object>,
    is_thread: bool,
    is_cpu_thread: bool,
    local: Local,
    clock: Clock,
    /// Bytes before the chunk at hand.
    before: u64,
    events: u64,
    now_ns: u64,
    moment: Moment,
    counted: Counted,
    /// By metric, rising, whose levels it reads; and readings of which nobody says.
    whose: Vec<(u64, Option<Object>)>,
    nobodys: u64,
    /// Regions entered and not left, the outermost first, with their numbers.
    open: Vec<(u64, Known)>,
    /// When it began to compute.
    computes_since_ns: Option<u64>,
    is_recorded: bool,
    /// When what is recorded is written out no more.
    flushed_ns: Option<u64>,
    /// By number of a location's region, in a slot each: most events are of a few.
    recent: [Option<(u64, u64, Known)>; 64],
    /// Call-stacks met, by context.
    contexts: Numbers,
    stacks: Vec<Vec<[u64; 2]>>,
    /// Regions met that are not defined, rising.
    undefined: Vec<(u64, ())>,
    ended: bool,
    tally: Tally,
}

impl<'archive> LocationReader<'archive> {
    pub fn new(archive: &'archive Archive, location: u64, local: Local) -> Self {
        use LocationKind::{AcceleratorStream, CpuThread};
        let kind = archive.definitions.locations.get(location).map(|location| location.kind);
        let corrected_at = if local.offsets.len() > 1 { local.offsets.len() } else { 0 };
        Self {
            archive,
            file: format!("{location}.evt"),
            location,
            object: archive.objects.get(location),
            is_thread: matches!(kind, Some(CpuThread | AcceleratorStream)),
            is_cpu_thread: kind == Some(CpuThread),
            clock: Clock::new(archive.definitions.clock, &local.offsets),
            local,
            before: 0,
            events: 0,
            now_ns: 0,
            moment: Moment::default(),
            counted: Counted::new(&archive.counters),
            whose: vec![],
            nobodys: 0,
            open: vec![],
            computes_since_ns: None,
            is_recorded: true,
            flushed_ns: None,
            recent: [None; 64],
            contexts: Numbers::default(),
            stacks: vec![],
            undefined: vec![],
            ended: false,
            tally: Tally { corrected_at: corrected_at as u64, ..Tally::default() },
        }
    }

    /// Takes the next chunk; whether another one may follow. What is damaged ends the reading, and a
    /// notice says so.
    // Out of the closure that calls it, so that the page loads it for archives alone.
    #[inline(never)]
    pub fn chunk(&mut self, chunk: &[u8], trace: &mut Builder) -> bool {
        let read = self.records(chunk, trace);
        let before = self.before;
        self.before += chunk.len() as u64;
        match read {
            Ok(End::OfChunk) => true,
            Ok(End::OfFile) => {
                self.ended = true;
                false
            }
            Err((at, damage)) => {
                let text = format!(
                    "A file of events that cannot be read to its end: {damage}; what came before \
                     was kept."
                );
                let place = || format!("{}, byte {}", self.file, before + at as u64);
                trace.notices.damage(&text, place);
                self.ended = true;
                false
            }
        }
    }

    /// Once there are no more chunks.
    pub fn finish(mut self, trace: &mut Builder) -> Tally {
        self.hand_over(trace);
        self.flush_until(u64::MAX, trace);
        if let (Some(since_ns), Some(object)) = (self.computes_since_ns, self.object)
            && since_ns < self.now_ns
        {
            trace.computes(object, since_ns, self.now_ns);
        }
        self.tally.markers_lost += self.open.len() as u64;
        let file = &self.file;
        if !self.ended {
            let text = "A file of events without an end: its last ones may be missing.";
            trace.notices.damage(text, || file.clone());
        }
        if self.object.is_none() && self.is_thread {
            trace.provenance.objects_dropped += self.events;
        }
        self.tally.undefined = self.undefined.iter().map(|(region, ())| *region).collect();
        self.note(&mut trace.notices);
        self.tally
    }

    /// Says what was odd, and what is missing.
    fn note(&self, notices: &mut Notices) {
        let Counted { fell, too_large, undefined, .. } = self.counted;
        let regions = self.tally.undefined.len() as u64;
        for (count, is_damage, text) in [
            (self.moment.cancelled, false, CANCELLED),
            (self.nobodys, false, NOBODYS),
            (fell, false, "A counter below its reading before: it counts anew from there."),
            (self.clock.before_begin, false, BEFORE_BEGIN),
            (regions, false, "A region that is not defined; it is shown by its number."),
            (too_large, true, TOO_LARGE),
            (undefined, true, "A reading of a metric that is not defined; it was left out."),
            (self.local.unreadable, true, UNREADABLE),
        ] {
            let place = || self.file.clone();
            match (count, is_damage) {
                (0, _) => {}
                (_, true) => notices.damage_many(text, count, place),
                (_, false) => notices.add_many(text, count, place),
            }
        }
    }

    fn records(&mut self, chunk: &[u8], trace: &mut Builder) -> Result<End, (usize, Damage)> {
        let chunk_bytes = self.archive.anchor.chunk_bytes;
        let records = Records::new(chunk, chunk_bytes, ChunkOf::Events);
        let mut records = records.map_err(|damage| (0, damage))?;
        let mut last_ticks = None;
        loop {
            match records.next_record().map_err(|damage| (records.at(), damage))? {
                Err(end) => return Ok(end),
                Ok(record) => {
                    if last_ticks != Some(record.ticks) {
                        last_ticks = Some(record.ticks);
                        self.is_now(record.ticks, trace);
                    }
                    self.record(record).map_err(|damage| (records.at(), damage))?;
                }
            }
        }
    }

    #[inline]
    fn is_now(&mut self, ticks: u64, trace: &mut Builder) {
        let now_ns = self.clock.ns(ticks);
        if now_ns != self.now_ns {
            self.hand_over(trace);
            self.flush_until(now_ns, trace);
            self.now_ns = now_ns;
        }
    }

    /// What is recorded is written out no more, if that is so by `now_ns`.
    #[inline]
    fn flush_until(&mut self, now_ns: u64, trace: &mut Builder) {
        let ended = self.flushed_ns.take_if(|end_ns| *end_ns <= now_ns);
        if let (Some(end_ns), Some(object)) = (ended, self.object) {
            trace.moment(object, end_ns, &[[u64::from(FLUSH), 0]]);
            self.now_ns = end_ns;
            self.computed(object, trace);
        }
    }

    #[inline]
    fn record(&mut self, record: Record<'_>) -> Result<(), Damage> {
        let Record { id, mut body, .. } = record;
        self.events += 1;
        match id {
            METRIC => {
                let metric = self.local.metrics.of(body.number_32()?);
                let counters = &self.archive.counters;
                self.counted.read(counters, metric, self.is_cpu_thread, &mut body)?;
                if !self.counted.levels.is_empty() {
                    self.levels(metric);
                }
            }
            ENTER | LEAVE => {
                let local = body.number_32()?;
                let (region, known) = self.region(local);
                self.enter_or_leave(id == ENTER, region, known);
            }
            CONTEXT_ENTER | CONTEXT_LEAVE => {
                let context = self.local.contexts.of(body.number_32()?);
                let context = self.archive.definitions.contexts.get(context);
                let region = context.map_or(u64::from(u32::MAX), |of| u64::from(of.region));
                let known = self.known(region);
                self.enter_or_leave(id == CONTEXT_ENTER, region, known);
            }
            CONTEXT_SAMPLE => {
                let context = self.local.contexts.of(body.number_32()?);
                // Of two samples in one nanosecond the later one.
                self.moment.frames.clear();
                match self.stack(context).and_then(|number| self.stacks.get(number)) {
                    Some(stack) => self.moment.frames.extend_from_slice(stack),
                    None => self.moment.frames = self.archive.frames(context),
                }
            }
            BUFFER_FLUSH => {
                let until = body.whole_64()?;
                let until_ns = self.clock.ns(until);
                if until_ns > self.now_ns {
                    self.moment.tracing.push([u64::from(FLUSH), 1]);
                    self.flushed_ns = Some(until_ns);
                }
            }
            MEASUREMENT_ON_OFF => {
                const ON: u8 = 1;
                self.is_recorded = body.byte()? == ON;
                self.moment.tracing.push([u64::from(ENABLED), u64::from(self.is_recorded)]);
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes the levels that were read by `metric`.
    #[inline(never)]
    fn levels(&mut self, metric: u64) {
        let known = order::get(&self.whose, &metric).copied();
        let whose = known.unwrap_or_else(|| {
            let Archive { objects, definitions, .. } = self.archive;
            let whose = objects.of_level(definitions, metric, self.location);
            *order::entry(&mut self.whose, metric) = whose;
            whose
        });
        let levels = self.counted.levels.drain(..);
        match whose {
            None => self.nobodys += levels.count() as u64,
            Some(object) if Some(object) == self.object => self.moment.levels.extend(levels),
            Some(object) => self.moment.beside.extend(levels.map(|level| (object, level))),
        }
    }

    /// Which call-stack is that of a context, kept from when it was first met; `None` if enough are kept.
    fn stack(&mut self, context: u64) -> Option<usize> {
        let key = [context, 0, 0];
        let known = self.contexts.get(key);
        known.or_else(|| {
            let is_kept = self.stacks.len() < MOST_STACKS;
            is_kept.then(|| {
                self.stacks.push(self.archive.frames(context));
                self.contexts.of(key)
            })
        })
    }

    /// The region that the location calls `local`: its number in the archive, and what it is.
    #[inline]
    fn region(&mut self, local: u64) -> (u64, Known) {
        let slot = local as usize % self.recent.len();
        if let Some(&Some((met, region, known))) = self.recent.get(slot)
            && met == local
        {
            return (region, known);
        }
        let region = self.local.regions.of(local);
        let known = self.known(region);
        if let Some(slot) = self.recent.get_mut(slot) {
            *slot = Some((local, region, known));
        }
        (region, known)
    }

    fn known(&mut self, region: u64) -> Known {
        let place = self.archive.definitions.regions.place(region);
        if place.is_none() {
            order::entry(&mut self.undefined, region);
        }
        self.archive.regions.get(place, region)
    }

    #[inline]
    fn enter_or_leave(&mut self, enters: bool, region: u64, known: Known) {
        if enters {
            self.open.push((region, known));
            self.moment.enter(known);
            return;
        }
        // What is open inside of the region has lost its end; a region that is not open its begin.
        let mut open = self.open.iter().enumerate().rev().take(MOST_SEARCHED);
        let Some((at, _)) = open.find(|(_, (open, _))| *open == region) else {
            self.tally.markers_lost += 1;
            return;
        };
        self.tally.markers_lost += (self.open.len() - 1 - at) as u64;
        while self.open.len() > at {
            if let Some((_, known)) = self.open.pop() {
                self.moment.leave(known);
            }
        }
    }

    /// Hands over what happened in the moment that is over.
    fn hand_over(&mut self, trace: &mut Builder) {
        for (object, level) in self.moment.beside.drain(..) {
            trace.moment(object, self.now_ns, &[level]);
        }
        let Some(object) = self.object else {
            self.moment.clear();
            self.counted.since.clear();
            return;
        };
        let now_ns = self.now_ns;
        let Moment { changes, tracing, frames, levels, borders, .. } = &mut self.moment;
        if self.is_cpu_thread && *borders > 0 {
            self.tally.borders += *borders;
            if !self.counted.since.is_empty() {
                self.tally.borders_read += *borders;
            }
        }
        changes.append(tracing);
        changes.append(frames);
        changes.append(levels);
        changes.append(&mut self.counted.since);
        if !changes.is_empty() {
            trace.moment(object, now_ns, changes);
        }
        self.moment.clear();
        self.computed(object, trace);
    }

    /// Whether the thread computes from this moment on.
    #[inline]
    fn computed(&mut self, object: Object, trace: &mut Builder) {
        let is_useful = self.open.last().is_some_and(|(_, known)| known.is_useful);
        let computes =
            self.is_cpu_thread && self.is_recorded && self.flushed_ns.is_none() && is_useful;
        match (self.computes_since_ns, computes) {
            (None, true) => self.computes_since_ns = Some(self.now_ns),
            (Some(since_ns), false) => {
                self.computes_since_ns = None;
                if since_ns < self.now_ns {
                    trace.computes(object, since_ns, self.now_ns);
                }
            }
            _ => {}
        }
    }
}
