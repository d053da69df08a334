//! Goes through the calls of all processes, each as far as what it has received is known to have been sent.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::io::{Read, Seek, Write};

use crate::collective::Kind;
use crate::{Call, Calls, Survey};
use cll_trace::TraceError;
use cll_trace::layout::SUPERSTEP_OBLIVIOUS;

use super::Places;
use super::clocks::Crossings;
use super::meeting::{Meetings, Taken};
use super::part::{Part, Position};
use super::parting::Apart;
use super::refused::{Note, Refused, Unfit, Where};
use super::seat::{Channel, Event, Seat};
use super::sources::Source;
use super::write::LogWriter;

/// A message that was sent.
struct Sent {
    position: Position,
    at_s: f64,
}

/// Which process is next: the one whose call began first.
#[derive(PartialEq)]
pub(super) struct Turn(pub(super) f64, pub(super) usize);

impl Eq for Turn {}

impl PartialOrd for Turn {
    fn partial_cmp(&self, other: &Turn) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Turn {
    fn cmp(&self, other: &Turn) -> Ordering {
        self.0.total_cmp(&other.0).then(self.1.cmp(&other.1))
    }
}

/// All processes, and what is under way between them.
pub(super) struct Engine<'s, 'p, R> {
    pub(super) seats: Vec<Seat<'s, R>>,
    channels: HashMap<Channel, VecDeque<Sent>>,
    /// Who waits for a message of a channel.
    waiting: HashMap<Channel, usize>,
    pub(super) meetings: Meetings,
    pub(super) turns: BinaryHeap<Reverse<Turn>>,
    /// What went between hosts.
    crossings: Crossings,
    /// Whether it is known who waited for whom: all have one clock, or their clocks are related.
    one_clock: bool,
    messages: u64,
    /// Messages that were received late, and by two supersteps or more; the first call that received such a one.
    late: (u64, Option<Where>),
    farm: (u64, Option<Where>),
    /// Parts that have begun.
    pub(super) parts: u64,
    /// What went on between some processes that are no part.
    pub(super) apart: Apart,
    pub(super) places: &'p mut Places<'p>,
    pub(super) log: LogWriter<'p>,
}

impl<'s, 'p, R: Read + Seek> Engine<'s, 'p, R> {
    /// Of these processes, in the order of their ranks, each with the number of its log.
    pub(super) fn new(
        ranks: &[(usize, &'s Survey)],
        mut open: impl FnMut(usize) -> Result<R, TraceError>,
        places: &'p mut Places<'p>,
        out: &'p mut dyn Write,
    ) -> Result<Self, Refused> {
        let log = LogWriter::new(ranks, places, out)?;
        let mut seats = Vec::new();
        let whole = Part::whole(ranks.len() as u32);
        for (rank, &(index, survey)) in (0u32..).zip(ranks) {
            let source = Source::new(Calls::new(open(index)?, survey));
            seats.push(Seat::new(rank, survey, source, &whole));
        }
        let hosts = Crossings::of(ranks.iter().map(|(_, survey)| survey.process.host.as_str()));
        let unrelated = ranks.iter().filter(|(_, survey)| survey.correction.is_none());
        let mut unrelated = unrelated.map(|(_, survey)| &survey.process.host);
        let first = unrelated.next();
        let one_clock = unrelated.all(|host| Some(host) == first);
        Ok(Engine {
            seats,
            channels: HashMap::new(),
            waiting: HashMap::new(),
            meetings: Meetings::default(),
            turns: BinaryHeap::new(),
            crossings: hosts,
            one_clock,
            messages: 0,
            late: (0, None),
            farm: (0, None),
            parts: 0,
            apart: Apart::default(),
            places,
            log,
        })
    }

    /// To the end of all logs, for what went between their hosts.
    pub(super) fn crossings(mut self) -> Result<Crossings, Refused> {
        self.go_through()?;
        Ok(self.crossings)
    }

    /// To the end of all logs; what is to be known of the supersteps that were written.
    pub(super) fn run(mut self) -> Result<Vec<Note>, Refused> {
        self.go_through()?;
        self.conclude()
    }

    fn go_through(&mut self) -> Result<(), Refused> {
        for seat in 0..self.seats.len() {
            self.fetch(seat)?;
        }
        loop {
            while let Some(Reverse(Turn(_, seat))) = self.turns.pop() {
                self.advance(seat)?;
            }
            if !self.end_parts()? {
                return Ok(());
            }
        }
    }

    /// Takes the next call of a process; it is its turn when that began.
    fn fetch(&mut self, at: usize) -> Result<(), Refused> {
        let seat = &mut self.seats[at];
        loop {
            let Some(call) = seat.source.next()? else {
                seat.ended = true;
                return Ok(());
            };
            match call.op.name() {
                "Init" | "Init_thread" => {
                    seat.processor.begin(call.end_s.unwrap_or(call.start_s));
                    continue;
                }
                _ => {}
            }
            seat.events = match seat.events(&call) {
                Ok(events) => events,
                Err(unfit) => {
                    let call = place(seat, &call, self.places);
                    return Err(match unfit {
                        Unfit::Partial => Refused::Partial { call },
                        Unfit::Outside => Refused::Outside { call },
                    });
                }
            };
            (seat.counts, seat.closing) = (!seat.events.is_empty(), None);
            (seat.until_s, seat.probing_s) = (None, 0.0);
            self.turns.push(Reverse(Turn(call.start_s, at)));
            seat.call = Some(call);
            return Ok(());
        }
    }

    /// Goes on with the call of a process, until it has to wait for another one or the call is done.
    fn advance(&mut self, at: usize) -> Result<(), Refused> {
        while let Some(&event) = self.seats[at].events.front() {
            if !self.happens(at, event)? {
                return Ok(());
            }
            self.seats[at].events.pop_front();
        }
        let seat = &mut self.seats[at];
        let Some(call) = seat.call.take() else { return Ok(()) };
        if call.op.name() == "Finalize" {
            seat.processor.finalized = Some((call.start_s, call.point));
            seat.ended = true;
            return Ok(());
        }
        for done in &call.done {
            seat.processor.has_completed(done.request);
        }
        if call.end_s.is_none() {
            // The log ends in it.
            seat.call = Some(call);
            seat.ended = true;
            return Ok(());
        }
        let waited_s = seat.waited_s(&call);
        seat.processor.returned(&call, waited_s, seat.counts);
        if let Some(flags) = seat.closing {
            seat.processor.top().close(flags, &mut self.log)?;
        }
        self.fetch(at)
    }

    /// Whether it could happen.
    fn happens(&mut self, at: usize, event: Event) -> Result<bool, Refused> {
        let seat = &mut self.seats[at];
        let Some(call) = &seat.call else { return Ok(true) };
        let (start_s, point) = (call.start_s, call.point);
        match event {
            Event::Send { channel, among, bytes, request } => {
                if !self.leaves_to(at, self.seats[at].processor.depth_with(among))? {
                    return Ok(false);
                }
                self.is_apart(at, among, channel.0);
                let seat = &mut self.seats[at];
                seat.processor.top().turn(&mut self.log)?;
                let run = (channel.2, channel.0, channel.3, point);
                if seat.processor.top().has_sent(&run) && !seat.receives_next()? {
                    seat.processor.top().close(SUPERSTEP_OBLIVIOUS, &mut self.log)?;
                }
                seat.processor.sends(run, request, bytes);
                let sent = Sent { position: seat.processor.position(), at_s: start_s };
                self.channels.entry(channel).or_default().push_back(sent);
                if let Some(waiting) = self.waiting.remove(&channel) {
                    self.turns.push(Reverse(Turn(start_s, waiting)));
                }
            }
            Event::Receive { channel } => {
                let sent = self.channels.get(&channel).and_then(VecDeque::front);
                let Some(Sent { position, at_s }) = sent else {
                    self.waiting.insert(channel, at);
                    return Ok(false);
                };
                let (at_s, (depth, position)) = (*at_s, seat.processor.still_in(position));
                // What is late needs no superstep of its own.
                let is_late = seat.processor.superstep_at(depth) > position.superstep;
                if !is_late && !self.leaves_to(at, depth)? {
                    return Ok(false);
                }
                self.take(channel);
                let seat = &mut self.seats[at];
                if let Some(end_s) = seat.call.as_ref().and_then(|call| call.end_s) {
                    self.crossings.add((channel.1 as usize, at_s), (at, end_s));
                }
                seat.receives(channel, at_s, self.one_clock);
                if is_late {
                    let late = seat.processor.superstep_at(depth) - position.superstep;
                    seat.processor.receives_late();
                    self.is_late(at, late);
                } else {
                    seat.processor.receives(position.superstep, point, &mut self.log)?;
                    self.is_late(at, 0);
                }
            }
            Event::Access { with, among, put, got } => {
                if !self.leaves_to(at, self.seats[at].processor.depth_with(among))? {
                    return Ok(false);
                }
                let top = self.seats[at].processor.top();
                top.turn(&mut self.log)?;
                top.asks(with, 1, put, got);
            }
            Event::Come(coming) => {
                if !self.leaves_to(at, self.seats[at].processor.depth_with(coming.among))? {
                    return Ok(false);
                }
                let processor = &mut self.seats[at].processor;
                let mut position = None;
                if !coming.at_once {
                    processor.top().turn(&mut self.log)?;
                    position = Some(processor.position());
                }
                if self.meetings.come(&coming, processor.rank, position, start_s) {
                    let position =
                        if coming.at_once { Some(self.meet(at, &coming)?) } else { None };
                    for waiting in self.meetings.complete(coming.key, position) {
                        self.turns.push(Reverse(Turn(start_s, waiting)));
                    }
                }
            }
            Event::Go { key, at_once } => {
                let Some(position) = self.meetings.position(key, at) else {
                    return Ok(false);
                };
                let (depth, position) = self.seats[at].processor.still_in(&position);
                if !self.leaves_to(at, depth)? {
                    return Ok(false);
                }
                let rank = self.seats[at].processor.rank;
                let Some(taken) = self.meetings.go(key, rank) else { return Ok(true) };
                self.meets(at, &taken, position.superstep, at_once)?;
            }
            Event::Leave => return self.leaves_to(at, 0),
        }
        Ok(true)
    }

    /// A message of a channel.
    fn take(&mut self, channel: Channel) {
        if let Some(queue) = self.channels.get_mut(&channel) {
            queue.pop_front();
            if queue.is_empty() {
                self.channels.remove(&channel);
            }
        }
    }

    /// A process goes from a collective of a superstep; if it has stayed, and it is one of the whole machine, that ends the superstep.
    fn meets(
        &mut self,
        at: usize,
        taken: &Taken,
        superstep: u64,
        at_once: bool,
    ) -> Result<(), Refused> {
        let seat = &mut self.seats[at];
        let ends = at_once && taken.size == seat.processor.part().range.len();
        let point = seat.call.as_ref().and_then(|call| call.point);
        for &(rank, at_s) in &taken.needed {
            if let Some(end_s) = seat.call.as_ref().and_then(|call| call.end_s) {
                self.crossings.add((rank as usize, at_s), (at, end_s));
            }
            seat.waits_until(at_s, self.one_clock);
        }
        let on_time = seat.processor.receives(superstep, point, &mut self.log)? == 0;
        // Where all wait for all, it is no matter of partners.
        let sync = ends && matches!(taken.kind, Kind::All | Kind::Exchange);
        for &(rank, requests, bytes) in &taken.gives {
            if bytes > 0 || !sync {
                seat.processor.top().asks(rank, requests, bytes, 0);
            }
        }
        if ends && on_time {
            seat.closing = Some(if sync { 0 } else { SUPERSTEP_OBLIVIOUS });
        }
        Ok(())
    }

    fn is_late(&mut self, at: usize, late: u64) {
        self.messages += 1;
        for (least, told) in [(1, &mut self.late), (2, &mut self.farm)] {
            if late < least {
                continue;
            }
            told.0 += 1;
            let seat = &self.seats[at];
            if let (None, Some(call)) = (&told.1, &seat.call) {
                told.1 = Some(place(seat, call, self.places));
            }
        }
    }

    fn conclude(mut self) -> Result<Vec<Note>, Refused> {
        let mut notes = Vec::new();
        let is_damaged = |seat: &Seat<'_, R>| {
            seat.processor.finalized.is_none() && seat.ended || !seat.survey.damage.is_empty()
        };
        if !self.seats.iter().any(is_damaged)
            && let Some(seat) = self.seats.iter().find(|seat| !seat.ended)
            && let Some(call) = &seat.call
        {
            let event = seat.events.front().copied();
            let call = place(seat, call, self.places);
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
        notes.extend(self.apart.notes());
        let mut cut = Vec::new();
        for seat in self.seats.iter().filter(|seat| seat.processor.finalized.is_none()) {
            let call = seat.call.as_ref().map(|call| place(seat, call, self.places));
            cut.push((seat.processor.rank, call));
        }
        if !cut.is_empty() {
            notes.push(Note::Cut { ranks: cut });
        }
        let last = self.seats.iter().map(|seat| seat.processor.last()).max().unwrap_or(0);
        for seat in &mut self.seats {
            seat.processor.end(last, &mut self.log)?;
        }
        self.log.finish()?;
        Ok(notes)
    }
}

/// A call, for messages.
pub(super) fn place<R>(seat: &Seat<'_, R>, call: &Call, places: &mut Places<'_>) -> Where {
    let told = seat.survey.place(call.lane, call.point);
    let place = told.map_or(String::new(), |(point, modules)| {
        let (file, line) = places(seat.survey, call.lane, point);
        if !file.is_empty() {
            return format!("{file}:{line}");
        }
        let innermost = point.path.first();
        innermost.map_or(String::new(), |&(module, offset)| {
            let module = modules.iter().find(|one| one.id == module);
            let path = module.map_or("", |one| one.path.rsplit('/').next().unwrap_or(""));
            format!("{path}+{offset:#x}")
        })
    });
    Where { call: call.op.name(), rank: seat.processor.rank, place }
}
