//! Work in a thread without the interpreter's lock: it can be interrupted, and a panic is an exception.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use cll_analysis::Error;
use pyo3::prelude::*;

use crate::messages::Collected;
use crate::python_error::{exception, internal};

/// Bytes of a thread's stack, as the program has it.
const STACK: usize = 16 << 20;
/// Time between two looks for signals.
const POLL: Duration = Duration::from_millis(50);

/// A panic becomes an exception with its text, so it is not printed as well.
pub fn silence_panics() {
    panic::set_hook(Box::new(|_| {}));
}

/// The result of `run`, whose notices become Python's warnings. Ctrl-C ends the call at once; the thread then ends
/// by itself, and its result is dropped.
pub fn in_thread<T: Send + 'static>(
    py: Python<'_>,
    run: impl FnOnce(&Collected) -> Result<T, Error> + Send + 'static,
) -> PyResult<T> {
    let (to, from) = mpsc::channel();
    // PyO3 asks that what is used without the lock may be shared.
    let from = Mutex::new(from);
    let work = move || {
        let messages = Collected::default();
        let result = panic::catch_unwind(AssertUnwindSafe(|| run(&messages)));
        // Nobody waits any more after an interrupt.
        let _ = to.send((result, messages));
    };
    Builder::new()
        .name("cll".to_owned())
        .stack_size(STACK)
        .spawn(work)
        .map_err(|error| internal(py, &format!("no thread can be started: {error}")))?;
    let (result, messages) = loop {
        let wait = || from.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(POLL);
        match py.detach(wait) {
            Ok(done) => break done,
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(internal(py, "the thread has ended without a result"));
            }
        }
    };
    messages.to_warnings(py)?;
    match result {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(failure)) => Err(exception(py, &failure, &messages)),
        Err(panic) => Err(internal(py, &text_of(&*panic))),
    }
}

fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".to_owned())
}
