//! The syntax of the language.

mod completeness;
mod documented;
mod errors;
mod fuzz;
mod random;
mod trees;
