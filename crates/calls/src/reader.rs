//! One call after the other.

use std::collections::btree_map;
use std::fmt;
use std::io::{ErrorKind, Read, Seek, SeekFrom};

use crate::FastMap as HashMap;

use cll_trace::TraceError;
use cll_trace::layout::call::{Begun, CallRecord, CallRecords, Mark, Op};

use cll_units::{Seconds, Ticks};

use super::overview::Stored;
use super::{Call, CallData, Done, OffCore, Overview, RequestOrigin, Started};

/// A log that is open: a file, or bytes in memory.
pub trait Input: Read + Seek + Send {}

impl<I: Read + Seek + Send> Input for I {}

/// Opens the log with a number, as often as it is asked to.
pub type Opener<'l> = dyn FnMut(usize) -> Result<Box<dyn Input + 'l>, TraceError> + 'l;

/// Reads the calls of a log in the order of time, those of each thread in their order. For each thread one block is in
/// memory; so are the requests that are not completed.
pub struct Calls<'s> {
    input: Box<dyn Input + 's>,
    overview: &'s Overview,
    lanes: Vec<Lane<'s>>,
    /// Requests that were returned and not yet completed.
    requests: HashMap<u64, RequestOrigin>,
}

/// Where a thread's calls are.
#[derive(Debug)]
struct Lane<'s> {
    number: u32,
    blocks: btree_map::Values<'s, u32, Option<Stored>>,
    payload: Vec<u8>,
    mark: Mark,
    /// A call to which more records may belong, and the one before it.
    open: Option<Call>,
    next: Option<Call>,
    ended: bool,
}

impl fmt::Debug for Calls<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Calls").field("lanes", &self.lanes).finish_non_exhaustive()
    }
}

impl<'s> Calls<'s> {
    /// Makes a reader of the log that the survey is of.
    pub fn new(input: Box<dyn Input + 's>, overview: &'s Overview) -> Calls<'s> {
        let lane = |(&number, lane): (&u32, &'s super::Lane)| Lane {
            number,
            blocks: lane.blocks.values(),
            payload: Vec::new(),
            mark: Mark::default(),
            open: None,
            next: None,
            ended: false,
        };
        let lanes = overview.lanes.iter().map(lane).collect();
        Calls { input, overview, lanes, requests: HashMap::default() }
    }

    /// The next call; `None` at the end.
    ///
    /// # Errors
    /// If the input cannot be read, or is not the log of the overview. Damage is in [`Overview::damage`].
    pub fn next_call(&mut self) -> Result<Option<Call>, TraceError> {
        let Some((_, index)) = self.earliest()? else { return Ok(None) };
        let next = &mut self.lanes[index].next;
        // In its place: a call is large.
        next.iter_mut().for_each(|call| resolve(&mut self.requests, call));
        Ok(next.take())
    }

    /// When the next call begins; `None` at the end.
    pub(crate) fn next_start(&mut self) -> Result<Option<Seconds>, TraceError> {
        Ok(self.earliest()?.map(|(start, _)| start))
    }

    /// The lane of the next call, which is complete then.
    fn earliest(&mut self) -> Result<Option<(Seconds, usize)>, TraceError> {
        let mut earliest: Option<(Seconds, usize)> = None;
        for index in 0..self.lanes.len() {
            self.fill(index)?;
            if let Some(call) = &self.lanes[index].next
                && earliest.is_none_or(|(start, _)| call.start < start)
            {
                earliest = Some((call.start, index));
            }
        }
        Ok(earliest)
    }

    /// The requests that are not completed, of those that a call waits for: from its first request on, as many as it
    /// has. All calls must have been read.
    pub(crate) fn pending(&self, call: &Call) -> Vec<RequestOrigin> {
        let CallData::Requests { count, first: Some(first) } = call.what else { return Vec::new() };
        let mut numbers: Vec<u64> =
            self.requests.keys().copied().filter(|&number| number >= first).collect();
        numbers.sort_unstable();
        numbers.truncate(usize::try_from(count).unwrap_or(usize::MAX));
        numbers.iter().map(|number| self.requests[number]).collect()
    }

    /// The calls that returned requests which are not complete.
    pub(crate) fn requested(&self) -> impl Iterator<Item = &RequestOrigin> {
        self.requests.values()
    }

    /// Reads until the next call of a thread is complete.
    fn fill(&mut self, index: usize) -> Result<(), TraceError> {
        let lane = &mut self.lanes[index];
        while lane.next.is_none() && !lane.ended {
            lane.records(self.overview);
            if lane.next.is_some() {
                break;
            }
            match lane.blocks.by_ref().flatten().next() {
                Some(stored) => {
                    self.input.seek(SeekFrom::Start(stored.offset))?;
                    lane.payload.resize(stored.bytes as usize, 0);
                    self.input.read_exact(&mut lane.payload).map_err(|error| {
                        match error.kind() {
                            ErrorKind::UnexpectedEof => TraceError::Changed,
                            _ => TraceError::Io(error),
                        }
                    })?;
                    lane.mark = Mark::first(stored.ticks_open);
                }
                None => {
                    lane.next = lane.open.take();
                    lane.ended = true;
                }
            }
        }
        Ok(())
    }
}

/// Adds the known data of its requests to a call. All earlier calls, of all threads, were returned before.
fn resolve(requests: &mut HashMap<u64, RequestOrigin>, call: &mut Call) {
    if let Some(request) = call.request {
        let asked = RequestOrigin { op: call.op, what: call.what, start: call.start };
        requests.insert(request, asked);
    }
    if call.op == Op::Request_free
        && let CallData::Requests { first: Some(request), .. } = call.what
    {
        requests.remove(&request);
    }
    for done in &mut call.done {
        done.origin = match requests.get(&done.request) {
            Some(asked) if asked.op.is_persistent() => Some(*asked),
            _ => requests.remove(&done.request),
        };
    }
    for started in &mut call.started {
        started.origin = requests.get_mut(&started.request).map(|asked| {
            asked.start = call.start;
            *asked
        });
    }
}

impl Lane<'_> {
    /// Reads records of the block until the next call is complete, or there are no more.
    fn records(&mut self, overview: &Overview) {
        let mut records = CallRecords::from(&self.payload, self.mark);
        for record in records.by_ref() {
            if let CallRecord::Begun(begun) = &record {
                let mut call = call(self.number, begun, overview.time(Ticks(begun.start)));
                call.off_core = overview
                    .watched()
                    .map(|_| OffCore { time: Seconds(0.0), ready: Some(Seconds(0.0)) });
                self.next = self.open.replace(call);
                if self.next.is_some() {
                    break;
                }
                continue;
            }
            // Records of a call are not used if its beginning is lost.
            let Some(call) = &mut self.open else { continue };
            match record {
                CallRecord::Begun(_) => {}
                CallRecord::Returned { end, got, new, error } => {
                    call.end = Some(overview.time(Ticks(end)));
                    (call.got, call.new, call.error) = (got, new, error);
                }
                CallRecord::Unsuccessful { count, end, inside } => {
                    let end_time = overview.time(Ticks(end));
                    let span = end_time - call.start;
                    // By the same clock.
                    let begin = overview.time(Ticks(end.wrapping_sub(inside)));
                    call.end = Some(end_time);
                    let inside = (end_time - begin).get().clamp(0.0, span.get().max(0.0));
                    call.inside = Some(Seconds(inside));
                    call.unsuccessful = count;
                }
                CallRecord::Done { request, got, cancelled } => {
                    call.done.push(Done { request, origin: None, got, cancelled });
                }
                CallRecord::OffCore { ns, ready_ns } => {
                    let seconds = |ns: u64| Seconds(1e-9) * ns as f64;
                    call.off_core =
                        Some(OffCore { time: seconds(ns), ready: ready_ns.map(seconds) });
                }
                CallRecord::Started { request } => {
                    call.started.push(Started { request, origin: None })
                }
            }
        }
        self.mark = records.mark(&self.payload);
    }
}

fn call(lane: u32, begun: &Begun, start: Seconds) -> Call {
    let Begun { op, point, ref fields, request, .. } = *begun;
    Call {
        lane,
        op,
        point,
        what: CallData::new(op, fields, request),
        request: request.filter(|_| op.has_request()),
        start,
        off_core: None,
        end: None,
        unsuccessful: 0,
        inside: None,
        got: None,
        new: None,
        error: 0,
        done: Vec::new(),
        started: Vec::new(),
    }
}
