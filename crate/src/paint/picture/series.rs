//! A series as one SVG: each run as a row, then its phases over the value.

use plotters::style::RGBColor;

use super::compared::{GUTTERS, LINE, SIZE, WIDTH, sentence};
use super::figure::Width;
use super::legend::{HEADER, title as lane_title};
use super::sheet::{part, sheet};
use crate::compare::{Series, SeriesRow};
use crate::folding::Group;
use crate::paint::View;
use crate::paint::scene::{Anchor, Face, Frame, LEFT, Lane, Pen, Theme, Tokens, printable};
use crate::paint::series::{SeriesLook, SeriesPlot, axis, plot, row};

/// Heights in px.
const ROW: f64 = 56.0;
const GAP: f64 = 8.0;
const AXIS: f64 = 28.0;
const PLOT: f64 = 208.0;
const FOOT: f64 = 8.0;

/// Px of a square of the legend, and between its entries; left of a plot for its ticks, and between two.
const SQUARE: f64 = 11.0;
const APART: f64 = 18.0;
const TICKS: f64 = 56.0;
const BETWEEN: f64 = 24.0;

/// The picture of the groups of all runs: `labels` are their values in words, and `words` stand above, each on a
/// line. `None` without a run.
pub fn series_svg(
    series: &Series,
    groups: Vec<Group>,
    labels: &[String],
    (theme, words): (Theme, &[String]),
) -> Option<String> {
    let look = SeriesLook::new(groups)?;
    let (left, right) = GUTTERS;
    let view = View { theme, width: WIDTH, left, right, from: 0.0, to: 1.0, ..View::default() };
    let tokens = theme.tokens();
    let mut body = String::new();
    let mut y = 0.0;
    let mut add = |height: f64, paint: &dyn Fn(&dyn Pen, &View)| {
        body += &part((0.0, y), &View { height, ..view.clone() }, paint);
        y += height;
    };
    for (at, line) in words.iter().enumerate() {
        add(LINE, &|pen, _| sentence(pen, tokens, line, at == 0));
    }
    add(HEADER, &|pen, view| lane_title(pen, view, "Runs"));
    for (at, label) in labels.iter().enumerate() {
        add(ROW, &|pen, view| row(pen, &look, view, at, label));
        add(GAP, &|_, _| ());
    }
    add(AXIS, &|pen, view| axis(pen, &look, view));
    let lines = lines(series, look.groups(), tokens);
    add(HEADER, &|pen, view| {
        lane_title(pen, view, "Phases");
        legend(pen, &lines, tokens);
    });
    let instructions = look.groups().first().and_then(Group::instructions);
    let instructions = instructions.map(|curve| curve.counter.as_str());
    let plots = plots(series, &lines, labels, instructions);
    add(PLOT, &|pen, view| {
        let Some(group) = look.groups().first() else { return };
        let wide = (WIDTH - LEFT - BETWEEN) / plots.len().max(1) as f64;
        for (at, of) in plots.iter().enumerate() {
            let begin = LEFT + at as f64 * wide;
            let (left, end) = (begin + TICKS, begin + wide - BETWEEN);
            let own = View { left, right: WIDTH - end, ..view.clone() };
            let frame = Frame::of(&own);
            plot(&Lane { pen, frame, group, view: &own, tokens }, &own, of);
        }
    });
    add(FOOT, &|_, _| ());
    let name = words.first().map_or("", String::as_str);
    Some(sheet((Width::Px(WIDTH), (WIDTH, y)), theme, name, &body))
}

/// A row of the series with its name and colour: phases in that of their routine, the whole in ink.
type Line<'a> = (&'a SeriesRow, String, RGBColor);

fn lines<'a>(series: &'a Series, groups: &[Group], tokens: &Tokens) -> Vec<Line<'a>> {
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
        (row, name, colour)
    };
    series.rows.iter().enumerate().map(line).collect()
}

fn legend(pen: &dyn Pen, lines: &[Line<'_>], tokens: &Tokens) {
    let face = Face::plain(SIZE, tokens.ink2);
    let mut x = GUTTERS.0;
    for (_, name, colour) in lines {
        let end = x + SQUARE + 6.0 + face.width(name);
        if end > WIDTH - GUTTERS.1 {
            break;
        }
        pen.fill((x, 7.0), (x + SQUARE, 7.0 + SQUARE), *colour, 1.0);
        pen.text((x + SQUARE + 6.0, 16.0), Anchor::Start, name, face);
        x = end + APART;
    }
}

/// Time, and the rate of instructions where it is counted.
fn plots<'a>(
    series: &'a Series,
    lines: &[Line<'_>],
    labels: &'a [String],
    instructions: Option<&str>,
) -> Vec<SeriesPlot<'a>> {
    let times =
        lines.iter().map(|(row, _, colour)| (*colour, row.ms.iter().copied().map(Some).collect()));
    let mut plots = vec![SeriesPlot {
        title: "ms, with 95 % intervals".to_owned(),
        lines: times.collect(),
        values: &series.values,
        labels,
    }];
    let rates_of = |row: &SeriesRow| {
        let of = row.rates.iter().find(|(name, _)| Some(name.as_str()) == instructions);
        of.map(|(_, rates)| rates.iter().map(|rate| rate.map(|rate| [rate; 3])).collect::<Vec<_>>())
    };
    let rates = lines.iter().filter_map(|(row, _, colour)| Some((*colour, rates_of(row)?)));
    let rates = rates.collect::<Vec<_>>();
    if !rates.is_empty() {
        let title = "MIPS".to_owned();
        plots.push(SeriesPlot { title, lines: rates, values: &series.values, labels });
    }
    plots
}
