//! A table of Tracefold for pandas, polars, pyarrow and whatever else reads Arrow.

use std::io::Cursor;
use std::sync::Arc;

use arrow_array::RecordBatchIterator;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_csv::ReaderBuilder;
use arrow_csv::reader::Format;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};
use tracefold::export::{Values, values_of};

/// A table, as the command line writes it into a `.csv`.
///
/// It is read by whatever knows the Arrow PyCapsule interface: ``pandas.DataFrame.from_arrow(table)``,
/// ``polars.DataFrame(table)``, ``pyarrow.table(table)``. Columns have one type whatever is in them; what is
/// not known is null. It stands by itself: its folding may go.
#[pyclass(frozen, module = "tracefold")]
pub struct Table {
    #[pyo3(get)]
    name: String,
    csv: Arc<[u8]>,
    schema: SchemaRef,
}

impl Table {
    pub fn new(name: &str, csv: Vec<u8>) -> PyResult<Self> {
        // Of no record: of the names alone.
        let header = Format::default().with_header(true).infer_schema(Cursor::new(&csv), Some(0));
        let (names, _) = header.map_err(wrong)?;
        let names = names.fields().iter().map(|field| field.name().clone()).collect::<Vec<_>>();
        let of = names.iter().map(String::as_str).collect::<Vec<_>>();
        let types = values_of(name, &of).into_iter().map(|values| match values {
            Values::Text => DataType::Utf8,
            Values::Whole => DataType::Int64,
            Values::Counts => DataType::UInt64,
            Values::Real => DataType::Float64,
        });
        let fields = names.iter().zip(types).map(|(name, of)| Field::new(name, of, true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        Ok(Self { name: name.to_owned(), csv: csv.into(), schema })
    }
}

#[pymethods]
impl Table {
    /// Names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The bytes that the command line writes.
    fn to_csv<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.csv)
    }

    /// The table as a `pandas.DataFrame`; pandas must be there.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let frame = py.import("pandas")?.getattr("DataFrame")?;
        match frame.getattr("from_arrow") {
            Ok(from_arrow) => from_arrow.call1((slf,)),
            // Before pandas 3 it was pyarrow that knew how.
            Err(_) => {
                py.import("pyarrow")?.call_method1("table", (slf,))?.call_method0("to_pandas")
            }
        }
    }

    /// The Arrow PyCapsule interface: a stream of record batches. What type is asked for is not looked at, as
    /// it may be.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let csv = Cursor::new(Arc::clone(&self.csv));
        let reader = ReaderBuilder::new(Arc::clone(&self.schema)).with_header(true).build(csv);
        let batches =
            py.detach(|| reader.map_err(wrong)?.collect::<Result<Vec<_>, _>>().map_err(wrong))?;
        let batches =
            RecordBatchIterator::new(batches.into_iter().map(Ok), Arc::clone(&self.schema));
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __repr__(&self) -> String {
        format!("<tracefold.Table {}: {}>", self.name, self.columns().join(", "))
    }
}

fn wrong(error: ArrowError) -> PyErr {
    PyRuntimeError::new_err(format!("a table is not what it says; please report it: {error}"))
}
