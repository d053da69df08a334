//! Machines.

use std::path::PathBuf;

use cll_analysis::machine::load;
use cll_report::{Style, machine_text};
use cll_result::MachineJson;
use pyo3::prelude::*;

use crate::model::json;
use crate::work::in_thread;

/// A machine by its file or published name: JSON and text.
#[pyfunction]
pub fn read_machine(py: Python<'_>, name: PathBuf) -> PyResult<(String, String)> {
    in_thread(py, move |messages| {
        let machine = load(&name, messages)?;
        Ok((json(&MachineJson::of(&machine))?, machine_text(&machine, &Style::default())))
    })
}
