//! What pictures beside one another have in common.

use super::chosen::worth;
use super::series::Series;
use super::shown::at_left;
use crate::folding::Group;
use crate::order;
use crate::quantity::Kind;

/// The counters that several groups have, with the largest value of each over all of them: on axes
/// made of these a height means the same in every picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Shared {
    /// Whether counters are told per instruction: where all groups have instructions.
    pub kind: Kind,
    /// The counters of the first group, the one that tells most first: all have the same curves.
    pub order: Vec<String>,
    /// By counter.
    largest: Vec<(String, f64)>,
}

impl Shared {
    /// Of the groups that have any counter; a counter that one of them lacks is left out.
    pub fn of<'a>(groups: impl Iterator<Item = &'a Group> + Clone) -> Self {
        let counted = || groups.clone().filter(|group| !group.curves.is_empty());
        let have_instructions = counted().all(|group| group.instructions().is_some());
        let kind = if have_instructions { Kind::Ratio } else { Kind::Rate };
        let mut found: Vec<(String, (f64, usize))> = vec![];
        for group in counted() {
            let rate = group.instructions().filter(|curve| !group.is_axis(curve));
            let rate = rate.map(|curve| Series::of(group, curve, Kind::Rate));
            let others = at_left(group).map(|curve| Series::of(group, curve, kind));
            for series in others.chain(rate) {
                let (largest, count) = order::entry(&mut found, series.key.to_owned());
                *largest = largest.max(series.largest);
                *count += 1;
            }
        }
        let all = counted().count();
        found.retain(|(_, (_, count))| *count == all);
        let largest = found.into_iter().map(|(counter, (largest, _))| (counter, largest));
        let order = counted().next().map(worth).unwrap_or_default();
        Self { kind, order, largest: largest.collect() }
    }

    /// The largest value of a counter over all groups; `None` if not all have it.
    pub fn largest(&self, counter: &str) -> Option<f64> {
        let known = self.largest.iter().find(|(known, _)| known == counter);
        known.map(|(_, largest)| *largest)
    }
}
