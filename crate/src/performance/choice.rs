//! What a person can choose of the fit; each with its text form and back.

use std::fmt;
use std::str::FromStr;

use crate::instance::{ChoiceError, float};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// It goes through (0, 0) and (1, 1), as it must.
    Exact,
    /// (0, 0) and (1, 1) are two samples among the others, as the reference has it.
    Soft,
}

impl FromStr for Ends {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        match text {
            "exact" => Ok(Self::Exact),
            "soft" => Ok(Self::Soft),
            _ => Err(ChoiceError("exact or soft")),
        }
    }
}

impl fmt::Display for Ends {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", if *self == Self::Exact { "exact" } else { "soft" })
    }
}
