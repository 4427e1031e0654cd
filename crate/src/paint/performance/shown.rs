//! What the performance lane shows of a group: which curves, in which strip, how coloured.

use super::series::Series;
use crate::folding::{Curve, Group};
use crate::order;
use crate::paint::View;
use crate::quantity::{Kind, is_numbered};

/// What a lane is about.
#[derive(Clone, Copy, PartialEq)]
pub enum About {
    Counters,
    /// One counter, at the right.
    Alone,
    Model,
}

/// The curves of a group, in the order of the legend.
pub struct Shown<'a> {
    /// Each with its strip, from the top. Strips of counters come from the largest values down, power
    /// after them, counters without a name after all else; the first one has the curves of the right
    /// axis too.
    pub series: Vec<(usize, Series<'a>)>,
    pub about: About,
    /// Whether its axes are those of other pictures, too.
    pub is_shared: bool,
}

/// Values that differ by more never share a strip: beside the larger the smaller would lie on the
/// axis.
const FAR: f64 = 12.0;

/// Neighbours that differ by more have strips of their own, while there are few strips.
const APART: f64 = 8.0;
const FEW: usize = 4;

/// Curves in a strip.
const MOST: usize = 6;

impl<'a> Shown<'a> {
    /// The counters of a group, per instruction where these were counted.
    pub fn of(group: &'a Group, view: &View) -> Shown<'a> {
        let own = if group.instructions().is_some() { Kind::Ratio } else { Kind::Rate };
        Self::with(group, view, view.shared.as_ref().map_or(own, |shared| shared.kind))
    }

    /// The counters of a group, told as `kind` beside the rate of instructions.
    pub fn with(group: &'a Group, view: &View, kind: Kind) -> Shown<'a> {
        let tokens = view.theme.tokens();
        let instructions = group.instructions().map(|curve| &curve.counter);
        let is_rate = |curve: &Curve| instructions == Some(&curve.counter);
        let largest = |key: &str| view.shared.as_ref().map(|shared| shared.largest(key));

        let series = |curve: &'a Curve, kind| {
            let own = Series::of(group, curve, kind);
            Series {
                hidden: view.hidden.contains(&curve.counter),
                colour: tokens.ink,
                largest: largest(own.key).flatten().unwrap_or(own.largest),
                ..own
            }
        };
        let is_shown = |curve: &&Curve| largest(&curve.counter) != Some(None);
        let others = group.curves.iter().filter(|curve| !is_rate(curve)).filter(is_shown);
        let mut left: Vec<_> = others.map(|curve| series(curve, kind)).collect();
        order::by_number(&mut left, |series| !order::of_float(series.largest));
        let power = |series: &Series| series.quantity.is_power();
        order::by_number(&mut left, |series| u64::from(power(series)));
        order::by_number(&mut left, |series| u64::from(is_numbered(series.key)));
        for (index, series) in left.iter_mut().enumerate() {
            series.colour = tokens.counter(index);
            series.dash = tokens.dash(index);
        }
        let rate = group.instructions().filter(|curve| !group.is_axis(curve));
        let rate = rate.map(|curve| Series { right: true, ..series(curve, Kind::Rate) });

        if let Some(counter) = &view.counter {
            let shown = left.into_iter().chain(rate).find(|series| series.key == counter);
            let alone = shown.zip(group.curve(counter)).map(|(Series { colour, .. }, curve)| {
                (0, Series { colour, right: true, ..Series::of(group, curve, Kind::Rate) })
            });
            let series = alone.into_iter().collect();
            return Shown { series, about: About::Alone, is_shared: false };
        }
        let (numbered, named) = left.into_iter().partition::<Vec<_>, _>(|s| is_numbered(s.key));
        let (power, others) = named.into_iter().partition(power);
        // Nobody knows what a number counts: it sets no other's scale.
        let strips = [others, power, numbered].into_iter().flat_map(in_strips).enumerate();
        let left = strips.flat_map(|(strip, series)| series.into_iter().map(move |s| (strip, s)));
        let series = left.chain(rate.map(|rate| (0, rate))).collect();
        Shown { series, about: About::Counters, is_shared: view.shared.is_some() }
    }

    /// The curves of the left axes that are not switched off, strip by strip; strips without any are
    /// left out.
    pub fn visible_strips(&self) -> Vec<Vec<&Series<'a>>> {
        let visible = self.series.iter().filter(|(_, series)| !series.hidden && !series.right);
        let visible = visible.collect::<Vec<_>>();
        let strips = visible.chunk_by(|(a, _), (b, _)| a == b);
        strips.map(|strip| strip.iter().map(|(_, series)| series).collect()).collect()
    }

    /// Those of the right axis that are not switched off.
    pub fn at_right(&self) -> Vec<&Series<'a>> {
        self.all().filter(|series| series.right && !series.hidden).collect()
    }

    /// Every curve in the order of the legend.
    pub fn all(&self) -> impl Iterator<Item = &Series<'a>> {
        self.series.iter().map(|(_, series)| series)
    }
}

/// Series of falling size, in strips.
fn in_strips(series: Vec<Series>) -> Vec<Vec<Series>> {
    let sizes: Vec<f64> = series.iter().map(|s| s.largest).collect();
    let wanted = starts(&sizes, APART);
    let few = wanted.iter().filter(|&&starts| starts).count() <= FEW;
    let starts = if few { wanted } else { starts(&sizes, FAR) };
    let mut strips: Vec<Vec<Series>> = Vec::new();
    for (series, starts) in series.into_iter().zip(starts) {
        // Clocks have a unit of their own; a curve of nothing is at home in any.
        let alike = |strip: &[Series]| {
            series.largest <= 0.0 || strip.iter().all(|s| s.quantity.shares_axis(&series.quantity))
        };
        match strips.last_mut() {
            Some(strip) if !starts && alike(strip) => strip.push(series),
            _ => strips.push(vec![series]),
        }
    }
    strips
}

/// For each of falling `sizes`, whether it starts a strip; those of no size join the last one.
fn starts(sizes: &[f64], apart: f64) -> Vec<bool> {
    let (mut first, mut before, mut count) = (f64::INFINITY, f64::INFINITY, MOST);
    let start = |&size: &f64| {
        let far = size > 0.0 && (first / size > FAR || before / size > apart);
        let starts = far || count == MOST;
        count = if starts { 1 } else { count + 1 };
        first = if starts { size } else { first };
        before = size;
        starts
    };
    sizes.iter().map(start).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sizes: &[f64], apart: f64, expected: &str) {
        let marks: String =
            starts(sizes, apart).iter().map(|&s| if s { '|' } else { '.' }).collect();
        assert_eq!(marks, expected, "{sizes:?}");
    }

    #[test]
    fn sizes_start_strips_where_they_differ_by_more_than_twelve() {
        check(&[0.67, 0.063, 0.0145, 2e-4, 1e-5], APART, "||.||");
        check(&[0.67, 0.063, 0.0145, 2e-4, 1e-5], FAR, "|.|||");
        check(&[1.0, 0.5, 0.4, 0.3, 0.2, 0.1, 0.09], FAR, "|.....|");
        check(&[1.0, 0.0, 0.0], FAR, "|..");
        check(&[0.0], FAR, "|");
        check(&[], FAR, "");
    }
}
