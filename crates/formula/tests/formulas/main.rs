//! Formulas as a user writes them: what is understood, what is said.

mod cases;
mod compiled;
mod documented;
mod fuzz;
mod large;
mod properties;
mod public;
mod strategy;
mod support;
