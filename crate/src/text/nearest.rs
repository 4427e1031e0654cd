use crate::order;

/// The three of `known` that are nearest to `asked`: by the least number of letters to put in,
/// leave out or change, whatever the case of a to z; of two alike the one that comes first.
///
/// O(length of `asked` × letters of `known`); of long names the first 200 letters count.
pub fn nearest<'a>(asked: &str, known: impl Iterator<Item = &'a str>) -> Vec<String> {
    let letters =
        |text: &str| text.chars().take(200).map(|letter| letter.to_ascii_lowercase()).collect();
    let asked: Vec<char> = letters(asked);
    let mut ranked = known.map(|name| (distance(&asked, &letters(name)), name)).collect::<Vec<_>>();
    order::by_number(&mut ranked, |(distance, _)| *distance as u64);
    ranked.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
}

fn distance(a: &[char], b: &[char]) -> usize {
    let mut row = (0..=b.len()).collect::<Vec<_>>();
    for (i, letter) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, other) in b.iter().enumerate() {
            let changed = diagonal + usize::from(letter != other);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_put_in_left_out_or_changed_count_one_each() {
        let count = |a: &str, b: &str| {
            distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>())
        };
        assert_eq!(count("kitten", "sitting"), 3);
        assert_eq!(count("", "abc"), 3);
        assert_eq!(count("abc", "abc"), 0);
    }

    #[test]
    fn the_nearest_three_come_first() {
        let names = ["outliers", "group", "select", "nugget"];
        assert_eq!(nearest("GROUPS", names.into_iter()), ["group", "select", "nugget"]);
    }
}
