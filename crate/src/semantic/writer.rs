//! A timeline as text.

use crate::order;
use crate::trace::Object;

/// What a thread had as value, from when to when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub object: Object,
    pub begin_ns: u64,
    pub end_ns: u64,
    pub value: String,
}

/// Stretches as rows that Paraver writes, with object hierarchy and textual values, in nanoseconds:
/// of one thread after the other, by time, with `End` in the gaps between them. Blanks in values
/// become `_`, for BSC Folding takes words.
///
/// A stretch that begins before the one before it ends is left out. O(stretches log stretches).
pub fn text(mut stretches: Vec<Stretch>) -> String {
    order::by_number(&mut stretches, |stretch| stretch.begin_ns);
    order::by(&mut stretches, |a, b| a.object.cmp(&b.object));
    let mut text = String::new();
    let mut row = |object: Object, begin_ns: u64, end_ns: u64, value: &str| {
        text += &format!("{object}\t{begin_ns}\t{}\t{value}\n", end_ns - begin_ns);
    };
    for of_thread in stretches.chunk_by(|a, b| a.object == b.object) {
        let mut last_ns = None;
        for Stretch { object, begin_ns, end_ns, value } in of_thread {
            if begin_ns >= end_ns || last_ns.is_some_and(|last_ns| *begin_ns < last_ns) {
                continue;
            }
            if let Some(last_ns) = last_ns.filter(|last_ns| last_ns < begin_ns) {
                row(*object, last_ns, *begin_ns, "End");
            }
            row(*object, *begin_ns, *end_ns, &one_word(value));
            last_ns = Some(*end_ns);
        }
        // The reference takes a region only where something follows it.
        if let (Some(last_ns), Some(Stretch { object, .. })) = (last_ns, of_thread.first()) {
            row(*object, last_ns, last_ns + 1, "End");
        }
    }
    text
}

fn one_word(value: &str) -> String {
    value.chars().map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c }).collect()
}
