//! A folding as JSON, field by field, and back. A field that an older version does not have gets
//! the value that says nothing.

use super::json::{Fields, Writer};
use super::models::{MissingModel, read_model, write_model};
use super::{
    Axis, Break, Curve, CurveKind, Durations, Fate, FitReport, Folding, FoldingNotice, Group,
    InstanceRow, Json, Phase, PhaseRate, TraceSummary, code, references,
};
use crate::trace::{Boundaries, Provenance};

impl Folding {
    /// As JSON, the fields by their names here.
    pub fn to_json(&self) -> String {
        let mut json = Writer::default();
        json.open("", '{');
        self.write(&mut json);
        json.close('}');
        json.finish()
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
        json.text("references", &self.trace.provenance.references);
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
        json.list("models", &self.models, write_model);
        json.list("missing_models", &self.missing_models, |missing, json| {
            json.text("title", &missing.title);
            json.texts("counters", &missing.counters);
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
            models: fields.list("models", read_model),
            missing_models: fields.list("missing_models", |missing| MissingModel {
                title: missing.text("title"),
                counters: missing.texts("counters"),
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
        references: fields.text("references"),
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
        json.text("fate", row.fate.name());
    });
    if let Some(limits) = &group.limits_ns {
        json.numbers("limits_ns", limits);
    }
    json.open("durations", '{');
    json.count("least_ns", group.durations.least_ns);
    json.count("most_ns", group.durations.most_ns);
    json.smalls("kept", &group.durations.kept);
    json.smalls("rejected", &group.durations.rejected);
    json.close('}');
    if let Axis::Counter { name, total } = &group.axis {
        json.open("axis", '{');
        json.text("counter", name);
        json.number("total", *total);
        json.close('}');
    }
    json.list("curves", &group.curves, write_curve);
    json.open("fit", '{');
    json.text("kind", group.fit.kind.name());
    if let Some(ratio) = group.fit.ratio {
        json.number("ratio", ratio);
    }
    json.count("breaks_bic", u64::from(group.fit.breaks_bic));
    json.count("breaks_held_out", u64::from(group.fit.breaks_held_out));
    json.flag("uncertain", group.fit.uncertain);
    json.close('}');
    json.list("breaks", &group.breaks, |found, json| {
        json.number("at", found.at);
        json.number("half_width", found.half_width);
        json.smalls("changed", &found.changed);
        json.flag("by_hand", found.by_hand);
    });
    json.list("phases", &group.phases, |phase, json| {
        json.number("start", phase.start);
        json.number("end", phase.end);
        json.text("name", &phase.name);
        if let Some(place) = phase.place {
            json.count("place", u64::from(place));
        }
    });
    json.smalls("density", &group.density);
    json.list("sparse", &group.sparse, |[start, end], json| {
        json.number("start", *start);
        json.number("end", *end);
    });
    if let Some(displacement) = group.displacement {
        json.number("displacement", displacement);
    }
    json.flag("better_over_instructions", group.better_over_instructions);
    json.flag("locked", group.locked);
    code::write(group, json);
    references::write(group, json);
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
    json.number("resolution", curve.resolution);
    if let Some(joules) = curve.joules {
        json.number("joules", joules);
    }
    json.numbers("fitted", &curve.fitted);
    json.numbers("rate", &curve.rate);
    json.numbers("fitted_band", &curve.fitted_band);
    json.numbers("rate_band", &curve.rate_band);
    json.list("phases", &curve.phases, |phase, json| {
        json.number("rate", phase.rate);
        json.number("half_width", phase.half_width);
    });
    json.numbers("own_breaks", &curve.own_breaks);
}

/// Version 1 knew only whether an instance was used.
fn fate(row: Fields<'_>) -> Fate {
    match row.text("fate").as_str() {
        "" if !row.flag("used") => Fate::Outlier,
        name => Fate::named(name),
    }
}

fn durations(fields: Fields<'_>) -> Durations {
    Durations {
        least_ns: fields.count("least_ns"),
        most_ns: fields.count("most_ns"),
        kept: fields.smalls("kept"),
        rejected: fields.smalls("rejected"),
    }
}

fn axis(fields: Fields<'_>) -> Axis {
    match fields.text("counter") {
        name if name.is_empty() => Axis::Time,
        name => Axis::Counter { name, total: fields.number("total") },
    }
}

fn fit(fields: Fields<'_>) -> FitReport {
    FitReport {
        kind: CurveKind::named(&fields.text("kind")),
        ratio: fields.known("ratio"),
        breaks_bic: fields.small("breaks_bic"),
        breaks_held_out: fields.small("breaks_held_out"),
        uncertain: fields.flag("uncertain"),
    }
}

fn group(fields: Fields<'_>) -> Group {
    let mut group = Group {
        number: fields.small("number"),
        instances: fields.small("instances"),
        kept: fields.small("kept"),
        mean_duration_ns: fields.number("mean_duration_ns"),
        samples: fields.small("samples"),
        rows: fields.list("rows", |row| InstanceRow {
            object: row.smalls("object").try_into().unwrap_or_default(),
            start_ns: row.count("start_ns"),
            duration_ns: row.count("duration_ns"),
            fate: fate(row),
        }),
        limits_ns: fields.numbers("limits_ns").try_into().ok(),
        durations: durations(fields.object("durations")),
        axis: axis(fields.object("axis")),
        curves: fields.list("curves", curve),
        fit: fit(fields.object("fit")),
        breaks: fields.list("breaks", |found| Break {
            at: found.number("at"),
            half_width: found.number("half_width"),
            changed: found.smalls("changed"),
            by_hand: found.flag("by_hand"),
        }),
        phases: fields.list("phases", |phase| Phase {
            start: phase.number("start"),
            end: phase.number("end"),
            name: phase.text("name"),
            place: phase.known("place").map(|place| place as u32),
        }),
        density: fields.smalls("density"),
        sparse: fields.list("sparse", |s| [s.number("start"), s.number("end")]),
        displacement: fields.known("displacement"),
        better_over_instructions: fields.flag("better_over_instructions"),
        locked: fields.flag("locked"),
        ..Group::default()
    };
    code::read(fields, &mut group);
    references::read(fields, &mut group);
    group
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
        resolution: fields.number("resolution"),
        joules: fields.known("joules"),
        fitted: fields.numbers("fitted"),
        rate: fields.numbers("rate"),
        fitted_band: fields.numbers("fitted_band"),
        rate_band: fields.numbers("rate_band"),
        phases: fields.list("phases", |phase| PhaseRate {
            rate: phase.number("rate"),
            half_width: phase.number("half_width"),
        }),
        own_breaks: fields.numbers("own_breaks"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let mut folding = super::super::example::folding(2);
        folding.region = "f<\"a\\b\">\n\u{1b}[31m \u{e9}".to_owned();
        let json = folding.to_json();
        assert!(Folding::from_json(json.as_bytes()) == Some(folding.clone()));
        let by_library = serde_json::from_str::<serde_json::Value>(&json).unwrap();
        assert_eq!(by_library["region"], folding.region);
    }

    #[test]
    fn an_older_version_is_read_and_what_is_no_json_is_not() {
        let older = Folding::from_json(br#"{"region":"a:b","groups":[{"number":1}]}"#).unwrap();
        assert_eq!((older.region.as_str(), older.groups.len()), ("a:b", 1));
        assert_eq!((older.trace.provenance, older.trace.partial), (Provenance::default(), None));
        assert_eq!(Folding::from_json(b"{"), None);
    }
}
