//! Threads by pattern.

use std::fmt;
use std::str::FromStr;

use super::Object;

/// A text that is none of the values a choice has; holds what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceError(pub &'static str);

/// Which threads are taken: application, task and thread, each one or (`None`) any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Objects([Option<u32>; 3]);

impl Objects {
    pub fn has(&self, object: Object) -> bool {
        let ids = [object.application, object.task, object.thread];
        self.0.iter().zip(ids).all(|(wanted, id)| wanted.is_none_or(|wanted| wanted == id))
    }
}

impl Objects {
    /// Whether any thread of this task is taken.
    pub fn has_task(&self, application: u32, task: u32) -> bool {
        let ids = [application, task];
        self.0.iter().zip(ids).all(|(wanted, id)| wanted.is_none_or(|wanted| wanted == id))
    }
}

impl FromStr for Objects {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        const EXPECTED: &str = "appl.task.thread, each a number or *, such as *.1.*";
        let id = |part: &str| match part {
            "*" => Some(None),
            number => number.parse().ok().filter(|&id: &u32| id > 0).map(Some),
        };
        let ids = text.split('.').map(id).collect::<Option<Vec<_>>>();
        let ids = ids.and_then(|ids| <[Option<u32>; 3]>::try_from(ids).ok());
        ids.map(Self).ok_or(ChoiceError(EXPECTED))
    }
}

impl fmt::Display for Objects {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids = self.0.map(|id| id.map_or_else(|| "*".to_owned(), |id| id.to_string()));
        write!(out, "{}", ids.join("."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_reads_what_it_writes_and_nothing_else() {
        for text in ["*.*.*", "1.*.3"] {
            assert_eq!(text.parse::<Objects>().map(|objects| objects.to_string()), Ok(text.into()));
        }
        for text in ["", "*", "1.2", "0.*.*", "1.2.3.4", "a.b.c", "1.1.4294967296"] {
            assert!(text.parse::<Objects>().is_err(), "{text}");
        }
    }
}
