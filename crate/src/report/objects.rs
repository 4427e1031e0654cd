//! Data objects, and how they are walked through.

use serde::Serialize;

use crate::folding::{DataObject, Group, MemoryLevel, Stream};
use crate::paint;
use crate::quantity::{NONE, bytes, number, percent};

/// A data object with what was sampled of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct ObjectSummary {
    pub name: String,
    pub kind: String,
    /// `static · 76.3 MiB · at least 6.25 KiB touched`.
    pub words: String,
    /// Loads and stores: to sort by.
    pub references: f64,
    /// Loads, stores, and the cycles of a load: on average, and of all but the dearest 5 %.
    pub figures: [String; 4],
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

/// The data objects of `group`, by address.
pub fn objects(group: &Group) -> Vec<ObjectSummary> {
    group.objects.iter().map(object).collect()
}

fn object(object: &DataObject) -> ObjectSummary {
    let kind = paint::kind(object);
    let (size, touched) = (bytes(object.bytes), bytes(object.bytes_touched));
    let references = f64::from(object.loads) + f64::from(object.stores);
    let cycles = |cost: Option<f64>| cost.map_or_else(|| NONE.to_owned(), |cost| number(cost, 0));
    let served = MemoryLevel::ALL.iter().zip(&object.levels).skip(1).filter(|(_, n)| **n > 0);
    let levels = served.map(|((level, name), &served)| {
        let share = percent(f64::from(served) / references.max(1.0), 0);
        let words = format!("{name} {share}");
        LevelShare { level: *level as u8, name, references: served, words }
    });
    ObjectSummary {
        name: object.name.clone(),
        kind: kind.to_owned(),
        words: format!("{kind} · {size} · at least {touched} touched"),
        references,
        figures: [
            number(f64::from(object.loads), 0),
            number(f64::from(object.stores), 0),
            cycles(object.mean_cost),
            cycles(object.high_cost),
        ],
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
