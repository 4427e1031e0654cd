use super::Stacks;
use super::align::{Aligned, grow};
use super::numbered::Numbered;
use super::tree::Growing;
use crate::folding::Method;

/// No chain has more frames than this in front of those that were captured.
const MOST_ANCESTORS: usize = 256;
/// In place of the routine that the innermost one calls.
const NOTHING: u32 = u32::MAX;

/// Evidence chaining: who called the outermost known frame is what the sample nearest in folded
/// time says that shows its caller.
///
/// Samples count in which the frame calls the same routine, else, if there is none, all that have
/// it; of two equally near the earlier. This is repeated with the caller, until nothing tells more
/// or a caller and its routine come up a second time: recursion goes no deeper than it was seen.
/// O(frames + frames found).
///
/// Source: Servat 2015, §4.5.2, whose pivot it replaces: a routine that is called at two depths
/// needs no common level here.
pub fn chain(stacks: &Stacks) -> Aligned {
    let evidence = Evidence::of(stacks);
    let mut nearest = Nearest::new(&evidence, stacks);
    // For each call the sample whose chain it came up in last.
    let mut met_in = vec![u32::MAX; evidence.calls.len()];
    let mut tree = Growing::default();
    let mut ancestors = Vec::new();
    let mut ambiguous = 0;
    let one = |sample: u32| {
        let mut call = evidence.call_at[stacks.first[sample as usize] as usize];
        met_in[call as usize] = sample;
        ancestors.clear();
        let mut is_ambiguous = false;
        while let Some((caller, one_of_several)) = nearest.caller(call, sample) {
            if met_in[caller as usize] == sample || ancestors.len() == MOST_ANCESTORS {
                break;
            }
            is_ambiguous |= one_of_several;
            met_in[caller as usize] = sample;
            ancestors.push(evidence.calls[caller as usize].0);
            call = caller;
        }
        ambiguous += u32::from(is_ambiguous);
        let below = |at, routine: &u32| Some(tree.child(at, *routine));
        let outer = ancestors.iter().rev().fold(None, below);
        grow(&mut tree, outer, stacks, sample as usize)
    };
    let context = (0..stacks.len() as u32).map(one).collect();
    let contexts = tree.finish();
    Aligned { method: Method::Chain, contexts, context, left_out: vec![], ambiguous }
}

/// Which caller each sample shows of each frame.
///
/// A *call* is a routine and what it calls, or [`NOTHING`], by number. Its caller is told by the
/// number of the call that calls it: routine and caller in one.
struct Evidence {
    /// Routine, and what it calls.
    calls: Vec<(u32, u32)>,
    /// Call of each frame of `stacks`.
    call_at: Vec<u32>,
    /// By call and by routine.
    of_call: Lists,
    of_routine: Lists,
}

impl Evidence {
    fn of(stacks: &Stacks) -> Self {
        let mut numbers = Numbered::default();
        let mut calls = Vec::new();
        let mut call_at = vec![0; stacks.frames.len()];
        for sample in 0..stacks.len() {
            let mut called = NOTHING;
            let first = stacks.first[sample] as usize;
            for (at, routine) in stacks.routines_of(sample).enumerate().rev() {
                let call = numbers.of([u64::from(routine), u64::from(called), 0]);
                if call as usize == calls.len() {
                    calls.push((routine, called));
                }
                call_at[first + at] = call;
                called = routine;
            }
        }
        let is_asked = asked(&calls, stacks, &call_at);
        let shown = |tell: &mut dyn FnMut(u32, u32, u32)| {
            for sample in 0..stacks.len() {
                let of_sample =
                    &call_at[stacks.first[sample] as usize..stacks.first[sample + 1] as usize];
                for pair in of_sample.windows(2) {
                    if is_asked[calls[pair[1] as usize].0 as usize] {
                        tell(sample as u32, pair[0], pair[1]);
                    }
                }
            }
        };
        // That a routine calls nothing says no more than the routine itself.
        let of_call = Lists::new(calls.len(), |put| {
            shown(&mut |sample, caller, call| {
                if calls[call as usize].1 != NOTHING {
                    put(call, sample, caller);
                }
            });
        });
        let of_routine = Lists::new(stacks.routines.len(), |put| {
            shown(&mut |sample, caller, call| put(calls[call as usize].0, sample, caller));
        });
        Self { calls, call_at, of_call, of_routine }
    }
}

/// For each routine whether its caller can be asked for: it is the outermost one of a sample, or
/// calls one that is asked for. Complete stacks need no evidence for the routines in them.
fn asked(calls: &[(u32, u32)], stacks: &Stacks, call_at: &[u32]) -> Vec<bool> {
    let mut callers: Vec<Vec<u32>> = vec![vec![]; stacks.routines.len()];
    for &(caller, called) in calls.iter().filter(|(_, called)| *called != NOTHING) {
        callers[called as usize].push(caller);
    }
    let mut is_asked = vec![false; stacks.routines.len()];
    let mut open = Vec::new();
    let starts = &stacks.first[..stacks.len()];
    let outermost = starts.iter().map(|&first| calls[call_at[first as usize] as usize].0);
    for routine in outermost {
        open.push(routine);
        while let Some(routine) = open.pop() {
            if !std::mem::replace(&mut is_asked[routine as usize], true) {
                open.extend(&callers[routine as usize]);
            }
        }
    }
    is_asked
}

/// Samples by something they show, each with the caller that it shows; rising.
struct Lists {
    /// Where each list begins, and where the last ends.
    first: Vec<u32>,
    samples: Vec<u32>,
    callers: Vec<u32>,
    /// Whether a list has more than one caller.
    several: Vec<bool>,
}

impl Lists {
    /// `fill` is called twice, and calls back with list, sample and caller, the samples rising.
    fn new(lists: usize, fill: impl Fn(&mut dyn FnMut(u32, u32, u32))) -> Self {
        let mut first = vec![0u32; lists + 1];
        fill(&mut |list, _, _| first[list as usize + 1] += 1);
        for list in 0..lists {
            first[list + 1] += first[list];
        }
        let total = first[lists] as usize;
        let (mut samples, mut callers) = (vec![0; total], vec![0; total]);
        let mut several = vec![false; lists];
        let mut next = first.clone();
        fill(&mut |list, sample, caller| {
            let list = list as usize;
            let at = next[list] as usize;
            next[list] += 1;
            (samples[at], callers[at]) = (sample, caller);
            several[list] |= callers[first[list] as usize] != caller;
        });
        Self { first, samples, callers, several }
    }
}

/// The evidence nearest to samples that are asked for in their order.
struct Nearest<'a> {
    evidence: &'a Evidence,
    x: &'a [f64],
    /// For each list the first entry whose sample is not before the one asked for last.
    of_call: Vec<u32>,
    of_routine: Vec<u32>,
}

impl<'a> Nearest<'a> {
    fn new(evidence: &'a Evidence, stacks: &'a Stacks) -> Self {
        let starts = |lists: &Lists| lists.first[..lists.first.len() - 1].to_vec();
        let (of_call, of_routine) = (starts(&evidence.of_call), starts(&evidence.of_routine));
        Self { evidence, x: &stacks.x, of_call, of_routine }
    }

    /// The caller of `call` at `sample`, and whether there were others to choose from. No sample
    /// may be before the one asked for last.
    fn caller(&mut self, call: u32, sample: u32) -> Option<(u32, bool)> {
        let Evidence { calls, of_call, of_routine, .. } = self.evidence;
        let routine = calls[call as usize].0;
        nearest(of_call, &mut self.of_call, call, sample, self.x)
            .or_else(|| nearest(of_routine, &mut self.of_routine, routine, sample, self.x))
    }
}

fn nearest(
    lists: &Lists,
    cursors: &mut [u32],
    list: u32,
    sample: u32,
    x: &[f64],
) -> Option<(u32, bool)> {
    let list = list as usize;
    let (start, end) = (lists.first[list] as usize, lists.first[list + 1] as usize);
    let mut at = cursors[list] as usize;
    while at < end && lists.samples[at] < sample {
        at += 1;
    }
    cursors[list] = at as u32;
    let away = |at: usize| (x[lists.samples[at] as usize] - x[sample as usize]).abs();
    let is_earlier = at > start && (at == end || away(at - 1) <= away(at));
    let at = if is_earlier { at - 1 } else { at };
    (at < end).then(|| (lists.callers[at], lists.several[list]))
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::super::stacks::tests::named;
    use super::*;

    /// The ancestors of a sample, each sought in all samples; as long as the chain has no cycle.
    fn definition(stacks: &[Vec<String>], sample: usize) -> Vec<String> {
        let mut found = stacks[sample].clone();
        let mut seen = vec![found.iter().take(2).cloned().collect::<Vec<_>>()];
        loop {
            let caller = [2, 1].into_iter().find_map(|known| {
                let known = found.get(..known)?;
                let mut nearest: Option<(usize, String)> = None;
                for (other, stack) in stacks.iter().enumerate() {
                    let mut shown = stack.windows(known.len() + 1).filter(|w| w[1..] == *known);
                    // Of a routine inside itself the innermost before, the outermost from there on.
                    let shown = if other < sample { shown.next_back() } else { shown.next() };
                    let away = other.abs_diff(sample);
                    let is_nearer = nearest.as_ref().is_none_or(|(least, _)| away < *least);
                    if let Some(shown) = shown.filter(|_| is_nearer) {
                        nearest = Some((away, shown[0].clone()));
                    }
                }
                nearest.map(|(_, caller)| caller)
            });
            let Some(caller) = caller else { return found };
            let call = vec![caller.clone(), found[0].clone()];
            if seen.contains(&call) {
                return found;
            }
            seen.push(call);
            found.insert(0, caller);
        }
    }

    #[test]
    fn a_chain_is_what_a_look_at_all_samples_gives() {
        let mut random = Random::new(3);
        for routines in [3, 6, 20] {
            let mut stack = || {
                let length = 1 + random.below(4);
                (0..length).map(|_| format!("f{}", random.below(routines))).collect::<Vec<_>>()
            };
            let samples = (0..60).map(|_| stack()).collect::<Vec<_>>();
            let mut stacks = named(&samples);
            // Distances that are equal are so to the last digit.
            stacks.x = (0..60).map(|at| f64::from(at) / 64.0).collect();
            let aligned = chain(&stacks);
            for (sample, &context) in aligned.context.iter().enumerate() {
                let up = |&at: &u32| aligned.contexts[at as usize].parent;
                let way = std::iter::successors(Some(context), up);
                let name = |at: u32| {
                    stacks.routines[aligned.contexts[at as usize].routine as usize].clone()
                };
                let mut found = way.map(name).collect::<Vec<_>>();
                found.reverse();
                assert_eq!(found, definition(&samples, sample), "{routines} {sample}");
            }
        }
    }
}
