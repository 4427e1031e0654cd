//! The routines of a side.

use super::{Compared, ComparedView, borders, ground};
use crate::paint::picked::Matches;
use crate::paint::scene::{Layout, Pen};
use crate::paint::source::{bands, caps};

/// Paints the routines of side 0 or 1 as bands with their names.
pub fn code(pen: &dyn Pen, compared: &Compared, view: &ComparedView, side: usize) -> Layout {
    let (frame, plain) = (view.frame(), view.plain());
    let matches = Matches::of(&compared.groups[side], None);
    ground(pen, compared, view, &[side]);
    for lane in compared.lanes(side, pen, (&plain, frame)) {
        bands(&lane, &matches);
    }
    borders(pen, compared, view);
    for lane in compared.lanes(side, pen, (&plain, frame)) {
        caps(&lane, &matches, &[]);
    }
    frame.layout()
}
