//! Typed formulas, by recursive descent:
//!
//! ```text
//! sum     = product (("+" | "-") product)*
//! product = operand (("*" | "/") operand)*
//! operand = "-" operand | "(" sum ")" | ("min" | "max") "(" sum "," sum ")" | number | counter
//! ```

use crate::text::{leading_decimal, nearest};

use super::expression::{Expression, ExpressionError};
use super::formula::{Formula, MOST_TERMS, Operator};
use super::quote::quoted;

/// Deepest nesting: each level is a few frames of the stack.
const DEEPEST: usize = 100;
const OPERAND: &str = "a number, a counter, “(” or “-”";

pub fn parse(text: &str, known: &[&str]) -> Result<Expression, ExpressionError> {
    let mut reader = Reader { text, at: 0, depth: 0, known, counters: Vec::new() };
    let formula = reader.sum()?;
    reader.skip_blanks();
    if reader.rest().is_empty() {
        return Ok(Expression { counters: reader.counters, formula });
    }
    Err(reader.wrong("+, -, *, / or the end"))
}

/// Whether `name` before “(” is a function.
fn function(name: &str) -> Option<Operator> {
    match name {
        "min" => Some(Operator::Min),
        "max" => Some(Operator::Max),
        _ => None,
    }
}

struct Reader<'a> {
    text: &'a str,
    /// The byte to be read next; always at a character's begin.
    at: usize,
    depth: usize,
    known: &'a [&'a str],
    /// Those used so far.
    counters: Vec<String>,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_ascii_start().len();
    }

    /// Skips blanks, then takes `sign` if it stands there.
    fn take(&mut self, sign: char) -> bool {
        self.skip_blanks();
        let taken = self.rest().starts_with(sign);
        self.at += if taken { sign.len_utf8() } else { 0 };
        taken
    }

    fn sum(&mut self) -> Result<Formula, ExpressionError> {
        let signs = [('+', Operator::Add), ('-', Operator::Subtract)];
        self.chain(signs, Self::product)
    }

    fn product(&mut self) -> Result<Formula, ExpressionError> {
        let signs = [('*', Operator::Multiply), ('/', Operator::Divide)];
        self.chain(signs, Self::operand)
    }

    /// Operands joined from the left by either of two operators.
    fn chain(
        &mut self,
        signs: [(char, Operator); 2],
        operand: fn(&mut Self) -> Result<Formula, ExpressionError>,
    ) -> Result<Formula, ExpressionError> {
        let mut formula = operand(self)?;
        loop {
            let Some((_, operator)) = signs.into_iter().find(|(sign, _)| self.take(*sign)) else {
                return Ok(formula);
            };
            let right = operand(self)?;
            formula = self.join(operator, formula, right)?;
        }
    }

    fn join(&self, operator: Operator, a: Formula, b: Formula) -> Result<Formula, ExpressionError> {
        let found = format!("a formula of more than {MOST_TERMS} terms");
        Formula::operation(operator, a, b).ok_or_else(|| self.error(found, "a shorter one"))
    }

    fn operand(&mut self) -> Result<Formula, ExpressionError> {
        self.skip_blanks();
        if self.depth == DEEPEST {
            let found = format!("more than {DEEPEST} levels of parentheses and signs");
            return Err(self.error(found, "a flatter formula"));
        }
        self.depth += 1;
        let formula = self.nested();
        self.depth -= 1;
        formula
    }

    fn nested(&mut self) -> Result<Formula, ExpressionError> {
        if let Some(formula) = self.call()? {
            return Ok(formula);
        }
        if let Some((name, length)) = self.quoted_name()? {
            return self.counter(&name, length);
        }
        if let Some(name) = self.known_name() {
            return self.counter(name, name.len());
        }
        if let Some((number, length)) = number(self.rest()) {
            self.at += length;
            return Ok(Formula::Number(number));
        }
        if self.take('-') {
            let operand = self.operand()?;
            return self.join(Operator::Subtract, Formula::Number(0.0), operand);
        }
        if self.take('(') {
            let formula = self.sum()?;
            return self.closed(formula);
        }
        let length = self.rest().find(|letter| !is_of_name(letter)).unwrap_or(self.rest().len());
        match self.rest().get(..length) {
            Some(name) if length > 0 => self.counter(name, length),
            _ => Err(self.wrong(OPERAND)),
        }
    }

    /// `min(a, b)` or `max(a, b)`.
    fn call(&mut self) -> Result<Option<Formula>, ExpressionError> {
        let Some((name, after)) = self.rest().split_at_checked(3) else { return Ok(None) };
        let Some(operator) = function(name).filter(|_| after.trim_ascii_start().starts_with('('))
        else {
            return Ok(None);
        };
        self.at += name.len();
        self.take('(');
        let a = self.sum()?;
        if !self.take(',') {
            return Err(self.wrong("a comma and the second operand"));
        }
        let b = self.sum()?;
        let formula = self.join(operator, a, b)?;
        self.closed(formula).map(Some)
    }

    fn closed(&mut self, formula: Formula) -> Result<Formula, ExpressionError> {
        if self.take(')') { Ok(formula) } else { Err(self.wrong("an operator or “)”")) }
    }

    /// The name in quotes that begins here, and its length with them; a quote in it stands twice.
    fn quoted_name(&mut self) -> Result<Option<(String, usize)>, ExpressionError> {
        let Some(quote @ ('`' | '"')) = self.rest().chars().next() else { return Ok(None) };
        let (mut name, mut letters) =
            (String::new(), self.rest().char_indices().skip(1).peekable());
        while let Some((place, letter)) = letters.next() {
            if letter != quote {
                name.push(letter);
            } else if letters.next_if(|(_, next)| *next == quote).is_some() {
                name.push(quote);
            } else {
                return Ok(Some((name, place + 1)));
            }
        }
        self.at = self.text.len();
        Err(self.wrong(&format!("{quote} after the name of a counter")))
    }

    /// The longest known counter that begins here and ends where a name can end.
    fn known_name(&self) -> Option<&'a str> {
        let names = self.known.iter().copied().filter(|name| {
            let after = self.rest().strip_prefix(name);
            let ends = after.is_some_and(|after| !after.starts_with(is_of_name));
            ends && is_unquoted(name)
        });
        names.max_by_key(|name| name.len())
    }

    /// Takes a counter that is named in full by the next `length` bytes.
    fn counter(&mut self, name: &str, length: usize) -> Result<Formula, ExpressionError> {
        if !self.known.contains(&name) {
            let nearest = nearest(name, self.known.iter().copied());
            let error = self.error(quoted(name), "the name of a counter");
            return Err(ExpressionError { nearest, ..error });
        }
        self.at += length;
        Ok(Formula::counter(name, &mut self.counters))
    }

    /// The error that something else was expected here.
    fn wrong(&self, expected: &str) -> ExpressionError {
        let name = self.rest().find(|letter| !is_of_name(letter)).unwrap_or(self.rest().len());
        let found = match self.rest().chars().next() {
            None => "the end".to_owned(),
            Some(sign) => quoted(self.rest().get(..name.max(sign.len_utf8())).unwrap_or_default()),
        };
        self.error(found, expected)
    }

    fn error(&self, found: String, expected: &str) -> ExpressionError {
        let column = 1 + self.text.get(..self.at).unwrap_or_default().chars().count();
        ExpressionError { column, found, expected: expected.to_owned(), nearest: Vec::new() }
    }
}

/// Letters that cannot stand right after a name, as they would go on with it.
fn is_of_name(letter: char) -> bool {
    let is_sign = matches!(letter, '_' | ':' | '.' | '%' | '=' | '@' | '#');
    letter.is_ascii_alphanumeric() || is_sign || !letter.is_ascii()
}

/// Whether a counter can be named without quotes: neither a number nor of letters that separate.
fn is_unquoted(name: &str) -> bool {
    let separates =
        |letter: char| letter.is_ascii_whitespace() || matches!(letter, '(' | ')' | '`' | '"');
    let is_number = number(name).is_some_and(|(_, length)| length == name.len());
    !name.is_empty() && !name.contains(separates) && !name.ends_with(',') && !is_number
}

/// The number that `text` begins with, and its length; `.5` too.
pub fn number(text: &str) -> Option<(f64, usize)> {
    let (number, length) = match text.strip_prefix('.') {
        Some(digits) if digits.starts_with(|digit: char| digit.is_ascii_digit()) => {
            let (number, length) = leading_decimal(&format!("0{text}"))?;
            (number, length - 1)
        }
        _ => leading_decimal(text)?,
    };
    let after = text.get(length..)?;
    (!after.starts_with(is_of_name)).then_some((number, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 8] = [
        "a",
        "b",
        "a-b",
        "cache-misses",
        "rapl:::PACKAGE_ENERGY:PACKAGE0",
        "power/energy-pkg/",
        "cycles",
        "42000050",
    ];

    /// With a = 2, b = 3, and 10, 20 … for the others.
    fn value(text: &str) -> f64 {
        let expression = parse(text, &KNOWN).unwrap_or_else(|error| panic!("{text}: {error}"));
        let rates = expression.counters.iter().map(|counter| match counter.as_str() {
            "a" => 2.0,
            "b" => 3.0,
            name => 10.0 * KNOWN.iter().position(|known| *known == name).unwrap() as f64,
        });
        expression.formula.evaluate(&rates.collect::<Vec<_>>()).unwrap()
    }

    fn refused(text: &str) -> String {
        parse(text, &KNOWN).unwrap_err().to_string()
    }

    #[test]
    fn products_bind_tighter_than_sums_and_equals_go_from_the_left() {
        for (text, expected) in [
            ("1+2*3", 7.0),
            ("(1+2)*3", 9.0),
            ("10-4-3", 3.0),
            ("10-(4-3)", 9.0),
            ("24/4/2", 3.0),
            ("24/4*2", 12.0),
            ("2-6/3+1", 1.0),
            ("-2*3", -6.0),
            ("2--3", 5.0),
            ("-(1+a)", -3.0),
            ("- -2", 2.0),
            ("min(a, b)*max(b,7)", 14.0),
            (" 1.5e1\t+ 2E-1 ", 15.2),
            (".5*a", 1.0),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
    }

    #[test]
    fn the_longest_counter_is_taken_where_it_ends() {
        for (text, expected) in [
            ("a-b", 20.0),
            ("a - b", -1.0),
            ("a -b", -1.0),
            ("a-b-b", 17.0),
            ("cache-misses*64/a", 960.0),
            ("rapl:::PACKAGE_ENERGY:PACKAGE0/a", 20.0),
            ("power/energy-pkg//a", 25.0),
            ("power/energy-pkg/+1", 51.0),
            ("`a`-`b`", -1.0),
            ("\"cache-misses\"", 30.0),
            // A name of digits is a number, unless it is quoted.
            ("42000050", 42000050.0),
            ("`42000050`", 70.0),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
    }

    #[test]
    fn an_unknown_counter_is_named_with_those_nearest() {
        let error = parse("1 + cycle/2", &KNOWN).unwrap_err();
        assert_eq!((error.column, error.found.as_str()), (5, "“cycle”"));
        assert_eq!(error.nearest[0], "cycles");
        let words =
            "column 5: found “cycle”, expected the name of a counter; the nearest are cycles, ";
        assert!(error.to_string().starts_with(words), "{error}");
        // No part of a name is taken for a known one.
        for text in ["cyclesX", "cycles:u", "a_b", "`cache-miss`", "4x"] {
            let error = parse(text, &KNOWN).unwrap_err();
            assert_eq!((error.column, error.nearest.len()), (1, 3), "{text}");
        }
    }

    #[test]
    fn every_mistake_has_its_place_and_words() {
        for (text, words) in [
            ("", "column 1: found the end, expected a number, a counter, “(” or “-”"),
            ("a+", "column 3: found the end, expected a number, a counter, “(” or “-”"),
            ("a+*b", "column 3: found “*”, expected a number, a counter, “(” or “-”"),
            ("(a", "column 3: found the end, expected an operator or “)”"),
            ("a)", "column 2: found “)”, expected +, -, *, / or the end"),
            ("a b", "column 3: found “b”, expected +, -, *, / or the end"),
            (
                "é + a",
                "column 1: found “é”, expected the name of a counter; the nearest are a, b, a-b",
            ),
            ("a ≠ b", "column 3: found “≠”, expected +, -, *, / or the end"),
            ("min(a)", "column 6: found “)”, expected a comma and the second operand"),
            ("max(a,b", "column 8: found the end, expected an operator or “)”"),
            ("`a", "column 3: found the end, expected ` after the name of a counter"),
            ("a\u{1b}", "column 2: found “\\u{1b}”, expected +, -, *, / or the end"),
            (
                "1e999",
                "column 1: found “1e999”, expected the name of a counter; the nearest are a, b, a-b",
            ),
        ] {
            assert_eq!(refused(text), words, "{text}");
        }
    }

    #[test]
    fn a_hundred_thousand_parentheses_are_an_error_and_no_crash() {
        for open in ["(", "-", "min(", "- (", "1*("] {
            let error = refused(&open.repeat(100_000));
            assert!(error.contains("more than 100 levels"), "{error}");
        }
        assert_eq!(value(&format!("{}a{}", "(".repeat(99), ")".repeat(99))), 2.0);
        let error = refused(&"a+".repeat(100_000));
        assert!(error.contains("more than 1000 terms"), "{error}");
    }

    #[test]
    fn parentheses_that_change_nothing_and_quotes_make_no_other_formula() {
        for (text, same) in [
            ("a*64/b", "(a * 64) / b"),
            ("((1))-(2-3)-4", "1 - (2 - 3) - 4"),
            ("(1+2)*3/(4*5)", "(1 + 2) * 3 / (4 * 5)"),
            ("min(1+2,max( 3,4 ))", "min((1 + 2), max(3, 4))"),
            ("-a", "0 - a"),
            ("-1.5e3 - -2", "-1500 - -2"),
            ("cache-misses", "`cache-misses`"),
            ("`a`+ \"b\"", "a + b"),
        ] {
            assert_eq!(parse(text, &KNOWN), parse(same, &KNOWN), "{text}");
        }
        let odd = ["odd `name\" (1)"];
        let [backquoted, quoted] =
            ["`odd ``name\" (1)`", "\"odd `name\"\" (1)\""].map(|text| parse(text, &odd).unwrap());
        assert_eq!(backquoted, quoted);
    }
}
