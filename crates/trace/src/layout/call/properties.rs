//! The properties of calls.

/// The class of a call; this determines the fields of its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Begin and end of MPI; no fields.
    Life,
    /// Sends a message: communicator, partner, tag, bytes.
    Send,
    /// Receives a message: the same, bytes are the size of the buffer.
    Receive,
    /// Sends and receives: communicator, partner, tag, bytes sent; partner, tag, size of the
    /// buffer.
    Exchange,
    /// Probes for a message: communicator, partner, tag.
    Probe,
    /// Tests requests or waits for them: how many, and the number of the first if there is one.
    Wait,
    /// Starts, frees or cancels requests: as [`Class::Wait`].
    Request,
    /// A collective: communicator, root + 1 or 0, bytes sent by this process, bytes received by it.
    Collective,
    /// One-sided access: window, partner, bytes put, bytes got.
    Access,
    /// Synchronisation of a window: window, partner.
    Epoch,
    /// Makes or frees a communicator or window: communicator.
    Create,
    /// Input and output: number of the communicator that the file was opened on + 1 or 0, bytes to
    /// write, bytes to read, as requested.
    File,
}

/// How a call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Return {
    /// When its work is done.
    Blocks,
    /// In any case, with the answer.
    Polls,
    /// With a request.
    Begins,
    /// With a persistent request.
    Persists,
}

/// Which way a call moves data, seen from its process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Nowhere.
    Nothing,
    /// To others.
    Out,
    /// From others.
    In,
    /// Both ways.
    Both,
    /// Among the processes of a communicator.
    Among(CollectiveKind),
}

/// The processes that make a call together and may wait for each other in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CollectiveGroup {
    /// Those of a communicator.
    Communicator,
    /// Those of a window.
    Window,
    /// Those that opened files on a communicator.
    Files,
}

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
    /// Until when a process waits, if it does: until the last of those that it needs has arrived.
    /// `came_s` has the time of arrival of each, in the order of their numbers; `last_s` is the
    /// latest of these.
    pub fn until(
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
    pub fn needs(self, who: usize, whom: usize, root: Option<usize>) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_hang_on_the_root_and_the_order() {
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
