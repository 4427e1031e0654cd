//! The steps of a comparison against an independent implementation, to 1e-9: `oracles/compare/unit.json` in the
//! folder `TRACEFOLD_SHARED`.

use serde_json::Value;

use tracefold::compare::{
    Between, Change, Counter, Run, Stretch, benjamini_hochberg, canonical, effects, holm, matched,
    moved, similarity, structure,
};
use tracefold::fit;
use tracefold::folding::is_cycles;

/// The file, if there is one: it is not part of the project.
fn oracle() -> Option<Value> {
    let Some(shared) = std::env::var_os("TRACEFOLD_SHARED") else {
        println!("skipped: TRACEFOLD_SHARED names no folder with oracles/compare/unit.json");
        return None;
    };
    let path = std::path::Path::new(&shared).join("oracles/compare/unit.json");
    Some(serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap())
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

fn near(value: f64, expected: &Value, what: &str) {
    let expected = number(expected);
    assert!(
        (value - expected).abs() <= 1e-9 * expected.abs().max(1.0),
        "{what}: {value} for {expected}"
    );
}

fn cases<'a>(oracle: &'a Value, of: &str) -> impl Iterator<Item = &'a Value> {
    oracle[of].as_array().unwrap().iter()
}

#[test]
fn students_t_and_the_test_of_significant_and_relevant() {
    let Some(oracle) = oracle() else { return };
    for case in cases(&oracle, "student") {
        let t = fit::student_exceeded(1.0 - number(&case["p"]), number(&case["df"]));
        near(t, &case["quantile"], "quantile");
    }
    for case in cases(&oracle, "p_beyond") {
        let [log, variance, degrees] = ["change", "var", "df"].map(|key| number(&case[key]));
        let p = Change { log, variance, degrees }.p_beyond(number(&case["least"]));
        near(p, &case["p"], "p");
    }
    let flags = |case: &Value| -> Vec<bool> {
        case["flags"].as_array().unwrap().iter().map(|flag| flag.as_bool().unwrap()).collect()
    };
    for case in cases(&oracle, "holm") {
        assert_eq!(holm(&numbers(&case["p"]), number(&case["alpha"])), flags(case));
    }
    for case in cases(&oracle, "benjamini_hochberg") {
        assert_eq!(benjamini_hochberg(&numbers(&case["p"]), number(&case["q"])), flags(case));
    }
}

#[test]
fn random_effects() {
    let Some(oracle) = oracle() else { return };
    for case in cases(&oracle, "effects") {
        let sides = [0, 1].map(|side| {
            let runs = case["log_ms"][side].as_array().unwrap().iter();
            let own = case["within_variance"][side].as_array().unwrap();
            let run = |(y, own): (&Value, &Value)| {
                numbers(y).into_iter().zip(numbers(own)).map(|(y, own)| [y, own]).collect()
            };
            runs.zip(own).map(run).collect::<Vec<Vec<_>>>()
        });
        let runs = sides.iter().map(Vec::len).sum::<usize>();
        let effects = effects(&sides, Between::default(), 19.0 * runs as f64);
        near(effects.clock_variance, &case["clock_variance"], "clock");
        near(effects.phase_variance, &case["phase_variance"], "phase");
        for (change, expected) in effects.phases.iter().zip(case["phases"].as_array().unwrap()) {
            near(change.log, &expected["change"], "change");
            near(change.variance, &expected["variance"], "variance");
            near(change.degrees / number(&expected["df"]), &Value::from(1.0), "degrees");
            near(change.p_beyond(libm::log(1.01)), &expected["p"], "p");
            let [low, high] = change.interval();
            near(low, &expected["interval"][0], "low");
            near(high, &expected["interval"][1], "high");
        }
    }
}

fn run(case: &Value) -> Run {
    let edges = numbers(&case["edges"]).into_iter().zip(numbers(&case["sb"]));
    let duration = [number(&case["T"]), number(&case["seT"])];
    let mut run = Run::new(duration, edges.map(|(at, error)| [at, error]).collect());
    for (name, rates) in case["counters"].as_object().unwrap() {
        let rate = |pair: &Value| [number(&pair[0]), number(&pair[1]) * number(&pair[1])];
        run.counters.push(Counter {
            name: name.clone(),
            is_cycles: is_cycles(name),
            joules: None,
            rates: rates.as_array().unwrap().iter().map(rate).collect(),
        });
    }
    run.instructions = run.counter(case["ins"].as_str().unwrap());
    for sample in case["code"].as_array().unwrap() {
        let text = |at: usize| sample[at].as_str().unwrap().to_owned();
        run.sample(number(&sample[0]), (text(1), text(2), sample[3].as_u64().unwrap() as u32));
    }
    run
}

#[test]
fn phases_are_matched_and_what_became_of_them_is_told() {
    let Some(oracle) = oracle() else { return };
    for case in cases(&oracle, "matching") {
        let name = &case["name"];
        let (a, b) = (run(&case["a"]), run(&case["b"]));
        let pairs = matched(&canonical(&a), &canonical(&b));
        let ends = |parts: &[Stretch<'_>]| -> Value {
            parts.iter().map(|part| vec![part.first, part.end]).collect::<Vec<_>>().into()
        };
        for (pair, expected) in pairs.iter().zip(case["pairs"].as_array().unwrap()) {
            assert_eq!(
                (ends(&pair.a), ends(&pair.b)),
                (expected[0].clone(), expected[1].clone()),
                "{name}"
            );
            if let (Some(a), Some(b)) = (Stretch::joined(&pair.a), Stretch::joined(&pair.b)) {
                near(similarity(&a, &b), &expected[2], "similarity");
            }
        }
        assert_eq!(pairs.len(), case["pairs"].as_array().unwrap().len(), "{name}");
        let kinds =
            structure(&pairs).iter().map(|note| <&str>::from(note.kind)).collect::<Vec<_>>();
        assert_eq!(Value::from(kinds), case["structure"], "{name}");
        let both = pairs
            .iter()
            .filter_map(|pair| Some((Stretch::joined(&pair.a)?, Stretch::joined(&pair.b)?)));
        let lines = both.flat_map(|(a, b)| moved(&a, &b));
        let lines = lines.map(|of| Value::from(vec![Value::from(of.routine), of.by.into()]));
        assert_eq!(Value::from(lines.collect::<Vec<_>>()), case["lines"], "{name}");
    }
}

/// The 22 cases of `oracles/compare`: what is told of each, and nothing else. Their judge is a script of theirs.
#[test]
fn the_cases_are_told_as_they_must_be() {
    let Ok(shared) = std::env::var("TRACEFOLD_SHARED") else {
        println!("skipped: TRACEFOLD_SHARED is not set");
        return;
    };
    let script = std::path::Path::new(&shared).join("oracles/compare/oracles.py");
    if !script.is_file() {
        println!("skipped: TRACEFOLD_SHARED names no folder with oracles/compare/oracles.py");
        return;
    }
    let mut command = std::process::Command::new("python3");
    let tracefold = env!("CARGO_BIN_EXE_tracefold");
    let output = command.arg(script).args(["check", tracefold, "compare"]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}{errors}");
    assert_eq!(told.lines().filter(|line| line.starts_with("ok")).count(), 22, "{told}");
}
