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

/// The phases of the first run, and what they are in each of the others, where pairs are named: borders stay where
/// they are.
#[inline(never)]
pub fn named_beside_reference<'a>(
    first: &'a Run,
    others: impl Iterator<Item = &'a Run>,
    named: &[ByHand],
) -> (Vec<Stretch<'a>>, std::vec::IntoIter<Vec<Pair<'a>>>) {
    let own = as_named(canonical(first), first, named, 0);
    let pairs = others.map(|run| paired(&own, &as_named(canonical(run), run, named, 1), named));
    let pairs = pairs.collect::<Vec<_>>();
    (own, pairs.into_iter())
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

/// The pairs that are named, in the order of A, and among them those of all other phases, which are matched.
fn paired<'a>(a: &[Stretch<'a>], b: &[Stretch<'a>], named: &[ByHand]) -> Vec<Pair<'a>> {
    let of = |parts: &[Stretch<'a>], is: &dyn Fn(usize) -> bool| {
        parts.iter().filter(|part| is(part.first + 1)).cloned().collect::<Vec<_>>()
    };
    let rest = |parts: &[Stretch<'a>], side: usize| {
        of(parts, &|phase| !named.iter().any(|pair| pair.has(side, phase)))
    };
    let mut pairs = matched(&rest(a, 0), &rest(b, 1));
    for pair in named {
        let is_before =
            |other: &Pair<'_>| other.a.first().is_some_and(|part| part.first < pair.a[0]);
        let at = pairs.iter().rposition(is_before).map_or(0, |at| at + 1);
        let [a, b] =
            [(a, 0), (b, 1)].map(|(parts, side)| of(parts, &|phase| pair.has(side, phase)));
        pairs.insert(at, Pair { a, b });
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
        let pairs = paired(&of(&a, 0), &of(&b, 1), &named);
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
