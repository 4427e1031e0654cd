//! Long work: beside Python, which goes on meanwhile, is told how far it is, and may stop it.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;
use tracefold::input::Progress;

/// How often Python is asked whether it was interrupted, and told how far the work is: not noticed by who
/// waits, and nothing beside the work.
const BETWEEN: Duration = Duration::from_millis(50);

/// How far the work is, which says so and learns whether to go on.
#[derive(Clone, Default)]
pub struct HowFar {
    stopped: Arc<AtomicBool>,
    last: Arc<Mutex<Option<Progress>>>,
}

impl HowFar {
    /// Ends the work if nobody waits for it any more: its thread is unwound, which is what it is there for.
    pub fn report(&self, progress: Progress) {
        if self.stopped.load(Ordering::Relaxed) {
            resume_unwind(Box::new("stopped"));
        }
        if let Ok(mut last) = self.last.lock() {
            *last = Some(progress);
        }
    }
}

/// Does `job` in a thread of its own with so many threads below it, without the lock of the interpreter.
/// `progress` is called with the name of a file, the bytes of it that are read, and all.
///
/// The threads live as long as the job: a process that is forked after it has none to miss.
///
/// # Errors
///
/// What `job` returns; what `progress` raises; `KeyboardInterrupt`. After the last two reading stops within a
/// megabyte; a fold goes on in its thread to its end, of which nobody hears.
pub fn work<T: Send + 'static>(
    py: Python<'_>,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
    job: impl FnOnce(&HowFar, usize) -> PyResult<T> + Send + 'static,
) -> PyResult<T> {
    let processors = || thread::available_parallelism().map_or(1, |count| count.get());
    let count = threads.unwrap_or_else(processors).max(1);
    let cannot = |error: &dyn std::fmt::Display| PyRuntimeError::new_err(error.to_string());
    let pool = ThreadPoolBuilder::new().num_threads(count).build();
    let pool = pool.map_err(|error| cannot(&error))?;
    let how_far = HowFar::default();
    let (done, answer) = channel();
    // Only this thread waits; but it does so without the interpreter's lock, which asks for more.
    let answer = Mutex::new(answer);
    let of_job = how_far.clone();
    let begun = thread::Builder::new().spawn(move || {
        let answer = pool.install(|| job(&of_job, count));
        // Nobody may wait for it any more.
        let _ = done.send(answer);
    });
    begun.map_err(|error| cannot(&error))?;
    loop {
        let next = py.detach(|| answer.lock().map(|answer| answer.recv_timeout(BETWEEN)).ok());
        match next {
            Some(Ok(answer)) => {
                say(progress, &how_far)?;
                return answer;
            }
            Some(Err(RecvTimeoutError::Timeout)) => {}
            _ => {
                return Err(PyRuntimeError::new_err(
                    "the work ended without an answer; please report it",
                ));
            }
        }
        if let Err(stop) = go_on(py, progress, &how_far) {
            how_far.stopped.store(true, Ordering::Relaxed);
            return Err(stop);
        }
    }
}

fn go_on(py: Python<'_>, progress: Option<&Bound<'_, PyAny>>, how_far: &HowFar) -> PyResult<()> {
    py.check_signals()?;
    say(progress, how_far)
}

/// Tells how far the work is, if it came further.
fn say(progress: Option<&Bound<'_, PyAny>>, how_far: &HowFar) -> PyResult<()> {
    let last = how_far.last.lock().ok().and_then(|mut last| last.take());
    if let (Some(progress), Some(Progress { file, done, total })) = (progress, last) {
        progress.call1((file, done, total))?;
    }
    Ok(())
}
