//! A part as bytes.

use std::fmt;

use flate2::Crc;

use super::{End, Format, Partial, Piece, Split};
use crate::input::PART;
use crate::paraver::PrvReader;
use crate::text::{Packed, PackedRead, Words, WordsRead};
use crate::trace::Builder;

/// Of what follows; behind it the version of the program.
const VERSION: u32 = 2;

/// Of the sum at the end, over all before it.
const SUM_BYTES: usize = 4;

const FORMATS: [Format; 6] = [
    Format::Prv,
    Format::Extract,
    Format::PerfScript,
    Format::Otf2,
    Format::FoldRecord,
    Format::EbsTrace,
];

/// Why bytes are no part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotAPart {
    /// They begin otherwise.
    Other,
    /// Another version wrote it; it is named.
    Version(String),
    /// It is cut, or bytes of it are others.
    Damaged,
}

impl NotAPart {
    /// What was found instead, and what was expected.
    pub fn words(&self) -> (String, String) {
        let own = env!("CARGO_PKG_VERSION");
        match self {
            Self::Other => ("something else".to_owned(), "a part of a fold".to_owned()),
            Self::Version(of) => (
                format!("a part that Tracefold {of} wrote"),
                format!("one of Tracefold {own}: parts are read by the version that made them"),
            ),
            Self::Damaged => (
                "a part that is cut or damaged".to_owned(),
                "one as it was written: copy it again, or accumulate it again".to_owned(),
            ),
        }
    }
}

impl fmt::Display for NotAPart {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (found, expected) = self.words();
        write!(out, "found {found}, expected {expected}")
    }
}

impl Partial {
    /// O(events).
    pub fn write(self) -> Vec<u8> {
        let mut packed = Packed(PART.to_vec());
        packed.wide(VERSION);
        packed.text(env!("CARGO_PKG_VERSION"));
        packed.text(&self.region);
        let (code, value) = self.region_code;
        packed.wide(code);
        packed.flag(value.is_some());
        packed.number(value.unwrap_or(0));
        packed.flag(matches!(self.split, Split::Bytes(_)));
        packed.number(self.split.whole());
        let (end, held) = match self.end {
            End::Reached => (0, 0),
            End::Growing => (1, 0),
            End::Full(bytes) => (2, bytes),
        };
        packed.number(end);
        packed.number(held);
        packed.number(FORMATS.iter().position(|format| *format == self.format).unwrap_or(0) as u64);
        packed.number(self.header.len() as u64);
        packed.0.extend(&self.header);
        self.common.pack_common(&mut packed);
        packed.number(self.pieces.len() as u64);
        for Piece { range, reader, trace } in self.pieces {
            packed.number(range.start);
            packed.number(range.end);
            packed.flag(reader.is_some());
            if let Some(reader) = reader {
                let mut words = Words::default();
                reader.write(&mut words);
                packed.number(words.0.len() as u64);
                words.0.iter().for_each(|word| packed.number(u64::from(*word)));
            }
            trace.pack(&mut packed);
        }
        let sum = sum(&packed.0);
        packed.wide(sum);
        packed.0
    }

    /// O(events).
    #[inline(never)]
    pub fn read(bytes: &[u8]) -> Result<Self, NotAPart> {
        let inside = bytes.strip_prefix(PART).ok_or(NotAPart::Other)?;
        let mut packed = PackedRead(inside);
        let version = packed.wide().ok_or(NotAPart::Damaged)?;
        let program = packed.text().ok_or(NotAPart::Damaged)?;
        let own = env!("CARGO_PKG_VERSION");
        if (version, program.as_str()) != (VERSION, own) {
            let of_format =
                if program == own { format!(" (format {version})") } else { String::new() };
            return Err(NotAPart::Version(program + &of_format));
        }
        let end = bytes.len().checked_sub(SUM_BYTES).ok_or(NotAPart::Damaged)?;
        let (summed, written) = bytes.split_at(end);
        if written != sum(summed).to_le_bytes() {
            return Err(NotAPart::Damaged);
        }
        let end = packed.0.len().checked_sub(SUM_BYTES).ok_or(NotAPart::Damaged)?;
        let mut packed = PackedRead(packed.0.get(..end).unwrap_or_default());
        let read = read(&mut packed).filter(|_| packed.0.is_empty());
        read.ok_or(NotAPart::Damaged)
    }
}

fn sum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

fn read(packed: &mut PackedRead<'_>) -> Option<Partial> {
    let region = packed.text()?;
    let code = packed.wide()?;
    let has_value = packed.flag()?;
    let value = packed.number()?;
    let region_code = (code, has_value.then_some(value));
    let is_bytes = packed.flag()?;
    let whole = packed.number()?;
    let split = if is_bytes { Split::Bytes(whole) } else { Split::Tasks(whole) };
    let end = match (packed.number()?, packed.number()?) {
        (0, 0) => End::Reached,
        (1, 0) => End::Growing,
        (2, held) => End::Full(held),
        _ => return None,
    };
    let format = *FORMATS.get(usize::try_from(packed.number()?).ok()?)?;
    let length = packed.count()?;
    let (header, rest) = packed.0.split_at_checked(length)?;
    packed.0 = rest;
    let header = header.to_vec();
    let common = Builder::unpack_common(format.meaning(), packed)?;
    let mut ignored = Builder::new(&common.name, format.meaning());
    let of_lines = match format {
        Format::Prv => Some(PrvReader::with_header(&common.name, &header, &mut ignored).ok()?),
        _ => None,
    };
    let mut pieces = vec![];
    let mut at = 0;
    for _ in 0..packed.count()? {
        let range = packed.number()?..packed.number()?;
        let is_apart = at <= range.start && range.start < range.end && range.end <= whole;
        at = is_apart.then_some(range.end)?;
        let has_reader = packed.flag()?;
        let reader = match (&of_lines, has_reader) {
            (Some(of_lines), true) => {
                let count = packed.count()?;
                let words = (0..count).map(|_| u32::try_from(packed.number()?).ok());
                let words = words.collect::<Option<Vec<_>>>()?;
                Some(of_lines.read_part(&mut WordsRead(&words))?)
            }
            (None, false) => None,
            _ => return None,
        };
        let trace = common.unpack_part(packed)?;
        pieces.push(Piece { range, reader, trace });
    }
    Some(Partial { region, region_code, split, end, format, header, common, pieces })
}
