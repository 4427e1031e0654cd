//! Which clusters of bursts of two runs are the same, and whether their instructions per cycle changed.

use pathfinding::prelude::{Matrix, kuhn_munkres};
use serde::{Deserialize, Serialize};

use super::comparison::{LEVEL, Wanted};
use super::decision::benjamini_hochberg;
use super::effects::{WITHIN, change_of};
use super::similarity::{CODE, DURATION, FAR_DURATION, FAR_RATE, RATES, WITHOUT_CODE};

/// What is compared of a cluster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clustered {
    pub number: u32,
    /// What a person reads.
    pub name: String,
    /// The call beside which its bursts are, where one is.
    pub call: Option<String>,
    /// Time in it, a thread, in ms; and what that is of the time of all threads.
    pub ms: f64,
    pub share: f64,
    /// Its instructions, as a share of those of all clusters.
    pub work: Option<f64>,
    /// The logarithm of instructions per cycle, and the variance of it that its bursts tell.
    pub ipc: Option<[f64; 2]>,
}

/// A cluster of both runs, or of one.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterRow {
    pub a: Option<Clustered>,
    pub b: Option<Clustered>,
    /// Of the instructions per cycle, as a share of A, with its 95 % interval.
    pub ipc: Option<[f64; 3]>,
    /// Whether these changed beyond doubt.
    pub is_sure: bool,
}

/// Clusters less alike are not the same, as phases (comparison of foldings, §3.3).
const SAME: f64 = 0.4;

/// Weights of the assignment are whole numbers.
const PRECISION: f64 = 1e9;

/// Clusters of A with what they are in B, those with most time in A first, then what only B has. They have no
/// order, so that all are assigned at once (Kuhn 1955; Munkres 1957), by the call beside them, their part of the
/// instructions, instructions per cycle and time. Instructions per cycle are tested beyond `wanted.least_ratio`
/// (Benjamini and Hochberg 1995); what differs between runs of one program is assumed. O(n³) of n clusters.
pub fn clusters(a: &[Clustered], b: &[Clustered], wanted: &Wanted) -> Vec<ClusterRow> {
    let mut rows = assigned(a, b)
        .into_iter()
        .map(|[of_a, of_b]| {
            let [a, b] = [of_a.map(|at| a[at].clone()), of_b.map(|at| b[at].clone())];
            ClusterRow { a, b, ipc: None, is_sure: false }
        })
        .collect::<Vec<_>>();
    let least = libm::log(1.0 + wanted.least_ratio);
    let mut tested = vec![];
    for (at, row) in rows.iter_mut().enumerate() {
        let ipc = |of: &Option<Clustered>| of.as_ref().and_then(|of| of.ipc);
        let Some((a, b)) = ipc(&row.a).zip(ipc(&row.b)) else { continue };
        let (change, _) = change_of(&[vec![a], vec![b]], wanted.between.ratio, 2.0 * WITHIN);
        let [low, high] = change.interval();
        row.ipc = Some([change.log, low, high].map(libm::expm1));
        tested.push((at, change.p_beyond(least)));
    }
    let p = tested.iter().map(|(_, p)| *p).collect::<Vec<_>>();
    for ((at, _), falls) in tested.iter().zip(benjamini_hochberg(&p, LEVEL)) {
        rows[*at].is_sure = falls;
    }
    rows
}

/// Places of what is the same in A and in B; of what only one has, its own.
fn assigned(a: &[Clustered], b: &[Clustered]) -> Vec<[Option<usize>; 2]> {
    let [few, many] = if a.len() <= b.len() { [a, b] } else { [b, a] };
    let weight = |one: &Clustered, other: &Clustered| {
        let alike = similarity(one, other);
        if alike >= SAME { (alike * PRECISION) as i64 } else { 0 }
    };
    let mut other = vec![None; a.len()];
    if !few.is_empty() {
        let weights = few.iter().flat_map(|one| many.iter().map(move |other| weight(one, other)));
        let weights = Matrix::from_vec(few.len(), many.len(), weights.collect());
        let Ok(weights) = weights else { return vec![] };
        let (_, columns) = kuhn_munkres(&weights);
        for (row, column) in columns.into_iter().enumerate() {
            let (in_a, in_b) = if a.len() <= b.len() { (row, column) } else { (column, row) };
            if weights[(row, column)] > 0 {
                other[in_a] = Some(in_b);
            }
        }
    }
    let rest = (0..b.len()).filter(|at| !other.contains(&Some(*at)));
    let only_in_b = rest.map(|at| [None, Some(at)]).collect::<Vec<_>>();
    other.into_iter().enumerate().map(|(at, other)| [Some(at), other]).chain(only_in_b).collect()
}

/// From 0 to 1, as of phases ([`super::similarity()`]): a call in place of routines, what a cluster has of all
/// instructions and of all time in place of counts, as these depend on the number of threads.
fn similarity(a: &Clustered, b: &Clustered) -> f64 {
    let mut parts = vec![];
    let calls = a.call.as_ref().zip(b.call.as_ref());
    parts.extend(calls.map(|(a, b)| (CODE, if a == b { 1.0 } else { 0.0 })));
    let work = a.work.zip(b.work).map(|(a, b)| libm::log(a / b).abs());
    let ipc = a.ipc.zip(b.ipc).map(|([a, _], [b, _])| (a - b).abs());
    if let Some((work, ipc)) = work.zip(ipc) {
        parts.push((RATES, libm::exp(-(work + ipc) / 2.0 / FAR_RATE)));
    }
    parts.push((DURATION, libm::exp(-libm::log(a.share / b.share).abs() / FAR_DURATION)));
    let weights = parts.iter().map(|(weight, _)| weight).sum::<f64>();
    let mean = parts.iter().map(|(weight, alike)| weight * alike).sum::<f64>() / weights;
    if calls.is_some() { mean } else { (mean - WITHOUT_CODE).max(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cluster(number: u32, call: Option<&str>, work: f64, ipc: f64) -> Clustered {
        Clustered {
            number,
            name: format!("Cluster {number}"),
            call: call.map(str::to_owned),
            ms: 100.0 * work,
            share: work,
            work: Some(work),
            ipc: Some([libm::log(ipc), 1e-6]),
        }
    }

    /// Numbers of what is the same.
    fn numbers(rows: &[ClusterRow]) -> Vec<[Option<u32>; 2]> {
        let number = |of: &Option<Clustered>| of.as_ref().map(|of| of.number);
        rows.iter().map(|row| [number(&row.a), number(&row.b)]).collect()
    }

    #[test]
    fn what_became_another_number_is_the_same_and_its_ipc_is_told() {
        let a = [
            cluster(1, Some("after MPI_Recv"), 0.6, 1.8),
            cluster(2, Some("after MPI_Bcast"), 0.2, 0.9),
            cluster(3, None, 0.2, 2.5),
        ];
        let b = [
            cluster(1, None, 0.21, 2.5),
            cluster(2, Some("after MPI_Recv"), 0.58, 1.35),
            cluster(3, Some("after MPI_Bcast"), 0.21, 0.91),
        ];
        let rows = clusters(&a, &b, &Wanted::default());
        let same = [[Some(1), Some(2)], [Some(2), Some(3)], [Some(3), Some(1)]];
        assert_eq!(numbers(&rows), same);
        assert_eq!(rows.iter().map(|row| row.is_sure).collect::<Vec<_>>(), [true, false, false]);
        let [change, low, high] = rows[0].ipc.unwrap();
        assert!((change + 0.25).abs() < 1e-9 && low < -0.25 && high < 0.0, "{low} {high}");
        // The other way round it is the mirror.
        let back = clusters(&b, &a, &Wanted::default());
        assert_eq!(numbers(&back), [[Some(1), Some(3)], [Some(2), Some(1)], [Some(3), Some(2)]]);
        assert!((1.0 + back[1].ipc.unwrap()[0] - 1.0 / 0.75).abs() < 1e-9);
    }

    #[test]
    fn what_one_run_has_alone_is_with_nothing() {
        let a = [cluster(1, Some("after MPI_Recv"), 1.0, 1.8)];
        let b = [
            cluster(1, Some("after MPI_Recv"), 0.9, 1.8),
            cluster(2, Some("after MPI_Send"), 0.1, 0.3),
        ];
        let rows = clusters(&a, &b, &Wanted::default());
        assert_eq!(numbers(&rows), [[Some(1), Some(1)], [None, Some(2)]]);
        assert_eq!(
            numbers(&clusters(&b, &a, &Wanted::default())),
            [[Some(1), Some(1)], [Some(2), None]]
        );
        assert_eq!(
            numbers(&clusters(&[], &b, &Wanted::default())),
            [[None, Some(1)], [None, Some(2)]]
        );
        assert!(clusters(&[], &[], &Wanted::default()).is_empty());
    }

    #[test]
    fn what_is_not_alike_is_with_nothing_though_nothing_else_is_there() {
        let a = [cluster(1, Some("after MPI_Recv"), 1.0, 1.8)];
        let b = [cluster(1, Some("after MPI_Send"), 1.0, 0.3)];
        let rows = clusters(&a, &b, &Wanted::default());
        assert_eq!(numbers(&rows), [[Some(1), None], [None, Some(1)]]);
    }

    #[test]
    fn the_best_of_all_is_not_the_best_of_each() {
        // Both of A are most like the first of B; only one can have it.
        let a = [cluster(1, None, 0.5, 1.00), cluster(2, None, 0.5, 1.05)];
        let b = [cluster(1, None, 0.5, 1.02), cluster(2, None, 0.5, 1.40)];
        let rows = clusters(&a, &b, &Wanted::default());
        assert_eq!(numbers(&rows), [[Some(1), Some(1)], [Some(2), Some(2)]]);
    }
}
