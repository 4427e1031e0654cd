use std::sync::Arc;

use crate::order::{self, Numbers};

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

    fn known(&self, code: u32) -> Option<&TypeLabel> {
        self.types.get(self.numbers.get([u64::from(code), 0, 0])?)
    }

    /// How many types have a label.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }
}
