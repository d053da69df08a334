//! Where the library is called by the system: the end of threads and of the program, forks.

use std::cell::UnsafeCell;
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering::*};

use crate::abi::{self, Thread};
use crate::guard::Inside;
use crate::library::LIBRARY;
use crate::message::Message;
use crate::sys;

const NO_KEY: u32 = u32::MAX;

/// Whose destructor tells that a thread ends.
static KEY: AtomicU32 = AtomicU32::new(NO_KEY);
/// A page that is 1 in this process and 0 in a copy of it.
static MARK: AtomicPtr<u32> = AtomicPtr::new(std::ptr::null_mut());

unsafe extern "C" {
    fn pthread_atfork(
        prepare: extern "C" fn(),
        parent: extern "C" fn(),
        child: extern "C" fn(),
    ) -> c_int;
}

/// Asks the system for all of them, once.
pub fn install() {
    let mut key = 0;
    // SAFETY: the functions live as long as the process (the shared library is never unloaded).
    let installed = unsafe {
        let made = libc::pthread_key_create(&mut key, Some(thread_ends)) == 0;
        if made {
            KEY.store(key, Release);
        }
        let forks = pthread_atfork(before_fork, in_parent, in_child) == 0;
        made && forks && libc::atexit(program_ends) == 0
    };
    if !installed {
        Message::new()
            .text(
                "no memory to be told of the end of threads and processes; the trace will lack it",
            )
            .send();
    }
    mark();
}

/// The library is to be told when `thread`, the calling one, ends.
pub fn watch(thread: *mut Thread) {
    let key = KEY.load(Acquire);
    if key != NO_KEY {
        // SAFETY: the key is ours. An error means that the lane is lost when the thread ends.
        unsafe { libc::pthread_setspecific(key, thread.cast()) };
    }
}

/// Whether this process is a copy of the one that called [`install`]; `false` also for a child
/// that shares its memory (`vfork`), and where the system cannot tell.
pub fn memory_is_a_copy() -> bool {
    let mark = MARK.load(Acquire);
    // SAFETY: the page is never unmapped.
    let copied = !mark.is_null() && unsafe { mark.read_volatile() } == 0;
    if copied {
        set(mark);
    }
    copied
}

fn mark() {
    let Ok(page) = sys::pages(sys::PAGE) else { return };
    // SAFETY: our own page.
    if unsafe { libc::madvise(page.cast(), sys::PAGE, libc::MADV_WIPEONFORK) } == 0 {
        set(page.cast());
        MARK.store(page.cast(), Release);
    }
}

fn set(mark: *mut u32) {
    // SAFETY: our own page.
    unsafe { mark.write_volatile(1) };
}

extern "C" fn thread_ends(thread: *mut c_void) {
    let inside = Inside::enter();
    LIBRARY.lock(&inside).thread_ends(thread.cast());
}

extern "C" fn program_ends() {
    let inside = Inside::enter();
    LIBRARY.lock(&inside).exit();
}

/// What keeps the library entered from before a fork to after it. Used while its lock is held.
struct Held(UnsafeCell<Option<Inside>>);

// SAFETY: as said of it.
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
        memory_is_a_copy();
        // SAFETY: the thread is the calling one, and the only one.
        LIBRARY.lock(&inside).become_child(unsafe { &mut *abi::this_thread() });
    }
}
