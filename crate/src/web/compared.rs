//! The painter's side of a comparison: two sides of foldings, painted and told.

use std::collections::BTreeMap;

use tsify::Ts;
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

use super::canvas::Canvas;
use super::compared_files;
use super::compared_pairs;
use super::compared_values::{self as values, ComparedAsked};
use super::encode::{ExportedFile, Failure, files, to_js};
use super::picture::Picture;
use crate::compare::{
    LineMap, Run, Wanted, WholeRun, are_grouped_unlike, compare_by_hand, is_cut, is_smooth, largest,
};
use crate::folding::{Folding, Group};
use crate::paint::{self, Compared, ComparedView, Layout};
use crate::report::{self, ComparedSummary};

/// What two foldings need so that they can be compared: empty if they can be as they are, `group` if all
/// instances are to be folded together, `fit` if curves are to be segments, or both; `curves` if those segments are
/// cut through slopes, and what was folded before is to be compared.
#[wasm_bindgen(js_name = comparedNeeds)]
pub fn compared_needs(a: &Picture, b: &Picture) -> String {
    needs(&a.folding, &b.folding)
}

#[inline(never)]
fn needs(a: &Folding, b: &Folding) -> String {
    let both = [a, b].into_iter();
    let group = are_grouped_unlike(both.clone()).then_some("group");
    let fit = both.clone().any(is_smooth).then_some("fit");
    let curves = both.clone().any(is_cut).then_some("curves");
    [group, fit, curves].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Two sides to look at.
#[wasm_bindgen]
#[derive(Default)]
pub struct ComparedPicture {
    pub(super) runs: [Vec<Run>; 2],
    whole: [Vec<WholeRun>; 2],
    pub(super) first: [Option<(Folding, Group)>; 2],
    pub(super) names: [Vec<String>; 2],
    /// By file, of those whose text is known of both sides.
    pub(super) maps: BTreeMap<String, LineMap>,
    pub(super) compared: Option<Compared>,
    pub(super) wanted: Wanted,
}

#[wasm_bindgen]
impl ComparedPicture {
    /// Without a run.
    #[wasm_bindgen(constructor)]
    pub fn new() -> ComparedPicture {
        Self::default()
    }

    /// Adds a run to side 0 or 1: a group of a folding, or, where it is 0, the one of most instances.
    pub fn add(&mut self, side: usize, picture: &Picture, group: u32) -> Result<(), JsValue> {
        Ok(self.added(side, &picture.folding, group)?)
    }

    /// Adds what a run of side 0 or 1 is as a whole, as the engine told it.
    #[wasm_bindgen(js_name = addWholeRun)]
    pub fn add_whole_run(&mut self, side: usize, told: &[u8]) -> Result<(), JsValue> {
        Ok(self.whole_added(side, told)?)
    }

    /// Compares the runs; an error says why they cannot be.
    pub fn compare(&mut self, asked: Ts<ComparedAsked>) -> Result<Ts<ComparedSummary>, JsValue> {
        self.decide(&values::asked(asked)?)?;
        Ok(values::summary(&self.summary()?)?)
    }

    /// Paints a lane: `phasesA`, `phasesB`, `codeA`, `codeB`, `rate`, `difference`, `counter` or `axis`.
    pub fn paint(
        &self,
        #[wasm_bindgen(
            unchecked_param_type = "'phasesA' | 'phasesB' | 'codeA' | 'codeB' | 'rate' | 'difference' | 'counter' | 'axis'"
        )]
        lane: &str,
        canvas: HtmlCanvasElement,
        view: Ts<ComparedView>,
        dpr: f64,
    ) -> Result<Ts<Layout>, JsValue> {
        let layout = self.painted(lane, &Canvas::new(&canvas, dpr)?, &values::view(view)?)?;
        Ok(to_js(&layout)?)
    }

    /// What stands at a place of the axis, 0 to 1.
    pub fn at(&self, at: f64) -> Result<String, JsValue> {
        Ok(self.of()?).map(|of| report::compared_at(of, at))
    }

    /// The phase at a place of the axis, from 1.
    #[wasm_bindgen(js_name = phaseAt)]
    pub fn phase_at(&self, at: f64) -> Option<u32> {
        let piece = self.compared.as_ref()?.aligned.piece(at)?;
        piece.phase.map(|phase| phase as u32 + 1)
    }

    /// From where to where a phase lies on the axis; empty if there is none.
    #[wasm_bindgen(js_name = phaseSpan)]
    pub fn phase_span(&self, phase: u32) -> Vec<f64> {
        let of = self.compared.as_ref().map(|of| &of.aligned.pieces[..]).unwrap_or_default();
        let is =
            |piece: &&crate::compare::Piece| piece.phase.is_some_and(|at| at as u32 + 1 == phase);
        of.iter().find(is).map_or_else(Vec::new, |piece| piece.at.to_vec())
    }

    /// Files of a format: `csv`, `json` or `svg`.
    #[wasm_bindgen(js_name = exportFile)]
    pub fn export_file(
        &self,
        format: &str,
        view: Ts<ComparedView>,
    ) -> Result<Vec<Ts<ExportedFile>>, JsValue> {
        Ok(files(compared_files::files(self, format, &values::view(view)?)?)?)
    }
}

/// A group by its number, or, where it is 0, the one of most instances.
#[inline(never)]
pub(super) fn group_of(folding: &Folding, number: u32) -> Option<&Group> {
    match number {
        0 => largest(folding),
        number => folding.group(number),
    }
}

impl ComparedPicture {
    #[inline(never)]
    fn added(&mut self, side: usize, folding: &Folding, group: u32) -> Result<(), Failure> {
        let side = side.min(1);
        let name = folding.trace.name.as_str();
        let group = group_of(folding, group)
            .ok_or_else(|| Failure::new("nothing", &format!("{name}: nothing is folded")))?;
        let run =
            Run::of(group).map_err(|unfit| Failure::new("nothing", &format!("{name}: {unfit}")))?;
        // Of a link samples stayed behind.
        let instances = if folding.quantised { 0 } else { run.instances };
        self.runs[side].push(Run { instances, ..run });
        self.names[side].push(name.to_owned());
        self.first[side].get_or_insert_with(|| {
            let (region, trace) = (folding.region.clone(), folding.trace.clone());
            (Folding { region, trace, ..Folding::default() }, group.clone())
        });
        Ok(())
    }

    #[inline(never)]
    fn whole_added(&mut self, side: usize, told: &[u8]) -> Result<(), Failure> {
        let run = serde_json::from_slice(told).map_err(Failure::bug)?;
        self.whole[side.min(1)].push(run);
        Ok(())
    }

    #[inline(never)]
    fn decide(&mut self, asked: &ComparedAsked) -> Result<(), Failure> {
        let [Some((about_a, a)), Some((about_b, b))] = &self.first else {
            return Err(Failure::new("nothing", &"a side has no run"));
        };
        if about_a.region != about_b.region {
            let message = format!(
                "A is folded over {}, B over {}: choose a region that both have",
                about_a.region, about_b.region
            );
            return Err(Failure::new("nothing", &message));
        }
        self.wanted = asked.wanted();
        let sides = [&self.runs[0][..], &self.runs[1]];
        let pairs = match asked.pairs.is_empty() {
            true => vec![],
            false => compared_pairs::read(&asked.pairs, sides)?,
        };
        let comparison = compare_by_hand(sides, &self.wanted, &pairs);
        let mut comparison = comparison.ok_or_else(|| Failure::bug("a side has no run"))?;
        if self.whole.iter().all(|runs| !runs.is_empty()) {
            comparison.add_whole_runs([&self.whole[0], &self.whole[1]], &self.wanted);
        }
        if !self.maps.is_empty() {
            comparison.add_sources(sides, &self.maps, self.wanted.least);
        }
        let groups = [a.clone(), b.clone()];
        // Loaded with what takes them.
        if sides.into_iter().flatten().any(|run| !run.objects.is_empty()) {
            comparison.add_objects(sides, &self.maps, &self.wanted);
        }
        let compared = Compared::new(comparison, groups, asked.along(), self.wanted.least);
        self.compared = Some(compared);
        Ok(())
    }

    pub(super) fn of(&self) -> Result<&Compared, Failure> {
        self.compared.as_ref().ok_or_else(|| Failure::bug("not compared"))
    }

    #[inline(never)]
    fn summary(&self) -> Result<ComparedSummary, Failure> {
        Ok(report::compared(self.of()?, self.wanted.between))
    }

    #[inline(never)]
    fn painted(&self, lane: &str, pen: &Canvas, view: &ComparedView) -> Result<Layout, Failure> {
        let of = self.of()?;
        Ok(match lane {
            "phasesA" => paint::compared_phases(pen, of, view, 0),
            "phasesB" => paint::compared_phases(pen, of, view, 1),
            "codeA" => paint::compared_code(pen, of, view, 0),
            "codeB" => paint::compared_code(pen, of, view, 1),
            "rate" => paint::compared_curves(pen, of, view, None),
            "difference" => paint::compared_difference(pen, of, view),
            "counter" => paint::compared_curves(pen, of, view, view.counter.as_deref()),
            "axis" => paint::compared_axis(pen, of, view),
            _ => return Err(Failure::bug("no such lane")),
        })
    }
}
