//! Goes through the calls of all processes. A process continues only when the sender's calls for everything it receives
//! have been processed.

mod events;
mod part_bounds;

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, VecDeque};
use std::io::Write;

use crate::FastMap as HashMap;
use crate::{Call, Calls, Opener, Overview};
use cll_trace::layout::SUPERSTEP_OBLIVIOUS;
use cll_trace::layout::call::{CollectiveKind, Op};
use cll_units::Seconds;

use super::CallSites;
use super::collective_match::{OpenCollectives, Taken};
use super::crossings::Crossings;
use super::part::{MachineObject, Position};
use super::process::{Channel, Event, ProcessCalls};
use super::refused::{CallSite, Note, Refused, Unfit};
use super::sources::CallSource;
use super::write::LogWriter;
use part_bounds::SeparateParts;

/// A message that was sent.
struct Sent {
    position: Position,
    at_s: f64,
}

/// The next process is the one whose call began first.
#[derive(PartialEq)]
pub(super) struct QueueEntry(pub(super) f64, pub(super) usize);

impl Eq for QueueEntry {}

impl PartialOrd for QueueEntry {
    fn partial_cmp(&self, other: &QueueEntry) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for QueueEntry {
    fn cmp(&self, other: &QueueEntry) -> Ordering {
        self.0.total_cmp(&other.0).then(self.1.cmp(&other.1))
    }
}

/// All processes, and the messages in transit between them.
pub(super) struct Engine<'s, 'p> {
    processes: Vec<ProcessCalls<'s>>,
    channels: HashMap<Channel, VecDeque<Sent>>,
    /// The process that waits for a message of a channel.
    waiting: HashMap<Channel, usize>,
    collectives: OpenCollectives,
    queue: BinaryHeap<Reverse<QueueEntry>>,
    /// Traffic between hosts.
    crossings: Crossings,
    /// Whether waiting is known: all have one clock, or their clocks are related.
    one_clock: bool,
    messages: u64,
    /// Number of messages that were received in a later superstep, and of those two supersteps or more later; the first
    /// call that received one of the latter.
    late: (u64, Option<CallSite>),
    farm: (u64, Option<CallSite>),
    /// Parts that have begun.
    parts: u64,
    /// Communication between some processes that are not a part.
    separate: SeparateParts,
    sites: &'p mut CallSites<'p>,
    log: LogWriter<'p>,
}

impl<'s, 'p> Engine<'s, 'p> {
    /// The engine of these processes, in the order of their ranks, each with the number of its log.
    pub(super) fn new<'l: 's>(
        ranks: &[(usize, &'s Overview)],
        open: &mut Opener<'l>,
        sites: &'p mut CallSites<'p>,
        out: &'p mut dyn Write,
    ) -> Result<Self, Refused> {
        let log = LogWriter::new(ranks, sites, out)?;
        let mut processes = Vec::new();
        let root = MachineObject::root(ranks.len() as u32);
        for (rank, &(index, overview)) in (0u32..).zip(ranks) {
            let source = CallSource::new(Calls::new(open(index)?, overview));
            processes.push(ProcessCalls::new(rank, overview, source, &root));
        }
        let hosts =
            Crossings::new(ranks.iter().map(|(_, overview)| overview.process.host.as_str()));
        let unrelated = ranks.iter().filter(|(_, overview)| overview.correction.is_none());
        let mut unrelated = unrelated.map(|(_, overview)| &overview.process.host);
        let first = unrelated.next();
        let one_clock = unrelated.all(|host| Some(host) == first);
        Ok(Engine {
            processes,
            channels: HashMap::default(),
            waiting: HashMap::default(),
            collectives: OpenCollectives::default(),
            queue: BinaryHeap::new(),
            crossings: hosts,
            one_clock,
            messages: 0,
            late: (0, None),
            farm: (0, None),
            parts: 0,
            separate: SeparateParts::default(),
            sites,
            log,
        })
    }

    /// Reads to the end of all logs, to find the messages between their hosts.
    pub(super) fn crossings(mut self) -> Result<Crossings, Refused> {
        self.go_through()?;
        Ok(self.crossings)
    }

    /// Reads to the end of all logs, and writes the supersteps. Returns what users should know about them.
    pub(super) fn run(mut self) -> Result<Vec<Note>, Refused> {
        self.go_through()?;
        self.conclude()
    }

    fn go_through(&mut self) -> Result<(), Refused> {
        for process in 0..self.processes.len() {
            self.fetch(process)?;
        }
        loop {
            while let Some(Reverse(QueueEntry(_, process))) = self.queue.pop() {
                self.advance(process)?;
            }
            if !self.end_parts()? {
                return Ok(());
            }
        }
    }

    /// Takes the next call of a process. The process will be continued in the order of the beginning of that call.
    fn fetch(&mut self, index: usize) -> Result<(), Refused> {
        let process = &mut self.processes[index];
        loop {
            let Some(call) = process.source.next()? else {
                process.ended = true;
                return Ok(());
            };
            if call.op.begins_mpi() {
                process.processor.begin(call.end.unwrap_or(call.start).get());
                continue;
            }
            process.events = match process.events(&call) {
                Ok(events) => events,
                Err(unfit) => {
                    let call = place(process, &call, self.sites);
                    return Err(match unfit {
                        Unfit::Partial => Refused::Partial { call },
                        Unfit::Outside => Refused::Outside { call },
                    });
                }
            };
            (process.counts, process.closing) = (!process.events.is_empty(), None);
            (process.until_s, process.probing_s) = (None, 0.0);
            self.queue.push(Reverse(QueueEntry(call.start.get(), index)));
            process.call = Some(call);
            return Ok(());
        }
    }

    /// Continues with the call of a process, until it has to wait for another process or the call is done.
    fn advance(&mut self, index: usize) -> Result<(), Refused> {
        while let Some(&event) = self.processes[index].events.front() {
            if !self.happens(index, event)? {
                return Ok(());
            }
            self.processes[index].events.pop_front();
        }
        let process = &mut self.processes[index];
        let Some(call) = process.call.take() else { return Ok(()) };
        if call.op == Op::Finalize {
            process.processor.finalized = Some((call.start.get(), call.point));
            process.ended = true;
            return Ok(());
        }
        for done in &call.done {
            process.processor.has_completed(done.request);
        }
        if call.end.is_none() {
            // The log ends in it.
            process.call = Some(call);
            process.ended = true;
            return Ok(());
        }
        let waited_s = process.waited_s(&call);
        process.processor.returned(&call, waited_s, process.counts);
        if let Some(flags) = process.closing {
            process.processor.top().close(flags, &mut self.log)?;
        }
        self.fetch(index)
    }

    /// A process leaves a collective of a superstep. If it has waited in it, and the collective is one of the whole
    /// machine, this ends the superstep.
    fn meets(
        &mut self,
        index: usize,
        taken: &Taken,
        superstep: u64,
        at_once: bool,
    ) -> Result<(), Refused> {
        let process = &mut self.processes[index];
        let ends = at_once && taken.size == process.processor.part().range.len();
        let point = process.call.as_ref().and_then(|call| call.point);
        for &(rank, at_s) in &taken.needed {
            if let Some(end) = process.call.as_ref().and_then(|call| call.end) {
                self.crossings.add((rank as usize, Seconds(at_s)), (index, end));
            }
            process.waits_until(at_s, self.one_clock);
        }
        let on_time = process.processor.receives(superstep, point, &mut self.log)? == 0;
        // If all wait for all, partners do not matter.
        let sync = ends && matches!(taken.kind, CollectiveKind::All | CollectiveKind::Exchange);
        for &(rank, requests, bytes) in &taken.gives {
            if bytes > 0 || !sync {
                process.processor.top().asks(rank, requests, bytes, 0);
            }
        }
        if ends && on_time {
            process.closing = Some(if sync { 0 } else { SUPERSTEP_OBLIVIOUS });
        }
        Ok(())
    }

    fn is_late(&mut self, index: usize, late: u64) {
        self.messages += 1;
        for (least, reported) in [(1, &mut self.late), (2, &mut self.farm)] {
            if late < least {
                continue;
            }
            reported.0 += 1;
            let process = &self.processes[index];
            if let (None, Some(call)) = (&reported.1, &process.call) {
                reported.1 = Some(place(process, call, self.sites));
            }
        }
    }

    fn conclude(mut self) -> Result<Vec<Note>, Refused> {
        let mut notes = Vec::new();
        let is_damaged = |process: &ProcessCalls<'_>| {
            process.processor.finalized.is_none() && process.ended
                || !process.overview.damage.is_empty()
        };
        if !self.processes.iter().any(is_damaged)
            && let Some(process) = self.processes.iter().find(|process| !process.ended)
            && let Some(call) = &process.call
        {
            let event = process.events.front().copied();
            let call = place(process, call, self.sites);
            return Err(match event {
                Some(Event::Receive { channel }) => Refused::Unsent { call, from: channel.1 },
                _ => Refused::Lonely { call },
            });
        }
        if let (late, Some(call)) = self.farm
            && 3 * late > self.messages
        {
            return Err(Refused::Farm { late, messages: self.messages, call });
        }
        if let (late, Some(call)) = self.late {
            notes.push(Note::Late { late, messages: self.messages, call });
        }
        notes.extend(self.separate.notes());
        let mut cut = Vec::new();
        for process in self.processes.iter().filter(|process| process.processor.finalized.is_none())
        {
            let call = process.call.as_ref().map(|call| place(process, call, self.sites));
            cut.push((process.processor.rank, call));
        }
        if !cut.is_empty() {
            notes.push(Note::Cut { ranks: cut });
        }
        let last = self.processes.iter().map(|process| process.processor.last()).max().unwrap_or(0);
        for process in &mut self.processes {
            process.processor.end(last, &mut self.log)?;
        }
        self.log.finish()?;
        Ok(notes)
    }
}

/// A call, for messages.
pub(super) fn place(
    process: &ProcessCalls<'_>,
    call: &Call,
    sites: &mut CallSites<'_>,
) -> CallSite {
    let reported = process.overview.place(call.lane, call.point);
    let place = reported.map_or(String::new(), |(point, modules)| {
        let (file, line) = sites(process.overview, call.lane, point);
        if !file.is_empty() {
            return format!("{file}:{line}");
        }
        let innermost = point.path.first();
        innermost.map_or(String::new(), |&(module, offset)| {
            let module = modules.iter().find(|known| known.id == module);
            let path = module.map_or("", |module| module.path.rsplit('/').next().unwrap_or(""));
            format!("{path}+{offset:#x}")
        })
    });
    CallSite { call: call.op.name(), rank: process.processor.rank, place }
}
