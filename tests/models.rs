//! The models against an independent script: `tests/models.mjs` reads the XML of `static/models` and
//! evaluates it by its own means. Here it is given values of the crate's own making, and values
//! that were tampered with.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tracefold::input::NamedFile;
use tracefold::model::{Expression, Formula, Model, Operator, built_in, read};
use tracefold::settings::Settings;
use tracefold::{export, open, pipeline};
use tracefold_generate::{Random, Shape, generate};

use crate::checks::written;

const POINTS: usize = 12;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The spelling of a model's counter under which this test exports it.
fn exported_name(counter: &str) -> String {
    let name = counter.split('|').next_back().unwrap();
    if name.starts_with("topdown") { format!("cpu/{name}/u") } else { name.to_lowercase() }
}

/// A rate that depends on counter and point; some are missing, some zero.
fn rate(counter: &str, point: usize) -> f64 {
    let hash = counter.bytes().fold(point as u64 + 1, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    match point {
        3 => 0.0,
        4 if hash.is_multiple_of(3) => f64::NAN,
        _ => 0.001 + (hash >> 20) as f64 / 1e10,
    }
}

fn number(value: Option<f64>) -> String {
    value.filter(|value| value.is_finite()).map_or_else(String::new, |value| value.to_string())
}

/// `curves.csv` and `models.csv` of all models.
fn tables(models: &[Model]) -> (String, String) {
    let mut counters = models
        .iter()
        .flat_map(|model| &model.counters)
        .map(|c| exported_name(c))
        .collect::<Vec<_>>();
    counters.sort();
    counters.dedup();
    let available = counters.iter().map(String::as_str).collect::<Vec<_>>();
    let mut curves = "region,group,counter,x,fitted,lower,upper,rate\n".to_owned();
    let mut values = "region,group,model,component,x,value\n".to_owned();
    let x = |point: usize| point as f64 / (POINTS - 1) as f64;
    for counter in &counters {
        for point in 0..POINTS {
            let rate = number(Some(rate(counter, point)));
            writeln!(curves, "\"f, \"\"g\"\"\",1,{counter},{},0,,,{rate}", x(point)).unwrap();
        }
    }
    for model in models {
        let places = model.places(&available).unwrap();
        for component in &model.components {
            for point in 0..POINTS {
                let rates = places.iter().map(|&place| rate(available[place], point));
                let value = number(component.formula.evaluate(&rates.collect::<Vec<_>>()));
                let (name, part) = (&model.name, &component.name);
                writeln!(values, "\"f, \"\"g\"\"\",1,{name},{part},{},{value}", x(point)).unwrap();
            }
        }
    }
    (curves, values)
}

fn check(name: &str, curves: &str, values: &str) -> Output {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("models-{name}"));
    fs::create_dir_all(&folder).unwrap();
    let [curves_file, values_file] = ["curves.csv", "models.csv"].map(|file| folder.join(file));
    fs::write(&curves_file, curves).unwrap();
    fs::write(&values_file, values).unwrap();
    let script = root().join("tests/models.mjs");
    let models = root().join("static/models");
    let arguments = [script, curves_file, values_file, models];
    Command::new("node").args(arguments).output().unwrap()
}

#[test]
fn an_independent_script_finds_the_same_values() {
    let models = built_in();
    let (curves, values) = tables(&models);
    let output = check("same", &curves, &values);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{errors}");
    let parts = models.iter().map(|model| model.components.len()).sum::<usize>();
    assert_eq!(
        said,
        format!("{} values of {} models checked, 0 wrong\n", parts * POINTS, models.len())
    );
}

/// The real thing: curves of a folded trace, and what its models say of them.
#[test]
fn models_of_the_folded_example_are_their_formulas() {
    let generated = generate(Shape::Example, 1);
    let files = [("e.prv", generated.prv), ("e.pcf", generated.pcf), ("e.row", generated.row)];
    let files = files.into_iter().map(|(name, bytes)| NamedFile::new(name, bytes)).collect();
    let trace = open::open(files, &mut |_| {}).unwrap();
    let (folding, _) = pipeline::run(&trace, &Settings::default()).unwrap();
    assert!(folding.models.len() > 1, "{:?}", folding.models);
    let folding = || std::iter::once(&folding);
    let output = check("example", &export::curves(folding()), &export::models(folding()));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}{errors}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn the_script_sees_what_is_wrong() {
    let models = built_in();
    let (curves, values) = tables(&models);
    let mut lines = values.lines().map(str::to_owned).collect::<Vec<_>>();
    let wrong = |name: &str, lines: &[String], words: &str| {
        let output = check(name, &curves, &(lines.join("\n") + "\n"));
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{name}: {errors}");
        assert!(errors.contains(words), "{name}: {errors}");
    };
    let original = lines[1].clone();
    let (before, value) = original.rsplit_once(',').unwrap();
    let value = value.parse::<f64>().unwrap() * (1.0 + 1e-8);
    lines[1] = format!("{before},{value}");
    wrong("value", &lines, " instead of ");
    lines[1] = format!("{before},");
    wrong("absent", &lines, ": nothing");
    lines[1] = original.replace("l1_dcm", "l9_dcm");
    wrong("component", &lines, "no such component");
    lines[1] = original.replace("architecture-impact", "no-model");
    wrong("model", &lines, "in none of the files");
}

/// A made-up formula at most `depth` operations deep, of counters by any of `names`.
fn formula(
    random: &mut Random,
    depth: usize,
    names: &[&str],
    counters: &mut Vec<String>,
) -> Formula {
    const OPERATORS: [Operator; 6] = [
        Operator::Add,
        Operator::Subtract,
        Operator::Multiply,
        Operator::Divide,
        Operator::Min,
        Operator::Max,
    ];
    match random.below(if depth == 0 { 3 } else { 9 }) {
        0 => Formula::Number((random.below(2001) as f64 - 1000.0) / 8.0),
        1 | 2 => {
            let name = names[random.below(names.len() as u64) as usize];
            let place = counters.iter().position(|known| known == name);
            Formula::Counter(place.unwrap_or_else(|| {
                counters.push(name.to_owned());
                counters.len() - 1
            }) as u32)
        }
        _ => {
            let operator = OPERATORS[random.below(6) as usize];
            let [a, b] = [0, 1].map(|_| formula(random, depth - 1, names, counters));
            Formula::operation(operator, a, b).unwrap()
        }
    }
}

#[test]
fn any_formula_typed_reads_back_the_same() {
    let known = ["PAPI_TOT_INS", "cycles:u", "cache-misses", "min", "odd `name\" (1)", "a,", "-2"];
    let mut random = Random::new(1);
    for _ in 0..2000 {
        let mut counters = Vec::new();
        let formula = formula(&mut random, 6, &known, &mut counters);
        let expression = Expression { counters, formula };
        let text = written::typed(&expression);
        assert_eq!(Expression::parse(&text, &known), Ok(expression), "{text}");
    }
}

#[test]
fn any_text_is_refused_or_read_as_what_is_written_of_it() {
    let known = ["a", "b", "a-b", "cache-misses", "power/energy-pkg/"];
    let letters =
        ['a', '-', 'b', '(', ')', '`', '"', '1', '.', 'e', '/', ',', ' ', 'é', 'm', 'i', 'n'];
    let mut random = Random::new(7);
    let mut read = 0;
    for _ in 0..50_000 {
        let length = random.below(12);
        let letter = |_| letters[random.below(letters.len() as u64) as usize];
        let text = (0..length).map(letter).collect::<String>();
        if let Ok(expression) = Expression::parse(&text, &known) {
            let written = written::typed(&expression);
            assert_eq!(Expression::parse(&written, &known), Ok(expression), "{text}");
            read += 1;
        }
    }
    assert!(read > 100, "{read}");
}

#[test]
fn models_as_xml_read_back_equal() {
    let mut models = built_in();
    let mix = models.iter().find(|model| model.name == "instruction-mix").unwrap().clone();
    let odd = ["<a>&amp;", "\"'", "é % 1", "A|B"];
    let mut random = Random::new(11);
    for _ in 0..300 {
        let mut model = mix.clone();
        model.counters.clear();
        for (index, part) in model.components.iter_mut().enumerate() {
            part.formula = formula(&mut random, 5, &odd, &mut model.counters);
            part.title = odd[index % odd.len()].to_owned();
            part.hidden = random.below(2) == 0;
        }
        models.push(model);
    }
    for model in models {
        assert_eq!(read("m.xml", written::model(&model).as_bytes()), Ok(vec![model]));
    }
}
