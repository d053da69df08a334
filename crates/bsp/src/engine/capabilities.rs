//! What some engines can do, and others cannot: an empty `impl` says that an engine cannot.

use super::contract::Engine;
use super::stop::Stopped;
use super::traffic::Offer;
use crate::Misuse;
use crate::chunk::Chunk;
use crate::stream::{Reader, Supply};
use crate::virtuals::Combine;

/// Any engine, as a processor uses it.
pub(crate) trait AnyEngine:
    Engine + DirectAccess + DirectDelivery + Subscriptions + OutOfBand + VirtualClock + TimedWaits
{
}

impl<E> AnyEngine for E where
    E: Engine
        + DirectAccess
        + DirectDelivery
        + Subscriptions
        + OutOfBand
        + VirtualClock
        + TimedWaits
{
}

/// Memory of other processors is read and written at once, before the superstep ends.
pub(crate) trait DirectAccess: Engine {
    /// Whether what is written for a processor is read by another core than this one's.
    fn is_read_elsewhere(&self, _to: usize) -> bool {
        false
    }

    /// Whether the superstep before has ended on a processor, too: what was put and got in it is
    /// written there. Waits for it for some microseconds.
    fn has_ended(&self, pid: usize) -> bool {
        pid == self.pid()
    }

    /// Waits until the superstep before has ended on a processor, whose memory is then read at once.
    fn wait_until_ended(&self, pid: usize) -> Result<(), Misuse> {
        match self.has_ended(pid) {
            true => Ok(()),
            false => Err(Misuse::NotAtOnce(pid, "its processors share no memory".to_owned())),
        }
    }

    /// Reads memory of another processor that is not mapped here.
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
}

/// The sender of puts writes them into the receiver's memory itself, after `exchange`.
pub(crate) trait DirectDelivery {
    /// The requests of a processor to another, if there are any and they are finished; of other processors
    /// than this one after `exchange`.
    fn requests(&self, _from: usize, _to: usize) -> Reader {
        Reader::nothing(std::ptr::null_mut())
    }

    /// The requests to a processor are finished; this one offers to carry them out.
    fn offer(&mut self, _to: usize, _offer: Offer) {}

    /// After `exchange`: whether a processor carries out its requests to another itself, as it has offered, since
    /// nobody else has any to the same one.
    fn delivers(&self, _from: usize, _to: usize) -> Offer {
        Offer::Nothing
    }
}

/// Bytes of another processor's, and where it has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RemoteRange {
    pub of: usize,
    pub address: usize,
    pub size: usize,
}

/// Gets that are the same in every superstep: their owners send the bytes without being asked.
pub(crate) trait Subscriptions {
    /// Between `exchange` and `exchange_replies`: asks that each owner of these bytes send them when it comes
    /// to `exchange`, from the next superstep on; all other subscriptions of this processor end. Whether it can be done.
    fn subscribe(&mut self, _pieces: &[RemoteRange]) -> bool {
        false
    }

    /// Before `exchange`: whether all owners send what was subscribed to, in this superstep, too.
    fn is_subscribed(&mut self) -> bool {
        false
    }

    /// All subscriptions of this processor end.
    fn unsubscribe(&mut self) {}

    /// On all processors, after `exchange`: registrations were removed. All subscriptions, of this processor and to
    /// it, end.
    fn forget_subscriptions(&mut self) {}

    /// After `exchange`: where the bytes lie that a processor has sent for a subscription, one piece behind the
    /// other in their order, each in whole words of 8 bytes. `None`: their memory is not there any more.
    fn subscribed(&self, _from: usize) -> Option<*mut u8> {
        None
    }
}

/// What goes out of band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Apart {
    Put,
    /// To a get.
    Reply,
}

/// Large data go by themselves, not in a stream, from their memory to the memory where they are wanted.
pub(crate) trait OutOfBand: Supply {
    /// From how many bytes on what is put or replied goes out of band. The request for it comes first: the receiver
    /// must ask for data in the order in which they were sent.
    fn out_of_band_from(&self) -> usize {
        usize::MAX
    }

    /// Memory for a copy of what is to be sent, until `wait_out_of_band`.
    fn out_of_band_buffer(&mut self, size: usize) -> Result<*mut u8, Misuse> {
        self.chunk(size).map(Chunk::data)
    }

    /// Begins to send bytes to another processor.
    ///
    /// # Safety
    /// They stay as they are until `wait_out_of_band`.
    unsafe fn send_out_of_band(
        &mut self,
        _what: Apart,
        _to: usize,
        _bytes: *const u8,
        _size: usize,
    ) -> Result<(), Stopped> {
        Err(Stopped)
    }

    /// Begins to receive what a processor has sent; not before its request for that has
    /// arrived.
    ///
    /// # Safety
    /// They can be written, and nobody uses them, until `wait_out_of_band`.
    unsafe fn receive_out_of_band(
        &mut self,
        _what: Apart,
        _from: usize,
        _into: *mut u8,
        _size: usize,
    ) -> Result<(), Stopped> {
        Err(Stopped)
    }

    /// Waits until all that was begun to be sent and received is done.
    fn wait_out_of_band(&mut self, _what: Apart) -> Result<(), Stopped> {
        Ok(())
    }

    /// Waits until all puts that were begun to be received are there, whatever goes from here.
    fn wait_puts_received(&mut self) -> Result<(), Stopped> {
        Ok(())
    }
}

/// Processors that compute in turns, each by a clock of its own.
pub(crate) trait VirtualClock {
    /// Before `exchange`: in the superstep that ends, so many bytes go to another processor and are got
    /// from it.
    fn count_bytes(&self, _to: usize, _sent: u64, _got: u64) {}

    /// Before `exchange`: this processor comes at this time to the superstep's end; h is made so.
    fn set_arrival(&mut self, _time: u64, _combine: Combine) {}

    /// After `exchange`: the latest time of all processors, and the largest h.
    fn latest(&self) -> (u64, u64) {
        (0, 0)
    }
}

/// The engine measures how long a processor waits. If it cannot, all of the time in `exchange` and the like counts.
pub(crate) trait TimedWaits {
    /// Measures from here on, by this clock. Whether it can.
    fn time_waits(&mut self, _clock: fn() -> u64) -> bool {
        false
    }

    /// How long this processor has waited since this was asked for last.
    fn waited(&self) -> u64 {
        0
    }
}
