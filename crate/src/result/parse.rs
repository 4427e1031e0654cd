//! JSON to a tree of values.
//!
//! The crate that does it in the command line is 6 kB (gzipped) of what the page loads, a third of
//! it a table of powers; this is a tenth of that.

use crate::text::decimal;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Flag(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    /// In the order written.
    Object(Vec<(String, Json)>),
}

/// Why a text is no JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoJson {
    /// It stops too early.
    Cut,
    /// Something stands where nothing of the kind may.
    Wrong,
}

/// Values inside one another, at most: a hostile text must not exhaust the stack.
const DEEPEST: u32 = 32;

impl Json {
    /// The value that `text` is, with blanks round it. O(length).
    pub fn parse(text: &[u8]) -> Result<Self, NoJson> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(0)?;
        reader.blanks();
        if reader.at == text.len() { Ok(value) } else { Err(NoJson::Wrong) }
    }

    /// The field of an object.
    pub fn get(&self, key: &str) -> Option<&Json> {
        let Self::Object(fields) = self else { return None };
        fields.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The fields of an object; none of anything else.
    pub fn fields(&self) -> &[(String, Json)] {
        if let Self::Object(fields) = self { fields } else { &[] }
    }

    /// The values of a list; none of anything else.
    pub fn values(&self) -> &[Json] {
        if let Self::List(values) = self { values } else { &[] }
    }

    pub fn number(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }

    /// The text; empty for anything else.
    pub fn text(&self) -> &str {
        if let Self::Text(text) = self { text } else { "" }
    }
}

struct Reader<'text> {
    text: &'text [u8],
    at: usize,
}

impl Reader<'_> {
    fn value(&mut self, depth: u32) -> Result<Json, NoJson> {
        self.blanks();
        match self.peek()? {
            _ if depth > DEEPEST => Err(NoJson::Wrong),
            b'{' => {
                let mut fields = Vec::new();
                self.items(b'}', |reader| {
                    reader.blanks();
                    let key = reader.string()?;
                    reader.blanks();
                    reader.expect(b":")?;
                    fields.push((key, reader.value(depth + 1)?));
                    Ok(())
                })?;
                Ok(Json::Object(fields))
            }
            b'[' => {
                let mut values = Vec::new();
                self.items(b']', |reader| {
                    values.push(reader.value(depth + 1)?);
                    Ok(())
                })?;
                Ok(Json::List(values))
            }
            b'"' => self.string().map(Json::Text),
            b't' => self.expect(b"true").map(|()| Json::Flag(true)),
            b'f' => self.expect(b"false").map(|()| Json::Flag(false)),
            b'n' => self.expect(b"null").map(|()| Json::Null),
            _ => self.number().map(Json::Number),
        }
    }

    /// What stands between brackets, apart by commas; the first bracket is next.
    fn items(
        &mut self,
        end: u8,
        mut item: impl FnMut(&mut Self) -> Result<(), NoJson>,
    ) -> Result<(), NoJson> {
        self.at += 1;
        self.blanks();
        if self.peek()? == end {
            self.at += 1;
            return Ok(());
        }
        loop {
            item(self)?;
            self.blanks();
            let next = self.peek()?;
            self.at += 1;
            match next {
                b',' => {}
                next if next == end => return Ok(()),
                _ => return Err(NoJson::Wrong),
            }
        }
    }

    fn string(&mut self) -> Result<String, NoJson> {
        self.expect(b"\"")?;
        let mut bytes = Vec::new();
        loop {
            let byte = self.peek()?;
            self.at += 1;
            match byte {
                b'"' => return String::from_utf8(bytes).map_err(|_| NoJson::Wrong),
                b'\\' => {
                    let letter = self.escape()?;
                    bytes.extend(letter.encode_utf8(&mut [0; 4]).bytes());
                }
                ..b' ' => return Err(NoJson::Wrong),
                byte => bytes.push(byte),
            }
        }
    }

    /// What follows a backslash.
    fn escape(&mut self) -> Result<char, NoJson> {
        let byte = self.peek()?;
        self.at += 1;
        Ok(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = self.unit()?;
                let code = if (0xd800..0xdc00).contains(&first) {
                    self.expect(b"\\u")?;
                    let second = self.unit()?.wrapping_sub(0xdc00);
                    if second > 0x3ff {
                        return Err(NoJson::Wrong);
                    }
                    0x10000 + ((first - 0xd800) << 10) + second
                } else {
                    first
                };
                // The second half of a pair of surrogates alone is no letter.
                char::from_u32(code).ok_or(NoJson::Wrong)?
            }
            _ => return Err(NoJson::Wrong),
        })
    }

    fn unit(&mut self) -> Result<u32, NoJson> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = char::from(self.peek()?).to_digit(16).ok_or(NoJson::Wrong)?;
            unit = unit * 16 + digit;
            self.at += 1;
        }
        Ok(unit)
    }

    fn number(&mut self) -> Result<f64, NoJson> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        if let [b'0', b'0'..=b'9', ..] = rest.strip_prefix(b"-").unwrap_or(rest) {
            return Err(NoJson::Wrong);
        }
        let (number, length) = decimal(rest).ok_or(match rest {
            b"-" => NoJson::Cut,
            _ => NoJson::Wrong,
        })?;
        self.at += length;
        Ok(number)
    }

    fn expect(&mut self, word: &[u8]) -> Result<(), NoJson> {
        for byte in word {
            if self.peek()? != *byte {
                return Err(NoJson::Wrong);
            }
            self.at += 1;
        }
        Ok(())
    }

    fn blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.text.get(self.at) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Result<u8, NoJson> {
        self.text.get(self.at).copied().ok_or(NoJson::Cut)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same_as_library(text: &str) {
        let library = serde_json::from_str::<serde_json::Value>(text);
        let ours = Json::parse(text.as_bytes());
        match library {
            Ok(value) => assert!(equal(&ours.unwrap(), &value), "{text}"),
            Err(_) => assert!(ours.is_err(), "{text}"),
        }
    }

    fn equal(ours: &Json, library: &serde_json::Value) -> bool {
        use serde_json::Value;
        match (ours, library) {
            (Json::Null, Value::Null) => true,
            (Json::Flag(a), Value::Bool(b)) => a == b,
            (Json::Number(a), Value::Number(b)) => {
                let b = b.as_f64().unwrap();
                (a - b).abs() <= 4.0 * f64::EPSILON * b.abs()
            }
            (Json::Text(a), Value::String(b)) => a == b,
            (Json::List(a), Value::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
            }
            (Json::Object(a), Value::Object(b)) => {
                a.len() == b.len() && a.iter().all(|(key, value)| equal(value, &b[key]))
            }
            _ => false,
        }
    }

    #[test]
    fn texts_are_read_as_the_library_reads_them() {
        for text in [
            "null",
            " [true, false , null]",
            r#"{"a":{"b":[1,-2.5,3e4,1E-3]},"c":""}"#,
            r#""a\"\\\/\b\f\n\r\tA\u00e9\ud83d\ude00é""#,
            "0.0011811787438864678",
            "123456789012345678901234567890",
            "1e300",
            "-1.5e-300",
            "[0, -0, 0.5, 0e1]",
            "01",
            "-00.5",
            r#""\ud83d""#,
            r#""\ud83d\u0041""#,
            r#""\ud83d\ud83d""#,
            r#""\udc00""#,
            r#""\ud83d\udfff\uffff""#,
            "[]",
            "{}",
            "[1,]",
            "{\"a\" 1}",
            "[1 2]",
            "tru",
            "-",
            "1e999",
            "\"\u{1}\"",
            "[1] 2",
            "",
        ] {
            same_as_library(text);
        }
    }

    #[test]
    fn a_text_cut_anywhere_says_so_and_a_deep_one_is_refused() {
        let text = br#"{"a":[1,{"b":"c\u00e9"}],"d":true}"#;
        for end in 0..text.len() {
            assert_eq!(Json::parse(&text[..end]), Err(NoJson::Cut), "{end}");
        }
        assert_eq!(Json::parse("[".repeat(100_000).as_bytes()), Err(NoJson::Wrong));
    }
}
