//! What logs are made of by hand.

#[path = "../../../trace/tests/support/mod.rs"]
mod traces;

pub use traces::sealed;
