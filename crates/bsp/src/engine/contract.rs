//! What an engine must do, and what some can do besides.

use std::ptr::NonNull;

use super::agreement::{Agreed, Alike};
use super::stop::{StopReason, Stopped};
use super::traffic::{Offer, Sent, Stream};
use crate::Misuse;
use crate::channel::Channels;
use crate::chunk::Chunk;
use crate::place::Place;
use crate::registers::Slot;
use crate::stream::{Reader, Supply, Writer};
use crate::virtuals::Combine;

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

/// What goes by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Apart {
    Put,
    /// To a get.
    Reply,
}

/// Bytes of another processor's, and where it has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub of: usize,
    pub address: usize,
    pub size: usize,
}

/// Carries a machine; one value for each processor.
pub(crate) trait Engine: Supply {
    fn pid(&self) -> usize;
    fn nprocs(&self) -> usize;

    /// This processor's area of a slot. `is_registered` as for promotion.
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

    /// Memory of the machine's, all of which the others can reach once it is registered; aligned to a
    /// page, all zero.
    fn allocate(&mut self, size: usize) -> Result<NonNull<u8>, Misuse>;

    /// Takes back what was allocated with this size.
    fn free(&mut self, memory: NonNull<u8>, size: usize);

    /// A processor's area of a slot that is in force.
    fn remote(&self, slot: Slot, pid: usize) -> Remote;

    /// Whether the superstep before is over on a processor, too: what was put and got in it is
    /// written there. It is for a moment waited for.
    fn is_settled(&self, pid: usize) -> bool;

    /// Waits until what was put and got in the superstep before is written on a processor, whose memory is then
    /// to be read at once.
    fn settle(&self, pid: usize) -> Result<(), Misuse> {
        match self.is_settled(pid) {
            true => Ok(()),
            false => Err(Misuse::NotAtOnce(pid, "its processors share no memory".to_owned())),
        }
    }

    /// Reads memory of another processor that cannot be reached from here.
    ///
    /// # Safety
    /// The bytes can be written at `into`.
    unsafe fn read_now(
        &self,
        pid: usize,
        _address: usize,
        _into: *mut u8,
        _size: usize,
    ) -> Result<(), Misuse> {
        Err(Misuse::NotAtOnce(pid, "its processors share no memory".to_owned()))
    }

    /// Makes this superstep's i-th pop known, and asks what a processor's was, once the superstep has
    /// ended.
    fn publish_pop(&mut self, index: usize, popped: u64) -> Result<(), Misuse>;
    fn pop_of(&self, pid: usize, index: usize) -> u64;

    /// This processor has looked at the pops of all: returns when nobody has to any more.
    fn pops_are_agreed(&mut self) -> Result<(), Stopped>;

    /// Begins a stream to a processor in this superstep, at most once in it: its first chunk.
    fn begin(&mut self, to: usize, stream: Stream) -> Chunk;

    /// Whether what is written for a processor is read by another core than this one's.
    fn is_read_elsewhere(&self, _to: usize) -> bool {
        false
    }

    /// The requests of a processor to another, if there are any and they are finished; of other processors
    /// than this one after `exchange`.
    fn requests(&self, _from: usize, _to: usize) -> Reader {
        Reader::nothing(std::ptr::null_mut())
    }

    /// The requests to a processor are finished; this one offers to carry them out.
    fn offer(&mut self, _to: usize, _offer: Offer) {}

    /// The streams to a processor that were begun are finished.
    fn close(&mut self, to: usize, sent: &Sent);

    /// From here on, how long this processor waits for others is to be known, by this clock. Whether the
    /// engine tells it; if not, all of the time in `exchange` and the like is taken for it.
    fn time_waits(&mut self, _clock: fn() -> u64) -> bool {
        false
    }

    /// How long it has waited since this was asked for last.
    fn waited(&self) -> u64 {
        0
    }

    /// Where this processor stands in the program, for messages.
    fn set_place(&mut self, place: Place);

    /// Waits for all processors; what they have closed can be read. `alike`: what this one did that all
    /// must do alike, if anything; what it [`says`].
    fn exchange(&mut self, alike: Option<&Alike>, says: u64) -> Result<Agreed, Stopped>;

    /// After `exchange`: whether a processor carries out its requests to another itself, as it has offered, since
    /// nobody else has any to the same one.
    fn delivers(&self, _from: usize, _to: usize) -> Offer {
        Offer::Nothing
    }

    /// What has come from a processor in this superstep, if anything has.
    fn arrived(&self, from: usize) -> Option<Arrived>;

    /// Waits for all processors; no superstep ends. The latest of the times that they bring.
    fn rendezvous(&mut self, time: u64) -> Result<u64, Stopped>;

    /// Begins a stream of replies to a processor, between `exchange` and `exchange_replies`.
    fn open_replies(&mut self, to: usize, replies: &mut Writer);

    /// The requests of a processor that wants something read here.
    fn asked(&self, from: usize) -> Option<Reader> {
        self.arrived(from).filter(|arrived| arrived.sent.gets > 0).map(|arrived| arrived.requests)
    }

    /// Waits for all processors: replies can be read, and nobody reads this one's memory any more.
    fn exchange_replies(&mut self) -> Result<(), Stopped>;

    /// The replies of a processor that was asked.
    fn replies(&self, from: usize) -> Reader;

    /// Between `exchange` and `exchange_replies`: asks that each owner of these pieces send them when it comes
    /// to `exchange`, from the next superstep on; nothing else is ordered any more. Whether it can be done.
    fn order(&mut self, _pieces: &[Piece]) -> bool {
        false
    }

    /// Before `exchange`: whether all owners do what was ordered, in this superstep, too.
    fn is_order_taken(&mut self) -> bool {
        false
    }

    /// Nothing is ordered any more.
    fn withdraw(&mut self) {}

    /// On all processors, after `exchange`: registrations were removed. Nothing that was ordered is sent or
    /// expected any more.
    fn drop_orders(&mut self) {}

    /// After `exchange`: where the pieces lie that were ordered of a processor, one behind the other in their
    /// order, each in whole words of 8 bytes. `None`: their memory is not there any more.
    fn ordered(&self, _from: usize) -> Option<*mut u8> {
        None
    }

    /// From how many bytes on what is put or replied goes by itself, not in a stream. Before the receiver
    /// learns of it: it must ask for it in the order in which it was sent.
    fn apart(&self) -> usize {
        usize::MAX
    }

    /// Memory for what is to be sent by itself, until `settle_apart`.
    fn room_apart(&mut self, size: usize) -> Result<*mut u8, Misuse> {
        self.chunk(size).map(Chunk::data)
    }

    /// Begins to send bytes by themselves to another processor.
    ///
    /// # Safety
    /// They stay as they are until `settle_apart`.
    unsafe fn send_apart(
        &mut self,
        _what: Apart,
        _to: usize,
        _bytes: *const u8,
        _size: usize,
    ) -> Result<(), Stopped> {
        Err(Stopped)
    }

    /// Begins to receive what a processor has sent by itself; not before its request for that has
    /// arrived.
    ///
    /// # Safety
    /// They can be written, and nobody uses them, until `settle_apart`.
    unsafe fn receive_apart(
        &mut self,
        _what: Apart,
        _from: usize,
        _into: *mut u8,
        _size: usize,
    ) -> Result<(), Stopped> {
        Err(Stopped)
    }

    /// On virtual processors: in the superstep that ends, so many bytes go to another processor and are got
    /// from it. Before `exchange`.
    fn tell_bytes(&self, _to: usize, _sent: u64, _got: u64) {}

    /// On virtual processors: this one comes at this time to the superstep's end; h is made so. Before `exchange`.
    fn come(&mut self, _time: u64, _combine: Combine) {}

    /// On virtual processors, after `exchange`: the latest time of all processors, and the largest h.
    fn latest(&self) -> (u64, u64) {
        (0, 0)
    }

    /// Waits until all of a kind that goes and comes by itself is there; all that comes must be asked
    /// for before.
    fn settle_apart(&mut self, _what: Apart) -> Result<(), Stopped> {
        Ok(())
    }

    /// Waits until all that is put and was asked for is there, whatever goes from here.
    fn settle_puts_received(&mut self) -> Result<(), Stopped> {
        Ok(())
    }

    /// What a processor brought to the last exchange, and where it stood.
    fn alike_of(&self, pid: usize) -> (Alike, Option<String>);

    /// The next superstep begins: what arrived in the one before the last is no longer needed.
    fn advance(&mut self);

    /// Channels between the processors, for parts of the machine, if the engine has them.
    fn channels(&self) -> Option<Box<dyn Channels>> {
        None
    }

    /// Stops all processors; whether this call was the first.
    fn stop(&self) -> bool;

    /// Who was first to stop the machine says why.
    fn say_why(&self, text: &str);

    /// The machine was stopped, and the process is about to end: where the end of one ends them all, lets
    /// the others see it first. `first`: it is the one that has stopped the machine.
    fn take_leave(&self, _first: bool) {}

    /// The machine was stopped: why, if it was said. On processor 0 returns when the others are gone.
    fn abandon(&mut self) -> Option<StopReason>;

    /// All processors have agreed to end. On processor 0 returns when the others are gone.
    fn end(&mut self) -> Result<(), Stopped>;
}
