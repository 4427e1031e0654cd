//! Mean rates between readings that stand at few places of a region: steps.
//!
//! Where counters are read at calls only, nothing tells how they count in between, and a smooth
//! curve through few places is made up. What is known of an instance is the mean rate between two
//! of its readings. *Anchors* are places that every instance has, in the same order, such as the
//! begin of its third `MPI_Wait`: between two of them the rate is Σ events / Σ time. Without anchors
//! the broken lines of the instances, each through its own readings, are averaged. Both are weighted
//! means of rates between neighbouring readings: none is above the largest of these, none is
//! negative, and all events are counted.
//!
//! A band is the jackknife over groups of instances.
//!
//! Source: ours (`static/guide/methods.html#steps`).

use super::group::{Fitted, scale, zero};
use super::samples::Measured;
use crate::fit;
use crate::folding::{Break, Curve, CurveKind, FitReport, FoldedCounter, FoldedSample, PhaseRate};
use crate::instance::Giving;

/// Readings stand at few places if as many, evenly spread, as leave gaps like theirs are fewer than
/// this share of them. Sampled regions have .93 to 1.2, those read at calls .0003 to .12, one with
/// locks everywhere .36 (eight traces).
const FEW: f64 = 0.2;

/// Anchors nearer than this share of the region are one.
const NEAREST: f64 = 1e-3;

/// So many groups of instances are left out in turn.
const MOST_GROUPS: usize = 20;

/// Whether the readings of the counters of a group stand at few places only, or nowhere.
pub fn are_at_few_places(counters: &[Measured<'_>]) -> bool {
    let readings = |of: &Measured<'_>| {
        let kept = of.folded.samples.iter().filter(|sample| sample.kept);
        kept.map(|sample| sample.x).collect::<Vec<_>>()
    };
    let most = counters.iter().map(readings).max_by_key(Vec::len);
    most.is_some_and(|mut x| x.is_empty() || spread(&mut x) < FEW * x.len() as f64)
}

/// How many readings, evenly spread, leave such gaps as these: 2 / Σ gap².
fn spread(x: &mut [f64]) -> f64 {
    crate::order::floats(x);
    let ends = std::iter::once(0.0).chain(x.iter().copied()).zip(x.iter().copied().chain([1.0]));
    2.0 / ends.map(|(from, to)| (to - from) * (to - from)).sum::<f64>()
}

/// Places that every kept instance of a group has, in the same order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Anchors {
    /// What stands there.
    pub names: Vec<String>,
    /// Of each, where: by kept instance, its folded time.
    pub places: Vec<Vec<f64>>,
}

/// The kept instances of a group: index into all of them, rising, and how long each is.
pub type Lengths = [(u32, f64)];

impl Anchors {
    /// Those that are apart in the mean instance, and where they are there: Σ times / Σ lengths.
    fn apart(&self, lengths: &Lengths) -> (Self, Vec<f64>) {
        let all = lengths.iter().map(|(_, length)| length).sum::<f64>();
        let (mut apart, mut means) = (Self::default(), Vec::new());
        for (name, places) in self.names.iter().zip(&self.places) {
            let times = places.iter().zip(lengths).map(|(x, (_, length))| x * length);
            let mean = times.sum::<f64>() / all;
            if mean - means.last().copied().unwrap_or(0.0) >= NEAREST && 1.0 - mean >= NEAREST {
                apart.names.push(name.clone());
                apart.places.push(places.clone());
                means.push(mean);
            }
        }
        (apart, means)
    }
}

/// Fewer anchors, near each other or not, tell less than the instances' own lines.
const FEWEST_ANCHORS: usize = 3;

/// The counters of a group as steps. Those of its instances that are `giving` give their samples. `borders`:
/// where a person put those of phases; else they are the anchors.
///
/// O(samples + groups × (anchors + points)).
pub fn steps(
    counters: &[Measured<'_>],
    anchors: &Anchors,
    lengths: &Lengths,
    giving: &Giving,
    borders: Option<&[f64]>,
    grid: &[f64],
) -> Fitted {
    let are_enough = anchors.names.len() >= FEWEST_ANCHORS;
    let (anchors, means) = anchors.apart(lengths);
    let are_anchored = are_enough && !means.is_empty();
    let places = match (borders, are_anchored) {
        (Some(borders), _) => borders.to_vec(),
        (None, true) => means,
        (None, false) => vec![],
    };
    let curve = |of: &Measured<'_>| {
        let own = OwnLines { folded: of.folded, lengths, giving };
        let lines = match are_anchored {
            true => own.anchored(&anchors),
            false => own.averaged(grid),
        };
        let mut curve = lines.curve(grid, &places);
        if of.folded.total == 0.0 {
            curve = zero(grid.len(), places.len() + 1);
        }
        scale(&mut curve, of.folded.mean_rate());
        curve
    };
    let curves = counters.iter().map(curve).collect::<Vec<_>>();
    let breaks = places.iter().enumerate().map(|(index, &at)| {
        let anchor = anchors.places.get(index).filter(|_| borders.is_none());
        Break {
            at,
            half_width: anchor.map_or(0.0, |places| deviation(places)),
            changed: (0..)
                .zip(&curves)
                .filter(|(_, c)| changes(c, index))
                .map(|(i, _)| i)
                .collect(),
            by_hand: borders.is_some(),
            site: anchor.map_or_else(String::new, |_| anchors.names[index].clone()),
        }
    });
    let breaks = breaks.collect();
    let report = FitReport { kind: CurveKind::Steps, ..FitReport::default() };
    Fitted { curves, report, breaks }
}

/// How far the places of an anchor lie from their mean.
fn deviation(places: &[f64]) -> f64 {
    fit::mean_and_deviation(places).map_or(0.0, |(_, deviation)| deviation)
}

/// Whether the rate behind a border differs from that before it by more than both intervals allow.
fn changes(curve: &Curve, border: usize) -> bool {
    match curve.phases.get(border..border + 2) {
        Some([before, after]) => {
            let (e, f) = (before.half_width, after.half_width);
            (after.rate - before.rate).abs() > (e * e + f * f).sqrt()
        }
        _ => false,
    }
}

/// The broken lines of the instances of a counter, each through its own readings.
struct OwnLines<'a> {
    folded: &'a FoldedCounter,
    lengths: &'a Lengths,
    giving: &'a Giving,
}

/// What is known of one instance.
struct Own<'a> {
    /// Which of the kept ones.
    place: usize,
    length: f64,
    total: f64,
    /// Its readings, as shares.
    readings: &'a [FoldedSample],
}

impl OwnLines<'_> {
    fn each(&self) -> impl Iterator<Item = Own<'_>> {
        let mut readings = self.folded.samples.as_slice();
        let mut kept = self.lengths.iter().enumerate().peekable();
        let with_samples = |(at, _): &&(u32, u64)| self.giving.has(*at as usize);
        self.folded.carried.iter().filter(with_samples).filter_map(move |&(instance, total)| {
            while kept.next_if(|(_, (at, _))| *at < instance).is_some() {}
            let (place, (_, length)) = kept.next_if(|(_, (at, _))| *at == instance)?;
            let begin = readings.partition_point(|sample| sample.instance < instance);
            let count = readings[begin..].partition_point(|sample| sample.instance == instance);
            let (own, rest) = readings[begin..].split_at(count);
            readings = rest;
            Some(Own { place, length: *length, total: total as f64, readings: own })
        })
    }

    /// Through the sums of all instances at the anchors.
    fn anchored(&self, anchors: &Anchors) -> Lines {
        let mut lines = Lines::new(self.groups(), anchors.names.len() + 2);
        for (number, own) in self.each().enumerate() {
            let Sums { x, y } = lines.of_group(number);
            let places = anchors.places.iter().map(|of_anchor| of_anchor[own.place]);
            let shares = own.at(places.clone().chain([1.0]));
            for ((place, share), at) in places.chain([1.0]).zip(shares).zip(1..) {
                x[at] += place * own.length;
                y[at] += share * own.total;
            }
        }
        lines
    }

    /// The mean of the lines, at the points of a grid.
    fn averaged(&self, grid: &[f64]) -> Lines {
        let mut lines = Lines::new(self.groups(), grid.len());
        lines.places = Some(grid.to_vec());
        for (number, own) in self.each().enumerate() {
            let Sums { x, y } = lines.of_group(number);
            let shares = own.at(grid.iter().copied());
            for ((place, share), at) in grid.iter().zip(shares).zip(0..) {
                x[at] += place * own.length;
                y[at] += share * own.total;
            }
        }
        lines
    }

    /// How many groups the instances are dealt to.
    fn groups(&self) -> usize {
        self.each().count().clamp(1, MOST_GROUPS)
    }
}

impl Own<'_> {
    /// The share of its events that had happened at each of some rising places.
    fn at(&self, places: impl Iterator<Item = f64>) -> Vec<f64> {
        let mut before = (0.0, 0.0);
        let mut ahead = self.readings.iter().map(|sample| (sample.x, sample.y)).chain([(1.0, 1.0)]);
        let mut next = ahead.next();
        let share = |x: f64| {
            while let Some(reading) = next.filter(|(at, _)| *at <= x) {
                before = reading;
                next = ahead.next();
            }
            let Some((end, share)) = next else { return before.1 };
            before.1 + (share - before.1) * (x - before.0) / (end - before.0)
        };
        places.map(share).collect()
    }
}

/// Times and events up to the same places, summed over instances.
#[derive(Clone)]
struct Sums {
    x: Vec<f64>,
    y: Vec<f64>,
}

/// The sums of each group of instances.
struct Lines {
    groups: Vec<Sums>,
    /// Where they are, if that is the same in every instance: to the last digit, as pieces begin there.
    places: Option<Vec<f64>>,
}

impl Lines {
    fn new(groups: usize, places: usize) -> Self {
        let sums = Sums { x: vec![0.0; places], y: vec![0.0; places] };
        Self { groups: vec![sums; groups], places: None }
    }

    fn of_group(&mut self, instance: usize) -> &mut Sums {
        let groups = self.groups.len();
        &mut self.groups[instance % groups]
    }

    /// Those of all groups but one.
    fn without(&self, left_out: Option<usize>) -> Line {
        let places = self.groups.first().map_or(0, |sums| sums.x.len());
        let mut line = Line { x: vec![0.0; places], y: vec![0.0; places], rate: 0.0 };
        let groups = self.groups.iter().enumerate();
        for (_, sums) in groups.filter(|(group, _)| Some(*group) != left_out) {
            line.x.iter_mut().zip(&sums.x).for_each(|(sum, own)| *sum += own);
            line.y.iter_mut().zip(&sums.y).for_each(|(sum, own)| *sum += own);
        }
        let line = line.in_shares();
        match &self.places {
            Some(places) => Line { x: places.clone(), ..line },
            None => line,
        }
    }

    /// Shares, not yet rates: the curve on the grid, and its mean slopes between `borders`.
    fn curve(&self, grid: &[f64], borders: &[f64]) -> Curve {
        let all = self.without(None);
        // Without a group the mean rate is another, too.
        let slopes_of = |line: &Line, slopes: Vec<f64>| {
            let factor = if all.rate > 0.0 { line.rate / all.rate } else { 1.0 };
            slopes.into_iter().map(|slope| factor * slope).collect()
        };
        let mut curve = Curve {
            fitted: all.values(grid),
            rate: all.slopes(grid),
            own_breaks: borders.to_vec(),
            ..Curve::default()
        };
        let groups = self.groups.len();
        let slopes = all.slopes_between(borders);
        let mut half_widths = vec![0.0; slopes.len()];
        if groups >= FEWEST_GROUPS {
            let without = (0..groups).map(|group| self.without(Some(group))).collect::<Vec<_>>();
            let half_width = |of: &dyn Fn(&Line) -> Vec<f64>| half_widths_of(&without, of);
            curve.fitted_band = half_width(&|line| line.values(grid));
            curve.rate_band = half_width(&|line| slopes_of(line, line.slopes(grid)));
            half_widths = half_width(&|line| slopes_of(line, line.slopes_between(borders)));
        }
        let phases = slopes.into_iter().zip(half_widths);
        curve.phases = phases.map(|(rate, half_width)| PhaseRate { rate, half_width }).collect();
        curve
    }
}

/// What differs by less of itself is rounded differently, and the same.
const ROUNDING: f64 = 1e-9;

/// With fewer groups of instances nothing tells how sure a rate is.
const FEWEST_GROUPS: usize = 3;

/// Of 95 % intervals, by the jackknife.
///
/// Source: Efron and Tibshirani 1993, *An introduction to the bootstrap*, ch. 11.
fn half_widths_of(without: &[Line], of: &dyn Fn(&Line) -> Vec<f64>) -> Vec<f64> {
    let groups = without.len() as f64;
    let quantile = fit::student_quantile(without.len() - 1);
    let values = without.iter().map(of).collect::<Vec<_>>();
    let at = |index: usize| {
        let mean = values.iter().map(|values| values[index]).sum::<f64>() / groups;
        let squares = values.iter().map(|values| (values[index] - mean) * (values[index] - mean));
        let half_width = quantile * ((groups - 1.0) / groups * squares.sum::<f64>()).sqrt();
        if half_width > ROUNDING * mean.abs() { half_width } else { 0.0 }
    };
    (0..values[0].len()).map(at).collect()
}

/// A broken line from (0, 0) to (1, 1), rising.
struct Line {
    x: Vec<f64>,
    y: Vec<f64>,
    /// All events over all time.
    rate: f64,
}

impl Line {
    fn in_shares(mut self) -> Self {
        let ends = self.y.last().zip(self.x.last());
        self.rate = ends.map_or(0.0, |(events, time)| events / time);
        for column in [&mut self.x, &mut self.y] {
            let all = column.last().copied().filter(|all| *all > 0.0).unwrap_or(1.0);
            column.iter_mut().for_each(|value| *value /= all);
        }
        self
    }

    /// The piece in which a place lies: from a point to the next, the later one at a point.
    fn piece(&self, x: f64) -> usize {
        let behind = self.x.partition_point(|at| *at <= x);
        behind.clamp(1, self.x.len() - 1) - 1
    }

    fn slope(&self, piece: usize) -> f64 {
        let width = self.x[piece + 1] - self.x[piece];
        if width > 0.0 { (self.y[piece + 1] - self.y[piece]) / width } else { 0.0 }
    }

    fn values(&self, places: &[f64]) -> Vec<f64> {
        let value = |x: &f64| {
            let piece = self.piece(*x);
            self.y[piece] + self.slope(piece) * (x - self.x[piece])
        };
        places.iter().map(value).collect()
    }

    fn slopes(&self, places: &[f64]) -> Vec<f64> {
        places.iter().map(|x| self.slope(self.piece(*x))).collect()
    }

    /// Mean slopes between rising borders, and to the ends.
    fn slopes_between(&self, borders: &[f64]) -> Vec<f64> {
        let ends = std::iter::once(0.0).chain(borders.iter().copied()).chain([1.0]);
        let ends = ends.collect::<Vec<_>>();
        let values = self.values(&ends);
        let pairs = ends.windows(2).zip(values.windows(2));
        pairs.map(|(x, y)| (y[1] - y[0]) / (x[1] - x[0])).collect()
    }
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::*;

    /// Instances of four phases, whose borders lie elsewhere in each by `jitter` of the region; read
    /// at their borders, and at as many places anywhere as `more`.
    struct Made {
        folded: FoldedCounter,
        lengths: Vec<(u32, f64)>,
        anchors: Anchors,
        /// The largest mean rate between two readings of one instance.
        largest: f64,
    }

    /// Events per microsecond, and where each phase ends.
    const RATES: [f64; 4] = [4000.0, 1000.0, 2500.0, 6000.0];
    const BORDERS: [f64; 3] = [0.2, 0.45, 0.7];

    fn made(instances: u32, jitter: f64, more: usize, seed: u64) -> Made {
        let mut random = Random::new(seed);
        let mut made = Made {
            folded: FoldedCounter::default(),
            lengths: vec![],
            anchors: Anchors { names: vec![String::new(); 3], places: vec![vec![]; 3] },
            largest: 0.0,
        };
        for instance in 0..instances {
            let length = 1e5 * (1.0 + 0.1 * random.uniform());
            let borders = BORDERS.map(|at| at + jitter * (2.0 * random.uniform() - 1.0));
            let counted = |x: f64| {
                let ends = [0.0, borders[0], borders[1], borders[2], 1.0];
                let in_phase = |phase: usize| (x.min(ends[phase + 1]) - ends[phase]).max(0.0);
                (0..4).map(|phase| RATES[phase] * in_phase(phase)).sum::<f64>() * length
            };
            let total = counted(1.0).round();
            let mut places = borders.to_vec();
            places.extend((0..more).map(|_| random.uniform()));
            places.sort_by(f64::total_cmp);
            let (mut before, mut count) = (0.0, 0.0);
            for x in places.into_iter().chain([1.0]) {
                let until = if x < 1.0 { counted(x) } else { total };
                let rate = (until - count) / ((x - before) * length);
                made.largest = made.largest.max(rate);
                (before, count) = (x, until);
                if x < 1.0 {
                    let y = count / total;
                    made.folded.samples.push(FoldedSample { instance, x, y, kept: true });
                }
            }
            made.folded.carried.push((instance, total as u64));
            made.folded.instances += 1;
            made.folded.total += total;
            made.folded.length += length;
            made.lengths.push((instance, length));
            made.anchors.places.iter_mut().zip(borders).for_each(|(all, own)| all.push(own));
        }
        made
    }

    impl Made {
        fn steps(&self, anchors: &Anchors, borders: Option<&[f64]>) -> Fitted {
            let used = vec![true; self.folded.samples.len()];
            let counters = [Measured { folded: &self.folded, used }];
            steps(&counters, anchors, &self.lengths, &Giving::default(), borders, &grid())
        }
    }

    fn grid() -> Vec<f64> {
        (0..1001).map(|index| f64::from(index) / 1000.0).collect()
    }

    #[test]
    fn between_anchors_the_rate_is_all_events_over_all_time() {
        for jitter in [0.0, 0.02, 0.08] {
            let made = made(40, jitter, 3, 7);
            let Fitted { curves, breaks, .. } = made.steps(&made.anchors, None);
            assert_eq!((breaks.len(), curves[0].phases.len()), (3, 4));
            for (phase, rate) in curves[0].phases.iter().zip(RATES) {
                assert!((phase.rate / rate - 1.0).abs() < 1e-4, "{jitter}: {phase:?} {rate}");
            }
            let spread = breaks[1].half_width;
            // Of places spread evenly over twice the jitter.
            assert!((spread - jitter / 3f64.sqrt()).abs() < 0.2 * jitter + 1e-9, "{spread}");
        }
    }

    #[test]
    fn no_rate_is_above_the_largest_between_readings_and_all_events_are_counted() {
        for (seed, more) in (0..20).zip([0, 1, 5, 40].into_iter().cycle()) {
            let made = made(3 + seed as u32, 0.05, more, seed);
            for anchors in [&made.anchors, &Anchors::default()] {
                let Fitted { curves, breaks, .. } = made.steps(anchors, None);
                let Curve { rate, fitted, phases, .. } = &curves[0];
                assert!(
                    rate.iter().all(|rate| (0.0..=made.largest * (1.0 + 1e-12)).contains(rate))
                );
                assert!(fitted.windows(2).all(|pair| pair[0] <= pair[1]));
                let ends = breaks.iter().map(|at| at.at);
                let ends = [0.0].into_iter().chain(ends).chain([1.0]).collect::<Vec<_>>();
                let pieces = ends.windows(2).zip(phases);
                let counted = pieces.map(|(x, phase)| (x[1] - x[0]) * phase.rate).sum::<f64>();
                let all = made.folded.total / made.folded.length;
                assert!((counted / all - 1.0).abs() < 1e-12, "{counted} {all}");
            }
        }
    }

    #[test]
    fn without_anchors_the_lines_of_the_instances_are_averaged() {
        let made = made(30, 0.0, 2, 3);
        let Fitted { curves, breaks, report } = made.steps(&Anchors::default(), None);
        assert_eq!((breaks.len(), curves[0].phases.len(), report.kind), (0, 1, CurveKind::Steps));
        // All instances count alike but for the cell in which a border lies, which all share here.
        let band = curves[0].rate_band.iter().copied().fold(0.0, f64::max);
        assert!(band < 1.0, "{band}");
        assert!(curves[0].rate_band.iter().all(|half| *half == 0.0 || *half > 1e-6));
        for (x, rate) in [(0.1, RATES[0]), (0.3, RATES[1]), (0.6, RATES[2]), (0.9, RATES[3])] {
            let own = curves[0].rate[(x * 1000.0) as usize];
            assert!((own / rate - 1.0).abs() < 1e-4, "{x}: {own} {rate}");
        }
    }

    #[test]
    fn without_a_reading_inside_there_is_one_step_with_its_band() {
        let mut made = made(12, 0.05, 0, 5);
        made.folded.samples.clear();
        let Fitted { curves, .. } = made.steps(&Anchors::default(), None);
        let mean = made.folded.total / made.folded.length;
        assert!(curves[0].rate.iter().all(|rate| (rate / mean - 1.0).abs() < 1e-9));
        let half_width = curves[0].phases[0].half_width;
        // The rates of single instances differ by some 50 of 3,300 events per microsecond.
        assert!((1.0..200.0).contains(&half_width), "{half_width}");
    }

    #[test]
    fn bands_cover_the_rates_of_phases_whose_rates_vary() {
        let (mut within, mut all) = (0, 0);
        for seed in 0..60 {
            let mut made = made(40, 0.03, 0, seed);
            let mut random = Random::new(100 + seed);
            // The counts of each instance are off by up to a tenth; on average by nothing.
            for (instance, total) in &mut made.folded.carried {
                let factor = 1.0 + 0.2 * (random.uniform() - 0.5);
                *total = (*total as f64 * factor) as u64;
                assert!(made.lengths[*instance as usize].1 > 0.0);
            }
            made.folded.total = made.folded.carried.iter().map(|(_, total)| *total as f64).sum();
            let Fitted { curves, .. } = made.steps(&made.anchors, None);
            for (phase, rate) in curves[0].phases.iter().zip(RATES) {
                within += usize::from((phase.rate - rate).abs() <= phase.half_width);
                all += 1;
            }
        }
        assert!((0.9..=0.99).contains(&(f64::from(within as u32) / f64::from(all))), "{within}");
    }

    #[test]
    fn anchors_that_nearly_touch_are_one_and_borders_of_a_person_count() {
        let mut made = made(10, 0.0, 0, 2);
        made.anchors.names.insert(1, "near".to_owned());
        made.anchors.places.insert(1, vec![0.2 + NEAREST / 2.0; 10]);
        let ends = |fitted: &Fitted| {
            fitted.breaks.iter().map(|at| (at.at * 1e9).round() / 1e9).collect::<Vec<_>>()
        };
        assert_eq!(ends(&made.steps(&made.anchors, None)), BORDERS);
        let by_hand = made.steps(&made.anchors, Some(&[0.1, 0.45]));
        assert_eq!((ends(&by_hand), by_hand.breaks[0].by_hand), (vec![0.1, 0.45], true));
        let mean = (0.1 * RATES[0] + 0.25 * RATES[1]) / 0.35;
        assert!((by_hand.curves[0].phases[1].rate / mean - 1.0).abs() < 1e-4);
    }

    #[test]
    fn samples_spread_evenly_are_no_steps_and_readings_at_calls_are() {
        let few = |x: &[f64]| {
            let sample = |&x: &f64| FoldedSample { instance: 0, x, y: x, kept: true };
            let samples = x.iter().map(sample).collect::<Vec<_>>();
            let folded = FoldedCounter { samples, ..FoldedCounter::default() };
            are_at_few_places(&[Measured { folded: &folded, used: vec![true; x.len()] }])
        };
        let mut random = Random::new(9);
        let sampled = (0..500).map(|_| random.uniform()).collect::<Vec<_>>();
        assert!(!few(&sampled));
        let at_calls = (0..500).map(|index| [0.3, 0.31, 0.95][index % 3] + 1e-4 * sampled[index]);
        assert!(few(&at_calls.collect::<Vec<_>>()));
        assert!(few(&[]), "none at all");
        assert!(!few(&[0.2, 0.4, 0.6, 0.8]), "few but even");
    }

    #[test]
    fn a_rate_changes_where_it_differs_by_more_than_both_intervals_together() {
        let curve = |pairs: [(f64, f64); 3]| Curve {
            phases: pairs.map(|(rate, half_width)| PhaseRate { rate, half_width }).to_vec(),
            ..Curve::default()
        };
        // Whichever of the two is sure: 3 and 4 are 5 together.
        let apart = curve([(10.0, 3.0), (15.5, 4.0), (10.0, 3.0)]);
        assert_eq!([0, 1, 2].map(|border| changes(&apart, border)), [true, true, false]);
        let near = curve([(10.0, 3.0), (14.5, 4.0), (10.0, 3.0)]);
        assert_eq!([0, 1].map(|border| changes(&near, border)), [false, false]);
    }
}
