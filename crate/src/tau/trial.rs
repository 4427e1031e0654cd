use std::collections::BTreeMap;

use crate::order::Texts;
use crate::profile::{Columns, UserEvents};
use crate::text::{ParseError, printable};
use crate::trace::{Notices, Place};

/// TAU measures at most 25 at a time (`TAU_MAX_COUNTERS`); tools that derive more do so from these.
const MOST_METRICS: usize = 100;
/// Each thread has a column of each metric, whatever its file says of it.
const MOST_COLUMNS: u64 = 20_000_000;
/// Numbers of all states that are kept: 256 MB; and states of a thread: as many intervals as a picture has px.
const MOST_OF_STATES: u64 = 32 << 20;
const MOST_STATES: usize = 1000;

/// What the files of a trial say, thread by thread, while they are read.
#[derive(Default)]
pub struct Trial {
    pub name: String,
    /// In the order in which they came.
    pub metrics: Texts,
    pub events: Texts,
    /// By event: what it belongs to, parted by `|`.
    pub groups: Vec<String>,
    pub user_events: Texts,
    /// By node, context and thread.
    pub threads: BTreeMap<[u32; 3], Thread>,
    /// Keys and values, by number in `texts`: of the trial as a whole.
    pub metadata: Vec<(u32, u32)>,
    pub texts: Texts,
    pub notices: Notices,
    /// The thread that is read, and its metrics.
    thread: [u32; 3],
    read: Vec<u32>,
    /// By event: when it was met last, by number of what was read, and where it is in the rows.
    places: Vec<(u32, u32)>,
    began: u32,
    /// Numbers of states that are kept.
    kept: u64,
}

/// What is read of a thread: its events and numbers. Times are in microseconds.
#[derive(Default)]
pub struct Thread {
    pub rows: Columns,
    /// Metrics that were read; the first tell how often events were called.
    pub has: Vec<u32>,
    pub user_events: UserEvents,
    /// Keys and values, by number in the texts of the trial.
    pub metadata: Vec<(u32, u32)>,
    /// What its state was called, and states before that.
    pub state: String,
    pub before: Vec<State>,
}

/// What a thread had by some moment.
pub struct State {
    pub name: String,
    pub rows: Columns,
}

impl Trial {
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// The number of an event; its groups are those with which it is met first.
    pub fn event(&mut self, name: &str, groups: &str) -> u32 {
        let number = self.events.of(name);
        if number as usize == self.groups.len() {
            self.groups.push(groups.to_owned());
        }
        number
    }

    /// The number of a metric.
    ///
    /// An error if there are too many.
    pub fn metric(&mut self, file: &str, name: &str) -> Result<u32, ParseError> {
        if self.metrics.get(name).is_none() && self.metrics.texts.len() >= MOST_METRICS {
            let found = format!("more than {MOST_METRICS} metrics");
            return Err(ParseError::of_file(file, &found, "profiles of fewer"));
        }
        Ok(self.metrics.of(name))
    }

    /// Begins to read some metrics of a thread, which [`Trial::add`] is about from then on. What was read
    /// of them before is forgotten: a later state takes its place.
    ///
    /// An error, what was found, if there are too many of both.
    pub fn begin(&mut self, id: [u32; 3], metrics: &[u32]) -> Result<&mut Thread, String> {
        let columns = (self.threads.len() as u64 + 1) * self.metrics.texts.len() as u64;
        if columns > MOST_COLUMNS {
            return Err(format!("more than {MOST_COLUMNS} metrics of all threads together"));
        }
        self.began += 1;
        // Threads of a program have met about the same.
        let before = self.threads.get_mut(&self.thread).map(|before| &mut before.rows);
        let alike = before.map_or(0, |rows| {
            rows.shrink();
            rows.len()
        });
        self.thread = id;
        self.read = metrics.to_vec();
        let thread = self.threads.entry(id).or_default();
        for metric in metrics {
            let at = *metric as usize;
            if thread.has.first() == Some(metric) {
                thread.rows.counts.fill(0.0);
                thread.rows.subcalls.fill(0.0);
            }
            if !thread.has.contains(metric) {
                thread.has.push(*metric);
            }
            let rows = thread.rows.len();
            for columns in [&mut thread.rows.exclusive, &mut thread.rows.inclusive] {
                columns.resize_with(columns.len().max(at + 1), || vec![0.0; rows]);
                columns[at].fill(0.0);
            }
        }
        if thread.rows.is_empty() {
            thread.rows.reserve(alike);
        }
        for (place, event) in (0..).zip(&thread.rows.nodes) {
            let event = *event as usize;
            if event >= self.places.len() {
                self.places.resize(event + 1, (0, 0));
            }
            self.places[event] = (self.began, place);
        }
        Ok(thread)
    }

    /// Begins another state of a thread: what it had is kept as the one before, if it had all of these metrics.
    /// Of too many states no more are kept.
    pub fn begin_state(&mut self, id: [u32; 3], metrics: &[u32], name: &str) {
        let thread = self.threads.entry(id).or_default();
        let is_another = metrics.iter().all(|metric| thread.has.contains(metric));
        let before = std::mem::replace(&mut thread.state, name.to_owned());
        if !is_another || thread.rows.is_empty() {
            return;
        }
        let numbers = thread.rows.len() as u64 * (2 * thread.rows.exclusive.len() as u64 + 3);
        if self.kept + numbers > MOST_OF_STATES || thread.before.len() >= MOST_STATES {
            let text = "More states of threads than are kept; what came later is in one.";
            self.notices.add(text, String::new);
            return;
        }
        self.kept += numbers;
        thread.before.push(State { name: before, rows: thread.rows.clone() });
    }

    /// Whether so many numbers are those of the metrics that are read.
    pub fn takes(&self, values: usize) -> bool {
        values == 2 * self.read.len()
    }

    /// Adds what a thread has of an event; `values`: exclusive and inclusive, by the metrics that are read.
    /// What is no number, or below zero, counts nothing.
    pub fn add(&mut self, event: u32, calls: [f64; 2], values: &[[f64; 2]], place: &Place) {
        let Some(thread) = self.threads.get_mut(&self.thread) else { return };
        let notices = &mut self.notices;
        let mut counted = |value: f64| {
            let is_count = value >= 0.0 && value.is_finite();
            if !is_count {
                let text = "A value below zero, or none; it counts nothing.";
                notices.damage(text, || place.clone());
            }
            if is_count { value } else { 0.0 }
        };
        let at = event as usize;
        if at >= self.places.len() {
            self.places.resize(at + 1, (0, 0));
        }
        let of_event = &mut self.places[at];
        if of_event.0 != self.began {
            *of_event = (self.began, thread.rows.push(event) as u32);
        }
        let row = of_event.1 as usize;
        if thread.has.first() == self.read.first() {
            let [calls, subcalls] = calls.map(&mut counted);
            thread.rows.counts[row] += calls;
            thread.rows.subcalls[row] += subcalls;
        }
        for (metric, [exclusive, inclusive]) in self.read.iter().zip(values) {
            let metric = *metric as usize;
            thread.rows.exclusive[metric][row] += counted(*exclusive);
            thread.rows.inclusive[metric][row] += counted(*inclusive);
        }
    }

    /// Adds a value that the program told; each once a thread. `values`: how many, least, most, mean, sum
    /// of squares.
    pub fn add_user_event(&mut self, name: &str, values: [f64; 5]) {
        let number = self.user_events.of(name);
        let first = self.read.first().copied();
        let Some(thread) = self.threads.get_mut(&self.thread) else { return };
        // Each file of a thread has all of them.
        let is_first = thread.has.first().copied() == first;
        if is_first && values.iter().all(|value| value.is_finite()) {
            thread.user_events.push(number, values);
        }
    }

    pub fn pair(&mut self, key: &str, value: &str) -> (u32, u32) {
        (self.texts.of(key.trim()), self.texts.of(value.trim()))
    }

    /// An error where a file tells of no thread.
    pub fn of_threads(self, file: &str) -> Result<Self, ParseError> {
        if self.threads.is_empty() {
            let found = "no thread in it";
            return Err(ParseError::of_file(&printable(file), found, "profiles of TAU"));
        }
        Ok(self)
    }
}
