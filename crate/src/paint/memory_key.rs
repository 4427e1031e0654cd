//! What the colours of the address lane mean, in the header that a whole picture carries.

use super::Painted;
use super::View;
use super::axis::TICK;
use super::cost::{AddressKey, Costs, address_key};
use super::layout::Frame;
use super::pen::{Anchor, Face, Pen};
use super::scale::number;
use super::surface::Surface;
use super::theme::rgb;
use crate::result::Group;

/// Size of a step of the scale, and room from one entry to the next.
const STEP: (f64, f64) = (12.0, 10.0);
const GAP: f64 = 22.0;

/// The lane's title and beside it the scale of latency, or the levels, and the mark of stores.
pub fn address_header(
    surface: &mut dyn Surface,
    group: &Group,
    view: &View,
    costs: Option<&Costs>,
) -> Painted<()> {
    let frame = Frame::of(view);
    let key = address_key(group, costs, view);
    let tokens = view.theme.tokens();
    let pen = Pen::new(surface, &frame);
    pen.text((12.0, 16.0), Anchor::Start, "Address", Face::bold(13.0, tokens.ink))?;
    let (words, tick) = (Face::plain(12.0, tokens.ink2), Face::plain(TICK, tokens.ink3));
    let mut x = frame.left.max(84.0);
    let write = |x: f64, text: &str, face: Face| {
        // What has no room is left out: colours are told on the page too.
        let wide = face.width(text);
        let fits = x + wide <= frame.width;
        if fits {
            pen.text((x, 16.0), Anchor::Start, text, face)?
        };
        Ok::<f64, plotters::drawing::DrawingAreaErrorKind<_>>(x + wide)
    };
    let square = |x: f64, colour: &str| {
        let inside = x + 8.0 <= frame.width;
        if inside { pen.fill((x, 8.0), (x + 8.0, 16.0), of_css(colour), 1.0) } else { Ok(()) }
    };
    match key.ends.filter(|_| !view.by_level) {
        Some((low, high)) => {
            x = write(x, "Load latency", words)? + 8.0;
            x = write(x, &number(f64::from(low), 0), tick)? + 5.0;
            for colour in &key.steps {
                pen.fill((x, 6.0), (x + STEP.0, 6.0 + STEP.1), of_css(colour), 1.0)?;
                x += STEP.0;
            }
            x = write(x + 5.0, &format!("{} cycles, log", number(f64::from(high), 0)), tick)? + GAP;
        }
        None if view.by_level => {
            for level in &key.levels {
                square(x, &level.colour)?;
                x = write(x + 13.0, level.level.name(), words)? + GAP;
            }
        }
        None => x = without_scale(&key, x, &square, &write, words)?,
    }
    if key.stores > 0 {
        square(x, &key.store_colour)?;
        write(x + 13.0, "Store", words)?;
    }
    pen.done()
}

/// Of a trace without latencies, or a picture without references.
fn without_scale(
    key: &AddressKey,
    x: f64,
    square: &dyn Fn(f64, &str) -> Painted<()>,
    write: &dyn Fn(f64, &str, Face) -> Painted<f64>,
    words: Face,
) -> Painted<f64> {
    if !key.references {
        return write(x, "References are not part of a link.", words);
    }
    if key.unknown == 0 {
        return Ok(x);
    }
    square(x, &key.unknown_colour)?;
    Ok(write(x + 13.0, "Load, latency not sampled", words)? + GAP)
}

fn of_css(colour: &str) -> plotters::style::RGBColor {
    rgb(u32::from_str_radix(colour.trim_start_matches('#'), 16).unwrap_or(0))
}
