//! The supersteps of a process in one machine.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::ops::Range;
use std::rc::Rc;

use cll_trace::layout::{SUPERSTEP_END, SUPERSTEP_OBLIVIOUS, TrafficRecord};

use super::part::{MachineObject, Position};
use super::write::{LogWriter, SuperstepTimes};

/// Identifies messages of the same kind: receiver, communicator, tag, and the place that sends them.
pub(super) type MessageKind = (u32, u64, i64, Option<u32>);

/// A process in a machine that it is in.
pub(super) struct Level {
    pub(super) part: Rc<MachineObject>,
    rank: u32,
    /// The machine's number in the process's tables.
    machine: u16,
    /// The superstep that it is in, from 1.
    pub(super) superstep: u64,
    /// When that began, seconds.
    start_s: f64,
    /// When the last call of this superstep, or of a part in it, returned.
    pub(super) last_s: f64,
    /// Seconds in calls of MPI until then, without calls in parts; and the seconds of waiting among these.
    mpi_s: f64,
    waiting_s: f64,
    /// The place of the last call.
    pub(super) point: Option<u32>,
    /// Something was sent or received in it.
    touched: bool,
    /// Something was received in it.
    received: bool,
    /// The processes of the parts that it was in during this superstep.
    pub(super) parted: Option<Range<u32>>,
    asked: BTreeMap<u32, TrafficRecord>,
    /// Sent in this superstep, and whether that is complete.
    sent: HashMap<MessageKind, bool>,
}

impl Level {
    pub(super) fn new(part: Rc<MachineObject>, rank: u32, machine: u16, from_s: f64) -> Level {
        Level {
            part,
            rank,
            machine,
            superstep: 1,
            start_s: from_s,
            last_s: from_s,
            mpi_s: 0.0,
            waiting_s: 0.0,
            point: None,
            touched: false,
            received: false,
            parted: None,
            asked: BTreeMap::new(),
            sent: HashMap::new(),
        }
    }

    /// The superstep that it is in.
    pub(super) fn position(&self) -> Position {
        Position { part: Rc::clone(&self.part), superstep: self.superstep }
    }

    /// Begins the first superstep of the level.
    pub(super) fn begin(&mut self, at_s: f64) {
        (self.start_s, self.last_s) = (at_s, at_s);
    }

    /// Called when it requests something from another process. If it has received something before, a superstep begins.
    pub(super) fn turn(&mut self, log: &mut LogWriter<'_>) -> io::Result<()> {
        if self.received { self.close(SUPERSTEP_OBLIVIOUS, log) } else { Ok(()) }
    }

    /// Whether it has sent a message of this kind in this superstep, and the send is complete.
    pub(super) fn has_sent(&self, run: &MessageKind) -> bool {
        self.sent.get(run).copied().unwrap_or(false)
    }

    /// A message is sent, by a request or complete.
    pub(super) fn sends(&mut self, run: MessageKind, is_complete: bool, bytes: u64) {
        self.sent.insert(run, is_complete);
        self.asks(run.0, 1, bytes, 0);
    }

    /// A request to send is complete.
    pub(super) fn has_completed(&mut self, run: &MessageKind) {
        if let Some(complete) = self.sent.get_mut(run) {
            *complete = true;
        }
    }

    /// Records that it requests something from a process of the machine, or sends something to it.
    pub(super) fn asks(&mut self, whom: u32, requests: u32, sent: u64, got: u64) {
        self.touched = true;
        // A process outside the machine is possible only if logs contradict each other.
        let Some(partner) = whom.checked_sub(self.part.range.start) else { return };
        let entry = self.asked.entry(partner).or_default();
        entry.partner = partner;
        entry.requests = entry.requests.saturating_add(requests);
        entry.sent = entry.sent.saturating_add(sent);
        entry.got = entry.got.saturating_add(got);
    }

    /// Records that it receives something of superstep `sent_in`. Returns how many supersteps later this is.
    pub(super) fn receives(
        &mut self,
        sent_in: u64,
        point: Option<u32>,
        log: &mut LogWriter<'_>,
    ) -> io::Result<u64> {
        self.go_to(sent_in, point, log)?;
        self.receives_late();
        Ok(self.superstep - sent_in)
    }

    /// Records that it receives something in its current superstep.
    pub(super) fn receives_late(&mut self) {
        (self.touched, self.received) = (true, true);
    }

    /// Goes on to a superstep: those between were empty.
    pub(super) fn go_to(
        &mut self,
        to: u64,
        point: Option<u32>,
        log: &mut LogWriter<'_>,
    ) -> io::Result<()> {
        while self.superstep < to {
            self.pass(point, log)?;
        }
        Ok(())
    }

    /// Ends a superstep that may be empty.
    fn pass(&mut self, point: Option<u32>, log: &mut LogWriter<'_>) -> io::Result<()> {
        if self.touched || self.parted.is_some() {
            self.close(SUPERSTEP_OBLIVIOUS, log)
        } else {
            self.empty(SUPERSTEP_OBLIVIOUS, point, log)
        }
    }

    /// A superstep in which it had no part.
    fn empty(&mut self, flags: u16, point: Option<u32>, log: &mut LogWriter<'_>) -> io::Result<()> {
        let (start_s, end_s) = (self.start_s, self.start_s);
        let superstep = SuperstepTimes {
            start_s,
            computation_s: 0.0,
            waiting_s: 0.0,
            end_s,
            machine: self.machine,
            number: self.superstep,
            flags,
            point,
            asked: Vec::new(),
        };
        self.superstep += 1;
        log.push(self.rank, &superstep)
    }

    /// Records a call that has returned: its time, the waiting in it, and when it returned.
    pub(super) fn returned(
        &mut self,
        took_s: f64,
        waited_s: f64,
        until_s: f64,
        point: Option<u32>,
    ) {
        self.mpi_s += took_s;
        self.waiting_s += waited_s;
        self.last_s = until_s.max(self.last_s);
        self.point = point;
        self.touched = true;
    }

    /// Ends the superstep at the time when its last call returned.
    pub(super) fn close(&mut self, flags: u16, log: &mut LogWriter<'_>) -> io::Result<()> {
        let superstep = SuperstepTimes {
            start_s: self.start_s,
            computation_s: (self.last_s - self.start_s - self.mpi_s).max(0.0),
            waiting_s: self.waiting_s.min(self.mpi_s),
            end_s: self.last_s,
            machine: self.machine,
            number: self.superstep,
            flags,
            point: self.point,
            asked: std::mem::take(&mut self.asked).into_values().collect(),
        };
        self.start_s = self.last_s;
        (self.mpi_s, self.waiting_s) = (0.0, 0.0);
        (self.touched, self.received, self.parted) = (false, false, None);
        self.sent.clear();
        self.superstep += 1;
        log.push(self.rank, &superstep)
    }

    /// Ends a superstep that was cut off.
    pub(super) fn cut(&mut self, log: &mut LogWriter<'_>) -> io::Result<()> {
        if self.touched { self.close(SUPERSTEP_OBLIVIOUS, log) } else { Ok(()) }
    }

    /// The last superstep of the level in which anything was sent or received.
    pub(super) fn last(&self) -> u64 {
        self.superstep - u64::from(!self.touched)
    }

    /// Ends the machine with its last superstep, which on all processes comes after superstep `last`.
    pub(super) fn end(
        &mut self,
        last: u64,
        point: Option<u32>,
        log: &mut LogWriter<'_>,
    ) -> io::Result<()> {
        self.go_to(last + 1, point, log)?;
        self.point = point;
        self.close(SUPERSTEP_END, log)
    }

    /// Adds the rest of its time until then: these seconds in MPI, and the rest as computation.
    pub(super) fn add_remaining(&mut self, mpi_s: f64, until_s: f64) {
        self.mpi_s += mpi_s;
        self.last_s = until_s.max(self.last_s);
    }
}
