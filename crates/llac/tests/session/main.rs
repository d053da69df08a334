//! Sessions of statements, on samples of known truth.

mod compare;
mod columns;
mod errors;
mod fits;
mod fuzz;
mod host;
mod limits;
