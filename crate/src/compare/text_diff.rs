//! Lines of two texts beside one another: what is the same, what changed, what moved.

use std::collections::BTreeMap;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

use super::line_map::{Kin, LineMap, MappedLine};

/// So many lines together are a block that can have moved: fewer are alike by chance, as closing braces are
/// (comparison of foldings, §6).
const BLOCK: usize = 3;

/// Of each line between those that are the same, to which of the other side it moved, if it did; by side.
type Moves = [BTreeMap<usize, usize>; 2];

/// What has changed between two texts, each by lines; blanks that a line ends with are no change.
///
/// Unchanged lines are those of a histogram diff. What lies between stands beside each other by position. Of it
/// blocks of three lines or more that stand once on each side have moved: of one that stands there several times
/// nobody can say from where. O(lines × log), as long as few of them are alike.
pub fn beside(a: &[String], b: &[String]) -> LineMap {
    let texts = [a, b].map(|lines| lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>());
    let mut input = InternedInput::default();
    input.update_before(texts[0].iter().copied());
    input.update_after(texts[1].iter().copied());
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let places = |lines: Range<u32>| lines.start as usize..lines.end as usize;
    let hunks = diff.hunks().map(|hunk| [places(hunk.before), places(hunk.after)]);
    let hunks = hunks.collect::<Vec<_>>();
    let moves = moves([&texts[0], &texts[1]], &hunks);
    let mut map = LineMap { lines: vec![], others: [vec![None; a.len()], vec![None; b.len()]] };
    let mut at = [0, 0];
    for hunk in hunks {
        put_same(&mut map, at, hunk[0].start - at[0]);
        at = [hunk[0].end, hunk[1].end];
        put_changed(&mut map, hunk, &moves);
    }
    put_same(&mut map, at, a.len() - at[0]);
    map
}

fn put_same(map: &mut LineMap, [a, b]: [usize; 2], count: usize) {
    for line in 0..count {
        put(map, [Some(a + line), Some(b + line)], Kin::Same, None);
    }
}

/// What moved stands alone, where it lies on each side: it is no partner of what lies there on the other.
fn put_changed(map: &mut LineMap, hunk: [Range<usize>; 2], moves: &Moves) {
    let [mut a, mut b] = hunk.map(Iterator::peekable);
    loop {
        let moved = |side: usize, at: Option<&usize>| moves[side].get(at?).copied();
        if let Some(elsewhere) = moved(0, a.peek()) {
            put(map, [a.next(), None], Kin::Moved, Some(elsewhere));
        } else if let Some(elsewhere) = moved(1, b.peek()) {
            put(map, [None, b.next()], Kin::Moved, Some(elsewhere));
        } else {
            match [a.next(), b.next()] {
                [None, None] => return,
                both => put(map, both, Kin::Changed, None),
            }
        }
    }
}

fn put(map: &mut LineMap, places: [Option<usize>; 2], kin: Kin, elsewhere: Option<usize>) {
    let number = |at: usize| at as u32 + 1;
    let numbers = places.map(|at| at.map(number));
    let elsewhere = elsewhere.map(number);
    for side in [0, 1] {
        if let Some(other) = places[side].and_then(|at| map.others[side].get_mut(at)) {
            *other = numbers[1 - side].or(elsewhere);
        }
    }
    map.lines.push(MappedLine { numbers, kin, elsewhere });
}

/// Which lines of the hunks are the same as others of them that lie elsewhere.
fn moves(texts: [&[&str]; 2], hunks: &[[Range<usize>; 2]]) -> Moves {
    let between =
        [0, 1].map(|side| hunks.iter().flat_map(|hunk| hunk[side].clone()).collect::<Vec<usize>>());
    let starts = [0, 1].map(|side| unique_blocks(texts[side], &between[side]));
    let both = starts[0].iter().filter_map(|(block, a)| Some(((*a)?, (*starts[1].get(block)?)?)));
    let mut both = both.collect::<Vec<_>>();
    both.sort_unstable();
    let mut moves: Moves = [BTreeMap::new(), BTreeMap::new()];
    for (a, b) in both {
        let is_free = |side: usize, at: usize| {
            between[side].binary_search(&at).is_ok() && !moves[side].contains_key(&at)
        };
        let is_same = |a: usize, b: usize| {
            is_free(0, a) && is_free(1, b) && texts[0].get(a) == texts[1].get(b)
        };
        // As far as the texts are the same both ways, not only where they are unlike any other.
        let back = (1..=a.min(b)).take_while(|by| is_same(a - by, b - by)).count();
        let on = (0..).take_while(|by| is_same(a + by, b + by)).count();
        if on >= BLOCK {
            let lines = (a - back..a + on).zip(b - back..b + on);
            lines.for_each(|(a, b)| {
                moves[0].insert(a, b);
                moves[1].insert(b, a);
            });
        }
    }
    moves
}

/// Where blocks of three lines begin that lie `between` altogether; `None` of one that lies there more than once.
/// Nothing but blanks and signs is no block.
fn unique_blocks<'a>(
    text: &[&'a str],
    between: &[usize],
) -> BTreeMap<[&'a str; BLOCK], Option<usize>> {
    let mut blocks: BTreeMap<_, Option<usize>> = BTreeMap::new();
    for lines in between.windows(BLOCK).filter(|lines| lines[BLOCK - 1] == lines[0] + BLOCK - 1) {
        let mut block = [""; BLOCK];
        for (of, at) in block.iter_mut().zip(lines) {
            *of = text.get(*at).copied().unwrap_or_default();
        }
        if block.iter().any(|line| line.chars().any(char::is_alphanumeric)) {
            let place = blocks.entry(block).or_insert(Some(lines[0]));
            *place = place.filter(|at| *at == lines[0]);
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(lines: &[&str]) -> Vec<String> {
        lines.iter().map(|line| (*line).to_owned()).collect()
    }

    fn map(a: &[&str], b: &[&str]) -> LineMap {
        beside(&text(a), &text(b))
    }

    /// Of each line of A that of B.
    fn to_b(map: &LineMap, lines: u32) -> Vec<Option<u32>> {
        (1..=lines).map(|line| map.other(0, line)).collect()
    }

    #[test]
    fn lines_below_one_that_was_added_are_the_same_lines() {
        let map = map(&["for", "  add", "end"], &["// new", "for", "  add", "end"]);
        assert_eq!(to_b(&map, 3), [Some(2), Some(3), Some(4)]);
        assert_eq!(map.other(1, 1), None);
        assert_eq!(
            map.lines[0],
            MappedLine { numbers: [None, Some(1)], kin: Kin::Changed, elsewhere: None }
        );
        assert!(map.lines[1..].iter().all(|line| line.kin == Kin::Same));
    }

    #[test]
    fn what_changed_lies_beside_what_it_was_by_position() {
        let map = map(
            &["for", "  x = 1", "  y = 2", "end"],
            &["for", "  x = 3", "  y = 4", "  z = 5", "end"],
        );
        assert_eq!(to_b(&map, 4), [Some(1), Some(2), Some(3), Some(5)]);
        assert_eq!(map.other(1, 4), None);
        let kin = map.lines.iter().map(|line| line.kin).collect::<Vec<_>>();
        assert_eq!(kin, [Kin::Same, Kin::Changed, Kin::Changed, Kin::Changed, Kin::Same]);
    }

    #[test]
    fn a_block_that_lies_elsewhere_has_moved_and_two_lines_have_not() {
        let block = ["int add(int a) {", "  a += 1;", "  return a;", "}"];
        let rest = ["int main() {", "  first();", "  second();", "  third();", "  fourth();", "}"];
        let map = map(&[&block[..], &rest].concat(), &[&rest[..], &block].concat());
        let moved = map.lines.iter().filter(|line| line.kin == Kin::Moved).count();
        // Once where it lay, and once where it lies.
        assert!((6..=8).contains(&moved), "{map:?}");
        assert_eq!(to_b(&map, 3), [Some(7), Some(8), Some(9)]);
        assert_eq!(map.other(1, 8), Some(2));
        let few = beside(&text(&["p", "q", "1", "2", "3"]), &text(&["1", "2", "3", "p", "q"]));
        assert!(few.lines.iter().all(|line| line.kin != Kin::Moved), "{few:?}");
    }

    #[test]
    fn of_a_block_that_stands_twice_nobody_can_say_where_it_came_from() {
        let block = ["x = 1;", "y = 2;", "z = 3;"];
        let rest = ["a();", "b();", "c();", "d();", "e();"];
        let twice = [&rest[..3], &block, &rest[3..], &block].concat();
        let map = map(&[&block[..], &rest].concat(), &twice);
        assert!(map.lines.iter().all(|line| line.kin != Kin::Moved), "{map:?}");
    }

    #[test]
    fn each_line_stands_once_in_order_whatever_the_texts() {
        let mut random = tracefold_generate::Random::new(1);
        for _ in 0..500 {
            let mut side = || {
                let count = random.below(30);
                (0..count).map(|_| format!("line {}", random.below(9))).collect::<Vec<_>>()
            };
            let (a, b) = (side(), side());
            let map = beside(&a, &b);
            for (side, lines) in [&a, &b].into_iter().enumerate() {
                let numbers = map.lines.iter().filter_map(|line| line.numbers[side]);
                assert!(numbers.eq(1..=lines.len() as u32), "{map:?}");
                for number in 1..=lines.len() as u32 {
                    let Some(other) = map.other(side, number) else { continue };
                    assert_eq!(map.other(1 - side, other), Some(number), "{map:?}");
                }
            }
            let same = map.lines.iter().filter(|line| line.kin != Kin::Changed);
            for line in same {
                let [of_a, of_b] =
                    [line.numbers[0].or(line.elsewhere), line.numbers[1].or(line.elsewhere)];
                assert_eq!(a[of_a.unwrap() as usize - 1], b[of_b.unwrap() as usize - 1]);
            }
        }
    }

    #[test]
    fn a_text_of_one_side_alone_and_numbers_beyond_it_have_no_other() {
        let map = map(&[], &["a", "b"]);
        assert_eq!((map.lines.len(), map.other(1, 1), map.other(0, 1)), (2, None, None));
        assert_eq!((map.other(1, 0), map.other(1, 3), map.other(2, 1)), (None, None, None));
        assert!(beside(&[], &[]).lines.is_empty());
        let ends = beside(&text(&["a  ", "b"]), &text(&["a", "b\t"]));
        assert!(
            ends.lines.iter().all(|line| line.kin == Kin::Same),
            "blanks at the end are no change"
        );
    }
}
