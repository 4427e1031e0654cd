//! The rates that a generated trace was planned with, and how far a curve is from them.

use serde_json::Value;

/// Points at which curves are compared: the middles of as many equal parts.
pub const MIDDLES: u32 = 2000;

pub fn middles() -> impl Iterator<Item = f64> {
    (0..MIDDLES).map(|k| (f64::from(k) + 0.5) / f64::from(MIDDLES))
}

/// A piece-wise constant rate of mean 1, and the curve of which it is the slope.
#[derive(Clone, Debug)]
pub struct Truth {
    /// Where the rate changes, from 0 to 1.
    pub borders: Vec<f64>,
    pub rates: Vec<f64>,
    /// Value of the curve at each border.
    values: Vec<f64>,
}

impl Truth {
    /// Of a counter, out of the truth that comes with a generated trace.
    pub fn of(truth: &Value, counter: &str) -> Truth {
        let numbers = |value: &Value| -> Vec<f64> {
            value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
        };
        let borders = numbers(&truth["planned"]["borders"]);
        let rates = numbers(&truth["planned"]["rates"][counter]);
        let widths = borders.windows(2).map(|ends| ends[1] - ends[0]);
        let mean: f64 = widths.zip(&rates).map(|(width, rate)| width * rate).sum();
        Truth::new(borders, rates.iter().map(|rate| rate / mean).collect())
    }

    pub fn new(borders: Vec<f64>, rates: Vec<f64>) -> Truth {
        let mut values = vec![0.0];
        for (ends, rate) in borders.windows(2).zip(&rates) {
            values.push(values[values.len() - 1] + rate * (ends[1] - ends[0]));
        }
        Truth { borders, rates, values }
    }

    /// Where the rate changes, the ends left out.
    pub fn breaks(&self) -> &[f64] {
        &self.borders[1..self.borders.len() - 1]
    }

    fn piece(&self, x: f64) -> usize {
        let after = self.borders.partition_point(|&border| border <= x);
        after.clamp(1, self.rates.len()) - 1
    }

    pub fn curve(&self, x: f64) -> f64 {
        let piece = self.piece(x);
        self.values[piece] + self.rates[piece] * (x - self.borders[piece])
    }

    pub fn rate(&self, x: f64) -> f64 {
        self.rates[self.piece(x)]
    }
}

/// A fitted curve at the middles: share of the total, and slope, of mean 1.
pub struct Fitted {
    pub curve: Vec<f64>,
    pub rate: Vec<f64>,
}

/// How far a curve is from the truth, in percent.
#[derive(Clone, Copy, Debug)]
pub struct Errors {
    /// E_C: mean distance of the curves, of the total.
    pub curve: f64,
    /// E_R: mean distance of the rates, of the mean rate.
    pub rate: f64,
}

/// Source: spec/algorithms.md §5.1.
pub fn errors(fitted: &Fitted, truth: &Truth) -> Errors {
    let mean = |fitted: &[f64], of_truth: &dyn Fn(f64) -> f64| {
        assert_eq!(fitted.len(), MIDDLES as usize);
        let apart = middles().zip(fitted).map(|(x, value)| (value - of_truth(x)).abs());
        100.0 * apart.sum::<f64>() / f64::from(MIDDLES)
    };
    Errors {
        curve: mean(&fitted.curve, &|x| truth.curve(x)),
        rate: mean(&fitted.rate, &|x| truth.rate(x)),
    }
}
