//! A stretch of a run between two of its edges: one phase or several together.

use std::collections::BTreeMap;

use super::counters::Of;
use super::run::Run;

/// The variance of a border is so many times what the half width says, which covers .88 to .94 of the true
/// borders, not .95 (comparison of foldings, §1b).
pub const WIDER: f64 = 1.3;

/// A stretch between the edges `first` and `end` of a run.
#[derive(Clone, Debug)]
pub struct Stretch<'a> {
    pub run: &'a Run,
    pub first: usize,
    pub end: usize,
    /// Mean rate of each counter of the run, and the variance of that.
    pub rates: Vec<[f64; 2]>,
    /// Share of the samples by routine, by name; how many samples there are.
    pub routines: BTreeMap<&'a str, f64>,
    pub samples: u32,
}

impl<'a> Stretch<'a> {
    /// `None` if the run has no such edges.
    pub fn new(run: &'a Run, first: usize, end: usize) -> Option<Self> {
        let inner = run.edges.get(first..=end).filter(|edges| edges.len() > 1)?;
        let widths = inner.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>();
        let share = inner[inner.len() - 1] - inner[0];
        let rates = run.counters.iter().map(|counter| {
            let parts = widths.iter().zip(counter.rates.iter().skip(first));
            let (mut rate, mut variance) = (0.0, 0.0);
            for (width, [own, of_own]) in parts {
                rate += width * own / share;
                variance += width * width * of_own / (share * share);
            }
            [rate, variance]
        });
        let rates = rates.collect();
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for ((routine, ..), count) in run.places.get(first..end)?.iter().flatten() {
            *counts.entry(routine).or_default() += count;
        }
        let samples = counts.values().sum::<u32>();
        let of_all = |(name, count)| (name, f64::from(count) / f64::from(samples));
        let routines = counts.into_iter().map(of_all).collect();
        Some(Self { run, first, end, rates, routines, samples })
    }

    /// All of a run, its phases together; of one without edges nothing is known but how long it is.
    pub fn whole(run: &'a Run) -> Self {
        let end = run.edges.len().saturating_sub(1);
        let nothing =
            Self { run, first: 0, end, rates: vec![], routines: BTreeMap::new(), samples: 0 };
        Self::new(run, 0, end).unwrap_or(nothing)
    }

    /// From the beginning of the first to the end of the last.
    pub fn joined(parts: &[Stretch<'a>]) -> Option<Self> {
        let (first, last) = (parts.first()?, parts.last()?);
        Self::new(first.run, first.first, last.end)
    }

    pub fn start(&self) -> f64 {
        self.run.edges[self.first]
    }

    /// From where to where it lies, in folded time.
    pub fn span(&self) -> [f64; 2] {
        [self.start(), self.finish()]
    }

    pub fn finish(&self) -> f64 {
        self.run.edges[self.end]
    }

    /// Of the region.
    pub fn share(&self) -> f64 {
        self.finish() - self.start()
    }

    pub fn duration_ms(&self) -> f64 {
        self.share() * self.run.duration_ms
    }

    /// Of the logarithm of its duration, as far as the run itself tells.
    pub fn variance(&self) -> f64 {
        let borders = self.run.edge_variances[self.first] + self.run.edge_variances[self.end];
        WIDER * borders / (self.share() * self.share()) + self.run.duration_variance
    }

    /// Its routine with most samples.
    pub fn routine(&self) -> Option<&'a str> {
        let mut most: Option<(&str, f64)> = None;
        for (name, share) in &self.routines {
            if most.is_none_or(|(_, of_most)| *share > of_most) {
                most = Some((name, *share));
            }
        }
        most.map(|(name, _)| name)
    }

    /// Instructions per µs, if they are counted and there are some.
    pub fn instructions(&self) -> Option<[f64; 2]> {
        let rate = *self.rates.get(self.run.instructions?)?;
        Some(rate).filter(|[rate, _]| *rate > 0.0)
    }

    /// Cycles, and the variance of the logarithm of that, if they are counted and there are some.
    pub fn cycles(&self) -> Option<[f64; 2]> {
        let at = self.run.counters.iter().position(|counter| counter.is_cycles)?;
        self.of_counter(at, Of::Total)
    }

    /// What is compared of a counter, and the variance of the logarithm of that; `None` where there is nothing.
    pub fn of_counter(&self, counter: usize, of: Of) -> Option<[f64; 2]> {
        if of == Of::Ratio {
            return self.per_instruction(counter);
        }
        let [per_us, variance] = *self.rates.get(counter)?;
        let relative = variance / (per_us * per_us);
        let events = per_us * self.duration_ms() * 1e3;
        (per_us > 0.0).then(|| match of {
            Of::Total => [events, relative + self.variance()],
            _ => [per_us, relative],
        })
    }

    /// Events of a counter per instruction, and the variance of the logarithm of that, the two taken for
    /// independent (which is conservative).
    pub fn per_instruction(&self, counter: usize) -> Option<[f64; 2]> {
        if self.run.instructions == Some(counter) {
            return None;
        }
        let [per_us, of_per_us] = self.instructions()?;
        let [events, of_events] = *self.rates.get(counter)?;
        let relative = of_events / (events * events) + of_per_us / (per_us * per_us);
        (events > 0.0).then_some([events / per_us, relative])
    }
}
