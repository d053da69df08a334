//! The MPI engine: every processor is a process that MPI has started, here or on other hosts.
//!
//! All of them run `main` from its beginning. Calls of MPI go through a [`Transport`], a table of functions
//! compiled by the user's own MPI compiler: nothing here is linked with an MPI.

use std::ffi::OsStr;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::time::Duration;

use bytemuck::Zeroable;

pub use crate::engine::mpi::{Transport, VERSION};

use crate::engine::Carrier;
use crate::engine::mpi::{
    Endpoint, IoVector, MpiChannels, MpiEngine, NodeError, Set, SharedNode, Tag,
};
use crate::engine::stop::Stopped;
use crate::objects::Objects;
use crate::processor::Processor;
use crate::start::StartError;
/// One of the processes that MPI has started, from the program's start to the begin of the machine.
pub struct Ranks {
    endpoint: Endpoint,
}

/// Identifies the program, which must be the same in all processes; its name is used if it is not.
#[derive(Clone, Copy, Debug)]
pub struct ProgramIdentity<'a> {
    /// A hash of its content and of the libraries it is linked with.
    pub hash: u64,
    /// The file of the program.
    pub path: &'a OsStr,
}

/// Starts a watching process for this process. Arguments: its number on this host, and the memory that is
/// shared there.
pub type Watcher<'a> = &'a dyn Fn(usize, BorrowedFd<'_>);

#[repr(C)]
#[derive(Clone, Copy)]
struct Card {
    hash: u64,
    host: [u8; 64],
    path: [u8; 184],
}

// SAFETY: numbers and bytes, without padding.
unsafe impl bytemuck::Zeroable for Card {}
// SAFETY: the same.
unsafe impl bytemuck::Pod for Card {}

/// Begins MPI. All processes must call it, and must run the same program.
///
/// # Errors
/// If MPI cannot be begun, or processes run different programs.
pub fn join(
    transport: &'static Transport,
    program: ProgramIdentity<'_>,
    watch: Watcher<'_>,
) -> Result<Ranks, StartError> {
    let failed = |error| StartError::Mpi(transport.family(), transport.describe(error));
    let start = transport.start().map_err(failed)?;
    let (rank, ranks) = (start.rank as usize, start.ranks as usize);
    let (own, here) = (start.node_rank as usize, start.node_ranks as usize);
    let mut node = SharedNode::new(transport, own, here).map_err(|trouble| match trouble {
        NodeError::Mpi(error) => failed(error),
        NodeError::System(error) => StartError::Memory(here, error),
    })?;
    node.rank_state().rank.store(rank as u32, std::sync::atomic::Ordering::Release);
    if let Some(file) = node.file() {
        // SAFETY: the file is open until the others have it.
        watch(own, unsafe { BorrowedFd::borrow_raw(file.as_raw_fd()) });
    }
    transport.meet_on_node().map_err(failed)?;
    node.close();
    let mut card = Card::zeroed();
    card.hash = program.hash;
    fill(&mut card.host, host().as_bytes());
    fill(&mut card.path, program.path.as_encoded_bytes());
    let cards = transport.gather(&card, ranks).map_err(failed)?;
    let endpoint = Endpoint::new(transport, node, (rank, ranks), here);
    if let Some(other) = cards.iter().position(|card| card.hash != cards[0].hash) {
        // All processes notice; one on each host reports it.
        if !endpoint.node.stop() {
            endpoint.before_exit(false);
            return Err(StartError::Stopped);
        }
        let program_of =
            |rank: usize| format!("{} on {}", text(&cards[rank].path), text(&cards[rank].host));
        return Err(StartError::OtherProgram(program_of(0), other, program_of(other)));
    }
    Ok(Ranks { endpoint })
}

/// The name of this host.
pub fn host() -> String {
    let mut name = [0u8; 65];
    // SAFETY: the size is right; the last byte stays 0.
    unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) };
    text(&name)
}

/// Copies `from`; only its end if it is too long.
fn fill(to: &mut [u8], from: &[u8]) {
    let begin = from.len().saturating_sub(to.len() - 1);
    to.iter_mut().zip(&from[begin..]).for_each(|(to, byte)| *to = *byte);
}

fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

impl Ranks {
    /// The rank of this process, from 0.
    pub fn index(&self) -> usize {
        self.endpoint.rank
    }

    /// The number of processes.
    pub fn count(&self) -> usize {
        self.endpoint.ranks
    }

    /// Stops the program before the machine has begun. Returns whether this call was the first on this host;
    /// its caller gives the reason.
    pub fn stop(&self) -> bool {
        self.endpoint.node.stop()
    }

    /// As [`Processor::before_exit`].
    pub fn before_exit(&self, first: bool) {
        self.endpoint.before_exit(first);
    }

    /// Process 0 sets the number of processors; the others wait for that. `None`: this process is not a
    /// processor, and all that are have ended.
    ///
    /// # Errors
    /// If the program was stopped meanwhile.
    pub fn begin(self, wanted: usize) -> Result<Option<Processor>, StartError> {
        let processors = match self.agree(wanted.clamp(1, self.count())) {
            Ok(processors) => processors,
            Err(Stopped) => return Err(self.stopped()),
        };
        if self.index() < processors {
            let engine =
                MpiEngine::new(self.endpoint, processors).map_err(|_| StartError::Stopped)?;
            return Ok(Some(Processor::new(Carrier::Mpi(Box::new(engine)))));
        }
        match self.wait_for_end(processors) {
            Ok(()) => Ok(None),
            Err(Stopped) => Err(self.stopped()),
        }
    }

    /// Begins as one of all processes, with machine objects. The processes continue when these have ended.
    pub fn begin_objects(self) -> Objects {
        Objects::new(Box::new(MpiChannels::new(self.endpoint)))
    }

    fn stopped(&self) -> StartError {
        self.endpoint.before_exit(false);
        StartError::Stopped
    }

    /// Waits for the end of the processors.
    fn wait_for_end(&self, processors: usize) -> Result<(), Stopped> {
        if processors > 0 {
            let mut nothing = [0u8; 1];
            // SAFETY: a byte that exists until the wait has ended.
            unsafe {
                let (into, size) = (nothing.as_mut_ptr(), nothing.len());
                self.endpoint.receive(Set::Streams, 0, Tag::End, into, size)?;
            }
            self.endpoint.wait_long(Set::Streams, Duration::ZERO)?;
        }
        self.endpoint.end(processors)
    }

    /// The program of process 0 ends without a machine, and all others end with it.
    pub fn dismiss(self) {
        if self.index() == 0 && self.agree(0).is_ok() {
            // The process ends in any case.
            let _ = self.endpoint.end(self.count());
        }
    }

    /// The number that process 0 wants.
    fn agree(&self, wanted: usize) -> Result<usize, Stopped> {
        let mut words = [wanted as u64];
        let (begin, size) = (words.as_mut_ptr().cast::<u8>(), size_of_val(&words));
        if self.index() > 0 {
            // SAFETY: the bytes exist until the wait has ended.
            unsafe { self.endpoint.receive(Set::Streams, 0, Tag::Begin, begin, size)? };
            self.endpoint.wait_long(Set::Streams, Duration::from_millis(2))?;
            // SAFETY: the word that has arrived.
            return Ok(unsafe { begin.cast::<u64>().read_volatile() } as usize);
        }
        for to in 1..self.count() {
            // SAFETY: the same.
            unsafe {
                self.endpoint.send(Set::Sent, to, Tag::Begin, &[IoVector::new(begin, size)])?
            };
        }
        self.endpoint.wait(Set::Sent)?;
        Ok(wanted)
    }
}
