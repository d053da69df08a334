//! Programs that send messages, and how long they take: the longest path through their graph.
//!
//! The graph is the DP\*Graph of Li as used by Laine, Midorikawa, Sato, Ching (2003). Where the paper adds the segments of
//! the master, here a receive ends after both its own beginning and that of the send that it matches, and a collective
//! after those that it needs. With messages that are all sent before a barrier this is the recurrence of
//! [`Evaluator`](crate::Evaluator).

mod channel;
mod walk;

pub use walk::{Path, Spent, longest_path};

/// A step of a process.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Computation, then a call.
    Call(Box<CallStep>),
    /// Steps that repeat.
    Repeat {
        /// How often.
        passages: Passages,
        /// Which.
        body: Vec<Step>,
    },
}

/// How often steps repeat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Passages {
    /// So often. Of a part of a passage, one more is made as soon as the parts are a whole one.
    Times(f64),
    /// Until the passages of this number that processes have in common are used up: a process that comes to its next one
    /// takes one of them. So tasks are given to whoever is free.
    Common(usize),
}

/// A call, with the computation before it. Costs are of one passage, in seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallStep {
    /// A number of its own in the process, from 0 without gaps.
    pub node: usize,
    /// The computation before it: number of the source, and seconds.
    pub computed: Cost,
    /// The time in the call if it waits for another process, without the wait.
    pub waited: Cost,
    /// The time in the call if it does not wait.
    pub direct: Cost,
    /// The action of the call.
    pub action: Action,
    /// Whether its computation may begin when the process has last waited for others, beside what the process does since
    /// then.
    pub is_beside: bool,
}

/// Seconds of one source. Sources are numbered from 0 in the whole program.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// The number of the source.
    pub source: usize,
    /// Seconds.
    pub seconds: f64,
}

/// Whom a process communicates with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    /// This process.
    Process(usize),
    /// Any: the message that was sent first.
    Any,
    /// The process of which the last message from any was.
    LastSource,
    /// None.
    Nobody,
}

/// The action of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Action {
    /// Receivers of its messages in the order of passages, from the beginning again after the last one.
    pub to: Vec<Peer>,
    /// Senders, in the same way.
    pub from: Vec<Peer>,
    /// Whether it only begins its messages.
    pub is_begun: bool,
    /// Whether a send is complete only when its receiver has asked for it.
    pub is_rendezvous: bool,
    /// Whether a message that is found is left where it is (`MPI_Probe`).
    pub is_probe: bool,
    /// Which requests it completes.
    pub completes: Completes,
    /// It is a collective.
    pub collective: Option<Collective>,
}

/// Requests that a call completes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Completes {
    /// None.
    #[default]
    None,
    /// All that the process has.
    All,
    /// So many of the oldest.
    Oldest(usize),
}

/// A collective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collective {
    /// The processes of the collective in ascending order; empty: all.
    pub members: Vec<usize>,
    /// Who needs whom.
    pub needs: Needs,
}

/// Whom the processes of a collective need to have come to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Each needs all.
    All,
    /// All need the root: a process.
    Root(usize),
    /// The root needs all.
    AtRoot(usize),
    /// Each needs those before it.
    Before,
    /// None is known.
    None,
}

#[cfg(test)]
mod tests;
