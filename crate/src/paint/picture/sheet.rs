//! Parts put together to one SVG.

use super::figure::Width;
use crate::paint::View;
use crate::paint::scene::{FAMILY, Frame, Pen, Svg, Theme, css, escape, printable};

/// What paints a part of a picture.
pub type Paint<'a> = &'a dyn Fn(&dyn Pen, &View);

/// What is painted in `view`, with its upper left corner at a place of the picture.
pub fn part((x, y): (f64, f64), view: &View, paint: Paint<'_>) -> String {
    let Frame { width, height, .. } = Frame::of(view);
    let svg = Svg::with_images();
    paint(&svg, view);
    let elements = svg.elements();
    let left = if x > 0.0 { format!(" x=\"{x}\"") } else { String::new() };
    format!("<svg{left} y=\"{y}\" width=\"{width}\" height=\"{height}\">\n{elements}</svg>\n")
}

/// The picture of that size in px with this name and these parts, as wide as is said first.
pub fn sheet((wide, size): (Width, (f64, f64)), theme: Theme, name: &str, parts: &str) -> String {
    let ((width, height), [own_width, own_height]) = (size, wide.attributes(size));
    let surface = css(theme.tokens().surface);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{own_width}\" height=\"{own_height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" stroke-linejoin=\"round\" \
         font-family='{FAMILY}'>\n<title>{}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{surface}\"/>\n{parts}</svg>\n",
        escape(&printable(name)),
    )
}
