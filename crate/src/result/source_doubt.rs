//! Whether a source file is the one that ran.

use std::fmt;

use super::SourceLine;
use crate::outline::SourceFile;

/// Share of the sampled time on lines that no instruction comes from, from which on a file is doubted:
/// a little is seen in sound programs, too.
const MUCH: f64 = 0.3;

/// What speaks against a file, in words by [`fmt::Display`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SourceDoubt {
    /// Samples are on so many lines behind its `end`, up to `last`.
    Beyond { lines: usize, last: u32, end: usize },
    /// Of its time this share is on lines without code.
    WithoutCode { share: f64 },
}

impl fmt::Display for SourceDoubt {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Beyond { lines, last, end } => {
                write!(out, "This source is of another version: ")?;
                match lines {
                    1 => write!(out, "line {last} was sampled"),
                    _ => write!(out, "{lines} lines up to {last} were sampled"),
                }?;
                write!(out, ", and the file ends at line {end}.")
            }
            Self::WithoutCode { share } => write!(
                out,
                "This source may be of another version: {:.0}\u{202f}% of its time is on lines \
                 without code, such as blank lines, comments and closing braces.",
                100.0 * share
            ),
        }
    }
}

impl SourceDoubt {
    /// What speaks against `source`, of which `sampled` lines are known.
    pub fn of(source: &SourceFile, sampled: &[SourceLine]) -> Option<Self> {
        let end = source.lines.len();
        let sampled = || sampled.iter().filter(|line| line.line > 0);
        let beyond = || sampled().filter(|line| line.line as usize > end);
        if let Some(last) = beyond().map(|line| line.line).max() {
            return Some(Self::Beyond { lines: beyond().count(), last, end });
        }
        let total: f64 = sampled().map(|line| line.ms).sum();
        let without = sampled().filter(|line| source.is_without_code(line.line));
        let share = without.map(|line| line.ms).sum::<f64>() / total;
        (share >= MUCH).then_some(Self::WithoutCode { share })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubt(lines: &[(u32, f64)]) -> String {
        let text = b"int f() {\n  // adds\n  x = 1;\n\n  *p = 2;\n}\n";
        let source = SourceFile::new("a.c", text).unwrap();
        let line = |&(line, ms): &_| SourceLine { line, ms, ..SourceLine::default() };
        let sampled: Vec<_> = lines.iter().map(line).collect();
        let doubt = SourceDoubt::of(&source, &sampled);
        doubt.map_or_else(String::new, |doubt| doubt.to_string().replace('\u{202f}', " "))
    }

    #[test]
    fn source_of_another_version_is_doubted_and_the_one_that_ran_is_not() {
        assert_eq!(doubt(&[(3, 8.0), (5, 8.0), (6, 2.0)]), "");
        assert_eq!(doubt(&[(0, 8.0), (3, 1.0)]), "", "an unknown line says nothing");
        assert_eq!(doubt(&[]), "");
        assert_eq!(
            doubt(&[(3, 8.0), (9, 1.0)]),
            "This source is of another version: line 9 was sampled, and the file ends at line 6."
        );
        assert_eq!(
            doubt(&[(8, 1.0), (9, 1.0)]),
            "This source is of another version: 2 lines up to 9 were sampled, and the file ends at \
             line 6."
        );
        assert_eq!(
            doubt(&[(3, 5.0), (2, 3.0), (4, 1.0)]),
            "This source may be of another version: 44 % of its time is on lines without code, such \
             as blank lines, comments and closing braces."
        );
    }
}
