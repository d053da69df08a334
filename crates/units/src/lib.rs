//! Numbers with their unit as a type.
//!
//! Each type is a number in memory and in JSON. `Seconds(0.5)` makes one, `get` gives the plain number, for loops
//! that are hot and for printing. Only the arithmetic that makes sense is defined: two times have a sum and a
//! ratio, but no product.
//!
//! Why: decision 0093. [`text`] has these numbers as people read them.

#![forbid(unsafe_code)]

mod count;
pub mod digits;
mod seconds;
pub mod text;
mod written;

pub use count::{Bytes, ProcessorId, SuperstepNumber, Ticks};
pub use seconds::Seconds;
pub use written::{multiplied, multiplier, share, time_unit};
