//! Pairs of nodes that belong together, and how they were matched.

use schemars::JsonSchema;
use serde::Serialize;

/// How a node was matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It is the same.
    Same,
    /// The node has another file or line.
    Moved,
    /// The node has another name, but the nodes below it are similar.
    Renamed,
    /// The compiler has inlined it into its caller; or the function is gone, and its caller now calls what it called.
    Inlined,
    /// A function that was split into several, or one of these; or a new function that calls what its caller called
    /// before.
    Split,
    /// One of several functions that were joined into one, or the joined function.
    Joined,
    /// Only before.
    Gone,
    /// Only after.
    New,
}

/// A node of either side, or of both.
pub(super) struct Pair {
    pub(super) before: Option<usize>,
    pub(super) after: Option<usize>,
    pub(super) status: Status,
    /// Names of the functions that it was split into, joined with others into, or made of.
    pub(super) with: Vec<String>,
}

impl Pair {
    pub(super) fn both(before: usize, after: usize, status: Status) -> Pair {
        Pair { before: Some(before), after: Some(after), status, with: Vec::new() }
    }

    pub(super) fn only_before(before: usize, status: Status) -> Pair {
        Pair { before: Some(before), after: None, status, with: Vec::new() }
    }

    pub(super) fn only_after(after: usize, status: Status) -> Pair {
        Pair { before: None, after: Some(after), status, with: Vec::new() }
    }
}

/// Nodes of both sides that belong together.
pub(super) type PairedNodes = Vec<(usize, usize, Status)>;
