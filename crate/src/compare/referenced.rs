//! What a run references: of its data objects what is compared.

use std::collections::BTreeMap;

use crate::folding::{DataObject, Group, ObjectKind, Stream};

/// What a run references.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunObject {
    pub name: String,
    pub kind: ObjectKind,
    pub bytes: u64,
    pub loads: u32,
    pub stores: u32,
    /// Cycles of a sampled load, and the standard error of that with at most one load of an instance.
    pub cost: Option<[f64; 2]>,
    /// How loads and stores walk through it where most of them do, as [`Stream::words`] without the speed.
    pub walks: [String; 2],
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
                own.max_by_key(|stream| count(stream))
                    .map(|stream| walk_of(stream))
                    .unwrap_or_default()
            };
            Self {
                name: of.name.clone(),
                kind: of.kind,
                bytes: of.bytes,
                loads: of.loads,
                stores: of.stores,
                // Those of one instance are not independent.
                cost: of.mean_cost.zip(of.cost_error).map(|(mean, error)| {
                    let of_each = f64::from(of.loads) / f64::from(group.kept.max(1));
                    [mean, error * of_each.max(1.0).sqrt()]
                }),
                walks: [
                    walk(&|of| of.loads, &|of| of.stores),
                    walk(&|of| of.stores, &|of| of.loads),
                ],
            }
        };
        objects.map(object).collect()
    }

    /// Sampled loads and stores.
    pub fn references(&self) -> f64 {
        f64::from(self.loads) + f64::from(self.stores)
    }
}

/// Direction and step.
fn walk_of(stream: &Stream) -> String {
    Stream { bytes_per_us: 0.0, ..stream.clone() }.words()
}
