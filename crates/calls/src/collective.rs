//! Collectives: which calls are some, of whom, and who waits for whom in them.

use cll_trace::meta::Communicator;

use super::{Call, Survey, What};

/// How processes of a collective depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Each needs all.
    All,
    /// Each needs something of its own, or all that there is, from all.
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

impl Kind {
    /// Of the call of this name, without `MPI_`.
    pub(crate) fn of(name: &str) -> Kind {
        let name = match name.strip_prefix('I') {
            Some(rest) if rest.starts_with(char::is_lowercase) => rest.to_owned(),
            _ => name.to_ascii_lowercase(),
        };
        match name.as_str() {
            "bcast" | "scatter" | "scatterv" => Kind::FromRoot,
            "gather" | "gatherv" | "reduce" => Kind::ToRoot,
            "scan" | "exscan" => Kind::Prefix,
            name if name.starts_with("neighbor") => Kind::Neighbours,
            name if name.starts_with("alltoall") || name.starts_with("allgather") => Kind::Exchange,
            _ => Kind::All,
        }
    }

    /// Until when a process waits, if it waits for anybody: until the last of those has come whom it needs. `came_s` says when
    /// each came, in the order of their numbers; `last_s` is the latest of these.
    pub(crate) fn until(
        self,
        who: usize,
        root: Option<usize>,
        came_s: &[f64],
        last_s: f64,
    ) -> Option<f64> {
        match self {
            Kind::All | Kind::Exchange => Some(last_s),
            Kind::FromRoot => came_s.get(root.filter(|&root| root != who)?).copied(),
            Kind::ToRoot => Some(last_s).filter(|_| root == Some(who)),
            Kind::Prefix => came_s.get(..who)?.iter().copied().reduce(f64::max),
            Kind::Neighbours => None,
        }
    }

    /// Whether a process needs another one; `root` is the number of the root among them.
    pub(crate) fn needs(self, who: usize, whom: usize, root: Option<usize>) -> bool {
        who != whom
            && match self {
                Kind::All | Kind::Exchange => true,
                Kind::FromRoot => Some(whom) == root,
                Kind::ToRoot => Some(who) == root,
                Kind::Prefix => whom < who,
                Kind::Neighbours => false,
            }
    }
}

/// What a collective is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Of {
    Communicator,
    Window,
    /// Files that were opened on a communicator.
    Files,
}

/// Which collective: of what, the key of that, which of its collectives it is.
pub(crate) type Key = (Of, u64, u64);

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

/// Calls for a file that all make together who have opened it, and in which they may wait for each other.
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

/// What a call is a collective of, by the number of that in its process; `None`: it is none.
pub(crate) fn of(call: &Call) -> Option<(Of, u32)> {
    let name = call.op.name();
    match call.what {
        What::Collective { communicator, .. } => Some((Of::Communicator, communicator)),
        What::Create { communicator }
            if CREATE.contains(&name) || name.starts_with("Dist_graph_create") =>
        {
            Some((Of::Communicator, communicator))
        }
        What::Epoch { window: Some(window), .. } if ["Win_fence", "Win_free"].contains(&name) => {
            Some((Of::Window, window))
        }
        What::File { communicator: Some(communicator), .. } if is_of_all(name) => {
            Some((Of::Files, communicator))
        }
        _ => None,
    }
}

/// Of what a collective is: its key, and who comes to it; `None` where that is not told, or a process is alone.
pub(crate) fn members(survey: &Survey, of: (Of, u32)) -> Option<(u64, &Communicator)> {
    let (key, communicator) = match of {
        (Of::Window, window) => {
            let window = survey.windows.get(&window)?;
            (window.key.as_str(), window.communicator)
        }
        (Of::Communicator | Of::Files, communicator) => (survey.key(communicator), communicator),
    };
    let table = survey.communicators.get(&communicator)?;
    let is_alone = table.size <= 1 && table.remote_size == 0;
    let key = u64::from_str_radix(key, 16).ok()?;
    (!is_alone).then_some((key, table))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_who_needs_whom() {
        assert_eq!(Kind::of("Ibcast"), Kind::FromRoot);
        assert_eq!(Kind::of("Bcast"), Kind::FromRoot);
        assert_eq!(Kind::of("Igatherv"), Kind::ToRoot);
        assert_eq!(Kind::of("Iallgatherv"), Kind::Exchange);
        assert_eq!(Kind::of("Iallreduce"), Kind::All);
        assert_eq!(Kind::of("Exscan"), Kind::Prefix);
        assert_eq!(Kind::of("Ineighbor_alltoall"), Kind::Neighbours);
        assert_eq!(Kind::of("Win_fence"), Kind::All);
        assert!(Kind::FromRoot.needs(2, 1, Some(1)) && !Kind::FromRoot.needs(1, 2, Some(1)));
        assert!(Kind::Prefix.needs(2, 1, None) && !Kind::Prefix.needs(1, 2, None));
    }

    #[test]
    fn a_process_waits_for_the_last_whom_it_needs() {
        let came_s = [3.0, 9.0, 1.0, 7.0];
        let kinds = [Kind::All, Kind::Exchange, Kind::FromRoot, Kind::ToRoot, Kind::Prefix];
        for kind in kinds.into_iter().chain([Kind::Neighbours]) {
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
