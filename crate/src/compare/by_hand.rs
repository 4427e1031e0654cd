//! Phases that a person says are the same.

use std::fmt;
use std::str::FromStr;

use super::canonical::canonical;
use super::matching::{Pair, matched};
use super::run::Run;
use super::stretch::Stretch;

/// Phases of A and what they are in B: of each side the first and the last one, by number from 1, as the folding
/// of its run has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByHand {
    pub a: [usize; 2],
    pub b: [usize; 2],
}

impl ByHand {
    fn of(&self, side: usize) -> [usize; 2] {
        if side == 0 { self.a } else { self.b }
    }

    fn has(&self, side: usize, phase: usize) -> bool {
        let [first, last] = self.of(side);
        (first..=last).contains(&phase)
    }
}

impl FromStr for ByHand {
    type Err = &'static str;

    /// `2-2.3`: phase 2 of A is phases 2 and 3 of B.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let side = |text: &str| {
            let numbers = text.split('.').map(|number| number.trim().parse::<usize>());
            let numbers = numbers.collect::<Result<Vec<_>, _>>().ok()?;
            let follow = numbers.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1]));
            Some([*numbers.first()?, *numbers.last()?]).filter(|_| follow)
        };
        let sides = text.split_once('-').and_then(|(a, b)| Some((side(a)?, side(b)?)));
        let (a, b) =
            sides.ok_or("expected phases of A and of B that follow one another, such as 2-2.3")?;
        Ok(Self { a, b })
    }
}

impl fmt::Display for ByHand {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |[first, last]: [usize; 2]| {
            (first..=last).map(|number| number.to_string()).collect::<Vec<_>>().join(".")
        };
        write!(out, "{}-{}", side(self.a), side(self.b))
    }
}

/// Whether a run has all phases that are named of a side, each once; the words say what is wrong.
pub fn check_by_hand(pairs: &[ByHand], run: &Run, side: usize) -> Result<(), String> {
    let name = ["A", "B"][side.min(1)];
    let phases = run.places.len();
    let mut ends = pairs.iter().map(|pair| pair.of(side)).collect::<Vec<_>>();
    ends.sort_unstable();
    if let Some([_, last]) =
        ends.iter().find(|[first, last]| *first < 1 || last < first || *last > phases)
    {
        return Err(format!(
            "found phase {last} of {name}, expected one of its {phases} phases, from 1"
        ));
    }
    match ends.windows(2).find(|pair| pair[1][0] <= pair[0][1]) {
        Some(pair) => {
            Err(format!("found phase {} of {name} in two pairs, expected it in one", pair[1][0]))
        }
        None => Ok(()),
    }
}

/// The phases of the first run of A, and what they are in each of the others, those of A first, where pairs are
/// named of the first run of each side: borders stay where they are. In a further run of B a pair is what its phases
/// of the first one are matched with, in a further run of A it is matched. `None` if a side has no run.
#[inline(never)]
pub fn named_beside_reference<'a>(
    [a, b]: [&'a [Run]; 2],
    named: &[ByHand],
) -> Option<(Vec<Stretch<'a>>, std::vec::IntoIter<Vec<Pair<'a>>>)> {
    let ((first_a, others_a), (first_b, others_b)) = (a.split_first()?, b.split_first()?);
    let own = as_named(canonical(first_a), first_a, named, 0);
    let of_b = as_named(canonical(first_b), first_b, named, 1);
    let of_others = others_a.iter().map(|run| matched(&own, &canonical(run)));
    let mut all = of_others.collect::<Vec<_>>();
    let in_first = named.iter().map(|pair| parts_of(&of_b, |at| pair.has(1, at)));
    all.push(paired(&own, &of_b, named, &in_first.collect::<Vec<_>>()));
    for run in others_b {
        let parts = canonical(run);
        let matches = matched(&of_b, &parts);
        let in_run = named.iter().map(|pair| matched_with(&matches, pair));
        all.push(paired(&own, &parts, named, &in_run.collect::<Vec<_>>()));
    }
    Some((own, all.into_iter()))
}

/// What the phases of B of a pair are matched with in another run of B; empty if any of them is matched together
/// with one that is not of the pair, or with none.
fn matched_with<'a>(matches: &[Pair<'a>], named: &ByHand) -> Vec<Stretch<'a>> {
    let is_of = |part: &Stretch<'_>| named.has(1, part.first + 1);
    let touched = matches.iter().filter(|pair| pair.a.iter().any(is_of)).collect::<Vec<_>>();
    let is_whole = |pair: &&Pair<'_>| pair.a.iter().all(is_of) && !pair.b.is_empty();
    match touched.iter().all(is_whole) {
        true => touched.into_iter().flat_map(|pair| pair.b.iter().cloned()).collect(),
        false => vec![],
    }
}

/// The phases with those that are named of a side each by itself, whatever they were joined with.
fn as_named<'a>(
    parts: Vec<Stretch<'a>>,
    run: &'a Run,
    pairs: &[ByHand],
    side: usize,
) -> Vec<Stretch<'a>> {
    let is_named = |phase: usize| pairs.iter().any(|pair| pair.has(side, phase));
    let mut all = vec![];
    for part in parts {
        let mut from = part.first;
        for at in part.first..part.end {
            if is_named(at + 1) {
                all.extend((from < at).then(|| Stretch::new(run, from, at)).flatten());
                all.extend(Stretch::new(run, at, at + 1));
                from = at + 1;
            }
        }
        all.extend((from < part.end).then(|| Stretch::new(run, from, part.end)).flatten());
    }
    all
}

/// Those that begin with a phase, by number, that is asked for.
fn parts_of<'a>(parts: &[Stretch<'a>], is: impl Fn(usize) -> bool) -> Vec<Stretch<'a>> {
    parts.iter().filter(|part| is(part.first + 1)).cloned().collect()
}

/// The pairs that are named, in the order of A, and among them those of all other phases, which are matched. In B
/// the pairs are `in_b`, one each; of one that is nothing there nothing is told.
fn paired<'a>(
    a: &[Stretch<'a>],
    b: &[Stretch<'a>],
    named: &[ByHand],
    in_b: &[Vec<Stretch<'a>>],
) -> Vec<Pair<'a>> {
    let rest_a = parts_of(a, |phase| !named.iter().any(|pair| pair.has(0, phase)));
    let taken = |phase: usize| in_b.iter().flatten().any(|part| part.first + 1 == phase);
    let mut pairs = matched(&rest_a, &parts_of(b, |phase| !taken(phase)));
    for (pair, in_b) in named.iter().zip(in_b).filter(|(_, in_b)| !in_b.is_empty()) {
        let is_before =
            |other: &Pair<'_>| other.a.first().is_some_and(|part| part.first < pair.a[0]);
        let at = pairs.iter().rposition(is_before).map_or(0, |at| at + 1);
        pairs.insert(at, Pair { a: parts_of(a, |phase| pair.has(0, phase)), b: in_b.clone() });
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run of phases of equal length; `rates` are of its one counter.
    fn run(rates: &[f64]) -> Run {
        let count = rates.len();
        let edges = (0..=count).map(|at| [at as f64 / count as f64, 0.0]).collect();
        let mut run = Run::new([10.0, 0.01], edges);
        let rates = rates.iter().map(|rate| [*rate, 0.0]).collect();
        run.counters = vec![super::super::run::Counter {
            name: "INS".to_owned(),
            rates,
            ..Default::default()
        }];
        run.instructions = Some(0);
        run
    }

    fn spans(parts: &[Stretch<'_>]) -> Vec<[usize; 2]> {
        parts.iter().map(|part| [part.first, part.end]).collect()
    }

    #[test]
    fn what_is_named_is_cut_out_of_what_it_was_joined_with() {
        let run = run(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        let joined = || vec![Stretch::new(&run, 0, 4).unwrap(), Stretch::new(&run, 4, 5).unwrap()];
        let named = |a: [usize; 2]| [ByHand { a, b: [1, 1] }];
        assert_eq!(
            spans(&as_named(joined(), &run, &named([2, 3]), 0)),
            [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5]]
        );
        assert_eq!(spans(&as_named(joined(), &run, &named([1, 1]), 0)), [[0, 1], [1, 4], [4, 5]]);
        assert_eq!(spans(&as_named(joined(), &run, &named([4, 5]), 0)), [[0, 3], [3, 4], [4, 5]]);
    }

    #[test]
    fn named_pairs_stand_among_those_that_are_matched() {
        let (a, b) = (run(&[1.0, 5.0, 20.0]), run(&[1.0, 90.0, 80.0, 20.0]));
        let named = [ByHand { a: [2, 2], b: [2, 3] }];
        let of = |run, side| as_named(super::super::canonical(run), run, &named, side);
        let (own, of_b) = (of(&a, 0), of(&b, 1));
        let pairs = paired(&own, &of_b, &named, &[parts_of(&of_b, |at| named[0].has(1, at))]);
        let told = pairs.iter().map(|pair| (spans(&pair.a), spans(&pair.b))).collect::<Vec<_>>();
        assert_eq!(
            told,
            [
                (vec![[0, 1]], vec![[0, 1]]),
                (vec![[1, 2]], vec![[1, 2], [2, 3]]),
                (vec![[2, 3]], vec![[3, 4]])
            ]
        );
    }

    #[test]
    fn phases_that_are_not_there_or_twice_are_told() {
        let run = run(&[1.0, 2.0]);
        let wrong = |pairs: &[[usize; 2]]| {
            let pairs = pairs.iter().map(|a| ByHand { a: *a, b: [1, 1] }).collect::<Vec<_>>();
            check_by_hand(&pairs, &run, 0).unwrap_err()
        };
        assert_eq!(wrong(&[[3, 3]]), "found phase 3 of A, expected one of its 2 phases, from 1");
        assert_eq!(wrong(&[[0, 0]]), "found phase 0 of A, expected one of its 2 phases, from 1");
        assert_eq!(wrong(&[[1, 2], [2, 2]]), "found phase 2 of A in two pairs, expected it in one");
    }
}
