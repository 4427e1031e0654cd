use super::Timeline;
use super::raster::{Grid, WIDEST};
use crate::glance::Raster;

/// So many bursts in a column of the finest level: a window of a screen's columns that are finer yet
/// shows some hundred thousand, which are looked at one by one.
const BURSTS_A_COLUMN: usize = 128;

/// All levels together take at most so many bytes for each burst.
const BYTES_A_BURST: usize = 8;

/// Levels of fewer columns are of no screen.
const LEAST_COLUMNS: u64 = 128;

/// Rasters of a whole run, each with columns twice as wide as the one before.
#[derive(Debug, Default)]
pub(super) struct Pyramid {
    rows: u32,
    /// Of the columns of the first.
    exponent: u32,
    levels: Vec<Raster>,
}

impl Pyramid {
    /// No level of a run of few bursts. O(bursts + cells).
    pub fn of(timeline: &Timeline, rows: u32) -> Self {
        let bursts = timeline.bursts();
        let bytes = BYTES_A_BURST * bursts / (2 * (rows as usize + 1));
        let most_columns = (bursts / BURSTS_A_COLUMN).min(bytes) as u64;
        let grid = |exponent| Grid::whole(timeline.runtime_ns, rows, exponent);
        let columns = |exponent: &u32| grid(*exponent).columns.end;
        let exponents = (0..=WIDEST).skip_while(|exponent| columns(exponent) > most_columns);
        let exponents = exponents.take_while(|exponent| columns(exponent) >= LEAST_COLUMNS);
        let (mut exponents, count) = (exponents.clone(), exponents.count());
        let exponent = exponents.next().unwrap_or(0);
        let levels = if count > 0 { timeline.levels(&grid(exponent), count) } else { vec![] };
        Self { rows, exponent, levels }
    }

    /// Whether it has the rows that are asked for.
    pub fn is_of(&self, rows: u32) -> bool {
        self.rows == rows
    }

    /// The cells of a grid; `None` if its columns are finer, or wider, than any level. O(cells).
    pub fn cells(&self, grid: &Grid, runtime_ns: u64) -> Option<Raster> {
        let level = self.levels.get(grid.exponent.checked_sub(self.exponent)? as usize)?;
        let columns = grid.columns.start as usize..grid.columns.end as usize;
        let rows = level.classes.chunks_exact(level.columns as usize);
        let mut raster = grid.raster(runtime_ns);
        raster.classes.reserve_exact(grid.rows as usize * grid.width());
        for row in rows {
            raster.classes.extend_from_slice(row.get(columns.clone())?);
        }
        raster.waiting.extend_from_slice(level.waiting.get(columns)?);
        Some(raster)
    }
}
