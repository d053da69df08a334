//! The atomics through which processors meet, and the sleep on them. With `--cfg loom` they are the model
//! checker's, which tries every order that the memory model allows; `model` has what it checks.

#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64, fence};
#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{AtomicU32, AtomicU64};

#[cfg(not(loom))]
pub(super) mod futex {
    use super::AtomicU32;
    use std::time::Duration;

    /// Sleeps while the word has this value, at most so long.
    pub fn sleep(word: &AtomicU32, value: u32, longest: Duration) {
        let time =
            libc::timespec { tv_sec: longest.as_secs() as _, tv_nsec: longest.subsec_nanos() as _ };
        // SAFETY: word and time outlive the call. Errors (woken, changed, timed out, a signal) mean
        // the same: look again.
        unsafe {
            libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, value, &raw const time)
        };
    }

    /// Wakes all who sleep there.
    pub fn wake(word: &AtomicU32) {
        // SAFETY: the word outlives the call.
        unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, i32::MAX) };
    }
}

/// Between "it is there" and "does anybody sleep?" no load may pass a store. Who makes it come does so in every
/// superstep, who sleeps does so rarely: where the system can make all others' stores visible
/// (`membarrier`), only the sleeper pays.
#[cfg(not(loom))]
pub(super) mod order {
    use super::AtomicU64;
    use std::sync::atomic::{AtomicBool, Ordering::*, compiler_fence, fence};

    const GLOBAL_EXPEDITED: libc::c_int = 1 << 1;
    const REGISTER_GLOBAL_EXPEDITED: libc::c_int = 1 << 2;

    /// Whether sleepers see to it; else who stores does.
    static SLEEPERS: AtomicBool = AtomicBool::new(false);

    fn membarrier(command: libc::c_int) -> bool {
        // SAFETY: a plain system call.
        unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
    }

    /// Once in each process that takes part, before it stores anything. Should the system refuse it in
    /// one process alone, who sleeps there may be woken by time instead.
    pub fn begin() {
        SLEEPERS.store(membarrier(REGISTER_GLOBAL_EXPEDITED), Relaxed);
    }

    /// Stores, before any later load.
    #[inline(always)]
    pub fn store(word: &AtomicU64, value: u64) {
        if SLEEPERS.load(Relaxed) {
            word.store(value, Release);
            compiler_fence(SeqCst);
        } else {
            word.swap(value, SeqCst);
        }
    }

    /// For who is about to sleep: what others have stored can be seen, and they see what it has stored.
    pub fn see_all() {
        fence(SeqCst);
        if SLEEPERS.load(Relaxed) {
            membarrier(GLOBAL_EXPEDITED);
        }
    }
}

/// The checker knows no `membarrier`.
#[cfg(loom)]
pub(super) mod order {
    use super::{AtomicU64, fence};
    use loom::sync::atomic::Ordering::SeqCst;

    pub fn begin() {}

    pub fn store(word: &AtomicU64, value: u64) {
        word.swap(value, SeqCst);
    }

    pub fn see_all() {
        fence(SeqCst);
    }
}

/// As the system's, but that nobody is ever woken by time: who is not woken sleeps for ever, which the
/// checker finds.
#[cfg(loom)]
pub(super) mod futex {
    use std::collections::HashMap;
    use std::sync::Arc;
    use std::time::Duration;

    use loom::sync::atomic::Ordering::SeqCst;
    use loom::sync::{Condvar, Mutex};

    use super::AtomicU32;

    loom::lazy_static! {
        static ref BEDS: Mutex<HashMap<usize, Arc<Condvar>>> = Mutex::new(HashMap::new());
    }

    fn sleepers(condvars: &mut HashMap<usize, Arc<Condvar>>, word: &AtomicU32) -> Arc<Condvar> {
        condvars
            .entry(&raw const *word as usize)
            .or_insert_with(|| Arc::new(Condvar::new()))
            .clone()
    }

    pub fn sleep(word: &AtomicU32, value: u32, _: Duration) {
        let mut condvars = BEDS.lock().unwrap();
        if word.load(SeqCst) == value {
            let sleepers = sleepers(&mut condvars, word);
            drop(sleepers.wait(condvars).unwrap());
        }
    }

    pub fn wake(word: &AtomicU32) {
        let mut condvars = BEDS.lock().unwrap();
        sleepers(&mut condvars, word).notify_all();
    }
}
