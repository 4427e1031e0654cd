//! The instances of a folding, found again in their trace.

use crate::folding::{Folding, InstanceRow};
use crate::instance::{Region, RegionNames, executions, resolve};
use crate::order;
use crate::trace::{Thread, Trace};

/// An instance of a folding and where in the trace it lies.
pub struct Found<'a> {
    pub row: &'a InstanceRow,
    /// Number of its group.
    pub group: u32,
    pub thread: &'a Thread,
    /// Indices of the moments at which it begins and ends.
    pub first: u32,
    pub last: u32,
}

/// Every instance of every group, by application, task, thread and start. O(moments).
///
/// Instances of one region never overlap on a thread. What is not in the trace is left out.
pub fn find<'a>(trace: &'a Trace, folding: &'a Folding) -> Vec<Found<'a>> {
    let groups = folding.groups.iter();
    let rows = groups.flat_map(|group| group.rows.iter().map(move |row| (row, group.number)));
    let mut rows = rows.collect::<Vec<_>>();
    order::by_number(&mut rows, |(row, _)| row.start_ns);
    order::by(&mut rows, |(a, _), (b, _)| a.object.cmp(&b.object));
    let mut found = Vec::with_capacity(rows.len());
    for of_thread in rows.chunk_by(|(a, _), (b, _)| a.object == b.object) {
        let Some((row, _)) = of_thread.first() else { continue };
        let thread = trace.threads.iter().find(|thread| {
            let object = thread.object;
            [object.application, object.task, object.thread] == row.object
        });
        if let Some(thread) = thread {
            on_thread(thread, of_thread, &mut found);
        }
    }
    found
}

fn on_thread<'a>(thread: &'a Thread, rows: &[(&'a InstanceRow, u32)], found: &mut Vec<Found<'a>>) {
    let mut rows = rows.iter().peekable();
    let mut open: Option<(&(&InstanceRow, u32), u32)> = None;
    for (at, moment) in (0u32..).zip(thread.moments()) {
        if let Some(&(&(row, group), first)) = open.as_ref()
            && moment.time >= row.start_ns.saturating_add(row.duration_ns)
        {
            if moment.time - row.start_ns == row.duration_ns {
                found.push(Found { row, group, thread, first, last: at });
            }
            open = None;
        }
        // One that ends here may be followed by one that begins here.
        while rows.next_if(|(row, _)| row.start_ns < moment.time).is_some() {}
        if open.is_none() {
            open = rows.next_if(|(row, _)| row.start_ns == moment.time).map(|row| (row, at));
        }
    }
}

/// The region that was folded; `None` if the folding is not of this trace. O(events).
pub fn region(trace: &Trace, folding: &Folding) -> Option<Region> {
    let executions = executions(trace, |_| true);
    resolve(&RegionNames::new(trace, &executions), &folding.region).first().copied()
}

/// The value that opens `region` at the begin of an instance: its own, or what is met there.
pub fn opening_value(found: &Found<'_>, region: Region) -> u64 {
    let of_type = |event: &crate::trace::Event| event.event_type == region.event_type;
    let met = || {
        let moment = found.thread.moment(found.first as usize);
        let opens = moment.events().filter(of_type).filter(|event| event.value != 0);
        opens.last().map_or(1, |event| event.value)
    };
    region.value.unwrap_or_else(met)
}
