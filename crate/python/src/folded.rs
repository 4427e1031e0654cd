//! A folding: its tables, its picture, its link.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tracefold::export::{
    self, FigureError, Format, TABLES, export_in_parts, figure_of, is_there, read_figure,
};
use tracefold::folding::Points;
use tracefold::paint::{Costs, Figure, figure_svg};
use tracefold::pipeline;
use tracefold::result::{Beside, Link, Origin};
use tracefold::settings::Settings;
use tracefold::trace::Trace;

use crate::TraceError;
use crate::asked::texts;
use crate::opened::sentences;
use crate::table::Table;
use crate::work::work;

/// A region whose instances are folded.
#[pyclass(frozen, module = "tracefold")]
pub struct Folding {
    trace: Arc<Trace>,
    settings: Settings,
    /// One, as a list: what is written takes several.
    folded: Arc<Vec<(tracefold::folding::Folding, Points)>>,
}

impl Folding {
    pub fn of(
        py: Python<'_>,
        trace: Arc<Trace>,
        settings: Settings,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let (of_trace, asked) = (Arc::clone(&trace), settings.clone());
        let folded = work(py, threads, None, move |_, _| {
            pipeline::run(&of_trace, &asked).map_err(|error| match error.is_usage() {
                true => PyValueError::new_err(error.to_string()),
                false => TraceError::new_err(error.to_string()),
            })
        })?;
        Ok(Self { trace, settings, folded: Arc::new(vec![folded]) })
    }

    fn folding(&self) -> &tracefold::folding::Folding {
        &self.folded[0].0
    }

    /// A figure whose caption tells the settings.
    fn figure(&self, figure: Figure) -> Figure {
        let settings = BTreeMap::from(self.settings.clone()).into_iter().collect();
        Figure { settings, ..figure }
    }
}

#[pymethods]
impl Folding {
    /// The region, as ``TYPE:VALUE``.
    #[getter]
    fn region(&self) -> &str {
        &self.folding().region
    }

    /// What was odd about the trace and about its fold, in sentences.
    #[getter]
    fn notices(&self) -> Vec<String> {
        let of_folding = self.folding().notices.iter().map(|notice| notice.text.clone());
        let mut all = sentences(&self.trace);
        all.extend(of_folding.filter(|text| !self.trace.notices.iter().any(|of| of.text == *text)));
        all
    }

    /// Names of all tables.
    #[classattr]
    fn tables() -> Vec<&'static str> {
        TABLES.to_vec()
    }

    /// A table by its name: what the command line writes into ``NAME.csv``.
    fn table(&self, py: Python<'_>, name: &str) -> PyResult<Table> {
        if !TABLES.contains(&name) {
            let message = format!("unknown table {name:?}; there are {}", TABLES.join(", "));
            return Err(PyValueError::new_err(message));
        }
        let csv = py.detach(|| {
            let mut csv = vec![];
            export::table(name, &self.folded, None, &mut |part| csv.extend(part.into_bytes()));
            csv
        });
        Table::new(name, csv)
    }

    /// Each counter over folded time ``x`` (0 to 1): ``fitted`` as a share of its total with the ends of its
    /// 95 % band, and ``rate`` in events per microsecond.
    fn curves(&self, py: Python<'_>) -> PyResult<Table> {
        self.table(py, "curves")
    }

    /// The phases of each group: ``start`` and ``end`` as shares of folded time, the rate of each counter in
    /// events per microsecond with the half width of its 95 % interval, and the code that ran.
    fn phases(&self, py: Python<'_>) -> PyResult<Table> {
        self.table(py, "phases")
    }

    /// The innermost frame of every sample, at ``x`` of folded time.
    fn lines(&self, py: Python<'_>) -> PyResult<Table> {
        self.table(py, "lines")
    }

    /// Which routines are on the call-stack from ``start`` to ``end`` of folded time, by level.
    fn routines(&self, py: Python<'_>) -> PyResult<Table> {
        self.table(py, "routines")
    }

    /// Every instance: when it ran, in nanoseconds, what it counted, and why it is used or not.
    fn instances(&self, py: Python<'_>) -> PyResult<Table> {
        self.table(py, "instances")
    }

    /// Every sample of every counter: ``x`` of folded time, ``y`` as a share of the total of its instance.
    fn points(&self, py: Python<'_>) -> PyResult<Table> {
        self.table(py, "points")
    }

    /// The whole folding as JSON, with the bytes of ``folding.json``.
    fn to_json(&self, py: Python<'_>) -> String {
        py.detach(|| self.folding().to_json())
    }

    /// The picture as SVG, as the page saves it.
    ///
    /// Args:
    ///     view: What the address of the page says, such as ``counter="PAPI_L1_DCM"``, ``range="0.1_0.4"``,
    ///         and ``width``, ``lanes`` and ``ink``.
    #[pyo3(signature = (**view))]
    fn svg(&self, py: Python<'_>, view: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        let texts = texts(view)?;
        let (folding, points) = &self.folded[0];
        let drawn = py.detach(|| {
            let texts = texts.iter().map(|(key, text)| (key.as_str(), text.as_str()));
            let figure = self.figure(read_figure(texts)?);
            is_there(folding, &figure)?;
            Ok(figure_of(folding, points, &figure, figure_svg))
        });
        drawn.map_err(|error: FigureError| PyValueError::new_err(error.to_string()))
    }

    /// A link that holds the folding itself.
    ///
    /// Args:
    ///     url: Address of a page of Tracefold; ``TRACEFOLD_URL`` of the environment if not said, and without
    ///         both what stands behind the address alone, from ``#`` on.
    ///
    /// Raises:
    ///     ValueError: The folding is too large for a link.
    #[pyo3(signature = (url=None))]
    fn link(&self, py: Python<'_>, url: Option<String>) -> PyResult<String> {
        let folding = self.folding();
        let origin = Origin { version: Origin::VERSION.to_owned(), ..Origin::default() };
        let references = self.folded[0].1.references(folding.shown);
        let ends_of_costs = references.and_then(|of| Costs::of(of).ends);
        let beside =
            Beside { references, ends_of_costs, origin: Some(&origin), ..Beside::default() };
        let text = py.detach(|| Link::encode(folding, folding.shown, &self.settings, "{}", beside));
        let text = text.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let url = url.or_else(|| std::env::var("TRACEFOLD_URL").ok()).unwrap_or_default();
        Ok(format!("{}#s={text}&v=1", url.split('#').next().unwrap_or_default()))
    }

    /// The folding in the page of Tracefold, where a notebook shows it: offline, and in what is exported.
    ///
    /// The page is some megabytes. With the address of an internal server in ``TRACEFOLD_URL`` it is
    /// asked for there instead.
    ///
    /// Args:
    ///     height: In pixels.
    #[pyo3(signature = (*, height=720))]
    fn show<'py>(slf: &Bound<'py, Self>, height: u32) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("tracefold._page")?.call_method1("Page", (slf, height))
    }

    /// Writes what the command line writes, into a folder, which is made where there is none.
    ///
    /// Args:
    ///     folder: Where to.
    ///     formats: As of ``tracefold fold --format``: ``csv``, ``json``, ``svg``, ``html``, ``gnuplot``, ``extract``.
    #[pyo3(signature = (folder, formats=vec!["csv".to_owned(), "json".to_owned()]))]
    fn write(&self, py: Python<'_>, folder: PathBuf, formats: Vec<String>) -> PyResult<()> {
        let cannot = |path: &PathBuf, error: std::io::Error| {
            PyOSError::new_err(format!("{}: {error}", path.display()))
        };
        let formats = formats.iter().map(|name| format_of(name)).collect::<PyResult<Vec<_>>>()?;
        py.detach(|| {
            let figure = self.figure(read_figure([]).unwrap_or_default());
            std::fs::create_dir_all(&folder).map_err(|error| cannot(&folder, error))?;
            for format in formats {
                let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
                let put = &mut |name: &str, part: Vec<u8>| {
                    files.entry(name.to_owned()).or_default().extend(part);
                };
                export_in_parts(&self.trace, &self.folded, None, format, &figure, put)
                    .map_err(|error| PyValueError::new_err(error.to_string()))?;
                for (name, bytes) in files {
                    let path = folder.join(name);
                    std::fs::write(&path, bytes).map_err(|error| cannot(&path, error))?;
                }
            }
            Ok(())
        })
    }

    fn __repr__(&self) -> String {
        format!("<tracefold.Folding {} of {}>", self.region(), self.trace.name)
    }
}

fn format_of(name: &str) -> PyResult<Format> {
    let known = Format::ALL.iter().find(|(known, _)| *known == name);
    known.map(|(_, format)| *format).ok_or_else(|| {
        let known = Format::ALL.iter().map(|(known, _)| *known).collect::<Vec<_>>().join(", ");
        PyValueError::new_err(format!("unknown format {name:?}; there are {known}"))
    })
}
