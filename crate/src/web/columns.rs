//! Long columns between engine, page and painter, as typed arrays: as plain arrays half a million
//! numbers would keep the page busy for long.

#[cfg(feature = "engine")]
use js_sys::Object;
use js_sys::{Float64Array, Reflect, Uint8Array, Uint32Array};
use wasm_bindgen::prelude::*;

#[cfg(feature = "painter")]
use crate::folding::Use;
use crate::folding::{Cloud, References};

#[wasm_bindgen(typescript_custom_section)]
const COLUMNS: &str = r"
/** Samples of one counter: folded time, share of events, 0 used, 1 not used, 2 left out. */
export interface Points {
    x: Float64Array;
    y: Float64Array;
    used: Uint8Array;
}

/** What was sampled of a group's memory, by folded time; addresses follow from its objects. */
export interface References {
    x: Float64Array;
    object: Uint32Array;
    offset: Float64Array;
    store: Uint8Array;
    level: Uint8Array;
    cost: Uint32Array;
    line: Uint32Array;
}
";

/// Typed arrays by name.
#[cfg(feature = "engine")]
struct Columns(Object);

#[cfg(feature = "engine")]
impl Columns {
    fn new() -> Self {
        Self(Object::new())
    }

    fn with(self, name: &str, column: impl Into<JsValue>) -> Result<Self, JsValue> {
        Reflect::set(&self.0, &name.into(), &column.into())?;
        Ok(self)
    }
}

/// The samples of a counter as `Points`.
#[cfg(feature = "engine")]
pub fn of_cloud(cloud: &Cloud) -> Result<JsValue, JsValue> {
    let used = cloud.used.iter().map(|used| *used as u8).collect::<Vec<_>>();
    let columns = Columns::new()
        .with("x", Float64Array::from(&cloud.x[..]))?
        .with("y", Float64Array::from(&cloud.y[..]))?
        .with("used", Uint8Array::from(&used[..]))?;
    Ok(columns.0.into())
}

/// What [`of_cloud`] gave; `None` of nothing.
#[cfg(feature = "painter")]
pub fn cloud(group: u32, counter: &str, points: &JsValue) -> Result<Option<Cloud>, JsValue> {
    if points.is_falsy() {
        return Ok(None);
    }
    let used = bytes(points, "used")?.into_iter().map(|used| match used {
        0 => Use::Used,
        1 => Use::Unused,
        _ => Use::Excluded,
    });
    let (x, y) = (numbers(points, "x")?, numbers(points, "y")?);
    Ok(Some(Cloud { group, counter: counter.to_owned(), x, y, used: used.collect() }))
}

/// The references of a group as `References`.
#[cfg(feature = "engine")]
pub fn of_references(references: &References) -> Result<JsValue, JsValue> {
    let offset = references.offset.iter().map(|offset| *offset as f64).collect::<Vec<_>>();
    let columns = Columns::new()
        .with("x", Float64Array::from(&references.x[..]))?
        .with("object", Uint32Array::from(&references.object[..]))?
        .with("offset", Float64Array::from(&offset[..]))?
        .with("store", Uint8Array::from(&references.store[..]))?
        .with("level", Uint8Array::from(&references.level[..]))?
        .with("cost", Uint32Array::from(&references.cost[..]))?
        .with("line", Uint32Array::from(&references.line[..]))?;
    Ok(columns.0.into())
}

/// What [`of_references`] gave; addresses and levels of the TLB stay empty.
#[cfg(feature = "painter")]
pub fn references(group: u32, columns: &JsValue) -> Result<References, JsValue> {
    let offset = numbers(columns, "offset")?.into_iter().map(|offset| offset as u64).collect();
    Ok(References {
        group,
        x: numbers(columns, "x")?,
        object: words(columns, "object")?,
        offset,
        store: bytes(columns, "store")?,
        level: bytes(columns, "level")?,
        cost: words(columns, "cost")?,
        line: words(columns, "line")?,
        ..References::default()
    })
}

#[cfg(feature = "painter")]
fn numbers(columns: &JsValue, name: &str) -> Result<Vec<f64>, JsValue> {
    Ok(Float64Array::new(&Reflect::get(columns, &name.into())?).to_vec())
}

#[cfg(feature = "painter")]
fn words(columns: &JsValue, name: &str) -> Result<Vec<u32>, JsValue> {
    Ok(Uint32Array::new(&Reflect::get(columns, &name.into())?).to_vec())
}

#[cfg(feature = "painter")]
fn bytes(columns: &JsValue, name: &str) -> Result<Vec<u8>, JsValue> {
    Ok(Uint8Array::new(&Reflect::get(columns, &name.into())?).to_vec())
}
