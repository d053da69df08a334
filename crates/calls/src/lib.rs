//! Calls of MPI, as the processes of a run have logged them.
//!
//! Each process has a log of its own. [`Overview`] reads its tables and reports damage; [`Calls`] reads the
//! calls one by one, in memory that does not grow with the log. [`Summary`] sums up many logs.

#![forbid(unsafe_code)]

mod analysis;
mod collective;
mod ends;
mod export;
mod graph;
mod merged;
mod overview;
mod reader;
mod replay;
mod stats;
mod supersteps;
mod unrecorded;
mod waiting;
mod worlds;

use std::borrow::Cow;
use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use cll_trace::layout::call::{Class, Got, NOBODY, Op};
use cll_units::{Bytes, Seconds};

pub use analysis::{Analysis, LastCall, Located, Thread, WaitKind, Waiting};
pub use cll_trace::layout::call::CollectiveKind;
pub use ends::damage_of;
pub use export::{ExportError, calls_csv, calls_json};
pub use graph::{
    Details, Edge, Few, Flow, Graph, Item, Loop, Node, NodeId, Partner, PathNames, Peer,
};
pub use overview::{Lane, Overview, World, holds_calls, of_different_runs, relate};
pub use reader::{Calls, Input, Opener};
pub use replay::{
    Groups, LeftOut, Operation, PlaceOf, RankOperations, SendMode, chrome, goal, otf2,
    time_independent,
};
pub use stats::{
    Account, Activity, ActivityId, ActivityTotal, Critical, Delay, Efficiency, Inside, KindTotal,
    Ledger, Link, Mismatch, OpTotal, OpenRequests, RankTotal, Site, SiteId, SiteLedger, SiteTotal,
    Slices, Summary, Traffic,
};
pub use supersteps::{CallSite, CallSites, Note, Refused, supersteps};
pub use unrecorded::{Unrecorded, unrecorded};
pub use worlds::join;

/// A map whose keys come from no stranger.
pub(crate) type FastMap<K, V> = HashMap<K, V, FxBuildHasher>;

/// A call of MPI.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The thread that made it: its number among those of the process that call MPI.
    pub lane: u32,
    /// Which it is.
    pub op: Op,
    /// The place of the call in the program: a number in the lane's tables.
    pub point: Option<u32>,
    /// The arguments of the call.
    pub what: CallData,
    /// The request that it returned, numbered in the process.
    pub request: Option<u64>,
    /// When it began, since [`Overview::zero_ns`].
    pub start: Seconds,
    /// How long its thread had no core since the call before; `None`: the log does not say it.
    pub off_core: Option<OffCore>,
    /// When it returned; `None` if it had not returned when the log ended. For unsuccessful polls: when the last one
    /// returned.
    pub end: Option<Seconds>,
    /// How many unsuccessful polls it represents, at this place, with nothing but other unsuccessful polls between;
    /// 0: it is one successful call.
    pub unsuccessful: u32,
    /// For unsuccessful polls: the time in them, without the time between them.
    pub inside: Option<Seconds>,
    /// The message that was received, if that is not what was requested.
    pub got: Option<Got>,
    /// The communicator or window that it made.
    pub new: Option<u32>,
    /// The error that it returned, 0 if none.
    pub error: u32,
    /// The requests that it completed.
    pub done: Vec<Done>,
    /// The persistent requests that it started.
    pub started: Vec<Started>,
}

/// How long a thread had no core between two calls. Stretches below [`Overview::watched`] are not looked at: there it is
/// zero. Time between unsuccessful polls counts for the call after them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OffCore {
    /// Time in which it did not run: it slept, or waited for a core.
    pub time: Seconds,
    /// How much of that it was ready to run, so that it waited for a core; `None`: the system did not say it.
    pub ready: Option<Seconds>,
}

/// A request that a call completed.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// The number of the request.
    pub request: u64,
    /// The call that it came from; `None`: that call is not in the log.
    pub origin: Option<RequestOrigin>,
    /// The message that was received, if that is not what was requested.
    pub got: Option<Got>,
    /// Whether it was cancelled.
    pub cancelled: bool,
}

/// A persistent request that a call started.
#[derive(Clone, Debug, PartialEq)]
pub struct Started {
    /// The number of the request.
    pub request: u64,
    /// The call that it came from.
    pub origin: Option<RequestOrigin>,
}

/// A call that returned a request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RequestOrigin {
    /// Which it is.
    pub op: Op,
    /// The arguments of the call.
    pub what: CallData,
    /// When it was begun; for a persistent request, when it was last started.
    pub start: Seconds,
}

/// One side of a message: communicator by its number in the process, partner by its rank there
/// ([`cll_trace::layout::call::ANY`], [`cll_trace::layout::call::NOBODY`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// The communicator's number.
    pub communicator: u32,
    /// Rank of the other one.
    pub partner: i64,
    /// The tag.
    pub tag: i64,
    /// Bytes sent; for a receiver, the size of its buffer.
    pub bytes: Bytes,
}

impl Message {
    /// Bytes that leave the sender; none are sent to `MPI_PROC_NULL`.
    fn leaving(&self) -> Bytes {
        if self.partner == NOBODY { Bytes(0) } else { self.bytes }
    }
}

/// The arguments of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallData {
    /// Begin or end of MPI.
    Life,
    /// A message is sent.
    Send(Message),
    /// One is received.
    Receive(Message),
    /// One is sent, and one received.
    Exchange {
        /// The message that is sent.
        sent: Message,
        /// The message that is received.
        received: Message,
    },
    /// A probe for a message; no bytes.
    Probe(Message),
    /// A wait for requests, a test of them, their start or release.
    Requests {
        /// How many.
        count: u64,
        /// The number of the first.
        first: Option<u64>,
    },
    /// A collective.
    Collective {
        /// The communicator's number.
        communicator: u32,
        /// The rank of the root, if there is one in this process's group.
        root: Option<u32>,
        /// Bytes that this process has to send with any algorithm.
        out: Bytes,
        /// Bytes that have to come to it.
        into: Bytes,
    },
    /// One-sided access.
    Access {
        /// The window's number, if its creation is in the log.
        window: Option<u32>,
        /// Rank of whose memory it is.
        partner: i64,
        /// Bytes put there.
        put: Bytes,
        /// Bytes got from there.
        got: Bytes,
    },
    /// One-sided synchronisation.
    Epoch {
        /// The window's number.
        window: Option<u32>,
        /// Rank of the other one, or [`cll_trace::layout::call::ANY`].
        partner: i64,
    },
    /// A communicator or window is created from this communicator, or this communicator is freed.
    Create {
        /// The number of the communicator.
        communicator: u32,
    },
    /// Input or output.
    File {
        /// The number of the communicator that the file was opened on, if that is in the log.
        communicator: Option<u32>,
        /// Bytes to be written.
        written: Bytes,
        /// Bytes to be read.
        read: Bytes,
    },
}

impl CallData {
    fn new(op: Op, fields: &[i64; 7], first: Option<u64>) -> CallData {
        let message = |start: usize| Message {
            communicator: fields[0] as u32,
            partner: fields[start],
            tag: fields[start + 1],
            bytes: Bytes(fields[start + 2] as u64),
        };
        // Given as its number + 1.
        let window = (fields[0] as u32).checked_sub(1);
        match op.class() {
            Class::Life => CallData::Life,
            Class::Send => CallData::Send(message(1)),
            Class::Receive => CallData::Receive(message(1)),
            Class::Exchange => CallData::Exchange { sent: message(1), received: message(4) },
            Class::Probe => CallData::Probe(message(1)),
            Class::Wait | Class::Request => CallData::Requests { count: fields[0] as u64, first },
            Class::Collective => CallData::Collective {
                communicator: fields[0] as u32,
                root: (fields[1] as u32).checked_sub(1),
                out: Bytes(fields[2] as u64),
                into: Bytes(fields[3] as u64),
            },
            Class::Access => CallData::Access {
                window,
                partner: fields[1],
                put: Bytes(fields[2] as u64),
                got: Bytes(fields[3] as u64),
            },
            Class::Epoch => CallData::Epoch { window, partner: fields[1] },
            Class::Create => CallData::Create { communicator: fields[0] as u32 },
            Class::File => CallData::File {
                communicator: window,
                written: Bytes(fields[1] as u64),
                read: Bytes(fields[2] as u64),
            },
        }
    }
}

impl Call {
    /// The collectives that its process comes to in it, each with the call that the program made for it: the call
    /// itself, and the persistent collectives that it starts, as calls that return a request.
    pub(crate) fn collectives(&self) -> impl Iterator<Item = (Op, Cow<'_, Call>)> {
        let own = (!self.op.is_persistent()).then_some((self.op, Cow::Borrowed(self)));
        let started = self.started.iter().filter_map(|started| {
            let RequestOrigin { op, what, .. } = started.origin?;
            let CallData::Collective { .. } = what else { return None };
            let (request, done) = (Some(started.request), Vec::new());
            let call = Call { op: op.each_start(), what, request, done, ..self.clone() };
            Some((op, Cow::Owned(Call { started: Vec::new(), ..call })))
        });
        own.into_iter().chain(started)
    }

    /// The time in it; for unsuccessful polls, the time in all of them.
    pub fn time(&self) -> Option<Seconds> {
        self.inside.or(self.end.map(|end| (end - self.start).max(Seconds::ZERO)))
    }

    /// Bytes that it sends or writes, and bytes that it has received or reads. Bytes that a request receives count when
    /// the request is complete. If a call has not returned, or has returned an error, no bytes count.
    pub fn bytes(&self) -> (Bytes, Bytes) {
        if self.unsuccessful > 0 || self.end.is_none() || self.error != 0 {
            return (Bytes(0), Bytes(0));
        }
        let actual =
            |message: Message, got: Option<Got>| got.map_or(message.bytes, |got| Bytes(got.bytes));
        let (mut sent, mut received) = match self.what {
            CallData::Send(message) if !self.op.is_persistent() => (message.leaving(), Bytes(0)),
            CallData::Receive(message) if self.request.is_none() => {
                (Bytes(0), actual(message, self.got))
            }
            CallData::Exchange { sent, received } => (sent.leaving(), actual(received, self.got)),
            CallData::Collective { .. } if self.op.is_persistent() => (Bytes(0), Bytes(0)),
            CallData::Collective { out, .. } if self.request.is_some() => (out, Bytes(0)),
            CallData::Collective { out, into, .. } => (out, into),
            CallData::Access { partner, put, got, .. } if partner != NOBODY => (put, got),
            CallData::File { written, read, .. } => (written, read),
            _ => (Bytes(0), Bytes(0)),
        };
        for started in self.started.iter().filter_map(|started| started.origin) {
            sent += match started.what {
                CallData::Send(message) => message.leaving(),
                CallData::Collective { out, .. } => out,
                _ => Bytes(0),
            };
        }
        for done in self.done.iter().filter(|done| !done.cancelled) {
            received += match done.origin.map(|asked| asked.what) {
                Some(CallData::Receive(message)) => actual(message, done.got),
                Some(CallData::Collective { into, .. }) => into,
                _ => Bytes(0),
            };
        }
        (sent, received)
    }
}
