//! Reports each superstep to a log.
//!
//! A processor reports what it did itself: how long it computed, communicated and waited, and its requests by
//! partner. What others sent to it or got from it is reported by them; the logs of all processors have both
//! directions.

mod ending;

pub use ending::Ending;

use crate::Place;
use crate::virtuals::{Combine, Totals, VirtualClock};

/// A machine object whose supersteps are logged, as one of its processors sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object {
    /// The identification of the object in the program; the same on all its processors.
    pub id: u64,
    /// The machine that was partitioned; its own id if there is none.
    pub parent: u64,
    /// The superstep of the parent, from 1, in which it existed.
    pub within: u64,
    /// The number of its processor 0 in the machine of all processors.
    pub first: u32,
    /// Number of its processors.
    pub nprocs: u32,
    /// This processor's number in it.
    pub pid: u32,
}

impl Object {
    /// The machine of all processors.
    pub fn root(pid: usize, nprocs: usize) -> Object {
        let (pid, nprocs) = (pid as u32, nprocs as u32);
        Object { id: 0, parent: 0, within: 0, first: 0, nprocs, pid }
    }
}

/// The traffic that one processor has requested with another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Traffic {
    /// The other processor's number in the machine.
    pub partner: u32,
    /// Number of puts, gets and messages.
    pub requests: u32,
    /// Bytes put and sent to it, tags included.
    pub sent: u64,
    /// Bytes got from it.
    pub got: u64,
}

/// A superstep of a machine on one processor. Times are ticks of [`Log::clock`]. For virtual processors they
/// are virtual times, in nanoseconds of the system's clock.
#[derive(Clone, Copy, Debug)]
pub struct Superstep<'a> {
    /// The machine.
    pub machine: Object,
    /// From 1; the same superstep has the same number on all processors of the machine.
    pub number: u64,
    /// The call that ended it.
    pub place: Place,
    /// How it ended.
    pub ending: Ending,
    /// When its computation began.
    pub start: u64,
    /// When its computation ended: when the call that ended it began, less what was waited at barriers that end no
    /// superstep.
    pub entered: u64,
    /// When that call returned.
    pub end: u64,
    /// The part of the time from then to the end that was spent waiting for others; the rest is communication.
    pub waiting: u64,
    /// The requests of the superstep, in ascending order of partners.
    pub traffic: &'a [Traffic],
}

/// Writes a log; each processor has its own. The time it takes to write counts for no superstep.
pub trait Log: Send {
    /// The clock.
    fn clock(&self) -> fn() -> u64;
    /// A superstep has ended.
    fn superstep(&mut self, superstep: &Superstep<'_>);
    /// The part of a virtual processor has ended.
    fn end_virtual(&mut self, _totals: &Totals) {}
}

/// Collects what a log records about the supersteps of a processor.
pub(crate) struct SuperstepRecorder {
    log: Option<Box<dyn Log>>,
    clock: fn() -> u64,
    /// The clock of a virtual processor.
    virtual_clock: Option<Box<VirtualClock>>,
    /// The machines that it is in, each a part of the one before.
    accounts: Vec<Account>,
    /// Closed ones, to be used again.
    spare: Vec<Account>,
}

/// A barrier that ends no superstep, at its begin.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Held {
    /// The time.
    pub begun: u64,
    /// The time that the processor had waited in the superstep before.
    waiting: u64,
}

/// The current superstep of a machine.
struct Account {
    machine: Object,
    number: u64,
    start: u64,
    entered: u64,
    waiting: u64,
    /// Waited at barriers that end no superstep.
    held: u64,
    traffic: Vec<Traffic>,
    /// Index in `traffic` for each partner; [`NONE`]: no traffic.
    places: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl SuperstepRecorder {
    /// Begins with the first superstep of the machine of all processors.
    pub fn new(log: Box<dyn Log>, machine: Object) -> SuperstepRecorder {
        SuperstepRecorder::begin(Some(log), None, machine)
    }

    /// The same for a virtual processor, with or without a log.
    pub fn of_virtual(
        virtual_clock: VirtualClock,
        log: Option<Box<dyn Log>>,
        machine: Object,
    ) -> SuperstepRecorder {
        let mut recorder = SuperstepRecorder::begin(log, Some(Box::new(virtual_clock)), machine);
        recorder.resume();
        recorder
    }

    fn begin(
        log: Option<Box<dyn Log>>,
        virtual_clock: Option<Box<VirtualClock>>,
        machine: Object,
    ) -> SuperstepRecorder {
        let clock = log.as_ref().map_or(no_clock as fn() -> u64, |log| log.clock());
        let mut recorder = SuperstepRecorder {
            log,
            clock,
            virtual_clock,
            accounts: Vec::new(),
            spare: Vec::new(),
        };
        recorder.open(machine);
        recorder
    }

    /// Begins the first superstep of a machine, within a superstep of the innermost machine so far.
    pub fn open(&mut self, machine: Object) {
        let start = self.now();
        let mut account = self.spare.pop().unwrap_or_else(|| Account {
            machine,
            number: 1,
            start,
            entered: start,
            waiting: 0,
            held: 0,
            traffic: Vec::new(),
            places: Vec::new(),
        });
        (account.machine, account.number, account.start) = (machine, 1, start);
        account.places.resize((machine.nprocs as usize).max(account.places.len()), NONE);
        self.accounts.push(account);
    }

    /// Leaves the innermost machine.
    pub fn close(&mut self) {
        self.spare.extend(self.accounts.pop());
    }

    pub fn now(&self) -> u64 {
        match &self.virtual_clock {
            Some(virtual_clock) => virtual_clock.origin() + virtual_clock.now(),
            None => (self.clock)(),
        }
    }

    /// The clock that [`SuperstepRecorder::now`] reads, if the processor is not virtual.
    pub fn clock(&self) -> fn() -> u64 {
        self.clock
    }

    /// The clock of a virtual processor.
    pub fn virtual_clock(&mut self) -> Option<&mut VirtualClock> {
        self.virtual_clock.as_deref_mut()
    }

    /// For a virtual processor: its time in seconds, for the program.
    pub fn virtual_time(&self) -> Option<f64> {
        self.virtual_clock.as_ref().map(|virtual_clock| virtual_clock.ask() as f64 * 1e-9)
    }

    /// For a virtual processor: how bytes in and out give its h.
    pub fn combine(&self) -> Option<Combine> {
        self.virtual_clock.as_ref().map(|virtual_clock| virtual_clock.combine())
    }

    /// The requests in the innermost machine's superstep.
    pub fn traffic(&self) -> &[Traffic] {
        self.accounts.last().map_or(&[], |account| &account.traffic)
    }

    /// For a virtual processor, when the call that ends the innermost machine's superstep has begun: the last
    /// of the processors that this one depends on arrived at `latest`; `h` is the largest of theirs.
    pub fn synchronise(&mut self, latest: u64, h: u64, ending: Ending) {
        if let (Some(virtual_clock), Some(account)) =
            (&mut self.virtual_clock, self.accounts.last_mut())
        {
            account.waiting +=
                virtual_clock.synchronise(latest, h, ending, account.machine.nprocs as usize);
        }
    }

    fn resume(&mut self) {
        if let Some(virtual_clock) = &mut self.virtual_clock {
            virtual_clock.start();
        }
    }

    /// A barrier that ends no superstep begins: computation stops.
    pub fn hold(&mut self) -> Held {
        if let Some(virtual_clock) = &mut self.virtual_clock {
            virtual_clock.stop();
        }
        Held { begun: self.now(), waiting: self.innermost().map_or(0, |account| account.waiting) }
    }

    /// That barrier has ended; on a virtual processor not before `latest`. All of its time is waiting.
    pub fn release(&mut self, held: &Held, latest: u64) {
        if let Some(virtual_clock) = &mut self.virtual_clock {
            let origin = virtual_clock.origin();
            virtual_clock.wait_until(latest.saturating_sub(origin));
        }
        let passed = self.now().wrapping_sub(held.begun);
        if let Some(account) = self.innermost() {
            account.held += passed;
            // What engines say of their waiting is part of it.
            account.waiting = held.waiting;
        }
        self.resume();
    }

    fn innermost(&mut self) -> Option<&mut Account> {
        self.accounts.last_mut()
    }

    /// The call that ends the innermost machine's superstep has begun.
    pub fn enter(&mut self) {
        if let Some(virtual_clock) = &mut self.virtual_clock {
            virtual_clock.stop();
        }
        let now = self.now();
        if let Some(account) = self.innermost() {
            account.entered = now;
        }
    }

    /// Adds the time from `since` until now to the waiting time.
    pub fn waited_since(&mut self, since: u64) {
        self.waited(self.now().wrapping_sub(since));
    }

    /// Adds to the waiting time.
    pub fn waited(&mut self, waited: u64) {
        if let Some(account) = self.innermost() {
            account.waiting += waited;
        }
    }

    /// Records a request to a processor.
    pub fn note(&mut self, partner: usize, requests: u64, sent: u64, got: u64) {
        if let Some(account) = self.innermost() {
            account.note(partner, requests, sent, got);
        }
    }

    /// Ends the innermost machine's superstep and begins its next one.
    pub fn end(&mut self, place: Place, ending: Ending) {
        let end = self.now();
        let is_whole = self.accounts.len() == 1;
        let Some(account) = self.accounts.last_mut() else { return };
        account.report(&mut self.log, place, ending, end);
        if let (Some(virtual_clock), Some(log)) = (&self.virtual_clock, &mut self.log)
            && ending == Ending::End
            && is_whole
        {
            log.end_virtual(&virtual_clock.totals());
        }
        let start = self.now();
        if let Some(account) = self.accounts.last_mut() {
            account.start = start;
        }
        self.resume();
    }
}

fn no_clock() -> u64 {
    0
}

impl Account {
    fn note(&mut self, partner: usize, requests: u64, sent: u64, got: u64) {
        let place = &mut self.places[partner];
        if *place == NONE {
            *place = self.traffic.len() as u32;
            self.traffic.push(Traffic { partner: partner as u32, ..Traffic::default() });
        }
        let traffic = &mut self.traffic[*place as usize];
        traffic.requests = traffic.requests.saturating_add(requests.min(NONE.into()) as u32);
        traffic.sent += sent;
        traffic.got += got;
    }

    fn report(&mut self, log: &mut Option<Box<dyn Log>>, place: Place, ending: Ending, end: u64) {
        for traffic in &self.traffic {
            self.places[traffic.partner as usize] = NONE;
        }
        if !self.traffic.is_sorted_by_key(|traffic| traffic.partner) {
            self.traffic.sort_unstable_by_key(|traffic| traffic.partner);
        }
        let Account { machine, number, start, held, .. } = *self;
        let (entered, waiting) = (self.entered - held, self.waiting + held);
        let traffic = &self.traffic;
        let superstep =
            Superstep { machine, number, place, ending, start, entered, end, waiting, traffic };
        if let Some(log) = log {
            log.superstep(&superstep);
        }
        self.traffic.clear();
        (self.waiting, self.held) = (0, 0);
        self.number += 1;
    }
}
