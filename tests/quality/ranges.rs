//! How often the interval of a mean rate between two moments covers the truth, and how wide it is.

use tracefold_generate::Random;

use super::bands::cells;
use super::cell::INSTRUCTIONS;

/// From about the width of a jump to more than half of the region.
const WIDTHS: [f64; 5] = [0.02, 0.05, 0.1, 0.3, 0.6];
const RANGES: usize = 40;
const SEEDS: u64 = 4;

/// Of the ranges of one width: how many intervals cover the truth, and the sums of half widths and of
/// those of the band of the rate in the middle, over the mean rate.
#[derive(Clone, Copy, Default)]
struct Told {
    all: f64,
    covered: f64,
    half_width: f64,
    in_the_middle: f64,
}

fn told(fit: &str) -> [Told; WIDTHS.len()] {
    let mut told = [Told::default(); WIDTHS.len()];
    for (_, cell) in cells() {
        for seed in 0..SEEDS {
            let shown = cell.shown(seed, INSTRUCTIONS, &[("fit", fit)]);
            let (curve, mut random) = (shown.curve(), Random::new(seed));
            for (told, width) in told.iter_mut().zip(WIDTHS) {
                for _ in 0..RANGES {
                    let from = random.uniform() * (1.0 - width);
                    let range = [from, from + width];
                    let [before, after] = range.map(|x| shown.truth.curve(x));
                    let truth = (after - before) / width;
                    let found = shown.group.in_range(curve, range).unwrap();
                    let [rate, half] =
                        [found.rate, found.half_width].map(|of| of / curve.mean_rate);
                    told.all += 1.0;
                    told.covered += f64::from(u8::from((rate - truth).abs() <= half));
                    told.half_width += half;
                    let middle = shown.group.half_width_at(curve, from + width / 2.0);
                    told.in_the_middle += middle / curve.mean_rate;
                }
            }
        }
    }
    told
}

#[test]
fn the_mean_of_a_range_lies_in_its_interval_as_often_as_that_says() {
    for fit in ["auto", "kriging"] {
        for (Told { all, covered, half_width, in_the_middle }, width) in
            told(fit).into_iter().zip(WIDTHS)
        {
            let share = covered / all;
            println!("{fit} {width}: {share:.3}, ± {:.4}", half_width / all);
            assert!((0.93..=0.98).contains(&share), "{fit} {width}: {share}");
            // A mean over much is surer than the rate at any moment of it.
            assert!(width < 0.1 || half_width < 0.5 * in_the_middle, "{fit} {width}");
        }
    }
}
