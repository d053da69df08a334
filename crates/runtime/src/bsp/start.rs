//! Begin and end of the parallel part.

use std::ffi::c_int;
use std::mem::replace;
use std::sync::Once;

use cll_bsp::processes::{self, Member};

use crate::sys;

use super::call::Call;
use super::context::{Part, Stage, Start, stage};
use super::environment;
use super::stop::{at, leave, stop, who};

/// The function that has bsp_begin and bsp_end.
pub type Spmd = unsafe extern "C" fn();

/// bsp_init. Returns in the processor that goes on in `main`.
///
/// # Safety
/// `spmd` is the program's.
pub unsafe fn init(call: Call, spmd: Option<Spmd>) {
    match stage() {
        Stage::Before(None) => {}
        Stage::Before(Some(first)) => {
            call.fail(format_args!("it was called already{}", at(&first.place)))
        }
        Stage::Inside(_) | Stage::After { .. } => call
            .fail_with("it comes after bsp_begin", "call it once, as the first statement of main"),
    }
    let Some(spmd) = spmd else {
        call.fail("the function with the parallel part is a null pointer")
    };
    let member = fork(call, environment::processors(call));
    let stays = member.index() == 0;
    *stage() = Stage::Before(Some(Start { place: call.place, member }));
    if stays {
        return;
    }
    // SAFETY: by the caller.
    unsafe { spmd() };
    match replace(stage(), Stage::Before(None)) {
        Stage::Before(Some(start)) => {
            // If processor 0 does not begin either, this ends here.
            let processor = start.member.begin(1);
            *stage() = Stage::Inside(Part::new(processor, call.place, sys::pid()));
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
    let start = match replace(stage(), Stage::Before(None)) {
        Stage::Before(start) => start,
        again => {
            *stage() = again;
            call.fail_with("it was called already", "a program has one parallel part")
        }
    };
    // What the others have in their variables counts for nothing.
    let decides = start.as_ref().is_none_or(|start| start.member.index() == 0);
    if decides && most <= 0 {
        call.fail_with(
            format_args!("{most} processors"),
            "at least 1; bsp_begin(bsp_nprocs()) takes all there are",
        );
    }
    let wanted = environment::processors(call).min(usize::try_from(most).unwrap_or(1));
    let member = match start {
        Some(start) => start.member,
        None => fork(call, wanted),
    };
    let processor = member.begin(wanted);
    *stage() = Stage::Inside(Part::new(processor, call.place, sys::pid()));
}

/// bsp_end. Returns in processor 0 alone.
pub fn end(call: Call) {
    let part = call.part();
    let (pid, nprocs) = (part.processor.pid(), part.processor.nprocs());
    call.must(part.processor.end(call.place));
    *stage() = Stage::After { nprocs };
    if pid > 0 {
        // SAFETY: the program's own functions at exit run, as in every process that ends.
        unsafe { libc::exit(0) };
    }
}

/// bsp_nprocs.
pub fn nprocs() -> usize {
    match stage() {
        Stage::Before(_) => environment::processors(Call::nowhere("bsp_nprocs")),
        Stage::Inside(part) => part.processor.nprocs(),
        Stage::After { nprocs } => *nprocs,
    }
}

fn fork(call: Call, count: usize) -> Member {
    environment::check_engine(call);
    watch_the_end();
    end_with_the_launcher();
    // SAFETY: all streams. What is in their buffers would be written by each process.
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

/// The standard input is processor 0's. What the others had read ahead of it is forgotten, too:
/// else each of them would, when it ends, move the file back to where it stands itself.
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
    let named = sys::variable(c"CLL_LAUNCHER").and_then(|text| std::str::from_utf8(text).ok());
    let Some(launcher) = named.and_then(|text| text.parse::<u32>().ok()) else { return };
    // A program that the launched one starts is not the launcher's.
    if launcher == sys::parent_pid() {
        // SAFETY: a plain system call.
        unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
        if launcher != sys::parent_pid() {
            leave();
        }
    }
}

/// Once: a panic, and the program's end before its time, end all processors.
fn watch_the_end() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            stop(&format!("cll: {}error in the library: {panic}", who()))
        }));
        // SAFETY: the function lives as long as the process. Without memory for it the end of
        // the process is seen from outside, with a less exact message.
        unsafe { atexit(program_ends) };
    });
}

unsafe extern "C" {
    fn atexit(function: extern "C" fn()) -> c_int;
}

extern "C" fn program_ends() {
    let Stage::Inside(part) = stage() else { return };
    if part.process != sys::pid() {
        return;
    }
    stop(&format!(
        "cll: {}the program ended before bsp_end, by exit() or at the end of main; its last \
         synchronisation was{}\n  help: every processor must call bsp_end; bsp_abort ends all \
         processors",
        who(),
        at(&part.last_sync)
    ));
}
