//! What can be folded, as a table.

use serde::Serialize;

use super::Figure;
use crate::instance::CatalogueRow;
use crate::quantity::{self, duration, number, percent};

/// The table of regions.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Regions {
    /// Over the figures of each line.
    pub heads: Vec<String>,
    pub lines: Vec<RegionLine>,
}

/// One group of one region.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct RegionLine {
    /// As `TYPE:VALUE`.
    pub region: String,
    /// What it is called beside its pictures.
    pub title: String,
    pub group: u32,
    /// Whether events delimit it; else it was found to repeat.
    pub of_events: bool,
    /// Group, instances, samples, mean duration with its unit, MIPS, and share of the time of all threads.
    pub figures: Vec<Figure>,
}

/// The rows of the catalogue, the largest share of time first.
pub fn regions(rows: &[CatalogueRow]) -> Regions {
    let heads = ["group", "instances", "samples", "mean", "MIPS", "share"];
    let lines = rows.iter().map(|row| RegionLine {
        figures: vec![
            Figure::whole(f64::from(row.group)),
            Figure::whole(f64::from(row.instances)),
            Figure::whole(row.samples as f64),
            Figure::of(Some(row.mean_ms), |ms| duration(ms * 1e6)),
            Figure::of(row.mips, |mips| number(mips, 0)),
            Figure::of(Some(row.share), |share| percent(share, 1)),
        ],
        title: quantity::title(&row.region, row.kind),
        region: row.region.clone(),
        group: row.group,
        of_events: row.kind.is_of_events(),
    });
    Regions { heads: heads.map(str::to_owned).to_vec(), lines: lines.collect() }
}

/// Four figures, and no more than four of them after the point: the column is narrow.
pub(super) fn four_figures(ms: f64) -> String {
    let ms = ms.max(0.0);
    let whole = if ms > 0.0 { libm::floor(libm::log10(ms)) as i32 } else { 0 };
    number(ms, (3 - whole).clamp(0, 4) as usize)
}
