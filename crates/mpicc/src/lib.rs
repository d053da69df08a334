//! C code that is compiled when it is needed for the first time: by an MPI's own compiler, or with a library that need not
//! be there.
//!
//! No Rust is linked with an MPI: code that uses one is in C, since types and constants differ between MPIs. A
//! [`Recipe`] is what to compile; [`Recipe::made_by`] and [`Recipe::compiled_by`] compile it, or find the compiled files.

#![forbid(unsafe_code)]

mod cache;
mod error;
mod find;
mod hash;
mod recipe;

pub use error::NoMpi;
pub use find::find;
pub use hash::hash;
pub use recipe::{Derived, Made, Output, Recipe, Wording};
