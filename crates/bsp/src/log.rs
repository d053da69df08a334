//! What each superstep was like, told to whoever keeps a log.
//!
//! A processor tells what it did itself: how long it computed, communicated and waited, and what it asked
//! for, by partner. What others sent to it or got from it is told by them; who has the log of all
//! processors has both directions.

mod ending;

pub use ending::Ending;

use crate::Place;
use crate::virtuals::{Combine, Totals, VirtualClock};

/// A machine whose supersteps are told, as one of its processors sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object {
    /// Tells it from all other machines of the program; the same on all its processors.
    pub id: u64,
    /// The machine that was partitioned; its own id if there is none.
    pub parent: u64,
    /// Superstep of the parent, from 1, in which it was.
    pub within: u64,
    /// Number that its processor 0 has in the machine of all processors.
    pub first: u32,
    /// How many processors it has.
    pub nprocs: u32,
    /// This processor's number in it.
    pub pid: u32,
}

impl Object {
    /// The machine of all processors.
    pub fn whole(pid: usize, nprocs: usize) -> Object {
        let (pid, nprocs) = (pid as u32, nprocs as u32);
        Object { id: 0, parent: 0, within: 0, first: 0, nprocs, pid }
    }
}

/// What went from a processor to another one and back, as the one that asked for it tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Traffic {
    /// The other one's number in the machine.
    pub partner: u32,
    /// Puts, gets and messages.
    pub requests: u32,
    /// Bytes put and sent to it, tags included.
    pub sent: u64,
    /// Bytes got from it.
    pub got: u64,
}

/// A superstep of a machine on one processor. Times are ticks of [`Log::clock`]; of virtual processors they
/// are virtual, in nanoseconds of the system's clock.
#[derive(Clone, Copy, Debug)]
pub struct Superstep<'a> {
    /// The machine.
    pub machine: Object,
    /// From 1; on all processors of the machine the same superstep has the same number.
    pub number: u64,
    /// The call that ended it.
    pub place: Place,
    /// How it ended.
    pub ending: Ending,
    /// When its computation began,
    pub start: u64,
    /// when the call that ended it began,
    pub entered: u64,
    /// and when that returned.
    pub end: u64,
    /// Of the time between, what was spent in waiting for others; the rest is communication.
    pub waiting: u64,
    /// What it asked for, in ascending order of partners.
    pub traffic: &'a [Traffic],
}

/// Keeps a log; one for each processor. What it takes to write counts for no superstep.
pub trait Log: Send {
    /// The clock.
    fn clock(&self) -> fn() -> u64;
    /// A superstep has ended.
    fn superstep(&mut self, superstep: &Superstep<'_>);
    /// A virtual processor has ended its part.
    fn end_virtual(&mut self, _totals: &Totals) {}
}

/// What is noted during the supersteps of a processor that has a log.
pub(crate) struct SuperstepRecorder {
    log: Option<Box<dyn Log>>,
    clock: fn() -> u64,
    /// Of a virtual processor: its clock.
    virtual_clock: Option<Box<VirtualClock>>,
    /// Of the machines that it is in, each a part of the one before.
    accounts: Vec<Account>,
    /// Those that were closed, to be used again.
    spare: Vec<Account>,
}

/// The current superstep of a machine.
struct Account {
    machine: Object,
    number: u64,
    start: u64,
    entered: u64,
    waiting: u64,
    traffic: Vec<Traffic>,
    /// Place in `traffic` of each partner; [`NONE`]: it has none.
    places: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl SuperstepRecorder {
    /// The first superstep of the machine of all processors begins.
    pub fn new(log: Box<dyn Log>, machine: Object) -> SuperstepRecorder {
        SuperstepRecorder::begin(Some(log), None, machine)
    }

    /// The same on a virtual processor, with a log or without.
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

    /// The first superstep of a machine begins, within one of the innermost machine so far.
    pub fn open(&mut self, machine: Object) {
        let start = self.now();
        let mut account = self.spare.pop().unwrap_or_else(|| Account {
            machine,
            number: 1,
            start,
            entered: start,
            waiting: 0,
            traffic: Vec::new(),
            places: Vec::new(),
        });
        (account.machine, account.number, account.start) = (machine, 1, start);
        account.places.resize((machine.nprocs as usize).max(account.places.len()), NONE);
        self.accounts.push(account);
    }

    /// The innermost machine is left.
    pub fn close(&mut self) {
        self.spare.extend(self.accounts.pop());
    }

    pub fn now(&self) -> u64 {
        match &self.virtual_clock {
            Some(virtual_clock) => virtual_clock.origin() + virtual_clock.now(),
            None => (self.clock)(),
        }
    }

    /// What [`SuperstepRecorder::now`] reads, if it is not a virtual processor's.
    pub fn clock(&self) -> fn() -> u64 {
        self.clock
    }

    /// The clock of a virtual processor.
    pub fn virtual_clock(&mut self) -> Option<&mut VirtualClock> {
        self.virtual_clock.as_deref_mut()
    }

    /// Of a virtual processor: its seconds, as the program asks for them.
    pub fn virtual_time(&self) -> Option<f64> {
        self.virtual_clock.as_ref().map(|virtual_clock| virtual_clock.ask() as f64 * 1e-9)
    }

    /// On a virtual processor: how bytes in and out make its h.
    pub fn combine(&self) -> Option<Combine> {
        self.virtual_clock.as_ref().map(|virtual_clock| virtual_clock.combine())
    }

    /// What was asked for in the innermost machine's superstep.
    pub fn traffic(&self) -> &[Traffic] {
        self.accounts.last().map_or(&[], |account| &account.traffic)
    }

    /// On a virtual processor, when the call that ends the innermost machine's superstep has begun: the last
    /// of those that this one depends on came at `latest`; h is the largest of theirs.
    pub fn meet(&mut self, latest: u64, h: u64, ending: Ending) {
        if let (Some(virtual_clock), Some(account)) =
            (&mut self.virtual_clock, self.accounts.last_mut())
        {
            account.waiting +=
                virtual_clock.meet(latest, h, ending, account.machine.nprocs as usize);
        }
    }

    fn resume(&mut self) {
        if let Some(virtual_clock) = &mut self.virtual_clock {
            virtual_clock.start();
        }
    }

    /// Computation stops: when.
    pub fn pause(&mut self) -> u64 {
        if let Some(virtual_clock) = &mut self.virtual_clock {
            virtual_clock.stop();
        }
        self.now()
    }

    /// It goes on, on a virtual processor not before `latest`; the time since is no part of it.
    pub fn go_on(&mut self, paused: u64, latest: u64) {
        if let Some(virtual_clock) = &mut self.virtual_clock {
            let origin = virtual_clock.origin();
            virtual_clock.wait_until(latest.saturating_sub(origin));
        }
        let passed = self.now().wrapping_sub(paused);
        self.accounts.iter_mut().for_each(|account| account.start += passed);
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

    /// It has waited from then until now.
    pub fn waited_since(&mut self, since: u64) {
        self.waited(self.now().wrapping_sub(since));
    }

    /// It has waited for so long.
    pub fn waited(&mut self, waited: u64) {
        if let Some(account) = self.innermost() {
            account.waiting += waited;
        }
    }

    /// It has asked a processor for something.
    pub fn note(&mut self, partner: usize, requests: u64, sent: u64, got: u64) {
        if let Some(account) = self.innermost() {
            account.note(partner, requests, sent, got);
        }
    }

    /// The innermost machine's superstep has ended, its next one begins.
    pub fn end(&mut self, place: Place, ending: Ending) {
        let end = self.now();
        let is_whole = self.accounts.len() == 1;
        let Some(account) = self.accounts.last_mut() else { return };
        account.tell(&mut self.log, place, ending, end);
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

    fn tell(&mut self, log: &mut Option<Box<dyn Log>>, place: Place, ending: Ending, end: u64) {
        for traffic in &self.traffic {
            self.places[traffic.partner as usize] = NONE;
        }
        if !self.traffic.is_sorted_by_key(|traffic| traffic.partner) {
            self.traffic.sort_unstable_by_key(|traffic| traffic.partner);
        }
        let Account { machine, number, start, entered, waiting, .. } = *self;
        let traffic = &self.traffic;
        let superstep =
            Superstep { machine, number, place, ending, start, entered, end, waiting, traffic };
        if let Some(log) = log {
            log.superstep(&superstep);
        }
        self.traffic.clear();
        self.waiting = 0;
        self.number += 1;
    }
}
