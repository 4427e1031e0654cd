//! Which variable an address lies in.

use crate::trace::{Trace, Variable};

/// The variables of one task.
pub struct Variables<'trace> {
    /// By first address.
    list: &'trace [Variable],
    /// For each the end of the one up to it that reaches furthest.
    reach: Vec<u64>,
}

impl<'trace> Variables<'trace> {
    /// Those of a task; if none are listed, those of the first task of its application that has
    /// some, as all run one program.
    pub fn of(trace: &'trace Trace, (application, task): (u32, u32)) -> Self {
        let of_task = |wanted: u32| {
            let from = trace
                .variables
                .partition_point(|v| (v.application, v.task) < (application, wanted));
            let rest = trace.variables.get(from..).unwrap_or_default();
            rest.chunk_by(|a, b| (a.application, a.task) == (b.application, b.task))
                .next()
                .filter(|list| list.iter().all(|v| v.application == application))
                .unwrap_or_default()
        };
        let own = of_task(task);
        let is_own = own.first().is_some_and(|variable| variable.task == task);
        let list = if is_own { own } else { of_task(0) };
        let mut end = 0;
        let reach = list.iter().map(|variable| {
            end = end.max(variable.start.saturating_add(variable.bytes));
            end
        });
        Self { reach: reach.collect(), list }
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn get(&self, index: usize) -> &'trace Variable {
        &self.list[index]
    }

    /// The smallest variable round `address`, as an index. O(log n), and as many steps as variables
    /// overlap.
    pub fn at(&self, address: u64) -> Option<usize> {
        let to = self.list.partition_point(|variable| variable.start <= address);
        let near = (0..to).rev().take_while(|index| self.reach[*index] > address);
        let round =
            near.filter(|index| address - self.list[*index].start < self.list[*index].bytes);
        round.min_by_key(|index| self.list[*index].bytes)
    }

    /// How many variables of the same name and size lie below: two files of a program may have one
    /// each. O(n).
    pub fn ordinal(&self, index: usize) -> u32 {
        let Variable { name, bytes, .. } = &self.list[index];
        let below = self.list[..index].iter();
        below.filter(|other| (&other.name, other.bytes) == (name, *bytes)).count() as u32
    }
}
