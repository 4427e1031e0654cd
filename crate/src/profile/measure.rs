use std::fmt;

use super::{Columns, Profile};
use crate::model::{Expression, ExpressionError};

/// What is looked at of each node: a metric, or a formula of several.
#[derive(Clone, Debug, PartialEq)]
pub enum Measure {
    /// By number.
    Metric(usize),
    Formula {
        /// As it was asked for, where it has no name of its own.
        name: String,
        expression: Expression,
        /// The metrics of the expression, by number.
        metrics: Vec<usize>,
    },
}

/// Neither a metric nor a formula that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasureError {
    asked: String,
    error: ExpressionError,
}

/// What a node has itself, or with all below it that has the same kind of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    Exclusive,
    Inclusive,
}

impl Share {
    pub const BOTH: [(Self, &'static str); 2] =
        [(Self::Exclusive, "exclusive"), (Self::Inclusive, "inclusive")];
}

impl Profile {
    /// Every metric.
    pub fn measures(&self) -> Vec<Measure> {
        (0..self.metrics.len()).map(Measure::Metric).collect()
    }

    /// A metric by its name, in any case of letters, else a formula of metrics: `FORMULA` or
    /// `NAME=FORMULA`, which is of rates in events per microsecond as in a folding.
    pub fn measure(&self, asked: &str) -> Result<Measure, MeasureError> {
        if let Some(metric) = self.metric(asked) {
            return Ok(Measure::Metric(metric));
        }
        let (name, formula) = asked.split_once('=').unwrap_or((asked, asked));
        let counters = self
            .metrics
            .iter()
            .filter(|metric| metric.unit.is_empty())
            .map(|metric| metric.name.as_str());
        let counters = counters.collect::<Vec<_>>();
        let expression = Expression::parse(formula, &counters)
            .map_err(|error| MeasureError { asked: asked.to_owned(), error })?;
        let metrics = expression.counters.iter().filter_map(|counter| self.metric(counter));
        let metrics = metrics.collect();
        Ok(Measure::Formula { name: name.trim().to_owned(), expression, metrics })
    }

    pub fn name_of<'a>(&'a self, measure: &'a Measure) -> &'a str {
        match measure {
            Measure::Metric(metric) => &self.metrics[*metric].name,
            Measure::Formula { name, .. } => name,
        }
    }

    /// The unit of a measure; empty if it has none.
    pub fn unit_of(&self, measure: &Measure) -> &str {
        match measure {
            Measure::Metric(metric) => &self.metrics[*metric].unit,
            Measure::Formula { .. } => "",
        }
    }
}

impl Columns {
    /// The value of a measure, by its place in the columns. `None` of a formula where it has no finite
    /// value: where a node took no time, or what it divides by is 0.
    pub fn value(&self, measure: &Measure, share: Share, place: usize) -> Option<f64> {
        let columns = match share {
            Share::Exclusive => &self.exclusive,
            Share::Inclusive => &self.inclusive,
        };
        let of = |metric: usize| columns.get(metric)?.get(place).copied();
        match measure {
            Measure::Metric(metric) => of(*metric),
            Measure::Formula { expression, metrics, .. } => {
                let time_us = of(0)? / 1e3;
                let rates = metrics.iter().map(|metric| of(*metric).map(|count| count / time_us));
                expression.formula.evaluate(&rates.collect::<Option<Vec<_>>>()?)
            }
        }
    }
}

impl fmt::Display for MeasureError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { asked, error } = self;
        write!(out, "“{asked}” is neither a metric nor a formula of counters: {error}")
    }
}

impl std::error::Error for MeasureError {}
