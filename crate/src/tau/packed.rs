//! Packed profiles, `.ppk`: a stream as Java writes it, big-endian, all threads and metrics in one.
//!
//! Nothing is allocated for a count before its entries were read, so a count beyond the end of the file
//! is found where the file ends.
//!
//! Source: TAU 2, `PackedProfileDataSource.java`.

use std::io::{ErrorKind, Read};

use super::trial::Trial;
use crate::text::ParseError;
use crate::trace::Place;

/// Begins every file: `PPK` as Java has characters.
pub const MAGIC: [u8; 6] = [0, b'P', 0, b'P', 0, b'K'];
/// The last version whose files can be read.
const VERSION: i32 = 2;
/// Most bytes of the groups of one event: a few are four bytes of the file each.
const MOST_GROUPS: usize = 4096;

/// Reads a file into a trial.
///
/// An error if it is of another version or cut short, or if a number leads nowhere: nothing tells where
/// the next thread begins.
pub fn read(trial: &mut Trial, file: &str, bytes: impl Read) -> Result<(), ParseError> {
    let mut stream = Stream { file, bytes, at: 0 };
    let magic = stream.take::<6>()?;
    if magic != MAGIC {
        return Err(stream.wrong("another beginning", "PPK"));
    }
    let version = stream.number()?;
    let compatible = stream.number()?;
    if !(1..=VERSION).contains(&compatible) {
        let found = format!("version {version}, which readers of version {compatible} understand");
        return Err(stream.wrong(&found, "a packed profile of version 1 or 2"));
    }
    if version > 1 {
        // How long what follows is up to the metrics.
        let _header = stream.count()?;
    }
    // What a later version adds.
    let more = stream.count()?;
    stream.skip(more)?;
    if version > 1 {
        for _ in 0..stream.count()? {
            let pair = stream.pair(trial)?;
            trial.metadata.push(pair);
        }
        for _ in 0..stream.count()? {
            let id = stream.thread()?;
            for _ in 0..stream.count()? {
                let pair = stream.pair(trial)?;
                trial.threads.entry(id).or_default().metadata.push(pair);
            }
        }
    }
    let metrics = stream.texts(|text| trial.metric(file, text))?;
    let mut groups = vec![];
    stream.texts(|text| {
        groups.push(text.to_owned());
        Ok(0)
    })?;
    let mut events = vec![];
    for _ in 0..stream.count()? {
        let name = stream.text()?;
        let mut of_event = String::new();
        for _ in 0..stream.count()? {
            let at = stream.index(groups.len(), "group")?;
            if of_event.len() < MOST_GROUPS {
                let between = if of_event.is_empty() { "" } else { "|" };
                of_event = of_event + between + &groups[at];
            }
        }
        events.push(trial.event(&name, &of_event));
    }
    let mut user_events = vec![];
    stream.texts(|text| {
        user_events.push(text.to_owned());
        Ok(0)
    })?;
    let mut values = vec![[0.0; 2]; metrics.len()];
    for _ in 0..stream.count()? {
        let id = stream.thread()?;
        trial.begin(id, &metrics).map_err(|found| stream.wrong(&found, "fewer"))?;
        for _ in 0..stream.count()? {
            let event = stream.index(events.len(), "event")?;
            let place = Place::from(file.to_owned());
            let calls = [stream.float()?, stream.float()?];
            for value in &mut values {
                *value = [stream.float()?, stream.float()?];
            }
            trial.add(events[event], calls, &values, &place);
        }
        for _ in 0..stream.count()? {
            let event = stream.index(user_events.len(), "user event")?;
            let count = f64::from(stream.number()?);
            let [min, max, mean, squares] =
                [stream.float()?, stream.float()?, stream.float()?, stream.float()?];
            trial.add_user_event(&user_events[event], [count, min, max, mean, squares]);
        }
    }
    Ok(())
}

struct Stream<'a, R> {
    file: &'a str,
    bytes: R,
    /// Bytes read.
    at: u64,
}

impl<R: Read> Stream<'_, R> {
    fn wrong(&self, found: &str, expected: &str) -> ParseError {
        ParseError::of_file(self.file, &format!("{found} at byte {}", self.at), expected)
    }

    fn failed(&self, error: &std::io::Error) -> ParseError {
        match error.kind() {
            ErrorKind::UnexpectedEof => self.wrong("the end of the file", "a whole packed profile"),
            _ => self.wrong(&error.to_string(), "a packed profile that can be read"),
        }
    }

    fn take<const LENGTH: usize>(&mut self) -> Result<[u8; LENGTH], ParseError> {
        let mut taken = [0; LENGTH];
        self.bytes.read_exact(&mut taken).map_err(|error| self.failed(&error))?;
        self.at += LENGTH as u64;
        Ok(taken)
    }

    fn skip(&mut self, bytes: u32) -> Result<(), ParseError> {
        let bytes = u64::from(bytes);
        let skipped = std::io::copy(&mut (&mut self.bytes).take(bytes), &mut std::io::sink());
        let skipped = skipped.map_err(|error| self.failed(&error))?;
        self.at += skipped;
        match skipped < bytes {
            true => Err(self.failed(&ErrorKind::UnexpectedEof.into())),
            false => Ok(()),
        }
    }

    fn number(&mut self) -> Result<i32, ParseError> {
        self.take().map(i32::from_be_bytes)
    }

    fn float(&mut self) -> Result<f64, ParseError> {
        self.take().map(f64::from_be_bytes)
    }

    fn count(&mut self) -> Result<u32, ParseError> {
        let number = self.number()?;
        let wrong = || self.wrong(&format!("a count of {number}"), "0 or more");
        u32::try_from(number).map_err(|_| wrong())
    }

    fn index(&mut self, of: usize, what: &str) -> Result<usize, ParseError> {
        let number = self.number()?;
        let index = usize::try_from(number).ok().filter(|index| *index < of);
        index.ok_or_else(|| self.wrong(&format!("{what} {number}"), &format!("one of {of}")))
    }

    fn thread(&mut self) -> Result<[u32; 3], ParseError> {
        Ok([self.number()?, self.number()?, self.number()?].map(i32::cast_unsigned))
    }

    /// Of Java's UTF-8, which differs for characters that no name has.
    fn text(&mut self) -> Result<String, ParseError> {
        let length = u16::from_be_bytes(self.take()?);
        let mut text = vec![0; usize::from(length)];
        self.bytes.read_exact(&mut text).map_err(|error| self.failed(&error))?;
        self.at += u64::from(length);
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    fn texts(
        &mut self,
        mut take: impl FnMut(&str) -> Result<u32, ParseError>,
    ) -> Result<Vec<u32>, ParseError> {
        let mut taken = vec![];
        for _ in 0..self.count()? {
            let text = self.text()?;
            taken.push(take(&text)?);
        }
        Ok(taken)
    }

    fn pair(&mut self, trial: &mut Trial) -> Result<(u32, u32), ParseError> {
        let (key, value) = (self.text()?, self.text()?);
        Ok(trial.pair(&key, &value))
    }
}
