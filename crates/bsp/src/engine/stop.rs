//! A stopped machine, and the reason.

/// The machine was stopped meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// Why a machine was stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StopReason {
    /// The processor that was the cause, if it was one.
    pub processor: Option<usize>,
    pub text: String,
}
