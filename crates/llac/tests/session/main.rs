//! Sessions of statements, on samples of known truth.

mod bad_data;
mod columns;
mod compare;
mod errors;
mod fits;
mod fuzz;
mod host;
mod limits;
mod pictures;
mod tables;
