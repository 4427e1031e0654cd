//! What lanes are drawn with: the pen, colours, how wide text is, and where a lane lies.

mod pen;
mod svg;
mod measured;
mod layout;
mod theme;
mod name;
mod lane;
mod image;
mod png;

pub use image::{Dots, RgbaImage, Size};
pub use lane::Lane;
pub use layout::{Frame, LEFT, Layout, NARROW_GUTTER, ON_EDGE, Plot, Strip};
pub use measured::{elide_end, elide_front, elide_routine, width};
pub use name::{is_clock, is_start_up, printable, short};
pub use pen::{Anchor, FAMILY, Face, Pen, Place, Stroke};
pub use png::data_url;
pub use svg::{FEW, IMAGE_DENSITY, Svg, escape};
#[cfg(test)]
pub use theme::contrast;
pub use theme::{Theme, Tokens, css, mix, of_css, rgb};
