//! Bounds of a statement.

/// Bounds of what a statement may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Calls of functions inside one another.
    pub depth: usize,
    /// Steps: parts of expressions that are evaluated, and rows of columns by the thousand.
    pub steps: u64,
    /// Numbers in a column or list that an expression makes.
    pub numbers: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { depth: 2000, steps: 50_000_000, numbers: 100_000_000 }
    }
}
