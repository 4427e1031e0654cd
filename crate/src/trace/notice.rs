use std::fmt;

/// Where something was met; empty where a place makes no sense.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// A file, a thread.
    pub of: String,
    /// Of the file, from 1; 0 if the whole is meant.
    pub line: u64,
}

impl From<String> for Place {
    fn from(of: String) -> Self {
        Self { of, line: 0 }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(out, "{}", self.of),
            line => write!(out, "{}:{line}", self.of),
        }
    }
}

/// Something odd but harmless: counted, its first place kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What was found and what was done about it, one sentence.
    pub text: String,
    pub count: u64,
    /// Where first.
    pub first: Place,
}

/// Notices in the order in which they first came up.
#[derive(Clone, Debug, Default)]
pub struct Notices(Vec<Notice>);

impl Notices {
    /// Counts one more of `text`; `place` is asked only the first time.
    pub fn add<P: Into<Place>>(&mut self, text: &str, place: impl FnOnce() -> P) {
        self.add_many(text, 1, place);
    }

    /// Counts `count` more of `text`.
    pub fn add_many<P: Into<Place>>(&mut self, text: &str, count: u64, place: impl FnOnce() -> P) {
        match self.0.iter_mut().find(|notice| notice.text == text) {
            Some(notice) => notice.count = notice.count.saturating_add(count),
            None => self.0.push(Notice { text: text.to_owned(), count, first: place().into() }),
        }
    }

    /// Adds the notices of a later part of a file, of which `lines` lines came before.
    pub fn append(&mut self, part: Self, lines: u64) {
        for Notice { text, count, mut first } in part.0 {
            first.line += if first.line > 0 { lines } else { 0 };
            self.add_many(&text, count, || first);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Notice> {
        self.0.iter()
    }
}
