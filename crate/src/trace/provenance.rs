use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

/// How sure the numbers of a trace are; every reader says so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Provenance {
    /// How counters are known where instances begin and end.
    pub boundaries: Boundaries,
    /// Markers without their other half, whose instances were left out.
    pub markers_lost: u64,
    /// Which clock the times are of, e.g. `Paraver, in nanoseconds`; empty if that is not known.
    pub clock: String,
    /// Records left out because the trace does not know whose they are.
    pub objects_dropped: u64,
    /// Where memory references come from that were recorded apart, and how they met the trace, e.g.
    /// `52 loads and 8 stores of mem.txt, on the same clock`; empty if there are none.
    pub references: String,
}

/// How counters are known where instances begin and end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Boundaries {
    /// Read there.
    Exact,
    /// Taken from the readings before and after, at least in part.
    Interpolated,
    /// Not at all: no counter has a curve.
    Absent,
    /// The reader does not say.
    #[default]
    #[serde(rename = "", other)]
    #[strum(serialize = "")]
    Unknown,
}

impl Boundaries {
    /// As files have it: `exact`, `interpolated`, `absent`, or empty.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What files call so.
    pub fn of_name(name: &str) -> Self {
        let all = [Self::Exact, Self::Interpolated, Self::Absent];
        all.into_iter().find(|of| of.name() == name).unwrap_or_default()
    }
}

impl Provenance {
    /// One sentence for each fact, for people.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        sentences.extend(match self.boundaries {
            Boundaries::Exact => {
                Some("Counters are read where instances begin and end.".to_owned())
            }
            Boundaries::Interpolated => Some(
                "Counters where instances begin and end are interpolated between samples."
                    .to_owned(),
            ),
            Boundaries::Absent => Some(
                "No counter is known where instances begin and end; none has a curve.".to_owned(),
            ),
            Boundaries::Unknown => None,
        });
        if self.markers_lost > 0 {
            let lost = self.markers_lost;
            sentences.push(format!(
                "Markers without their other half: {lost}; their instances are left out."
            ));
        }
        if self.objects_dropped > 0 {
            let dropped = self.objects_dropped;
            sentences.push(format!("Records of threads that are not known, left out: {dropped}."));
        }
        if !self.clock.is_empty() {
            sentences.push(format!("Clock: {}.", self.clock));
        }
        if !self.references.is_empty() {
            sentences.push(format!("Memory references: {}.", self.references));
        }
        sentences
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fact_has_its_sentence() {
        assert_eq!(Provenance::default().sentences(), [""; 0]);
        let all = Provenance {
            boundaries: Boundaries::Interpolated,
            markers_lost: 3,
            clock: "perf, in nanoseconds".to_owned(),
            objects_dropped: 2,
            references: "52 loads and 8 stores of mem.txt, on the same clock".to_owned(),
        };
        assert_eq!(
            all.sentences(),
            [
                "Counters where instances begin and end are interpolated between samples.",
                "Markers without their other half: 3; their instances are left out.",
                "Records of threads that are not known, left out: 2.",
                "Clock: perf, in nanoseconds.",
                "Memory references: 52 loads and 8 stores of mem.txt, on the same clock.",
            ]
        );
    }
}
