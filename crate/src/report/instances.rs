//! Every instance of a group, those left out first, with the reason.

use serde::Serialize;

use super::counted;
use crate::folding::{Fate, Folding, Group, InstanceRow};
use crate::quantity::{duration, number, significant};

/// The instances of a group.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Instances {
    /// How many were left out of how many.
    pub title: String,
    /// At most as many as anybody reads.
    pub lines: Vec<InstanceLine>,
    /// What is not shown; empty if all are.
    pub more: String,
}

/// One instance.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct InstanceLine {
    /// `used`, or why it was left out: a name of [`Fate`].
    pub fate: String,
    /// Nanoseconds: to compare by.
    pub duration_ns: f64,
    /// Application, task and thread; start; duration; why it was left out.
    pub cells: [String; 4],
}

/// Nobody reads more; the exported file has them all.
const MOST_LINES: usize = 2000;

/// The instances of `group` in the order of the trace, those that were left out first, then those
/// that no group takes.
pub fn instances(folding: &Folding, group: &Group) -> Instances {
    let (used, left): (Vec<_>, Vec<_>) =
        group.rows.iter().partition(|row: &&InstanceRow| row.fate == Fate::Used);
    let title = format!(
        "{} of {} of group {} left out{}",
        number(left.len() as f64, 0),
        counted(group.rows.len() as u64, "instance"),
        group.number,
        match folding.apart.len() {
            0 => String::new(),
            apart => format!("; {} in no group", number(apart as f64, 0)),
        }
    );
    let all = left.into_iter().chain(&folding.apart).chain(used);
    let lines = all.take(MOST_LINES).map(|row| line(group, row)).collect::<Vec<_>>();
    let more = match group.rows.len() + folding.apart.len() > lines.len() {
        true => {
            let shown = number(lines.len() as f64, 0);
            format!("The first {shown} are shown; groups.csv has all.")
        }
        false => String::new(),
    };
    Instances { title, lines, more }
}

fn line(group: &Group, row: &InstanceRow) -> InstanceLine {
    let duration_ns = row.duration_ns as f64;
    let reason = match (row.fate, group.limits_ns) {
        (Fate::Used, _) => String::new(),
        (Fate::Apart, _) => "apart by duration".to_owned(),
        (Fate::ApartByTotal, _) => "apart by what it counted".to_owned(),
        (Fate::Uncounted, _) => "the counter that groups are by is not known".to_owned(),
        (Fate::Prefiltered, _) => "its samples lie unlike those of the others".to_owned(),
        (Fate::Outlier, None) => "unusual duration".to_owned(),
        (Fate::Outlier, Some([shortest, _])) if duration_ns < shortest => {
            format!("shorter than {}", precise(shortest))
        }
        (Fate::Outlier, Some([_, longest])) => format!("longer than {}", precise(longest)),
    };
    let [application, task, thread] = row.object;
    InstanceLine {
        fate: row.fate.name().to_owned(),
        duration_ns,
        cells: [
            format!("{application}.{task}.{thread}"),
            duration(row.start_ns as f64),
            precise(duration_ns),
            reason,
        ],
    }
}

/// In so many figures that it differs from the limit beyond which it lies.
fn precise(ns: f64) -> String {
    format!("{}\u{202f}ms", significant(ns / 1e6, 5))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{Axis, example};

    #[test]
    fn those_left_out_come_first_with_the_reason() {
        let mut folding = example::folding(1);
        let mut group = folding.groups.swap_remove(0);
        group.axis = Axis::Time;
        let row =
            |fate, duration_ns| InstanceRow { object: [1, 2, 3], start_ns: 0, duration_ns, fate };
        group.rows = vec![
            row(Fate::Used, 1_500_000),
            row(Fate::Outlier, 1_000_000),
            row(Fate::Outlier, 2_000_000),
            row(Fate::Prefiltered, 1_500_000),
        ];
        let told = instances(&folding, &group);
        assert_eq!(told.title, "3 of 4 instances of group 1 left out");
        assert_eq!(told.more, "");
        let reasons = told.lines.iter().map(|line| (line.fate.as_str(), line.cells[3].as_str()));
        let [short, long, unlike, used] = reasons.collect::<Vec<_>>()[..] else { panic!() };
        assert!(short.1.starts_with("shorter than"), "{short:?}");
        assert!(long.1.starts_with("longer than"), "{long:?}");
        assert_eq!(unlike.0, "prefiltered");
        assert_eq!(used, ("used", ""));
        let alone = [Fate::Apart, Fate::ApartByTotal, Fate::Uncounted];
        folding.apart = alone.map(|fate| row(fate, 9_000_000)).to_vec();
        let told = instances(&folding, &group);
        assert_eq!(told.title, "3 of 4 instances of group 1 left out; 3 in no group");
        let fates = told.lines.iter().map(|line| line.fate.as_str()).collect::<Vec<_>>();
        assert_eq!(fates[3..], ["apart", "apart_by_total", "uncounted", "used"]);
        assert_eq!(told.lines[3].cells[3], "apart by duration");
    }
}
