//! Kernels against values from well-kept software: `tests/oracles`.

use serde_json::Value;
use tracefold::fit::{Observation, lambda_by_reml, smooth};

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
fn the_automatic_nugget_is_where_the_dense_likelihood_is_largest() {
    for case in oracle() {
        let nugget = 12.0 * lambda_by_reml(&points(&case)).unwrap();
        let expected = case["reml_opt_nugget"].as_f64().unwrap();
        assert!((nugget / expected - 1.0).abs() < 0.02, "{} {nugget} {expected}", case["name"]);
    }
}
