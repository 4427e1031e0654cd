use std::fmt;

use super::{
    Columns, Measure, MeasureError, Node, NodeKind, Profile, Share, ThreadProfile, share_between,
};
use crate::order::{Numbers, Texts};

/// Two profiles with the same nodes, so that what each has of one can be laid beside what the other has.
///
/// Nodes are the same if their kind, their name and all above them are: the sampled lines of a routine
/// are one node, as lines move from version to version. Summaries, which say the same of lines, are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Beside {
    pub sides: [Profile; 2],
    /// Of each side by node, as it was numbered there: the node here.
    places: [Vec<u32>; 2],
}

/// What the threads of one side have of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverThreads {
    /// How many threads met it.
    pub met: usize,
    pub total: f64,
    /// Over all threads: one that did not meet it has nothing. Of a formula over those that have a value.
    pub mean: f64,
    pub least: f64,
    pub largest: f64,
    /// √ of the mean squared distance to the mean: it is of all threads, not of some.
    pub deviation: f64,
}

/// Why nothing can be laid side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BesideError {
    /// What is asked for, and the side that has no such.
    Measure {
        side: String,
        error: Box<MeasureError>,
    },
    NothingInCommon,
}

impl Beside {
    /// O(nodes · log nodes + threads × nodes).
    pub fn of(a: &Profile, b: &Profile) -> Self {
        let (mut numbers, mut names, mut nodes) = (Numbers::default(), Texts::default(), vec![]);
        let places = [a, b].map(|profile| {
            let mut places = Vec::<u32>::with_capacity(profile.nodes.len());
            // Of a summary what it lies in, until one of its lines is met.
            let mut inside = places.clone();
            for node in &profile.nodes {
                let parent = node.parent.and_then(|parent| inside.get(parent as usize)).copied();
                if let (NodeKind::Summary, Some(parent)) = (node.kind, parent) {
                    inside.push(parent);
                    places.push(parent);
                    continue;
                }
                let above = parent.map_or(0, |parent| u64::from(parent) + 1);
                let number = numbers.of([above, node.kind as u64, names.of(&node.name).into()]);
                if number == nodes.len() {
                    nodes.push(Node { parent, line: 0, ..node.clone() });
                }
                inside.push(number as u32);
                places.push(number as u32);
                let above = node.parent.map(|above| above as usize);
                let is_line = |above: &usize| profile.nodes[*above].kind == NodeKind::Summary;
                if let Some(summary) = above.filter(is_line) {
                    places[summary] = number as u32;
                }
            }
            places
        });
        let side = |profile: &Profile, places: &[u32]| Profile {
            nodes: nodes.clone(),
            threads: profile.threads.iter().map(|of| joined(of, &profile.nodes, places)).collect(),
            name: profile.name.clone(),
            metrics: profile.metrics.clone(),
            user_events: profile.user_events.clone(),
            metadata: profile.metadata.clone(),
            quality: profile.quality.clone(),
            intervals: vec![],
            ..*profile
        };
        Self { sides: [side(a, &places[0]), side(b, &places[1])], places }
    }

    /// The node here that a node of a side is; of a summary that of its lines.
    pub fn place(&self, side: usize, node: u32) -> Option<u32> {
        self.places[side].get(node as usize).copied()
    }

    /// What a node here is on a side, by its number there: of the lines of a routine their summary, where there is
    /// one, or the first. O(nodes).
    pub fn node_of(&self, side: usize, node: u32, of: &Profile) -> Option<u32> {
        let first = (0u32..).zip(&self.places[side]).zip(&of.nodes);
        let mut first =
            first.filter(|((_, place), of)| **place == node && of.kind != NodeKind::Summary);
        let ((at, _), first) = first.next()?;
        let above = first.parent.filter(|at| of.nodes[*at as usize].kind == NodeKind::Summary);
        Some(above.unwrap_or(at))
    }

    /// What can be looked at of both: what is asked for, or every metric that both have.
    pub fn measures(&self, asked: Option<&str>) -> Result<Vec<[Measure; 2]>, BesideError> {
        let [a, b] = &self.sides;
        if let Some(asked) = asked {
            let of = |profile: &Profile| {
                let side = || profile.name.clone();
                let refused = |error| BesideError::Measure { side: side(), error: Box::new(error) };
                profile.measure(asked).map_err(refused)
            };
            return Ok(vec![[of(a)?, of(b)?]]);
        }
        let both = a.metrics.iter().enumerate();
        let both = both.filter_map(|(at, metric)| Some([at, b.metric(&metric.name)?]));
        let both = both.map(|pair| pair.map(Measure::Metric)).collect::<Vec<_>>();
        if both.is_empty() { Err(BesideError::NothingInCommon) } else { Ok(both) }
    }

    /// Of what samples say of a node on each side, how far it may be off, as a share of it: half of a 95 %
    /// interval. `None` of what probes measured, and without samples. O(threads · log nodes).
    pub fn doubts(&self, node: u32, samples: &[f64; 2]) -> [Option<f64>; 2] {
        let is_sampled = self.sides[0].nodes[node as usize].kind.is_sampled();
        [0, 1].map(|side: usize| {
            let columns = self.sides[side].threads.iter().map(|thread| &thread.columns);
            let counts = columns.filter_map(|of| Some(of.counts[of.place(node)?]));
            let count = counts.sum::<f64>();
            let [low, high] = share_between(count, samples[side])?;
            (is_sampled && count > 0.0).then(|| (high - low) * samples[side] / count / 2.0)
        })
    }

    /// Of each side, how many samples all threads have.
    pub fn samples(&self) -> [f64; 2] {
        self.sides.each_ref().map(|side| {
            let all = side.threads.iter().map(|thread| &thread.columns);
            let all = all.flat_map(|columns| columns.nodes.iter().zip(&columns.counts));
            let leaves = all.filter(|(node, _)| side.nodes[**node as usize].kind.is_leaf());
            leaves.map(|(_, count)| count).sum()
        })
    }

    /// What each side has of a node; `None` of one whose threads never met it, or have no value.
    pub fn over_threads(
        &self,
        node: u32,
        measures: &[Measure; 2],
        share: Share,
    ) -> [Option<OverThreads>; 2] {
        [0, 1].map(|side| OverThreads::of(&self.sides[side], node, &measures[side], share))
    }

    /// Of the exclusive time of each side, or of what it measured in its place, how much is in nodes that the
    /// other has too.
    pub fn shared(&self) -> [f64; 2] {
        let met = [0, 1].map(|side| {
            let mut met = vec![false; self.sides[0].nodes.len()];
            let nodes = self.sides[side].threads.iter().flat_map(|thread| &thread.columns.nodes);
            nodes.for_each(|node| met[*node as usize] = true);
            met
        });
        [0, 1].map(|side| {
            let metric = self.sides[side].time().unwrap_or(0);
            let (mut shared, mut all) = (0.0, 0.0);
            for columns in self.sides[side].threads.iter().map(|thread| &thread.columns) {
                let Some(own) = columns.exclusive.get(metric) else { continue };
                for (node, own) in columns.nodes.iter().zip(own) {
                    all += own;
                    shared += if met[1 - side][*node as usize] { *own } else { 0.0 };
                }
            }
            if all > 0.0 { shared / all } else { 0.0 }
        })
    }
}

/// The same numbers under other numbers of nodes; those of the same node add up.
fn joined(thread: &ThreadProfile, nodes: &[Node], places: &[u32]) -> ThreadProfile {
    let from = &thread.columns;
    let mut columns = Columns::of(from.exclusive.len());
    let mut numbers = Numbers::default();
    for (at, node) in from.nodes.iter().enumerate() {
        if nodes[*node as usize].kind == NodeKind::Summary {
            continue;
        }
        let node = places[*node as usize];
        let place = numbers.of([node.into(), 0, 0]);
        if place == columns.len() {
            columns.push(node);
        }
        columns.counts[place] += from.counts[at];
        columns.subcalls[place] += from.subcalls[at];
        let add = |into: &mut Vec<Vec<f64>>, of: &[Vec<f64>]| {
            into.iter_mut().zip(of).for_each(|(into, of)| into[place] += of[at]);
        };
        add(&mut columns.exclusive, &from.exclusive);
        add(&mut columns.inclusive, &from.inclusive);
    }
    let (thread, user_events) = (thread.clone(), thread.user_events.clone());
    ThreadProfile { columns: columns.rising(), user_events, ..thread }
}

impl OverThreads {
    fn of(profile: &Profile, node: u32, measure: &Measure, share: Share) -> Option<Self> {
        let met =
            profile.threads.iter().filter(|thread| thread.columns.place(node).is_some()).count();
        let values = profile.over_threads(node, measure, share);
        let values = values.into_iter().filter(|value| value.is_finite()).collect::<Vec<_>>();
        if met == 0 || values.is_empty() {
            return None;
        }
        let count = values.len() as f64;
        let total = values.iter().sum::<f64>();
        let mean = total / count;
        let squares = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>();
        Some(Self {
            met,
            total,
            mean,
            least: values.iter().copied().fold(f64::INFINITY, f64::min),
            largest: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            deviation: libm::sqrt(squares / count),
        })
    }
}

impl fmt::Display for BesideError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Measure { side, error } => write!(out, "{error} (of {side})"),
            Self::NothingInCommon => write!(out, "the profiles have no metric in common"),
        }
    }
}

impl std::error::Error for BesideError {}
