//! Details of calls, for a model of the program.

use cll_trace::layout::call::{ANY, NOBODY};

use super::node::{Details, Peer};
use crate::collective::group_of;
use crate::{Call, CallData, Message, Overview};

/// The facts about a process that are remembered while its calls are read.
#[derive(Debug, Default)]
pub(super) struct Remembered {
    /// Requests that are not complete.
    pending: u64,
    /// The rank that sent the last message from any rank.
    last_source: Option<u32>,
}

impl Remembered {
    /// The details of the next call.
    pub(super) fn details(&mut self, overview: &Overview, call: &Call) -> Details {
        let errors = u64::from(call.error != 0);
        let mut details = Details { began: call.start, errors, ..Details::default() };
        let (sent, received) = call.bytes();
        (details.sent, details.received) = (sent.get(), received.get());
        let peer = |message: &Message| match message.partner {
            NOBODY => Peer::Nobody,
            ANY => Peer::Any,
            rank => {
                overview.world_rank(message.communicator, rank).map_or(Peer::Nobody, Peer::Rank)
            }
        };
        let mut posted = u64::from(call.request.is_some() && !call.op.is_persistent());
        match &call.what {
            CallData::Send(message) if !call.op.is_persistent() => details.to.push(peer(message)),
            CallData::Receive(message) if !call.op.is_persistent() => {
                details.from.push(peer(message));
            }
            CallData::Probe(message) => details.from.push(peer(message)),
            CallData::Exchange { sent, received } => {
                details.to.push(peer(sent));
                details.from.push(peer(received));
            }
            CallData::Requests { .. } => posted = 0,
            _ => {}
        }
        for started in &call.started {
            posted += 1;
            match started.origin.map(|origin| origin.what) {
                Some(CallData::Send(message)) => details.to.push(peer(&message)),
                Some(CallData::Receive(message)) => details.from.push(peer(&message)),
                _ => {}
            }
        }
        let reply = |to: &Peer| Some(*to) == self.last_source.map(Peer::Rank);
        details.replies = details.to.iter().filter(|to| reply(to)).count() as u64;
        self.remember_source(overview, call);
        details.done = call.done.len() as u64;
        self.pending = (self.pending + posted).saturating_sub(details.done);
        details.done_all = u64::from(details.done > 0 && self.pending == 0);
        let group = call.collectives().find_map(|(_, call)| group_of(&call));
        if let Some((_, table)) =
            group.and_then(|group_id| crate::collective::members(overview, group_id))
        {
            // What returns a request is waited for elsewhere.
            if call.request.is_none() && call.started.is_empty() {
                details.collective = Some(call.op.collective_kind());
            }
            let all = overview.rank().map_or(0, |(_, all)| all);
            let members = (0..table.size).filter_map(|rank| table.world_rank(i64::from(rank)));
            details.members = members.collect();
            details.members.sort_unstable();
            if details.members.len() == all as usize {
                details.members.clear();
            }
        }
        details
    }

    /// Remembers of which rank a message from any rank was.
    fn remember_source(&mut self, overview: &Overview, call: &Call) {
        let received = match (&call.what, call.got) {
            (CallData::Receive(message) | CallData::Probe(message), Some(got)) => {
                Some((*message, got))
            }
            (CallData::Exchange { received, .. }, Some(got)) => Some((*received, got)),
            _ => None,
        };
        let done = call.done.iter().filter_map(|done| match (done.origin?.what, done.got?) {
            (CallData::Receive(message), got) => Some((message, got)),
            _ => None,
        });
        for (message, got) in received.into_iter().chain(done) {
            if message.partner == ANY {
                self.last_source = overview.world_rank(message.communicator, got.source);
            }
        }
    }
}
