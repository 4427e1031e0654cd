//! What a location, a region, a metric is: the file `NAME.def`.

use super::Damage;
use super::bytes::{Bytes, UNDEFINED};
use super::record::{ChunkOf, End, Record, Records};
use super::table::Table;

/// The definitions of an archive, as they are written: names are numbers of strings.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    pub clock: ClockProperties,
    pub strings: Strings,
    pub nodes: Table<Node>,
    pub groups: Table<Group>,
    pub locations: Table<Location>,
    pub regions: Table<Region>,
    pub members: Table<Member>,
    pub classes: Table<Class>,
    /// Instances of metric classes, by their numbers.
    pub instances: Table<Instance>,
    /// Code lines: file and line.
    pub lines: Table<(u32, u32)>,
    pub contexts: Table<Context>,
    /// Records that could not be read; they were left out.
    pub unreadable: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockProperties {
    pub ticks_per_second: u64,
    /// Ticks at time 0.
    pub begin: u64,
}

impl Default for ClockProperties {
    fn default() -> Self {
        Self { ticks_per_second: 1_000_000_000, begin: 0 }
    }
}

/// A node of the system tree: a machine, a computer, a processor.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub name: u32,
    pub class: u32,
    pub parent: u32,
}

/// A process, or what belongs to an accelerator.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    pub is_process: bool,
    pub node: u32,
    /// The process that an accelerator belongs to.
    pub creator: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct Location {
    pub kind: LocationKind,
    /// As far as the archive knows: not every tracer does.
    pub events: u64,
    pub group: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocationKind {
    CpuThread,
    AcceleratorStream,
    /// No thread: metrics of a process, a computer or more are written to it.
    Metric,
    Other,
}

#[derive(Clone, Copy, Debug)]
pub struct Region {
    pub name: u32,
    pub file: u32,
    pub line: u32,
    pub role: u8,
    pub paradigm: u8,
}

/// A metric, such as a counter.
#[derive(Clone, Copy, Debug, Default)]
pub struct Member {
    pub name: u32,
    pub description: u32,
    pub mode: u8,
    pub is_float: bool,
    /// What its value is multiplied by: a power of 2 or of 10.
    pub is_decimal: bool,
    pub exponent: i64,
    pub unit: u32,
}

/// Types of values that are floats, of 32 and of 64 bits.
pub const FLOATS: [u8; 2] = [9, 10];

/// Metrics that are written together.
#[derive(Clone, Debug)]
pub struct Class {
    pub members: Box<[u32]>,
    pub is_synchronous: bool,
}

/// A class of metrics that are read of something.
#[derive(Clone, Copy, Debug)]
pub struct Instance {
    pub class: u32,
    pub scope: Scope,
}

/// What metrics are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// A location.
    Location(u64),
    /// A process, or what belongs to an accelerator.
    Group(u64),
    /// A node of the system tree.
    Node(u64),
    /// A set of these, or nothing that is known.
    Other,
}

/// A frame of a call-stack, and the one that it was called from.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    pub region: u32,
    pub line: u32,
    pub parent: u32,
}

/// Texts by number, one behind the other.
#[derive(Clone, Debug, Default)]
pub struct Strings {
    text: Vec<u8>,
    ranges: Table<(u32, u32)>,
}

impl Strings {
    /// `None` if there is no such string.
    pub fn get(&self, number: u32) -> Option<String> {
        let &(from, to) = self.ranges.get(u64::from(number))?;
        let text = self.text.get(from as usize..to as usize)?;
        Some(String::from_utf8_lossy(text).into_owned())
    }

    fn add(&mut self, number: u64, text: &[u8]) {
        let from = self.text.len() as u32;
        self.text.extend_from_slice(text);
        self.ranges.add(number, (from, self.text.len() as u32));
    }
}

impl Definitions {
    /// Takes the next chunk of `NAME.def`; whether another one may follow.
    ///
    /// An error, with where that is, if it begins with no header or ends inside a record.
    pub fn chunk(&mut self, chunk: &[u8], chunk_bytes: usize) -> Result<bool, (usize, Damage)> {
        each_record(chunk, chunk_bytes, &mut |record| {
            self.unreadable += u64::from(self.record(record).is_err());
        })
    }

    /// Once all are there: of those that were defined twice the last one counts.
    pub fn finish(&mut self) {
        self.strings.ranges.finish();
        self.nodes.finish();
        self.groups.finish();
        self.locations.finish();
        self.regions.finish();
        self.members.finish();
        self.classes.finish();
        self.instances.finish();
        self.lines.finish();
        self.contexts.finish();
    }

    // Out of the closure that calls it, so that the page loads it for archives alone.
    #[inline(never)]
    fn record(&mut self, Record { id, mut body, .. }: Record<'_>) -> Result<(), Damage> {
        let of = &mut body;
        match id {
            5 => {
                let (ticks_per_second, begin) = (of.number_64()?, of.number_64()?);
                self.clock = ClockProperties { ticks_per_second: ticks_per_second.max(1), begin };
            }
            10 => self.strings.add(of.number_32()?, of.text()?),
            12 => {
                let id = of.number_32()?;
                let [name, class, parent] = references(of)?;
                self.nodes.add(id, Node { name, class, parent });
            }
            13 => {
                let (id, _name) = (of.number_32()?, of.number_32()?);
                let is_process = of.byte()? == 1;
                let node = reference(of)?;
                let creator = if of.left() > 0 { reference(of)? } else { UNDEFINED as u32 };
                self.groups.add(id, Group { is_process, node, creator });
            }
            14 => {
                let (id, _name) = (of.number_64()?, of.number_32()?);
                let kind = match of.byte()? {
                    1 => LocationKind::CpuThread,
                    2 => LocationKind::AcceleratorStream,
                    3 => LocationKind::Metric,
                    _ => LocationKind::Other,
                };
                let events = of.number_64()?;
                self.locations.add(id, Location { kind, events, group: reference(of)? });
            }
            15 => {
                let id = of.number_32()?;
                let [name, _description] = references(of)?;
                of.byte()?;
                let [file, line, _last_line] = references(of)?;
                // Before version 1.1 there was no more.
                let (mut role, mut paradigm) = (0, 0);
                if of.left() > 0 {
                    of.number_32()?;
                    (role, paradigm) = (of.byte()?, of.byte()?);
                }
                self.regions.add(id, Region { name, file, line, role, paradigm });
            }
            19 => {
                let id = of.number_32()?;
                let [name, description] = references(of)?;
                let [_type, mode, value] = [of.byte()?, of.byte()?, of.byte()?];
                let is_float = FLOATS.contains(&value);
                let is_decimal = of.byte()? != 0;
                let exponent = of.number_64()? as i64;
                let unit = reference(of)?;
                let member =
                    Member { name, description, mode, is_float, is_decimal, exponent, unit };
                self.members.add(id, member);
            }
            20 => {
                let id = of.number_32()?;
                let count = of.byte()?;
                let members = (0..count).map(|_| reference(of)).collect::<Result<_, _>>()?;
                const ASYNCHRONOUS: u8 = 2;
                let is_synchronous = of.byte()? < ASYNCHRONOUS;
                self.classes.add(id, Class { members, is_synchronous });
            }
            21 => {
                let (id, class) = (of.number_32()?, reference(of)?);
                let _recorder = of.number_64()?;
                let (kind, id_of) = (of.byte()?, of.number_64()?);
                let scope = match kind {
                    0 => Scope::Location(id_of),
                    1 => Scope::Group(id_of),
                    2 => Scope::Node(id_of),
                    _ => Scope::Other,
                };
                self.instances.add(id, Instance { class, scope });
            }
            33 => {
                let id = of.number_32()?;
                let [file, line] = references(of)?;
                self.lines.add(id, (file, line));
            }
            34 => {
                let id = of.number_32()?;
                let [region, line, parent] = references(of)?;
                self.contexts.add(id, Context { region, line, parent });
            }
            _ => {}
        }
        Ok(())
    }
}

/// Hands the records of a chunk of definitions to `take`; returns whether another chunk may follow.
pub fn each_record(
    chunk: &[u8],
    chunk_bytes: usize,
    take: &mut dyn FnMut(Record<'_>),
) -> Result<bool, (usize, Damage)> {
    let records = Records::new(chunk, chunk_bytes, ChunkOf::Definitions);
    let mut records = records.map_err(|damage| (0, damage))?;
    loop {
        match records.next_record().map_err(|damage| (records.at(), damage))? {
            Ok(record) => take(record),
            Err(end) => return Ok(end == End::OfChunk),
        }
    }
}

fn reference(of: &mut Bytes<'_>) -> Result<u32, Damage> {
    Ok(of.number_32()? as u32)
}

fn references<const COUNT: usize>(of: &mut Bytes<'_>) -> Result<[u32; COUNT], Damage> {
    let mut all = [0; COUNT];
    for one in &mut all {
        *one = reference(of)?;
    }
    Ok(all)
}
