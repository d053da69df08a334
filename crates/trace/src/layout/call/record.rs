//! Reads records of calls.

use super::{
    Class, DONE, DONE_CANCELLED, DONE_GOT, OFF_CORE, Op, RETURNED, RETURNED_ERROR, RETURNED_GOT,
    RETURNED_NEW, STARTED, UNSUCCESSFUL, UNSUCCESSFUL_SPAN,
};
use crate::layout::varint::Input;

/// The begin of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begun {
    /// The call.
    pub op: Op,
    /// Number of the place in the thread's tables; `None`: unknown.
    pub point: Option<u32>,
    /// The fields of its class, in their order.
    pub fields: [i64; 7],
    /// The request that it returns.
    pub request: Option<u64>,
    /// When it began, ticks.
    pub start: u64,
}

/// A received message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Got {
    /// Rank of the sender.
    pub source: i64,
    /// The tag of the message.
    pub tag: i64,
    /// The bytes of the message.
    pub bytes: u64,
}

/// A record of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallRecord {
    /// A call begins.
    Begun(Begun),
    /// It has returned.
    Returned {
        /// When, ticks.
        end: u64,
        /// The message that it received, if that differs from what was requested.
        got: Option<Got>,
        /// The communicator or window that it made.
        new: Option<u32>,
        /// The error that it returned, 0 if none.
        error: u32,
    },
    /// It completed a request.
    Done {
        /// The request.
        request: u64,
        /// The message that was received, if that differs from what was requested.
        got: Option<Got>,
        /// Whether it was cancelled.
        cancelled: bool,
    },
    /// It started a persistent request.
    Started {
        /// The request.
        request: u64,
    },
    /// The call was an unsuccessful poll, repeated.
    Unsuccessful {
        /// Number of polls.
        count: u32,
        /// When the last one returned, ticks.
        end: u64,
        /// Ticks inside these calls, without the time between them.
        inside: u64,
    },
    /// Before the call, since the one before, the thread had no core for a while.
    OffCore {
        /// For how long, nanoseconds.
        ns: u64,
        /// For how long of that it was ready to run; `None`: not known.
        ready_ns: Option<u64>,
    },
}

/// How far the records of a payload have been read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mark {
    position: usize,
    time: u64,
    start: u64,
    request: u64,
    broken: bool,
}

impl Mark {
    /// Before the first record of a block opened at this time.
    pub fn first(ticks_open: u64) -> Mark {
        Mark { time: ticks_open, start: ticks_open, ..Mark::default() }
    }
}

/// Reads the records of a block's payload one after the other; ends at the first that cannot be
/// read.
#[derive(Clone, Debug)]
pub struct CallRecords<'a> {
    input: Input<'a>,
    /// Ticks of the last begin or end.
    time: u64,
    start: u64,
    /// The last number of a request.
    request: u64,
    broken: bool,
}

impl<'a> CallRecords<'a> {
    /// For the payload of a block opened at this time.
    pub fn new(payload: &'a [u8], ticks_open: u64) -> CallRecords<'a> {
        let input = Input::new(payload);
        CallRecords { input, time: ticks_open, start: ticks_open, request: 0, broken: false }
    }

    /// The records of a payload from a mark on.
    pub fn from(payload: &'a [u8], mark: Mark) -> CallRecords<'a> {
        let input = Input::new(payload.get(mark.position..).unwrap_or_default());
        let Mark { time, start, request, broken, .. } = mark;
        CallRecords { input, time, start, request, broken }
    }

    /// How far the records of this payload have been read.
    pub fn mark(&self, payload: &[u8]) -> Mark {
        let position = payload.len() - self.input.left();
        let CallRecords { time, start, request, broken, .. } = *self;
        Mark { position, time, start, request, broken }
    }

    /// Whether reading ended before the payload did.
    pub fn is_broken(&self) -> bool {
        self.broken
    }

    fn read(&mut self) -> Option<CallRecord> {
        let kind = self.input.byte()?;
        Some(match kind {
            RETURNED | RETURNED_GOT | RETURNED_NEW | RETURNED_ERROR => {
                let end = self.start.wrapping_add(self.input.unsigned()?);
                self.time = end;
                let got = if kind == RETURNED_GOT { Some(self.got()?) } else { None };
                let new =
                    if kind == RETURNED_NEW { Some(self.input.unsigned()? as u32) } else { None };
                let error = if kind == RETURNED_ERROR { self.input.unsigned()? as u32 } else { 0 };
                CallRecord::Returned { end, got, new, error }
            }
            DONE | DONE_GOT | DONE_CANCELLED => {
                let request = self.request()?;
                let got = if kind == DONE_GOT { Some(self.got()?) } else { None };
                CallRecord::Done { request, got, cancelled: kind == DONE_CANCELLED }
            }
            STARTED => CallRecord::Started { request: self.request()? },
            UNSUCCESSFUL | UNSUCCESSFUL_SPAN => {
                let count = u32::from_le_bytes(self.input.array()?);
                let span = u64::from_le_bytes(self.input.array()?);
                let end = self.start.wrapping_add(span);
                let inside = if kind == UNSUCCESSFUL {
                    u64::from_le_bytes(self.input.array()?)
                } else {
                    self.time = end;
                    span
                };
                CallRecord::Unsuccessful { count, end, inside }
            }
            OFF_CORE => {
                let ns = self.input.unsigned()?;
                CallRecord::OffCore { ns, ready_ns: self.input.unsigned()?.checked_sub(1) }
            }
            number => CallRecord::Begun(self.begun(Op::of_number(number)?)?),
        })
    }

    fn begun(&mut self, op: Op) -> Option<Begun> {
        // 0: the place is unknown.
        let point = self.input.unsigned()?.checked_sub(1).map(|point| point as u32);
        let mut fields = [0; 7];
        let layout: &[bool] = match op.class() {
            Class::Life => &[],
            Class::Send | Class::Receive => &[false, true, true, false],
            Class::Exchange => &[false, true, true, false, true, true, false],
            Class::Probe => &[false, true, true],
            Class::Wait | Class::Request => &[false],
            Class::Collective => &[false; 4],
            Class::Access => &[false, true, false, false],
            Class::Epoch => &[false, true],
            Class::Create => &[false],
            Class::File => &[false; 3],
        };
        for (field, &signed) in fields.iter_mut().zip(layout) {
            *field = if signed { self.input.signed()? } else { self.input.unsigned()? as i64 };
        }
        let mut request = None;
        if matches!(op.class(), Class::Wait | Class::Request) && fields[0] > 0 || op.has_request() {
            request = Some(self.request()?);
        }
        self.start = self.time.wrapping_add(self.input.signed()? as u64);
        self.time = self.start;
        Some(Begun { op, point, fields, request, start: self.start })
    }

    fn request(&mut self) -> Option<u64> {
        self.request = self.request.wrapping_add(self.input.signed()? as u64);
        Some(self.request)
    }

    fn got(&mut self) -> Option<Got> {
        Some(Got {
            source: self.input.signed()?,
            tag: self.input.signed()?,
            bytes: self.input.unsigned()?,
        })
    }
}

impl Iterator for CallRecords<'_> {
    type Item = CallRecord;

    fn next(&mut self) -> Option<CallRecord> {
        if self.broken || self.input.is_empty() {
            return None;
        }
        let record = self.read();
        self.broken = record.is_none();
        record
    }
}
