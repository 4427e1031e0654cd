//! An archive of OTF2, some locations at a time, and each of their files chunk by chunk.

use std::io::{Read, Result};

use super::archive_files::ArchiveFiles;
use super::watch::Watch;
use crate::input::{Member, Progress, read_each};
use crate::order;
use crate::otf2::{Anchor, Archive, Definitions, Local, LocationReader, Tally};
use crate::text::ParseError;
use crate::trace::{Builder, Objects};

/// Locations are read together until their events take this much: a worker is not asked for each of
/// thousands of small ones. Which are depends on the archive alone.
const BLOCK_BYTES: u64 = 1 << 20;

/// An anchor that is longer is none.
const MOST_ANCHOR_BYTES: u64 = 1 << 20;

/// An archive being read.
pub struct ArchiveReading<'read> {
    archive: Archive,
    tally: Tally,
    blocks: Vec<Block<'read>>,
    /// Bytes of events before each block; one more at the end.
    before: Vec<u64>,
}

/// Locations that are read together.
type Block<'read> = Vec<LocationFiles<'read>>;

struct LocationFiles<'read> {
    location: u64,
    local: Option<Member<'read>>,
    events: Member<'read>,
}

impl<'read> ArchiveReading<'read> {
    /// Reads the anchor and the definitions, and gives `trace` their names.
    ///
    /// An error if either cannot be read, or if there is no file of events.
    pub fn begin(
        anchor: &Member<'_>,
        files: &ArchiveFiles<'read>,
        trace: &mut Builder,
    ) -> std::result::Result<Self, ParseError> {
        let ArchiveFiles { name, definitions, locals, events } = files;
        let stem = anchor.name().strip_suffix(".otf2").unwrap_or(anchor.name());
        let cannot = |error: &std::io::Error| {
            ParseError::of_file(name, &error.to_string(), "a file that can be read")
        };
        anchor.refused(name)?;
        let mut bytes = Vec::new();
        let stream = anchor.read(&mut |_, _| {}).map_err(|error| cannot(&error))?;
        stream.take(MOST_ANCHOR_BYTES).read_to_end(&mut bytes).map_err(|error| cannot(&error))?;
        let anchor = Anchor::read(name, &bytes)?;
        let Some(definitions) = definitions else {
            let found = format!("no {stem}.def beside it");
            return Err(ParseError::of_file(name, &found, &whole(stem)));
        };
        let read = read_definitions(definitions, &anchor, trace)?;
        let archive = Archive::new(anchor, read);
        if events.is_empty() {
            let found = format!("no file of events ({stem}/*.evt) beside it");
            return Err(ParseError::of_file(name, &found, &whole(stem)));
        }
        archive.label(trace);
        let mut reading =
            Self { archive, tally: Tally::default(), blocks: vec![], before: vec![0] };
        reading.divide(locals, events, trace);
        Ok(reading)
    }

    /// Locations in blocks; says which have no file, and which files are of no location.
    fn divide(
        &mut self,
        locals: &[(u64, Member<'read>)],
        events: &[(u64, Member<'read>)],
        trace: &mut Builder,
    ) {
        let file = |files: &[(u64, Member<'read>)], location: u64| {
            let at = files.binary_search_by_key(&location, |(of, _)| *of).ok()?;
            files.get(at).map(|(_, file)| file.clone())
        };
        // What an archive claims of its files may be anything.
        let mut bytes = 0u64;
        let mut block = Vec::new();
        let locations = self.archive.locations();
        for &location in &locations {
            let Some(own) = file(events, location) else {
                let promised = self.archive.promised_events(location);
                if promised > 0 {
                    let text = "A location of which the definitions promise events has no file; it is \
                                left out.";
                    trace.notices.damage(text, || format!("{location}.evt ({promised} events)"));
                }
                continue;
            };
            let local = file(locals, location);
            if local.is_none() {
                let text = "A location without a file of definitions: its times are not corrected, and \
                            its numbers are taken for those of all.";
                trace.notices.add(text, || format!("{location}.def"));
            }
            bytes = bytes.saturating_add(own.size);
            block.push(LocationFiles { location, local, events: own });
            let before = self.before.last().copied().unwrap_or(0);
            if bytes - before >= BLOCK_BYTES {
                self.blocks.push(std::mem::take(&mut block));
                self.before.push(bytes);
            }
        }
        if !block.is_empty() {
            self.blocks.push(block);
            self.before.push(bytes);
        }
        let defined = order::distinct(locations.into_iter());
        for (location, file) in events {
            if defined.binary_search(location).is_err() {
                let text = "A file of events of a location that is not defined; it was left out.";
                trace.notices.add(text, || file.name().to_owned());
            }
        }
        trace.size_bytes = bytes;
    }

    /// In how many blocks it can be read; 0 if only in the order in which a packed tar has its files.
    pub fn blocks(&self) -> u64 {
        let is_on_tape = self.files().any(|files| files.events.is_on_tape());
        if is_on_tape { 0 } else { self.blocks.len() as u64 }
    }

    /// Bytes of events up to the end of a block.
    pub fn done(&self, index: u64) -> u64 {
        let end = usize::try_from(index).unwrap_or(usize::MAX).saturating_add(1);
        self.before.get(end).or(self.before.last()).copied().unwrap_or(0)
    }

    fn files(&self) -> impl Iterator<Item = &LocationFiles<'read>> {
        self.blocks.iter().flatten()
    }

    /// Files of threads that are not to be read are not opened.
    fn is_of(&self, files: &LocationFiles<'_>, wanted: Objects) -> bool {
        self.archive.object(files.location).is_none_or(|object| wanted.has(object))
    }

    /// Reads a block, in any order.
    pub fn part(&self, index: u64, part: &mut Builder) -> Tally {
        let mut tally = Tally::default();
        let block = usize::try_from(index).ok().and_then(|index| self.blocks.get(index));
        let wanted = part.only().objects;
        for files in block.into_iter().flatten().filter(|files| self.is_of(files, wanted)) {
            let mut local = Local::default();
            if let Some(file) = &files.local {
                let read = file.read(&mut |_, _| {});
                let read = read
                    .and_then(|mut stream| self.read_local(file, &mut local, &mut stream, part));
                note_unreadable(read, file, part);
            }
            let read = files.events.read(&mut |_, _| {});
            let read = read.and_then(|mut stream| {
                let mut reader = LocationReader::new(&self.archive, files.location, local);
                let read = self.read_events(&mut reader, &mut stream, part);
                tally.join(reader.finish(part));
                read
            });
            note_unreadable(read, &files.events, part);
        }
        tally
    }

    /// Reads all, each file where it stands in a packed tar: first the definitions of the locations,
    /// then their events. What they make is joined in the order of the blocks.
    pub fn on_tape(&mut self, name: &str, trace: &mut Builder, watch: &mut Watch<'_>) {
        let wanted = trace.only().objects;
        let files = self.files().filter(|files| self.is_of(files, wanted)).collect::<Vec<_>>();
        let mut locals = files.iter().map(|_| Local::default()).collect::<Vec<_>>();
        let with_locals = files
            .iter()
            .enumerate()
            .filter_map(|(at, files)| files.local.as_ref().map(|file| (at, file)));
        let with_locals = with_locals.collect::<Vec<_>>();
        let members = with_locals.iter().map(|(_, file)| *file).collect::<Vec<_>>();
        // The file that was begun last, to say where reading stopped.
        let mut begun = 0;
        let read = read_each(&members, &mut |index, stream| {
            begun = index;
            let Some((at, file)) = with_locals.get(index) else { return Ok(true) };
            let Some(local) = locals.get_mut(*at) else { return Ok(true) };
            self.read_local(file, local, stream, trace).map(|()| true)
        });
        if let Some(file) = members.get(begun) {
            note_unreadable(read, file, trace);
        }
        let mut parts = files.iter().map(|_| None).collect::<Vec<_>>();
        let members = files.iter().map(|files| &files.events).collect::<Vec<_>>();
        let total = trace.size_bytes;
        let (mut held_bytes, mut done) = (0, 0u64);
        let most_bytes = watch.most_bytes;
        let report = &mut *watch.report;
        let mut begun = 0;
        let read = read_each(&members, &mut |index, stream| {
            begun = index;
            let (Some(files), Some(local)) = (files.get(index), locals.get_mut(index)) else {
                return Ok(true);
            };
            let mut part = trace.part();
            let local = std::mem::take(local);
            let mut reader = LocationReader::new(&self.archive, files.location, local);
            let read = self.read_events(&mut reader, stream, &mut part);
            let tally = reader.finish(&mut part);
            held_bytes += part.held_bytes();
            done = files.events.size.saturating_add(done);
            report(Progress { file: name.to_owned(), done, total });
            if let Some(place) = parts.get_mut(index) {
                *place = Some((part, tally));
            }
            read.map(|()| held_bytes <= most_bytes)
        });
        if let Some(file) = members.get(begun) {
            note_unreadable(read, file, trace);
        }
        let mut tally = Tally::default();
        for (part, own) in parts.into_iter().flatten() {
            trace.append(part, 0);
            tally.join(own);
        }
        if held_bytes > most_bytes {
            trace.stop_at(done as f64 / total.max(1) as f64);
        }
        self.tally = tally;
    }

    /// Adds the next block.
    pub fn join(&mut self, tally: Tally, trace: &mut Builder, part: Builder) {
        trace.append(part, 0);
        self.tally.join(tally);
    }

    /// Once all blocks are joined.
    pub fn finish(self, trace: &mut Builder) {
        self.archive.finish(&self.tally, trace);
    }

    fn read_local(
        &self,
        file: &Member<'_>,
        local: &mut Local,
        stream: &mut dyn Read,
        trace: &mut Builder,
    ) -> Result<()> {
        let chunk_bytes = self.archive.anchor.definition_chunk_bytes;
        let mut before = 0;
        each_chunk(stream, chunk_bytes, &mut |chunk| {
            let read = local.chunk(chunk, chunk_bytes);
            if let Err((at, damage)) = &read {
                note_damage(&damage.to_string(), file, before + at, trace);
            }
            before += chunk.len();
            read.unwrap_or(false)
        })
    }

    fn read_events(
        &self,
        reader: &mut LocationReader<'_>,
        stream: &mut dyn Read,
        trace: &mut Builder,
    ) -> Result<()> {
        let chunk_bytes = self.archive.anchor.chunk_bytes;
        each_chunk(stream, chunk_bytes, &mut |chunk| reader.chunk(chunk, trace))
    }
}

fn whole(stem: &str) -> String {
    format!("a whole archive: the folder that holds {stem}.otf2, {stem}.def and {stem}/")
}

/// An error if the first chunk is none; a notice for what is wrong behind it.
fn read_definitions(
    file: &Member<'_>,
    anchor: &Anchor,
    trace: &mut Builder,
) -> std::result::Result<Definitions, ParseError> {
    let name = file.path.as_str();
    let chunk_bytes = anchor.definition_chunk_bytes;
    file.refused(name)?;
    let mut definitions = Definitions::default();
    let (mut chunks, mut wrong) = (0, None);
    let read = file.read(&mut |_, _| {}).and_then(|mut stream| {
        each_chunk(&mut stream, chunk_bytes, &mut |chunk| {
            chunks += 1;
            match definitions.chunk(chunk, chunk_bytes) {
                Ok(goes_on) => goes_on,
                Err((at, damage)) => {
                    wrong = Some((at, damage));
                    false
                }
            }
        })
    });
    match wrong {
        Some((0, damage)) if chunks == 1 => {
            let found = damage.to_string();
            return Err(ParseError::of_file(name, &found, "the definitions of the archive"));
        }
        Some((at, damage)) => {
            let before = (chunks - 1) * chunk_bytes;
            note_damage(&damage.to_string(), file, before + at, trace);
        }
        None => {}
    }
    note_unreadable(read, file, trace);
    definitions.finish();
    Ok(definitions)
}

fn note_damage(damage: &str, file: &Member<'_>, at: usize, trace: &mut Builder) {
    let text = format!(
        "Definitions that cannot be read to their end: {damage}; what came before was kept."
    );
    trace.notices.damage(&text, || format!("{}, byte {at}", file.name()));
}

fn note_unreadable(read: Result<()>, file: &Member<'_>, trace: &mut Builder) {
    if let Err(error) = read {
        let text = format!("A file that cannot be read to its end: {error}.");
        trace.notices.damage(&text, || file.name().to_owned());
    }
}

/// Hands a file to `take` chunk by chunk, the last one as long as it is, until it says that it has
/// enough. One chunk is held.
fn each_chunk(
    stream: &mut dyn Read,
    chunk_bytes: usize,
    take: &mut dyn FnMut(&[u8]) -> bool,
) -> Result<()> {
    let mut chunk = Vec::new();
    loop {
        chunk.clear();
        let read = stream.take(chunk_bytes as u64).read_to_end(&mut chunk);
        // What is there is read, whatever stops the rest.
        let goes_on = !chunk.is_empty() && take(&chunk);
        read?;
        if !goes_on || chunk.len() < chunk_bytes {
            return Ok(());
        }
    }
}
