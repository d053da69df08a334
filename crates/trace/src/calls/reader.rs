//! One call after the other.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io::Read;

use crate::layout::KIND_CALLS;
use crate::layout::call::{Begun, CallRecord, CallRecords};
use crate::read::{Batch, Scanner, TraceError};

use super::{Asked, Call, Done, Started, Survey, What};

/// The calls of a log, each thread's in their order. Blocks that stand before those that they follow (the last one of a
/// process that wrote a file of its own) are kept until it is their turn; there is one of each thread.
#[derive(Debug)]
pub struct Calls<'s, R> {
    scanner: Option<Scanner<R>>,
    survey: &'s Survey,
    batch: Batch,
    /// Of the batch, what comes next.
    next: usize,
    process: Option<u32>,
    lanes: BTreeMap<u32, Order>,
    /// Requests that were returned and not yet completed.
    requests: HashMap<u64, Asked>,
    ready: VecDeque<Call>,
}

/// Where a thread's calls are.
#[derive(Debug, Default)]
struct Order {
    /// The block that comes next.
    wanted: u32,
    early: BTreeMap<u32, (u64, Vec<u8>)>,
    /// A call to which more may belong, and its begin in ticks.
    open: Option<(Call, u64)>,
}

impl<'s, R: Read> Calls<'s, R> {
    /// Of the log that the survey is of.
    pub fn new(input: R, survey: &'s Survey) -> Calls<'s, R> {
        Calls {
            scanner: Some(Scanner::new(input)),
            survey,
            batch: Batch::default(),
            next: 0,
            process: None,
            lanes: BTreeMap::new(),
            requests: HashMap::new(),
            ready: VecDeque::new(),
        }
    }

    /// The next call; `None` at the end.
    ///
    /// # Errors
    /// If the input cannot be read. Damage is the survey's to tell.
    pub fn next_call(&mut self) -> Result<Option<Call>, TraceError> {
        loop {
            if let Some(call) = self.ready.pop_front() {
                return Ok(Some(call));
            }
            let Some(scanner) = &mut self.scanner else { return Ok(None) };
            if self.next < self.batch.blocks.len() {
                self.block(self.next);
                self.next += 1;
            } else if scanner.next(&mut self.batch)? {
                self.next = 0;
            } else {
                self.scanner = None;
                self.finish();
            }
        }
    }

    fn block(&mut self, index: usize) {
        let block = &self.batch.blocks[index];
        let header = block.header;
        if header.kind != KIND_CALLS
            || !block.sound
            || *self.process.get_or_insert(header.process) != header.process
        {
            return;
        }
        let order = self.lanes.entry(header.thread).or_default();
        if header.sequence < order.wanted || order.early.contains_key(&header.sequence) {
            return;
        }
        let payload = &self.batch.bytes[block.payload.clone()];
        if header.sequence > order.wanted {
            order.early.insert(header.sequence, (header.ticks_open, payload.to_vec()));
            return;
        }
        let payload = payload.to_vec();
        self.records(header.thread, header.ticks_open, &payload);
        self.follow(header.thread);
    }

    /// What had come early and is next now.
    fn follow(&mut self, lane: u32) {
        loop {
            let order = self.lanes.entry(lane).or_default();
            let Some((ticks, payload)) = order.early.remove(&order.wanted) else { return };
            self.records(lane, ticks, &payload);
        }
    }

    /// Blocks before those that are left are missing.
    fn finish(&mut self) {
        let lanes: Vec<u32> = self.lanes.keys().copied().collect();
        for lane in lanes {
            while let Some(order) = self.lanes.get_mut(&lane)
                && let Some(&first) = order.early.keys().next()
            {
                order.wanted = first;
                self.follow(lane);
            }
            if let Some((call, _)) = self.lanes.get_mut(&lane).and_then(|order| order.open.take()) {
                self.ready.push_back(call);
            }
        }
    }

    fn records(&mut self, lane: u32, ticks_open: u64, payload: &[u8]) {
        let order = self.lanes.entry(lane).or_default();
        order.wanted += 1;
        let seconds = |ticks| self.survey.seconds(ticks);
        let mut open = order.open.take();
        for record in CallRecords::new(payload, ticks_open) {
            if let CallRecord::Begun(begun) = record {
                self.ready.extend(open.take().map(|(call, _)| call));
                let call = call(lane, &begun, seconds(begun.start));
                if let Some(request) = begun.request.filter(|_| begun.op.has_request()) {
                    let asked = Asked { op: call.op, what: call.what, start_s: call.start_s };
                    self.requests.insert(request, asked);
                }
                if begun.op.name() == "Request_free"
                    && let Some(request) = begun.request
                {
                    self.requests.remove(&request);
                }
                open = Some((call, begun.start));
                continue;
            }
            // What belongs to a call whose begin is lost tells nothing.
            let Some((call, _)) = &mut open else { continue };
            match record {
                CallRecord::Begun(_) => {}
                CallRecord::Returned { end, got, new, error } => {
                    call.end_s = Some(seconds(end));
                    (call.got, call.new, call.error) = (got, new, error);
                }
                CallRecord::InVain { count, end } => {
                    call.end_s = Some(seconds(end));
                    call.in_vain = count;
                }
                CallRecord::Done { request, got, cancelled } => {
                    let of = match self.requests.get(&request) {
                        Some(asked) if asked.op.is_persistent() => Some(*asked),
                        _ => self.requests.remove(&request),
                    };
                    call.done.push(Done { request, of, got, cancelled });
                }
                CallRecord::Started { request } => {
                    let of = self.requests.get_mut(&request).map(|asked| {
                        asked.start_s = call.start_s;
                        *asked
                    });
                    call.started.push(Started { request, of });
                }
            }
        }
        self.lanes.entry(lane).or_default().open = open;
    }
}

fn call(lane: u32, begun: &Begun, start_s: f64) -> Call {
    let Begun { op, point, ref fields, request, .. } = *begun;
    Call {
        lane,
        op,
        point,
        what: What::of(op, fields, request),
        request: request.filter(|_| op.has_request()),
        start_s,
        end_s: None,
        in_vain: 0,
        got: None,
        new: None,
        error: 0,
        done: Vec::new(),
        started: Vec::new(),
    }
}
