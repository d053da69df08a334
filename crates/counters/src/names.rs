//! Names of counters as users write them.

use cll_trace::observable::Observable;

use super::is_simulated;
use crate::Wanted;
use cll_files::failure::Failure;
pub use cll_launch::check_clause;
use cll_launch::meant;

/// The observables named by the options, each once.
///
/// # Errors
/// If one does not exist, or exists in a simulation only.
pub fn names(options: &Wanted<'_>) -> Result<Vec<String>, Failure> {
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

pub(super) fn only_simulated(name: &str) -> Failure {
    Failure::usage(format!("{name} is counted in a simulation only"))
        .help("--simulate-caches runs the program in a simulation")
}

/// The observable of this name.
///
/// # Errors
/// If there is none; the message has a similar name.
pub fn named(name: &str) -> Result<Observable, Failure> {
    Observable::parse(name).ok_or_else(|| {
        let failure = Failure::usage(format!("there is no counter {name}{}", meant(name)));
        failure.help("cll counters lists them; PAPI's events are papi::NAME, or PAPI_…")
    })
}
