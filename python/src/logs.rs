//! Logs of supersteps, and profiles.

use std::path::PathBuf;

use cll_analysis::Error;
use cll_analysis::{logs, profile};
use cll_files::Notices;
use cll_result::ProfileJson;
use cll_supersteps::LogExport;
use pyo3::prelude::*;

use crate::model::json;
use crate::work::in_thread;

/// The supersteps of a run as CSV, a row for each superstep of each processor.
#[pyfunction]
pub fn read_log(py: Python<'_>, files: Vec<PathBuf>) -> PyResult<Vec<u8>> {
    in_thread(py, move |messages| {
        let (paths, sources) = logs::sources(&files, messages)?;
        let logs = logs::logs(&paths, &sources, messages)?;
        let export = LogExport::new(&logs).map_err(|processor| {
            Error::request(format!("processor {processor} is in two of these logs"))
                .advise("give the logs of one run: its log, or the logs of all its processes")
        })?;
        for damage in export.damage() {
            messages.warn(&damage.to_string());
        }
        let mut out = Vec::new();
        export.csv(&mut out).map_err(|error| Error::system(error.to_string()))?;
        Ok(out)
    })
}

/// The profile of a run: CSV with a row for each node and metric, and JSON.
#[pyfunction]
pub fn read_profile(py: Python<'_>, files: Vec<PathBuf>) -> PyResult<(String, String)> {
    in_thread(py, move |messages| {
        let profile = profile::profile(&files, false, messages)?;
        Ok((cll_profile::export::csv(&profile), json(&ProfileJson::of(&profile, None))?))
    })
}
