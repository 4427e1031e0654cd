//! Which regions of the program made the runs longer or shorter.

use serde::{Deserialize, Serialize};

use super::comparison::{LEVEL, Verdict, Wanted, verdict};
use super::decision::holm;
use super::effects::change_of;
use crate::order::{self, Texts};

/// What a run spends in a region of the program, a thread.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RegionSpent {
    pub name: String,
    pub instances: f64,
    /// Without the regions that begin inside of it, so that regions add up to the run.
    pub exclusive_ms: f64,
    /// How many samples lay in which routine meanwhile.
    pub routines: Vec<(String, f64)>,
}

/// A region of both sides, or of one.
#[derive(Clone, Debug, PartialEq)]
pub struct RegionRow {
    pub name: String,
    /// Of each side, means of its runs, a thread; 0 where it has no such region.
    pub instances: [f64; 2],
    pub ms: [f64; 2],
    /// What the change of `ms` is made of: instances that last longer, and more of them.
    pub by_duration_ms: f64,
    pub by_number_ms: f64,
    /// Of `ms`, as a share of A, with a 95 % interval; `None` where a side has one run, or a run has no such region.
    pub change: Option<[f64; 3]>,
    pub verdict: Option<Verdict>,
    /// Of a region that one side has: one that only the other has, in which the same routines were sampled.
    pub perhaps: Option<String>,
}

impl RegionRow {
    pub fn change_ms(&self) -> f64 {
        self.ms[1] - self.ms[0]
    }
}

/// The change of the time of the runs, region by region.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Waterfall {
    /// Of each side, a thread. The changes of all rows are the change of this.
    pub ms: [f64; 2],
    /// Those that change most first.
    pub rows: Vec<RegionRow>,
    /// So many of them are worth to be told: what they change adds up to [`TOLD`] of all changes.
    pub told: usize,
}

impl Waterfall {
    /// What the rows change that are not told.
    pub fn rest_ms(&self) -> f64 {
        // From 0: of nothing, floats sum up to −0.
        self.rows.iter().skip(self.told).fold(0.0, |sum, row| sum + row.change_ms())
    }
}

/// Of the sum of all changes, either way (comparison of foldings, §6).
const TOLD: f64 = 0.95;

/// Regions of less of the time of both sides are not tested: thousands of them would hide what a large one does.
const LEAST_SHARE: f64 = 0.01;

/// Two regions of other names are perhaps one if their samples meet by so much, as code that moved is the same
/// (comparison of foldings, §6).
const MEETS: f64 = 0.5;

/// A region in the runs of each side.
type OfSides<'a> = [Vec<&'a RegionSpent>; 2];

/// What each region of the runs of two sides changes of their time. Regions are the same by name. A run tells
/// nothing of how much a region of it differs from run to run, and waits differ much: a change has an interval where
/// both sides have several runs. `None` if a side has none. O(regions² · routines) of those that one side has.
///
/// Source: comparison of foldings, §6.
pub fn waterfall(sides: [&[Vec<RegionSpent>]; 2], wanted: &Wanted) -> Option<Waterfall> {
    if sides.iter().any(|runs| runs.is_empty()) {
        return None;
    }
    let (mut names, mut regions) = (Texts::default(), Vec::<OfSides<'_>>::new());
    for (side, runs) in sides.iter().enumerate() {
        for region in runs.iter().flatten() {
            let at = names.of(&region.name) as usize;
            regions.resize_with(names.texts.len(), OfSides::default);
            regions[at][side].push(region);
        }
    }
    let counts = sides.map(|runs| runs.len() as f64);
    let mean = |of: &OfSides<'_>, value: fn(&RegionSpent) -> f64| {
        [0, 1]
            .map(|side| of[side].iter().fold(0.0, |sum, region| sum + value(region)) / counts[side])
    };
    let only = only_of_one(&names.texts, &regions);
    let mut rows = vec![];
    for (name, of) in names.texts.iter().zip(&regions) {
        let instances = mean(of, |region| region.instances);
        let ms = mean(of, |region| region.exclusive_ms);
        let by_number_ms = by_number(instances, ms);
        rows.push(RegionRow {
            name: name.clone(),
            instances,
            ms,
            by_duration_ms: ms[1] - ms[0] - by_number_ms,
            by_number_ms,
            change: None,
            verdict: None,
            perhaps: perhaps(name, &only),
        });
    }
    let ms = [0, 1].map(|side| rows.iter().map(|row| row.ms[side]).sum::<f64>());
    let mut tested = vec![];
    for (row, of) in rows.iter_mut().zip(&regions) {
        let is_in_all = [0, 1].map(|side| of[side].len() == sides[side].len()) == [true; 2];
        let has_several = sides.iter().all(|runs| runs.len() > 1);
        let is_some = of.iter().flatten().all(|region| region.exclusive_ms > 0.0);
        if is_in_all && has_several && is_some {
            let log = |region: &&RegionSpent| [libm::log(region.exclusive_ms), 0.0];
            let logs = of.each_ref().map(|runs| runs.iter().map(log).collect());
            let (change, _) = change_of(&logs, wanted.between.of_rate(), f64::INFINITY);
            let [low, high] = change.interval();
            row.change = Some([change.log, low, high].map(libm::expm1));
            if row.ms[0] + row.ms[1] >= LEAST_SHARE * (ms[0] + ms[1]) {
                tested.push((&mut row.verdict, change));
            }
        }
    }
    let least = libm::log(1.0 + wanted.least);
    let p = tested.iter().map(|(_, change)| change.p_beyond(least)).collect::<Vec<_>>();
    for ((told, change), falls) in tested.into_iter().zip(holm(&p, LEVEL)) {
        *told = Some(verdict(&change, falls, least));
    }
    order::by_number(&mut rows, |row| !order::of_float(row.change_ms().abs()));
    let all = rows.iter().map(|row| row.change_ms().abs()).sum::<f64>();
    let mut so_far = 0.0;
    let is_needed = |row: &&RegionRow| {
        let is_needed = so_far < TOLD * all;
        so_far += row.change_ms().abs();
        is_needed
    };
    let told = rows.iter().take_while(is_needed).count();
    Some(Waterfall { ms, rows, told })
}

/// What the change of a number of instances alone changes of their time, were each as long as the mean of both
/// sides; all of it, where one side has none.
fn by_number(instances: [f64; 2], ms: [f64; 2]) -> f64 {
    let each = [0, 1].map(|side| (instances[side] > 0.0).then(|| ms[side] / instances[side]));
    match each {
        [Some(a), Some(b)] => (a + b) / 2.0 * (instances[1] - instances[0]),
        [None, None] => 0.0,
        _ => ms[1] - ms[0],
    }
}

/// Which routines were sampled in a region, and their shares of its samples.
struct Shares {
    routines: Texts,
    shares: Vec<f64>,
}

/// Regions that one side alone has and was sampled in, with the side.
fn only_of_one<'a>(names: &'a [String], regions: &[OfSides<'_>]) -> Vec<(usize, &'a str, Shares)> {
    let mut only = vec![];
    for (name, of) in names.iter().zip(regions) {
        let Some(other) = of.iter().position(Vec::is_empty) else { continue };
        let sampled = || of[1 - other].iter().flat_map(|region| &region.routines);
        let all = sampled().map(|(_, samples)| samples).sum::<f64>();
        let mut own = Shares { routines: Texts::default(), shares: vec![] };
        for (routine, samples) in sampled() {
            let at = own.routines.of(routine) as usize;
            own.shares.resize(own.routines.texts.len(), 0.0);
            own.shares[at] += samples / all;
        }
        if all > 0.0 {
            only.push((1 - other, name.as_str(), own));
        }
    }
    only
}

impl Shares {
    /// The share that both have in common.
    fn meet(&self, other: &Self) -> f64 {
        let routines = self.routines.texts.iter().zip(&self.shares);
        let common = routines.map(|(routine, share)| {
            let there = other.routines.get(routine).and_then(|at| other.shares.get(at as usize));
            there.copied().unwrap_or(0.0).min(*share)
        });
        common.sum()
    }
}

/// Which region that only the other side has is most alike by what was sampled in it.
fn perhaps(name: &str, only: &[(usize, &str, Shares)]) -> Option<String> {
    let (side, _, own) = only.iter().find(|(_, of, _)| *of == name)?;
    let mut best = (MEETS, None);
    for (_, other, shares) in only.iter().filter(|(of, ..)| of != side) {
        let common = own.meet(shares);
        if common > best.0 {
            best = (common, Some((*other).to_owned()));
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(name: &str, instances: f64, exclusive_ms: f64) -> RegionSpent {
        RegionSpent { name: name.to_owned(), instances, exclusive_ms, ..Default::default() }
    }

    fn of(a: &[Vec<RegionSpent>], b: &[Vec<RegionSpent>]) -> Waterfall {
        waterfall([a, b], &Wanted::default()).unwrap()
    }

    #[test]
    fn the_rows_are_the_change_of_the_time_and_duration_and_number_are_a_row() {
        let a = vec![
            region("outside", 1.0, 40.0),
            region("solve", 10.0, 50.0),
            region("old", 2.0, 4.0),
        ];
        let b = vec![
            region("outside", 1.0, 41.0),
            region("solve", 12.0, 84.0),
            region("new", 3.0, 0.1),
        ];
        let both = of(std::slice::from_ref(&a), std::slice::from_ref(&b));
        assert_eq!(both.ms, [94.0, 125.1]);
        let sum = both.rows.iter().map(RegionRow::change_ms).sum::<f64>();
        assert!((sum - 31.1).abs() < 1e-12, "{sum}");
        for row in &both.rows {
            let parts = row.by_duration_ms + row.by_number_ms;
            assert!((parts - row.change_ms()).abs() < 1e-12, "{row:?}");
        }
        // Of 5 and 7 ms each, 10 and 12 instances: 11 × 2 and 6 × 2.
        let solve = &both.rows[0];
        assert_eq!(
            (solve.name.as_str(), solve.by_duration_ms, solve.by_number_ms),
            ("solve", 22.0, 12.0)
        );
        let only = both.rows.iter().filter(|row| row.by_duration_ms == 0.0);
        assert_eq!(only.map(|row| row.name.as_str()).collect::<Vec<_>>(), ["old", "new"]);
        let mirrored = of(&[b], &[a]);
        for (row, other) in both.rows.iter().zip(&mirrored.rows) {
            assert_eq!(row.change_ms(), -other.change_ms());
        }
    }

    #[test]
    fn what_changes_little_is_the_rest() {
        let run = |of: &[f64]| {
            vec![of.iter().enumerate().map(|(at, ms)| region(&at.to_string(), 1.0, *ms)).collect()]
        };
        let both = of(&run(&[10.0, 10.0, 10.0, 10.0]), &run(&[40.0, 2.0, 11.0, 10.5]));
        // 30 + 8 of 39.5 are 96 %.
        assert_eq!((both.told, both.rest_ms()), (2, 1.5));
        let same = of(&run(&[10.0]), &run(&[10.0]));
        assert_eq!((same.told, same.rest_ms()), (0, 0.0));
        let all = of(&run(&[10.0]), &run(&[12.0]));
        assert!(all.told == 1 && all.rest_ms().is_sign_positive(), "no rest is 0, not -0");
    }

    #[test]
    fn a_run_each_tells_no_interval_and_runs_tell_how_much_they_differ() {
        let run = |solve: f64, wait: f64| {
            vec![region("solve", 10.0, solve), region("wait", 10.0, wait), region("once", 1.0, 1.0)]
        };
        let one = of(&[run(50.0, 9.0)], &[run(60.0, 4.0)]);
        assert!(one.rows.iter().all(|row| row.change.is_none() && row.verdict.is_none()));
        let a = [run(50.0, 9.0), run(50.5, 3.0), run(49.8, 5.0)];
        let b = [run(60.0, 4.0), run(60.3, 8.0), run(59.9, 2.0)];
        let three = of(&a, &b);
        let told = |name: &str| three.rows.iter().find(|row| row.name == name).unwrap().verdict;
        assert_eq!(told("solve"), Some(Verdict::Slower));
        assert_eq!(told("wait"), Some(Verdict::NotSeen));
        let c = [run(50.2, 9.0), run(50.3, 3.0), run(49.9, 5.0)];
        assert!(of(&a, &c).rows.iter().all(|row| row.verdict != Some(Verdict::Slower)));
    }

    #[test]
    fn a_region_that_is_called_otherwise_is_offered_by_what_is_sampled_in_it() {
        let with = |name: &str, routines: &[(&str, f64)]| RegionSpent {
            routines: routines
                .iter()
                .map(|(name, samples)| ((*name).to_owned(), *samples))
                .collect(),
            ..region(name, 1.0, 10.0)
        };
        let a =
            vec![with("step", &[("kernel", 80.0), ("copy", 20.0)]), with("io", &[("write", 5.0)])];
        let b = vec![
            with("step_v2", &[("kernel", 30.0), ("copy", 20.0)]),
            with("log", &[("printf", 9.0)]),
        ];
        let both = of(&[a], &[b]);
        let offered =
            |name: &str| both.rows.iter().find(|row| row.name == name).unwrap().perhaps.as_deref();
        assert_eq!(offered("step"), Some("step_v2"));
        assert_eq!(offered("step_v2"), Some("step"));
        assert_eq!((offered("io"), offered("log")), (None, None));
    }

    #[test]
    fn a_side_without_a_run_tells_nothing() {
        assert_eq!(waterfall([&[], &[vec![]]], &Wanted::default()), None);
    }
}
