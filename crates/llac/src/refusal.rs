//! Why something from outside could not be had.

/// Why something from outside could not be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The message that says what is wrong.
    pub message: String,
    /// Advice on what to do.
    pub help: Vec<String>,
}
