//! A straight scale: values to places, and back.

use super::tame;

/// Values of a domain on the px of a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linear {
    /// Values at the begin and at the end of the range.
    pub domain: (f64, f64),
    /// Px; may run downwards or upwards.
    pub range: (f64, f64),
}

impl Linear {
    /// Where `value` lies; beyond the domain, on its end; what is no number, at the begin.
    pub fn at(&self, value: f64) -> f64 {
        let (from, to) = self.domain;
        let share = tame((tame(value) - from) / (to - from)).clamp(0.0, 1.0);
        self.range.0 + share * (self.range.1 - self.range.0)
    }

    /// The value at a place, in the range or beyond it.
    pub fn value(&self, px: f64) -> f64 {
        let (from, to) = self.range;
        self.domain.0 + (px - from) / (to - from) * (self.domain.1 - self.domain.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_lie_in_proportion_and_never_beyond_the_ends() {
        let scale = Linear { domain: (-1.0, 3.0), range: (100.0, 20.0) };
        assert_eq!([-1.0, 0.0, 3.0].map(|v| scale.at(v)), [100.0, 80.0, 20.0]);
        let odd = [-9.0, f64::NEG_INFINITY, 7.0, f64::INFINITY];
        assert_eq!(odd.map(|v| scale.at(v)), [100.0, 100.0, 20.0, 20.0]);
        assert_eq!(scale.value(80.0), 0.0);
        assert!(scale.at(f64::NAN).is_finite());
        let empty = Linear { domain: (2.0, 2.0), range: (0.0, 5.0) };
        assert!(empty.at(2.0).is_finite());
    }
}
