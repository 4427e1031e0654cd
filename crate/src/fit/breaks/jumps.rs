use super::super::prior;
use super::model::Model;

/// The jumps of one counter at its breaks, and how sure they are: means and covariances, the noise
/// being as large as what the curve leaves.
#[derive(Default)]
pub struct Jumps {
    places: Vec<f64>,
    mean: Vec<f64>,
    covariance: Vec<Vec<f64>>,
    /// Their deviation before looking.
    expected: f64,
}

impl Jumps {
    /// O(breaks × cells).
    pub fn of(model: &Model) -> Self {
        let mesh = model.spline.mesh();
        let solved = model.spline.solved(model.lambda);
        let variance = model.spline.variance_of(&solved);
        let pulls = mesh.jumps().iter().map(|(first, weights)| {
            let mut pulled = vec![0.0; mesh.order()];
            pulled[*first..first + 3].copy_from_slice(weights);
            pulled
        });
        let pulls = pulls.collect::<Vec<_>>();
        let answers = solved.factor.solve_all(&pulls.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let of_break = |number: usize| {
            let jump = |(first, weights): &(usize, [f64; 3])| {
                let answer = (*first..).zip(weights).map(|(row, w)| answers.at(number, row) * w);
                variance * answer.sum::<f64>()
            };
            mesh.jumps().iter().map(jump).collect::<Vec<_>>()
        };
        Self {
            places: mesh.breaks().to_vec(),
            covariance: (0..pulls.len()).map(of_break).collect(),
            mean: prior::jumps(mesh, &solved.fitted).collect(),
            expected: model.expected_jump,
        }
    }

    pub fn into_places(self) -> Vec<f64> {
        self.places
    }

    /// Twice the logarithm of the odds that it jumps at a place; `None` if it does not break there.
    ///
    /// Source: Dickey 1971 (the density of no jump, before and after looking).
    pub fn worth(&self, place: f64) -> Option<f64> {
        let at = self.places.iter().position(|own| *own == place)?;
        let (mean, variance) = (self.mean[at], self.covariance[at][at]);
        let expected = self.expected * self.expected;
        Some(mean * mean / variance - libm::log((expected / variance).max(1.0)))
    }

    /// The others if there is no jump at a place.
    fn drop(&mut self, place: f64) {
        let Some(at) = self.places.iter().position(|own| *own == place) else { return };
        let (mean, with) = (self.mean.remove(at), self.covariance.remove(at));
        self.places.remove(at);
        let kept = (0..with.len()).filter(|other| *other != at).collect::<Vec<_>>();
        for (row, (other, own)) in self.covariance.iter_mut().zip(kept.iter().zip(&mut self.mean)) {
            let share = with[*other] / with[at];
            *own -= share * mean;
            row.iter_mut().zip(&with).for_each(|(entry, with)| *entry -= share * with);
            row.remove(at);
        }
    }
}

/// Where any of the counters breaks, rising.
pub fn places(breaks: &[Vec<f64>]) -> Vec<f64> {
    let mut places = breaks.iter().flatten().copied().collect::<Vec<_>>();
    places.sort_by(f64::total_cmp);
    places.dedup();
    places
}

/// Drops the jump that is worth least, again and again, as long as one is worth less than it
/// costs: `place`, as it was looked for at every place.
pub fn drop_worthless(jumps: &mut [Jumps], place: f64) {
    for of in jumps {
        loop {
            let worths = of.places.iter().filter_map(|at| Some((*at, of.worth(*at)?)));
            match worths.min_by(|a, b| a.1.total_cmp(&b.1)) {
                Some((at, worth)) if worth < place => of.drop(at),
                _ => break,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jumps(places: &[f64], mean: &[f64], variance: f64) -> Jumps {
        let row = |at: usize| {
            let entry = move |other| if other == at { variance } else { 0.0 };
            (0..places.len()).map(entry)
        };
        Jumps {
            places: places.to_vec(),
            mean: mean.to_vec(),
            covariance: (0..places.len()).map(|at| row(at).collect()).collect(),
            expected: 1.0,
        }
    }

    #[test]
    fn without_one_jump_the_others_are_what_they_are_if_it_is_none() {
        let covariance = vec![vec![2.0, 1.0, 0.0], vec![1.0, 3.0, 0.5], vec![0.0, 0.5, 1.0]];
        let mut jumps = Jumps {
            places: vec![0.1, 0.2, 0.3],
            mean: vec![1.0, 2.0, 4.0],
            covariance,
            expected: 1.0,
        };
        jumps.drop(0.1);
        // The mean and the variance of normal numbers, given that the first of them is 0.
        assert_eq!((jumps.places, jumps.mean), (vec![0.2, 0.3], vec![1.5, 4.0]));
        assert_eq!(jumps.covariance, [[2.5, 0.5], [0.5, 1.0]]);
    }

    #[test]
    fn a_jump_is_worth_what_it_is_beyond_noise_less_what_was_expected() {
        let jumps = jumps(&[0.5], &[0.3], 0.01);
        assert!((jumps.worth(0.5).unwrap() - (9.0 + libm::log(0.01))).abs() < 1e-12);
        assert_eq!(jumps.worth(0.4), None);
    }

    #[test]
    fn a_jump_that_is_worth_less_than_its_place_is_dropped() {
        // Worth 395, 5.0 and 13.9; −4.4, −4.6 and 13.0.
        let first = jumps(&[0.2, 0.5, 0.8], &[2.0, 0.31, 0.43], 0.01);
        let second = jumps(&[0.2, 0.5, 0.8], &[0.05, 0.0, 0.42], 0.01);
        let mut all = [first, second];
        drop_worthless(&mut all, 6.0);
        let left = all.map(Jumps::into_places);
        assert_eq!(left, [vec![0.2, 0.8], vec![0.8]]);
    }
}
