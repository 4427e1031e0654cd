//! What became of phases, in words: split, merged, lost, new, reordered. Never a number.

use super::matching::Pair;
use super::similarity::{FEW, overlap, similarity};
use super::stretch::Stretch;

/// A part of a phase is at least so long, of the region.
const PART: f64 = 0.02;

/// Borders nearer than this, of the region, are the same.
const NEAR: f64 = 0.015;

/// Parts are unlike by so much in instructions per second, as a logarithm, or where their routines overlap by
/// less than this, of so many samples each. Without these rules halves of one real run had one or two parts
/// that were none (comparison of foldings, §3.4).
const CONTRAST: f64 = 0.1;
const OTHER_CODE: f64 = 0.5;
const SAMPLES: u32 = 10;

/// A lost phase is one that is new elsewhere where their routines overlap by more, and all of them is as alike.
const SAME_CODE: f64 = 0.8;
const SAME: f64 = 0.6;

/// What became of phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Kind {
    Split,
    Merged,
    Reordered,
    Lost,
    New,
}

/// A change of structure, with the phases that it is about.
#[derive(Clone, Debug)]
pub struct Note<'a> {
    pub kind: Kind,
    pub a: Vec<Stretch<'a>>,
    pub b: Vec<Stretch<'a>>,
}

/// Changes of structure: of phases that are matched first, then those without one.
pub fn structure<'a>(pairs: &[Pair<'a>]) -> Vec<Note<'a>> {
    let mut notes = Vec::new();
    for Pair { a, b } in pairs.iter().filter(|pair| !pair.a.is_empty() && !pair.b.is_empty()) {
        let kind = match (a.len(), b.len()) {
            (of_a, of_b) if of_b > of_a && is_cut(b, a) => Kind::Split,
            (of_a, of_b) if of_a > of_b && is_cut(a, b) => Kind::Merged,
            _ => continue,
        };
        notes.push(Note { kind, a: a.clone(), b: b.clone() });
    }
    let (lost, mut new) = without_a_match(pairs);
    for lost in lost {
        let twin = new.iter().position(|new| is_same(&lost, new)).map(|at| new.remove(at));
        let kind = if twin.is_some() { Kind::Reordered } else { Kind::Lost };
        notes.push(Note { kind, a: vec![lost], b: twin.into_iter().collect() });
    }
    notes.extend(new.into_iter().map(|new| Note { kind: Kind::New, a: vec![], b: vec![new] }));
    notes
}

/// Phases that only one of the runs has. Of two that lie between the same neighbours and are sampled too little to
/// tell their code apart none is lost and none is new: only their rates are not alike.
fn without_a_match<'a>(pairs: &[Pair<'a>]) -> (Vec<Stretch<'a>>, Vec<Stretch<'a>>) {
    let (mut lost, mut new) = (vec![], vec![]);
    for gap in pairs.chunk_by(|one, next| is_gap(one) && is_gap(next)).filter(|gap| is_gap(&gap[0]))
    {
        let of_a = gap.iter().flat_map(|pair| pair.a.iter().cloned()).collect::<Vec<_>>();
        let of_b = gap.iter().flat_map(|pair| pair.b.iter().cloned()).collect::<Vec<_>>();
        let is_unknown = |all: &[Stretch<'_>]| all.iter().map(|of| of.samples).sum::<u32>() < FEW;
        if of_a.is_empty() || of_b.is_empty() || !(is_unknown(&of_a) || is_unknown(&of_b)) {
            lost.extend(of_a);
            new.extend(of_b);
        }
    }
    (lost, new)
}

fn is_gap(pair: &Pair<'_>) -> bool {
    pair.a.is_empty() || pair.b.is_empty()
}

fn is_same(lost: &Stretch<'_>, new: &Stretch<'_>) -> bool {
    let are_sampled = lost.samples >= FEW && new.samples >= FEW;
    are_sampled && overlap(lost, new) > SAME_CODE && similarity(lost, new) > SAME
}

/// Whether a border between parts says something: both sides of it are long enough and unlike, and the run
/// that has one phase there has no border near, not even one that was put aside.
fn is_cut(parts: &[Stretch<'_>], whole: &[Stretch<'_>]) -> bool {
    let (Some(all), Some(whole)) = (Stretch::joined(parts), Stretch::joined(whole)) else {
        return false;
    };
    let is_near = |at: f64| {
        let inner = whole.run.edges.get(whole.first + 1..whole.end).unwrap_or_default();
        inner.iter().any(|edge| (edge - at).abs() < NEAR)
    };
    parts.windows(2).any(|pair| {
        let [one, other] = pair else { return false };
        let at = whole.start() + (other.start() - all.start()) / all.share() * whole.share();
        let is_long = one.share() >= PART && other.share() >= PART;
        is_long && !is_near(at) && are_unlike(one, other)
    })
}

fn are_unlike(one: &Stretch<'_>, other: &Stretch<'_>) -> bool {
    let speeds = one.instructions().zip(other.instructions());
    let contrast = speeds.map_or(0.0, |([one, _], [other, _])| libm::log(one / other).abs());
    let are_sampled = one.samples >= SAMPLES && other.samples >= SAMPLES;
    contrast >= CONTRAST || (are_sampled && overlap(one, other) < OTHER_CODE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{Counter, Moved, Run, canonical, matched, moved};

    /// A phase: where it ends, instructions per µs, misses per µs, and the routine and line of its samples.
    type Made = (f64, f64, f64, &'static str, u32);

    const READ: Made = (0.25, 1500.0, 30.0, "read", 10);
    const SOLVE: Made = (0.6, 900.0, 90.0, "solve", 40);
    const WRITE: Made = (1.0, 2500.0, 5.0, "write", 80);

    /// A run of 50 ms, sampled so many times in each phase.
    fn run(phases: &[Made], samples: u32) -> Run {
        let ends = phases.iter().map(|(end, ..)| [*end, 0.0005]);
        let mut run = Run::new([50.0, 0.02], [[0.0, 0.0]].into_iter().chain(ends).collect());
        let counter = |name: &str, rate: fn(&Made) -> f64| Counter {
            name: name.to_owned(),
            is_cycles: false,
            joules: None,
            rates: phases.iter().map(|of| [rate(of), rate(of) * rate(of) * 1e-6]).collect(),
        };
        run.counters = vec![counter("instructions", |of| of.1), counter("misses", |of| of.2)];
        run.instructions = Some(0);
        let mut start = 0.0;
        for &(end, _, _, routine, line) in phases {
            for at in 0..samples {
                let x = start + (end - start) * (f64::from(at) + 0.5) / f64::from(samples);
                run.sample(x, (routine.to_owned(), "a.c".to_owned(), line + at % 3));
            }
            start = end;
        }
        run
    }

    /// What became of phases, and which lines moved.
    fn became(a: &[Made], b: &[Made], samples: u32) -> (Vec<Kind>, Vec<Moved>) {
        let (a, b) = (run(a, samples), run(b, samples));
        let pairs = matched(&canonical(&a), &canonical(&b));
        let both = pairs
            .iter()
            .filter_map(|pair| Some((Stretch::joined(&pair.a)?, Stretch::joined(&pair.b)?)));
        let lines = both.flat_map(|(a, b)| moved(&a, &b)).collect();
        (structure(&pairs).iter().map(|note| note.kind).collect(), lines)
    }

    #[test]
    fn what_became_of_phases_is_told_in_a_word() {
        let base = [READ, SOLVE, WRITE];
        let cut = [READ, (0.4, 1500.0, 60.0, "solve", 40), (0.6, 600.0, 150.0, "solve", 44), WRITE];
        let without = [(0.4, READ.1, READ.2, "read", 10), WRITE];
        let other =
            [READ, (0.65, WRITE.1, WRITE.2, "write", 80), (1.0, SOLVE.1, SOLVE.2, "solve", 40)];
        let slower = [READ, (0.62, 850.0, 90.0, "solve", 40), WRITE];
        for (a, b, kinds) in [
            (&base[..], &base[..], vec![]),
            (&base, &slower, vec![]),
            (&base, &cut, vec![Kind::Split]),
            (&cut, &base, vec![Kind::Merged]),
            (&base, &without, vec![Kind::Lost]),
            (&without, &base, vec![Kind::New]),
            (&base, &other, vec![Kind::Reordered]),
        ] {
            assert_eq!(became(a, b, 40), (kinds, vec![]), "{b:?}");
        }
    }

    #[test]
    fn a_sliver_and_a_border_that_says_nothing_are_no_phases() {
        let sliver = [READ, (0.256, 1200.0, 60.0, "solve", 40), SOLVE, WRITE];
        let alike = [READ, (0.4, 905.0, 90.0, "solve", 40), SOLVE, WRITE];
        for b in [&sliver[..], &alike] {
            assert_eq!(became(&[READ, SOLVE, WRITE], b, 40), (vec![], vec![]), "{b:?}");
        }
    }

    #[test]
    fn code_that_moved_down_is_told_by_how_much_and_a_new_name_is_no_new_phase() {
        let down = [READ, (0.6, 900.0, 90.0, "solve", 65), WRITE];
        let moved = Moved { routine: "solve".to_owned(), file: "a.c".to_owned(), by: 25 };
        assert_eq!(became(&[READ, SOLVE, WRITE], &down, 40), (vec![], vec![moved]));
        let renamed = [READ, (0.6, 900.0, 90.0, "solve_omp", 40), WRITE];
        assert_eq!(became(&[READ, SOLVE, WRITE], &renamed, 40), (vec![], vec![]));
    }

    #[test]
    fn without_code_rates_tell_and_of_two_at_one_place_none_is_lost() {
        let cut = [READ, (0.4, 1000.0, 80.0, "solve", 40), (0.6, 750.0, 104.0, "solve", 44), WRITE];
        assert_eq!(became(&[READ, SOLVE, WRITE], &cut, 0).0, [Kind::Split]);
        let unlike = [READ, (0.6, 100.0, 90.0, "solve", 40), WRITE];
        assert_eq!(became(&[READ, SOLVE, WRITE], &unlike, 1).0, []);
    }
}
