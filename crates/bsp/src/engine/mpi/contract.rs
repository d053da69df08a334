//! The contract of engines, by messages.

use std::ptr::NonNull;

use super::packed_header::{CELL, Outbox};
use super::transport::{IoVector, Set, Tag};
use super::{Area, CollectiveRecord, MIN_LARGE_BYTES, MpiEngine, Replies, chunk_pool};
use crate::Misuse;
use crate::chunk::{Chunk, HEADER};
use crate::engine::agreement::{CollectiveState, ExchangeResult, flags};
use crate::engine::capabilities::{
    DirectAccess, DirectDelivery, LargeTransfer, OutOfBand, Subscriptions, TimedWaits, VirtualClock,
};
use crate::engine::contract::{Areas, Arrived, Engine, Remote};
use crate::engine::stop::{StopReason, Stopped};
use crate::engine::traffic::{Sent, Stream};
use crate::place::Place;
use crate::registers::Slot;
use crate::say::say;
use crate::stream::{StreamReader, StreamWriter};

impl Areas for MpiEngine {
    unsafe fn publish(
        &mut self,
        slot: Slot,
        address: usize,
        size: usize,
        _is_registered: &dyn Fn(usize, usize) -> bool,
    ) {
        self.pushed.push((slot, Area { address, size }));
    }

    #[inline]
    fn remote(&self, slot: Slot, pid: usize) -> Remote {
        let Area { address, size } = self.areas[slot as usize][pid];
        let reach = if pid == self.me { (address, address + size) } else { (address, address) };
        Remote { address, size, reach, here: address as *mut u8 }
    }

    fn publish_pop(&mut self, index: usize, popped: u64) -> Result<(), Misuse> {
        self.popped.truncate(index);
        self.popped.push(popped);
        Ok(())
    }

    fn pop_of(&self, pid: usize, index: usize) -> u64 {
        self.pops[pid][index]
    }

    /// Nothing to wait for: each processor has a copy.
    fn pops_are_agreed(&mut self) -> Result<(), Stopped> {
        Ok(())
    }

    fn allocate(&mut self, size: usize) -> Result<NonNull<u8>, Misuse> {
        chunk_pool::allocate(size)
    }

    fn free(&mut self, memory: NonNull<u8>, size: usize) {
        chunk_pool::free(memory, size);
    }
}

impl Engine for MpiEngine {
    fn pid(&self) -> usize {
        self.me
    }

    fn nprocs(&self) -> usize {
        self.processors
    }

    #[inline]
    fn set_place(&mut self, place: Place) {
        if !place.is_in_the_file_of(&self.place)
            && let Some(file) = place.file()
        {
            self.file = file.into_owned();
            self.endpoint.node.rank_state().set_file(&self.file);
        }
        self.endpoint.node.rank_state().set_line(place.line());
        self.place = place;
    }

    fn begin(&mut self, to: usize, stream: Stream) -> Chunk {
        if to == self.me {
            self.own[self.parity()].begin(stream)
        } else {
            self.outboxes[to].get_or_insert_with(Outbox::new).begin(stream)
        }
    }

    fn close(&mut self, to: usize, sent: &Sent) {
        let (superstep, parity) = (self.superstep, self.parity());
        if to == self.me {
            self.own[parity].close(superstep, sent);
        } else if let Some(outbox) = &mut self.outboxes[to] {
            outbox.close(superstep, sent);
        }
    }

    fn exchange(
        &mut self,
        collective: Option<&CollectiveState>,
        flags: u64,
    ) -> Result<ExchangeResult, Stopped> {
        let gets = flags & flags::GETS != 0;
        let nothing = CollectiveState::default();
        let collective = collective.unwrap_or(&nothing);
        if self.endpoint.node.is_stopped() {
            return Err(Stopped);
        }
        let word = collective.fingerprint();
        self.send_cells(word, gets)?;
        self.endpoint.wait(self.cells())?;
        let (mut is_equal, mut any_gets) = (true, gets);
        for from in self.others() {
            let head = self.inboxes[self.parity()].head(from);
            is_equal &= head.word == word;
            any_gets |= head.asks != 0;
        }
        self.receive_streams()?;
        self.endpoint.wait(Set::Sent)?;
        if !is_equal {
            self.exchange_differences(collective)?;
        } else if collective.pushes > 0 || collective.pops > 0 {
            self.exchange_areas()?;
        }
        Ok(ExchangeResult { calls_agree: is_equal, gets: any_gets, sent: true, delivers: false })
    }

    fn collective_state_of(&self, pid: usize) -> (CollectiveState, Option<String>) {
        let CollectiveRecord { collective, line, file } = &self.records[pid];
        let [pushes, pops, tag_calls, tag_size, kind, ends] = *collective;
        let collective =
            CollectiveState { pushes, pops, tag_calls, tag_size, kind, ends: ends != 0 };
        let name: Vec<u8> = file.iter().copied().take_while(|&byte| byte != 0).collect();
        let place = (*line > 0).then(|| format!("{}:{line}", String::from_utf8_lossy(&name)));
        (collective, place)
    }

    #[inline]
    fn arrived(&self, from: usize) -> Option<Arrived> {
        if from != self.me {
            return self.inboxes[self.parity()].arrived(from, self.streams[from]);
        }
        let own = &self.own[self.parity()];
        (own.closed_in() == self.superstep).then(|| own.arrived())
    }

    fn open_replies(&mut self, to: usize, replies: &mut StreamWriter) {
        let Replies { first, open, .. } = &mut self.replies[to];
        *open = true;
        first.resize(CELL / 16, 0);
        // No byte may be written.
        first[0] = 0;
        let header = NonNull::new(first.as_mut_ptr().cast()).unwrap_or(NonNull::dangling());
        replies.restart(Chunk { header, room: CELL - HEADER });
    }

    fn exchange_replies(&mut self) -> Result<(), Stopped> {
        self.send_replies()?;
        self.receive_replies()?;
        self.endpoint.wait(Set::Sent)
    }

    fn replies(&self, from: usize) -> StreamReader {
        let base = self.replies[from].received.unwrap_or(std::ptr::null_mut());
        // SAFETY: a request was sent to it, and its replies have arrived: a stream of one chunk.
        unsafe { StreamReader::begin(base, 0) }
    }

    fn barrier(&mut self, time: u64) -> Result<u64, Stopped> {
        let all = self.exchange_bytes(Tag::Barrier, &[time])?;
        Ok(all.into_iter().flatten().fold(time, u64::max))
    }

    fn advance(&mut self) {
        self.superstep += 1;
        self.chunks.advance(self.superstep);
        // An error here occurs again at the next exchange, and is reported there.
        let _ = self.expect_cells();
    }

    fn stop(&self, why: Option<&str>) -> bool {
        let first = self.endpoint.node.stop();
        if let Some(why) = why.filter(|_| first) {
            let (me, processors) = (self.me, self.processors);
            say(&format!("processor {me} of {processors}: {why}"));
        }
        first
    }

    fn before_exit(&self, first: bool) {
        self.endpoint.before_exit(first);
    }

    fn end_after_stop(&mut self) -> Option<StopReason> {
        None
    }

    fn end(&mut self) -> Result<(), Stopped> {
        self.drop_puts()?;
        self.endpoint.end(self.processors)
    }
}

impl OutOfBand for MpiEngine {
    fn out_of_band_from(&self) -> usize {
        MIN_LARGE_BYTES
    }

    fn out_of_band_buffer(&mut self, size: usize) -> Result<*mut u8, Misuse> {
        self.copy_buffers.take(size)
    }

    unsafe fn send_out_of_band(
        &mut self,
        what: LargeTransfer,
        to: usize,
        bytes: *const u8,
        size: usize,
    ) -> Result<(), Stopped> {
        let (set, tag) = match what {
            LargeTransfer::Put => (Set::PutsSent, Tag::Put),
            LargeTransfer::Reply => (Set::RepliesSent, Tag::Reply),
        };
        if what == LargeTransfer::Put {
            self.puts.push((to, size as u64));
        }
        // SAFETY: by the caller.
        unsafe { self.endpoint.send(set, to, tag, &[IoVector::new(bytes, size)]) }
    }

    unsafe fn receive_out_of_band(
        &mut self,
        what: LargeTransfer,
        from: usize,
        into: *mut u8,
        size: usize,
    ) -> Result<(), Stopped> {
        let tag = match what {
            LargeTransfer::Put => Tag::Put,
            LargeTransfer::Reply => Tag::Reply,
        };
        // SAFETY: by the caller.
        unsafe { self.endpoint.receive(Set::Large, from, tag, into, size) }
    }

    fn wait_out_of_band(&mut self, what: LargeTransfer) -> Result<(), Stopped> {
        self.endpoint.wait(Set::Large)?;
        match what {
            LargeTransfer::Put if self.puts.is_empty() => Ok(()),
            LargeTransfer::Put => {
                self.puts.clear();
                self.endpoint.wait(Set::PutsSent)?;
                self.copy_buffers.give_back_all();
                Ok(())
            }
            LargeTransfer::Reply => self.endpoint.wait(Set::RepliesSent),
        }
    }

    fn wait_puts_received(&mut self) -> Result<(), Stopped> {
        self.endpoint.wait(Set::Large)
    }
}

// No memory is shared: no access is immediate, no sender delivers its puts itself, and nothing is sent without
// a request.
impl DirectAccess for MpiEngine {}
impl DirectDelivery for MpiEngine {}
impl Subscriptions for MpiEngine {}
impl VirtualClock for MpiEngine {}
impl TimedWaits for MpiEngine {}
