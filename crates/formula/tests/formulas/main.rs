//! Formulas as a user writes them: what is understood, what is said.

mod notes;
mod refused;
mod support;
mod understood;
