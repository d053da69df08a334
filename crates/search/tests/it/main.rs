//! Searches on known truth.

mod bad_input;
mod found;
mod kept;
mod suggested;
mod support;
