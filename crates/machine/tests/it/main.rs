//! Machine files, measurements and look-up.

mod fuzz;
mod levels;
mod lookup;
mod measured;
mod memory;
mod message_passing;
mod reading;
mod round_trip;
