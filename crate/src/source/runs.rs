/// Samples one after the other in one context, or in what it calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    pub context: u32,
    /// Its first sample, and the one behind its last.
    pub start: usize,
    pub end: usize,
    /// Samples in the context: all but the foreign ones.
    pub samples: u32,
}

/// The longest runs in `contexts`, in order and apart; `None` is in none. O(samples).
pub fn runs(contexts: &[Option<u32>]) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut at = 0;
    for chunk in contexts.chunk_by(|a, b| a == b) {
        let (start, end) = (at, at + chunk.len());
        at = end;
        if let Some(&Some(context)) = chunk.first() {
            runs.push(Run { context, start, end, samples: chunk.len() as u32 });
        }
    }
    runs
}

/// A run goes on behind a single foreign sample if it has so many on either side, and if of all its
/// samples no more than one in so many is foreign.
const BESIDE: u32 = 2;
const FOREIGN_ONE_IN: usize = 10;

/// Joins runs of one context that a single sample divides which `is_brief`. O(runs).
pub fn bridged(runs: Vec<Run>, is_brief: impl Fn(usize) -> bool) -> Vec<Run> {
    let mut bridged: Vec<Run> = Vec::with_capacity(runs.len());
    for run in runs {
        let goes_on = |before: &Run| {
            let length = run.end - before.start;
            let foreign = length - (before.samples + run.samples) as usize;
            before.context == run.context
                && run.start - before.end == 1
                && before.samples.min(run.samples) >= BESIDE
                && foreign * FOREIGN_ONE_IN <= length
                && is_brief(before.end)
        };
        // The foreign sample is a run of its own, unless it has no context.
        let at = (1..=2).filter_map(|back| bridged.len().checked_sub(back));
        match at.into_iter().find(|&at| goes_on(&bridged[at])) {
            Some(at) => {
                bridged.truncate(at + 1);
                bridged[at].end = run.end;
                bridged[at].samples += run.samples;
            }
            None => bridged.push(run),
        }
    }
    bridged
}

/// Lets `left` and `right` meet if all samples between them are of the one or the other; whether
/// they do. Where the two mix, as instances do not change at quite the same moment, the border is
/// the one with the fewest samples on the wrong side, the first of those alike. O(samples).
pub fn meet(contexts: &[Option<u32>], left: &mut Run, right: &mut Run) -> bool {
    let between = contexts.get(left.end..right.start).unwrap_or_default();
    let is_left = |context: &Option<u32>| *context == Some(left.context);
    let is_right = |context: &Option<u32>| *context == Some(right.context);
    if !between.iter().all(|context| is_left(context) || is_right(context)) {
        return false;
    }
    let lefts = between.iter().filter(|context| is_left(context)).count();
    // Of the samples before a border those of `left`, less those of `right`: most at the best.
    let (mut gain, mut best) = (0i64, (0i64, 0usize));
    for (at, context) in (1..).zip(between) {
        gain += if is_left(context) { 1 } else { -1 };
        if gain > best.0 {
            best = (gain, at);
        }
    }
    let lefts_before = between[..best.1].iter().filter(|context| is_left(context)).count();
    let rights_behind = between.len() - best.1 - (lefts - lefts_before);
    left.samples += lefts_before as u32;
    right.samples += rights_behind as u32;
    left.end += best.1;
    right.start = left.end;
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contexts(text: &str) -> Vec<Option<u32>> {
        text.chars().map(|c| (c != '.').then_some(u32::from(c))).collect()
    }

    /// Each run as where it starts and ends and how many samples are its own; `.` is no context.
    fn found(text: &str, brief: bool) -> Vec<(char, usize, usize, u32)> {
        let run =
            |run: &Run| (char::from_u32(run.context).unwrap(), run.start, run.end, run.samples);
        bridged(runs(&contexts(text)), |_| brief).iter().map(run).collect()
    }

    #[test]
    fn one_foreign_sample_does_not_end_a_run() {
        assert_eq!(found("aaaaaaabaa", true), [('a', 0, 10, 9)]);
        assert_eq!(found("aa.aaaaaaaaaaaaaaa.aa", true), [('a', 0, 21, 19)]);
        assert_eq!(found("aaabaaaaaaccc", true), [('a', 0, 10, 9), ('c', 10, 13, 3)]);
    }

    #[test]
    fn two_do_and_so_does_one_that_lasts() {
        let apart = [('a', 0, 9, 9), ('b', 9, 11, 2), ('a', 11, 13, 2)];
        assert_eq!(found("aaaaaaaaabbaa", true), apart);
        let apart = [('a', 0, 9, 9), ('b', 9, 10, 1), ('a', 10, 12, 2)];
        assert_eq!(found("aaaaaaaaabaa", false), apart);
    }

    #[test]
    fn routines_in_turn_are_no_run() {
        assert_eq!(found("aaabaa", true).len(), 3);
        assert_eq!(found("ababababababab", true).len(), 14);
        assert_eq!(found("aaaaaaaaabab", true).len(), 4);
        assert_eq!(found("", true), []);
        assert_eq!(found("..", true), []);
    }

    #[test]
    fn runs_that_mix_meet_where_fewest_samples_are_on_the_wrong_side() {
        let met = |text: &str| {
            let contexts = contexts(text);
            let all = runs(&contexts);
            let (mut left, mut right) = (all[0], all[all.len() - 1]);
            let meet = meet(&contexts, &mut left, &mut right);
            meet.then_some((left.end, right.start, left.samples, right.samples))
        };
        assert_eq!(met("aaaabaabbabbbb"), Some((7, 7, 6, 6)));
        assert_eq!(met("aaaababbbb"), Some((4, 4, 4, 5)));
        assert_eq!(met("aaaabbbb"), Some((4, 4, 4, 4)));
        assert_eq!(met("aaaacbbbb"), None);
    }
}
