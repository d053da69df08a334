//! The syntax of the language.

mod completeness;
mod errors;
mod fuzz;
mod random;
mod trees;
