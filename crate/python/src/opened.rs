//! A trace that is read, and what can be folded of it.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tracefold::disk;
use tracefold::export;
use tracefold::open::{Candidates, Watch, candidates};
use tracefold::pipeline;
use tracefold::run::{self, Bursts, bursts_from, repeats_from};
use tracefold::settings::{self, nearest};
use tracefold::text::ParseError;
use tracefold::trace::{Builder, Notice, Notices};

use crate::TraceError;
use crate::asked::{Paths, cannot_open, settings, texts};
use crate::folded::Folding;
use crate::table::Table;
use crate::work::{HowFar, work};

/// A trace that is read.
#[pyclass(frozen, module = "tracefold")]
pub struct Trace {
    trace: Arc<tracefold::trace::Trace>,
    threads: Option<usize>,
}

/// Reads a trace: Paraver with its labels, OTF2, text of perf script, an extract, a part of a fold.
///
/// Args:
///     files: A path, or a list of them; labels that lie beside a trace are read with it, a folder stands for
///         the files in it.
///     trace: Which trace, where the files hold several.
///     only: What alone is read, such as ``{"objects": "*.1.*", "to": 2_000_000_000}``, in nanoseconds.
///     ranks: Whether the traces are ranks of one run: they become one trace.
///     threads: How many threads read and fold; all processors if not said.
///     progress: Called now and then with the name of the file, the bytes read of it, and all.
///
/// Raises:
///     OSError: A file cannot be opened.
///     TraceError: It cannot be read.
///     ValueError: There is no such trace, or several and none is named; or what ``only`` says is nothing.
#[pyfunction]
#[pyo3(signature = (files, *, trace=None, only=None, ranks=false, threads=None, progress=None))]
pub fn open(
    py: Python<'_>,
    files: Paths,
    trace: Option<String>,
    only: Option<&Bound<'_, PyDict>>,
    ranks: bool,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Trace> {
    let only = only_of(only)?;
    let Paths(paths) = files;
    let read = move |how_far: &HowFar, threads: usize| {
        let files = match ranks {
            true => disk::files_of_ranks(&paths),
            false => disk::files(&paths),
        };
        let report = &mut |progress| how_far.report(progress);
        let found = candidates(files.map_err(cannot_open)?, report).map_err(unreadable)?;
        let early = &mut |_, _: &Builder| {};
        let mut watch = Watch::new(report, early);
        watch.threads = threads;
        if ranks {
            return found.ranks(&only, &mut watch).map_err(unreadable);
        }
        one_is_meant(&found, trace.as_deref())?;
        let opening = found.opening(trace.as_deref(), watch.report).map_err(unreadable)?;
        opening.only(only).whole(&mut watch).map_err(unreadable)
    };
    let trace = Arc::new(work(py, threads, progress, read)?);
    Ok(Trace { trace, threads })
}

#[pymethods]
impl Trace {
    /// Name of its file.
    #[getter]
    fn name(&self) -> &str {
        &self.trace.name
    }

    /// From its begin to its end, in nanoseconds.
    #[getter]
    fn duration_ns(&self) -> u64 {
        self.trace.duration_ns
    }

    /// What was odd about it, in sentences: lines left out, counters that fell, files that belong to nothing.
    #[getter]
    fn notices(&self) -> Vec<String> {
        sentences(&self.trace)
    }

    /// What can be folded: a line for each region, iteration and cluster, by its share of the time of all
    /// threads.
    ///
    /// ``mean_ms`` and ``median_ms`` are of one instance, ``mips`` millions of instructions per second.
    #[pyo3(signature = (**settings))]
    fn regions(&self, py: Python<'_>, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Table> {
        let (asked, trace) = (self::settings(settings)?, Arc::clone(&self.trace));
        let csv = work(py, self.threads, None, move |_, _| {
            pipeline::check_boundary(&trace, &asked).map_err(|error| usage(&error))?;
            Ok(export::regions(&pipeline::catalogue(&trace, &asked).0))
        });
        Table::new("regions", csv?.into())
    }

    /// The passes of each loop that the run is made of, a line each, in nanoseconds of the trace.
    ///
    /// Raises:
    ///     TraceError: No loop is found, and why.
    #[pyo3(signature = (**settings))]
    fn iterations(&self, py: Python<'_>, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Table> {
        let (asked, trace) = (self::settings(settings)?, self.run()?);
        let csv = work(py, self.threads, None, move |_, _| {
            pipeline::check_boundary(&trace, &asked).map_err(|error| usage(&error))?;
            let repeats = repeats_from(&trace, asked.boundary.as_ref());
            let repeats = repeats.map_err(|none| TraceError::new_err(none.sentence()))?;
            Ok(export::iterations(&trace, &repeats))
        });
        Table::new("iterations", csv?.into())
    }

    /// What the computation between calls of a runtime is made of: a line for each cluster of bursts.
    ///
    /// Raises:
    ///     TraceError: There are none, and why.
    #[pyo3(signature = (**settings))]
    fn clusters(&self, py: Python<'_>, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Table> {
        Table::new("clusters", self.clustered(py, settings, |_, found, _| export::clusters(found))?)
    }

    /// Each burst of computation, with the cluster that it is of, in nanoseconds of the trace.
    ///
    /// Raises:
    ///     TraceError: There are none, and why.
    #[pyo3(signature = (**settings))]
    fn bursts(&self, py: Python<'_>, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Table> {
        Table::new("bursts", self.clustered(py, settings, export::bursts)?)
    }

    /// Folds a region: its instances become one, in which counters have a rate at every moment.
    ///
    /// Args:
    ///     region: ``TYPE:VALUE`` as ``regions()`` has it, or a value that one type alone has; if not said, what
    ///         the page shows first.
    ///     settings: As of ``tracefold fold --set``: ``fit="segments"``, ``points=500``, ``counters=["A", "B"]``.
    ///
    /// Raises:
    ///     ValueError: There is no such region or setting, or a setting has no such value.
    ///     TraceError: Nothing of it folds, and why.
    #[pyo3(signature = (region=None, **settings))]
    fn fold(
        &self,
        py: Python<'_>,
        region: Option<&str>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Folding> {
        let mut asked = self::settings(settings)?;
        if let Some(region) = region {
            asked
                .set("region", region)
                .map_err(|error| PyValueError::new_err(error.to_string()))?;
        }
        Folding::of(py, Arc::clone(&self.trace), asked, self.threads)
    }

    fn __repr__(&self) -> String {
        format!("<tracefold.Trace {}: {} threads>", self.trace.name, self.trace.threads.len())
    }
}

impl Trace {
    /// The trace, if it is whole.
    fn run(&self) -> PyResult<Arc<tracefold::trace::Trace>> {
        if self.trace.reduced.is_some() {
            let words = format!(
                "{}: a part of a fold, which has the samples of one region alone",
                self.trace.name
            );
            return Err(TraceError::new_err(words));
        }
        Ok(Arc::clone(&self.trace))
    }

    fn clustered(
        &self,
        py: Python<'_>,
        settings: Option<&Bound<'_, PyDict>>,
        table: fn(&tracefold::trace::Trace, &run::Clusters, &[run::Burst]) -> String,
    ) -> PyResult<Vec<u8>> {
        let (asked, trace) = (self::settings(settings)?, self.run()?);
        work(py, self.threads, None, move |_, _| {
            let all = bursts_from(&trace, asked.bursts);
            let Bursts { bursts, .. } = &all;
            let found = run::clusters(&trace, bursts, asked.eps);
            match found.why_none() {
                Some(sentence) => Err(TraceError::new_err(sentence)),
                None => Ok(table(&trace, &found, bursts).into()),
            }
        })
    }
}

/// What is to be read of a trace.
pub fn only_of(asked: Option<&Bound<'_, PyDict>>) -> PyResult<tracefold::trace::Only> {
    let texts = texts(asked)?;
    let pairs = texts.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    settings::only(pairs).map_err(|error| PyValueError::new_err(format!("only: {error}")))
}

/// Refuses a choice that names no trace, and no choice where there are several.
pub fn one_is_meant(found: &Candidates<'_>, name: Option<&str>) -> PyResult<()> {
    let names = || found.traces.iter().map(|trace| trace.name.as_str());
    match name {
        Some(name) if found.find(Some(name)).is_err() => {
            let nearest = nearest(name, names()).join(", ");
            let message = format!("trace: unknown trace {name:?}; the nearest are {nearest}");
            Err(PyValueError::new_err(message))
        }
        None if found.traces.len() > 1 => {
            let names = names().collect::<Vec<_>>().join(", ");
            Err(PyValueError::new_err(format!(
                "there are several traces; name one with trace=: {names}"
            )))
        }
        _ => Ok(()),
    }
}

pub fn unreadable(error: ParseError) -> PyErr {
    TraceError::new_err(format!("{error:#}"))
}

fn usage(error: &dyn std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// What was odd about a trace.
pub fn sentences(trace: &tracefold::trace::Trace) -> Vec<String> {
    let partial = trace.partial.as_ref().map(|partial| partial.sentence());
    let missing = trace.reduced.as_ref().and_then(|of| of.missing.clone());
    let notices: &Notices = &trace.notices;
    let notices =
        notices.iter().map(|Notice { text, count, first, .. }| match first.of.is_empty() {
            true => format!("{text} ×{count}"),
            false => format!("{text} ×{count} (first at {first})"),
        });
    partial.into_iter().chain(missing).chain(notices).collect()
}
