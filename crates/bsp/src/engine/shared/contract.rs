//! The contract of engines: mailboxes, barriers, the end.

use std::sync::atomic::Ordering::*;

use super::barrier::Arrival;
use super::barrier_wait::Purpose;
use super::control::Stage;
use super::mailbox::Mailbox;
use super::{Shared, give_back, rings};
use crate::channel::Channels;
use crate::chunk::Chunk;
use crate::engine::agreement::{CollectiveState, ExchangeResult, flags};
use crate::engine::contract::{Arrived, Engine, Senders};
use crate::engine::stop::{StopReason, Stopped};
use crate::engine::traffic::{Sent, Stream};
use crate::place::Place;
use crate::prefetch::fetch_to_write;
use crate::stream::{StreamReader, StreamWriter};

/// The bits of an [`Arrival`] that are [`flags`].
const SAID: u64 = flags::GETS | flags::DELIVERS | flags::REFUSES;

/// The bit for this processor in the set of those that have written to mailboxes; in a large machine several
/// processors share a bit. Mailboxes of the others need not be read; in a large machine their lines are in no
/// cache.
#[inline]
pub(super) fn sender(pid: usize) -> u64 {
    (SAID + 1) << (pid % SENDERS)
}

/// Number of bits for senders.
const SENDERS: usize = SAID.leading_zeros() as usize;

impl Engine for Shared {
    fn pid(&self) -> usize {
        self.me
    }

    fn nprocs(&self) -> usize {
        self.processors
    }

    #[inline]
    fn set_place(&mut self, place: Place) {
        let processor_state = &self.arena.processor_states()[self.me];
        if !place.is_in_the_file_of(&self.place)
            && let Some(file) = place.file()
        {
            processor_state.set_file(&file);
        }
        processor_state.set_line(place.line());
        self.place = place;
    }

    #[inline]
    fn begin(&mut self, to: usize, stream: Stream) -> Chunk {
        // SAFETY: nobody reads it any more: all have passed the barrier of the superstep in which it was read.
        unsafe { Mailbox::first_chunk(self.outgoing(to), stream) }
    }

    #[inline]
    fn close(&mut self, to: usize, sent: &Sent) {
        let mailbox = self.outgoing(to);
        // SAFETY: only atomics are accessed.
        unsafe { &*mailbox }.close(self.superstep, sent);
        // SAFETY: it was closed here.
        let [requests, messages] = unsafe { Mailbox::written(mailbox, sent) };
        self.prefetcher.remember(
            self.next_outgoing(to),
            [Mailbox::lines(requests), Mailbox::lines(messages), 0],
        );
        if self.is_large() {
            self.arena.stamp(self.is_odd(), to, self.me).store(self.superstep, Release);
        }
        self.sends = true;
    }

    #[inline(always)]
    fn exchange(
        &mut self,
        collective: Option<&CollectiveState>,
        flags: u64,
    ) -> Result<ExchangeResult, Stopped> {
        let word = collective.map_or(0, CollectiveState::fingerprint);
        if word != self.announced {
            self.publish_collective_state(word, collective);
        }
        self.send_subscribed();
        let sends = if std::mem::take(&mut self.sends) { self.bit } else { 0 };
        let mut word = Arrival::new(word, sends | flags);
        self.pass(&mut word, Purpose::Superstep)?;
        self.senders = word.any & !SAID;
        self.has_messages.set(false);
        let (gets, sent) = (word.any & flags::GETS != 0, self.senders != 0);
        let delivers = word.any & SAID == flags::DELIVERS;
        Ok(ExchangeResult { calls_agree: word.agrees(), gets, sent, delivers })
    }

    fn collective_state_of(&self, pid: usize) -> (CollectiveState, Option<String>) {
        let processor_state = &self.arena.processor_states()[pid];
        (processor_state.collective(), processor_state.place())
    }

    #[inline(always)]
    fn senders(&self) -> Senders {
        if self.processors <= SENDERS {
            Senders { bits: self.senders / sender(0), others: 0..0 }
        } else {
            Senders { bits: 0, others: 0..self.processors }
        }
    }

    #[inline]
    fn arrived(&self, from: usize) -> Option<Arrived> {
        match self.senders & sender(from) {
            0 => None,
            _ => self.in_mailbox(from),
        }
    }

    #[inline(always)]
    fn arrived_requests(&self, from: usize) -> (Option<StreamReader>, bool) {
        let mailbox = self.incoming(from);
        // SAFETY: only atomics are accessed.
        let (requests, messages) = unsafe { &*mailbox }.has(self.superstep);
        let offset = self.offset_of(mailbox) + Mailbox::CHUNKS.0 as u64;
        // SAFETY: as in `in_mailbox`.
        let requests = requests.then(|| unsafe { StreamReader::begin(self.arena.base(), offset) });
        (requests, messages)
    }

    fn open_replies(&mut self, to: usize, replies: &mut StreamWriter) {
        // SAFETY: its reader has passed the barrier after the replies of the superstep before the last.
        replies.restart(unsafe { Mailbox::replies(self.mailbox(self.me, to)) });
    }

    fn exchange_replies(&mut self) -> Result<(), Stopped> {
        let placed =
            if std::mem::take(&mut self.subscriptions.is_new) { sender(self.me) } else { 0 };
        let mut word = Arrival::new(0, placed);
        self.pass(&mut word, Purpose::Replies)?;
        if word.any != 0 {
            for other in (0..self.processors).filter(|&other| word.any & sender(other) != 0) {
                self.accept(other);
            }
        }
        Ok(())
    }

    fn replies(&self, from: usize) -> StreamReader {
        let offset = self.offset_of(self.mailbox(from, self.me)) + Mailbox::CHUNKS.2 as u64;
        // SAFETY: the stream was completed before the barrier.
        unsafe { StreamReader::begin(self.arena.base(), offset) }
    }

    fn barrier(&mut self, time: u64) -> Result<u64, Stopped> {
        // The value 0 means none.
        let mut word = Arrival::new(time + 1, 0);
        self.pass(&mut word, Purpose::Barrier)?;
        Ok(word.high - 1)
    }

    #[inline(always)]
    fn advance(&mut self) {
        self.arena.processor_states()[self.me].ended.end(self.superstep);
        self.superstep += 1;
        while let Some((mailbox, lines)) = self.prefetcher.take() {
            Mailbox::for_each_line(mailbox, lines, fetch_to_write);
        }
        let used = &mut self.used[(self.superstep % 2) as usize];
        if !used.is_empty() {
            give_back(used, &mut self.spare);
        }
    }

    fn channels(&self) -> Option<Box<dyn Channels>> {
        let (arena, heap, kind) = (self.arena.clone(), self.heap.clone(), self.kind.clone());
        let rings = rings::Rings::new(arena, heap, self.me, self.processors, kind);
        Some(Box::new(if self.is_virtual { rings.in_turns() } else { rings }))
    }

    fn stop(&self, why: Option<&str>) -> bool {
        let control = self.arena.control();
        let first = control.stop();
        self.barrier.wake_all();
        control.turns.wake_all(&self.arena);
        if let Some(why) = why.filter(|_| first) {
            control.set_stop_reason(Some(self.me), why);
        }
        first
    }

    fn end_after_stop(&mut self) -> Option<StopReason> {
        self.leave();
        if self.me == 0 {
            self.kind.join(&self.arena);
        }
        let why = self.arena.control().stop_reason();
        self.release();
        why
    }

    fn end(&mut self) -> Result<(), Stopped> {
        self.leave();
        self.arena.processor_states()[self.me].set_stage(Stage::Ended);
        if self.me == 0 {
            self.kind.join(&self.arena);
            if self.arena.control().is_stopped() {
                return Err(Stopped);
            }
            self.release();
        }
        Ok(())
    }
}

impl Shared {
    /// Returns the data that has arrived from a processor that may have sent something.
    #[inline]
    fn in_mailbox(&self, from: usize) -> Option<Arrived> {
        if self.is_large() {
            let stamp = self.arena.stamp(self.is_odd(), self.me, from);
            if stamp.load(Acquire) != self.superstep {
                return None;
            }
        }
        let mailbox = self.incoming(from);
        // SAFETY: only atomics are accessed.
        let sent = unsafe { &*mailbox }.sent(self.superstep)?;
        let base = self.arena.base();
        let offset = self.offset_of(mailbox);
        let (requests, messages) =
            (offset + Mailbox::CHUNKS.0 as u64, offset + Mailbox::CHUNKS.1 as u64);
        let read = |any: bool, chunk: u64| {
            if any {
                // SAFETY: the sender has completed it, and does not change it before all are in the superstep after
                // the next.
                unsafe { StreamReader::begin(base, chunk) }
            } else {
                StreamReader::nothing(base)
            }
        };
        if sent.messages > 0 {
            self.has_messages.set(true);
        }
        let requests = read(sent.requests, requests);
        let messages = read(sent.messages > 0, messages);
        Some(Arrived { requests, messages, sent })
    }
}
