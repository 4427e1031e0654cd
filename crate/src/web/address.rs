//! The address lane as the page asks for it, and what was picked for all lanes.

use std::cell::RefCell;
use std::rc::Rc;

use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

use super::canvas::Canvas;
use super::columns;
use super::encode::{Failure, list, to_js};
use super::picture::{Picture, put, view_of};
use crate::folding::{Folding, References};
use crate::paint::{
    self, AddressKey, AddressLayout, Costs, Matched, Nearest, Picked, Raster, Sampled, View,
};
use crate::report::{self, Near, ObjectSummary};
use crate::result::Thinned;

/// The references of one group, with what is kept to paint them again.
pub struct Memory {
    references: References,
    costs: Costs,
    /// Whether only some of the references are here: pictures show them, numbers are not made of them.
    is_thinned: bool,
    raster: RefCell<Raster>,
}

/// What was picked last, in which group, and what belongs to it.
pub type LastPick = Option<(u32, Picked, Option<Rc<Matched>>)>;

impl Memory {
    fn of(references: References) -> Self {
        let costs = Costs::of(&references);
        Self { references, costs, is_thinned: false, raster: RefCell::default() }
    }

    /// Of a link.
    pub fn thinned(Thinned { references, ends_of_costs, .. }: Thinned) -> Self {
        let all = Self::of(references);
        Self { costs: all.costs.between(ends_of_costs), is_thinned: true, ..all }
    }

    fn sampled(&self) -> Sampled<'_> {
        Sampled { references: &self.references, costs: &self.costs }
    }
}

#[wasm_bindgen]
impl Picture {
    /// The references of a group, as [`super::Session::references`] gives them: once.
    #[wasm_bindgen(js_name = setReferences)]
    pub fn set_references(
        &mut self,
        group: u32,
        #[wasm_bindgen(unchecked_param_type = "References")] columns: JsValue,
    ) -> Result<(), JsValue> {
        let references = columns::references(group, &columns)?;
        self.memory.retain(|memory| memory.references.group != group);
        self.memory.push(Memory::of(references));
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
        view: Ts<View>,
        dpr: f64,
    ) -> Result<Ts<AddressLayout>, JsValue> {
        let view = self.view(view)?;
        let memory = self.memory_of(view.group);
        let sampled = memory.map(Memory::sampled);
        let mut over_image = false;
        if let Some(memory) = memory {
            let mut raster = memory.raster.borrow_mut();
            if let Some(image) =
                raster.image(&self.folding, &view, memory.sampled(), dpr, paint::MANY)
            {
                put(&canvas, image, dpr)?;
                over_image = true;
            }
        }
        let pen = Canvas::new(&canvas, dpr)?;
        Ok(to_js(&paint::address(&pen, &self.folding, &view, sampled, over_image))?)
    }

    /// What the colours of the address lane mean.
    #[wasm_bindgen(js_name = addressKey)]
    pub fn address_key(&self, view: Ts<View>) -> Result<Option<Ts<AddressKey>>, JsValue> {
        let view = view_of(view)?;
        let Some(group) = self.folding.group(view.group) else { return Ok(None) };
        let costs = self.memory_of(view.group).map(|memory| &memory.costs);
        Ok(Some(to_js(&paint::address_key(group, costs, &view))?))
    }

    /// The reference nearest to folded time `x`, and to height `y` of the lane if that is given.
    #[wasm_bindgen(js_name = referenceAt)]
    pub fn reference_at(
        &self,
        view: Ts<View>,
        x: f64,
        y: Option<f64>,
    ) -> Result<Option<Ts<Near>>, JsValue> {
        let view = self.view(view)?;
        let near = self.nearest(&view, x, y).zip(self.folding.group(view.group));
        Ok(near.map(|(near, group)| to_js(&Near::of(group, &near))).transpose()?)
    }

    /// The objects as they were referenced between two moments: those that were; undefined without
    /// references.
    #[wasm_bindgen(js_name = objectsBetween)]
    pub fn objects_between(
        &self,
        group: u32,
        from: f64,
        to: f64,
    ) -> Result<Option<Vec<Ts<ObjectSummary>>>, JsValue> {
        let (of, references) = (self.group(group)?, self.references(group));
        let objects = report::objects_between(of, references, [from, to]);
        Ok(objects.map(|objects| list(&objects)).transpose()?)
    }

    /// The routine whose band lies at folded time `x`; undefined without one.
    #[wasm_bindgen(js_name = routineAt)]
    pub fn routine_at(&self, view: Ts<View>, x: f64) -> Result<Option<String>, JsValue> {
        Ok(paint::routine_at(&self.folding, &view_of(view)?, x).map(str::to_owned))
    }
}

impl Picture {
    /// What a lane is asked for, with what belongs to what was picked.
    pub(super) fn view(&self, view: Ts<View>) -> Result<View, Failure> {
        let view = view_of(view)?;
        let Some(picked) = view.picked.clone() else { return Ok(view) };
        let mut last = self.picked.borrow_mut();
        if let Some((group, known, matched)) = &*last
            && (*group, known) == (view.group, &picked)
        {
            return Ok(View { matched: matched.clone(), ..view });
        }
        let references = self.drawn(view.group);
        let view = view.with_matched(&self.folding, references);
        *last = Some((view.group, picked, view.matched.clone()));
        Ok(view)
    }

    /// All references of a group.
    pub(super) fn references(&self, group: u32) -> Option<&References> {
        let memory = self.memory_of(group).filter(|memory| !memory.is_thinned)?;
        Some(&memory.references)
    }

    /// Those that are drawn.
    pub(super) fn drawn(&self, group: u32) -> Option<&References> {
        self.memory_of(group).map(|memory| &memory.references)
    }

    /// Those that a link is made of, and the ends of the scale of their latency.
    pub(super) fn to_carry(&self, group: u32) -> (Option<&References>, Option<(u32, u32)>) {
        let memory = self.memory_of(group);
        (memory.map(|memory| &memory.references), memory.and_then(|memory| memory.costs.ends))
    }

    /// The reference nearest to the cursor.
    pub(super) fn nearest(&self, view: &View, x: f64, y: Option<f64>) -> Option<Nearest> {
        let memory = self.memory_of(view.group)?;
        paint::nearest(&self.folding, view, memory.sampled(), x, y)
    }

    /// Of the group with this number, or of the one that is shown in its place.
    fn memory_of(&self, group: u32) -> Option<&Memory> {
        let number = Folding::group(&self.folding, group)?.number;
        self.memory.iter().find(|memory| memory.references.group == number)
    }
}
