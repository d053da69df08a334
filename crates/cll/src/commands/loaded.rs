//! Whether numbers of a loaded machine are taken as they are.

use crate::cli::Loaded;
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
