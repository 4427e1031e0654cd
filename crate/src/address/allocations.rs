//! Which memory was allocated when, and where in the program.

use std::collections::BTreeMap;

use super::call_site::CallSites;
use crate::order::{self, Key};
use crate::trace::{AllocationPart, Kind, Thread, Trace};

/// All memory that calls asked for, by task.
#[derive(Debug, Default)]
pub struct Allocations {
    /// By application and task.
    tasks: Vec<((u32, u32), Vec<Block>)>,
    pub sites: CallSites,
    /// Allocations at memory that was in use: the end of the earlier one was not recorded.
    pub overlapping: u64,
}

/// A piece of memory from the call that allocated it to the one that freed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    pub start: u64,
    /// 0 for an allocation of nothing.
    pub bytes: u64,
    pub born_ns: u64,
    /// `u64::MAX` if it was never freed.
    pub died_ns: u64,
    /// Index into [`Allocations::sites`].
    pub site: u32,
    /// The smallest number that none of the blocks of its task and site that live beside it has.
    pub slot: u32,
}

impl Block {
    fn end(&self) -> u64 {
        self.start.saturating_add(self.bytes)
    }

    pub fn has(&self, address: u64) -> bool {
        address.checked_sub(self.start).is_some_and(|offset| offset < self.bytes)
    }
}

/// What a call did to memory.
enum Action {
    Freed { start: u64 },
    Allocated { start: u64, bytes: u64, site: u32, grown: Option<u64> },
}

impl Allocations {
    /// The threads of a task share its memory. O(moments of allocations × log).
    pub fn of(trace: &Trace) -> Self {
        let mut found = Self::default();
        let shapes = trace.shapes_with(|_, kind| matches!(kind, Kind::Allocation(_)));
        if !shapes.contains(&true) {
            return found;
        }
        let task_of = |thread: &Thread| (thread.object.application, thread.object.task);
        for threads in trace.threads.chunk_by(|a, b| task_of(a) == task_of(b)) {
            let mut actions = vec![];
            for thread in threads {
                actions_of(trace, thread, &shapes, &mut found.sites, &mut actions);
            }
            order::by_number(&mut actions, |(time_ns, _)| *time_ns);
            let blocks = found.lives(actions);
            if let (false, Some(thread)) = (blocks.is_empty(), threads.first()) {
                found.tasks.push((task_of(thread), blocks));
            }
        }
        found
    }

    /// The blocks of a task by birth.
    pub fn of_task(&self, task: (u32, u32)) -> &[Block] {
        order::get(&self.tasks, &task).map_or(&[], Vec::as_slice)
    }

    /// The blocks that `actions` of one task, by time, make. At any time they lie apart: one that
    /// begins in another ends it.
    fn lives(&mut self, actions: Vec<(u64, Action)>) -> Vec<Block> {
        let mut blocks: Vec<Block> = vec![];
        let mut live = Live::default();
        let mut slots = Slots::default();
        for (time_ns, action) in actions {
            let end = |block: &mut Block, slots: &mut Slots| {
                block.died_ns = time_ns;
                slots.leave(block.site, block.slot);
            };
            match action {
                Action::Freed { start } => {
                    // What was allocated before the trace began, or was too small to be recorded,
                    // is freed all the same.
                    if let Some(index) = live.take(start) {
                        end(&mut blocks[index], &mut slots);
                    }
                }
                Action::Allocated { start, bytes, site, grown } => {
                    let old = grown.and_then(|start| live.take(start));
                    if let Some(index) = old {
                        blocks[index].died_ns = time_ns;
                    }
                    for index in live.overlapping(&blocks, start, bytes) {
                        self.overlapping += 1;
                        live.take(blocks[index].start);
                        end(&mut blocks[index], &mut slots);
                    }
                    // What grows stays what it was.
                    let (site, slot) = match old.map(|index| blocks[index]) {
                        Some(Block { site, slot, .. }) => (site, slot),
                        None => (site, slots.enter(site)),
                    };
                    self.sites.note_block(site, slot, bytes);
                    let (born_ns, died_ns) = (time_ns, u64::MAX);
                    live.put(start, blocks.len());
                    blocks.push(Block { start, bytes, born_ns, died_ns, site, slot });
                }
            }
        }
        blocks
    }
}

/// Blocks that are alive, by address.
#[derive(Default)]
pub struct Live(BTreeMap<Key, u64>);

impl Live {
    pub fn put(&mut self, start: u64, index: usize) {
        self.0.insert([start, 0, 0], index as u64);
    }

    pub fn take(&mut self, start: u64) -> Option<usize> {
        self.0.remove(&[start, 0, 0]).map(|index| index as usize)
    }

    /// The block that begins at `address` or last before it.
    pub fn at_or_before(&self, address: u64) -> Option<usize> {
        let before = self.0.range([0; 3]..=[address, 0, 0]).next_back();
        before.map(|(_, index)| *index as usize)
    }

    /// Those that share a byte with `bytes` from `start` on, or begin there.
    fn overlapping(&self, blocks: &[Block], start: u64, bytes: u64) -> Vec<usize> {
        let last = start.saturating_add(bytes.max(1) - 1);
        let inside = self.0.range([start, 0, 0]..=[last, 0, 0]).map(|(_, index)| *index as usize);
        let before = start.checked_sub(1).and_then(|before| self.at_or_before(before));
        let before = before.filter(|index| bytes > 0 && blocks[*index].end() > start);
        before.into_iter().chain(inside).collect()
    }
}

/// Which numbers the live blocks of each call site have.
#[derive(Default)]
struct Slots {
    /// Those that were given back: site and slot.
    free: BTreeMap<Key, u64>,
    /// How many each site has given out.
    given: Vec<u32>,
}

impl Slots {
    /// The smallest that is free.
    fn enter(&mut self, site: u32) -> u32 {
        let of_site = [u64::from(site), 0, 0]..=[u64::from(site), u64::MAX, 0];
        if let Some(key) = self.free.range(of_site).next().map(|(key, _)| *key) {
            self.free.remove(&key);
            return key[1] as u32;
        }
        self.given.resize(self.given.len().max(site as usize + 1), 0);
        let next = &mut self.given[site as usize];
        *next += 1;
        *next - 1
    }

    fn leave(&mut self, site: u32, slot: u32) {
        self.free.insert([u64::from(site), u64::from(slot), 0], 0);
    }
}

/// A call that has begun and not ended.
struct Pending {
    bytes: u64,
    grown: Option<u64>,
    site: u32,
}

/// What the calls of one thread do.
fn actions_of(
    trace: &Trace,
    thread: &Thread,
    shapes: &[bool],
    sites: &mut CallSites,
    actions: &mut Vec<(u64, Action)>,
) {
    let mut pending: Option<Pending> = None;
    for moment in thread.moments().filter(|moment| moment.is_of(shapes)) {
        let [mut call, mut bytes, mut pointer_in, mut pointer_out] = [None; 4];
        for event in moment.events() {
            let part = match trace.kind(event.event_type) {
                Kind::Allocation(AllocationPart::Call) => &mut call,
                Kind::Allocation(AllocationPart::Size) => &mut bytes,
                Kind::Allocation(AllocationPart::PointerIn) => &mut pointer_in,
                Kind::Allocation(AllocationPart::PointerOut) => &mut pointer_out,
                _ => continue,
            };
            *part = Some(event.value);
        }
        let begins = bytes.map(|bytes| Pending {
            bytes,
            grown: pointer_in.filter(|start| *start > 0),
            site: sites.of(trace, &moment),
        });
        // An end comes before a begin of the same moment, unless nothing had begun.
        let (ended, begins) = match (pending.take(), begins) {
            (Some(ended), begins) if pointer_out.is_some() => (Some(ended), begins),
            (_, begins) if pointer_out.is_some() => (begins, None),
            (Some(open), None) if call != Some(0) => {
                pending = Some(open);
                (None, None)
            }
            (_, begins) => (None, begins),
        };
        if let (Some(Pending { bytes, grown, site }), Some(start)) = (ended, pointer_out) {
            match start {
                // A reallocation to nothing frees; any other that returns nothing has failed.
                0 if bytes == 0 => {
                    actions.extend(grown.map(|start| (moment.time, Action::Freed { start })));
                }
                0 => {}
                _ => {
                    let allocated = Action::Allocated { start, bytes, site, grown };
                    actions.push((moment.time, allocated));
                }
            }
        }
        match (begins, pointer_in) {
            (Some(begun), _) => pending = Some(begun),
            (None, Some(start)) if bytes.is_none() && start > 0 => {
                actions.push((moment.time, Action::Freed { start }));
            }
            (None, _) => {}
        }
    }
}
