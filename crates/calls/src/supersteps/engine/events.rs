//! The events of a process, each of which may have to wait for other processes.

use std::cmp::Reverse;
use std::collections::VecDeque;

use cll_trace::layout::SUPERSTEP_OBLIVIOUS;
use cll_units::Seconds;

use super::{Engine, QueueEntry, Sent};
use crate::collective::CollectiveKey;
use crate::supersteps::collective_match::Arrival;
use crate::supersteps::part::Membership;
use crate::supersteps::process::{Channel, Event};
use crate::supersteps::refused::Refused;

impl Engine<'_, '_> {
    /// Whether the event could happen.
    pub(super) fn happens(&mut self, at: usize, event: Event) -> Result<bool, Refused> {
        let process = &mut self.processes[at];
        let Some(call) = &process.call else { return Ok(true) };
        let (start_s, point) = (call.start.get(), call.point);
        match event {
            Event::Send { channel, among, bytes, request } => {
                self.sends(at, (channel, among), bytes, (request, point, start_s))
            }
            Event::Receive { channel } => self.receives(at, channel, point),
            Event::Access { with, among, put, got } => {
                if !self.leaves_to(at, self.processes[at].processor.depth_with(among))? {
                    return Ok(false);
                }
                let top = self.processes[at].processor.top();
                top.turn(&mut self.log)?;
                top.asks(with, 1, put.get(), got.get());
                Ok(true)
            }
            Event::Arrive(coming) => self.arrives(at, &coming, start_s),
            Event::Complete { key, at_once } => self.completes(at, key, at_once),
            Event::Leave => self.leaves_to(at, 0),
        }
    }

    /// A process sends a message, if it can leave the parts that the receiver is not in.
    fn sends(
        &mut self,
        at: usize,
        (channel, among): (Channel, Membership),
        bytes: u64,
        (request, point, start_s): (Option<u64>, Option<u32>, f64),
    ) -> Result<bool, Refused> {
        if !self.leaves_to(at, self.processes[at].processor.depth_with(among))? {
            return Ok(false);
        }
        self.note_separate(at, among, channel.0);
        let process = &mut self.processes[at];
        process.processor.top().turn(&mut self.log)?;
        let run = (channel.2, channel.0, channel.3, point);
        if process.processor.top().has_sent(&run) && !process.receives_next()? {
            process.processor.top().close(SUPERSTEP_OBLIVIOUS, &mut self.log)?;
        }
        process.processor.sends(run, request, bytes);
        let sent = Sent { position: process.processor.position(), at_s: start_s };
        self.channels.entry(channel).or_default().push_back(sent);
        if let Some(waiting) = self.waiting.remove(&channel) {
            self.queue.push(Reverse(QueueEntry(start_s, waiting)));
        }
        Ok(true)
    }

    /// A process receives the next message of a channel, if it has been sent.
    fn receives(
        &mut self,
        at: usize,
        channel: Channel,
        point: Option<u32>,
    ) -> Result<bool, Refused> {
        let process = &mut self.processes[at];
        let sent = self.channels.get(&channel).and_then(VecDeque::front);
        let Some(Sent { position, at_s }) = sent else {
            self.waiting.insert(channel, at);
            return Ok(false);
        };
        let (at_s, (depth, position)) = (*at_s, process.processor.still_in(position));
        // A late message needs no superstep.
        let is_late = process.processor.superstep_at(depth) > position.superstep;
        if !is_late && !self.leaves_to(at, depth)? {
            return Ok(false);
        }
        self.take(channel);
        let process = &mut self.processes[at];
        if let Some(end) = process.call.as_ref().and_then(|call| call.end) {
            self.crossings.add((channel.1 as usize, Seconds(at_s)), (at, end));
        }
        process.receives(channel, at_s, self.one_clock);
        if is_late {
            let late = process.processor.superstep_at(depth) - position.superstep;
            process.processor.receives_late();
            self.is_late(at, late);
        } else {
            process.processor.receives(position.superstep, point, &mut self.log)?;
            self.is_late(at, 0);
        }
        Ok(true)
    }

    /// A process comes to a collective, if it can leave the parts that others of it are not in.
    fn arrives(&mut self, at: usize, coming: &Arrival, start_s: f64) -> Result<bool, Refused> {
        if !self.leaves_to(at, self.processes[at].processor.depth_with(coming.among))? {
            return Ok(false);
        }
        let processor = &mut self.processes[at].processor;
        let mut position = None;
        if !coming.at_once {
            processor.top().turn(&mut self.log)?;
            position = Some(processor.position());
        }
        if self.collectives.arrive(coming, processor.rank, position, start_s) {
            let position = if coming.at_once { Some(self.meet(at, coming)?) } else { None };
            for waiting in self.collectives.complete(coming.key, position) {
                self.queue.push(Reverse(QueueEntry(start_s, waiting)));
            }
        }
        Ok(true)
    }

    /// A process completes a collective, if it is known in which superstep.
    fn completes(&mut self, at: usize, key: CollectiveKey, at_once: bool) -> Result<bool, Refused> {
        let Some(position) = self.collectives.position(key, at) else {
            return Ok(false);
        };
        let (depth, position) = self.processes[at].processor.still_in(&position);
        if !self.leaves_to(at, depth)? {
            return Ok(false);
        }
        let rank = self.processes[at].processor.rank;
        let Some(taken) = self.collectives.leave(key, rank) else { return Ok(true) };
        self.meets(at, &taken, position.superstep, at_once)?;
        Ok(true)
    }

    /// A message of a channel.
    fn take(&mut self, channel: Channel) {
        if let Some(queue) = self.channels.get_mut(&channel) {
            queue.pop_front();
            if queue.is_empty() {
                self.channels.remove(&channel);
            }
        }
    }
}
