//! Calls that a run has made and its logs do not record.

use std::collections::BTreeMap;

use crate::Overview;

/// A function whose calls are not recorded, and how many there were.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unrecorded {
    /// The name of the function, with `MPI_`.
    pub call: String,
    /// Calls of all ranks.
    pub calls: u64,
}

/// The calls that these logs only count, most first; `None`: a log, of an earlier version, does not count them.
pub fn unrecorded(overviews: &[Overview]) -> Option<Vec<Unrecorded>> {
    let counts = |overview: &Overview| overview.mpi.as_ref().is_none_or(|mpi| mpi.counted);
    if !overviews.iter().all(counts) {
        return None;
    }
    let mut all: BTreeMap<&str, u64> = BTreeMap::new();
    for (name, calls) in overviews.iter().flat_map(|overview| &overview.unrecorded) {
        *all.entry(name).or_default() += calls;
    }
    let to_unrecorded = |(call, calls): (&str, u64)| Unrecorded { call: call.to_owned(), calls };
    let mut all: Vec<Unrecorded> =
        all.into_iter().filter(|&(_, calls)| calls > 0).map(to_unrecorded).collect();
    all.sort_by_key(|unrecorded| std::cmp::Reverse(unrecorded.calls));
    Some(all)
}
