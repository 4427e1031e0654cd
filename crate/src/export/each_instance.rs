//! Every instance with what it counted.

use super::csv::{counters, heads};
use super::table::{Table, or_empty};
use crate::folding::{FoldedCounter, Folding, Group, Points};

/// `region,group,appl,task,thread,start_ns,duration_ns,why`, then what each instance counted of each counter
/// that any group has, in the order in which they are met. `why` is `used`, or the reason for which it was
/// left out; those of no group are in group 0. Counts are of those that were used and carry the counter
/// throughout, else empty. `put` takes it part by part, as there may be millions.
pub fn each_instance<'a>(
    foldings: impl Iterator<Item = (&'a Folding, &'a Points)> + Clone,
    put: &mut dyn FnMut(String),
) {
    let names = counters(foldings.clone().map(|(folding, _)| folding));
    let columns = format!("appl,task,thread,start_ns,duration_ns,why{}", heads(&names));
    let mut table = Table::new(&columns);
    let none = Group::default();
    for (folding, points) in foldings {
        let apart = (0, &folding.apart, &none);
        let groups = folding.groups.iter().map(|group| (group.number, &group.rows, group));
        for (number, rows, group) in groups.chain([apart]) {
            table.about(folding, number);
            let of = |name: &&str| folded(points, group, name);
            let mut carried = names.iter().map(of).map(totals).collect::<Vec<_>>();
            for (at, row) in (0..).zip(rows) {
                let [application, task, thread] = row.object;
                let (start_ns, duration_ns) = (row.start_ns, row.duration_ns);
                let counts = carried.iter_mut().map(|of| {
                    or_empty(of.next_if(|(instance, _)| *instance == at).map(|(_, total)| total))
                });
                let why = row.fate.name();
                table.line_with(
                    &[&application, &task, &thread, &start_ns, &duration_ns, &why],
                    counts.collect::<Vec<_>>(),
                );
                table.hand_on(put);
            }
        }
    }
    put(table.finish());
}

/// A counter of a group, if its samples are there.
fn folded<'a>(points: &'a Points, group: &Group, counter: &str) -> Option<&'a FoldedCounter> {
    let mut sampled = points.counters.iter();
    let found = sampled.find(|of| of.group == group.number && of.counter == counter);
    found.map(|of| &*of.folded)
}

/// What its instances counted, by their places in the group.
fn totals(of: Option<&FoldedCounter>) -> std::iter::Peekable<impl Iterator<Item = (u32, u64)>> {
    of.into_iter().flat_map(|of| of.carried.iter().copied()).peekable()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::folding::{Fate, InstanceRow, Sampled, example};

    #[test]
    fn each_instance_has_what_it_counted_and_why_it_was_left_out() {
        let mut folding = example::folding(2);
        let row =
            |start_ns, fate| InstanceRow { object: [1, 2, 1], start_ns, duration_ns: 9, fate };
        folding.groups[0].rows =
            vec![row(10, Fate::Used), row(20, Fate::Outlier), row(30, Fate::Used)];
        folding.apart = vec![row(40, Fate::Apart)];
        let carried = vec![(0, 5), (2, 7)];
        let folded = Arc::new(FoldedCounter { carried, ..FoldedCounter::default() });
        let of = Sampled { group: 1, counter: "C1".to_owned(), folded, uses: Arc::new([]) };
        let points = Points { counters: vec![of], ..Points::default() };
        let mut text = String::new();
        each_instance([(&folding, &points)].into_iter(), &mut |part| text += &part);
        let lines = text.lines().collect::<Vec<_>>();
        assert_eq!(
            lines,
            [
                "region,group,appl,task,thread,start_ns,duration_ns,why,C0,C1",
                "User function:main,1,1,2,1,10,9,used,,5",
                "User function:main,1,1,2,1,20,9,outlier,,",
                "User function:main,1,1,2,1,30,9,used,,7",
                "User function:main,0,1,2,1,40,9,apart,,",
            ]
        );
    }
}
