use super::super::Figure;
use crate::quantity::{number, signed};

/// How times of one table are written: in one unit, with as many digits as the largest has room for.
pub struct Times {
    ms_per_unit: f64,
    digits: usize,
}

impl Times {
    pub fn of(largest_ms: f64, ms_per_unit: f64) -> Self {
        let largest = largest_ms / ms_per_unit;
        let digits = if largest >= 1000.0 {
            0
        } else {
            usize::from(largest >= 10.0) + 2 * usize::from(largest < 10.0)
        };
        Self { ms_per_unit, digits }
    }

    pub fn figure(&self, ms: Option<f64>) -> Figure {
        Figure::of(ms, |ms| self.text(ms))
    }

    /// A difference: with its sign.
    pub fn signed(&self, ms: f64) -> Figure {
        Figure::of(Some(ms), |ms| self.signed_text(ms))
    }

    pub fn signed_text(&self, ms: f64) -> String {
        signed(ms / self.ms_per_unit, self.digits)
    }

    fn text(&self, ms: f64) -> String {
        number(ms / self.ms_per_unit, self.digits)
    }
}
