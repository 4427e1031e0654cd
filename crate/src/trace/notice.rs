/// Something odd but harmless: counted, its first place kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What was found and what was done about it, one sentence.
    pub text: String,
    pub count: u64,
    /// Where first, as `file:line`; empty where a place makes no sense.
    pub first: String,
}

/// Notices in the order in which they first came up.
#[derive(Clone, Debug, Default)]
pub struct Notices(Vec<Notice>);

impl Notices {
    /// Counts one more of `text`; `place` is asked only the first time.
    pub fn add(&mut self, text: &str, place: impl FnOnce() -> String) {
        self.add_many(text, 1, place);
    }

    /// Counts `count` more of `text`.
    pub fn add_many(&mut self, text: &str, count: u64, place: impl FnOnce() -> String) {
        match self.0.iter_mut().find(|notice| notice.text == text) {
            Some(notice) => notice.count = notice.count.saturating_add(count),
            None => self.0.push(Notice { text: text.to_owned(), count, first: place() }),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Notice> {
        self.0.iter()
    }
}
