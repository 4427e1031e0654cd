//! What tables tell, written down before a link makes curves, activities and objects coarser.

use super::Uncertain;
use super::table::between;
use crate::folding::{Curve, Doing, Group, Tabled};

impl Group {
    /// Keeps the numbers of all tables beside what they are made of. What came out of a link has them.
    pub(super) fn write_tables(&mut self) {
        let code_times = (!self.lines.x.is_empty()).then(|| self.code_times().into_owned());
        let r_squared = self.r_squared();
        let tabled = self.curves.iter().zip(r_squared).map(|(curve, r_squared)| {
            let written = || self.tabled(curve, r_squared);
            curve.tabled.clone().unwrap_or_else(written)
        });
        let tabled = tabled.collect::<Vec<_>>();
        let of_phases = (0..self.phases.len()).filter_map(|index| self.computing_in_phase(index));
        let of_phases = of_phases.collect();
        self.code_times = code_times;
        self.curves.iter_mut().zip(tabled).for_each(|(curve, of)| curve.tabled = Some(of));
        if let Some(activity) = &mut self.activity {
            activity.of_phases = of_phases;
        }
    }

    fn tabled(&self, curve: &Curve, r_squared: Option<f64>) -> Tabled {
        let last = f64::from(Tabled::MOMENTS - 1);
        let moment = |index: u32| {
            let x = f64::from(index) / last;
            let Uncertain { value, half_width } = curve.rate_at(x);
            let half_width = if half_width.is_finite() { half_width } else { 0.0 };
            value.is_finite().then_some([value, half_width])
        };
        let range = |phase| self.in_phase(curve, phase).and_then(|of| of.range);
        Tabled {
            moments: (0..Tabled::MOMENTS).map(moment).collect(),
            ranges: (0..self.phases.len()).map(range).collect(),
            r_squared,
        }
    }

    /// The share of the threads' time that computes in a phase; `None` where it is not known.
    pub fn computing_in_phase(&self, index: usize) -> Option<f64> {
        let activity = self.activity.as_ref().filter(|activity| activity.cells() > 0)?;
        let phase = self.phases.get(index)?;
        let carried = activity.of_phases.get(index).copied();
        Some(carried.unwrap_or_else(|| activity.between(Doing::Computing, phase.start, phase.end)))
    }
}

impl Curve {
    /// The rate at folded time `x`, 0 to 1, and the half width of its band: as a table has it, else by
    /// straight lines between grid points.
    pub(super) fn rate_at(&self, x: f64) -> Uncertain {
        match self.tabled.as_ref().and_then(|tabled| tabled.at(x)) {
            Some([value, half_width]) => Uncertain { value, half_width },
            None => {
                Uncertain { value: between(&self.rate, x), half_width: between(&self.rate_band, x) }
            }
        }
    }
}
