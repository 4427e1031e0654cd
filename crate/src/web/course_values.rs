//! What crosses the border for instances over the run. Each at a place of its own, so that it is loaded
//! with what paints them.

use tsify::Ts;

use super::encode::{Failure, from_js, to_js};
use crate::folding::Course;
use crate::paint::CourseView;
use crate::report::{CourseRange, CourseSummary};

#[inline(never)]
pub fn view(value: Ts<CourseView>) -> Result<CourseView, Failure> {
    from_js(value.js_value())
}

#[inline(never)]
pub fn course(value: Ts<Course>) -> Result<Course, Failure> {
    from_js(value.js_value())
}

#[inline(never)]
pub fn summary(value: &CourseSummary) -> Result<Ts<CourseSummary>, Failure> {
    to_js(value)
}

#[inline(never)]
pub fn range(value: &CourseRange) -> Result<Ts<CourseRange>, Failure> {
    to_js(value)
}
