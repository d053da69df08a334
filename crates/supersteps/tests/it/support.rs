//! Makes logs by hand.

#[path = "../../../trace/tests/it/support.rs"]
mod traces;

pub use traces::sealed;
