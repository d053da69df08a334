//! Events of a process.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use cll_trace::layout::call::{CollectiveGroup, NOBODY, Op};
use cll_units::Seconds;

use super::super::LeftOut;
use super::super::operations::of_got;
use super::definitions::Definitions;
use super::windows::{Accesses, is_of_window};
use super::{PlaceOf, UNDEFINED};
use crate::collective::group_of;
use crate::waiting::is_loop;
use crate::{Call, CallData, CollectiveKind, Message};

/// Roots that are no rank: this process, one of its group.
const SELF: u32 = u32::MAX - 1;
const THIS_GROUP: u32 = u32::MAX - 2;

/// `OTF2_COLLECTIVE_OP_CREATE_HANDLE`.
const CREATE_HANDLE: u32 = 17;

/// A request that is not complete: what it does, and its number, which no other request of the process has.
#[derive(Clone, Copy, Debug)]
struct Request {
    what: CallData,
    op: Op,
    number: u64,
}

/// Writes the events of one process.
pub(super) struct Events<'e, 'a> {
    definitions: &'e mut Definitions<'a>,
    process: usize,
    place: PlaceOf<'e>,
    out: &'e mut dyn Write,
    /// The last time of each thread that has called MPI, nanoseconds.
    lanes: BTreeMap<u32, u64>,
    /// The thread whose events are written.
    current: Option<u32>,
    program: u32,
    regions: HashMap<(Op, u32, Option<u32>), u32>,
    /// By the program's numbers, which persistent requests have again and again.
    requests: HashMap<u64, Request>,
    next_request: u64,
    accesses: Accesses,
    left_out: LeftOut,
}

impl<'e, 'a> Events<'e, 'a> {
    pub(super) fn new<'p: 'e>(
        definitions: &'e mut Definitions<'a>,
        process: usize,
        place: &'e mut (dyn FnMut(usize, u32, Option<u32>) -> (String, u32) + 'p),
        out: &'e mut dyn Write,
    ) -> Events<'e, 'a> {
        let path = &definitions.overviews[process].process.program;
        let name = path.rsplit('/').next().filter(|name| !name.is_empty());
        let program = definitions.region(None, name.unwrap_or("program"), 0);
        Events {
            definitions,
            process,
            place,
            out,
            lanes: BTreeMap::new(),
            current: None,
            program,
            regions: HashMap::new(),
            requests: HashMap::new(),
            next_request: 0,
            accesses: Accesses::default(),
            left_out: LeftOut::default(),
        }
    }

    /// The next call of the process.
    pub(super) fn call(&mut self, call: &Call) -> io::Result<()> {
        let is_new = !self.lanes.contains_key(&call.lane);
        let start = self.stamp(call.lane, call.start);
        self.switch_lane(call.lane)?;
        if is_new {
            writeln!(self.out, "E {start} {} 0", self.program)?;
        }
        let region = self.region(call);
        writeln!(self.out, "E {start} {region} {}", call.unsuccessful)?;
        // Polls that are no loop have something else between them.
        let inside = call.inside.filter(|_| !is_loop(call)).map(|inside| call.start + inside);
        let end = inside.or(call.end);
        let works = call.unsuccessful == 0 && call.error == 0;
        if works {
            self.begins(call, start)?;
        }
        let Some(end) = end else { return Ok(()) };
        let end = self.stamp(call.lane, end);
        if works {
            self.ends(call, end)?;
        }
        writeln!(self.out, "X {end} {region}")
    }

    /// The end of all threads. A call that has not returned is left at the last time of the process.
    pub(super) fn end(mut self) -> io::Result<LeftOut> {
        let last = self.lanes.values().copied().max().unwrap_or(0);
        for lane in self.lanes.clone().into_keys() {
            self.switch_lane(lane)?;
            writeln!(self.out, "Y {last}")?;
        }
        Ok(self.left_out)
    }

    /// A time in nanoseconds, not before the last one of the thread: spans of polls at several places overlap.
    fn stamp(&mut self, lane: u32, time: Seconds) -> u64 {
        let last = self.lanes.entry(lane).or_default();
        *last = (*last).max((time.get() * 1e9).round() as u64);
        self.definitions.last_ns = self.definitions.last_ns.max(*last);
        *last
    }

    fn switch_lane(&mut self, lane: u32) -> io::Result<()> {
        if self.current != Some(lane) {
            self.current = Some(lane);
            writeln!(self.out, "L {}", self.definitions.location(self.process, lane))?;
        }
        Ok(())
    }

    fn region(&mut self, call: &Call) -> u32 {
        let key = (call.op, call.lane, call.point);
        if let Some(&known) = self.regions.get(&key) {
            return known;
        }
        let (file, line) = (self.place)(self.process, call.lane, call.point);
        let region = self.definitions.region(Some(call.op), &file, line);
        self.regions.insert(key, region);
        region
    }

    fn begins(&mut self, call: &Call, time: u64) -> io::Result<()> {
        match call.what {
            CallData::Send(message) if call.request.is_none() => self.send(time, &message, None)?,
            CallData::Exchange { sent, .. } => self.send(time, &sent, None)?,
            _ if call.op.is_persistent() => {}
            what => {
                if let Some(request) = call.request {
                    self.request(time, request, call.op, what)?;
                }
            }
        }
        for started in &call.started {
            if let Some(origin) = started.origin {
                self.request(time, started.request, origin.op.each_start(), origin.what)?;
            }
        }
        if is_of_window(call) {
            let window = self.definitions.window(self.process, self.window(call));
            match window {
                Some(window) => self.accesses.begins(call, window, time, self.out)?,
                None => self.left_out.one_sided += 1,
            }
        }
        if self.collective(call).is_some() && call.request.is_none() && call.end.is_some() {
            writeln!(self.out, "b {time}")?;
        }
        Ok(())
    }

    fn ends(&mut self, call: &Call, time: u64) -> io::Result<()> {
        match call.what {
            CallData::Receive(message) | CallData::Exchange { received: message, .. }
                if call.request.is_none() =>
            {
                self.receive(time, &of_got(&message, call.got), None)?;
            }
            _ => {}
        }
        for done in &call.done {
            let Some(request) = self.requests.remove(&done.request) else { continue };
            self.complete(time, request, done)?;
        }
        if is_of_window(call)
            && let Some(window) = self.definitions.window(self.process, self.window(call))
        {
            self.accesses.ends(call, window, time, self.out)?;
        }
        if let (Some(description), None) = (self.collective(call), call.request) {
            writeln!(self.out, "e {time} {description}")?;
        }
        Ok(())
    }

    /// The window of a call, or the one that it has made.
    fn window(&self, call: &Call) -> Option<u32> {
        match call.what {
            CallData::Access { window, .. } | CallData::Epoch { window, .. } => window,
            _ => call.new,
        }
    }

    /// The number of a communicator, if a message in it can be written; it is counted if not.
    fn comm(&mut self, message: &Message) -> Option<u32> {
        if message.partner == NOBODY {
            return None;
        }
        let comm = self.definitions.comm(self.process, message.communicator);
        self.left_out.outside += u64::from(comm.is_none());
        comm
    }

    fn send(&mut self, time: u64, message: &Message, request: Option<u64>) -> io::Result<()> {
        let Some(comm) = self.comm(message) else { return Ok(()) };
        let Message { partner, tag, bytes, .. } = *message;
        match request {
            None => writeln!(self.out, "s {time} {partner} {comm} {tag} {}", bytes.get()),
            Some(request) => {
                writeln!(self.out, "i {time} {partner} {comm} {tag} {} {request}", bytes.get())
            }
        }
    }

    fn receive(&mut self, time: u64, message: &Message, request: Option<u64>) -> io::Result<()> {
        let Some(comm) = self.comm(message) else { return Ok(()) };
        let Message { partner, tag, bytes, .. } = *message;
        match request {
            None => writeln!(self.out, "r {time} {partner} {comm} {tag} {}", bytes.get()),
            Some(request) => {
                writeln!(self.out, "v {time} {partner} {comm} {tag} {} {request}", bytes.get())
            }
        }
    }

    /// A request begins.
    fn request(&mut self, time: u64, request: u64, op: Op, what: CallData) -> io::Result<()> {
        let number = self.next_request;
        match what {
            CallData::Send(message) => {
                if message.partner == NOBODY
                    || self.definitions.comm(self.process, message.communicator).is_none()
                {
                    // No event, and none at its end.
                    return self.send(time, &message, Some(number));
                }
                self.send(time, &message, Some(number))?;
            }
            CallData::Receive(message) => {
                let comm = self.definitions.comm(self.process, message.communicator);
                if message.partner == NOBODY || comm.is_none() {
                    self.left_out.outside += u64::from(comm.is_none());
                    return Ok(());
                }
                writeln!(self.out, "q {time} {number}")?;
            }
            CallData::Collective { .. } => {
                if self.operation(op, what).is_none() {
                    return Ok(());
                }
                writeln!(self.out, "n {time} {number}")?;
            }
            _ => return Ok(()),
        }
        self.next_request += 1;
        self.requests.insert(request, Request { what, op, number });
        Ok(())
    }

    fn complete(&mut self, time: u64, request: Request, done: &crate::Done) -> io::Result<()> {
        let number = request.number;
        if done.cancelled {
            return writeln!(self.out, "a {time} {number}");
        }
        match request.what {
            CallData::Send(_) => writeln!(self.out, "c {time} {number}"),
            CallData::Receive(message) => {
                self.receive(time, &of_got(&message, done.got), Some(number))
            }
            what => match self.operation(request.op, what) {
                Some(description) => writeln!(self.out, "d {time} {description} {number}"),
                None => Ok(()),
            },
        }
    }

    /// Describes a collective as its events have it.
    fn collective(&mut self, call: &Call) -> Option<String> {
        match group_of(call)? {
            (CollectiveGroup::Communicator, communicator) => match call.what {
                what @ CallData::Collective { .. } => self.operation(call.op, what),
                // Of windows there are other events.
                _ if is_of_window(call) => None,
                _ => {
                    let comm = self.definitions.comm(self.process, communicator)?;
                    Some(format!("{CREATE_HANDLE} {comm} {UNDEFINED} 0 0"))
                }
            },
            _ => None,
        }
    }

    /// Number, communicator, root and bytes of a collective; `None`: OTF2 has none of this kind.
    fn operation(&self, op: Op, what: CallData) -> Option<String> {
        let CallData::Collective { communicator, root, out, into, .. } = what else { return None };
        let number = number_of(op)?;
        let comm = self.definitions.comm(self.process, communicator)?;
        let has_root =
            matches!(op.collective_kind(), CollectiveKind::FromRoot | CollectiveKind::ToRoot);
        let root = match root {
            Some(root) => root,
            None if !has_root => UNDEFINED,
            // Of two groups the root is in this one.
            None if out.get() + into.get() > 0 => SELF,
            None => THIS_GROUP,
        };
        Some(format!("{number} {comm} {root} {} {}", out.get(), into.get()))
    }
}

/// OTF2's number of a collective.
fn number_of(op: Op) -> Option<u32> {
    const NUMBERED: [Op; 17] = [
        Op::Barrier,
        Op::Bcast,
        Op::Gather,
        Op::Gatherv,
        Op::Scatter,
        Op::Scatterv,
        Op::Allgather,
        Op::Allgatherv,
        Op::Alltoall,
        Op::Alltoallv,
        Op::Alltoallw,
        Op::Allreduce,
        Op::Reduce,
        Op::Reduce_scatter,
        Op::Scan,
        Op::Exscan,
        Op::Reduce_scatter_block,
    ];
    NUMBERED.iter().position(|&plain| plain == op.plain()).map(|index| index as u32)
}
