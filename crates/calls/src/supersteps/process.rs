//! A process with its calls, and the communication of each call.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::FastMap as HashMap;
use crate::collective::{self, CollectiveKey};
use crate::waiting::{self, Poll, Polls, Span};
use crate::{Call, CallData, Message, Overview, RequestOrigin};
use cll_trace::TraceError;
use cll_trace::layout::call::{CollectiveGroup, Got, NOBODY, Op};
use cll_units::Bytes;

use super::collective_match::Arrival;
use super::part::{MachineObject, Membership};
use super::processor::Processor;
use super::refused::{Unfit, unfit};
use super::sources::CallSource;

/// Messages between two processes that cannot overtake each other: communicator, from, to, tag.
pub(super) type Channel = (u64, u32, u32, i64);

/// An event of a call between processes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// Sends, by a request or at once.
    Send { channel: Channel, among: Membership, bytes: u64, request: Option<u64> },
    /// Receives.
    Receive { channel: Channel },
    /// Arrives at a collective.
    Arrive(Arrival),
    /// Completes it; whether by the call that arrived at it.
    Complete { key: CollectiveKey, at_once: bool },
    /// Puts and gets.
    Access { with: u32, among: Membership, put: Bytes, got: Bytes },
    /// Leaves the parts that it is in.
    Leave,
}

/// A process, its calls, and where it is in them.
pub(super) struct ProcessCalls<'s> {
    pub(super) source: CallSource<'s>,
    pub(super) overview: &'s Overview,
    pub(super) processor: Processor,
    /// The current call, and its events that have not been processed yet.
    pub(super) call: Option<Call>,
    pub(super) events: VecDeque<Event>,
    /// Whether the call communicates with other processes; until when it waits; and the seconds of waiting for messages
    /// that probes have found.
    pub(super) counts: bool,
    pub(super) until_s: Option<f64>,
    pub(super) probing_s: f64,
    /// Unsuccessful polls; those that the current call ends; and, for each message that a probe has found, those that
    /// looked for it.
    polls: Polls,
    ended_polls: Vec<Poll>,
    probed: HashMap<Channel, Vec<Poll>>,
    /// If the superstep ends with the current call: the flags with which it ends.
    pub(super) closing: Option<u16>,
    /// Whether its log has no more calls, or ends in the current one.
    pub(super) ended: bool,
    /// How many collectives it has called, by their group and the number of the group.
    collectives: HashMap<(CollectiveGroup, u32), u64>,
    /// Collectives that it has begun and not completed, by their requests.
    under_way: HashMap<u64, CollectiveKey>,
    /// Messages that probes have found and nothing has received: source, tag, communicator.
    found_by_probes: Vec<(i64, i64, u32)>,
    /// The processes of its communicators, by number, if they were needed before; and the number of all processes.
    among: HashMap<u32, Membership>,
    all: u32,
}

impl<'s> ProcessCalls<'s> {
    pub(super) fn new(
        rank: u32,
        overview: &'s Overview,
        source: CallSource<'s>,
        root: &Rc<MachineObject>,
    ) -> ProcessCalls<'s> {
        ProcessCalls {
            source,
            overview,
            processor: Processor::new(rank, root),
            call: None,
            events: VecDeque::new(),
            counts: false,
            until_s: None,
            probing_s: 0.0,
            polls: Polls::default(),
            ended_polls: Vec::new(),
            probed: HashMap::default(),
            closing: None,
            ended: false,
            collectives: HashMap::default(),
            under_way: HashMap::default(),
            found_by_probes: Vec::new(),
            among: HashMap::default(),
            all: root.range.end,
        }
    }

    /// Whether the process receives something after its current sends, before it reaches a collective.
    pub(super) fn receives_next(&mut self) -> Result<bool, TraceError> {
        if self.events.iter().any(|event| matches!(event, Event::Receive { .. })) {
            return Ok(true);
        }
        if let Some(known) = self.processor.receives_next {
            return Ok(known);
        }
        let receives = self.source.receives_next()?;
        self.processor.receives_next = Some(receives);
        Ok(receives)
    }

    /// Records that the call waits until then, if it began before.
    pub(super) fn waits_until(&mut self, until_s: f64, is_known: bool) {
        if is_known {
            self.until_s = Some(self.until_s.map_or(until_s, |known| known.max(until_s)));
        }
    }

    /// Records that a message is received that was sent at `at_s`. The polls for it end.
    pub(super) fn receives(&mut self, channel: Channel, at_s: f64, is_known: bool) {
        self.waits_until(at_s, is_known);
        let polls = self.probed.remove(&channel).unwrap_or_default();
        if is_known {
            self.probing_s += polls.iter().map(|poll| poll.span.waits_until(at_s)).sum::<f64>();
        }
    }

    /// Seconds of waiting in the call, and in the unsuccessful polls that it ends.
    pub(super) fn waited_s(&self, call: &Call) -> f64 {
        let spans = self.ended_polls.iter().map(|poll| poll.span).chain([Span::new(call)]);
        let waited = |until_s| spans.map(|span| span.waits_until(until_s)).sum::<f64>();
        self.probing_s + self.until_s.map_or(0.0, waited)
    }

    /// Records that a probe has found a message, with the polls for it. The call that receives the message uses them.
    fn probes(&mut self, message: Message, call: &Call) {
        let mut polls = self.polls.ended_by(call);
        polls.push(Poll::new(0, call));
        if let Ok(Some((communicator, other))) = self.partner(message) {
            let channel = (communicator, other, self.processor.rank, message.tag);
            let probed = self.probed.entry(channel).or_default();
            let room = waiting::KEPT.saturating_sub(probed.len());
            probed.extend(polls.into_iter().take(room));
        }
    }

    /// Records what a probe has found, if it has found a message.
    fn notes_probe(&mut self, message: Message, call: &Call) {
        let Some(got) = call.got else { return };
        self.probes(Message { partner: got.source, tag: got.tag, ..message }, call);
        if call.op.plain() == Op::Mprobe {
            self.found_by_probes.push((got.source, got.tag, message.communicator));
        }
    }

    /// Lists the events of a call, in their order.
    pub(super) fn events(&mut self, call: &Call) -> Result<VecDeque<Event>, Unfit> {
        let mut events = VecDeque::new();
        self.ended_polls.clear();
        if call.unsuccessful > 0 {
            self.polls.add(0, call);
        }
        if call.unsuccessful > 0 || call.error != 0 {
            return Ok(events);
        }
        let name = call.op.name();
        if let Some(unfit) = unfit(name, &call.what, self.overview) {
            return Err(unfit);
        }
        let has_returned = call.end.is_some();
        if call.op == Op::Finalize {
            events.push_back(Event::Leave);
        }
        match call.what {
            CallData::Send(message) if !call.op.is_persistent() => {
                events.extend(self.send(message, call.request)?);
            }
            CallData::Exchange { sent, received } => {
                events.extend(self.send(sent, None)?);
                if has_returned {
                    events.extend(self.receive(call.op, received, call.got)?);
                }
            }
            CallData::Receive(message) if call.request.is_none() && has_returned => {
                events.extend(self.receive(call.op, message, call.got)?);
            }
            CallData::Probe(message) => self.notes_probe(message, call),
            CallData::Access { window: Some(window), partner, put, got } if partner != NOBODY => {
                let communicator =
                    self.overview.windows.get(&window).map(|window| window.communicator);
                let with = communicator.and_then(|communicator| {
                    Some((communicator, self.overview.world_rank(communicator, partner)?))
                });
                let (communicator, with) = with.ok_or(Unfit::Outside)?;
                events.push_back(Event::Access { with, among: self.among(communicator), put, got });
            }
            _ => {}
        }
        for (_, collective) in call.collectives() {
            let Some(group) = collective::group_of(&collective) else { continue };
            let (root, bytes) = match collective.what {
                CallData::Collective { root, out, into, .. } => (root, (out.get(), into.get())),
                _ => (None, (0, 0)),
            };
            let mut coming = self.coming(group, collective.op, root, bytes);
            if let (Some(coming), Some(request)) = (&mut coming, collective.request) {
                coming.at_once = false;
                self.under_way.insert(request, coming.key);
            }
            come(coming, has_returned, &mut events);
        }
        if !call.done.is_empty() {
            self.ended_polls = self.polls.ended_by(call);
        }
        for started in &call.started {
            if let Some(RequestOrigin { what: CallData::Send(message), .. }) = started.origin {
                events.extend(self.send(message, Some(started.request))?);
            }
        }
        for done in call.done.iter().filter(|done| !done.cancelled) {
            match done.origin.map(|asked| (asked.op, asked.what)) {
                Some((op, CallData::Receive(message))) => {
                    events.extend(self.receive(op, message, done.got)?);
                }
                Some((_, CallData::Collective { .. })) => {
                    let key = self.under_way.remove(&done.request);
                    events.extend(key.map(|key| Event::Complete { key, at_once: false }));
                }
                _ => {}
            }
        }
        Ok(events)
    }

    /// The processes of a communicator.
    fn among(&mut self, communicator: u32) -> Membership {
        let (overview, all) = (self.overview, self.all);
        *self.among.entry(communicator).or_insert_with(|| {
            let table = overview.communicators.get(&communicator).cloned();
            Membership::new(&table.unwrap_or_default(), all)
        })
    }

    fn send(&mut self, message: Message, request: Option<u64>) -> Result<Option<Event>, Unfit> {
        let Some((communicator, other)) = self.partner(message)? else { return Ok(None) };
        let channel = (communicator, self.processor.rank, other, message.tag);
        let among = self.among(message.communicator);
        Ok(Some(Event::Send { channel, among, bytes: message.bytes.get(), request }))
    }

    fn receive(
        &mut self,
        op: Op,
        message: Message,
        got: Option<Got>,
    ) -> Result<Option<Event>, Unfit> {
        let mut message = match got {
            Some(got) => Message { partner: got.source, tag: got.tag, ..message },
            None => message,
        };
        if op.plain() == Op::Mrecv {
            // The communicator of the message is known from the probe.
            let is_match =
                |probe: &(i64, i64, u32)| (probe.0, probe.1) == (message.partner, message.tag);
            if let Some(index) = self.found_by_probes.iter().position(is_match) {
                message.communicator = self.found_by_probes.remove(index).2;
            }
        }
        let Some((communicator, other)) = self.partner(message)? else { return Ok(None) };
        Ok(Some(Event::Receive {
            channel: (communicator, other, self.processor.rank, message.tag),
        }))
    }

    /// The communicator's key, and the other one's rank in that of all.
    fn partner(&self, message: Message) -> Result<Option<(u64, u32)>, Unfit> {
        if message.partner == NOBODY {
            return Ok(None);
        }
        let key = u64::from_str_radix(self.overview.key(message.communicator), 16).ok();
        let other = self.overview.world_rank(message.communicator, message.partner);
        key.zip(other).map(Some).ok_or(Unfit::Outside)
    }

    /// Handles a call of a collective; `None` if the process is alone in it.
    fn coming(
        &mut self,
        group: (CollectiveGroup, u32),
        op: Op,
        root: Option<u32>,
        bytes: (u64, u64),
    ) -> Option<Arrival> {
        let overview = self.overview;
        let (key, table) =
            collective::members(overview, group).filter(|(_, table)| table.size > 1)?;
        let count = self.collectives.entry(group).or_insert(0);
        *count += 1;
        let (key, kind) = ((group.0, key, *count), op.collective_kind());
        let (size, rank, among) = (table.size, table.rank, self.among(table.id));
        Some(Arrival { key, kind, size, rank, among, at_once: true, root, bytes })
    }
}

fn come(coming: Option<Arrival>, has_returned: bool, events: &mut VecDeque<Event>) {
    let Some(coming) = coming else { return };
    events.push_back(Event::Arrive(coming));
    if coming.at_once && has_returned {
        events.push_back(Event::Complete { key: coming.key, at_once: true });
    }
}
