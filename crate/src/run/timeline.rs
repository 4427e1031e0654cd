use super::pyramid::Pyramid;
use super::raster::Grid;
use super::{Seen, Work};
use crate::folding::Doing;
use crate::glance::{Brush, Colour, Raster, Window};
use crate::trace::Trace;

/// Clusters from this number on have no colour of their own.
const KINDS: u32 = Raster::NOT_BRUSHED as u32;

/// A scale of durations or IPC leaves out this share of the bursts at either end.
const TAIL: f64 = 0.01;

/// The bursts of the threads of a program, as columns: all that its time line shows. At most 40 bytes
/// of each of many bursts, with what was painted of the whole; less than that of few.
pub struct Timeline {
    /// From the begin of the trace to its end, or that of the last burst.
    pub(super) runtime_ns: u64,
    /// Its threads, as indices into those of the trace.
    pub(super) of: Vec<u32>,
    /// Where the bursts of each thread begin, and where the last one's end.
    firsts: Vec<u32>,
    /// Begin and end of each burst.
    spans_ns: Vec<[u64; 2]>,
    /// The class of its cluster, or of what is done.
    kinds: Vec<u8>,
    /// NaN where they are not known; of the last bursts, and of all, they are left out.
    instructions: Vec<f32>,
    ipc: Vec<f32>,
    /// What colours tell, and the class of each burst by it.
    by: (Colour, Option<Brush>),
    classes: Vec<u8>,
    /// As [`Raster::scale`] and [`Raster::present`] have it.
    scale: [f64; 2],
    present: u8,
    pyramid: Pyramid,
}

impl Timeline {
    /// Of a run in which `seen` was found. O(bursts).
    pub fn of(trace: &Trace, seen: &Seen) -> Self {
        let is_shown = |thread: u32| seen.threads.binary_search(&thread).is_ok();
        let of_threads = seen.by_thread().filter(|(_, of)| is_shown(of[0].thread));
        let of_threads = of_threads.collect::<Vec<_>>();
        let count = of_threads.iter().map(|(_, of)| of.len()).sum();
        let mut timeline = Self::with_room(seen.runtime_ns(trace) as u64, count);
        let mut of_threads = of_threads.into_iter().peekable();
        for thread in &seen.threads {
            let bursts = of_threads.next_if(|(_, of)| of[0].thread == *thread);
            for (at, burst) in bursts.into_iter().flat_map(|(first, of)| (first..).zip(of)) {
                let cluster = seen.clusters.of(at as u32);
                let work = seen.work.get(at).copied().flatten();
                timeline.push([burst.begin_ns, burst.end_ns], cluster, work);
            }
            timeline.end_thread();
        }
        timeline.of.clone_from(&seen.threads);
        timeline.colour(timeline.by.clone());
        timeline
    }

    pub(super) fn with_room(runtime_ns: u64, bursts: usize) -> Self {
        Self {
            runtime_ns,
            of: Vec::new(),
            firsts: vec![0],
            spans_ns: Vec::with_capacity(bursts),
            kinds: Vec::with_capacity(bursts),
            instructions: Vec::new(),
            ipc: Vec::new(),
            by: (Colour::default(), None),
            classes: Vec::new(),
            scale: [0.0; 2],
            present: 0,
            pyramid: Pyramid::default(),
        }
    }

    /// Adds a stretch of the last thread: a burst of a cluster, or something that is done.
    pub(super) fn push(&mut self, span_ns: [u64; 2], kind: u32, work: Option<Work>) {
        self.spans_ns.push(span_ns);
        let has_class = (1..KINDS).contains(&kind);
        self.kinds.push(if has_class { kind as u8 } else { Raster::NONE });
        let Some(work) = work else { return };
        let (at, room) = (self.spans_ns.len() - 1, self.spans_ns.capacity());
        for (column, value) in
            [(&mut self.instructions, work.instructions as f32), (&mut self.ipc, work.ipc() as f32)]
        {
            column.reserve_exact(room - column.len());
            column.resize(at, f32::NAN);
            column.push(value);
        }
    }

    /// NaN where they are not known.
    fn instructions(&self, burst: usize) -> f64 {
        self.instructions.get(burst).map_or(f64::NAN, |value| f64::from(*value))
    }

    fn ipc(&self, burst: usize) -> f64 {
        self.ipc.get(burst).map_or(f64::NAN, |value| f64::from(*value))
    }

    /// Bytes of all columns for each burst.
    pub(super) fn bytes_a_burst(&self) -> usize {
        let of_work = if self.ipc.is_empty() { 0 } else { 2 * size_of::<f32>() };
        size_of::<[u64; 2]>() + 2 * size_of::<u8>() + of_work
    }

    pub(super) fn end_thread(&mut self) {
        self.firsts.push(self.spans_ns.len() as u32);
    }

    /// How many threads there are, and bursts.
    pub fn threads(&self) -> usize {
        self.firsts.len() - 1
    }

    pub fn bursts(&self) -> usize {
        self.spans_ns.len()
    }

    /// The bursts of a thread, and their classes.
    pub(super) fn of_thread(&self, thread: usize) -> (&[[u64; 2]], &[u8]) {
        let [first, beyond] = [thread, thread + 1].map(|at| self.firsts[at] as usize);
        (&self.spans_ns[first..beyond], &self.classes[first..beyond])
    }

    /// What is seen in a window, in cells no wider than its pixels.
    ///
    /// O(cells) where much of a run of many bursts is in view, once the whole was painted with these
    /// rows and colours; else O(bursts in view + cells).
    pub fn raster(&mut self, window: &Window) -> Raster {
        let grid = Grid::of(window, self.runtime_ns, self.threads());
        let by = (window.by, window.brush.clone());
        let is_recoloured = self.by != by;
        if is_recoloured {
            self.colour(by);
        }
        if is_recoloured || !self.pyramid.is_of(grid.rows) {
            self.pyramid = Pyramid::default();
            self.pyramid = Pyramid::of(self, grid.rows);
        }
        let raster = self.pyramid.cells(&grid, self.runtime_ns).unwrap_or_else(|| {
            let raster = self.cells(&grid);
            self.pyramid.keep(grid, &raster);
            raster
        });
        Raster { scale: self.scale, present: self.present, ..raster }
    }

    /// The same by what colours told last.
    pub fn raster_again(&mut self, window: &Window) -> Raster {
        let (by, brush) = self.by.clone();
        self.raster(&Window { by, brush, ..*window })
    }

    /// Gives each burst the class that its colour tells.
    pub(super) fn colour(&mut self, (by, brush): (Colour, Option<Brush>)) {
        let logarithm = |[begin_ns, end_ns]: &[u64; 2]| libm::log((end_ns - begin_ns) as f64);
        let (mut classes, scale) = match by {
            Colour::Cluster | Colour::Activity => (self.kinds.clone(), [0.0; 2]),
            Colour::Duration => {
                let (classes, scale) = steps(self.spans_ns.iter().map(logarithm));
                (classes, scale.map(libm::exp))
            }
            Colour::Ipc => steps((0..self.bursts()).map(|burst| self.ipc(burst))),
        };
        self.present = classes.iter().fold(0, |present, class| match class {
            1..=8 => present | 1 << (class - 1),
            _ => present,
        });
        if let Some(brush) = &brush {
            for (class, is_brushed) in classes.iter_mut().zip(self.brushed(brush)) {
                let is_burst = by != Colour::Activity || *class == Doing::Computing.class();
                if !(is_brushed && is_burst) {
                    *class = Raster::not_brushed(*class);
                }
            }
        }
        (self.by, self.classes, self.scale) = ((by, brush), classes, scale);
    }

    /// Whether each burst is brushed.
    fn brushed(&self, brush: &Brush) -> impl Iterator<Item = bool> {
        let by_thread = self.ipc.iter().all(|ipc| ipc.is_nan());
        let of_threads = self.firsts.windows(2).zip(1..).flat_map(move |(of, number)| {
            let (first, beyond) = (of[0] as usize, of[1] as usize);
            (first..beyond).map(move |at| (at, f64::from(number)))
        });
        of_threads.map(move |(at, thread): (usize, f64)| {
            let across = if by_thread { thread } else { self.ipc(at) };
            let [begin_ns, end_ns] = self.spans_ns[at];
            let up = match brush.durations {
                true => (end_ns - begin_ns) as f64,
                false => self.instructions(at),
            };
            brush.holds(across, up)
        })
    }
}

/// The step of each value on a scale from the first to the last percentile, and these.
fn steps(values: impl Iterator<Item = f64> + Clone) -> (Vec<u8>, [f64; 2]) {
    let mut finite = values.clone().filter(|value| value.is_finite()).collect::<Vec<_>>();
    let most = finite.len().saturating_sub(1) as f64;
    let mut quantile = |share: f64| match finite.is_empty() {
        true => 0.0,
        false => *finite.select_nth_unstable_by((share * most) as usize, f64::total_cmp).1,
    };
    let (low, high) = (quantile(TAIL), quantile(1.0 - TAIL));
    let width = (high - low).max(f64::MIN_POSITIVE);
    let step = |value: f64| match value.is_finite() {
        true => {
            let step = (value - low) / width * f64::from(Raster::STEPS);
            (step.clamp(0.0, f64::from(Raster::STEPS - 1)) as u8) + 1
        }
        false => Raster::NONE,
    };
    (values.map(step).collect(), [low, high])
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::*;
    use crate::instance::Repeating;
    use crate::run::made_up::Program;

    /// A burst by its thread, begin, end and number of cluster.
    type Colours = Vec<(usize, [u64; 2], u32)>;

    /// Bursts by thread, then begin.
    fn timeline(runtime_ns: u64, threads: usize, bursts: &Colours) -> Timeline {
        let mut timeline = Timeline::with_room(runtime_ns, bursts.len());
        for thread in 0..threads {
            for &(_, span_ns, cluster) in bursts.iter().filter(|(of, ..)| *of == thread) {
                timeline.push(span_ns, cluster, None);
            }
            timeline.end_thread();
        }
        timeline.colour(timeline.by.clone());
        timeline
    }

    fn window(from: f64, to: f64, columns: u32, rows: u32) -> Window {
        Window { from, to, columns, rows, by: Colour::Cluster, brush: None }
    }

    /// The definition: of each cell the sum of each class, over all bursts.
    fn by_definition(
        runtime_ns: u64,
        threads: usize,
        bursts: &Colours,
        of: &Raster,
    ) -> (Vec<u8>, Vec<u8>) {
        let border = |column: u32| {
            let share = of.from + f64::from(column) / f64::from(of.columns) * (of.to - of.from);
            ((share * runtime_ns as f64).round() as u64).min(runtime_ns)
        };
        let (mut classes, mut computed_ns) = (vec![], vec![0; of.columns as usize]);
        for row in 0..of.rows as usize {
            let [first, beyond] = [row, row + 1].map(|row| row * threads / of.rows as usize);
            for column in 0..of.columns {
                let (begin, end) = (border(column), border(column + 1));
                let mut sums = vec![0; 256];
                for (thread, [burst_begin, burst_end], cluster) in bursts {
                    if (first..beyond).contains(thread) {
                        let class = if (1..100).contains(cluster) { *cluster } else { 255 };
                        sums[class as usize] +=
                            (*burst_end).min(end).saturating_sub((*burst_begin).max(begin));
                    }
                }
                let computed = sums.iter().sum::<u64>();
                computed_ns[column as usize] += computed;
                sums[0] = (end - begin) * (beyond - first) as u64 - computed;
                let most = *sums.iter().max().unwrap();
                // Where a class holds as much as nothing does, it is shown.
                classes.push((1..256).find(|class| sums[*class] >= most.max(1)).unwrap_or(0) as u8);
            }
        }
        let waiting = computed_ns.iter().zip(0..).map(|(computed_ns, column)| {
            let whole_ns = (border(column + 1) - border(column)) * threads as u64;
            (255.0 * (1.0 - *computed_ns as f64 / whole_ns as f64) + 0.5) as u8
        });
        (classes, waiting.collect())
    }

    fn made_up(random: &mut Random, runtime_ns: u64, threads: usize, longest_ns: u64) -> Colours {
        let mut bursts = Colours::new();
        for thread in (0..threads).filter(|thread| thread % 4 != 3) {
            let mut now = random.below(longest_ns);
            while now < runtime_ns {
                let end = (now + 1 + random.below(longest_ns)).min(runtime_ns);
                bursts.push((thread, [now, end], random.below(5) as u32 * 40));
                // Some follow at once.
                now = end + random.below(longest_ns / 2).saturating_sub(longest_ns / 8);
            }
        }
        bursts
    }

    #[test]
    fn each_cell_shows_what_holds_most_of_it_as_the_definition_does() {
        let mut random = Random::new(5);
        for round in 0..60 {
            let runtime_ns = [1024, 1000, 777][round % 3];
            let threads = 1 + random.below(9) as usize;
            let longest_ns = 3 + random.below(60);
            let bursts = made_up(&mut random, runtime_ns, threads, longest_ns);
            let mut timeline = timeline(runtime_ns, threads, &bursts);
            for (from, to, columns) in [
                (0.0, 1.0, 32),
                (0.25, 0.5, 32),
                (0.123, 0.9, 7),
                (0.5, 0.5001, 3),
                (0.0, 1.0, 2000),
            ] {
                let window = window(from, to, columns, 1 + random.below(10) as u32);
                let raster = timeline.raster(&window);
                let (classes, waiting) = by_definition(runtime_ns, threads, &bursts, &raster);
                assert_eq!(
                    (raster.classes.len(), &raster.classes),
                    (classes.len(), &classes),
                    "{window:?} {runtime_ns}"
                );
                assert_eq!(raster.waiting, waiting, "{window:?}");
            }
        }
    }

    #[test]
    fn cells_cover_the_window_and_are_no_wider_than_its_pixels() {
        let timeline = timeline(1_000_003, 3, &vec![]);
        let mut random = Random::new(1);
        for _ in 0..200 {
            let (a, b) = (random.uniform(), random.uniform());
            let window = window(a.min(b), a.max(b), 1 + random.below(900) as u32, 4);
            let grid = Grid::of(&window, timeline.runtime_ns, 3);
            let raster = timeline.cells(&grid);
            assert!(raster.from <= window.from && window.to <= raster.to, "{window:?}");
            let pixel_ns = (window.to - window.from) * 1_000_003.0 / f64::from(window.columns);
            assert!((1u64 << grid.exponent) as f64 <= pixel_ns.max(1.0), "{window:?}");
            assert!((2u64 << grid.exponent) as f64 > pixel_ns, "{window:?}");
        }
    }

    #[test]
    fn what_was_painted_of_the_whole_is_what_is_painted_of_a_window() {
        let mut random = Random::new(2);
        for threads in [1, 5, 40] {
            let runtime_ns = 1 << 20;
            let bursts = made_up(&mut random, runtime_ns, threads, 60 * threads as u64);
            let mut timeline = timeline(runtime_ns, threads, &bursts);
            let is_of_level = |timeline: &Timeline, grid: &Grid| {
                let level = grid.exponent.checked_sub(timeline.pyramid.exponent());
                level.is_some_and(|level| (level as usize) < timeline.pyramid.levels())
            };
            let (mut kept, mut alone) = (0, 0);
            for rows in [1, 3, 40] {
                for columns in [100, 333] {
                    for (from, to) in
                        [(0.0, 1.0), (0.1, 0.9), (0.3, 0.301), (0.999, 1.0), (0.501, 0.52)]
                    {
                        let window = window(from, to, columns, rows);
                        let grid = Grid::of(&window, runtime_ns, threads);
                        let shown = timeline.raster(&window);
                        assert_eq!(shown, timeline.cells(&grid), "{window:?}");
                        // A part of it, in columns as wide.
                        let part = Window {
                            from: from + (to - from) * 0.2,
                            to: to - (to - from) * 0.3,
                            columns: columns / 2,
                            ..window.clone()
                        };
                        let grid_of_part = Grid::of(&part, runtime_ns, threads);
                        if grid_of_part.exponent == grid.exponent {
                            assert!(timeline.pyramid.cells(&grid_of_part, runtime_ns).is_some());
                        }
                        assert_eq!(
                            timeline.raster(&part),
                            timeline.cells(&grid_of_part),
                            "{part:?}"
                        );
                        let shown = timeline.raster(&window);
                        assert_eq!(shown, timeline.cells(&grid), "{window:?}");
                        match is_of_level(&timeline, &grid) {
                            true => kept += 1,
                            false => alone += 1,
                        }
                    }
                }
            }
            assert!(kept >= 4 && alone >= 4, "{kept} {alone}");
        }
    }

    #[test]
    fn colours_of_a_time_line_that_was_painted_are_those_asked_for() {
        let bursts =
            (0..40_000).map(|at| (0, [10 * at, 10 * at + 7 + at % 3], 1 + (at % 2) as u32));
        let mut timeline = timeline(400_000, 1, &bursts.collect());
        let whole = window(0.0, 1.0, 100, 1);
        let clusters = timeline.raster(&whole);
        assert!(timeline.pyramid.cells(&Grid::of(&whole, 400_000, 1), 400_000).is_some());
        let durations = timeline.raster(&Window { by: Colour::Duration, ..whole.clone() });
        assert_ne!(durations.classes, clusters.classes);
        assert_eq!(timeline.raster(&whole), clusters);
    }

    #[test]
    fn bursts_that_are_not_brushed_keep_their_colour_as_another_class() {
        let mut timeline = Timeline::with_room(400, 4);
        for (at, ipc, cluster) in [(0, 1, 1), (1, 2, 2), (2, 3, 0), (3, 1, 1)] {
            let work = Work { instructions: 1000 + at, cycles: (1000 + at) / ipc };
            timeline.push([100 * at, 100 * at + 100], cluster, Some(work));
        }
        timeline.end_thread();
        timeline.colour(timeline.by.clone());
        let of = |across, up, durations| Some(Brush { across, up, durations, outline: vec![] });
        let mut shown = |brush| {
            let raster = timeline.raster(&Window { brush, ..window(0.0, 1.0, 4, 1) });
            let at = |share| raster.classes[raster.column(share).unwrap()];
            [0.1, 0.35, 0.6, 0.85].map(at)
        };
        let none = Raster::not_brushed(Raster::NONE);
        assert_eq!(shown(None), [1, 2, Raster::NONE, 1]);
        assert_eq!(shown(of([0.5, 1.5], [0.0, 1e9], true)), [1, 102, none, 1]);
        assert_eq!(shown(of([0.5, 1.5], [1001.0, 1e9], false)), [101, 102, none, 1]);
        assert_eq!(shown(of([2.5, 9.0], [100.0, 100.0], true)), [101, 102, Raster::NONE, 101]);
        assert_eq!(shown(of([0.0, 9.0], [0.0, 99.0], true)), [101, 102, none, 101]);
        // 100 ns are 2 on the logarithmic axis: there the triangle reaches from 1.75 to 2.25.
        let outline = vec![[1.0, 1.5], [3.0, 1.5], [2.0, 2.5]];
        let lasso =
            |outline| of([0.0, 9.0], [0.0, 1e9], true).map(|brush| Brush { outline, ..brush });
        assert_eq!(shown(lasso(outline)), [101, 2, none, 101]);
        assert_eq!(shown(lasso(vec![[5.0, 1.5], [6.0, 1.5], [5.0, 2.5]])), [101, 102, none, 101]);
        assert_eq!(shown(None), [1, 2, Raster::NONE, 1]);
        for class in (1..100).chain([Raster::NONE]) {
            let other = Raster::not_brushed(class);
            assert_eq!((other != class, Raster::brushed(other)), (true, class));
        }
    }

    #[test]
    fn bursts_without_work_are_brushed_by_thread_and_duration() {
        let mut timeline = timeline(100, 2, &vec![(0, [0, 100], 1), (1, [0, 50], 1)]);
        let brush = Brush { across: [1.5, 2.5], up: [0.0, 1e9], durations: true, outline: vec![] };
        let window = Window { brush: Some(brush), ..window(0.0, 0.4, 2, 2) };
        let raster = timeline.raster(&window);
        let rows = raster.classes.chunks_exact(raster.columns as usize).map(|row| row[0]);
        assert_eq!(rows.collect::<Vec<_>>(), [101, 1]);
    }

    #[test]
    fn threads_of_another_application_and_a_run_without_bursts_have_rows_of_nothing_or_none() {
        let mut program = Program::lasting(100);
        program.computes([1, 1, 1], 0, 100, &[]);
        program.reads([2, 1, 1], 50, &[[9, 1]]);
        let (trace, view) = (program.trace(), window(0.0, 1.0, 2, 10));
        let shown = Timeline::of(&trace, &Seen::of(&trace, &Repeating::default())).raster(&view);
        assert_eq!(shown.rows, 1);
        assert!(shown.classes.iter().all(|class| *class == Raster::NONE));
        assert!(shown.waiting.iter().all(|share| *share == 0));

        let mut silent = Program::lasting(100);
        silent.reads([1, 1, 1], 50, &[[9, 1]]);
        silent.reads([1, 2, 1], 50, &[[9, 1]]);
        let trace = silent.trace();
        let shown = Timeline::of(&trace, &Seen::of(&trace, &Repeating::default())).raster(&view);
        assert_eq!(shown.rows, 2);
        assert!(shown.classes.iter().all(|class| *class == Raster::NOTHING));
    }

    #[test]
    fn a_run_of_no_time_or_of_all_time_is_shown_without_a_panic() {
        for runtime_ns in [0, 1, u64::MAX] {
            let bursts = [(0, [0, runtime_ns], 1), (1, [runtime_ns / 2, runtime_ns], 2)];
            let mut timeline = timeline(runtime_ns, 2, &bursts.to_vec());
            for window in
                [window(0.0, 1.0, 100, 2), window(1.0, 1.0, 1, 1), window(f64::NAN, 2.0, 0, 0)]
            {
                assert!(timeline.raster(&window).columns > 0);
            }
        }
    }

    #[test]
    fn colours_of_a_scale_run_from_its_first_to_its_last_percentile() {
        let values = (0..1000).map(f64::from).chain([1e9, f64::NAN]);
        let (steps, ends) = steps(values);
        assert!(ends[0] > 0.0 && ends[0] < 20.0 && ends[1] > 980.0 && ends[1] < 1000.0, "{ends:?}");
        assert_eq!((steps[0], steps[999], steps[1000], steps[1001]), (1, 8, 8, Raster::NONE));
        assert!(steps[..1000].is_sorted());
        let of_each = |step: u8| steps.iter().filter(|own| **own == step).count();
        assert!((1..=8).all(|step| (110..150).contains(&of_each(step))), "{steps:?}");
        assert_eq!(super::steps([3.0; 4].into_iter()), (vec![1; 4], [3.0; 2]));
    }
}
