//! The time line of a run, cell by cell.

use std::ops::Range;

use super::Timeline;
use crate::glance::{Raster, Window};

/// No screen has more pixels.
pub(super) const MOST_COLUMNS: u32 = 16_384;
const MOST_ROWS: u32 = 4_096;

/// Wider columns than 2 to the power of it, in nanoseconds, would not fit into a signed number.
pub(super) const WIDEST: u32 = 62;

/// Cells of a run: rows of one thread or several, columns of a power of two of nanoseconds, which
/// begin at the begin of the run. So a cell is the same one whatever window shows it, and all sums are
/// whole numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    pub rows: u32,
    /// A column is 2 to the power of it wide, in nanoseconds.
    pub exponent: u32,
    /// Those in view, from the begin of the run.
    pub columns: Range<u64>,
}

impl Grid {
    /// The widest columns that are no wider than a pixel of the window.
    pub fn of(window: &Window, runtime_ns: u64, threads: usize) -> Self {
        let run_ns = runtime_ns as f64;
        // No share at all is the begin of the run.
        let within = |share: f64| if share > 0.0 { share.min(1.0) } else { 0.0 };
        let [from, to] = [window.from, window.to].map(|share| within(share) * run_ns);
        let pixel_ns = (to - from) / f64::from(window.columns.clamp(1, MOST_COLUMNS));
        let exponent = (pixel_ns as u64).max(1).ilog2().min(WIDEST);
        let first = (from as u64).min(runtime_ns.saturating_sub(1)) >> exponent;
        let beyond = (libm::ceil(to) as u64).min(runtime_ns).div_ceil(1 << exponent);
        Self {
            rows: window.rows.clamp(1, MOST_ROWS).min(threads.max(1) as u32),
            exponent,
            columns: first..beyond.max(first + 1),
        }
    }

    /// The whole run in columns so wide.
    pub fn whole(runtime_ns: u64, rows: u32, exponent: u32) -> Self {
        Self { rows, exponent, columns: 0..runtime_ns.div_ceil(1 << exponent).max(1) }
    }

    /// The whole run in columns twice as wide.
    fn coarser(&self) -> Self {
        let columns = 0..self.columns.end.div_ceil(2);
        Self { rows: self.rows, exponent: self.exponent + 1, columns }
    }

    fn span_ns(&self) -> [u64; 2] {
        [self.columns.start, self.columns.end].map(|at| at.saturating_mul(1 << self.exponent))
    }

    /// How much of a column lies within the run.
    fn column_ns(&self, column: u64, runtime_ns: u64) -> u64 {
        let begin_ns = column.saturating_mul(1 << self.exponent);
        runtime_ns.saturating_sub(begin_ns).clamp(1, 1 << self.exponent)
    }

    pub fn width(&self) -> usize {
        (self.columns.end - self.columns.start) as usize
    }

    /// An empty raster of these cells.
    pub fn raster(&self, runtime_ns: u64) -> Raster {
        let share =
            |column: u64| column as f64 * (1u64 << self.exponent) as f64 / runtime_ns.max(1) as f64;
        Raster {
            from: share(self.columns.start),
            to: share(self.columns.end),
            rows: self.rows,
            columns: self.width() as u32,
            ..Raster::default()
        }
    }
}

impl Timeline {
    /// What each cell shows: of the classes that its bursts have the one with most time, of two alike
    /// the lower; or nothing, if that is less than the time that is not computed.
    ///
    /// O(bursts in view + cells), and a search of each thread.
    pub(super) fn cells(&self, grid: &Grid) -> Raster {
        self.levels(grid, 1).pop().unwrap_or_default()
    }

    /// The same of cells that begin with the run, and of so many levels of them, each with columns
    /// twice as wide as the one before.
    pub(super) fn levels(&self, finest: &Grid, count: usize) -> Vec<Raster> {
        let grids = std::iter::successors(Some(finest.clone()), |grid| Some(grid.coarser()));
        let grids = grids.take(count).collect::<Vec<_>>();
        let mut rasters = grids.iter().map(|of| of.raster(self.runtime_ns)).collect::<Vec<_>>();
        let mut computed_ns = grids.iter().map(|of| vec![0.0; of.width()]).collect::<Vec<_>>();
        let mut row = Row::of(finest, self.runtime_ns);
        for at in 0..u64::from(finest.rows) {
            let threads = self.threads() as u64;
            let of_row = |at: u64| (at * threads / u64::from(finest.rows)) as usize;
            let of_row = of_row(at)..of_row(at + 1);
            of_row.clone().for_each(|thread| row.add(self.of_thread(thread)));
            let mut levels = rasters.iter_mut().zip(&mut computed_ns).peekable();
            let mut coarser = None;
            while let Some((raster, computed_ns)) = levels.next() {
                let shown = coarser.as_ref().unwrap_or(&row);
                shown.show(of_row.len() as i64, &mut raster.classes, computed_ns);
                coarser = levels.peek().map(|_| shown.coarser());
            }
            row.clear();
        }
        let threads = self.threads().max(1) as f64;
        for ((raster, grid), computed_ns) in rasters.iter_mut().zip(&grids).zip(computed_ns) {
            let waiting = grid.columns.clone().zip(computed_ns).map(|(column, computed_ns)| {
                let whole_ns = grid.column_ns(column, self.runtime_ns) as f64 * threads;
                (255.0 * (1.0 - computed_ns / whole_ns).clamp(0.0, 1.0) + 0.5) as u8
            });
            raster.waiting = waiting.collect();
        }
        rasters
    }
}

/// The sums of a row, as they change from column to column.
///
/// All threads of a row together would have to run for 292 years before a sum wraps.
struct Row {
    grid: Grid,
    runtime_ns: u64,
    /// Of each column the place of its first change.
    firsts: Vec<u32>,
    changes: Vec<Change>,
}

/// How the time of a class changes in a column.
struct Change {
    /// The place of the next change of the column.
    next: u32,
    class: u8,
    /// In this column, against the one before; and in each column behind it.
    here_ns: i64,
    behind_ns: i64,
}

const END: u32 = u32::MAX;

impl Change {
    fn add(&mut self, here_ns: i64, behind_ns: i64) {
        self.here_ns = self.here_ns.wrapping_add(here_ns);
        self.behind_ns = self.behind_ns.wrapping_add(behind_ns);
    }
}

impl Row {
    fn of(grid: &Grid, runtime_ns: u64) -> Self {
        let firsts = vec![END; grid.width()];
        Self { grid: grid.clone(), runtime_ns, firsts, changes: Vec::new() }
    }

    /// Adds the bursts of a thread, each of its class.
    fn add(&mut self, (spans_ns, classes): (&[[u64; 2]], &[u8])) {
        let exponent = self.grid.exponent;
        let [from_ns, beyond_ns] = self.grid.span_ns();
        let first = first_beyond(spans_ns, from_ns);
        let visible = spans_ns.iter().zip(classes).skip(first);
        let column_ns = 1i64 << exponent;
        for (&[begin_ns, end_ns], &class) in visible {
            if begin_ns >= beyond_ns {
                break;
            }
            let begin = begin_ns.max(from_ns) - from_ns;
            let end = end_ns.min(beyond_ns) - from_ns;
            let [first, last] = [begin, end].map(|ns| (ns >> exponent) as usize);
            if first == last {
                self.change(first, class, (end - begin) as i64, 0);
                continue;
            }
            // What is left of the column in which it begins, and in which it ends.
            let left = |ns: u64| column_ns - (ns as i64 & (column_ns - 1));
            self.change(first, class, left(begin), column_ns);
            self.change(last, class, -left(end), -column_ns);
        }
    }

    /// Of the columns in view: the end of a burst may lie beyond.
    fn change(&mut self, column: usize, class: u8, here_ns: i64, behind_ns: i64) {
        let Some(first) = self.firsts.get(column) else { return };
        let mut at = *first;
        while let Some(change) = self.changes.get_mut(at as usize) {
            if change.class == class {
                return change.add(here_ns, behind_ns);
            }
            at = change.next;
        }
        self.push(column, Change { next: END, class, here_ns, behind_ns });
    }

    /// Gives the place of the change.
    fn push(&mut self, column: usize, change: Change) -> usize {
        let at = self.changes.len();
        let next = std::mem::replace(&mut self.firsts[column], at as u32);
        self.changes.push(Change { next, ..change });
        at
    }

    /// Appends what each cell of the row shows, and adds its time to `computed_ns`.
    fn show(&self, threads: i64, shown: &mut Vec<u8>, computed_ns: &mut [f64]) {
        let mut sums = Sums::default();
        let mut column = 0;
        // The last one may reach beyond the run.
        let last_ns = self.grid.column_ns(self.grid.columns.end - 1, self.runtime_ns);
        while let Some(first) = self.firsts.get(column) {
            self.of_column(*first).for_each(|change| sums.change(change));
            let is_changed = *first != END;
            let is_last = column + 1 == self.firsts.len();
            let column_ns = if is_last { last_ns } else { 1 << self.grid.exponent };
            let (class, own_ns) = sums.shown((column_ns as i64).wrapping_mul(threads));
            // Where nothing changes the next columns, but for the last, are the same.
            let same = match is_changed {
                true => 1,
                false => self.unchanged_from(column),
            };
            shown.resize(shown.len() + same, class);
            let of_same = computed_ns.iter_mut().skip(column).take(same);
            of_same.for_each(|computed_ns| *computed_ns += own_ns as f64);
            column += same;
        }
    }

    /// The changes of a column, by the place of its first.
    fn of_column(&self, first: u32) -> impl Iterator<Item = &Change> {
        let next = |change: &&Change| self.changes.get(change.next as usize);
        std::iter::successors(self.changes.get(first as usize), next)
    }

    /// How many columns from this one on have no change, one at least; the last is not counted.
    fn unchanged_from(&self, column: usize) -> usize {
        let others = self.firsts.get(column + 1..self.firsts.len() - 1).unwrap_or(&[]);
        1 + others.iter().take_while(|first| **first == END).count()
    }

    /// The same of columns twice as wide; they begin with the run.
    fn coarser(&self) -> Self {
        let mut coarser = Self::of(&self.grid.coarser(), self.runtime_ns);
        coarser.changes.reserve(self.changes.len());
        // Where the change of each class is, if its place is one of the column; of none yet nowhere.
        let mut of_class = [usize::MAX; 256];
        for (column, pair) in self.firsts.chunks(2).enumerate() {
            let of_column = coarser.changes.len();
            for (half, first) in pair.iter().enumerate() {
                for &Change { class, here_ns, behind_ns, .. } in self.of_column(*first) {
                    // What is added to each column behind the first half is in the second.
                    let here_ns = here_ns.wrapping_add(if half == 0 { behind_ns } else { 0 });
                    let behind_ns = behind_ns.wrapping_mul(2);
                    let at = &mut of_class[usize::from(class)];
                    match coarser.changes.get_mut(*at).filter(|_| *at >= of_column) {
                        Some(change) => change.add(here_ns, behind_ns),
                        None => {
                            *at = coarser
                                .push(column, Change { next: END, class, here_ns, behind_ns })
                        }
                    }
                }
            }
        }
        coarser
    }

    fn clear(&mut self) {
        self.firsts.fill(END);
        self.changes.clear();
    }
}

/// The first of bursts, which rise, that ends after a time; near where it would be if all were alike.
/// O(log bursts).
fn first_beyond(spans_ns: &[[u64; 2]], time_ns: u64) -> usize {
    let is_before = |[_, end_ns]: &[u64; 2]| *end_ns <= time_ns;
    let Some([_, last_ns]) = spans_ns.last() else { return 0 };
    let guess = (spans_ns.len() as f64 * (time_ns as f64 / *last_ns as f64)) as usize;
    let (mut from, mut to) = (guess.min(spans_ns.len()), guess.min(spans_ns.len()));
    let mut step = 8;
    while from > 0 && !is_before(&spans_ns[from - 1]) {
        (from, step) = (from.saturating_sub(step), 2 * step);
    }
    while to < spans_ns.len() && is_before(&spans_ns[to]) {
        (to, step) = ((to + step).min(spans_ns.len()), 2 * step);
    }
    from + spans_ns[from..to].partition_point(is_before)
}

/// The time of each class in a column.
struct Sums {
    /// Of the classes that have any, in no order.
    sums: Vec<Sum>,
    /// Where the sum of each class is, or beyond them all.
    places: [u8; 256],
}

struct Sum {
    class: u8,
    /// In each column from here on, and in this one beside.
    every_ns: i64,
    here_ns: i64,
    /// What is added to each column behind this one.
    behind_ns: i64,
}

impl Default for Sums {
    fn default() -> Self {
        Self { sums: Vec::new(), places: [u8::MAX; 256] }
    }
}

impl Sums {
    fn change(&mut self, &Change { class, here_ns, behind_ns, .. }: &Change) {
        let place = &mut self.places[usize::from(class)];
        match self.sums.get_mut(usize::from(*place)) {
            Some(sum) => (sum.here_ns, sum.behind_ns) = (here_ns, behind_ns),
            None => {
                // Class 0 is of no burst: there are at most 255.
                *place = self.sums.len() as u8;
                self.sums.push(Sum { class, every_ns: 0, here_ns, behind_ns });
            }
        }
    }

    /// What a cell of the column shows, and how much of it is computed; the next column is begun.
    fn shown(&mut self, whole_ns: i64) -> (u8, i64) {
        let (mut most, mut computed_ns, mut is_over) = ((Raster::NOTHING, 0), 0i64, false);
        for sum in &mut self.sums {
            let ns = sum.every_ns.wrapping_add(sum.here_ns);
            computed_ns = computed_ns.wrapping_add(ns);
            if ns > most.1 || (ns == most.1 && ns > 0 && sum.class < most.0) {
                most = (sum.class, ns);
            }
            sum.every_ns = sum.every_ns.wrapping_add(sum.behind_ns);
            (sum.here_ns, sum.behind_ns) = (0, 0);
            is_over |= sum.every_ns == 0;
        }
        if is_over {
            self.leave_out();
        }
        let is_most = most.1 >= whole_ns.wrapping_sub(computed_ns);
        (if is_most { most.0 } else { Raster::NOTHING }, computed_ns)
    }

    /// Leaves out what has no time from here on.
    fn leave_out(&mut self) {
        let mut at = 0;
        while let Some(sum) = self.sums.get(at) {
            if sum.every_ns == 0 {
                self.places[usize::from(sum.class)] = u8::MAX;
                self.sums.swap_remove(at);
            } else {
                self.places[usize::from(sum.class)] = at as u8;
                at += 1;
            }
        }
    }
}
