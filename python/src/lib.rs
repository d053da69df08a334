//! The extension module `cll._cll`: the crates of cll for Python.
//!
//! It holds no statistics. Its functions take columns and options (JSON), and give columns, JSON and text; the package
//! `cll` around it makes DataFrames of them. What computes runs in a thread of its own, without the interpreter's
//! lock, so signals interrupt it; a panic there is an exception.
//!
//! Unsafe code is only what PyO3's macros write: `python/tests/test_package.py` holds that.
//!
//! Why: decision 0097.

mod campaign;
mod columns;
mod fit;
mod logs;
mod machine;
mod messages;
mod model;
mod options;
mod python_error;
mod table;
mod trace;
mod work;

use pyo3::prelude::*;

/// Builds the package `cll`.
#[pymodule]
fn _cll(module: &Bound<'_, PyModule>) -> PyResult<()> {
    work::silence_panics();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<model::Model>()?;
    module.add_class::<trace::Trace>()?;
    module.add_function(wrap_pyfunction!(trace::read_trace, module)?)?;
    module.add_function(wrap_pyfunction!(fit::fit_files, module)?)?;
    module.add_function(wrap_pyfunction!(fit::fit_table, module)?)?;
    module.add_function(wrap_pyfunction!(fit::read_tables, module)?)?;
    module.add_function(wrap_pyfunction!(model::load_model, module)?)?;
    module.add_function(wrap_pyfunction!(model::compare, module)?)?;
    module.add_function(wrap_pyfunction!(logs::read_log, module)?)?;
    module.add_function(wrap_pyfunction!(logs::read_profile, module)?)?;
    module.add_function(wrap_pyfunction!(machine::read_machine, module)?)?;
    module.add_function(wrap_pyfunction!(campaign::read_campaign, module)?)
}
