use std::fmt;

use super::formula::Formula;
use super::typed;

/// A formula as a person types it: `PAPI_L3_TCM*64/PAPI_TOT_INS`.
///
/// `+ - * / ( )`, `min(a, b)`, `max(a, b)`, numbers, and names of counters. At each place the
/// longest name of a known counter is taken, so that `cache-misses` is the counter where there is
/// one, and a difference where there is none. A name in backquotes or double quotes may have any
/// characters; a quote in it is written twice.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// Names, as the trace has them, in the order of first use.
    pub counters: Vec<String>,
    pub formula: Formula,
}

/// A place in a typed formula that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionError {
    /// In characters, from 1.
    pub column: usize,
    /// In quotes, or in words: `“x”`, `the end`.
    pub found: String,
    pub expected: String,
    /// If an unknown counter was asked for: the three known ones nearest to it.
    pub nearest: Vec<String>,
}

impl Expression {
    /// Reads `text`, whose counters are among `known`. O(length of text × names).
    pub fn parse(text: &str, known: &[&str]) -> Result<Self, ExpressionError> {
        typed::parse(text, known)
    }
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "column {}: found {}, expected {}", self.column, self.found, self.expected)?;
        if self.nearest.is_empty() {
            return Ok(());
        }
        write!(out, "; the nearest are {}", self.nearest.join(", "))
    }
}

impl std::error::Error for ExpressionError {}
