//! Exports of a trace for other programs: CSV, JSON, Extra-P. `docs/formats/exports.md` specifies
//! them.

mod csv;
mod extrap;
mod json;

use std::{fmt, io};

use cll_trace::TraceError;

pub use csv::CsvExport;
pub use extrap::{EXTRAP_PARAMETERS, extrap, extrap_groups};
pub use json::{JSON_VERSION, TraceJson, json};

/// Why an export stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The output cannot be written. For a broken pipe the kind is `BrokenPipe`.
    #[error("cannot write the export: {0}")]
    Io(#[from] io::Error),
    /// The trace cannot be read a second time.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// Extra-P reads at most four parameters.
    #[error(
        "experiment {experiment} varies in {} variables ({}), and Extra-P reads at most \
         {EXTRAP_PARAMETERS}: export it as csv or json",
        variables.len(), variables.join(", ")
    )]
    ManyParameters {
        /// The experiment.
        experiment: String,
        /// The variables that vary.
        variables: Vec<String>,
    },
    /// There is no point that Extra-P could read.
    #[error(
        "experiment {experiment} has no samples with finite values of variables, which Extra-P needs"
    )]
    NoPoints {
        /// The experiment.
        experiment: String,
    },
}

/// A number with the fewest digits that read back as the same number.
struct Number(f64);

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size == 0.0 || (1e-4..1e15).contains(&size) || !self.0.is_finite() {
            fmt::Display::fmt(&self.0, formatter)
        } else {
            fmt::LowerExp::fmt(&self.0, formatter)
        }
    }
}
