//! The painter's side of instances over the run, painted and told.

use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

use super::canvas::Canvas;
use super::course_values;
use super::encode::to_js;
use super::picture::put;
use crate::folding::Course;
use crate::paint::{self, CourseView, Layout};
use crate::report::{self, CourseRange, CourseSummary};

/// Instances over the run, to look at.
#[wasm_bindgen]
pub struct CoursePicture {
    course: Course,
}

#[wasm_bindgen]
impl CoursePicture {
    /// From what [`super::Session::course`] gives.
    #[wasm_bindgen(constructor)]
    pub fn new(course: Ts<Course>) -> Result<CoursePicture, JsValue> {
        Ok(Self { course: course_values::course(course)? })
    }

    /// What stands round the picture.
    pub fn summary(&self) -> Result<Ts<CourseSummary>, JsValue> {
        Ok(course_values::summary(&report::course(&self.course))?)
    }

    /// Paints points and axes.
    pub fn paint(
        &self,
        canvas: HtmlCanvasElement,
        view: Ts<CourseView>,
        dpr: f64,
    ) -> Result<Ts<Layout>, JsValue> {
        let view = course_values::view(view)?;
        put(&canvas, &paint::course_image(&self.course, &view, dpr), dpr)?;
        let pen = Canvas::new(&canvas, dpr)?;
        Ok(to_js(&paint::course(&pen, &self.course, &view))?)
    }

    /// Paints the axis below.
    pub fn axis(
        &self,
        canvas: HtmlCanvasElement,
        view: Ts<CourseView>,
        dpr: f64,
    ) -> Result<Ts<Layout>, JsValue> {
        let (view, pen) = (course_values::view(view)?, Canvas::new(&canvas, dpr)?);
        Ok(to_js(&paint::course_axis(&pen, &self.course, &view))?)
    }

    /// What is told of the point near a place; `undefined` where there is none.
    pub fn near(&self, view: Ts<CourseView>, x: f64, y: f64) -> Result<Option<String>, JsValue> {
        let at = paint::nearest_instance(&self.course, &course_values::view(view)?, (x, y));
        Ok(at.and_then(|at| report::instance_near(&self.course, at)))
    }

    /// What starts between two places across the picture.
    pub fn between(
        &self,
        view: Ts<CourseView>,
        a: f64,
        b: f64,
    ) -> Result<Ts<CourseRange>, JsValue> {
        let view = course_values::view(view)?;
        let ends_ns = [a, b].map(|x| paint::start_at(&self.course, &view, x));
        Ok(course_values::range(&report::course_range(&self.course, ends_ns))?)
    }
}
