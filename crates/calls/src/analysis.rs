//! Waiting, separately from transfer, from the logs of all processes.
//!
//! What a process waits for is known if both sides are in the logs and have one clock (one host): a receiver waits
//! until the message was sent, a synchronous sender until its receipt was requested, and a process that arrives early
//! at a collective for those that arrive late, if it needs them (`collective`). Unsuccessful polls wait for the same as
//! the call that ends them (`waiting`). All other time in a call counts as transfer. It may include waits inside the
//! MPI that no log shows.

use std::collections::{HashMap, VecDeque};

use cll_trace::layout::call::{Got, NOBODY, Op};
use cll_units::{Bytes, Seconds};

use super::collective::{self, CollectiveKind, Key};
use super::waiting::{KEPT, Poll, Polls, Span};
use super::{Call, CallData, Message, Overview, RequestOrigin};

/// A call of one of the processes.
#[derive(Clone, Debug)]
pub struct Located<'a> {
    /// The process: its index among the surveys.
    pub process: usize,
    /// The call.
    pub call: &'a Call,
}

/// A call that waited. It is found when the call that it waited for is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waiting {
    /// The process.
    pub process: usize,
    /// Number of the call among those of the process, from 0.
    pub call: u64,
    /// Which it is.
    pub op: Op,
    /// How long it waited.
    pub time: Seconds,
    /// The end of the wait: when the call returned, or when the call returned that found what it had polled for.
    pub end: Seconds,
}

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
    found: Vec<Waiting>,
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
    process: usize,
    number: u64,
    op: Op,
    span: Span,
    end_s: f64,
}

/// One side of a message.
#[derive(Clone, Debug)]
struct Side {
    /// When the message was sent, or its receipt requested.
    asked_s: f64,
    /// The calls that waited for it, as far as is known.
    waited: Vec<Within>,
}

#[derive(Debug)]
struct Gathering {
    kind: CollectiveKind,
    size: usize,
    is_inter: bool,
    root: Option<u32>,
    /// Process, rank in the communicator, time of arrival; sorted by rank when all have arrived.
    came: Vec<(usize, u32, f64)>,
    came_s: Vec<f64>,
    last_s: f64,
    /// Calls that wait for others to arrive, with their ranks.
    waiting: Vec<(Within, u32)>,
    /// How many have arrived and have not completed their request yet.
    staying: usize,
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
        }
    }

    /// Takes the next call of a process. Calls of each process are passed in their order, those of all processes
    /// roughly in the order of time, or more is kept than need be.
    pub fn add(&mut self, located: &Located<'_>) {
        let Located { process, call } = *located;
        let number = self.calls[process];
        self.calls[process] += 1;
        if call.unsuccessful > 0 {
            self.polls[process].made(number, call);
        }
        if call.unsuccessful > 0 || call.error != 0 {
            return;
        }
        let span = Span::new(call);
        let own = Within { process, number, op: call.op, span, end_s: span.end_s };
        let has_returned = call.end.is_some();
        match call.what {
            CallData::Send(message) if call.request.is_none() => {
                let waits = call.op.name() == "Ssend";
                let waited = if waits { vec![own] } else { Vec::new() };
                self.sent(process, message, call.start.get(), waited);
            }
            CallData::Send(message) if !call.op.is_persistent() => {
                self.sent(process, message, call.start.get(), Vec::new());
            }
            CallData::Receive(message) if call.request.is_none() && has_returned => {
                self.received(process, actual(message, call.got), call.start.get(), vec![own]);
            }
            CallData::Exchange { sent, received } => {
                self.sent(process, sent, call.start.get(), Vec::new());
                if has_returned {
                    self.received(process, actual(received, call.got), call.start.get(), vec![own]);
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
        self.arrive(own, call);
        for started in &call.started {
            if let Some(RequestOrigin { what: CallData::Send(message), .. }) = started.of {
                self.sent(process, message, call.start.get(), Vec::new());
            }
        }
        if call.done.is_empty() {
            return;
        }
        let waited = self.waited_with(own, call);
        for done in call.done.iter().filter(|done| !done.cancelled) {
            match done.of.map(|asked| (asked.what, asked.start.get())) {
                Some((CallData::Receive(message), asked_s)) => {
                    self.received(process, actual(message, done.got), asked_s, waited.clone());
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

    /// Handles a call that has found something, and the unsuccessful polls for that.
    fn waited_with(&mut self, own: Within, call: &Call) -> Vec<Within> {
        let polls = self.polls[own.process].ended_by(call).into_iter();
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

    fn sent(&mut self, process: usize, message: Message, asked_s: f64, waited: Vec<Within>) {
        let Some((communicator, from, to)) = self.channel(process, &message) else { return };
        let channel = Channel { communicator, from, to, tag: message.tag };
        let pending = self.channels.entry(channel).or_default();
        pending.sends.push_back(Side { asked_s, waited });
        self.match_message(channel);
    }

    fn received(
        &mut self,
        process: usize,
        message: Message,
        asked_s: f64,
        mut waited: Vec<Within>,
    ) {
        let Some(channel) = self.from(process, &message) else { return };
        waited.extend(self.probed.remove(&channel).unwrap_or_default());
        let pending = self.channels.entry(channel).or_default();
        pending.receives.push_back(Side { asked_s, waited });
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
        send.waited.iter().for_each(|within| self.add_waiting(within, receive.asked_s));
        receive.waited.iter().for_each(|within| self.add_waiting(within, send.asked_s));
    }

    /// Records that a call waited until then, if it began before.
    fn add_waiting(&mut self, within: &Within, until_s: f64) {
        let Within { process, number, op, span, end_s } = *within;
        let seconds = span.waits_until(until_s);
        if seconds > 0.0 {
            self.found.push(Waiting {
                process,
                call: number,
                op,
                time: Seconds(seconds),
                end: Seconds(end_s),
            });
        }
    }

    /// Handles a call that is a collective: the process waits for the others in it, unless the call returns a request.
    fn arrive(&mut self, own: Within, call: &Call) {
        let Some(of) = collective::group_of(call) else { return };
        let overview = &self.overviews[own.process];
        let Some((key, table)) = collective::members(overview, of) else { return };
        let count = self.counts.entry((own.process, of)).or_insert(0);
        *count += 1;
        let key = (of.0, key, *count);
        self.last.insert((own.process, call.lane), (key, table.id));
        let size = (table.size + table.remote_size) as usize;
        let gathering = self.collectives.entry(key).or_insert_with(|| Gathering {
            kind: CollectiveKind::from_name(call.op.name()),
            size,
            is_inter: table.remote_size > 0,
            root: None,
            came: Vec::new(),
            came_s: Vec::new(),
            last_s: f64::MIN,
            waiting: Vec::new(),
            staying: 0,
        });
        if let CallData::Collective { root, .. } = call.what {
            gathering.root = gathering.root.or(root);
        }
        gathering.came.push((own.process, table.rank, call.start.get()));
        gathering.last_s = gathering.last_s.max(call.start.get());
        match call.request {
            Some(request) => {
                gathering.staying += 1;
                self.requested.insert((own.process, request), key);
            }
            None if call.end.is_some() => gathering.waiting.push((own, table.rank)),
            None => {}
        }
        if gathering.came.len() == gathering.size {
            gathering.came.sort_by_key(|came| came.1);
            gathering.came_s = gathering.came.iter().map(|came| came.2).collect();
            self.gathered(key);
        }
    }

    /// Handles a call that completes the request of a collective, and the unsuccessful polls before it.
    fn complete(&mut self, key: Key, waited: &[Within]) {
        let Some(gathering) = self.collectives.get_mut(&key) else { return };
        gathering.staying = gathering.staying.saturating_sub(1);
        let Some(&Within { process, .. }) = waited.first() else { return };
        let rank = gathering.came.iter().find(|came| came.0 == process).map_or(0, |came| came.1);
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
        let (kind, last_s) = (gathering.kind, gathering.last_s);
        let root = gathering.root.map(|root| root as usize);
        let until = |rank: u32| match gathering.is_inter {
            // Ranks are those of two groups.
            true => Some(last_s)
                .filter(|_| matches!(kind, CollectiveKind::All | CollectiveKind::Exchange)),
            false => kind.until(rank as usize, root, &gathering.came_s, last_s),
        };
        let known: Vec<(Within, Option<f64>)> =
            waiting.into_iter().map(|(within, rank)| (within, until(rank))).collect();
        if gathering.staying == 0 {
            self.collectives.remove(&key);
        }
        for (within, until_s) in known {
            until_s.into_iter().for_each(|until_s| self.add_waiting(&within, until_s));
        }
    }

    /// The waits found since the previous call of this function. An MPI call can be in it more than once; then the
    /// longest wait is the right one.
    pub fn take(&mut self) -> Vec<Waiting> {
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
        let came = |rank: u32| gathering.came.iter().any(|member| member.1 == rank);
        let absent = (0..table.size).filter(|&rank| !came(rank));
        absent.filter_map(|rank| table.world_rank(rank.into())).collect()
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
