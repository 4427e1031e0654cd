//! Cells of the table, and what is measured in each.
//!
//! Source: spec/algorithms.md §3.4.

use std::collections::BTreeMap;

use serde_json::Value;
use tracefold::folding::{Method, Stretch};
use tracefold::input::NamedFile;
use tracefold::instance::{self, Giving, Grouping, Outliers, RegionNames, Rulers, Wanted};
use tracefold::open;
use tracefold::source::{Align, Aligned, Shortest, Stacks, align, fold_stacks, stretches};
use tracefold::trace::Trace;
use tracefold_generate::{Options, Shape, generate_with};

/// Every figure is a mean over these.
const SEEDS: std::ops::Range<u64> = 0..30;

/// More frames than any stack has.
const ALL_FRAMES: usize = 99;

/// Percent of the region that a routine must last.
const SHORTEST: f64 = 2.5;

/// Moments at which the active routine is asked for.
const MOMENTS: usize = 2000;

/// A program, how many frames are captured, and how many samples are folded.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    pub shape: Shape,
    pub depth: usize,
    pub samples: usize,
}

pub fn cells() -> impl Iterator<Item = Cell> {
    [Shape::Bt, Shape::Deep].into_iter().flat_map(|shape| {
        [200, 1000]
            .into_iter()
            .flat_map(move |samples| [2, 3, 4].map(move |depth| Cell { shape, depth, samples }))
    })
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    /// Share of the samples that are aligned.
    pub coverage: f64,
    /// Share of the samples whose stack is the innermost part of the real one.
    pub correct: f64,
    /// Half the wrong inclusive time over that of all routines that were captured anywhere.
    pub inclusive: f64,
    /// Share of the time in which the innermost routine that lasts is another one.
    pub wrong_active: f64,
}

/// Means over the seeds: of complete stacks, of chains and of the published alignment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Means {
    pub full: Figures,
    pub chain: Figures,
    pub pivot: Figures,
}

impl Cell {
    pub fn means(&self) -> Means {
        let mut means = Means::default();
        for seed in SEEDS {
            let (captured, timeline) = self.stacks(seed, self.depth);
            let (complete, _) = self.stacks(seed, ALL_FRAMES);
            let seen = captured.routines.iter().map(String::as_str).collect::<Vec<_>>();
            for (sum, stacks, how) in [
                (&mut means.full, &complete, Align::Chain),
                (&mut means.chain, &captured, Align::Chain),
                (&mut means.pivot, &captured, Align::Pivot),
            ] {
                // One selection for all: what differs is the alignment.
                let aligned = Aligned { method: Method::Full, ..align(stacks, how) };
                sum.add(&figures(stacks, &aligned, &timeline, &seen));
            }
        }
        means
    }

    /// The folded stacks of a seed, read as a person's trace would be, and what really ran.
    fn stacks(&self, seed: u64, depth: usize) -> (Stacks, Timeline) {
        let (trace, truth) = self.trace(seed, depth);
        let executions = instance::executions(&trace, |_| true);
        let names = RegionNames::new(&trace, &executions, &[]);
        let region = instance::resolve(&names, "User function:main loop")[0];
        let instances = instance::instances(&trace, &executions, &[], region, &Wanted::default());
        let groups = instance::group(&instances, &Grouping::None, &[], Outliers::None).groups;
        let stacks = fold_stacks(&trace, &groups[0], &Rulers::default(), &Giving::default());
        assert_eq!(stacks.len(), self.samples);
        (stacks, Timeline::of(&truth))
    }

    /// The trace of a seed with so many frames of each sample, and what is known of it.
    pub fn trace(&self, seed: u64, depth: usize) -> (Trace, Value) {
        let Cell { shape, samples, .. } = *self;
        let options = Options { samples: Some(samples), depth: Some(depth), ..Options::default() };
        let made = generate_with(shape, seed, &options);
        let files = [("made.prv", &made.prv), ("made.pcf", &made.pcf)];
        let files = files.map(|(name, bytes)| NamedFile::new(name, bytes.as_slice()));
        let trace = open::open(files.into(), &mut |_| {}).unwrap();
        (trace, serde_json::from_str(&made.truth).unwrap())
    }
}

impl Figures {
    fn add(&mut self, other: &Figures) {
        let of = 1.0 / SEEDS.end as f64;
        self.coverage += of * other.coverage;
        self.correct += of * other.correct;
        self.inclusive += of * other.inclusive;
        self.wrong_active += of * other.wrong_active;
    }
}

/// What runs when: routines from the outermost on, without gaps.
struct Timeline(Vec<(f64, f64, Vec<String>)>);

impl Timeline {
    fn of(truth: &Value) -> Timeline {
        let call = |row: &Value| {
            let path = row[2].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
            let path = path.map(str::to_owned).collect();
            (row[0].as_f64().unwrap(), row[1].as_f64().unwrap(), path)
        };
        Timeline(truth["timeline"].as_array().unwrap().iter().map(call).collect())
    }

    fn path(&self, x: f64) -> &[String] {
        let at = self.0.partition_point(|(_, end, _)| *end <= x);
        &self.0[at.min(self.0.len() - 1)].2
    }

    /// Level, begin, end and name of every routine that lasts without a break, inside one that
    /// does.
    fn lasting(&self) -> Vec<(usize, f64, f64, String)> {
        let mut found = Vec::new();
        self.lasting_in(0, 0, self.0.len(), &mut found);
        found
    }

    fn lasting_in(
        &self,
        level: usize,
        first: usize,
        end: usize,
        found: &mut Vec<(usize, f64, f64, String)>,
    ) {
        let mut at = first;
        while at < end {
            let name = self.0[at].2.get(level);
            let next = (at..end).find(|&next| self.0[next].2.get(level) != name).unwrap_or(end);
            let (from, to) = (self.0[at].0, self.0[next - 1].1);
            if let Some(name) = name.filter(|_| to - from >= SHORTEST / 100.0) {
                found.push((level, from, to, name.clone()));
                self.lasting_in(level + 1, at, next, found);
            }
            at = next;
        }
    }
}

fn figures(stacks: &Stacks, aligned: &Aligned, timeline: &Timeline, seen: &[&str]) -> Figures {
    let samples = stacks.len() as f64;
    let is_left_out = |sample: u32| aligned.left_out.binary_search(&sample).is_ok();
    let is_correct = |sample: &u32| {
        let path = timeline.path(stacks.x[*sample as usize]);
        let mut at = Some(aligned.context[*sample as usize]);
        let mut frames = path.iter().rev();
        while let Some(context) = at {
            let context = aligned.contexts[context as usize];
            if frames.next() != Some(&stacks.routines[context.routine as usize]) {
                return false;
            }
            at = context.parent;
        }
        true
    };
    let all = 0..stacks.len() as u32;
    let correct = all.filter(|sample| !is_left_out(*sample) && is_correct(sample)).count();
    let found = stretches(stacks, aligned, Shortest::Percent(SHORTEST), 1e8);
    let name = |stretch: &Stretch| {
        let context = aligned.contexts[stretch.context.unwrap() as usize];
        stacks.routines[context.routine as usize].clone()
    };
    let found = found.iter().filter(|stretch| !stretch.short);
    let found = found.map(|s| (s.level as usize, s.start, s.end, name(s))).collect::<Vec<_>>();
    let real = timeline.lasting();
    Figures {
        coverage: 1.0 - aligned.left_out.len() as f64 / samples,
        correct: correct as f64 / samples,
        inclusive: inclusive_error(&found, &real, seen),
        wrong_active: (0..MOMENTS)
            .map(|at| (at as f64 + 0.5) / MOMENTS as f64)
            .filter(|&at| active(&found, at) != active(&real, at))
            .count() as f64
            / MOMENTS as f64,
    }
}

type Lasting = (usize, f64, f64, String);

/// The innermost routine at a moment.
fn active(lasting: &[Lasting], at: f64) -> Option<&str> {
    let here = lasting.iter().filter(|(_, from, to, _)| (*from..*to).contains(&at));
    here.max_by_key(|(level, ..)| *level).map(|(.., name)| name.as_str())
}

fn inclusive_error(found: &[Lasting], real: &[Lasting], seen: &[&str]) -> f64 {
    let times = |lasting: &[Lasting]| {
        let mut times: BTreeMap<String, f64> = BTreeMap::new();
        for (_, from, to, name) in lasting.iter().filter(|one| seen.contains(&one.3.as_str())) {
            *times.entry(name.clone()).or_default() += to - from;
        }
        times
    };
    let (found, real) = (times(found), times(real));
    let apart = seen.iter().map(|name| {
        let of = |times: &BTreeMap<String, f64>| times.get(*name).copied().unwrap_or(0.0);
        (of(&found) - of(&real)).abs()
    });
    0.5 * apart.sum::<f64>() / real.values().sum::<f64>().max(1e-9)
}
