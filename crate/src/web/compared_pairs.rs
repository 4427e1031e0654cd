//! Phases that a person says are the same: loaded when the first are named.

use wasm_bindgen::prelude::*;

use super::compared::ComparedPicture;
use super::encode::Failure;
use crate::compare::{ByHand, Run, check_by_hand};

/// Pairs between commas, `2-2.3`. Fails in words where one is none, or names what the first run of a side has not.
#[inline(never)]
pub fn read(text: &str, sides: [&[Run]; 2]) -> Result<Vec<ByHand>, Failure> {
    let named = text.split(',').map(str::trim).filter(|pair| !pair.is_empty());
    let pair = |text: &str| {
        let wrong = |expected| Failure::new("usage", &format!("found {text}, {expected}"));
        text.parse::<ByHand>().map_err(wrong)
    };
    let pairs = named.map(pair).collect::<Result<Vec<_>, _>>()?;
    for (side, runs) in sides.into_iter().enumerate() {
        let Some(run) = runs.first() else { continue };
        check_by_hand(&pairs, run, side).map_err(|wrong| Failure::new("usage", &wrong))?;
    }
    Ok(pairs)
}

#[wasm_bindgen]
impl ComparedPicture {
    /// Phases at a place of the axis in A and at another in B, as a pair that names them the same; empty where a
    /// side has none there.
    #[wasm_bindgen(js_name = pairOf)]
    pub fn pair_of(&self, a: f64, b: f64) -> String {
        self.pair([a, b]).map(|pair| pair.to_string()).unwrap_or_default()
    }
}

impl ComparedPicture {
    /// Phases of a row together, others each by itself.
    #[inline(never)]
    fn pair(&self, places: [f64; 2]) -> Option<ByHand> {
        let of = self.compared.as_ref()?;
        let numbers = |side: usize| {
            let x = of.aligned.piece(places[side])?.times(places[side])[side]?;
            let edges = &self.runs[side].first()?.edges;
            let rows = of.comparison.phases.iter().map(|row| [row.a, row.b][side]);
            let holds = |[begin, end]: &[f64; 2]| *begin <= x && x < *end;
            let row = rows.into_iter().find(holds);
            let phases = edges.windows(2).enumerate().filter(|(_, phase)| match row {
                Some([begin, end]) => {
                    let middle = (phase[0] + phase[1]) / 2.0;
                    begin <= middle && middle < end
                }
                None => holds(&[phase[0], phase[1]]),
            });
            let numbers = phases.map(|(at, _)| at + 1).collect::<Vec<_>>();
            Some([*numbers.first()?, *numbers.last()?])
        };
        Some(ByHand { a: numbers(0)?, b: numbers(1)? })
    }
}
