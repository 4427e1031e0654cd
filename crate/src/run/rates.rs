//! What counters count between their readings, unfolded.

use super::Timeline;
use super::gauge::read;
use super::raster::MOST_COLUMNS;
use crate::glance::{Rates, Window};
use crate::instance::is_instructions;
use crate::trace::{EventType, Kind, Trace};

const NS_PER_US: f64 = 1e3;

impl Rates {
    /// What the threads of a time line count of `counter` in a window. Between two readings a thread
    /// counts evenly: nothing is known better. O(readings of all threads + threads × columns).
    ///
    /// `joules`: how many a count of a counter of energy is. `None` if no counter has that name.
    #[inline(never)]
    pub fn of(
        trace: &Trace,
        timeline: &Timeline,
        counter: &str,
        window: &Window,
        joules: impl Fn(&EventType) -> Option<f64>,
    ) -> Option<Self> {
        let is_it = |of: &EventType| of.kind == Kind::Counter && of.name == counter;
        let column = trace.types.iter().position(is_it)?;
        let mut sums = Sums::of(window, timeline.runtime_ns as f64);
        for thread in timeline.of.iter().filter_map(|at| trace.threads.get(*at as usize)) {
            let mut own = sums.none();
            for (from_ns, to_ns, events) in read(trace, thread, &[column as u32]) {
                own.steps += sums.add(&mut own.cells, [from_ns, to_ns], events);
            }
            sums.take(own);
        }
        let rates = sums.rates();
        let joules = joules(&trace.types[column]);
        let instructions = is_instructions(counter);
        Some(Self { counter: counter.to_owned(), instructions, joules, ..rates })
    }
}

/// Events and the nanoseconds in which they are counted.
type Cell = [f64; 2];

/// Of all threads, column by column.
struct Sums {
    window: [f64; 2],
    begin_ns: f64,
    column_ns: f64,
    cells: Vec<Cell>,
    least: Vec<f64>,
    most: Vec<f64>,
    steps: f64,
    threads: u32,
}

/// The same of one thread.
struct Own {
    cells: Vec<Cell>,
    steps: f64,
}

impl Sums {
    fn of(window: &Window, runtime_ns: f64) -> Self {
        let within = |share: f64| if share > 0.0 { share.min(1.0) } else { 0.0 };
        let [from, to] = [window.from, window.to].map(within);
        let columns = window.columns.clamp(1, MOST_COLUMNS) as usize;
        let width_ns = ((to - from) * runtime_ns).max(f64::MIN_POSITIVE);
        Self {
            window: [from, to],
            begin_ns: from * runtime_ns,
            column_ns: width_ns / columns as f64,
            cells: vec![[0.0; 2]; columns],
            least: vec![f64::NAN; columns],
            most: vec![f64::NAN; columns],
            steps: 0.0,
            threads: 0,
        }
    }

    fn none(&self) -> Own {
        Own { cells: vec![[0.0; 2]; self.cells.len()], steps: 0.0 }
    }

    /// Shares events among the columns in which they are counted. Returns 1 if there is any, else 0.
    fn add(&self, cells: &mut [Cell], [from_ns, to_ns]: [u64; 2], events: u64) -> f64 {
        let place = |ns: u64| (ns as f64 - self.begin_ns) / self.column_ns;
        let last = cells.len() as f64;
        let [from, to] = [place(from_ns), place(to_ns)].map(|place| place.clamp(0.0, last));
        if from >= to {
            return 0.0;
        }
        let rate = events as f64 / (to_ns - from_ns) as f64;
        let first = from as usize;
        for (at, cell) in cells.iter_mut().enumerate().skip(first) {
            let begin = at as f64;
            if begin >= to {
                break;
            }
            let ns = (to.min(begin + 1.0) - from.max(begin)) * self.column_ns;
            cell[0] += rate * ns;
            cell[1] += ns;
        }
        1.0
    }

    fn take(&mut self, own: Own) {
        self.steps += own.steps;
        self.threads += u32::from(own.steps > 0.0);
        for (at, [events, ns]) in own.cells.into_iter().enumerate() {
            if ns > 0.0 {
                let rate = events / ns * NS_PER_US;
                // Of a number and none the smaller, or larger, is the number.
                self.least[at] = self.least[at].min(rate);
                self.most[at] = self.most[at].max(rate);
                self.cells[at][0] += events;
                self.cells[at][1] += ns;
            }
        }
    }

    fn rates(self) -> Rates {
        let mean = self.cells.iter().map(|[events, ns]| events / ns * NS_PER_US);
        let all =
            self.cells.iter().fold([0.0; 2], |sum, cell| [sum[0] + cell[0], sum[1] + cell[1]]);
        let [from, to] = self.window;
        Rates {
            average: all[0] / all[1].max(f64::MIN_POSITIVE) * NS_PER_US,
            from,
            to,
            mean: mean.collect(),
            least: self.least,
            most: self.most,
            threads: self.threads,
            steps: self.steps,
            ..Rates::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Seen;
    use super::*;
    use crate::instance::Repeating;
    use crate::run::made_up::Program;

    /// As the generator of made-up programs labels it.
    const CODE: u64 = 42_000_050;

    fn window(from: f64, to: f64, columns: u32) -> Window {
        Window { from, to, columns, rows: 1, ..Window::default() }
    }

    /// Two threads that live 800 ns. The first counts 100 events by 200 ns and 600 more by 400 ns; the
    /// second 400 by 400 ns, and its first reading, of what was before it, is at 0.
    fn trace() -> Trace {
        let mut program = Program::lasting(800);
        program.reads([1, 1, 1], 0, &[[CODE, 9]]);
        program.reads([1, 1, 1], 200, &[[CODE, 100]]);
        program.reads([1, 1, 1], 400, &[[CODE, 600]]);
        program.reads([1, 2, 1], 0, &[[CODE, 7]]);
        program.reads([1, 2, 1], 400, &[[CODE, 400]]);
        program.trace()
    }

    fn timeline(trace: &Trace) -> Timeline {
        Timeline::of(trace, &Seen::of(trace, &Repeating::default()))
    }

    fn rates(window: &Window) -> Rates {
        let trace = trace();
        let name = &trace.types.iter().find(|of| of.kind == Kind::Counter).unwrap().name;
        Rates::of(&trace, &timeline(&trace), name, window, |_| None).unwrap()
    }

    #[test]
    fn each_column_has_what_is_counted_in_it_over_its_time() {
        let rates = rates(&window(0.0, 1.0, 4));
        assert_eq!(rates.mean[..2], [750.0, 2000.0]);
        assert_eq!([&rates.least[..2], &rates.most[..2]], [[500.0, 1000.0], [1000.0, 3000.0]]);
        assert!(rates.mean[2..].iter().chain(&rates.least[2..]).all(|rate| rate.is_nan()));
        assert_eq!((rates.threads, rates.steps, rates.average), (2, 3.0, 1375.0));
    }

    #[test]
    fn columns_may_be_wider_than_what_is_between_readings_or_finer() {
        let whole = rates(&window(0.0, 1.0, 1));
        assert_eq!((whole.mean[0], whole.least[0], whole.most[0]), (1375.0, 1000.0, 1750.0));
        let fine = rates(&window(0.125, 0.375, 100));
        assert!(fine.mean[..50].iter().all(|rate| (rate - 750.0).abs() < 1e-6));
        assert!(fine.mean[50..].iter().all(|rate| (rate - 2000.0).abs() < 1e-6));
        assert_eq!(fine.steps, 3.0);
        assert!((fine.average - 1375.0).abs() < 1e-6);
        assert_eq!(rates(&window(0.75, 1.0, 3)).steps, 0.0);
    }

    #[test]
    fn a_window_of_no_width_and_a_counter_that_is_not_there_make_no_panic() {
        for window in [window(0.5, 0.5, 0), window(f64::NAN, f64::NAN, 3), window(1.0, 0.0, 9)] {
            assert!(!rates(&window).mean.is_empty());
        }
        let (trace, whole) = (trace(), window(0.0, 1.0, 1));
        assert!(Rates::of(&trace, &timeline(&trace), "none", &whole, |_| None).is_none());
    }
}
