//! Searches on known truth.

mod bad_input;
mod divided;
mod found;
mod kept;
mod steep;
mod strong_scaling;
mod suggested;
mod support;
mod uneven;
