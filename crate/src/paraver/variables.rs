//! The program's variables, which stand in the `.pcf` as the values of a type without events.

use crate::trace::Variable;

/// One type for each task whose variables are listed, the first for task 1.
const TYPES: std::ops::RangeInclusive<u32> = 41_000_000..=41_000_999;

/// The application and the task whose variables the values of a type are; `None` if they are not
/// variables.
///
/// Examples of labels: `Object addresses for task 1.1`, `Symbol table for task 1.1`.
pub fn task_of(code: u32, label: &str) -> Option<(u32, u32)> {
    let by_code = TYPES.contains(&code).then(|| (1, code - TYPES.start() + 1))?;
    let last = label.split_ascii_whitespace().next_back().unwrap_or_default();
    let by_label = last.split_once('.').and_then(|(application, task)| {
        Some((application.parse().ok()?, task.parse().ok()?)).filter(|(a, t)| *a > 0 && *t > 0)
    });
    Some(by_label.unwrap_or(by_code))
}

/// The variables among the `values` of such a type. What has no length is left out.
///
/// Examples: `a [0x606680-0x5251a7f]`, its end the last byte; `a [0x606680-0x5251a80)`, its end
/// behind it.
pub fn read(application: u32, task: u32, values: &[(u64, String)]) -> Vec<Variable> {
    let variable = |text: &str| {
        let (name, range) = text.trim_end().rsplit_once('[')?;
        let (first, end) = range.split_once('-')?;
        let number = |text: &str| u64::from_str_radix(text.trim().strip_prefix("0x")?, 16).ok();
        let end = match (end.strip_suffix(']'), end.strip_suffix(')')) {
            (Some(last), _) => number(last)?.checked_add(1)?,
            (None, Some(end)) => number(end)?,
            (None, None) => return None,
        };
        let start = number(first)?;
        let bytes = end.checked_sub(start).filter(|bytes| *bytes > 0)?;
        Some(Variable { application, task, name: name.trim_end().to_owned(), start, bytes })
    };
    values.iter().filter_map(|(_, text)| variable(text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_ends_are_read_and_what_has_no_length_is_not() {
        for (text, found) in [
            ("a [0x1000-0x1fff]", Some(("a", 0x1000, 0x1000))),
            ("a [0x1000-0x2000)", Some(("a", 0x1000, 0x1000))),
            ("m::f<a, b[2]> [0x10-0x10]", Some(("m::f<a, b[2]>", 0x10, 1))),
            ("zero [0x20-0x1f]", None),
            ("zero [0x20-0x20)", None),
            ("negative [0x20-0x3]", None),
            ("all [0x0-0xffffffffffffffff]", None),
            (
                "half [0xffff800000000000-0xffff800000000fff]",
                Some(("half", 0xffff_8000 << 32, 4096)),
            ),
            ("cut [0x20-", None),
            ("[]", None),
            ("", None),
            ("decimal [20-30]", None),
        ] {
            let found = found.map(|(name, start, bytes)| Variable {
                application: 1,
                task: 2,
                name: name.to_owned(),
                start,
                bytes,
            });
            let read = read(1, 2, &[(1, text.to_owned())]);
            assert_eq!(read, found.into_iter().collect::<Vec<_>>(), "{text}");
        }
    }

    #[test]
    fn the_task_stands_in_the_label_or_else_in_the_code() {
        assert_eq!(task_of(41_000_000, "Object addresses for task 1.1"), Some((1, 1)));
        assert_eq!(task_of(41_000_003, "Symbol table for task 2.7"), Some((2, 7)));
        assert_eq!(task_of(41_000_003, "Variable addresses"), Some((1, 4)));
        assert_eq!(task_of(41_000_003, "version 0.0"), Some((1, 4)));
        assert_eq!(task_of(41_999_999, "Active set 1.1"), None);
    }
}
