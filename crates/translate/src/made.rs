//! Where an experiment without a pragma lies.

/// Where the region of an experiment lies that no pragma opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Made {
    /// Offset where it begins: after the brace of a function, before a loop.
    pub open: usize,
    /// Offset where a loop ends; `None`: the end of the block.
    pub close: Option<usize>,
    /// Offset of the last byte, for its line.
    pub last: usize,
    /// Name of the function.
    pub function: String,
    /// Whether only the outermost of passages within each other is measured.
    pub is_recursive: bool,
    /// The statements in it that end the thread, in order.
    pub thread_ends: Vec<ThreadEnd>,
}

/// A statement that ends the thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ThreadEnd {
    /// Offsets of its first byte, and after its last.
    pub start: usize,
    pub end: usize,
    /// Whether it and code before it need braces.
    pub braces: bool,
}
