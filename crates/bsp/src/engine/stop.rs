//! That a machine was stopped, and why.

/// The machine was stopped meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// Why a machine was stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StopReason {
    /// The processor on which it was, if it was one.
    pub processor: Option<usize>,
    pub text: String,
}
