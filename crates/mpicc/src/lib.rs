//! C that an MPI's own compiler compiles when it is needed for the first time.
//!
//! No Rust is linked with an MPI: what is needed of one is C, since types and constants differ between MPIs. A
//! [`Recipe`] is what to compile; [`Recipe::made_by`] compiles it, or finds that it was.

#![forbid(unsafe_code)]

mod cache;
mod error;
mod find;
mod hash;
mod recipe;

pub use error::NoMpi;
pub use find::find;
pub use hash::hash;
pub use recipe::{Made, Output, Recipe};
