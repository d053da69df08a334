//! The variables of the environment: their values and their page.

#![forbid(unsafe_code)]

mod page;
mod values;
