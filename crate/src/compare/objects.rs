//! Data objects of both sides beside each other.

use std::collections::BTreeMap;

use super::comparison::{Comparison, LEVEL, Wanted};
use super::decision::{Change, benjamini_hochberg};
use super::line_map::LineMap;
use super::referenced::RunObject;
use super::run::Run;
use super::similarity::FEW;
use crate::fit;
use crate::folding::ObjectKind;
use crate::order;

/// Objects of less than this share of the references of both sides are not told, as routines are not.
const LEAST_SHARE: f64 = 0.01;

/// Of fewer loads nothing is said of how their cost changes: of 15 and 15 unchanged ones, 7 of 100 would be told.
const LEAST_LOADS: f64 = 30.0;

/// An object of both sides, or of one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObjectRow {
    pub name: String,
    /// As B calls it: another line, for memory that is allocated there.
    pub name_b: String,
    pub kind: ObjectKind,
    /// Of the first run of each side; `None` where it has no such object.
    pub bytes: [Option<u64>; 2],
    /// Sampled in all runs of each side.
    pub loads: [u32; 2],
    pub stores: [u32; 2],
    /// Of all that was sampled there, and half the width of the 95 % interval of their difference.
    pub shares: [f64; 2],
    pub share_half_width: f64,
    /// Cycles of a load, and how they change: as a share of A, with its 95 % interval.
    pub costs: [Option<f64>; 2],
    pub cost_change: Option<(f64, [f64; 2])>,
    /// How loads, then stores, walk through it on each side.
    pub walks: [[String; 2]; 2],
    /// Whether its share, and its cost, change beyond doubt among all objects.
    pub is_share_sure: bool,
    pub is_cost_sure: bool,
}

impl ObjectRow {
    /// Whether only B references it, or (`false`) only A; `None` of one that both do.
    pub fn is_new(&self) -> Option<bool> {
        match self.bytes {
            [None, Some(_)] => Some(true),
            [Some(_), None] => Some(false),
            _ => None,
        }
    }
}

/// An object by name and kind.
type Key = (String, &'static str);

/// What the runs of a side reference, under the names of A.
struct Referenced<'a> {
    objects: BTreeMap<Key, Vec<&'a RunObject>>,
    references: f64,
    /// So many count: at most one of an instance, as those of one instance are not independent.
    counted: f64,
    instances: f64,
}

/// What a load costs.
#[derive(Clone, Copy)]
struct Cost {
    /// In cycles.
    mean: f64,
    /// Of the logarithm of one load.
    variance: f64,
    /// So many count.
    loads: f64,
}

/// How what a load costs changes, as a logarithm, with its variance.
///
/// Few of the loads cost most of the cycles: where a side has none of these by chance, it says that its loads hardly
/// vary. They vary as those of the other side then: of unchanged pairs of 30 and of 300 loads, 3 of which of 100 come from
/// memory, 3 of 100 are told, and 18 where each side is asked for itself; of 30 and 30, 4 and 11.
fn change_of_cost(a: Cost, b: Cost) -> [f64; 2] {
    let variance = f64::max(a.variance, b.variance);
    [libm::log(b.mean / a.mean), variance / a.loads + variance / b.loads]
}

impl<'a> Referenced<'a> {
    fn of(runs: &'a [Run], in_a: impl Fn(&RunObject) -> String) -> Self {
        let mut objects: BTreeMap<Key, Vec<&RunObject>> = BTreeMap::new();
        for object in runs.iter().flat_map(|run| &run.objects) {
            objects.entry((in_a(object), object.kind.name())).or_default().push(object);
        }
        let references = objects.values().flatten().map(|of| of.references()).sum::<f64>();
        let instances = runs.iter().map(|run| f64::from(run.instances)).sum::<f64>();
        Self { objects, references, counted: references.min(instances), instances }
    }

    /// Share of the references, and its variance with one more on each side (Agresti and Caffo 2000).
    fn share(&self, key: &Key) -> [f64; 2] {
        let own =
            self.objects.get(key).into_iter().flatten().map(|of| of.references()).sum::<f64>();
        let share = own / self.references.max(1.0);
        let likely = (share * self.counted + 1.0) / (self.counted + 2.0);
        [share, likely * (1.0 - likely) / (self.counted + 2.0)]
    }

    /// What loads cost, over the runs.
    fn cost(&self, key: &Key) -> Option<Cost> {
        let all = self.objects.get(key)?;
        let costs = all.iter().map(|of| of.cost).collect::<Option<Vec<_>>>()?;
        let count = costs.len() as f64;
        let mean = costs.iter().map(|[mean, _]| mean).sum::<f64>() / count;
        let variance = costs.iter().map(|[_, error]| error * error).sum::<f64>() / (count * count);
        let loads = all.iter().map(|of| f64::from(of.loads)).sum::<f64>().min(self.instances);
        (mean > 0.0).then(|| Cost { mean, variance: loads * variance / (mean * mean), loads })
    }
}

impl Comparison {
    /// Tells what was referenced, as [`objects_of_both`]; `sides` and `wanted` are those of the comparison.
    #[inline(never)]
    pub fn add_objects(
        &mut self,
        sides: [&[Run]; 2],
        maps: &BTreeMap<String, LineMap>,
        wanted: &Wanted,
    ) {
        self.objects = objects_of_both(sides, self, maps, wanted);
    }
}

/// Objects with a hundredth of the references of a side, those of the largest share first; none where neither side
/// references any, or samples of a run stayed behind.
///
/// They are the same by name and kind; memory that is allocated at a line of code, where the texts of both sides are
/// known, by that line. Shares and costs change beyond doubt by Benjamini and Hochberg (1995) over all of them,
/// where they change by more than `least` and `least_ratio`; what runs differ by widens both.
fn objects_of_both(
    sides: [&[Run]; 2],
    comparison: &Comparison,
    maps: &BTreeMap<String, LineMap>,
    wanted: &Wanted,
) -> Vec<ObjectRow> {
    if sides.into_iter().flatten().any(|run| run.instances == 0) {
        return vec![];
    }
    let own = |object: &RunObject| object.name.clone();
    let both = [
        Referenced::of(sides[0], own),
        Referenced::of(sides[1], |object| in_a(object, maps).unwrap_or_else(|| own(object))),
    ];
    let keys = both.iter().flat_map(|side| side.objects.keys());
    let mut keys = keys.cloned().collect::<Vec<_>>();
    keys.sort_unstable();
    keys.dedup();
    let [between, degrees] = comparison.between;
    let mut rows = vec![];
    let mut p = vec![];
    for key in &keys {
        let shares = both.each_ref().map(|side| side.share(key));
        let counts = both.each_ref().map(|side| side.share(key)[0] * side.references);
        let is_much = shares.iter().any(|[share, _]| *share >= LEAST_SHARE)
            && counts.iter().any(|count| *count >= f64::from(FEW));
        if !is_much {
            continue;
        }
        let of = both
            .each_ref()
            .map(|side| side.objects.get(key).map(Vec::as_slice).unwrap_or_default());
        let share = change(shares, [between, degrees]);
        let costs = both.each_ref().map(|side| side.cost(key));
        let cost = match costs {
            [Some(a), Some(b)] if f64::min(a.loads, b.loads) >= LEAST_LOADS => {
                let [log, own] = change_of_cost(a, b);
                // What ratios of counters differ by is twice what times do, as it is assumed of both.
                let of_runs = 2.0 * between;
                let variance = own + of_runs * of_runs;
                Some(Change {
                    log,
                    variance,
                    degrees: degrees_of(variance, of_runs * of_runs, degrees),
                })
            }
            _ => None,
        };
        p.push([
            share.p_beyond(wanted.least),
            cost.as_ref().map_or(1.0, |of| of.p_beyond(wanted.least_ratio)),
        ]);
        let sum = |count: &dyn Fn(&RunObject) -> u32| {
            of.map(|of| of.iter().map(|of| count(of)).fold(0, u32::saturating_add))
        };
        let first = of.map(|of| of.first());
        let name = |side: usize| first[side].or(first[1 - side]).map(|of| of.name.clone());
        let half = |of: &Change| fit::student_exceeded(0.025, of.degrees) * of.variance.sqrt();
        rows.push(ObjectRow {
            name: name(0).unwrap_or_default(),
            name_b: name(1).unwrap_or_default(),
            kind: first.iter().flatten().next().map(|of| of.kind).unwrap_or_default(),
            bytes: first.map(|of| of.map(|of| of.bytes)),
            loads: sum(&|of| of.loads),
            stores: sum(&|of| of.stores),
            shares: shares.map(|[share, _]| share),
            share_half_width: half(&share),
            costs: costs.map(|cost| cost.map(|of| of.mean)),
            cost_change: cost.map(|of| {
                let half = half(&of);
                let of_a = |log: f64| libm::exp(log) - 1.0;
                (of_a(of.log), [of_a(of.log - half), of_a(of.log + half)])
            }),
            walks: first.map(|of| of.map(|of| of.walks.clone()).unwrap_or_default()),
            ..ObjectRow::default()
        });
    }
    let falls = benjamini_hochberg(&p.concat(), LEVEL);
    for (row, falls) in rows.iter_mut().zip(falls.chunks(2)) {
        [row.is_share_sure, row.is_cost_sure] = [falls[0], falls[1]];
    }
    order::by_number(&mut rows, |row| !order::of_float(f64::max(row.shares[0], row.shares[1])));
    rows
}

/// The change of a share, with what runs differ by.
fn change([a, b]: [[f64; 2]; 2], [between, degrees]: [f64; 2]) -> Change {
    let of_runs = between * (a[0] + b[0]) / 2.0;
    let of_runs = of_runs * of_runs;
    let variance = a[1] + b[1] + of_runs;
    Change { log: b[0] - a[0], variance, degrees: degrees_of(variance, of_runs, degrees) }
}

/// Of a variance of which a part has so many (Satterthwaite 1946).
fn degrees_of(variance: f64, part: f64, degrees: f64) -> f64 {
    match part > 0.0 {
        true => degrees * (variance / part) * (variance / part),
        false => f64::INFINITY,
    }
}

/// The name that memory of B has in A, where it is allocated at a line whose text both have.
fn in_a(object: &RunObject, maps: &BTreeMap<String, LineMap>) -> Option<String> {
    let (file, line) =
        object.name.rsplit_once(':').filter(|_| object.kind == ObjectKind::Dynamic)?;
    let line = maps.get(file)?.other(1, line.parse().ok()?)?;
    Some(format!("{file}:{line}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{beside, compare};

    /// A run of 400 instances with these objects: name, references and cycles of a load with their standard error.
    fn run(objects: &[(&str, u32, f64, f64)]) -> Run {
        let mut run = Run::new([10.0, 0.01], vec![[0.0, 0.0], [1.0, 0.0]]);
        run.instances = 400;
        let object = |(name, loads, mean, error): &(&str, u32, f64, f64)| RunObject {
            name: (*name).to_owned(),
            kind: if name.contains(':') { ObjectKind::Dynamic } else { ObjectKind::Static },
            bytes: 4096,
            loads: *loads,
            cost: Some([*mean, *error]),
            ..RunObject::default()
        };
        run.objects = objects.iter().map(object).collect();
        run
    }

    fn rows(a: Run, b: Run, maps: &BTreeMap<String, LineMap>) -> Vec<ObjectRow> {
        let sides = [&[a][..], &[b]];
        let wanted = Wanted::default();
        let mut comparison = compare(sides, &wanted).unwrap();
        comparison.add_objects(sides, maps, &wanted);
        comparison.objects
    }

    #[test]
    fn what_only_one_side_references_and_what_costs_more_is_told() {
        let a = run(&[("x", 300, 50.0, 1.0), ("y", 300, 200.0, 4.0), ("gone", 100, 10.0, 1.0)]);
        let b = run(&[("x", 300, 50.5, 1.0), ("y", 300, 90.0, 2.0), ("new", 100, 10.0, 1.0)]);
        let rows = rows(a, b, &BTreeMap::new());
        let told = rows
            .iter()
            .map(|row| (row.name.as_str(), row.is_new(), row.is_share_sure, row.is_cost_sure));
        let mut told = told.collect::<Vec<_>>();
        told.sort();
        assert_eq!(
            told,
            [
                ("gone", Some(false), true, false),
                ("new", Some(true), true, false),
                ("x", None, false, false),
                ("y", None, false, true)
            ]
        );
        let y = rows.iter().find(|row| row.name == "y").unwrap();
        let (change, [low, high]) = y.cost_change.unwrap();
        assert!(
            (change + 0.55).abs() < 1e-12 && low < -0.55 && -0.55 < high && high < -0.4,
            "{y:?}"
        );
    }

    #[test]
    fn memory_that_is_allocated_on_a_line_that_moved_is_the_same() {
        let text = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        let map = beside(
            &text(&["a();", "p = malloc(n);"]),
            &text(&["a();", "// why", "p = malloc(n);"]),
        );
        let maps = BTreeMap::from([("s.c".to_owned(), map)]);
        let pair = || (run(&[("s.c:2", 300, 50.0, 1.0)]), run(&[("s.c:3", 300, 50.0, 1.0)]));
        let (a, b) = pair();
        let with = rows(a, b, &maps);
        assert_eq!(
            with.iter().map(|row| (row.name.as_str(), row.name_b.as_str())).collect::<Vec<_>>(),
            [("s.c:2", "s.c:3")]
        );
        let (a, b) = pair();
        assert_eq!(rows(a, b, &BTreeMap::new()).len(), 2, "without the texts they are two");
    }

    /// The claim: of unchanged pairs at most one in twenty tells any object.
    #[test]
    fn unchanged_objects_are_not_told() {
        let mut random = tracefold_generate::Random::new(5);
        const PAIRS: usize = 400;
        let mut told = 0;
        for _ in 0..PAIRS {
            let mut side = || {
                let mut counts = [0; 4];
                // Two references of each instance, which are of one object: as little as they can tell.
                for _ in 0..400 {
                    counts[[0, 0, 1, 1, 1, 2, 2, 3][random.below(8) as usize]] += 2;
                }
                let mut noise = || random.uniform() + random.uniform() + random.uniform() - 1.5;
                // Three uniform numbers have a standard deviation of 1/2.
                let costs = [40.0, 80.0, 160.0, 300.0]
                    .map(|cost: f64| (cost + 2.0 * 0.02 * cost * noise(), 0.02 * cost));
                run(&["p", "q", "r", "s"]
                    .iter()
                    .zip(counts)
                    .zip(costs)
                    .map(|((name, count), (mean, error))| (*name, count, mean, error))
                    .collect::<Vec<_>>())
            };
            let (a, b) = (side(), side());
            told += usize::from(
                rows(a, b, &BTreeMap::new())
                    .iter()
                    .any(|row| row.is_share_sure || row.is_cost_sure),
            );
        }
        assert!(told * 20 <= PAIRS, "{told} of {PAIRS}");
    }

    /// The claim: nor where few loads cost most of the cycles, of however many loads.
    #[test]
    fn unchanged_costs_with_a_long_tail_are_not_told() {
        const PAIRS: usize = 1000;
        let mut random = tracefold_generate::Random::new(7);
        // Cycles of a load of each memory level, and of 1000 loads how many come from it.
        let levels = [(6.0, 9.0, 550), (12.0, 60.0, 300), (11.0, 18.0, 70), (28.0, 70.0, 50)];
        for loads in [[30, 30], [30, 300], [60, 60], [400, 400]] {
            let mut side = |loads: u32| {
                let mut cost = || {
                    let mut rest = random.below(1000);
                    for (low, high, share) in levels {
                        if rest < share {
                            return low + (high - low) * random.uniform();
                        }
                        rest -= share;
                    }
                    180.0 + 220.0 * random.uniform()
                };
                let costs = (0..loads).map(|_| cost()).collect::<Vec<_>>();
                let count = f64::from(loads);
                let mean = costs.iter().sum::<f64>() / count;
                let squares = costs.iter().map(|cost| (cost - mean) * (cost - mean)).sum::<f64>();
                run(&[("x", loads, mean, (squares / (count - 1.0) / count).sqrt())])
            };
            let mut told = 0;
            for _ in 0..PAIRS {
                let (a, b) = (side(loads[0]), side(loads[1]));
                told +=
                    usize::from(rows(a, b, &BTreeMap::new()).iter().any(|row| row.is_cost_sure));
            }
            assert!(told * 20 <= PAIRS, "{told} of {PAIRS} with {loads:?} loads");
        }
    }

    #[test]
    fn where_samples_stayed_behind_or_nothing_is_referenced_none_is_told() {
        let a = || run(&[("x", 300, 50.0, 1.0)]);
        assert!(rows(a(), Run { instances: 0, ..a() }, &BTreeMap::new()).is_empty());
        assert!(rows(run(&[]), run(&[]), &BTreeMap::new()).is_empty());
        assert_eq!(rows(a(), a(), &BTreeMap::new()).len(), 1);
    }
}
