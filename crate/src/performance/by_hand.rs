//! Phases as a person wants them: where they begin and what they are called; as text and back.

use std::fmt;
use std::str::FromStr;

use crate::instance::{ChoiceError, float};

/// Borders of phases put by hand, for some groups: `1:0.25,0.5;2:0.4`.
///
/// A group without an entry has the borders that were found; one with an empty list has none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Borders(Vec<(u32, Vec<f64>)>);

/// More borders than this are not read.
const MOST: usize = 256;

impl Borders {
    /// Increasing, each above 0 and below 1; `None` where nothing was put by hand.
    pub fn of(&self, group: u32) -> Option<&[f64]> {
        self.0.iter().find(|(number, _)| *number == group).map(|(_, borders)| borders.as_slice())
    }
}

impl FromStr for Borders {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        let group = |text: &str| {
            let (number, borders) = text.split_once(':')?;
            let borders = borders.split(',').filter(|border| !border.is_empty());
            let borders = borders.map(float).collect::<Option<Vec<_>>>()?;
            let inside = borders.iter().all(|border| *border > 0.0 && *border < 1.0);
            let increasing = borders.windows(2).all(|pair| pair[0] < pair[1]);
            let sound = inside && increasing && borders.len() <= MOST;
            Some((number.parse().ok()?, borders)).filter(|_| sound)
        };
        by_group(text, group).map(Self).ok_or(ChoiceError(
            "for each group its borders as increasing shares of the region, such as \
             1:0.25,0.5;2:0.4",
        ))
    }
}

impl fmt::Display for Borders {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (group, borders)) in self.0.iter().enumerate() {
            let borders = borders.iter().map(f64::to_string).collect::<Vec<_>>();
            write!(out, "{}{group}:{}", if place > 0 { ";" } else { "" }, borders.join(","))?;
        }
        Ok(())
    }
}

/// Names of phases, for some groups, by the number of the phase from 1: `1:2=solve,3=exchange`.
///
/// In a name `%`, `,`, `;` and `=` are written as `%25`, `%2C`, `%3B` and `%3D`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PhaseNames(Vec<(u32, Vec<(u32, String)>)>);

const ESCAPES: [(&str, &str); 4] = [("%", "%25"), (",", "%2C"), (";", "%3B"), ("=", "%3D")];

impl PhaseNames {
    /// Empty where a phase was not named.
    pub fn of(&self, group: u32, phase: u32) -> &str {
        let names = self.0.iter().find(|(number, _)| *number == group);
        let name = names.and_then(|(_, names)| names.iter().find(|(number, _)| *number == phase));
        name.map_or("", |(_, name)| name)
    }

    /// With others in place of the names; those that have none are left out.
    pub fn renamed(&self, other: impl Fn(&str) -> Option<String>) -> Self {
        let of_group = |(group, names): &(u32, Vec<(u32, String)>)| {
            let renamed = names.iter().filter_map(|(phase, name)| Some((*phase, other(name)?)));
            (*group, renamed.collect())
        };
        Self(self.0.iter().map(of_group).collect())
    }
}

impl FromStr for PhaseNames {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        let name = |text: &str| {
            let (number, name) = text.split_once('=')?;
            let unescape = |name: String, (letter, code): &(&str, &str)| name.replace(code, letter);
            let name = ESCAPES.iter().rev().fold(name.to_owned(), unescape);
            Some((number.parse().ok()?, name)).filter(|(number, _)| *number > 0)
        };
        let group = |text: &str| {
            let (number, names) = text.split_once(':')?;
            let names = names.split(',').filter(|part| !part.is_empty()).map(name);
            Some((number.parse().ok()?, names.collect::<Option<_>>()?))
        };
        by_group(text, group)
            .map(Self)
            .ok_or(ChoiceError("for each group names by phase, such as 1:2=solve,3=exchange"))
    }
}

impl fmt::Display for PhaseNames {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (group, names)) in self.0.iter().enumerate() {
            let escape = |name: String, (letter, code): &(&str, &str)| name.replace(letter, code);
            let names = names.iter().map(|(number, name)| {
                format!("{number}={}", ESCAPES.iter().fold(name.clone(), escape))
            });
            let names = names.collect::<Vec<_>>().join(",");
            write!(out, "{}{group}:{names}", if place > 0 { ";" } else { "" })?;
        }
        Ok(())
    }
}

fn by_group<T>(text: &str, read: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    text.split(';').filter(|part| !part.is_empty()).map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borders_are_read_by_group_and_written_as_they_were() {
        let borders = "1:0.25,0.5;3:".parse::<Borders>().unwrap();
        assert_eq!(borders.of(1), Some(&[0.25, 0.5][..]));
        assert_eq!((borders.of(2), borders.of(3)), (None, Some(&[][..])));
        assert_eq!(borders.to_string(), "1:0.25,0.5;3:");
        assert_eq!("".parse::<Borders>(), Ok(Borders::default()));
        for wrong in ["0.5", "1:0.5,0.5", "1:1", "1:NaN", "1:0", "x:0.5", "1:0.5 "] {
            assert!(wrong.parse::<Borders>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_name_may_hold_every_letter() {
        let name = "a=b;c,d:e%2C <script>";
        let text = PhaseNames(vec![(1, vec![(2, name.to_owned())])]).to_string();
        let names = text.parse::<PhaseNames>().unwrap();
        assert_eq!((names.of(1, 2), names.of(1, 1), names.of(2, 2)), (name, "", ""));
        assert!("1:0=x".parse::<PhaseNames>().is_err() && "1:x".parse::<PhaseNames>().is_err());
    }
}
