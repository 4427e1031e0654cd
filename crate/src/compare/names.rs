//! Values of a series as the names of its files tell them.

/// What of each name the others have otherwise: `1.2` and `2.6` of `run-1.2GHz.prv` and `run-2.6GHz.prv`. Numbers are
/// not cut. The names themselves where one is told apart by nothing.
pub fn values_in(names: &[&str]) -> Vec<String> {
    let whole = || names.iter().map(|name| (*name).to_owned()).collect();
    let Some((first, rest)) = names.split_first() else { return vec![] };
    let common =
        |other: &&str| first.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let begin = rest.iter().map(common).min().unwrap_or(0);
    let reversed = |name: &str| name.chars().rev().collect::<Vec<_>>();
    let of_first = reversed(first);
    let common = |other: &&str| {
        let other = reversed(other);
        of_first.iter().zip(&other).take_while(|(a, b)| a == b).count()
    };
    let end = rest.iter().map(common).min().unwrap_or(0);
    let chars = first.chars().collect::<Vec<_>>();
    let is_digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let is_part = |at: usize| {
        is_digit(at) || (chars.get(at) == Some(&'.') && at.checked_sub(1).is_some_and(is_digit))
    };
    // `1.` of 1.2 and 1.6, the `0` of 10 and 20.
    let begin = (0..=begin).rev().find(|at| *at == 0 || !is_part(at - 1)).unwrap_or(0);
    let length = chars.len();
    let cuts = |end: usize| {
        let at = length - end;
        is_digit(at) || (chars.get(at) == Some(&'.') && is_digit(at + 1))
    };
    let end = (0..=end.min(length)).rev().find(|end| *end == 0 || !cuts(*end)).unwrap_or(0);
    let value = |name: &&str| {
        let name = name.chars().collect::<Vec<_>>();
        let middle = name.get(begin..name.len().saturating_sub(end)).unwrap_or_default();
        middle.iter().collect::<String>()
    };
    let values = names.iter().map(value).collect::<Vec<_>>();
    if values.iter().any(String::is_empty) { whole() } else { values }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_the_value_and_no_number_is_cut() {
        for (names, values) in [
            (["run-1.2GHz.prv", "run-1.6GHz.prv", "run-2.6GHz.prv"], ["1.2", "1.6", "2.6"]),
            (["f10.prv.gz", "f15.prv.gz", "f20.prv.gz"], ["10", "15", "20"]),
            (["epoch_1proc", "epoch_2proc", "epoch_16proc"], ["1", "2", "16"]),
            (["O0/a.prv", "O2/a.prv", "Os/a.prv"], ["0", "2", "s"]),
            (["x.1.prv", "x.2.prv", "x.3.prv"], ["1", "2", "3"]),
            (["run.prv", "run.prv", "run-b.prv"], ["run.prv", "run.prv", "run-b.prv"]),
            (["é1.prv", "é2.prv", "ü2.prv"], ["é1", "é2", "ü2"]),
        ] {
            assert_eq!(values_in(&names), values, "{names:?}");
        }
        assert!(values_in(&[]).is_empty());
        assert_eq!(values_in(&["a.prv"]), ["a.prv"]);
    }
}
