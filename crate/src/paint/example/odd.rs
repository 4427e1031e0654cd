//! Foldings and views that nobody would make.

use super::{POINTS, curve, folding, namd, stream, view};
use crate::folding::Folding;
use crate::paint::View;
use crate::paint::scene::Theme;

/// Views at the edge of what a page may ask for.
pub fn odd_views() -> Vec<View> {
    let wide = view(976.0, 414.0);
    vec![
        View { theme: Theme::Contrast, ..wide.clone() },
        View { left: 32.0, right: 50.0, ..view(400.0, 180.0) },
        View { from: 0.4, to: 0.400_001, ..wide.clone() },
        View { from: f64::NAN, to: -3.0, width: 0.0, height: f64::NAN, ..wide.clone() },
        View { counter: Some("PAPI_TOT_INS".to_string()), ..wide.clone() },
        View { counter: Some("PAPI_BR_INS".to_string()), ..wide.clone() },
        View { counter: Some("nobody".to_string()), group: 77, ..wide },
    ]
}

/// Foldings at the edge of what can be: nothing, too much, and numbers that are none.
pub fn odd() -> Vec<Folding> {
    let bare = folding("bare", 0.0, Vec::new());
    let no_groups = Folding { groups: Vec::new(), ..bare.clone() };
    let rates = |ins: f64, other: f64| {
        let curves = vec![
            curve("PAPI_TOT_INS", vec![ins; 5]),
            curve("PAPI_BR_INS", vec![other, 0.0, other, -other, other]),
            curve("PAPI_L1_DCM", vec![other * 1e-9; 5]),
        ];
        folding("extreme", f64::MAX, curves)
    };
    let only = folding(
        "no instructions",
        5e5,
        vec![curve("PAPI_BR_INS", vec![3.0, 4.0]), curve("c", vec![0.0; 2])],
    );
    let point = folding(
        "point",
        1.0,
        vec![curve("PAPI_TOT_INS", vec![7.0]), curve("PAPI_BR_INS", vec![2.0])],
    );
    let mut many = namd();
    let waves =
        (0..40).map(|i| curve(&format!("COUNTER_{i}"), vec![f64::from(i) * 10.0, 1e3, 5.0]));
    many.groups[0].curves =
        [curve("PAPI_TOT_INS", vec![1e3, 2e3, 3.0])].into_iter().chain(waves).collect();

    let mut hostile = stream();
    let group = &mut hostile.groups[0];
    hostile.region = "<script>alert(1)</script>\u{1b}[31m".to_string();
    hostile.trace.name = "a&b\u{0}<script>".repeat(700);
    group.routines =
        vec!["<script>\u{1b}]0;x\u{7}".to_string(), "x".repeat(10_000), "\u{202e}é漢".to_string()];
    group.curves[1].counter = "<script>&\u{1b}[2J".repeat(50);
    for (index, place) in group.places.iter_mut().enumerate() {
        place.file = format!("<script>{}\u{1b}", "y".repeat(index * 100));
        place.routine = index as u32 * 7;
        place.line = if index == 0 { 0 } else { u32::MAX };
    }
    group.lines.place.iter_mut().step_by(9).for_each(|place| *place = u32::MAX);
    group.lines.x.iter_mut().step_by(11).for_each(|x| *x = f64::NAN);
    group.stretches[1].place = 99;
    group.stretches[1].context = Some(99);
    group.stretches[2].end = f64::NAN;
    group.stretches[3].level = u32::MAX;
    group.contexts[2].routine = u32::MAX;
    group.breaks[0].at = f64::NAN;
    group.breaks[1].half_width = f64::INFINITY;
    group.phases[2].end = f64::NAN;
    group.phases[3].name = "<script>\u{1b}".repeat(300);
    group.sparse = vec![[f64::NAN, 0.3], [0.7, f64::INFINITY], [0.9, 0.1]];
    group.density = vec![u32::MAX, 0, 1];
    group.curves[0].rate_band.truncate(3);
    group.curves[2].rate_band = vec![f64::NAN; POINTS];
    group.curves[3].rate_band = vec![f64::INFINITY; POINTS];
    group.curves[0].fitted_band = vec![f64::INFINITY; 7];
    let ratio = f64::NAN;
    let mut all = vec![bare, no_groups, only, point, many, hostile];
    for (ins, other) in
        [(1e300, 1e-300), (1e-300, 1e300), (f64::MAX, f64::MAX), (0.0, 0.0), (ratio, ratio)]
    {
        all.push(rates(ins, other));
    }
    all
}
