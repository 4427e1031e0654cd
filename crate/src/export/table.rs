//! Comma separated tables, RFC 4180: a header line even when empty, the shortest numbers that read
//! back the same, groups from 1.

use std::fmt::{Display, Write};

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

    /// Hands on what has been written, if it is long enough to be a part: of a table with a line for
    /// each sample there is never more than that in memory.
    pub fn hand_on(&mut self, put: &mut dyn FnMut(String)) {
        if self.text.len() >= PART_BYTES {
            put(std::mem::take(&mut self.text));
        }
    }

    /// What has not been handed on.
    pub fn finish(self) -> String {
        self.text
    }
}

/// A part is long enough that the memory of the next and the call that writes it do not count.
const PART_BYTES: usize = 1 << 20;

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
        let mut table = Table::new("number");
        let (mut parts, mut whole) = (vec![], String::from("region,group,number\n"));
        for number in 1_000_000..1_300_000 {
            table.line(&[&number]);
            table.hand_on(&mut |part| parts.push(part));
            whole += &format!(",{number}\n");
        }
        let length_of_line = ",1000000\n".len();
        for part in &parts {
            assert!((PART_BYTES..PART_BYTES + length_of_line).contains(&part.len()));
        }
        assert_eq!(parts.len(), whole.len() / PART_BYTES);
        assert_eq!(parts.concat() + &table.finish(), whole);
    }
}
