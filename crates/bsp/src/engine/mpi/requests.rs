//! What a processor has of the transport: its sets of requests, and how it waits for them.

use std::sync::atomic::Ordering::Release;
use std::time::{Duration, Instant};

use super::shared_status::{Node, Stage};
use super::transport::{Found, IoVector, MpiError, Set, Tag, Transport};
use crate::Misuse;
use crate::engine::stop::Stopped;
use crate::say::say;

/// Unsuccessful polls before a processor that waits lets others have its core, after each one. Others may be the one
/// that it waits for, whatever is known of cores here: what launchers take for several hosts may be one
/// (containers, namespaces), and on each they bind the first process to the first core. Who only looks
/// keeps it until its slice of time is over, some milliseconds.
const LOOKS: u32 = 50;
/// Where there are more processes than cores.
const FEW_LOOKS: u32 = 8;
/// Looks between two at the surroundings, before naps begin.
const MANY_LOOKS: u32 = 100;
/// After so long, naps begin.
const AWAKE: Duration = Duration::from_millis(2);
const SHORTEST_NAP: Duration = Duration::from_micros(50);
const LONGEST_NAP: Duration = Duration::from_millis(1);
/// How long processes that end wait for each other.
const FAREWELL: Duration = Duration::from_millis(60);
/// How long the launcher has for ending all.
const THE_END: Duration = Duration::from_secs(1);

/// One process's end of the transport.
pub(crate) struct Wire {
    pub transport: &'static Transport,
    pub node: Node,
    pub rank: usize,
    /// Processes of the program.
    pub ranks: usize,
    looks: u32,
}

impl Wire {
    pub fn new(
        transport: &'static Transport,
        node: Node,
        (rank, ranks): (usize, usize),
        processes_here: usize,
    ) -> Wire {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let looks = if processes_here > cores { FEW_LOOKS } else { LOOKS };
        Wire { transport, node, rank, ranks, looks }
    }

    /// This process takes part, as one of so many: who watches misses it from here on.
    pub fn begin(&self, processors: usize) {
        self.node.rank_state().processors.store(processors as u32, Release);
        self.node.rank_state().set_stage(Stage::Running);
    }

    /// Whether there are more processes here than cores.
    pub fn is_crowded(&self) -> bool {
        self.looks == FEW_LOOKS
    }

    /// Sends bytes; a request that is asked for alone.
    ///
    /// # Safety
    /// They stay as they are until it is done.
    pub unsafe fn send_alone(
        &self,
        to: usize,
        tag: Tag,
        begin: *const u8,
        size: usize,
    ) -> Result<u32, Stopped> {
        // SAFETY: by the caller.
        let sent = unsafe { self.transport.send_alone(to, tag, begin, size) };
        sent.map_err(|error| self.fail(&format!("cannot send to processor {to}"), error))
    }

    /// A message of this tag that has come, from anybody.
    pub fn find(&self, tag: Tag) -> Result<Option<Found>, Stopped> {
        self.transport.find(tag).map_err(|error| self.fail("cannot look for messages", error))
    }

    /// Receives it, before anything else is looked for.
    ///
    /// # Safety
    /// There is room for it until the request is done.
    pub unsafe fn receive_found(&self, found: &Found, into: *mut u8) -> Result<u32, Stopped> {
        // SAFETY: by the caller.
        let begun = unsafe { self.transport.receive_found(found, into) };
        begun.map_err(|error| self.fail("cannot receive a message", error))
    }

    /// Whether a request is done; then it is no more. An error has stopped the program.
    pub fn is_request_done(&self, request: u32) -> bool {
        let done = self.transport.is_request_done(request);
        done.map_err(|error| self.fail("what was to come or go did not", error)).unwrap_or(false)
    }

    /// Stops the program for an error of MPI's.
    #[cold]
    pub fn fail(&self, what: &str, error: MpiError) -> Stopped {
        if self.node.stop() {
            let (rank, ranks) = (self.rank, self.ranks);
            let text = self.transport.describe(error);
            let family = self.transport.family();
            say(&format!("processor {rank} of {ranks}: {what}: {family}: {text}"));
        }
        Stopped
    }

    /// # Safety
    /// As for [`Transport::send`].
    #[inline]
    pub unsafe fn send(
        &self,
        set: Set,
        to: usize,
        tag: Tag,
        pieces: &[IoVector],
    ) -> Result<(), Stopped> {
        // SAFETY: by the caller.
        let sent = unsafe { self.transport.send(set, to, tag, pieces) };
        sent.map_err(|error| self.fail(&format!("cannot send to processor {to}"), error))
    }

    /// # Safety
    /// As for [`Transport::receive`].
    #[inline]
    pub unsafe fn receive(
        &self,
        set: Set,
        from: usize,
        tag: Tag,
        into: *mut u8,
        size: usize,
    ) -> Result<(), Stopped> {
        // SAFETY: by the caller.
        let begun = unsafe { self.transport.receive(set, from, tag, into, size) };
        begun.map_err(|error| self.fail(&format!("cannot receive from processor {from}"), error))
    }

    #[inline]
    pub fn is_done(&self, set: Set) -> Result<bool, Stopped> {
        let done = self.transport.is_done(set);
        done.map_err(|error| self.fail("what was to come or go did not", error))
    }

    /// Waits until all of a set is done.
    #[inline]
    pub fn wait(&self, set: Set) -> Result<(), Stopped> {
        for _ in 0..self.looks {
            if self.is_done(set)? {
                return Ok(());
            }
        }
        self.wait_long(set, AWAKE)
    }

    /// The same, for what may take long.
    #[cold]
    pub fn wait_long(&self, set: Set, awake: Duration) -> Result<(), Stopped> {
        let begin = Instant::now();
        let mut nap = SHORTEST_NAP;
        loop {
            if self.node.is_stopped() {
                return Err(Stopped);
            }
            let mut looks = MANY_LOOKS;
            if begin.elapsed() >= awake {
                std::thread::sleep(nap);
                nap = (2 * nap).min(LONGEST_NAP);
                looks = FEW_LOOKS;
            }
            for _ in 0..looks {
                if self.is_done(set)? {
                    return Ok(());
                }
                std::thread::yield_now();
            }
        }
    }

    /// Stops the program for something else.
    #[cold]
    pub fn stop_for(&self, misuse: &Misuse) -> Stopped {
        if self.node.stop() {
            say(&format!("processor {} of {}: {misuse}", self.rank, self.ranks));
        }
        Stopped
    }

    /// This process is about to end, since the program was stopped. MPI ends all when one has ended: who
    /// has stopped it waits a moment for the others on its machine to have written what they have
    /// printed; these wait to be ended.
    pub fn take_leave(&self, first: bool) {
        let begin = Instant::now();
        self.node.go();
        while first && !self.node.others_are_gone() && begin.elapsed() < FAREWELL {
            std::thread::sleep(SHORTEST_NAP);
        }
        if first {
            wait_for_reader();
            self.transport.end_all(1);
        }
        std::thread::sleep(THE_END);
    }

    /// Ends MPI, together with all other processes; those from `processors` on wait for it.
    pub fn end(&self, processors: usize) -> Result<(), Stopped> {
        if self.rank == 0 {
            for to in processors..self.ranks {
                // SAFETY: no bytes.
                unsafe {
                    self.send(Set::Sent, to, Tag::End, &[IoVector::new(NO_BYTES.as_ptr(), 0)])?
                };
            }
            self.wait(Set::Sent)?;
        }
        // All have agreed: from here on nobody is missed.
        self.node.rank_state().set_stage(Stage::Ended);
        self.transport.end().map_err(|error| self.fail("MPI does not end", error))
    }
}

/// Launchers that end all do not always read first what was said: it is waited until they have.
fn wait_for_reader() {
    let begin = Instant::now();
    loop {
        let mut unread: libc::c_int = 0;
        // SAFETY: asks how much of a pipe nobody has read yet.
        let known = unsafe { libc::ioctl(2, libc::FIONREAD, &raw mut unread) } == 0;
        if !known || unread == 0 || begin.elapsed() > 3 * FAREWELL {
            break;
        }
        std::thread::sleep(SHORTEST_NAP);
    }
    // From there it goes on through others.
    std::thread::sleep(FAREWELL / 3);
}

static NO_BYTES: [u8; 1] = [0];
