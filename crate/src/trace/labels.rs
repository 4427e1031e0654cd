use std::sync::Arc;

use crate::order::{self, Numbers};
use crate::text::{Packed, PackedRead};

/// Names for numbers: of event types, and of the values of each type.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    numbers: Numbers,
    types: Vec<TypeLabel>,
    /// Types often share a table, by value: every depth of a call-stack does. Copies of the labels
    /// share them too.
    tables: Vec<Arc<Vec<(u64, String)>>>,
}

#[derive(Clone, Debug, Default)]
struct TypeLabel {
    label: String,
    table: Option<usize>,
}

impl Labels {
    /// Names the types `(code, label)`, which share a new table of values; a later name replaces
    /// an earlier one.
    pub fn add_types(&mut self, types: &[(u32, String)], mut values: Vec<(u64, String)>) {
        for (code, label) in types {
            let number = self.numbers.of([u64::from(*code), 0, 0]);
            self.types.resize_with(self.numbers.len(), TypeLabel::default);
            let Some(known) = self.types.get_mut(number) else { continue };
            known.label.clone_from(label);
            if !values.is_empty() {
                known.table = Some(self.tables.len());
            }
        }
        if !values.is_empty() {
            // The later one first, which is the one that stays.
            values.reverse();
            order::by_number(&mut values, |(value, _)| *value);
            values.dedup_by_key(|(value, _)| *value);
            self.tables.push(Arc::new(values));
        }
    }

    /// The label of an event type.
    pub fn of_type(&self, code: u32) -> Option<&str> {
        self.known(code).map(|known| known.label.as_str())
    }

    /// The label of a value of an event type. Negative values are in two's complement.
    pub fn of_value(&self, code: u32, value: u64) -> Option<&str> {
        let table = self.tables.get(self.known(code)?.table?)?;
        order::get(table, &value).map(String::as_str)
    }

    /// All values of an event type that have a label, rising.
    pub fn values_of(&self, code: u32) -> &[(u64, String)] {
        let table = self.known(code).and_then(|known| self.tables.get(known.table?));
        table.map_or(&[], |table| table.as_slice())
    }

    /// Gives `types` the `names` of another trace, too, and says which number each has here: that
    /// of the same name if there is one, else a new one. Pairs of numbers, there and here, rising.
    ///
    /// O(names log names), for each table that the types have.
    pub fn adopt(&mut self, types: &[(u32, String)], names: &[(u64, String)]) -> Vec<(u64, u64)> {
        let table_of = |code: u32| self.known(code).and_then(|known| known.table);
        let mut tables = types.iter().filter_map(|(code, _)| table_of(*code)).collect::<Vec<_>>();
        order::by_number(&mut tables, |table| *table as u64);
        tables.dedup();
        let known = tables.iter().filter_map(|&at| self.tables.get(at)).collect::<Vec<_>>();
        let first = known.first().map_or(&[][..], |table| table.as_slice());
        let mut by_name = first.iter().collect::<Vec<_>>();
        order::by(&mut by_name, |(_, a), (_, b)| a.cmp(b));
        // A number is of use if it has that name at every depth.
        let number_of = |name: &String| {
            let at = by_name.partition_point(|(_, known)| known < name);
            let number = by_name.get(at).filter(|(_, known)| known == name)?.0;
            let same = |table: &&Arc<Vec<(u64, String)>>| order::get(table, &number) == Some(name);
            known.iter().all(same).then_some(number)
        };
        let last = known.iter().filter_map(|table| table.last()).map(|(number, _)| *number).max();
        let mut next = last.unwrap_or(0).saturating_add(1);
        let mut new = Vec::new();
        let mut numbers = Vec::with_capacity(names.len());
        for (there, name) in names {
            let here = number_of(name).unwrap_or_else(|| {
                new.push((next, name.clone()));
                next += 1;
                next - 1
            });
            numbers.push((*there, here));
        }
        for table in &tables {
            if let Some(table) = self.tables.get_mut(*table) {
                Arc::make_mut(table).extend(new.iter().cloned());
            }
        }
        let nameless = types
            .iter()
            .filter(|(code, _)| self.known(*code).is_none_or(|known| known.table.is_none()));
        let nameless = nameless.cloned().collect::<Vec<_>>();
        match tables.first() {
            None => self.add_types(&nameless, new),
            Some(&shared) => {
                self.add_types(&nameless, vec![]);
                for (code, _) in &nameless {
                    let number = self.numbers.get([u64::from(*code), 0, 0]);
                    if let Some(known) = number.and_then(|number| self.types.get_mut(number)) {
                        known.table = Some(shared);
                    }
                }
            }
        }
        numbers
    }

    /// Writes all of it: equal labels are equal bytes.
    pub(super) fn pack(&self, packed: &mut Packed) {
        packed.number(self.tables.len() as u64);
        for table in &self.tables {
            packed.number(table.len() as u64);
            let mut before = 0;
            for (value, name) in table.iter() {
                packed.number(value.wrapping_sub(before));
                packed.text(name);
                before = *value;
            }
        }
        packed.number(self.types.len() as u64);
        for ([code, ..], number) in self.numbers.keys() {
            let known = self.types.get(number);
            packed.wide(code as u32);
            packed.text(known.map_or("", |known| &known.label));
            packed.number(known.and_then(|known| known.table).map_or(0, |table| table as u64 + 1));
        }
    }

    /// `None` if that is not what was written.
    pub(super) fn unpack(packed: &mut PackedRead<'_>) -> Option<Self> {
        let mut labels = Self::default();
        for _ in 0..packed.count()? {
            let mut table = vec![];
            let mut before = 0u64;
            for _ in 0..packed.count()? {
                before = before.wrapping_add(packed.number()?);
                table.push((before, packed.text()?));
            }
            let rises = table.windows(2).all(|pair| pair[0].0 < pair[1].0);
            labels.tables.push(rises.then(|| Arc::new(table))?);
        }
        for _ in 0..packed.count()? {
            let code = packed.wide()?;
            let number = labels.numbers.of([u64::from(code), 0, 0]);
            let label = packed.text()?;
            let table = usize::try_from(packed.number()?).ok()?.checked_sub(1);
            let is_there = table.is_none_or(|table| table < labels.tables.len());
            let is_new = number == labels.types.len();
            labels.types.push((is_there && is_new).then_some(TypeLabel { label, table })?);
        }
        Some(labels)
    }

    /// The codes that have a label.
    pub fn codes(&self) -> impl Iterator<Item = u32> {
        self.numbers.keys().map(|([code, ..], _)| code as u32)
    }

    fn known(&self, code: u32) -> Option<&TypeLabel> {
        self.types.get(self.numbers.get([u64::from(code), 0, 0])?)
    }

    /// Whether no type has a label.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(values: &[(u64, &str)]) -> Vec<(u64, String)> {
        values.iter().map(|(value, name)| (*value, (*name).to_owned())).collect()
    }

    #[test]
    fn names_of_another_trace_keep_their_number_here_or_get_a_new_one() {
        let types = [1, 2, 3].map(|code| (code, "Routine".to_owned()));
        let mut labels = Labels::default();
        labels.add_types(&types[..1], table(&[(1, "?"), (5, "main"), (6, "dot")]));
        labels.add_types(&types[1..2], table(&[(5, "main"), (6, "other"), (9, "dot")]));
        let before = labels.clone();
        let numbers = labels.adopt(&types, &table(&[(1, "new"), (2, "main"), (3, "dot")]));
        // `dot` has no number that it keeps at every depth.
        assert_eq!(numbers, [(1, 10), (2, 5), (3, 11)]);
        for (there, name) in [(1, "new"), (2, "main"), (3, "dot")] {
            let here = order::get(&numbers, &there).unwrap();
            assert!((1..=2).all(|code| labels.of_value(code, *here) == Some(name)), "{name}");
        }
        assert_eq!(labels.of_value(3, 10), Some("new"));
        assert_eq!(labels.of_value(2, 6), Some("other"));
        assert_eq!((before.of_value(1, 10), before.of_value(1, 5)), (None, Some("main")));
        let mut empty = Labels::default();
        assert_eq!(empty.adopt(&types, &table(&[(7, "main")])), [(7, 1)]);
        assert_eq!(empty.values_of(3), table(&[(1, "main")]));
        assert_eq!(empty.of_type(3), Some("Routine"));
    }
}
