//! Processors that share memory: one implementation for processes and for threads.
//!
//! In a superstep each processor writes into mailboxes of its own window. At its end all meet in a
//! barrier, after which each reads what others have for it. Mailboxes are there twice: one is
//! filled while the other is read, so one barrier is enough for a superstep, but for those with
//! gets, in which nobody may write before all have read.

pub(crate) mod arena;
mod atomics;
pub(crate) mod barrier;
pub(crate) mod control;
mod heap;
pub(crate) mod mailbox;
#[cfg(all(test, loom))]
mod model;
mod promotion;
pub(crate) mod rings;
mod settled;
pub(crate) mod turns;
pub(crate) mod waiting;

use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::*};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use self::arena::{Arena, PAGE};
use self::barrier::{Barrier, Word};
use self::control::{Alike, Stage, Why};
use self::heap::Heap;
use self::mailbox::{Mailbox, Sent};
use self::promotion::{Piece, Promoted};
use self::waiting::{NO_CORES, Outlook, Stopped};
use super::{Agreed, Arrived, Engine, Remote};
use crate::Misuse;
use crate::channel::Channels;
use crate::place::Place;
use crate::registers::{MOST_SLOTS, Slot};
use crate::stream::{Chunk, ChunkHeader, HEADER, Reader, Supply, Writer};
use crate::virtuals::Combine;

/// Pops in one superstep.
const MOST_POPS: usize = 1 << 20;
/// With more processors than this, who has sent something is noted beside the mailboxes, too.
const LARGE: usize = 64;
/// In a word's bits: somebody gets.
const GETS: u64 = 1;

/// A processor's area in a slot, in its window.
#[repr(C)]
#[derive(Debug)]
struct Entry {
    address: AtomicUsize,
    size: AtomicUsize,
    reach: (AtomicUsize, AtomicUsize),
    /// Where the reach lies in the arena.
    offset: AtomicUsize,
}

/// What differs between processes and threads.
pub(crate) trait Kind: Send + Sync {
    /// Whether another processor's memory lies where it lies for itself.
    fn shares_everything(&self) -> bool;
    /// Looks whether all that must be alive is; called by who waits long.
    fn look_around(&self, arena: &Arena);
    /// On processor 0: waits until the others are gone.
    fn join(&self, arena: &Arena);
}

/// The engine of one processor.
pub(crate) struct Shared {
    arena: Arc<Arena>,
    kind: Arc<dyn Kind>,
    me: usize,
    processors: usize,
    cores: usize,
    superstep: u64,
    barriers: u64,
    heap: Arc<Mutex<Heap>>,
    /// Chunks that are free, by the logarithm of their size in bytes.
    spare: [Vec<Chunk>; usize::BITS as usize],
    /// Chunks in use, for odd and even supersteps.
    used: [Vec<Chunk>; 2],
    promoted: Promoted,
    /// Processes and the parts of memory that they share with nobody: may it be promoted?
    promotes: bool,
    place: Place,
    /// The word of what the seat says.
    told: u64,
    /// It computes in turns.
    is_virtual: bool,
}

/// What lies where in a window; offsets from its begin.
struct Window;

impl Window {
    const ENTRIES: usize = 0;
    const POPS: usize = MOST_SLOTS * size_of::<Entry>();
    const MAILBOXES: usize = Window::POPS + MOST_POPS * 8;

    fn heap(processors: usize) -> usize {
        Window::MAILBOXES + 2 * processors * size_of::<Mailbox>()
    }

    /// What a processor may take of its window.
    fn own_heap(arena: &Arena, me: usize) -> Arc<Mutex<Heap>> {
        let (window, size) = arena.window(me);
        let from = window + Window::heap(arena.processors());
        Arc::new(Mutex::new(Heap::new(from, window + size)))
    }
}

impl Shared {
    /// Processor `me` of the first `processors` of an arena.
    pub fn new(arena: Arc<Arena>, me: usize, processors: usize, kind: Arc<dyn Kind>) -> Shared {
        let heap = Window::own_heap(&arena, me);
        let promotes = !kind.shares_everything();
        atomics::order::begin();
        arena.seats()[me].set_stage(Stage::Running);
        Shared {
            kind,
            me,
            processors,
            cores: arena.cores(),
            superstep: 1,
            barriers: 0,
            heap,
            spare: [const { Vec::new() }; usize::BITS as usize],
            used: [Vec::new(), Vec::new()],
            promoted: Promoted::new(),
            promotes,
            place: Place::NOWHERE,
            told: 0,
            is_virtual: false,
            arena,
        }
    }

    /// As [`Shared::new`]; it computes in turns, and has its first one.
    pub fn in_turns(
        arena: Arc<Arena>,
        me: usize,
        processors: usize,
        kind: Arc<dyn Kind>,
    ) -> Shared {
        let shared = Shared::new(arena, me, processors, kind);
        Shared { cores: NO_CORES, is_virtual: true, ..shared }
    }

    fn in_window<T>(&self, processor: usize, offset: usize) -> *mut T {
        // SAFETY: offsets are those of `Window`, within it.
        unsafe { self.arena.base().add(self.arena.window(processor).0 + offset).cast() }
    }

    fn heap(&self) -> MutexGuard<'_, Heap> {
        self.heap.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn entry(&self, processor: usize, slot: Slot) -> &Entry {
        // SAFETY: atomics alone, of which all zero is a value.
        unsafe { &*self.in_window::<Entry>(processor, Window::ENTRIES).add(slot as usize) }
    }

    fn pop(&self, processor: usize, index: usize) -> &AtomicU64 {
        // SAFETY: as for `entry`.
        unsafe { &*self.in_window::<AtomicU64>(processor, Window::POPS).add(index) }
    }

    /// With many processors, even a look into the mailboxes of all would need memory for all of them.
    fn is_large(&self) -> bool {
        self.processors > LARGE
    }

    fn is_odd(&self) -> bool {
        self.superstep % 2 == 1
    }

    fn mailbox(&self, from: usize, to: usize) -> *mut Mailbox {
        let index = 2 * to + usize::from(self.is_odd());
        // SAFETY: it lies in the window.
        unsafe { self.in_window::<Mailbox>(from, Window::MAILBOXES).add(index) }
    }

    fn offset_of<T>(&self, pointer: *const T) -> u64 {
        (pointer as usize - self.arena.base() as usize) as u64
    }

    /// An area in this processor's window: the others have all of it mapped already.
    fn in_own_window(&self, address: usize, size: usize) -> Option<Piece> {
        let (window, window_size) = self.arena.window(self.me);
        let offset = address.checked_sub(self.arena.base() as usize)?;
        let lies_in_it = (window..window + window_size).contains(&offset);
        lies_in_it.then_some(Piece { address, size, offset })
    }

    #[inline(always)]
    fn pass(&mut self, word: &mut Word, replies: bool) -> Result<(), Stopped> {
        if self.processors == 1 {
            return if self.arena.control().is_stopped() { Err(Stopped) } else { Ok(()) };
        }
        self.barriers += 1;
        let barrier = self.arena.barrier(self.processors, self.cores);
        barrier.pass(self.me, self.barriers, word, &Lookout { shared: self, replies })
    }

    /// What it had its turn for is over.
    fn leave(&self) {
        if self.is_virtual {
            leave_turn(&self.arena, self.me);
        }
    }

    /// The others are gone. Promoted memory outlives the machine, and all of the arena with it: what
    /// else is in it is given back.
    fn release(&self) {
        if self.me == 0 && self.promotes {
            self.arena.release_all_but(&self.promoted.kept());
        }
    }

    fn barrier(&self) -> Barrier<'_> {
        self.arena.barrier(self.processors, self.cores)
    }
}

fn give_back(used: &mut Vec<Chunk>, spare: &mut [Vec<Chunk>]) {
    for chunk in used.drain(..) {
        spare[(chunk.room + HEADER).ilog2() as usize].push(chunk);
    }
}

/// The channels of one processor of the first `processors` of an arena, whose memory no [`Shared`]
/// uses.
pub(crate) fn rings(
    arena: Arc<Arena>,
    me: usize,
    processors: usize,
    kind: Arc<dyn Kind>,
) -> rings::Rings {
    let heap = Window::own_heap(&arena, me);
    arena.seats()[me].set_stage(Stage::Running);
    atomics::order::begin();
    rings::Rings::new(arena, heap, me, processors, kind)
}

/// The same, for a processor that computes in turns and has its first one.
pub(crate) fn rings_in_turns(
    arena: Arc<Arena>,
    me: usize,
    processors: usize,
    kind: Arc<dyn Kind>,
) -> rings::Rings {
    rings(arena, me, processors, kind).in_turns()
}

/// Waits for a turn.
pub(crate) fn take_turn(arena: &Arena, me: usize, kind: &dyn Kind) -> Result<(), Stopped> {
    let turn = arena.control().turns.take(me, arena, || kind.look_around(arena))?;
    arena.seats()[me].set_turn(Some(turn));
    Ok(())
}

/// Gives the turn back, if it has one.
pub(crate) fn leave_turn(arena: &Arena, me: usize) {
    if let Some(turn) = arena.seats()[me].set_turn(None) {
        arena.control().turns.roam();
        arena.control().turns.give(turn, arena);
    }
}

/// So many bytes in whole pages, at least one.
fn whole_pages(size: usize) -> Option<usize> {
    size.max(1).checked_next_multiple_of(PAGE)
}

/// Brings a line of memory near: a hint.
#[inline]
fn fetch(line: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: it reads nothing that could be wrong.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(line.cast(), _MM_HINT_T0);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}

struct Lookout<'a> {
    shared: &'a Shared,
    /// Replies are waited for.
    replies: bool,
}

impl Outlook for Lookout<'_> {
    #[inline]
    fn expect(&self, from: usize) {
        if !self.shared.is_large() {
            let mailbox = self.shared.mailbox(from, self.shared.me);
            let [requests, messages, replies] = Mailbox::heads(mailbox);
            match self.replies {
                false => {
                    [requests, messages, requests.wrapping_add(64)].into_iter().for_each(fetch)
                }
                true => [replies, replies.wrapping_add(64)].into_iter().for_each(fetch),
            }
        }
    }

    fn is_stopped(&self) -> bool {
        self.shared.arena.control().is_stopped()
    }

    fn look_around(&self) {
        self.shared.kind.look_around(&self.shared.arena);
    }

    fn rests(&self, rests: bool) {
        self.shared.arena.seats()[self.shared.me].set_rests(rests);
        if rests {
            self.shared.leave();
        }
    }

    fn resumes(&self) -> Result<(), Stopped> {
        match self.shared.is_virtual {
            true => take_turn(&self.shared.arena, self.shared.me, &*self.shared.kind),
            false => Ok(()),
        }
    }
}

impl Supply for Shared {
    fn chunk(&mut self, least: usize) -> Result<Chunk, Misuse> {
        let too_much = || Misuse::NoMemory(format!("{least} bytes at once"));
        let size = least.checked_add(HEADER).and_then(usize::checked_next_power_of_two);
        let size = size.ok_or_else(too_much)?.max(PAGE);
        let chunk = match self.spare[size.ilog2() as usize].pop() {
            Some(chunk) => chunk,
            None => {
                let offset = self.heap().take(size).ok_or_else(too_much)?;
                // SAFETY: it lies in the window.
                let header = unsafe { self.arena.base().add(offset).cast::<ChunkHeader>() };
                let header = NonNull::new(header).ok_or_else(too_much)?;
                Chunk { header, room: size - HEADER }
            }
        };
        self.used[(self.superstep % 2) as usize].push(chunk);
        Ok(chunk)
    }

    fn offset(&self, chunk: Chunk) -> u64 {
        self.offset_of(chunk.header.as_ptr())
    }
}

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
        // A look in vain would be a virtual processor's computation.
        pid == self.me || is_over() || !self.is_virtual && waiting::glance(is_over)
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
        self.pass(&mut word, false)?;
        Ok(word.high - 1)
    }

    #[inline]
    fn open(&mut self, to: usize, requests: &mut Writer, messages: &mut Writer) {
        // SAFETY: nobody reads it any more: all have passed the barrier of the superstep in which
        // it was read.
        let chunks = unsafe { Mailbox::chunks(self.mailbox(self.me, to)) };
        requests.restart(chunks.0);
        messages.restart(chunks.1);
    }

    fn close(&mut self, to: usize, sent: Sent) {
        // SAFETY: atomics alone are reached.
        unsafe { &*self.mailbox(self.me, to) }.close(self.superstep, sent);
        if self.is_large() {
            self.arena.stamp(self.is_odd(), to, self.me).store(self.superstep, Release);
        }
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

    #[inline]
    fn exchange(&mut self, alike: &Alike, gets: bool) -> Result<Agreed, Stopped> {
        let word = alike.word();
        if word != self.told {
            self.arena.seats()[self.me].set_alike(alike);
            self.told = word;
        }
        let mut word = Word::new(word, if gets { GETS } else { 0 });
        self.pass(&mut word, false)?;
        Ok(Agreed { alike: word.agrees(), gets: word.any & GETS != 0 })
    }

    #[inline(always)]
    fn arrived(&self, from: usize) -> Option<Arrived> {
        if self.is_large() {
            let stamp = self.arena.stamp(self.is_odd(), self.me, from);
            if stamp.load(Acquire) != self.superstep {
                return None;
            }
        }
        let mailbox = self.mailbox(from, self.me);
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
        let requests = read(sent.requests, requests);
        let messages = read(sent.messages > 0, messages);
        Some(Arrived { requests, messages, sent })
    }

    fn open_replies(&mut self, to: usize, replies: &mut Writer) {
        // SAFETY: who reads it has passed the barrier after the replies of the superstep before the last.
        replies.restart(unsafe { Mailbox::replies(self.mailbox(self.me, to)) });
    }

    fn exchange_replies(&mut self) -> Result<(), Stopped> {
        self.pass(&mut Word::new(0, 0), true)
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

    #[inline]
    fn advance(&mut self) {
        self.arena.seats()[self.me].settled.end(self.superstep);
        self.superstep += 1;
        let used = &mut self.used[(self.superstep % 2) as usize];
        if !used.is_empty() {
            give_back(used, &mut self.spare);
        }
    }

    fn tell_bytes(&self, to: usize, sent: u64, got: u64) {
        let seats = self.arena.seats();
        seats[self.me].bytes_out.fetch_add(sent, Relaxed);
        seats[self.me].bytes_in.fetch_add(got, Relaxed);
        seats[to].bytes_in.fetch_add(sent, Relaxed);
        seats[to].bytes_out.fetch_add(got, Relaxed);
    }

    fn latest(&mut self, time: u64, combine: Combine) -> Result<(u64, u64), Stopped> {
        let seat = &self.arena.seats()[self.me];
        let received = seat.bytes_in.swap(0, Relaxed);
        let h = combine.of(received, seat.bytes_out.swap(0, Relaxed));
        // The largest h is the smallest of its complement; a word that is 0 stands for none.
        let mut word = Word { low: !h, high: time + 1, any: 0 };
        self.pass(&mut word, false)?;
        Ok((word.high - 1, !word.low))
    }

    fn channels(&self) -> Option<Box<dyn Channels>> {
        let (arena, heap, kind) = (self.arena.clone(), self.heap.clone(), self.kind.clone());
        let rings = rings::Rings::new(arena, heap, self.me, self.processors, kind);
        Some(Box::new(if self.is_virtual { rings.in_turns() } else { rings }))
    }

    fn stop(&self) -> bool {
        let first = self.arena.control().stop();
        self.barrier().wake_all();
        self.arena.control().turns.wake_all(&self.arena);
        first
    }

    fn say_why(&self, text: &str) {
        self.arena.control().say_why(Some(self.me), text);
    }

    fn abandon(&mut self) -> Option<Why> {
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
