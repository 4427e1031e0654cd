//! What stands for a row of a series in plots: its name and its colour.

use plotters::style::RGBColor;

use super::plot::{SeriesPlot, plot};
use super::row::SeriesLook;
use crate::compare::{Measure, Measured, Series, SeriesRow};
use crate::folding::Group;
use crate::paint::View;
use crate::paint::scene::{Frame, Lane, Pen, Tokens, printable};

/// A row of a series with its name: phases in the colour of their routine, the whole in ink.
pub struct SeriesLine<'a> {
    pub row: &'a SeriesRow,
    pub name: String,
    pub colour: RGBColor,
}

/// Each row, in the colours of the first group.
pub fn lines<'a>(series: &'a Series, groups: &[Group], tokens: &Tokens) -> Vec<SeriesLine<'a>> {
    let hue = |routine: &String| {
        let first = groups.first()?;
        let at = first.routines.iter().position(|own| own == routine)?;
        Some(first.hue(at as u32))
    };
    let line = |(at, row): (usize, &'a SeriesRow)| {
        let name = match (at, &row.routine) {
            (0, _) => "all".to_owned(),
            (_, Some(routine)) => format!("{at} {}", printable(routine)),
            _ => at.to_string(),
        };
        let colour = match at {
            0 => tokens.ink,
            _ => row.routine.as_ref().and_then(hue).map_or(tokens.ink3, |hue| tokens.routine(hue)),
        };
        SeriesLine { row, name, colour }
    };
    series.rows.iter().enumerate().map(line).collect()
}

/// The measures that some row has, in their order.
pub fn measures_of(series: &Series) -> Vec<Measure> {
    let is_there = |measure: &Measure| series.rows.iter().any(|row| row.of(*measure).is_some());
    Measure::ALL.into_iter().filter(is_there).collect()
}

/// A measure of all rows over the value: `labels` are the values in words.
pub fn plot_of<'a>(
    series: &'a Series,
    lines: &[SeriesLine<'_>],
    labels: &'a [String],
    measure: Measure,
) -> SeriesPlot<'a> {
    let runs = |of: &Measured| of.runs.clone();
    let lines = lines.iter().filter_map(|of| Some((of.colour, of.row.of(measure).map(runs)?)));
    SeriesPlot {
        title: measure.unit().to_owned(),
        lines: lines.collect(),
        values: &series.values,
        labels,
    }
}

/// Paints the measure at this place over the value.
pub fn painted_plot(pen: &dyn Pen, look: &SeriesLook, view: &View, series: &Series, at: usize) {
    let (Some(group), Some(measure)) =
        (look.groups().first(), measures_of(series).into_iter().nth(at))
    else {
        return;
    };
    let (frame, tokens) = (Frame::of(view), view.theme.tokens());
    let lines = lines(series, look.groups(), tokens);
    let of = plot_of(series, &lines, &series.values.texts, measure);
    plot(&Lane { pen, frame, group, view, tokens }, view, &of);
}
