//! What logs are made of by hand.

#[path = "../../../trace/tests/it/support.rs"]
mod traces;

pub use traces::sealed;
