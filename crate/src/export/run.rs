//! All that was found in a run, as files.

use super::efficiency::efficiency_tables;
use super::files::{ExportError, Exported};
use super::repeated::{bursts, clusters, iterations};
use super::timeline::{TimelineFormat, clusters_over_time, iterations_over_time};
use crate::glance::{RunUse, ScalingAsked};
use crate::run::{self, Seen};
use crate::trace::Trace;

/// Tables, or what was found over time; the command line writes the same bytes for each part that is
/// asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunFormat {
    Tables,
    OverTime(TimelineFormat),
}

impl RunFormat {
    /// `csv`, `semantic` or `paraver`.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "csv" => Some(Self::Tables),
            "semantic" => Some(Self::OverTime(TimelineFormat::Semantic)),
            "paraver" => Some(Self::OverTime(TimelineFormat::Paraver)),
            _ => None,
        }
    }
}

/// The loops, clusters and bursts that were `seen`, and of tables the efficiency of the run. What was
/// not found has no file. O(events + n log n).
///
/// # Errors
///
/// If a trace would have to list too many tasks and threads.
#[inline(never)]
pub fn export_run(
    trace: &Trace,
    seen: &Seen,
    format: RunFormat,
) -> Result<Vec<Exported>, ExportError> {
    let Seen { bursts: all, clusters: found, repeats, .. } = seen;
    let has_clusters = found.why_none().is_none();
    match format {
        RunFormat::Tables => {
            let passes = repeats.as_ref().ok();
            let of_passes = |repeats| run::efficiency_of_iterations(trace, repeats, all);
            let of_loop = passes.and_then(of_passes);
            let of_loops = repeats.as_ref().map(|repeats| iterations(trace, repeats));
            let tables = [
                ("iterations.csv", of_loops.ok()),
                ("clusters.csv", has_clusters.then(|| clusters(found))),
                ("bursts.csv", (!all.is_empty()).then(|| bursts(trace, found, all))),
            ];
            let file = |(name, text): (&str, Option<String>)| {
                Some(Exported { name: name.to_owned(), bytes: text?.into_bytes() })
            };
            let mut files = tables.into_iter().filter_map(file).collect::<Vec<_>>();
            if let Ok(own) = run::efficiency(trace) {
                let name = trace.name.clone();
                let alone = RunUse { name, of_run: Some(own), of_loop, remarks: vec![] };
                files.extend(efficiency_tables(&[alone], &ScalingAsked::default()));
            }
            Ok(files)
        }
        RunFormat::OverTime(format) => {
            let mut files = match repeats {
                Ok(repeats) => iterations_over_time(trace, repeats, format)?,
                Err(_) => vec![],
            };
            if has_clusters {
                files.extend(clusters_over_time(trace, found, all, format)?);
            }
            Ok(files)
        }
    }
}
