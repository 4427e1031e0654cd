use std::collections::BTreeMap;

/// Names for numbers: of event types, and of the values of each type.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    types: BTreeMap<u32, String>,
    /// Types often share a table: every depth of a call-stack does.
    tables: Vec<BTreeMap<u64, String>>,
    table_of: BTreeMap<u32, usize>,
}

impl Labels {
    /// Names the types `(code, label)`, which share a new table of values; a later name replaces
    /// an earlier one.
    pub fn add_types(&mut self, types: &[(u32, String)], values: BTreeMap<u64, String>) {
        for (code, label) in types {
            self.types.insert(*code, label.clone());
            if !values.is_empty() {
                self.table_of.insert(*code, self.tables.len());
            }
        }
        if !values.is_empty() {
            self.tables.push(values);
        }
    }

    /// The label of an event type.
    pub fn of_type(&self, code: u32) -> Option<&str> {
        self.types.get(&code).map(String::as_str)
    }

    /// The label of a value of an event type. Negative values are in two's complement.
    pub fn of_value(&self, code: u32, value: u64) -> Option<&str> {
        let table = self.tables.get(*self.table_of.get(&code)?)?;
        table.get(&value).map(String::as_str)
    }

    /// How many types have a label.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }
}
