//! Abilities that only some engines have. An empty `impl` means that the engine does not have the ability.

use super::contract::Engine;
use super::stop::Stopped;
use super::traffic::Offer;
use crate::Misuse;
use crate::chunk::Chunk;
use crate::stream::{StreamReader, Supply};
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

/// Reads and writes memory of other processors immediately, before the superstep ends.
pub(crate) trait DirectAccess: Engine {
    /// Whether another core than this one will read what is written for a processor.
    fn is_read_elsewhere(&self, _to: usize) -> bool {
        false
    }

    /// Whether the previous superstep has ended on processor `pid`, too: all puts and gets of it are written
    /// there. Waits for some microseconds at most.
    fn has_ended(&self, pid: usize) -> bool {
        pid == self.pid()
    }

    /// Waits until the previous superstep has ended on processor `pid`. Then its memory can be read
    /// immediately.
    fn wait_until_ended(&self, pid: usize) -> Result<(), Misuse> {
        if self.has_ended(pid) {
            Ok(())
        } else {
            Err(Misuse::NotAtOnce(pid, "its processors share no memory".to_owned()))
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
    /// The requests of processor `from` to processor `to`, if there are any and they are complete. For other
    /// senders than this processor: only after `exchange`.
    fn requests(&self, _from: usize, _to: usize) -> StreamReader {
        StreamReader::nothing(std::ptr::null_mut())
    }

    /// The requests to `to` are complete; this processor offers to carry them out.
    fn offer(&mut self, _to: usize, _offer: Offer) {}

    /// After `exchange`: whether `from` carries out its requests to `to` itself. It does if it has offered to
    /// and no other processor has requests to `to`.
    fn delivers(&self, _from: usize, _to: usize) -> Offer {
        Offer::Nothing
    }
}

/// Bytes in the memory of another processor, with their address there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RemoteRange {
    pub owner: usize,
    pub address: usize,
    pub size: usize,
}

/// Gets that are the same in every superstep: the owners send the bytes without a request.
pub(crate) trait Subscriptions {
    /// Between `exchange` and `exchange_replies`: requests that each owner of these bytes sends them when it
    /// comes to `exchange`, from the next superstep on. All other subscriptions of this processor end. Returns
    /// whether this is possible.
    fn subscribe(&mut self, _pieces: &[RemoteRange]) -> bool {
        false
    }

    /// Before `exchange`: whether all owners send what was subscribed to, in this superstep, too.
    fn is_subscribed(&mut self) -> bool {
        false
    }

    /// Ends all subscriptions of this processor.
    fn unsubscribe(&mut self) {}

    /// On all processors, after `exchange`, when registrations were removed: ends all subscriptions of this
    /// processor and to it.
    fn forget_subscriptions(&mut self) {}

    /// After `exchange`: address of the bytes that `from` has sent for a subscription, one range after the
    /// other, each padded to words of 8 bytes. `None`: their memory does not exist any more.
    fn subscribed(&self, _from: usize) -> Option<*mut u8> {
        None
    }
}

/// The kind of data that is sent out of band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LargeTransfer {
    Put,
    /// The reply to a get.
    Reply,
}

/// Large data are sent as separate messages, not in a stream, from their source directly to their destination.
pub(crate) trait OutOfBand: Supply {
    /// The smallest put or reply, in bytes, that is sent out of band. The request for it is sent first: the
    /// receiver must receive data in the order in which they were sent.
    fn out_of_band_from(&self) -> usize {
        usize::MAX
    }

    /// Memory for a copy of data to be sent, valid until `wait_out_of_band`.
    fn out_of_band_buffer(&mut self, size: usize) -> Result<*mut u8, Misuse> {
        self.chunk(size).map(Chunk::data)
    }

    /// Begins to send bytes to another processor.
    ///
    /// # Safety
    /// The bytes do not change until `wait_out_of_band`.
    unsafe fn send_out_of_band(
        &mut self,
        _what: LargeTransfer,
        _to: usize,
        _bytes: *const u8,
        _size: usize,
    ) -> Result<(), Stopped> {
        Err(Stopped)
    }

    /// Begins to receive what a processor has sent. The request for it must have arrived.
    ///
    /// # Safety
    /// The bytes can be written, and nobody uses them, until `wait_out_of_band`.
    unsafe fn receive_out_of_band(
        &mut self,
        _what: LargeTransfer,
        _from: usize,
        _into: *mut u8,
        _size: usize,
    ) -> Result<(), Stopped> {
        Err(Stopped)
    }

    /// Waits until everything that was begun to be sent or received is complete.
    fn wait_out_of_band(&mut self, _what: LargeTransfer) -> Result<(), Stopped> {
        Ok(())
    }

    /// Waits until all puts that were begun to be received are complete. Sends may still be in progress.
    fn wait_puts_received(&mut self) -> Result<(), Stopped> {
        Ok(())
    }
}

/// Processors that compute one at a time, each with its own virtual clock.
pub(crate) trait VirtualClock {
    /// Before `exchange`: counts the bytes that are sent to another processor in this superstep, and those that
    /// are got from it.
    fn count_bytes(&self, _to: usize, _sent: u64, _got: u64) {}

    /// Before `exchange`: the time at which this processor reaches the end of the superstep, and how h is
    /// computed.
    fn set_arrival(&mut self, _time: u64, _combine: Combine) {}

    /// After `exchange`: the latest time and the largest h of all processors.
    fn latest(&self) -> (u64, u64) {
        (0, 0)
    }
}

/// The engine measures how long a processor waits. If it cannot, all of the time in `exchange` and similar
/// calls counts as waiting.
pub(crate) trait TimedWaits {
    /// Measures from now on, with this clock. Returns whether the engine can.
    fn time_waits(&mut self, _clock: fn() -> u64) -> bool {
        false
    }

    /// How long this processor has waited since the last call of this function.
    fn waited(&self) -> u64 {
        0
    }
}
