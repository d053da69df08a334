//! Names of counters as users write them.

use cll_trace::observable::Observable;

use super::is_simulated;
use crate::Error;
use crate::Wanted;
pub use cll_launch::check_clause;
use cll_launch::meant;

/// The observables named by the options, each once.
///
/// # Errors
/// If one does not exist, or exists in a simulation only.
pub fn names(options: &Wanted<'_>) -> Result<Vec<String>, Error> {
    let mut names: Vec<String> = Vec::new();
    let asked = options.counters.iter().map(|name| name.trim());
    for name in asked.filter(|name| !name.is_empty()) {
        let observable = named(name)?;
        if is_simulated(&observable.name) {
            return Err(only_simulated(name));
        }
        if !names.contains(&observable.name) {
            names.push(observable.name);
        }
    }
    Ok(names)
}

pub(super) fn only_simulated(name: &str) -> Error {
    Error::OnlySimulated(name.to_owned())
}

/// The observable of this name.
///
/// # Errors
/// If there is none; the message has a similar name.
pub fn named(name: &str) -> Result<Observable, Error> {
    Observable::parse(name)
        .ok_or_else(|| Error::Unknown { name: name.to_owned(), meant: meant(name) })
}
