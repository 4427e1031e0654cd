use super::{Columns, Measure, Node, Profile, Share, ThreadProfile};
use crate::order::{Numbers, Texts};

/// Two profiles with the same nodes, so that what each has of one can be laid beside what the other has.
///
/// Nodes are the same if their kind, their name and all above them are: the sampled lines of a routine
/// are one node, as lines move from version to version.
#[derive(Clone, Debug, PartialEq)]
pub struct Beside {
    pub sides: [Profile; 2],
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

impl Beside {
    /// O(nodes · log nodes + threads × nodes).
    pub fn of(a: &Profile, b: &Profile) -> Self {
        let (mut numbers, mut names, mut nodes) = (Numbers::default(), Texts::default(), vec![]);
        let places = [a, b].map(|profile| {
            let mut places = Vec::<u32>::with_capacity(profile.nodes.len());
            for node in &profile.nodes {
                let parent = node.parent.and_then(|parent| places.get(parent as usize)).copied();
                let above = parent.map_or(0, |parent| u64::from(parent) + 1);
                let number = numbers.of([above, node.kind as u64, names.of(&node.name).into()]);
                if number == nodes.len() {
                    nodes.push(Node { parent, line: 0, ..node.clone() });
                }
                places.push(number as u32);
            }
            places
        });
        let side = |profile: &Profile, places: &[u32]| Profile {
            nodes: nodes.clone(),
            threads: profile.threads.iter().map(|thread| joined(thread, places)).collect(),
            name: profile.name.clone(),
            metrics: profile.metrics.clone(),
            user_events: profile.user_events.clone(),
            metadata: profile.metadata.clone(),
            quality: profile.quality.clone(),
            ..*profile
        };
        Self { sides: [side(a, &places[0]), side(b, &places[1])] }
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
fn joined(thread: &ThreadProfile, places: &[u32]) -> ThreadProfile {
    let from = &thread.columns;
    let mut columns = Columns::of(from.exclusive.len());
    let mut numbers = Numbers::default();
    for (at, node) in from.nodes.iter().enumerate() {
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
