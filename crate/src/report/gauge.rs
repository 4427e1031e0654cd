//! What is read beside the program, in words: memory controllers, levels, counters of a socket.

use serde::Serialize;

use super::counted;
use crate::folding::{Bandwidth, Gauge, Group};
use crate::paint::{self, ShownGauge, View};
use crate::quantity::{duration, gauge_half_width, gauge_value};

/// What can be shown in the lane.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct GaugeSummary {
    /// Its event type; none of memory controllers.
    pub code: Option<u32>,
    pub title: &'static str,
    pub keys: Vec<GaugeKey>,
    /// Who reads, and how often.
    pub hint: String,
}

/// A line of the lane.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct GaugeKey {
    pub name: String,
    /// In the page's style sheet: `hue-N`.
    pub style: String,
    /// Its mean, with the unit.
    pub mean: String,
}

/// All that can be shown, what is shown at first before the others.
pub fn gauges(group: &Group) -> Vec<GaugeSummary> {
    let summary = |of: ShownGauge<'_>| {
        let keys = of.lines.iter().zip(paint::HUES_OF_GAUGE).map(|((name, values), hue)| {
            let mean = gauge_value(values.mean, of.code, &of.unit);
            GaugeKey { name: name.clone(), style: format!("hue-{hue}"), mean }
        });
        GaugeSummary {
            code: of.code,
            title: of.title(),
            keys: keys.collect(),
            hint: hint(group, &of),
        }
    };
    paint::gauges(group).map(summary).collect()
}

/// `12 memory controllers, read every 10.0 ms by another process`.
fn hint(group: &Group, shown: &ShownGauge<'_>) -> String {
    let gauge = group.gauges.iter().find(|of| Some(of.code) == shown.code);
    match (gauge, &group.bandwidth) {
        (Some(gauge), _) => of_gauge(gauge),
        (None, Some(bandwidth)) => of_controllers(bandwidth),
        (None, None) => String::new(),
    }
}

fn of_controllers(bandwidth: &Bandwidth) -> String {
    let readers = counted(u64::from(bandwidth.readers), "memory controller");
    let nodes = match bandwidth.nodes {
        0 | 1 => String::new(),
        many => format!(" of {many} nodes, the mean of a node"),
    };
    let period = duration(bandwidth.period_ns as f64);
    format!("{readers}{nodes}, read every {period} by another process")
}

fn of_gauge(gauge: &Gauge) -> String {
    let readers = u64::from(gauge.readers);
    let readers = match (gauge.is_own, gauge.is_rate) {
        (false, _) if readers == 1 => counted(readers, "reader"),
        (true, _) => format!("{} of the region", counted(readers, "thread")),
        (false, true) => format!("the sum of {}", counted(readers, "reader")),
        (false, false) => format!("the mean of {}", counted(readers, "reader")),
    };
    format!("{readers}, read every {}", duration(gauge.period_ns as f64))
}

/// The lane in words.
pub fn words(group: &Group, view: &View) -> String {
    let Some(shown) = paint::shown_gauge(group, view) else { return "Gauge: not read.".to_owned() };
    let mean = |(name, of): &(String, std::borrow::Cow<'_, crate::folding::CellMeans>)| {
        format!("{name} {} on average", gauge_value(of.mean, shown.code, &shown.unit))
    };
    let means = shown.lines.iter().map(mean).collect::<Vec<_>>().join("; ");
    format!("{}: {means}; {}.", shown.title(), hint(group, &shown))
}

/// Of a moment.
pub fn at(group: &Group, view: &View, x: f64) -> Option<[String; 3]> {
    if view.counter.is_some() {
        return None;
    }
    let shown = paint::shown_gauge(group, view)?;
    let (name, of) = shown.lines.first()?;
    let (value, half_width) = of.at(x)?;
    let within = half_width.filter(|half| *half > 0.0);
    let within = within.map(|half| format!("± {} ", gauge_half_width(half, shown.code)));
    let value = gauge_value(value, shown.code, &shown.unit);
    Some([shown.title().to_owned(), value, format!("{}{name}", within.unwrap_or_default())])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{CellMeans, example};

    #[test]
    fn who_reads_is_told_with_the_means_and_the_value_of_a_moment() {
        let group = &example::folding(1).groups[0];
        let plain = |text: &str| text.replace('\u{202f}', "_");
        let summary = gauges(group).remove(0);
        let told = plain(&summary.hint);
        assert_eq!(told, "12 memory controllers, read every 10.0_ms by another process");
        let keys = summary.keys.iter().map(|key| (key.name.as_str(), plain(&key.mean)));
        let expected =
            [("read and written", "25.0_GB/s".to_owned()), ("written", "5.0_GB/s".to_owned())];
        assert_eq!(keys.collect::<Vec<_>>(), expected);
        let moment = at(group, &View::default(), 0.3).unwrap().map(|text| plain(&text));
        assert_eq!(moment, ["Memory", "37.5_GB/s", "± 1.5 read and written"]);
        assert_eq!(gauges(&Group::default()), []);
        assert_eq!(at(&Group::default(), &View::default(), 0.3), None);
    }

    #[test]
    fn each_gauge_tells_who_reads_it_and_the_one_shown_its_value_at_a_moment() {
        let level = |code, is_own, readers| Gauge {
            name: "Power (W)".to_owned(),
            code,
            is_own,
            readers,
            period_ns: 2_000_000,
            values: CellMeans { mean: 15.0, cells: vec![10.0, 20.0], half_widths: vec![] },
            ..Gauge::default()
        };
        let mut group = example::folding(1).groups[0].clone();
        group.gauges = vec![level(7, false, 2), level(8, true, 4)];
        group.gauges[1].is_rate = true;
        let plain = |text: &str| text.replace('\u{202f}', "_");
        let summaries = gauges(&group).into_iter().map(|of| (of.code, of.title, plain(&of.hint)));
        assert_eq!(
            summaries.skip(1).collect::<Vec<_>>(),
            [
                (Some(7), "Level", "the mean of 2 readers, read every 2.00_ms".to_owned()),
                (Some(8), "Socket", "4 threads of the region, read every 2.00_ms".to_owned()),
            ]
        );
        let view = View { gauge: Some(7), ..View::default() };
        let moment = at(&group, &view, 0.8).unwrap().map(|text| plain(&text));
        assert_eq!(moment, ["Level", "20.00_W", "Power"]);
        let words = plain(&words(&group, &view));
        assert_eq!(
            words,
            "Level: Power 15.00_W on average; the mean of 2 readers, read every 2.00_ms."
        );
    }
}
