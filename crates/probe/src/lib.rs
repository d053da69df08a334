//! Measures what `cll machine probe` reports: [`supersteps`], memory and operations by the [`analyzer`], and the
//! primitives of [`mpi`]. Programs in C (`probes/`) are compiled like a user's, launched in rounds, and print samples.
//! [`accesses`] are those of a user's program.

#![forbid(unsafe_code)]

pub mod accesses;
pub mod analyzer;
mod error;
pub mod mpi;
mod round_clock;
pub mod supersteps;

pub use error::Error;

/// Seconds of the messages between two processors that were timed before and after launches.
pub fn messages(seen: &[cll_launch::machine_state::MachineObservation]) -> Vec<f64> {
    seen.iter().flat_map(|observation| &observation.messages_ns).map(|ns| 1e-9 * ns).collect()
}

/// Shows the user what is being measured.
pub trait Progress {
    /// The round, from 0, the seconds that are left, and what is measured.
    fn say(&mut self, round: usize, left: f64, what: &str);
}
