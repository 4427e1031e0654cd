//! The objects that references lie in, told apart as they are met.

use super::allocations::{Allocations, Block, Live};
use super::ranges::is_stack;
use super::sampled::Reference;
use super::variables::Variables;
use crate::folding::{DataObject, ObjectKind};
use crate::order::{self, Key, Numbers};
use crate::trace::Trace;

/// The objects met so far.
#[derive(Default)]
pub struct Objects {
    /// By what tells them apart: see [`Objects::number`].
    numbers: Numbers,
    /// Variables by name, size, and how many of both lie below.
    variables: Vec<((String, u64, u32), u64)>,
    met: Vec<DataObject>,
}

/// What is known of the memory of a task, at a time that goes on.
pub struct Task<'a> {
    allocations: &'a Allocations,
    blocks: &'a [Block],
    /// Blocks by death, and how many have been born and died.
    by_death: Vec<u32>,
    born: usize,
    died: usize,
    live: Live,
    variables: Variables<'a>,
    /// The object of each variable that was met.
    objects: Vec<Option<u32>>,
}

impl<'a> Task<'a> {
    pub fn new(trace: &'a Trace, allocations: &'a Allocations, task: (u32, u32)) -> Self {
        let blocks = allocations.of_task(task);
        let variables = Variables::of(trace, task);
        Self {
            allocations,
            blocks,
            by_death: order::indices(blocks.iter().map(|block| block.died_ns)),
            born: 0,
            died: 0,
            live: Live::default(),
            objects: vec![None; variables.len()],
            variables,
        }
    }

    /// The block round `address` at `time_ns`, which never goes back.
    fn block_at(&mut self, time_ns: u64, address: u64) -> Option<&'a Block> {
        loop {
            let birth = self.blocks.get(self.born).map(|block| block.born_ns);
            let dying = self.by_death.get(self.died).map(|index| &self.blocks[*index as usize]);
            let birth = birth.filter(|birth| *birth <= time_ns);
            match (dying.filter(|block| block.died_ns <= time_ns), birth) {
                // What dies as another is born makes room for it.
                (Some(dead), birth) if birth.is_none_or(|birth| dead.died_ns <= birth) => {
                    self.live.take(dead.start);
                    self.died += 1;
                }
                (_, Some(_)) => {
                    let block = &self.blocks[self.born];
                    // One that dies in the moment of its birth never lives.
                    if block.died_ns > block.born_ns {
                        self.live.put(block.start, self.born);
                    }
                    self.born += 1;
                }
                (_, None) => break,
            }
        }
        let block = &self.blocks[self.live.at_or_before(address)?];
        block.has(address).then_some(block)
    }
}

impl Objects {
    /// The object of this kind and these numbers; `make` says what it is if it is new.
    fn number(
        &mut self,
        kind: ObjectKind,
        [a, b]: [u64; 2],
        make: impl FnOnce() -> DataObject,
    ) -> u32 {
        let key: Key = [kind as u64, a, b];
        let number = self.numbers.of(key);
        if number == self.met.len() {
            self.met.push(make());
        }
        number as u32
    }

    /// The allocated block or the variable in which a reference lies, and how far in it. Times of
    /// one task never go back.
    pub fn place(&mut self, task: &mut Task<'_>, reference: &Reference) -> Option<(u32, u64)> {
        let &Reference { time_ns, address, .. } = reference;
        if let Some(block) = task.block_at(time_ns, address) {
            let sites = &task.allocations.sites;
            let (slot, begin) = sites.object_of(block.site, block.slot);
            let object =
                self.number(ObjectKind::Dynamic, [u64::from(block.site), u64::from(slot)], || {
                    DataObject {
                        name: sites.name(block.site, slot),
                        kind: ObjectKind::Dynamic,
                        address: block.start,
                        bytes: sites.bytes(block.site, slot),
                        ..DataObject::default()
                    }
                });
            return Some((object, begin.saturating_add(address - block.start)));
        }
        let index = task.variables.at(address)?;
        let variable = task.variables.get(index);
        let object = match task.objects[index] {
            Some(object) => object,
            None => {
                let key = (variable.name.clone(), variable.bytes, task.variables.ordinal(index));
                let next = self.variables.len() as u64;
                let number = *match self.variables.binary_search_by(|(known, _)| known.cmp(&key)) {
                    Ok(at) => &self.variables[at].1,
                    Err(at) => {
                        self.variables.insert(at, (key, next));
                        &self.variables[at].1
                    }
                };
                self.number(ObjectKind::Static, [number, 0], || DataObject {
                    name: variable.name.clone(),
                    kind: ObjectKind::Static,
                    address: variable.start,
                    bytes: variable.bytes,
                    ..DataObject::default()
                })
            }
        };
        task.objects[index] = Some(object);
        Some((object, address - variable.start))
    }

    /// The object that the tracer names, or the stack.
    pub fn place_seen(&mut self, trace: &Trace, reference: &Reference) -> Option<u32> {
        let &Reference { address, named: (event_type, value), .. } = reference;
        let kind = match value {
            0 if is_stack(address) => ObjectKind::Stack,
            0 => return None,
            _ => ObjectKind::Dynamic,
        };
        let name = || match kind {
            ObjectKind::Stack => "stack".to_owned(),
            _ => match trace.value_name(event_type, value) {
                number if number == value.to_string() => format!("object {number}"),
                name => name,
            },
        };
        // Beyond all call sites, which are numbered from 0.
        let key = if value > 0 { [u64::from(u32::MAX), value] } else { [0, 0] };
        let object = || DataObject { name: name(), kind, address, ..DataObject::default() };
        Some(self.number(kind, key, object))
    }

    /// A range of addresses that begins at `first`.
    pub fn range(&mut self, first: u64) -> u32 {
        let name = || format!("0x{first:x}");
        let object = || DataObject { name: name(), address: first, ..DataObject::default() };
        self.number(ObjectKind::Unknown, [first, 0], object)
    }

    /// By object, the lowest of the addresses `seen` in it, which becomes its own if it had none
    /// before.
    pub fn lowest(&mut self, seen: impl Iterator<Item = (u32, u64)>) -> Vec<u64> {
        let mut lowest = vec![u64::MAX; self.met.len()];
        for (object, address) in seen {
            let known = &mut lowest[object as usize];
            *known = (*known).min(address);
        }
        for (object, lowest) in self.met.iter_mut().zip(&lowest) {
            // Of the first task that was there; nothing has been seen of it so far.
            if object.bytes == 0 && *lowest < u64::MAX {
                object.address = *lowest;
            }
        }
        lowest
    }

    /// The object reaches as far as a byte seen at `offset`.
    pub fn grow(&mut self, object: u32, offset: u64) {
        let bytes = &mut self.met[object as usize].bytes;
        *bytes = (*bytes).max(offset.saturating_add(1));
    }

    /// All objects by address, and the place of each by its number.
    pub fn by_address(self) -> (Vec<DataObject>, Vec<u32>) {
        let mut numbered = self.met.into_iter().zip(0u32..).collect::<Vec<_>>();
        order::by(&mut numbered, |(a, _), (b, _)| (a.address, &a.name).cmp(&(b.address, &b.name)));
        let mut places = vec![0; numbered.len()];
        for ((_, number), place) in numbered.iter().zip(0..) {
            places[*number as usize] = place;
        }
        (numbered.into_iter().map(|(object, _)| object).collect(), places)
    }
}
