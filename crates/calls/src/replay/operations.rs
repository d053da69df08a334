//! The operations of a rank, one after the other.

use std::borrow::Cow;
use std::collections::HashSet;

use cll_trace::layout::call::{ANY, Class, CollectiveGroup, CollectiveKind, Got, NOBODY, Op};
use cll_trace::meta::Communicator;
use cll_units::{Bytes, Seconds};

use super::collectives::messages;
use super::groups::{Counts, Uneven};
use super::{Groups, LeftOut};
use crate::collective::group_of;
use crate::waiting::is_loop;
use crate::{Call, CallData, Message, Overview};

/// A step of a rank: what it computes, sends and waits for. Ranks are those in `MPI_COMM_WORLD`.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// Computation.
    Compute(Seconds),
    /// A message leaves the rank.
    Send {
        /// The receiver.
        to: u32,
        /// The size of the message.
        bytes: Bytes,
        /// Messages between two ranks with the same tag are received in the order in which they were sent.
        tag: u64,
        /// How it is sent.
        mode: SendMode,
        /// The request that it returns, if it does not wait.
        request: Option<u64>,
    },
    /// A message comes to the rank.
    Receive {
        /// The sender.
        from: u32,
        /// The size of the message, or of the memory for it.
        bytes: Bytes,
        /// As that of the message.
        tag: u64,
        /// The request that it returns, if it does not wait.
        request: Option<u64>,
    },
    /// For requests of messages.
    Wait(Vec<u64>),
    /// A collective that is not written as messages.
    Collective {
        /// The call.
        op: Op,
        /// The number of its group.
        group: u64,
        /// The number of processes, and of this one among them.
        size: u32,
        /// The number of this process in the group.
        number: u32,
        /// The root's number in the group, if there is one.
        root: Option<u32>,
        /// The bytes that each process sends or receives, for each other one in an `MPI_Alltoall`: the size by which
        /// machines have the times of collectives.
        bytes: Bytes,
    },
}

/// How a message is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SendMode {
    /// By the protocol of its size: `MPI_Send`, `MPI_Rsend`.
    #[default]
    Standard,
    /// It waits for the receiver: `MPI_Ssend`.
    Synchronous,
    /// It never waits: `MPI_Bsend`.
    Buffered,
}

impl From<Op> for SendMode {
    fn from(op: Op) -> SendMode {
        match op.plain() {
            Op::Ssend => SendMode::Synchronous,
            Op::Bsend => SendMode::Buffered,
            _ => SendMode::Standard,
        }
    }
}

/// Tags of messages: those of different communicators differ.
const TAGS: u64 = 1 << 20;

/// Whether a collective of this many processes stays one operation.
type Whole<'a> = &'a dyn Fn(Op, u32) -> bool;

/// Makes operations from the calls of a rank. Calls of several threads are taken as one sequence.
pub(super) struct Operations<'a> {
    overview: &'a Overview,
    groups: &'a Groups,
    /// The counts of this rank so far.
    counts: Counts,
    /// Until when the time of the rank is accounted for.
    cursor: Option<Seconds>,
    /// Requests of messages that were written.
    requests: HashSet<u64>,
    stays_one: Whole<'a>,
    pub(super) left_out: LeftOut,
}

impl<'a> Operations<'a> {
    pub(super) fn new(overview: &'a Overview, groups: &'a Groups) -> Operations<'a> {
        Operations {
            overview,
            groups,
            counts: Counts::default(),
            cursor: None,
            requests: HashSet::new(),
            stays_one: &|_, _| false,
            left_out: LeftOut::default(),
        }
    }

    /// The same with collectives that stay one operation.
    pub(super) fn with_whole(self, stays_one: Whole<'a>) -> Operations<'a> {
        Operations { stays_one, ..self }
    }

    /// The operations of the next call, with the computation before it.
    pub(super) fn operations(&mut self, call: &Call) -> Vec<Operation> {
        let mut all = Vec::new();
        let end = call.end.unwrap_or(call.start);
        if let Some(before) = self.cursor.filter(|&before| call.start > before) {
            all.push(Operation::Compute(call.start - before));
        }
        if call.op.class() != Class::Life || call.op.begins_mpi() {
            self.cursor = Some(self.cursor.map_or(end, |before| before.max(end)));
        }
        if let Some(inside) = call.inside.filter(|_| call.unsuccessful > 0 && !is_loop(call)) {
            // What it computes between polls.
            all.push(Operation::Compute((end - call.start - inside).max(Seconds::ZERO)));
        }
        let groups = self.groups;
        let collectives = call.collectives().map(|(_, collective)| collective);
        let collectives: Vec<(Cow<'_, Call>, Option<Uneven<'_>>)> = collectives
            .filter(|collective| group_of(collective).is_some())
            .map(|collective| {
                let uneven = groups.uneven(self.overview, &collective, &mut self.counts);
                (collective, uneven)
            })
            .collect();
        if call.unsuccessful > 0 || call.error != 0 {
            return all;
        }
        let has_returned = call.end.is_some();
        match call.what {
            CallData::Send(message) if !call.op.is_persistent() => {
                all.extend(self.send(&message, call.op, call.request));
            }
            CallData::Receive(message) if call.request.is_none() && has_returned => {
                all.extend(self.receive(&actual(&message, call), None));
            }
            CallData::Receive(message) if !call.op.is_persistent() && call.request.is_some() => {
                all.extend(self.asked(&message, call.request));
            }
            CallData::Exchange { sent, received } if has_returned => {
                // Neither waits for the other.
                let request = u64::MAX;
                let send = self.send(&sent, call.op, Some(request));
                let receive = self.receive(&actual(&received, call), None);
                let has_sent = send.is_some();
                all.extend(send.into_iter().chain(receive));
                if has_sent {
                    self.requests.remove(&request);
                    all.push(Operation::Wait(vec![request]));
                }
            }
            CallData::Access { .. } => self.left_out.one_sided += 1,
            CallData::Epoch { .. } if call.op != Op::Win_fence => self.left_out.one_sided += 1,
            _ => {}
        }
        for (collective, uneven) in collectives.into_iter().filter(|_| has_returned) {
            all.extend(self.collective(&collective, uneven));
        }
        for started in &call.started {
            match started.origin.map(|origin| (origin.op, origin.what)) {
                Some((op, CallData::Send(message))) => {
                    all.extend(self.send(&message, op, Some(started.request)));
                }
                Some((_, CallData::Receive(message))) => {
                    all.extend(self.asked(&message, Some(started.request)));
                }
                _ => {}
            }
        }
        let mut waits = Vec::new();
        for done in call.done.iter().filter(|done| !done.cancelled) {
            if self.requests.remove(&done.request) {
                waits.push(done.request);
            } else if let Some(CallData::Receive(message)) = done.origin.map(|origin| origin.what) {
                // Of any rank: only now it is known of which.
                all.extend(self.receive(&of_got(&message, done.got), None));
            }
        }
        if !waits.is_empty() {
            all.push(Operation::Wait(waits));
        }
        all
    }

    /// A request for a message, if its sender and tag are known.
    fn asked(&mut self, message: &Message, request: Option<u64>) -> Option<Operation> {
        if message.partner == ANY || message.tag == ANY {
            None
        } else {
            self.receive(message, request)
        }
    }

    fn tag(&self, communicator: u32, tag: i64) -> u64 {
        let number = self.groups.number(self.overview.key(communicator));
        number * TAGS + u64::try_from(tag).unwrap_or(0) % (TAGS - 1)
    }

    fn other(&mut self, message: &Message) -> Option<u32> {
        if message.partner == NOBODY {
            return None;
        }
        let other = self.overview.world_rank(message.communicator, message.partner);
        self.left_out.outside += u64::from(other.is_none());
        other
    }

    fn send(&mut self, message: &Message, op: Op, request: Option<u64>) -> Option<Operation> {
        let to = self.other(message)?;
        self.requests.extend(request);
        let tag = self.tag(message.communicator, message.tag);
        let mode = SendMode::from(op);
        Some(Operation::Send { to, bytes: message.bytes, tag, mode, request })
    }

    fn receive(&mut self, message: &Message, request: Option<u64>) -> Option<Operation> {
        let from = self.other(message)?;
        self.requests.extend(request);
        let tag = self.tag(message.communicator, message.tag);
        Some(Operation::Receive { from, bytes: message.bytes, tag, request })
    }

    fn collective(&mut self, call: &Call, uneven: Option<Uneven<'_>>) -> Vec<Operation> {
        let Some(group) = group_of(call) else { return Vec::new() };
        let Some((_, table)) = crate::collective::members(self.overview, group) else {
            return Vec::new();
        };
        let table: &Communicator = table;
        if table.remote_size == 0 && (self.stays_one)(call.op, table.size) {
            return vec![self.as_one(call, group, table)];
        }
        let tag = self.tag(table.id, 0) + TAGS - 1;
        match messages(call, table, uneven) {
            Some(parts) => {
                let mut all = Vec::new();
                for message in parts {
                    let Some(other) = table.world_rank(i64::from(message.other)) else { continue };
                    let (bytes, request) = (message.bytes, None);
                    all.push(if message.is_sent {
                        let mode = SendMode::Standard;
                        Operation::Send { to: other, bytes, tag, mode, request }
                    } else {
                        Operation::Receive { from: other, bytes, tag, request }
                    });
                }
                unblocked(all)
            }
            None => {
                self.left_out.collectives += 1;
                Vec::new()
            }
        }
    }
}

/// A group's number: of a communicator, of its files, of a window.
const GROUPS: u64 = 4;

impl Operations<'_> {
    fn as_one(
        &self,
        call: &Call,
        group_id: (CollectiveGroup, u32),
        table: &Communicator,
    ) -> Operation {
        let (root, out, into) = match call.what {
            CallData::Collective { root, out, into, .. } => (root, out.get(), into.get()),
            _ => (None, 0, 0),
        };
        let others = u64::from(table.size.max(2) - 1);
        let plain = call.op.plain();
        let bytes = Bytes(match call.op.collective_kind() {
            CollectiveKind::Exchange if matches!(plain, Op::Allgather | Op::Allgatherv) => out,
            CollectiveKind::Exchange => out / others,
            CollectiveKind::FromRoot | CollectiveKind::ToRoot
                if root == Some(table.rank) && !matches!(plain, Op::Bcast | Op::Reduce) =>
            {
                out.max(into) / others
            }
            _ => out.max(into),
        });
        let number = self.groups.number(&table.key);
        let group = match group_id.0 {
            CollectiveGroup::Communicator => number * GROUPS,
            CollectiveGroup::Files => number * GROUPS + 1,
            CollectiveGroup::Window => number * GROUPS + 2,
        };
        let (size, number) = (table.size, table.rank);
        Operation::Collective { op: call.op, group, size, number, root, bytes }
    }
}

/// Sends that are followed by a receipt do not wait for it: all processes of a collective may send first.
fn unblocked(mut all: Vec<Operation>) -> Vec<Operation> {
    let mut index = 0;
    while index + 1 < all.len() {
        let is_pair =
            matches!(all[index..index + 2], [Operation::Send { .. }, Operation::Receive { .. }]);
        if is_pair {
            if let Operation::Send { request, .. } = &mut all[index] {
                *request = Some(u64::MAX);
            }
            all.insert(index + 2, Operation::Wait(vec![u64::MAX]));
            index += 2;
        }
        index += 1;
    }
    all
}

/// The message that a call received.
pub(super) fn actual(message: &Message, call: &Call) -> Message {
    of_got(message, call.got)
}

/// The message that was received, for what was asked for.
pub(super) fn of_got(message: &Message, got: Option<Got>) -> Message {
    match got {
        Some(got) => {
            Message { partner: got.source, tag: got.tag, bytes: Bytes(got.bytes), ..*message }
        }
        None => *message,
    }
}
