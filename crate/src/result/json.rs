//! JSON of results, written and read field by field.
//!
//! Derived code for writing and reading our structs would be some 30 kB (gzipped) of what the page
//! loads, and a second printer of numbers another 11 kB; this is a tenth of it.

use std::fmt::Write;

use super::{
    Curve, Folding, FoldingNotice, Group, InstanceRow, Json, Lines, Place, Stretch, TraceSummary,
};
use crate::trace::{Boundaries, Provenance};

/// The shortest decimal that reads back as the same number, without a needless `.0`.
pub fn number(value: f64) -> String {
    let text = format!("{value:?}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// JSON being written, without blanks. Commas come by themselves.
#[derive(Default)]
pub(super) struct Writer(String);

impl Writer {
    pub fn finish(self) -> String {
        self.0
    }

    /// Begins an object or a list, as a field where `key` is not empty.
    pub fn open(&mut self, key: &str, bracket: char) {
        self.key(key);
        self.0.push(bracket);
    }

    pub fn close(&mut self, bracket: char) {
        self.0.push(bracket);
    }

    fn key(&mut self, key: &str) {
        if !self.0.ends_with(['{', '[']) && !self.0.is_empty() {
            self.0.push(',');
        }
        if !key.is_empty() {
            self.quoted(key);
            self.0.push(':');
        }
    }

    fn quoted(&mut self, text: &str) {
        self.0.push('"');
        for letter in text.chars() {
            match letter {
                '"' | '\\' => self.0.extend(['\\', letter]),
                // Writing to a String cannot fail.
                '\0'..'\x20' => drop(write!(self.0, "\\u{:04x}", u32::from(letter))),
                _ => self.0.push(letter),
            }
        }
        self.0.push('"');
    }

    pub fn text(&mut self, key: &str, text: &str) {
        self.key(key);
        self.quoted(text);
    }

    /// What is not finite is `null`.
    pub fn number(&mut self, key: &str, value: f64) {
        self.key(key);
        self.0 += &if value.is_finite() { number(value) } else { "null".to_owned() };
    }

    pub fn count(&mut self, key: &str, count: u64) {
        self.key(key);
        self.0 += &count.to_string();
    }

    pub fn flag(&mut self, key: &str, flag: bool) {
        self.key(key);
        self.0 += if flag { "true" } else { "false" };
    }

    pub fn numbers(&mut self, key: &str, values: &[f64]) {
        self.open(key, '[');
        values.iter().for_each(|value| self.number("", *value));
        self.close(']');
    }

    pub fn smalls(&mut self, key: &str, values: &[u32]) {
        self.open(key, '[');
        values.iter().for_each(|value| self.count("", u64::from(*value)));
        self.close(']');
    }

    pub fn texts(&mut self, key: &str, values: &[String]) {
        self.open(key, '[');
        values.iter().for_each(|value| self.text("", value));
        self.close(']');
    }

    /// A list of objects, each written by `write`.
    pub fn list<T>(&mut self, key: &str, things: &[T], write: fn(&T, &mut Writer)) {
        self.open(key, '[');
        for thing in things {
            self.open("", '{');
            write(thing, self);
            self.close('}');
        }
        self.close(']');
    }
}

/// The fields of an object. One that is absent or of another kind is 0, empty or false: an older
/// version may not have it.
#[derive(Clone, Copy)]
pub struct Fields<'json>(pub &'json Json);

impl<'json> Fields<'json> {
    fn get(self, key: &str) -> &'json Json {
        self.0.get(key).unwrap_or(&Json::Null)
    }

    pub fn number(self, key: &str) -> f64 {
        self.get(key).number().unwrap_or(0.0)
    }

    /// What is no whole number, or too large, becomes the nearest that is.
    pub fn count(self, key: &str) -> u64 {
        self.number(key) as u64
    }

    pub fn small(self, key: &str) -> u32 {
        self.number(key) as u32
    }

    pub fn flag(self, key: &str) -> bool {
        *self.get(key) == Json::Flag(true)
    }

    pub fn text(self, key: &str) -> String {
        self.get(key).text().to_owned()
    }

    pub fn object(self, key: &str) -> Fields<'json> {
        Fields(self.get(key))
    }

    pub fn values(self, key: &str) -> &'json [Json] {
        self.get(key).values()
    }

    pub fn list<T>(self, key: &str, read: impl Fn(Fields<'json>) -> T) -> Vec<T> {
        self.values(key).iter().map(|value| read(Fields(value))).collect()
    }

    pub fn numbers(self, key: &str) -> Vec<f64> {
        self.values(key).iter().map(|value| value.number().unwrap_or(0.0)).collect()
    }

    pub fn smalls(self, key: &str) -> Vec<u32> {
        self.numbers(key).into_iter().map(|number| number as u32).collect()
    }

    pub fn texts(self, key: &str) -> Vec<String> {
        self.values(key).iter().map(|value| value.text().to_owned()).collect()
    }
}

impl Folding {
    /// As JSON, the fields by their names here.
    pub fn to_json(&self) -> String {
        let mut json = Writer::default();
        json.open("", '{');
        self.write(&mut json);
        json.close('}');
        json.finish()
    }

    /// The same without the instances, which no picture shows: of many, they would be most of the
    /// text, and reading it would keep the page busy.
    pub fn to_json_for_picture(&self) -> String {
        let mut slim = self.clone();
        slim.groups.iter_mut().for_each(|group| group.rows.clear());
        slim.to_json()
    }

    pub(super) fn write(&self, json: &mut Writer) {
        json.count("version", u64::from(self.version));
        json.open("trace", '{');
        json.text("name", &self.trace.name);
        json.count("size_bytes", self.trace.size_bytes);
        json.count("duration_ns", self.trace.duration_ns);
        json.count("threads", u64::from(self.trace.threads));
        json.flag("generated", self.trace.generated);
        json.open("provenance", '{');
        json.text("boundaries", self.trace.provenance.boundaries.name());
        json.count("markers_lost", self.trace.provenance.markers_lost);
        json.text("clock", &self.trace.provenance.clock);
        json.count("objects_dropped", self.trace.provenance.objects_dropped);
        json.close('}');
        if let Some(partial) = &self.trace.partial {
            json.text("partial", partial);
        }
        json.close('}');
        json.text("region", &self.region);
        json.list("groups", &self.groups, write_group);
        json.count("shown", u64::from(self.shown));
        json.list("notices", &self.notices, |notice, json| {
            json.text("text", &notice.text);
            json.count("count", notice.count);
            json.text("first", &notice.first);
        });
        json.flag("quantised", self.quantised);
    }

    /// Reads what [`Folding::to_json`] wrote, of this version or an older one; of a newer one what is known.
    ///
    /// `None` if it is no JSON.
    pub fn from_json(json: &[u8]) -> Option<Self> {
        let value = Json::parse(json).ok()?;
        Some(Self::read(Fields(&value)))
    }

    pub(super) fn read(fields: Fields<'_>) -> Self {
        let trace = fields.object("trace");
        Self {
            version: fields.small("version"),
            trace: TraceSummary {
                name: trace.text("name"),
                size_bytes: trace.count("size_bytes"),
                duration_ns: trace.count("duration_ns"),
                threads: trace.small("threads"),
                generated: trace.flag("generated"),
                provenance: provenance(trace.object("provenance")),
                partial: Some(trace.text("partial")).filter(|words| !words.is_empty()),
            },
            region: fields.text("region"),
            groups: fields.list("groups", group),
            shown: fields.small("shown"),
            notices: fields.list("notices", |notice| FoldingNotice {
                text: notice.text("text"),
                count: notice.count("count"),
                first: notice.text("first"),
            }),
            quantised: fields.flag("quantised"),
        }
    }
}

fn provenance(fields: Fields<'_>) -> Provenance {
    Provenance {
        boundaries: Boundaries::named(&fields.text("boundaries")),
        markers_lost: fields.count("markers_lost"),
        clock: fields.text("clock"),
        objects_dropped: fields.count("objects_dropped"),
    }
}

fn write_group(group: &Group, json: &mut Writer) {
    json.count("number", u64::from(group.number));
    json.count("instances", u64::from(group.instances));
    json.count("kept", u64::from(group.kept));
    json.number("mean_duration_ns", group.mean_duration_ns);
    json.count("samples", u64::from(group.samples));
    json.list("rows", &group.rows, |row, json| {
        json.smalls("object", &row.object);
        json.count("start_ns", row.start_ns);
        json.count("duration_ns", row.duration_ns);
        json.flag("used", row.used);
    });
    json.list("curves", &group.curves, write_curve);
    json.texts("routines", &group.routines);
    json.list("places", &group.places, |place, json| {
        json.count("routine", u64::from(place.routine));
        json.count("line", u64::from(place.line));
        json.text("file", &place.file);
        json.count("samples", u64::from(place.samples));
    });
    json.open("lines", '{');
    json.numbers("x", &group.lines.x);
    json.smalls("place", &group.lines.place);
    json.close('}');
    json.list("stretches", &group.stretches, |stretch, json| {
        json.number("start", stretch.start);
        json.number("end", stretch.end);
        json.count("place", u64::from(stretch.place));
        json.count("samples", u64::from(stretch.samples));
    });
}

fn write_curve(curve: &Curve, json: &mut Writer) {
    json.text("counter", &curve.counter);
    json.text("description", &curve.description);
    json.flag("instructions", curve.instructions);
    json.count("instances", u64::from(curve.instances));
    json.count("used", u64::from(curve.used));
    json.count("unused", u64::from(curve.unused));
    json.count("excluded", u64::from(curve.excluded));
    json.number("mean_count", curve.mean_count);
    json.number("mean_rate", curve.mean_rate);
    json.number("nugget", curve.nugget);
    json.numbers("fitted", &curve.fitted);
    json.numbers("rate", &curve.rate);
}

fn group(fields: Fields<'_>) -> Group {
    let lines = fields.object("lines");
    Group {
        number: fields.small("number"),
        instances: fields.small("instances"),
        kept: fields.small("kept"),
        mean_duration_ns: fields.number("mean_duration_ns"),
        samples: fields.small("samples"),
        rows: fields.list("rows", |row| InstanceRow {
            object: row.smalls("object").try_into().unwrap_or_default(),
            start_ns: row.count("start_ns"),
            duration_ns: row.count("duration_ns"),
            used: row.flag("used"),
        }),
        curves: fields.list("curves", curve),
        routines: fields.texts("routines"),
        places: fields.list("places", |place| Place {
            routine: place.small("routine"),
            line: place.small("line"),
            file: place.text("file"),
            samples: place.small("samples"),
        }),
        lines: Lines { x: lines.numbers("x"), place: lines.smalls("place") },
        stretches: fields.list("stretches", |stretch| Stretch {
            start: stretch.number("start"),
            end: stretch.number("end"),
            place: stretch.small("place"),
            samples: stretch.small("samples"),
        }),
    }
}

fn curve(fields: Fields<'_>) -> Curve {
    Curve {
        counter: fields.text("counter"),
        description: fields.text("description"),
        instructions: fields.flag("instructions"),
        instances: fields.small("instances"),
        used: fields.small("used"),
        unused: fields.small("unused"),
        excluded: fields.small("excluded"),
        mean_count: fields.number("mean_count"),
        mean_rate: fields.number("mean_rate"),
        nugget: fields.number("nugget"),
        fitted: fields.numbers("fitted"),
        rate: fields.numbers("rate"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_shortest_that_read_back() {
        for (value, text) in [
            (0.1, "0.1"),
            (1.0, "1"),
            (-0.0, "-0"),
            (1e300, "1e300"),
            (1.5e-7, "1.5e-7"),
            (1.0 / 3.0, "0.3333333333333333"),
        ] {
            assert_eq!(number(value), text);
            assert_eq!(text.parse::<f64>().map(f64::to_bits), Ok(value.to_bits()));
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        let mut folding = super::super::link::tests::folding(2);
        folding.region = "f<\"a\\b\">\n\u{1b}[31m \u{e9}".to_owned();
        let json = folding.to_json();
        let mut back = Folding::from_json(json.as_bytes()).unwrap();
        assert!(back == folding);
        back.groups.iter_mut().for_each(|group| group.rows.clear());
        assert_eq!(folding.to_json_for_picture(), back.to_json());
        let by_library = serde_json::from_str::<serde_json::Value>(&json).unwrap();
        assert_eq!(by_library["region"], folding.region);
    }

    #[test]
    fn what_is_not_finite_is_null() {
        let mut json = Writer::default();
        json.numbers("", &[1.0, f64::NAN, -0.5]);
        assert_eq!(json.finish(), "[1,null,-0.5]");
    }

    #[test]
    fn an_older_version_is_read_and_what_is_no_json_is_not() {
        let older = Folding::from_json(br#"{"region":"a:b","groups":[{"number":1}]}"#).unwrap();
        assert_eq!((older.region.as_str(), older.groups.len()), ("a:b", 1));
        assert_eq!((older.trace.provenance, older.trace.partial), (Provenance::default(), None));
        assert_eq!(Folding::from_json(b"{"), None);
    }
}
