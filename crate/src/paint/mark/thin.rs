//! What is left of very many points: as many as can be told apart.

use crate::paint::scene::{Frame, Place};

/// Points that are drawn one by one; of more, the first of each pixel.
pub const MANY: usize = 20_000;

/// Which pixels of a lane have a point.
pub struct Thin {
    wide: usize,
    /// Empty where every point is drawn.
    taken: Vec<bool>,
}

impl Thin {
    /// For `count` points in view.
    pub fn of(count: usize, frame: &Frame) -> Thin {
        // A point may lie on the far edge, and a little beyond it.
        let (wide, high) = (frame.width as usize + 2, frame.height as usize + 2);
        Thin { wide, taken: vec![false; if count > MANY { wide * high } else { 0 }] }
    }

    /// Whether the point is drawn: the first of its pixel.
    pub fn keeps(&mut self, (x, y): Place) -> bool {
        let pixel = y.max(0.0) as usize * self.wide + x.max(0.0) as usize;
        !self.taken.get_mut(pixel).is_some_and(|taken| std::mem::replace(taken, true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example;

    #[test]
    fn few_points_all_stay_and_of_many_one_to_a_pixel() {
        let frame = Frame::of(&example::view(976.0, 112.0));
        let places = [(200.2, 7.9), (200.7, 7.1), (201.0, 7.1), (200.2, 8.0), (976.0, 112.0)];
        let kept = |count: usize| {
            let mut thin = Thin::of(count, &frame);
            places.map(|at| thin.keeps(at))
        };
        assert_eq!(kept(MANY), [true; 5]);
        assert_eq!(kept(MANY + 1), [true, false, true, true, true]);
    }
}
