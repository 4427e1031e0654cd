//! The density strip: how many samples there are where.

use super::axis::TICK;
use crate::folding::{CurveKind, Folding};
use crate::paint::View;
use crate::paint::scale::number;
use crate::paint::scene::{Anchor, Face, Frame, Layout, NARROW_GUTTER, Pen};

/// Height of the strip as the page has it.
pub const HEIGHT: f64 = 12.0;

/// Px from its lower edge up to the base line of its words.
const BASE: f64 = 2.0;

/// Paints the samples of each cell as steps from 0, as high as the strip for the fullest; in the
/// gutters what they are, and the least and the most samples of a cell.
pub fn density(pen: &dyn Pen, folding: &Folding, view: &View) -> Layout {
    let frame = Frame::of(view);
    let tokens = view.theme.tokens();
    let group = folding.group(view.group);
    let cells = group.map_or(&[][..], |group| &group.density);
    let is_of_steps = group.is_some_and(|group| group.fit.kind == CurveKind::Steps);
    let what = if is_of_steps { "readings" } else { "samples" };
    let least = cells.iter().copied().min().unwrap_or(0);
    let most = cells.iter().copied().max().unwrap_or(0);
    if most > 0 {
        pen.shape(&steps(&frame, cells, most), tokens.axis, 1.0);
    }
    if !cells.is_empty() && frame.left >= NARROW_GUTTER {
        let face = Face::plain(TICK, tokens.ink3);
        let (base, inset) = (frame.height - BASE, frame.inset(frame.left));
        pen.text((frame.left - inset, base), Anchor::End, what, face);
        let range = format!("{}–{}", number(f64::from(least), 0), number(f64::from(most), 0));
        if face.width(&range) <= frame.width - frame.right - inset {
            pen.text((frame.right + inset, base), Anchor::Start, &range, face);
        }
    }
    frame.layout()
}

/// The outline of the steps, from the lower left corner on.
fn steps(frame: &Frame, cells: &[u32], most: u32) -> Vec<(f64, f64)> {
    let count = cells.len().max(1) as f64;
    let mut outline = vec![(frame.left, frame.height)];
    for (j, &samples) in cells.iter().enumerate() {
        let (from, to) = (frame.x(j as f64 / count), frame.x((j + 1) as f64 / count));
        if to > from {
            let y = frame.height * (1.0 - f64::from(samples) / f64::from(most.max(1)));
            outline.extend([(from, y), (to, y)]);
        }
    }
    outline.push((frame.right, frame.height));
    outline
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example::{self, polygons};
    use crate::paint::scene::{Svg, css};

    #[test]
    fn a_step_is_as_high_as_its_samples() {
        let folding = example::stream();
        let cells = &folding.group(1).unwrap().density;
        let most = *cells.iter().max().unwrap();
        let wide = example::view(976.0, HEIGHT);
        for view in [wide.clone(), View { from: 0.25, to: 0.5, ..wide }] {
            let frame = Frame::of(&view);
            let svg = Svg::default();
            density(&svg, &folding, &view);
            let outline = polygons(&svg.elements(), &css(view.theme.tokens().axis)).concat();
            for (j, &samples) in cells.iter().enumerate() {
                let middle = (j as f64 + 0.5) / cells.len() as f64;
                if middle < view.from || middle > view.to {
                    continue;
                }
                let x = frame.x(middle);
                let over = |p: &[(f64, f64)]| p[0].1 == p[1].1 && p[0].0 <= x && x <= p[1].0;
                let step = outline.windows(2).find(|pair| over(pair)).unwrap();
                let y = HEIGHT * (1.0 - f64::from(samples) / f64::from(most));
                assert!((step[0].1 - y).abs() < 0.01, "{j}: {} {y}", step[0].1);
            }
        }
    }

    #[test]
    fn the_gutters_tell_what_it_is_and_its_range() {
        let mut folding = example::stream();
        folding.groups[0].density = vec![3, 0, 1200];
        let view = example::view(976.0, HEIGHT);
        let svg = Svg::default();
        density(&svg, &folding, &view);
        let svg = svg.elements();
        assert!(svg.contains("samples") && svg.contains("0–1\u{202f}200"), "{svg}");
    }

    #[test]
    fn odd_foldings_are_painted() {
        for folding in example::odd() {
            for view in example::odd_views() {
                let svg = Svg::default();
                density(&svg, &folding, &view);
                assert!(!svg.elements().contains("NaN"));
            }
        }
    }
}
