//! Machine files, measurements and look-up.

mod fuzz;
mod levels;
mod lookup;
mod measured;
mod memory;
mod reading;
mod round_trip;
