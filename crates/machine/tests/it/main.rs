//! Machine files, measurements and look-up.

mod fuzz;
mod lookup;
mod measured;
mod reading;
mod round_trip;
