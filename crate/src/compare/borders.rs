//! Borders between phases that both runs have, where each had put another one aside.

use super::canonical::differ;
use super::matching::Pair;
use super::similarity::{FEW, overlap};
use super::stretch::{Stretch, WIDER};

/// Borders that differ by more than so many standard errors are not the same.
const ERRORS: f64 = 3.0;

/// What lies between two phases is part of one of them if their routines overlap by so much, as far as it is sampled.
const SAME_CODE: f64 = 0.5;

/// Two phases of the reference, by index, and the edge of it that is the border between them in another run; what
/// lies between them belongs to one of the two.
pub type Wish = (usize, usize, usize);

/// Lays borders of `b` where `a` has them, and tells which of the reference, of which all `a` are, would have to be
/// moved for `b`.
///
/// A fit finds several edges where a phase gives way to the next, and which of them is left when slivers and
/// neighbours that are alike are joined is chance: in halves of one run (444.namd, first and second, odd and even) it was another one at six of 28
/// borders, each by far more than its error. Where the borders that are left are not the same, but one of them lies where
/// the other run has an edge as well, that is the border of both; a phase that takes longer moves all its edges.
pub fn settle(reference: &[Stretch<'_>], pairs: &mut Vec<Pair<'_>>) -> Vec<Wish> {
    let mut wishes = vec![];
    let mut at = 0;
    while let Some(next) = (at + 1..pairs.len()).find(|next| is_both(&pairs[*next])) {
        let (before, after) = pairs.split_at_mut(next);
        let (left, right) = (&mut before[at], &mut after[0]);
        match Border::between(&left.a, &right.a).zip(Border::between(&left.b, &right.b)) {
            Some((a, b)) if is_both(left) => match common(&a, &b) {
                Some(Common::InB(edge)) => {
                    moved(left.b.last_mut(), right.b.first_mut(), edge);
                    before[at + 1..].iter_mut().for_each(|gap| gap.b.clear());
                }
                Some(Common::InA(edge)) => {
                    let place = |of: usize| reference.iter().position(|phase| phase.first == of);
                    let phases = place(a.left.first).zip(place(a.right.first));
                    wishes.extend(phases.map(|(left, right)| (left, right, edge)));
                }
                None => {}
            },
            _ => {}
        }
        at = next;
    }
    pairs.retain(|pair| !(pair.a.is_empty() && pair.b.is_empty()));
    wishes
}

fn is_both(pair: &Pair<'_>) -> bool {
    !pair.a.is_empty() && !pair.b.is_empty()
}

/// The reference with the borders that every other run has, where those differ from its own; `None` for a phase
/// that is part of a neighbour then.
pub fn moved_reference<'a>(
    reference: &[Stretch<'a>],
    wishes: &[Vec<Wish>],
) -> Vec<Option<Stretch<'a>>> {
    let mut phases = reference.iter().cloned().map(Some).collect::<Vec<_>>();
    let Some((first, rest)) = wishes.split_first() else { return phases };
    let is_of_all = |wish: &&Wish| rest.iter().all(|other| other.contains(wish));
    for &(left, right, edge) in first.iter().filter(is_of_all) {
        let (before, after) = phases.split_at_mut(right);
        moved(before[left].as_mut(), after[0].as_mut(), edge);
        before[left + 1..].fill(None);
    }
    phases
}

/// Where one phase ends and the next of both runs begins.
struct Border<'s, 'a> {
    left: &'s Stretch<'a>,
    right: &'s Stretch<'a>,
    start: f64,
    share: f64,
}

/// The edge that a run has as well.
enum Common {
    InA(usize),
    InB(usize),
}

impl<'s, 'a> Border<'s, 'a> {
    fn between(left: &'s [Stretch<'a>], right: &'s [Stretch<'a>]) -> Option<Self> {
        let (first, last) = (left.first()?, right.last()?);
        let (left, right) = (left.last()?, right.first()?);
        let share = last.finish() - first.start();
        Some(Self { left, right, start: first.start(), share })
    }

    /// The edges at which one ends and the other begins, which are one if nothing lies between.
    fn edges(&self) -> [usize; 2] {
        [self.left.end, self.right.first]
    }

    /// All edges that could be the border.
    fn inner(&self) -> std::ops::Range<usize> {
        self.left.first + 1..self.right.end
    }

    /// Whether the border may lie at an edge: what lies between the two phases has the code of that which it would
    /// be part of, and what would change from one to the other is not like that which it would leave alone.
    fn may_end_at(&self, edge: usize) -> bool {
        let [end, begin] = self.edges();
        let piece = |from: usize, to: usize| {
            (from < to).then(|| Stretch::new(self.left.run, from, to)).flatten()
        };
        let is_of = |from: usize, to: usize, phase: &Stretch<'_>| {
            piece(from, to).is_none_or(|piece| {
                let are_known = piece.samples >= FEW && phase.samples >= FEW;
                !are_known || overlap(&piece, phase) >= SAME_CODE
            })
        };
        let may_leave = |[from, to]: [usize; 2], rest: [usize; 2], other: &Stretch<'_>| {
            let both = piece(from, to).zip(piece(rest[0], rest[1]));
            both.is_none_or(|(piece, rest)| !differ(&piece, other) || differ(&piece, &rest))
        };
        is_of(end, edge.min(begin), self.left)
            && is_of(edge.max(end), begin, self.right)
            && may_leave([edge, end], [self.left.first, edge], self.right)
            && may_leave([begin, edge], [edge, self.right.end], self.left)
    }

    /// Where an edge lies between the beginning of what is before the border and the end of what is behind it,
    /// and the variance of that.
    fn place(&self, edge: usize) -> [f64; 2] {
        let run = self.left.run;
        let variance = WIDER * run.edge_variances[edge] / (self.share * self.share);
        [(run.edges[edge] - self.start) / self.share, variance]
    }
}

/// The edge of one run that is the border of the other, if their own borders are not the same and one of the runs
/// has nothing between the two phases.
fn common(a: &Border<'_, '_>, b: &Border<'_, '_>) -> Option<Common> {
    let apart = |of_a: usize, of_b: usize| {
        let ([a, variance], [b, of_b]) = (a.place(of_a), b.place(of_b));
        let apart = (a - b).abs();
        (apart <= ERRORS * (variance + of_b).sqrt()).then_some(apart)
    };
    let [[a_left, a_right], [b_left, b_right]] = [a.edges(), b.edges()];
    let (touches_in_a, touches_in_b) = (a_left == a_right, b_left == b_right);
    if touches_in_a && touches_in_b && apart(a_left, b_left).is_some() {
        return None;
    }
    let in_a = a.inner().filter(|edge| touches_in_b && a.may_end_at(*edge));
    let in_a = in_a.filter_map(|edge| Some((apart(edge, b_left)?, Common::InA(edge))));
    let in_b = b.inner().filter(|edge| touches_in_a && b.may_end_at(*edge));
    let in_b = in_b.filter_map(|edge| Some((apart(a_left, edge)?, Common::InB(edge))));
    in_a.chain(in_b).min_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, common)| common)
}

/// Lays the border between two stretches of a run at another edge.
fn moved<'a>(left: Option<&mut Stretch<'a>>, right: Option<&mut Stretch<'a>>, edge: usize) {
    let Some((before, after)) = left.zip(right) else { return };
    let run = before.run;
    if let (Some(one), Some(other)) =
        (Stretch::new(run, before.first, edge), Stretch::new(run, edge, after.end))
    {
        (*before, *after) = (one, other);
    }
}

#[cfg(test)]
mod tests {
    use crate::compare::{Comparison, Counter, Run, Verdict, Wanted, compare};

    /// 100 instances of 100 ms with these edges, each known to 0.02 %, and so many instructions per µs between them.
    fn run(edges: &[f64], rates: &[f64]) -> Run {
        let edges = edges.iter().map(|at| [*at, if *at % 1.0 == 0.0 { 0.0 } else { 2e-4 }]);
        let mut run = Run::new([100.0, 0.05], edges.collect());
        let rates = rates.iter().map(|rate| [*rate, 1e-6 * rate * rate]).collect();
        run.counters =
            vec![Counter { name: "PAPI_TOT_INS".to_owned(), rates, ..Counter::default() }];
        run.instructions = Some(0);
        run
    }

    fn told(a: &[Run], b: &[Run]) -> Comparison {
        compare([a, b], &Wanted::default()).unwrap()
    }

    fn changes(told: &Comparison) -> Vec<f64> {
        let change = |row: &crate::compare::PhaseRow| libm::round(1e4 * row.row.change) / 1e4;
        told.phases.iter().map(change).collect()
    }

    /// The piece between two phases is nearer to one of them in one run, and to the other in the other.
    #[test]
    fn a_border_that_both_have_is_the_border() {
        let edges = [0.0, 0.3, 0.309, 1.0];
        let a = run(&edges, &[4000.0, 2950.0, 2000.0]);
        let b = run(&edges, &[4000.0, 2750.0, 2000.0]);
        for (a, b) in [(&a, &b), (&b, &a)] {
            let told = told(std::slice::from_ref(a), std::slice::from_ref(b));
            assert_eq!(changes(&told), [0.0, 0.0], "{told:#?}");
        }
        // Of several runs each is laid beside the first of A.
        let of_both = told(&[a.clone(), b.clone()], &[b.clone(), a.clone()]);
        assert_eq!(changes(&of_both), [0.0, 0.0]);
    }

    #[test]
    fn a_piece_that_one_run_alone_has_cut_off_is_neither_lost_nor_new() {
        let a = run(&[0.0, 0.1, 0.3, 1.0], &[1000.0, 4000.0, 2000.0]);
        let b = run(&[0.0, 0.1, 0.28, 0.3, 1.0], &[1000.0, 4000.0, 200.0, 2000.0]);
        for (a, b) in [(&a, &b), (&b, &a)] {
            let told = told(std::slice::from_ref(a), std::slice::from_ref(b));
            assert!(told.structure.is_empty(), "{told:#?}");
            assert_eq!(changes(&told), [0.0, 0.0, 0.0]);
        }
    }

    #[test]
    fn a_piece_with_code_of_its_own_is_no_part_of_its_neighbour() {
        let sampled = |mut run: Run, of: &[(f64, f64, &str)]| {
            for (from, to, routine) in of {
                for at in 0..20 {
                    let x = from + (to - from) * (f64::from(at) + 0.5) / 20.0;
                    run.sample(x, ((*routine).to_owned(), "a.c".to_owned(), 1));
                }
            }
            run
        };
        let a = run(&[0.0, 0.1, 0.3, 1.0], &[1000.0, 4000.0, 2000.0]);
        let a = sampled(a, &[(0.0, 0.1, "init"), (0.1, 0.3, "solve"), (0.3, 1.0, "write")]);
        let b = run(&[0.0, 0.1, 0.28, 0.3, 1.0], &[1000.0, 4000.0, 200.0, 2000.0]);
        let code =
            [(0.0, 0.1, "init"), (0.1, 0.28, "solve"), (0.28, 0.3, "check"), (0.3, 1.0, "write")];
        let told = told(&[a], &[sampled(b, &code)]);
        assert_eq!(told.structure.len(), 1, "{told:#?}");
    }

    /// The second takes a tenth more, so its end lies elsewhere; where it ended before, a fit has cut it by chance,
    /// and says that it hardly knows where.
    #[test]
    fn a_piece_that_is_like_the_phase_it_is_part_of_stays_there() {
        let a = run(&[0.0, 0.22, 0.42, 0.7, 1.0], &[700.0, 2240.0, 1000.0, 1500.0]);
        let at = [0.0, 0.2157, 0.413, 0.431, 0.7059, 1.0];
        let mut b =
            Run { duration_ms: 102.0, ..run(&at, &[700.0, 2050.0, 1880.0, 1000.0, 1500.0]) };
        b.edge_variances[2] = 0.0085 * 0.0085;
        b.counters[0].rates[2][1] = 100.0 * 100.0;
        for (a, b, change) in [(&a, &b, 0.098), (&b, &a, -0.089)] {
            let told = told(std::slice::from_ref(a), std::slice::from_ref(b));
            assert!(told.structure.is_empty(), "{told:#?}");
            assert!((told.phases[1].row.change - change).abs() < 0.003, "{:#?}", told.phases);
            assert_eq!(told.phases.len(), 4);
        }
    }

    #[test]
    fn a_phase_that_takes_longer_moves_all_its_edges() {
        // The first takes 10 % more of 103 ms, the piece behind it as long as before.
        let a = run(&[0.0, 0.3, 0.309, 1.0], &[4000.0, 2950.0, 2000.0]);
        let whole = 1.03;
        let at = [0.0, 0.33 / whole, 0.339 / whole, 1.0];
        let b = Run { duration_ms: 103.0, ..run(&at, &[3636.0, 2700.0, 2000.0]) };
        let told = told(&[a], &[b]);
        assert_eq!(told.phases[0].row.verdict, Verdict::Slower, "{told:#?}");
        assert!((told.phases[0].row.change - 0.1).abs() < 0.03);
    }
}
