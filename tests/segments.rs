//! Breaks of segmented fits, against made-up phases that are known.

use tracefold::fit::segments::{Breaks, Knots, Samples, choose, intervals, noise_variance};
use tracefold_generate::Random;

#[derive(Default)]
struct Counter {
    x: Vec<f64>,
    y: Vec<f64>,
    group: Vec<u32>,
    instance: Vec<u32>,
}

impl Counter {
    fn samples(&self) -> Samples<'_> {
        Samples { x: &self.x, y: &self.y, group: &self.group, instance: &self.instance }
    }

    fn push(&mut self, x: f64, y: f64, instance: u32) {
        self.x.push(x);
        self.y.push(y);
        self.group.push(instance % 20);
        self.instance.push(instance);
    }

    fn sort(&mut self) {
        let mut order = (0..self.x.len()).collect::<Vec<_>>();
        order.sort_by(|&a, &b| self.x[a].total_cmp(&self.x[b]));
        self.x = order.iter().map(|&at| self.x[at]).collect();
        self.y = order.iter().map(|&at| self.y[at]).collect();
        self.group = order.iter().map(|&at| self.group[at]).collect();
        self.instance = order.iter().map(|&at| self.instance[at]).collect();
    }
}

const PHASES: [f64; 5] = [0.2, 0.15, 0.3, 0.1, 0.25];
const BREAKS: [f64; 4] = [0.2, 0.35, 0.65, 0.75];
const RATES: [[f64; 5]; 4] = [
    [1.5, 0.5, 0.8, 1.6, 1.0],
    [1.0, 1.0, 2.0, 2.0, 0.6],
    [0.4, 0.4, 0.4, 3.0, 0.4],
    [1.0, 1.3, 1.3, 0.7, 0.7],
];

/// Four counters, each with `count` samples, one in about every instance; durations of phases and
/// rates scatter by 1 % from one instance to the next. Of `sets` sets of counters each instance
/// has one.
fn folded(seed: u64, count: usize, sets: usize) -> Vec<Counter> {
    let mut random = Random::new(seed);
    let mut counters = RATES.map(|_| Counter::default());
    let (mut start, mut next) = (0.0, 1.05 * random.uniform());
    let mut instance = 0;
    while counters.iter().any(|counter| counter.x.len() < count) {
        let phases = PHASES.map(|phase| phase * random.lognormal(0.01));
        let duration = 1.0 * random.lognormal(0.01) * phases.iter().sum::<f64>();
        let scale = duration / phases.iter().sum::<f64>();
        let rates = RATES.map(|rates| rates.map(|rate| rate * random.lognormal(0.01)));
        while next < start + duration {
            if next >= start {
                let time = next - start;
                for (at, (counter, rates)) in counters.iter_mut().zip(&rates).enumerate() {
                    if instance as usize % sets != at % sets || counter.x.len() == count {
                        continue;
                    }
                    let counted = |until: f64| {
                        let mut begin = 0.0;
                        let parts = phases.iter().zip(rates).map(|(phase, rate)| {
                            let inside = (until - begin).clamp(0.0, phase * scale);
                            begin += phase * scale;
                            rate * inside
                        });
                        parts.sum::<f64>()
                    };
                    counter.push(time / duration, counted(time) / counted(duration), instance);
                }
            }
            next += 1.05 * (0.8 + 0.4 * random.uniform());
        }
        start += duration - 0.3 * libm::log(1.0 - random.uniform());
        instance += 1;
    }
    counters.iter_mut().for_each(Counter::sort);
    counters.into()
}

/// The share of true breaks that are found within 1.5 %, and the mean number of others.
fn recall(count: usize, sets: usize, seeds: u64) -> (f64, f64) {
    let (mut met, mut others) = (0, 0);
    for seed in 0..seeds {
        let counters = folded(seed, count, sets);
        let samples = counters.iter().map(Counter::samples).collect::<Vec<_>>();
        let choice = choose(&samples, 20);
        let mut found = choice.fits[choice.breaks].knots.breaks().to_vec();
        for place in BREAKS {
            let distance = |at: &f64| (at - place).abs();
            let nearest = found.iter().position(|at| {
                distance(at) < 0.015 && found.iter().all(|other| distance(at) <= distance(other))
            });
            if let Some(at) = nearest {
                found.remove(at);
                met += 1;
            }
        }
        others += found.len();
    }
    (f64::from(met) / (seeds * 4) as f64, others as f64 / seeds as f64)
}

#[test]
fn sixty_samples_of_four_counters_have_the_phases_of_all() {
    let (found, others) = recall(60, 1, 25);
    println!("60 samples: recall {found:.3}, others {others:.2}");
    assert!(found >= 0.95 && others <= 1.0, "{found} {others}");
}

#[test]
fn more_samples_have_all_phases_and_no_more_that_are_none() {
    let (found, others) = recall(400, 1, 10);
    println!("400 samples: recall {found:.3}, others {others:.2}");
    assert!(found >= 0.99 && others <= 0.8, "{found} {others}");
}

#[test]
fn counters_in_four_sets_have_their_phases_together() {
    for (count, least) in [(37, 0.9), (100, 0.98)] {
        let (found, others) = recall(count, 4, 10);
        println!("4 × {count} samples: recall {found:.3}, others {others:.2}");
        assert!(found >= least && others <= 1.3, "{count}: {found} {others}");
    }
}

/// The 97.5 % quantile of Student's distribution, to 1 %, from 5 degrees of freedom on.
fn student(degrees: f64) -> f64 {
    1.96 + 2.4 / degrees + 3.0 / (degrees * degrees)
}

#[test]
fn intervals_hold_the_true_slopes_and_breaks_nineteen_times_out_of_twenty() {
    let total = |rates: &[f64; 5]| rates.iter().zip(PHASES).map(|(r, p)| r * p).sum::<f64>();
    let (mut slopes, mut breaks, mut tried) = (0, 0, 0);
    for seed in 100..125 {
        let counters = folded(seed, 150, 1);
        let samples = counters.iter().map(Counter::samples).collect::<Vec<_>>();
        let choice = choose(&samples, 20);
        // Coverage is that of a fit with the right number of breaks.
        let knots = &choice.fits[4].knots;
        if knots.breaks().iter().zip(BREAKS).any(|(at, place)| (at - place).abs() > 0.03) {
            continue;
        }
        let grid = [0.0, 0.5, 1.0];
        let found = intervals(&samples, 20, knots, Breaks::Fitted, &grid, &student).unwrap();
        for ((samples, rates), widths) in samples.iter().zip(&RATES).zip(&found.slopes) {
            let fitted = knots.values(samples);
            for (segment, (rate, width)) in rates.iter().zip(widths).enumerate() {
                let ends = [segment, segment + 1].map(|at| (knots.places()[at], fitted[at]));
                let slope = (ends[1].1 - ends[0].1) / (ends[1].0 - ends[0].0);
                slopes += u32::from((slope - rate / total(rates)).abs() <= *width);
            }
        }
        for ((at, place), width) in knots.breaks().iter().zip(BREAKS).zip(&found.breaks) {
            breaks += u32::from((at - place).abs() <= *width);
        }
        for widths in &found.curves {
            assert!(widths[0] == 0.0 && widths[2] < 1e-12 && (1e-5..0.02).contains(&widths[1]));
        }
        tried += 1;
    }
    let slopes = f64::from(slopes) / f64::from(tried * 20);
    let breaks = f64::from(breaks) / f64::from(tried * 4);
    println!("{tried} runs: slopes {slopes:.3}, breaks {breaks:.3}");
    assert!(tried >= 23 && slopes >= 0.9 && breaks >= 0.9, "{tried}: {slopes} {breaks}");
}

#[test]
fn where_a_person_puts_breaks_they_stay_and_are_exact() {
    let counters = folded(7, 100, 1);
    let samples = counters.iter().map(Counter::samples).collect::<Vec<_>>();
    let knots = Knots::new(&[0.1, 0.35, 0.7]).unwrap();
    let found = intervals(&samples, 20, &knots, Breaks::Given, &[0.5], &student).unwrap();
    assert_eq!(found.breaks, [0.0; 3]);
    assert!(found.slopes.iter().flatten().all(|width| *width > 0.0));
    let values = knots.values(&samples[0]);
    assert!(values.len() == 5 && values[0] == 0.0 && values[4] == 1.0);
}

#[test]
fn breaks_by_hand_rise_inside_of_the_instance() {
    assert_eq!(Knots::new(&[]).unwrap().places(), [0.0, 1.0]);
    assert_eq!(Knots::new(&[0.25, 0.5]).unwrap().breaks(), [0.25, 0.5]);
    let wrong: [&[f64]; 7] =
        [&[0.5, 0.4], &[0.5, 0.5], &[0.0], &[1.0], &[-0.1], &[f64::NAN], &[0.5, f64::INFINITY]];
    for breaks in wrong {
        assert_eq!(Knots::new(breaks), None, "{breaks:?}");
    }
}

/// What every answer must be, whatever the samples.
fn check(counters: &[Counter], groups: u32) {
    let samples = counters.iter().map(Counter::samples).collect::<Vec<_>>();
    let choice = choose(&samples, groups);
    assert!(choice.breaks < choice.fits.len());
    for (breaks, fit) in choice.fits.iter().enumerate() {
        let places = fit.knots.places();
        assert_eq!(places.len(), breaks + 2);
        assert!(places[0] == 0.0 && places[breaks + 1] == 1.0);
        assert!(places.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(
            fit.residual_squares.iter().chain(fit.held_out.iter().flatten()).all(|e| e.is_finite())
        );
        for samples in &samples {
            let values = fit.knots.values(samples);
            assert!(values[0] == 0.0 && values[breaks + 1] == 1.0, "{values:?}");
            assert!(values.windows(2).all(|pair| pair[0] <= pair[1]), "{values:?}");
        }
    }
    let knots = &choice.fits[choice.breaks].knots;
    let grid = [0.0, 0.3, 1.0];
    if let Some(found) = intervals(&samples, groups, knots, Breaks::Fitted, &grid, &student) {
        let widths = found.slopes.iter().chain(&found.curves).flatten().chain(&found.breaks);
        assert!(widths.clone().all(|width| width.is_finite() && *width >= 0.0), "{found:?}");
    }
}

fn made(count: u32, instances: u32, place: impl Fn(u32) -> f64, y: impl Fn(f64) -> f64) -> Counter {
    let mut counter = Counter::default();
    for at in 0..count {
        let x = place(at);
        counter.push(x, y(x), at % instances);
    }
    counter
}

#[test]
fn samples_that_say_little_or_nonsense_give_numbers_all_the_same() {
    let even = |at: u32| (f64::from(at) + 0.5) / 300.0;
    let kink = |x: f64| f64::min(2.0 * x, 0.5 + 0.5 * (x - 0.25) / 0.75);
    check(&[], 20);
    check(&[Counter::default(), Counter::default()], 20);
    check(&[made(1, 1, |_| 0.4, |_| 0.7)], 1);
    check(&[made(2, 2, f64::from, |x| x)], 20);
    // A constant rate: nothing is left to explain.
    check(&[made(300, 30, even, |x| x)], 20);
    check(&[made(300, 30, even, |x| x), made(300, 30, even, kink)], 20);
    // All at one place, or at three.
    check(&[made(300, 30, |_| 0.5, |_| 0.3)], 20);
    check(&[made(300, 30, |at| f64::from(at / 100) / 2.0, |x| x * x)], 20);
    check(&[made(300, 3, even, kink)], 3);
    check(&[made(300, 30, even, |_| 0.0), made(5, 5, even, |_| 1.0)], 20);
    check(&[made(300, 30, even, |x| if x < 0.5 { 0.0 } else { 1.0 })], 20);
    // Far out of 0..1, and no numbers.
    check(&[made(300, 30, even, |x| 1e6 * (0.5 - x))], 20);
    check(&[made(300, 30, even, |x| if x < 0.3 { f64::NAN } else { kink(x) })], 20);
    check(&[made(300, 30, |at| f64::from(at) - 100.0, |x| x)], 20);
}

#[test]
fn one_exact_kink_is_one_break() {
    let even = |at: u32| (f64::from(at) + 0.5) / 300.0;
    let kink = |x: f64| if x < 0.25 { 2.0 * x } else { 0.5 + (x - 0.25) / 1.5 };
    let counter = made(300, 30, even, kink);
    let choice = choose(&[counter.samples()], 20);
    let breaks = choice.fits[choice.breaks].knots.breaks();
    assert!(breaks.iter().any(|at| (at - 0.25).abs() < 1e-4), "{breaks:?}");
    let knots = Knots::new(&[0.25]).unwrap();
    assert!((knots.values(&counter.samples())[1] - 0.5).abs() < 1e-8);
}

#[test]
fn a_stretch_without_samples_is_straight_and_a_falling_one_is_level() {
    let place = |at: u32| (f64::from(at) + 0.5) / 1000.0;
    let knots = Knots::new(&[0.25, 0.5, 0.75]).unwrap();
    // Samples in the first quarter only: from there a straight line to (1, 1).
    let values = knots.values(&made(250, 10, place, |x| 2.0 * x).samples());
    for (value, expected) in values.iter().zip([0.0, 0.5, 0.5 + 0.5 / 3.0, 0.5 + 1.0 / 3.0, 1.0]) {
        assert!((value - expected).abs() < 1e-5, "{values:?}");
    }
    let falls = |x: f64| if x < 0.5 { 1.4 * x } else { 0.7 - (x - 0.5) };
    let values = knots.values(&made(700, 10, place, falls).samples());
    assert!(values[2] > 0.6 && values[3] == values[2], "{values:?}");
}

#[test]
fn the_noise_of_folded_samples_is_that_of_their_jitter() {
    let counter = &folded(3, 2000, 1)[0];
    let deviation = noise_variance(&counter.x, &counter.y).unwrap().sqrt();
    assert!((0.001..0.006).contains(&deviation), "{deviation}");
}
