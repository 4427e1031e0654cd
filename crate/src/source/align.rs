use strum::{Display, EnumString};

use super::Stacks;
use super::chain::chain;
use super::pivot::pivot;
use super::tree::{Growing, Tree};
use crate::folding::{Alignment, Context, Method};
use crate::trace::ChoiceError;

/// How what lies outside of the captured frames is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, Display)]
#[strum(serialize_all = "lowercase", parse_err_ty = ChoiceError, parse_err_fn = Align::expected)]
pub enum Align {
    /// From the samples nearest in folded time that show the caller.
    #[default]
    Chain,
    /// On the routine that most samples have, as published.
    Pivot,
}

impl Align {
    fn expected(_: &str) -> ChoiceError {
        ChoiceError("chain or pivot")
    }
}

/// The calling context of every sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Aligned {
    pub method: Method,
    /// Parents before their children, with the samples whose innermost frame they are.
    pub contexts: Vec<Context>,
    /// Index into `contexts` of each sample's innermost frame.
    pub context: Vec<u32>,
    /// Samples that share no routine with the others, which a pivot leaves out; rising.
    pub left_out: Vec<u32>,
    /// Samples in whose ancestors a caller was chosen among several by nearness in time alone.
    pub ambiguous: u32,
}

impl Aligned {
    /// How `stacks` were joined to one tree, and how well that could be done. O(samples).
    pub fn alignment(&self, stacks: &Stacks) -> Alignment {
        let (coverage, components) = self.coverage();
        Alignment {
            method: self.method,
            coverage,
            components,
            depth: stacks.depth(),
            ambiguous: f64::from(self.ambiguous) / stacks.len() as f64,
        }
    }

    /// Share of the samples whose context lies under the root that most have, and how many roots
    /// there are. O(samples).
    pub fn coverage(&self) -> (f64, u32) {
        let tree = Tree::new(&self.contexts);
        let mut samples = vec![0u32; self.contexts.len()];
        for &context in &self.context {
            samples[tree.root[context as usize] as usize] += 1;
        }
        let most = samples.iter().copied().max().unwrap_or(0);
        let roots = self.contexts.iter().filter(|context| context.parent.is_none()).count();
        (f64::from(most) / self.context.len().max(1) as f64, roots as u32)
    }
}

/// Finds the calling context of every sample of `stacks`.
pub fn align(stacks: &Stacks, how: Align) -> Aligned {
    let mut aligned = match how {
        _ if reach_one_root(stacks) => full(stacks),
        Align::Chain => chain(stacks),
        Align::Pivot => pivot(stacks),
    };
    for &context in &aligned.context {
        aligned.contexts[context as usize].samples += 1;
    }
    aligned
}

fn reach_one_root(stacks: &Stacks) -> bool {
    let mut roots = (0..stacks.len()).map(|sample| stacks.routines_of(sample).next());
    let first = roots.next();
    roots.all(|root| Some(root) == first)
}

fn full(stacks: &Stacks) -> Aligned {
    let mut tree = Growing::default();
    let context = (0..stacks.len()).map(|sample| grow(&mut tree, None, stacks, sample));
    let context = context.collect();
    let contexts = tree.finish();
    Aligned { method: Method::Full, contexts, context, left_out: vec![], ambiguous: 0 }
}

/// The context of a sample whose captured frames are called in `outer`.
#[inline]
pub fn grow(tree: &mut Growing, outer: Option<u32>, stacks: &Stacks, sample: usize) -> u32 {
    let below = |at, routine| Some(tree.child(at, routine));
    stacks.routines_of(sample).fold(outer, below).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::stacks::tests::named;
    use super::*;

    /// The routines from the root to each sample's innermost frame.
    fn told(stacks: &Stacks, aligned: &Aligned) -> Vec<Vec<String>> {
        let way = |&context: &u32| {
            let up = |&at: &u32| aligned.contexts[at as usize].parent;
            let mut way = std::iter::successors(Some(context), up).collect::<Vec<_>>();
            way.reverse();
            let name =
                |at: u32| stacks.routines[aligned.contexts[at as usize].routine as usize].clone();
            way.into_iter().map(name).collect()
        };
        aligned.context.iter().map(way).collect()
    }

    fn samples(value: &Value) -> Vec<Vec<String>> {
        let words = |value: &Value| {
            let words = value.as_array().unwrap().iter().map(|word| word.as_str().unwrap());
            words.map(str::to_owned).collect()
        };
        value.as_array().unwrap().iter().map(words).collect()
    }

    fn extra() -> Vec<Value> {
        let text = include_str!("../../../tests/oracles/callstack_extra.json");
        serde_json::from_str::<Vec<Value>>(text).unwrap()
    }

    #[test]
    fn chains_are_those_of_the_oracle() {
        for case in extra() {
            let stacks = named(&samples(&case["samples"]));
            assert_eq!(told(&stacks, &chain(&stacks)), samples(&case["chain"]), "{}", case["name"]);
        }
    }

    #[test]
    fn pivots_are_those_of_the_oracle() {
        for case in extra() {
            let stacks = named(&samples(&case["samples"]));
            let aligned = pivot(&stacks);
            let told = told(&stacks, &aligned);
            for (sample, told) in (0u32..).zip(told) {
                let expected = &case["paper"][sample.to_string()];
                let is_left_out = aligned.left_out.contains(&sample);
                assert_eq!(is_left_out, expected.is_null(), "{} {sample}", case["name"]);
                if !is_left_out {
                    let expected = samples(&Value::Array(vec![expected.clone()])).remove(0);
                    assert_eq!(told, expected, "{} {sample}", case["name"]);
                }
            }
        }
    }

    #[test]
    fn stacks_that_reach_one_root_are_used_as_they_are() {
        let full = extra().into_iter().find(|case| case["name"] == "full_stacks").unwrap();
        let stacks = named(&samples(&full["samples"]));
        for how in [Align::Chain, Align::Pivot] {
            let aligned = align(&stacks, how);
            assert_eq!(aligned.method, Method::Full);
            assert_eq!(told(&stacks, &aligned), samples(&full["samples"]));
            assert_eq!(aligned.coverage(), (1.0, 1));
        }
        // Recursion at the root is no lack of callers.
        let stacks = named(&[vec!["f"], vec!["f", "f"], vec!["f", "f", "f"]]);
        assert_eq!(told(&stacks, &align(&stacks, Align::Chain))[0], ["f"]);
    }

    #[test]
    fn trees_that_nothing_joins_are_counted() {
        let case = extra().into_iter().find(|case| case["name"] == "disconnected").unwrap();
        let stacks = named(&samples(&case["samples"]));
        assert_eq!(align(&stacks, Align::Chain).coverage(), (0.6, 2));
    }

    #[test]
    fn callers_among_several_are_ambiguous() {
        // `f` is called by `p` and by `q`; who called it in the third sample only its place says.
        let stacks = named(&[
            vec!["p", "f", "x"],
            vec!["p", "f", "x"],
            vec!["f", "x", "y"],
            vec!["q", "f", "x"],
        ]);
        let aligned = align(&stacks, Align::Chain);
        assert_eq!((aligned.ambiguous, &told(&stacks, &aligned)[2][0]), (1, &"p".to_owned()));
    }

    #[test]
    fn stacks_of_two_hundred_frames_and_cycles_end() {
        let deep = |from: usize| (from..from + 200).map(|at| format!("f{}", at % 317)).collect();
        let stacks = named(&(0..600).map(|at| deep(at * 7)).collect::<Vec<Vec<_>>>());
        for aligned in [chain(&stacks), pivot(&stacks)] {
            assert_eq!(aligned.context.len(), 600);
            let longest = told(&stacks, &aligned).iter().map(Vec::len).max().unwrap();
            assert!((200..2500).contains(&longest), "{longest}");
        }
        let one = named(&[vec!["a"], vec!["b"], vec!["a"]]);
        assert_eq!(align(&one, Align::Chain).coverage().1, 2);
    }
}
