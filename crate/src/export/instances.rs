//! The instances of a folding, found again in their trace.

use crate::folding::{Folding, InstanceRow, RegionKind};
use crate::instance::{Counting, Instance, Region, RegionNames, executions, resolve};
use crate::order;
use crate::trace::{Thread, Trace};

/// An instance of a folding and where in the trace it lies.
pub struct Found<'a> {
    pub row: &'a InstanceRow,
    /// Number of its group.
    pub group: u32,
    pub thread: &'a Thread,
    pub instance: Instance,
}

/// Every instance of every group, by application, task, thread and start. O(instances log moments).
///
/// What is not in the trace is left out: instances that events delimit, where none does.
pub fn find<'a>(trace: &'a Trace, folding: &'a Folding) -> Vec<Found<'a>> {
    let groups = folding.groups.iter();
    let rows = groups.flat_map(|group| group.rows.iter().map(move |row| (row, group.number)));
    let mut rows = rows.collect::<Vec<_>>();
    order::by_number(&mut rows, |(row, _)| row.start_ns);
    order::by(&mut rows, |(a, _), (b, _)| a.object.cmp(&b.object));
    let counting = match folding.kind {
        RegionKind::Events | RegionKind::Iteration => Counting::Every,
        RegionKind::Cluster | RegionKind::Burst => Counting::First,
    };
    let mut found = Vec::with_capacity(rows.len());
    for of_thread in rows.chunk_by(|(a, _), (b, _)| a.object == b.object) {
        let Some((row, _)) = of_thread.first() else { continue };
        let is_of = |thread: &&Thread| {
            let object = thread.object;
            [object.application, object.task, object.thread] == row.object
        };
        let Some((index, thread)) = (0..).zip(&trace.threads).find(|(_, of)| is_of(of)) else {
            continue;
        };
        found.extend(of_thread.iter().filter_map(|&(row, group)| {
            let ends_ns = [row.start_ns, row.start_ns.saturating_add(row.duration_ns)];
            let instance = Instance::between(trace, index, ends_ns, counting)?;
            let is_there = instance.counting != Counting::Unknown || !folding.kind.is_of_events();
            is_there.then_some(Found { row, group, thread, instance })
        }));
    }
    found
}

/// What delimits the instances of a folding in its trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimited {
    /// Events of a type (index into [`Trace::types`]): of one value, or of any.
    ByEvents { event_type: u32, value: Option<u64> },
    /// No event: it was found to repeat.
    ByNone,
}

/// What delimits the region that was folded; `None` if the folding is not of this trace. O(events).
pub fn delimited(trace: &Trace, folding: &Folding) -> Option<Delimited> {
    if !folding.kind.is_of_events() {
        return Some(Delimited::ByNone);
    }
    let executions = executions(trace, |_| true);
    match resolve(&RegionNames::new(trace, &executions, &[]), &folding.region).first()? {
        Region::Events { event_type, value } => {
            Some(Delimited::ByEvents { event_type: *event_type, value: *value })
        }
        Region::Repeated(_) => None,
    }
}

/// The value of a type that opens an instance of `value` or of any: its own, or what is met there.
pub fn opening_value(found: &Found<'_>, event_type: u32, value: Option<u64>) -> u64 {
    let of_type = |event: &crate::trace::Event| event.event_type == event_type;
    let met = || {
        let moment = found.thread.moment(found.instance.first as usize);
        let opens = moment.events().filter(of_type).filter(|event| event.value != 0);
        opens.last().map_or(1, |event| event.value)
    };
    value.unwrap_or_else(met)
}
