//! Phases as they are compared: what a fit has cut too finely is put together.

use super::run::Run;
use super::similarity::{FEW, distance_of_rates, overlap};
use super::stretch::Stretch;

/// Phases shorter than this share of the region join a neighbour.
const SLIVER: f64 = 0.01;

/// Neighbours whose every rate differs by less than this, as a logarithm, and twice the standard error are
/// one phase, if their routines overlap by so much.
const ALIKE: f64 = 0.05;
const ERRORS: f64 = 2.0;
const SAME_CODE: f64 = 0.5;

/// The phases of a run, each alone: slivers joined to the neighbour with nearer rates, then neighbours that
/// do not differ, the least different first (comparison of foldings, §3.1). O(phases²) for each counter.
pub fn canonical(run: &Run) -> Vec<Stretch<'_>> {
    let last = run.edges.len().saturating_sub(1);
    let mut parts = (0..last).filter_map(|at| Stretch::new(run, at, at + 1)).collect::<Vec<_>>();
    while let Some(at) = next(&parts) {
        let Some(both) = Stretch::joined(&parts[at..at + 2]) else { break };
        parts.splice(at..at + 2, [both]);
    }
    parts
}

/// The first of the two that are joined next.
fn next(parts: &[Stretch<'_>]) -> Option<usize> {
    if parts.len() < 2 {
        return None;
    }
    let far = |at: usize| distance_of_rates(&parts[at], &parts[at + 1]).unwrap_or(0.0);
    let shortest =
        (0..parts.len()).min_by(|a, b| parts[*a].share().total_cmp(&parts[*b].share()))?;
    if parts[shortest].share() < SLIVER {
        let before = shortest.checked_sub(1);
        let after = (shortest + 1 < parts.len()).then_some(shortest);
        return before.into_iter().chain(after).min_by(|a, b| far(*a).total_cmp(&far(*b)));
    }
    let alike = (0..parts.len() - 1).filter(|at| !differ(&parts[*at], &parts[at + 1]));
    alike.min_by(|a, b| far(*a).total_cmp(&far(*b)))
}

/// Whether parts of a run are not one phase: by their routines, or by a rate.
pub fn differ(a: &Stretch<'_>, b: &Stretch<'_>) -> bool {
    if a.samples >= FEW && b.samples >= FEW && overlap(a, b) < SAME_CODE {
        return true;
    }
    let counters = a.run.counters.iter().zip(a.rates.iter().zip(&b.rates));
    let mut counters = counters.filter(|(counter, _)| !counter.is_cycles);
    counters.any(|(_, (&[a, of_a], &[b, of_b]))| {
        if a <= 0.0 || b <= 0.0 {
            return false;
        }
        let error = (of_a / (a * a) + of_b / (b * b)).sqrt();
        libm::log(a / b).abs() > ALIKE + ERRORS * error
    })
}
