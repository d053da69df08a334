//! Collectives: which calls are collectives, which processes take part, and which process waits for which.

use cll_trace::meta::Communicator;

use super::{Call, CallData, Overview};

/// How processes of a collective depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollectiveKind {
    /// Each needs all.
    All,
    /// Each process needs data from all others.
    Exchange,
    /// All need the root.
    FromRoot,
    /// The root needs all.
    ToRoot,
    /// Each needs those before it.
    Prefix,
    /// Each needs some that the log does not name.
    Neighbours,
}

impl CollectiveKind {
    /// Of the call of this name, without `MPI_`.
    pub(crate) fn from_name(name: &str) -> CollectiveKind {
        let name = match name.strip_prefix('I') {
            Some(rest) if rest.starts_with(char::is_lowercase) => rest.to_owned(),
            _ => name.to_ascii_lowercase(),
        };
        match name.as_str() {
            "bcast" | "scatter" | "scatterv" => CollectiveKind::FromRoot,
            "gather" | "gatherv" | "reduce" => CollectiveKind::ToRoot,
            "scan" | "exscan" => CollectiveKind::Prefix,
            name if name.starts_with("neighbor") => CollectiveKind::Neighbours,
            name if name.starts_with("alltoall") || name.starts_with("allgather") => {
                CollectiveKind::Exchange
            }
            _ => CollectiveKind::All,
        }
    }

    /// Until when a process waits, if it does: until the last of those that it needs has arrived. `came_s` has the time
    /// of arrival of each, in the order of their numbers; `last_s` is the latest of these.
    pub(crate) fn until(
        self,
        who: usize,
        root: Option<usize>,
        came_s: &[f64],
        last_s: f64,
    ) -> Option<f64> {
        match self {
            CollectiveKind::All | CollectiveKind::Exchange => Some(last_s),
            CollectiveKind::FromRoot => came_s.get(root.filter(|&root| root != who)?).copied(),
            CollectiveKind::ToRoot => Some(last_s).filter(|_| root == Some(who)),
            CollectiveKind::Prefix => came_s.get(..who)?.iter().copied().reduce(f64::max),
            CollectiveKind::Neighbours => None,
        }
    }

    /// Whether a process needs another one; `root` is the number of the root among them.
    pub(crate) fn needs(self, who: usize, whom: usize, root: Option<usize>) -> bool {
        who != whom
            && match self {
                CollectiveKind::All | CollectiveKind::Exchange => true,
                CollectiveKind::FromRoot => Some(whom) == root,
                CollectiveKind::ToRoot => Some(who) == root,
                CollectiveKind::Prefix => whom < who,
                CollectiveKind::Neighbours => false,
            }
    }
}

/// What the processes of a collective have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CollectiveGroup {
    Communicator,
    Window,
    /// Files that were opened on a communicator.
    Files,
}

/// Identifies a collective: the kind of its group, the key of the group, the number of the collective in the group.
pub(crate) type Key = (CollectiveGroup, u64, u64);

/// Calls that all processes of a communicator make together.
const CREATE: [&str; 12] = [
    "Win_create",
    "Win_allocate",
    "Win_allocate_shared",
    "Win_create_dynamic",
    "Comm_dup",
    "Comm_dup_with_info",
    "Comm_split",
    "Comm_split_type",
    "Comm_create",
    "Cart_create",
    "Cart_sub",
    "Graph_create",
];

/// Calls for a file that all processes that opened it make together, and in which they may wait for each other.
fn is_of_all(name: &str) -> bool {
    const ALL: [&str; 6] = [
        "File_open",
        "File_close",
        "File_set_size",
        "File_preallocate",
        "File_set_view",
        "File_sync",
    ];
    let halves = ["_all", "_ordered", "_all_end", "_ordered_end"];
    let is_data = !name.starts_with("File_i") && halves.iter().any(|end| name.ends_with(end));
    ALL.contains(&name) || is_data
}

/// The group of a collective call, with the group's number in the process; `None` if the call is not a collective.
pub(crate) fn group_of(call: &Call) -> Option<(CollectiveGroup, u32)> {
    let name = call.op.name();
    match call.what {
        CallData::Collective { communicator, .. } => {
            Some((CollectiveGroup::Communicator, communicator))
        }
        CallData::Create { communicator }
            if CREATE.contains(&name) || name.starts_with("Dist_graph_create") =>
        {
            Some((CollectiveGroup::Communicator, communicator))
        }
        CallData::Epoch { window: Some(window), .. }
            if ["Win_fence", "Win_free"].contains(&name) =>
        {
            Some((CollectiveGroup::Window, window))
        }
        CallData::File { communicator: Some(communicator), .. } if is_of_all(name) => {
            Some((CollectiveGroup::Files, communicator))
        }
        _ => None,
    }
}

/// The key and the processes of the group of a collective; `None` if the group is not in the log, or has only one
/// process.
pub(crate) fn members(
    overview: &Overview,
    of: (CollectiveGroup, u32),
) -> Option<(u64, &Communicator)> {
    let (key, communicator) = match of {
        (CollectiveGroup::Window, window) => {
            let window = overview.windows.get(&window)?;
            (window.key.as_str(), window.communicator)
        }
        (CollectiveGroup::Communicator | CollectiveGroup::Files, communicator) => {
            (overview.key(communicator), communicator)
        }
    };
    let table = overview.communicators.get(&communicator)?;
    let is_alone = table.size <= 1 && table.remote_size == 0;
    let key = u64::from_str_radix(key, 16).ok()?;
    (!is_alone).then_some((key, table))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_follow_from_names() {
        assert_eq!(CollectiveKind::from_name("Ibcast"), CollectiveKind::FromRoot);
        assert_eq!(CollectiveKind::from_name("Bcast"), CollectiveKind::FromRoot);
        assert_eq!(CollectiveKind::from_name("Igatherv"), CollectiveKind::ToRoot);
        assert_eq!(CollectiveKind::from_name("Iallgatherv"), CollectiveKind::Exchange);
        assert_eq!(CollectiveKind::from_name("Iallreduce"), CollectiveKind::All);
        assert_eq!(CollectiveKind::from_name("Exscan"), CollectiveKind::Prefix);
        assert_eq!(CollectiveKind::from_name("Ineighbor_alltoall"), CollectiveKind::Neighbours);
        assert_eq!(CollectiveKind::from_name("Win_fence"), CollectiveKind::All);
        assert!(
            CollectiveKind::FromRoot.needs(2, 1, Some(1))
                && !CollectiveKind::FromRoot.needs(1, 2, Some(1))
        );
        assert!(
            CollectiveKind::Prefix.needs(2, 1, None) && !CollectiveKind::Prefix.needs(1, 2, None)
        );
    }

    #[test]
    fn a_process_waits_for_the_last_that_it_needs() {
        let came_s = [3.0, 9.0, 1.0, 7.0];
        let kinds = [
            CollectiveKind::All,
            CollectiveKind::Exchange,
            CollectiveKind::FromRoot,
            CollectiveKind::ToRoot,
            CollectiveKind::Prefix,
        ];
        for kind in kinds.into_iter().chain([CollectiveKind::Neighbours]) {
            for root in [None, Some(0), Some(1), Some(2)] {
                for (own, &own_s) in came_s.iter().enumerate() {
                    let needed = (0..4).filter(|&other| kind.needs(own, other, root));
                    let last_s = needed.map(|other| came_s[other]).fold(own_s, f64::max);
                    let until_s = kind.until(own, root, &came_s, 9.0).unwrap_or(own_s);
                    assert_eq!(until_s.max(own_s), last_s, "{kind:?} {own} {root:?}");
                }
            }
        }
    }
}
