//! JSON of results, written and read field by field.
//!
//! Derived code for writing and reading our structs would be some 30 kB (gzipped) of what the page
//! loads, and a second printer of numbers another 11 kB; this is a tenth of it.

use std::fmt::Write;

use super::Json;

/// The shortest decimal that reads back as the same number, without a needless `.0`.
pub fn number(value: f64) -> String {
    let text = format!("{value:?}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// JSON being written, without blanks. Commas come by themselves.
#[derive(Default)]
pub struct Writer(String);

impl Writer {
    /// The text.
    pub fn finish(self) -> String {
        self.0
    }

    /// Begins an object or a list, as a field where `key` is not empty.
    pub fn open(&mut self, key: &str, bracket: char) {
        self.key(key);
        self.0.push(bracket);
    }

    pub fn close(&mut self, bracket: char) {
        self.0.push(bracket);
    }

    fn key(&mut self, key: &str) {
        if !self.0.ends_with(['{', '[']) && !self.0.is_empty() {
            self.0.push(',');
        }
        if !key.is_empty() {
            self.quoted(key);
            self.0.push(':');
        }
    }

    fn quoted(&mut self, text: &str) {
        self.0.push('"');
        for letter in text.chars() {
            match letter {
                '"' | '\\' => self.0.extend(['\\', letter]),
                // Writing to a String cannot fail.
                '\0'..'\x20' => drop(write!(self.0, "\\u{:04x}", u32::from(letter))),
                _ => self.0.push(letter),
            }
        }
        self.0.push('"');
    }

    pub fn text(&mut self, key: &str, text: &str) {
        self.key(key);
        self.quoted(text);
    }

    /// What is not finite is `null`.
    pub fn number(&mut self, key: &str, value: f64) {
        self.key(key);
        self.0 += &if value.is_finite() { number(value) } else { "null".to_owned() };
    }

    /// What is not known is `null`.
    pub fn known_number(&mut self, key: &str, value: Option<f64>) {
        self.number(key, value.unwrap_or(f64::NAN));
    }

    /// What is not known is `null`.
    pub fn known_text(&mut self, key: &str, text: Option<&str>) {
        match text {
            Some(text) => self.text(key, text),
            None => self.number(key, f64::NAN),
        }
    }

    pub fn count(&mut self, key: &str, count: u64) {
        self.key(key);
        self.0 += &count.to_string();
    }

    pub fn flag(&mut self, key: &str, flag: bool) {
        self.key(key);
        self.0 += if flag { "true" } else { "false" };
    }

    pub fn numbers(&mut self, key: &str, values: &[f64]) {
        self.open(key, '[');
        values.iter().for_each(|value| self.number("", *value));
        self.close(']');
    }

    pub fn smalls(&mut self, key: &str, values: &[u32]) {
        self.open(key, '[');
        values.iter().for_each(|value| self.count("", u64::from(*value)));
        self.close(']');
    }

    pub fn texts(&mut self, key: &str, values: &[String]) {
        self.open(key, '[');
        values.iter().for_each(|value| self.text("", value));
        self.close(']');
    }

    /// A list of objects, each written by `write`.
    pub fn list<T>(&mut self, key: &str, things: &[T], write: fn(&T, &mut Writer)) {
        self.open(key, '[');
        for thing in things {
            self.open("", '{');
            write(thing, self);
            self.close('}');
        }
        self.close(']');
    }
}

/// The fields of an object. One that is absent or of another kind is 0, empty or false: an older
/// version may not have it.
#[derive(Clone, Copy)]
pub struct Fields<'json>(pub &'json Json);

impl<'json> Fields<'json> {
    fn get(self, key: &str) -> &'json Json {
        self.0.get(key).unwrap_or(&Json::Null)
    }

    pub fn number(self, key: &str) -> f64 {
        self.get(key).number().unwrap_or(0.0)
    }

    /// `None` where there is no such number.
    pub fn known(self, key: &str) -> Option<f64> {
        self.get(key).number()
    }

    /// What is no whole number, or too large, becomes the nearest that is.
    pub fn count(self, key: &str) -> u64 {
        self.number(key) as u64
    }

    pub fn small(self, key: &str) -> u32 {
        self.number(key) as u32
    }

    pub fn flag(self, key: &str) -> bool {
        *self.get(key) == Json::Flag(true)
    }

    pub fn text(self, key: &str) -> String {
        self.get(key).text().to_owned()
    }

    pub fn object(self, key: &str) -> Fields<'json> {
        Fields(self.get(key))
    }

    pub fn values(self, key: &str) -> &'json [Json] {
        self.get(key).values()
    }

    pub fn list<T>(self, key: &str, read: impl Fn(Fields<'json>) -> T) -> Vec<T> {
        self.values(key).iter().map(|value| read(Fields(value))).collect()
    }

    pub fn numbers(self, key: &str) -> Vec<f64> {
        self.values(key).iter().map(|value| value.number().unwrap_or(0.0)).collect()
    }

    pub fn smalls(self, key: &str) -> Vec<u32> {
        self.numbers(key).into_iter().map(|number| number as u32).collect()
    }

    pub fn texts(self, key: &str) -> Vec<String> {
        self.values(key).iter().map(|value| value.text().to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_shortest_that_read_back() {
        for (value, text) in [
            (0.1, "0.1"),
            (1.0, "1"),
            (-0.0, "-0"),
            (1e300, "1e300"),
            (1.5e-7, "1.5e-7"),
            (1.0 / 3.0, "0.3333333333333333"),
        ] {
            assert_eq!(number(value), text);
            assert_eq!(text.parse::<f64>().map(f64::to_bits), Ok(value.to_bits()));
        }
    }

    #[test]
    fn what_is_not_finite_is_null() {
        let mut json = Writer::default();
        json.numbers("", &[1.0, f64::NAN, -0.5]);
        assert_eq!(json.finish(), "[1,null,-0.5]");
    }
}
