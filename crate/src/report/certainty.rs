//! How sure one curve is: its band, what it was fitted to, what was left out and why, and which kind of
//! curve it is.

use serde::Serialize;

use super::counted;
use super::group::fit;
use crate::folding::{Curve, CurveKind, Family, Fate, Folding, Group, LeftOut};
use crate::quantity::{
    Kind, Quantity, count, duration, extent, number, percent, short, significant,
};

/// What there is to say of one curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Certainty {
    /// As the legend calls it, and as the trace does.
    pub name: String,
    pub counter: String,
    /// What it is, and the sentences for it.
    pub rows: Vec<CertaintyRow>,
}

/// One aspect of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct CertaintyRow {
    pub what: &'static str,
    pub lines: Vec<String>,
}

/// How sure the curve of `counter` is; `None` if there is no such curve. O(points log points).
pub fn certainty(folding: &Folding, group: &Group, counter: &str) -> Option<Certainty> {
    let curve = group.curve(counter)?;
    let rows = [
        ("Band", band(group, curve)),
        ("Samples", samples(group, curve)),
        ("Instances", instances(folding, group, curve)),
        ("Left out", left_out(folding, group, curve)),
        ("Families", families(curve)),
        ("Curve", kind(group, curve)),
    ];
    let rows = rows.into_iter().filter(|(_, lines)| !lines.is_empty());
    let rate = Quantity::of(group, curve, Kind::Rate);
    let name = if rate.is_power() { short(counter).to_owned() } else { rate.name };
    let rows = rows.map(|(what, lines)| CertaintyRow { what, lines });
    Some(Certainty { name, counter: counter.to_owned(), rows: rows.collect() })
}

fn whole(n: u32) -> String {
    number(f64::from(n), 0)
}

/// With so few instances none can be held out: there is no band.
const LEAST_FOR_BANDS: u32 = 4;
/// Instances are held out in at most so many groups.
const MOST_GROUPS: u32 = 20;

/// Half the width of the band, over the mean rate.
fn band(group: &Group, curve: &Curve) -> Vec<String> {
    let rate = Quantity::of(group, curve, Kind::Rate);
    let rate = rate.clone().sized(curve.mean_rate * rate.scale);
    let mean = format!("mean {}", rate.text(curve.mean_rate));
    let Some(width) = curve.band_width() else {
        let why = match curve.instances < LEAST_FOR_BANDS {
            true => format!("no band: fewer than {LEAST_FOR_BANDS} instances carry it"),
            false => "no band: nothing tells how sure it is".to_owned(),
        };
        return vec![mean, why];
    };
    let share = |half_width: f64| {
        let share = (half_width / curve.mean_rate).abs();
        let percent = significant(100.0 * share, 2);
        if share.is_finite() { format!("±{percent}\u{202f}%") } else { rate.within(half_width) }
    };
    let half_of_it = format!("half of it within {} of the mean", share(width.median));
    let widest = format!("widest {} at {}", share(width.widest), extent(group, width.at));
    let held_out = match curve.instances {
        many if many > MOST_GROUPS => {
            format!("{MOST_GROUPS} groups of the {} instances", whole(many))
        }
        few => format!("the {} instances", whole(few)),
    };
    let how = format!("95\u{202f}%, from leaving out each of {held_out}");
    vec![mean, format!("{half_of_it}, {widest}"), how]
}

/// What became of its samples.
fn samples(group: &Group, curve: &Curve) -> Vec<String> {
    let all = u64::from(curve.used) + u64::from(curve.unused) + u64::from(curve.excluded);
    if all == 0 {
        return vec!["none inside: its total is known, and no course of it".to_owned()];
    }
    let used = format!("{} used", whole(curve.used));
    let others = [(curve.unused, "not used"), (curve.excluded, "of instances left out")];
    let others = others.into_iter().filter(|(count, _)| *count > 0);
    let others = others.map(|(count, what)| format!(", {} {what}", whole(count)));
    let mut lines = vec![used + &others.collect::<String>()];
    if group.one_in > 1 {
        lines.push(format!(
            "about one in {} instances shows its samples, all count for the totals",
            whole(group.one_in)
        ));
    }
    lines
}

/// How many of the group carry it, and which group that is.
fn instances(folding: &Folding, group: &Group, curve: &Curve) -> Vec<String> {
    let share = f64::from(curve.instances) / f64::from(group.instances.max(1));
    let (some, all) = (whole(curve.instances), whole(group.instances));
    let mut lines = vec![format!("{some} of {all} ({})", percent(share, 1))];
    if folding.groups.len() > 1 {
        let [least, most] = [group.durations.least_ns, group.durations.most_ns].map(|ns| ns as f64);
        let (least, most) = (duration(least), duration(most));
        let lasting = if least == most { least } else { format!("{least} to {most}") };
        let (number, of) = (group.number, folding.groups.len());
        lines.push(format!("group {number} of {of}: instances of {lasting}"));
    }
    lines
}

/// Each reason for which an instance does not count, with how many and what share of all.
fn left_out(folding: &Folding, group: &Group, curve: &Curve) -> Vec<String> {
    let limits = group.limits_ns.map_or_else(String::new, |[shortest, longest]| {
        format!(", beyond {} to {}", duration(shortest), duration(longest))
    });
    let line = |count: u32, of: u32, why: &str| {
        let share = percent(f64::from(count) / f64::from(of.max(1)), 1);
        (count > 0).then(|| format!("{} ({share}) {why}", whole(count)))
    };
    let of_group = |LeftOut { why, instances }: &LeftOut| {
        line(*instances, group.instances, &reason(*why, &limits))
    };
    let mut lines = group.left_out.iter().filter_map(of_group).collect::<Vec<_>>();
    let told = group.left_out.iter().map(|of| of.instances).sum::<u32>();
    let untold = group.instances.saturating_sub(group.kept).saturating_sub(told);
    lines.extend(line(untold, group.instances, "left out; an older link does not tell why"));
    let absent = group.kept.saturating_sub(curve.instances);
    // Those refused may be of instances that were left out anyway.
    let refused = curve.refused.min(absent);
    for (count, why) in [
        (refused, "with a reading of it that is no count"),
        (absent - refused, "do not carry it throughout"),
        (curve.silent, "count nothing of it: they count for the mean and have no shape"),
    ] {
        lines.extend(line(count, group.instances, why));
    }
    let apart = folding.left_out.iter().map(|of| of.instances).sum::<u32>();
    let all = folding.groups.iter().map(|group| group.instances).sum::<u32>() + apart;
    let of_none = |LeftOut { why, instances }: &LeftOut| line(*instances, all, &reason(*why, ""));
    lines.extend(folding.left_out.iter().filter_map(of_none));
    lines
}

fn reason(why: Fate, limits: &str) -> String {
    match why {
        Fate::Outlier => format!("by their duration{limits}"),
        Fate::Prefiltered => "as their samples lie unlike those of the others".to_owned(),
        Fate::Apart => "in no group: too few others last as long".to_owned(),
        Fate::ApartByTotal => "in no group: too few others count as much".to_owned(),
        Fate::Uncounted => "in no group: the counter that groups are by is not known".to_owned(),
        Fate::Used => "for another reason".to_owned(),
    }
}

/// Whether its instances count alike.
fn families(curve: &Curve) -> Vec<String> {
    let family = |Family { instances, total }: &Family| {
        let are = if *instances == 1 { "counts" } else { "count" };
        format!("{} {are} about {}", whole(*instances), count(*total as f64))
    };
    let mut lines = curve.families.iter().map(family).collect::<Vec<_>>();
    if !lines.is_empty() {
        let counter = &curve.counter;
        lines.push(format!("the curve runs between them; group=by:{counter} folds each by itself"));
    }
    if lines.is_empty() && curve.instances > 1 {
        lines.push("one: no instances count apart from the others".to_owned());
    }
    lines
}

/// Which kind of curve it is and why, its own breaks, and what is too fine for it.
fn kind(group: &Group, curve: &Curve) -> Vec<String> {
    let breaks = curve.own_breaks.len();
    let own = match (group.fit.kind, breaks) {
        (CurveKind::Steps, _) | (CurveKind::Spline, 0) => None,
        (_, 0) => Some("no break of its own".to_owned()),
        _ => Some(format!("{} of its own", counted(breaks as u64, "break"))),
    };
    let is_smooth = matches!(group.fit.kind, CurveKind::Spline | CurveKind::Pieces);
    let finest = (is_smooth && curve.resolution > 0.0)
        .then(|| format!("shows nothing shorter than {}", extent(group, curve.resolution)));
    [Some(fit(&group.fit).words), own, finest].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{BandWidth, example};

    fn told(folding: &Folding) -> Vec<(&'static str, String)> {
        let counter = &folding.groups[0].curves[0].counter;
        let told = certainty(folding, &folding.groups[0], counter).unwrap();
        told.rows.into_iter().map(|row| (row.what, row.lines.join(" / "))).collect()
    }

    fn row(folding: &Folding, wanted: &str) -> String {
        let row = told(folding).into_iter().find(|(what, _)| *what == wanted);
        row.map(|(_, lines)| lines).unwrap_or_default()
    }

    /// A group of one counter of which everything is known.
    fn folding() -> Folding {
        let mut folding = example::folding(1);
        let group = &mut folding.groups[0];
        (group.instances, group.kept, group.one_in) = (430, 412, 1);
        group.limits_ns = Some([1.2e6, 1.9e6]);
        let [outliers, unlike] = [(Fate::Outlier, 15), (Fate::Prefiltered, 3)];
        let left_out = |(why, instances)| LeftOut { why, instances };
        group.left_out = vec![left_out(outliers), left_out(unlike)];
        let curve = &mut group.curves[0];
        (curve.instances, curve.refused, curve.silent) = (400, 2, 7);
        (curve.used, curve.unused, curve.excluded) = (12_345, 0, 678);
        curve.mean_rate = 200.0;
        (curve.band_width, curve.families, curve.own_breaks) = (None, vec![], vec![]);
        (curve.rate, curve.rate_band) = (vec![200.0; 5], vec![2.0, 1.0, 3.0, f64::NAN, 9.0]);
        folding
    }

    #[test]
    fn every_reason_is_told_with_its_count_and_its_share() {
        let mut folding = folding();
        assert_eq!(row(&folding, "Instances"), "400 of 430 (93.0\u{202f}%)");
        assert_eq!(
            row(&folding, "Left out"),
            "15 (3.5\u{202f}%) by their duration, beyond 1.20\u{202f}ms to 1.90\u{202f}ms / \
             3 (0.7\u{202f}%) as their samples lie unlike those of the others / \
             2 (0.5\u{202f}%) with a reading of it that is no count / \
             10 (2.3\u{202f}%) do not carry it throughout / \
             7 (1.6\u{202f}%) count nothing of it: they count for the mean and have no shape"
        );
        folding.groups[0].left_out.clear();
        let older = row(&folding, "Left out");
        assert!(older.starts_with("18 (4.2\u{202f}%) left out; an older link"), "{older}");
        folding.groups.truncate(1);
        folding.left_out = LeftOut::count([Fate::Apart, Fate::Used, Fate::Apart]);
        let apart = row(&folding, "Left out");
        assert!(apart.ends_with("2 (0.5\u{202f}%) in no group: too few others last as long"));
    }

    #[test]
    fn the_band_is_told_over_the_mean_in_the_middle_and_where_it_is_widest() {
        let mut folding = folding();
        let band = row(&folding, "Band");
        let widths = "half of it within ±1.0\u{202f}% of the mean, widest ±4.5\u{202f}% at ";
        assert!(band.contains(widths), "{band}");
        assert!(band.ends_with("from leaving out each of 20 groups of the 400 instances"));
        // What a link carries beside fewer points counts more than those.
        let carried = BandWidth { median: 4.0, widest: 20.0, at: 0.0 };
        folding.groups[0].curves[0].band_width = Some(carried);
        assert!(row(&folding, "Band").contains("within ±2.0\u{202f}% of the mean, widest ±10"));
        folding.groups[0].curves[0].mean_rate = 0.0;
        assert!(!row(&folding, "Band").contains("inf"));
        let curve = &mut folding.groups[0].curves[0];
        (curve.rate_band, curve.instances) = (vec![], 3);
        assert!(row(&folding, "Band").ends_with("no band: fewer than 4 instances carry it"));
        folding.groups[0].curves[0].instances = 4;
        assert!(row(&folding, "Band").ends_with("nothing tells how sure it is"));
    }

    #[test]
    fn samples_families_and_the_kind_of_curve_are_told() {
        let mut folding = folding();
        assert_eq!(row(&folding, "Samples"), "12\u{202f}345 used, 678 of instances left out");
        folding.groups[0].one_in = 3;
        assert!(
            row(&folding, "Samples")
                .ends_with("about one in 3 instances shows its samples, all count for the totals")
        );
        assert!(row(&folding, "Families").starts_with("one: "));
        let curve = &mut folding.groups[0].curves[0];
        let family = |(instances, total)| Family { instances, total };
        curve.families = [(1, 1_000_000), (399, 2_500_000)].map(family).to_vec();
        curve.own_breaks = vec![0.5];
        let families = row(&folding, "Families");
        assert!(
            families.starts_with("1 counts about 1.000\u{202f}M / 399 count about 2.500\u{202f}M")
        );
        folding.groups[0].fit.kind = CurveKind::Pieces;
        assert!(row(&folding, "Curve").contains("1 break of its own / shows nothing shorter"));
        folding.groups[0].curves[0].own_breaks.clear();
        folding.groups[0].fit.kind = CurveKind::Segments;
        assert!(row(&folding, "Curve").ends_with("no break of its own"));
        let curve = &mut folding.groups[0].curves[0];
        (curve.used, curve.excluded) = (0, 0);
        assert!(row(&folding, "Samples").starts_with("none inside"));
    }

    #[test]
    fn there_is_nothing_to_say_of_a_counter_without_a_curve() {
        let folding = folding();
        assert_eq!(certainty(&folding, &folding.groups[0], "NO_SUCH"), None);
    }
}
