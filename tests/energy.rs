//! Registers of energy: made-up traces whose power is known.

use crate::traces::{fold, open};
use tracefold::folding::{Curve, Folding};
use tracefold::performance::footprint;
use tracefold::trace::Trace;
use tracefold_generate::{Jitter, Options, Shape, generate_with};

const ENERGY: &str = "rapl:::PACKAGE_ENERGY:PACKAGE0";

/// Instances of so many milliseconds, of which 0.4 at 30 W and the rest at 55 W, with 12 W between
/// them; a register of 15.2 µJ refreshed each millisecond.
fn made(ms: f64, samples: usize, period: f64, unread_borders: bool) -> Trace {
    let options = Options {
        ms: Some(ms),
        samples: Some(samples),
        period: Some(period),
        jitter: Some(Jitter::all(0.01)),
        unread_borders,
        ..Options::default()
    };
    let made = generate_with(Shape::Rapl, 1, &options);
    let files = [("made.prv", made.prv.as_slice()), ("made.pcf", made.pcf.as_slice())];
    open(&files)
}

fn energy(folding: &Folding) -> &Curve {
    folding.groups[0].curves.iter().find(|curve| curve.counter == ENERGY).unwrap()
}

fn notice<'a>(folding: &'a Folding, words: &str) -> Option<&'a str> {
    let found = folding.notices.iter().find(|notice| notice.text.contains(words));
    found.map(|notice| notice.text.as_str())
}

/// Watts at each point of the curve.
fn power(curve: &Curve) -> Vec<f64> {
    curve.rate.iter().map(|&rate| curve.watts(rate).unwrap()).collect()
}

const ALL: [&str; 3] = ["region=User function:loop", "group=none", "outliers=none"];
/// Of a mean instance.
const MEAN_WATTS: f64 = 0.4 * 30.0 + 0.6 * 55.0;

#[track_caller]
fn check(folding: &Folding, tolerance: f64) {
    let curve = energy(folding);
    let mean = curve.watts(curve.mean_rate).unwrap();
    assert!((mean / MEAN_WATTS - 1.0).abs() < tolerance, "{mean} W");
    let power = power(curve);
    for (x, expected) in [(100, 30.0), (200, 30.0), (300, 30.0), (600, 55.0), (800, 55.0)] {
        assert!((power[x] / expected - 1.0).abs() < 0.06, "{x}: {} W", power[x]);
    }
    // Mean distance of the rates as a share of the mean rate: at most 6 %.
    let distance = |(j, watts): (u32, &f64)| {
        let expected = if j < 400 { 30.0 } else { 55.0 };
        (watts / mean - expected / MEAN_WATTS).abs()
    };
    let apart = (0..).zip(&power).map(distance).sum::<f64>() / power.len() as f64;
    assert!(apart < 0.06, "{apart}");
    let above = footprint(&power, 42.5);
    assert!((above.share - 0.6).abs() < 0.03 && above.longest > 0.55, "{above:?}");
}

#[test]
fn levels_at_the_borders_give_power_and_total() {
    for (samples, period) in [(700, 0.205), (570, 1.05)] {
        let folding = fold(&made(20.0, samples, period, false), &ALL);
        check(&folding, 0.015);
        assert!(notice(&folding, "half of that earlier").is_some(), "{:?}", folding.notices);
    }
}

#[test]
fn rises_between_readings_anywhere_give_power_and_total() {
    for (samples, period) in [(700, 0.205), (570, 1.05)] {
        let folding = fold(&made(20.0, samples, period, true), &ALL);
        check(&folding, 0.01);
        assert!(notice(&folding, "is not read at begins and ends").is_some());
        let curve = energy(&folding);
        assert!(curve.used > 100, "{}", curve.used);
    }
}

#[test]
fn of_a_region_too_short_for_the_register_only_the_total_is_told() {
    let folding = fold(&made(3.0, 570, 1.05, false), &ALL);
    let curve = energy(&folding);
    assert_eq!(curve.used, 0);
    let power = power(curve);
    assert!(power.iter().all(|watts| (watts / power[0] - 1.0).abs() < 1e-6));
    assert!((power[0] / MEAN_WATTS - 1.0).abs() < 0.03, "{}", power[0]);
    assert!(notice(&folding, "no course of it").is_some());
}

#[test]
fn of_a_long_region_it_is_a_counter_as_others() {
    let folding = fold(&made(130.0, 600, 0.21, false), &ALL);
    check(&folding, 0.01);
    assert_eq!(notice(&folding, "refreshed"), None);
    // Said to be a counter, it is folded as one however short the region is.
    let folding = fold(&made(3.0, 570, 1.05, false), &[&ALL[..], &["energy=none"]].concat());
    assert_eq!((energy(&folding).joules, notice(&folding, "refreshed")), (None, None));
    assert!(energy(&folding).used > 100);
}

#[test]
fn how_often_a_register_is_refreshed_is_seen_or_said() {
    // Forty samples in each instance of 20 ms: twice as fast as the register.
    let trace = made(20.0, 6000, 0.025, false);
    let counter = trace.types.iter().position(|known| known.name == ENERGY).unwrap() as u32;
    let found = tracefold::instance::refresh_ns(&trace, counter).unwrap() as f64;
    assert!((found / 1e6 - 1.0).abs() < 0.05, "{found}");
    let instructions = trace.types.iter().position(|known| known.name == "PAPI_TOT_INS").unwrap();
    assert_eq!(tracefold::instance::refresh_ns(&trace, instructions as u32), None);

    let with = |more: &str| fold(&trace, &[&ALL[..], &[more]].concat());
    let said = with("refresh=6000000");
    assert!(notice(&said, "is refreshed every 6 ms, and an instance lasts less").is_some());
    let unknown = with("energy=PAPI_TOT_INS");
    assert!(notice(&unknown, "How often PAPI_TOT_INS is refreshed cannot be seen").is_some());
}
