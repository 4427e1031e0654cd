use super::bytes::UNDEFINED;
use super::counters::Counters;
use super::definitions::Definitions;
use super::objects::Objects;
use super::regions::Regions;
use super::{Anchor, CODE_LINE, ROUTINE};
use crate::order;
use crate::text::{Words, WordsRead};
use crate::trace::{Boundaries, Builder, Object};

/// What all locations of an archive share.
#[derive(Clone, Debug)]
pub struct Archive {
    pub anchor: Anchor,
    pub definitions: Definitions,
    pub(super) regions: Regions,
    pub(super) counters: Counters,
    pub(super) objects: Objects,
}

/// Frames that are kept of a call-stack, the innermost ones.
const MOST_FRAMES: u64 = 100;

impl Archive {
    /// `definitions`: all of them, finished.
    pub fn new(anchor: Anchor, definitions: Definitions) -> Self {
        Self {
            regions: Regions::of(&definitions),
            counters: Counters::of(&definitions),
            objects: Objects::of(&definitions),
            anchor,
            definitions,
        }
    }

    /// The locations that may have events, in the order of their threads; those that are none, last.
    pub fn locations(&self) -> Vec<u64> {
        let locations = self.definitions.locations.iter();
        let mut all = locations.map(|(id, _)| (self.objects.get(id), id)).collect::<Vec<_>>();
        order::by(&mut all, |a, b| (a.0.is_none(), a).cmp(&(b.0.is_none(), b)));
        all.into_iter().map(|(_, id)| id).collect()
    }

    /// The thread that a location is; `None` if it is none, or nobody says whose.
    pub fn object(&self, location: u64) -> Option<Object> {
        self.objects.get(location)
    }

    /// How many events its definition says that a location has.
    pub fn promised_events(&self, location: u64) -> u64 {
        self.definitions.locations.get(location).map_or(0, |location| location.events)
    }

    /// Gives a trace the names of the archive, and what is known before any event is read.
    pub fn label(&self, trace: &mut Builder) {
        self.regions.label(&[], self.has_samples(), &mut trace.labels);
        self.counters.label(&mut trace.labels);
        trace.nodes = vec![self.objects.nodes.clone()];
        let own = self.definitions.unreadable;
        if own > 0 {
            let text = "A definition that cannot be read; it was left out.";
            trace.notices.damage_many(text, own, String::new);
        }
    }

    fn has_samples(&self) -> bool {
        !self.definitions.contexts.is_empty()
    }

    /// Once all locations are joined.
    pub fn finish(&self, tally: &Tally, trace: &mut Builder) {
        if !tally.undefined.is_empty() {
            self.regions.label(&tally.undefined, self.has_samples(), &mut trace.labels);
        }
        let provenance = &mut trace.provenance;
        provenance.markers_lost = tally.markers_lost;
        provenance.boundaries = match (self.counters.len(), tally.borders_read) {
            (0, _) | (_, 0) => Boundaries::Absent,
            (_, read) if read == tally.borders => Boundaries::Exact,
            // Nothing is interpolated: an instance has the counters that its borders have.
            _ => Boundaries::Unknown,
        };
        let ticks = self.definitions.clock.ticks_per_second;
        provenance.clock = format!("OTF2, {ticks} ticks per second");
        if tally.corrected_at > 0 {
            provenance.clock += &format!(", corrected at {} points", tally.corrected_at);
        }
    }

    /// Types and values of the call-stack that a context is the leaf of, the innermost frame first.
    pub(super) fn frames(&self, context: u64) -> Vec<[u64; 2]> {
        let mut frames = Vec::new();
        let mut at = context;
        for depth in 0..MOST_FRAMES {
            let Some(known) = self.definitions.contexts.get(at) else { break };
            let region = self.definitions.regions.place(u64::from(known.region));
            if let Some(routine) = self.regions.routine(region) {
                frames.push([u64::from(ROUTINE) + depth, u64::from(routine)]);
            }
            let line = self.definitions.lines.place(u64::from(known.line));
            if let Some(line) = self.regions.line(line) {
                frames.push([u64::from(CODE_LINE) + depth, u64::from(line)]);
            }
            at = u64::from(known.parent);
            if at == UNDEFINED {
                break;
            }
        }
        frames
    }
}

/// What was met in locations, summed over them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Regions entered and never left, or left and never entered.
    pub markers_lost: u64,
    /// Regions entered or left by threads of processors, and how many of these with counters.
    pub borders: u64,
    pub borders_read: u64,
    /// At how many points the clock of a location is corrected, at most.
    pub corrected_at: u64,
    /// Regions that are not defined, rising.
    pub undefined: Vec<u64>,
}

impl Tally {
    pub fn join(&mut self, other: Self) {
        self.markers_lost += other.markers_lost;
        self.borders += other.borders;
        self.borders_read += other.borders_read;
        self.corrected_at = self.corrected_at.max(other.corrected_at);
        self.undefined = order::distinct(self.undefined.iter().chain(&other.undefined).copied());
    }

    pub fn write(&self, words: &mut Words) {
        let Self { markers_lost, borders, borders_read, corrected_at, undefined } = self;
        for number in [markers_lost, borders, borders_read, corrected_at] {
            words.number(*number);
        }
        words.number(undefined.len() as u64);
        undefined.iter().for_each(|id| words.number(*id));
    }

    /// `None` if that is not what was written.
    pub fn read(words: &mut WordsRead<'_>) -> Option<Self> {
        let mut next = || words.number();
        let [markers_lost, borders, borders_read] = [next()?, next()?, next()?];
        let corrected_at = next()?;
        let undefined = (0..words.count()?).map(|_| words.number()).collect::<Option<_>>()?;
        Some(Self { markers_lost, borders, borders_read, corrected_at, undefined })
    }
}
