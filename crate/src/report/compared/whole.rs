//! Runs as a whole, compared, as tables.

use serde::Serialize;

use super::super::Figure;
use super::times::Times;
use super::{Tone, ends, tone};
use crate::compare::{ClusterRow, Clustered, Comparison, Part, Parts, RegionRow, Waterfall};
use crate::quantity::{THIN, change as percent, count, number, printable, significant, time_unit};

/// One table: a name, A, B and what changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct WholeTable {
    pub title: String,
    /// What its numbers are.
    pub unit: String,
    /// Head of the last column.
    pub change: String,
    pub rows: Vec<WholeRow>,
}

/// A part of the time, a region, a cluster, or the whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct WholeRow {
    pub name: String,
    /// What else is known of it.
    pub words: String,
    pub a: Figure,
    pub b: Figure,
    pub change: Figure,
    pub tone: Tone,
    /// From where to where it takes the time, that of A being 0 and the farthest 1; empty without.
    pub bar: Vec<f64>,
    /// Whether it is the sum of all others.
    pub is_sum: bool,
}

/// What was compared, of each a table.
#[inline(never)]
pub fn tables(comparison: &Comparison) -> Vec<WholeTable> {
    let parts = comparison.parts.as_ref().map(of_parts);
    let regions = comparison.regions.as_ref().map(of_regions);
    let clusters = (!comparison.clusters.is_empty()).then(|| of_clusters(&comparison.clusters));
    [parts, regions, clusters].into_iter().flatten().collect()
}

/// What nobody knows of the runs as a whole, and why.
#[inline(never)]
pub fn lacks(comparison: &Comparison) -> String {
    let sides = ["A", "B"].into_iter().zip(&comparison.not_spent);
    let lacks = sides.filter_map(|(side, why)| Some(format!("{side}: {}", why.as_ref()?)));
    lacks.collect::<Vec<_>>().join(" ")
}

/// A bar for each change, where the one before ends, and one for their sum.
fn bars(changes: impl Iterator<Item = f64>) -> Vec<Vec<f64>> {
    let (mut bars, mut at, mut farthest) = (vec![], 0.0, f64::MIN_POSITIVE);
    for change in changes {
        bars.push([at, at + change]);
        at += change;
        farthest = f64::max(farthest, at.abs());
    }
    bars.push([0.0, at]);
    bars.into_iter().map(|ends| ends.map(|end| end / farthest).to_vec()).collect()
}

fn of_parts(of: &Parts) -> WholeTable {
    let (unit, per_unit_ns) = time_unit(of.time.a.max(of.time.b) * 1e6);
    let times = Times::of(of.time.a.max(of.time.b), per_unit_ns / 1e6);
    let row = |part: &Part, [a, b]: [Figure; 2], is_sum: bool| WholeRow {
        // The unit of a part stands behind its name.
        name: part.name.to_owned(),
        words: format!("{}{THIN}% {}", percent(part.change), ends(part.interval)),
        a,
        b,
        change: times.signed(part.ms),
        tone: tone(part.verdict),
        bar: vec![],
        is_sum,
    };
    let value = |value: f64| match value {
        many if many >= 1e4 => Figure::of(Some(many), count),
        few if few == few.trunc() => Figure::whole(few),
        other => Figure::of(Some(other), |value| significant(value, 3)),
    };
    let mut rows = of
        .parts
        .iter()
        .map(|part| row(part, [part.a, part.b].map(value), false))
        .collect::<Vec<_>>();
    let ends = [of.time.a, of.time.b].map(|ms| times.figure(Some(ms)));
    rows.push(WholeRow { name: "time".to_owned(), ..row(&of.time, ends, true) });
    let bars = bars(of.parts.iter().map(|part| part.ms));
    rows.iter_mut().zip(bars).for_each(|(row, bar)| row.bar = bar);
    WholeTable {
        title: "The run".to_owned(),
        unit: format!("what its change is worth, in {unit}"),
        change: "B \u{2212} A".to_owned(),
        rows,
    }
}

fn of_regions(of: &Waterfall) -> WholeTable {
    let largest = of.ms[0].max(of.ms[1]);
    let (unit, per_unit_ns) = time_unit(largest * 1e6);
    let times = Times::of(largest, per_unit_ns / 1e6);
    let row = |name: String, words: String, ms: [f64; 2]| {
        let [a, b] = ms.map(|ms| times.figure(Some(ms)));
        let change = times.signed(ms[1] - ms[0]);
        WholeRow { name, words, a, b, change, tone: Tone::Unsure, bar: vec![], is_sum: false }
    };
    let told = of.rows.iter().take(of.told);
    let of_region = |region: &RegionRow| WholeRow {
        tone: region.verdict.map_or(Tone::Unsure, tone),
        ..row(printable(&region.name), words(region, &times), region.ms)
    };
    let mut rows = told.clone().map(of_region).collect::<Vec<_>>();
    let mut changes = told.map(RegionRow::change_ms).collect::<Vec<_>>();
    let rest = of.rows.get(of.told..).unwrap_or_default();
    if !rest.is_empty() {
        let ms = [0, 1].map(|side| rest.iter().map(|row| row.ms[side]).sum());
        rows.push(row(format!("{} more", number(rest.len() as f64, 0)), String::new(), ms));
        changes.push(of.rest_ms());
    }
    rows.push(WholeRow { is_sum: true, ..row("a thread".to_owned(), String::new(), of.ms) });
    rows.iter_mut().zip(bars(changes.into_iter())).for_each(|(row, bar)| row.bar = bar);
    WholeTable {
        title: "Regions".to_owned(),
        unit: format!("{unit} of a thread, without regions inside"),
        change: "B \u{2212} A".to_owned(),
        rows,
    }
}

/// Duration and number apart, the interval, and what it perhaps is on the other side.
fn words(region: &RegionRow, times: &Times) -> String {
    let mut words = vec![];
    if region.by_duration_ms != 0.0 && region.by_number_ms != 0.0 {
        let [duration, of_number] =
            [region.by_duration_ms, region.by_number_ms].map(|ms| times.signed_text(ms));
        words.push(format!("{duration} by duration, {of_number} by number"));
    }
    words.extend(
        region
            .change
            .map(|[change, low, high]| format!("{}{THIN}% {}", percent(change), ends([low, high]))),
    );
    words.extend(region.perhaps.as_ref().map(|name| format!("perhaps {}", printable(name))));
    words.join("; ")
}

fn of_clusters(rows: &[ClusterRow]) -> WholeTable {
    let row = |row: &ClusterRow| {
        let sides = [&row.a, &row.b];
        let [a, b] = sides.map(|of| {
            let ipc = of.as_ref().and_then(|of| of.ipc).map(|[log, _]| libm::exp(log));
            Figure::of(ipc, |ipc| number(ipc, 2))
        });
        let name = row.a.as_ref().or(row.b.as_ref()).map_or("", |of| of.name.as_str());
        let ms = |of: &Clustered| format!("{} ms a thread", significant(of.ms, 3));
        let words = match (&row.a, &row.b) {
            (Some(a), Some(b)) => {
                let told = |[_, low, high]: [f64; 3]| format!("; IPC {}{THIN}%", ends([low, high]));
                let interval = row.ipc.map_or(String::new(), told);
                let [from, to] = [a, b].map(|of| significant(of.ms, 3));
                format!("cluster {} of B; {from} \u{2192} {to} ms a thread{interval}", b.number)
            }
            (Some(a), None) => format!("only in A; {}", ms(a)),
            (None, Some(b)) => format!("only in B; {}", ms(b)),
            (None, None) => String::new(),
        };
        WholeRow {
            name: printable(name),
            words,
            a,
            b,
            change: Figure::of(row.ipc.map(|[change, ..]| change), percent),
            // More instructions in a cycle is what B does better.
            tone: match (row.is_sure, row.ipc) {
                (true, Some([change, ..])) if change < 0.0 => Tone::Slower,
                (true, _) => Tone::Faster,
                _ => Tone::Unsure,
            },
            bar: vec![],
            is_sum: false,
        }
    };
    WholeTable {
        title: "Clusters of bursts".to_owned(),
        unit: "instructions per cycle".to_owned(),
        change: "%".to_owned(),
        rows: rows.iter().map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{RegionSpent, Wanted, waterfall};

    #[test]
    fn bars_follow_one_another_and_the_last_is_their_sum() {
        assert_eq!(
            bars([3.0, -1.0, -4.0].into_iter()),
            [[0.0, 1.0], [1.0, 2.0 / 3.0], [2.0 / 3.0, -2.0 / 3.0], [0.0, -2.0 / 3.0]]
        );
        assert_eq!(bars([].into_iter()), [[0.0, 0.0]]);
    }

    #[test]
    fn the_regions_that_are_printed_add_up_to_the_thread() {
        let region = |name: &str, instances: f64, exclusive_ms: f64| RegionSpent {
            name: name.to_owned(),
            instances,
            exclusive_ms,
            ..RegionSpent::default()
        };
        let side = |solve: f64, rest: f64| {
            vec![vec![
                region("solve", 10.0, solve),
                region("wait", 2.0 * rest, 5.0),
                region("i\u{7}o", 1.0, rest),
            ]]
        };
        let (a, b) = (side(50.0, 1.0), side(80.0, 1.5));
        let of = waterfall([&a, &b], &Wanted::default()).unwrap();
        let table = of_regions(&of);
        let change = |row: &WholeRow| row.change.text.clone();
        assert_eq!(table.rows.iter().map(change).collect::<Vec<_>>(), ["+30.0", "+0.5", "+30.5"]);
        assert_eq!(
            table.rows.iter().map(|row| row.name.as_str()).collect::<Vec<_>>(),
            ["solve", "2 more", "a thread"]
        );
        assert_eq!(table.rows.last().unwrap().bar, [0.0, 1.0]);
    }
}
