//! Searches on known truth.

mod bad_input;
mod found;
mod support;
