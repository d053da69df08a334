//! Reads and writes model files.

use std::fs;
use std::path::{Path, PathBuf};

use cll_result::{ModelError, ModelFile};

use crate::Error;
use cll_files::Output;

/// Name of the file in the folder that `cll model` makes.
pub const FILE_NAME: &str = "model.json";

/// Reads a model from a file, or from the folder that `cll model` writes.
///
/// # Errors
/// If it cannot be read, or is not a model of a version that this program reads.
pub fn read_model(path: &Path) -> Result<ModelFile, Error> {
    let path = &model_file(path);
    let bytes = fs::read(path).map_err(|error| cll_files::Error::unreadable(path, error))?;
    ModelFile::parse(&bytes).map_err(|error| {
        let failure = Error::content(format!("{}: {error}", path.display()));
        match error {
            ModelError::NoModel(_) => failure.advise("cll model and cll fit -o FILE write models"),
            _ => failure,
        }
    })
}

/// Writes a model.
///
/// # Errors
/// If the file cannot be written.
pub fn write_model(model: &ModelFile, to: Output) -> Result<(), Error> {
    let text = model.to_json().map_err(|error| Error::system(error.to_string()))?;
    Ok(to.write(&text)?)
}

/// The model file for a path that the user has given.
pub fn model_file(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(FILE_NAME) } else { path.to_path_buf() }
}

/// The present time in UTC, as in files of results: `2026-01-31T12:00:00Z`.
pub fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
