//! The legend of the performance lane.

use serde::Serialize;

use super::series::{Series, on_axis};
use super::shown::Shown;
use crate::folding::Folding;
use crate::paint::View;
use crate::paint::scene::css;
use crate::quantity::Quantity;

/// One entry of the legend.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct LegendEntry {
    pub counter: String,
    /// Its short name.
    pub name: String,
    /// Whose rate it is, where there is room to say so; empty if of all threads.
    pub of: &'static str,
    /// `#RRGGBB`.
    pub colour: String,
    /// Lengths of dash and gap in px; empty for a solid line.
    pub dash: &'static [f64],
    /// Strip from 0; none if the counter is switched off.
    pub strip: Option<u32>,
    /// Unit of its axis.
    pub per: String,
    /// That unit behind the name, where the gutter has no room for units: each strip's stands once, a
    /// divisor at its last curve, as all are divided by it, another unit at the first. Else empty.
    pub behind: String,
    /// Whether it counts instructions: its axis is at the right.
    pub instructions: bool,
    pub hidden: bool,
}

/// The legend of the performance lane: every counter, switched off or not.
pub fn legend(folding: &Folding, view: &View) -> Vec<LegendEntry> {
    let Some(group) = folding.group(view.group) else { return Vec::new() };
    let shown = Shown::of(group, view);
    let strips = shown.visible_strips();
    let entry = |series: &Series| {
        let has_it = |strip: &Vec<&Series>| strip.iter().any(|other| other.key == series.key);
        let strip = if series.right { Some(0) } else { strips.iter().position(has_it) };
        let of_strip = strip.and_then(|index| strips.get(index)).filter(|_| !series.right);
        let alone = [series];
        let of_axis = of_strip.map_or(&alone[..], |strip| strip.as_slice());
        let axis = on_axis(of_axis);
        let is_told_by = |axis: &&Quantity| {
            let teller = if axis.is_divisor() { of_axis.last() } else { of_axis.first() };
            !series.hidden && teller.is_some_and(|teller| teller.key == series.key)
        };
        let told = axis.as_ref().filter(is_told_by).map(Quantity::behind_name);
        let instructions = series.right && group.curve(series.key).is_some_and(|c| c.instructions);
        LegendEntry {
            counter: series.key.to_owned(),
            name: series.quantity.name.clone(),
            of: if series.with_waiting.is_some() { "of computing ranks" } else { "" },
            colour: css(series.colour),
            dash: series.dash,
            strip: strip.map(|index| index as u32).filter(|_| !series.hidden),
            behind: told.filter(|_| !instructions).unwrap_or_default(),
            per: axis.map_or_else(String::new, |of| of.unit),
            instructions,
            hidden: series.hidden,
        }
    };
    shown.all().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example;
    use crate::quantity::Kind;

    #[test]
    fn hiding_a_counter_moves_no_colour() {
        let folding = example::namd();
        let view = example::view(976.0, 414.0);
        let hidden =
            View { hidden: vec!["PAPI_TOT_CYC".into(), "PAPI_L2_TCM".into()], ..view.clone() };
        let colours = |view| {
            legend(&folding, view).into_iter().map(|e| (e.name, e.colour)).collect::<Vec<_>>()
        };
        assert_eq!(colours(&view), colours(&hidden));
        let strips: Vec<_> = legend(&folding, &hidden).into_iter().map(|e| e.strip).collect();
        assert_eq!(strips, [None, Some(0), Some(0), None, Some(1), Some(0)]);
    }

    #[test]
    fn clocks_tell_how_many_processors_are_busy_in_a_strip_of_their_own() {
        let mut folding = example::namd();
        let curves = &mut folding.groups[0].curves;
        for (curve, (counter, rate)) in
            curves.iter_mut().zip([("cycles", 3000.0), ("task-clock", 1000.0), ("branches", 900.0)])
        {
            curve.counter = counter.to_owned();
            curve.instructions = false;
            curve.rate.fill(rate);
        }
        curves.truncate(3);
        let legend = legend(&folding, &example::view(976.0, 414.0));
        let entries = legend.iter().map(|e| (&*e.name, &*e.per, e.strip)).collect::<Vec<_>>();
        assert_eq!(
            entries,
            [
                ("Cycles", "M/s", Some(0)),
                ("CPU time", "CPUs", Some(1)),
                ("Branches", "M/s", Some(2)),
            ]
        );
        let group = &folding.groups[0];
        let clock = Series::of(group, &group.curves[1], Kind::Rate);
        let behind = legend.iter().map(|entry| &*entry.behind).collect::<Vec<_>>();
        assert_eq!(behind, [" (M/s)", " (CPUs)", " (M/s)"]);
        assert_eq!((clock.quantity.factor, &*clock.quantity.unit), (1e-3, "CPUs"));
    }

    #[test]
    fn what_ratios_of_a_strip_are_divided_by_stands_behind_the_last_one_shown() {
        let folding = example::namd();
        let view = example::view(976.0, 414.0);
        let behind = |view: &View| {
            let entries = legend(&folding, view).into_iter();
            entries.filter(|e| !e.behind.is_empty()).map(|e| e.name + &e.behind).collect::<Vec<_>>()
        };
        let all = behind(&view);
        assert!(all.iter().all(|entry| entry.contains(" / ")), "{all:?}");
        let strips = legend(&folding, &view).iter().filter_map(|e| e.strip).max();
        assert_eq!(Some(all.len() as u32 - 1), strips);
        // Another one tells it when that one is switched off.
        let last = legend(&folding, &view).into_iter().rfind(|e| !e.behind.is_empty()).unwrap();
        let hidden = behind(&View { hidden: vec![last.counter], ..view });
        assert!(hidden.iter().all(|entry| !entry.starts_with(&last.name)), "{hidden:?}");
    }

    #[test]
    fn power_has_a_strip_of_its_own_beside_the_rate() {
        let mut folding = example::namd();
        let group = &mut folding.groups[0];
        group.curves.truncate(2);
        group.curves[1].counter = "rapl:::PACKAGE_ENERGY:PACKAGE0".to_owned();
        group.curves[1].joules = Some(1e-9);
        group.curves[1].rate.fill(61_000.0);
        let legend = legend(&folding, &example::view(976.0, 414.0));
        let entries = legend.iter().map(|e| (&*e.name, &*e.per, e.strip)).collect::<Vec<_>>();
        assert_eq!(entries, [("Package power", "W", Some(0)), ("MIPS", "MIPS", Some(0))]);
    }
}
