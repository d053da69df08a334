//! Begin and end of the parallel part.

use std::mem::replace;
use std::sync::atomic::Ordering::Relaxed;

use cll_bsp::log::Log;
use cll_bsp::mpi::Ranks;
use cll_bsp::processes::{self, Member};
use cll_bsp::threads::Slot;
use cll_bsp::{Maker, Processor, StartError};

use crate::critical_section::Inside;
use crate::library::LIBRARY;
use crate::message::Message;
use crate::mpi::{self, Failed, Launcher};
use crate::{gather, log, sys};

use super::call::Call;
use super::context::{How, ParallelPart, Spmd, Stage, Start, stage};
use super::copies;
use super::crew::{IS_AGAIN, is_a_copy};
use super::ending::watch_the_end;
use super::environment::{self, Engine};
use super::stop::{leave, location};

/// bsp_init. Returns in the processor that continues in `main`.
///
/// # Safety
/// `spmd` is a function of the program.
pub unsafe fn init(call: Call, spmd: Option<Spmd>) {
    match stage() {
        Stage::Before(None) | Stage::After { .. } => {}
        Stage::Before(Some(first)) => {
            call.fail(format_args!("it was called already{}", location(&first.place)))
        }
        Stage::Inside(_) => call.fail_with(
            "it is called after bsp_begin",
            "call it once for each parallel part, before its bsp_begin",
        ),
    }
    let Some(spmd) = spmd else {
        call.fail("the function with the parallel part is a null pointer")
    };
    may_begin_again(call, true);
    if environment::engine(call) == Engine::Threads {
        end_with_the_launcher();
        *stage() = Stage::Before(Some(Start { place: call.place, how: How::Threads(spmd) }));
        return;
    }
    let (stays, how) = match environment::engine(call) {
        Engine::Mpi(launcher) => {
            let ranks = join(call, &launcher);
            (ranks.index() == 0, How::Ranks(ranks))
        }
        _ => {
            let member = fork(call, environment::processors(call));
            (member.index() == 0, How::Processes(member))
        }
    };
    *stage() = Stage::Before(Some(Start { place: call.place, how }));
    if stays {
        return;
    }
    // SAFETY: by the caller.
    unsafe { spmd() };
    match replace(stage(), Stage::Before(None)) {
        Stage::Before(Some(Start { how: How::Processes(member), .. })) => {
            // If processor 0 does not begin either, this ends here.
            let processor = take_place(call, member, 1);
            *stage() = Stage::Inside(ParallelPart::new(processor, call.place, sys::pid()));
            call.fail("its function has returned without bsp_begin")
        }
        Stage::Before(Some(Start { how: How::Ranks(ranks), .. })) => {
            let processor = take_part(ranks, 1);
            *stage() = Stage::Inside(ParallelPart::new(processor, call.place, sys::pid()));
            call.fail("its function has returned without bsp_begin")
        }
        inside => {
            *stage() = inside;
            call.fail("its function has returned without bsp_end")
        }
    }
}

/// bsp_begin.
pub fn begin(call: Call, most: i64) {
    may_begin_again(call, false);
    let start = match replace(stage(), Stage::Before(None)) {
        Stage::Before(None) | Stage::After { .. } => match environment::engine(call) {
            Engine::Mpi(launcher) => {
                let how = How::Ranks(join(call, &launcher));
                Some(Start { place: call.place, how })
            }
            _ => None,
        },
        Stage::Before(start) => start,
        inside => {
            *stage() = inside;
            call.fail_with("it was called already", "bsp_end comes before another bsp_begin")
        }
    };
    // Variables of the other processors do not count.
    let decides = !copies::is_loaded()
        && match start.as_ref().map(|start| &start.how) {
            Some(How::Processes(member)) => member.index() == 0,
            Some(How::Ranks(ranks)) => ranks.index() == 0,
            _ => true,
        };
    if decides && most <= 0 {
        *stage() = Stage::Before(start);
        call.fail_with(
            format_args!("{most} processors"),
            "at least 1; bsp_begin(bsp_nprocs()) uses all available ones",
        );
    }
    let wanted = environment::processors(call).min(usize::try_from(most).unwrap_or(1));
    let in_threads = |spmd| {
        let slot = take_slot(call, wanted, spmd, false);
        (Some(slot.maker()), slot.enter(), Some(sys::thread()))
    };
    let in_processes =
        |member: Member| (Some(member.maker()), take_place(call, member, wanted), None);
    let (maker, processor, thread) = match start.map(|start| start.how) {
        Some(How::Processes(member)) => in_processes(member),
        Some(How::Ranks(ranks)) => (None, take_part(ranks, wanted), None),
        Some(How::Threads(spmd)) => in_threads(Some(spmd)),
        None if environment::engine(call) == Engine::Threads => in_threads(None),
        None => in_processes(fork(call, wanted)),
    };
    set_processor(processor.pid(), processor.nprocs(), maker);
    by_lines(processor.nprocs());
    *stage() = Stage::Inside(ParallelPart {
        thread,
        ..ParallelPart::new(processor, call.place, sys::pid())
    });
}

/// After a parallel part: checks that another one can begin, with bsp_init or without it.
fn may_begin_again(call: Call, by_init: bool) {
    if !matches!(stage(), Stage::After { .. }) {
        return;
    }
    match environment::engine(call) {
        Engine::Mpi(_) => call.fail_with(
            "a program that MPI has started can have only one parallel part, which has ended together with the other processes",
            "use --engine processes for several parallel parts, or make it one part with a bsp_sync in between",
        ),
        Engine::Threads if !by_init => call.fail_with(
            "if processors are threads, another parallel part begins with bsp_init",
            "call bsp_init with this function before it, or use --engine processes",
        ),
        Engine::Virtual => call.fail_with(
            "a program on virtual processors can have only one parallel part, whose time is predicted",
            "use --engine processes for several parallel parts, or make it one part with a bsp_sync in between",
        ),
        _ => {}
    }
    if !IS_AGAIN.swap(true, Relaxed) && log::is_wanted() {
        let text = "the log has only the first parallel part of this program";
        Message::new().text(text).send();
    }
}

unsafe extern "C" {
    fn cll_bsp_lines_mpi();
    fn cll_bsp_lines_begin();
    fn cll_bsp_lines_end();
}

/// From now on this processor's standard output is written by lines. Copies of the program share the stream of
/// the first.
pub fn by_lines(processors: usize) {
    if processors > 1 && !is_a_copy() {
        // SAFETY: no other thread uses the stream yet; if one does, it has a lock.
        unsafe { cll_bsp_lines_begin() };
    }
}

/// From now on samples belong to this processor of a machine.
pub fn set_processor(number: usize, count: usize, maker: Option<Maker>) {
    let engine = environment::engine(Call::nowhere("bsp_begin"));
    // Virtual processors run on the core of their turn.
    if engine != Engine::Virtual {
        environment::bind(number, count);
    }
    gather::is_processor();
    let inside = Inside::enter();
    LIBRARY.lock(&inside).set_processor(number, count, engine.name(), maker);
}

/// Returns the function that makes the log of a virtual processor: before it computes for the first time, but after its
/// number is known.
pub fn log_of(maker: Maker) -> impl FnOnce(usize, usize) -> Option<Box<dyn Log>> {
    move |number, count| {
        set_processor(number, count, Some(maker));
        log::wanted(number)
    }
}

/// The processor of a process.
fn take_place(call: Call, member: Member, wanted: usize) -> Processor {
    match environment::engine(call) {
        Engine::Virtual => {
            let settings = environment::virtually(call);
            let log = log_of(member.maker());
            member.begin_virtual(wanted, &settings, log).unwrap_or_else(|_| leave())
        }
        _ => member.begin(wanted),
    }
}

/// In a loaded copy its own slot; otherwise the first one of the slots that are made now.
pub fn take_slot(call: Call, wanted: usize, spmd: Option<Spmd>, for_objects: bool) -> Slot {
    match copies::enter(call, for_objects) {
        Some(slot) => slot,
        None => {
            watch_the_end();
            end_with_the_launcher();
            copies::start(call, wanted, spmd, for_objects)
        }
    }
}

/// bsp_end. Returns only in processor 0.
pub fn end(call: Call) {
    let part = call.part();
    let (pid, nprocs) = (part.processor.pid(), part.processor.nprocs());
    let is_thread = part.thread.is_some();
    call.must(part.processor.end(call.place));
    *stage() = Stage::After { nprocs };
    if pid > 0 && is_thread {
        copies::leave();
    }
    if pid > 0 {
        // SAFETY: the exit handlers of the program run, as in every process that ends.
        unsafe { libc::exit(0) };
    }
    // SAFETY: as in `by_lines`.
    unsafe { cll_bsp_lines_end() };
}

/// bsp_nprocs.
pub fn nprocs() -> usize {
    match stage() {
        Stage::Before(_) => environment::processors(Call::nowhere("bsp_nprocs")),
        Stage::Inside(part) => part.processor.nprocs(),
        Stage::After { nprocs } => *nprocs,
    }
}

/// Waits for all processors without ending the superstep. Does nothing outside the parallel part.
pub fn meet() {
    if let Stage::Inside(part) = stage() {
        let call = Call::nowhere("sync");
        call.must(part.processor.barrier(call.place));
    }
}

/// Begins MPI.
pub fn join(call: Call, launcher: &Launcher) -> Ranks {
    watch_the_end();
    // SAFETY: it reads the state of the stream.
    unsafe { cll_bsp_lines_mpi() };
    // SAFETY: the table of a library that stays loaded.
    let begun = |table| unsafe { gather::begins(table) };
    let ranks = match mpi::begin(launcher, gather::cll_mpi_ends, begun) {
        Ok(ranks) => ranks,
        Err(Failed::NoMpi(none)) => call.fail_with(none.what, &none.help),
        Err(Failed::Start(StartError::Stopped)) => leave(),
        Err(Failed::Start(error)) => call.fail(error),
    };
    if ranks.index() > 0 {
        give_up_input();
    }
    ranks
}

/// The processor of this process; a process that is not a processor ends here, when the others do.
fn take_part(ranks: Ranks, wanted: usize) -> Processor {
    match ranks.begin(wanted) {
        Ok(Some(processor)) => processor,
        // SAFETY: the exit handlers of the program run, as in every process that ends.
        Ok(None) => unsafe { libc::exit(0) },
        Err(_) => leave(),
    }
}

/// Starts `count` processes; returns in all of them.
pub fn fork(call: Call, count: usize) -> Member {
    watch_the_end();
    end_with_the_launcher();
    // SAFETY: all streams. Otherwise each process would write what is in their buffers.
    unsafe { libc::fflush(std::ptr::null_mut()) };
    let member = match processes::fork(count) {
        Ok(member) => member,
        Err(error) => call.fail(error),
    };
    if member.index() > 0 {
        give_up_input();
    }
    member
}

unsafe extern "C" {
    static stdin: *mut libc::FILE;
    fn __fpurge(stream: *mut libc::FILE);
}

/// The standard input belongs to processor 0. The other processes also discard what they have read ahead;
/// otherwise each of them would move the file position back when it ends.
fn give_up_input() {
    // SAFETY: the stream of C, which nobody else uses in this process yet; plain system calls.
    unsafe {
        __fpurge(stdin);
        let nothing = libc::open(c"/dev/null".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
        if nothing > 0 {
            libc::dup2(nothing, 0);
            libc::close(nothing);
        }
    }
}

/// If `cll run` is killed, so is this process, and then all others are ended.
fn end_with_the_launcher() {
    let Some(launcher) = sys::setting_or_none(&cll_contract::LAUNCHER) else { return };
    // A program that the launched program starts is not bound to the launcher.
    if launcher == sys::parent_pid() {
        // SAFETY: a plain system call.
        unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
        if launcher != sys::parent_pid() {
            leave();
        }
    }
}
