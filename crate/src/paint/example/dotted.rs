//! A pen that keeps dots alone.

use std::cell::{Cell, RefCell};

use plotters::style::RGBColor;

use crate::paint::scene::{Anchor, Dots, Face, Pen, Place, Stroke};

/// The dots of each call, and how many came one by one.
#[derive(Default)]
pub struct Dotted {
    pub at_once: RefCell<Vec<Vec<(Place, RGBColor)>>>,
    pub one_by_one: Cell<usize>,
}

impl Pen for Dotted {
    fn fill(&self, _: Place, _: Place, _: RGBColor, _: f64) {}
    fn path(&self, _: &[Place], _: Stroke) {}
    fn shape(&self, _: &[Place], _: RGBColor, _: f64) {}
    fn print(&self, _: Place, _: Anchor, _: &str, _: Face) {}

    fn dot(&self, _: Place, _: f64, _: RGBColor, _: f64) {
        self.one_by_one.set(self.one_by_one.get() + 1);
    }

    fn dots(&self, dots: &Dots, _: f64, _: f64) {
        self.at_once.borrow_mut().push(dots.to_vec());
    }
}
