//! Comma separated tables, RFC 4180: a header line even when empty, the shortest numbers that read
//! back the same, groups from 1.

use std::fmt::{Display, Write};
use std::ops::Range;

use crate::folding::{Folding, Group};

/// A table whose lines are each about a group of a region.
pub struct Table {
    text: String,
    /// What the lines to come begin with.
    begin: String,
}

impl Table {
    /// With these columns after `region,group,`.
    pub fn new(columns: &str) -> Self {
        Self { text: format!("region,group,{columns}\n"), begin: String::new() }
    }

    /// The table whose lines `fill` writes for each group of each folding.
    pub fn of_groups<'a>(
        columns: &str,
        foldings: impl Iterator<Item = &'a Folding>,
        fill: impl Fn(&mut Self, &'a Folding, &'a Group),
    ) -> String {
        let mut table = Self::new(columns);
        for (folding, group) in foldings.flat_map(|f| f.groups.iter().map(move |g| (f, g))) {
            table.about(folding, group.number);
            fill(&mut table, folding, group);
        }
        table.text
    }

    /// A part of a table, of lines about this group.
    pub fn part(folding: &Folding, group: u32) -> Self {
        let mut part = Self { text: String::new(), begin: String::new() };
        part.about(folding, group);
        part
    }

    /// What the next lines are about.
    pub fn about(&mut self, folding: &Folding, group: u32) {
        self.begin = format!("{},{group}", field(&folding.region));
    }

    pub fn line(&mut self, fields: &[&dyn Display]) {
        self.line_with(fields, []);
    }

    /// A line with `more` fields at its end.
    pub fn line_with(&mut self, fields: &[&dyn Display], more: impl IntoIterator<Item = String>) {
        self.text += &self.begin;
        for field in fields {
            // Writing to a String cannot fail.
            let _ = write!(self.text, ",{field}");
        }
        self.text.extend(more.into_iter().flat_map(|field| [",".to_owned(), field]));
        self.text.push('\n');
    }

    pub fn finish(self) -> String {
        self.text
    }
}

/// Lines of a part: a megabyte or so.
const PART: usize = 1 << 14;

/// `count` lines in parts.
pub fn parts(count: usize) -> impl Iterator<Item = Range<usize>> {
    (0..count).step_by(PART).map(move |from| from..count.min(from + PART))
}

/// A text as a field: between quotes where it must be.
pub fn field(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Nothing where there is none.
pub fn or_empty(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_hold_every_line_once_and_in_order() {
        for count in [0, 1, PART - 1, PART, PART + 1, 3 * PART] {
            assert!(parts(count).flatten().eq(0..count), "{count}");
            assert!(parts(count).all(|part| (1..=PART).contains(&part.len())), "{count}");
        }
    }
}
