//! Tables that other programs wrote.

mod fuzz;
mod tables;
