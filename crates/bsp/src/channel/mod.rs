//! Channels between processors, for machines that are made by partition.
//!
//! For each ordered pair of processors (a processor and itself included) there is a queue of records: first in,
//! first out, of any length, independent of supersteps. Channels do not know what records mean: `objects` has
//! the rules. Processors are named by their numbers in the whole program.

use std::fmt::Display;
use std::time::Duration;

use crate::Misuse;
use crate::engine::stop::StopReason;
use crate::place::Place;

/// The beginning of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// The machine object it belongs to.
    pub machine: u64,
    /// The superstep of that machine in which it was sent; below 2^48.
    pub superstep: u64,
    pub kind: u16,
    /// Size of the payload in bytes.
    pub size: usize,
}

/// A number that is given back when a payload is no longer needed. Only the channels understand it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordGuard(pub u64);

/// A record that has arrived.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub from: usize,
    pub header: Header,
    /// `header.size` bytes, aligned to 16. Only this processor reads and writes them, until it releases them.
    pub payload: *mut u8,
    pub hold: RecordGuard,
}

/// Why a wait has ended unsuccessfully.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// The machine was stopped. The processor that stopped it gives the reason.
    Stopped,
    /// All processors wait, and nothing has changed for the deadlock limit. The text has one line for each
    /// processor. One processor gets this; it must stop the others and give the reason.
    Deadlock(String),
}

impl Halt {
    pub fn misuse(self) -> Misuse {
        match self {
            Halt::Stopped => Misuse::Stopped,
            Halt::Deadlock(lines) => Misuse::Deadlock(lines),
        }
    }
}

/// Transports records. Each processor has its own value.
///
/// Only `wait`, `settle` and `end` wait for other processors. In particular, `send` never waits for its
/// receiver.
pub(crate) trait Channels {
    /// This processor's number.
    fn pid(&self) -> usize;
    /// Processors of the whole program.
    fn nprocs(&self) -> usize;

    /// Whether order is causal across pairs. If so: A sends to C, then to B; B receives that and then sends to
    /// C. When C has received the record of B, the next `receive` gives that of A. A barrier of tokens then
    /// delivers everything that was sent before it. If not, every member of a machine sends to every other
    /// member at its barrier.
    fn keeps_order_between_pairs(&self) -> bool;

    /// Whether there are more processors than can run at the same time. Then rounds in which each waits for
    /// another are expensive.
    fn is_crowded(&self) -> bool {
        false
    }

    /// Sends a copy of the payload.
    ///
    /// # Safety
    /// `header.size` bytes can be read at `payload`.
    unsafe fn send(&mut self, to: usize, header: Header, payload: *const u8) -> Result<(), Misuse>;

    /// Whether `send_in_place` also reads the payload during the call. Then `settle` has nothing to wait for.
    fn copies_always(&self) -> bool {
        false
    }

    /// Sends the payload. It may be read at any time until `settle` returns.
    ///
    /// # Safety
    /// `header.size` bytes can be read at `payload`, and nobody writes there, until then.
    unsafe fn send_in_place(
        &mut self,
        to: usize,
        header: Header,
        payload: *const u8,
    ) -> Result<(), Misuse>;

    /// Waits until no payload that was sent in place is needed any more. Receivers need not have called
    /// `receive`: every waiting processor also handles what arrives. `wait_site`: see `wait`.
    fn settle(&mut self, wait_site: &dyn Display) -> Result<(), Halt>;

    /// The next record that has arrived, from any processor. Records of one sender come in the order in which
    /// they were sent. Never waits.
    fn receive(&mut self) -> Option<Record>;

    /// Takes all records that have arrived: messages (kind 0) of this machine and superstep are added to
    /// `awaited`, all others to `others`. Never waits.
    fn receive_all(
        &mut self,
        machine: u64,
        superstep: u64,
        awaited: &mut Vec<Record>,
        others: &mut Vec<Record>,
    ) {
        while let Some(record) = self.receive() {
            let Header { machine: record_machine, superstep: in_which, kind, .. } = record.header;
            if record_machine == machine && in_which == superstep && kind == 0 {
                awaited.push(record)
            } else {
                others.push(record)
            }
        }
    }

    /// Waits until something may have arrived, or the machine was stopped. `wait_site` prints where this
    /// processor is and what it waits for, as a line of the deadlock report. It is printed only after a while.
    fn wait(&mut self, wait_site: &dyn Display) -> Result<(), Halt>;

    /// Tells the channels that a record's payload is no longer needed.
    fn release(&mut self, record: &Record);

    /// After how long a wait of all processors counts as a deadlock; `None`: never. Initially ten seconds.
    fn set_deadlock_limit(&mut self, limit: Option<Duration>);

    /// The place in the program where this processor is, for messages.
    fn set_place(&mut self, place: Place);

    /// Stops all processors. Returns whether this call was the first.
    fn stop(&self) -> bool;

    /// Sets the reason. Only the processor that was first to stop the others calls it.
    fn set_stop_reason(&self, text: &str);

    /// Called after a stop, when the process is about to end; see `Engine`.
    fn before_exit(&self, _first: bool) {}

    /// Ends after a stop. Returns the reason if one was given. On processor 0 it returns when the others have
    /// ended.
    fn end_after_stop(&mut self) -> Option<StopReason>;

    /// Ends normally, after all processors have agreed to end by records. Nothing is sent any more, and what
    /// has arrived is no longer needed. The program continues on all of them.
    fn end(&mut self) -> Result<(), Halt>;
}
