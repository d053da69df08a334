//! What has not ended where the logs end: calls that have not returned, requests that are not complete.

use std::collections::BTreeMap;

use cll_trace::layout::call::{ANY, NOBODY, Op};

use super::cycle::Waiter;
use super::{Inside, OpenRequests};
use crate::merged::Merged;
use crate::{Analysis, Call, CallData, Message, Overview};

/// A call that has not returned, in words, and the ranks that it needs.
pub(super) fn unreturned(
    (overviews, process): (&[Overview], usize),
    call: &Call,
    analysis: &Analysis<'_>,
    merged: &Merged<'_>,
) -> (Inside, Waiter) {
    let overview = &overviews[process];
    let absent = analysis.absent(process, call.lane);
    let pending = merged.reader(process).pending(call);
    let is_there = |message: &Message, is_sent: bool| {
        if is_sent {
            asks_for(overviews, merged, process, message)
        } else {
            analysis.has_been_sent(process, message)
        }
    };
    let inside = Inside {
        thread: call.lane,
        call: format!("MPI_{}", call.op.name()),
        awaits: awaits(call, overview, &absent),
        point: call.point,
    };
    (inside, Waiter::new(overview, call, &pending, &absent, &is_there))
}

/// The requests of a rank that ended MPI which are not complete, by the calls that made them.
pub(super) fn open_requests(rank: u32, process: usize, merged: &Merged<'_>) -> Vec<OpenRequests> {
    let mut open: BTreeMap<Op, usize> = BTreeMap::new();
    for origin in merged.reader(process).requested() {
        *open.entry(origin.op).or_default() += 1;
    }
    let requests = open.into_iter().map(|(op, requests)| {
        let call = format!("MPI_{}", op.name());
        OpenRequests { rank, call, requests }
    });
    requests.collect()
}

/// Describes the wait of a call that has not returned; `absent` are the ranks that have not arrived at its collective.
fn awaits(call: &Call, overview: &Overview, absent: &[u32]) -> String {
    let rank = |message: &Message| match overview.world_rank(message.communicator, message.partner)
    {
        Some(rank) => format!("rank {rank}"),
        None if message.partner == NOBODY => "nobody".to_owned(),
        None => "any rank".to_owned(),
    };
    let tag = |message: &Message| match message.tag {
        ANY => String::new(),
        tag => format!(" with tag {tag}"),
    };
    match &call.what {
        CallData::Send(message) => format!("to {}{}", rank(message), tag(message)),
        CallData::Receive(message) | CallData::Probe(message) => {
            format!("from {}{}", rank(message), tag(message))
        }
        CallData::Exchange { sent, received } => {
            format!("to {}, from {}{}", rank(sent), rank(received), tag(received))
        }
        CallData::Requests { count, .. } if *count > 1 => format!("for {count} requests"),
        CallData::Collective { .. } if !absent.is_empty() => {
            const SHOWN: usize = 8;
            let shown: Vec<String> = absent.iter().take(SHOWN).map(u32::to_string).collect();
            let more = if absent.len() > SHOWN { ", …" } else { "" };
            let ranks = if absent.len() == 1 { "rank" } else { "ranks" };
            format!("for {ranks} {}{more} to come to it", shown.join(", "))
        }
        _ => String::new(),
    }
}

/// Whether the receiver of a message that a process sends has a request for it that is not complete.
fn asks_for(
    overviews: &[Overview],
    merged: &Merged<'_>,
    process: usize,
    message: &Message,
) -> bool {
    let overview = &overviews[process];
    let Some((own, _)) = overview.rank() else { return false };
    let to = overview.world_rank(message.communicator, message.partner);
    let is_receiver = |other: &Overview| other.rank().map(|(rank, _)| rank) == to;
    let Some(other) = overviews.iter().position(is_receiver) else { return false };
    let key = overview.key(message.communicator);
    merged.reader(other).requested().any(|origin| match origin.what {
        CallData::Receive(asked) => {
            let from = overviews[other].world_rank(asked.communicator, asked.partner);
            overviews[other].key(asked.communicator) == key
                && (asked.partner == ANY || from == Some(own))
                && (asked.tag == ANY || asked.tag == message.tag)
        }
        _ => false,
    })
}
