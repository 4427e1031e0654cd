//! The address lane: which data were referenced when, and what that cost.

use serde::Serialize;

use plotters::style::RGBColor;

use super::cost::{Costs, HIDDEN, STORE, colours};
use super::gutter::gutters;
use super::objects::{Hole, Objects, Row};
use crate::folding::{DataObject, Folding, Group, ObjectKind, References};
use crate::paint::View;
use crate::paint::mark::{Mark, Thin};
use crate::paint::picked::FAINT;
use crate::paint::scene::{Frame, Lane, Pen, Plot, Stroke};
use crate::paint::source::tints;
use crate::paint::time::breaks;

/// Radius of a load's point, side and opacity of a store's square.
const POINT: f64 = 1.05;
const SQUARE: f64 = 2.6;
const STORE_OPACITY: f64 = 0.8;

/// The zigzag at the edges of a hole: px from one corner to the next, how far it swings, how far it
/// lies inside, and its opacity.
const ZIGZAG: f64 = 4.0;
const SWING: f64 = 1.5;
const INSIDE: f64 = 1.0;
const ZIGZAG_OPACITY: f64 = 0.6;

/// Where a painted address lane has what.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct AddressLayout {
    pub plot: Plot,
    /// Rows of one object, from the bottom up.
    pub rows: Vec<ObjectRow>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct ObjectRow {
    pub object: String,
    pub kind: &'static str,
    pub top: f64,
    pub bottom: f64,
}

/// References of a group and the scale of their costs.
#[derive(Clone, Copy)]
pub struct Sampled<'a> {
    pub references: &'a References,
    pub costs: &'a Costs,
}

/// Whether a group has something to show in the lane.
pub fn has_address(group: &Group) -> bool {
    !group.objects.is_empty()
}

/// Paints bands of objects, references and names. With `over_image` a [`Raster`](super::Raster) has
/// painted bands and references already.
pub fn address(
    pen: &dyn Pen,
    folding: &Folding,
    view: &View,
    sampled: Option<Sampled<'_>>,
    over_image: bool,
) -> AddressLayout {
    let frame = Frame::of(view);
    let mut layout = AddressLayout { plot: frame.plot(), rows: Vec::new() };
    if let Some(lane) = Lane::of(pen, folding, view) {
        let objects = Objects::of(lane.group, view);
        if !over_image {
            grounds(&lane, &objects);
            tints(&lane, lane.rows());
        }
        edges(&lane, &objects);
        if let Some(sampled) = sampled.filter(|_| !over_image) {
            marks(&lane, &objects, sampled);
        }
        breaks(&lane, lane.rows());
        gutters(&lane, &objects);
        layout.rows = objects.rows.iter().filter_map(|row| named(lane.group, row)).collect();
    }
    pen.frame((frame.left, 0.0), (frame.right, frame.height), view.theme.tokens().line);
    layout
}

fn named(group: &Group, row: &Row) -> Option<ObjectRow> {
    let [index] = row.objects.as_slice() else { return None };
    let object = group.objects.get(*index)?;
    let (top, bottom) = (row.top, row.bottom);
    Some(ObjectRow { object: object.name.clone(), kind: kind(object), top, bottom })
}

/// How an object came to be, in the word of who programs.
pub fn kind(object: &DataObject) -> &'static str {
    match object.kind {
        ObjectKind::Dynamic => "malloc",
        kind => kind.name(),
    }
}

/// Colours of what lies under references: even rows, odd rows, holes.
pub fn grounds_of(view: &View) -> [RGBColor; 3] {
    let tokens = view.theme.tokens();
    [tokens.surface, tokens.sunken, tokens.page]
}

/// Rows in turn on surface and sunken ground, the topmost on the surface.
pub fn is_sunken(objects: &Objects, row: usize) -> bool {
    (objects.rows.len() - 1 - row) % 2 == 1
}

fn grounds(Lane { pen, frame, view, .. }: &Lane<'_>, objects: &Objects) {
    let [_, sunken, page] = grounds_of(view);
    let fill =
        |top, bottom, colour| pen.fill((frame.left, top), (frame.right, bottom), colour, 1.0);
    for (index, row) in objects.rows.iter().enumerate() {
        if is_sunken(objects, index) {
            fill(row.top, row.bottom, sunken);
        }
    }
    for hole in &objects.holes {
        fill(hole.top, hole.bottom, page);
    }
}

/// Hairlines between rows, and the zigzag of holes.
fn edges(Lane { pen, frame, tokens, .. }: &Lane<'_>, objects: &Objects) {
    let at_hole = |y: f64| objects.holes.iter().any(|hole| hole.bottom == y);
    for row in objects.rows.iter().skip(1).filter(|row| !at_hole(row.bottom)) {
        let y = libm::round(row.bottom);
        pen.hair((frame.left, y), (frame.right, y), tokens.line, 1.0);
    }
    let stroke = Stroke { colour: tokens.axis, opacity: ZIGZAG_OPACITY, width: 1.0 };
    let count = ((frame.right - frame.left) / ZIGZAG) as u32;
    for &Hole { top, bottom, .. } in &objects.holes {
        for middle in [top + INSIDE, bottom - INSIDE] {
            let corner = |i: u32| {
                let away = if i.is_multiple_of(2) { -SWING } else { SWING };
                (frame.left + ZIGZAG * f64::from(i), middle + away)
            };
            pen.line(&(0..=count).map(corner).collect::<Vec<_>>(), stroke);
        }
    }
}

/// The references in view, what is not picked first and faint, and stores over loads; of too many, one to a
/// pixel.
fn marks(lane: &Lane<'_>, objects: &Objects, sampled: Sampled<'_>) {
    let &Lane { pen, frame, view, tokens, .. } = lane;
    let Sampled { references, costs } = sampled;
    let colours = colours(view);
    let store = Mark::Square { side: SQUARE, colour: tokens.store, opacity: STORE_OPACITY };
    let matched = view.matched.as_ref().map(|matched| matched.references());
    let range = in_view(references, &frame);
    for full in [false, true] {
        let (mut loads, mut stores) = (Vec::new(), Vec::new());
        let mut thin = Thin::of(range.len(), &frame);
        for index in range.clone() {
            let is_full = matched.is_none_or(|full| full.get(index).copied().unwrap_or(false));
            let Some(at) = place(references, &frame, objects, index) else { continue };
            if is_full != full || !thin.keeps(at) {
                continue;
            }
            match look_of(references, costs, index, view.by_level) {
                STORE => stores.push(at),
                look => loads.extend(colours.get(look as usize).map(|colour| (at, *colour))),
            }
        }
        let share = if full { 1.0 } else { FAINT };
        pen.dots(&loads, POINT, tokens.point * share);
        store.faint(share).draw(pen, &stores);
    }
}

/// Indices of the references at visible times.
pub fn in_view(references: &References, frame: &Frame) -> std::ops::Range<usize> {
    let first = references.x.partition_point(|x| *x < frame.from);
    let end = references.x.partition_point(|x| *x <= frame.to);
    first..end.max(first)
}

/// Where a reference lies, if its object is shown.
pub fn place(
    references: &References,
    frame: &Frame,
    objects: &Objects,
    index: usize,
) -> Option<(f64, f64)> {
    let object = *references.object.get(index)? as usize;
    let place = (*objects.places.get(object)?)?;
    Some((frame.x(*references.x.get(index)?), place.y(*references.offset.get(index)?)))
}

/// What a reference looks like; hidden where it is none.
pub fn look_of(references: &References, costs: &Costs, index: usize, by_level: bool) -> u8 {
    let store = references.store.get(index).copied();
    let level = references.level.get(index).copied().unwrap_or(0);
    let cost = references.cost.get(index).copied().unwrap_or(0);
    store.map_or(HIDDEN, |store| costs.look(store, level, cost, by_level))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example::{self, dots, dots_with, polylines, rectangles, texts};
    use crate::paint::memory::bytes;
    use crate::paint::picked::Picked;
    use crate::paint::scene::Svg;

    fn view() -> View {
        example::view(976.0, 198.0)
    }

    fn drawn(folding: &Folding, references: &References, view: &View) -> (String, AddressLayout) {
        let costs = Costs::of(references);
        let sampled = Some(Sampled { references, costs: &costs });
        let svg = Svg::default();
        let layout = address(&svg, folding, view, sampled, false);
        (svg.elements(), layout)
    }

    /// The loads alone: place and colour.
    fn loads(
        folding: &Folding,
        references: &References,
        view: &View,
    ) -> Vec<((f64, f64), RGBColor)> {
        let costs = Costs::of(references);
        let pen = example::Dotted::default();
        address(&pen, folding, view, Some(Sampled { references, costs: &costs }), false);
        pen.at_once.into_inner().concat()
    }

    /// By the definition: three rows of equal height, a hole of 12 px below the topmost.
    fn expected(references: &References, index: usize) -> (f64, f64) {
        let x = 112.0 + references.x[index] * 796.0;
        let bottom = [198.0, 136.0, 62.0][references.object[index] as usize];
        let share = references.offset[index] as f64 / (crate::paint::example::BYTES - 1) as f64;
        (x, bottom - 3.0 - share * 56.0)
    }

    #[test]
    fn every_load_lies_at_its_time_and_its_offset() {
        let (folding, references) = (example::addressed(), example::references());
        let drawn_at = loads(&folding, &references, &view());
        let (_, layout) = drawn(&folding, &references, &view());
        let loads: Vec<_> =
            (0..references.x.len()).filter(|&index| references.store[index] == 0).collect();
        assert_eq!(drawn_at.len(), loads.len());
        for ((at, _), index) in drawn_at.into_iter().zip(loads) {
            let (x, y) = expected(&references, index);
            assert!((at.0 - x).abs() < 0.01 && (at.1 - y).abs() < 0.01, "{index}: {x} {y}");
        }
        assert_eq!(layout.rows.len(), 3);
        assert_eq!(
            (layout.rows[2].object.as_str(), layout.rows[2].kind),
            ("stream.c:181", "malloc")
        );
    }

    #[test]
    fn every_store_is_a_square_in_the_colour_of_stores() {
        let (folding, references) = (example::addressed(), example::references());
        let (svg, _) = drawn(&folding, &references, &view());
        let squares = rectangles(&svg, "#30343B");
        let stores: Vec<_> =
            (0..references.x.len()).filter(|&i| references.store[i] == 1).collect();
        assert_eq!(squares.len(), stores.len());
        for ([x0, y0, x1, y1], index) in squares.into_iter().zip(stores) {
            let (x, y) = expected(&references, index);
            assert!(((x0 + x1) / 2.0 - x).abs() < 0.01 && ((y0 + y1) / 2.0 - y).abs() < 0.01);
        }
    }

    #[test]
    fn a_load_has_the_colour_of_its_cost_or_of_its_level() {
        let (folding, references) = (example::addressed(), example::references());
        for by_level in [false, true] {
            let view = View { by_level, ..view() };
            let drawn = loads(&folding, &references, &view);
            let palette = colours(&view);
            let costs = Costs::of(&references);
            for look in 0..STORE {
                let colour = palette[look as usize];
                let of_look = drawn.iter().filter(|(_, of)| *of == colour);
                let loads = (0..references.x.len()).filter(|&i| references.store[i] == 0);
                let wanted = loads.filter(|&i| match by_level {
                    true => references.level[i] == look,
                    false => costs.step(references.cost[i]) == look,
                });
                assert_eq!(of_look.count(), wanted.count(), "{look} {by_level}");
            }
        }
    }

    #[test]
    fn a_hole_is_a_zigzag_with_its_size_beside_it() {
        let (folding, references) = (example::addressed(), example::references());
        let (svg, _) = drawn(&folding, &references, &view());
        let zigzags = polylines(&svg, "#8A8E95");
        assert_eq!(zigzags.len(), 2);
        for (line, middle) in zigzags.iter().zip([63.0, 73.0]) {
            assert!(line.iter().all(|(_, y)| ((y - middle).abs() - 1.5).abs() < 0.01));
        }
        let hole = 0x7f12_3456_7000_u64 - (0x60_2000 + 2 * crate::paint::example::BYTES);
        assert!(svg.contains(&bytes(hole)), "{}", bytes(hole));
        let sizes: Vec<f64> = texts(&svg, "start").into_iter().map(|(x, _)| x).collect();
        assert_eq!(sizes, [916.0; 4], "three objects and a hole, right of the plot");
    }

    #[test]
    fn an_object_alone_has_the_lane_and_ticks_of_its_bytes() {
        let (folding, references) = (example::addressed(), example::references());
        let view = View { object: Some("b".into()), ..view() };
        let (svg, layout) = drawn(&folding, &references, &view);
        assert_eq!(layout.rows.len(), 1);
        assert_eq!((layout.rows[0].top, layout.rows[0].bottom), (0.0, 198.0));
        let of_b = (0..references.x.len())
            .filter(|&i| references.object[i] == 1 && references.store[i] == 0);
        assert_eq!(dots(&svg).len(), of_b.count());
        let tick = svg.split("16\u{202f}MiB").next().unwrap().rsplit("<text").next().unwrap();
        let y = tick.split(" y=\"").nth(1).unwrap().split('"').next().unwrap();
        let share = f64::from(1 << 24) / (crate::paint::example::BYTES - 1) as f64;
        let place = 195.0 - share * 192.0;
        assert!((y.parse::<f64>().unwrap() - place).abs() < 4.5, "{y} {place}");
    }

    #[test]
    fn what_is_not_picked_is_faint() {
        let (folding, references) = (example::addressed(), example::references());
        let view = View { picked: Some(Picked::Object("b".into())), ..view() };
        let view = view.with_matched(&folding, Some(&references));
        let (svg, _) = drawn(&folding, &references, &view);
        let [full, faint] =
            ["0.85", "0.17"].map(|share| dots_with(&svg, &format!("opacity=\"{share}\"")).len());
        let of_b = (0..references.x.len())
            .filter(|&i| references.object[i] == 1 && references.store[i] == 0);
        assert_eq!((full, full + faint), (of_b.count(), dots(&svg).len()));
    }

    #[test]
    fn references_are_drawn_all_at_once_those_that_were_picked_over_the_rest() {
        let (folding, references) = (example::addressed(), example::references());
        let view = View { picked: Some(Picked::Object("b".into())), ..view() };
        let view = view.with_matched(&folding, Some(&references));
        let costs = Costs::of(&references);
        let pen = example::Dotted::default();
        let sampled = Sampled { references: &references, costs: &costs };
        address(&pen, &folding, &view, Some(sampled), false);
        let loads = references.store.iter().filter(|store| **store == 0).count();
        let calls = pen.at_once.into_inner();
        assert_eq!((calls.len(), pen.one_by_one.get()), (2, 0));
        assert_eq!(calls.iter().map(Vec::len).sum::<usize>(), loads);
    }

    /// Groups and references at the edge of what can be.
    fn odd() -> Vec<(Folding, References)> {
        let (folding, references) = (example::addressed(), example::references());
        let bare = (folding.clone(), References::default());
        let mut odd = folding.clone();
        let objects = &mut odd.groups[0].objects;
        objects[0].name = "x".repeat(10_000);
        objects[1].name = "<script>\u{1b}]0;x\u{7}".to_string();
        objects[0].bytes = 1;
        objects[1].bytes = 0;
        objects[2].address = u64::MAX - 3;
        objects[2].bytes = u64::MAX;
        let mut wild = references.clone();
        wild.cost.fill(0);
        wild.offset.iter_mut().step_by(3).for_each(|offset| *offset = u64::MAX);
        wild.object.iter_mut().step_by(5).for_each(|object| *object = u32::MAX);
        wild.level.iter_mut().step_by(7).for_each(|level| *level = 255);
        wild.store.iter_mut().step_by(7).for_each(|store| *store = 255);
        wild.line.fill(u32::MAX);
        wild.cost.truncate(9);
        let mut one = folding.clone();
        one.groups[0].objects.truncate(1);
        let none = (example::stream(), references.clone());
        vec![bare, (odd, wild), (one, references), none]
    }

    #[test]
    fn odd_objects_and_references_are_painted() {
        for (folding, references) in odd() {
            for view in example::odd_views() {
                for object in [None, Some("x".repeat(10_000)), Some("nobody".to_string())] {
                    let view = View { object, ..view.clone() };
                    let (svg, _) = drawn(&folding, &references, &view);
                    let unsound = ["<script", "\u{1b}", "NaN"];
                    assert!(unsound.iter().all(|text| !svg.contains(text)));
                }
            }
        }
    }
}
