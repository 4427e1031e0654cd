//! Data objects, their streams and the address lane as the page is told them.

use super::lane::plot;
use crate::paint::{self, AddressKey, AddressLayout, LevelKey, Nearest, ObjectRow};
use crate::result::{DataObject, Group, MemoryLevel, Writer};

/// Objects and streams of a group, without references.
pub fn objects(group: &Group, json: &mut Writer) {
    json.flag("hasAddress", paint::has_address(group));
    json.list("objects", &group.objects, |object: &DataObject, json| {
        json.text("name", &object.name);
        json.text("kind", paint::kind(object));
        json.text("size", &paint::bytes(object.bytes));
        json.text("touched", &paint::bytes(object.bytes_touched));
        json.count("loads", u64::from(object.loads));
        json.count("stores", u64::from(object.stores));
        json.known_number("meanCost", object.mean_cost);
        json.known_number("highCost", object.high_cost);
        let served = MemoryLevel::ALL.iter().zip(&object.levels).filter(|(_, n)| **n > 0);
        let served: Vec<_> = served.collect();
        json.list("levels", &served, |((level, name), references), json| {
            json.count("level", *level as u64);
            json.text("name", name);
            json.count("references", u64::from(**references));
        });
    });
    json.open("streams", '[');
    for stream in &group.streams {
        json.open("", '{');
        json.count("object", u64::from(stream.object));
        json.known_number("phase", stream.phase.map(|phase| f64::from(phase) + 1.0));
        let routine = stream.routine.and_then(|index| group.routines.get(index as usize));
        json.known_text("routine", routine.map(String::as_str));
        json.count("loads", u64::from(stream.loads));
        json.count("stores", u64::from(stream.stores));
        json.text("words", &stream.words());
        json.known_number("meanCost", stream.mean_cost);
        json.close('}');
    }
    json.close(']');
}

pub fn layout(layout: &AddressLayout) -> Writer {
    let mut json = Writer::default();
    json.open("", '{');
    plot(&layout.plot, &mut json);
    json.open("strips", '[');
    json.close(']');
    json.list("rows", &layout.rows, |row: &ObjectRow, json| {
        json.text("object", &row.object);
        json.text("kind", row.kind);
        json.number("top", row.top);
        json.number("bottom", row.bottom);
    });
    json.close('}');
    json
}

pub fn key(key: &AddressKey) -> Writer {
    let mut json = Writer::default();
    json.open("", '{');
    json.known_number("low", key.ends.map(|(low, _)| f64::from(low)));
    json.known_number("high", key.ends.map(|(_, high)| f64::from(high)));
    json.texts("steps", &key.steps);
    json.list("levels", &key.levels, |level: &LevelKey, json| {
        json.count("level", level.level as u64);
        json.text("name", level.level.name());
        json.count("loads", u64::from(level.loads));
        json.text("colour", &level.colour);
    });
    json.count("unknown", u64::from(key.unknown));
    json.text("unknownColour", &key.unknown_colour);
    json.count("stores", u64::from(key.stores));
    json.text("storeColour", &key.store_colour);
    json.flag("references", key.references);
    json.close('}');
    json
}

pub fn nearest(group: &Group, found: &Nearest) -> Writer {
    let mut json = Writer::default();
    let object = group.objects.get(found.object as usize);
    json.open("", '{');
    json.known_text("object", object.map(|object| object.name.as_str()));
    json.known_text("kind", object.map(paint::kind));
    json.text("offset", &paint::bytes(found.offset));
    json.flag("store", found.store);
    json.number("x", found.x);
    json.number("y", found.y);
    json.known_number("cost", found.load.map(|(cost, _)| f64::from(cost)).filter(|c| *c > 0.0));
    let level = found.load.map(|(_, level)| level).filter(|l| *l != MemoryLevel::Unknown);
    json.known_text("level", level.map(MemoryLevel::name));
    json.close('}');
    json
}
