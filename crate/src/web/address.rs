//! The address lane as the page asks for it, and what was picked for all lanes.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::Clamped;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlCanvasElement, ImageData};

use super::canvas::{Canvas, context};
use super::encode::{Failure, parsed};
use super::picture::{Picture, view_of};
use super::{objects, references};
use crate::paint::{self, Costs, Matched, Picked, Raster, Sampled, View};
use crate::result::{Folding, References};

/// The references of one group, with what is kept to paint them again.
pub struct Memory {
    references: References,
    costs: Costs,
    raster: RefCell<Raster>,
}

/// What was picked last, in which group, and what belongs to it.
pub type LastPick = Option<(u32, Picked, Option<Rc<Matched>>)>;

impl Memory {
    fn sampled(&self) -> Sampled<'_> {
        Sampled { references: &self.references, costs: &self.costs }
    }
}

#[wasm_bindgen]
impl Picture {
    /// The references of a group, columns as [`super::Session::references`] gives them: once.
    #[wasm_bindgen(js_name = setReferences)]
    pub fn set_references(&mut self, group: u32, columns: JsValue) -> Result<(), JsValue> {
        let references = references::of_columns(group, &columns)?;
        let costs = Costs::of(&references);
        self.memory.retain(|memory| memory.references.group != group);
        self.memory.push(Memory { references, costs, raster: RefCell::default() });
        self.picked.replace(None);
        Ok(())
    }

    /// Takes over the references of another picture of the same instances, which has none then.
    #[wasm_bindgen(js_name = takeReferences)]
    pub fn take_references(&mut self, other: &mut Picture) {
        self.memory = std::mem::take(&mut other.memory);
        self.picked.replace(None);
    }

    #[wasm_bindgen(js_name = hasReferences)]
    pub fn has_references(&self, group: u32) -> bool {
        self.memory_of(group).is_some()
    }

    #[wasm_bindgen(js_name = paintAddress)]
    pub fn paint_address(
        &self,
        canvas: HtmlCanvasElement,
        view: JsValue,
        dpr: f64,
    ) -> Result<JsValue, JsValue> {
        let view = self.view(&view)?;
        let memory = self.memory_of(view.group);
        let sampled = memory.map(Memory::sampled);
        let mut over_image = false;
        if let Some(memory) = memory {
            let mut raster = memory.raster.borrow_mut();
            if let Some(image) = raster.image(&self.folding, &view, memory.sampled(), dpr) {
                let data = ImageData::new_with_u8_clamped_array_and_sh(
                    Clamped(&image.pixels),
                    image.width,
                    image.height,
                )?;
                let (left, top) = (image.left_px * dpr, image.top_px * dpr);
                context(&canvas)?.put_image_data(&data, left, top)?;
                over_image = true;
            }
        }
        let pen = Canvas::new(&canvas, dpr)?;
        let layout = paint::address(&pen, &self.folding, &view, sampled, over_image);
        parsed(objects::layout(&layout))
    }

    /// What the colours of the address lane mean.
    #[wasm_bindgen(js_name = addressKey)]
    pub fn address_key(&self, view: JsValue) -> Result<JsValue, JsValue> {
        let view = view_of(&view)?;
        let Some(group) = self.folding.group(view.group) else { return Ok(JsValue::NULL) };
        let costs = self.memory_of(view.group).map(|memory| &memory.costs);
        parsed(objects::key(&paint::address_key(group, costs, &view)))
    }

    /// The reference nearest to folded time `x`, and to height `y` of the lane if that is given;
    /// null where none is near.
    #[wasm_bindgen(js_name = referenceAt)]
    pub fn reference_at(&self, view: JsValue, x: f64, y: Option<f64>) -> Result<JsValue, JsValue> {
        let view = self.view(&view)?;
        let group = self.folding.group(view.group);
        let (Some(memory), Some(group)) = (self.memory_of(view.group), group) else {
            return Ok(JsValue::NULL);
        };
        let found = paint::nearest(&self.folding, &view, memory.sampled(), x, y);
        found.map_or(Ok(JsValue::NULL), |found| parsed(objects::nearest(group, &found)))
    }

    /// The routine whose band lies at folded time `x`; undefined without one.
    #[wasm_bindgen(js_name = routineAt)]
    pub fn routine_at(&self, view: JsValue, x: f64) -> Result<Option<String>, JsValue> {
        Ok(paint::routine_at(&self.folding, &view_of(&view)?, x).map(str::to_owned))
    }
}

impl Picture {
    /// What a lane is asked for, with what belongs to what was picked.
    pub(super) fn view(&self, value: &JsValue) -> Result<View, Failure> {
        let view = view_of(value)?;
        let Some(picked) = view.picked.clone() else { return Ok(view) };
        let mut last = self.picked.borrow_mut();
        if let Some((group, known, matched)) = &*last
            && (*group, known) == (view.group, &picked)
        {
            return Ok(View { matched: matched.clone(), ..view });
        }
        let references = self.references(view.group);
        let view = view.with_matched(&self.folding, references);
        *last = Some((view.group, picked, view.matched.clone()));
        Ok(view)
    }

    pub(super) fn references(&self, group: u32) -> Option<&References> {
        self.memory_of(group).map(|memory| &memory.references)
    }

    /// Of the group with this number, or of the one that is shown in its place.
    fn memory_of(&self, group: u32) -> Option<&Memory> {
        let number = Folding::group(&self.folding, group)?.number;
        self.memory.iter().find(|memory| memory.references.group == number)
    }
}
