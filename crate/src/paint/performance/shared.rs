//! What pictures beside one another have in common.

use super::shown::Shown;
use crate::folding::Group;
use crate::order;
use crate::paint::View;
use crate::quantity::Kind;

/// The counters that several groups have, with the largest value of each over all of them: on axes
/// made of these a height means the same in every picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Shared {
    /// Whether counters are told per instruction: where all groups have instructions.
    pub kind: Kind,
    /// By counter.
    largest: Vec<(String, f64)>,
}

impl Shared {
    /// Of the groups that have any counter; a counter that one of them lacks is left out.
    pub fn of<'a>(groups: impl Iterator<Item = &'a Group> + Clone, view: &View) -> Self {
        let counted = || groups.clone().filter(|group| !group.curves.is_empty());
        let have_instructions = counted().all(|group| group.instructions().is_some());
        let kind = if have_instructions { Kind::Ratio } else { Kind::Rate };
        let mut found: Vec<(String, (f64, usize))> = vec![];
        for group in counted() {
            for series in Shown::with(group, view, kind).all() {
                let (largest, count) = order::entry(&mut found, series.key.to_owned());
                *largest = largest.max(series.largest);
                *count += 1;
            }
        }
        let all = counted().count();
        found.retain(|(_, (_, count))| *count == all);
        let largest = found.into_iter().map(|(counter, (largest, _))| (counter, largest));
        Self { kind, largest: largest.collect() }
    }

    /// The largest value of a counter over all groups; `None` if not all have it.
    pub fn largest(&self, counter: &str) -> Option<f64> {
        let known = self.largest.iter().find(|(known, _)| known == counter);
        known.map(|(_, largest)| *largest)
    }
}
