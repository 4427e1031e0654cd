use super::Timeline;
use super::raster::{Grid, WIDEST};
use crate::glance::Raster;

/// So many bursts in a column of the finest level: a window of a screen's columns that are finer yet
/// shows some hundred thousand, which are looked at one by one.
const BURSTS_A_COLUMN: usize = 64;

/// Columns of bursts and all levels together take at most so many bytes for each burst.
const BYTES_A_BURST: usize = 40;

/// Levels of fewer columns are of no screen.
const LEAST_COLUMNS: u64 = 128;

/// Rasters of a whole run, each with columns twice as wide as the one before, and the one of finer
/// columns that was asked for last: steps of zoom and of the way often keep the width of columns.
#[derive(Debug, Default)]
pub(super) struct Pyramid {
    rows: u32,
    /// Of the columns of the first.
    exponent: u32,
    levels: Vec<Raster>,
    last: Option<(Grid, Raster)>,
}

impl Pyramid {
    /// No level of a run of few bursts. O(bursts + cells).
    pub fn of(timeline: &Timeline, rows: u32) -> Self {
        let bursts = timeline.bursts();
        let free = BYTES_A_BURST.saturating_sub(timeline.bytes_a_burst());
        let bytes = free * bursts / (2 * (rows as usize + 1));
        let most_columns = (bursts / BURSTS_A_COLUMN).min(bytes) as u64;
        let grid = |exponent| Grid::whole(timeline.runtime_ns, rows, exponent);
        let columns = |exponent: &u32| grid(*exponent).columns.end;
        let exponents = (0..=WIDEST).skip_while(|exponent| columns(exponent) > most_columns);
        let exponents = exponents.take_while(|exponent| columns(exponent) >= LEAST_COLUMNS);
        let (mut exponents, count) = (exponents.clone(), exponents.count());
        let exponent = exponents.next().unwrap_or(0);
        let levels = if count > 0 { timeline.levels(&grid(exponent), count) } else { vec![] };
        Self { rows, exponent, levels, last: None }
    }

    #[cfg(test)]
    pub fn exponent(&self) -> u32 {
        self.exponent
    }

    #[cfg(test)]
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    /// Whether it has the rows that are asked for.
    pub fn is_of(&self, rows: u32) -> bool {
        self.rows == rows
    }

    /// The cells of a grid; `None` if its columns are as wide as those of no level, and not among those
    /// kept last. O(cells).
    pub fn cells(&self, grid: &Grid, runtime_ns: u64) -> Option<Raster> {
        let level = grid.exponent.checked_sub(self.exponent);
        let level = level.and_then(|level| Some((0, self.levels.get(level as usize)?)));
        let is_alike =
            |(of, _): &&(Grid, Raster)| (of.rows, of.exponent) == (grid.rows, grid.exponent);
        let last = || self.last.as_ref().filter(is_alike);
        let (first, of) =
            level.or_else(|| last().map(|(of, raster)| (of.columns.start, raster)))?;
        let column = |column: u64| column.checked_sub(first).map(|column| column as usize);
        let columns = column(grid.columns.start)?..column(grid.columns.end)?;
        let mut raster = grid.raster(runtime_ns);
        raster.classes.reserve_exact(grid.rows as usize * grid.width());
        for row in of.classes.chunks_exact(of.columns as usize) {
            raster.classes.extend_from_slice(row.get(columns.clone())?);
        }
        raster.waiting.extend_from_slice(of.waiting.get(columns)?);
        Some(raster)
    }

    /// Keeps what a grid that no level has shows, in place of the last one.
    pub fn keep(&mut self, grid: Grid, raster: &Raster) {
        self.last = Some((grid, raster.clone()));
    }
}
