//! An axis of values beside a plot.

use crate::paint::scale::{decimals, multiples, number};
use crate::paint::scene::{Anchor, Face, Frame, NARROW_GUTTER, Pen, Tokens};

use super::{MIDDLE, TICK};

/// Least px from one value to the next.
const ROW: f64 = 24.0;

/// Paints the values between two, as they are written, with their lines, and the unit at the top. Where the
/// gutter is too narrow they stand in the plot. `up` tells where a value lies.
pub fn values_beside(
    pen: &dyn Pen,
    frame: &Frame,
    tokens: &Tokens,
    [low, high]: [f64; 2],
    unit: &str,
    up: &dyn Fn(f64) -> f64,
) {
    let plot = frame.plot();
    let face = Face::plain(TICK, tokens.ink3);
    let inset = frame.inset(frame.left);
    let is_inside = plot.left < NARROW_GUTTER;
    let write = |base: f64, text: &str| match is_inside {
        true => pen.text_on((plot.left + inset, base), Anchor::Start, text, face, tokens.surface),
        false => pen.text((plot.left - inset, base), Anchor::End, text, face),
    };
    let (step, values) = multiples(low, high, (high - low) * ROW / (plot.bottom - plot.top));
    for value in values {
        let y = up(value);
        pen.hair((plot.left, y), (plot.right, y), tokens.ink, tokens.grid);
        if y > plot.top + 2.0 * TICK && y < plot.bottom - MIDDLE {
            write(y + MIDDLE, &number(value, decimals(step)));
        }
    }
    write(plot.top + TICK, unit);
}
