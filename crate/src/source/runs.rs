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

/// A single foreign sample is passed over if so many of the run's lie on either side of it.
const BESIDE: usize = 2;

/// The longest runs in `contexts`, in order and apart; `None` is in none.
///
/// A foreign sample between two and two of a run does not end it if it `is_brief`. O(samples).
pub fn runs(contexts: &[Option<u32>], is_brief: impl Fn(usize) -> bool) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut at = 0;
    while let Some(&first) = contexts.get(at) {
        at += 1;
        let Some(context) = first else { continue };
        let goes_on = |at: usize| contexts.get(at) == Some(&first);
        let mut run = Run { context, start: at - 1, end: at, samples: 1 };
        // Since the last foreign sample.
        let mut steady = 1;
        loop {
            if goes_on(run.end) {
                steady += 1;
            } else if steady >= BESIDE
                && (1..=BESIDE).all(|ahead| goes_on(run.end + ahead))
                && is_brief(run.end)
            {
                run.end += 1;
                steady = 1;
            } else {
                break;
            }
            run.end += 1;
            run.samples += 1;
        }
        at = run.end;
        runs.push(run);
    }
    runs
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

    /// Each run as where it starts and ends and how many samples are its own; `.` is no context.
    fn found(text: &str, brief: bool) -> Vec<(char, usize, usize, u32)> {
        let contexts = text.chars().map(|c| (c != '.').then_some(u32::from(c)));
        let runs = runs(&contexts.collect::<Vec<_>>(), |_| brief);
        let run =
            |run: &Run| (char::from_u32(run.context).unwrap(), run.start, run.end, run.samples);
        runs.iter().map(run).collect()
    }

    #[test]
    fn one_foreign_sample_does_not_end_a_run() {
        assert_eq!(found("aabaa", true), [('a', 0, 5, 4)]);
        assert_eq!(found("aa.aa.aa", true), [('a', 0, 8, 6)]);
        assert_eq!(found("aabaaccc", true), [('a', 0, 5, 4), ('c', 5, 8, 3)]);
    }

    #[test]
    fn two_do_and_so_does_one_that_lasts() {
        assert_eq!(found("aabbaa", true), [('a', 0, 2, 2), ('b', 2, 4, 2), ('a', 4, 6, 2)]);
        assert_eq!(found("aabaa", false), [('a', 0, 2, 2), ('b', 2, 3, 1), ('a', 3, 5, 2)]);
    }

    #[test]
    fn routines_in_turn_are_no_run() {
        assert_eq!(found("ababab", true).len(), 6);
        assert_eq!(
            found("aabab", true),
            [('a', 0, 2, 2), ('b', 2, 3, 1), ('a', 3, 4, 1), ('b', 4, 5, 1)]
        );
        assert_eq!(found("", true), []);
        assert_eq!(found("..", true), []);
    }

    #[test]
    fn runs_that_mix_meet_where_fewest_samples_are_on_the_wrong_side() {
        let met = |text: &str| {
            let contexts = text.chars().map(|c| Some(u32::from(c))).collect::<Vec<_>>();
            let all = runs(&contexts, |_| true);
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
