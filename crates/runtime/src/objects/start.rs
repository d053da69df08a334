//! Begin and end of machine objects.

use std::ffi::{c_char, c_int, c_void};
use std::mem::replace;
use std::sync::Once;

use cll_bsp::{Handle, Misuse};

use super::context::{Inside, Process, Stage, objects, stage};
use crate::bsp::call::Call;
use crate::bsp::copies;
use crate::bsp::environment::{self, Engine};
use crate::bsp::start::{by_lines, fork, join, log_of, set_processor, take_slot};
use crate::bsp::stop::{leave, stop, who};
use crate::{log, sys};

/// `bsplib_saveargs`.
///
/// # Safety
/// `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_pub_saveargs(
    _argc: *mut c_int,
    _argv: *mut *mut *mut c_char,
    _file: *const c_char,
    _line: c_int,
) {
}

/// `bsplib_init`.
///
/// # Safety
/// As `pub.h` says; `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_pub_init(
    _params: *const c_void,
    machine: *mut Handle,
    file: *const c_char,
    line: c_int,
) {
    // SAFETY: by the caller.
    let call = unsafe { Call::new("bsplib_init", file, line) };
    if !matches!(stage(), Stage::Before) {
        call.fail_with("it was called already", "call it once, at the beginning of main");
    }
    if machine.is_null() {
        call.must(Err(Misuse::NullPointer("the machine object")))
    }
    watch_the_end();
    let limit = environment::deadlock_limit(call);
    let mut thread = None;
    let forked = || {
        let member = fork(call, environment::processors(call));
        (member.maker(), member)
    };
    let (mut objects, others, maker) = match environment::engine(call) {
        Engine::Threads => {
            let slot = take_slot(call, environment::processors(call), None, true);
            thread = Some(sys::thread());
            let maker = slot.maker();
            (slot.enter_objects(), None, Some(maker))
        }
        Engine::Mpi(launcher) => (join(call, &launcher).begin_objects(), None, None),
        Engine::Virtual => {
            let settings = environment::virtually(call);
            let (maker, member) = forked();
            match member.begin_virtual_objects(&settings, log_of(maker)) {
                Ok((objects, others)) => (objects, Some(others), Some(maker)),
                // The processor that stopped the machine has given the reason.
                Err(_) => leave(),
            }
        }
        _ => {
            let (maker, member) = forked();
            let (objects, others) = member.begin_objects();
            (objects, Some(others), Some(maker))
        }
    };
    objects.set_deadlock_limit(limit);
    if environment::engine(call) != Engine::Virtual
        && let Some(log) = log::wanted(objects.root().pid())
    {
        objects.keep_log(log);
    }
    set_processor(objects.root().pid(), objects.root().nprocs(), maker);
    by_lines(objects.root().nprocs());
    // SAFETY: by the caller.
    unsafe { machine.write(objects.root()) };
    let process = Process { number: sys::pid(), thread, others };
    *stage() = Stage::Inside(Inside { objects, process });
}

/// `bsplib_done`.
///
/// # Safety
/// `file` is null or a string literal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cll_pub_finish(file: *const c_char, line: c_int) {
    // SAFETY: by the caller.
    let call = unsafe { Call::ending("bsplib_done", file, line) };
    call.must(objects(call).end(call.place));
    if let Stage::Inside(inside) = replace(stage(), Stage::Before) {
        *stage() = Stage::After(inside.process);
    }
}

unsafe extern "C" {
    fn on_exit(function: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
}

/// Once: an early end of the program ends all processors, and the end of the first one waits for the others.
fn watch_the_end() {
    static ONCE: Once = Once::new();
    crate::keep_loaded::keep_loaded();
    // SAFETY: the function exists as long as the process. Without memory for it the supervisor notices an early
    // end, with a less exact message.
    ONCE.call_once(|| unsafe {
        on_exit(program_ends, std::ptr::null_mut());
    });
}

/// `main` has returned in a copy of the program that is a thread.
pub fn returned() {
    match stage() {
        Stage::Before => Call::nowhere("bsplib_init").fail(
            "main has returned in one of the copies, and bsplib_init was not called there; every processor must \
             call it",
        ),
        Stage::Inside(_) => ended_early(BY_EXIT),
        Stage::After(_) => {}
    }
}

/// If processors are threads: the program is about to end at once, without exit handlers. After `bsplib_done`
/// the first processor waits for the others.
pub fn exits_at_once(name: &str) {
    match stage() {
        Stage::Inside(inside) if inside.process.is_thread_here() => {
            ended_early(&format!("by {name}()"))
        }
        Stage::After(process) if process.is_thread_here() => {
            copies::wait_for_others();
        }
        _ => {}
    }
}

const BY_EXIT: &str = "by exit() or at the end of main";

fn ended_early(how: &str) -> ! {
    stop(&format!(
        "cll: {}the program ended before bsplib_done, {how}\n  \
         help: every processor must call bsplib_done; bsp_abort ends all processors",
        who()
    ))
}

/// The program is about to end with this status.
extern "C" fn program_ends(status: c_int, _: *mut c_void) {
    match stage() {
        Stage::Inside(inside) if inside.process.is_here() => ended_early(BY_EXIT),
        Stage::After(process) if process.is_here() => {
            // The output of this process should not wait for the others. SAFETY: all streams.
            unsafe { libc::fflush(std::ptr::null_mut()) };
            let other = match (&process.others, process.thread) {
                (Some(others), _) => others.wait(),
                (None, Some(_)) => copies::wait_for_others(),
                (None, None) => None,
            };
            if let Some(other) = other
                && status == 0
            {
                // SAFETY: the remaining exit handlers of the program run, with this status.
                unsafe { libc::exit(other) };
            }
        }
        _ => {}
    }
}
