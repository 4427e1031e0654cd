//! The tree from above: each node over those below it, as wide as its share.

use super::{CELL, Pictured, ProfileView};
use crate::order;
use crate::paint::scene::{Anchor, Face, Frame, Layout, Pen, Place, elide_routine, printable};
use crate::paint::time::TICK;
use crate::profile::NodeKind;

/// Height of a row, its edge, and of the axis below all.
const ROW: f64 = 26.0;
const EDGE: f64 = 3.0;
const AXIS: f64 = 22.0;

/// Rows that are painted; what lies deeper is seen from a node that is zoomed to.
const MOST_ROWS: usize = 14;

/// Cells narrower than this are not painted, and those narrower than that have no gap beside them, in px.
const LEAST: f64 = 0.5;
const WITH_GAP: f64 = 3.0;

/// Px that a name leaves free in its cell.
const PAD: f64 = 8.0;

/// Of the dots at the top of what was sampled.
const DOT: f64 = 2.0;
const DOT_STEP: f64 = 5.0;

/// A node and where it is painted.
struct Cell {
    node: u32,
    row: usize,
    left: f64,
    right: f64,
}

/// Px that all rows and the axis take.
#[inline(never)]
pub fn icicle_height(pictured: &Pictured, view: &ProfileView) -> f64 {
    let rows = cells(pictured, view).iter().map(|cell| cell.row + 1).max().unwrap_or(1);
    rows as f64 * ROW + AXIS
}

/// Paints the rows below what fills the picture, and an axis of shares.
#[inline(never)]
pub fn icicle(pen: &dyn Pen, pictured: &Pictured, view: &ProfileView) -> Layout {
    let (frame, tokens) = (view.frame(), view.tokens());
    for cell in cells(pictured, view) {
        paint(pen, pictured, view, &cell);
    }
    axis(pen, pictured, view, &frame);
    let mut layout = frame.layout();
    layout.plot.bottom = frame.height - AXIS;
    pen.hair((frame.left, layout.plot.bottom), (frame.right, layout.plot.bottom), tokens.axis, 1.0);
    layout
}

/// The node at a place of the picture.
#[inline(never)]
pub fn node_at(pictured: &Pictured, view: &ProfileView, (x, y): Place) -> Option<u32> {
    let cells = cells(pictured, view).into_iter();
    let mut at = cells.filter(|cell| cell.row == (y / ROW) as usize && y >= 0.0);
    at.find(|cell| (cell.left..cell.right).contains(&x)).map(|cell| cell.node)
}

/// What fills the picture. A link may name a node that there is not.
fn root(pictured: &Pictured, view: &ProfileView) -> Option<u32> {
    view.root.filter(|root| (*root as usize) < pictured.overview.whole.nodes.len())
}

/// What is painted, from the top down. O(nodes · log nodes) at most, as what is too narrow to be seen has
/// nothing below it that is.
fn cells(pictured: &Pictured, view: &ProfileView) -> Vec<Cell> {
    let frame = view.frame();
    let root = root(pictured, view);
    let (roots, whole) = match root {
        Some(root) => (vec![root], pictured.inclusive(root)),
        None => (pictured.shown.roots.clone(), pictured.whole()),
    };
    let mut open = vec![(roots, 0, frame.left, frame.right, whole)];
    let mut cells = vec![];
    while let Some((mut nodes, row, mut left, right, whole)) = open.pop() {
        // What tells part of its parent once more is no part of the whole.
        nodes.retain(|node| {
            pictured.overview.whole.nodes[*node as usize].kind != NodeKind::Part
                || root == Some(*node)
        });
        order::by_number(&mut nodes, |node| order::of_float(-pictured.inclusive(*node)));
        // Samples and probes tell the same time twice: together they may be more than what holds them.
        let sum = nodes.iter().map(|node| pictured.inclusive(*node)).sum::<f64>();
        let px = (right - left) / whole.max(sum).max(f64::MIN_POSITIVE);
        for node in nodes {
            let value = pictured.inclusive(node);
            let end = (left + value * px).min(right);
            if end - left < LEAST {
                break;
            }
            cells.push(Cell { node, row, left, right: end });
            if row + 1 < MOST_ROWS {
                let children = pictured.shown.children[node as usize].clone();
                open.push((children, row + 1, left, end, value));
            }
            left = end;
        }
    }
    cells
}

fn paint(pen: &dyn Pen, pictured: &Pictured, view: &ProfileView, cell: &Cell) {
    let &Cell { node, row, left, right } = cell;
    let tokens = view.tokens();
    let of = &pictured.overview.whole.nodes[node as usize];
    let colour = pictured.colour(node, tokens);
    let (top, bottom) = (row as f64 * ROW, (row + 1) as f64 * ROW - 1.0);
    let right = if right - left > WITH_GAP { right - 1.0 } else { right };
    match of.kind {
        NodeKind::Unresolved => pen.hatch((left, top), (right, bottom), tokens.ink3, 0.6),
        _ => pen.fill((left, top), (right, bottom), colour, CELL),
    }
    match of.kind.is_sampled() {
        // What samples estimate has a dotted edge, what probes measured a solid one.
        true => {
            let dots = ((right - left) / DOT_STEP) as usize;
            for at in 0..dots.max(1) {
                let x = left + at as f64 * DOT_STEP;
                pen.fill((x, top), ((x + DOT).min(right), top + DOT), tokens.readable(colour), 1.0);
            }
        }
        false => pen.fill((left, top), (right, top + EDGE), tokens.readable(colour), 0.85),
    }
    if view.picked == Some(node) {
        pen.frame((left, top), (right, bottom), tokens.accent);
    }
    let room = right - left - PAD;
    let name = printable(&of.name);
    let is_line = of.kind == NodeKind::Sample && is_below_its_routine(pictured, node);
    let label = match is_line {
        true => Some(format!("[{}]", of.line))
            .filter(|text| crate::paint::scene::width(text, 12.0, false) <= room),
        false => elide_routine(&[&name], 0, room, 12.0),
    };
    if let Some(label) = label {
        let at = (f64::midpoint(left, right), f64::midpoint(top + EDGE, bottom) + 4.0);
        pen.text(at, Anchor::Middle, &label, Face::plain(12.0, tokens.ink));
    }
}

/// Whether a sampled line stands below the routine that it is of.
fn is_below_its_routine(pictured: &Pictured, node: u32) -> bool {
    let nodes = &pictured.overview.whole.nodes;
    let parent = nodes[node as usize].parent;
    parent.is_some_and(|parent| nodes[parent as usize].kind == NodeKind::Summary)
        && nodes[node as usize].line > 0
}

fn axis(pen: &dyn Pen, pictured: &Pictured, view: &ProfileView, frame: &Frame) {
    let face = Face::plain(TICK, view.tokens().ink3);
    let base = frame.height - 6.0;
    let whole = pictured.whole().max(f64::MIN_POSITIVE);
    let most = root(pictured, view).map_or(1.0, |root| pictured.inclusive(root) / whole);
    let steps = if frame.narrow() { 2 } else { 5 };
    for step in 0..=steps {
        let share = f64::from(step) / f64::from(steps);
        let x = frame.left + share * (frame.right - frame.left);
        let value = 100.0 * most * share;
        let decimals = if most < 0.1 { 2 } else { usize::from(most < 1.0) };
        let text = crate::quantity::number(value, decimals);
        let (text, anchor) = match step {
            0 => (format!("0{}% of what all have", crate::quantity::THIN), Anchor::Start),
            _ if step == steps => (text, Anchor::End),
            _ => (text, Anchor::Middle),
        };
        pen.text((x, base), anchor, &text, face);
    }
}
