//! Phases, and what changes at the breaks between them.

use serde::Serialize;

use super::columns::{Columns, Reading};
use super::{Column, Figure, callers, path};
use crate::folding::Group;
use crate::quantity::{Kind, Quantity, extent, number, percent};

/// A phase with what runs in it and how fast.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct PhaseSummary {
    /// From 1.
    pub number: u32,
    /// Folded time.
    pub start: f64,
    pub end: f64,
    /// As a person named it.
    pub name: String,
    /// Along the axis, without the unit of its `AxisSummary`.
    pub length: Figure,
    /// Per cent of the region.
    pub share: Figure,
    /// The same with its sign: `12.5 %`.
    pub percent: String,
    /// Parallel efficiency while it runs, per cent; `None` where it is not known.
    pub efficiency: Option<Figure>,
    /// Mean over largest time that a thread computes in it, per cent; `None` likewise.
    pub balance: Option<Figure>,
    /// Where it begins and ends, with units.
    pub between: String,
    /// The routine with most of its samples, and the place of its colour.
    pub routine: Option<String>,
    pub hue: Option<u32>,
    /// `caller › routine [line]`, and with all callers.
    pub called: String,
    pub path: String,
    pub line: Option<u32>,
    pub file: Option<String>,
    /// One for each of the group's columns.
    pub figures: Vec<Figure>,
}

/// A break between two phases.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct BreakSummary {
    /// Folded time.
    pub at: f64,
    pub by_hand: bool,
    /// Where it is, how sure that is, and which counters change there.
    pub words: String,
}

/// Where a counter breaks if it is asked alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct OwnBreaks {
    pub name: String,
    /// Places, with units.
    pub at: String,
}

/// The columns of the table of phases, and its rows.
pub fn phases(group: &Group) -> (Vec<Column>, Vec<PhaseSummary>) {
    let readings =
        |phase: usize| group.curves.iter().map(move |curve| reading(group, curve, phase));
    let rows = (0..group.phases.len()).map(|phase| readings(phase).collect::<Vec<_>>());
    let rows = rows.collect::<Vec<_>>();
    let columns = Columns::rate_and_ratios(group, &rows);
    let phases =
        rows.iter().enumerate().map(|(index, row)| phase(group, index, columns.figures(row)));
    let phases = phases.collect();
    (columns.heads(), phases)
}

fn reading(group: &Group, curve: &crate::folding::Curve, phase: usize) -> Reading {
    group.in_phase(curve, phase).map_or_else(Reading::default, |value| Reading {
        rate: Some(value.rate),
        rate_half: value.half_width,
        range: value.range,
        ratio: value.per_instruction.map(|(ratio, _)| ratio),
        ratio_half: value.per_instruction.map_or(0.0, |(_, half)| half),
    })
}

fn phase(group: &Group, index: usize, figures: Vec<Figure>) -> PhaseSummary {
    let phase = &group.phases[index];
    let place = phase.place.and_then(|place| group.places.get(place as usize));
    let named = place.map(|place| (group.routine(place.routine), group.hue(place.routine)));
    let named = named.filter(|(name, _)| !name.is_empty());
    // Where no sample tells, the call with which it ends.
    let ended = group.callers.as_ref().filter(|_| named.is_none());
    let ended = ended.and_then(|callers| Some((callers, callers.end_of(phase)?)));
    let place = place.or(ended.as_ref().map(|(_, (place, _))| *place));
    let above = callers(group, group.context_of_phase(index));
    let line = place.map(|place| place.line).filter(|line| *line > 0);
    let file = place.map(|place| place.file.clone()).filter(|file| !file.is_empty());
    let way =
        |callers: &[String]| named.map_or_else(String::new, |(name, _)| path(callers, name, line));
    let share = phase.end - phase.start;
    let (called, path) = match &ended {
        Some((_, (_, words))) => (format!("→ {words}"), format!("ends with a call by {words}")),
        None => (way(above.last().map(std::slice::from_ref).unwrap_or_default()), way(&above)),
    };
    let ending = ended
        .map(|(callers, (place, _))| (callers.routine(place.routine), callers.hue(place.routine)));
    let named = named.or(ending);
    PhaseSummary {
        number: index as u32 + 1,
        start: phase.start,
        end: phase.end,
        name: phase.name.clone(),
        length: length(group, share),
        share: Figure::of(Some(share), |share| number(100.0 * share, 1)),
        percent: percent(share, 1),
        efficiency: efficiency(group, index),
        balance: phase.balance.map(|share| Figure::of(Some(share), |of| number(100.0 * of, 1))),
        between: format!("{} to {}", extent(group, phase.start), extent(group, phase.end)),
        routine: named.map(|(name, _)| name.to_owned()),
        hue: named.map(|(_, hue)| hue as u32),
        called,
        path,
        line,
        file,
        figures,
    }
}

fn efficiency(group: &Group, index: usize) -> Option<Figure> {
    Some(Figure::of(Some(group.computing_in_phase(index)?), |share| number(100.0 * share, 1)))
}

/// A share of the region along its axis: the value in milliseconds or events, the text without the
/// unit of time.
pub fn length(group: &Group, share: f64) -> Figure {
    let value = match &group.axis {
        crate::folding::Axis::Time => share * group.mean_duration_ns / 1e6,
        crate::folding::Axis::Counter { total, .. } => share * total,
    };
    let without_unit = |_| {
        let text = extent(group, share);
        let unit = format!("\u{202f}{}", crate::quantity::length_unit(group));
        text.strip_suffix(&unit).map_or(text.clone(), str::to_owned)
    };
    match share == 0.0 {
        true => Figure { value: Some(0.0), text: "0".to_owned(), within: String::new() },
        false => Figure::of(Some(value), without_unit),
    }
}

/// Where rates change.
pub fn breaks(group: &Group) -> Vec<BreakSummary> {
    let name = |index: &u32| {
        let curve = group.curves.get(*index as usize)?;
        Some(Quantity::of(group, curve, Kind::Rate).name)
    };
    let each = group.breaks.iter().map(|between| {
        let within = match between.half_width > 0.0 {
            true => format!(" ± {}", extent(group, between.half_width)),
            false => String::new(),
        };
        let names = between.changed.iter().filter_map(name).collect::<Vec<_>>();
        let what = match names.len() {
            0 => "no counter changes beyond doubt".to_owned(),
            1 => format!("{} changes", names.join(", ")),
            _ => format!("{} change", names.join(", ")),
        };
        let by_hand = if between.by_hand { " (by hand)" } else { "" };
        let words = format!("at {}{within}: {what}{by_hand}", extent(group, between.at));
        BreakSummary { at: between.at, by_hand: between.by_hand, words }
    });
    each.collect()
}

/// Where each counter breaks that is asked alone.
pub fn own_breaks(group: &Group) -> Vec<OwnBreaks> {
    let alone = group.curves.iter().filter(|curve| !curve.own_breaks.is_empty());
    let own = alone.map(|curve| OwnBreaks {
        name: Quantity::of(group, curve, Kind::Rate).name,
        at: curve.own_breaks.iter().map(|at| extent(group, *at)).collect::<Vec<_>>().join(", "),
    });
    own.collect()
}
