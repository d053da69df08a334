//! What every engine does: a processor's streams to the others, registered areas, the end of a superstep.

use std::ops::Range;
use std::ptr::NonNull;

use super::agreement::{Agreed, CollectiveState};
use super::stop::{StopReason, Stopped};
use super::traffic::{Sent, Stream};
use crate::Misuse;
use crate::channel::Channels;
use crate::chunk::Chunk;
use crate::place::Place;
use crate::registers::Slot;
use crate::stream::{Reader, Supply, Writer};

/// An area of a processor in a slot, as another one sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Remote {
    /// Its address there; 0: the processor takes no part.
    pub address: usize,
    pub size: usize,
    /// The part of it that can be reached from here: from and to, as addresses there, and where
    /// it lies here.
    pub reach: (usize, usize),
    pub here: *mut u8,
}

/// What has come from a processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrived {
    pub requests: Reader,
    pub messages: Reader,
    pub sent: Sent,
}

/// Those from which something may have arrived.
#[derive(Clone, Debug)]
pub(crate) struct Senders {
    /// A bit for each, the lowest of which is processor 0: for these there is `arrived_requests`.
    pub bits: u64,
    /// Further ones.
    pub others: Range<usize>,
}

/// Registered memory.
pub(crate) trait Areas {
    /// Makes this processor's area of a slot known to the others, from the next superstep on. `is_registered`:
    /// whether another registration has bytes at an address.
    ///
    /// # Safety
    /// The area is the program's, and stays where it is while it is registered.
    unsafe fn publish(
        &mut self,
        slot: Slot,
        address: usize,
        size: usize,
        is_registered: &dyn Fn(usize, usize) -> bool,
    );

    /// A processor's area of a slot that is in force.
    fn remote(&self, slot: Slot, pid: usize) -> Remote;

    /// Makes the i-th removal of this superstep known to the others.
    fn publish_pop(&mut self, index: usize, popped: u64) -> Result<(), Misuse>;

    /// A processor's i-th removal, once the superstep has ended.
    fn pop_of(&self, pid: usize, index: usize) -> u64;

    /// This processor has compared the removals of all: returns when nobody reads them any more.
    fn pops_are_agreed(&mut self) -> Result<(), Stopped>;

    /// Memory of the machine's, all of which the others can reach once it is registered; aligned to a
    /// page, all zero.
    fn allocate(&mut self, size: usize) -> Result<NonNull<u8>, Misuse>;

    /// Takes back what was allocated with this size.
    fn free(&mut self, memory: NonNull<u8>, size: usize);
}

/// Carries a machine; one value for each processor.
///
/// A superstep goes: `begin` a stream and `close` it, `exchange`, `arrived`, `advance`. With gets
/// there is a second wait between `exchange` and `arrived`: `open_replies`, `exchange_replies`, `replies`.
pub(crate) trait Engine: Supply + Areas {
    fn pid(&self) -> usize;
    fn nprocs(&self) -> usize;

    /// Where this processor stands in the program, for messages.
    fn set_place(&mut self, place: Place);

    /// Begins a stream to a processor in this superstep, at most once in it: its first chunk.
    fn begin(&mut self, to: usize, stream: Stream) -> Chunk;

    /// The streams to a processor that were begun are finished.
    fn close(&mut self, to: usize, sent: &Sent);

    /// Waits for all processors; what they have closed can be read. `collective`: the calls of this one that all
    /// must make in the same way, if there were any; `flags` as in [`super::agreement::flags`].
    fn exchange(
        &mut self,
        collective: Option<&CollectiveState>,
        flags: u64,
    ) -> Result<Agreed, Stopped>;

    /// What a processor brought to the last exchange, and where it stood.
    fn collective_state_of(&self, pid: usize) -> (CollectiveState, Option<String>);

    /// Those from which something may have arrived in this superstep.
    fn senders(&self) -> Senders {
        Senders { bits: 0, others: 0..self.nprocs() }
    }

    /// What has come from a processor in this superstep, if anything has.
    fn arrived(&self, from: usize) -> Option<Arrived>;

    /// The requests that have come from one of the `bits` of `senders`, and whether messages have come.
    #[inline(always)]
    fn arrived_requests(&self, from: usize) -> (Option<Reader>, bool) {
        match self.arrived(from) {
            Some(Arrived { requests, sent, .. }) => {
                (sent.requests.then_some(requests), sent.messages > 0)
            }
            None => (None, false),
        }
    }

    /// Begins a stream of replies to a processor, between `exchange` and `exchange_replies`.
    fn open_replies(&mut self, to: usize, replies: &mut Writer);

    /// Waits for all processors: replies can be read, and nobody reads this one's memory any more.
    fn exchange_replies(&mut self) -> Result<(), Stopped>;

    /// The replies of a processor that was asked.
    fn replies(&self, from: usize) -> Reader;

    /// Waits for all processors; no superstep ends. The latest of the times that they bring.
    fn barrier(&mut self, time: u64) -> Result<u64, Stopped>;

    /// The next superstep begins: what arrived in the one before the last is no longer needed.
    fn advance(&mut self);

    /// Channels between the processors, for parts of the machine, if the engine has them.
    fn channels(&self) -> Option<Box<dyn Channels>> {
        None
    }

    /// Stops all processors; whether this call was the first, whose reason counts.
    fn stop(&self, why: Option<&str>) -> bool;

    /// The machine was stopped, and the process is about to end: where the end of one ends them all, lets
    /// the others see it first. `first`: it is the one that has stopped the machine.
    fn take_leave(&self, _first: bool) {}

    /// The machine was stopped: why, if it was said. On processor 0 returns when the others are gone.
    fn abandon(&mut self) -> Option<StopReason>;

    /// All processors have agreed to end. On processor 0 returns when the others are gone.
    fn end(&mut self) -> Result<(), Stopped>;
}
