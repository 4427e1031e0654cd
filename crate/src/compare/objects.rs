//! Data objects of both sides beside each other.

use std::collections::BTreeMap;

use super::comparison::{Comparison, LEVEL, Verdict, Wanted};
use super::decision::{Change, benjamini_hochberg};
use super::line_map::LineMap;
use super::run::Run;
use super::similarity::FEW;
use crate::fit;
use crate::folding::{DataObject, Group, ObjectKind, Stream};
use crate::order;

/// Objects of less than this share of the references of both sides are not told, as routines are not.
const LEAST_SHARE: f64 = 0.01;

/// What a run references.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunObject {
    pub name: String,
    pub kind: ObjectKind,
    pub bytes: u64,
    pub loads: u32,
    pub stores: u32,
    /// Cycles of a sampled load and half the width of its 95 % interval.
    pub cost: Option<[f64; 2]>,
    /// How loads and stores walk through it where most of them do, as [`Stream::words`] without the speed.
    pub walks: [String; 2],
}

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
    pub share_verdict: Verdict,
    pub cost_verdict: Verdict,
}

impl ObjectRow {
    /// Whether only B has it, or (`false`) only A.
    pub fn is_new(&self) -> Option<bool> {
        match self.bytes {
            [None, Some(_)] => Some(true),
            [Some(_), None] => Some(false),
            _ => None,
        }
    }

    /// Whether loads or stores walk through it otherwise, where both sides tell how.
    pub fn walks_otherwise(&self) -> bool {
        let [a, b] = &self.walks;
        a.iter().zip(b).any(|(a, b)| !a.is_empty() && !b.is_empty() && a != b)
    }
}

impl RunObject {
    /// Those of a group, as far as they were referenced.
    pub fn of_group(group: &Group) -> Vec<Self> {
        let mut streams: BTreeMap<u32, Vec<&Stream>> = BTreeMap::new();
        for stream in group.streams.iter().filter(|stream| stream.routine.is_some()) {
            streams.entry(stream.object).or_default().push(stream);
        }
        let objects = (0..).zip(&group.objects).filter(|(_, of)| of.loads + of.stores > 0);
        let object = |(index, of): (u32, &DataObject)| {
            let own = streams.get(&index).map(Vec::as_slice).unwrap_or_default();
            let walk = |count: &dyn Fn(&Stream) -> u32, other: &dyn Fn(&Stream) -> u32| {
                let own = own.iter().filter(|stream| count(stream) > other(stream));
                own.max_by_key(|stream| count(stream)).map(|stream| walk_of(stream)).unwrap_or_default()
            };
            Self {
                name: of.name.clone(),
                kind: of.kind,
                bytes: of.bytes,
                loads: of.loads,
                stores: of.stores,
                cost: of.mean_cost.zip(of.cost_half_width).map(|(mean, half)| [mean, half]),
                walks: [walk(&|of| of.loads, &|of| of.stores), walk(&|of| of.stores, &|of| of.loads)],
            }
        };
        objects.map(object).collect()
    }

    fn references(&self) -> f64 {
        f64::from(self.loads) + f64::from(self.stores)
    }
}

/// Direction and step.
fn walk_of(stream: &Stream) -> String {
    Stream { bytes_per_us: 0.0, ..stream.clone() }.words()
}

/// An object by name and kind.
type Key = (String, &'static str);

/// What the runs of a side reference, under the names of A.
struct Referenced<'a> {
    objects: BTreeMap<Key, Vec<&'a RunObject>>,
    references: f64,
    /// So many count: at most one of an instance, as those of one instance are not independent.
    counted: f64,
}

impl<'a> Referenced<'a> {
    fn of(runs: &'a [Run], in_a: impl Fn(&RunObject) -> String) -> Self {
        let mut objects: BTreeMap<Key, Vec<&RunObject>> = BTreeMap::new();
        for object in runs.iter().flat_map(|run| &run.objects) {
            objects.entry((in_a(object), object.kind.name())).or_default().push(object);
        }
        let references = objects.values().flatten().map(|of| of.references()).sum::<f64>();
        let instances = runs.iter().map(|run| f64::from(run.instances)).sum::<f64>();
        Self { objects, references, counted: references.min(instances) }
    }

    /// Share of the references, and its variance with one more on each side (Agresti and Caffo 2000).
    fn share(&self, key: &Key) -> [f64; 2] {
        let own = self.objects.get(key).into_iter().flatten().map(|of| of.references()).sum::<f64>();
        let share = own / self.references.max(1.0);
        let likely = (share * self.counted + 1.0) / (self.counted + 2.0);
        [share, likely * (1.0 - likely) / (self.counted + 2.0)]
    }

    /// Mean cycles of a load over its runs and the standard error of that.
    fn cost(&self, key: &Key) -> Option<[f64; 2]> {
        let all = self.objects.get(key)?;
        let costs = all.iter().map(|of| of.cost).collect::<Option<Vec<_>>>()?;
        let count = costs.len() as f64;
        let mean = costs.iter().map(|[mean, _]| mean).sum::<f64>() / count;
        let errors = costs.iter().map(|[_, half]| half / fit::student_exceeded(0.025, f64::INFINITY));
        let variance = errors.map(|error| error * error).sum::<f64>() / (count * count);
        Some([mean, variance.sqrt()]).filter(|[mean, _]| *mean > 0.0)
    }
}

/// Objects with a hundredth of the references of a side, those of the largest share first; none where neither side
/// references any, or samples of a run stayed behind.
///
/// They are the same by name and kind; memory that is allocated at a line of code, where the texts of both sides are
/// known, by that line. Shares and costs change beyond doubt by Benjamini and Hochberg (1995) over all of them,
/// where they change by more than `least` and `least_ratio`; what runs differ by widens both.
pub fn objects_of_both(
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
        let of = both.each_ref().map(|side| side.objects.get(key).map(Vec::as_slice).unwrap_or_default());
        let share = change(shares, 1.0, [between, degrees]);
        let costs = both.each_ref().map(|side| side.cost(key));
        let cost = match costs {
            [Some([a, error_a]), Some([b, error_b])] => {
                let relative = [error_a / a, error_b / b].map(|of| of * of);
                // What ratios of counters differ by is twice what times do, as it is assumed of both.
                let of_runs = 2.0 * between;
                let variance = relative[0] + relative[1] + of_runs * of_runs;
                Some(Change {
                    log: libm::log(b / a),
                    variance,
                    degrees: degrees_of(variance, of_runs * of_runs, degrees),
                })
            }
            _ => None,
        };
        // Nothing that is nowhere else can have the same share.
        p.push([share.p_beyond(wanted.least), cost.as_ref().map_or(1.0, |of| of.p_beyond(wanted.least_ratio))]);
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
            costs: costs.map(|cost| cost.map(|[mean, _]| mean)),
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
        let verdict = |falls: bool, change: f64| match (falls, change > 0.0) {
            (false, _) => Verdict::NotSeen,
            (true, true) => Verdict::Slower,
            (true, false) => Verdict::Faster,
        };
        row.share_verdict = verdict(falls[0], row.shares[1] - row.shares[0]);
        row.cost_verdict = verdict(falls[1], row.cost_change.map_or(0.0, |(change, _)| change));
    }
    order::by_number(&mut rows, |row| !order::of_float(f64::max(row.shares[0], row.shares[1])));
    rows
}

/// The change of a share, with what runs differ by.
fn change([a, b]: [[f64; 2]; 2], all: f64, [between, degrees]: [f64; 2]) -> Change {
    let of_runs = between * (a[0] + b[0]) / 2.0;
    let of_runs = of_runs * of_runs;
    let variance = (a[1] + b[1] + of_runs) / (all * all);
    Change { log: (b[0] - a[0]) / all, variance, degrees: degrees_of(variance, of_runs, degrees) }
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
    let (file, line) = object.name.rsplit_once(':').filter(|_| object.kind == ObjectKind::Dynamic)?;
    let line = maps.get(file)?.other(1, line.parse().ok()?)?;
    Some(format!("{file}:{line}"))
}
