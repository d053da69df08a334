//! Waiting apart from transfer, from the logs of all processes.
//!
//! What a process waits for is known where both sides are in the logs and their clocks are one (one host): who receives
//! waits until the message was sent, who sends synchronously until its receipt was asked for, and who comes early to
//! a collective for those that come late, if it needs them. Everything else that a call takes counts as transfer: an MPI
//! may wait inside for other reasons, which no log shows.

use std::collections::{HashMap, VecDeque};

use crate::layout::call::{Got, NOBODY, Op};

use super::{Call, Done, Message, Survey, What};

/// A call of one of the processes.
#[derive(Clone, Debug)]
pub struct Located<'a> {
    /// The process: its index among the surveys.
    pub process: usize,
    /// The call.
    pub call: &'a Call,
}

/// A call that waited, known when the call that it waited for is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waiting {
    /// The process.
    pub process: usize,
    /// Number of the call among those of the process, from 0.
    pub call: u64,
    /// Which it is.
    pub op: Op,
    /// Seconds of waiting.
    pub seconds: f64,
    /// When it returned, seconds.
    pub end_s: f64,
}

/// Brings both sides together; what is kept are messages and collectives of which one side is missing.
#[derive(Debug)]
pub struct Analysis<'s> {
    surveys: &'s [Survey],
    /// Index of the survey, by rank.
    ranks: HashMap<u32, usize>,
    channels: HashMap<Channel, Pending>,
    collectives: HashMap<(&'s str, u64), Gathering>,
    /// How many collectives of a communicator a process has begun.
    counts: HashMap<(usize, u32), u64>,
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
    call: u64,
    op: Op,
    start_s: f64,
    end_s: f64,
}

/// One side of a message.
#[derive(Clone, Copy, Debug)]
struct Side {
    /// When the message was sent, or its receipt asked for.
    asked_s: f64,
    /// The call that waited for it; `None`: none did, as far as is known.
    waited: Option<Within>,
}

#[derive(Debug, Default)]
struct Gathering {
    size: u32,
    /// Process, number of the call, begin, end, rank in the communicator.
    members: Vec<(usize, u64, f64, f64, u32)>,
    root: Option<u32>,
    op: Option<Op>,
}

impl<'s> Analysis<'s> {
    /// Of these logs.
    pub fn new(surveys: &'s [Survey]) -> Analysis<'s> {
        let ranks = surveys.iter().enumerate();
        let ranks = ranks.filter_map(|(index, one)| Some((one.rank()?.0, index))).collect();
        Analysis {
            surveys,
            ranks,
            channels: HashMap::new(),
            collectives: HashMap::new(),
            counts: HashMap::new(),
            calls: vec![0; surveys.len()],
            found: Vec::new(),
        }
    }

    /// Takes the next call of a process. Calls of each process come in their order, those of all about in the order of
    /// time, or more is kept than need be.
    pub fn add(&mut self, located: &Located<'_>) {
        let Located { process, call } = *located;
        let number = self.calls[process];
        self.calls[process] += 1;
        if call.in_vain > 0 || call.error != 0 {
            return;
        }
        let end_s = call.end_s.unwrap_or(call.start_s);
        let (op, start_s) = (call.op, call.start_s);
        let within = Some(Within { process, call: number, op, start_s, end_s });
        match call.what {
            What::Send(message) if call.request.is_none() => {
                let waited = within.filter(|_| call.op.name() == "Ssend");
                self.sent(process, message, call.start_s, waited);
            }
            What::Send(message) if !call.op.is_persistent() => {
                self.sent(process, message, call.start_s, None);
            }
            What::Receive(message) if call.request.is_none() => {
                self.received(process, actual(message, call.got), call.start_s, within);
            }
            What::Exchange { sent, received } => {
                self.sent(process, sent, call.start_s, None);
                self.received(process, actual(received, call.got), call.start_s, within);
            }
            What::Collective { communicator, root, .. } => {
                self.collective(process, number, call, communicator, root);
            }
            _ => {}
        }
        for started in &call.started {
            if let Some(asked) = started.of
                && let What::Send(message) = asked.what
            {
                self.sent(process, message, call.start_s, None);
            }
        }
        for done in &call.done {
            self.done(process, done, within);
        }
    }

    fn done(&mut self, process: usize, done: &Done, within: Option<Within>) {
        let Some(asked) = done.of.filter(|_| !done.cancelled) else { return };
        if let What::Receive(message) = asked.what {
            self.received(process, actual(message, done.got), asked.start_s, within);
        }
    }

    fn channel(&self, process: usize, message: &Message) -> Option<(u64, u32, u32)> {
        let survey = &self.surveys[process];
        if message.partner == NOBODY {
            return None;
        }
        let key = u64::from_str_radix(survey.key(message.communicator), 16).ok()?;
        let other = survey.world_rank(message.communicator, message.partner)?;
        // Of who is not in the logs nothing will come.
        self.ranks.get(&other)?;
        Some((key, survey.rank()?.0, other))
    }

    fn sent(&mut self, process: usize, message: Message, asked_s: f64, waited: Option<Within>) {
        let Some((communicator, from, to)) = self.channel(process, &message) else { return };
        let channel = Channel { communicator, from, to, tag: message.tag };
        let pending = self.channels.entry(channel).or_default();
        pending.sends.push_back(Side { asked_s, waited });
        self.meet(channel);
    }

    fn received(&mut self, process: usize, message: Message, asked_s: f64, waited: Option<Within>) {
        let Some((communicator, to, from)) = self.channel(process, &message) else { return };
        let channel = Channel { communicator, from, to, tag: message.tag };
        let pending = self.channels.entry(channel).or_default();
        pending.receives.push_back(Side { asked_s, waited });
        self.meet(channel);
    }

    fn meet(&mut self, channel: Channel) {
        let Some(pending) = self.channels.get_mut(&channel) else { return };
        if pending.sends.is_empty() || pending.receives.is_empty() {
            return;
        }
        let (sends, receives) = (pending.sends.pop_front(), pending.receives.pop_front());
        if pending.sends.is_empty() && pending.receives.is_empty() {
            self.channels.remove(&channel);
        }
        let (Some(send), Some(receive)) = (sends, receives) else { return };
        self.waited(send.waited, receive.asked_s);
        self.waited(receive.waited, send.asked_s);
    }

    /// A call waited until then, if it was there before.
    fn waited(&mut self, within: Option<Within>, until_s: f64) {
        let Some(Within { process, call, op, start_s, end_s }) = within else { return };
        let seconds = until_s.min(end_s) - start_s;
        if seconds > 0.0 {
            self.found.push(Waiting { process, call, op, seconds, end_s });
        }
    }

    fn collective(
        &mut self,
        process: usize,
        number: u64,
        call: &Call,
        communicator: u32,
        root: Option<u32>,
    ) {
        let survey = &self.surveys[process];
        let count = self.counts.entry((process, communicator)).or_insert(0);
        *count += 1;
        let Some(table) = survey.communicators.get(&communicator) else { return };
        let key = (table.key.as_str(), *count);
        let gathering = self.collectives.entry(key).or_default();
        gathering.size = table.size + table.remote_size;
        gathering.root = root;
        gathering.op = Some(call.op);
        let end_s = match call.request {
            // It waits for nobody; those that wait for it do so later.
            Some(_) => call.start_s,
            None => call.end_s.unwrap_or(call.start_s),
        };
        gathering.members.push((process, number, call.start_s, end_s, table.rank));
        if gathering.members.len() as u32 == gathering.size
            && let Some(gathering) = self.collectives.remove(&key)
        {
            self.gathered(&gathering);
        }
    }

    fn gathered(&mut self, gathering: &Gathering) {
        let Some(op) = gathering.op else { return };
        let name = op.name().trim_start_matches('I').to_ascii_lowercase();
        let of_root = |members: &[(usize, u64, f64, f64, u32)]| {
            let root = gathering.root?;
            members.iter().find(|member| member.4 == root).map(|member| member.2)
        };
        let last = gathering.members.iter().map(|member| member.2).fold(f64::MIN, f64::max);
        for &(process, call, start_s, end_s, rank) in &gathering.members {
            let until_s = match name.as_str() {
                "bcast" | "scatter" | "scatterv" => of_root(&gathering.members),
                // The root needs all; the others may be gone before.
                "gather" | "gatherv" | "reduce" => {
                    Some(last).filter(|_| gathering.root == Some(rank))
                }
                // A prefix needs those before it.
                "scan" | "exscan" => {
                    let before = gathering.members.iter().filter(|member| member.4 < rank);
                    before.map(|member| member.2).reduce(f64::max)
                }
                _ if name.starts_with("neighbor") || name.starts_with("neighbour") => None,
                _ => Some(last),
            };
            if let Some(until_s) = until_s {
                self.waited(Some(Within { process, call, op, start_s, end_s }), until_s);
            }
        }
    }

    /// What was found since this was asked last. A call can be in it more than once: it waits as long as the longest.
    pub fn take(&mut self) -> Vec<Waiting> {
        std::mem::take(&mut self.found)
    }

    /// Of the collective that a process has come to last, if not all have: the ranks that have not.
    pub fn absent(&self, process: usize) -> Vec<u32> {
        let survey = &self.surveys[process];
        let of_process = self.collectives.iter().find_map(|((key, count), gathering)| {
            let table = survey.communicators.values().find(|table| table.key == **key)?;
            let is_last = self.counts.get(&(process, table.id)) == Some(count);
            let came = |member: &(usize, u64, f64, f64, u32)| member.0 == process;
            (is_last && gathering.members.iter().any(came)).then_some((table, gathering))
        });
        let Some((table, gathering)) = of_process else { return Vec::new() };
        let came = |rank: u32| gathering.members.iter().any(|member| member.4 == rank);
        let absent = (0..table.size).filter(|&rank| !came(rank));
        absent.filter_map(|rank| table.world_rank(rank.into())).collect()
    }

    /// Messages of which one side is in the logs and the other is not: sent and not received, received and not sent.
    pub fn unmatched(&self) -> (usize, usize) {
        let sum = |side: fn(&Pending) -> usize| self.channels.values().map(side).sum();
        (sum(|pending| pending.sends.len()), sum(|pending| pending.receives.len()))
    }
}

fn actual(message: Message, got: Option<Got>) -> Message {
    match got {
        Some(got) => Message { partner: got.source, tag: got.tag, bytes: got.bytes, ..message },
        None => message,
    }
}
