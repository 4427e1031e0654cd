//! Clusters against those of scikit-learn: `tests/oracles/dbscan.json`.

use serde::Deserialize;
use tracefold::fit;

#[derive(Deserialize)]
struct Case {
    name: String,
    eps: f64,
    min_points: usize,
    /// −1 is noise.
    labels: Vec<i32>,
    core: Vec<u8>,
    /// Where the sorted distances to the `min_points`-th neighbour bend.
    knee: Option<f64>,
    #[serde(default)]
    durations: Vec<u64>,
    #[serde(default)]
    instructions: Vec<u64>,
    #[serde(default)]
    cycles: Vec<u64>,
}

fn cases() -> Vec<Case> {
    serde_json::from_str(include_str!("oracles/dbscan.json")).unwrap()
}

fn scaled(values: &[f64]) -> Vec<f64> {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let extent = if most > least { most - least } else { 1.0 };
    values.iter().map(|value| (value - least) / extent).collect()
}

impl Case {
    /// The durations scaled, rising, with the place of each in the case.
    fn rising(&self) -> (Vec<usize>, Vec<f64>) {
        let scaled = scaled(&self.durations.iter().map(|&ns| ns as f64).collect::<Vec<_>>());
        let mut order = (0..scaled.len()).collect::<Vec<_>>();
        order.sort_by(|&a, &b| scaled[a].total_cmp(&scaled[b]));
        let rising = order.iter().map(|&at| scaled[at]).collect();
        (order, rising)
    }

    fn points(&self) -> Vec<[f64; 2]> {
        let logs =
            self.instructions.iter().map(|&count| libm::log(count as f64)).collect::<Vec<_>>();
        let pairs = self.instructions.iter().zip(&self.cycles);
        let per_cycle = pairs.map(|(&ins, &cycles)| ins as f64 / cycles as f64).collect::<Vec<_>>();
        scaled(&logs).into_iter().zip(scaled(&per_cycle)).map(|(x, y)| [x, y]).collect()
    }

    /// scikit-learn numbers clusters from 0 in the order of their first core points.
    fn expected(&self) -> Vec<u32> {
        self.labels.iter().map(|label| (label + 1) as u32).collect()
    }

    /// `clusters` numbered anew in the order of their first core points.
    fn in_order(&self, clusters: &[u32]) -> Vec<u32> {
        let mut met = vec![0];
        for (cluster, _) in clusters.iter().zip(&self.core).filter(|(_, core)| **core == 1) {
            if !met.contains(cluster) {
                met.push(*cluster);
            }
        }
        let number = |cluster: &u32| met.iter().position(|known| known == cluster).unwrap() as u32;
        clusters.iter().map(number).collect()
    }
}

#[test]
fn durations_cluster_as_by_scikit_learn() {
    let mut compared = 0;
    for case in cases().iter().filter(|case| !case.durations.is_empty()) {
        let (order, rising) = case.rising();
        let mut found = vec![0; order.len()];
        for (at, cluster) in order.iter().zip(fit::dbscan(&rising, case.min_points, case.eps)) {
            found[*at] = cluster;
        }
        assert_eq!(case.in_order(&found), case.expected(), "{}", case.name);
        compared += 1;
    }
    assert_eq!(compared, 3);
}

#[test]
fn bursts_cluster_as_by_scikit_learn() {
    let mut compared = 0;
    for case in cases().iter().filter(|case| !case.cycles.is_empty()) {
        let found = fit::dbscan_plane(&case.points(), case.min_points, case.eps);
        assert_eq!(found.clusters, case.expected(), "{}", case.name);
        let core = found.core.iter().map(|core| u8::from(*core)).collect::<Vec<_>>();
        assert_eq!(core, case.core, "{}", case.name);
        compared += 1;
    }
    assert_eq!(compared, 2);
}

#[test]
fn durations_in_the_plane_cluster_as_on_the_line() {
    for case in cases().iter().filter(|case| !case.durations.is_empty()) {
        let (_, rising) = case.rising();
        let points = rising.iter().map(|&x| [x, 0.25]).collect::<Vec<_>>();
        let plane = fit::dbscan_plane(&points, case.min_points, case.eps).clusters;
        assert_eq!(plane, fit::dbscan(&rising, case.min_points, case.eps), "{}", case.name);
    }
}

#[test]
fn the_knee_is_where_numpy_finds_it() {
    for case in cases() {
        let Some(expected) = case.knee else { continue };
        let points = match case.durations.is_empty() {
            true => case.points(),
            false => case.rising().1.into_iter().map(|x| [x, 0.0]).collect(),
        };
        let to_neighbour = |at: &[f64; 2]| {
            let apart = |other: &[f64; 2]| libm::hypot(at[0] - other[0], at[1] - other[1]);
            let mut all = points.iter().map(apart).collect::<Vec<_>>();
            all.sort_by(f64::total_cmp);
            all[case.min_points - 1]
        };
        let mut distances = points.iter().map(to_neighbour).collect::<Vec<_>>();
        distances.sort_by(f64::total_cmp);
        let found = fit::knee(&distances).unwrap();
        assert!((found / expected - 1.0).abs() < 1e-9, "{} {found} {expected}", case.name);
    }
}

/// The modes that were put in, by mean and standard deviation: what lies within one deviation of a
/// mean is one cluster, and modes are not joined.
#[test]
fn the_automatic_eps_finds_the_modes_that_were_put_in() {
    let modes: [(&str, &[(f64, f64)]); 2] = [
        ("dur_2modes_n120", &[(64e6, 4e5), (80e6, 5e5)]),
        ("dur_3modes_n400", &[(1e6, 1e4), (1.5e6, 2e4), (3e6, 3e4)]),
    ];
    for (name, modes) in modes {
        let case = cases().into_iter().find(|case| case.name == name).unwrap();
        let (order, rising) = case.rising();
        let eps = fit::automatic_eps(&rising, case.min_points);
        let clusters = fit::dbscan(&rising, case.min_points, eps);
        for (number, (mean, deviation)) in (1..).zip(modes) {
            let near = order
                .iter()
                .zip(&clusters)
                .filter(|(at, _)| (case.durations[**at] as f64 - mean).abs() < *deviation);
            let found = near.map(|(_, cluster)| *cluster).collect::<Vec<_>>();
            assert!(found.len() > 15 && found.iter().all(|c| *c == number), "{name} {found:?}");
        }
    }
}
