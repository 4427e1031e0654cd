//! One row of a timeline.

use crate::text::number;
use crate::trace::Object;

/// Whose row it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// By application, task and thread, as with *object hierarchy* chosen.
    Thread(Object),
    /// By its place among the rows of the window, from 1.
    Place(u32),
}

/// A number as it was written: its digits, and how many of them stand behind the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    pub digits: u64,
    pub decimals: u32,
}

/// Most digits that are read: no time has more.
const MOST_DIGITS: usize = 18;

impl Written {
    /// Example: `4310.25`, `4310.`, `4310`
    pub fn read(field: &[u8]) -> Option<Self> {
        let point = field.iter().position(|byte| *byte == b'.').unwrap_or(field.len());
        let (whole, rest) = field.split_at_checked(point)?;
        let fraction = rest.strip_prefix(b".").unwrap_or_default();
        if whole.is_empty() || whole.len() + fraction.len() > MOST_DIGITS {
            return None;
        }
        let (digits, _) = number(&[whole, fraction].concat())?;
        Some(Self { digits, decimals: fraction.len() as u32 })
    }

    /// The number, if nothing but zeros stands behind the point.
    pub fn whole(self) -> Option<u64> {
        let one = 10u64.checked_pow(self.decimals)?;
        self.digits.is_multiple_of(one).then(|| self.digits / one)
    }

    /// In nanoseconds, to the nearest, where one is so many.
    pub fn ns(self, unit_ns: u64) -> u64 {
        let one = 10u128.pow(self.decimals);
        let ns = (u128::from(self.digits) * u128::from(unit_ns) * 2 + one) / (2 * one);
        u64::try_from(ns).unwrap_or(u64::MAX)
    }

    /// How far the number may be off in nanoseconds: half of its last digit.
    pub fn open_ns(self, unit_ns: u64) -> u64 {
        unit_ns / (2 * 10u64.saturating_pow(self.decimals))
    }
}

/// What a thread had as value, from when, for how long; in a unit that the text does not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<'line> {
    pub owner: Owner,
    pub begin: Written,
    pub duration: Written,
    pub value: &'line [u8],
}

/// The column of what cannot be read, and what was expected there.
pub type Wrong = (usize, &'static str);

impl<'line> Row<'line> {
    /// Reads a row. Between tabs the value may have blanks, and be empty.
    pub fn read(line: &'line [u8]) -> Result<Self, Wrong> {
        let mut columns = Columns { line, next: 0, is_tabbed: line.contains(&b'\t') };
        let (at, object) = columns.take();
        let owner = owner(object).ok_or((at, "a thread such as 1.2.1, or the number of a row"))?;
        let (at, begin) = columns.take();
        let begin = Written::read(begin).ok_or((at, "the time at which a value begins"))?;
        let (at, duration) = columns.take();
        let duration = Written::read(duration).ok_or((at, "how long the value lasts"))?;
        let (at, value) = columns.rest().ok_or((line.len() + 1, "a value"))?;
        if value.is_empty() && !columns.is_tabbed {
            return Err((at, "a value"));
        }
        Ok(Self { owner, begin, duration, value })
    }
}

/// Example: `1.2.1`, `THREAD 1.2.1`, `4`
fn owner(field: &[u8]) -> Option<Owner> {
    let numbers = field.strip_prefix(b"THREAD").unwrap_or(field).trim_ascii();
    let mut parts = numbers.split(|byte| *byte == b'.').map(|part| {
        let (number, _) = number(part)?;
        u32::try_from(number).ok().filter(|number| *number > 0)
    });
    let first = parts.next()??;
    let Some(task) = parts.next() else { return Some(Owner::Place(first)) };
    let object = Object { application: first, task: task?, thread: parts.next()?? };
    parts.next().is_none().then_some(Owner::Thread(object))
}

/// The columns of a line: between tabs or, in a line without, between blanks.
struct Columns<'line> {
    line: &'line [u8],
    next: usize,
    is_tabbed: bool,
}

impl<'line> Columns<'line> {
    /// The next one with its place, from 1; empty at the end of the line.
    fn take(&mut self) -> (usize, &'line [u8]) {
        self.skip_blanks();
        let rest = self.line.get(self.next..).unwrap_or_default();
        let ends = |byte: &u8| *byte == if self.is_tabbed { b'\t' } else { b' ' };
        // The word of a level belongs to what is behind it.
        let word = if rest.starts_with(b"THREAD ") { b"THREAD ".len() } else { 0 };
        let behind = rest.get(word..).unwrap_or_default();
        let length = word + behind.iter().position(ends).unwrap_or(behind.len());
        let column = self.next + 1;
        // One past the end of the line where nothing follows.
        self.next += length + 1;
        (column, rest.get(..length).unwrap_or_default().trim_ascii())
    }

    /// What is left of the line with its place; `None` if the line ended before.
    fn rest(&mut self) -> Option<(usize, &'line [u8])> {
        self.skip_blanks();
        let rest = self.line.get(self.next..)?;
        Some((self.next + 1, rest.trim_ascii()))
    }

    fn skip_blanks(&mut self) {
        let rest = self.line.get(self.next..).unwrap_or_default();
        self.next += rest.iter().take_while(|byte| **byte == b' ').count();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(line: &str) -> Result<(Owner, u64, u64, &str), Wrong> {
        let Row { owner, begin, duration, value } = Row::read(line.as_bytes())?;
        let value = std::str::from_utf8(value).unwrap();
        Ok((owner, begin.ns(1000), duration.ns(1000), value))
    }

    #[test]
    fn rows_are_read_as_paraver_and_people_write_them() {
        let thread = Owner::Thread(Object { application: 1, task: 2, thread: 3 });
        for (line, expected) in [
            ("1.2.3\t4.5\t2.25\tCluster 1", (thread, 4500, 2250, "Cluster 1")),
            ("THREAD 1.2.3\t4\t2.\tCluster 1\r", (thread, 4000, 2000, "Cluster 1")),
            ("THREAD 1.2.3 4 2 End", (thread, 4000, 2000, "End")),
            ("  1.2.3   4  2 two words ", (thread, 4000, 2000, "two words")),
            ("1.2.3\t 4\t2 \ta\tb", (thread, 4000, 2000, "a\tb")),
            ("1.2.3\t4\t2\t", (thread, 4000, 2000, "")),
            ("7\t0.0004\t0.0006\t3.00", (Owner::Place(7), 0, 1, "3.00")),
        ] {
            assert_eq!(row(line), Ok(expected), "{line:?}");
        }
    }

    #[test]
    fn what_is_no_row_says_where_and_what_was_expected() {
        let object = "a thread such as 1.2.1, or the number of a row";
        let begin = "the time at which a value begins";
        for (line, expected) in [
            ("", (1, object)),
            ("1.2\t4\t2\tA", (1, object)),
            ("1.2.3.4\t4\t2\tA", (1, object)),
            ("1.0.3\t4\t2\tA", (1, object)),
            ("TASK 1.2\t4\t2\tA", (1, object)),
            ("object,begin,duration,value", (1, object)),
            ("1.2.3,4,2,A", (1, object)),
            ("1.2.3\tA\t4\t2", (7, begin)),
            ("1.2.3\t-4\t2\tA", (7, begin)),
            ("1.2.3\t1234567890123456789\t2\tA", (7, begin)),
            ("1.2.3 4 A", (9, "how long the value lasts")),
            ("1.2.3\t4\t2", (10, "a value")),
            ("1.2.3 4 2 ", (11, "a value")),
        ] {
            assert_eq!(row(line), Err(expected), "{line:?}");
        }
    }

    #[test]
    fn numbers_keep_what_their_digits_leave_open() {
        let written = |text: &str| Written::read(text.as_bytes()).unwrap();
        assert_eq!((written("12.50").whole(), written("12.00").whole()), (None, Some(12)));
        let of = |text: &str, unit| (written(text).ns(unit), written(text).open_ns(unit));
        assert_eq!(of("12.345", 1000), (12_345, 0));
        assert_eq!(of("12.34", 1_000_000), (12_340_000, 5000));
        assert_eq!(of("12", 1), (12, 0));
        assert_eq!(of("12.5", 1), (13, 0));
        assert_eq!(of("999999999999999999", 1_000_000_000), (u64::MAX, 500_000_000));
    }
}
