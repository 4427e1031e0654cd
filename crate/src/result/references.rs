//! Which data were referenced: objects, and how they are walked through.

use super::Group;
use super::json::{Fields, Writer};

/// A piece of memory that the program knows by a name, with what was sampled of it in the kept
/// instances. The same object of several tasks is one: references lie in it by their offset.
///
/// Source: Servat 2015, §4.6.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DataObject {
    /// A variable's name, or where it was allocated, e.g. `stream.c:181`; of a range that no object
    /// is known for, its first address.
    pub name: String,
    pub kind: ObjectKind,
    /// Address of its first byte, in the first task that referenced it.
    pub address: u64,
    /// Bytes from the first to the last that it covers; of a range without a name, that was seen.
    pub bytes: u64,
    pub loads: u32,
    pub stores: u32,
    /// Distinct bytes seen, in cache lines of 64 bytes: at least so many were touched.
    pub bytes_touched: u64,
    /// Cycles of a sampled load, on average and of all but the dearest 5 %; `None` where no cost was
    /// sampled.
    pub mean_cost: Option<f64>,
    pub high_cost: Option<f64>,
    /// References served by each memory level, as [`MemoryLevel`] counts them.
    pub levels: Vec<u32>,
}

/// Where an object's memory comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ObjectKind {
    /// A variable of the program.
    Static,
    /// Allocated while the program ran.
    Dynamic,
    /// The stack of a thread.
    Stack,
    /// Addresses of which nothing is known.
    #[default]
    Unknown,
}

/// Where a reference was served.
///
/// Source: event type 32000002 of Extrae.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum MemoryLevel {
    #[default]
    Unknown = 0,
    L1 = 1,
    LineFillBuffer = 2,
    L2 = 3,
    L3 = 4,
    RemoteCache = 5,
    RemoteCacheFar = 6,
    Dram = 7,
    RemoteDram = 8,
    RemoteDramFar = 9,
}

/// How an object is walked through in a phase or by a routine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stream {
    /// Index into [`Group::objects`].
    pub object: u32,
    /// The phase it is of: index into [`Group::phases`]; or else the routine.
    pub phase: Option<u32>,
    /// Index into [`Group::routines`].
    pub routine: Option<u32>,
    pub loads: u32,
    pub stores: u32,
    pub direction: Direction,
    /// Bytes per microsecond from one reference to the next of a sweep, negative downwards; 0 where
    /// there is no direction, or where the axis counts events in place of time.
    pub bytes_per_us: f64,
    /// Bytes of which every step is a multiple; 0 where too few were seen.
    pub step_bytes: u64,
    pub mean_cost: Option<f64>,
    pub high_cost: Option<f64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    Ascending,
    Descending,
    /// All at one place.
    Still,
    Random,
    /// Too few references to tell.
    #[default]
    Unknown,
}

impl ObjectKind {
    const NAMES: [(Self, &str); 4] = [
        (Self::Static, "static"),
        (Self::Dynamic, "dynamic"),
        (Self::Stack, "stack"),
        (Self::Unknown, "unknown"),
    ];

    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }

    pub fn named(name: &str) -> Self {
        Self::NAMES
            .iter()
            .find(|(_, known)| *known == name)
            .map_or(Self::Unknown, |(kind, _)| *kind)
    }
}

impl MemoryLevel {
    pub const ALL: [(Self, &str); 10] = [
        (Self::Unknown, "unknown"),
        (Self::L1, "L1"),
        (Self::LineFillBuffer, "line-fill buffer"),
        (Self::L2, "L2"),
        (Self::L3, "L3"),
        (Self::RemoteCache, "remote cache"),
        (Self::RemoteCacheFar, "remote cache, 2 hops"),
        (Self::Dram, "DRAM"),
        (Self::RemoteDram, "remote DRAM"),
        (Self::RemoteDramFar, "remote DRAM, 2 hops"),
    ];

    /// Whatever is not among them is unknown.
    pub fn of(number: u64) -> Self {
        let found = usize::try_from(number).ok().and_then(|number| Self::ALL.get(number));
        found.map_or(Self::Unknown, |(level, _)| *level)
    }

    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

impl Direction {
    const NAMES: [(Self, &str); 5] = [
        (Self::Ascending, "ascending"),
        (Self::Descending, "descending"),
        (Self::Still, "still"),
        (Self::Random, "random"),
        (Self::Unknown, "unknown"),
    ];

    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(direction, _)| *direction == self).map_or("", |(_, name)| name)
    }

    pub fn named(name: &str) -> Self {
        Self::NAMES
            .iter()
            .find(|(_, known)| *known == name)
            .map_or(Self::Unknown, |(found, _)| *found)
    }
}

pub(super) fn write(group: &Group, json: &mut Writer) {
    json.list("objects", &group.objects, |object, json| {
        json.text("name", &object.name);
        json.text("kind", object.kind.name());
        // As text: numbers of JSON are not exact from 2^53 on, where kernels and stacks lie.
        json.text("address", &format!("{:x}", object.address));
        json.count("bytes", object.bytes);
        json.count("loads", u64::from(object.loads));
        json.count("stores", u64::from(object.stores));
        json.count("bytes_touched", object.bytes_touched);
        write_costs(object.mean_cost, object.high_cost, json);
        json.smalls("levels", &object.levels);
    });
    json.list("streams", &group.streams, |stream, json| {
        json.count("object", u64::from(stream.object));
        for (key, index) in [("phase", stream.phase), ("routine", stream.routine)] {
            if let Some(index) = index {
                json.count(key, u64::from(index));
            }
        }
        json.count("loads", u64::from(stream.loads));
        json.count("stores", u64::from(stream.stores));
        json.text("direction", stream.direction.name());
        json.number("bytes_per_us", stream.bytes_per_us);
        json.count("step_bytes", stream.step_bytes);
        write_costs(stream.mean_cost, stream.high_cost, json);
    });
}

fn write_costs(mean: Option<f64>, high: Option<f64>, json: &mut Writer) {
    json.known_number("mean_cost", mean);
    json.known_number("high_cost", high);
}

pub(super) fn read(fields: Fields<'_>, group: &mut Group) {
    group.objects = fields.list("objects", |object| DataObject {
        name: object.text("name"),
        kind: ObjectKind::named(&object.text("kind")),
        address: u64::from_str_radix(&object.text("address"), 16).unwrap_or(0),
        bytes: object.count("bytes"),
        loads: object.small("loads"),
        stores: object.small("stores"),
        bytes_touched: object.count("bytes_touched"),
        mean_cost: object.known("mean_cost"),
        high_cost: object.known("high_cost"),
        levels: object.smalls("levels"),
    });
    group.streams = fields.list("streams", |stream| Stream {
        object: stream.small("object"),
        phase: stream.known("phase").map(|index| index as u32),
        routine: stream.known("routine").map(|index| index as u32),
        loads: stream.small("loads"),
        stores: stream.small("stores"),
        direction: Direction::named(&stream.text("direction")),
        bytes_per_us: stream.number("bytes_per_us"),
        step_bytes: stream.count("step_bytes"),
        mean_cost: stream.known("mean_cost"),
        high_cost: stream.known("high_cost"),
    });
}
