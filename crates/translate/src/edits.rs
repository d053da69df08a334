//! Text to insert, collected over the variants of a file.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use cll_diagnostic::Diagnostic;

use crate::language::Value;
use crate::made::ThreadEnd;
use crate::marks::MarkId;

/// Insertions by their position in the source. A frame is identified by the pragma that opens its
/// region or loop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edits {
    /// Frames declared after the `{` that ends at the offset.
    pub blocks: BTreeMap<usize, BTreeSet<MarkId>>,
    /// Statements before which a brace is opened, with the frames declared in it.
    pub wraps: BTreeMap<(usize, Reverse<usize>), BTreeSet<MarkId>>,
    /// Jumps by the offset of their first byte.
    pub jumps: BTreeMap<usize, JumpOut>,
    /// The code for each pragma.
    pub lines: BTreeMap<MarkId, Code>,
    /// Closing braces after statements: their positions, and those of the opening braces.
    pub closers: BTreeSet<(usize, usize)>,
    /// The closing pragma for each opening one.
    pub ends: BTreeMap<MarkId, MarkId>,
    /// Values that experiments without a formula may save, by the pragma that opens them.
    pub candidates: BTreeMap<MarkId, Vec<Value>>,
    /// The function that contains each opening pragma.
    pub functions: BTreeMap<MarkId, String>,
}

/// A jump out of regions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JumpOut {
    /// Offset after the jump's last byte.
    pub end: usize,
    /// Whether the jump and the code before it need braces. In a block, braces would change the
    /// code of some unreachable jumps (GCC 12, `-ansi -O3`).
    pub braces: bool,
    /// The regions to close before it, from the inside outwards.
    pub regions: Vec<MarkId>,
}

/// The code that replaces a pragma.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Code {
    /// Whether it opens a brace first.
    pub brace: bool,
    /// Whether it declares the region's frame inside that brace.
    pub frame: bool,
    /// The action; `None`: the code is only a comment.
    pub act: Option<Act>,
    /// Number of braces that it closes.
    pub closes: usize,
}

/// The action of a pragma.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// Opens its own region or loop, or reports.
    Open,
    /// Closes the region or loop of that pragma.
    Close(MarkId),
}

impl Edits {
    /// Sets the code that replaces pragma `mark`, and reports if another variant had different
    /// code.
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
    pub(crate) fn jump(
        &mut self,
        start: usize,
        leaving: JumpOut,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        match self.jumps.get(&start) {
            Some(known) if *known != leaving => diagnostics.push(conflict(start..leaving.end)),
            Some(_) => {}
            None => {
                self.jumps.insert(start, leaving);
            }
        }
    }

    /// Closes the region of `mark`, which no pragma opens, before a statement that ends the thread.
    pub(crate) fn leave_made(&mut self, mark: MarkId, thread_end: &ThreadEnd) {
        let leaving =
            JumpOut { end: thread_end.end, braces: thread_end.braces, regions: Vec::new() };
        let known = self.jumps.entry(thread_end.start).or_insert(leaving);
        // Pragmas are numbered in the order of their begins: the innermost has the largest number.
        known.regions.push(mark);
        known.regions.sort_by_key(|&mark| Reverse(mark));
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
