//! One cell of the tables: a scenario, how much it varies, and how often it is sampled.

use serde_json::Value;
use tracefold::folding::{Folding, Points};
use tracefold::input::NamedFile;
use tracefold::settings::Settings;
use tracefold::{open, pipeline, trace};
use tracefold_generate::{Jitter, Options, Shape, generate_with};

use super::truth::Truth;

/// Every figure is a mean over these.
pub const SEEDS: std::ops::Range<u64> = 0..30;

pub const INSTRUCTIONS: &str = "PAPI_TOT_INS";
pub const ENERGY: &str = "rapl:::PACKAGE_ENERGY:PACKAGE0";

/// Length of an instance of Fig. 4.18.
pub const FIG418_MS: f64 = 13.91 + 1.2 + 1.5 + 18.5;

#[derive(Clone)]
pub struct Cell {
    pub shape: Shape,
    pub options: Options,
}

/// What a fit is given of a counter: one sample per place.
pub struct Samples {
    pub x: Vec<f64>,
    pub y: Vec<f64>,
}

impl Cell {
    /// So many samples, less than one of an instance.
    pub fn new(scenario: &str, jitter: f64, samples: usize) -> Cell {
        let jitter = Some(Jitter::all(jitter));
        let options = Options { jitter, samples: Some(samples), ..Options::default() };
        Cell { shape: scenario.parse().unwrap(), options }
    }

    /// A sample every so many lengths of an instance.
    pub fn every(mut self, period: f64) -> Cell {
        self.options.period = Some(period);
        self
    }

    /// The short phases of Fig. 4.18, so often sampled in so many instances.
    pub fn fig418(hertz: f64, instances: usize, jitter: f64) -> Cell {
        let jitter = Some(Jitter::all(jitter));
        let period = Some(1000.0 / hertz / FIG418_MS);
        let options = Options { jitter, period, instances: Some(instances), ..Options::default() };
        Cell { shape: Shape::Fig418, options }
    }

    /// The trace of a seed, read as a person's would be, and what is true of it.
    pub fn trace(&self, seed: u64) -> (trace::Trace, Value) {
        let made = generate_with(self.shape, seed, &self.options);
        let files = [("made.prv", &made.prv), ("made.pcf", &made.pcf), ("made.row", &made.row)];
        let files = files.map(|(name, bytes)| NamedFile::new(name, bytes.as_slice()));
        let trace = open::open(files.into(), &mut |_| {}).unwrap();
        (trace, serde_json::from_str(&made.truth).unwrap())
    }

    /// The samples of a counter as the pipeline folds them, and its truth.
    pub fn samples(&self, seed: u64, counter: &str) -> (Samples, Truth) {
        let (trace, truth) = self.trace(seed);
        let (_, points) =
            fold(&trace, &[("fit", "kriging"), ("nugget", "0.0001"), ("counters", counter)]);
        let cloud = points.cloud(1, counter).unwrap();
        (Samples { x: cloud.x.clone(), y: cloud.y.clone() }, Truth::of(&truth, counter))
    }
}

/// Folds the loop with every instance in one group.
pub fn fold(trace: &trace::Trace, choices: &[(&str, &str)]) -> (Folding, Points) {
    let mut settings = Settings::default();
    let all = [("region", "User function:loop"), ("group", "none"), ("outliers", "none")];
    for (key, value) in all.iter().chain(choices) {
        settings.set(key, value).unwrap();
    }
    pipeline::run(trace, &settings).unwrap()
}
