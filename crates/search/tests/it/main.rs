//! Searches on known truth.

mod bad_input;
mod divided;
mod found;
mod kept;
mod suggested;
mod support;
mod uneven;
