//! Functions that the system calls at the end of threads and of the program, and at forks; and whether this
//! process is a fork.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering::*};

use crate::abi::Thread;
use crate::message::Message;
use crate::sys;

const NO_KEY: u32 = u32::MAX;

/// The key whose destructor reports the end of a thread.
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

/// The functions that the system calls.
pub struct Callbacks {
    /// Called with the [`Thread`] that was passed to [`watch`], when that thread ends.
    pub thread_ends: unsafe extern "C" fn(*mut c_void),
    pub program_ends: extern "C" fn(),
    pub before_fork: extern "C" fn(),
    pub in_parent: extern "C" fn(),
    pub in_child: extern "C" fn(),
}

/// Registers all of them, once.
pub fn install(calls: &Callbacks) {
    let mut key = 0;
    // SAFETY: the functions exist as long as the process (the shared library is never unloaded).
    let installed = unsafe {
        let has_key = libc::pthread_key_create(&mut key, Some(calls.thread_ends)) == 0;
        if has_key {
            KEY.store(key, Release);
        }
        let forks = pthread_atfork(calls.before_fork, calls.in_parent, calls.in_child) == 0;
        has_key && forks && libc::atexit(calls.program_ends) == 0
    };
    if !installed {
        Message::new()
            .text(
                "no memory to register for the end of threads and processes; the trace will not have it",
            )
            .send();
    }
    mark();
}

/// The library is called when `thread`, the calling one, ends.
pub fn watch(thread: *mut Thread) {
    let key = KEY.load(Acquire);
    if key != NO_KEY {
        // SAFETY: the key is ours. An error means that the lane is lost when the thread ends.
        unsafe { libc::pthread_setspecific(key, thread.cast()) };
    }
}

/// Whether this process is a copy of the one that called [`install`]; `false` also for a child that shares its
/// memory (`vfork`), and if the system cannot report it.
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
