//! Which counters count energy, and in what.
//!
//! Known by name, or named by a person with joules per count. How often the register behind one is
//! refreshed is given, or measured where readings are nearer than that, or 1 ms for those of
//! processors.

use std::fmt;
use std::str::FromStr;

use crate::instance::{ChoiceError, float};

/// Joules of one count of the processors' registers as perf passes it on.
const RAPL_COUNT: f64 = 1.0 / 4_294_967_296.0;
/// PAPI gives the same registers in nanojoules.
const NANOJOULE: f64 = 1e-9;
/// The processors refresh these registers each millisecond.
///
/// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 3, 15.10.1.
const RAPL_REFRESH_NS: u64 = 1_000_000;

/// Names of energy counters: what they begin with, what follows somewhere, joules per count and how
/// often they are refreshed. A counter of an unscaled copy (`_CNT`) has no known unit.
const KNOWN: &[(&str, &str, f64, Option<u64>)] = &[
    ("rapl::RAPL_ENERGY", "", RAPL_COUNT, Some(RAPL_REFRESH_NS)),
    ("rapl:::", "_ENERGY", NANOJOULE, Some(RAPL_REFRESH_NS)),
    ("PACKAGE_ENERGY", "", NANOJOULE, Some(RAPL_REFRESH_NS)),
    ("DRAM_ENERGY", "", NANOJOULE, Some(RAPL_REFRESH_NS)),
    ("PP0_ENERGY", "", NANOJOULE, Some(RAPL_REFRESH_NS)),
    ("PP1_ENERGY", "", NANOJOULE, Some(RAPL_REFRESH_NS)),
    ("power/energy-", "", RAPL_COUNT, Some(RAPL_REFRESH_NS)),
    ("energy-pkg", "", RAPL_COUNT, Some(RAPL_REFRESH_NS)),
    ("energy-cores", "", RAPL_COUNT, Some(RAPL_REFRESH_NS)),
    ("energy-ram", "", RAPL_COUNT, Some(RAPL_REFRESH_NS)),
    ("energy-gpu", "", RAPL_COUNT, Some(RAPL_REFRESH_NS)),
    ("energy-psys", "", RAPL_COUNT, Some(RAPL_REFRESH_NS)),
    ("powercap:::ENERGY_UJ", "", 1e-6, Some(RAPL_REFRESH_NS)),
    ("cray_pm:::PM_ENERGY", "", 1.0, None),
    ("nvml:::", "total_energy_consumption", 1e-3, None),
];

/// Units as labels have them, after a blank or a parenthesis.
const UNITS: &[(&str, f64)] =
    &[("nJ", 1e-9), ("uJ", 1e-6), ("µJ", 1e-6), ("mJ", 1e-3), ("J", 1.0), ("Joules", 1.0)];

/// What is known of a counter of energy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Joules per count.
    pub joules: Option<f64>,
    /// Nanoseconds after which the register is refreshed.
    pub refresh_ns: Option<u64>,
}

/// Which counters count energy, beside those that are known by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EnergyCounters {
    /// Each with its joules per count, if they are given.
    asked: Vec<(String, Option<f64>)>,
    /// Whether none does, whatever its name.
    none: bool,
}

impl EnergyCounters {
    /// `None` if the counter does not count energy. What the choice does not give is known by the
    /// name, or else by the unit in the counter's description.
    pub fn of(&self, name: &str, description: &str) -> Option<Energy> {
        let asked = self.asked.iter().find(|(asked, _)| asked == name);
        let is_it = |(begin, then, ..): &&(&str, &str, f64, Option<u64>)| {
            let rest = name.strip_prefix(begin);
            rest.is_some_and(|rest| rest.contains(then) && !rest.contains("_CNT"))
        };
        let known = KNOWN.iter().find(is_it).filter(|_| !self.none);
        let known = known.map(|&(_, _, joules, refresh_ns)| Energy {
            joules: unit(description).or(Some(joules)),
            refresh_ns,
        });
        let Some((_, joules)) = asked else { return known };
        let known = known.unwrap_or(Energy { joules: unit(description), refresh_ns: None });
        Some(Energy { joules: joules.or(known.joules), ..known })
    }
}

/// Joules of the unit that a description such as `Energy of the package (units: nJ)` ends in.
fn unit(description: &str) -> Option<f64> {
    let words = description.split([' ', '(', ')', '[', ']', ',', ':', ';']);
    let last = words.rev().find(|word| !word.is_empty())?;
    UNITS.iter().find(|(unit, _)| *unit == last).map(|(_, joules)| *joules)
}

impl FromStr for EnergyCounters {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        const EXPECTED: &str = "none, or names of counters between commas, each with its joules per count if they \
             are not known, such as BOARD_ENERGY:0.001";
        // Names may have colons too.
        let counter = |text: &str| {
            let given = text.rsplit_once(':').and_then(|(name, unit)| Some((name, float(unit)?)));
            match given {
                Some((name, joules)) => (joules > 0.0).then(|| (name.to_owned(), Some(joules))),
                None => Some((text.to_owned(), None)),
            }
        };
        let is_named = |(name, _): &(String, Option<f64>)| !name.is_empty();
        match text {
            "" => Ok(Self::default()),
            "none" => Ok(Self { none: true, ..Self::default() }),
            _ => {
                let asked = text.split(',').map(|text| counter(text.trim()).filter(is_named));
                let asked = asked.collect::<Option<_>>().ok_or(ChoiceError(EXPECTED))?;
                Ok(Self { asked, none: false })
            }
        }
    }
}

impl fmt::Display for EnergyCounters {
    /// Nothing where the names decide.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.none {
            return write!(out, "none");
        }
        for (place, (name, joules)) in self.asked.iter().enumerate() {
            write!(out, "{}{name}", if place > 0 { "," } else { "" })?;
            if let Some(joules) = joules {
                write!(out, ":{joules}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joules(choice: &str, name: &str, description: &str) -> Option<Option<f64>> {
        let choice = choice.parse::<EnergyCounters>().unwrap();
        choice.of(name, description).map(|energy| energy.joules)
    }

    #[test]
    fn registers_of_processors_are_known_by_name() {
        for (name, expected) in [
            ("rapl:::PACKAGE_ENERGY:PACKAGE0", Some(1e-9)),
            ("rapl:::DRAM_ENERGY:PACKAGE1", Some(1e-9)),
            ("PACKAGE_ENERGY:PACKAGE0", Some(1e-9)),
            ("power/energy-pkg/", Some(1.0 / 4_294_967_296.0)),
            ("energy-ram", Some(1.0 / 4_294_967_296.0)),
            ("rapl::RAPL_ENERGY_PKG:cpu=0", Some(1.0 / 4_294_967_296.0)),
            ("powercap:::ENERGY_UJ:ZONE0", Some(1e-6)),
            ("cray_pm:::PM_ENERGY:NODE", Some(1.0)),
            ("nvml:::A100:device_0:total_energy_consumption", Some(1e-3)),
        ] {
            assert_eq!(joules("", name, ""), Some(expected), "{name}");
            assert_eq!(joules("none", name, ""), None);
        }
        for name in ["PAPI_TOT_INS", "rapl:::PACKAGE_ENERGY_CNT:PACKAGE0", "rapl:::TDP", "energy"] {
            assert_eq!(joules("", name, ""), None, "{name}");
        }
    }

    #[test]
    fn a_unit_is_given_or_said_by_the_description() {
        let label = "Energy used by chip package 0, units: nJ";
        assert_eq!(joules("BOARD", "BOARD", "Energy of the board (mJ)"), Some(Some(1e-3)));
        assert_eq!(joules("BOARD", "BOARD", label), Some(Some(1e-9)));
        assert_eq!(joules("BOARD:0.5", "BOARD", label), Some(Some(0.5)));
        assert_eq!(joules("BOARD", "BOARD", "Jobs"), Some(None));
        assert_eq!(joules("energy-pkg:2", "energy-pkg", ""), Some(Some(2.0)));
        assert_eq!(joules("a:b:1e-6, c", "a:b", ""), Some(Some(1e-6)));
        assert_eq!(joules("a:b:1e-6, c", "c", ""), Some(None));
    }

    #[test]
    fn the_choice_reads_what_it_writes_and_nothing_else() {
        for text in ["", "none", "A", "A:0.001,b:c", "rapl:::X:PACKAGE0"] {
            assert_eq!(text.parse::<EnergyCounters>().unwrap().to_string(), text);
        }
        for text in [",", "A,", ":1", "A:0", "A:-1"] {
            assert!(text.parse::<EnergyCounters>().is_err(), "{text}");
        }
    }
}
