//! What a counter counts between its readings, over the run.

use super::RunView;
use crate::glance::Rates;
use crate::order;
use crate::paint::scene::{Layout, Pen, Place, Stroke};
use crate::paint::time::values_beside;
use crate::quantity::Quantity;

const THICK: f64 = 1.4;
const BAND: f64 = 0.18;

/// The axis leaves out this share of the columns of the fastest thread: between two readings of
/// nearly one moment any rate is possible.
const TAIL: f64 = 0.01;

/// Paints the rate of all threads together as a line, and from the slowest to the fastest one as a
/// band: nothing where nothing was read.
#[inline(never)]
pub fn rates(pen: &dyn Pen, view: &RunView, rates: &Rates) -> Layout {
    let (frame, tokens) = (view.frame(), view.tokens());
    let plot = frame.plot();
    let highest = highest(rates);
    let up = |rate: f64| {
        let share = (rate / highest).clamp(0.0, 1.0);
        plot.bottom - share * (plot.bottom - plot.top)
    };
    let wide = plot.right - plot.left;
    let columns = rates.mean.len().max(1) as f64;
    let across = |border: usize| {
        let share = rates.from + (rates.to - rates.from) * border as f64 / columns;
        let share = (share - view.from) / (view.to - view.from).max(f64::MIN_POSITIVE);
        plot.left + share.clamp(0.0, 1.0) * wide
    };
    // Each column is level: its two ends at the same height.
    let steps = |values: &[f64], from: usize| -> Vec<Place> {
        let ends = (from..).zip(values);
        ends.flat_map(|(at, rate)| [at, at + 1].map(|end| (across(end), up(*rate)))).collect()
    };
    for (from, to) in known(&rates.mean) {
        let mut band = steps(&rates.most[from..to], from);
        band.extend(steps(&rates.least[from..to], from).into_iter().rev());
        pen.shape(&band, tokens.accent, BAND);
        pen.line(&steps(&rates.mean[from..to], from), Stroke::solid(tokens.accent, THICK));
    }
    // Over the line, for values that stand in the plot.
    axis(pen, view, rates, highest);
    pen.frame((plot.left, plot.top), (plot.right, plot.bottom), tokens.line);
    Layout { plot, strips: Vec::new() }
}

/// Stretches of columns in which something was read.
fn known(rates: &[f64]) -> Vec<(usize, usize)> {
    let mut stretches = Vec::new();
    let mut from = 0;
    for of in rates.chunk_by(|a, b| a.is_nan() == b.is_nan()) {
        if !of[0].is_nan() {
            stretches.push((from, from + of.len()));
        }
        from += of.len();
    }
    stretches
}

/// Where the axis ends.
fn highest(rates: &Rates) -> f64 {
    let mut most = rates.most.iter().copied().filter(|rate| rate.is_finite()).collect::<Vec<_>>();
    order::by_number(&mut most, |rate| order::of_float(*rate));
    let last = most.len().saturating_sub(1) as f64 * (1.0 - TAIL);
    let usual = most.get(last as usize).copied().unwrap_or(0.0);
    let mean = rates.mean.iter().copied().fold(0.0, f64::max);
    (usual.max(mean) * 1.05).max(f64::MIN_POSITIVE)
}

fn axis(pen: &dyn Pen, view: &RunView, rates: &Rates, highest: f64) {
    let (frame, plot) = (view.frame(), view.frame().plot());
    let quantity = Quantity::of_reading(&rates.counter, rates.instructions, rates.joules);
    let quantity = quantity.sized(highest);
    let of_unit = quantity.scale * quantity.factor;
    let up = |value: f64| plot.bottom - value / of_unit / highest * (plot.bottom - plot.top);
    values_beside(pen, &frame, view.tokens(), [0.0, highest * of_unit], &quantity.unit, &up);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::scene::Svg;

    fn example() -> Rates {
        let mean = vec![1000.0, f64::NAN, 2000.0, 2000.0];
        Rates {
            counter: "PAPI_TOT_INS".to_owned(),
            instructions: true,
            to: 1.0,
            least: mean.iter().map(|rate| rate / 2.0).collect(),
            most: mean.iter().map(|rate| rate * 1.5).collect(),
            mean,
            threads: 2,
            steps: 5.0,
            ..Rates::default()
        }
    }

    fn painted(rates_of: &Rates, from: f64, to: f64) -> String {
        let (width, height, left) = (400.0, 100.0, 80.0);
        let view = RunView { from, to, width, height, left, ..RunView::default() };
        let svg = Svg::default();
        rates(&svg, &view, rates_of);
        svg.elements()
    }

    #[test]
    fn the_axis_tells_the_unit_and_holds_the_fastest_thread() {
        let text = painted(&example(), 0.0, 1.0);
        assert!(text.contains(">MIPS<") && text.contains(">2\u{202f}000<"), "{text}");
        assert_eq!(highest(&example()), 3150.0);
    }

    #[test]
    fn what_was_not_read_is_no_line() {
        assert_eq!(known(&example().mean), [(0, 1), (2, 4)]);
        assert!(known(&[f64::NAN; 3]).is_empty() && known(&[]).is_empty());
    }

    #[test]
    fn rates_that_are_none_or_huge_are_painted_without_a_panic() {
        let huge = Rates { most: vec![1e300; 4], mean: vec![f64::INFINITY; 4], ..example() };
        for rates in [Rates::default(), huge] {
            assert!(!painted(&rates, 0.25, 0.25).contains("NaN"));
        }
    }

    #[test]
    fn the_axis_leaves_out_few_fast_columns_of_a_thread_but_none_of_all_together() {
        let of = |fast: f64, together: f64| Rates {
            most: [vec![1000.0; 298], vec![fast; 2]].concat(),
            mean: [vec![800.0; 299], vec![together]].concat(),
            ..example()
        };
        assert_eq!(highest(&of(90_000.0, 800.0)), 1050.0);
        assert_eq!(highest(&of(90_000.0, 4000.0)), 4200.0);
    }
}
