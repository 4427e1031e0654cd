//! Where the time of each thread goes: what it computes, what it lacks to the one that computes most,
//! and what that one lacks to the run.

use super::RunView;
use crate::glance::{CoreTime, Glance};
use crate::paint::scene::{Anchor, Face, Frame, Layout, Pen, Stroke};
use crate::paint::time::{MIDDLE, TICK};
use crate::quantity::{number, percent};

/// Hues of what is lost by imbalance and by communication, of the routines'.
pub const HUES: [u32; 2] = [10, 9];

/// Px above the plot and below it.
const ABOVE: f64 = 8.0;
const BELOW: f64 = 20.0;

/// Bars have gaps where each has this many px, and are no wider than that many.
const APART_FROM: f64 = 4.0;
const GAP: f64 = 0.2;
const WIDEST: f64 = 48.0;

/// Px from the name of one thread to the next.
const NAME_STEP: f64 = 56.0;

/// Of the line of the mean.
const DASH: [f64; 2] = [4.0, 3.0];

/// Paints a bar for each thread of the run; of very many each column of px shows the mean of some.
#[inline(never)]
pub fn threads(pen: &dyn Pen, glance: &Glance, view: &RunView) -> Layout {
    let (frame, tokens) = (view.frame(), view.tokens());
    let Some(time) = &glance.efficiency.of_run else { return frame.layout() };
    let bars = Bars::of(&frame, time);
    let (top, bottom) = (ABOVE, frame.height - BELOW);
    let up = |share: f64| bottom - share.clamp(0.0, 1.0) * (bottom - top);
    let longest = time.longest().map_or(0.0, |(_, ns)| bars.share(ns));
    let [imbalance, communication] = HUES.map(|hue| tokens.routine(hue as usize));
    for at in 0..bars.count {
        let (left, right) = bars.ends(at);
        let computing = bars.mean(time, at);
        pen.fill((left, up(1.0)), (right, up(longest)), communication, 1.0);
        pen.fill((left, up(longest)), (right, up(computing)), imbalance, 1.0);
        pen.fill((left, up(computing)), (right, bottom), tokens.axis, COMPUTING);
    }
    pen.frame((frame.left, top), (frame.right, bottom), tokens.line);
    let mean = bars.share(time.mean_useful_ns());
    let level = [(frame.left, up(mean)), (frame.right, up(mean))];
    pen.dashed(&level, Stroke::solid(tokens.ink, 1.0), &DASH);
    words(pen, view, glance, &bars, mean);
    frame.layout()
}

/// How much of its colour what is computed has, beside what is lost.
pub const COMPUTING: f64 = 0.8;

fn words(pen: &dyn Pen, view: &RunView, glance: &Glance, bars: &Bars, mean: f64) {
    let (frame, tokens) = (view.frame(), view.tokens());
    let (top, bottom) = (ABOVE, frame.height - BELOW);
    let face = Face::plain(TICK, tokens.ink3);
    let (left, right) = (frame.inset(frame.left), frame.inset(frame.width - frame.right));
    for (share, text) in [(1.0, "100"), (0.5, "50"), (0.0, "0")] {
        let base = bottom - share * (bottom - top) + MIDDLE;
        pen.text((frame.left - left, base), Anchor::End, text, face);
    }
    let base = bottom - mean * (bottom - top) + MIDDLE;
    let value = if frame.narrow() { number(100.0 * mean, 1) } else { percent(mean, 1) };
    pen.text((frame.right + right, base), Anchor::Start, &value, Face::bold(TICK, tokens.ink2));
    let names = &glance.lifelines;
    let room = (frame.right - frame.left) / NAME_STEP;
    let step = libm::ceil(bars.threads as f64 / room.max(1.0)).max(1.0) as usize;
    let Some(time) = &glance.efficiency.of_run else { return };
    for thread in (0..bars.threads).step_by(step) {
        let name = time.lifelines.get(thread).and_then(|at| names.get(*at as usize));
        let (from, to) = bars.ends(thread * bars.count / bars.threads);
        let words = name.map_or("", |of| &*of.name);
        // The first tells what all are.
        let words = if thread == 0 { words } else { words.rsplit(' ').next().unwrap_or(words) };
        pen.text((f64::midpoint(from, to), frame.height - 6.0), Anchor::Middle, words, face);
    }
}

/// The place in [`CoreTime::useful_ns`] of the thread at a place of the picture.
#[inline(never)]
pub fn thread_at(glance: &Glance, view: &RunView, x: f64) -> Option<usize> {
    let time = glance.efficiency.of_run.as_ref()?;
    let bars = Bars::of(&view.frame(), time);
    let at = (x - bars.left) / bars.pitch;
    let is_inside = (0.0..bars.count as f64).contains(&at);
    is_inside.then(|| bars.threads_of(at as usize).start).filter(|at| *at < time.useful_ns.len())
}

/// Where bars stand.
struct Bars {
    left: f64,
    pitch: f64,
    gap: f64,
    count: usize,
    threads: usize,
    elapsed_ns: f64,
}

impl Bars {
    fn of(frame: &Frame, time: &CoreTime) -> Self {
        let wide = (frame.right - frame.left).max(1.0);
        let threads = time.useful_ns.len();
        let count = threads.min(wide as usize).max(1);
        let pitch = wide / count as f64;
        let gap = if pitch >= APART_FROM { (GAP * pitch).max(pitch - WIDEST) } else { 0.0 };
        Self {
            left: frame.left,
            pitch,
            gap,
            count,
            threads: threads.max(1),
            elapsed_ns: time.elapsed_ns,
        }
    }

    fn ends(&self, at: usize) -> (f64, f64) {
        let left = self.left + at as f64 * self.pitch;
        (left + self.gap / 2.0, left + self.pitch - self.gap / 2.0)
    }

    /// Those that stand in a bar.
    fn threads_of(&self, at: usize) -> std::ops::Range<usize> {
        at * self.threads / self.count..(at + 1) * self.threads / self.count
    }

    fn share(&self, ns: f64) -> f64 {
        ns / self.elapsed_ns.max(1.0)
    }

    fn mean(&self, time: &CoreTime, at: usize) -> f64 {
        let of = time.useful_ns.get(self.threads_of(at)).unwrap_or(&[]);
        self.share(of.iter().sum::<f64>() / of.len().max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glance::{Efficiency, Lifeline};
    use crate::paint::example::rectangles;
    use crate::paint::scene::{Svg, css};

    fn run(shares: &[f64]) -> Glance {
        let of_run = CoreTime {
            elapsed_ns: 100.0,
            useful_ns: shares.iter().map(|share| 100.0 * share).collect(),
            lifelines: (0..shares.len() as u32).collect(),
        };
        let lifelines = (1..=shares.len())
            .map(|rank| Lifeline { name: format!("rank {rank}"), ..Lifeline::default() });
        Glance {
            lifelines: lifelines.collect(),
            efficiency: Efficiency { of_run: Some(of_run), ..Efficiency::default() },
            ..Glance::default()
        }
    }

    fn view() -> RunView {
        RunView {
            to: 1.0,
            width: 700.0,
            height: 120.0,
            left: 60.0,
            right: 40.0,
            ..RunView::default()
        }
    }

    /// Of what is lost by communication, by imbalance, and of what is computed, how high each bar is.
    fn heights(glance: &Glance) -> [Vec<f64>; 3] {
        let pen = Svg::default();
        threads(&pen, glance, &view());
        let (text, tokens) = (pen.elements(), view().tokens());
        let [imbalance, communication] = HUES.map(|hue| tokens.routine(hue as usize));
        [communication, imbalance, tokens.axis].map(|colour| {
            let bars = rectangles(&text, &css(colour)).into_iter();
            bars.map(|[_, top, _, bottom]| bottom - top).collect()
        })
    }

    #[test]
    fn each_bar_is_as_high_as_the_run_and_what_is_computed_as_high_as_its_share() {
        let high = 120.0 - ABOVE - BELOW;
        let shares = [[0.2, 0.2], [0.0, 0.4], [0.8, 0.4]];
        for (heights, shares) in heights(&run(&[0.8, 0.4])).into_iter().zip(shares) {
            assert_eq!(heights.len(), 2);
            for (height, share) in heights.into_iter().zip(shares) {
                assert!((height - share * high).abs() < 0.02, "{height} {share}");
            }
        }
    }

    #[test]
    fn of_more_threads_than_px_each_column_is_the_mean_of_some() {
        let many = run(&[0.5, 0.7].repeat(3000));
        let [.., computed] = heights(&many);
        let high = 120.0 - ABOVE - BELOW;
        assert_eq!(computed.len(), 600);
        assert!(computed.iter().all(|height| (height - 0.6 * high).abs() < 0.02), "{computed:?}");
        assert_eq!(thread_at(&many, &view(), 60.5), Some(0));
        assert_eq!(thread_at(&many, &view(), 61.5), Some(10));
        assert_eq!(thread_at(&many, &view(), 59.5), None);
        assert_eq!(thread_at(&many, &view(), 660.5), None);
        assert_eq!(thread_at(&run(&[0.8, 0.4]), &view(), 400.0), Some(1));
        assert_eq!(thread_at(&run(&[]), &view(), 100.0), None);
    }
}
