//! What is to be inserted, gathered over the variants of a file.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use cll_diagnostic::Diagnostic;

use crate::marks::MarkId;

/// Insertions by place in the source. Frames are named by the pragma that
/// opens their region or loop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edits {
    /// Frames declared behind the `{` that ends at the offset.
    pub blocks: BTreeMap<usize, BTreeSet<MarkId>>,
    /// Statements that a brace is opened before, with the frames declared in it.
    pub wraps: BTreeMap<(usize, Reverse<usize>), BTreeSet<MarkId>>,
    /// Jumps by their first byte.
    pub jumps: BTreeMap<usize, Leaving>,
    /// What becomes of each pragma.
    pub lines: BTreeMap<MarkId, Code>,
    /// Closing braces behind statements: where, and where they were opened.
    pub closers: BTreeSet<(usize, usize)>,
    /// The closing pragma of each opening one.
    pub ends: BTreeMap<MarkId, MarkId>,
    /// The function that each opening pragma stands in.
    pub functions: BTreeMap<MarkId, String>,
}

/// A jump out of regions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Leaving {
    /// Behind the jump's last byte.
    pub end: usize,
    /// Whether braces must hold the jump and what comes before it. In a block
    /// they would change the code of some unreachable jumps (GCC 12, `-ansi -O3`).
    pub braces: bool,
    /// The regions to close before, from the inside outwards.
    pub regions: Vec<MarkId>,
}

/// What stands in place of a pragma.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Code {
    /// Opens a brace first.
    pub brace: bool,
    /// Declares the region's frame within that brace.
    pub frame: bool,
    /// Opens or closes what the mark says; `None`: a comment and no more.
    pub act: Option<Act>,
    /// How many braces it closes.
    pub closes: usize,
}

/// What a pragma does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// Opens its own region or loop, or reports.
    Open,
    /// Closes the region or loop of that pragma.
    Close(MarkId),
}

impl Edits {
    /// Sets what stands in place of pragma `mark`, and complains if another
    /// variant said otherwise.
    pub(crate) fn line(
        &mut self,
        mark: MarkId,
        span: std::ops::Range<usize>,
        code: Code,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        if let Some(known) = self.lines.get(&mark) {
            if *known != code {
                diagnostics.push(conflict(span));
            }
            return;
        }
        self.lines.insert(mark, code);
    }

    /// Sets which regions are closed before the jump at `start`.
    pub(crate) fn jump(&mut self, start: usize, leaving: Leaving, said: &mut Vec<Diagnostic>) {
        match self.jumps.get(&start) {
            Some(known) if *known != leaving => said.push(conflict(start..leaving.end)),
            Some(_) => {}
            None => {
                self.jumps.insert(start, leaving);
            }
        }
    }
}

fn conflict(span: std::ops::Range<usize>) -> Diagnostic {
    Diagnostic::error(
        "T016",
        span,
        "this belongs to different regions, depending on a conditional group",
    )
    .help("put both lines of a region into the same branch of `#if` … `#else` … `#endif`")
}
