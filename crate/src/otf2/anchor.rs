use super::Damage;
use super::bytes::Bytes;
use crate::text::ParseError;

/// What the file `NAME.otf2` says of its archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// Bytes of a chunk of events, and of one of definitions.
    pub chunk_bytes: usize,
    pub definition_chunk_bytes: usize,
    /// Which program wrote it.
    pub creator: String,
}

/// Sizes that a chunk may have: those that the reference library writes.
const CHUNK_BYTES: std::ops::RangeInclusive<u64> = 256 << 10..=16 << 20;

impl Anchor {
    /// An error if it is none, or if its archive is of a kind that is not read; it says what to do.
    pub fn read(file: &str, anchor: &[u8]) -> Result<Self, ParseError> {
        let cut = |_| ParseError::of_file(file, "an anchor that is cut short", WHOLE);
        let mut bytes = Bytes::new(anchor);
        let begins = bytes.begin().and_then(|()| bytes.text());
        if begins != Ok(b"OTF2".as_slice()) {
            return Err(ParseError::of_file(file, "no anchor of OTF2", WHOLE));
        }
        let said = said(&mut bytes).map_err(cut)?;
        match said.substrate {
            POSIX => {}
            SION => {
                let found = "an archive written into SION containers";
                let expected = "files of its own for each location: write it again with \
                                SCOREP_TRACING_USE_SION=false, or convert it";
                return Err(ParseError::of_file(file, found, expected));
            }
            other => {
                let found = format!("an archive without files of events (substrate {other})");
                return Err(ParseError::of_file(file, &found, WHOLE));
            }
        }
        if said.compression != NOT_COMPRESSED {
            let found = "an archive compressed by an OTF2 before 3.0";
            let expected = "one that is not compressed, as later ones write it";
            return Err(ParseError::of_file(file, found, expected));
        }
        let chunk = |bytes: u64, of: &str| match usize::try_from(bytes) {
            Ok(size) if CHUNK_BYTES.contains(&bytes) => Ok(size),
            _ => {
                let found = format!("chunks of {of} of {bytes} bytes");
                Err(ParseError::of_file(file, &found, "256 KiB to 16 MiB"))
            }
        };
        Ok(Self {
            chunk_bytes: chunk(said.chunk_bytes, "events")?,
            definition_chunk_bytes: chunk(said.definition_chunk_bytes, "definitions")?,
            creator: said.creator,
        })
    }
}

const WHOLE: &str = "the NAME.otf2 of a whole archive";

/// Substrates: bare files, and several locations in one.
const POSIX: u8 = 1;
const SION: u8 = 2;
const NOT_COMPRESSED: u8 = 1;

struct Said {
    chunk_bytes: u64,
    definition_chunk_bytes: u64,
    substrate: u8,
    compression: u8,
    creator: String,
}

fn said(bytes: &mut Bytes<'_>) -> Result<Said, Damage> {
    // Two formats and the version of the library.
    bytes.skip(5)?;
    let (chunk_bytes, definition_chunk_bytes) = (bytes.whole_64()?, bytes.whole_64()?);
    let (substrate, compression) = (bytes.byte()?, bytes.byte()?);
    // How many locations and definitions, and the machine.
    bytes.skip(16)?;
    bytes.text()?;
    let creator = String::from_utf8_lossy(bytes.text()?).into_owned();
    Ok(Said { chunk_bytes, definition_chunk_bytes, substrate, compression, creator })
}
