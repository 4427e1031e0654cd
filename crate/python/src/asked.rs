//! What is asked for, as Python says it: paths and settings.

use std::path::PathBuf;

use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use tracefold::disk::CannotOpen;
use tracefold::settings::Settings;

/// One path or several.
pub struct Paths(pub Vec<PathBuf>);

impl<'py> FromPyObject<'_, 'py> for Paths {
    type Error = PyErr;

    fn extract(asked: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let unlike = |of: &Bound<'_, PyAny>| {
            let kind = of.get_type().name()?;
            let message =
                format!("files: found {kind}, expected str, os.PathLike, or a list of them");
            PyResult::Ok(PyTypeError::new_err(message))
        };
        let path = |of: &Bound<'_, PyAny>| match of.extract() {
            Ok(path) => Ok(path),
            Err(_) => Err(unlike(of)?),
        };
        if let Ok(path) = asked.extract() {
            return Ok(Self(vec![path]));
        }
        if !asked.is_instance_of::<PyList>() && !asked.is_instance_of::<PyTuple>() {
            return Err(unlike(&asked)?);
        }
        asked.try_iter()?.map(|of| path(&of?)).collect::<PyResult<_>>().map(Self)
    }
}

/// A file that cannot be opened, as the error that Python has for it: `FileNotFoundError` and its like.
pub fn cannot_open(error: CannotOpen) -> PyErr {
    let CannotOpen { path, error } = error;
    match error.raw_os_error() {
        Some(code) => {
            PyOSError::new_err((code, plain(&error), path.to_string_lossy().into_owned()))
        }
        None => PyOSError::new_err(format!("{}: {error}", path.display())),
    }
}

/// What the system says, without the number that Python prints as well.
fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}

/// The settings of keyword arguments. A name may have any value that its text has: `True` is `yes`, numbers
/// are as they are printed, lists are joined with commas.
pub fn settings(changed: Option<&Bound<'_, PyDict>>) -> PyResult<Settings> {
    let mut settings = Settings::default();
    for (key, value) in texts(changed)? {
        settings.set(&key, &value).map_err(|error| PyValueError::new_err(error.to_string()))?;
    }
    Ok(settings)
}

/// Names and texts of keyword arguments; `None` is as if it was not said. `from_` stands for `from`, which
/// is a word of Python's own.
pub fn texts(changed: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, String)>> {
    let mut texts = vec![];
    for (key, value) in changed.into_iter().flatten() {
        if !value.is_none() {
            let key = key.extract::<String>()?;
            let key = key.strip_suffix('_').unwrap_or(&key).to_owned();
            texts.push((key.clone(), text(&key, &value)?));
        }
    }
    Ok(texts)
}

fn text(key: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(is_so) = value.cast::<PyBool>() {
        return Ok(if is_so.is_true() { "yes" } else { "no" }.to_owned());
    }
    if value.is_instance_of::<PyString>()
        || value.is_instance_of::<PyInt>()
        || value.is_instance_of::<PyFloat>()
    {
        return Ok(value.str()?.to_string());
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let each = value.try_iter()?.map(|of| text(key, &of?)).collect::<PyResult<Vec<_>>>()?;
        return Ok(each.join(","));
    }
    let kind = value.get_type().name()?;
    let message = format!("{key}: found {kind}, expected str, int, float, bool, or a list of them");
    Err(PyTypeError::new_err(message))
}
