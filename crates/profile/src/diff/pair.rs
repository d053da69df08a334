//! Pairs of nodes that belong together, and how they were matched.

use serde::Serialize;

/// How a node was matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It is the same.
    Same,
    /// Its file or its line is another.
    Moved,
    /// Its name is another: what is below it is similar.
    Renamed,
    /// The compiler has put it into its caller; or the function is gone, and what it called is called by its caller.
    Inlined,
    /// A function of which several were made, or one of these; or a new one, which calls what its caller called
    /// before.
    Split,
    /// One of several functions of which one was made, or that one.
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
pub(super) type Found = Vec<(usize, usize, Status)>;
