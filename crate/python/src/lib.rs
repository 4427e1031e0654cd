//! Tracefold from Python: traces are opened and folded, parts of folds made and merged, and every table is
//! handed over by the Arrow interface. The answers are the bytes of the command line.

use pyo3::prelude::*;

mod asked;
mod work;
mod table;
mod opened;
mod folded;
mod parts;

use folded::Folding;
use opened::Trace;
use table::Table;

pyo3::create_exception!(
    tracefold,
    TraceError,
    pyo3::exceptions::PyValueError,
    "A trace, or a part of a fold, that cannot be read, or in which nothing folds: what was found, what was\n\
     expected, and where."
);

#[pymodule]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::{Folding, Table, Trace, TraceError};
    #[pymodule_export]
    use crate::opened::open;
    #[pymodule_export]
    use crate::parts::{accumulate, finish, merge, plan};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
