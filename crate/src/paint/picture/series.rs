//! A series as one SVG: each run as a row, then its phases over the value.

use super::compared::{GUTTERS, LINE, SIZE, WIDTH, sentence};
use super::figure::Width;
use super::legend::{HEADER, title as lane_title};
use super::sheet::{part, sheet};
use crate::compare::Series;
use crate::folding::Group;
use crate::paint::View;
use crate::paint::scene::{Anchor, Face, Frame, LEFT, Lane, Pen, Theme, Tokens};
use crate::paint::series::{SeriesLine, SeriesLook, axis, lines, measures_of, plot, plot_of, row};

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
    let plots = measures_of(series).into_iter();
    let plots = plots.map(|measure| plot_of(series, &lines, labels, measure)).collect::<Vec<_>>();
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

fn legend(pen: &dyn Pen, lines: &[SeriesLine<'_>], tokens: &Tokens) {
    let face = Face::plain(SIZE, tokens.ink2);
    let mut x = GUTTERS.0;
    for SeriesLine { name, colour, .. } in lines {
        let end = x + SQUARE + 6.0 + face.width(name);
        if end > WIDTH - GUTTERS.1 {
            break;
        }
        pen.fill((x, 7.0), (x + SQUARE, 7.0 + SQUARE), *colour, 1.0);
        pen.text((x + SQUARE + 6.0, 16.0), Anchor::Start, name, face);
        x = end + APART;
    }
}
