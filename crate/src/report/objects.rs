//! Data objects, and how they are walked through.

use serde::Serialize;

use super::{Figure, path};
use crate::folding::{DataObject, Group, MemoryLevel, References, Stream};
use crate::paint;
use crate::quantity::{bytes, number, percent};

/// A data object with what was sampled of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct ObjectSummary {
    /// Its place among the objects of the group.
    pub index: u32,
    pub name: String,
    pub kind: String,
    /// `static · 76.3 MiB · at least 6.25 KiB touched`.
    pub words: String,
    /// Loads, stores, the cycles of a load, on average and of all but the dearest 5 %, and the share
    /// in all that data cost.
    pub figures: [Figure; 5],
    /// The line that most of its references are from: `scale [226]`; empty where none is known.
    pub called: String,
    pub line: Option<u32>,
    pub file: Option<String>,
    /// The levels that served it.
    pub levels: Vec<LevelShare>,
}

/// How much of an object a memory level served.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct LevelShare {
    /// Its number, by which it is picked.
    pub level: u8,
    pub name: &'static str,
    pub references: u32,
    /// `L3 12 %`.
    pub words: String,
}

/// How an object is walked through in a phase or by a routine.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct StreamSummary {
    /// Index of the object.
    pub object: u32,
    /// The phase, from 1; else the routine.
    pub phase: Option<u32>,
    /// `2 solve`, or the name of the routine.
    pub of: String,
    /// `loads: descending, 64 B per step`.
    pub words: String,
}

/// What stands over the figures of the objects, and what that is.
pub fn object_heads(group: &Group) -> [[&'static str; 2]; 5] {
    let share = match Weigh::of_group(group) {
        Weigh::Cost(_) => ["cost", "Of all cycles that sampled loads took"],
        Weigh::References(_) => ["share", "Of all sampled references; no cost was sampled"],
    };
    [
        ["loads", "Sampled loads"],
        ["stores", "Sampled stores"],
        ["mean", "Cycles of a load, on average"],
        ["95 %", "Cycles of all loads but the dearest 5 %"],
        share,
    ]
}

/// The data objects of `group`, by address.
pub fn objects(group: &Group) -> Vec<ObjectSummary> {
    let weigh = Weigh::of_group(group);
    let objects = (0..).zip(&group.objects);
    objects.map(|(index, each)| object(group, index, each, weigh.share(each))).collect()
}

/// The same as they were referenced in a part of folded time: those that were; `None` where it is not
/// known, in a link of another range.
pub fn objects_between(
    group: &Group,
    references: Option<&References>,
    ends: [f64; 2],
) -> Option<Vec<ObjectSummary>> {
    let ends = super::range::ordered(ends);
    let carried = || group.part_of(ends).map(|part| part.objects.clone());
    let objects = references.map(|all| all.objects_between(group, ends)).or_else(carried)?;
    let weigh = match Weigh::of_group(group) {
        // What stands over the shares is of the whole group.
        Weigh::Cost(_) => Weigh::cost(objects.iter().map(|(_, object)| object)),
        Weigh::References(_) => Weigh::of(objects.iter().map(|(_, object)| object)),
    };
    let summary =
        |(index, each): &(u32, DataObject)| object(group, *index, each, weigh.share(each));
    Some(objects.iter().map(summary).collect())
}

/// What shares of objects are of: the cycles of all loads, or, where no cost was sampled, how often
/// they were referenced.
#[derive(Clone, Copy, Debug)]
pub enum Weigh {
    Cost(f64),
    References(f64),
}

impl Weigh {
    /// Of all objects of a group, those that a link had no room for too.
    fn of_group(group: &Group) -> Self {
        let others = group.other_objects.unwrap_or_default();
        match Self::of(group.objects.iter()) {
            Self::Cost(cycles) => Self::Cost(cycles + others.cycles),
            Self::References(all) => Self::References(all + others.references as f64),
        }
    }

    pub fn of<'a>(objects: impl Iterator<Item = &'a DataObject> + Clone) -> Self {
        let has_cost = |object: &DataObject| object.mean_cost.is_some_and(|cost| cost > 0.0);
        match objects.clone().any(has_cost) {
            true => Self::cost(objects),
            false => {
                Self::References(objects.map(|each| Self::References(0.0).of_object(each)).sum())
            }
        }
    }

    fn cost<'a>(objects: impl Iterator<Item = &'a DataObject>) -> Self {
        Self::Cost(objects.map(|each| Self::Cost(0.0).of_object(each)).sum())
    }

    pub fn of_object(self, object: &DataObject) -> f64 {
        match self {
            Self::Cost(_) => object.mean_cost.unwrap_or_default() * f64::from(object.loads),
            Self::References(_) => f64::from(object.loads) + f64::from(object.stores),
        }
    }

    /// `None` where there is nothing at all.
    pub fn share(self, object: &DataObject) -> Option<f64> {
        let (Self::Cost(all) | Self::References(all)) = self;
        (all > 0.0).then(|| self.of_object(object) / all)
    }
}

fn object(group: &Group, index: u32, object: &DataObject, share: Option<f64>) -> ObjectSummary {
    let kind = paint::kind(object);
    let (size, touched) = (bytes(object.bytes), bytes(object.bytes_touched));
    let references = f64::from(object.loads) + f64::from(object.stores);
    let cycles = |cost: Option<f64>| Figure::of(cost, |cost| number(cost, 0));
    let place = object.place.and_then(|place| group.places.get(place as usize));
    let line = place.map(|place| place.line).filter(|line| *line > 0);
    let served = MemoryLevel::ALL.iter().zip(&object.levels).skip(1).filter(|(_, n)| **n > 0);
    let levels = served.map(|((level, name), &served)| {
        let share = percent(f64::from(served) / references.max(1.0), 0);
        let words = format!("{name} {share}");
        LevelShare { level: *level as u8, name, references: served, words }
    });
    ObjectSummary {
        index,
        name: object.name.clone(),
        kind: kind.to_owned(),
        words: format!("{kind} · {size} · at least {touched} touched"),
        figures: [
            Figure::whole(f64::from(object.loads)),
            Figure::whole(f64::from(object.stores)),
            cycles(object.mean_cost),
            cycles(object.high_cost),
            Figure::of(share, |share| percent(share, 1)),
        ],
        called: place
            .map_or_else(String::new, |place| path(&[], group.routine(place.routine), line)),
        line,
        file: place.map(|place| place.file.clone()).filter(|file| !file.is_empty()),
        levels: levels.collect(),
    }
}

/// Those of which enough was sampled to say how.
pub fn streams(group: &Group) -> Vec<StreamSummary> {
    group.streams.iter().filter_map(|each| stream(group, each)).collect()
}

fn stream(group: &Group, stream: &Stream) -> Option<StreamSummary> {
    let how = Some(stream.words()).filter(|words| !words.is_empty())?;
    let what = match (stream.loads, stream.stores) {
        (_, 0) => "loads",
        (0, _) => "stores",
        _ => "both",
    };
    let of = match (stream.phase, stream.routine) {
        (Some(phase), _) => {
            let name = group.phases.get(phase as usize).map_or("", |phase| &phase.name);
            format!("{} {name}", phase + 1).trim_end().to_owned()
        }
        (None, Some(index)) => group.routine(index).to_owned(),
        (None, None) => String::new(),
    };
    let phase = stream.phase.map(|phase| phase + 1);
    Some(StreamSummary { object: stream.object, phase, of, words: format!("{what}: {how}") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::Place;

    fn of(loads: u32, stores: u32, mean_cost: Option<f64>) -> DataObject {
        DataObject { loads, stores, mean_cost, ..DataObject::default() }
    }

    fn shares(objects: Vec<DataObject>) -> (&'static str, Vec<String>) {
        let group = Group { objects, ..Group::default() };
        let shares =
            super::objects(&group).into_iter().map(|object| object.figures[4].text.clone());
        (object_heads(&group)[4][0], shares.map(|text| text.replace('\u{202f}', " ")).collect())
    }

    #[test]
    fn an_object_has_its_share_of_what_all_loads_cost_and_else_of_references() {
        // 100 loads of 30 cycles and 10 of 100: stores cost nothing that is known.
        let costly = vec![of(100, 50, Some(30.0)), of(10, 900, Some(100.0)), of(0, 7, None)];
        assert_eq!(
            shares(costly),
            ("cost", ["75.0 %", "25.0 %", "0.0 %"].map(str::to_owned).to_vec())
        );
        let counted = vec![of(3, 0, None), of(0, 1, None)];
        assert_eq!(shares(counted), ("share", ["75.0 %", "25.0 %"].map(str::to_owned).to_vec()));
        let nothing = vec![of(0, 0, None)];
        assert_eq!(shares(nothing), ("share", vec!["–".to_owned()]));
    }

    #[test]
    fn an_object_names_the_line_that_it_is_mostly_referenced_from() {
        let place = |line| Place { routine: 0, line, file: "a.c".to_owned(), samples: 1 };
        let group = Group {
            routines: vec!["scale".to_owned()],
            places: vec![place(226), place(0)],
            objects: [Some(0), Some(1), None]
                .map(|place| DataObject { place, ..DataObject::default() })
                .to_vec(),
            ..Group::default()
        };
        let lines = objects(&group).into_iter().map(|object| (object.called, object.line));
        let expected = [("scale [226]", Some(226)), ("scale", None), ("", None)];
        assert_eq!(
            lines.collect::<Vec<_>>(),
            expected.map(|(called, line)| (called.to_owned(), line)).to_vec()
        );
    }
}
