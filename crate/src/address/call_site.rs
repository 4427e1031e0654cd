//! Where in the program memory was asked for.

use crate::order;
use crate::source::CodeLine;
use crate::trace::{AllocationPart, Kind, Moment, Trace};

/// The places that allocate, numbered as they are met.
#[derive(Debug, Default)]
pub struct CallSites {
    numbers: Vec<(String, u32)>,
    /// Of each: its name, and the largest block of each slot.
    sites: Vec<(String, Vec<u64>)>,
}

/// More blocks of one site that live side by side are one object, not one each.
const MOST_NUMBERED: usize = 16;

impl CallSites {
    /// The number of the site from which the call at `moment` came.
    pub fn of(&mut self, trace: &Trace, moment: &Moment<'_>) -> u32 {
        let name = name(trace, moment);
        if let Some(number) = order::get(&self.numbers, &name) {
            return *number;
        }
        let number = self.sites.len() as u32;
        *order::entry(&mut self.numbers, name.clone()) = number;
        self.sites.push((name, vec![]));
        number
    }

    /// Takes note of a block of so many bytes.
    pub fn note_block(&mut self, site: u32, slot: u32, bytes: u64) {
        let slots = &mut self.sites[site as usize].1;
        slots.resize(slots.len().max(slot as usize + 1), 0);
        let largest = &mut slots[slot as usize];
        *largest = (*largest).max(bytes);
    }

    /// The object that the blocks of `slot` are, or lie in: which slot stands for it, and where they
    /// begin in it.
    ///
    /// Blocks that live one after another are one object. Those that live side by side are one
    /// each, up to 16; more of them are one object in which they lie one behind the other.
    pub fn object_of(&self, site: u32, slot: u32) -> (u32, u64) {
        let slots = self.slots(site);
        if slots.len() <= MOST_NUMBERED {
            return (slot, 0);
        }
        let before = slots.get(..slot as usize).unwrap_or_default();
        (0, before.iter().fold(0, |sum: u64, bytes| sum.saturating_add(*bytes)))
    }

    /// How many bytes the object that `slot` stands for has.
    pub fn bytes(&self, site: u32, slot: u32) -> u64 {
        let slots = self.slots(site);
        match slots.len() {
            0..=MOST_NUMBERED => slots.get(slot as usize).copied().unwrap_or(0),
            _ => slots.iter().fold(0, |sum: u64, bytes| sum.saturating_add(*bytes)),
        }
    }

    /// What people call it: `stream.c:181`, or `stream.c:181 #2` of several that live side by side.
    pub fn name(&self, site: u32, slot: u32) -> String {
        let Some((name, slots)) = self.sites.get(site as usize) else { return String::new() };
        match slots.len() {
            2..=MOST_NUMBERED => format!("{name} #{}", slot + 1),
            _ => name.clone(),
        }
    }

    fn slots(&self, site: u32) -> &[u64] {
        self.sites.get(site as usize).map_or(&[], |(_, slots)| slots)
    }
}

/// Files of the C++ library through which containers ask for memory: who calls them is meant.
const PASSING_ON: [&str; 22] = [
    "new_op.cc",
    "new_opv.cc",
    "new_opa.cc",
    "new_allocator.h",
    "alloc_traits.h",
    "allocator.h",
    "allocated_ptr.h",
    "shared_ptr.h",
    "shared_ptr_base.h",
    "unique_ptr.h",
    "std_function.h",
    "hashtable.h",
    "hashtable_policy.h",
    "basic_string.h",
    "basic_string.tcc",
    "vector.tcc",
    "deque.tcc",
    "stl_vector.h",
    "stl_deque.h",
    "stl_list.h",
    "stl_tree.h",
    "stl_construct.h",
];

/// The nearest line that is known and does not only pass on, else the nearest line or routine, else
/// what the tracer calls the object.
fn name(trace: &Trace, moment: &Moment<'_>) -> String {
    // By whether it only passes on, then by its distance.
    let mut nearest: Option<((bool, u8), CodeLine)> = None;
    let mut routine: Option<(u8, String)> = None;
    let mut object = None;
    for event in moment.events() {
        let label = || trace.value_name(event.event_type, event.value);
        match trace.kind(event.event_type) {
            Kind::CallerLine(level) => {
                let line = CodeLine::from_label(&label());
                let rank = (PASSING_ON.contains(&line.file.as_str()), level);
                let is_known = line.line > 0 && !line.file.is_empty();
                if is_known && nearest.as_ref().is_none_or(|(nearest, _)| rank < *nearest) {
                    nearest = Some((rank, line));
                }
            }
            // 0 to 2 are those that the tracer could not resolve.
            Kind::Caller(level)
                if event.value > 2 && routine.as_ref().is_none_or(|(near, _)| level < *near) =>
            {
                routine = Some((level, label()));
            }
            Kind::Allocation(AllocationPart::DataObject) => object = Some(label()),
            _ => {}
        }
    }
    let line = nearest.map(|(_, CodeLine { file, line })| format!("{file}:{line}"));
    line.or(routine.map(|(_, name)| name)).or(object).unwrap_or_else(|| "allocated".to_owned())
}
