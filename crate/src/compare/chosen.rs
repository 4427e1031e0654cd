//! Which group of a folding is compared, and whether foldings can be as they are.

use crate::folding::{CurveKind, Folding, Group};

/// A group holds at least this share of the instances, or all of them are folded together: groups that single
/// runs make of noise are a change of nothing (comparison of foldings, §2).
const MOST_OF_ALL: f64 = 0.8;

/// The group of most instances; of two the longer.
pub fn largest(folding: &Folding) -> Option<&Group> {
    let by_size = |a: &&Group, b: &&Group| {
        a.kept.cmp(&b.kept).then(a.mean_duration_ns.total_cmp(&b.mean_duration_ns))
    };
    folding.groups.iter().max_by(by_size)
}

/// Whether foldings have other numbers of groups, or the largest one of any holds too little of it: then all
/// instances are to be folded together.
pub fn are_grouped_unlike<'a>(foldings: impl Iterator<Item = &'a Folding> + Clone) -> bool {
    let mut counts = foldings.clone().map(|folding| folding.groups.len());
    let first = counts.next();
    let is_part = |folding: &Folding| {
        let all = folding.groups.iter().map(|group| group.instances).sum::<u32>();
        let of_largest = largest(folding).map_or(0, |group| group.instances);
        f64::from(of_largest) < MOST_OF_ALL * f64::from(all)
    };
    counts.any(|count| Some(count) != first) || foldings.clone().any(is_part)
}

/// Whether curves of any group are smooth: between them, as those of instances whose borders move, a step may
/// be a slope, and no phase. For a comparison it is folded with segments, unless that is [`is_cut`].
pub fn is_smooth(folding: &Folding) -> bool {
    let is_smooth = |group: &Group| matches!(group.fit.kind, CurveKind::Pieces | CurveKind::Spline);
    folding.groups.iter().any(is_smooth)
}

/// Whether the segments of the group that is compared are cut through slopes. Halves of such a run have breaks of
/// their own: of 444.namd, 19 instances each, whose segments err by 1.2 to 1.3 times as much as its curves, 15 phases
/// were told as changed, up to −47 % [−49, −44]; between the breaks of its curves none. In 149 generated runs of
/// phases, of 20 to 400 instances, also with drift, unlike ranks and phases that vary by a tenth, the ratio was 1.04
/// at most.
pub fn is_cut(folding: &Folding) -> bool {
    largest(folding).is_some_and(|group| group.fit.is_cut())
}

/// Whether there are no phases in a group, as nothing jumps where its breaks lie: those of a smooth curve sum it up,
/// and those of segments that are cut through slopes lie elsewhere with other instances. What a person put stays.
pub fn has_no_steps(group: &Group) -> bool {
    let is_bent = group.fit.kind == CurveKind::Spline || group.fit.is_cut();
    is_bent && !group.breaks.iter().any(|of| of.by_hand)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folding(groups: &[(u32, f64)]) -> Folding {
        let group = |(number, &(instances, mean_duration_ns)): (u32, &(u32, f64))| Group {
            number,
            instances,
            kept: instances,
            mean_duration_ns,
            ..Group::default()
        };
        Folding { groups: (1..).zip(groups).map(group).collect(), ..Folding::default() }
    }

    #[test]
    fn phases_lie_between_steps_and_what_a_person_puts() {
        use crate::folding::{Break, FitReport};
        let group = |kind, error_ratio, by_hand| Group {
            fit: FitReport { kind, error_ratio, ..FitReport::default() },
            breaks: vec![Break { at: 0.5, by_hand, ..Break::default() }],
            ..Group::default()
        };
        let none = |kind, ratio| has_no_steps(&group(kind, ratio, false));
        assert!(none(CurveKind::Spline, None) && none(CurveKind::Segments, Some(1.06)));
        assert!(!none(CurveKind::Segments, None) && !none(CurveKind::Segments, Some(1.05)));
        assert!(!none(CurveKind::Pieces, None) && !none(CurveKind::Steps, Some(31.0)));
        assert!(!has_no_steps(&group(CurveKind::Spline, None, true)));
        assert!(!has_no_steps(&group(CurveKind::Segments, Some(1.3), true)));
    }

    #[test]
    fn the_largest_group_is_compared_and_must_hold_most() {
        let number = |groups: &[(u32, f64)]| largest(&folding(groups)).map(|group| group.number);
        assert_eq!(number(&[(90, 1.0), (10, 9.0)]), Some(1));
        assert_eq!(number(&[(50, 1.0), (50, 9.0)]), Some(2));
        assert_eq!(number(&[]), None);
        let are_unlike = |all: &[&[(u32, f64)]]| {
            let all = all.iter().map(|groups| folding(groups)).collect::<Vec<_>>();
            are_grouped_unlike(all.iter())
        };
        assert!(!are_unlike(&[&[(90, 1.0), (10, 9.0)], &[(85, 1.0), (15, 9.0)]]));
        assert!(are_unlike(&[&[(90, 1.0), (10, 9.0)], &[(100, 1.0)]]), "other numbers of groups");
        assert!(are_unlike(&[&[(90, 1.0), (10, 9.0)], &[(79, 1.0), (21, 9.0)]]), "too little");
    }
}
