//! How much memory controllers read and write, in words.

use serde::Serialize;

use super::counted;
use crate::folding::{Bandwidth, Group};
use crate::paint::{self, View};
use crate::quantity::{duration, number};

/// What stands over the lane.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct BandwidthSummary {
    pub keys: Vec<BandwidthKey>,
    /// Who reads, and how often.
    pub hint: String,
}

/// A line of the lane.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct BandwidthKey {
    pub name: &'static str,
    /// In the page's style sheet: `hue-N`.
    pub style: String,
    /// Its mean, with the unit.
    pub mean: String,
}

/// `None` where nobody read it.
pub fn bandwidth(group: &Group) -> Option<BandwidthSummary> {
    let bandwidth = group.bandwidth.as_ref().filter(|_| paint::has_bandwidth(group))?;
    let keys = bandwidth.parts().zip(paint::HUES_OF_TRAFFIC).map(|((name, of), hue)| {
        BandwidthKey { name, style: format!("hue-{hue}"), mean: gigabytes(of.mean) }
    });
    Some(BandwidthSummary { keys: keys.collect(), hint: hint(bandwidth) })
}

/// `12 memory controllers, read every 10.0 ms by another process`.
fn hint(bandwidth: &Bandwidth) -> String {
    let readers = counted(u64::from(bandwidth.readers), "memory controller");
    let nodes = match bandwidth.nodes {
        0 | 1 => String::new(),
        many => format!(" of {many} nodes, the mean of a node"),
    };
    let period = duration(bandwidth.period_ns as f64);
    format!("{readers}{nodes}, read every {period} by another process")
}

/// The lane in words.
pub fn words(group: &Group) -> String {
    let Some(bandwidth) = &group.bandwidth else { return "Memory: not read.".to_owned() };
    let mean = |(name, of): (&str, &crate::folding::Traffic)| {
        format!("{name} {} on average", gigabytes(of.mean))
    };
    let means = bandwidth.parts().map(mean).collect::<Vec<_>>().join("; ");
    format!("Memory: {means}; {}.", hint(bandwidth))
}

/// Of a moment.
pub fn at(group: &Group, view: &View, x: f64) -> Option<[String; 3]> {
    if view.counter.is_some() {
        return None;
    }
    let bandwidth = group.bandwidth.as_ref().filter(|_| paint::has_bandwidth(group))?;
    let (name, of) = bandwidth.parts().next()?;
    let (value, half_width) = of.at(x)?;
    let within = half_width.filter(|half| *half > 0.0);
    let within = within.map_or_else(String::new, |half| format!("± {} ", number(half, 1)));
    Some(["Memory".to_owned(), gigabytes(value), format!("{within}{name}")])
}

fn gigabytes(value: f64) -> String {
    format!("{}\u{202f}GB/s", number(value, 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::example;

    #[test]
    fn who_reads_is_told_with_the_means_and_the_value_of_a_moment() {
        let group = &example::folding(1).groups[0];
        let plain = |text: &str| text.replace('\u{202f}', "_");
        let summary = bandwidth(group).unwrap();
        let told = plain(&summary.hint);
        assert_eq!(told, "12 memory controllers, read every 10.0_ms by another process");
        let keys = summary.keys.iter().map(|key| (key.name, plain(&key.mean)));
        let expected =
            [("read and written", "25.0_GB/s".to_owned()), ("written", "5.0_GB/s".to_owned())];
        assert_eq!(keys.collect::<Vec<_>>(), expected);
        let moment = at(group, &View::default(), 0.3).unwrap().map(|text| plain(&text));
        assert_eq!(moment, ["Memory", "37.5_GB/s", "± 1.5 read and written"]);
        assert_eq!(bandwidth(&Group::default()), None);
        assert_eq!(at(&Group::default(), &View::default(), 0.3), None);
    }
}
