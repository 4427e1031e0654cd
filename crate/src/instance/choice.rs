//! What a person can choose of instances and samples; each with its text form and back.

use std::fmt;
use std::str::FromStr;

use strum::{Display, EnumString};

use crate::text::decimal;
use crate::trace::ChoiceError;

/// How instances are told apart, by duration but for the last.
#[derive(Clone, Debug, PartialEq)]
pub enum Grouping {
    /// All in one group.
    None,
    /// By modes that stand apart: [`crate::fit::modes`].
    Auto,
    /// By gaps, as the reference does: [`crate::fit::gaps`].
    Gaps,
    /// By density of durations scaled to 0..1: [`crate::fit::dbscan`].
    Dbscan { min_points: u32, eps: Eps },
    /// By modes of what each counted of the counter of this name.
    By(String),
}

/// How near durations, scaled to 0..1, are neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Eps {
    /// By the distances between them: [`crate::fit::automatic_eps`].
    Auto,
    /// At least 0, with which only equal durations are.
    Fixed(f64),
}

impl FromStr for Grouping {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        const EXPECTED: &str = "auto, none, gaps, by:COUNTER, dbscan:MINPTS or dbscan:MINPTS:EPS such as dbscan:8:0.01";
        let dbscan = || {
            let rest = text.strip_prefix("dbscan:")?;
            let (min_points, eps) = rest.split_once(':').unwrap_or((rest, "auto"));
            let min_points = min_points.parse().ok().filter(|&points| points > 0)?;
            let eps = match eps {
                "auto" => Eps::Auto,
                eps => Eps::Fixed(float(eps).filter(|eps| *eps >= 0.0)?),
            };
            Some(Self::Dbscan { min_points, eps })
        };
        let by = || text.strip_prefix("by:").filter(|name| !name.is_empty());
        match text {
            "none" => Ok(Self::None),
            "auto" => Ok(Self::Auto),
            "gaps" => Ok(Self::Gaps),
            _ => by()
                .map(|name| Self::By(name.to_owned()))
                .or_else(dbscan)
                .ok_or(ChoiceError(EXPECTED)),
        }
    }
}

impl fmt::Display for Grouping {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => write!(out, "none"),
            Self::Auto => write!(out, "auto"),
            Self::Gaps => write!(out, "gaps"),
            Self::By(counter) => write!(out, "by:{counter}"),
            Self::Dbscan { min_points, eps: Eps::Auto } => write!(out, "dbscan:{min_points}:auto"),
            Self::Dbscan { min_points, eps: Eps::Fixed(eps) } => {
                write!(out, "dbscan:{min_points}:{eps}")
            }
        }
    }
}

/// Which instances of a group are left out for their duration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outliers {
    None,
    /// Further from the mean than so many standard deviations.
    Mean(f64),
    /// Further from the median than so many median absolute deviations.
    Median(f64),
    /// Logarithms further from their median than so many times 1.4826 of their median absolute
    /// deviation, which is a standard deviation where they are normal.
    LogMad(f64),
    /// More than so many times longer than the median of any thread, or shorter; at least 1.
    Factor(f64),
}

impl FromStr for Outliers {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        const EXPECTED: &str = "none, mean:K, median:K, logmad:K or factor:K such as median:3";
        let k = |prefix| text.strip_prefix(prefix).and_then(positive);
        let factor = || k("factor:").filter(|k| *k >= 1.0).map(Self::Factor);
        let multiple = k("mean:").map(Self::Mean).or_else(|| k("median:").map(Self::Median));
        match text {
            "none" => Ok(Self::None),
            _ => (multiple.or_else(|| k("logmad:").map(Self::LogMad)).or_else(factor))
                .ok_or(ChoiceError(EXPECTED)),
        }
    }
}

impl fmt::Display for Outliers {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => write!(out, "none"),
            Self::Mean(k) => write!(out, "mean:{k}"),
            Self::Median(k) => write!(out, "median:{k}"),
            Self::LogMad(k) => write!(out, "logmad:{k}"),
            Self::Factor(k) => write!(out, "factor:{k}"),
        }
    }
}

/// Which samples of a counter its curve is fitted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Select {
    All,
    /// The first so many in the order of the trace.
    First(u32),
    /// So many, each nearest to one of as many evenly spread places.
    Distance(u32),
}

impl FromStr for Select {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        const EXPECTED: &str = "all, first:N or distance:N such as distance:500";
        let n = |prefix| {
            text.strip_prefix(prefix).and_then(|n| n.parse().ok()).filter(|&n: &u32| n > 0)
        };
        match (text, n("first:"), n("distance:")) {
            ("all", ..) => Ok(Self::All),
            (_, Some(n), _) => Ok(Self::First(n)),
            (_, _, Some(n)) => Ok(Self::Distance(n)),
            _ => Err(ChoiceError(EXPECTED)),
        }
    }
}

impl fmt::Display for Select {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => write!(out, "all"),
            Self::First(n) => write!(out, "first:{n}"),
            Self::Distance(n) => write!(out, "distance:{n}"),
        }
    }
}

fn positive(text: &str) -> Option<f64> {
    float(text).filter(|value| *value > 0.0)
}

/// A finite number, the whole of `text`.
pub fn float(text: &str) -> Option<f64> {
    decimal(text)
}

/// Of what time a reading of a level tells.
///
/// Source: Paraver holds the last event's value until the next (user guide, semantic functions of events);
/// who writes means of the interval before, as most samplers do, needs the second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, Display)]
#[strum(serialize_all = "lowercase", parse_err_ty = ChoiceError, parse_err_fn = Holds::expected)]
pub enum Holds {
    /// Of that until the next reading; the last of a thread until the thread ends.
    #[default]
    Next,
    /// Of that since the reading before.
    Previous,
    /// Between two readings the level is their mean.
    Mean,
}

impl Holds {
    fn expected(_: &str) -> ChoiceError {
        ChoiceError("next, previous or mean")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: FromStr<Err = ChoiceError> + fmt::Display>(good: &[&str], bad: &[&str]) {
        for text in good {
            let parsed = text.parse::<T>().unwrap_or_else(|_| panic!("{text}"));
            assert_eq!(parsed.to_string(), *text);
        }
        for text in bad {
            assert!(text.parse::<T>().is_err(), "{text}");
        }
    }

    #[test]
    fn every_choice_reads_what_it_writes_and_nothing_else() {
        check::<Grouping>(
            &[
                "none",
                "auto",
                "gaps",
                "by:PAPI_L2_TCM",
                "by:rapl:::PKG",
                "dbscan:8:0.01",
                "dbscan:8:0",
                "dbscan:3:auto",
            ],
            &[
                "",
                "Auto",
                "by:",
                "gaps:3",
                "dbscan",
                "dbscan:",
                "dbscan:0:0.1",
                "dbscan:0",
                "dbscan:8:-1",
                "dbscan:8:NaN",
                "dbscan:8:inf",
                "dbscan:8:",
            ],
        );
        assert_eq!("dbscan:8".parse(), "dbscan:8:auto".parse::<Grouping>());
        check::<Outliers>(
            &["none", "mean:2", "median:1.5", "logmad:3", "factor:2", "factor:1"],
            &[
                "",
                "median",
                "median:0",
                "median:-1",
                "sigma:1",
                "mean:NaN",
                "logmad:",
                "factor:0.5",
            ],
        );
        check::<Select>(
            &["all", "first:7", "distance:500"],
            &["", "first:0", "first:-1", "last:3"],
        );
    }
}
