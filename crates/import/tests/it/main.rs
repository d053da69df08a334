//! Tables that other programs wrote.

mod formats;
mod fuzz;
mod growth;
mod tables;
mod wide;
mod written;
mod wrong;
