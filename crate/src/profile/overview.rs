use serde::{Deserialize, Serialize};

use super::bytes::{Taken, Written};
use super::{Columns, Measure, MeasureError, Profile, Quality, Share, ThreadProfile, UserEvents};

/// A profile as it is looked at: of every node what the threads have together, and how unlike they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Overview {
    /// The profile of one thread, that has of every node what all have together.
    pub whole: Profile,
    /// Names of the threads that there are, in the order of the profile.
    pub threads: Vec<String>,
    /// The place of the one that all of this is of alone.
    pub only: Option<u32>,
    /// What is looked at, as it was asked for.
    pub measure: String,
    /// How many values of its own the program told.
    pub user_events: usize,
    /// How many threads met each node.
    pub met: Vec<f64>,
    /// Of what is looked at, by [`Share::BOTH`].
    pub spread: [Spread; 2],
}

/// How unlike threads are, of every node; NaN where no thread has a value.
///
/// A thread that did not meet a node spent nothing there, but has no value of a formula.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spread {
    pub least: Vec<f64>,
    pub mean: Vec<f64>,
    pub largest: Vec<f64>,
}

/// What is to be looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(default, rename_all = "camelCase")]
pub struct Asked {
    /// A metric or a formula, see [`Profile::measure`]; empty: the first metric.
    pub measure: String,
    /// The place of the thread that is meant alone.
    pub thread: Option<u32>,
}

/// What of an overview is no column.
#[derive(Serialize, Deserialize)]
struct Head {
    threads: Vec<String>,
    only: Option<u32>,
    measure: String,
    user_events: usize,
}

impl Profile {
    /// What is asked for, or the first metric.
    pub fn measure_or_first(&self, asked: &str) -> Result<Measure, MeasureError> {
        if asked.is_empty() { Ok(Measure::Metric(0)) } else { self.measure(asked) }
    }

    /// What threads have together. O(threads × nodes).
    pub fn overview(&self, asked: &Asked) -> Result<Overview, MeasureError> {
        let measure = self.measure_or_first(&asked.measure)?;
        let only = asked.thread.filter(|thread| (*thread as usize) < self.threads.len());
        let meant = match only {
            Some(thread) => &self.threads[thread as usize..=thread as usize],
            None => &self.threads[..],
        };
        let columns = || meant.iter().map(|thread| &thread.columns);
        let (nodes, metrics) = (self.nodes.len(), self.metrics.len());
        let mut met = vec![0.0; nodes];
        for node in columns().flat_map(|columns| &columns.nodes) {
            met[*node as usize] += 1.0;
        }
        let all = ThreadProfile {
            thread: String::new(),
            node_context_thread: [0; 3],
            columns: Columns::sum(nodes, metrics, columns()),
            user_events: UserEvents::default(),
        };
        let spread = Share::BOTH.map(|(share, _)| Spread::of(nodes, meant, &measure, share));
        Ok(Overview {
            whole: Self {
                version: self.version,
                name: self.name.clone(),
                metrics: self.metrics.clone(),
                nodes: self.nodes.clone(),
                threads: vec![all],
                user_events: vec![],
                metadata: self.metadata.clone(),
                quality: self.quality.clone(),
                intervals: self.intervals.clone(),
            },
            threads: self.threads.iter().map(|thread| thread.thread.clone()).collect(),
            only,
            measure: asked.measure.clone(),
            user_events: self.user_events.len(),
            met,
            spread,
        })
    }

    /// What each thread has of a node; NaN where it has no value.
    pub fn over_threads(&self, node: u32, measure: &Measure, share: Share) -> Vec<f64> {
        let nothing = measure.of_nothing();
        let value = |thread: &ThreadProfile| match thread.columns.place(node) {
            Some(place) => thread.columns.value(measure, share, place).unwrap_or(f64::NAN),
            None => nothing,
        };
        self.threads.iter().map(value).collect()
    }
}

impl Measure {
    /// What a thread has that did not meet a node.
    fn of_nothing(&self) -> f64 {
        if matches!(self, Self::Metric(_)) { 0.0 } else { f64::NAN }
    }
}

impl Spread {
    fn of(nodes: usize, threads: &[ThreadProfile], measure: &Measure, share: Share) -> Self {
        let (mut least, mut largest) = (vec![f64::INFINITY; nodes], vec![f64::NEG_INFINITY; nodes]);
        let (mut sum, mut count) = (vec![0.0; nodes], vec![0usize; nodes]);
        for columns in threads.iter().map(|thread| &thread.columns) {
            for (place, node) in columns.nodes.iter().enumerate() {
                let Some(value) = columns.value(measure, share, place) else { continue };
                let node = *node as usize;
                least[node] = least[node].min(value);
                largest[node] = largest[node].max(value);
                sum[node] += value;
                count[node] += 1;
            }
        }
        let absent = measure.of_nothing();
        let mut mean = sum;
        for node in 0..nodes {
            if count[node] < threads.len() && !absent.is_nan() {
                least[node] = least[node].min(absent);
                largest[node] = largest[node].max(absent);
                count[node] = threads.len();
            }
            if count[node] == 0 {
                [least[node], largest[node]] = [f64::NAN; 2];
            }
            mean[node] /= count[node] as f64;
        }
        Self { least, mean, largest }
    }

    /// Mean over largest: 1 where all are alike; `None` where nothing is spent.
    ///
    /// The load balance of a node: POP's *load balance efficiency*.
    pub fn balance(&self, node: usize) -> Option<f64> {
        let (mean, largest) = (self.mean.get(node)?, self.largest.get(node)?);
        (*largest > 0.0).then(|| mean / largest)
    }
}

impl Overview {
    /// How many threads it is of.
    pub fn threads_meant(&self) -> usize {
        if self.only.is_some() { 1 } else { self.threads.len() }
    }

    /// What all have together.
    pub fn total(&self) -> &Columns {
        &self.whole.threads[0].columns
    }

    pub fn quality(&self) -> &Quality {
        &self.whole.quality
    }

    /// Bytes that another instance of this module reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { whole, threads, only, measure, user_events, met, spread } = self;
        let (threads, measure) = (threads.clone(), measure.clone());
        let head = Head { threads, only: *only, measure, user_events: *user_events };
        let mut bytes = Written(whole.to_bytes());
        bytes.value(&head);
        bytes.numbers(met);
        for Spread { least, mean, largest } in spread {
            [least, mean, largest].into_iter().for_each(|column| bytes.numbers(column));
        }
        bytes.0
    }

    /// What [`Self::to_bytes`] made; `None` of other bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut bytes = Taken(bytes);
        let whole = Profile::take(&mut bytes)?;
        let Head { threads, only, measure, user_events } = bytes.value()?;
        let nodes = whole.nodes.len();
        (whole.threads.first()?.columns.len() == nodes).then_some(())?;
        let met = bytes.numbers(nodes)?;
        let mut spread = || {
            let [least, mean, largest] = [(); 3].map(|()| bytes.numbers(nodes));
            Some(Spread { least: least?, mean: mean?, largest: largest? })
        };
        Some(Self {
            spread: [spread()?, spread()?],
            whole,
            threads,
            only,
            measure,
            user_events,
            met,
        })
    }
}
