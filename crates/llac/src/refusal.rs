//! Why something from outside could not be had.

/// Why something from outside could not be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Vec<String>,
}
