//! What every part of a lane needs while it is painted.

use super::{Frame, Pen, Tokens};
use crate::folding::{Folding, Group};
use crate::paint::View;

/// A lane of a group that is being painted.
#[derive(Clone, Copy)]
pub struct Lane<'a> {
    pub pen: &'a dyn Pen,
    pub frame: Frame,
    pub group: &'a Group,
    pub view: &'a View,
    pub tokens: &'static Tokens,
}

impl<'a> Lane<'a> {
    /// `None` where the folding has not the group that the view asks for.
    pub fn of(pen: &'a dyn Pen, folding: &'a Folding, view: &'a View) -> Option<Lane<'a>> {
        let (frame, tokens) = (Frame::of(view), view.theme.tokens());
        Some(Lane { pen, frame, group: folding.group(view.group)?, view, tokens })
    }

    /// Top and bottom.
    pub fn rows(&self) -> (f64, f64) {
        (0.0, self.frame.height)
    }

    /// Left and right of what is visible of a stretch of folded time.
    pub fn span(&self, from: f64, to: f64) -> Option<(f64, f64)> {
        let (left, right) = (self.frame.x(from), self.frame.x(to));
        (right > left).then_some((left, right))
    }
}
