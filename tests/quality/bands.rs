//! How often the bands of a spline cover the truth, and how wide they are.
//!
//! Source: spec/algorithms-real-traces.md §3.

use super::cell::{Cell, INSTRUCTIONS, SEEDS};

/// Points at which coverage is counted: the middles of as many equal parts.
const PARTS: usize = 200;
const SCENARIOS: [&str; 3] = ["stream4", "contrast5", "smooth"];

/// Shares of points at which a band covers the truth, and half widths in percent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Coverage {
    pub curve: f64,
    pub rate: f64,
    pub curve_half_width: f64,
    pub rate_half_width: f64,
}

/// The 24 cells of the study: less than one and five samples of an instance, 100 and 1000 of them.
pub fn cells() -> Vec<(String, Cell)> {
    let mut cells = Vec::new();
    for scenario in SCENARIOS {
        for jitter in [0.005, 0.02] {
            for period in [1.05, 0.2] {
                for samples in [100, 1000] {
                    let name = format!("{scenario} {jitter} every {period}, {samples} samples");
                    cells.push((name, Cell::new(scenario, jitter, samples).every(period)));
                }
            }
        }
    }
    cells
}

/// Mean over the seeds, and over the points.
pub fn coverage(cell: &Cell) -> Coverage {
    let mut sum = Coverage::default();
    for seed in SEEDS {
        let shown = cell.shown(seed, INSTRUCTIONS, &[("fit", "kriging")]);
        let curve = shown.curve();
        let step = (curve.fitted.len() - 1) / PARTS;
        for part in 0..PARTS {
            let place = part * step + step / 2;
            let x = (part as f64 + 0.5) / PARTS as f64;
            let (width, rate_width) =
                (curve.fitted_band[place], curve.rate_band[place] / curve.mean_rate);
            let apart = (curve.fitted[place] - shown.truth.curve(x)).abs();
            let rate_apart = (curve.rate[place] / curve.mean_rate - shown.truth.rate(x)).abs();
            sum.curve += f64::from(u8::from(apart <= width));
            sum.rate += f64::from(u8::from(rate_apart <= rate_width));
            sum.curve_half_width += 100.0 * width;
            sum.rate_half_width += 100.0 * rate_width;
        }
    }
    sum.over((SEEDS.end as usize * PARTS) as f64)
}

impl Coverage {
    pub fn over(self, count: f64) -> Coverage {
        Coverage {
            curve: self.curve / count,
            rate: self.rate / count,
            curve_half_width: self.curve_half_width / count,
            rate_half_width: self.rate_half_width / count,
        }
    }

    pub fn plus(self, other: Coverage) -> Coverage {
        Coverage {
            curve: self.curve + other.curve,
            rate: self.rate + other.rate,
            curve_half_width: self.curve_half_width + other.curve_half_width,
            rate_half_width: self.rate_half_width + other.rate_half_width,
        }
    }
}

#[test]
fn bands_cover_the_truth_as_often_as_they_say() {
    let mut sum = Coverage::default();
    let cells = cells();
    for (name, cell) in &cells {
        let found = coverage(cell);
        println!("{name}: {found:.3?}");
        sum = sum.plus(found);
    }
    let mean = sum.over(cells.len() as f64);
    println!("mean: {mean:.3?}");
    assert!(mean.curve >= 0.93 && mean.rate >= 0.9, "{mean:?}");
    assert!(mean.rate_half_width <= 1.1 * 8.1, "{mean:?}");
}
