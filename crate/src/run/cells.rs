//! Folded time in cells: how much of each some stretches of instances cover, as exact integrals.

use crate::instance::Instance;

/// As many as a wide picture has pixels across a lane.
pub(super) const CELLS: usize = 1024;

/// Time by cell, in the units of [`place`].
#[derive(Clone)]
pub(super) struct Cells {
    /// Of each cell what is of it alone.
    own: Vec<i128>,
    /// Of each cell what is of every one before it.
    before: Vec<i128>,
}

impl Default for Cells {
    fn default() -> Self {
        // One more for what ends at the end of the last.
        Self { own: vec![0; CELLS + 1], before: vec![0; CELLS + 1] }
    }
}

impl Cells {
    /// Adds a stretch inside an instance.
    pub fn add(&mut self, instance: &Instance, [from_ns, to_ns]: [u64; 2]) {
        let of_cell = i128::from(instance.duration_ns);
        for (time_ns, sign) in [(to_ns, 1), (from_ns, -1)] {
            let (cell, units) = place(instance, time_ns);
            self.own[cell] += sign * units as i128;
            self.before[cell] += sign * of_cell;
        }
    }

    /// What share of each cell is covered: every one has as many units as all instances together have
    /// nanoseconds, `all_ns`, above 0.
    pub fn shares(&self, all_ns: u128) -> Vec<f64> {
        let mut later = self.before.iter().sum::<i128>();
        let share = |(own, before): (&i128, &i128)| {
            later -= before;
            (own + later) as f64 / all_ns as f64
        };
        self.own.iter().zip(&self.before).take(CELLS).map(share).collect()
    }
}

/// Where a time is inside an instance: its cell, and how far in it in units of which the cell has as
/// many as the instance has nanoseconds. So sums are of whole numbers, and exact.
pub(super) fn place(instance: &Instance, time_ns: u64) -> (usize, u128) {
    let units = u128::from(time_ns.saturating_sub(instance.start_ns)) * CELLS as u128;
    let of_cell = u128::from(instance.duration_ns.max(1));
    ((units / of_cell) as usize, units % of_cell)
}

/// The whole nanoseconds in which a cell of an instance lies.
pub(super) fn cell_ns(instance: &Instance, cell: usize) -> [u64; 2] {
    let duration_ns = u128::from(instance.duration_ns);
    let [first, last] = [cell, cell + 1].map(|cell| cell as u128 * duration_ns);
    let [first, last] = [first / CELLS as u128, last.div_ceil(CELLS as u128)];
    [first, last].map(|ns| instance.start_ns + ns as u64)
}
