//! The engine's face: areas, mailboxes, barriers, the end.

use std::ptr::NonNull;
use std::sync::PoisonError;
use std::sync::atomic::Ordering::*;

use super::arena::PAGE;
use super::barrier::Word;
use super::control::Stage;
use super::lookout::Purpose;
use super::mailbox::Mailbox;
use super::waiting;
use super::window::MOST_POPS;
use super::{Shared, give_back, rings};
use crate::Misuse;
use crate::channel::Channels;
use crate::chunk::Chunk;
use crate::engine::agreement::{Agreed, Alike, says};
use crate::engine::contract::{Arrived, Engine, Piece, Remote};
use crate::engine::stop::{StopReason, Stopped};
use crate::engine::traffic::{Offer, Sent, Stream};
use crate::place::Place;
use crate::prefetch::fetch_to_write;
use crate::registers::Slot;
use crate::stream::{Reader, Writer};
use crate::virtuals::Combine;

/// In a word's bits: what somebody [`says`].
const SAID: u64 = says::GETS | says::DELIVERS | says::REFUSES;

/// The bit that stands for this one among those who have written to mailboxes: of a larger machine, for some.
/// Mailboxes of those who have not need not be looked at, which in a large machine nobody has in a cache.
#[inline]
pub(super) fn sender(pid: usize) -> u64 {
    (SAID + 1) << (pid % SENDERS)
}

/// Bits of senders.
const SENDERS: usize = SAID.leading_zeros() as usize;

impl Engine for Shared {
    fn pid(&self) -> usize {
        self.me
    }

    fn nprocs(&self) -> usize {
        self.processors
    }

    unsafe fn publish(
        &mut self,
        slot: Slot,
        address: usize,
        size: usize,
        is_registered: &dyn Fn(usize, usize) -> bool,
    ) {
        let own = self.in_own_window(address, size);
        let piece = match own.is_none() && self.promotes && self.processors > 1 {
            // SAFETY: by the caller.
            true => unsafe {
                let mut heap = self.heap.lock().unwrap_or_else(PoisonError::into_inner);
                self.promoted.promote((address, size), &self.arena, &mut heap, is_registered)
            },
            false => own,
        };
        let entry = self.entry(self.me, slot);
        entry.address.store(address, Relaxed);
        entry.size.store(size, Relaxed);
        let (reach, offset) = match piece {
            Some(piece) => ((piece.address, piece.address + piece.size), piece.offset),
            None => ((address, address), 0),
        };
        entry.reach.0.store(reach.0, Relaxed);
        entry.reach.1.store(reach.1, Relaxed);
        entry.offset.store(offset, Relaxed);
    }

    fn allocate(&mut self, size: usize) -> Result<NonNull<u8>, Misuse> {
        let too_much = || Misuse::NoMemory(format!("an area of {size} bytes"));
        let pages = whole_pages(size).ok_or_else(too_much)?;
        let offset = self.heap().take(pages).ok_or_else(too_much)?;
        // SAFETY: it lies in the window.
        NonNull::new(unsafe { self.arena.base().add(offset) }).ok_or_else(too_much)
    }

    fn free(&mut self, memory: NonNull<u8>, size: usize) {
        if let Some(pages) = whole_pages(size) {
            let offset = self.offset_of(memory.as_ptr()) as usize;
            self.arena.release(offset, pages);
            self.heap().give_back(offset, pages);
        }
    }

    #[inline]
    fn remote(&self, slot: Slot, pid: usize) -> Remote {
        let entry = self.entry(pid, slot);
        let (address, size) = (entry.address.load(Relaxed), entry.size.load(Relaxed));
        if pid == self.me || self.kind.shares_everything() {
            let reach = (address, address + size);
            return Remote { address, size, reach, here: address as *mut u8 };
        }
        let reach = (entry.reach.0.load(Relaxed), entry.reach.1.load(Relaxed));
        // SAFETY: an offset in the arena.
        let here = unsafe { self.arena.base().add(entry.offset.load(Relaxed)) };
        Remote { address, size, reach, here }
    }

    #[inline]
    fn is_settled(&self, pid: usize) -> bool {
        let seat = &self.arena.seats()[pid];
        let is_over = || seat.settled.is_over(self.superstep - 1);
        // An unsuccessful poll would be a virtual processor's computation.
        pid == self.me || is_over() || !self.is_virtual && waiting::glance(is_over)
    }

    fn settle(&self, pid: usize) -> Result<(), Misuse> {
        if self.is_virtual && pid != self.me {
            let why = "virtual processors compute in turns";
            return Err(Misuse::NotAtOnce(pid, why.to_owned()));
        }
        while !self.is_settled(pid) {
            if self.arena.control().is_stopped() {
                return Err(Misuse::Stopped);
            }
            self.kind.look_around(&self.arena);
            std::thread::yield_now();
        }
        Ok(())
    }

    unsafe fn read_now(
        &self,
        pid: usize,
        address: usize,
        into: *mut u8,
        size: usize,
    ) -> Result<(), Misuse> {
        let process = self.arena.seats()[pid].process.load(Acquire) as libc::pid_t;
        let mut done = 0;
        while done < size {
            let local =
                libc::iovec { iov_base: into.wrapping_add(done).cast(), iov_len: size - done };
            let remote = libc::iovec {
                iov_base: std::ptr::with_exposed_provenance_mut(address + done),
                iov_len: size - done,
            };
            // SAFETY: by the caller; what lies at the other end the system looks at.
            let read = unsafe {
                libc::process_vm_readv(process, &raw const local, 1, &raw const remote, 1, 0)
            };
            match usize::try_from(read) {
                Ok(read) if read > 0 => done += read,
                _ => return Err(self.not_read(pid)),
            }
        }
        Ok(())
    }

    fn publish_pop(&mut self, index: usize, popped: u64) -> Result<(), Misuse> {
        if index >= MOST_POPS {
            return Err(Misuse::TooManyAreas(MOST_POPS));
        }
        self.pop(self.me, index).store(popped, Relaxed);
        Ok(())
    }

    fn pop_of(&self, pid: usize, index: usize) -> u64 {
        self.pop(pid, index).load(Relaxed)
    }

    fn pops_are_agreed(&mut self) -> Result<(), Stopped> {
        self.exchange_replies()
    }

    fn rendezvous(&mut self, time: u64) -> Result<u64, Stopped> {
        // A word that is 0 stands for none.
        let mut word = Word::new(time + 1, 0);
        self.pass(&mut word, Purpose::Rendezvous)?;
        Ok(word.high - 1)
    }

    #[inline]
    fn begin(&mut self, to: usize, stream: Stream) -> Chunk {
        // SAFETY: nobody reads it any more: all have passed the barrier of the superstep in which
        // it was read.
        unsafe { Mailbox::first_chunk(self.outgoing(to), stream) }
    }

    fn is_read_elsewhere(&self, to: usize) -> bool {
        to != self.me && self.processors <= self.cores
    }

    #[inline]
    fn close(&mut self, to: usize, sent: &Sent) {
        let mailbox = self.outgoing(to);
        // SAFETY: atomics alone are reached.
        unsafe { &*mailbox }.close(self.superstep, sent);
        // SAFETY: it was closed here.
        let [requests, messages] = unsafe { Mailbox::written(mailbox, sent) };
        self.ahead.remember(
            self.next_outgoing(to),
            [Mailbox::lines(requests), Mailbox::lines(messages), 0],
        );
        if self.is_large() {
            self.arena.stamp(self.is_odd(), to, self.me).store(self.superstep, Release);
        }
        self.sends = true;
    }

    fn time_waits(&mut self, clock: fn() -> u64) -> bool {
        self.watch.set(clock);
        true
    }

    #[inline]
    fn waited(&self) -> u64 {
        self.watch.take()
    }

    #[inline]
    fn set_place(&mut self, place: Place) {
        let seat = &self.arena.seats()[self.me];
        if !place.is_in_the_file_of(&self.place)
            && let Some(file) = place.file()
        {
            seat.set_file(&file);
        }
        seat.set_line(place.line());
        self.place = place;
    }

    fn exchange(&mut self, alike: Option<&Alike>, says: u64) -> Result<Agreed, Stopped> {
        self.exchange_now(alike, says)
    }

    fn offer(&mut self, to: usize, offer: Offer) {
        // SAFETY: atomics alone are reached.
        unsafe { &*self.mailbox(self.me, to) }.offer(self.superstep, offer);
    }

    fn delivers(&self, from: usize, to: usize) -> Offer {
        // SAFETY: atomics alone are reached.
        let mailbox = |from: usize| unsafe { &*self.mailbox(from, to) };
        let has_requests =
            |from: usize| mailbox(from).sent(self.superstep).is_some_and(|sent| sent.requests);
        let offer = match has_requests(from) {
            true => mailbox(from).offered(self.superstep),
            false => Offer::Nothing,
        };
        let mut others = (0..self.processors).filter(|&other| other != from);
        match offer == Offer::Nothing || others.any(has_requests) {
            true => Offer::Nothing,
            false => offer,
        }
    }

    fn requests(&self, from: usize, to: usize) -> Reader {
        let at = self.offset_of(self.mailbox(from, to)) + Mailbox::CHUNKS.0 as u64;
        // SAFETY: the sender has finished them, and does not touch them in this superstep's end.
        unsafe { Reader::begin(self.arena.base(), at) }
    }

    #[inline]
    fn arrived(&self, from: usize) -> Option<Arrived> {
        match self.senders & sender(from) {
            0 => None,
            _ => self.in_mailbox(from),
        }
    }

    fn open_replies(&mut self, to: usize, replies: &mut Writer) {
        // SAFETY: who reads it has passed the barrier after the replies of the superstep before the last.
        replies.restart(unsafe { Mailbox::replies(self.mailbox(self.me, to)) });
    }

    fn exchange_replies(&mut self) -> Result<(), Stopped> {
        let placed = if std::mem::take(&mut self.orders.placed) { sender(self.me) } else { 0 };
        let mut word = Word::new(0, placed);
        self.pass(&mut word, Purpose::Replies)?;
        if word.any != 0 {
            for other in (0..self.processors).filter(|&other| word.any & sender(other) != 0) {
                self.see_order(other);
            }
        }
        Ok(())
    }

    fn order(&mut self, pieces: &[Piece]) -> bool {
        self.place_order(pieces)
    }

    fn withdraw(&mut self) {
        self.withdraw_orders();
    }

    fn drop_orders(&mut self) {
        self.drop_all_orders();
    }

    #[inline]
    fn is_order_taken(&mut self) -> bool {
        self.are_orders_taken()
    }

    #[inline]
    fn ordered(&self, from: usize) -> Option<*mut u8> {
        self.sent_by(from)
    }

    fn replies(&self, from: usize) -> Reader {
        let at = self.offset_of(self.mailbox(from, self.me)) + Mailbox::CHUNKS.2 as u64;
        // SAFETY: the stream was finished before the barrier.
        unsafe { Reader::begin(self.arena.base(), at) }
    }

    fn alike_of(&self, pid: usize) -> (Alike, Option<String>) {
        let seat = &self.arena.seats()[pid];
        (seat.alike(), seat.place())
    }

    fn advance(&mut self) {
        self.advance_now();
    }

    fn tell_bytes(&self, to: usize, sent: u64, got: u64) {
        let seats = self.arena.seats();
        seats[self.me].bytes_out.fetch_add(sent, Relaxed);
        seats[self.me].bytes_in.fetch_add(got, Relaxed);
        seats[to].bytes_in.fetch_add(sent, Relaxed);
        seats[to].bytes_out.fetch_add(got, Relaxed);
    }

    fn come(&mut self, time: u64, combine: Combine) {
        self.arena.seats()[self.me].came.store(time, Relaxed);
        self.combine = combine;
    }

    fn latest(&self) -> (u64, u64) {
        let control = self.arena.control();
        (control.latest.load(Relaxed), control.largest.load(Relaxed))
    }

    fn channels(&self) -> Option<Box<dyn Channels>> {
        let (arena, heap, kind) = (self.arena.clone(), self.heap.clone(), self.kind.clone());
        let rings = rings::Rings::new(arena, heap, self.me, self.processors, kind);
        Some(Box::new(if self.is_virtual { rings.in_turns() } else { rings }))
    }

    fn stop(&self) -> bool {
        let first = self.arena.control().stop();
        self.barrier.wake_all();
        self.arena.control().turns.wake_all(&self.arena);
        first
    }

    fn say_why(&self, text: &str) {
        self.arena.control().say_why(Some(self.me), text);
    }

    fn abandon(&mut self) -> Option<StopReason> {
        self.leave();
        if self.me == 0 {
            self.kind.join(&self.arena);
        }
        let why = self.arena.control().why();
        self.release();
        why
    }

    fn end(&mut self) -> Result<(), Stopped> {
        self.leave();
        self.arena.seats()[self.me].set_stage(Stage::Ended);
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

/// So many bytes in whole pages, at least one.
fn whole_pages(size: usize) -> Option<usize> {
    size.max(1).checked_next_multiple_of(PAGE)
}

impl Shared {
    /// Why a processor's memory was not read.
    #[cold]
    fn not_read(&self, pid: usize) -> Misuse {
        let error = std::io::Error::last_os_error();
        if self.arena.control().is_stopped() {
            return Misuse::Stopped;
        }
        match error.raw_os_error() {
            Some(libc::EFAULT) => Misuse::Gone(pid),
            _ => Misuse::NotAtOnce(pid, format!("the system does not allow it ({error})")),
        }
    }

    /// As [`Engine::exchange`].
    #[inline(always)]
    pub fn exchange_now(&mut self, alike: Option<&Alike>, says: u64) -> Result<Agreed, Stopped> {
        let word = alike.map_or(0, Alike::word);
        if word != self.told {
            self.tell_alike(word, alike);
        }
        self.send_ordered();
        let sends = if std::mem::take(&mut self.sends) { self.bit } else { 0 };
        let mut word = Word::new(word, sends | says);
        self.pass(&mut word, Purpose::Superstep)?;
        self.senders = word.any & !SAID;
        self.hears.set(false);
        let (gets, sent) = (word.any & says::GETS != 0, self.senders != 0);
        let delivers = word.any & SAID == says::DELIVERS;
        Ok(Agreed { alike: word.agrees(), gets, sent, delivers })
    }

    /// As [`Engine::advance`].
    #[inline(always)]
    pub fn advance_now(&mut self) {
        self.arena.seats()[self.me].settled.end(self.superstep);
        self.superstep += 1;
        while let Some((mailbox, lines)) = self.ahead.take() {
            Mailbox::for_each_line(mailbox, lines, fetch_to_write);
        }
        let used = &mut self.used[(self.superstep % 2) as usize];
        if !used.is_empty() {
            give_back(used, &mut self.spare);
        }
    }

    /// Those who may have sent something in this superstep, the lowest bit of which is processor 0; of machines
    /// so small that each has a bit.
    #[inline(always)]
    pub fn few_senders(&self) -> Option<u64> {
        (self.processors <= SENDERS).then_some(self.senders / sender(0))
    }

    /// As [`Engine::arrived`], of a machine with few processors: what is to be read is told apart. Whether messages
    /// have come.
    #[inline(always)]
    pub fn requests_of_few(&self, from: usize) -> (Option<Reader>, bool) {
        let mailbox = self.incoming(from);
        // SAFETY: atomics alone are reached.
        let (requests, messages) = unsafe { &*mailbox }.has(self.superstep);
        let at = self.offset_of(mailbox) + Mailbox::CHUNKS.0 as u64;
        // SAFETY: as in `in_mailbox`.
        let requests = requests.then(|| unsafe { Reader::begin(self.arena.base(), at) });
        (requests, messages)
    }

    /// What has come from one who may have sent something.
    #[inline]
    pub fn in_mailbox(&self, from: usize) -> Option<Arrived> {
        if self.is_large() {
            let stamp = self.arena.stamp(self.is_odd(), self.me, from);
            if stamp.load(Acquire) != self.superstep {
                return None;
            }
        }
        let mailbox = self.incoming(from);
        // SAFETY: atomics alone are reached.
        let sent = unsafe { &*mailbox }.sent(self.superstep)?;
        let base = self.arena.base();
        let at = self.offset_of(mailbox);
        let (requests, messages) = (at + Mailbox::CHUNKS.0 as u64, at + Mailbox::CHUNKS.1 as u64);
        let read = |any: bool, chunk: u64| match any {
            // SAFETY: the sender has finished it, and does not touch it before all are in the
            // superstep after the next.
            true => unsafe { Reader::begin(base, chunk) },
            false => Reader::nothing(base),
        };
        if sent.messages > 0 {
            self.hears.set(true);
        }
        let requests = read(sent.requests, requests);
        let messages = read(sent.messages > 0, messages);
        Some(Arrived { requests, messages, sent })
    }
}
