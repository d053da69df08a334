//! Runs the library's work at the end of threads and of the program, and at forks.

use std::cell::UnsafeCell;
use std::ffi::c_void;

use crate::abi;
use crate::critical_section::Inside;
use crate::hooks::{self, Callbacks};

use super::LIBRARY;

/// The argument of [`hooks::install`].
pub const CALLBACKS: Callbacks =
    Callbacks { thread_ends, program_ends, before_fork, in_parent, in_child };

unsafe extern "C" fn thread_ends(thread: *mut c_void) {
    let inside = Inside::enter();
    LIBRARY.lock(&inside).thread_ends(thread.cast());
}

extern "C" fn program_ends() {
    let inside = Inside::enter();
    LIBRARY.lock(&inside).exit();
}

/// Keeps the critical section of the library from before a fork to after it. Used while its lock is held.
struct Held(UnsafeCell<Option<Inside>>);

// SAFETY: see above.
unsafe impl Sync for Held {}

static FORK: Held = Held(UnsafeCell::new(None));

extern "C" fn before_fork() {
    let inside = Inside::enter();
    LIBRARY.acquire();
    // SAFETY: the lock is held.
    unsafe { *FORK.0.get() = Some(inside) };
}

extern "C" fn in_parent() {
    // SAFETY: the lock is held.
    let inside = unsafe { (*FORK.0.get()).take() };
    LIBRARY.release();
    drop(inside);
}

extern "C" fn in_child() {
    // SAFETY: the lock is held.
    let inside = unsafe { (*FORK.0.get()).take() };
    LIBRARY.release();
    if let Some(inside) = inside {
        hooks::memory_is_a_copy();
        // SAFETY: the thread is the calling one, and the only one.
        LIBRARY.lock(&inside).become_child(unsafe { &mut *abi::this_thread() });
    }
}
