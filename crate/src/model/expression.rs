use std::fmt;

use super::formula::{Formula, Operator};
use super::typed;

/// A formula as a person types it: `PAPI_L3_TCM*64/PAPI_TOT_INS`.
///
/// `+ - * / ( )`, `min(a, b)`, `max(a, b)`, numbers, and names of counters. At each place the
/// longest name of a known counter is taken, so that `cache-misses` is the counter where there is
/// one, and a difference where there is none. A name in backquotes or double quotes may have any
/// characters; a quote in it is written twice.
///
/// `{}` writes text that [`Expression::parse`] reads as the same formula.
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

    /// See [`Formula::evaluate`]; `rates` are in the order of `counters`.
    pub fn evaluate(&self, rates: &[f64]) -> Option<f64> {
        self.formula.evaluate(rates)
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

impl fmt::Display for Expression {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(&self.formula, out)
    }
}

impl Expression {
    fn write(&self, formula: &Formula, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match formula {
            Formula::Number(number) => write!(out, "{number}"),
            Formula::Counter(place) => {
                let name = self.counters.get(*place as usize).map_or("", String::as_str);
                write_name(name, out)
            }
            Formula::Operation(operator, sides) => {
                let [a, b] = sides.as_ref();
                let (before, between, after) = match operator {
                    Operator::Add => ("", " + ", ""),
                    Operator::Subtract => ("", " - ", ""),
                    Operator::Multiply => ("", " * ", ""),
                    Operator::Divide => ("", " / ", ""),
                    Operator::Min => ("min(", ", ", ")"),
                    Operator::Max => ("max(", ", ", ")"),
                };
                // Equals are read from the left, so only on the right do they need parentheses.
                // A comma separates whatever stands beside it.
                let own = if before.is_empty() { binding(formula) } else { 0 };
                write!(out, "{before}")?;
                self.write_side(a, own, out)?;
                write!(out, "{between}")?;
                self.write_side(b, if own == 0 { 0 } else { own + 1 }, out)?;
                write!(out, "{after}")
            }
        }
    }

    fn write_side(&self, side: &Formula, least: u8, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if binding(side) >= least {
            return self.write(side, out);
        }
        write!(out, "(")?;
        self.write(side, out)?;
        write!(out, ")")
    }
}

/// How tightly the sides of a formula hold together.
fn binding(formula: &Formula) -> u8 {
    match formula {
        Formula::Operation(Operator::Add | Operator::Subtract, _) => 1,
        Formula::Operation(Operator::Multiply | Operator::Divide, _) => 2,
        _ => 3,
    }
}

fn write_name(name: &str, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    let plain = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':'));
    if plain && !typed::is_function(name) {
        return write!(out, "{name}");
    }
    write!(out, "`{}`", name.replace('`', "``"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::generate::Random;

    const KNOWN: [&str; 9] = [
        "PAPI_TOT_INS",
        "PAPI_TOT_CYC",
        "cycles:u",
        "cache-misses",
        "power/energy-pkg/",
        "min",
        "odd `name\" (1)",
        "a,",
        "-2",
    ];

    #[test]
    fn canonical_text_is_as_short_as_its_meaning_allows() {
        for (text, canonical) in [
            ("PAPI_TOT_INS*64/PAPI_TOT_CYC", "PAPI_TOT_INS * 64 / PAPI_TOT_CYC"),
            ("((1))-(2-3)-4", "1 - (2 - 3) - 4"),
            ("(1+2)*3/(4*5)", "(1 + 2) * 3 / (4 * 5)"),
            ("min(1+2,max( 3,4 ))", "min(1 + 2, max(3, 4))"),
            ("-PAPI_TOT_INS", "0 - PAPI_TOT_INS"),
            ("-1.5e3 - -2", "-1500 - -2"),
            ("cache-misses", "`cache-misses`"),
            ("`min`+ \"odd `name\"\" (1)\"", "`min` + `odd ``name\" (1)`"),
        ] {
            let expression = Expression::parse(text, &KNOWN).unwrap();
            assert_eq!(expression.to_string(), canonical, "{text}");
            assert_eq!(Expression::parse(canonical, &KNOWN).unwrap(), expression, "{text}");
        }
    }

    #[test]
    fn any_formula_is_written_as_text_that_reads_back_the_same() {
        let mut random = Random(1);
        for _ in 0..2000 {
            let mut counters = Vec::new();
            let formula = random.formula(6, &mut |random| {
                let name = KNOWN[random.below(KNOWN.len())];
                let place = counters.iter().position(|known| known == name);
                place.unwrap_or_else(|| {
                    counters.push(name.to_owned());
                    counters.len() - 1
                }) as u32
            });
            let expression = Expression { counters, formula };
            let text = expression.to_string();
            assert_eq!(Expression::parse(&text, &KNOWN), Ok(expression), "{text}");
        }
    }
}
