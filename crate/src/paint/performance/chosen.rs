//! Which counters have a curve: a few that tell most at first, else those that a person asks for;
//! and in which strip each of them lies.

use super::series::Series;
use crate::folding::{Curve, Group};
use crate::order;
use crate::paint::View;
use crate::quantity::is_numbered;

/// Cycles and so many others are shown at first, in so many strips: what a person can tell apart at
/// one look. Where there are no more counters, all are shown.
const FEW: usize = 5;
const STRIPS: usize = 2;

/// A strip lower than this has no room for two ticks below its unit.
pub const LOWEST: f64 = 58.0;

/// Px between strips.
pub const GAP: f64 = 6.0;

/// Values that differ by more never share a strip: beside the larger the smaller would lie on the
/// axis.
const FAR: f64 = 12.0;

/// Neighbours that differ by more have strips of their own, while there are few strips.
const APART: f64 = 8.0;
const FEW_STRIPS: usize = 4;

/// Curves in a strip: as many as there are colours.
const MOST: usize = 6;

/// The curves that are shown, strip by strip from the largest values down, with how many others there
/// are and whether some wait for a decision.
pub struct Chosen<'a> {
    pub strips: Vec<Vec<Series<'a>>>,
    pub others: usize,
    pub awaited: bool,
}

/// Of `curves`, those that `view` asks for, the newest first, as far as the lane has room; or those
/// that tell most. `series` is called for what may be shown only.
pub fn chosen<'a>(
    group: &Group,
    view: &View,
    curves: Vec<&'a Curve>,
    series: impl Fn(&'a Curve) -> Series<'a>,
) -> Chosen<'a> {
    let count = curves.len();
    let room = libm::floor((view.height + GAP) / (LOWEST + GAP)).clamp(1.0, 99.0) as usize;
    let awaited = view.curves.is_none() && view.undecided && count > FEW;
    let (wanted, most, strips) = match &view.curves {
        Some(named) => {
            let asked = |name: &String| curves.iter().find(|curve| curve.counter == *name);
            (named.iter().rev().filter_map(asked).copied().collect(), count, room)
        }
        None if count <= FEW => (curves, FEW, room),
        None if awaited => (curves.into_iter().filter(|of| of.is_cycles()).collect(), 1, STRIPS),
        None => (by_worth(group, view, curves), FEW, STRIPS.min(room)),
    };
    let mut shown: Vec<Series> = Vec::new();
    for curve in wanted {
        if shown.len() == most {
            break;
        }
        let is_there = shown.iter().any(|other| other.key == curve.counter);
        shown.extend((!is_there).then(|| series(curve)));
        if strips_of(&shown, strips).len() > strips {
            shown.pop();
        }
    }
    let others = count - shown.len();
    let mut places = strips_of(&shown, strips);
    let asked = |at: &usize| {
        let position = |named: &Vec<String>| named.iter().position(|name| name == shown[*at].key);
        view.curves.as_ref().and_then(position)
    };
    // A place that is left empty keeps the colours of those after it.
    let mut turns = places.concat().into_iter().enumerate().collect::<Vec<_>>();
    turns.iter_mut().for_each(|(turn, at)| *turn = asked(at).unwrap_or(*turn));
    order::by_number(&mut turns, |(turn, _)| *turn as u64);
    let hues = hues(&places, &turns);
    let tokens = view.theme.tokens();
    for (series, hue) in shown.iter_mut().zip(hues) {
        (series.colour, series.dash) = (tokens.counter(hue), tokens.dash(hue));
    }
    let mut shown = shown.into_iter().map(Some).collect::<Vec<_>>();
    let mut strip =
        |places: &mut Vec<usize>| places.iter().filter_map(|&at| shown[at].take()).collect();
    Chosen { strips: places.iter_mut().map(&mut strip).collect(), others, awaited }
}

/// Cycles first, then those that move most with cycles per instruction; what moves alike as far as it
/// is printed, in the order of the trace. Pictures beside one another have the order of the first.
fn by_worth<'a>(group: &Group, view: &View, mut curves: Vec<&'a Curve>) -> Vec<&'a Curve> {
    let names = match &view.shared {
        Some(shared) => shared.order.clone(),
        None => worth(group),
    };
    let place = |curve: &&Curve| names.iter().position(|name| *name == curve.counter);
    order::by_number(&mut curves, |curve| place(curve).map_or(u64::MAX, |place| place as u64));
    curves
}

/// The counters of a group, the one that tells most first.
pub fn worth(group: &Group) -> Vec<String> {
    let r_squared = group.r_squared();
    let mut all = group.curves.iter().zip(&r_squared).collect::<Vec<_>>();
    let printed = |r: &Option<f64>| r.map_or(0, |r| 1 + libm::round(100.0 * r) as u64);
    // Nobody knows what a number counts.
    order::by_number(&mut all, |(curve, r)| match curve.is_cycles() {
        true => 0,
        false => 1000 - printed(r) + 1000 * u64::from(is_numbered(&curve.counter)),
    });
    all.into_iter().map(|(curve, _)| curve.counter.clone()).collect()
}

/// The hue of each of the curves in `strips`, of which each has its turn: that of the turn, or the next
/// one that its strip does not have.
fn hues(strips: &[Vec<usize>], turns: &[(usize, usize)]) -> Vec<usize> {
    let mut hues: Vec<Option<usize>> = vec![None; turns.len()];
    for &(turn, at) in turns {
        let mine = strips.iter().find(|strip| strip.contains(&at));
        let taken = mine.into_iter().flatten().filter_map(|&other| hues[other]).collect::<Vec<_>>();
        let free = (0..MOST).map(|k| (turn + k) % MOST).find(|hue| !taken.contains(hue));
        hues[at] = Some(free.unwrap_or(0));
    }
    hues.into_iter().map(Option::unwrap_or_default).collect()
}

/// Places of the series, in strips; power after all others, counters without a name last: nobody
/// knows what a number counts, and it sets no other's scale. At most `most` strips if it can be.
fn strips_of(series: &[Series<'_>], most: usize) -> Vec<Vec<usize>> {
    let mut places = (0..series.len()).collect::<Vec<_>>();
    order::by_number(&mut places, |&at| !order::of_float(series[at].largest));
    let class = |at: usize| match (is_numbered(series[at].key), series[at].quantity.is_power()) {
        (true, _) => 2,
        (false, true) => 1,
        (false, false) => 0_u64,
    };
    order::by_number(&mut places, |&at| class(at));
    let strips = |apart: f64| {
        let classes = places.chunk_by(|&a, &b| class(a) == class(b));
        classes.flat_map(|places| in_strips(series, places, apart)).collect::<Vec<_>>()
    };
    let wanted = strips(APART);
    if wanted.len() <= FEW_STRIPS.min(most) { wanted } else { strips(FAR) }
}

/// Places of series of falling size, in strips.
fn in_strips(series: &[Series<'_>], places: &[usize], apart: f64) -> Vec<Vec<usize>> {
    let sizes: Vec<f64> = places.iter().map(|&at| series[at].largest).collect();
    let mut strips: Vec<Vec<usize>> = Vec::new();
    for (&at, starts) in places.iter().zip(starts(&sizes, apart)) {
        let own = &series[at];
        // Clocks have a unit of their own; a curve of nothing is at home in any.
        let alike = |strip: &[usize]| {
            own.largest <= 0.0
                || strip.iter().all(|&other| series[other].quantity.shares_axis(&own.quantity))
        };
        match strips.last_mut() {
            Some(strip) if !starts && alike(strip) => strip.push(at),
            _ => strips.push(vec![at]),
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
    use crate::paint::example;
    use crate::paint::performance::performance;
    use crate::paint::performance::shown::Shown;
    use crate::paint::scene::{Svg, css};
    use crate::quantity::short;

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

    /// The strips of many counters in a lane of this height.
    fn shown(view: &View) -> Vec<String> {
        let folding = example::many_counters();
        let shown = Shown::of(&folding.groups[0], view);
        let strips = shown.visible_strips();
        let names =
            |strip: &Vec<&Series>| strip.iter().map(|s| s.key).collect::<Vec<_>>().join(" ");
        strips.iter().map(names).collect()
    }

    #[test]
    fn cycles_and_the_four_that_move_most_with_them_are_shown_in_two_strips() {
        let view = example::view(976.0, 414.0);
        // Mispredictions move more than most, but would need a third strip.
        let expected = ["PAPI_TOT_CYC PAPI_RES_STL", "PAPI_L1_DCM PAPI_L2_DCM PAPI_L3_TCM"];
        assert_eq!(shown(&view), expected);
        let one = shown(&View { height: 100.0, ..view.clone() });
        assert_eq!(one, ["PAPI_TOT_CYC PAPI_LD_INS PAPI_RES_STL PAPI_FP_OPS PAPI_SR_INS"]);
        let undecided = View { undecided: true, ..view };
        assert_eq!(shown(&undecided), ["PAPI_TOT_CYC"]);
        let folding = example::many_counters();
        let layout = performance(&Svg::default(), &folding, &undecided);
        let bottom = layout.strips.iter().map(|strip| strip.bottom).fold(0.0, f64::max);
        assert_eq!(bottom, 272.0, "a third of 408 px is held");
    }

    #[test]
    fn what_is_asked_for_is_shown_and_the_oldest_leave_first() {
        let asked = |height: f64, names: &[&str]| {
            let curves = names.iter().map(|name| (*name).to_owned()).collect();
            shown(&View { curves: Some(curves), ..example::view(976.0, height) })
        };
        assert_eq!(asked(414.0, &["PAPI_BR_MSP", "PAPI_TOT_CYC"]), ["PAPI_TOT_CYC", "PAPI_BR_MSP"]);
        // One strip has room for the newest alone, and for what is as large.
        assert_eq!(asked(100.0, &["PAPI_LD_INS", "PAPI_TOT_CYC", "PAPI_BR_MSP"]), ["PAPI_BR_MSP"]);
        let two = asked(100.0, &["PAPI_BR_MSP", "PAPI_LD_INS", "PAPI_TOT_CYC", "NONE"]);
        assert_eq!(two, ["PAPI_TOT_CYC PAPI_LD_INS"]);
        assert_eq!(asked(414.0, &[]), [""; 0]);
    }

    #[test]
    fn colours_stay_where_a_place_is_left_empty() {
        let folding = example::many_counters();
        let colours = |names: &[&str]| {
            let curves = names.iter().map(|name| (*name).to_owned()).collect();
            let view = View { curves: Some(curves), ..example::view(976.0, 414.0) };
            let shown = Shown::of(&folding.groups[0], &view);
            let all = shown.all().map(|series| (series.key.to_owned(), css(series.colour)));
            all.collect::<std::collections::BTreeMap<_, _>>()
        };
        let before = colours(&["PAPI_TOT_CYC", "PAPI_RES_STL", "PAPI_L1_DCM"]);
        let after = colours(&["PAPI_TOT_CYC", "", "PAPI_L1_DCM"]);
        assert_eq!(after.len(), before.len() - 1);
        assert!(after.iter().all(|(counter, colour)| before[counter] == *colour), "{after:?}");
    }

    #[test]
    fn no_strip_has_a_colour_twice_and_every_curve_has_its_name() {
        let folding = example::many_counters();
        let all = folding.groups[0].curves.iter().map(|curve| curve.counter.clone()).collect();
        for curves in [None, Some(all)] {
            for height in [128.0, 200.0, 414.0] {
                let view = View { curves: curves.clone(), ..example::view(976.0, height) };
                for strip in Shown::of(&folding.groups[0], &view).visible_strips() {
                    let colours = strip.iter().map(|series| css(series.colour));
                    let distinct = colours.collect::<std::collections::BTreeSet<_>>().len();
                    assert_eq!(distinct, strip.len());
                }
                let svg = Svg::default();
                let layout = performance(&svg, &folding, &view);
                let svg = svg.elements();
                for counter in layout.strips.iter().flat_map(|strip| &strip.curves) {
                    let name = if counter == "PAPI_TOT_INS" { "MIPS" } else { short(counter) };
                    let texts = svg.matches(&format!(">{name}<")).count();
                    // The rate's unit is called as it is.
                    let wanted = if name == "MIPS" { 2 } else { 1 };
                    assert!(texts >= wanted, "{counter} in {height} px");
                }
            }
        }
    }

    #[test]
    fn each_takes_the_next_hue_that_its_strip_does_not_have() {
        let turns = |order: &mut dyn Iterator<Item = usize>| order.enumerate().collect::<Vec<_>>();
        assert_eq!(hues(&[vec![0, 1], vec![2]], &turns(&mut (0..3))), [0, 1, 2]);
        assert_eq!(hues(&[vec![0, 1]], &[(0, 0), (3, 1)]), [0, 3], "turns may be left out");
        // The seventh would take the first hue again, which is in its strip.
        assert_eq!(
            hues(&[vec![0, 6], vec![1, 2, 3, 4, 5]], &turns(&mut (0..7))),
            [0, 1, 2, 3, 4, 5, 1]
        );
        let full = hues(&[(0..6).collect(), (6..12).collect()], &turns(&mut (0..12).rev()));
        for strip in full.chunks(6) {
            let mut hues = strip.to_vec();
            hues.sort_unstable();
            assert_eq!(hues, [0, 1, 2, 3, 4, 5]);
        }
    }
}
