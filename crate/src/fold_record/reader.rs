use super::FIRST_COUNTER;
use super::laid::{Laid, Sampled, Threads, key};
use super::line::{self, Instance, Line, Of, Sample, Spelling, WHOLE};
use crate::order::{Numbers, Texts};
use crate::text::{ParseError, number};
use crate::trace::{Boundaries, Builder, Object};

/// Samples of one instance; none that is sampled coarsely has as many.
const MOST_WAITING: usize = 1 << 16;

/// Counters of a file; a trace of Extrae has some dozens.
const MOST_COUNTERS: usize = 1000;

/// Reads records of instances and their samples, line by line.
#[derive(Default)]
pub struct RecordReader {
    file: String,
    threads: Threads,
    counters: Texts,
    /// Which of them each count of a line is, as the last header says.
    columns: Option<Vec<Option<usize>>>,
    decimals: Option<i32>,
    order: Option<Order>,
    /// What is not laid yet, by thread and region, as `numbers` says: an instance, or samples of one that is to come.
    numbers: Numbers,
    waiting: Vec<(Object, Laid)>,
    shares: Option<Shares>,
    records: u64,
}

/// How samples stand to their instance, in all of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Behind,
    Before,
}

/// A region of the older spelling, and its sample that is being read: where in the instance it is.
struct Shares {
    region: u64,
    duration_ns: u64,
    at: Option<(u64, Sampled)>,
}

/// All samples of the older spelling are of one thread.
const ONLY_THREAD: Object = Object { application: 1, task: 1, thread: 1 };

/// What a counter of which shares alone are told counts in an instance.
const TOTAL_OF_SHARES: u64 = 1_000_000;

impl RecordReader {
    pub fn new(file: &str) -> Self {
        Self { file: file.to_owned(), ..Self::default() }
    }

    /// Reads one line into `trace`.
    ///
    /// # Errors
    ///
    /// If it is no record.
    // On the page it is loaded for records alone.
    #[inline(never)]
    pub fn line(&mut self, at: u64, text: &[u8], trace: &mut Builder) -> Result<(), ParseError> {
        let words = String::from_utf8_lossy(text);
        let spelling = Spelling {
            decimals: self.decimals.unwrap_or(3),
            counters: self.columns.as_ref().map(Vec::len),
            has_shares: self.shares.is_some(),
        };
        let read = line::line(&words, spelling);
        let read = read
            .map_err(|(column, expected)| ParseError::at(&self.file, at, column, text, expected))?;
        match read {
            Line::Nothing => return Ok(()),
            Line::Counters(names) => {
                let columns = names.iter().map(|name| self.name_counter(name, at, trace));
                self.columns = Some(columns.collect());
                return Ok(());
            }
            Line::Times(decimals) => {
                self.decimals = Some(decimals);
                return Ok(());
            }
            Line::Instance(instance) => self.instance(instance, at, trace),
            Line::Sample(sample) => self.sample(sample, at, trace),
            Line::Shares(region, duration_ns) => {
                self.lay_sample_of_shares(at, trace);
                let region = self.region(region);
                self.shares = Some(Shares { region, duration_ns, at: None });
            }
            Line::Share(of, share, value) => self.share(of, share, &value, at, trace),
        }
        self.records += 1;
        Ok(())
    }

    /// Ends the file: lays what waits, and names everything.
    ///
    /// # Errors
    ///
    /// If there is no record.
    #[inline(never)]
    pub fn finish(mut self, trace: &mut Builder) -> Result<(), ParseError> {
        if self.records == 0 {
            let expected = "records of instances, lines that begin with \u{201c}I\u{201d}";
            return Err(ParseError::of_file(&self.file, "no record", expected));
        }
        self.lay_sample_of_shares(0, trace);
        for (object, laid) in std::mem::take(&mut self.waiting) {
            let samples = laid.samples.len() as u64;
            match self.order {
                Some(Order::Before) if samples > 0 => {
                    let text = "A sample of an instance that never came; it was left out.";
                    trace.notices.add_many(text, samples, || self.file.clone());
                }
                Some(Order::Behind) if laid.region > 0 => self.lay(object, laid, 0, trace),
                _ => {}
            }
        }
        trace.provenance.clock =
            "none: times are those since the begin of an instance, and instances lie one after the other"
                .to_owned();
        trace.provenance.boundaries = Boundaries::Exact;
        self.label(trace);
        Ok(())
    }

    /// Names what was met so far.
    #[inline(never)]
    pub fn label(&self, trace: &mut Builder) {
        self.threads.label(trace);
    }

    fn instance(&mut self, instance: Instance<'_>, at: u64, trace: &mut Builder) {
        let Instance { object, region, duration_ns, totals } = instance;
        let order = *self.order.get_or_insert(Order::Behind);
        let region = self.region(region);
        let totals = self.known(&totals, at, trace);
        let Some(waiting) = self.waiting_of(object, region) else { return };
        let before = std::mem::take(waiting);
        match order {
            Order::Behind => {
                *waiting = Laid { region, duration_ns, totals, samples: vec![] };
                if before.region > 0 {
                    self.lay(object, before, at, trace);
                }
            }
            Order::Before => {
                let laid = Laid { region, duration_ns, totals, samples: before.samples };
                self.lay(object, laid, at, trace);
            }
        }
    }

    fn sample(&mut self, sample: Sample<'_>, at: u64, trace: &mut Builder) {
        let Sample { object, region, since_ns, counts, stack } = sample;
        let order = *self.order.get_or_insert(Order::Before);
        let region = self.region(region);
        let counts = self.known(&counts, at, trace);
        let stack = self.threads.frames(stack);
        let Some(waiting) = self.waiting_of(object, region) else { return };
        if order == Order::Behind && waiting.region == 0 {
            let text = "A sample before the first instance of its region; it was left out.";
            return trace.notices.damage(text, || format!("{}:{at}", self.file));
        }
        if waiting.samples.len() >= MOST_WAITING {
            let text = "More samples than one instance may have; the rest was left out.";
            return trace.notices.damage(text, || format!("{}:{at}", self.file));
        }
        waiting.samples.push(Sampled { since_ns, counts, stack });
    }

    /// Counts by counter, as many as have names; without names they are numbered.
    fn known(&mut self, counts: &[Option<u64>], at: u64, trace: &mut Builder) -> Vec<Option<u64>> {
        let Some(columns) = &self.columns else {
            for number in self.counters.texts.len()..counts.len() {
                self.name_counter(&format!("Counter {}", number + 1), at, trace);
            }
            return counts.iter().take(MOST_COUNTERS).copied().collect();
        };
        if counts.len() > columns.len() {
            let text = "A count of a counter that the header does not name; it was left out.";
            trace.notices.add(text, || format!("{}:{at}", self.file));
        }
        let mut known = vec![None; self.counters.texts.len()];
        for (count, column) in counts.iter().zip(columns) {
            if let Some(known) = column.and_then(|column| known.get_mut(column)) {
                *known = *count;
            }
        }
        known
    }

    /// Before its first reading: the name decides whether it is kept. `None` of one too many.
    fn name_counter(&mut self, name: &str, at: u64, trace: &mut Builder) -> Option<usize> {
        if let Some(number) = self.counters.get(name) {
            return Some(number as usize);
        }
        if self.counters.texts.len() >= MOST_COUNTERS {
            let text = format!("More than {MOST_COUNTERS} counters; the rest was left out.");
            trace.notices.damage(&text, || format!("{}:{at}", self.file));
            return None;
        }
        let number = self.counters.of(name);
        trace.labels.add_types(&[(FIRST_COUNTER + number, name.to_owned())], vec![]);
        Some(number as usize)
    }

    fn waiting_of(&mut self, object: Object, region: u64) -> Option<&mut Laid> {
        let at = self.numbers.of(key(object, region));
        if at == self.waiting.len() {
            self.waiting.push((object, Laid::default()));
        }
        self.waiting.get_mut(at).map(|(_, laid)| laid)
    }

    fn region(&mut self, name: &str) -> u64 {
        1 + u64::from(self.threads.regions.of(name))
    }

    fn lay(&mut self, object: Object, laid: Laid, at: u64, trace: &mut Builder) {
        let left_out = self.threads.lay(object, laid, trace);
        if left_out > 0 {
            let text = "A sample that lies outside of its instance, or at the time of another; it was \
                        left out.";
            let before = if at == 0 { self.file.clone() } else { format!("{}:{at}", self.file) };
            trace.notices.add_many(text, left_out, || before);
        }
    }

    /// Lines of one place in the instance are one sample.
    fn share(&mut self, of: &str, share: u64, value: &Of<'_>, at: u64, trace: &mut Builder) {
        if self.shares.as_ref().and_then(|of| of.at.as_ref()).is_some_and(|(at, _)| *at != share) {
            self.lay_sample_of_shares(at, trace);
        }
        let counter = match value {
            Of::Count(_) => self.name_counter(&format!("{of}, share of its total"), at, trace),
            Of::CodeLine(_) => None,
        };
        let Some(shares) = &mut self.shares else { return };
        let scale = |share: u64, whole: u64| {
            (u128::from(share) * u128::from(whole) / u128::from(WHOLE)) as u64
        };
        let since_ns = scale(share, shares.duration_ns);
        let (_, sampled) = shares
            .at
            .get_or_insert_with(|| (share, Sampled { since_ns, counts: vec![], stack: vec![] }));
        match value {
            Of::Count(count) => {
                let Some(counter) = counter else { return };
                let room = sampled.counts.len().max(counter + 1);
                sampled.counts.resize(room, None);
                sampled.counts[counter] = Some(scale(*count, TOTAL_OF_SHARES));
            }
            Of::CodeLine(text) => {
                let region = self.threads.regions.texts.get(shares.region as usize - 1);
                let region = region.cloned().unwrap_or_default();
                let frame = match number(text.as_bytes()) {
                    Some((line, _)) => format!("{region} ({region}:{line})"),
                    None => (*text).to_owned(),
                };
                sampled.stack = self.threads.frames(&frame);
            }
        }
    }

    fn lay_sample_of_shares(&mut self, at: u64, trace: &mut Builder) {
        let Some(shares) = &mut self.shares else { return };
        let Some((_, sampled)) = shares.at.take() else { return };
        let totals = sampled.counts.iter().map(|count| count.map(|_| TOTAL_OF_SHARES)).collect();
        let Shares { region, duration_ns, .. } = *shares;
        let text = "The text tells shares, and not of which instance a sample is: each sample is shown as an \
                    instance of its own, in which every counter counts to a million.";
        trace.notices.add(text, || format!("{}:{at}", self.file));
        let laid = Laid { region, duration_ns, totals, samples: vec![sampled] };
        self.lay(ONLY_THREAD, laid, at, trace);
    }
}
