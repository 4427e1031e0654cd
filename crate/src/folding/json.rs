//! A folding as JSON, the fields by their names, and back, of every version.

use serde::{Deserialize, Deserializer};

use super::{CodeTimes, DataObject, Fate, Folding, InstanceRow, Part};

impl Folding {
    /// As JSON.
    pub fn to_json(&self) -> String {
        // Texts, numbers and lists of them cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads what [`Folding::to_json`] wrote, of this version or an older one; of a newer one what
    /// is understood. An error if it is no JSON, or of another shape.
    pub fn from_json(json: &[u8]) -> serde_json::Result<Self> {
        serde_json::from_slice(json).map(Self::sound)
    }

    /// Without what would send a reader in circles: a context's parent that is not before it; and without
    /// times of code that are of other places, contexts or phases.
    pub(crate) fn sound(mut self) -> Self {
        for group in &mut self.groups {
            for (at, context) in group.contexts.iter_mut().enumerate() {
                context.parent = context.parent.filter(|parent| (*parent as usize) < at);
            }
            let is_of = |times: &CodeTimes, phases: usize| {
                (times.places.len(), times.contexts.len(), times.phases.len())
                    == (group.places.len(), group.contexts.len(), phases)
                    && [0, phases].contains(&times.contexts_of_phases.len())
                    && [0, phases].contains(&times.others_of_phases.len())
                    && times.others.iter().all(|of| (of.place as usize) < group.places.len())
                    && times
                        .places
                        .iter()
                        .chain(times.others.iter().map(|others| &others.time))
                        .all(|place| place.events.len() == group.curves.len())
            };
            let has = |(object, _): &(u32, DataObject)| (*object as usize) < group.objects.len();
            let is_part = |part: &Part| {
                is_of(&part.code, 0)
                    && part.rates.len() == group.curves.len()
                    && part.objects.iter().all(has)
            };
            let phases = group.phases.len();
            group.code_times = group.code_times.take().filter(|times| is_of(times, phases));
            group.part = group.part.take().filter(is_part);
            group.without_idle();
        }
        self
    }
}

/// A number; what is not finite is `null` in JSON, and read as 0.
pub fn number<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or(0.0))
}

/// The same of a column.
pub fn numbers<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
    let values = Vec::<Option<f64>>::deserialize(from)?;
    Ok(values.into_iter().map(|value| value.unwrap_or(0.0)).collect())
}

/// An instance as any version has it: the first knew only whether it was used.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct RowOfAnyVersion {
    object: [u32; 3],
    start_ns: u64,
    duration_ns: u64,
    fate: Option<Fate>,
    used: bool,
}

impl From<RowOfAnyVersion> for InstanceRow {
    fn from(row: RowOfAnyVersion) -> Self {
        let RowOfAnyVersion { object, start_ns, duration_ns, fate, used } = row;
        let fate = fate.unwrap_or(if used { Fate::Used } else { Fate::Outlier });
        Self { object, start_ns, duration_ns, fate }
    }
}

/// Stretches of folded time as `{start, end}`.
pub mod spans {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Span {
        start: f64,
        end: f64,
    }

    pub fn serialize<S: Serializer>(spans: &[[f64; 2]], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(spans.iter().map(|&[start, end]| Span { start, end }))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<[f64; 2]>, D::Error> {
        let spans = Vec::<Span>::deserialize(from)?;
        Ok(spans.into_iter().map(|Span { start, end }| [start, end]).collect())
    }
}

/// Addresses in hexadecimal: numbers of JSON are not exact from 2^53 on, where kernels and stacks
/// lie.
pub mod hexadecimal {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(address: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{address:x}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        Ok(u64::from_str_radix(&String::deserialize(from)?, 16).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{CurveKind, example};
    use crate::trace::Provenance;

    #[test]
    fn what_is_written_reads_back() {
        let mut folding = example::folding(2);
        folding.region = "f<\"a\\b\">\n\u{1b}[31m \u{e9}".to_owned();
        let json = folding.to_json();
        assert_eq!(Folding::from_json(json.as_bytes()).unwrap(), folding);
        let by_key = serde_json::from_str::<serde_json::Value>(&json).unwrap();
        assert_eq!(by_key["region"], folding.region);
    }

    #[test]
    fn an_older_version_is_read_and_what_is_no_json_is_not() {
        let older = br#"{"region":"a:b","groups":[{"number":1,
            "rows":[{"object":[1,1,1],"start_ns":5,"duration_ns":7,"used":true},{"used":false}],
            "fit":{"kind":"segments","ratio":0.5,"breaks_held_out":3},
            "sparse":[{"start":0.25,"end":0.5}],
            "curves":[{"counter":"c","rate":[1,null,3.5]}]}]}"#;
        let older = Folding::from_json(older).unwrap();
        assert_eq!((older.region.as_str(), older.groups.len()), ("a:b", 1));
        assert_eq!((older.trace.provenance, older.trace.partial), (Provenance::default(), None));
        let group = &older.groups[0];
        let fates = group.rows.iter().map(|row| row.fate).collect::<Vec<_>>();
        assert_eq!(fates, [Fate::Used, Fate::Outlier]);
        assert_eq!((group.fit.kind, group.fit.error_ratio), (CurveKind::Segments, Some(0.5)));
        assert_eq!(group.fit.breaks_cross_validation, Some(3));
        assert_eq!(
            (&group.sparse[..], &group.curves[0].rate[..]),
            (&[[0.25, 0.5]][..], &[1.0, 0.0, 3.5][..])
        );
        for no_json in [&b"{"[..], b"", b"[]]", b"{\"groups\":5}"] {
            assert!(Folding::from_json(no_json).is_err());
        }
    }

    #[test]
    fn names_of_a_newer_version_are_taken_as_the_plainest() {
        let newer = br#"{"groups":[{"rows":[{"fate":"merged"}],"fit":{"kind":"wavelets"},
            "objects":[{"kind":"mapped"}],"streams":[{"direction":"spiral"}],"more":[1]}]}"#;
        let group = &Folding::from_json(newer).unwrap().groups[0];
        assert_eq!((group.rows[0].fate, group.fit.kind), (Fate::Used, CurveKind::Spline));
        assert_eq!(group.objects[0].kind.name(), "unknown");
        assert_eq!(group.streams[0].direction.name(), "unknown");
    }

    #[test]
    fn a_parent_that_is_not_before_its_child_is_none() {
        let circle =
            br#"{"groups":[{"contexts":[{"parent":1,"routine":0},{"parent":0,"routine":1}]}]}"#;
        let group = &Folding::from_json(circle).unwrap().groups[0];
        let parents = group.contexts.iter().map(|context| context.parent).collect::<Vec<_>>();
        assert_eq!(parents, [None, Some(0)]);
    }
}
