use super::modules::Modules;
use super::record::{Record, record};
use super::{DEEPEST, FIRST_COUNTER, ROUTINE, TIMER};
use crate::order::{self, Numbers, Texts};
use crate::text::{ParseError, number as number_of};
use crate::trace::{Boundaries, Builder, Object};

/// What was read of one thread.
#[derive(Debug, Default)]
pub struct Thread {
    file: String,
    metrics: Vec<String>,
    samples: Vec<Sample>,
    timers: Vec<Timer>,
    node: Option<u32>,
    thread: Option<u32>,
    numbers: Numbers,
    /// Of timers, by what `numbers` says.
    names: Vec<String>,
    modules: Modules,
    held_bytes: u64,
}

#[derive(Debug)]
struct Sample {
    time_ns: u64,
    counts: Vec<u64>,
    /// Innermost first.
    stack: Vec<u64>,
}

#[derive(Debug)]
struct Timer {
    begin: (u64, Vec<u64>),
    end: (u64, Vec<u64>),
    number: u64,
}

impl Thread {
    pub fn new(file: &str) -> Self {
        Self { file: file.to_owned(), ..Self::default() }
    }

    /// Reads a line of its trace.
    ///
    /// # Errors
    ///
    /// If it is none.
    #[inline(never)]
    pub fn line(&mut self, at: u64, text: &[u8]) -> Result<(), ParseError> {
        let line = String::from_utf8_lossy(text);
        let read = record(&line, self.metrics.len());
        let read = read
            .map_err(|(column, expected)| ParseError::at(&self.file, at, column, text, expected))?;
        self.held_bytes += text.len() as u64;
        match read {
            Record::Nothing => {}
            Record::Metrics(names) => {
                self.metrics = names.into_iter().map(str::to_owned).collect();
                if !self.metrics.first().is_some_and(|first| first.contains("TIME")) {
                    let found = format!("the metrics {}", self.metrics.join(", "));
                    let expected = "TIME as the first one, by which what is sampled has its place";
                    return Err(ParseError::of_file(&self.file, &found, expected));
                }
            }
            Record::Node(node) => self.node = Some(node),
            Record::Thread(thread) => self.thread = Some(thread),
            Record::Sample { time_ns, counts, stack } => {
                self.samples.push(Sample { time_ns, counts, stack });
            }
            Record::Timer { begin, end, timer } => {
                self.timers.push(Timer { begin, end, number: timer });
            }
        }
        Ok(())
    }

    /// Reads a line of the definitions: `7 | solve [{a.c} {3,1}-{9,1}]`.
    pub fn definition(&mut self, text: &[u8]) {
        let line = String::from_utf8_lossy(text);
        let Some((number, name)) = line.split_once('|') else { return };
        if let Some((number, _)) = number_of(number.trim().as_bytes()) {
            let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
            // A later name replaces an earlier one.
            match self.names.get_mut(self.numbers.of([number, 0, 0])) {
                Some(known) => *known = name,
                None => self.names.push(name),
            }
        }
    }

    /// Reads a line of the map of modules.
    pub fn module(&mut self, text: &[u8]) {
        self.modules.line(&String::from_utf8_lossy(text));
    }

    /// Bytes that it takes, about: as much as was read.
    pub fn held_bytes(&self) -> u64 {
        self.held_bytes
    }

    /// As its last lines say; of 0 both where they are missing.
    pub fn node_and_thread(&self) -> (u32, u32) {
        (self.node.unwrap_or(0), self.thread.unwrap_or(0))
    }

    fn first_ns(&self) -> Option<u64> {
        let begins = self.timers.iter().map(|timer| timer.begin.0);
        begins.chain(self.samples.iter().map(|sample| sample.time_ns)).min()
    }
}

/// Puts threads together.
#[derive(Default)]
pub struct EbsReader {
    name: String,
    threads: Vec<(Object, Thread)>,
}

/// What happens to a thread.
enum Moment<'a> {
    End(&'a [u64]),
    Begin(&'a [u64], u64),
    Sample(&'a Sample),
}

impl EbsReader {
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), threads: vec![] }
    }

    /// One of other metrics than the first is left out, as a counter is one of all threads.
    pub fn add(&mut self, object: Object, mut thread: Thread, trace: &mut Builder) {
        if thread.metrics.is_empty() && thread.first_ns().is_none() {
            let text = "A file without a sample; it was left out.";
            return trace.notices.add(text, || thread.file.clone());
        }
        if let Some((_, first)) = self.threads.first()
            && first.metrics != thread.metrics
        {
            let text = format!(
                "A thread whose metrics ({}) are not those of the first ({}); it was left out.",
                thread.metrics.join(" "),
                first.metrics.join(" ")
            );
            return trace.notices.damage(&text, || thread.file.clone());
        }
        thread.modules.sort();
        self.threads.push((object, thread));
    }

    /// Gives the trace what all threads did. O(records log records).
    ///
    /// # Errors
    ///
    /// If nothing was sampled, or no timer ends.
    #[inline(never)]
    pub fn finish(self, trace: &mut Builder) -> Result<(), ParseError> {
        let of_timers = self.threads.iter().map(|(_, thread)| thread.timers.len()).sum::<usize>();
        let samples = self.threads.iter().map(|(_, thread)| thread.samples.len()).sum::<usize>();
        if of_timers == 0 {
            let found = format!("no timer that ends (samples: {samples})");
            let expected =
                "some, lines that begin with \u{201c}%\u{201d}: timers in which a sample was taken";
            return Err(ParseError::of_file(&self.name, &found, expected));
        }
        let start_ns = self.threads.iter().filter_map(|(_, thread)| thread.first_ns()).min();
        let start_ns = start_ns.unwrap_or(0);
        trace.start_on_clock_ns = Some(start_ns);
        let metrics = self.threads.first().map_or(&[][..], |(_, first)| first.metrics.as_slice());
        for (name, code) in metrics.iter().skip(1).zip(FIRST_COUNTER..) {
            trace.labels.add_types(&[(code, name.clone())], vec![]);
        }
        let (mut timers, mut routines, mut depth) = (Texts::default(), Texts::default(), 0);
        for (object, thread) in &self.threads {
            let deepest = give(*object, thread, start_ns, (&mut timers, &mut routines), trace);
            depth = deepest.max(depth);
        }
        trace.labels.add_types(&[(TIMER, "Timer".to_owned())], timers.as_labels());
        let types = (0..depth).map(|depth| (ROUTINE + depth, "Sampled functions".to_owned()));
        trace.labels.add_types(&types.collect::<Vec<_>>(), routines.as_labels());
        trace.provenance.clock = "TAU, in microseconds".to_owned();
        trace.provenance.boundaries = Boundaries::Exact;
        Ok(())
    }
}

/// Gives a trace what a thread did, from `start_ns` on. Returns how deep its stacks are.
fn give(
    object: Object,
    of: &Thread,
    start_ns: u64,
    (timers, routines): (&mut Texts, &mut Texts),
    trace: &mut Builder,
) -> u32 {
    let mut numbered = |number: u64| {
        let name = of.numbers.get([number, 0, 0]).and_then(|at| of.names.get(at));
        1 + u64::from(timers.of(name.map_or(&format!("timer {number}"), String::as_str)))
    };
    let (backwards, timers) = {
        let is_backwards = |timer: &&Timer| timer.begin.0 >= timer.end.0;
        let count = of.timers.iter().filter(is_backwards).count() as u64;
        (count, of.timers.iter().filter(move |timer| !is_backwards(timer)))
    };
    if backwards > 0 {
        let text = "A timer that ends before it begins; it was left out.";
        trace.notices.add_many(text, backwards, || of.file.clone());
    }
    // Of one time what ends comes first, then what begins, the outer one, which is written later, before the
    // inner one.
    let ends = timers.clone().map(|timer| (timer.end.0, Moment::End(&timer.end.1)));
    let mut moments = ends.collect::<Vec<_>>();
    for timer in timers.rev() {
        moments.push((timer.begin.0, Moment::Begin(&timer.begin.1, numbered(timer.number))));
    }
    moments.extend(of.samples.iter().map(|sample| (sample.time_ns, Moment::Sample(sample))));
    let thread = trace.thread(object);
    let mut counted: Option<Vec<u64>> = None;
    let (mut behind, mut depth) = (0, 0);
    let mut times_ns = vec![];
    moments.iter().for_each(|(at_ns, _)| times_ns.push(*at_ns));
    for at in order::indices(times_ns.iter().copied()) {
        let Some((at_ns, what)) = moments.get(at as usize) else { continue };
        let at_ns = at_ns.saturating_sub(start_ns);
        let counts = match what {
            Moment::End(counts) | Moment::Begin(counts, _) => *counts,
            Moment::Sample(sample) => sample.counts.as_slice(),
        };
        if let Moment::Begin(_, timer) = what {
            trace.event(thread, at_ns, TIMER, *timer);
        }
        let before = counted.get_or_insert_with(|| counts.to_vec());
        for ((before, count), code) in before.iter_mut().zip(counts.iter()).zip(FIRST_COUNTER..) {
            behind += u64::from(count < before);
            trace.event(thread, at_ns, code, count.saturating_sub(*before));
            *before = (*before).max(*count);
        }
        match what {
            Moment::End(_) => trace.event(thread, at_ns, TIMER, 0),
            Moment::Sample(Sample { stack, .. }) => {
                for (at, code) in stack.iter().take(DEEPEST).zip(ROUTINE..) {
                    let routine = 1 + u64::from(routines.of(&of.modules.name_of(*at)));
                    trace.event(thread, at_ns, code, routine);
                    depth = depth.max(code - ROUTINE + 1);
                }
            }
            Moment::Begin(..) => {}
        }
    }
    if behind > 0 {
        let text = "A count that falls back; it was taken for unchanged.";
        trace.notices.add_many(text, behind, || of.file.clone());
    }
    depth
}
