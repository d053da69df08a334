//! Channels over MPI. A record is one message with header and payload.

use std::collections::{HashMap, VecDeque};
use std::fmt::Display;
use std::time::{Duration, Instant};

use super::requests::Endpoint;
use super::termination::Termination;
use super::transport::{IoVector, Set, Tag};
use crate::Misuse;
use crate::channel::{Channels, Halt, Header, Record, RecordGuard};
use crate::engine::stop::StopReason;
use crate::engine::stop::Stopped;
use crate::place::Place;

/// Words of 16 bytes before a payload: machine and superstep, kind and size.
const HEAD: usize = 2;
/// The largest message of MPI, in bytes.
const MAX_MESSAGE_BYTES: usize = 1 << 30;
/// Unsuccessful polls before a waiting processor yields its core, and yields before it sleeps between polls. Between
/// hosts the system moves the data: while processors only polled an empty superstep took 2 ms there, now 40 µs.
const POLLS: u32 = 50;
const POLLS_CROWDED: u32 = 4;
const YIELDS: u32 = 2000;
const SHORTEST_NAP: Duration = Duration::from_micros(50);
const LONGEST_NAP: Duration = Duration::from_millis(1);
/// After this time a waiting processor takes part in the detection of deadlocks.
const LONG_WAIT: Duration = Duration::from_millis(100);

type Buffer = Box<[u128]>;

/// A record in transit, to or from here.
struct InTransit {
    /// The other processor.
    other: usize,
    request: Option<u32>,
    buffer: Buffer,
}

/// The channels of one processor.
pub(crate) struct MpiChannels {
    endpoint: Endpoint,
    polls: u32,
    /// Sent, but perhaps not complete.
    sends: VecDeque<InTransit>,
    /// Being received, in the order in which they were found.
    receives: VecDeque<InTransit>,
    /// Returned by `receive`, and not yet released.
    held: HashMap<u64, Buffer>,
    next_hold: u64,
    /// Released buffers, for small records.
    spare: Vec<Buffer>,
    termination: Termination,
    place: Place,
}

/// Size of a small record's buffer, in words of 16 bytes.
const SMALL: usize = 16;

impl MpiChannels {
    pub fn new(endpoint: Endpoint) -> MpiChannels {
        let polls = if endpoint.is_crowded() { POLLS_CROWDED } else { POLLS };
        endpoint.begin(endpoint.ranks);
        MpiChannels {
            polls,
            sends: VecDeque::new(),
            receives: VecDeque::new(),
            held: HashMap::new(),
            next_hold: 0,
            spare: Vec::new(),
            termination: Termination::new(endpoint.rank, endpoint.ranks),
            place: Place::NOWHERE,
            endpoint,
        }
    }

    fn buffer(&mut self, bytes: usize) -> Buffer {
        let words = HEAD + bytes.div_ceil(16);
        if words <= SMALL {
            self.spare.pop().unwrap_or_else(|| vec![0; SMALL].into())
        } else {
            vec![0; words].into()
        }
    }

    fn give_back(&mut self, buffer: Buffer) {
        if buffer.len() == SMALL {
            self.spare.push(buffer);
        }
    }

    /// Lets MPI progress: forgets sends that are complete, receives what has arrived. Returns whether anything
    /// has arrived.
    fn progress(&mut self) -> Result<bool, Stopped> {
        while let Some(first) = self.sends.front() {
            if first.request.is_some_and(|request| !self.endpoint.is_request_done(request)) {
                break;
            }
            if let Some(gone) = self.sends.pop_front() {
                self.give_back(gone.buffer);
            }
        }
        let mut came = false;
        while let Some(message) = self.endpoint.find(Tag::Record)? {
            let mut buffer = self.buffer(message.size.saturating_sub(16 * HEAD));
            // SAFETY: the buffer has room, and stays until the record has come.
            let request =
                unsafe { self.endpoint.receive_found(&message, buffer.as_mut_ptr().cast())? };
            let other = message.from as usize;
            self.receives.push_back(InTransit { other, request: Some(request), buffer });
            came = true;
        }
        Ok(came)
    }

    /// The first record that is complete and has no incomplete record of the same sender before it.
    fn first(&mut self) -> Option<InTransit> {
        let mut late: Vec<usize> = Vec::new();
        for index in 0..self.receives.len() {
            let transit = &mut self.receives[index];
            if late.contains(&transit.other) {
                continue;
            }
            match transit.request {
                Some(request) if !self.endpoint.is_request_done(request) => {
                    late.push(transit.other)
                }
                _ => {
                    transit.request = None;
                    return self.receives.remove(index);
                }
            }
        }
        None
    }

    fn has_first(&mut self) -> bool {
        match self.first() {
            Some(transit) => {
                self.receives.push_front(transit);
                true
            }
            None => false,
        }
    }

    /// Answers other processors that wait, and checks for a deadlock.
    fn check_waiters(&mut self, wait_site: &dyn Display, waits: Duration) -> Result<(), Halt> {
        if self.endpoint.node.is_stopped() {
            return Err(Halt::Stopped);
        }
        if waits >= LONG_WAIT
            && let Some(lines) = self.termination.check(&self.endpoint, wait_site, waits)?
        {
            return Err(Halt::Deadlock(lines));
        }
        Ok(())
    }
}

impl From<Stopped> for Halt {
    fn from(_: Stopped) -> Halt {
        Halt::Stopped
    }
}

impl Channels for MpiChannels {
    fn pid(&self) -> usize {
        self.endpoint.rank
    }

    fn nprocs(&self) -> usize {
        self.endpoint.ranks
    }

    fn keeps_order_between_pairs(&self) -> bool {
        false
    }

    fn is_crowded(&self) -> bool {
        self.endpoint.is_crowded()
    }

    unsafe fn send(&mut self, to: usize, header: Header, payload: *const u8) -> Result<(), Misuse> {
        let Header { machine, superstep, kind, size } = header;
        if size > MAX_MESSAGE_BYTES - 16 * HEAD {
            let most = "but MPI sends at most 1 GiB in one message";
            return Err(Misuse::NoMemory(format!("a message of {size} bytes, {most}")));
        }
        let mut buffer = self.buffer(size);
        buffer[0] = u128::from(machine) | u128::from(superstep) << 64;
        buffer[1] = u128::from(kind) | (size as u128) << 64;
        if size > 0 {
            // SAFETY: by the caller; the buffer has room.
            unsafe {
                let into = buffer.as_mut_ptr().add(HEAD).cast();
                std::ptr::copy_nonoverlapping(payload, into, size);
            }
        }
        self.termination.sent();
        if to == self.endpoint.rank {
            self.receives.push_back(InTransit { other: to, request: None, buffer });
            return Ok(());
        }
        let begin = buffer.as_ptr().cast();
        // SAFETY: it is kept until it has gone.
        let sent = unsafe { self.endpoint.send_alone(to, Tag::Record, begin, 16 * HEAD + size) };
        let request = Some(sent.map_err(|_| Misuse::Stopped)?);
        self.sends.push_back(InTransit { other: to, request, buffer });
        Ok(())
    }

    fn copies_always(&self) -> bool {
        true
    }

    unsafe fn send_in_place(
        &mut self,
        to: usize,
        header: Header,
        payload: *const u8,
    ) -> Result<(), Misuse> {
        // SAFETY: by the caller.
        unsafe { self.send(to, header, payload) }
    }

    fn settle(&mut self, _: &dyn Display) -> Result<(), Halt> {
        Ok(())
    }

    fn receive(&mut self) -> Option<Record> {
        // An error here occurs again in `wait`, and is reported there.
        let _ = self.progress();
        let InTransit { other, mut buffer, .. } = self.first()?;
        let (first, second) = (buffer[0], buffer[1]);
        let header = Header {
            machine: first as u64,
            superstep: (first >> 64) as u64,
            kind: second as u16,
            size: (second >> 64) as usize,
        };
        // SAFETY: the payload begins there; it may be empty.
        let payload = unsafe { buffer.as_mut_ptr().add(HEAD) }.cast();
        self.next_hold += 1;
        self.held.insert(self.next_hold, buffer);
        self.termination.received();
        Some(Record { from: other, header, payload, hold: RecordGuard(self.next_hold) })
    }

    fn wait(&mut self, wait_site: &dyn Display) -> Result<(), Halt> {
        for _ in 0..self.polls {
            if self.progress()? || self.has_first() {
                return Ok(());
            }
        }
        let begin = Instant::now();
        let (mut yields, mut nap) = (0, SHORTEST_NAP);
        loop {
            if self.progress()? || self.has_first() {
                return Ok(());
            }
            self.check_waiters(wait_site, begin.elapsed())?;
            if yields < YIELDS {
                yields += 1;
                std::thread::yield_now();
            } else {
                std::thread::sleep(nap);
                nap = (2 * nap).min(LONGEST_NAP);
            }
        }
    }

    fn release(&mut self, record: &Record) {
        if let Some(buffer) = self.held.remove(&record.hold.0) {
            self.give_back(buffer);
        }
    }

    fn set_deadlock_limit(&mut self, limit: Option<Duration>) {
        self.termination.set_limit(limit);
    }

    fn set_place(&mut self, place: Place) {
        let rank_state = self.endpoint.node.rank_state();
        if !place.is_in_the_file_of(&self.place)
            && let Some(file) = place.file()
        {
            rank_state.set_file(&file);
        }
        rank_state.set_line(place.line());
        self.place = place;
    }

    fn stop(&self) -> bool {
        self.endpoint.node.stop()
    }

    fn set_stop_reason(&self, text: &str) {
        let (rank, ranks) = (self.endpoint.rank, self.endpoint.ranks);
        crate::say::say(&format!("processor {rank} of {ranks}: {text}"));
    }

    fn before_exit(&self, first: bool) {
        self.endpoint.before_exit(first);
    }

    fn end_after_stop(&mut self) -> Option<StopReason> {
        None
    }

    fn end(&mut self) -> Result<(), Halt> {
        // Nobody needs what is still in transit, but MPI must end without it: a last message from each
        // processor says that nothing follows.
        static LAST: [u8; 1] = [0];
        let mut last = vec![0u8; self.endpoint.ranks];
        let others = (0..self.endpoint.ranks).filter(|&rank| rank != self.endpoint.rank);
        for (other, byte) in others.clone().zip(&mut last) {
            // SAFETY: a byte for each, valid until all have arrived.
            unsafe { self.endpoint.receive(Set::Streams, other, Tag::End, byte, 1)? };
        }
        for other in others {
            // SAFETY: it is static.
            unsafe {
                self.endpoint.send(
                    Set::Sent,
                    other,
                    Tag::End,
                    &[IoVector::new(LAST.as_ptr(), 1)],
                )?
            };
        }
        loop {
            while self.receive().is_some() {}
            let is_over =
                self.endpoint.is_done(Set::Streams)? && self.endpoint.is_done(Set::Sent)?;
            if is_over && self.sends.is_empty() && self.receives.is_empty() {
                break;
            }
            if self.endpoint.node.is_stopped() {
                return Err(Halt::Stopped);
            }
            std::thread::yield_now();
        }
        self.endpoint.end(self.endpoint.ranks)?;
        Ok(())
    }
}
