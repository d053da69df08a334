//! Waiting, separately from transfer, from the logs of all processes.
//!
//! What a process waits for is known if both sides are in the logs and have one clock (one host): a receiver waits
//! until the message was sent, a sender until its receipt was requested if it returned only after that, and a process
//! that arrives early at a collective for those that arrive late, if it needs them (`collective`). Unsuccessful polls
//! wait for the same as the call that ends them (`waiting`). All other time in a call counts as transfer. It may include
//! waits inside the MPI that no log shows.

mod found;

use std::collections::{HashMap, VecDeque};

use cll_trace::layout::call::{ANY, Got, NOBODY, Op};
use cll_units::{Bytes, Seconds};

use super::collective::{self, CollectiveKind, Key};
use super::waiting::{KEPT, Poll, Polls, Span};
use super::{Call, CallData, Message, Overview, RequestOrigin};

pub use found::{Found, Located, Thread, WaitKind, Waiting};

/// The largest number of pending sends among which that of a request is looked for.
const SEARCHED: usize = 256;
/// The largest number of different collectives in one place that are reported.
const MISMATCHES: usize = 8;

/// Matches the two sides of messages and collectives. Only those with a missing side are kept in memory.
#[derive(Debug)]
pub struct Analysis<'s> {
    overviews: &'s [Overview],
    /// Index of the survey, by rank.
    ranks: HashMap<u32, usize>,
    channels: HashMap<Channel, Pending>,
    collectives: HashMap<Key, Gathering>,
    /// How many collectives a process has begun, for each communicator, window or file.
    counts: HashMap<(usize, (collective::CollectiveGroup, u32)), u64>,
    /// Collectives that were begun by requests.
    requested: HashMap<(usize, u64), Key>,
    /// The last collective that each thread has called, and the number of its communicator.
    last: HashMap<(usize, u32), (Key, u32)>,
    /// By process.
    polls: Vec<Polls>,
    /// The polls for a message that a probe has found.
    probed: HashMap<Channel, Vec<Within>>,
    /// How many calls of a process there were.
    calls: Vec<u64>,
    found: Vec<Found>,
    mismatches: usize,
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
    span: Span,
    end_s: f64,
    /// Whether it certainly ends after what it waits for; if not, it waited only if it did.
    is_certain: bool,
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
    /// When the call returned.
    end_s: f64,
    /// The time of asking without transfers: [`Located::ideal`].
    ideal_s: f64,
    /// The calls that waited for it, as far as is known.
    waited: Vec<Within>,
}

#[derive(Debug)]
struct Gathering {
    kind: CollectiveKind,
    /// The first one that came.
    first: (Thread, Op, Option<u32>),
    waits: WaitKind,
    size: usize,
    is_inter: bool,
    root: Option<u32>,
    /// Sorted by rank when all have arrived.
    came: Vec<Came>,
    came_s: Vec<f64>,
    ideal_s: Vec<f64>,
    last_s: f64,
    /// Calls that wait for others to arrive, with their ranks.
    waiting: Vec<(Within, u32)>,
    /// How many have arrived and have not completed their request yet.
    staying: usize,
}

/// A process that has come to a collective.
#[derive(Clone, Copy, Debug)]
struct Came {
    who: Thread,
    number: u64,
    /// Its rank in the communicator.
    rank: u32,
    at_s: f64,
    ideal_s: f64,
}

impl<'s> Analysis<'s> {
    /// The analysis of these logs.
    pub fn new(overviews: &'s [Overview]) -> Analysis<'s> {
        let ranks = overviews.iter().enumerate();
        let ranks = ranks.filter_map(|(index, one)| Some((one.rank()?.0, index))).collect();
        Analysis {
            overviews,
            ranks,
            channels: HashMap::new(),
            collectives: HashMap::new(),
            counts: HashMap::new(),
            requested: HashMap::new(),
            last: HashMap::new(),
            polls: vec![Polls::default(); overviews.len()],
            probed: HashMap::new(),
            calls: vec![0; overviews.len()],
            found: Vec::new(),
            mismatches: 0,
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
            self.polls[process].made(number, call);
        }
        if call.unsuccessful > 0 || call.error != 0 {
            return;
        }
        let span = Span::new(call);
        let who = Thread { process, lane: call.lane };
        let end_s = span.end_s;
        let own = Within { who, number, op: call.op, span, end_s, is_certain: true };
        let has_returned = call.end.is_some();
        let asked_s = call.start.get();
        let (ideal_s, waited) = (ideal.get(), Vec::new());
        let side = Side { who, number, request: None, asked_s, end_s, ideal_s, waited };
        let waiting = || Side { waited: vec![own], ..side.clone() };
        match call.what {
            CallData::Send(message) if call.request.is_none() => {
                let name = call.op.name();
                let own = Within { is_certain: name == "Ssend", ..own };
                let waited = if name == "Bsend" { Vec::new() } else { vec![own] };
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
                    probed.extend(waited.into_iter().take(room));
                }
            }
            _ => {}
        }
        self.arrive(own, ideal.get(), call);
        for started in &call.started {
            if let Some(RequestOrigin { what: CallData::Send(message), .. }) = started.of {
                self.sent(message, Side { request: Some(started.request), ..side.clone() });
            }
        }
        if call.done.is_empty() {
            return;
        }
        let waited = self.waited_with(own, call);
        for done in call.done.iter().filter(|done| !done.cancelled) {
            match done.of.map(|asked| (asked.what, asked.start.get())) {
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
    fn completes_send(&mut self, process: usize, message: &Message, request: u64, by: &[Within]) {
        let Some((communicator, from, to)) = self.channel(process, message) else { return };
        let channel = Channel { communicator, from, to, tag: message.tag };
        let Some(pending) = self.channels.get_mut(&channel) else { return };
        let mut sends = pending.sends.iter_mut().take(SEARCHED);
        if let Some(side) = sends.find(|side| side.request == Some(request)) {
            let uncertain = by.iter().map(|&within| Within { is_certain: false, ..within });
            side.waited.extend(uncertain);
        }
    }

    /// Handles a call that has found something, and the unsuccessful polls for that.
    fn waited_with(&mut self, own: Within, call: &Call) -> Vec<Within> {
        let polls = self.polls[own.who.process].ended_by(call).into_iter();
        let polls = polls.map(|Poll { number, op, span }| Within { number, op, span, ..own });
        [own].into_iter().chain(polls).collect()
    }

    fn channel(&self, process: usize, message: &Message) -> Option<(u64, u32, u32)> {
        let overview = &self.overviews[process];
        if message.partner == NOBODY {
            return None;
        }
        let key = u64::from_str_radix(overview.key(message.communicator), 16).ok()?;
        let other = overview.world_rank(message.communicator, message.partner)?;
        // No call will be read of a process that is not in the logs.
        self.ranks.get(&other)?;
        Some((key, overview.rank()?.0, other))
    }

    /// By which a process receives a message.
    fn from(&self, process: usize, message: &Message) -> Option<Channel> {
        let (communicator, to, from) = self.channel(process, message)?;
        Some(Channel { communicator, from, to, tag: message.tag })
    }

    fn sent(&mut self, message: Message, side: Side) {
        let found = self.channel(side.who.process, &message);
        let Some((communicator, from, to)) = found else { return };
        let channel = Channel { communicator, from, to, tag: message.tag };
        self.channels.entry(channel).or_default().sends.push_back(side);
        self.match_message(channel);
    }

    fn received(&mut self, message: Message, mut side: Side) {
        let Some(channel) = self.from(side.who.process, &message) else { return };
        side.waited.extend(self.probed.remove(&channel).unwrap_or_default());
        self.channels.entry(channel).or_default().receives.push_back(side);
        self.match_message(channel);
    }

    fn match_message(&mut self, channel: Channel) {
        let Some(pending) = self.channels.get_mut(&channel) else { return };
        if pending.sends.is_empty() || pending.receives.is_empty() {
            return;
        }
        let (sends, receives) = (pending.sends.pop_front(), pending.receives.pop_front());
        if pending.sends.is_empty() && pending.receives.is_empty() {
            self.channels.remove(&channel);
        }
        let (Some(send), Some(receive)) = (sends, receives) else { return };
        for (side, other, kind) in
            [(&send, &receive, WaitKind::LateReceiver), (&receive, &send, WaitKind::LateSender)]
        {
            for within in &side.waited {
                self.add_waiting(within, kind, other.asked_s, other.who);
            }
        }
        if self.has_messages {
            let (from, to) = ((send.who, send.number), (receive.who, receive.number));
            let (sent, received) = (Seconds(send.asked_s), Seconds(receive.end_s));
            self.found.push(Found::Matched { from, to, sent, received });
        }
        self.found.push(Found::Needed { who: receive.who, ideal: Seconds(send.ideal_s) });
        if send.waited.iter().any(|within| within.is_certain) {
            self.found.push(Found::Needed { who: send.who, ideal: Seconds(receive.ideal_s) });
        }
    }

    /// Records that a call waited until then, if it began before.
    fn add_waiting(&mut self, within: &Within, kind: WaitKind, until_s: f64, for_whom: Thread) {
        let Within { who, number, op, span, end_s, is_certain } = *within;
        let seconds = span.waits_until(until_s);
        if seconds > 0.0 && (is_certain || until_s < end_s) {
            self.found.push(Found::Waited(Waiting {
                who,
                call: number,
                op,
                kind: if op.is_poll() { WaitKind::Polling } else { kind },
                time: Seconds(seconds),
                around: Seconds(span.loop_waits_until(until_s)),
                until: Seconds(until_s),
                for_whom,
                end: Seconds(end_s),
            }));
        }
    }

    /// Handles a call that is a collective: the process waits for the others in it, unless the call returns a request.
    fn arrive(&mut self, own: Within, ideal_s: f64, call: &Call) {
        let Some(of) = collective::group_of(call) else { return };
        let process = own.who.process;
        let overview = &self.overviews[process];
        let Some((key, table)) = collective::members(overview, of) else { return };
        let count = self.counts.entry((process, of)).or_insert(0);
        *count += 1;
        let key = (of.0, key, *count);
        self.last.insert((process, call.lane), (key, table.id));
        let size = (table.size + table.remote_size) as usize;
        let one = (own.who, call.op, call.point);
        let gathering = self.collectives.entry(key).or_insert_with(|| Gathering {
            kind: CollectiveKind::from_name(call.op.name()),
            first: one,
            waits: match call.what {
                CallData::Collective { .. } => WaitKind::Collective,
                CallData::Epoch { .. } => WaitKind::Fence,
                _ => WaitKind::Together,
            },
            size,
            is_inter: table.remote_size > 0,
            root: None,
            came: Vec::new(),
            came_s: Vec::new(),
            ideal_s: Vec::new(),
            last_s: f64::MIN,
            waiting: Vec::new(),
            staying: 0,
        });
        if gathering.first.1 != call.op && self.mismatches < MISMATCHES {
            self.mismatches += 1;
            self.found.push(Found::Mismatch { one: gathering.first, other: one });
        }
        if let CallData::Collective { root, .. } = call.what {
            gathering.root = gathering.root.or(root);
        }
        let at_s = call.start.get();
        gathering.came.push(Came {
            who: own.who,
            number: own.number,
            rank: table.rank,
            at_s,
            ideal_s,
        });
        gathering.last_s = gathering.last_s.max(at_s);
        match call.request {
            Some(request) => {
                gathering.staying += 1;
                self.requested.insert((process, request), key);
            }
            None if call.end.is_some() => gathering.waiting.push((own, table.rank)),
            None => {}
        }
        if gathering.came.len() == gathering.size {
            gathering.came.sort_by_key(|came| came.rank);
            gathering.came_s = gathering.came.iter().map(|came| came.at_s).collect();
            gathering.ideal_s = gathering.came.iter().map(|came| came.ideal_s).collect();
            if let (true, [one, others @ ..]) = (self.has_messages, &gathering.came[..]) {
                let one = (one.who, one.number);
                self.found.extend(
                    others.iter().map(|came| Found::Joined { one, other: (came.who, came.number) }),
                );
            }
            self.gathered(key);
        }
    }

    /// Handles a call that completes the request of a collective, and the unsuccessful polls before it.
    fn complete(&mut self, key: Key, waited: &[Within]) {
        let Some(gathering) = self.collectives.get_mut(&key) else { return };
        gathering.staying = gathering.staying.saturating_sub(1);
        let Some(&Within { who, .. }) = waited.first() else { return };
        let came = gathering.came.iter().find(|came| came.who.process == who.process);
        let rank = came.map_or(0, |came| came.rank);
        gathering.waiting.extend(waited.iter().map(|&within| (within, rank)));
        if gathering.came.len() >= gathering.size {
            self.gathered(key);
        }
    }

    /// Called when all processes have arrived at a collective: now it is known until when the processes in it have
    /// waited.
    fn gathered(&mut self, key: Key) {
        let Some(gathering) = self.collectives.get_mut(&key) else { return };
        let waiting = std::mem::take(&mut gathering.waiting);
        let (kind, last_s, waits) = (gathering.kind, gathering.last_s, gathering.waits);
        let root = gathering.root.map(|root| root as usize);
        let last_ideal = gathering.ideal_s.iter().copied().fold(f64::MIN, f64::max);
        let until = |rank: u32, times: &[f64], last: f64| match gathering.is_inter {
            // Ranks are those of two groups.
            true => Some(last)
                .filter(|_| matches!(kind, CollectiveKind::All | CollectiveKind::Exchange)),
            false => kind.until(rank as usize, root, times, last),
        };
        let mut found = Vec::with_capacity(waiting.len());
        for (within, rank) in waiting {
            let Some(until_s) = until(rank, &gathering.came_s, last_s) else { continue };
            let late = gathering.came.iter().find(|came| came.at_s == until_s);
            let ideal = until(rank, &gathering.ideal_s, last_ideal);
            found.push((within, until_s, late.map(|came| came.who), ideal));
        }
        if gathering.staying == 0 {
            self.collectives.remove(&key);
        }
        for (within, until_s, late, ideal) in found {
            if let Some(late) = late {
                self.add_waiting(&within, waits, until_s, late);
            }
            if let Some(ideal) = ideal {
                self.found.push(Found::Needed { who: within.who, ideal: Seconds(ideal) });
            }
        }
    }

    /// What was found since the previous call of this function. An MPI call can have waited more than once; then the
    /// longest wait is the right one.
    pub fn take(&mut self) -> Vec<Found> {
        std::mem::take(&mut self.found)
    }

    /// The ranks that have not arrived at the last collective that a thread has called.
    pub fn absent(&self, process: usize, lane: u32) -> Vec<u32> {
        let of_thread = self.last.get(&(process, lane)).and_then(|(key, communicator)| {
            let gathering = self.collectives.get(key)?;
            let table = self.overviews[process].communicators.get(communicator)?;
            (gathering.came.len() < gathering.size).then_some((table, gathering))
        });
        let Some((table, gathering)) = of_thread else { return Vec::new() };
        let came = |rank: u32| gathering.came.iter().any(|member| member.rank == rank);
        let absent = (0..table.size).filter(|&rank| !came(rank));
        absent.filter_map(|rank| table.world_rank(rank.into())).collect()
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

    /// Number of messages with only one side in the logs: sent and not received, received and not sent.
    pub fn unmatched(&self) -> (usize, usize) {
        let sum = |side: fn(&Pending) -> usize| self.channels.values().map(side).sum();
        (sum(|pending| pending.sends.len()), sum(|pending| pending.receives.len()))
    }
}

fn actual(message: Message, got: Option<Got>) -> Message {
    match got {
        Some(got) => {
            Message { partner: got.source, tag: got.tag, bytes: Bytes(got.bytes), ..message }
        }
        None => message,
    }
}
