//! A process of a machine, from its start to the begin of the machine.

use std::ffi::OsStr;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering::*;

use cll_contract::{START, Start};
use rustix::thread::futex;

use super::join::{join, requested};
use super::signals::Blocked;
use super::{StartError, supervisor};
use crate::engine::Carrier;
use crate::engine::shared::arena::Arena;
use crate::engine::shared::{self, ProcessorKind, Shared};
use crate::log::Log;
use crate::maker::Maker;
use crate::objects::Objects;
use crate::processor::Processor;
use crate::virtuals::{Virtual, VirtualClock, monotonic_ns};

/// A process that may take part in a machine.
#[derive(Debug)]
pub struct Member {
    arena: Arc<Arena>,
    index: usize,
}

/// Creates a machine of `count` processes; returns in all of them. The caller becomes processor 0. With
/// `CLL_START=exec` the others begin with `main`, and return when they call this.
///
/// ```
/// use cll_bsp::{Place, processes};
///
/// let mut processor = processes::fork(3).unwrap().begin(3);
/// // SAFETY: there are no tags, and the payload is there.
/// unsafe { processor.send(0, std::ptr::null(), b"hello".as_ptr(), 5) }.unwrap();
/// processor.sync(Place::NOWHERE).unwrap();
/// let messages = processor.qsize();
/// let first = processor.pid() == 0;
/// processor.end(Place::NOWHERE).unwrap();
/// if !first {
///     std::process::exit(0);
/// }
/// assert_eq!(messages, (3, 15));
/// ```
pub fn fork(count: usize) -> Result<Member, StartError> {
    if let Some(joining) = requested()? {
        let (arena, index) = join(joining)?;
        let arena = Arc::new(arena);
        arena.processor_states()[index].process.store(std::process::id(), Release);
        return Ok(Member { arena, index });
    }
    let again = std::env::var_os(START.name());
    let again =
        START.read_or_none(again.as_deref().map(OsStr::as_encoded_bytes)) == Some(Start::Exec);
    start(count, again, false)
}

/// As [`fork`]; but when the machine fails the caller's process continues, and nobody prints the reason.
pub(crate) fn fork_from_host(count: usize) -> Result<Member, StartError> {
    start(count, false, true)
}

fn start(count: usize, again: bool, host_goes_on: bool) -> Result<Member, StartError> {
    let threads = std::fs::read_dir("/proc/self/task").map_or(1, Iterator::count);
    if threads > 1 && count > 1 && !again {
        return Err(StartError::Threads(threads));
    }
    let arena = Arena::new(count).map_err(|error| StartError::Memory(count, error))?;
    let arena = Arc::new(arena);
    arena.processor_states()[0].process.store(std::process::id(), Release);
    arena.control().host_goes_on.store(host_goes_on.into(), Release);
    if count == 1 {
        return Ok(Member { arena, index: 0 });
    }
    let blocked = Blocked::all();
    let parent = std::process::id();
    // SAFETY: there is no other thread, or the child does only what is allowed in that case and calls exec.
    match unsafe { libc::fork() } {
        -1 => Err(StartError::Fork(count, io::Error::last_os_error())),
        0 => {
            let index = supervisor::supervise(&arena, parent, again);
            drop(blocked);
            Ok(Member { arena, index })
        }
        supervisor => {
            arena.control().supervisor.store(supervisor as u32, Release);
            drop(blocked);
            Ok(Member { arena, index: 0 })
        }
    }
}

impl Member {
    /// The index of this process; the first is 0.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The number of processes.
    pub fn count(&self) -> usize {
        self.arena.processors()
    }

    /// The process that has made the machine.
    pub fn maker(&self) -> Maker {
        self.arena.control().maker()
    }

    /// Stops the machine before it has begun. Returns whether this call was the first; its caller gives the
    /// reason.
    pub fn stop(&self) -> bool {
        self.arena.control().stop()
    }

    /// Process 0 sets the number of processors; the others wait for that. A process that is not a processor
    /// never returns: it ends.
    pub fn begin(self, wanted: usize) -> Processor {
        let (arena, index, processors) = self.wait_for_the_number(wanted);
        let kind = Arc::new(Process { index });
        let engine = Shared::new(arena, index, processors, kind);
        Processor::new(Carrier::Shared(Box::new(engine)))
    }

    /// The memory, the index of this process, and the number of processors.
    fn wait_for_the_number(self, wanted: usize) -> (Arc<Arena>, usize, usize) {
        let control = self.arena.control();
        if self.index == 0 {
            let wanted = wanted.clamp(1, self.count());
            control.taking_part.store(wanted as u32, Release);
            wake(&control.taking_part);
        }
        let processors = loop {
            match control.taking_part.load(Acquire) as usize {
                0 => sleep_on(&control.taking_part),
                processors => break processors,
            }
        };
        if self.index >= processors {
            // SAFETY: ends this process, which has done nothing yet.
            unsafe { libc::_exit(0) };
        }
        let first = self.arena.processor_states()[0].process.load(Acquire);
        // Some systems let only ancestors read a process's memory. This call permits it to all processors: the
        // first process and what it has started. Other systems do not know the call. SAFETY: a plain call.
        unsafe { libc::prctl(libc::PR_SET_PTRACER, libc::c_ulong::from(first)) };
        (self.arena, self.index, processors)
    }

    /// As [`Member::begin`], for a processor that computes in turns with the others and has its own virtual
    /// clock, with or without a log, which `log` makes of the number of this processor and of how many there are.
    /// [`StartError::Stopped`] if another one has stopped the machine before this
    /// one had its first turn.
    pub fn begin_virtual(
        self,
        wanted: usize,
        settings: &Virtual,
        log: impl FnOnce(usize, usize) -> Option<Box<dyn Log>>,
    ) -> Result<Processor, StartError> {
        if self.index == 0 {
            self.open_turns(settings);
        }
        let (arena, index, processors) = self.wait_for_the_number(wanted);
        let log = log(index, processors);
        let kind = Arc::new(Process { index });
        take_first_turn(&arena, index, &kind)?;
        let shared = Shared::in_turns(arena.clone(), index, processors, kind);
        let mut processor = Processor::new(Carrier::Shared(Box::new(shared)));
        processor.become_virtual(VirtualClock::new(arena, index, processors, settings), log);
        Ok(processor)
    }

    /// As [`Member::begin_objects`], with processors as in [`Member::begin_virtual`].
    pub fn begin_virtual_objects(
        self,
        settings: &Virtual,
        log: impl FnOnce(usize, usize) -> Option<Box<dyn Log>>,
    ) -> Result<(Objects, Others), StartError> {
        if self.index == 0 {
            self.open_turns(settings);
        }
        let others = self.all_go_on();
        let (arena, index, count) = (self.arena.clone(), self.index, self.count());
        let log = log(index, count);
        let kind = Arc::new(Process { index });
        take_first_turn(&arena, index, &kind)?;
        let rings = shared::rings_in_turns(arena.clone(), index, count, kind);
        let mut objects = Objects::new(Box::new(rings));
        objects.become_virtual(VirtualClock::new(arena, index, count, settings), log);
        Ok((objects, others))
    }

    /// Creates the turns before any processor takes one.
    fn open_turns(&self, settings: &Virtual) {
        let control = self.arena.control();
        control.origin.store(monotonic_ns(), Release);
        control.turns.open(&self.arena, settings.cores);
    }

    fn all_go_on(&self) -> Others {
        let control = self.arena.control();
        control.all_go_on.store(1, Release);
        control.taking_part.store(self.count() as u32, Release);
        Others { arena: self.arena.clone(), index: self.index }
    }
}

fn take_first_turn(arena: &Arena, index: usize, kind: &Process) -> Result<(), StartError> {
    let processor_state = &arena.processor_states()[index];
    processor_state.set_sleeping(true);
    shared::turns::take_turn(arena, index, kind).map_err(|_| StartError::Stopped)?;
    processor_state.set_sleeping(false);
    Ok(())
}

impl Member {
    /// Begins as one of all processors, with machine objects. The processes continue when these have ended; the
    /// first then calls [`Others::wait`].
    pub fn begin_objects(self) -> (Objects, Others) {
        let count = self.count();
        let others = self.all_go_on();
        let kind = Arc::new(Process { index: self.index });
        let rings = shared::rings(self.arena, self.index, count, kind);
        (Objects::new(Box::new(rings)), others)
    }
}

/// The other processes of a machine whose processes all continue after its end.
#[derive(Debug)]
pub struct Others {
    arena: Arc<Arena>,
    index: usize,
}

impl Others {
    /// For the first process, when it ends: waits until all others have ended, too. Returns the first exit
    /// status other than 0 of one of them, if any: as in a shell, 128 + the number of a signal; 1 if the
    /// machine was stopped. Returns at once if this is not the first process.
    pub fn wait(&self) -> Option<i32> {
        if self.index > 0 {
            return None;
        }
        Process { index: 0 }.join(&self.arena);
        if self.arena.control().is_stopped() {
            return Some(1);
        }
        let status = self.arena.control().status.load(Acquire) as i32;
        (status != 0).then_some(status)
    }
}

/// The processes engine, as far as it differs from others in shared memory.
#[derive(Debug)]
struct Process {
    index: usize,
}

impl ProcessorKind for Process {
    fn shares_everything(&self) -> bool {
        false
    }

    /// The others end with the supervisor; processor 0 is its parent.
    fn check_others(&self, arena: &Arena) {
        let supervisor = arena.control().supervisor.load(Relaxed) as libc::pid_t;
        if self.index != 0 || supervisor == 0 {
            return;
        }
        // SAFETY: reaps it if it has ended.
        let ended =
            unsafe { libc::waitpid(supervisor, std::ptr::null_mut(), libc::WNOHANG) } == supervisor;
        // It sets this when its work is done: then only this processor has not ended yet.
        if ended && arena.control().gone.load(Acquire) == 0 {
            let text = "the process that supervises the processors was killed";
            if arena.control().stop() {
                supervisor::report(arena, None, text);
            }
        }
    }

    fn join(&self, arena: &Arena) {
        let supervisor = arena.control().supervisor.load(Relaxed) as libc::pid_t;
        if supervisor == 0 {
            return;
        }
        if arena.control().is_stopped() && arena.control().gone.load(Acquire) == 0 {
            // The supervisor checks when one of its children ends; it may have been stopped, and may continue.
            // SAFETY: our child; if it was killed and reaped, its number is not used again so soon.
            unsafe { libc::kill(supervisor, libc::SIGCHLD) };
        }
        loop {
            // SAFETY: waits for our own child, which ends when all others have ended.
            let ended = unsafe { libc::waitpid(supervisor, std::ptr::null_mut(), 0) };
            if ended == supervisor || io::Error::last_os_error().raw_os_error() != Some(libc::EINTR)
            {
                break;
            }
        }
        // If the program itself waited for its children, the supervisor may have ended before the others.
        while arena.control().gone.load(Acquire) == 0 && !arena.control().is_stopped() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }
}

/// Sleeps while the word is 0. The caller reads the word again, whatever ends the sleep.
fn sleep_on(word: &std::sync::atomic::AtomicU32) {
    let _ = futex::wait(word, futex::Flags::empty(), 0, None);
}

fn wake(word: &std::sync::atomic::AtomicU32) {
    let _ = futex::wake(word, futex::Flags::empty(), i32::MAX as u32);
}
