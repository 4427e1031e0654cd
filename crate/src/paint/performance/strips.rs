//! The strips of the performance lane: how high each is, and its axes.

use super::chosen::{GAP, LOWEST};
use super::series::{Series, largest, on_axis};
use super::shown::{About, Shown};
use crate::paint::scale::{FINE_STEPS, Steps, steps_from};
use crate::paint::scene::{Frame, Strip, elide_end};
use crate::paint::time::TICK;
use crate::quantity::Quantity;

/// Heights of strips in relation to each other.
const HEIGHTS: [f64; 4] = [2.0, 1.0, 0.75, 0.6];

/// Px of a share of 1 where there is room: the lowest strip is then as low as can be.
const UNIT: f64 = LOWEST / HEIGHTS[3];

/// Share of the height that gaps take at most, and the least height of a strip in px.
const GAPS: f64 = 0.25;
const LEAST: f64 = 0.5;

/// Room that a step of an axis needs, and the most steps.
const STEP_PX: f64 = 22.0;
const MOST_STEPS: f64 = 6.0;

/// What it costs two curves in one plot, found by looking at pictures: a top so many times the
/// least, each place that is nearer than this share of the height, and each crossing; at so many
/// moments, up to so wide an axis.
const WASTE: f64 = 0.3;
const NEAR: f64 = 0.12;
const NEARNESS: f64 = 0.02;
const CROSSING: f64 = 0.1;
const LOOKS: u32 = 100;
const WIDEST: f64 = 4.0;

/// Px left free beside the title of a model's axis in its gutter.
const GUTTER: f64 = 4.0;

/// The strips of `shown`, from the largest ratios down; the first one also carries what stands at the
/// right.
pub fn strips(frame: &Frame, shown: &Shown<'_>) -> Vec<Strip> {
    let visible = shown.visible_strips();
    let mut strips = Vec::new();
    let count = visible.len().max(1);
    let rows = spans(frame.height, count + usize::from(shown.awaited));
    for (index, rows) in rows.into_iter().take(count).enumerate() {
        let curves = visible.get(index).cloned().unwrap_or_default();
        let at_right = if index == 0 { shown.at_right() } else { Vec::new() };
        let most = most_steps(rows.1 - rows.0);
        let high = |curves: &[&Series], of: &Quantity| largest(curves) * of.factor;
        let right = on_axis(&at_right).zip(at_right.first()).map(|(of, first)| {
            let steps = match shown.about {
                About::Alone => {
                    Steps::around(first.smallest * of.factor, first.largest * of.factor, most)
                }
                _ => Steps::from_zero(high(&at_right, &of), most),
            };
            (of, steps)
        });
        let left = on_axis(&curves).map(|of| {
            let steps = match right.as_ref().zip(at_right.first()) {
                Some(((_, steps), rate)) => beside(steps, rate, &curves, shown, of.factor),
                None => Steps::from_zero(high(&curves, &of), most),
            };
            (of, steps)
        });
        for (axis, curves, is_right) in [(left, curves, false), (right, at_right, true)] {
            let Some((of, steps)) = axis else { continue };
            strips.push(Strip {
                unit: title(frame, shown, of.unit, is_right),
                factor: of.factor,
                curves: curves.iter().map(|series| series.key.to_owned()).collect(),
                ..Strip::of(rows, steps, is_right)
            });
        }
    }
    strips
}

/// What stands over an axis; the words of a model are cut where they have no room.
fn title(frame: &Frame, shown: &Shown<'_>, unit: String, is_right: bool) -> String {
    if shown.about != About::Model {
        return unit;
    }
    let room = if is_right { frame.width - frame.right } else { frame.left };
    let unit = unit.replace("instructions", "ins").replace("instruction", "ins");
    elide_end(&unit, room - frame.inset(room) - GUTTER, TICK, is_right)
}

/// Where a strip is held for curves that wait for a decision.
pub fn held(frame: &Frame, shown: &Shown<'_>) -> Option<(f64, f64)> {
    let count = shown.visible_strips().len().max(1);
    spans(frame.height, count + 1).pop().filter(|_| shown.awaited)
}

/// Top and bottom of `count` strips in `height`, in whole pixels; none is too low to be read if there
/// is room for all.
fn spans(height: f64, count: usize) -> Vec<(f64, f64)> {
    let gaps = count.saturating_sub(1) as f64;
    let gap = if gaps > 0.0 { GAP.min(GAPS * height / gaps) } else { 0.0 };
    let share = |index: usize| HEIGHTS.get(index).copied().unwrap_or(HEIGHTS[3]);
    let free = height - gap * gaps;
    // Each takes its share of what those that are as low as can be leave.
    let unit = |low: usize| (free - LOWEST * low as f64) / (0..count - low).map(share).sum::<f64>();
    let fits = |low: &usize| unit(*low) * share(count - low - 1) >= LOWEST;
    let low = (0..count).find(fits);
    let unit = unit(low.unwrap_or(0));
    let heights = (0..count).map(|index| match low {
        Some(low) if index >= count - low => LOWEST,
        _ => unit * share(index),
    });
    let mut top = 0.0;
    let mut spans = Vec::new();
    for (index, own) in heights.enumerate() {
        let last = index + 1 == count;
        let bottom = if last { height } else { libm::floor(top + own).max(top + 1.0) };
        spans.push((top.min(height - LEAST), bottom.clamp(LEAST, height)));
        top = libm::round(bottom + gap);
    }
    spans
}

/// Height in px of so many strips in their proportions, the lowest of which can be read; `all` would fit
/// too, were none switched off.
pub fn height_of(visible: usize, all: usize) -> f64 {
    let gaps = |count: usize| GAP * count.saturating_sub(1) as f64;
    let count = visible.max(1);
    let shares = (0..count).map(|index| HEIGHTS.get(index).copied().unwrap_or(HEIGHTS[3]));
    let own = libm::ceil(UNIT * shares.sum::<f64>()) + gaps(count);
    own.max(LOWEST * all as f64 + gaps(all))
}

/// Steps that an axis of this height has at most.
fn most_steps(height: f64) -> u32 {
    libm::round(height / STEP_PX).clamp(1.0, MOST_STEPS) as u32
}

/// The left axis beside the right one: as many steps, and of ratios a top at which the curves come
/// least near the rate's; curves of other pictures on it would come near elsewhere.
fn beside(
    right: &Steps,
    rate: &Series,
    curves: &[&Series],
    shown: &Shown<'_>,
    factor: f64,
) -> Steps {
    let least = Steps::beside(right, largest(curves) * factor);
    let with = |step: f64| Steps { step, ..least };
    let mut steps = steps_from(least.step, FINE_STEPS).take_while(|&s| s <= WIDEST * least.step);
    if shown.about == About::Model || shown.is_shared {
        return steps.next().map_or(least, with);
    }
    let cost = |step: &f64| {
        let waste = WASTE * (step / least.step - 1.0);
        let share = |series: &Series, top: f64, time: f64| series.at(time).map(|v| v / top);
        let braid = |series: &&Series| {
            let apart = |j: u32| {
                let time = f64::from(j) / f64::from(LOOKS);
                let ratio = share(series, with(*step).max() / factor, time)?;
                Some(ratio - share(rate, right.max(), time)?)
            };
            let apart: Vec<f64> = (0..=LOOKS).filter_map(apart).collect();
            let near = |d: &f64| (1.0 - d.abs() / NEAR).max(0.0);
            let crossings = apart.windows(2).filter(|w| matches!(w, [a, b] if a * b < 0.0)).count();
            apart.iter().map(near).sum::<f64>() * NEARNESS + crossings as f64 * CROSSING
        };
        waste + curves.iter().map(braid).sum::<f64>()
    };
    let best = steps.map(|step| (cost(&step), step)).min_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or(least, |(_, step)| with(step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::View;
    use crate::paint::example;
    use crate::paint::performance::performance;
    use crate::paint::scene::Svg;

    #[test]
    fn strips_have_their_proportions_and_fill_the_lane() {
        assert_eq!(spans(414.0, 4), [(0.0, 180.0), (186.0, 276.0), (282.0, 349.0), (355.0, 414.0)]);
        assert_eq!(spans(200.0, 1), [(0.0, 200.0)]);
        for (top, bottom) in spans(3.0, 40) {
            assert!(0.0 <= top && top < bottom && bottom <= 3.0, "{top} {bottom}");
        }
    }

    #[test]
    fn a_height_for_all_strips_squeezes_none() {
        for count in 1..30 {
            let low = spans(height_of(count, count), count);
            assert!(low.iter().all(|(top, bottom)| bottom - top >= LOWEST), "{count}: {low:?}");
        }
        assert!(height_of(1, 9) >= 9.0 * LOWEST, "those that are switched off would fit");
    }

    #[test]
    fn ratios_far_apart_have_strips_of_their_own() {
        let folding = example::namd();
        let view = example::view(976.0, 414.0);
        let shown = Shown::of(folding.group(1).unwrap(), &view);
        let strips = strips(&Frame::of(&view), &shown);
        let read: Vec<_> =
            strips.iter().map(|s| (s.curves.join(" "), &*s.unit, s.factor)).collect();
        let expected = [
            ("PAPI_TOT_CYC", "per ins", 1.0),
            ("PAPI_TOT_INS", "MIPS", 1.0),
            ("PAPI_BR_INS PAPI_L1_DCM", "per 1000 ins", 1e3),
            ("PAPI_L2_TCM", "per 10⁶ ins", 1e6),
            ("LLC_MISSES", "per 10⁶ ins", 1e6),
        ];
        assert_eq!(read, expected.map(|(c, u, f)| (c.to_string(), u, f)));
        let [cycles, mips, ..] = strips.as_slice() else { panic!("strips") };
        assert_eq!((mips.max, mips.step), (5000.0, 1000.0));
        assert_eq!(cycles.max / cycles.step, 5.0, "as many steps as at the right");
    }

    #[test]
    fn a_counter_without_a_name_comes_last_and_sets_no_other_s_scale() {
        let mut folding = example::namd();
        let group = &mut folding.groups[0];
        let largest = group.curves.iter().flat_map(|c| &c.rate).fold(0.0f64, |a, b| a.max(*b));
        let mut numbered = group.curves[1].clone();
        numbered.counter = "Event 42001008".to_owned();
        numbered.rate.fill(0.5 * largest);
        group.curves.retain(|curve| curve.counter != "PAPI_L2_TCM");
        group.curves.insert(0, numbered);
        let view = example::view(976.0, 414.0);
        let shown = Shown::of(folding.group(1).unwrap(), &view);
        let strips = strips(&Frame::of(&view), &shown);
        let curves = strips.iter().filter(|s| !s.right).map(|s| s.curves.join(" "));
        let expected = ["PAPI_TOT_CYC", "PAPI_BR_INS PAPI_L1_DCM", "LLC_MISSES", "Event 42001008"];
        assert_eq!(curves.collect::<Vec<_>>(), expected);
        let left = shown.all().filter(|series| !series.right).map(|series| series.key);
        assert_eq!(left.last(), Some("Event 42001008"));
    }

    #[test]
    fn no_strip_is_lower_than_two_ticks_need_whatever_is_asked_for() {
        let folding = example::many_counters();
        let all = folding.groups[0].curves.iter().map(|c| c.counter.clone()).collect::<Vec<_>>();
        for curves in [None, Some(all.clone()), Some(all.into_iter().rev().collect()), Some(vec![])]
        {
            for height in (58..450).step_by(13) {
                for left in [112.0, 32.0] {
                    let view = example::view(976.0, f64::from(height));
                    let view = View { curves: curves.clone(), left, ..view };
                    let svg = Svg::default();
                    let layout = performance(&svg, &folding, &view);
                    let svg = svg.elements();
                    let texts = example::texts(&svg, "end");
                    for strip in layout.strips.iter().filter(|strip| !strip.right) {
                        assert!(strip.bottom - strip.top >= LOWEST, "{height}: {strip:?}");
                        let inside =
                            |t: &&(f64, f64)| t.0 < left && strip.top < t.1 && t.1 <= strip.bottom;
                        // One more is the unit.
                        let units = usize::from(left > 100.0);
                        let ticks = texts.iter().filter(inside).count();
                        assert!(ticks >= 2 + units, "{height} {ticks}: {strip:?}");
                        assert!(strip.curves.len() <= 6);
                    }
                }
            }
        }
    }

    #[test]
    fn a_value_lies_where_the_contract_says() {
        let folding = example::namd();
        let view = example::view(976.0, 414.0);
        let shown = Shown::of(folding.group(1).unwrap(), &view);
        for s in strips(&Frame::of(&view), &shown) {
            let v = 0.3 * s.max / s.factor;
            let y = s.bottom - (v * s.factor - s.min) / (s.max - s.min) * (s.bottom - s.top);
            assert!((s.y(v) - y).abs() < 1e-9);
            assert_eq!((s.y(f64::NAN), s.y(f64::INFINITY)), (s.bottom, s.top));
        }
    }
}
