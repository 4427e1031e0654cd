use super::block::{Block, Scanned, Step, Task};
use super::event::{Events, Role};
use super::frame::{Code, Frame, is_nested};
use super::moment::{Moment, Part};
use super::names::Names;
use super::record::Record;
use super::scan::Scan;
use super::thread::{Read, Thread};
use super::{CODE_LINE, FIRST_COUNTER, FIRST_REGION, ROUTINE, remedy};
use crate::order::Numbers;
use crate::text::ParseError;
use crate::trace::{Boundaries, Builder, Object};

/// Records at the head of a file among which none may be unreadable.
const SOUND_RECORDS: u64 = 100;
/// Beyond the first records, one in so many may be unreadable.
const BAD_ONE_IN: u64 = 100;

/// Reads the output of `perf script`.
///
/// ```text
/// phases  4615 [000]  2144.807830162:             probe_phases:iteration: (556c70ba13d0)
///
/// phases  4615  2144.808993647:    2004008                cpu-clock/freq=499/:
///         16db20 __memmove_avx512_unaligned_erms+0x320 (/usr/lib/x86_64-linux-gnu/libc.so.6)
///           13ef iteration+0x1f (/home/user/app/phases)
/// ```
#[derive(Clone, Default)]
pub struct PerfReader {
    file: String,
    /// Lines read.
    lines: u64,
    events: Events,
    counters_named: usize,
    commands: Names,
    code: Code,
    numbers: Numbers,
    threads: Vec<Thread>,
    /// Times count from the first record.
    start_ns: Option<u64>,
    moment: Option<Moment>,
    /// The call-stack of the last record if that was left out: it may go on.
    left_out: Option<Vec<Frame>>,
    records: u64,
    samples: u64,
    /// Samples of memory events, and loads and stores among all samples.
    of_memory: u64,
    references: u64,
    exact: u64,
    bad: u64,
    first_bad: Option<ParseError>,
    /// Whether it is read for a trace that has markers.
    is_beside: bool,
}

impl PerfReader {
    pub fn new(file: &str) -> Self {
        Self { file: file.to_owned(), ..Self::default() }
    }

    /// Reads a recording that is merged with a trace: it may have no markers.
    pub fn beside(file: &str) -> Self {
        Self { is_beside: true, ..Self::new(file) }
    }

    /// Reads whole lines into `trace`, each with its `\n`.
    ///
    /// An error if one is no record and one of the first hundred.
    pub fn lines(&mut self, text: &[u8], trace: &mut Builder) -> Result<(), ParseError> {
        let mut scan = Scan::default();
        scan.lines(text);
        self.join(&scan.finish(), trace)
    }

    /// Reads a last line that the file ends without closing: if it is broken, it was cut.
    pub fn cut_line(&mut self, line: &[u8], trace: &mut Builder) -> Result<(), ParseError> {
        let mut scan = Scan::default();
        scan.cut_line(line);
        self.join(&scan.finish(), trace)
    }

    /// Reads the lines of the next block. The trace is the same wherever blocks begin.
    ///
    /// An error if a line is no record and one of the first hundred.
    pub fn join(&mut self, block: &Block, trace: &mut Builder) -> Result<(), ParseError> {
        let before = self.lines;
        // Names in lines that go on what stands before the block are met before its own.
        let mut named = None;
        let mut threads = vec![None; block.threads.len()];
        let mut events = vec![None; block.events.len()];
        let mut frames = 0;
        for step in &block.steps {
            match step {
                Step::Record(record) => {
                    let named = named.get_or_insert_with(|| self.code.named_of(block));
                    let end = record.frames.saturating_add(frames);
                    let Some(stack) = named.get(frames..end) else { break };
                    frames = end;
                    let task = block.threads.get(record.thread).zip(threads.get_mut(record.thread));
                    let Some((task, known)) = task else { break };
                    let thread = *known.get_or_insert_with(|| self.thread(task, trace));
                    let event = block.events.get(record.event).zip(events.get_mut(record.event));
                    let Some((name, known)) = event else { break };
                    let event = *known.get_or_insert_with(|| self.events.of(name));
                    self.records += 1;
                    self.lines = before + record.line;
                    self.record((record, event, thread), stack.to_vec(), trace);
                }
                Step::Cut { line, .. } if self.records > 0 => {
                    self.lines = before + line;
                    let text = "The last line is cut; it was left out.";
                    trace.notices.damage(text, || self.place());
                }
                Step::Line { line, text } | Step::Cut { line, text } => {
                    self.lines = before + line;
                    self.line(text, trace)?;
                }
            }
        }
        self.lines = before + block.lines;
        Ok(())
    }

    /// Lines read so far.
    pub fn lines_read(&self) -> u64 {
        self.lines
    }

    /// Reads a line that what stands before it explains, or that cannot be read.
    fn line(&mut self, line: &[u8], trace: &mut Builder) -> Result<(), ParseError> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.starts_with(b"#") {
            self.header(line);
            return Ok(());
        }
        if matches!(line.first(), Some(b'\t' | b' ')) && self.below(line) {
            return Ok(());
        }
        match Record::parse(line) {
            // It begins as a frame would.
            Ok(record) => {
                let mut scan = Scan::default();
                scan.record(&record);
                self.join(&scan.finish(), trace)
            }
            Err((column, expected)) => {
                self.records += 1;
                let error = ParseError::at(&self.file, self.lines, column, line, expected);
                self.unreadable(error, trace)
            }
        }
    }

    /// Ends the file: pairs what is open, names everything, and says what is missing.
    ///
    /// An error if there is no record or no marker, or if more than 1 % was unreadable.
    #[inline(never)]
    pub fn finish(mut self, trace: &mut Builder) -> Result<(), ParseError> {
        if self.records == 0 {
            let expected = "records as perf script prints them";
            return Err(ParseError::of_file(&self.file, "an empty file", expected));
        }
        match self.first_bad.take() {
            Some(error) if self.bad.saturating_mul(BAD_ONE_IN) > self.records => return Err(error),
            _ => {}
        }
        self.end_moment(trace);
        let has_marker = self.events.families.iter().any(|family| family.begins > 0);
        if !has_marker && !self.is_beside {
            let found = format!("no marker (samples: {})", self.samples);
            let expected = if self.of_memory > 0 { remedy::MARK_MEMORY } else { remedy::MARK };
            return Err(ParseError::of_file(&self.file, &found, expected));
        }
        let (mut interpolated, mut behind) = (0, 0);
        for thread in std::mem::take(&mut self.threads) {
            let told = thread.finish(&mut self.events.families, trace);
            interpolated += told.0;
            behind += told.1;
        }
        trace.provenance.clock = "perf, in nanoseconds since the first record".to_owned();
        trace.provenance.boundaries = match (self.exact, interpolated) {
            (_, 1..) => Boundaries::Interpolated,
            (1.., 0) => Boundaries::Exact,
            (0, 0) => Boundaries::Absent,
        };
        if behind > 0 {
            let text = "A counter of one group of events is behind that of another; it was taken \
                for unchanged.";
            trace.notices.add_many(text, behind, || self.file.clone());
        }
        if has_marker {
            remedy::say_what_is_missing(&self.events, self.samples, &self.file, trace);
        }
        if self.of_memory > 0 && self.references == 0 {
            trace.notices.add_many(remedy::PRINT_ADDRESSES, self.of_memory, || self.file.clone());
        }
        self.label(trace);
        Ok(())
    }

    /// Example: `# event : name = probe_phases:iteration, , id = { 150, 151 }, … freq = 1, …`
    fn header(&mut self, line: &[u8]) {
        let Some(rest) = line.strip_prefix(b"# event : name = ") else { return };
        let Some(end) = rest.windows(2).position(|pair| pair == b", ") else { return };
        let (name, attributes) = rest.split_at(end);
        let sampled = attributes.windows(10).any(|found| found == b" freq = 1,");
        let Some(event) = self.events.of(name).and_then(|event| self.events.all.get(event)) else {
            return;
        };
        if let (Role::Begin(family) | Role::End(family), true) = (event.role, sampled) {
            self.events.families[family].is_lossy = true;
        }
    }

    /// A record of an event; `None` is one of more than can be told apart.
    fn record(
        &mut self,
        (record, event, thread): (&Scanned, Option<usize>, usize),
        stack: Vec<Frame>,
        trace: &mut Builder,
    ) {
        let Some(event) = event else {
            let text = "More kinds of events than one can tell apart; they were left out.";
            trace.notices.damage(text, || self.place());
            self.end_moment(trace);
            self.left_out = Some(stack);
            return;
        };
        self.left_out = None;
        self.name_counters(trace);
        let start_ns = *self.start_ns.get_or_insert(record.time_ns);
        trace.start_on_clock_ns = Some(start_ns);
        if record.time_ns < start_ns {
            let text = "A record before the first one; it was put to the start.";
            trace.notices.add(text, || self.place());
        }
        let time_ns = record.time_ns.saturating_sub(start_ns);
        let role = self.events.all[event].role;
        let Scanned { period, reference, .. } = *record;
        let part = Part { event, period, reference, stack };
        match &mut self.moment {
            Some(moment)
                if (moment.thread, moment.time_ns) == (thread, time_ns)
                    && part.period.is_some()
                    && matches!(role, Role::Sample(_))
                    && moment.records.iter().all(|known| known.event != event) =>
            {
                moment.records.push(part);
            }
            _ => {
                self.end_moment(trace);
                self.moment = Some(Moment { thread, time_ns, records: vec![part] });
            }
        }
    }

    /// The number of a thread. A process is known by its number where that is printed, or else
    /// by the command that its threads run at first.
    fn thread(&mut self, task: &Task, trace: &mut Builder) -> usize {
        let Task { process, thread, command } = task;
        let of_process = process.map_or(0, |process| 1 + u64::from(process));
        let number = self.numbers.of([of_process, u64::from(*thread), 0]);
        if number == self.threads.len() {
            let task = process.unwrap_or_else(|| self.commands.of(command) as u32);
            let object = Object { application: 1, task, thread: *thread };
            self.threads.push(Thread::new(trace.thread(object)));
        }
        number
    }

    /// Takes `line` for what stands below a record; whether there is a record above it.
    fn below(&mut self, line: &[u8]) -> bool {
        let last = self.moment.as_mut().and_then(|moment| moment.records.last_mut());
        let stack = last.map(|last| &mut last.stack).or(self.left_out.as_mut());
        let Some(stack) = stack else { return false };
        if !self.code.frame(line, stack) {
            self.code.code_line(line, stack);
        }
        true
    }

    /// Tells the thread what happened, once all records of the moment are there.
    fn end_moment(&mut self, trace: &mut Builder) {
        let Some(Moment { thread, time_ns, records }) = self.moment.take() else { return };
        let Some(leader) = records.first() else { return };
        let group = &mut self.events.all[leader.event];
        group.records += 1;
        group.with_members += u64::from(records.len() > 1);
        // That others are sampled in the same microsecond happens, but not every other time.
        let is_group = group.with_members > 0 && group.with_members * 2 >= group.records;
        if is_group {
            self.group(thread, time_ns, &records, trace);
        } else {
            for part in &records {
                self.group(thread, time_ns, std::slice::from_ref(part), trace);
            }
        }
    }

    /// One reading of a group of events, the leader first; a group may be of one.
    fn group(&mut self, thread: usize, time_ns: u64, records: &[Part], trace: &mut Builder) {
        let Some((leader, members)) = records.split_first() else { return };
        for member in members {
            let Role::Sample(counter) = self.events.all[member.event].role else { continue };
            let counters = &mut self.events.all[leader.event].counters;
            if !counters.contains(&counter) {
                counters.push(counter);
            }
        }
        let Events { all, families, .. } = &mut self.events;
        let (Some(event), Some(thread)) = (all.get(leader.event), self.threads.get_mut(thread))
        else {
            return;
        };
        let period_of = |counter: u32| {
            let is_it = |part: &&Part| all[part.event].role == Role::Sample(counter);
            // perf prints no member that counted nothing.
            records.iter().find(is_it).map(|part| part.period).unwrap_or(Some(0))
        };
        let is_alone = members.is_empty() && event.with_members * 2 < event.records;
        let own = usize::from(matches!(event.role, Role::Sample(_)));
        let read = if is_alone { own } else { event.counters.len() };
        for &counter in event.counters.iter().take(read) {
            if let Some(period) = period_of(counter) {
                let read = Read { group: leader.event, counter, period };
                thread.read(time_ns, &read, trace);
            }
        }
        let exact = read > own;
        let stack = leader.stack.as_slice();
        match event.role {
            Role::Begin(number) => {
                let nested = is_nested(stack);
                thread.begin(time_ns, (number, &mut families[number]), nested, exact, trace);
            }
            Role::End(number) => {
                thread.end(time_ns, (number, &mut families[number]), exact, trace);
            }
            Role::Orphan => {}
            Role::Sample(_) | Role::Memory(_) => {
                self.samples += 1;
                self.of_memory += u64::from(matches!(event.role, Role::Memory(_)));
                if let Some(reference) = &leader.reference {
                    self.references += 1;
                    thread.reference(time_ns, reference, trace);
                }
                thread.stack(time_ns, stack, trace);
            }
        }
        self.exact += u64::from(exact && !matches!(event.role, Role::Sample(_)));
    }

    fn unreadable(&mut self, error: ParseError, trace: &mut Builder) -> Result<(), ParseError> {
        if self.records <= SOUND_RECORDS {
            return Err(error);
        }
        self.bad += 1;
        let text = "A line that is no record; it was left out.";
        trace.notices.damage(text, || format!("{}:{}", error.file, error.line));
        self.first_bad.get_or_insert(error);
        Ok(())
    }

    /// Names counters before their first reading: the name decides whether it is kept.
    fn name_counters(&mut self, trace: &mut Builder) {
        for counter in self.events.counters.get(self.counters_named..).unwrap_or_default() {
            let code = FIRST_COUNTER + self.counters_named as u32;
            trace.labels.add_types(&[(code, counter.clone())], vec![]);
            self.counters_named += 1;
        }
    }

    /// Labels what was met so far; again at the end, when all is.
    pub fn label(&self, trace: &mut Builder) {
        for (family, code) in self.events.families.iter().zip(FIRST_REGION..) {
            // The type says it all: its one value has no name of its own.
            trace.labels.add_types(&[(code, family.label())], vec![(1, String::new())]);
        }
        let depths = 0..self.code.depth as u32;
        for (first, label, names) in [
            (ROUTINE, "Sampled functions", &self.code.routines),
            (CODE_LINE, "Sampled lines", &self.code.code_lines),
        ] {
            let types = depths.clone().map(|depth| (first + depth, label.to_owned()));
            trace.labels.add_types(&types.collect::<Vec<_>>(), names.values());
        }
    }

    /// The line that is being read.
    fn place(&self) -> String {
        format!("{}:{}", self.file, self.lines)
    }
}

#[cfg(test)]
mod tests {
    use super::super::event::MOST;
    use super::super::meaning;
    use super::*;
    use crate::trace::{Kind, Trace};

    fn read(lines: &[&str]) -> Trace {
        let mut trace = Builder::new("a", meaning);
        let mut reader = PerfReader::new("a");
        reader.lines((lines.join("\n") + "\n").as_bytes(), &mut trace).unwrap();
        reader.finish(&mut trace).unwrap();
        trace.finish()
    }

    /// Begins and ends of regions on the only thread, as (time, value).
    fn regions(trace: &Trace) -> Vec<(u64, u64)> {
        let mut found = Vec::new();
        for moment in trace.threads[0].moments() {
            let of_region = |event: &crate::trace::Event| {
                matches!(trace.kind(event.event_type), Kind::Region(..))
            };
            found.extend(moment.events().filter(of_region).map(|e| (moment.time, e.value)));
        }
        found
    }

    /// Readings of `counter` on the only thread, as (time, events since the one before).
    fn readings(trace: &Trace, counter: &str) -> Vec<(u64, u64)> {
        let mut found = Vec::new();
        for moment in trace.threads[0].moments() {
            let is_it = |event: &crate::trace::Event| {
                let known = &trace.types[event.event_type as usize];
                known.kind == Kind::Counter && known.name == counter
            };
            found.extend(moment.events().filter(is_it).map(|e| (moment.time, e.value)));
        }
        found
    }

    /// A marker, with the call-stack of what is in the routine `f`, `depth` calls deep.
    fn marker(time: u64, name: &str, depth: usize) -> Vec<String> {
        let mut lines = vec![format!("a 7 1.{time:09}: p:{name}:")];
        lines.extend((0..depth).map(|_| "\t40 f+0x1 (/a)".to_owned()));
        if depth > 0 {
            lines.push("\t41 main+0x1 (/a)".to_owned());
        }
        lines
    }

    fn of_markers(markers: &[(u64, &str, usize)]) -> Trace {
        let lines = markers.iter().flat_map(|(time, name, depth)| marker(*time, name, *depth));
        let lines = lines.collect::<Vec<_>>();
        read(&lines.iter().map(String::as_str).collect::<Vec<_>>())
    }

    #[test]
    fn with_more_events_than_can_be_told_apart_the_trace_is_the_same_wherever_blocks_begin() {
        let record = |at: usize, event: &str| format!("a 7 1.{at:09}: 5 {event}:\n");
        let mut text = record(0, "cycles") + &record(1, "p:f");
        for n in 0..2 * MOST {
            text += &record(2 + n, &format!("e{n}"));
        }
        // Below a record that is left out, frames are no lines that cannot be read.
        text += &"\t40 f+0x1 (/a)\n".repeat(300);
        text += &(record(900_000, "cycles") + "\t41 main+0x1 (/a)\n");
        let read = |piece: usize| {
            let mut trace = Builder::new("a", meaning);
            let mut reader = PerfReader::new("a");
            let lines = text.split_inclusive('\n').collect::<Vec<_>>();
            for block in lines.chunks(piece) {
                reader.lines(block.concat().as_bytes(), &mut trace).unwrap();
            }
            reader.finish(&mut trace).unwrap();
            trace.finish()
        };
        let whole = read(usize::MAX);
        assert_eq!(readings(&whole, "cycles").len(), 2);
        let notices = |trace: &Trace| {
            let notices =
                trace.notices.iter().map(|n| (n.text.to_string(), n.count, n.first.clone()));
            notices.collect::<Vec<_>>()
        };
        assert!(notices(&whole).iter().any(|(text, ..)| text.starts_with("More kinds of events")));
        for piece in [7, MOST + 1, MOST + 2, 2 * MOST + 10] {
            let cut = read(piece);
            assert_eq!(notices(&cut), notices(&whole), "{piece} lines");
            assert!(events(&cut) == events(&whole), "{piece} lines");
        }
    }

    #[test]
    fn recursion_nests_and_a_lost_end_does_not() {
        let recursion =
            [(0, "f", 1), (2, "f", 2), (3, "f__return", 0), (5, "f__return", 0), (6, "f", 1)];
        assert_eq!(regions(&of_markers(&recursion)), [(0, 1), (2, 1), (3, 0), (5, 0)]);
        let without_stacks = recursion.map(|(time, name, _)| (time, name, 0));
        assert_eq!(regions(&of_markers(&without_stacks)), [(0, 1), (2, 1), (3, 0), (5, 0)]);
        // The call at 4 has lost its end.
        let lost =
            [(0, "f", 1), (3, "f__return", 0), (4, "f", 1), (6, "f", 1), (8, "f__return", 0)];
        let trace = of_markers(&lost);
        assert_eq!(regions(&trace), [(0, 1), (3, 0), (6, 1), (8, 0)]);
        assert_eq!(trace.provenance.markers_lost, 1);
        // So has the very first one; then a begin is missing before the end at 9.
        let first = [(0, "f", 1), (6, "f", 1), (8, "f__return", 0), (9, "f__return", 0)];
        let trace = of_markers(&first);
        assert_eq!(regions(&trace), [(6, 1), (8, 0)]);
        assert_eq!(trace.provenance.markers_lost, 2);
    }

    #[test]
    fn what_the_recording_cuts_off_is_not_lost() {
        let cut = [(0, "f__return", 0), (2, "f", 1), (3, "f__return", 0), (4, "f", 1)];
        let trace = of_markers(&cut);
        assert_eq!(regions(&trace), [(2, 1), (3, 0)]);
        assert_eq!((trace.provenance.markers_lost, trace.duration_ns), (0, 3));
    }

    #[test]
    fn a_marker_alone_marks_again_and_again() {
        let marks = (0..5000).map(|time| (time, "step", 0)).collect::<Vec<_>>();
        assert_eq!(regions(&of_markers(&marks)).len(), 5000);
        let marks = marks.iter().map(|&(time, name, _)| (time, name, 1)).collect::<Vec<_>>();
        assert_eq!(regions(&of_markers(&marks)).len(), 5000);
    }

    #[test]
    fn groups_accumulate_by_themselves_and_meet_in_one_counter() {
        // From the start 100, 250 and 400 by the probes, 180 and 300 by the samples.
        let trace = read(&[
            "a 7 [0] 1.000000100: 1 p:f: (40)",
            "a 7     1.000000100: 100 cycles: 40 f+0x0 (/a)",
            "a 7     1.000000180: 180 cpu-clock: 41 f+0x1 (/a)",
            "a 7     1.000000180: 180 cycles: 41 f+0x1 (/a)",
            "a 7 [0] 1.000000250: 1 p:f__return: (40 <- 50)",
            "a 7     1.000000250: 250 cycles: 50 main+0x1 (/a)",
            "a 7     1.000000300: 120 cpu-clock: 41 main+0x1 (/a)",
            "a 7     1.000000300: 120 cycles: 41 main+0x1 (/a)",
            "a 7 [0] 1.000000300: 1 p:f: (40)",
            "a 7     1.000000300: 200 cycles: 40 f+0x0 (/a)",
            // Nothing counted: perf prints no member.
            "a 7 [0] 1.000000400: 1 p:f__return: (40 <- 50)",
        ]);
        let expected = [(0, 100), (80, 80), (150, 70), (200, 50), (200, 0), (300, 0)];
        assert_eq!(readings(&trace, "cycles"), expected);
        assert_eq!(trace.provenance.boundaries, Boundaries::Exact);
    }

    #[test]
    fn without_groups_boundaries_are_interpolated_between_close_readings() {
        let mut lines =
            vec!["a 7 1.000000000: 100 cycles:".to_owned(), "a 7 1.000000005: p:f:".to_owned()];
        lines.extend((1..9).map(|n| format!("a 7 1.0000000{n}0: 100 cycles:")));
        lines.push("a 7 1.000000085: p:f__return:".to_owned());
        lines.push("a 7 1.000000090: 100 cycles:".to_owned());
        // Too far apart for an instance of this length.
        lines.push("a 7 1.000000092: p:f:".to_owned());
        lines.push("a 7 1.000000094: p:f__return:".to_owned());
        lines.push("a 7 1.000000900: 100 cycles:".to_owned());
        let trace = read(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        let found = readings(&trace, "cycles");
        assert_eq!(found[..3], [(0, 100), (5, 50), (10, 50)]);
        assert_eq!(found[9..], [(80, 100), (85, 50), (90, 50), (900, 100)]);
        assert_eq!(trace.provenance.boundaries, Boundaries::Interpolated);
    }

    #[test]
    fn samples_of_one_microsecond_are_no_group() {
        let mut lines = Vec::new();
        for n in 0..9 {
            lines.push(format!("a 7 1.{n:05}1: p:f:"));
            lines.push(format!("a 7 1.{n:05}2: p:f__return:"));
            if n > 1 {
                lines.push(format!("a 7 1.{n:05}{}: 10 cycles: 40 f+0x1 (/a)", 2 + n % 2));
            }
        }
        let trace = read(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(readings(&trace, "cycles").iter().all(|(_, events)| *events == 10));
        assert_ne!(trace.provenance.boundaries, Boundaries::Exact);
    }

    /// Everything of the only thread's moments but times and names, as (time, code, value).
    fn events(trace: &Trace) -> Vec<(u64, u32, u64)> {
        let code = |event: &crate::trace::Event| trace.types[event.event_type as usize].code;
        let of_moment = |m: crate::trace::Moment<'_>| {
            m.events().map(|e| (m.time, code(&e), e.value)).collect::<Vec<_>>()
        };
        trace.threads[0].moments().flat_map(of_moment).collect()
    }

    const DECODED: &str = "|OP LOAD|LVL L3 or L3 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A";

    #[test]
    fn loads_and_stores_are_references_with_their_frames_and_no_counters() {
        let trace = read(&[
            "a 7 [0] 1.000000000:          p:f: (40)",
            &format!(
                "a 7 [0] 1.000000100: 9 cpu/mem-loads,ldlat=30/P: 7f00 10668100842 {DECODED} 57 40 f+0x0 (/a)"
            ),
            &format!(
                "a 7 [0] 1.000000200: 9 cpu/mem-loads,ldlat=30/P: 7f40 10668100842 {DECODED} 60"
            ),
            "\t40 f+0x0 (/a)",
            "\t41 main+0x1 (/a)",
            "           1a2b3c40",
            "a 7 [0] 1.000000300: 9 cpu/mem-stores/P: 7f80 5080144 |OP STORE|LVL L1 hit|SNP N/A|TLB N/A|LCK N/A 0 40 f+0x0 (/a)",
            "a 7 [0] 1.000000400: 9 cpu/mem-stores/P: 0 1e05080021 |OP N/A|LVL N/A or N/A|SNP N/A|TLB N/A|LCK N/A 0 40 f+0x0 (/a)",
            "a 7 [0] 1.000000500:          p:f__return: (40 <- 50)",
        ]);
        let expected = [
            (0, FIRST_REGION, 1),
            (100, 32_000_000, 0x7f00),
            (100, 32_000_002, 4),
            (100, 32_000_004, 1),
            (100, 32_000_006, 57),
            (100, ROUTINE, 1),
            (100, CODE_LINE, 1),
            (200, 32_000_000, 0x7f40),
            (200, 32_000_002, 4),
            (200, 32_000_004, 1),
            (200, 32_000_006, 60),
            (200, ROUTINE, 1),
            (200, CODE_LINE, 1),
            (200, ROUTINE + 1, 2),
            (200, CODE_LINE + 1, 1),
            (300, 32_000_001, 0x7f80),
            (300, 32_000_002, 1),
            (300, ROUTINE, 1),
            (300, CODE_LINE, 1),
            (400, ROUTINE, 1),
            (400, CODE_LINE, 1),
            (500, FIRST_REGION, 0),
        ];
        assert_eq!(events(&trace), expected);
        assert!(trace.types.iter().all(|known| known.kind != Kind::Counter));
    }

    #[test]
    fn an_access_that_is_told_under_several_names_is_one() {
        // Arm: every sample once for each group of events it belongs to.
        let told = ["l1d-access", "tlb-access", "memory"].map(|name| {
            format!("a 7 [0] 1.000000100: 1 {name}: ffff00 88000182 |OP LOAD|LVL L1 miss|SNP N/A|TLB Walker hit|LCK No|BLK  N/A 40 f+0x0 (/a)")
        });
        let mut lines = vec!["a 7 [0] 1.000000000: p:f: (40)"];
        lines.extend(told.iter().map(String::as_str));
        lines.push("a 7 [0] 1.000000900: p:f__return: (40 <- 50)");
        let of_reference = |(time, code, value)| {
            (code < 33_000_000 && code > 31_000_000).then_some((time, code, value))
        };
        let found = events(&read(&lines)).into_iter().filter_map(of_reference).collect::<Vec<_>>();
        assert_eq!(found, [(100, 32_000_000, 0xff_ff00), (100, 32_000_004, 0)]);
    }

    #[test]
    fn samples_of_time_with_an_address_are_counters_and_references() {
        let trace = read(&[
            "a 7 [0] 1.000000000: p:f: (40)",
            &format!(
                "a 7 [0] 1.000000100: 9 cycles:P: 7f00 10668100842 {DECODED} 57 40 f+0x0 (/a)"
            ),
            "a 7 [0] 1.000000900: p:f__return: (40 <- 50)",
        ]);
        assert_eq!(readings(&trace, "cycles:P"), [(100, 9)]);
        assert!(events(&trace).contains(&(100, 32_000_000, 0x7f00)));
    }

    #[test]
    fn addresses_that_are_not_printed_are_asked_for() {
        let trace = read(&[
            "a 7 [0] 1.000000000: p:f: (40)",
            "a 7 [0] 1.000000100: 9 cpu/mem-loads,ldlat=30/P: 40 f+0x0 (/a)",
            "a 7 [0] 1.000000900: p:f__return: (40 <- 50)",
        ]);
        let notice = trace.notices.iter().find(|notice| notice.text == remedy::PRINT_ADDRESSES);
        assert_eq!(notice.map(|notice| notice.count), Some(1));
        assert!(events(&trace).contains(&(100, ROUTINE, 1)));
    }
}
