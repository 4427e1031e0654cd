//! Where instances call a runtime from.

use serde::{Deserialize, Serialize};

use super::{Group, Lines, Phase, Place};

/// Lines that call a runtime, of instances without samples of code: they are known at the moments of
/// the calls and nowhere between.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Callers {
    /// Names: those of most calls first.
    pub routines: Vec<String>,
    /// The place of each among the colours of the trace, as [`Group::hues`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hues: Vec<u32>,
    /// By file and line; their samples are the calls, their routine an index into `routines`.
    pub places: Vec<Place>,
    /// When calls begin, by increasing `x`, and the index into `places`; no contexts.
    pub lines: Lines,
}

impl Callers {
    /// A group of nothing but these calls, in place of samples.
    pub fn as_group(&self) -> Group {
        let Self { routines, hues, places, lines } = self.clone();
        Group { routines, hues, places, lines, ..Group::default() }
    }

    /// The place that ends a phase, and its routine with the lines: `CalcForce [1158, 1161]`; `None`
    /// without an end.
    pub fn end_of(&self, phase: &Phase) -> Option<(&Place, String)> {
        let place = self.places.get(phase.end_place? as usize)?;
        let lines = match phase.end_lines {
            [_, 0] => String::new(),
            [first, last] if first == last => format!(" [{first}]"),
            [first, last] => format!(" [{first}, {last}]"),
        };
        Some((place, format!("{}{lines}", self.routine(place.routine))))
    }

    /// The place of a routine's colour, by its index.
    pub fn hue(&self, routine: u32) -> usize {
        self.hues.get(routine as usize).copied().unwrap_or(routine) as usize
    }

    /// The name of a routine by its index; empty without one.
    pub fn routine(&self, index: u32) -> &str {
        self.routines.get(index as usize).map_or("", String::as_str)
    }
}
