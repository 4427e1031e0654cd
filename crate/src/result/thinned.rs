//! Clouds as a link carries them: a few of the samples of a counter and of the references to memory, at
//! places in steps.
//!
//! Of `n` in order every `n/m`-th stays, from the first on: the same whoever makes the link. References
//! are in order by object and then time, so that each object keeps its share; samples by what became of
//! them.

use serde::{Deserialize, Serialize};

use crate::folding::{Cloud, Group, References, Use};
use crate::order;

/// Steps of folded time, of a share of events and of an object's bytes: finer than a lane's pixels.
const STEPS: f64 = 4095.0;

/// Some of the references of a group, and how many there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thinned {
    pub references: References,
    pub of: u32,
    /// Cycles at both ends of the scale of latency of all of them.
    pub ends_of_costs: Option<(u32, u32)>,
}

/// Some of the samples of a counter, and how many there are.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    pub cloud: Cloud,
    pub of: u32,
}

impl Thinned {
    /// No more than `most` of `references`, by object.
    pub fn thinner(&self, most: usize) -> Self {
        let Self { references, of, ends_of_costs } = self;
        let mut indices: Vec<u32> = (0..references.x.len() as u32).collect();
        order::by_number(&mut indices, |index| u64::from(references.object[*index as usize]));
        let mut kept = kept(&indices, most);
        kept.sort_unstable();
        Self { references: taken(references, &kept), of: *of, ends_of_costs: *ends_of_costs }
    }

    /// Those that `group` still knows the objects of.
    pub fn within(mut self, group: &Group) -> Self {
        let objects = group.objects.len() as u32;
        let known = (0..self.references.x.len() as u32)
            .filter(|index| self.references.object[*index as usize] < objects);
        self.references = taken(&self.references, &known.collect::<Vec<_>>());
        self
    }
}

impl Samples {
    /// No more than `most` of `cloud`.
    pub fn of(cloud: &Cloud, of: u32, most: usize) -> Self {
        let mut indices: Vec<u32> = (0..cloud.x.len() as u32).collect();
        order::by_number(&mut indices, |index| order::of_float(cloud.x[*index as usize]));
        order::by_number(&mut indices, |index| cloud.used[*index as usize] as u64);
        let kept = kept(&indices, most);
        let cloud = Cloud {
            group: cloud.group,
            counter: cloud.counter.clone(),
            x: column(&cloud.x, &kept),
            y: column(&cloud.y, &kept),
            used: column(&cloud.used, &kept),
        };
        Self { cloud, of }
    }
}

fn kept(indices: &[u32], most: usize) -> Vec<u32> {
    let count = indices.len().min(most);
    // Of millions the product has no room in 32 bits.
    let at = |k: usize| (k as u64 * indices.len() as u64 / count as u64) as usize;
    (0..count).map(|k| indices[at(k)]).collect()
}

fn column<T: Copy>(values: &[T], indices: &[u32]) -> Vec<T> {
    indices.iter().filter_map(|index| values.get(*index as usize).copied()).collect()
}

fn taken(references: &References, indices: &[u32]) -> References {
    References {
        group: references.group,
        x: column(&references.x, indices),
        address: column(&references.address, indices),
        object: column(&references.object, indices),
        offset: column(&references.offset, indices),
        store: column(&references.store, indices),
        level: column(&references.level, indices),
        tlb: column(&references.tlb, indices),
        cost: column(&references.cost, indices),
        line: column(&references.line, indices),
    }
}

/// References in a link, by object and then time; numbers that rise mostly are what each adds.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PackedReferences {
    group: u32,
    of: u32,
    ends_of_costs: Option<(u32, u32)>,
    x: Vec<i64>,
    object: Vec<i64>,
    offset: Vec<i64>,
    store: Vec<u8>,
    level: Vec<u8>,
    cost: Vec<u32>,
    /// 0 without a line.
    line: Vec<u32>,
}

/// Samples in a link, by what became of them and then time.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PackedSamples {
    group: u32,
    counter: String,
    of: u32,
    x: Vec<i64>,
    y: Vec<i64>,
    used: Vec<i64>,
}

impl PackedReferences {
    /// `group`: whose objects and lines the references are of.
    pub fn of(Thinned { references, of, ends_of_costs }: &Thinned, group: &Group) -> Self {
        let mut indices: Vec<u32> = (0..references.x.len() as u32).collect();
        order::by_number(&mut indices, |index| u64::from(references.object[*index as usize]));
        let all = taken(references, &indices);
        let place = |(object, offset): (&u32, &u64)| {
            let bytes = group.objects.get(*object as usize).map_or(1, |object| object.bytes.max(1));
            steps(*offset as f64 / bytes as f64)
        };
        Self {
            group: all.group,
            of: *of,
            ends_of_costs: *ends_of_costs,
            x: added(all.x.iter().map(|x| steps(*x))),
            offset: added(all.object.iter().zip(&all.offset).map(place)),
            object: added(all.object.iter().map(|object| i64::from(*object))),
            line: all.line.iter().map(|line| line.wrapping_add(1)).collect(),
            store: all.store,
            level: all.level,
            cost: all.cost,
        }
    }

    pub fn is_of(&self, group: &Group) -> bool {
        self.group == group.number
    }

    /// `None` if a column is missing something, or they are of nothing that `group` has.
    pub fn into_thinned(self, group: &Group) -> Option<Thinned> {
        let Self { x, object, offset, store, level, cost, line, .. } = self;
        let count = x.len();
        let lengths =
            [object.len(), offset.len(), store.len(), level.len(), cost.len(), line.len()];
        if lengths.iter().any(|length| *length != count) {
            return None;
        }
        let object =
            sums(&object).map(|object| u32::try_from(object).ok()).collect::<Option<Vec<_>>>()?;
        let bytes = |object: &u32| Some(group.objects.get(*object as usize)?.bytes);
        let bytes = object.iter().map(bytes).collect::<Option<Vec<_>>>()?;
        let offset =
            sums(&offset).zip(bytes).map(|(step, bytes)| (share(step) * bytes as f64) as u64);
        let lines = group.lines.x.len() as u32;
        let all = References {
            group: self.group,
            x: sums(&x).map(share).collect(),
            offset: offset.collect(),
            store: store.into_iter().map(|store| store.min(1)).collect(),
            level: level.into_iter().map(|level| level.min(9)).collect(),
            line: line
                .into_iter()
                .map(|line| line.wrapping_sub(1))
                .map(|line| if line < lines { line } else { u32::MAX })
                .collect(),
            object,
            cost,
            ..References::default()
        };
        let mut indices: Vec<u32> = (0..count as u32).collect();
        order::by_number(&mut indices, |index| order::of_float(all.x[*index as usize]));
        let references = taken(&all, &indices);
        Some(Thinned { references, of: self.of, ends_of_costs: self.ends_of_costs })
    }
}

impl PackedSamples {
    pub fn of(Samples { cloud, of }: &Samples) -> Self {
        Self {
            group: cloud.group,
            counter: cloud.counter.clone(),
            of: *of,
            x: added(cloud.x.iter().map(|x| steps(*x))),
            y: added(cloud.y.iter().map(|y| steps(*y))),
            used: added(cloud.used.iter().map(|used| *used as i64)),
        }
    }

    pub fn into_samples(self) -> Option<Samples> {
        if self.x.len() != self.y.len() || self.x.len() != self.used.len() {
            return None;
        }
        let used = sums(&self.used).map(|used| match used {
            0 => Use::Used,
            1 => Use::Unused,
            _ => Use::Excluded,
        });
        let cloud = Cloud {
            group: self.group,
            x: sums(&self.x).map(share).collect(),
            y: sums(&self.y).map(share).collect(),
            used: used.collect(),
            counter: self.counter,
        };
        Some(Samples { cloud, of: self.of })
    }
}

fn steps(share: f64) -> i64 {
    libm::round(share.clamp(0.0, 1.0) * STEPS) as i64
}

fn share(steps: i64) -> f64 {
    (steps as f64 / STEPS).clamp(0.0, 1.0)
}

/// What each adds to the one before.
fn added(values: impl Iterator<Item = i64>) -> Vec<i64> {
    let mut before = 0;
    values.map(|value| value - std::mem::replace(&mut before, value)).collect()
}

fn sums(added: &[i64]) -> impl Iterator<Item = i64> {
    let mut sum = 0_i64;
    added.iter().map(move |added| {
        sum = sum.saturating_add(*added);
        sum
    })
}
