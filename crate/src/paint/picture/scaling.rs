//! Several runs beside a reference as one SVG: efficiencies over the number of threads, and where the time of all
//! threads goes.

use super::compared::{LINE, SIZE, WIDTH, sentence};
use super::figure::Width;
use super::legend::{HEADER, title as lane_title};
use super::sheet::{part, sheet};
use crate::glance::{CorePart, RunUse, ScalingAsked, core_parts};
use crate::paint::View;
use crate::paint::run::{COMPUTING, RunView, core_time, hue_of_part, scaling};
use crate::paint::scene::{Anchor, Face, Pen, Theme};

/// Px of a picture, and of the free foot.
const PLOT: f64 = 260.0;
const FOOT: f64 = 8.0;

/// Gutters of a plot, as of those on the page (`www/run/scaling.ts`).
pub const PLOT_GUTTERS: (f64, f64) = (56.0, 104.0);

/// Px of a square of the legend, from it to its name, and between entries.
const SQUARE: f64 = 11.0;
const BESIDE: f64 = 6.0;
const APART: f64 = 18.0;

/// The picture; `words` stand above, each on a line.
#[inline(never)]
pub fn scaling_svg(
    runs: &[RunUse],
    asked: &ScalingAsked,
    theme: Theme,
    words: &[String],
) -> String {
    let tokens = theme.tokens();
    let view = View { theme, width: WIDTH, from: 0.0, to: 1.0, ..View::default() };
    let mut body = String::new();
    let mut y = 0.0;
    let mut add = |height: f64, paint: &dyn Fn(&dyn Pen, &View)| {
        body += &part((0.0, y), &View { height, ..view.clone() }, paint);
        y += height;
    };
    for (at, line) in words.iter().enumerate() {
        add(LINE, &|pen, _| sentence(pen, tokens, line, at == 0));
    }
    let half = WIDTH / 2.0;
    let (left, right) = PLOT_GUTTERS;
    let of_half = |begin: f64| RunView {
        from: 0.0,
        to: 1.0,
        theme,
        width: WIDTH,
        height: PLOT,
        left: begin + left,
        right: WIDTH - begin - half + right,
        ..RunView::default()
    };
    add(HEADER, &|pen, view| {
        lane_title(pen, view, "Scaling");
        let face = Face::bold(SIZE, tokens.ink);
        pen.text((half, 14.0), Anchor::Start, "Where the core seconds go", face);
    });
    add(PLOT, &|pen, _| {
        scaling(pen, runs, asked, &of_half(0.0));
        core_time(pen, runs, asked, &of_half(half));
    });
    add(HEADER, &|pen, _| {
        let reference = asked.reference_of(runs);
        let parts = runs
            .iter()
            .filter_map(|run| Some(core_parts(asked.looked_at(run)?, reference?, asked.scales)));
        let parts = parts.flatten().map(|(part, _)| part).collect::<Vec<_>>();
        let face = Face::plain(SIZE, tokens.ink2);
        let mut x = left;
        for part in CorePart::ALL.into_iter().filter(|part| parts.contains(part)) {
            let hue = hue_of_part(part).map(|hue| (tokens.routine(hue), 1.0));
            let (colour, opacity) = hue.unwrap_or((tokens.axis, COMPUTING));
            pen.fill((x, 4.0), (x + SQUARE, 4.0 + SQUARE), colour, opacity);
            pen.text((x + SQUARE + BESIDE, 14.0), Anchor::Start, part.name(), face);
            x += SQUARE + BESIDE + face.width(part.name()) + APART;
        }
    });
    add(FOOT, &|_, _| ());
    let name = words.first().map_or("", String::as_str);
    sheet((Width::Px(WIDTH), (WIDTH, y)), theme, name, &body)
}
