//! Settings from the environment that the command line does not give.

use std::env::var_os;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

use cll_campaign::Budget;
use cll_contract::{self as contract, BUDGET, Engine, LOADED, WrongValue};

use crate::cli::{self, Loaded};
use crate::failure::Failure;

/// Chooses the action on a loaded machine: the command line's value, else that of the environment.
pub fn loaded(option: Option<Loaded>) -> Result<Loaded, Failure> {
    if let Some(option) = option {
        return Ok(option);
    }
    let word = var_os(LOADED.name());
    match LOADED.read(word.as_deref().map(OsStr::as_bytes)) {
        Ok(Some(contract::Loaded::Accept)) => Ok(Loaded::Accept),
        Ok(None | Some(contract::Loaded::Refuse)) => Ok(Loaded::Refuse),
        Err(WrongValue(word)) => Err(Failure::usage(format!(
            "CLL_LOADED={}: it must be refuse or accept",
            String::from_utf8_lossy(word)
        ))),
    }
}

/// The time of sampling, if the command line gives none: `CLL_BUDGET`.
pub fn budget() -> Result<Option<Budget>, Failure> {
    let Some(word) = var_os(BUDGET.name()).filter(|word| !word.is_empty()) else {
        return Ok(None);
    };
    let word = word.to_string_lossy();
    let wrong = |why: cll_campaign::Error| Failure::usage(format!("CLL_BUDGET={word}: {why}"));
    cli::budget(&word).map(Some).map_err(wrong)
}

/// How long ranks of MPI compute before a run, if the environment says so.
///
/// # Errors
/// If that is no time.
pub fn warm_up() -> Result<Option<Duration>, Failure> {
    let given = var_os(contract::WARM_UP.name());
    contract::WARM_UP.read(given.as_deref().map(OsStr::as_bytes)).map_err(|WrongValue(text)| {
        let text = String::from_utf8_lossy(text);
        Failure::usage(format!("CLL_WARM_UP={text}: it must be seconds, such as 0.05"))
    })
}

/// The engine that the environment names.
pub fn engine() -> Option<Engine> {
    let name = var_os(contract::ENGINE.name());
    contract::ENGINE.read_or_none(name.as_deref().map(OsStr::as_bytes))
}
