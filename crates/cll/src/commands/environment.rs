//! What the environment says where the command line does not.

use std::time::Duration;

use crate::cli::{Loaded, duration};
use crate::failure::Failure;

/// What is done on a loaded machine: as the command line says, else the environment.
pub fn loaded(option: Option<Loaded>) -> Result<Loaded, Failure> {
    let Some(word) = std::env::var_os("CLL_LOADED").filter(|_| option.is_none()) else {
        return Ok(option.unwrap_or(Loaded::Refuse));
    };
    match word.to_str() {
        Some("accept") => Ok(Loaded::Accept),
        Some("refuse" | "") => Ok(Loaded::Refuse),
        _ => Err(Failure::usage(format!(
            "CLL_LOADED={}: there are refuse and accept",
            word.to_string_lossy()
        ))),
    }
}

/// For how long is sampled, where nothing is said on the command line: `CLL_BUDGET`.
pub fn budget() -> Result<Option<Duration>, Failure> {
    let Some(word) = std::env::var_os("CLL_BUDGET").filter(|word| !word.is_empty()) else {
        return Ok(None);
    };
    let word = word.to_string_lossy();
    let wrong = |why: String| Failure::usage(format!("CLL_BUDGET={word}: {why}"));
    duration(&word).map(Some).map_err(wrong)
}
