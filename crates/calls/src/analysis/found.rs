//! The input of the analysis, and the facts that it finds.

use cll_trace::layout::call::Op;
use cll_units::Seconds;

use crate::Call;

/// A call of one of the processes.
#[derive(Clone, Debug)]
pub struct Located<'a> {
    /// The process: its index among the surveys.
    pub process: usize,
    /// The call.
    pub call: &'a Call,
    /// When it would have begun if nothing had been to transfer ([`LastCall::Needed`] gives it back); any number if that
    /// is not asked for.
    pub ideal: Seconds,
}

/// A thread of a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Thread {
    /// The process: its index among the surveys.
    pub process: usize,
    /// The number of the thread among the threads of the process that call MPI.
    pub lane: u32,
}

/// The kind of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WaitKind {
    /// A receiver: the message was sent later.
    LateSender,
    /// A sender: the message was received later.
    LateReceiver,
    /// Processes that come later to a collective.
    Collective,
    /// Processes that come later to `MPI_Win_fence`, `MPI_Win_free`.
    Fence,
    /// Processes that come later to a call that makes a communicator or window, or that is for a file.
    Together,
    /// One of these, by unsuccessful polls (`MPI_Test`, `MPI_Iprobe`).
    Polling,
}

/// A call that waited. It is found when the call that it waited for is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waiting {
    /// Who waited.
    pub who: Thread,
    /// Number of the call among those of the process, from 0.
    pub call: u64,
    /// Which it is.
    pub op: Op,
    /// The place of the call in the tables of the thread.
    pub point: Option<u32>,
    /// For what.
    pub kind: WaitKind,
    /// How long it waited, of the time in it.
    pub time: Seconds,
    /// The same with the time between unsuccessful polls, if they are a loop that does nothing else.
    pub around: Seconds,
    /// When the call began.
    pub begin: Seconds,
    /// When the wait was over: `until`, or the end of the call if that was before.
    pub over: Seconds,
    /// Until when: then the other one sent, asked for the message, or came to the collective.
    pub until: Seconds,
    /// For whom.
    pub for_whom: Thread,
    /// The end of the wait: when the call returned, or when the call returned that found what it had polled for.
    pub end: Seconds,
}

/// The facts that the last call shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LastCall {
    /// A call waited.
    Waited(Waiting),
    /// A thread could not go on before another one had come to a call, whether it waited or not.
    Needed {
        /// The thread.
        who: Thread,
        /// [`Located::ideal`] of that call.
        ideal: Seconds,
    },
    /// A message: numbers of the calls in their processes. Only if [`Analysis::with_messages`](crate::Analysis::with_messages) asked for it.
    Matched {
        /// The call that sent it.
        from: (Thread, u64),
        /// The call that received it, or that completed the request of its receipt.
        to: (Thread, u64),
        /// When the send began.
        sent: Seconds,
        /// When that call began.
        began: Seconds,
        /// When that call had the message.
        received: Seconds,
    },
    /// A collective: two of the calls in it, the first one in order of ranks and another one; the same condition.
    Joined {
        /// The call of the first process.
        one: (Thread, u64),
        /// The call of another one.
        other: (Thread, u64),
    },
    /// Processes call different collectives in the same place of their order.
    Mismatch {
        /// Thread, collective and place of the first one that came.
        one: (Thread, Op, Option<u32>),
        /// The same of one that came later.
        other: (Thread, Op, Option<u32>),
    },
}
