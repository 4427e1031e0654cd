//! What of a folding nobody is told until it is decided which kind of curve it has: the phases of
//! another kind are others.

use super::{Break, Folding, Phase, Stream};

/// What was taken out of a folding, by group.
#[derive(Debug, PartialEq)]
pub struct Undecided(Vec<OfGroup>);

#[derive(Debug, PartialEq)]
struct OfGroup {
    phases: Vec<Phase>,
    breaks: Vec<Break>,
    /// By curve.
    own_breaks: Vec<Vec<f64>>,
    streams: Vec<Stream>,
}

impl Folding {
    /// Takes phases, breaks and what is told by phase out of every group.
    pub fn take_undecided(&mut self) -> Undecided {
        let groups = self.groups.iter_mut().map(|group| {
            let streams = group.streams.clone();
            group.streams.retain(|stream| stream.phase.is_none());
            OfGroup {
                phases: std::mem::take(&mut group.phases),
                breaks: std::mem::take(&mut group.breaks),
                own_breaks: group
                    .curves
                    .iter_mut()
                    .map(|curve| std::mem::take(&mut curve.own_breaks))
                    .collect(),
                streams,
            }
        });
        Undecided(groups.collect())
    }

    /// Puts back what was taken, where nothing else will be decided.
    pub fn give_back(&mut self, Undecided(taken): Undecided) {
        for (group, of) in self.groups.iter_mut().zip(taken) {
            (group.phases, group.breaks, group.streams) = (of.phases, of.breaks, of.streams);
            for (curve, own_breaks) in group.curves.iter_mut().zip(of.own_breaks) {
                curve.own_breaks = own_breaks;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::folding::{Phase, Stream, example};

    #[test]
    fn what_is_undecided_is_not_told_and_comes_back_as_it_was() {
        let mut folding = example::folding(2);
        let group = &mut folding.groups[0];
        group.phases = vec![Phase { end: 0.4, ..Phase::default() }, Phase::default()];
        group.curves[1].own_breaks = vec![0.4];
        let stream = |object, phase| Stream { object, phase, ..Stream::default() };
        group.streams = vec![stream(0, Some(0)), stream(0, None), stream(1, Some(1))];
        let before = folding.clone();
        let taken = folding.take_undecided();
        let group = &folding.groups[0];
        assert!(group.phases.is_empty() && group.breaks.is_empty());
        assert_eq!(group.streams, [stream(0, None)]);
        assert!(group.curves.iter().all(|curve| curve.own_breaks.is_empty()));
        folding.give_back(taken);
        assert_eq!(folding, before);
    }
}
