use super::FoldedFrames;

/// A stretch of folded time in which one routine has most of the samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    pub start: f64,
    pub end: f64,
    /// Its most sampled line: index into [`FoldedFrames::places`].
    pub place: u32,
    /// Samples of the routine in it.
    pub samples: u32,
}

/// Folded time is looked at in so many cells: half a per cent each.
const CELLS: usize = 200;
/// Shorter stretches stay unnamed: 2.5 %, as in the reference.
const SHORTEST_CELLS: usize = 5;

/// The routine that has most of the samples, over folded time; stretches are in order and apart.
///
/// A stretch shorter than 2.5 % is left open, and joined if the same routine lies on both sides.
/// O(samples + cells × routines).
pub fn stretches(frames: &FoldedFrames) -> Vec<Stretch> {
    let mut runs: Vec<(u32, usize, usize)> = Vec::new();
    for (cell, routine) in majority(frames).into_iter().enumerate() {
        let Some(routine) = routine else { continue };
        match runs.last_mut() {
            // Where samples are few, cells without any lie between those of one routine.
            Some((last, _, end)) if *last == routine && cell - *end < SHORTEST_CELLS => {
                *end = cell + 1;
            }
            _ => runs.push((routine, cell, cell + 1)),
        }
    }
    runs.retain(|(_, start, end)| end - start >= SHORTEST_CELLS);
    let mut joined: Vec<(u32, usize, usize)> = Vec::new();
    for (routine, start, end) in runs {
        match joined.last_mut() {
            Some((last, _, before)) if *last == routine && start - *before < SHORTEST_CELLS => {
                *before = end;
            }
            _ => joined.push((routine, start, end)),
        }
    }
    joined.into_iter().filter_map(|run| stretch(frames, run)).collect()
}

/// For each cell the routine with most samples, the more common of two alike; `None` for no samples.
fn majority(frames: &FoldedFrames) -> Vec<Option<u32>> {
    let mut counts = vec![vec![0u32; frames.routines.len()]; CELLS];
    for (&x, &place) in frames.x.iter().zip(&frames.place) {
        let cell = ((x * CELLS as f64) as usize).min(CELLS - 1);
        counts[cell][frames.places[place as usize].0 as usize] += 1;
    }
    counts.iter().map(|counts| most(counts)).collect()
}

/// Index of the largest count, the first of two alike; `None` if all are 0.
fn most(counts: &[u32]) -> Option<u32> {
    let largest = counts.iter().copied().max().filter(|&count| count > 0)?;
    counts.iter().position(|&count| count == largest).map(|index| index as u32)
}

fn stretch(frames: &FoldedFrames, run: (u32, usize, usize)) -> Option<Stretch> {
    let (routine, first, end) = run;
    let (start, end) = (first as f64 / CELLS as f64, end as f64 / CELLS as f64);
    let from = frames.x.partition_point(|x| *x < start);
    let to = frames.x.partition_point(|x| *x < end);
    let mut lines = vec![0u32; frames.places.len()];
    for &place in &frames.place[from..to] {
        lines[place as usize] += u32::from(frames.places[place as usize].0 == routine);
    }
    Some(Stretch { start, end, place: most(&lines)?, samples: lines.iter().sum() })
}

#[cfg(test)]
mod tests {
    use super::super::CodeLine;
    use super::*;

    fn frames(routine_at: impl Fn(f64) -> u32) -> FoldedFrames {
        let x = (0..2000).map(|i| (f64::from(i) + 0.5) / 2000.0).collect::<Vec<_>>();
        let line = |line| CodeLine { file: "a.c".to_owned(), line };
        FoldedFrames {
            routines: ["copy", "add", "spin"].map(str::to_owned).to_vec(),
            places: vec![(0, line(10), 0), (1, line(20), 0), (2, line(30), 0)],
            place: x.iter().map(|&x| routine_at(x)).collect(),
            x,
        }
    }

    fn found(routine_at: impl Fn(f64) -> u32) -> Vec<(f64, f64, u32)> {
        stretches(&frames(routine_at)).iter().map(|s| (s.start, s.end, s.place)).collect()
    }

    #[test]
    fn routines_follow_one_another() {
        let found = found(|x| if x < 0.3 { 0 } else { 1 });
        assert_eq!(found, [(0.0, 0.3, 0), (0.3, 1.0, 1)]);
    }

    #[test]
    fn a_short_visit_does_not_cut_a_stretch() {
        assert_eq!(found(|x| if (0.5..0.51).contains(&x) { 2 } else { 0 }), [(0.0, 1.0, 0)]);
    }

    #[test]
    fn what_is_too_short_between_two_routines_stays_open() {
        let at = |x: f64| {
            if x < 0.5 {
                0
            } else if x < 0.51 {
                2
            } else {
                1
            }
        };
        assert_eq!(found(at), [(0.0, 0.5, 0), (0.51, 1.0, 1)]);
    }

    #[test]
    fn few_samples_still_make_a_stretch() {
        let mut sparse = frames(|x| u32::from(x >= 0.3));
        let every = |step: usize| move |(at, _): &(usize, f64)| at % step == 0;
        let kept = |step| sparse.x.iter().copied().enumerate().filter(every(step));
        // 100 of 2000 samples, one in every other cell.
        let x = kept(20).map(|(_, x)| x).collect::<Vec<_>>();
        sparse.place = kept(20).map(|(at, _)| sparse.place[at]).collect();
        sparse.x = x;
        let found = stretches(&sparse);
        let places = found.iter().map(|stretch| stretch.place).collect::<Vec<_>>();
        assert_eq!(places, [0, 1]);
        assert!((found[0].end - 0.3).abs() <= 0.01 && found[1].end > 0.98, "{found:?}");
    }

    #[test]
    fn no_samples_have_no_stretches() {
        assert_eq!(stretches(&FoldedFrames::default()), []);
    }
}
