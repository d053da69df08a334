//! What logs are made of by hand.
#![allow(dead_code)] // each test file uses its part

pub mod ranks;
#[path = "../../../../trace/tests/it/support.rs"]
mod traces;

pub use traces::sealed;
