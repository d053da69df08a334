//! Machine files, measurements and look-up.

mod fuzz;
mod levels;
mod lookup;
mod measured;
mod reading;
mod round_trip;
