//! A process on its way from superstep to superstep.

use std::collections::{BTreeMap, HashMap};
use std::io;

use crate::calls::Call;
use crate::layout::{SUPERSTEP_END, SUPERSTEP_OBLIVIOUS, TrafficRecord};

use super::write::{Found, LogWriter};

/// Messages that follow each other: who receives, communicator, tag, and the place that they are sent from.
pub(super) type Run = (u32, u64, i64, Option<u32>);

/// A process of the run.
#[derive(Default)]
pub(super) struct Processor {
    pub(super) rank: u32,
    /// The superstep that it is in, from 1.
    pub(super) superstep: u64,
    /// When that began, seconds.
    start_s: f64,
    /// When the last call that belongs to it returned.
    last_s: f64,
    /// Seconds in calls of MPI until then, and of these of waiting.
    mpi_s: f64,
    waiting_s: f64,
    /// Seconds in calls since then: they count in what comes next.
    trailing_s: f64,
    /// The place of the last call.
    point: Option<u32>,
    /// Something was sent or received in it.
    touched: bool,
    /// Something was received in it.
    received: bool,
    asked: BTreeMap<u32, TrafficRecord>,
    /// Sent in this superstep, and whether that is complete.
    sent: HashMap<Run, bool>,
    /// What was sent by requests that were not completed yet.
    under_way: HashMap<u64, Run>,
    /// Whether the sends that come now end in a receipt, if that was looked up.
    pub(super) receives_next: Option<bool>,
    /// It has ended MPI: when, and where.
    pub(super) finalized: Option<(f64, Option<u32>)>,
}

impl Processor {
    pub(super) fn new(rank: u32) -> Processor {
        Processor { rank, superstep: 1, ..Processor::default() }
    }

    /// MPI has begun: its first superstep does.
    pub(super) fn begin(&mut self, at_s: f64) {
        (self.start_s, self.last_s) = (at_s, at_s);
    }

    /// It asks something of another one, after what it has received: a superstep begins.
    pub(super) fn turn(&mut self, log: &mut LogWriter<'_>) -> io::Result<()> {
        match self.received {
            true => self.close(SUPERSTEP_OBLIVIOUS, log),
            false => Ok(()),
        }
    }

    /// Whether it has sent such a message in this superstep, and that is complete.
    pub(super) fn has_sent(&self, run: &Run) -> bool {
        self.sent.get(run).copied().unwrap_or(false)
    }

    /// A message is sent, by a request or complete.
    pub(super) fn sends(&mut self, run: Run, request: Option<u64>, bytes: u64) {
        self.sent.insert(run, request.is_none());
        if let Some(request) = request {
            self.under_way.insert(request, run);
        }
        self.asks(run.0, 1, bytes, 0);
    }

    /// A request to send is complete.
    pub(super) fn has_completed(&mut self, request: u64) {
        if let Some(run) = self.under_way.remove(&request)
            && let Some(complete) = self.sent.get_mut(&run)
        {
            *complete = true;
        }
    }

    /// It asks something of a process, or gives it something.
    pub(super) fn asks(&mut self, partner: u32, requests: u32, sent: u64, got: u64) {
        let entry = self.asked.entry(partner).or_default();
        entry.partner = partner;
        entry.requests = entry.requests.saturating_add(requests);
        entry.sent = entry.sent.saturating_add(sent);
        entry.got = entry.got.saturating_add(got);
        self.touched = true;
    }

    /// It receives something of a superstep; by how many supersteps that is late.
    pub(super) fn receives(
        &mut self,
        of: u64,
        point: Option<u32>,
        log: &mut LogWriter<'_>,
    ) -> io::Result<u64> {
        self.go_to(of, point, log)?;
        (self.touched, self.received, self.receives_next) = (true, true, None);
        Ok(self.superstep - of)
    }

    /// Goes on to a superstep: those between were empty.
    fn go_to(&mut self, to: u64, point: Option<u32>, log: &mut LogWriter<'_>) -> io::Result<()> {
        if self.superstep < to && self.touched {
            self.close(SUPERSTEP_OBLIVIOUS, log)?;
        }
        while self.superstep < to {
            self.empty(SUPERSTEP_OBLIVIOUS, point, log)?;
        }
        Ok(())
    }

    /// A superstep in which it had no part.
    fn empty(&mut self, flags: u16, point: Option<u32>, log: &mut LogWriter<'_>) -> io::Result<()> {
        let (start_s, end_s) = (self.start_s, self.start_s);
        let found = Found {
            start_s,
            computation_s: 0.0,
            waiting_s: 0.0,
            end_s,
            number: self.superstep,
            flags,
            point,
            asked: Vec::new(),
        };
        self.superstep += 1;
        log.push(self.rank, &found)
    }

    /// A call has returned; `counts`: it belongs to what goes on between processes.
    pub(super) fn returned(&mut self, call: &Call, waited_s: f64, counts: bool) {
        let took = call.seconds().unwrap_or(0.0).max(0.0);
        if !counts {
            self.trailing_s += took;
            return;
        }
        self.mpi_s += self.trailing_s + took;
        self.trailing_s = 0.0;
        self.waiting_s += waited_s.min(took);
        self.last_s = call.end_s.unwrap_or(call.start_s).max(self.last_s);
        self.point = call.point;
        self.touched = true;
    }

    /// Ends the superstep, where the last call of it returned.
    pub(super) fn close(&mut self, flags: u16, log: &mut LogWriter<'_>) -> io::Result<()> {
        let found = Found {
            start_s: self.start_s,
            computation_s: (self.last_s - self.start_s - self.mpi_s).max(0.0),
            waiting_s: self.waiting_s,
            end_s: self.last_s,
            number: self.superstep,
            flags,
            point: self.point,
            asked: std::mem::take(&mut self.asked).into_values().collect(),
        };
        self.start_s = self.last_s;
        (self.mpi_s, self.waiting_s) = (0.0, 0.0);
        (self.touched, self.received) = (false, false);
        self.sent.clear();
        self.superstep += 1;
        log.push(self.rank, &found)
    }

    /// Its last superstep in which anything happened.
    pub(super) fn last(&self) -> u64 {
        self.superstep - u64::from(!self.touched)
    }

    /// Ends its log: with all others, whose last superstep is `last`, if it has ended MPI.
    pub(super) fn end(&mut self, last: u64, log: &mut LogWriter<'_>) -> io::Result<()> {
        if self.touched {
            self.close(SUPERSTEP_OBLIVIOUS, log)?;
        }
        let Some((at_s, point)) = self.finalized else { return Ok(()) };
        while self.superstep <= last {
            self.empty(SUPERSTEP_OBLIVIOUS, point, log)?;
        }
        self.last_s = at_s.max(self.start_s);
        self.mpi_s = self.trailing_s;
        self.point = point;
        self.close(SUPERSTEP_END, log)
    }
}
