//! The cloud of one counter's samples: pixels for a canvas, points for an SVG.
//!
//! A canvas costs about 2 µs a mark; half a million samples go through one image instead.

use super::samples::{alone, strip};
use crate::folding::{Cloud, Folding, Use};
use crate::paint::View;
use crate::paint::mark::{Mark, Thin};
use crate::paint::scene::{Frame, Lane, Place, RgbaImage, Size, Strip, Tokens};

/// The marks of samples by what became of them, in the order in which they are drawn.
pub fn marks(tokens: &Tokens) -> [(Use, Mark); 3] {
    let dot = |radius, colour, opacity| Mark::Dot { radius, colour, opacity };
    [
        (Use::Excluded, dot(0.75, tokens.slower, 0.6)),
        (Use::Unused, dot(0.75, tokens.ink3, 0.5)),
        (Use::Used, dot(1.2, tokens.ink, 1.0)),
    ]
}

/// The samples of `kind` in view, in CSS px of the lane.
fn places<'a>(
    cloud: &'a Cloud,
    kind: Use,
    frame: &'a Frame,
    strip: &'a Strip,
) -> impl Iterator<Item = Place> {
    let samples = cloud.x.iter().zip(&cloud.y).zip(&cloud.used);
    samples.filter_map(move |((&x, &y), &used)| {
        let ahead = (y - x) * strip.factor;
        let inside =
            (frame.from..=frame.to).contains(&x) && (strip.min..=strip.max).contains(&ahead);
        (inside && used == kind).then(|| (frame.x(x), strip.y(y - x)))
    })
}

/// Draws every sample as a dot; of too many of a kind, one to a pixel.
pub fn dots(Lane { pen, frame, tokens, .. }: &Lane<'_>, strip: &Strip, cloud: &Cloud) {
    for (kind, mark) in marks(tokens) {
        let mut thin = Thin::of(places(cloud, kind, frame, strip).count(), frame);
        let kept = places(cloud, kind, frame, strip).filter(|&at| thin.keeps(at));
        mark.draw(*pen, &kept.collect::<Vec<_>>());
    }
}

/// Every sample of `cloud` over the plot of the samples lane, `dpr` device pixels to a CSS px.
pub fn cloud_image(cloud: &Cloud, folding: &Folding, view: &View, dpr: f64) -> RgbaImage {
    let frame = Frame::of(view);
    let size = Size::of(&frame, dpr);
    let mut image = RgbaImage::default();
    image.fit(&frame, size, 0);
    if let Some(curve) = alone(folding, view) {
        let strip = strip(&frame, curve, Some(cloud));
        for (kind, mark) in marks(view.theme.tokens()) {
            let Mark::Dot { radius, colour, opacity } = mark else { continue };
            for (x, y) in places(cloud, kind, &frame, &strip) {
                let at = ((x - frame.left) * size.dpr, y * size.dpr);
                image.disc(at, radius * size.dpr, colour, opacity);
            }
        }
    }
    image
}

#[cfg(test)]
mod tests {
    use plotters::style::RGBColor;

    use super::*;
    use crate::paint::example;

    fn view() -> View {
        View { counter: Some("PAPI_TOT_INS".into()), ..example::view(976.0, 312.0) }
    }

    #[test]
    fn every_used_sample_is_ink_where_its_numbers_say() {
        let (folding, cloud, view) = (example::namd(), example::cloud(), view());
        let frame = Frame::of(&view);
        let strip = strip(&frame, alone(&folding, &view).unwrap(), Some(&cloud));
        for dpr in [1.0, 2.0] {
            let image = cloud_image(&cloud, &folding, &view, dpr);
            assert_eq!((image.width, image.height), ((796.0 * dpr) as u32, (312.0 * dpr) as u32));
            let used =
                cloud.x.iter().zip(&cloud.y).zip(&cloud.used).filter(|(_, u)| **u == Use::Used);
            for ((x, y), _) in used.filter(|((x, _), _)| (0.01..0.99).contains(*x)) {
                let column = ((frame.x(*x) - frame.left) * dpr) as usize;
                let row = (strip.y(y - x) * dpr) as usize;
                let at = (row * image.width as usize + column) * 4;
                let RGBColor(r, g, b) = view.theme.tokens().ink;
                let [pr, pg, pb, pa] = image.pixels[at..at + 4] else { panic!("pixel") };
                assert!(pa > 200, "{pa} at {x}");
                assert!(
                    pr.abs_diff(r) < 60 && pg.abs_diff(g) < 60 && pb.abs_diff(b) < 60,
                    "{pr} {pg} {pb}"
                );
            }
        }
    }

    #[test]
    fn nothing_is_drawn_without_samples_or_out_of_range() {
        let (folding, view) = (example::namd(), view());
        let mut cloud = example::cloud();
        cloud.y.iter_mut().for_each(|y| *y = f64::NAN);
        for ratio in [1.0, f64::NAN, 1e9] {
            assert!(
                cloud_image(&cloud, &folding, &view, ratio).pixels.iter().all(|&byte| byte == 0)
            );
        }
    }
}
