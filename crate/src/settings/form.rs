//! How the values of settings stand as texts.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::text::decimal;
use crate::trace::ChoiceError;

/// A way of writing a value as a text, and of reading that back.
pub trait Form<T> {
    /// An error says what is expected.
    fn read(&self, text: &str) -> Result<T, ChoiceError>;
    fn write(&self, value: &T) -> String;
}

/// That of the type itself.
pub struct Own;

impl<T: FromStr<Err = ChoiceError> + Display> Form<T> for Own {
    fn read(&self, text: &str) -> Result<T, ChoiceError> {
        text.parse()
    }

    fn write(&self, value: &T) -> String {
        value.to_string()
    }
}

/// A text for `None`, and a form for all else.
pub struct Or<F>(pub &'static str, pub F);

impl<T, F: Form<T>> Form<Option<T>> for Or<F> {
    fn read(&self, text: &str) -> Result<Option<T>, ChoiceError> {
        if text == self.0 { Ok(None) } else { self.1.read(text).map(Some) }
    }

    fn write(&self, value: &Option<T>) -> String {
        value.as_ref().map_or_else(|| self.0.to_owned(), |value| self.1.write(value))
    }
}

/// A whole number within a range; what is expected, in words.
pub struct Number<N>(pub RangeInclusive<N>, pub &'static str);

impl<N: FromStr + Display + PartialOrd> Form<N> for Number<N> {
    fn read(&self, text: &str) -> Result<N, ChoiceError> {
        text.parse().ok().filter(|number| self.0.contains(number)).ok_or(ChoiceError(self.1))
    }

    fn write(&self, value: &N) -> String {
        value.to_string()
    }
}

/// A decimal number within a range; what is expected, in words.
pub struct Decimal(pub RangeInclusive<f64>, pub &'static str);

impl Form<f64> for Decimal {
    fn read(&self, text: &str) -> Result<f64, ChoiceError> {
        decimal(text).filter(|number| self.0.contains(number)).ok_or(ChoiceError(self.1))
    }

    fn write(&self, value: &f64) -> String {
        value.to_string()
    }
}

pub struct YesOrNo;

impl Form<bool> for YesOrNo {
    fn read(&self, text: &str) -> Result<bool, ChoiceError> {
        match text {
            "yes" => Ok(true),
            "no" => Ok(false),
            _ => Err(ChoiceError("yes or no")),
        }
    }

    fn write(&self, value: &bool) -> String {
        if *value { "yes" } else { "no" }.to_owned()
    }
}

/// Any text.
pub struct Text;

impl Form<String> for Text {
    fn read(&self, text: &str) -> Result<String, ChoiceError> {
        Ok(text.to_owned())
    }

    fn write(&self, value: &String) -> String {
        value.clone()
    }
}

/// Texts between separators, blanks round them left out; none is empty.
pub struct List(pub char);

impl Form<Vec<String>> for List {
    fn read(&self, text: &str) -> Result<Vec<String>, ChoiceError> {
        let texts = text.split(self.0).map(str::trim).filter(|text| !text.is_empty());
        Ok(texts.map(str::to_owned).collect())
    }

    fn write(&self, texts: &Vec<String>) -> String {
        texts.join(&self.0.to_string())
    }
}

/// Names between commas; nothing, or `all`, for every one there is.
pub struct Names;

impl Form<Option<Vec<String>>> for Names {
    fn read(&self, text: &str) -> Result<Option<Vec<String>>, ChoiceError> {
        let names = List(',').read(text)?;
        Ok((text != "all" && !names.is_empty()).then_some(names))
    }

    fn write(&self, names: &Option<Vec<String>>) -> String {
        names.as_ref().map_or_else(String::new, |names| List(',').write(names))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T>(form: impl Form<T>, good: &[(&str, &str)], bad: &[&str]) {
        for (text, written) in good {
            let value = form.read(text).unwrap_or_else(|_| panic!("{text:?}"));
            assert_eq!(form.write(&value), *written, "{text:?}");
        }
        for text in bad {
            assert!(form.read(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn every_form_reads_what_it_writes_and_refuses_the_rest() {
        let number = || Number(2..=9_u32, "a digit from 2");
        check(number(), &[("2", "2"), ("9", "9")], &["", "1", "10", "-2", "2.0", " 2", "auto"]);
        check(Or("auto", number()), &[("auto", "auto"), ("2", "2")], &["", "1", "Auto"]);
        let decimal = Decimal(0.5..=1e3, "from a half to a thousand");
        check(decimal, &[("0.50", "0.5"), ("1e3", "1000")], &["", "0.4", "1001", "nan", "1,5"]);
        check(YesOrNo, &[("yes", "yes"), ("no", "no")], &["", "Yes", "true", "1"]);
        check(Text, &[("", ""), (" a;b ", " a;b ")], &[]);
        check(List(';'), &[("", ""), (" a ;; b,c;", "a;b,c")], &[]);
        check(
            Names,
            &[("", ""), ("all", ""), (" , ", ""), ("a, b", "a,b"), ("all,b", "all,b")],
            &[],
        );
    }

    #[test]
    fn no_names_are_every_one_and_no_list_is_an_empty_one() {
        let read = |text| Names.read(text).unwrap();
        assert_eq!((read(""), read("all"), read(", ")), (None, None, None));
        assert_eq!(read("all,b"), Some(vec!["all".to_owned(), "b".to_owned()]));
        assert_eq!(List(';').read(" ; "), Ok(vec![]));
    }
}
