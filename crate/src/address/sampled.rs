//! The sampled references of a group.

use crate::folding::Fate;
use crate::instance::{Giving, Group, Rulers};
use crate::order;
use crate::trace::{Event, Kind, Moment, ReferencePart, Trace};

/// A sampled load or store of a kept instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reference {
    /// Folded time, 0 to 1.
    pub x: f64,
    /// Index into [`Trace::threads`], and of the moment in it.
    pub thread: u32,
    pub moment: u32,
    pub time_ns: u64,
    /// Not 0.
    pub address: u64,
    pub is_store: bool,
    /// As Extrae numbers them: 0 unknown, 1 L1, 2 line-fill buffer, 3 L2, 4 L3, 5 and 6 remote
    /// caches, 7 DRAM, 8 and 9 that of others.
    pub level: u8,
    /// 0 unknown, 1 and 2 the levels of the TLB, 3 a walk.
    pub tlb: u8,
    /// Cycles; 0 where no cost was sampled.
    pub cost: u32,
    /// What the tracer calls the data object: type and value of an event; (0, 0) for nothing.
    pub named: (u32, u64),
}

/// The references of the kept instances of `group`, of those that are `giving`, along `rulers`: by `x`, of
/// those alike in the order of the instances, then of the trace. O(n log n).
pub fn references(
    trace: &Trace,
    group: &Group,
    rulers: &Rulers,
    giving: &Giving,
) -> Vec<Reference> {
    let mut found = vec![];
    let shapes = trace.shapes_with(|_, kind| is_address(kind));
    if !shapes.contains(&true) {
        return found;
    }
    let given = group.instances.iter().enumerate().filter(|(at, _)| giving.has(*at));
    for (_, (instance, _)) in given.filter(|(_, (_, fate))| *fate == Fate::Used) {
        let thread = &trace.threads[instance.thread as usize];
        let ruler = rulers.ruler(trace, instance);
        let inside = thread.moments_between(instance.first, instance.last);
        for (moment, at) in inside.zip(instance.first + 1..).filter(|(m, _)| m.is_of(&shapes)) {
            let Some(x) = ruler.place(moment.time) else { continue };
            for event in moment.events().filter(|event| is_address(trace.kind(event.event_type))) {
                let sampled = sampled(trace, &moment, event);
                let place = Reference { x, thread: instance.thread, moment: at, ..sampled };
                found.extend((place.address != 0).then_some(place));
            }
        }
    }
    order::by_number(&mut found, |reference| order::of_float(reference.x));
    found
}

/// Whether any load or store was sampled.
pub fn has_references(trace: &Trace) -> bool {
    trace.shapes_with(|_, kind| is_address(kind)).contains(&true)
}

fn is_address(kind: Kind) -> bool {
    matches!(kind, Kind::Reference(ReferencePart::LoadAddress | ReferencePart::StoreAddress))
}

/// The reference to the address of `event`, with what else its moment tells.
fn sampled(trace: &Trace, moment: &Moment<'_>, event: Event) -> Reference {
    let [mut level, mut level_hit, mut tlb, mut tlb_hit, mut cost] = [None; 5];
    let mut named = (0, 0);
    for event in moment.events() {
        let part = match trace.kind(event.event_type) {
            Kind::Reference(ReferencePart::Level) => &mut level,
            Kind::Reference(ReferencePart::LevelHit) => &mut level_hit,
            Kind::Reference(ReferencePart::TlbLevel) => &mut tlb,
            Kind::Reference(ReferencePart::TlbHit) => &mut tlb_hit,
            Kind::Reference(ReferencePart::Cost) => &mut cost,
            Kind::Reference(ReferencePart::DataObject) if event.value > 0 => {
                named = (event.event_type, event.value);
                continue;
            }
            _ => continue,
        };
        *part = Some(event.value);
    }
    const MISS: Option<u64> = Some(2);
    Reference {
        x: 0.0,
        thread: 0,
        moment: 0,
        time_ns: moment.time,
        address: event.value,
        is_store: trace.kind(event.event_type) == Kind::Reference(ReferencePart::StoreAddress),
        // What missed at a level was served by another, which is not told.
        level: match level {
            Some(level @ 1..=9) if level_hit != MISS => level as u8,
            _ => 0,
        },
        tlb: match tlb {
            Some(level @ 1..=2) if tlb_hit != MISS => level as u8,
            Some(0..=2) => 3,
            _ => 0,
        },
        cost: cost.map_or(0, |cycles| u32::try_from(cycles).unwrap_or(u32::MAX)),
        named,
    }
}
