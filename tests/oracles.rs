//! Kernels against values from well-kept software: `tests/oracles`.

use serde_json::Value;
use tracefold::fit::{Observation, lambda_by_reml, minus_two_reml, smooth, smooth_with_errors};

fn oracle() -> Vec<Value> {
    let text = include_str!("oracles/kriging.json");
    serde_json::from_str(text).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

fn points(case: &Value) -> Vec<Observation> {
    let pairs = numbers(&case["x"]).into_iter().zip(numbers(&case["y"]));
    pairs.map(|(x, y)| Observation { x, y, weight: 1.0 }).collect()
}

fn furthest(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn the_spline_is_dense_kriging() {
    for case in oracle() {
        let (points, grid) = (points(&case), numbers(&case["xout"]));
        for fit in case["fits"].as_array().unwrap() {
            let curve = smooth(&points, fit["lam"].as_f64().unwrap(), &grid).unwrap();
            let f = furthest(&curve.values, &numbers(&fit["f"]));
            let slope = furthest(&curve.slopes, &numbers(&fit["df"]));
            assert!(
                f <= 1e-10 && slope <= 1e-8,
                "{} {}: {f:e} {slope:e}",
                case["name"],
                fit["nugget"]
            );
        }
    }
}

#[test]
fn the_spline_on_the_grid_of_the_reference_is_dense_kriging() {
    for case in oracle() {
        let Some(reference) = case.get("reference_1000").filter(|r| r.is_object()) else {
            continue;
        };
        let nugget = reference["nugget"].as_f64().unwrap();
        let every = reference["every"].as_u64().unwrap() as usize;
        let grid = (0..1000).map(|j| f64::from(j) / 999.0).collect::<Vec<_>>();
        let curve = smooth(&points(&case), nugget / 12.0, &grid).unwrap();
        let ours = curve.values.iter().step_by(every).map(|v| v.max(0.0)).collect::<Vec<_>>();
        let theirs = numbers(&reference["f"]);
        assert!(furthest(&ours[..theirs.len()], &theirs) <= 1e-9, "{}", case["name"]);
    }
}

#[test]
fn likelihoods_of_two_nuggets_differ_as_by_dense_algebra() {
    for case in oracle() {
        let points = points(&case);
        let of_fit = |fit: &Value| {
            let ours = minus_two_reml(&points, fit["lam"].as_f64().unwrap()).unwrap();
            ours - fit["neg2reml_concentrated"].as_f64().unwrap()
        };
        // Both leave out a constant, each its own.
        let fits = case["fits"].as_array().unwrap();
        for fit in &fits[1..] {
            let apart = of_fit(fit) - of_fit(&fits[0]);
            assert!(apart.abs() < 1e-4, "{} {apart:e}", case["name"]);
        }
    }
}

#[test]
fn the_automatic_nugget_is_where_the_dense_likelihood_is_largest() {
    for case in oracle() {
        let nugget = 12.0 * lambda_by_reml(&points(&case)).unwrap();
        let expected = case["reml_opt_nugget"].as_f64().unwrap();
        assert!((nugget / expected - 1.0).abs() < 0.02, "{} {nugget} {expected}", case["name"]);
    }
}

/// How far a ratio of two columns is from 1, at most.
fn furthest_ratio(ours: &[f64], theirs: &[f64]) -> f64 {
    assert_eq!(ours.len(), theirs.len());
    ours.iter().zip(theirs).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, f64::max)
}

#[test]
fn variances_of_value_and_slope_are_those_of_dense_algebra() {
    for case in oracle() {
        let (points, grid) = (points(&case), numbers(&case["xout"]));
        for fit in case["fits"].as_array().unwrap() {
            let nugget = fit["nugget"].as_f64().unwrap();
            let smoothed = smooth_with_errors(&points, nugget / 12.0, &grid).unwrap();
            let value = numbers(&fit["var_f_over_sigma2"]);
            let slope = numbers(&fit["var_df_over_sigma2"]);
            let value = furthest_ratio(&smoothed.variances.values, &value);
            let slope = furthest_ratio(&smoothed.variances.slopes, &slope);
            // The smaller the nugget, the more digits the dense variances lose.
            let tolerance = if nugget < 1e-5 {
                1e-2
            } else if nugget < 1e-3 {
                1e-5
            } else {
                1e-8
            };
            let found = format!("{} {nugget}: {value:e} {slope:e}", case["name"]);
            assert!(value <= tolerance && slope <= tolerance, "{found}");
        }
    }
}

#[test]
fn leverages_residuals_and_noise_are_those_of_dense_algebra() {
    for case in oracle() {
        let points = points(&case);
        for fit in case["fits"].as_array().unwrap() {
            let expected = |name: &str| fit[name].as_f64().unwrap();
            let smoothed = smooth_with_errors(&points, expected("lam"), &[]).unwrap();
            let freedom = smoothed.leverages.iter().sum::<f64>();
            let squares = smoothed.residuals.iter().map(|residual| residual * residual);
            let squares = squares.sum::<f64>();
            let n = points.len() as f64;
            let gcv = n * squares / ((n - freedom) * (n - freedom));
            let ours = [freedom, squares, gcv, smoothed.noise_variance.unwrap()];
            let theirs = ["trace_hat", "rss", "gcv", "sigma2_reml"].map(expected);
            let apart = furthest_ratio(&ours, &theirs);
            assert!(apart < 1e-7, "{} {}: {apart:e}", case["name"], fit["nugget"]);
            let first = furthest(&smoothed.leverages[..5], &numbers(&fit["leverage_first5"]));
            assert!(first < 1e-8, "{} {}: {first:e}", case["name"], fit["nugget"]);
        }
    }
}
