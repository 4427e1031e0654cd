//! Every counter that can have a curve, to choose from: what a page loads when somebody looks for one.

use serde::Serialize;

use super::Figure;
use crate::folding::{Curve, Group};
use crate::order;
use crate::quantity::{Kind, Quantity, family, number, printable, short, significant};

/// What there is to choose from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct CounterChoices {
    pub families: Vec<CounterFamily>,
    /// Names of those that count nothing here.
    pub nothing: Vec<String>,
    /// What stands over the means; empty if each has its own unit.
    pub unit: &'static str,
    /// Size of the small curves.
    pub spark: [f64; 2],
}

/// Counters that count the like.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct CounterFamily {
    pub title: &'static str,
    pub counters: Vec<CounterChoice>,
}

/// One counter.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct CounterChoice {
    pub counter: String,
    pub name: String,
    /// The long name from the trace; may be empty.
    pub description: String,
    /// Per 1000 instructions; without these, or of power, the rate.
    pub mean: Figure,
    /// How far it moves with cycles per instruction.
    pub r_squared: Figure,
    /// Its curve from 0 to its largest value, as a path of SVG.
    pub path: String,
}

/// Width and height of a small curve, in px.
const SPARK: (f64, f64) = (66.0, 13.0);

/// Means below this are only said to be so small.
const LEAST: f64 = 1e-3;

/// The counters of `group` but that of instructions, by family, in each in the order of the trace.
pub fn counter_choices(group: &Group) -> CounterChoices {
    let r_squared = group.r_squared();
    let mut all = group.curves.iter().zip(r_squared).collect::<Vec<_>>();
    all.retain(|(curve, _)| !curve.instructions);
    order::by_number(&mut all, |(curve, _)| u64::from(family(&curve.counter).0));
    let (counting, still): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|(curve, _)| curve.mean_count > 0.0);
    let families = counting.chunk_by(|(a, _), (b, _)| family(&a.counter) == family(&b.counter));
    let families = families.filter_map(|alike| {
        let (first, _) = alike.first()?;
        let counters = alike.iter().map(|(curve, r)| choice(group, curve, *r)).collect();
        Some(CounterFamily { title: family(&first.counter).1, counters })
    });
    CounterChoices {
        families: families.collect(),
        nothing: still.iter().map(|(curve, _)| printable(short(&curve.counter))).collect(),
        unit: if group.instructions().is_some() { "per 1000" } else { "" },
        spark: [SPARK.0, SPARK.1],
    }
}

fn choice(group: &Group, curve: &Curve, r_squared: Option<f64>) -> CounterChoice {
    let rate = Quantity::of(group, curve, Kind::Rate);
    let rate = rate.clone().sized(curve.mean_rate * rate.scale);
    let per_thousand = |whole: &Curve| 1000.0 * curve.mean_rate / whole.mean_rate;
    let ratio = group.instructions().filter(|_| !rate.is_power()).map(per_thousand);
    let mean = match ratio.filter(|ratio| ratio.is_finite()) {
        Some(ratio) => Figure::of(Some(ratio), |ratio| match ratio < LEAST {
            true => "< 0.001".to_owned(),
            false => significant(ratio, 3),
        }),
        None => Figure::of(Some(curve.mean_rate), |mean| rate.text(mean)),
    };
    CounterChoice {
        counter: curve.counter.clone(),
        name: printable(short(&curve.counter)),
        description: printable(&curve.description),
        mean,
        r_squared: Figure::of(r_squared, |r| number(r, 2)),
        path: path(group, curve),
    }
}

/// The curve a pixel at a time, broken where it has gaps; places where it stays level are left out.
fn path(group: &Group, curve: &Curve) -> String {
    let values = match group.instructions() {
        Some(_) => group.per_instruction(curve),
        None => curve.rate.iter().map(|rate| Some(*rate).filter(|rate| rate.is_finite())).collect(),
    };
    let largest = values.iter().flatten().copied().fold(0.0, f64::max);
    let last = values.len().saturating_sub(1) as f64;
    let y = |x: u32| {
        let at = libm::round(f64::from(x) / SPARK.0 * last) as usize;
        let share = values.get(at).copied().flatten()? / largest;
        share
            .is_finite()
            .then(|| libm::round((1.0 - share.clamp(0.0, 1.0)) * SPARK.1 * 10.0) / 10.0)
    };
    let ys = (0..=SPARK.0 as u32).map(y).collect::<Vec<_>>();
    let mut path = String::new();
    for (x, y) in ys.iter().enumerate() {
        let Some(own) = y else { continue };
        let before = x.checked_sub(1).and_then(|before| ys[before]);
        let after = ys.get(x + 1).copied().flatten();
        if before != Some(*own) || after != Some(*own) {
            path += &format!("{}{x} {own}", if before.is_some() { 'L' } else { 'M' });
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example;

    #[test]
    fn counters_are_listed_by_family_with_means_and_how_they_move() {
        let folding = example::namd();
        let choices = counter_choices(&folding.groups[0]);
        let read = choices.families.iter().map(|family| {
            let names = family.counters.iter().map(|counter| counter.name.as_str());
            (family.title, names.collect::<Vec<_>>().join(", "))
        });
        let expected = [
            ("Cycles and stalls", "Cycles"),
            ("Branches", "Branches"),
            ("Caches and memory", "L1D misses, L2 misses, LLC misses"),
        ];
        let expected = expected.map(|(title, names)| (title, names.to_owned()));
        assert_eq!(read.collect::<Vec<_>>(), expected);
        let cycles = &choices.families[0].counters[0];
        assert_eq!(cycles.r_squared.text, "1.00");
        let group = &folding.groups[0];
        let mean = 1000.0 * group.curve("PAPI_TOT_CYC").unwrap().mean_rate
            / group.instructions().unwrap().mean_rate;
        assert_eq!(cycles.mean.text, significant(mean, 3));
    }

    #[test]
    fn what_counts_nothing_is_named_and_no_more() {
        let mut folding = example::namd();
        let curve = &mut folding.groups[0].curves[1];
        let counter = curve.counter.clone();
        curve.mean_count = 0.0;
        let choices = counter_choices(&folding.groups[0]);
        assert_eq!(choices.nothing, [short(&counter)]);
        let listed = choices.families.iter().flat_map(|family| &family.counters);
        assert!(listed.into_iter().all(|choice| choice.counter != counter));
    }

    #[test]
    fn a_small_curve_rises_to_its_largest_value_and_breaks_in_gaps() {
        let mut folding = example::namd();
        let group = &mut folding.groups[0];
        let points = group.curves[0].rate.len();
        for curve in &mut group.curves {
            curve.rate_band.clear();
            curve.rate.fill(1000.0);
        }
        let curve = group.curves.iter_mut().find(|curve| !curve.instructions).unwrap();
        for (j, rate) in curve.rate.iter_mut().enumerate() {
            *rate = if 2 * j < points { 100.0 } else { 50.0 };
        }
        let counter = curve.counter.clone();
        let path_of = |group: &Group| path(group, group.curve(&counter).unwrap());
        assert_eq!(path_of(group), "M0 0L32 0L33 6.5L66 6.5");
        for curve in &mut group.curves {
            for j in points / 3..points / 2 {
                curve.rate[j] = f64::NAN;
            }
        }
        assert_eq!(path_of(group).matches('M').count(), 2, "{}", path_of(group));
    }
}
