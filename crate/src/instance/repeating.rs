//! What a person can choose of how repetition is found; each with its text form and back.

use std::fmt;
use std::str::FromStr;

use crate::trace::ChoiceError;

/// A difference of 10 % in work or speed: the smallest that loses no burst of what repeats on the
/// larger ones of the runs that were studied.
pub const EPS: f64 = 0.1;

/// How bursts, iterations and clusters of a run are found.
#[derive(Clone, Debug, PartialEq)]
pub struct Repeating {
    pub bursts: BurstsFrom,
    /// How far apart bursts of one cluster may be: the difference of logarithms.
    pub eps: f64,
    /// Where passes begin; `None` for where most of them are whole.
    pub boundary: Option<PassBegin>,
}

impl Default for Repeating {
    fn default() -> Self {
        Self { bursts: BurstsFrom::Auto, eps: EPS, boundary: None }
    }
}

/// What tells when threads compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BurstsFrom {
    /// States; of a task without them, calls.
    Auto,
    /// States alone: of a task without them no burst is known.
    States,
    /// What lies between calls of a runtime.
    Calls,
    /// The same, where reading and writing files is no computation either.
    CallsAndIo,
}

const BURSTS: [(&str, BurstsFrom); 4] = [
    ("auto", BurstsFrom::Auto),
    ("states", BurstsFrom::States),
    ("calls", BurstsFrom::Calls),
    ("calls+io", BurstsFrom::CallsAndIo),
];

impl FromStr for BurstsFrom {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        let named = BURSTS.iter().find(|(name, _)| *name == text);
        named.map(|(_, from)| *from).ok_or(ChoiceError("auto, states, calls or calls+io"))
    }
}

impl fmt::Display for BurstsFrom {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = BURSTS.iter().find(|(_, from)| from == self);
        out.write_str(named.map_or("", |(name, _)| name))
    }
}

/// Where the passes of a loop begin: `from MPI_Send · 14 (halo.c)` as its calls begin, or
/// `after …` as they return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassBegin {
    pub is_after: bool,
    /// What is called, and from where, as it is named in the list of regions.
    pub site: String,
}

impl FromStr for PassBegin {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        let (is_after, site) = match text.split_once(' ') {
            Some(("from", site)) => (false, site.trim()),
            Some(("after", site)) => (true, site.trim()),
            _ => (false, ""),
        };
        const EXPECTED: &str =
            "from or after, and a call with its line such as after MPI_Allreduce · 214 (lulesh.cc)";
        if site.is_empty() {
            return Err(ChoiceError(EXPECTED));
        }
        Ok(Self { is_after, site: site.to_owned() })
    }
}

impl fmt::Display for PassBegin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", if self.is_after { "after" } else { "from" }, self.site)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_reads_what_it_writes_and_refuses_the_rest() {
        for (name, from) in BURSTS {
            assert_eq!((name.parse(), from.to_string()), (Ok(from), name.to_owned()));
        }
        for text in ["", "io", "States", "calls + io"] {
            assert!(text.parse::<BurstsFrom>().is_err(), "{text:?}");
        }
        for text in ["from MPI_Send · 14 (halo.c)", "after MPI_Send"] {
            assert_eq!(text.parse::<PassBegin>().map(|begin| begin.to_string()), Ok(text.into()));
        }
        for text in ["", "from", "after ", "from   ", "MPI_Send", "before MPI_Send"] {
            assert!(text.parse::<PassBegin>().is_err(), "{text:?}");
        }
    }
}
