use serde::Serialize;

use crate::quantity::{NONE, number};

/// A number as it is written, with the value that was printed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Figure {
    /// As held: to sort and to compare by, never to be shown. `null` where there is none.
    pub value: Option<f64>,
    /// Without its unit, which stands once for all; a dash where there is none.
    pub text: String,
    /// How far it may be off: `± 12`; or, of a mean that is not level, between what it runs:
    /// `3 718–4 563`; empty where nothing tells.
    pub within: String,
}

impl Figure {
    /// `value` written by `write`; a dash for none and for what is not finite.
    pub fn of(value: Option<f64>, write: impl Fn(f64) -> String) -> Self {
        let value = value.filter(|value| value.is_finite());
        let text = value.map_or_else(|| NONE.to_owned(), write);
        Self { value, text, within: String::new() }
    }

    /// A whole number.
    pub fn whole(value: f64) -> Self {
        Self::of(Some(value), |value| number(value, 0))
    }
}
