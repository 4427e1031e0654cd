//! How far counters move with cycles per instruction: what may explain where a region is slow.

use crate::folding::{Curve, Group};

/// Of three phases of two unrelated counters every second pair has r² above ½, of two all have 1:
/// with fewer phases than this, moments tell instead. (Of normal values, r lies evenly in −1 to 1
/// for four of them: Fisher 1915.)
const FEWEST_PHASES: usize = 4;

/// Moments that stand for a curve of few phases, evenly spread.
const MOMENTS: usize = 100;

/// What varies by less than this share of its mean is level; r² would be of rounding.
const LEVEL: f64 = 1e-6;

/// Moments with less than this share of the mean rate of instructions have no ratios, as in
/// [`Group::ratios`].
const FEWEST_INSTRUCTIONS: f64 = 0.01;

impl Group {
    /// For each curve, r² of its events per instruction with cycles per instruction over the phases,
    /// weighted by how long each lasts; of fewer than four phases, over moments. Where cycles were
    /// not counted, with time per instruction. `None` without instructions, and of what is level.
    /// O(curves × phases).
    pub fn r_squared(&self) -> Vec<Option<f64>> {
        let carried = self.curves.iter().map(|curve| curve.tabled.as_ref());
        if let Some(carried) = carried.collect::<Option<Vec<_>>>() {
            return carried.iter().map(|tabled| tabled.r_squared).collect();
        }
        let over: Vec<Over> = match self.phases.len() {
            ..FEWEST_PHASES => (0..MOMENTS).map(Over::Moment).collect(),
            _ => (self.phases.iter().enumerate())
                .map(|(phase, of)| Over::Phase(phase, of.end - of.start))
                .collect(),
        };
        let Some(instructions) = self.instructions() else { return vec![None; self.curves.len()] };
        let cycles = self.curves.iter().find(|curve| curve.is_cycles());
        let of = |curve: &Curve| {
            let point = |over: &Over| {
                let whole = over.rate(instructions)?;
                if whole <= FEWEST_INSTRUCTIONS * instructions.mean_rate {
                    return None;
                }
                let slow = cycles.map_or(Some(1.0), |cycles| over.rate(cycles))?;
                Some([over.weight(), slow / whole, over.rate(curve)? / whole])
            };
            squared(&over.iter().filter_map(point).collect::<Vec<_>>())
        };
        self.curves.iter().map(of).collect()
    }
}

/// What a curve has one rate over.
enum Over {
    /// Index and length.
    Phase(usize, f64),
    Moment(usize),
}

impl Over {
    fn weight(&self) -> f64 {
        match self {
            Self::Phase(_, length) => *length,
            Self::Moment(_) => 1.0,
        }
    }

    fn rate(&self, curve: &Curve) -> Option<f64> {
        let rate = match *self {
            Self::Phase(phase, _) => curve.phases.get(phase)?.rate,
            Self::Moment(at) => {
                let last = curve.rate.len().checked_sub(1)?;
                *curve.rate.get(at * last / (MOMENTS - 1))?
            }
        };
        Some(rate).filter(|rate| rate.is_finite())
    }
}

/// The square of the weighted correlation of points `[weight, x, y]`; `None` if either is level.
fn squared(points: &[[f64; 3]]) -> Option<f64> {
    let sum = |of: &dyn Fn(&[f64; 3]) -> f64| points.iter().map(of).sum::<f64>();
    let all = sum(&|[w, ..]| *w);
    let (x, y) = (sum(&|[w, x, _]| w * x) / all, sum(&|[w, _, y]| w * y) / all);
    let xx = sum(&|[w, a, _]| w * (a - x) * (a - x));
    let yy = sum(&|[w, _, b]| w * (b - y) * (b - y));
    let xy = sum(&|[w, a, b]| w * (a - x) * (b - y));
    let varies = |squares: f64, mean: f64| squares > all * (LEVEL * mean) * (LEVEL * mean);
    (varies(xx, x) && varies(yy, y)).then(|| (xy * xy / (xx * yy)).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{Phase, PhaseRate};

    /// Phases of these lengths, in which each counter has these events per instruction.
    fn group(lengths: &[f64], counters: &[(&str, &[f64])]) -> Group {
        let mut start = 0.0;
        let phases = lengths.iter().map(|length| {
            start += length;
            Phase { start: start - length, end: start, ..Phase::default() }
        });
        let curve = |counter: &str, ratios: Vec<f64>| {
            let rates = ratios.iter().zip([900.0, 300.0, 700.0, 500.0, 800.0]).map(|(r, i)| r * i);
            let rates = rates.collect::<Vec<_>>();
            Curve {
                counter: counter.to_owned(),
                mean_rate: 500.0,
                phases: rates
                    .iter()
                    .map(|rate| PhaseRate { rate: *rate, half_width: 0.0 })
                    .collect(),
                // Over moments: each phase as long as any other.
                rate: rates.iter().flat_map(|rate| [*rate; 25]).collect(),
                ..Curve::default()
            }
        };
        let instructions = curve("PAPI_TOT_INS", vec![1.0; lengths.len()]);
        let others = counters.iter().map(|(name, ratios)| curve(name, ratios.to_vec()));
        let curves = [Curve { instructions: true, ..instructions }].into_iter().chain(others);
        Group { phases: phases.collect(), curves: curves.collect(), ..Group::default() }
    }

    #[test]
    fn what_moves_with_cycles_is_told_from_what_does_not() {
        let cycles: &[f64] = &[0.5, 2.0, 1.0, 1.5];
        let doubled: &[f64] = &[0.11, 0.41, 0.21, 0.31];
        let falling: &[f64] = &[3.0, 0.0, 2.0, 1.0];
        let level: &[f64] = &[0.3, 0.3, 0.3, 0.3];
        let other: &[f64] = &[1.0, 1.0, 2.0, 2.0];
        let group = group(
            &[0.25; 4],
            &[("PAPI_TOT_CYC", cycles), ("A", doubled), ("B", falling), ("C", level), ("D", other)],
        );
        let r = group.r_squared();
        assert_eq!([r[0], r[4]], [None, None], "instructions and what is level");
        for at in [1, 2, 3] {
            assert!((r[at].unwrap() - 1.0).abs() < 1e-12, "{r:?}");
        }
        // Deviations −.75 .75 −.25 .25 and −.5 −.5 .5 .5: their product sums to 0.
        assert!(r[5].unwrap() < 1e-12, "{r:?}");
    }

    #[test]
    fn a_phase_counts_as_long_as_it_lasts() {
        let cycles: &[f64] = &[1.0, 2.0, 1.0, 2.0];
        let other: &[f64] = &[1.0, 2.0, 2.0, 1.0];
        let of = |lengths: &[f64]| {
            group(lengths, &[("PAPI_TOT_CYC", cycles), ("A", other)]).r_squared()[2].unwrap()
        };
        assert!(of(&[0.25; 4]) < 1e-12);
        // Weights .45 .45 .05 .05, all deviations ±½: r is .9 − .1.
        assert!((of(&[0.45, 0.45, 0.05, 0.05]) - 0.64).abs() < 1e-12);
    }

    #[test]
    fn of_few_phases_moments_tell() {
        let cycles: &[f64] = &[1.0, 2.0, 2.0];
        let other: &[f64] = &[1.0, 2.0, 1.0];
        // By phases it would be .9 of the time that both agree; each third of the moments is a phase.
        let r = group(&[0.1, 0.8, 0.1], &[("PAPI_TOT_CYC", cycles), ("A", other)]).r_squared();
        assert!((r[2].unwrap() - 0.25).abs() < 0.02, "{r:?}");
    }

    #[test]
    fn without_cycles_time_per_instruction_tells_and_without_instructions_nothing() {
        let mut group = group(&[0.25; 4], &[("A", &[1.0, 3.0, 9.0 / 7.0, 1.8])]);
        // Each is 900 over the rate of instructions: as slow as it is.
        assert!((group.r_squared()[1].unwrap() - 1.0).abs() < 1e-12);
        group.curves[0].instructions = false;
        assert_eq!(group.r_squared(), [None, None]);
        assert_eq!(Group::default().r_squared(), []);
    }

    #[test]
    fn rates_that_are_none_are_left_out() {
        let mut group = group(
            &[0.2; 5],
            &[("PAPI_TOT_CYC", &[0.5, 2.0, 1.0, 1.5, 9.0]), ("A", &[1.0, 4.0, 2.0, 3.0, 0.0])],
        );
        group.curves[2].phases[4].rate = f64::NAN;
        assert!((group.r_squared()[2].unwrap() - 1.0).abs() < 1e-12);
    }
}
