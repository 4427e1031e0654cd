//! Profiles as XML: of all threads merged (`tauprofile.xml`), or snapshots of one.
//!
//! A file is many documents, one behind the other, each with `<profile_xml>` outside. Events are defined
//! by number, for one thread or for all (`*`); numbers are lines of text:
//!
//! ```text
//! <definitions thread="*"><metric id="0"><name>TIME</name>…
//! <event id="7"><name><![CDATA[main => foo]]></name><group>TAU_CALLPATH</group></event>…
//! <thread id="0.0.0.4670" node="0" context="0" thread="0"><metadata>…
//! <profile thread="0.0.0.4670"><interval_data metrics="0 1 ">
//! 7 calls subrs (excl incl)×metrics
//! ```
//!
//! What TAU sums up over threads (`<derivedprofile>`) is passed over. Of several snapshots of a thread the
//! last one counts, as each has all since the begin; what came between two is an interval.
//!
//! Source: TAU 2, `TauSnapshot.cpp`, `TauProfileMerge.cpp`.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::{BufReader, Error, Read};
use std::rc::Rc;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::metadata::push_reference;
use super::readable::Readable;
use super::text::numbers;
use super::trial::Trial;
use crate::text::ParseError;
use crate::trace::{Notices, Place};

/// Most bytes between two tags, all numbers of a thread: a million events of five metrics have 200 MB.
const MOST_BYTES: u64 = 256 << 20;
/// Largest number of a definition: they are numbered from 0.
const MOST_DEFINED: usize = 1 << 22;
/// Bytes that are read at a time.
const SLICE_BYTES: usize = 1 << 20;

/// Definitions of a thread, or of all: by number, that in the trial from 1.
#[derive(Default)]
struct Defined {
    metrics: Vec<u32>,
    events: Vec<u32>,
    user_events: Vec<String>,
}

/// Where in a document the reader is.
#[derive(Default)]
struct Inside {
    /// Whose definitions come, and of which thread the numbers are.
    definitions: String,
    thread: String,
    /// Of the definition that is read.
    id: usize,
    name: String,
    group: String,
    key: String,
    text: String,
    /// Which numbers come.
    numbers: Option<Numbers>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    Events,
    UserEvents,
}

/// Reads a file into a trial.
///
/// An error if it is no XML, or has a text without end; with the byte where it was met.
pub fn read(trial: &mut Trial, file: &str, bytes: impl Read) -> Result<(), ParseError> {
    let given = Rc::new(Cell::new(0));
    let bounded = Bounded { bytes, given: Rc::clone(&given) };
    let readable = Readable::new(bounded);
    let mut reader = Reader::from_reader(BufReader::with_capacity(SLICE_BYTES, readable));
    // One document may be left open where the next begins.
    reader.config_mut().check_end_names = false;
    reader.config_mut().allow_unmatched_ends = true;
    let place = Place::from(file.to_owned());
    let mut document = Document {
        trial,
        file,
        place,
        threads: BTreeMap::new(),
        defined: BTreeMap::new(),
        inside: Inside::default(),
    };
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        given.set(0);
        match reader.read_event_into(&mut buffer) {
            Ok(Event::Start(tag)) => document.begin(&tag)?,
            Ok(Event::Empty(tag)) => {
                document.begin(&tag)?;
                document.end(tag.name().as_ref())?;
            }
            Ok(Event::Text(text)) => document.text(&text),
            Ok(Event::CData(text)) => document.text(&text),
            Ok(Event::GeneralRef(of)) => push_reference(&of, &mut document.inside.text),
            Ok(Event::End(tag)) => document.end(tag.name().as_ref())?,
            Ok(Event::Eof) => return Ok(()),
            Ok(_) => {}
            Err(error) => {
                let found = format!("{error} at byte {}", reader.error_position());
                return Err(ParseError::of_file(file, &found, "profiles of TAU as XML"));
            }
        }
    }
}

struct Document<'a> {
    trial: &'a mut Trial,
    file: &'a str,
    place: Place,
    /// By what the file calls it: node, context and thread.
    threads: BTreeMap<String, [u32; 3]>,
    defined: BTreeMap<String, Defined>,
    inside: Inside,
}

impl Document<'_> {
    fn begin(&mut self, tag: &BytesStart<'_>) -> Result<(), ParseError> {
        let attribute = |name: &str| {
            let found = tag.try_get_attribute(name).ok().flatten();
            found.map(|found| found.value.into_owned()).unwrap_or_default()
        };
        self.inside.text.clear();
        match tag.name().as_ref() {
            "definitions" => self.inside.definitions = attribute("thread"),
            "metric" | "event" | "userevent" => {
                self.inside.id = attribute("id").trim().parse().unwrap_or(MOST_DEFINED);
                self.inside.name.clear();
                self.inside.group.clear();
            }
            "thread" => {
                self.inside.thread = attribute("id");
                let id = ["node", "context", "thread"]
                    .map(|of| attribute(of).trim().parse().unwrap_or(0));
                self.threads.insert(self.inside.thread.clone(), id);
            }
            "profile" => {
                self.inside.thread = attribute("thread");
                self.inside.name.clear();
            }
            "interval_data" => {
                self.begin_numbers(&attribute("metrics"))?;
                self.inside.numbers = Some(Numbers::Events);
            }
            "atomic_data" => self.inside.numbers = Some(Numbers::UserEvents),
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, tag: &str) -> Result<(), ParseError> {
        let Inside { text, .. } = &mut self.inside;
        match tag {
            // Of a definition, and of a pair of metadata.
            "name" => {
                self.inside.name = text.trim().to_owned();
                self.inside.key.clone_from(&self.inside.name);
            }
            "group" => self.inside.group = text.trim().to_owned(),
            "value" => {
                let value = std::mem::take(text);
                let pair = self.trial.pair(&self.inside.key, &value);
                if let Some(id) = self.threads.get(&self.inside.thread) {
                    let metadata = &mut self.trial.threads.entry(*id).or_default().metadata;
                    metadata.push(pair);
                }
            }
            "metric" | "event" | "userevent" => self.define(tag)?,
            "interval_data" | "atomic_data" => self.inside.numbers = None,
            _ => {}
        }
        self.inside.text.clear();
        Ok(())
    }

    fn text(&mut self, text: &str) {
        match self.inside.numbers {
            None => self.inside.text += text,
            Some(Numbers::Events) => self.events(text),
            Some(Numbers::UserEvents) => self.user_events(text),
        }
    }

    fn define(&mut self, tag: &str) -> Result<(), ParseError> {
        let Inside { id, name, group, definitions, .. } = &self.inside;
        let defined = self.defined.entry(definitions.clone()).or_default();
        if *id >= MOST_DEFINED {
            let text = "A definition whose number cannot be read; it was left out.";
            self.trial.notices.damage(text, || self.place.clone());
            return Ok(());
        }
        match tag {
            "metric" => put(&mut defined.metrics, *id, self.trial.metric(self.file, name)? + 1),
            "event" => put(&mut defined.events, *id, self.trial.event(name, group) + 1),
            _ => put(&mut defined.user_events, *id, name.clone()),
        }
        Ok(())
    }

    /// Begins the numbers of a thread; `metrics`: by number, in the order in which they come.
    fn begin_numbers(&mut self, metrics: &str) -> Result<(), ParseError> {
        let thread = &self.inside.thread;
        let wrong = |found: &str, expected: &str| ParseError::of_file(self.file, found, expected);
        let Some(id) = self.threads.get(thread) else {
            return Err(wrong(
                &format!("numbers of the thread {thread:?}"),
                "a thread before them",
            ));
        };
        let number_of = |metric: &str| {
            let at = metric.parse::<usize>().ok()?;
            self.scopes().find_map(|of| defined_as(&of.metrics, at))
        };
        let numbers = metrics.split_whitespace().map(|metric| {
            let wrong =
                || wrong(&format!("numbers of the metric {metric:?}"), "one that is defined");
            number_of(metric).ok_or_else(wrong)
        });
        let numbers = numbers.collect::<Result<Vec<_>, _>>()?;
        self.trial.begin_state(*id, &numbers, &self.inside.name);
        self.trial.begin(*id, &numbers).map_err(|found| wrong(&found, "fewer"))?.user_events =
            Default::default();
        Ok(())
    }

    /// Definitions of the thread that is read, then those of all.
    fn scopes(&self) -> impl Iterator<Item = &Defined> {
        [self.inside.thread.as_str(), "*"].into_iter().filter_map(|of| self.defined.get(of))
    }

    /// `event calls subrs (excl incl)×metrics`, line by line.
    fn events(&mut self, text: &str) {
        let mut values = vec![];
        let scopes = [self.inside.thread.as_str(), "*"].map(|of| self.defined.get(of));
        for line in text.lines().filter(|line| !line.trim_ascii().is_empty()) {
            numbers(line, &mut values);
            let event = |number: &f64| {
                scopes.iter().flatten().find_map(|of| defined_as(&of.events, *number as usize))
            };
            match (values.first().and_then(event), values.as_slice()) {
                (Some(event), [_, calls, subcalls, rest @ ..]) if self.trial.takes(rest.len()) => {
                    let (pairs, _) = rest.as_chunks::<2>();
                    self.trial.add(event, [*calls, *subcalls], pairs, &self.place);
                }
                _ => skip(&mut self.trial.notices, &self.place),
            }
        }
    }

    /// `event num max min mean sumsqr`, line by line.
    fn user_events(&mut self, text: &str) {
        let mut values = vec![];
        for line in text.lines().filter(|line| !line.trim_ascii().is_empty()) {
            numbers(line, &mut values);
            let name = |number: &f64| {
                let name = self.scopes().find_map(|of| of.user_events.get(*number as usize));
                name.filter(|name| !name.is_empty()).cloned()
            };
            match (values.first().and_then(name), values.as_slice()) {
                (Some(name), [_, count, max, min, mean, squares]) => {
                    self.trial.add_user_event(&name, [*count, *min, *max, *mean, *squares]);
                }
                _ => skip(&mut self.trial.notices, &self.place),
            }
        }
    }
}

fn skip(notices: &mut Notices, place: &Place) {
    let text = "A line of numbers that cannot be read; it was left out.";
    notices.damage(text, || place.clone());
}

fn put<T: Clone + Default>(defined: &mut Vec<T>, at: usize, value: T) {
    if at >= defined.len() {
        defined.resize(at + 1, T::default());
    }
    defined[at] = value;
}

fn defined_as(numbers: &[u32], at: usize) -> Option<u32> {
    numbers.get(at)?.checked_sub(1)
}

/// Gives no more than so many bytes between two tags.
struct Bounded<R> {
    bytes: R,
    given: Rc<Cell<u64>>,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.given.get() > MOST_BYTES {
            return Err(Error::other("more than 256 MiB without a tag"));
        }
        let count = self.bytes.read(buffer)?;
        self.given.set(self.given.get() + count as u64);
        Ok(count)
    }
}
