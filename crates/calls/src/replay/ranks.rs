//! The operations of every rank of a run, read one after the other.

use std::collections::VecDeque;

use cll_trace::TraceError;
use cll_trace::layout::call::Op;

use super::operations::{Operation, Operations};
use super::time_independent::by_rank;
use super::{Groups, LeftOut};
use crate::{Calls, Opener, Overview};

/// The operations of one rank.
pub struct RankOperations<'a> {
    rank: u32,
    calls: Calls<'a>,
    operations: Operations<'a>,
    pending: VecDeque<Operation>,
    unmatched: Option<&'static str>,
}

/// Calls after which a process may wait for others that the log does not name.
fn is_unmatched(op: Op) -> bool {
    let waits =
        matches!(op, Op::Win_lock | Op::Win_lock_all | Op::Win_post | Op::Win_start | Op::Win_wait);
    waits || op.starts_processes()
}

impl<'a> RankOperations<'a> {
    /// Makes the operations of all ranks, in their order. `groups` are those of the same overviews. A collective for
    /// which `stays_one` answers yes, by its call and number of processes, is one operation; others are messages.
    ///
    /// # Errors
    /// If a log cannot be opened.
    pub fn of_all<'l: 'a>(
        overviews: &'a [Overview],
        groups: &'a Groups,
        stays_one: &'a dyn Fn(Op, u32) -> bool,
        open: &mut Opener<'l>,
    ) -> Result<Vec<RankOperations<'a>>, TraceError> {
        let mut all = Vec::new();
        for index in by_rank(overviews) {
            let overview = &overviews[index];
            let Some((rank, _)) = overview.rank() else { continue };
            all.push(RankOperations {
                rank,
                calls: Calls::new(open(index)?, overview),
                operations: Operations::new(overview, groups).with_whole(stays_one),
                pending: VecDeque::new(),
                unmatched: None,
            });
        }
        Ok(all)
    }

    /// The rank in `MPI_COMM_WORLD`.
    pub fn rank(&self) -> u32 {
        self.rank
    }

    /// The next operation; `None` at the end.
    ///
    /// # Errors
    /// If the log cannot be read.
    pub fn next_operation(&mut self) -> Result<Option<Operation>, TraceError> {
        while self.pending.is_empty() {
            let Some(call) = self.calls.next_call()? else { return Ok(None) };
            if is_unmatched(call.op) {
                self.unmatched.get_or_insert(call.op.name());
            }
            self.pending.extend(self.operations.operations(&call));
        }
        Ok(self.pending.pop_front())
    }

    /// The first call so far in which the rank may wait for processes that the log does not name, without `MPI_`.
    pub fn unmatched(&self) -> Option<&'static str> {
        self.unmatched
    }

    /// The numbers of calls and messages that were left out so far.
    pub fn left_out(&self) -> LeftOut {
        self.operations.left_out
    }
}
