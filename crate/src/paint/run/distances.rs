//! How near bursts lie to their neighbours, and how far apart those of one cluster may be.

use super::RunView;
use crate::glance::Glance;
use crate::paint::scale::{decimals, number};
use crate::paint::scene::{Anchor, Face, Layout, Pen, Plot, Stroke};
use crate::paint::time::{MIDDLE, TICK};
use crate::quantity::percent;

/// Height of the axis below.
const BELOW: f64 = 22.0;

/// What is nearer is drawn as if it were so far: bursts may be equal.
const NEAREST: f64 = 0.001;

/// The scale reaches as far at least.
const FURTHEST: f64 = 1.0;

/// Values of the axis.
const VALUES: [f64; 7] = [0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0];

const THICK: f64 = 1.6;

/// Radius of the ring at the knee.
const KNEE: f64 = 3.5;

/// Logarithms between top and bottom.
struct Scale {
    plot: Plot,
    most: f64,
}

impl Scale {
    fn of(glance: &Glance, view: &RunView) -> Self {
        let frame = view.frame();
        let furthest = glance.distances.to_neighbour.last().copied().unwrap_or(0.0);
        let most = libm::log10(furthest.clamp(FURTHEST, 1e3) / NEAREST);
        Self { plot: Plot { bottom: frame.height - BELOW, ..frame.plot() }, most }
    }

    fn up(&self, distance: f64) -> f64 {
        let share = libm::log10(distance.max(NEAREST) / NEAREST) / self.most;
        self.plot.bottom - share.min(1.0) * (self.plot.bottom - self.plot.top)
    }

    fn distance(&self, y: f64) -> f64 {
        let Plot { top, bottom, .. } = self.plot;
        let share = (bottom - y.clamp(top, bottom)) / (bottom - top);
        NEAREST * libm::pow(10.0, share * self.most)
    }
}

/// Paints the distances of all bursts that make clusters, rising, the knee, and the line of Eps.
#[inline(never)]
pub fn distances(pen: &dyn Pen, glance: &Glance, view: &RunView) -> Layout {
    let (frame, tokens, scale) = (view.frame(), view.tokens(), Scale::of(glance, view));
    let (plot, of) = (&scale.plot, &glance.distances);
    let face = Face::plain(TICK, tokens.ink3);
    let inset = frame.inset(frame.left);
    for value in VALUES {
        let y = scale.up(value);
        if scale.distance(plot.top) >= value {
            pen.hair((plot.left, y), (plot.right, y), tokens.ink, tokens.grid);
            let text = number(value, if value < 1.0 { decimals(value) } else { 0 });
            let base = (y + MIDDLE).max(plot.top + TICK);
            pen.text((plot.left - inset, base), Anchor::End, &text, face);
        }
    }
    let last = of.to_neighbour.len().saturating_sub(1).max(1) as f64;
    let across = |at: usize| plot.left + at as f64 / last * (plot.right - plot.left);
    let places =
        of.to_neighbour.iter().enumerate().map(|(at, value)| (across(at), scale.up(*value)));
    pen.line(&places.collect::<Vec<_>>(), Stroke::solid(tokens.ink, THICK));
    if let Some(knee) = of.knee {
        let at = of.to_neighbour.partition_point(|distance| *distance < knee);
        let (x, y) = (across(at.min(last as usize)), scale.up(knee));
        pen.dot((x, y), KNEE, tokens.ink, 1.0);
        let words = format!("knee {}", eps_words(knee));
        pen.text_on((x - 8.0, y - 6.0), Anchor::End, &words, face, tokens.surface);
    }
    let eps = view.eps.unwrap_or(of.eps);
    let y = scale.up(eps);
    pen.fill((plot.left, y - 1.0), (plot.right, y + 1.0), tokens.accent, 1.0);
    let words = format!("Eps {}", eps_words(eps));
    let bold = Face::bold(TICK, tokens.accent);
    pen.text_on((plot.left + 6.0, y - 5.0), Anchor::Start, &words, bold, tokens.surface);
    for share in [0.0, 0.5, 1.0] {
        let x = plot.left + share * (plot.right - plot.left);
        let anchor = match share {
            0.0 => Anchor::Start,
            1.0 => Anchor::End,
            _ => Anchor::Middle,
        };
        let text = percent(share, 0);
        let text = if share == 0.0 { format!("{text} of bursts") } else { text };
        pen.text((x, plot.bottom + 15.0), anchor, &text, face);
    }
    pen.frame((plot.left, plot.top), (plot.right, plot.bottom), tokens.line);
    Layout { plot: scale.plot, strips: Vec::new() }
}

/// What Eps would be if its line were at this height: of two digits, as `0.085`.
#[inline(never)]
pub fn eps_at(glance: &Glance, view: &RunView, y: f64) -> String {
    eps_words(Scale::of(glance, view).distance(y))
}

/// Two digits, as the setting is written.
fn eps_words(eps: f64) -> String {
    let digits = 1.0 - libm::floor(libm::log10(eps.max(NEAREST)));
    let text = format!("{:.*}", digits.max(0.0) as usize, eps);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glance::Distances;

    #[test]
    fn eps_where_its_line_lies_is_eps() {
        let distances = Distances { to_neighbour: vec![0.0, 0.02, 3.0], ..Distances::default() };
        let glance = Glance { distances, ..Glance::default() };
        let view =
            RunView { width: 400.0, height: 200.0, left: 80.0, right: 12.0, ..RunView::default() };
        let scale = Scale::of(&glance, &view);
        for eps in ["0.001", "0.015", "0.1", "0.085", "0.99", "1", "2.5"] {
            assert_eq!(eps_at(&glance, &view, scale.up(eps.parse().unwrap())), eps);
        }
        // Above the plot and below it.
        assert_eq!([-50.0, 500.0].map(|y| eps_at(&glance, &view, y)), ["3", "0.001"]);
    }

    #[test]
    fn the_knee_stands_at_the_first_of_the_bursts_that_are_so_far_apart() {
        let to_neighbour = vec![0.1, 0.2, 0.2, 0.2, 1.0];
        let distances =
            Distances { to_neighbour, knee: Some(0.2), eps: 0.1, ..Distances::default() };
        let glance = Glance { distances, ..Glance::default() };
        let view =
            RunView { width: 500.0, height: 200.0, left: 80.0, right: 20.0, ..RunView::default() };
        let pen = crate::paint::scene::Svg::default();
        super::distances(&pen, &glance, &view);
        let text = pen.elements();
        // Of four steps from 80 to 480 px the first.
        assert_eq!(text.matches("cx=\"180\"").count(), 1, "{text}");
    }
}
