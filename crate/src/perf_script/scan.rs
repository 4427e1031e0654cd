//! Lines to a [`Block`].

use super::block::{Block, Scanned, Step, Task};
use super::data_source::Operation;
use super::event;
use super::frame::{Code, Frame, is_frame};
use super::names::Names;
use super::record::Record;
use super::reference::Sampled;
use crate::order::Numbers;

/// Takes lines apart, one after the other.
#[derive(Default)]
pub struct Scan {
    lines: u64,
    steps: Vec<Step>,
    frames: Vec<Frame>,
    /// The call-stack of the last record.
    stack: Vec<Frame>,
    events: Names,
    /// What each event samples; `None` for a marker.
    sampled: Vec<Option<Option<Operation>>>,
    numbers: Numbers,
    threads: Vec<Task>,
    code: Code,
    /// Which step the last record is.
    last: Option<usize>,
}

impl Scan {
    /// Takes whole lines apart, each with its `\n`.
    pub fn lines(&mut self, text: &[u8]) {
        let mut rest = text;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (line, after) = rest.split_at(end);
            self.line(line);
            rest = after.get(1..).unwrap_or_default();
        }
    }

    /// Takes a last line apart that the file ends without closing: if it is broken, it was cut.
    pub fn cut_line(&mut self, line: &[u8]) {
        if Record::parse(line).is_err() && !line.trim_ascii_end().ends_with(b")") {
            self.lines += 1;
            self.steps.push(Step::Cut { line: self.lines, text: line.into() });
        } else {
            self.line(line);
        }
    }

    /// What these lines were.
    pub fn finish(mut self) -> Block {
        self.end_stack();
        let Self { lines, steps, frames, events, threads, code, .. } = self;
        let [events, routines, code_lines] =
            [events, code.routines, code.code_lines].map(|names| names.texts);
        Block { lines, steps, frames, events, threads, routines, code_lines, depth: code.depth }
    }

    fn line(&mut self, line: &[u8]) {
        self.lines += 1;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match line.first() {
            None => return,
            Some(b'#') => return self.keep(line),
            Some(b'\t') if self.last.is_some() && self.code.frame(line, &mut self.stack) => return,
            Some(b'\t') if self.last.is_none() && is_frame(line) => return self.keep(line),
            Some(_) if line.trim_ascii().is_empty() => return,
            Some(_) => {}
        }
        match Record::parse(line) {
            Ok(record) => self.record(&record),
            // Below a record stand its frames, perhaps with blanks for the tab, and their lines.
            Err(_) if self.last.is_some() && matches!(line.first(), Some(b'\t' | b' ')) => {
                if !self.code.frame(line, &mut self.stack) {
                    self.code.code_line(line, &mut self.stack);
                }
            }
            Err(_) => self.keep(line),
        }
    }

    /// Takes a record apart, of which the lines of the call-stack follow.
    pub(super) fn record(&mut self, record: &Record<'_>) {
        self.end_stack();
        let event = self.event(record.event);
        let sampled = self.sampled.get(event).copied().flatten();
        let sampled = sampled.map(|of_memory| Sampled::parse(record.rest, of_memory));
        let thread = self.thread(record);
        self.last = Some(self.steps.len());
        self.steps.push(Step::Record(Scanned {
            line: self.lines,
            thread,
            event,
            time_ns: record.time_ns,
            period: record.period,
            reference: sampled.and_then(|sampled| sampled.reference),
            frames: 0,
        }));
        if let Some(Sampled { frame, .. }) = sampled {
            self.code.frame(frame, &mut self.stack);
        }
    }

    fn event(&mut self, name: &[u8]) -> usize {
        let event = (self.events.of(name) - 1) as usize;
        if event == self.sampled.len() {
            self.sampled.push(event::sampled(&String::from_utf8_lossy(name)));
        }
        event
    }

    fn thread(&mut self, record: &Record<'_>) -> usize {
        let Record { process, thread, .. } = *record;
        let key = [process.map_or(0, |process| 1 + u64::from(process)), u64::from(thread), 0];
        let number = self.numbers.of(key);
        if number == self.threads.len() {
            self.threads.push(Task { process, thread, command: record.command.into() });
        }
        number
    }

    /// Keeps a line as it is, for who knows what stands before it.
    fn keep(&mut self, line: &[u8]) {
        self.steps.push(Step::Line { line: self.lines, text: line.into() });
    }

    /// Gives the last record its call-stack: no more of it follows.
    fn end_stack(&mut self) {
        let last = self.last.and_then(|last| self.steps.get_mut(last));
        if let Some(Step::Record(record)) = last {
            record.frames = self.stack.len();
        }
        self.frames.append(&mut self.stack);
    }
}
