//! Channels between processors that share memory.
//!
//! Each channel is a list of cache lines in the sender's window, one for a record. The sender never waits, and
//! a short message moves one line from cache to cache. With many processors the set of senders is also kept
//! separately, so nobody needs to read the channels of all.

mod deadlock;
mod line;
mod memory;
pub(crate) mod waiters;

use std::cell::RefCell;
use std::fmt::Display;
use std::sync::atomic::Ordering::*;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use self::deadlock::DeadlockDetector;
use self::line::{INLINE, Receiving, Sending};
use self::memory::{Blocks, ChunkSource, Room};
use super::ProcessorKind;
use super::arena::Arena;
use super::control::Stage;
use super::heap::Heap;
use super::turns::{leave_turn, take_turn};
use super::waiting::{self, IN_TURNS, WaitHooks, WaitPolicy};
use crate::Misuse;
use crate::channel::{Channels, Halt, Header, Record, RecordGuard};
use crate::engine::stop::{StopReason, Stopped};
use crate::place::Place;

/// With more processors than this, the sets of senders are kept separately.
const MAX_SMALL_MACHINE: usize = 16;

/// Polls with a pause after each, with at most as many processors as cores.
const POLLS: u32 = 200;

/// The channels of one processor.
pub(crate) struct Rings {
    source: ChunkSource,
    kind: Arc<dyn ProcessorKind>,
    me: usize,
    processors: usize,
    policy: WaitPolicy,
    is_virtual: bool,
    /// Polls with pauses before all others: the sender may share the pipelines of our core.
    polls: u32,
    out: Vec<Out>,
    blocks: Blocks,
    incoming: Vec<Receiving>,
    /// The channel that is polled first.
    next_channel: usize,
    /// With many processors: those that have something.
    arrived: Vec<usize>,
    place: Place,
    detector: RefCell<DeadlockDetector>,
}

/// The channel to one processor.
#[derive(Debug)]
struct Out {
    lines: Sending,
    room: Room,
}

impl Rings {
    /// The channels of processor `me` of the first `processors` of an arena.
    pub fn new(
        arena: Arc<Arena>,
        heap: Arc<Mutex<Heap>>,
        me: usize,
        processors: usize,
        kind: Arc<dyn ProcessorKind>,
    ) -> Rings {
        let cores = arena.cores();
        let policy = WaitPolicy::new(processors, cores);
        let new = || Out { lines: Sending::NEW(), room: Room::default() };
        Rings {
            source: ChunkSource { arena, heap },
            kind,
            me,
            processors,
            policy,
            is_virtual: false,
            polls: if processors <= cores { POLLS } else { 0 },
            out: std::iter::repeat_with(new).take(processors).collect(),
            blocks: Blocks::default(),
            incoming: std::iter::repeat_with(Receiving::NEW).take(processors).collect(),
            next_channel: 0,
            arrived: Vec::new(),
            place: Place::NOWHERE,
            detector: RefCell::default(),
        }
    }

    /// For a processor that computes in turns.
    pub fn in_turns(self) -> Rings {
        let policy = WaitPolicy::new(self.processors, IN_TURNS);
        Rings { is_virtual: true, policy, polls: 0, ..self }
    }

    fn leave(&self) {
        if self.is_virtual {
            leave_turn(self.arena(), self.me);
        }
    }

    fn arena(&self) -> &Arena {
        &self.source.arena
    }

    fn is_large(&self) -> bool {
        self.processors > MAX_SMALL_MACHINE
    }

    /// Whether `receive` would find something.
    fn has_some(&self) -> bool {
        if self.is_large() {
            let arrivals = self.arena().arrivals(self.me);
            return !self.arrived.is_empty() || arrivals.iter().any(|word| word.load(Relaxed) != 0);
        }
        let arena = self.arena();
        let mut channels = self.incoming.iter().enumerate();
        channels.any(|(from, channel)| channel.has_some(arena.start(from, self.me)))
    }

    fn take_from(&mut self, from: usize) -> Option<Record> {
        let begins = self.source.arena.start(from, self.me);
        let (header, payload, chunk) = self.incoming[from].take(&self.source, begins)?;
        Some(Record { from, header, payload, hold: RecordGuard(chunk) })
    }

    fn receive_knocked(&mut self) -> Option<Record> {
        loop {
            while let Some(&from) = self.arrived.last() {
                if let Some(record) = self.take_from(from) {
                    return Some(record);
                }
                self.arrived.pop();
            }
            for (index, word) in self.source.arena.arrivals(self.me).iter().enumerate() {
                if word.load(Relaxed) == 0 {
                    continue;
                }
                let mut bits = word.swap(0, Acquire);
                while bits != 0 {
                    self.arrived.push(64 * index + bits.trailing_zeros() as usize);
                    bits &= bits - 1;
                }
            }
            if self.arrived.is_empty() {
                return None;
            }
        }
    }
}

impl Rings {
    /// Called after a wait that was long or unsuccessful.
    #[cold]
    fn end_wait(&mut self, outcome: Result<(), Stopped>) -> Result<(), Halt> {
        if self.detector.get_mut().has_reported() {
            self.arena().wait_reports()[self.me].go_on();
        }
        match self.detector.get_mut().end() {
            Some(lines) => Err(Halt::Deadlock(lines)),
            None => outcome.map_err(|_| Halt::Stopped),
        }
    }
}

struct BarrierWait<'a> {
    rings: &'a Rings,
    wait_site: &'a dyn Display,
}

impl WaitHooks for BarrierWait<'_> {
    fn is_stopped(&self) -> bool {
        self.rings.arena().control().is_stopped() || self.rings.detector.borrow().has_found()
    }

    fn check_others(&self) {
        let Rings { kind, me, processors, detector, .. } = self.rings;
        let arena = self.rings.arena();
        kind.check_others(arena);
        if self.rings.has_some() {
            return;
        }
        detector.borrow_mut().check(arena, *me, *processors, self.wait_site);
    }

    fn set_sleeping(&self, is_sleeping: bool) {
        self.rings.arena().processor_states()[self.rings.me].set_sleeping(is_sleeping);
        if is_sleeping {
            self.rings.leave();
        }
    }

    fn after_wait(&self) -> Result<(), Stopped> {
        if self.rings.is_virtual {
            take_turn(self.rings.arena(), self.rings.me, &*self.rings.kind)
        } else {
            Ok(())
        }
    }
}

impl Channels for Rings {
    fn pid(&self) -> usize {
        self.me
    }

    fn nprocs(&self) -> usize {
        self.processors
    }

    fn keeps_order_between_pairs(&self) -> bool {
        true
    }

    fn is_crowded(&self) -> bool {
        self.is_virtual || self.processors > self.arena().cores()
    }

    #[inline]
    unsafe fn send(&mut self, to: usize, header: Header, payload: *const u8) -> Result<(), Misuse> {
        let Out { lines, room } = &mut self.out[to];
        let source = &self.source;
        lines.prepare(source, source.arena.start(self.me, to))?;
        if header.size <= INLINE {
            // SAFETY: by the caller.
            unsafe { lines.copy(&header, payload) };
        } else {
            let (offset, chunk) = if header.size <= Room::MAX_BYTES {
                room.record(header.size, source)?
            } else {
                self.blocks.record(header.size, source)?
            };
            // SAFETY: by the caller; there is room.
            unsafe { payload.copy_to_nonoverlapping(source.pointer_at(offset), header.size) };
            lines.refer(&header, offset, chunk);
        }
        if self.is_large() {
            let word = &self.arena().arrivals(to)[self.me / 64];
            word.fetch_or(1 << (self.me % 64), SeqCst);
        }
        self.arena().sleep_words()[to].wake();
        Ok(())
    }

    fn copies_always(&self) -> bool {
        true
    }

    /// The receiver reads this copy, which is the only one.
    unsafe fn send_in_place(
        &mut self,
        to: usize,
        header: Header,
        payload: *const u8,
    ) -> Result<(), Misuse> {
        // SAFETY: by the caller.
        unsafe { self.send(to, header, payload) }
    }

    fn settle(&mut self, _: &dyn Display) -> Result<(), Halt> {
        Ok(())
    }

    #[inline]
    fn receive(&mut self) -> Option<Record> {
        if self.is_large() {
            return self.receive_knocked();
        }
        for _ in 0..self.processors {
            let from = self.next_channel;
            if let Some(record) = self.take_from(from) {
                return Some(record);
            }
            self.next_channel = if from + 1 == self.processors { 0 } else { from + 1 };
        }
        None
    }

    #[inline]
    fn receive_all(
        &mut self,
        machine: u64,
        superstep: u64,
        awaited: &mut Vec<Record>,
        others: &mut Vec<Record>,
    ) {
        let mut take = |record: Record| {
            let Header { machine: record_machine, superstep: in_which, kind, .. } = record.header;
            if record_machine == machine && in_which == superstep && kind == 0 {
                awaited.push(record)
            } else {
                others.push(record)
            }
        };
        if self.is_large() {
            while let Some(record) = self.receive_knocked() {
                take(record);
            }
            return;
        }
        let Rings { source, me, incoming, .. } = self;
        for (from, channel) in incoming.iter_mut().enumerate() {
            let begins = source.arena.start(from, *me);
            while let Some((header, payload, chunk)) = channel.take(source, begins) {
                take(Record { from, header, payload, hold: RecordGuard(chunk) });
            }
        }
    }

    #[inline]
    fn wait(&mut self, wait_site: &dyn Display) -> Result<(), Halt> {
        for _ in 0..self.polls {
            if self.has_some() {
                return Ok(());
            }
            std::hint::spin_loop();
        }
        let rings = &*self;
        let sleepers = &rings.arena().sleep_words()[rings.me].word;
        let barrier_wait = BarrierWait { rings, wait_site };
        let outcome = waiting::wait(|| rings.has_some(), sleepers, rings.policy, &barrier_wait);
        match outcome {
            Ok(()) if !self.detector.get_mut().has_reported() => Ok(()),
            outcome => self.end_wait(outcome),
        }
    }

    #[inline]
    fn release(&mut self, record: &Record) {
        self.source.release(record.hold.0);
    }

    fn set_deadlock_limit(&mut self, limit: Option<Duration>) {
        self.detector.get_mut().set_limit(limit);
    }

    #[inline]
    fn set_place(&mut self, place: Place) {
        let processor_state = &self.source.arena.processor_states()[self.me];
        if !place.is_in_the_file_of(&self.place)
            && let Some(file) = place.file()
        {
            processor_state.set_file(&file);
        }
        processor_state.set_line(place.line());
        self.place = place;
    }

    fn stop(&self) -> bool {
        let first = self.arena().control().stop();
        self.arena().wake_all();
        first
    }

    fn set_stop_reason(&self, text: &str) {
        self.arena().control().set_stop_reason(Some(self.me), text);
    }

    fn end_after_stop(&mut self) -> Option<StopReason> {
        self.leave();
        if self.me == 0 {
            self.kind.join(&self.source.arena);
        }
        self.arena().control().stop_reason()
    }

    fn end(&mut self) -> Result<(), Halt> {
        self.leave();
        self.arena().processor_states()[self.me].set_stage(Stage::Ended);
        if self.arena().control().is_stopped() { Err(Halt::Stopped) } else { Ok(()) }
    }
}
