//! The functions of every engine: streams from a processor to the others, registered areas, the end of a superstep.

use std::ops::Range;
use std::ptr::NonNull;

use super::agreement::{CollectiveState, ExchangeResult};
use super::stop::{StopReason, Stopped};
use super::traffic::{Sent, Stream};
use crate::Misuse;
use crate::channel::Channels;
use crate::chunk::Chunk;
use crate::place::Place;
use crate::registers::Slot;
use crate::stream::{StreamReader, StreamWriter, Supply};

/// A processor's area in a slot of the registrations, as another processor sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Remote {
    /// The address of the area there; 0: that processor has registered NULL.
    pub address: usize,
    pub size: usize,
    /// The part of it that can be accessed from here: first and last address there, and its address here.
    pub reach: (usize, usize),
    pub here: *mut u8,
}

/// The data that has arrived from a processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrived {
    pub requests: StreamReader,
    pub messages: StreamReader,
    pub sent: Sent,
}

/// The processors from which something may have arrived.
#[derive(Clone, Debug)]
pub(crate) struct Senders {
    /// One bit for each of these, processor 0 in the lowest: for them there is `arrived_requests`.
    pub bits: u64,
    /// Further processors.
    pub others: Range<usize>,
}

/// Registered memory.
pub(crate) trait Areas {
    /// Makes this processor's area in a slot known to the others, from the next superstep on. `is_registered`:
    /// whether another registration includes an address.
    ///
    /// # Safety
    /// The area belongs to the program and stays at its address while it is registered.
    unsafe fn publish(
        &mut self,
        slot: Slot,
        address: usize,
        size: usize,
        is_registered: &dyn Fn(usize, usize) -> bool,
    );

    /// A processor's area in a slot, as registered in this superstep.
    fn remote(&self, slot: Slot, pid: usize) -> Remote;

    /// Makes the i-th removal of this superstep known to the others.
    fn publish_pop(&mut self, index: usize, popped: u64) -> Result<(), Misuse>;

    /// The i-th removal of a processor, after the superstep has ended.
    fn pop_of(&self, pid: usize, index: usize) -> u64;

    /// This processor has compared the removals of all. Returns when nobody reads them any more.
    fn pops_are_agreed(&mut self) -> Result<(), Stopped>;

    /// Memory of the machine. All of it can be accessed by the others once it is registered. It is aligned to a
    /// page and zero.
    fn allocate(&mut self, size: usize) -> Result<NonNull<u8>, Misuse>;

    /// Frees memory that was allocated with this size.
    fn free(&mut self, memory: NonNull<u8>, size: usize);
}

/// The engine that runs a machine. Each processor has its own value.
///
/// The calls of a superstep, in order: `begin` and `close` for each receiver, `exchange`, `arrived`, `advance`. With
/// gets there is a second wait between `exchange` and `arrived`: `open_replies`, `exchange_replies`, `replies`.
pub(crate) trait Engine: Supply + Areas {
    fn pid(&self) -> usize;
    fn nprocs(&self) -> usize;

    /// The place in the program where this processor is, for messages.
    fn set_place(&mut self, place: Place);

    /// Begins a stream to a processor, at most once in a superstep. Returns its first chunk.
    fn begin(&mut self, to: usize, stream: Stream) -> Chunk;

    /// Completes all streams to a processor that were begun.
    fn close(&mut self, to: usize, sent: &Sent);

    /// Waits for all processors. Then all that they have closed can be read. `collective`: what this processor
    /// did that all must do in the same way, if anything; `flags`: see [`super::agreement::flags`].
    fn exchange(
        &mut self,
        collective: Option<&CollectiveState>,
        flags: u64,
    ) -> Result<ExchangeResult, Stopped>;

    /// The collective state of a processor at the last exchange, and the place where it was.
    fn collective_state_of(&self, pid: usize) -> (CollectiveState, Option<String>);

    /// The processors from which something may have arrived in this superstep.
    fn senders(&self) -> Senders {
        Senders { bits: 0, others: 0..self.nprocs() }
    }

    /// Returns the data that has arrived from a processor in this superstep, if there is any.
    fn arrived(&self, from: usize) -> Option<Arrived>;

    /// The requests that have arrived from one of the `bits` of `senders`, and whether messages have arrived.
    #[inline(always)]
    fn arrived_requests(&self, from: usize) -> (Option<StreamReader>, bool) {
        match self.arrived(from) {
            Some(Arrived { requests, sent, .. }) => {
                (sent.requests.then_some(requests), sent.messages > 0)
            }
            None => (None, false),
        }
    }

    /// Begins a stream of replies to a processor, between `exchange` and `exchange_replies`.
    fn open_replies(&mut self, to: usize, replies: &mut StreamWriter);

    /// Waits for all processors. Then replies can be read, and nobody reads this processor's memory any more.
    fn exchange_replies(&mut self) -> Result<(), Stopped>;

    /// The replies of a processor to which requests were sent.
    fn replies(&self, from: usize) -> StreamReader;

    /// Waits for all processors without ending the superstep. Returns the latest of the times they pass.
    fn barrier(&mut self, time: u64) -> Result<u64, Stopped>;

    /// Begins the next superstep: what arrived in the one before the last is no longer needed.
    fn advance(&mut self);

    /// Channels between the processors, for parts of the machine, if the engine has them.
    fn channels(&self) -> Option<Box<dyn Channels>> {
        None
    }

    /// Stops all processors. Returns whether this call was the first; only its reason counts.
    fn stop(&self, why: Option<&str>) -> bool;

    /// Called after a stop, when the process is about to end. If the end of one process ends all, this lets the
    /// others notice the stop first. `first`: this processor has stopped the machine.
    fn before_exit(&self, _first: bool) {}

    /// Ends after a stop. Returns the reason if one was given. On processor 0 it returns when the others have
    /// ended.
    fn end_after_stop(&mut self) -> Option<StopReason>;

    /// Ends normally, after all processors have agreed to end. On processor 0 it returns when the others have
    /// ended.
    fn end(&mut self) -> Result<(), Stopped>;
}
