//! Several foldings beside one another, as small multiples: a panel each with the curves of its
//! counters, on axes that are the same in all.

use std::rc::Rc;

use super::caption::{caption, height as height_of, lines_of_all};
use super::figure::{Figure, Width};
use super::legend::{BASE, entries, header, height, too_few};
use super::sheet::{part, sheet};
use super::title::facts;
use crate::folding::{Folding, Group};
use crate::order;
use crate::paint::View;
use crate::paint::performance::{Shared, performance};
use crate::paint::scene::{Anchor, Face, Frame, LEFT, Pen, elide_end, printable};
use crate::paint::time::axis;

/// Panels in a row: as many of this width in px as there is room for, in a narrower one curves have
/// less room than gutters and name; but at most so many, to be compared at a glance.
const WIDTH: f64 = 360.0;
const MOST_COLUMNS: f64 = 4.0;

/// Px of the gutters of a panel, left and right; of its name with the facts below it, of its curves
/// and its axis, and free below it.
const GUTTERS: (f64, f64) = (64.0, 50.0);
const NAME: f64 = 40.0;
const CURVES: f64 = 190.0;
const AXIS: f64 = 28.0;
const BELOW: f64 = 14.0;
const PANEL: f64 = NAME + CURVES + AXIS + BELOW;

/// Base line of the facts, and sizes of name and facts.
const FACTS_BASE: f64 = 32.0;
const NAME_SIZE: f64 = 13.0;
const FACTS_SIZE: f64 = 11.0;

/// Px free above the first row and below the last.
const FOOT: f64 = 8.0;

/// Every group of the foldings as a panel, what takes most time first, with one legend over all.
///
/// `view`: its width is that of the picture, its height and gutters are not looked at. A counter has
/// the same axis in every panel; one that is not counted in all of them is not drawn.
#[inline(never)]
pub fn multiples_svg(foldings: &[&Folding], view: &View) -> String {
    drawn(foldings, view, &[])
}

/// The same as a figure, with its caption.
pub fn multiples_figure(foldings: &[&Folding], figure: &Figure) -> String {
    let view = View { from: 0.0, to: 1.0, ..figure.view() };
    drawn(foldings, &view, &lines_of_all(figure, foldings, &view))
}

fn drawn(foldings: &[&Folding], view: &View, caption_lines: &[String]) -> String {
    let groups =
        foldings.iter().flat_map(|folding| folding.groups.iter().map(move |g| (*folding, g)));
    let mut panels = groups.collect::<Vec<_>>();
    let time_ns = |group: &Group| group.mean_duration_ns * f64::from(group.kept);
    order::by_number(&mut panels, |(_, group)| !order::of_float(time_ns(group)));
    let shared = Rc::new(Shared::of(panels.iter().map(|(_, group)| *group)));
    let shared = Some(Rc::clone(&shared));
    let whole = View { shared, left: LEFT, right: LEFT, height: CURVES, ..view.clone() };
    let mut body = String::new();
    let mut top = FOOT;
    // All panels have the same counters: whichever has them has all names of the legend.
    let counted = panels.iter().find(|(_, group)| !group.curves.is_empty());
    if let Some((folding, group)) = counted {
        let view = View { group: group.number, ..whole.clone() };
        let sparse = panels.iter().find(|(_, group)| !group.sparse.is_empty());
        let few = sparse.and_then(|(folding, group)| {
            too_few(folding, &View { group: group.number, ..whole.clone() })
        });
        let mut entries = entries(folding, &view, None);
        if group.sparse.is_empty() {
            entries.extend(few);
        }
        let height = height(&Frame::of(&view), &entries);
        let view = View { height, ..view };
        let name = printable(&folding.trace.name);
        body += &part((0.0, top), &view, &|pen, view| header(pen, view, &name, &entries));
        top += height + FOOT;
    }
    let whole_width = Frame::of(view).width;
    let columns = libm::floor(whole_width / WIDTH).clamp(1.0, MOST_COLUMNS);
    let width = libm::floor(whole_width / columns);
    let columns = columns as usize;
    for (at, (folding, group)) in panels.iter().enumerate() {
        let x = width * (at % columns) as f64;
        let y = top + PANEL * (at / columns) as f64;
        let (left, right) = GUTTERS;
        let view = View { group: group.number, width, left, right, ..whole.clone() };
        body += &panel((x, y), folding, &view);
    }
    let rows = panels.len().div_ceil(columns) as f64;
    let name = foldings.first().map(|folding| format!("Regions of {}", folding.trace.name));
    let bottom = top + PANEL * rows;
    let view = View { height: height_of(caption_lines), ..view.clone() };
    body += &part((0.0, bottom), &view, &|pen, view| caption(pen, view, caption_lines));
    let size = (whole_width, bottom + view.height + FOOT);
    sheet((Width::Px(size.0), size), view.theme, &name.unwrap_or_default(), &body)
}

fn panel((x, y): (f64, f64), folding: &Folding, view: &View) -> String {
    let of_height = |height: f64| View { height, ..view.clone() };
    part((x, y), &of_height(NAME), &|pen, view| name(pen, folding, view))
        + &part((x, y + NAME), &of_height(CURVES), &|pen, view| {
            performance(pen, folding, view);
        })
        + &part((x, y + NAME + CURVES), &of_height(AXIS), &|pen, view| {
            axis(pen, folding, view);
        })
}

/// The name of the region, and below it how many instances there are, and how long.
fn name(pen: &dyn Pen, folding: &Folding, view: &View) {
    let tokens = view.theme.tokens();
    let room = view.width - 2.0 * LEFT;
    let region = elide_end(&printable(&folding.region), room, NAME_SIZE, true);
    pen.text((LEFT, BASE), Anchor::Start, &region, Face::bold(NAME_SIZE, tokens.ink));
    let facts = elide_end(&facts(folding, view).join("  ·  "), room, FACTS_SIZE, false);
    pen.text((LEFT, FACTS_BASE), Anchor::Start, &facts, Face::plain(FACTS_SIZE, tokens.ink2));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example;
    use crate::paint::scene::Svg;

    /// Two foldings that differ by ten in the rate of instructions.
    fn two() -> [Folding; 2] {
        let (fast, mut slow) = (example::namd(), example::namd());
        slow.region = "slow".to_owned();
        for curve in &mut slow.groups[0].curves {
            curve.rate.iter_mut().for_each(|rate| *rate /= 10.0);
        }
        [fast, slow]
    }

    #[test]
    fn a_counter_has_one_axis_in_every_panel() {
        let foldings = two();
        let view = View { group: 1, ..example::view(488.0, CURVES) };
        let strips = |view: &View| {
            let of = |folding| performance(&Svg::default(), folding, view).strips;
            foldings.each_ref().map(of)
        };
        let [fast, slow] = strips(&view);
        assert_ne!(fast, slow, "each its own");
        let groups = foldings.iter().map(|folding| &folding.groups[0]);
        let shared = Some(Rc::new(Shared::of(groups)));
        let [fast_shared, slow_shared] = strips(&View { shared, ..view });
        assert_eq!(fast_shared, slow_shared);
        let mips = |strips: &[crate::paint::Strip]| {
            strips.iter().find(|strip| strip.has("PAPI_TOT_INS")).unwrap().max
        };
        assert_eq!(mips(&slow_shared), mips(&fast));
    }

    #[test]
    fn a_counter_that_one_lacks_is_in_no_panel() {
        let [fast, mut slow] = two();
        slow.groups[0].curves.retain(|curve| curve.counter != "PAPI_L1_DCM");
        let svg = multiples_svg(&[&fast, &slow], &example::view(976.0, 0.0));
        assert!(svg.contains(">Branches") && !svg.contains("L1D misses"));
    }

    #[test]
    fn every_group_has_a_panel_the_longest_first() {
        let [fast, slow] = two();
        let mut brief = slow.clone();
        brief.region = "brief".to_owned();
        brief.groups[0].mean_duration_ns /= 2.0;
        let svg = multiples_svg(&[&brief, &slow, &fast], &example::view(976.0, 0.0));
        let at = |name: &str| svg.find(&format!(">{name}</text>")).unwrap();
        assert!(at("slow") < at("brief"));
        assert_eq!(svg.matches("of 38 instances").count(), 3);
        let empty = multiples_svg(&[], &example::view(976.0, 0.0));
        assert!(empty.starts_with("<svg") && !empty.contains("NaN"));
    }

    #[test]
    fn a_saved_figure_tells_how_to_make_it_again() {
        let foldings = two();
        let settings = vec![("fit".to_owned(), "spline".to_owned())];
        let grey = Figure { settings, grey: true, ..Figure::default() };
        let svg = multiples_figure(&foldings.each_ref(), &grey);
        let caption = "444.namd.prv · 2 of its regions, each counter on one axis · fit=spline";
        assert!(svg.contains(caption), "{svg}");
        assert_eq!(multiples_figure(&[], &grey).matches("<text").count(), 0);
    }

    #[test]
    fn odd_foldings_make_well_formed_pictures() {
        let all = example::odd();
        for view in example::odd_views() {
            let svg = multiples_svg(&all.iter().collect::<Vec<_>>(), &view);
            assert!(!svg.contains("<script") && !svg.contains('\u{1b}') && !svg.contains("NaN"));
            for tag in ["svg", "text"] {
                let (open, close) = (format!("<{tag}"), format!("</{tag}>"));
                assert_eq!(svg.matches(&open).count(), svg.matches(&close).count(), "{tag}");
            }
        }
    }
}
