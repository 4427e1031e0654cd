//! Parts of a fold: made on any computer, merged in any order, finished once all are there.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};
use tracefold::accumulate::{
    self as parts_of, AccumulateError, By, Keep, NoPlan, Plan, Refusal, Wanted, thin,
};
use tracefold::disk;
use tracefold::open::{Watch, candidates};
use tracefold::partial::Partial;
use tracefold::trace::{Builder, Share};

use crate::TraceError;
use crate::asked::{Paths, cannot_open, settings};
use crate::folded::Folding;
use crate::opened::{one_is_meant, only_of, unreadable};
use crate::work::{HowFar, work};

/// Reads a part of a trace for the fold of one region: bytes that merge.
///
/// Args:
///     files: As of ``open``.
///     region: Whose fold it is for: ``TYPE:VALUE``, or a value that one type alone has.
///     part: Which part of how many: ``(1, 8)`` to ``(8, 8)``; all of it if not said.
///     by: ``"bytes"``, of a ``.prv`` that is not packed, each part reads its own; ``"objects"``, of any trace, each
///         part has its tasks. Bytes where that can be, if not said.
///     only: What alone is read, as of ``open``.
///     trace: Which trace, where the files hold several.
///     threads: How many threads read; one if not said, as other parts are read meanwhile.
///     progress: As of ``open``.
///     durations: Whether no samples are kept, but how long instances are and what they count: the first of two
///         passes, for ``plan``.
///     plan: What ``plan`` returned: samples are kept as it says, the second pass.
///
/// Raises:
///     OSError: A file cannot be opened.
///     TraceError: It cannot be read, or not in such parts; or the plan is none, or of another part.
///     ValueError: There is no such region or part; or what is kept is too large, and how many parts to make.
#[pyfunction]
#[pyo3(signature = (files, region, *, part=None, by=None, only=None, trace=None, threads=1, progress=None, durations=false, plan=None))]
#[allow(clippy::too_many_arguments, reason = "they are named in Python")]
pub fn accumulate<'py>(
    py: Python<'py>,
    files: Paths,
    region: String,
    part: Option<(u32, u32)>,
    by: Option<String>,
    only: Option<&Bound<'_, PyDict>>,
    trace: Option<String>,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
    durations: bool,
    plan: Option<PyBackedBytes>,
) -> PyResult<Bound<'py, PyBytes>> {
    let keep = match plan {
        Some(_) if durations => {
            let message = "durations, plan: found both, expected one of them: they are two passes";
            return Err(PyValueError::new_err(message));
        }
        Some(plan) => Keep::Planned(Plan::read(&plan).map_err(no_plan)?),
        None if durations => Keep::None,
        None => Keep::All,
    };
    let (number, of) = part.unwrap_or((1, 1));
    if number < 1 || number > of {
        let message =
            format!("part: found ({number}, {of}), expected a part from (1, {of}) to ({of}, {of})");
        return Err(PyValueError::new_err(message));
    }
    let by = match by.as_deref() {
        None => None,
        Some("bytes") => Some(By::Bytes),
        Some("objects") => Some(By::Tasks),
        Some(other) => {
            return Err(PyValueError::new_err(format!(
                "by: found {other:?}, expected \"bytes\" or \"objects\""
            )));
        }
    };
    let (only, Paths(paths)) = (only_of(only)?, files);
    let read = move |how_far: &HowFar, threads: usize| {
        let report = &mut |progress| how_far.report(progress);
        let files = disk::files(&paths).map_err(cannot_open)?;
        let found = candidates(files, report).map_err(unreadable)?;
        one_is_meant(&found, trace.as_deref())?;
        let early = &mut |_, _: &Builder| {};
        let mut watch = Watch::new(report, early);
        watch.threads = threads;
        let opening = found.opening(trace.as_deref(), watch.report).map_err(unreadable)?;
        let usual = if opening.bytes().is_some() { By::Bytes } else { By::Tasks };
        let (by, share) = (by.unwrap_or(usual), Share { number, of });
        let wanted = Wanted { region: &region, by, share, only: &only, keep: &keep };
        let part = parts_of::accumulate(opening, &wanted, &mut watch);
        let part = part.map_err(|error| match &error {
            AccumulateError::Region(_) | AccumulateError::TooLarge { .. } => {
                PyValueError::new_err(error.to_string())
            }
            _ => TraceError::new_err(error.to_string()),
        })?;
        Ok(part.write())
    };
    let bytes = work(py, Some(threads), progress, read)?;
    Ok(PyBytes::new(py, &bytes))
}

/// Puts parts together, in any order and any tree: what is merged merges on.
///
/// Args:
///     parts: What ``accumulate`` and ``merge`` returned.
///     settings: As of ``Trace.fold``; of a trace of which nothing is missing only what they show is kept.
///
/// Raises:
///     TraceError: The parts do not add up, and what each of them has.
#[pyfunction]
#[pyo3(signature = (parts, **settings))]
pub fn merge<'py>(
    py: Python<'py>,
    parts: Vec<PyBackedBytes>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let asked = self::settings(settings)?;
    let bytes = work(py, Some(1), None, move |_, _| {
        let refused = |refusal: Refusal| TraceError::new_err(refusal.to_string());
        let whole = parts_of::merge(read_all(&parts)?).map_err(refused)?;
        Ok(thin(whole, &asked).map_err(refused)?.write())
    })?;
    Ok(PyBytes::new(py, &bytes))
}

/// Plans which samples a fold shows, of all parts that were made with ``durations`` and merged: for ``accumulate``,
/// whose parts then take memory that does not grow with the trace.
///
/// Args:
///     part: What ``merge`` or ``accumulate`` returned.
///     settings: As of ``Trace.fold``: those of the fold that the plan is for.
///
/// Raises:
///     TraceError: It is no part; parts are missing, and which; or nothing of it folds.
///     ValueError: A setting is unknown.
#[pyfunction]
#[pyo3(signature = (part, **settings))]
pub fn plan<'py>(
    py: Python<'py>,
    part: PyBackedBytes,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let asked = self::settings(settings)?;
    let text = work(py, Some(1), None, move |_, _| {
        let part = Partial::read(&part).map_err(|error| TraceError::new_err(error.to_string()))?;
        Ok(Plan::of(part, &asked).map_err(no_plan)?.write())
    })?;
    Ok(PyBytes::new(py, text.as_bytes()))
}

fn no_plan(none: NoPlan) -> PyErr {
    match &none {
        NoPlan::Fold(error) if error.is_usage() => PyValueError::new_err(none.to_string()),
        _ => TraceError::new_err(none.to_string()),
    }
}

/// Folds a part of which nothing is missing: the folding of the whole trace.
///
/// Args:
///     part: What ``merge`` or ``accumulate`` returned.
///     incomplete: Whether to fold what is there though parts are missing; the folding says so.
///     threads: How many threads fold; all processors if not said.
///     settings: As of ``Trace.fold``.
///
/// Raises:
///     TraceError: It is no part; parts are missing, and which; or nothing of it folds.
///     ValueError: A setting is unknown, or would show more than the parts have.
#[pyfunction]
#[pyo3(signature = (part, *, incomplete=false, threads=None, **settings))]
pub fn finish(
    py: Python<'_>,
    part: PyBackedBytes,
    incomplete: bool,
    threads: Option<usize>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Folding> {
    let asked = self::settings(settings)?;
    let trace = work(py, threads, None, move |_, _| {
        let part = read_part(&part, "the part")?;
        if let Some(missing) = part.missing_words().filter(|_| !incomplete) {
            let message =
                format!("{missing} Merge them, too, or fold what is there with incomplete=True");
            return Err(TraceError::new_err(message));
        }
        part.trace().map_err(unreadable)
    })?;
    Folding::of(py, Arc::new(trace), asked, threads)
}

fn read_all(parts: &[PyBackedBytes]) -> PyResult<Vec<(String, Partial)>> {
    let read = |(number, bytes): (usize, &PyBackedBytes)| {
        let name = format!("parts[{number}]");
        read_part(bytes, &name).map(|part| (name, part))
    };
    parts.iter().enumerate().map(read).collect()
}

fn read_part(bytes: &[u8], name: &str) -> PyResult<Partial> {
    Partial::read(bytes).map_err(|error| TraceError::new_err(format!("{name}: {error}")))
}
