//! What the engine says of a trace: facts, regions, and what was wrong with it.

use serde::Serialize;

use super::encode::{Failure, NoticeRow};
use crate::instance::CatalogueRow;
use crate::pipeline::FoldError;
use crate::text::ParseError;
use crate::trace::{Notice, Trace};

impl From<ParseError> for Failure {
    fn from(error: ParseError) -> Self {
        Self {
            file: Some(error.file.clone()),
            line: (error.line > 0).then_some(error.line as f64),
            column: (error.column > 0).then_some(error.column as f64),
            full: Some(format!("{error:#}")),
            ..Self::new("input", &error)
        }
    }
}

impl From<FoldError> for Failure {
    fn from(error: FoldError) -> Self {
        Self::new(if error.is_usage() { "usage" } else { "nothing" }, &error)
    }
}

/// What the page is told of an opened trace.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Opened {
    name: String,
    size_bytes: f64,
    duration_ns: f64,
    threads: u32,
    generated: bool,
    first: Option<String>,
    regions: Vec<RegionRow>,
    notices: Vec<NoticeRow>,
}

/// The table of regions.
pub fn region_rows(rows: Vec<CatalogueRow>) -> Vec<RegionRow> {
    let region = |row: CatalogueRow| RegionRow {
        region: row.region,
        group: row.group,
        instances: row.instances,
        samples: row.samples as f64,
        mean_ms: row.mean_ms,
        mips: row.mips,
        share: row.share,
    };
    rows.into_iter().map(region).collect()
}

/// One group of one region, as the page lists it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RegionRow {
    region: String,
    group: u32,
    instances: u32,
    samples: f64,
    mean_ms: f64,
    mips: Option<f64>,
    share: f64,
}

impl Opened {
    pub fn new(trace: &Trace, rows: Vec<CatalogueRow>, first: Option<String>) -> Self {
        let notice = |notice: &Notice| NoticeRow {
            text: notice.text.clone(),
            count: notice.count as f64,
            first: notice.first.to_string(),
        };
        Self {
            name: trace.name.clone(),
            size_bytes: trace.size_bytes as f64,
            duration_ns: trace.duration_ns as f64,
            threads: trace.threads.len() as u32,
            generated: trace.generated,
            first,
            regions: region_rows(rows),
            notices: trace.notices.iter().map(notice).collect(),
        }
    }
}
