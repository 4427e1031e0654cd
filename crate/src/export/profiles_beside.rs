//! Two profiles side by side, as a table: Malony, Huck 2014, Table II, of every node.

use super::table::{field, or_empty};
use crate::profile::{Beside, Measure, OverThreads, Share};
use crate::text::shortest;

/// What each side has of a node, as columns behind `a ` and `b `.
const COLUMNS: [&str; 6] = ["met", "total", "mean", "least", "largest", "deviation"];

/// `node,parent,depth,kind,name,metric,share,` then of each side how many threads met the node, their
/// total, mean, least, largest and deviation, then `b − a` and `b / a` of means and of totals; a line for
/// each node, measure and share that one side at least has. Numbers are as measured; empty where a side
/// has none.
///
/// `measures`: the same of both sides.
pub fn profiles_beside(beside: &Beside, measures: &[[Measure; 2]]) -> String {
    let mut text = "node,parent,depth,kind,name,metric,share".to_owned();
    for side in ["a", "b"] {
        COLUMNS.iter().for_each(|column| text += &format!(",{side} {column}"));
    }
    text += ",mean difference,mean ratio,total difference,total ratio\n";
    let [a, _] = &beside.sides;
    let depths = a.depths();
    for (at, node) in (0u32..).zip(&a.nodes) {
        for measure in measures {
            for (share, words) in Share::BOTH {
                let of = beside.over_threads(at, measure, share);
                if of == [None, None] {
                    continue;
                }
                let metric = format!("{} {}", a.name_of(&measure[0]), a.unit_of(&measure[0]));
                text += &format!(
                    "{at},{},{},{},{},{},{words}",
                    or_empty(node.parent),
                    depths[at as usize],
                    node.kind.name(),
                    field(&node.name),
                    field(metric.trim_end()),
                );
                for side in of {
                    let numbers = |of: OverThreads| {
                        [of.met as f64, of.total, of.mean, of.least, of.largest, of.deviation]
                    };
                    let numbers = side.map(numbers);
                    (0..COLUMNS.len()).for_each(|column| {
                        text += ",";
                        text += &or_empty(numbers.map(|numbers| shortest(numbers[column])));
                    });
                }
                for value in [|of: OverThreads| of.mean, |of: OverThreads| of.total] {
                    let pair = of[0].map(value).zip(of[1].map(value));
                    let ratio = pair.filter(|(a, _)| *a != 0.0).map(|(a, b)| b / a);
                    let difference = pair.map(|(a, b)| b - a);
                    text += &format!(
                        ",{},{}",
                        or_empty(difference.map(shortest)),
                        or_empty(ratio.map(shortest))
                    );
                }
                text += "\n";
            }
        }
    }
    text
}
