//! The state of this processor's program: before, inside, or after its machine objects.

use std::cell::UnsafeCell;

use cll_bsp::processes::Others;
use cll_bsp::{Handle, Misuse, Objects};

use crate::bsp::call::Call;
use crate::sys;

/// Before `bsplib_init`, between it and `bsplib_done`, after that.
pub enum Stage {
    Before,
    Inside(Inside),
    After(Process),
}

/// The machine objects.
pub struct Inside {
    pub objects: Objects,
    pub process: Process,
}

/// The process of this processor.
pub struct Process {
    /// The process ID: a process that the program forks itself is not a processor.
    pub number: u32,
    /// The thread, if processors are threads.
    pub thread: Option<libc::pid_t>,
    /// The processes for which the first waits at its exit; none if others do that.
    pub others: Option<Others>,
}

impl Process {
    /// Whether the caller is this processor, not a process that the program has forked, nor another processor's
    /// thread.
    pub fn is_here(&self) -> bool {
        self.number == sys::pid() && self.thread.is_none_or(|thread| thread == sys::thread())
    }
}

impl Process {
    /// Whether processors are threads, in this process.
    pub fn is_thread_here(&self) -> bool {
        self.thread.is_some() && self.number == sys::pid()
    }
}

/// One for each process; if processors are threads, for each copy of the program with this library.
struct ProgramState(UnsafeCell<Stage>);

// SAFETY: one thread of a processor calls PUB, as `pub.h` says.
unsafe impl Sync for ProgramState {}

static STAGE: ProgramState = ProgramState(UnsafeCell::new(Stage::Before));

/// The state of the program. The reference must not be kept while the program runs.
#[inline]
pub fn stage() -> &'static mut Stage {
    // SAFETY: one thread calls, and no reference outlives the program's call.
    unsafe { &mut *STAGE.0.get() }
}

/// The machine objects; an error if the call does not come between `bsplib_init` and `bsplib_done`.
#[inline(always)]
pub fn objects(call: Call) -> &'static mut Objects {
    match stage() {
        Stage::Inside(inside) => &mut inside.objects,
        other => outside(call, other),
    }
}

#[cold]
fn outside(call: Call, stage: &Stage) -> ! {
    let what = match stage {
        Stage::Before => "there is no machine yet",
        _ => "the machines have ended",
    };
    call.fail_with(what, "call it between bsplib_init and bsplib_done")
}

/// The machine that a call names.
///
/// # Safety
/// The pointer is null, or points to a `t_bsp`.
#[inline(always)]
pub unsafe fn named(call: Call, machine: *const Handle) -> Handle {
    // SAFETY: by the caller; any bytes are a value, which is checked.
    match unsafe { machine.as_ref() } {
        Some(machine) => *machine,
        None => call.must(Err(Misuse::NullPointer("the machine object"))),
    }
}

/// The number of processors and the number of this one, between `bsplib_init` and `bsplib_done`.
pub fn processors() -> Option<(usize, usize)> {
    match stage() {
        Stage::Inside(inside) => {
            let machine = inside.objects.root();
            Some((machine.nprocs(), machine.pid()))
        }
        _ => None,
    }
}

/// Stops all processors, if there are machine objects. Returns whether this call was the first.
pub fn stop() -> Option<bool> {
    match stage() {
        Stage::Inside(inside) if inside.process.number == sys::pid() => Some(inside.objects.stop()),
        _ => None,
    }
}

/// Called after a stop, when this process is about to end.
pub fn before_exit(first: bool) {
    match stage() {
        Stage::Inside(inside) if inside.process.number == sys::pid() => {
            inside.objects.before_exit(first);
        }
        _ => {}
    }
}

/// Whether this processor is a thread, in its machine objects.
pub fn is_thread() -> bool {
    matches!(stage(), Stage::Inside(inside) if inside.process.thread.is_some())
}

/// Whether the machine objects of the calling thread have ended.
pub fn is_done_here() -> bool {
    matches!(stage(), Stage::After(process) if process.is_here())
}

/// The number of this processor and the number of processors, if there are machine objects.
pub fn processor() -> Option<(usize, usize)> {
    match stage() {
        Stage::Inside(inside) => {
            let machine = inside.objects.root();
            Some((machine.pid(), machine.nprocs()))
        }
        _ => None,
    }
}
