//! References between engine and painter, as columns.

use js_sys::{Float64Array, Reflect, Uint8Array, Uint32Array};
use wasm_bindgen::prelude::*;

use crate::result::References;

/// `{x, object, offset, store, level, cost, line}` of a group; addresses follow from its objects.
#[cfg(feature = "engine")]
pub fn to_columns(references: &References) -> Result<JsValue, JsValue> {
    let columns = js_sys::Object::new();
    let set = |key: &str, column: &JsValue| Reflect::set(&columns, &key.into(), column);
    let offset: Vec<f64> = references.offset.iter().map(|offset| *offset as f64).collect();
    set("x", &Float64Array::from(references.x.as_slice()))?;
    set("object", &Uint32Array::from(references.object.as_slice()))?;
    set("offset", &Float64Array::from(offset.as_slice()))?;
    set("store", &Uint8Array::from(references.store.as_slice()))?;
    set("level", &Uint8Array::from(references.level.as_slice()))?;
    set("cost", &Uint32Array::from(references.cost.as_slice()))?;
    set("line", &Uint32Array::from(references.line.as_slice()))?;
    Ok(columns.into())
}

/// What [`to_columns`] gave; addresses and levels of the TLB stay empty.
#[cfg(feature = "painter")]
pub fn of_columns(group: u32, columns: &JsValue) -> Result<References, JsValue> {
    let column = |key: &str| Reflect::get(columns, &key.into());
    let numbers = |key| Ok::<_, JsValue>(Float64Array::new(&column(key)?).to_vec());
    let words = |key| Ok::<_, JsValue>(Uint32Array::new(&column(key)?).to_vec());
    let bytes = |key| Ok::<_, JsValue>(Uint8Array::new(&column(key)?).to_vec());
    Ok(References {
        group,
        x: numbers("x")?,
        object: words("object")?,
        offset: numbers("offset")?.into_iter().map(|offset| offset as u64).collect(),
        store: bytes("store")?,
        level: bytes("level")?,
        cost: words("cost")?,
        line: words("line")?,
        ..References::default()
    })
}
