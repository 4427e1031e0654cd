//! What the run is made of: what comes before its loop, the passes, what comes after.

use super::RunView;
use crate::glance::Glance;
use crate::paint::scene::{Anchor, Face, Layout, Pen};
use crate::quantity::{duration, number, percent};

/// Base line of the words, where the bracket lies, and how far its ticks reach up.
const BASE: f64 = 15.0;
const BRACKET: f64 = 26.0;
const TICK: f64 = 5.0;
const THICK: f64 = 2.0;

/// Ticks nearer than this would be a bar.
const LEAST_STEP: f64 = 4.0;

/// Px left free beside words.
const BESIDE: f64 = 6.0;

/// A loop with a lower score may be none.
pub const SURE: f64 = 0.6;

/// Paints the rail.
#[inline(never)]
pub fn structure(pen: &dyn Pen, glance: &Glance, view: &RunView) -> Layout {
    let (frame, tokens) = (view.frame(), view.tokens());
    let share = |ns: f64| ns / glance.runtime_ns.max(1.0);
    let Some(of) = &glance.loops else {
        let words = glance.remarks.first().map_or("", String::as_str);
        let face = Face::plain(frame.words(), tokens.ink3);
        pen.text((frame.left, BASE), Anchor::Start, words, face);
        return frame.layout();
    };
    let (begin, end) = (share(of.begins_ns.first().copied().unwrap_or(0.0)), share(of.end_ns));
    let (left, right) = (frame.x(begin), frame.x(end));
    let (plain, bold) = (Face::plain(11.0, tokens.ink3), Face::bold(11.0, tokens.accent));
    if right > left {
        pen.fill((left, 0.0), (right, BRACKET), tokens.accent, 0.09);
        pen.fill((left, BRACKET - THICK), (right, BRACKET), tokens.accent, 1.0);
        let step = (right - left) / of.begins_ns.len().max(1) as f64;
        let begins = of.begins_ns.iter().map(|ns| share(*ns)).chain([end]);
        let seen = begins.filter(|at| (frame.from..=frame.to).contains(at));
        for at in seen.filter(|at| step >= LEAST_STEP || *at == begin || *at == end) {
            let x = frame.x(at).min(frame.right - THICK);
            pen.fill((x, BRACKET - TICK), (x + THICK, BRACKET), tokens.accent, 1.0);
        }
    }
    let times = number(of.begins_ns.len() as f64, 0);
    let maybe = if of.score < SURE { "maybe " } else { "" };
    let bold_words = format!("{maybe}{times} × iteration");
    let full = format!(
        "{} ± {}   {}   score {}",
        duration(of.median_ns),
        duration(of.deviation_ns),
        percent(of.share, 1),
        number(of.score, 2)
    );
    let brief = duration(of.median_ns);
    let room = right - left - 2.0 * BESIDE;
    let fitting = [full.as_str(), brief.as_str(), ""]
        .into_iter()
        .find(|words| bold.width(&bold_words) + BESIDE + plain.width(words) <= room);
    if let Some(words) = fitting {
        let wide = bold.width(&bold_words) + BESIDE + plain.width(words);
        let x = (left + right - wide) / 2.0;
        pen.text((x, BASE), Anchor::Start, &bold_words, bold);
        pen.text((x + wide, BASE), Anchor::End, words, plain);
    }
    for (name, from, to) in [("before", 0.0, begin), ("after", end, 1.0)] {
        let (left, right) = (frame.x(from), frame.x(to));
        let span = format!(
            "{name}  {}  {}",
            duration((to - from) * glance.runtime_ns),
            percent(to - from, 1)
        );
        let fits = [span.as_str(), name].into_iter();
        let mut fits = fits.filter(|words| plain.width(words) + 2.0 * BESIDE <= right - left);
        if let Some(words) = fits.next() {
            pen.text(((left + right) / 2.0, BASE), Anchor::Middle, words, plain);
        }
    }
    frame.layout()
}
