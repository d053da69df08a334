//! The state of this processor's program: before, inside, or after its parallel part.

use std::cell::UnsafeCell;
use std::collections::VecDeque;

use cll_bsp::mpi::Ranks;
use cll_bsp::processes::Member;
use cll_bsp::{Message, Misuse, Place, Processor};

use crate::log;

use super::crew::is_first_part;

/// The function that calls bsp_begin and bsp_end.
pub type Spmd = unsafe extern "C" fn();

/// Before, inside, after a parallel part.
#[expect(clippy::large_enum_variant, reason = "there is one, and every call goes through it")]
pub enum Stage {
    Before(Option<Start>),
    Inside(ParallelPart),
    After { nprocs: usize },
}

/// The state that bsp_init has prepared.
pub struct Start {
    pub place: Place,
    pub how: How,
}

/// How the processors are started.
pub enum How {
    /// As processes, which wait for bsp_begin.
    Processes(Member),
    /// The same, started by MPI.
    Ranks(Ranks),
    /// As threads, started by bsp_begin, which begin with this function.
    Threads(Spmd),
}

/// The parallel part.
pub struct ParallelPart {
    pub processor: Processor,
    /// Messages that a collective call has taken from the queue together with its own, and that stay readable;
    /// they come first.
    pub kept: VecDeque<Message>,
    /// The last end of a superstep.
    pub last_sync: Place,
    /// The process ID: a process that the program forks itself is not a processor.
    pub process: u32,
    /// The thread, if processors are threads.
    pub thread: Option<libc::pid_t>,
}

impl ParallelPart {
    pub fn new(mut processor: Processor, begin: Place, process: u32) -> ParallelPart {
        if !processor.is_virtual()
            && is_first_part()
            && let Some(log) = log::wanted(processor.pid())
        {
            processor.keep_log(log);
        }
        ParallelPart { processor, kept: VecDeque::new(), last_sync: begin, process, thread: None }
    }

    /// Ends the superstep.
    #[inline(always)]
    pub fn sync(&mut self, place: Place) -> Result<(), Misuse> {
        self.last_sync = place;
        self.processor.sync(place)?;
        self.forget_kept();
        Ok(())
    }

    /// Ends a superstep of this kind, which must be the same on all processors.
    pub fn sync_collective(&mut self, place: Place, kind: u64) -> Result<(), Misuse> {
        self.last_sync = place;
        self.processor.sync_collective(place, kind)?;
        self.forget_kept();
        Ok(())
    }

    #[inline(always)]
    fn forget_kept(&mut self) {
        if !self.kept.is_empty() {
            self.kept.clear();
        }
    }
}

/// The number of processors and the number of this one, in the parallel part.
pub fn processors() -> Option<(usize, usize)> {
    match stage() {
        Stage::Inside(part) => Some((part.processor.nprocs(), part.processor.pid())),
        _ => None,
    }
}

/// One processor for each process; if processors are threads, for each copy of the program with this library.
struct ProgramState(UnsafeCell<Stage>);

// SAFETY: one thread of a processor calls BSPlib, as `bsp.h` says.
unsafe impl Sync for ProgramState {}

static STAGE: ProgramState = ProgramState(UnsafeCell::new(Stage::Before(None)));

/// The state of the program. The reference must not be kept while the program runs.
#[inline]
pub fn stage() -> &'static mut Stage {
    // SAFETY: one thread calls, and no reference outlives the program's call.
    unsafe { &mut *STAGE.0.get() }
}
