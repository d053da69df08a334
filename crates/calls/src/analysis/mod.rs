//! Waiting, separately from transfer, from the logs of all processes.
//!
//! The reason for a wait is known if both sides are in the logs and have one clock (one host): a receiver waits until
//! the message was sent, a sender until its receipt was requested if it returned only after that, and a process that
//! arrives early at a collective for those that arrive late, if it needs them (`collective`). Unsuccessful polls wait
//! for the same as the call that ends them (`waiting`). All other time in a call counts as transfer. It may include
//! waits inside the MPI that no log shows.

mod found;
mod gatherings;

use std::collections::VecDeque;

use crate::FastMap as HashMap;

use cll_trace::layout::call::{ANY, Got, NOBODY, Op};
use cll_trace::meta;
use cll_units::{Bytes, Seconds};

use super::collective::{self, CollectiveKey};
use super::waiting::{KEPT, Poll, Polls, Span};
use super::{Call, CallData, Message, Overview, RequestOrigin};

use gatherings::Gathering;

pub use found::{LastCall, Located, Thread, WaitKind, Waiting};

/// The largest number of pending sends among which that of a request is looked for.
const SEARCHED: usize = 256;

/// The cores of one host read the same time, but for less than this.
const CLOCK_ERROR_S: f64 = 20e-6;

/// Channels without a message in them that are kept, since they will probably be used again.
const IDLE_CHANNELS: usize = 1 << 12;

/// Matches the two sides of messages and collectives. Only those with a missing side are kept in memory.
#[derive(Debug)]
pub struct Analysis<'s> {
    overviews: &'s [Overview],
    /// Index of the survey, by rank.
    ranks: HashMap<u32, usize>,
    /// By process and number: key and table of a communicator.
    communicators: Vec<HashMap<u32, (u64, &'s meta::Communicator)>>,
    channels: HashMap<Channel, Pending>,
    collectives: HashMap<CollectiveKey, Gathering>,
    /// How many collectives a process has begun, for each communicator, window or file.
    counts: HashMap<(usize, (collective::CollectiveGroup, u32)), u64>,
    /// Collectives that were begun by requests.
    requested: HashMap<(usize, u64), CollectiveKey>,
    /// The last collective that each thread has called, and the number of its communicator.
    last: HashMap<(usize, u32), (CollectiveKey, u32)>,
    /// By process.
    polls: Vec<Polls>,
    /// The polls for a message that a probe has found.
    probed: HashMap<Channel, Vec<Within>>,
    /// How many calls of a process there were.
    calls: Vec<u64>,
    facts: Vec<LastCall>,
    mismatches: usize,
    /// Messages that were received before they were sent.
    before_sent: usize,
    /// Whether all times are by one clock.
    one_clock: bool,
    has_messages: bool,
}

/// Messages between two processes that cannot overtake each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Channel {
    communicator: u64,
    from: u32,
    to: u32,
    tag: i64,
}

#[derive(Debug, Default)]
struct Pending {
    sends: VecDeque<Side>,
    receives: VecDeque<Side>,
}

/// A call that may have waited.
#[derive(Clone, Copy, Debug)]
struct Within {
    who: Thread,
    number: u64,
    op: Op,
    point: Option<u32>,
    span: Span,
    end_s: f64,
    /// Whether it certainly ends after what it waits for; if not, it waited only if it did.
    is_certain: bool,
}

/// Calls that may have waited for one thing; mostly it is one call.
#[derive(Clone, Debug, Default)]
struct Waited {
    first: Option<Within>,
    others: Vec<Within>,
}

impl Waited {
    fn single(within: Within) -> Waited {
        Waited { first: Some(within), others: Vec::new() }
    }

    fn push(&mut self, within: Within) {
        match self.first {
            None => self.first = Some(within),
            Some(_) => self.others.push(within),
        }
    }

    fn iter(&self) -> impl Iterator<Item = &Within> {
        self.first.iter().chain(&self.others)
    }
}

/// One side of a message.
#[derive(Clone, Debug)]
struct Side {
    who: Thread,
    number: u64,
    /// The request of a send.
    request: Option<u64>,
    /// When the message was sent, or its receipt requested.
    asked_s: f64,
    /// When the call began that sent the message or completed its receipt, and when it returned.
    start_s: f64,
    end_s: f64,
    /// The time of asking without transfers: [`Located::ideal`].
    ideal_s: f64,
    /// The calls that waited for it, as far as is known.
    waited: Waited,
}

impl<'s> Analysis<'s> {
    /// The analysis of these logs.
    pub fn new(overviews: &'s [Overview]) -> Analysis<'s> {
        let ranks = overviews.iter().enumerate();
        let ranks =
            ranks.filter_map(|(index, overview)| Some((overview.rank()?.0, index))).collect();
        let of_process = |overview: &'s Overview| {
            let tables = overview.communicators.iter();
            let keyed = |(&id, table): (&u32, &'s meta::Communicator)| {
                Some((id, (u64::from_str_radix(&table.key, 16).ok()?, table)))
            };
            tables.filter_map(keyed).collect()
        };
        Analysis {
            overviews,
            ranks,
            communicators: overviews.iter().map(of_process).collect(),
            channels: HashMap::default(),
            collectives: HashMap::default(),
            counts: HashMap::default(),
            requested: HashMap::default(),
            last: HashMap::default(),
            polls: vec![Polls::default(); overviews.len()],
            probed: HashMap::default(),
            calls: vec![0; overviews.len()],
            facts: Vec::new(),
            mismatches: 0,
            before_sent: 0,
            one_clock: has_one_clock(overviews),
            has_messages: false,
        }
    }

    /// The analysis of these logs, which also gives each message and collective.
    pub fn with_messages(overviews: &'s [Overview]) -> Analysis<'s> {
        Analysis { has_messages: true, ..Analysis::new(overviews) }
    }

    /// Takes the next call of a process. Calls of each process are passed in their order, those of all processes
    /// roughly in the order of time, or more is kept than need be.
    pub fn add(&mut self, located: &Located<'_>) {
        let Located { process, call, ideal } = *located;
        let number = self.calls[process];
        self.calls[process] += 1;
        if call.unsuccessful > 0 {
            self.polls[process].add(number, call);
        }
        if call.unsuccessful > 0 || call.error != 0 {
            return;
        }
        let span = Span::new(call);
        let who = Thread { process, lane: call.lane };
        let end_s = span.end_s;
        let own =
            Within { who, number, op: call.op, point: call.point, span, end_s, is_certain: true };
        let has_returned = call.end.is_some();
        let asked_s = call.start.get();
        let (ideal_s, waited) = (ideal.get(), Waited::default());
        let side =
            Side { who, number, request: None, asked_s, start_s: asked_s, end_s, ideal_s, waited };
        let waiting = || Side { waited: Waited::single(own), ..side.clone() };
        match call.what {
            CallData::Send(message) if call.request.is_none() => {
                let own = Within { is_certain: call.op == Op::Ssend, ..own };
                let waited =
                    if call.op == Op::Bsend { Waited::default() } else { Waited::single(own) };
                self.sent(message, Side { waited, ..side.clone() });
            }
            CallData::Send(message) if !call.op.is_persistent() => {
                self.sent(message, Side { request: call.request, ..side.clone() });
            }
            CallData::Receive(message) if call.request.is_none() && has_returned => {
                self.received(actual(message, call.got), waiting());
            }
            CallData::Exchange { sent, received } => {
                self.sent(sent, side.clone());
                if has_returned {
                    self.received(actual(received, call.got), waiting());
                }
            }
            CallData::Probe(message) if call.got.is_some() => {
                let waited = self.waited_with(own, call);
                if let Some(channel) = self.from(process, &actual(message, call.got)) {
                    let probed = self.probed.entry(channel).or_default();
                    let room = KEPT.saturating_sub(probed.len());
                    probed.extend(waited.iter().take(room));
                }
            }
            _ => {}
        }
        for (op, collective) in call.collectives() {
            self.arrive(own, ideal.get(), op, &collective);
        }
        for started in &call.started {
            if let Some(RequestOrigin { what: CallData::Send(message), .. }) = started.origin {
                self.sent(message, Side { request: Some(started.request), ..side.clone() });
            }
        }
        if call.done.is_empty() {
            return;
        }
        let waited = self.waited_with(own, call);
        for done in call.done.iter().filter(|done| !done.cancelled) {
            match done.origin.map(|asked| (asked.what, asked.start.get())) {
                Some((CallData::Receive(message), asked_s)) => {
                    let side = Side { asked_s, waited: waited.clone(), ..side.clone() };
                    self.received(actual(message, done.got), side);
                }
                Some((CallData::Send(message), _)) => {
                    self.completes_send(process, &message, done.request, &waited);
                }
                Some((CallData::Collective { .. }, _)) => {
                    if let Some(key) = self.requested.remove(&(process, done.request)) {
                        self.complete(key, &waited);
                    }
                }
                _ => {}
            }
        }
    }

    /// A call completes the request of a send: it waits for the receiver, if that has not asked yet.
    fn completes_send(&mut self, process: usize, message: &Message, request: u64, by: &Waited) {
        let Some((communicator, from, to)) = self.channel(process, message) else { return };
        let channel = Channel { communicator, from, to, tag: message.tag };
        let Some(pending) = self.channels.get_mut(&channel) else { return };
        let mut sends = pending.sends.iter_mut().take(SEARCHED);
        if let Some(side) = sends.find(|side| side.request == Some(request)) {
            by.iter().for_each(|&within| {
                side.waited.push(Within { is_certain: false, ..within });
            });
        }
    }

    /// Handles a call that has found something, and the unsuccessful polls for that.
    fn waited_with(&mut self, own: Within, call: &Call) -> Waited {
        let polls = self.polls[own.who.process].ended_by(call).into_iter();
        let process = own.who.process;
        let polls = polls.map(|Poll { number, lane, point, op, span }| {
            // Another thread may have polled for the same.
            Within { who: Thread { process, lane }, number, op, point, span, ..own }
        });
        Waited { first: Some(own), others: polls.collect() }
    }

    fn channel(&self, process: usize, message: &Message) -> Option<(u64, u32, u32)> {
        if message.partner == NOBODY {
            return None;
        }
        let &(key, table) = self.communicators[process].get(&message.communicator)?;
        let other = table.world_rank(message.partner)?;
        // No call will be read of a process that is not in the logs.
        self.ranks.get(&other)?;
        Some((key, self.overviews[process].rank()?.0, other))
    }

    /// By which a process receives a message.
    fn from(&self, process: usize, message: &Message) -> Option<Channel> {
        let (communicator, to, from) = self.channel(process, message)?;
        Some(Channel { communicator, from, to, tag: message.tag })
    }

    fn sent(&mut self, message: Message, side: Side) {
        let endpoints = self.channel(side.who.process, &message);
        let Some((communicator, from, to)) = endpoints else { return };
        let channel = Channel { communicator, from, to, tag: message.tag };
        self.channels.entry(channel).or_default().sends.push_back(side);
        self.match_message(channel);
    }

    fn received(&mut self, message: Message, mut side: Side) {
        let Some(channel) = self.from(side.who.process, &message) else { return };
        if let Some(probed) = self.probed.remove(&channel) {
            probed.into_iter().for_each(|within| side.waited.push(within));
        }
        self.channels.entry(channel).or_default().receives.push_back(side);
        self.match_message(channel);
    }

    fn match_message(&mut self, channel: Channel) {
        let Some(pending) = self.channels.get_mut(&channel) else { return };
        if pending.sends.is_empty() || pending.receives.is_empty() {
            return;
        }
        let (sends, receives) = (pending.sends.pop_front(), pending.receives.pop_front());
        let is_idle = pending.sends.is_empty() && pending.receives.is_empty();
        if is_idle && self.channels.len() > IDLE_CHANNELS {
            self.channels.remove(&channel);
        }
        let (Some(send), Some(receive)) = (sends, receives) else { return };
        for (side, other, kind) in
            [(&send, &receive, WaitKind::LateReceiver), (&receive, &send, WaitKind::LateSender)]
        {
            for within in side.waited.iter() {
                self.add_waiting(within, kind, other.asked_s, other.who);
            }
        }
        if self.one_clock && receive.end_s + CLOCK_ERROR_S < send.asked_s {
            self.before_sent += 1;
        }
        if self.has_messages {
            let (from, to) = ((send.who, send.number), (receive.who, receive.number));
            self.facts.push(LastCall::Matched {
                from,
                to,
                sent: Seconds(send.asked_s),
                began: Seconds(receive.start_s),
                received: Seconds(receive.end_s),
            });
        }
        self.facts.push(LastCall::Needed { who: receive.who, ideal: Seconds(send.ideal_s) });
        if send.waited.iter().any(|within| within.is_certain) {
            self.facts.push(LastCall::Needed { who: send.who, ideal: Seconds(receive.ideal_s) });
        }
    }

    /// Records that a call waited until then, if it began before.
    fn add_waiting(&mut self, within: &Within, kind: WaitKind, until_s: f64, for_whom: Thread) {
        let Within { who, number, op, point, span, end_s, is_certain } = *within;
        let seconds = span.waits_until(until_s);
        if seconds > 0.0 && (is_certain || until_s < end_s) {
            self.facts.push(LastCall::Waited(Waiting {
                who,
                call: number,
                op,
                point,
                kind: if op.is_poll() { WaitKind::Polling } else { kind },
                time: Seconds(seconds),
                around: Seconds(span.loop_waits_until(until_s)),
                begin: Seconds(span.start_s),
                over: Seconds(span.until(until_s)),
                until: Seconds(until_s),
                for_whom,
                end: Seconds(end_s),
            }));
        }
    }

    /// Takes the facts that were found since the previous call of this function. An MPI call can have waited more than
    /// once; then the longest wait is the right one.
    pub fn take(&mut self) -> Vec<LastCall> {
        std::mem::take(&mut self.facts)
    }

    /// As [`Analysis::take`], and the memory is used again.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = LastCall> {
        self.facts.drain(..)
    }

    /// Whether a message that a process asks for has been sent and not been received.
    pub(crate) fn has_been_sent(&self, process: usize, message: &Message) -> bool {
        let overview = &self.overviews[process];
        let Some((own, _)) = overview.rank() else { return false };
        let from = overview.world_rank(message.communicator, message.partner);
        let key = u64::from_str_radix(overview.key(message.communicator), 16).ok();
        self.channels.iter().any(|(channel, pending)| {
            !pending.sends.is_empty()
                && channel.to == own
                && Some(channel.communicator) == key
                && (message.partner == ANY || Some(channel.from) == from)
                && (message.tag == ANY || channel.tag == message.tag)
        })
    }

    /// Number of messages that were received before they were sent.
    pub fn before_sent(&self) -> usize {
        self.before_sent
    }

    /// Number of messages with only one side in the logs: sent and not received, received and not sent.
    pub fn unmatched(&self) -> (usize, usize) {
        let sum = |side: fn(&Pending) -> usize| self.channels.values().map(side).sum();
        (sum(|pending| pending.sends.len()), sum(|pending| pending.receives.len()))
    }
}

/// Whether the logs are of one host, with one counter.
fn has_one_clock(overviews: &[Overview]) -> bool {
    let clock =
        |overview: &Overview| (overview.process.timed_by().to_owned(), overview.process.clock);
    let mut clocks = overviews.iter().map(clock);
    let first = clocks.next();
    clocks.all(|other| Some(other) == first)
        && overviews.iter().all(|overview| overview.correction.is_none())
}

fn actual(message: Message, got: Option<Got>) -> Message {
    match got {
        Some(got) => {
            Message { partner: got.source, tag: got.tag, bytes: Bytes(got.bytes), ..message }
        }
        None => message,
    }
}
