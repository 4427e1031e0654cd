use std::collections::BTreeMap;

use crate::order::Key;
use crate::text::{Fields, ParseError, number};
use crate::trace::{
    Boundaries, Builder, Kind, Labels, Meaning, Nesting, Object, Origin, ReferencePart, ThreadIndex,
};

// Codes of our own for what the file names in words, beyond all that tracers use.
const REGION: u32 = 4_000_000_000;
const FIRST_COUNTER: u32 = 4_100_000_000;
// Codes that the numbers of the file refer to in a `.pcf`.
const ROUTINE: u32 = 30_000_000;
const CODE_LINE: u32 = 30_000_100;
const LOAD: u32 = 32_000_000;
const STORE: u32 = 32_000_001;
const LEVEL: u32 = 32_000_002;
const TLB_LEVEL: u32 = 32_000_004;
const COST: u32 = 32_000_006;
const DATA_OBJECT: u32 = 32_000_007;
const DEEPEST: u64 = 99;

/// What the events of a trace made here mean.
pub fn meaning(code: u32, labels: &Labels) -> Meaning {
    let kind = match code {
        REGION => Kind::Region(Nesting::Flat, Origin::Code),
        FIRST_COUNTER.. => Kind::Counter,
        CODE_LINE..=30_000_199 => Kind::CodeLine((code - CODE_LINE) as u8),
        ROUTINE..=30_000_099 => Kind::Routine((code - ROUTINE) as u8),
        LOAD => Kind::Reference(ReferencePart::LoadAddress),
        STORE => Kind::Reference(ReferencePart::StoreAddress),
        LEVEL => Kind::Reference(ReferencePart::Level),
        TLB_LEVEL => Kind::Reference(ReferencePart::TlbLevel),
        COST => Kind::Reference(ReferencePart::Cost),
        DATA_OBJECT => Kind::Reference(ReferencePart::DataObject),
        _ => Kind::Other,
    };
    let name = labels.of_type(code).unwrap_or_default().to_owned();
    Meaning { kind, name, description: String::new() }
}

/// Reads an `.extract` line by line.
#[derive(Default)]
pub struct ExtractReader {
    file: String,
    regions: Vec<String>,
    counters: Vec<String>,
    open: Option<Open>,
    /// Where instances lie: thread and begin, to the end.
    taken: BTreeMap<Key, u64>,
    lines: u64,
}

/// The instance whose samples are being read.
struct Open {
    thread: ThreadIndex,
    end_ns: u64,
    start_ns: u64,
    last_ns: u64,
    /// For each counter of the instance: code, total, count so far.
    counts: Vec<(u32, u64, u64)>,
    /// Whether it lies over another of its thread and is passed over.
    skipped: bool,
}

impl ExtractReader {
    pub fn new(file: &str) -> Self {
        Self { file: file.to_owned(), ..Self::default() }
    }

    /// Reads one line into `trace`. An error if an `I` or `S` line cannot be read.
    pub fn line(&mut self, at: u64, line: &[u8], trace: &mut Builder) -> Result<(), ParseError> {
        let mut words = Words { fields: Fields::blanks(line) };
        let read = match words.word() {
            None => return Ok(()),
            Some((_, b"I")) => self.instance(at, &mut words, trace),
            Some((_, b"S")) => self.sample(at, &mut words, trace),
            // Data objects alive in the instance: their names lie in a file of their own.
            Some((_, b"DO")) => Ok(()),
            Some((column, _)) if self.lines == 0 => {
                Err((column, "an instance, a line that begins with \u{201c}I\u{201d}"))
            }
            Some(_) => {
                let text = "A line of a kind that is not known; it was left out.";
                trace.notices.add(text, || format!("{}:{at}", self.file));
                Ok(())
            }
        };
        self.lines += 1;
        read.map_err(|(column, expected)| ParseError::at(&self.file, at, column, line, expected))
    }

    /// Ends the file: closes the last instance and names regions.
    pub fn finish(mut self, trace: &mut Builder) -> Result<(), ParseError> {
        if self.lines == 0 {
            let expected = "instances, lines that begin with \u{201c}I\u{201d}";
            return Err(ParseError::of_file(&self.file, "an empty file", expected));
        }
        trace.provenance.clock = "BSC Folding, in nanoseconds".to_owned();
        trace.provenance.boundaries = Boundaries::Exact;
        self.close(trace);
        self.label(trace);
        Ok(())
    }

    /// Names the regions that were met so far.
    pub fn label(&self, trace: &mut Builder) {
        let numbered = self.regions.iter().cloned().zip(1..).map(|(name, value)| (value, name));
        trace.labels.add_types(&[(REGION, "Region".to_owned())], numbered.collect());
    }

    /// Example: `I 1 1 1 main 1000000 1000000 2 PAPI_TOT_CYC 1250 PAPI_TOT_INS 1700`
    fn instance(&mut self, at: u64, words: &mut Words<'_>, trace: &mut Builder) -> Read {
        self.close(trace);
        let application = words.number("an application")? as u32;
        let task = words.number("a task")? as u32;
        let object = Object { application, task, thread: words.number("a thread")? as u32 };
        let name = String::from_utf8_lossy(words.expect("the name of a region")?).into_owned();
        let start_ns = words.number("a start in nanoseconds")?;
        let end_ns = start_ns.saturating_add(words.number("a duration in nanoseconds")?);
        let mut counts = Vec::new();
        for _ in 0..words.number("the number of counters")? {
            let code = self.counter(words, trace)?;
            counts.push((code, words.number("a total")?, 0));
        }
        let thread = trace.thread(object);
        let skipped = !self.take(thread, start_ns, end_ns);
        if skipped {
            let text = "An instance that lies over another of its thread; it was left out.";
            trace.notices.damage(text, || format!("{}:{at}", self.file));
        } else {
            let value = 1 + position_or_push(&mut self.regions, name) as u64;
            trace.event(thread, start_ns, REGION, value);
            for &(code, ..) in &counts {
                trace.event(thread, start_ns, code, 0);
            }
        }
        self.open = Some(Open { thread, start_ns, end_ns, last_ns: start_ns, counts, skipped });
        Ok(())
    }

    /// Example: `S 1400000 400000 2 PAPI_TOT_CYC 500 PAPI_TOT_INS 900 1 0 3 4 4 0`
    fn sample(&mut self, at: u64, words: &mut Words<'_>, trace: &mut Builder) -> Read {
        let time = words.number("a time in nanoseconds")?;
        words.number("the time since the start")?;
        let Some(mut open) = self.open.take() else {
            return Err((1, "an instance before its samples"));
        };
        let inside = open.start_ns < time && time < open.end_ns && open.last_ns <= time;
        if !inside {
            let text = "A sample outside its instance or out of order; it was left out.";
            trace.notices.damage(text, || format!("{}:{at}", self.file));
        }
        let keep = inside && !open.skipped;
        for _ in 0..words.number("the number of counters")? {
            let code = self.counter(words, trace)?;
            let count = words.number("a count")?;
            let known = open.counts.iter_mut().find(|(known, ..)| *known == code);
            if let (true, Some((.., so_far))) = (keep, known) {
                // A count that falls back wraps to what no reading can be, and is dealt with there.
                trace.event(open.thread, time, code, count.wrapping_sub(*so_far));
                *so_far = count;
            }
        }
        for _ in 0..words.number("the number of frames")? {
            let depth = words.number("a depth")?;
            let routine = words.number("a caller")?;
            let code_line = words.number("a caller line")?;
            words.number("a block")?;
            if keep && depth <= DEEPEST {
                trace.event(open.thread, time, ROUTINE + depth as u32, routine);
                trace.event(open.thread, time, CODE_LINE + depth as u32, code_line);
            }
        }
        if keep {
            reference(words, open.thread, time, trace)?;
            open.last_ns = time;
        }
        self.open = Some(open);
        Ok(())
    }

    fn close(&mut self, trace: &mut Builder) {
        let Some(open) = self.open.take().filter(|open| !open.skipped) else { return };
        for (code, total, so_far) in open.counts {
            trace.event(open.thread, open.end_ns, code, total.wrapping_sub(so_far));
        }
        trace.event(open.thread, open.end_ns, REGION, 0);
    }

    fn counter(&mut self, words: &mut Words<'_>, trace: &mut Builder) -> Result<u32, Wrong> {
        let name = String::from_utf8_lossy(words.expect("the name of a counter")?).into_owned();
        let known = self.counters.len();
        let code = FIRST_COUNTER + position_or_push(&mut self.counters, name) as u32;
        if let Some(name) = self.counters.get(known) {
            // Before its first reading: the name decides whether it is kept.
            trace.labels.add_types(&[(code, name.clone())], vec![]);
        }
        Ok(code)
    }

    /// Whether begin to end is free on the thread; it no longer is afterwards.
    fn take(&mut self, thread: ThreadIndex, start_ns: u64, end_ns: u64) -> bool {
        let key = |start_ns: u64| [thread.number(), start_ns, 0];
        let mut before = self.taken.range(key(0)..=key(start_ns));
        let mut after = self.taken.range(key(start_ns)..=key(u64::MAX));
        let free = before.next_back().is_none_or(|(_, &end)| end <= start_ns)
            && after.next().is_none_or(|(&[_, start, _], _)| end_ns <= start);
        if free {
            self.taken.insert(key(start_ns), end_ns);
        }
        free
    }
}

/// `0`, or `Y LD|ST ADDRESS OBJECT Y LEVEL TLB COST`, or `Y LD|ST ADDRESS ADDRESS OBJECT N`.
fn reference(words: &mut Words<'_>, thread: ThreadIndex, time: u64, trace: &mut Builder) -> Read {
    let Some((_, b"Y")) = words.word() else { return Ok(()) };
    let code = if words.expect("LD or ST")? == b"ST" { STORE } else { LOAD };
    let address = words.number("an address")?;
    trace.event(thread, time, code, address);
    let object = words.number("a data object")?;
    match words.expect("Y or N")? {
        b"Y" => {
            trace.event(thread, time, DATA_OBJECT, object);
            trace.event(thread, time, LEVEL, words.number("a memory level")?);
            trace.event(thread, time, TLB_LEVEL, words.number("a TLB level")?);
            trace.event(thread, time, COST, words.number("a cost in cycles")?);
        }
        b"N" => {}
        object => {
            let object = number(object).map_or(0, |(object, _)| object);
            trace.event(thread, time, DATA_OBJECT, object);
        }
    }
    Ok(())
}

/// The place of `name` in `names`, at the end of which it is put if it is new.
fn position_or_push(names: &mut Vec<String>, name: String) -> usize {
    names.iter().position(|known| *known == name).unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    })
}

/// The column of what cannot be read, and what was expected there.
type Wrong = (usize, &'static str);
type Read = Result<(), Wrong>;

struct Words<'line> {
    fields: Fields<'line>,
}

impl<'line> Words<'line> {
    fn word(&mut self) -> Option<(usize, &'line [u8])> {
        self.fields.next_field()
    }

    fn expect(&mut self, expected: &'static str) -> Result<&'line [u8], Wrong> {
        let column = self.fields.column();
        self.word().map(|(_, word)| word).ok_or((column, expected))
    }

    fn number(&mut self, expected: &'static str) -> Result<u64, Wrong> {
        let column = self.fields.column();
        let word = self.expect(expected)?;
        number(word).map(|(value, _)| value).ok_or((column, expected))
    }
}
