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
    /// Whether something is missing or wrong, so that numbers are; else it is merely odd.
    pub is_damage: bool,
}

/// Notices, each text once.
#[derive(Clone, Debug, Default)]
pub struct Notices(Vec<Notice>);

impl Notices {
    /// Counts one more of `text`, which is merely odd; `place` is asked only the first time.
    pub fn add<P: Into<Place>>(&mut self, text: &str, place: impl FnOnce() -> P) {
        self.add_many(text, 1, place);
    }

    /// Counts `count` more of `text`.
    pub fn add_many<P: Into<Place>>(&mut self, text: &str, count: u64, place: impl FnOnce() -> P) {
        self.count(text, count, false, place);
    }

    /// Counts one more of `text`, by which something is missing or wrong.
    pub fn damage<P: Into<Place>>(&mut self, text: &str, place: impl FnOnce() -> P) {
        self.damage_many(text, 1, place);
    }

    /// Counts `count` more of `text`, by which something is missing or wrong.
    pub fn damage_many<P: Into<Place>>(
        &mut self,
        text: &str,
        count: u64,
        place: impl FnOnce() -> P,
    ) {
        self.count(text, count, true, place);
    }

    pub(super) fn count<P: Into<Place>>(
        &mut self,
        text: &str,
        count: u64,
        is_damage: bool,
        place: impl FnOnce() -> P,
    ) {
        match self.0.iter_mut().find(|notice| notice.text == text) {
            Some(notice) => notice.count = notice.count.saturating_add(count),
            None => {
                let (text, first) = (text.to_owned(), place().into());
                self.0.push(Notice { text, count, first, is_damage });
            }
        }
    }

    /// Counts all that a notice counts.
    pub fn add_again(&mut self, Notice { text, count, first, is_damage }: Notice) {
        self.count(&text, count, is_damage, || first);
    }

    /// Adds the notices of a later part of a file, of which `lines` lines came before.
    pub fn append(&mut self, part: Self, lines: u64) {
        for Notice { text, count, mut first, is_damage } in part.0 {
            first.line = first.line.saturating_add(if first.line > 0 { lines } else { 0 });
            self.count(&text, count, is_damage, || first);
        }
    }

    /// Damage first; of equal weight in the order in which they first came up.
    pub fn iter(&self) -> impl Iterator<Item = &Notice> {
        let of = |is_damage| self.0.iter().filter(move |notice| notice.is_damage == is_damage);
        of(true).chain(of(false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_comes_first_and_a_text_once_whichever_part_it_is_of() {
        let place = |line| Place { of: "a".to_owned(), line };
        let mut notices = Notices::default();
        notices.add("odd", || place(3));
        notices.damage("lost", || place(7));
        let mut part = Notices::default();
        part.add("odder", || place(0));
        part.damage_many("broken", 4, || place(2));
        part.add_many("odd", 2, || place(1));
        notices.append(part, 10);
        let told = notices.iter().map(|n| format!("{} {} {}", n.text, n.count, n.first));
        assert_eq!(
            told.collect::<Vec<_>>(),
            ["lost 1 a:7", "broken 4 a:12", "odd 3 a:3", "odder 1 a"]
        );
    }
}
