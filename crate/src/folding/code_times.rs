//! What the samples of code add up to, as a link carries it beside the few samples that it has.

use serde::{Deserialize, Serialize};

/// All that tables of code are made of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CodeTimes {
    /// The least and the largest rate of instructions at a sample, in events per microsecond; `None`
    /// without a curve of them or without samples.
    pub mips: Option<[f64; 2]>,
    /// One for each of [`Group::places`](super::Group::places).
    pub places: Vec<PlaceTime>,
    /// Of each routine and file the places of few samples together, where those are not told one by one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherPlaces>,
    /// For each of [`Group::contexts`](super::Group::contexts) the share of folded time with its routine
    /// innermost, and samples.
    pub contexts: Vec<(f64, u32)>,
    /// Of each phase its places, and the share of folded time that each has in it.
    pub phases: Vec<Vec<(u32, f64)>>,
    /// For each phase the share of the places that are not told; empty where all are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others_of_phases: Vec<f64>,
    /// For each phase the context from which its own place was called most; empty if nobody asked.
    pub contexts_of_phases: Vec<Option<u32>>,
}

/// Places of one routine and file that are told together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct OtherPlaces {
    /// One of them: index into [`Group::places`](super::Group::places).
    pub place: u32,
    pub places: u32,
    pub time: PlaceTime,
}

/// What the samples of a place add up to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Packed", into = "Packed")]
pub struct PlaceTime {
    /// Of folded time.
    pub share: f64,
    pub samples: u32,
    /// Share × rate, for each curve, and the share in which it has a rate.
    pub events: Vec<[f64; 2]>,
    /// Shares of folded time in equal steps from the least to the largest rate of instructions; empty
    /// without those.
    pub histogram: Vec<f64>,
}

impl PlaceTime {
    pub fn new(curves: usize, bins: usize) -> Self {
        Self { share: 0.0, samples: 0, events: vec![[0.0; 2]; curves], histogram: vec![0.0; bins] }
    }

    pub fn add(&mut self, other: &Self) {
        self.share += other.share;
        self.samples += other.samples;
        for ([events, share], [more, of]) in self.events.iter_mut().zip(&other.events) {
            (*events, *share) = (*events + more, *share + of);
        }
        let add = |(share, more): (&mut f64, &f64)| *share += more;
        self.histogram.iter_mut().zip(&other.histogram).for_each(add);
    }
}

/// The same with fewer letters: a curve has a rate nearly everywhere, and a bar is a few pixels high.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Packed {
    share: f64,
    samples: u32,
    events: Vec<Events>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    histogram: Vec<f64>,
    /// The longest bar, and all in [`STEPS`] of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bars: Vec<u8>,
    #[serde(skip_serializing_if = "is_zero")]
    longest: f64,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Events {
    /// With a rate in all of its share.
    Rated(f64),
    Partly([f64; 2]),
}

/// A bar of a table is at most 13 px high: 52 where each of them is four of the screen.
const STEPS: f64 = 60.0;

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

impl From<PlaceTime> for Packed {
    fn from(time: PlaceTime) -> Self {
        let PlaceTime { share, samples, events, histogram } = time;
        let of = |[events, rated]: [f64; 2]| match rated == share {
            true => Events::Rated(events),
            false => Events::Partly([events, rated]),
        };
        let longest = histogram.iter().copied().fold(0.0, f64::max);
        let scale = if longest > 0.0 { STEPS / longest } else { 0.0 };
        let bars = histogram.iter().map(|bar| libm::round(bar * scale) as u8).collect();
        let events = events.into_iter().map(of).collect();
        Self { share, samples, events, histogram: vec![], bars, longest }
    }
}

impl From<Packed> for PlaceTime {
    fn from(packed: Packed) -> Self {
        let Packed { share, samples, events, histogram, bars, longest } = packed;
        let of = |of| match of {
            Events::Rated(events) => [events, share],
            Events::Partly(pair) => pair,
        };
        let events = events.into_iter().map(of).collect();
        let bar = |bar: &u8| f64::from(*bar) * longest / STEPS;
        let histogram = if bars.is_empty() { histogram } else { bars.iter().map(bar).collect() };
        Self { share, samples, events, histogram }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_a_place_are_read_as_they_were_written_now_and_before() {
        let place = PlaceTime {
            share: 0.25,
            samples: 3,
            events: vec![[12.5, 0.25], [7.0, 0.125]],
            histogram: vec![0.0, 0.05, 0.2],
        };
        let json = serde_json::to_string(&place).unwrap();
        assert_eq!(
            json,
            r#"{"share":0.25,"samples":3,"events":[12.5,[7.0,0.125]],"bars":[0,15,60],"longest":0.2}"#
        );
        assert_eq!(serde_json::from_str::<PlaceTime>(&json).unwrap(), place);
        let before = r#"{"share":0.25,"samples":3,"events":[[12.5,0.25],[7.0,0.125]],"histogram":[0.0,0.05,0.2]}"#;
        assert_eq!(serde_json::from_str::<PlaceTime>(before).unwrap(), place);
        let nothing = PlaceTime::new(2, 3);
        let json = serde_json::to_string(&nothing).unwrap();
        assert_eq!(serde_json::from_str::<PlaceTime>(&json).unwrap(), nothing);
    }
}
