//! Formulas as users write them, and the diagnostics.

mod cases;
mod compiled;
mod documented;
mod fuzz;
mod large;
mod properties;
mod public;
mod strategy;
mod support;
