//! Tests of the crate from outside.

mod files;
mod programs;
mod random;
mod support;
