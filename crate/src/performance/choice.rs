//! What a person can choose of the fit; each with its text form and back.

use std::fmt;
use std::str::FromStr;

use strum::{Display, EnumString};

use crate::instance::{ChoiceError, float};

/// Which kind of curve a region is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, Display)]
#[strum(serialize_all = "lowercase", parse_err_ty = ChoiceError, parse_err_fn = Fit::expected)]
pub enum Fit {
    /// Whichever has the smaller cross-validation error; see [`super::fit_group`].
    Auto,
    /// The smoothing spline, which kriging is.
    Kriging,
    /// Straight segments between breaks.
    Segments,
    /// Mean rates between readings.
    Steps,
}

impl Fit {
    fn expected(_: &str) -> ChoiceError {
        ChoiceError("auto, kriging, segments or steps")
    }
}

/// Whose breaks are those of the region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PhasesOf {
    /// All counters together.
    Joint,
    /// One counter, by its name.
    Counter(String),
}

impl FromStr for PhasesOf {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        match text {
            "" => Err(ChoiceError("joint or the name of a counter")),
            "joint" => Ok(Self::Joint),
            name => Ok(Self::Counter(name.to_owned())),
        }
    }
}

impl fmt::Display for PhasesOf {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Joint => write!(out, "joint"),
            Self::Counter(name) => write!(out, "{name}"),
        }
    }
}

/// How smooth a curve is: the nugget of kriging, twelve times the λ of the smoothing spline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Nugget {
    /// Found for each counter by REML.
    Auto,
    Fixed(f64),
}

impl FromStr for Nugget {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        const EXPECTED: &str = "auto or a number from 1e-12 to 1e6 such as 0.0001";
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let number = float(text).filter(|nugget| (1e-12..=1e6).contains(nugget));
        number.map(Self::Fixed).ok_or(ChoiceError(EXPECTED))
    }
}

impl fmt::Display for Nugget {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => write!(out, "auto"),
            Self::Fixed(nugget) => write!(out, "{nugget}"),
        }
    }
}

/// What is known at the ends of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, Display)]
#[strum(serialize_all = "lowercase", parse_err_ty = ChoiceError, parse_err_fn = Ends::expected)]
pub enum Ends {
    /// It goes through (0, 0) and (1, 1), as it must.
    Exact,
    /// (0, 0) and (1, 1) are two samples among the others, as the reference has it.
    Soft,
}

impl Ends {
    fn expected(_: &str) -> ChoiceError {
        ChoiceError("exact or soft")
    }
}
