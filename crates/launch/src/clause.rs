//! Names of counters in the clauses of programs.

use cll_diagnostic::nearest;
use cll_trace::observable::Observable;

use crate::Error;

/// `: did you mean page-faults?`, or nothing.
pub fn meant(name: &str) -> String {
    let known = Observable::known();
    match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => format!(": did you mean {near}?"),
        None => String::new(),
    }
}

/// Checks the counters in a clause of the program.
///
/// # Errors
/// If one does not exist.
pub fn check_clause(place: &str, names: &[String]) -> Result<(), Error> {
    match names.iter().find(|name| Observable::parse(name).is_none()) {
        None => Ok(()),
        Some(name) => Err(Error::NoCounter {
            place: place.to_owned(),
            name: name.clone(),
            meant: meant(name),
        }),
    }
}
