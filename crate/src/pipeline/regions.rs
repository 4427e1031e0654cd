//! The regions that settings mean.

use super::FoldError;
use crate::instance::{self, Execution, Grouping, Region, RegionNames};
use crate::settings::{Settings, nearest};
use crate::trace::Trace;

/// The regions that `settings` mean; the one shown at first if they name none.
pub fn regions(
    trace: &Trace,
    executions: &[Vec<Execution>],
    names: &RegionNames<'_>,
    settings: &Settings,
) -> Result<Vec<Region>, FoldError> {
    // Whatever the grouping: what is noise to it is a region all the same.
    let rows = || instance::catalogue(trace, executions, &Grouping::Auto);
    let asked = match &settings.region {
        Some(asked) => asked.clone(),
        None => instance::chosen_first(&rows()).ok_or(FoldError::NoRegion)?.to_owned(),
    };
    let regions = instance::resolve(names, &asked);
    if regions.is_empty() {
        let mut all: Vec<String> = Vec::new();
        for row in rows() {
            if !all.contains(&row.region) {
                all.push(row.region);
            }
        }
        let nearest = nearest(&asked, all.iter().map(String::as_str));
        return Err(FoldError::NoSuchRegion { asked, nearest });
    }
    Ok(regions)
}
