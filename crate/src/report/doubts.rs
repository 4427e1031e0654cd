//! What puts all that is shown in doubt: too few samples, samples of a few moments only, instances
//! that last longer or shorter as the program runs, or call-stacks that could not be joined.

use serde::Serialize;

use super::counted;
use crate::folding::{Alignment, Folding, Group, Method};
use crate::quantity::{self, number, percent};

/// What is doubtful, and what that means.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Doubt {
    pub title: String,
    pub text: String,
}

/// Under so many samples curves say little.
const FEW_SAMPLES: u32 = 50;

/// Call-stacks are in doubt if fewer lie under one root, or more had more than one possible caller.
const COVERED: f64 = 0.9;
const AMBIGUOUS: f64 = 0.2;

pub fn doubts(folding: &Folding, group: &Group) -> Vec<Doubt> {
    let mut doubts = vec![];
    if group.samples < FEW_SAMPLES {
        let region = quantity::title(&folding.region, folding.kind);
        let samples = number(f64::from(group.samples), 0);
        let title = format!("{region} has {samples} samples.");
        let text =
            format!("Under {FEW_SAMPLES} the curves say little; they are drawn with their bands.");
        doubts.push(Doubt { title, text });
    }
    if group.locked {
        let title = "Sampling is locked to the iteration.".to_owned();
        let text = "Samples fall on the same few places of every instance, and nothing is known \
                    between them. Take another sampling period, such as a prime number of \
                    microseconds, or let the tracer vary it at random.";
        doubts.push(Doubt { title, text: text.to_owned() });
    }
    if group.drifting {
        let title = "Durations drift during the run.".to_owned();
        let text = "Those of the first half of the instances and those of the second differ by \
                    more than they scatter, and the curves are a mean of both. Fold the halves \
                    apart, with from and to.";
        doubts.push(Doubt { title, text: text.to_owned() });
    }
    doubts.extend(of_stacks(&group.alignment));
    doubts
}

/// Of stacks that reach a root by themselves nothing is in doubt; of the innermost frame alone there
/// is nothing to join, and a notice says so.
fn of_stacks(alignment: &Alignment) -> Vec<Doubt> {
    let &Alignment { method, coverage, components, depth, ambiguous } = alignment;
    let mut doubts = vec![];
    if matches!(method, Method::Absent | Method::Full) || depth < 2 {
        return doubts;
    }
    let remedy = format!(
        "They were captured {} deep: capture more, in Extrae with more <callers> of sampling, with \
         perf by --call-graph and --max-stack.",
        counted(u64::from(depth), "frame")
    );
    if coverage < COVERED {
        let parts = match components {
            0 | 1 => String::new(),
            many => format!(" in {} that share no routine", counted(u64::from(many), "part")),
        };
        let share = percent(coverage, 0);
        doubts.push(Doubt {
            title: format!("Call-stacks could be joined for {share} of the samples."),
            text: format!(
                "The others lie{parts}: what calls them is not known, and the time of callers is \
                 too short. {remedy}"
            ),
        });
    }
    if ambiguous > AMBIGUOUS {
        let share = percent(ambiguous, 0);
        doubts.push(Doubt {
            title: format!("{share} of the call-stacks fit more than one caller."),
            text: format!(
                "They were given to the one that runs nearest in time, which may be wrong where \
                 routines take turns. {remedy}"
            ),
        });
    }
    doubts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_doubt_is_said_with_a_remedy_and_nothing_else_is() {
        let titles = |group: Group| {
            let doubts = doubts(&Folding::default(), &group);
            assert!(doubts.iter().all(|doubt| doubt.text.ends_with('.')));
            doubts.into_iter().map(|doubt| doubt.title).collect::<Vec<_>>()
        };
        let sound = Group { samples: FEW_SAMPLES, ..Group::default() };
        assert_eq!(titles(sound.clone()), [""; 0]);
        let drifting = Group { drifting: true, ..sound };
        assert_eq!(titles(drifting), ["Durations drift during the run."]);
    }
}
