//! The calls of MPI of a page: waiting by kind in columns, and the statistics of the run.

use cll_profile::Summary;
use cll_units::Seconds;

use super::columns::Columns;
use crate::mpi::MpiStats;

/// Waiting of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeWaits {
    /// The name of the kind, as in [`crate::MpiWait`].
    pub kind: &'static str,
    /// The waiting of each node of the tree, over the ranks, seconds.
    pub nodes: Vec<Summary>,
}

/// Calls of MPI on a page.
#[derive(Debug)]
pub struct PageCalls<'a> {
    /// As `cll mpi stats` has them.
    pub stats: &'a MpiStats,
    /// Empty if the tree is one of supersteps.
    pub waits: &'a [NodeWaits],
    /// The length of a slice, if the page has slices of equal length in place of supersteps.
    pub slice: Option<Seconds>,
    /// Notes that readers should know.
    pub notes: &'a [String],
}

/// Columns of waiting by kind.
pub(super) fn waits(by_kind: &[NodeWaits], columns: &mut Columns) -> Vec<&'static str> {
    for (index, waits) in by_kind.iter().enumerate() {
        columns.f64(format!("t.wait{index}.max"), waits.nodes.iter().map(|node| node.maximum));
        columns.f64(format!("t.wait{index}.avg"), waits.nodes.iter().map(|node| node.average));
        columns.f64(format!("t.wait{index}.min"), waits.nodes.iter().map(|node| node.minimum));
    }
    by_kind.iter().map(|waits| waits.kind).collect()
}

/// The statistics of a run: its JSON is the head, and there are no columns.
pub fn statistics_columns(stats: &MpiStats) -> Vec<u8> {
    Columns::default().finish(stats)
}
