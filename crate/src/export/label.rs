//! Names in files that are read line by line, and what names the numbers of a trace.

use crate::order::{self, Numbers};
use crate::trace::Trace;

/// `text` on one line: what controls a terminal or ends a line becomes a blank.
pub fn one_line(text: &str) -> String {
    let ends_line = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    text.chars().map(|c| if ends_line(c) { ' ' } else { c }).collect()
}

/// The event types and values that a file uses, each once, with their labels: its `.pcf`.
#[derive(Default)]
pub struct Used {
    numbers: Numbers,
    types: Vec<(u32, String)>,
    /// By number of the type.
    values: Vec<Vec<(u64, String)>>,
    known: Numbers,
}

impl Used {
    /// Names a type; the first name stays.
    pub fn event_type(&mut self, code: u32, label: &str) {
        if self.numbers.of([u64::from(code), 0, 0]) == self.types.len() {
            self.types.push((code, label.to_owned()));
            self.values.push(vec![]);
        }
    }

    /// Names a value of a type that has been named; the first name stays.
    pub fn value(&mut self, code: u32, value: u64, label: impl FnOnce() -> Option<String>) {
        let Some(number) = self.numbers.get([u64::from(code), 0, 0]) else { return };
        let count = self.known.len();
        if self.known.of([u64::from(code), value, 0]) == count
            && let (Some(values), Some(label)) = (self.values.get_mut(number), label())
        {
            values.push((value, label));
        }
    }

    /// Names what an event of `trace` is called, its type written as `code`.
    pub fn event(&mut self, trace: &Trace, event_type: u32, code: u32, value: u64) {
        let Some(known) = trace.types.get(event_type as usize) else { return };
        let given = trace.labels.of_type(known.code).filter(|label| !label.trim().is_empty());
        self.event_type(code, given.unwrap_or(&known.name));
        self.value(code, value, || trace.labels.of_value(known.code, value).map(str::to_owned));
    }

    /// The blocks of a `.pcf`, by code and value. Values as Paraver reads them, with a sign.
    pub fn pcf(self) -> String {
        let mut blocks = self.types.into_iter().zip(self.values).collect::<Vec<_>>();
        order::by_number(&mut blocks, |((code, _), _)| u64::from(*code));
        let mut text = String::new();
        for ((code, label), mut values) in blocks {
            text += &format!("EVENT_TYPE\n0    {code}    {}\n", one_line(&label));
            order::by_number(&mut values, |(value, _)| *value);
            if !values.is_empty() {
                text += "VALUES\n";
            }
            for (value, label) in values {
                text += &format!("{}      {}\n", value as i64, one_line(&label));
            }
            text += "\n\n";
        }
        text
    }
}
