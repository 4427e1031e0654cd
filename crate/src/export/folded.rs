//! The folded instance as events of a trace: what each group's curves, samples and stretches are
//! between the begin and the end of one real instance.
//!
//! One file per region, because regions lie inside one another; along a counter none is written.
//! The callers are 600000004 and 600000005, the routine of each level 31000000 on from the root
//! (the reference reuses the user function's type, and numbers levels from the innermost).
//! Call-stacks keep no closing zeros, as no sampled trace has them. Codes that are not Paraver's
//! (of an `.extract`) become 60000019, 42000050 and 49000000 on.

use super::callers;
use super::instances::{Delimited, Found, delimited, find, opening_value};
use super::label::Used;
use crate::folding::{Curve, Fate, Folding, Group, InstanceRow, Phase, Place};
use crate::order::{self, Numbers};
use crate::paraver;
use crate::trace::{Event, Kind, Object, Trace};

/// Codes that traces written by Folding have beside those of their source.
pub const GROUP: u32 = 600_000_001;
pub const PHASE: u32 = 600_000_002;
const FIRST_PHASE: u64 = 1;
pub const CALLER: u32 = 600_000_004;
pub const CALLER_LINE: u32 = 600_000_005;
pub const REGION: u32 = 600_000_006;

// Where Paraver's meaning of a code must hold and a trace of another format has its own code.
const USER_FUNCTION: u32 = 60_000_019;
const TOTAL_INSTRUCTIONS: u32 = 42_000_050;
const FREE_COUNTERS: u32 = 49_000_000;

/// An event to be written.
pub struct Written {
    pub time_ns: u64,
    pub object: Object,
    pub code: u32,
    pub value: u64,
}

/// The folded instances of one region, ready to be written.
pub struct Folded {
    /// By time, then object, those of one moment in their order.
    pub events: Vec<Written>,
    /// Object, begin and end of each instance that was fed, by begin.
    pub fed: Vec<(Object, u64, u64)>,
    /// What the events are called.
    pub used: Used,
    /// Code of the counter of completed instructions, if it was folded.
    pub instructions: Option<u32>,
    /// How many groups, routines and lines there are: their values count from 1.
    pub groups: u32,
    pub routines: usize,
    pub lines: usize,
}

/// Feeds into the `nth` (from 1) kept instance of each group what folding found.
///
/// Instances count by their end, as the trace tells of them; a group with fewer is left out.
pub fn folded(trace: &Trace, folding: &Folding, nth: u32) -> Folded {
    let mut feeding = Feeding::new(trace);
    let Some(delimited) = delimited(trace, folding) else { return feeding.finish(0) };
    let found = find(trace, folding);
    let mut fed = Vec::new();
    for group in &folding.groups {
        let mut kept = group.rows.iter().filter(|row| row.fate == Fate::Used);
        let row = (nth as usize).checked_sub(1).and_then(|index| kept.nth(index));
        let at = found.iter().find(|found| row.is_some_and(|row| std::ptr::eq(row, found.row)));
        fed.extend(at.map(|at| (group, at)));
    }
    order::by_number(&mut fed, |(_, found)| found.row.start_ns);
    let names = fed.iter().map(|(group, _)| group.phases.as_slice()).collect::<Vec<_>>();
    feeding.name_phases(&names);
    for (group, fed) in fed {
        feeding.feed(group, fed, (delimited, &folding.region), &found);
    }
    feeding.finish(folding.groups.iter().map(|group| group.number).max().unwrap_or(0))
}

struct Feeding<'a> {
    trace: &'a Trace,
    events: Vec<Written>,
    fed: Vec<(Object, u64, u64)>,
    used: Used,
    instructions: Option<u32>,
    routines: Words,
    lines: Words,
}

/// Words numbered from 1 as they are met.
#[derive(Default)]
struct Words {
    all: Vec<String>,
    numbers: Vec<(String, u64)>,
}

impl Words {
    fn numbers(&mut self, words: impl Iterator<Item = String>) -> Vec<u64> {
        let number = |word: String| {
            let number = order::entry(&mut self.numbers, word.clone());
            if *number == 0 {
                self.all.push(word);
                *number = self.all.len() as u64;
            }
            *number
        };
        words.map(number).collect()
    }
}

impl<'a> Feeding<'a> {
    fn new(trace: &'a Trace) -> Self {
        let mut used = Used::default();
        for (code, label) in [
            (GROUP, "Folded instance group"),
            (PHASE, "Folded phase"),
            (CALLER, "Folded caller"),
            (CALLER_LINE, "Folded caller line"),
            (REGION, "Folded type"),
        ] {
            used.event_type(code, label);
            used.value(code, 0, || Some("End".to_owned()));
        }
        let (routines, lines) = Default::default();
        Self { trace, events: vec![], fed: vec![], used, instructions: None, routines, lines }
    }

    fn finish(mut self, groups: u32) -> Folded {
        let events = &mut self.events;
        order::by_number(events, |event| event.object.thread.into());
        order::by_number(events, |Written { object, .. }| {
            u64::from(object.application) << 32 | u64::from(object.task)
        });
        order::by_number(events, |event| event.time_ns);
        let Self { events, fed, used, instructions, routines, lines, .. } = self;
        let (routines, lines) = (routines.all.len(), lines.all.len());
        Folded { events, fed, used, instructions, groups, routines, lines }
    }

    fn feed(
        &mut self,
        group: &Group,
        fed: &Found<'_>,
        (delimited, region): (Delimited, &str),
        all: &[Found<'_>],
    ) {
        let object = fed.thread.object;
        let (start, end) = (fed.row.start_ns, fed.row.start_ns + fed.row.duration_ns);
        let (code, value) = match delimited {
            Delimited::ByEvents { event_type, value } => {
                let value = opening_value(fed, event_type, value);
                let code = self.region_code(event_type);
                self.used.event(self.trace, event_type, code, value);
                self.used.event(self.trace, event_type, code, 0);
                let name = self.trace.value_name(event_type, value);
                self.used.value(REGION, value, || Some(name));
                (code, value)
            }
            Delimited::ByNone => {
                // What has no event of its own is a routine, so that it can be folded again.
                self.used.event_type(USER_FUNCTION, "User function");
                self.used.value(USER_FUNCTION, 0, || Some("End".to_owned()));
                for code in [USER_FUNCTION, REGION] {
                    self.used.value(code, 1, || Some(region.to_owned()));
                }
                (USER_FUNCTION, 1)
            }
        };
        self.used.value(GROUP, group.number.into(), || Some(format!("Group {}", group.number)));

        let number = u64::from(group.number);
        let begins = [(GROUP, number), (PHASE, FIRST_PHASE), (code, value), (REGION, value)];
        for (code, value) in begins {
            self.push(start, object, code, value);
        }
        for curve in &group.curves {
            self.counter(curve, fed);
        }
        self.samples(all.iter().filter(|found| found.group == group.number), fed);
        self.stretches(group, fed);
        self.phases(&group.phases, fed);
        for (code, _) in begins {
            self.push(end, object, code, 0);
        }
        self.fed.push((object, start, end));
    }

    fn push(&mut self, time_ns: u64, object: Object, code: u32, value: u64) {
        self.events.push(Written { time_ns, object, code, value });
    }

    /// Phases by number, with the name that a person gave them if no group has another for it.
    fn name_phases(&mut self, of_groups: &[&[Phase]]) {
        let most = of_groups.iter().map(|phases| phases.len()).max().unwrap_or(0).max(1);
        for (number, index) in (FIRST_PHASE..).zip(0..most) {
            let mut names =
                of_groups.iter().filter_map(|phases| phases.get(index)).map(|p| &p.name);
            let name = names.next().filter(|name| !name.is_empty() && names.all(|n| n == *name));
            let label = name.map_or_else(
                || format!("Phase {number}"),
                |name| format!("Phase {number}: {name}"),
            );
            self.used.value(PHASE, number, || Some(label));
        }
    }

    /// The number of the phase from where it begins on; of those within one nanosecond the last.
    fn phases(&mut self, phases: &[Phase], fed: &Found<'_>) {
        let InstanceRow { start_ns, duration_ns, .. } = *fed.row;
        let at = |phase: &Phase| rounded(phase.start * duration_ns as f64);
        let begins = (FIRST_PHASE..).zip(phases).skip(1);
        for ((number, phase), next) in begins.zip(phases.iter().skip(2).map(Some).chain([None])) {
            let ends = next.map_or(duration_ns, at);
            if at(phase) < ends {
                self.push(start_ns + at(phase), fed.thread.object, PHASE, number);
            }
        }
    }

    /// The curve as events since the previous reading, at its grid's moments.
    ///
    /// Rates are the curve's: what is counted in all is its mean rate over the duration of this
    /// instance. A count cannot fall, so where the curve does, it stays.
    fn counter(&mut self, curve: &Curve, fed: &Found<'_>) {
        let code = self.counter_code(curve);
        let object = fed.thread.object;
        let (start, duration) = (fed.row.start_ns, fed.row.duration_ns);
        let total = curve.of_all().mean_rate * (duration as f64 / 1e3);
        self.push(start, object, code, 0);
        let last = curve.fitted.len().max(2) - 1;
        let at = |j: usize| rounded(j as f64 / last as f64 * duration as f64).min(duration);
        let (mut highest, mut counted, mut until) = (0.0f64, 0u64, 0u64);
        for (j, share) in curve.fitted.iter().enumerate().skip(1) {
            highest = highest.max(*share);
            // Of grid points within one nanosecond only the last is told.
            let elapsed = at(j);
            let is_last_of_its_time = j == last || at(j + 1) > elapsed;
            if !is_last_of_its_time || elapsed <= until {
                continue;
            }
            let count = rounded(highest * total).max(counted);
            self.push(start + elapsed, object, code, count - counted);
            (counted, until) = (count, elapsed);
        }
    }

    /// Call-stacks and references of every sample of the kept instances. Of samples that fall on
    /// one nanosecond the first is told.
    fn samples<'f>(&mut self, all: impl Iterator<Item = &'f Found<'f>>, fed: &Found<'_>) {
        let duration = fed.row.duration_ns;
        let mut taken = Numbers::default();
        for found in all.filter(|found| found.row.fate == Fate::Used && duration > 1) {
            for at in found.instance.first + 1..found.instance.last {
                let moment = found.thread.moment(at as usize);
                let x = (moment.time - found.row.start_ns) as f64 / found.row.duration_ns as f64;
                let elapsed = ((x * duration as f64) as u64).clamp(1, duration - 1);
                let coded = moment.events().filter_map(|event| Some((event, self.code(event)?)));
                let coded = coded.collect::<Vec<_>>();
                let met = taken.len();
                if coded.is_empty() || taken.of([elapsed, 0, 0]) < met {
                    continue;
                }
                for (event, code) in coded {
                    self.used.event(self.trace, event.event_type, code, event.value);
                    let time_ns = fed.row.start_ns + elapsed;
                    self.push(time_ns, fed.thread.object, code, event.value);
                }
            }
        }
    }

    /// Which routine is active, at which line, and which ones are on the call-stack at each level.
    fn stretches(&mut self, group: &Group, fed: &Found<'_>) {
        let InstanceRow { start_ns, duration_ns, .. } = *fed.row;
        let routines = self.routines.numbers(group.routines.iter().cloned());
        let lines = self.lines.numbers(group.places.iter().map(line_label));
        let levels = callers::levels(group).map(|level| callers::ALIGNED + level);
        for code in levels.clone() {
            let label = format!("Folded aligned caller (level {})", code - callers::ALIGNED);
            self.used.event_type(code, &label);
            self.used.value(code, 0, || Some("End".to_owned()));
        }
        for code in levels.chain([CALLER, CALLER_LINE]) {
            let words = if code == CALLER_LINE { &self.lines } else { &self.routines };
            for (number, word) in (1..).zip(&words.all) {
                self.used.value(code, number, || Some(word.clone()));
            }
        }
        for (elapsed, code, value) in callers::changes(group, duration_ns, &routines, &lines) {
            self.push(start_ns + elapsed, fed.thread.object, code, value);
        }
    }

    /// What the region's type is called in a Paraver trace: itself, if it is one there too.
    fn region_code(&self, event_type: u32) -> u32 {
        let known = self.trace.types.get(event_type as usize);
        let code = known.map_or(USER_FUNCTION, |known| known.code);
        let kind = paraver::meaning(code, &self.trace.labels).kind;
        if matches!(kind, Kind::Region(..)) { code } else { USER_FUNCTION }
    }

    /// The same for a counter; its label too.
    fn counter_code(&mut self, curve: &Curve) -> u32 {
        let mut counters = (0u32..).zip(&self.trace.types);
        let known = counters.find(|(_, t)| t.kind == Kind::Counter && t.name == curve.counter);
        let Some((index, known)) = known else { return FREE_COUNTERS };
        let is_counter = paraver::meaning(known.code, &self.trace.labels).kind == Kind::Counter;
        let label = self.trace.labels.of_type(known.code).unwrap_or(&known.name).to_owned();
        let code = match (is_counter, curve.instructions) {
            (true, _) => known.code,
            (false, true) => TOTAL_INSTRUCTIONS,
            (false, false) => FREE_COUNTERS + index,
        };
        if curve.instructions {
            self.instructions.get_or_insert(code);
        }
        self.used.event_type(code, &label);
        code
    }

    /// The code of an event that belongs to a sample; `None` for any other.
    fn code(&self, event: Event) -> Option<u32> {
        match self.trace.kind(event.event_type) {
            Kind::Routine(depth) => Some(30_000_000 + u32::from(depth)),
            Kind::CodeLine(depth) => Some(30_000_100 + u32::from(depth)),
            Kind::Reference(part) => Some(paraver::code_of(part)),
            _ => None,
        }
    }
}

fn line_label(place: &Place) -> String {
    match (place.line, place.file.as_str()) {
        (0, "") => "0 (Unresolved)".to_owned(),
        (0, file) => file.to_owned(),
        (line, file) => format!("{line} ({file})"),
    }
}

/// To the nearest whole number; halves up. Below 2⁵³, as times and counts are here.
fn rounded(value: f64) -> u64 {
    (value + 0.5) as u64
}
