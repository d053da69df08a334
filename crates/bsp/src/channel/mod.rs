//! What carries machines that are made by partition: channels between processors.
//!
//! For each ordered pair of processors (also of one with itself) there is a queue of records: first in,
//! first out, as long as it must be, tied to no superstep. What records mean the channels do not know:
//! `objects` has the rules. Processors are named by their numbers in the whole program.

use std::fmt::Display;
use std::time::Duration;

use crate::Misuse;
use crate::engine::stop::StopReason;
use crate::place::Place;

/// What a record begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// The machine object that it belongs to.
    pub machine: u64,
    /// The superstep of that machine in which it was sent; below 2^48.
    pub superstep: u64,
    pub kind: u16,
    /// Bytes of the payload.
    pub size: usize,
}

/// What must be given back when a payload is no longer needed: a number of the channels' own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordGuard(pub u64);

/// A record that has arrived.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub from: usize,
    pub header: Header,
    /// `header.size` bytes, aligned to 16, that this processor alone reads and writes until it
    /// releases them.
    pub payload: *mut u8,
    pub hold: RecordGuard,
}

/// Why a wait has ended without what was waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// The machine was stopped, by who says why.
    Stopped,
    /// All processors wait, and nothing has moved for as long as was set: where each of them stands, a
    /// line for each. One processor gets this; it is to stop the others, and says why.
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

/// Carries records; one value for each processor.
///
/// No call but `wait`, `settle` and `end` waits for another processor: in particular `send` never waits
/// for its receiver.
pub(crate) trait Channels {
    /// This processor's number.
    fn pid(&self) -> usize;
    /// Processors of the whole program.
    fn nprocs(&self) -> usize;

    /// Whether order holds between pairs, too: what A has sent to C before it sent to B is there for C
    /// (the next `receive`s hand it on) when C has received what B sent after it received that of A. A
    /// barrier of tokens then delivers all that was sent before. Where it is not so, every member of a
    /// machine sends to every other one at its barrier.
    fn keeps_order_between_pairs(&self) -> bool;

    /// Whether there are more processors than can run at a time, so that rounds in which each waits
    /// for another one cost most.
    fn is_crowded(&self) -> bool {
        false
    }

    /// Sends a copy of the payload.
    ///
    /// # Safety
    /// `header.size` bytes can be read at `payload`.
    unsafe fn send(&mut self, to: usize, header: Header, payload: *const u8) -> Result<(), Misuse>;

    /// Whether `send_in_place` reads the payload at the call, too: then nothing is to be settled.
    fn copies_always(&self) -> bool {
        false
    }

    /// Sends the payload; it may be read at any time until `settle` returns.
    ///
    /// # Safety
    /// `header.size` bytes can be read at `payload`, and nobody writes there, until then.
    unsafe fn send_in_place(
        &mut self,
        to: usize,
        header: Header,
        payload: *const u8,
    ) -> Result<(), Misuse>;

    /// Waits until nothing that was sent in place is needed any more. Receivers need not have called
    /// `receive`: whoever waits anywhere sees to what arrives. `standing` as for `wait`.
    fn settle(&mut self, standing: &dyn Display) -> Result<(), Halt>;

    /// The next record that has arrived, from anybody; those of one sender in the order in which they
    /// were sent. Never waits.
    fn receive(&mut self) -> Option<Record>;

    /// All records that have arrived: messages (of kind 0) of this machine and superstep are added to
    /// `awaited`, all others to `others`. Never waits.
    fn receive_all(
        &mut self,
        machine: u64,
        superstep: u64,
        awaited: &mut Vec<Record>,
        others: &mut Vec<Record>,
    ) {
        while let Some(record) = self.receive() {
            let Header { machine: of, superstep: in_which, kind, .. } = record.header;
            match of == machine && in_which == superstep && kind == 0 {
                true => awaited.push(record),
                false => others.push(record),
            }
        }
    }

    /// Waits until something may have arrived, or the machine was stopped. `standing` says where this
    /// processor stands and what it waits for, in a line for the report of a deadlock; it is
    /// asked only after a while.
    fn wait(&mut self, standing: &dyn Display) -> Result<(), Halt>;

    /// A record's payload is no longer needed.
    fn release(&mut self, record: &Record);

    /// After how long a wait of all processors is a deadlock; `None`: never. Ten seconds at first.
    fn set_deadlock_limit(&mut self, limit: Option<Duration>);

    /// Where this processor stands in the program, for messages.
    fn set_place(&mut self, place: Place);

    /// Stops all processors; whether this call was the first.
    fn stop(&self) -> bool;

    /// Who was first to stop the processors says why.
    fn say_why(&self, text: &str);

    /// The machine was stopped, and the process is about to end; as in `Engine`.
    fn take_leave(&self, _first: bool) {}

    /// The machine was stopped: why, if it was said. On processor 0 returns when the others are gone.
    fn abandon(&mut self) -> Option<StopReason>;

    /// All processors have agreed to end, by records; nothing is sent any more, and what has arrived
    /// is no longer needed. The program goes on on all of them.
    fn end(&mut self) -> Result<(), Halt>;
}
