//! A processor's sets of MPI requests, and how it waits for them.

use std::sync::atomic::Ordering::Release;
use std::time::{Duration, Instant};

use super::shared_status::{SharedNode, Stage};
use super::transport::{ArrivedMessage, IoVector, MpiError, Set, Tag, Transport};
use crate::Misuse;
use crate::engine::stop::Stopped;
use crate::say::say;

/// Unsuccessful polls after which a waiting processor yields its core after each poll. The processor that is
/// waited for may need this core, even if the number of cores seems sufficient: several hosts of a launcher may
/// be one (containers, namespaces), and on each the launcher binds the first process to the first core. Without
/// a yield a polling processor keeps the core until its time slice ends, some milliseconds.
const POLLS: u32 = 50;
/// The same if there are more processes than cores.
const POLLS_CROWDED: u32 = 8;
/// Polls between two checks of the other processes, before sleeps begin.
const POLLS_BETWEEN_CHECKS: u32 = 100;
/// After this time a waiting processor sleeps between polls.
const TIME_BEFORE_SLEEP: Duration = Duration::from_millis(2);
const SHORTEST_NAP: Duration = Duration::from_micros(50);
const LONGEST_NAP: Duration = Duration::from_millis(1);
/// How long ending processes wait for each other.
const EXIT_WAIT: Duration = Duration::from_millis(60);
/// How long the launcher may take to end all processes.
const LAUNCHER_WAIT: Duration = Duration::from_secs(1);

/// The transport of one process.
pub(crate) struct Endpoint {
    pub transport: &'static Transport,
    pub node: SharedNode,
    pub rank: usize,
    /// Processes of the program.
    pub ranks: usize,
    polls: u32,
}

impl Endpoint {
    pub fn new(
        transport: &'static Transport,
        node: SharedNode,
        (rank, ranks): (usize, usize),
        processes_here: usize,
    ) -> Endpoint {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let polls = if processes_here > cores { POLLS_CROWDED } else { POLLS };
        Endpoint { transport, node, rank, ranks, polls }
    }

    /// This process takes part, as one of `processors`. From now on the watching process reports if it
    /// disappears.
    pub fn begin(&self, processors: usize) {
        self.node.rank_state().processors.store(processors as u32, Release);
        self.node.rank_state().set_stage(Stage::Running);
    }

    /// Whether there are more processes here than cores.
    pub fn is_crowded(&self) -> bool {
        self.polls == POLLS_CROWDED
    }

    /// Sends bytes, as a single request that is tested separately.
    ///
    /// # Safety
    /// The bytes do not change until the request is complete.
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

    /// A message with this tag that has arrived, from any processor.
    pub fn find(&self, tag: Tag) -> Result<Option<ArrivedMessage>, Stopped> {
        self.transport.find(tag).map_err(|error| self.fail("cannot check for messages", error))
    }

    /// Receives it. No other message may be searched for in between.
    ///
    /// # Safety
    /// There is room for it until the request is complete.
    pub unsafe fn receive_found(
        &self,
        message: &ArrivedMessage,
        into: *mut u8,
    ) -> Result<u32, Stopped> {
        // SAFETY: by the caller.
        let begun = unsafe { self.transport.receive_found(message, into) };
        begun.map_err(|error| self.fail("cannot receive a message", error))
    }

    /// Whether a request is complete; then it is freed. An error has stopped the program.
    pub fn is_request_done(&self, request: u32) -> bool {
        let done = self.transport.is_request_done(request);
        done.map_err(|error| self.fail("a message was not completed", error)).unwrap_or(false)
    }

    /// Stops the program because of an error of MPI.
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
        done.map_err(|error| self.fail("a message was not completed", error))
    }

    /// Waits until all requests of a set are complete.
    #[inline]
    pub fn wait(&self, set: Set) -> Result<(), Stopped> {
        for _ in 0..self.polls {
            if self.is_done(set)? {
                return Ok(());
            }
        }
        self.wait_long(set, TIME_BEFORE_SLEEP)
    }

    /// The same, for requests that may take long.
    #[cold]
    pub fn wait_long(&self, set: Set, awake: Duration) -> Result<(), Stopped> {
        let begin = Instant::now();
        let mut nap = SHORTEST_NAP;
        loop {
            if self.node.is_stopped() {
                return Err(Stopped);
            }
            let mut polls = POLLS_BETWEEN_CHECKS;
            if begin.elapsed() >= awake {
                std::thread::sleep(nap);
                nap = (2 * nap).min(LONGEST_NAP);
                polls = POLLS_CROWDED;
            }
            for _ in 0..polls {
                if self.is_done(set)? {
                    return Ok(());
                }
                std::thread::yield_now();
            }
        }
    }

    /// Stops the program for another reason.
    #[cold]
    pub fn stop_for(&self, misuse: &Misuse) -> Stopped {
        if self.node.stop() {
            say(&format!("processor {} of {}: {misuse}", self.rank, self.ranks));
        }
        Stopped
    }

    /// This process is about to end, since the program was stopped. MPI ends all processes when one has ended.
    /// So the process that has stopped the program waits a moment, until the others on its host have written
    /// their output; the others wait to be ended.
    pub fn before_exit(&self, first: bool) {
        let begin = Instant::now();
        self.node.go();
        while first && !self.node.others_are_gone() && begin.elapsed() < EXIT_WAIT {
            std::thread::sleep(SHORTEST_NAP);
        }
        if first {
            wait_for_reader();
            self.transport.end_all(1);
        }
        std::thread::sleep(LAUNCHER_WAIT);
    }

    /// Ends MPI, together with all other processes. Processes from number `processors` on only wait for it.
    pub fn end(&self, processors: usize) -> Result<(), Stopped> {
        if self.rank == 0 {
            for to in processors..self.ranks {
                // SAFETY: the message is empty.
                unsafe {
                    self.send(Set::Sent, to, Tag::End, &[IoVector::new(NO_BYTES.as_ptr(), 0)])?
                };
            }
            self.wait(Set::Sent)?;
        }
        // All have agreed to end: from now on no process is missed.
        self.node.rank_state().set_stage(Stage::Ended);
        self.transport.end().map_err(|error| self.fail("MPI does not end", error))
    }
}

/// Launchers that end all processes may not read all of their output first. So wait until they have read it.
fn wait_for_reader() {
    let begin = Instant::now();
    loop {
        let mut unread: libc::c_int = 0;
        // SAFETY: the call returns how much of a pipe is unread.
        let known = unsafe { libc::ioctl(2, libc::FIONREAD, &raw mut unread) } == 0;
        if !known || unread == 0 || begin.elapsed() > 3 * EXIT_WAIT {
            break;
        }
        std::thread::sleep(SHORTEST_NAP);
    }
    // From there other processes pass it on.
    std::thread::sleep(EXIT_WAIT / 3);
}

static NO_BYTES: [u8; 1] = [0];
