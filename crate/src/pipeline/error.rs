use std::fmt;

use super::nothing::Held;
use crate::model::ExpressionError;
use crate::settings::SettingError;

/// More places where a pass can begin are not told in one sentence.
const MOST_OFFERED: usize = 12;

/// Why a region was not folded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoldError {
    Setting(SettingError),
    /// The trace is a part that has the samples of one region alone.
    OfAnotherRegion {
        asked: String,
        part: String,
    },
    /// An instance in a part of a trace whose samples are not all there: it began in another one of the
    /// same region, before the part.
    Recurs {
        region: String,
    },
    /// Instances are to give their samples whose samples a part does not have any more.
    Summed {
        region: String,
    },
    /// The nearest three that exist.
    NoSuchRegion {
        asked: String,
        nearest: Vec<String>,
    },
    /// Where passes of the first loop can begin; nowhere if nothing repeats.
    NoSuchBoundary {
        asked: String,
        offered: Vec<String>,
    },
    /// The nearest three that exist.
    NoSuchCounter {
        asked: String,
        nearest: Vec<String>,
    },
    /// The nearest three that exist.
    NoSuchModel {
        asked: String,
        nearest: Vec<String>,
    },
    /// A formula that cannot be read.
    Expression {
        text: String,
        error: ExpressionError,
    },
    /// Where one is needed; the first three of them.
    SeveralRegions {
        count: usize,
        first: Vec<String>,
    },
    /// No type of event opens and closes.
    NoRegion(Held),
    /// None is in `objects`, `from`, `to`, `durations` and `instances`, or has a duration.
    NoInstances {
        region: String,
    },
    /// No instance carries the counter that is asked for as the axis, or it counts nothing.
    NoneAlong {
        region: String,
        counter: String,
    },
    /// No instance carries the counter that groups are asked for by.
    NoneCounts {
        region: String,
        counter: String,
    },
    /// Every instance is noise to DBSCAN.
    NoGroup {
        region: String,
    },
    /// None of several regions has anything to fold.
    NothingFolds,
}

impl FoldError {
    /// Whether the request is at fault, not the trace.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            Self::Setting(_)
                | Self::NoSuchRegion { .. }
                | Self::OfAnotherRegion { .. }
                | Self::Summed { .. }
                | Self::NoSuchBoundary { .. }
                | Self::NoSuchCounter { .. }
                | Self::NoSuchModel { .. }
                | Self::Expression { .. }
                | Self::SeveralRegions { .. }
        )
    }
}

impl From<SettingError> for FoldError {
    fn from(error: SettingError) -> Self {
        Self::Setting(error)
    }
}

impl fmt::Display for FoldError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |names: &[String]| match names {
            [] => "there is none".to_owned(),
            [one] => format!("the nearest is {}", quoted(std::slice::from_ref(one))),
            names => format!("the nearest are {}", quoted(names)),
        };
        match self {
            Self::Setting(error) => write!(out, "{error}"),
            Self::OfAnotherRegion { asked, part } => {
                write!(
                    out,
                    "this is a part of a trace for the fold of {part:?}, and has no samples of {asked:?}"
                )
            }
            Self::Recurs { region } => write!(
                out,
                "{region} calls itself across the border of two parts, which do not know it of one another: \
                 accumulate by tasks (--by objects), or fold the trace whole"
            ),
            Self::Summed { region } => write!(
                out,
                "with these settings more samples of {region} would be shown than the part has: it was merged with \
                 others, or made without samples or by a plan; merge the parts that it was made of again with these, \
                 or make them anew"
            ),
            Self::NoSuchRegion { asked, nearest } => {
                write!(out, "unknown region {asked:?}; {}", list(nearest))
            }
            Self::NoSuchBoundary { asked, offered } if offered.is_empty() => {
                write!(out, "setting boundary: no pass begins {asked:?}: nothing repeats")
            }
            Self::NoSuchBoundary { asked, offered } => {
                let (shown, rest) = offered.split_at(offered.len().min(MOST_OFFERED));
                let dots = if rest.is_empty() { "" } else { " …" };
                let offered = quoted(shown);
                write!(out, "setting boundary: no loop calls {asked:?}; it offers {offered}{dots}")
            }
            Self::NoSuchCounter { asked, nearest } => {
                write!(out, "unknown counter {asked:?}; {}", list(nearest))
            }
            Self::NoSuchModel { asked, nearest } => {
                write!(out, "unknown model {asked:?}; {}", list(nearest))
            }
            Self::Expression { text, error } => write!(out, "formula {text:?}: {error}"),
            Self::SeveralRegions { count, first } => {
                write!(out, "{count} regions are meant where one is needed: {} …", quoted(first))
            }
            Self::NoRegion(held) => write!(
                out,
                "this trace has no repeated region: no type of event opens and closes; {held}"
            ),
            Self::NoInstances { region } => write!(
                out,
                "{region:?} has no instance left: all are outside of objects, from, to, durations \
                 and instances, or have no duration"
            ),
            Self::NoneAlong { region, counter } => write!(
                out,
                "{region:?} cannot be folded along {counter:?}: in no instance is it read at the \
                 begin and the end and counts anything; use x=time"
            ),
            Self::NoneCounts { region, counter } => write!(
                out,
                "{region:?} cannot be grouped by {counter:?}: in no instance is it read at the \
                 begin and the end; use group=auto"
            ),
            Self::NoGroup { region } => {
                write!(out, "{region:?} has no group: every instance is noise; use group=auto")
            }
            Self::NothingFolds => write!(out, "none of these regions has anything to fold"),
        }
    }
}

impl std::error::Error for FoldError {}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}
