//! BSP programs in Rust: a closure is the program, and every processor runs it.
//!
//! ```
//! use cll_bsp::Machine;
//!
//! let sum = Machine::threads(4).run(|bsp| bsp.fold(bsp.pid() + 1, |a, b| a + b));
//! assert_eq!(sum.unwrap(), 10);
//! ```
//!
//! # Costs
//! The documentation of each call gives its cost in the BSP model: l is the time of an empty superstep, g the
//! time for each byte that a processor sends or receives, whichever is more. The costs of local work, such as
//! copies, and of closures are left out.

mod area;
mod bsp;
mod collectives;
mod failure;
mod get;
mod messages;
mod part;
mod wrong;

use std::any::Any;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub use area::Area;
pub use bsp::Bsp;
pub use failure::Failure;
pub use get::Get;
pub use messages::{Message, Messages};
pub use part::{Part, PartMessage};

use crate::processor::Processor;
use crate::{StartError, processes, threads};
use bsp::Unwinding;

/// A BSP machine: the number and the kind of its processors.
///
/// It can run several programs, one after the other. Machines of threads may also run at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    processors: usize,
    kind: MachineKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MachineKind {
    Threads,
    Processes,
}

impl Machine {
    /// A machine whose processors are threads of this process; processor 0 is the calling one.
    ///
    /// All processors share what the closure captures. A processor that never returns to its machine cannot be
    /// ended; then [`Machine::run`] does not return either.
    ///
    /// ```
    /// use cll_bsp::Machine;
    ///
    /// let words = ["bulk", "synchronous", "parallel"];
    /// let longest = Machine::threads(3).run(|bsp| {
    ///     bsp.fold(words[bsp.pid()].len(), usize::max)
    /// });
    /// assert_eq!(longest.unwrap(), 11);
    /// ```
    ///
    /// # Panics
    /// If `processors` is 0.
    pub fn threads(processors: usize) -> Machine {
        assert!(processors > 0, "a machine has at least one processor");
        Machine { processors, kind: MachineKind::Threads }
    }

    /// A machine whose processors are processes, forked when it runs; processor 0 is the calling process.
    ///
    /// Each has a copy of the whole program's memory at that time; the others do not see what it writes, except
    /// in areas. A process that crashes or is killed is a [`Failure`] of the machine. When the machine fails,
    /// all processes but processor 0 are ended. A program with more than one thread cannot be forked:
    /// [`Failure::Start`].
    ///
    /// ```
    /// use cll_bsp::{Failure, Machine};
    ///
    /// let failure = Machine::processes(2).run(|bsp| {
    ///     if bsp.pid() == 1 {
    ///         std::process::abort();
    ///     }
    ///     bsp.sync();
    /// });
    /// let text = failure.unwrap_err().to_string();
    /// assert!(text.starts_with("processor 1 of 2: "), "{text}");
    /// assert!(text.contains("SIGABRT"), "{text}");
    /// ```
    ///
    /// # Panics
    /// If `processors` is 0.
    pub fn processes(processors: usize) -> Machine {
        assert!(processors > 0, "a machine has at least one processor");
        Machine { processors, kind: MachineKind::Processes }
    }

    /// The number of its processors.
    ///
    /// ```
    /// assert_eq!(cll_bsp::Machine::threads(3).processors(), 3);
    /// ```
    pub fn processors(&self) -> usize {
        self.processors
    }

    /// Runs a program on all processors. Returns its result on processor 0.
    ///
    /// If it panics on one of them, or misuses the machine, it is stopped on all: they unwind at their next
    /// call of the machine, and the failure names the processor and the reason.
    ///
    /// It costs l for the end, and the start: about 20 µs for a thread, 300 µs for a process.
    ///
    /// ```
    /// use cll_bsp::Machine;
    ///
    /// let failure = Machine::threads(2).run(|bsp| {
    ///     let area = bsp.area::<f64>(10);
    ///     bsp.sync();
    ///     if bsp.pid() == 1 {
    ///         bsp.put(0, &[1.0; 4], &area, 8);
    ///     }
    ///     bsp.sync();
    /// });
    /// let text = failure.unwrap_err().to_string();
    /// assert!(text.starts_with("processor 1 of 2: Bsp::put at "), "{text}");
    /// assert!(text.ends_with(
    ///     "offset 64 with 32 bytes reaches beyond the 80 bytes that processor 0 registered"
    /// ), "{text}");
    /// ```
    pub fn run<R>(&self, program: impl Fn(&mut Bsp) -> R + Sync) -> Result<R, Failure> {
        match self.kind {
            MachineKind::Threads => self.run_threads(&program),
            MachineKind::Processes => self.run_processes(&program),
        }
    }

    fn run_threads<R>(&self, program: &(impl Fn(&mut Bsp) -> R + Sync)) -> Result<R, Failure> {
        let mut slots = threads::slots(self.processors).map_err(Failure::Start)?.into_iter();
        let first = slots.next();
        std::thread::scope(|scope| {
            for slot in slots {
                let thread = std::thread::Builder::new().name(format!("bsp {}", slot.index()));
                // The results of the other processors are dropped here, where a panic in `drop` still is a
                // failure of the program.
                let work = move || drop(part(slot.enter(), |bsp| drop(program(bsp))));
                if let Err(error) = thread.spawn_scoped(scope, work) {
                    // Its slot is dropped, and that of processor 0: the machine is stopped.
                    return Err(Failure::Start(StartError::Spawn(self.processors, error)));
                }
            }
            let first = first.ok_or_else(|| Failure::from_stop(None, self.processors))?;
            part(first.enter(), program).map_err(|failed| self.failure(failed))
        })
    }

    fn run_processes<R>(&self, program: &(impl Fn(&mut Bsp) -> R + Sync)) -> Result<R, Failure> {
        flush();
        let member = processes::fork_from_host(self.processors).map_err(Failure::Start)?;
        let processor = member.begin(self.processors);
        if processor.pid() == 0 {
            return part(processor, program).map_err(|failed| self.failure(failed));
        }
        let status = i32::from(part(processor, |bsp| drop(program(bsp))).is_err());
        flush();
        // What the caller has registered for its own exit must not run in this process.
        // SAFETY: ends this process.
        unsafe { libc::_exit(status) }
    }

    fn failure(&self, failed: Box<Processor>) -> Failure {
        Failure::from_stop(failed.end_after_stop(), self.processors)
    }
}

/// A processor's part of the program. If the machine was stopped, returns the processor.
fn part<R>(processor: Processor, program: impl Fn(&mut Bsp) -> R) -> Result<R, Box<Processor>> {
    let mut bsp = Bsp::new(processor);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let result = program(&mut bsp);
        bsp.end();
        result
    }));
    outcome.map_err(|why| {
        let processor = bsp.into_processor();
        if !why.is::<Unwinding>() {
            processor.stop_because(&format!("panicked: {}", text_of(&*why)));
        }
        Box::new(processor)
    })
}

fn text_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("with a value that is not text")
}

/// Flushes output before a fork, so that it is written once and not by each process.
fn flush() {
    // If this fails, the program will see the error when it writes.
    let _ = std::io::stdout().flush();
    // SAFETY: all streams of C's.
    unsafe { libc::fflush(std::ptr::null_mut()) };
}
