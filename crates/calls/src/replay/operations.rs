//! What a rank does, one operation after the other.

use std::collections::{BTreeMap, HashSet};

use cll_trace::layout::call::{ANY, Class, NOBODY};
use cll_trace::meta::Communicator;
use cll_units::{Bytes, Seconds};

use super::LeftOut;
use super::collectives::messages;
use crate::collective::group_of;
use crate::{Call, CallData, Message, Overview};

/// A step of a program for a simulator. Ranks are those in `MPI_COMM_WORLD`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Operation {
    Compute(Seconds),
    Send {
        to: u32,
        bytes: Bytes,
        tag: u64,
        request: Option<u64>,
    },
    Receive {
        from: u32,
        bytes: Bytes,
        tag: u64,
        request: Option<u64>,
    },
    /// For requests of messages.
    Wait(Vec<u64>),
}

/// Tags of messages: those of different communicators differ.
const TAGS: u64 = 1 << 20;

/// The number of each communicator, the same for all ranks.
pub(super) fn numbers(overviews: &[Overview]) -> BTreeMap<String, u64> {
    let mut all = BTreeMap::new();
    for table in overviews.iter().flat_map(|overview| overview.communicators.values()) {
        all.insert(table.key.clone(), 0);
    }
    all.values_mut().zip(0..).for_each(|(number, next)| *number = next);
    all
}

/// Makes operations from the calls of a rank. Calls of several threads are taken as one sequence.
pub(super) struct Operations<'a> {
    overview: &'a Overview,
    numbers: &'a BTreeMap<String, u64>,
    /// Until when the time of the rank is accounted for.
    cursor: Option<Seconds>,
    /// Requests of messages that were written.
    requests: HashSet<u64>,
    pub(super) left_out: LeftOut,
}

impl<'a> Operations<'a> {
    pub(super) fn new(
        overview: &'a Overview,
        numbers: &'a BTreeMap<String, u64>,
    ) -> Operations<'a> {
        let left_out = LeftOut::default();
        Operations { overview, numbers, cursor: None, requests: HashSet::new(), left_out }
    }

    /// The operations of the next call, with the computation before it.
    pub(super) fn of(&mut self, call: &Call) -> Vec<Operation> {
        let mut all = Vec::new();
        let end = call.end.unwrap_or(call.start);
        if let Some(before) = self.cursor.filter(|&before| call.start > before) {
            all.push(Operation::Compute(call.start - before));
        }
        if call.op.class() != Class::Life || call.op.name().starts_with("Init") {
            self.cursor = Some(self.cursor.map_or(end, |before| before.max(end)));
        }
        if call.unsuccessful > 0 || call.error != 0 {
            return all;
        }
        let has_returned = call.end.is_some();
        match call.what {
            CallData::Send(message) if !call.op.is_persistent() => {
                all.extend(self.send(&message, call.request));
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
                let send = self.send(&sent, Some(request));
                let receive = self.receive(&actual(&received, call), None);
                let has_sent = send.is_some();
                all.extend(send.into_iter().chain(receive));
                if has_sent {
                    self.requests.remove(&request);
                    all.push(Operation::Wait(vec![request]));
                }
            }
            CallData::Access { .. } => self.left_out.one_sided += 1,
            CallData::Epoch { .. } if call.op.name() != "Win_fence" => self.left_out.one_sided += 1,
            _ => {}
        }
        if group_of(call).is_some() && has_returned {
            all.extend(self.collective(call));
        }
        for started in &call.started {
            match started.of.map(|origin| origin.what) {
                Some(CallData::Send(message)) => {
                    all.extend(self.send(&message, Some(started.request)));
                }
                Some(CallData::Receive(message)) => {
                    all.extend(self.asked(&message, Some(started.request)));
                }
                _ => {}
            }
        }
        let mut waits = Vec::new();
        for done in call.done.iter().filter(|done| !done.cancelled) {
            if self.requests.remove(&done.request) {
                waits.push(done.request);
            } else if let Some(CallData::Receive(message)) = done.of.map(|origin| origin.what) {
                // Of any rank: only now it is known of which.
                let message = match done.got {
                    Some(got) => Message {
                        partner: got.source,
                        tag: got.tag,
                        bytes: Bytes(got.bytes),
                        ..message
                    },
                    None => message,
                };
                all.extend(self.receive(&message, None));
            }
        }
        if !waits.is_empty() {
            all.push(Operation::Wait(waits));
        }
        all
    }

    /// A request for a message, if its sender and tag are known.
    fn asked(&mut self, message: &Message, request: Option<u64>) -> Option<Operation> {
        match message.partner == ANY || message.tag == ANY {
            true => None,
            false => self.receive(message, request),
        }
    }

    fn tag(&self, communicator: u32, tag: i64) -> u64 {
        let number = self.numbers.get(self.overview.key(communicator)).copied().unwrap_or(0);
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

    fn send(&mut self, message: &Message, request: Option<u64>) -> Option<Operation> {
        let to = self.other(message)?;
        self.requests.extend(request);
        let tag = self.tag(message.communicator, message.tag);
        Some(Operation::Send { to, bytes: message.bytes, tag, request })
    }

    fn receive(&mut self, message: &Message, request: Option<u64>) -> Option<Operation> {
        let from = self.other(message)?;
        self.requests.extend(request);
        let tag = self.tag(message.communicator, message.tag);
        Some(Operation::Receive { from, bytes: message.bytes, tag, request })
    }

    fn collective(&mut self, call: &Call) -> Vec<Operation> {
        let Some(of) = group_of(call) else { return Vec::new() };
        let Some((_, table)) = crate::collective::members(self.overview, of) else {
            return Vec::new();
        };
        let table: &Communicator = table;
        let tag = self.tag(table.id, 0) + TAGS - 1;
        match messages(call, table) {
            Some(found) => {
                let mut all = Vec::new();
                for message in found {
                    let Some(other) = table.world_rank(i64::from(message.other)) else { continue };
                    let (bytes, request) = (message.bytes, None);
                    all.push(match message.is_sent {
                        true => Operation::Send { to: other, bytes, tag, request },
                        false => Operation::Receive { from: other, bytes, tag, request },
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

/// Sends that are followed by a receipt do not wait for it: all processes of a collective may send first.
fn unblocked(mut all: Vec<Operation>) -> Vec<Operation> {
    let mut at = 0;
    while at + 1 < all.len() {
        let is_pair =
            matches!(all[at..at + 2], [Operation::Send { .. }, Operation::Receive { .. }]);
        if is_pair {
            if let Operation::Send { request, .. } = &mut all[at] {
                *request = Some(u64::MAX);
            }
            all.insert(at + 2, Operation::Wait(vec![u64::MAX]));
            at += 2;
        }
        at += 1;
    }
    all
}

fn actual(message: &Message, call: &Call) -> Message {
    match call.got {
        Some(got) => {
            Message { partner: got.source, tag: got.tag, bytes: Bytes(got.bytes), ..*message }
        }
        None => *message,
    }
}
