//! Archives of OTF2, byte by byte: any order of bytes, any size of chunks, any clock.

use std::collections::BTreeMap;

/// Ids of records in files of definitions.
pub mod definition {
    pub const CLOCK: u8 = 5;
    pub const STRING: u8 = 10;
    pub const NODE: u8 = 12;
    pub const GROUP: u8 = 13;
    pub const LOCATION: u8 = 14;
    pub const REGION: u8 = 15;
    pub const MEMBER: u8 = 19;
    pub const CLASS: u8 = 20;
    pub const INSTANCE: u8 = 21;
    pub const LINE: u8 = 33;
    pub const CONTEXT: u8 = 34;
    /// In the file of a location.
    pub const MAP: u8 = 5;
    pub const OFFSET: u8 = 6;
}

/// Ids of events.
pub mod event {
    pub const FLUSH: u8 = 10;
    pub const ON_OFF: u8 = 11;
    pub const ENTER: u8 = 12;
    pub const LEAVE: u8 = 13;
    pub const SEND: u8 = 14;
    pub const METRIC: u8 = 31;
    pub const CONTEXT_ENTER: u8 = 66;
    pub const CONTEXT_LEAVE: u8 = 67;
    pub const SAMPLE: u8 = 68;
}

const ATTRIBUTES: u8 = 6;
const TIMESTAMP: u8 = 5;
const END_OF_FILE: u8 = 2;
const SINGLETONS: [u8; 10] = [12, 13, 16, 17, 20, 21, 24, 28, 29, 30];

/// What is not defined: all ones of 32 bits.
pub const UNDEFINED: u64 = u32::MAX as u64;

/// How files are written.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    pub is_big_endian: bool,
    pub chunk_bytes: usize,
}

impl Default for Format {
    fn default() -> Self {
        Self { is_big_endian: false, chunk_bytes: 256 << 10 }
    }
}

/// The fields of a record.
#[derive(Clone, Debug)]
pub struct Body {
    format: Format,
    pub bytes: Vec<u8>,
}

impl Body {
    pub fn new(format: Format) -> Self {
        Self { format, bytes: vec![] }
    }

    pub fn byte(mut self, byte: u8) -> Self {
        self.bytes.push(byte);
        self
    }

    /// In as many bytes as it takes; of 32 bits what is not defined is one byte.
    pub fn number(self, number: u64) -> Self {
        if number == UNDEFINED { self.byte(255) } else { self.number_64(number) }
    }

    pub fn numbers(self, numbers: &[u64]) -> Self {
        numbers.iter().fold(self, |body, number| body.number(*number))
    }

    pub fn number_64(mut self, number: u64) -> Self {
        if number == u64::MAX {
            return self.byte(255);
        }
        let count = 8 - number.leading_zeros() as usize / 8;
        self.bytes.push(count as u8);
        match self.format.is_big_endian {
            true => self.bytes.extend_from_slice(&number.to_be_bytes()[8 - count..]),
            false => self.bytes.extend_from_slice(&number.to_le_bytes()[..count]),
        }
        self
    }

    pub fn whole_64(mut self, number: u64) -> Self {
        let bytes =
            if self.format.is_big_endian { number.to_be_bytes() } else { number.to_le_bytes() };
        self.bytes.extend_from_slice(&bytes);
        self
    }

    pub fn text(mut self, text: &str) -> Self {
        self.bytes.extend_from_slice(text.as_bytes());
        self.byte(0)
    }
}

/// A file in chunks.
pub struct File {
    format: Format,
    bytes: Vec<u8>,
    chunk_begin: usize,
    ticks: Option<u64>,
    /// Records so far, and before this chunk.
    records: u64,
    before: u64,
}

impl File {
    pub fn new(format: Format) -> Self {
        let mut file =
            Self { format, bytes: vec![], chunk_begin: 0, ticks: None, records: 0, before: 0 };
        file.begin_chunk();
        file
    }

    fn begin_chunk(&mut self) {
        self.chunk_begin = self.bytes.len();
        self.bytes.extend([3, if self.format.is_big_endian { 0x23 } else { 0x42 }]);
        self.bytes.extend([0; 16]);
        self.before = self.records;
    }

    /// The header has the numbers of the chunk's first record and of its last.
    fn end_chunk(&mut self) {
        let numbers = Body::new(self.format).whole_64(self.before + 1).whole_64(self.records);
        let place = self.chunk_begin + 2;
        self.bytes[place..place + 16].copy_from_slice(&numbers.bytes);
    }

    /// Room for so many bytes, and for the byte that ends the chunk.
    fn make_room(&mut self, bytes: usize) {
        let end = self.chunk_begin + self.format.chunk_bytes;
        if self.bytes.len() + bytes + 2 > end {
            self.end_chunk();
            self.bytes.resize(end, 0);
            self.begin_chunk();
            self.ticks = None;
        }
    }

    pub fn record(&mut self, id: u8, body: Body) {
        self.make_room(body.bytes.len() + 10);
        self.records += 1;
        self.put(id, &body.bytes);
    }

    fn put(&mut self, id: u8, body: &[u8]) {
        self.bytes.push(id);
        match u8::try_from(body.len()) {
            Ok(short) if short < 255 => self.bytes.push(short),
            _ => {
                self.bytes.push(255);
                let length = Body::new(self.format).whole_64(body.len() as u64);
                self.bytes.extend(length.bytes);
            }
        }
        self.bytes.extend_from_slice(body);
    }

    /// An event at a time of the location's clock.
    pub fn event(&mut self, ticks: u64, id: u8, body: Body) {
        self.event_with(ticks, id, body, None);
    }

    /// The same with a list of attributes.
    pub fn event_with(&mut self, ticks: u64, id: u8, body: Body, attributes: Option<Body>) {
        let more = attributes.as_ref().map_or(0, |attributes| attributes.bytes.len() + 10);
        self.make_room(body.bytes.len() + 19 + more);
        self.records += 1;
        if self.ticks != Some(ticks) {
            self.bytes.push(TIMESTAMP);
            self.bytes.extend(Body::new(self.format).whole_64(ticks).bytes);
            self.ticks = Some(ticks);
        }
        if let Some(attributes) = attributes {
            self.put(ATTRIBUTES, &attributes.bytes);
        }
        if SINGLETONS.contains(&id) {
            self.bytes.push(id);
            self.bytes.extend_from_slice(&body.bytes);
        } else {
            self.put(id, &body.bytes);
        }
    }

    pub fn records(&self) -> u64 {
        self.records
    }

    pub fn finish(mut self) -> Vec<u8> {
        self.end_chunk();
        self.bytes.extend([END_OF_FILE, 1]);
        self.bytes
    }
}

/// What an anchor says, each at its place; what readers do not need is made up.
#[derive(Clone, Copy, Debug)]
pub struct Anchor {
    pub format: Format,
    pub definition_chunk_bytes: usize,
    pub substrate: u8,
    pub compression: u8,
    pub locations: u64,
    pub definitions: u64,
}

impl Default for Anchor {
    fn default() -> Self {
        let format = Format::default();
        let definition_chunk_bytes = format.chunk_bytes;
        Self {
            format,
            definition_chunk_bytes,
            substrate: 1,
            compression: 1,
            locations: 1,
            definitions: 1,
        }
    }
}

impl Anchor {
    pub fn bytes(&self) -> Vec<u8> {
        let order = if self.format.is_big_endian { 0x23 } else { 0x42 };
        let head = Body { format: self.format, bytes: vec![3, order] };
        let sizes = [self.format.chunk_bytes, self.definition_chunk_bytes];
        let body = head.text("OTF2").byte(3).byte(2).byte(3).byte(0).byte(2);
        let body = body.whole_64(sizes[0] as u64).whole_64(sizes[1] as u64);
        let body = body.byte(self.substrate).byte(self.compression);
        let body = body.whole_64(self.locations).whole_64(self.definitions);
        let mut body = body.text("machine").text("tracefold-generate").text("");
        // No properties, a number for the trace, no snapshots, no thumbnails, and the end.
        body.bytes.extend([0; 4]);
        body = body.whole_64(1);
        body.bytes.extend([0; 8]);
        body.byte(END_OF_FILE).byte(1).byte(0).bytes
    }
}

/// The definitions of an archive, each text once.
pub struct Definitions {
    pub format: Format,
    pub file: File,
    strings: BTreeMap<String, u64>,
    counts: BTreeMap<u8, u64>,
}

impl Definitions {
    /// With the ticks per second of its clock, and the ticks at its begin.
    pub fn new(format: Format, ticks_per_second: u64, begin: u64) -> Self {
        let (strings, counts) = Default::default();
        let mut all = Self { format, file: File::new(format), strings, counts };
        let clock = all.body().number_64(ticks_per_second).number_64(begin).number_64(1);
        all.file.record(definition::CLOCK, clock);
        all
    }

    pub fn body(&self) -> Body {
        Body::new(self.format)
    }

    /// The next number of a kind.
    pub fn next(&mut self, kind: u8) -> u64 {
        let count = self.counts.entry(kind).or_default();
        *count += 1;
        *count - 1
    }

    pub fn string(&mut self, text: &str) -> u64 {
        if let Some(number) = self.strings.get(text) {
            return *number;
        }
        let number = self.next(definition::STRING);
        self.strings.insert(text.to_owned(), number);
        self.file.record(definition::STRING, self.body().number(number).text(text));
        number
    }

    pub fn node(&mut self, name: &str, class: &str, parent: u64) -> u64 {
        let (name, class) = (self.string(name), self.string(class));
        let number = self.next(definition::NODE);
        self.file.record(definition::NODE, self.body().numbers(&[number, name, class, parent]));
        number
    }

    /// A process, or (`creator`) what belongs to its accelerator.
    pub fn group(&mut self, name: &str, node: u64, creator: Option<u64>) -> u64 {
        let name = self.string(name);
        let number = self.next(definition::GROUP);
        let kind = if creator.is_some() { 2 } else { 1 };
        let body = self.body().numbers(&[number, name]).byte(kind).number(node);
        self.file.record(definition::GROUP, body.number(creator.unwrap_or(UNDEFINED)));
        number
    }

    /// `kind`: 1 a thread of a processor, 2 a stream of an accelerator, 3 metrics.
    pub fn location(&mut self, location: u64, kind: u8, events: u64, group: u64) {
        let name = self.string(&format!("location {location}"));
        let body = self.body().number_64(location).number(name).byte(kind);
        self.file.record(definition::LOCATION, body.number_64(events).number(group));
    }

    pub fn region(&mut self, name: &str, paradigm: u8, role: u8, file: &str, line: u64) -> u64 {
        let (name, file) = (self.string(name), self.string(file));
        let number = self.next(definition::REGION);
        let body = self.body().numbers(&[number, name, name]).byte(0).numbers(&[file, line, line]);
        let body = body.number(name).byte(role).byte(paradigm).number(0);
        self.file.record(definition::REGION, body);
        number
    }

    /// `mode`: 0 accumulated, 1 absolute, 2 relative; `value`: 4 whole, 10 floating.
    pub fn member(&mut self, name: &str, mode: u8, value: u8, exponent: i64, unit: &str) -> u64 {
        let (text, unit) = (self.string(name), self.string(unit));
        let number = self.next(definition::MEMBER);
        let body =
            self.body().numbers(&[number, text, text]).byte(0).byte(mode).byte(value).byte(1);
        self.file.record(definition::MEMBER, body.number_64(exponent as u64).number(unit));
        number
    }

    /// `occurrence`: 0 read at every border, 1 with events, 2 at any time.
    pub fn class(&mut self, members: &[u64], occurrence: u8) -> u64 {
        let number = self.next(definition::CLASS);
        let body = self.body().number(number).byte(members.len() as u8).numbers(members);
        self.file.record(definition::CLASS, body.byte(occurrence).byte(0));
        number
    }

    /// A class read of something: `scope` 0 a location, 1 a group, 2 a node, and its number. Its own is one of
    /// classes.
    pub fn instance(&mut self, class: u64, recorder: u64, scope: u8, of: u64) -> u64 {
        let number = self.next(definition::CLASS);
        let body = self.body().numbers(&[number, class]).number_64(recorder);
        self.file.record(definition::INSTANCE, body.byte(scope).number_64(of));
        number
    }

    pub fn line(&mut self, file: &str, line: u64) -> u64 {
        let file = self.string(file);
        let number = self.next(definition::LINE);
        self.file.record(definition::LINE, self.body().numbers(&[number, file, line]));
        number
    }

    pub fn context(&mut self, region: u64, line: u64, parent: u64) -> u64 {
        let number = self.next(definition::CONTEXT);
        self.file.record(definition::CONTEXT, self.body().numbers(&[number, region, line, parent]));
        number
    }
}

/// An archive of so many locations, of which each passes `iterations` times through a region with one
/// inside of it; `with_metrics`: three counters at every border.
pub fn many(locations: u64, iterations: u64, with_metrics: bool) -> Vec<(String, Vec<u8>)> {
    let format = Format { chunk_bytes: 1 << 20, ..Format::default() };
    let mut all = Definitions::new(format, 1_000_000_000, 0);
    let node = all.node("node", "node", UNDEFINED);
    let regions = ["main", "iteration"].map(|name| all.region(name, 2, 1, "a.c", 7));
    let members = ["PAPI_TOT_INS", "PAPI_TOT_CYC", "PAPI_L2_DCM"];
    let members = members.map(|name| all.member(name, 0, 4, 0, "#"));
    let class = all.class(&members, 0);
    let mut files = vec![];
    for location in 0..locations {
        let process = all.group("process", node, None);
        all.location(location, 1, 4 * iterations, process);
        let mut events = File::new(format);
        let (mut ticks, mut count) = (1000 + 10 * location, 0);
        let mut border = |ticks: u64, id: u8, region: u64| {
            if with_metrics {
                count += 700;
                let values = [3 * count, 2 * count + ticks % 7, count / 100];
                let body = Body::new(format).number(class).byte(3);
                let body = values.iter().fold(body, |body, value| body.byte(4).number_64(*value));
                events.event(ticks, event::METRIC, body);
            }
            events.event(ticks, id, Body::new(format).number(region));
        };
        for _ in 0..iterations {
            let borders =
                [(event::ENTER, 0), (event::ENTER, 1), (event::LEAVE, 1), (event::LEAVE, 0)];
            for (id, region) in borders {
                border(ticks, id, regions[region]);
                ticks += 100 + ticks % 13;
            }
        }
        files.push((format!("traces/{location}.evt"), events.finish()));
        files.push((format!("traces/{location}.def"), File::new(format).finish()));
    }
    let (definition_chunk_bytes, definitions) = (format.chunk_bytes, all.file.records());
    let anchor =
        Anchor { format, definition_chunk_bytes, locations, definitions, ..Anchor::default() };
    files.push(("traces.otf2".to_owned(), anchor.bytes()));
    files.push(("traces.def".to_owned(), all.file.finish()));
    files
}
