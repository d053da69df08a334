//! Atomics that processors share, and futexes. With `--cfg loom` they are those of the model checker, which
//! tries every order that the memory model permits; the crate `model` has what it checks.

#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64, fence};
#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{AtomicU32, AtomicU64};

#[cfg(not(loom))]
pub(super) mod futex {
    use std::time::Duration;

    use rustix::thread::Timespec;
    use rustix::thread::futex::{self, Flags};

    use super::AtomicU32;

    /// Sleeps while the word has this value, at most for `longest`.
    pub fn sleep(word: &AtomicU32, value: u32, longest: Duration) {
        let time =
            Timespec { tv_sec: longest.as_secs() as _, tv_nsec: longest.subsec_nanos() as _ };
        // Woken, changed, timed out, a signal: in every case the caller reads the word again.
        let _ = futex::wait(word, Flags::empty(), value, Some(&time));
    }

    /// Wakes at most `count` sleepers.
    pub fn wake(word: &AtomicU32, count: u32) {
        let _ = futex::wake(word, Flags::empty(), count);
    }

    /// Wakes all sleepers.
    pub fn wake_all(word: &AtomicU32) {
        wake(word, i32::MAX as u32);
    }
}

/// Between the store "it is there" and the load "does anybody sleep?" no load may pass a store. The store is
/// made in every superstep, sleep is rare. So if the system can make the stores of all other threads visible
/// (`membarrier`), only the sleeper pays.
#[cfg(not(loom))]
pub(super) mod fences {
    use super::AtomicU64;
    use std::sync::atomic::{AtomicBool, Ordering::*, compiler_fence, fence};

    use rustix::thread::{MembarrierCommand, membarrier};

    /// Whether sleepers issue the barrier; otherwise each store does.
    static SLEEPERS: AtomicBool = AtomicBool::new(false);

    /// Called once in each participating process, before it stores anything. If the system refuses it in only
    /// one process, a sleeper there may be woken by its timeout instead.
    pub fn begin() {
        SLEEPERS.store(membarrier(MembarrierCommand::RegisterGlobalExpedited).is_ok(), Relaxed);
    }

    /// Stores, ordered before any later load.
    #[inline(always)]
    pub fn store(word: &AtomicU64, value: u64) {
        if SLEEPERS.load(Relaxed) {
            word.store(value, Release);
            compiler_fence(SeqCst);
        } else {
            word.swap(value, SeqCst);
        }
    }

    /// Called before sleep: stores of others become visible here, and stores made here become visible to them.
    pub fn see_all() {
        fence(SeqCst);
        if SLEEPERS.load(Relaxed) {
            let _ = membarrier(MembarrierCommand::GlobalExpedited);
        }
    }
}

/// The checker knows no `membarrier`.
#[cfg(loom)]
pub(super) mod fences {
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

/// As the system's, but without timeouts: a sleeper that is not woken sleeps for ever, and the checker reports
/// it.
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

    pub fn wake_all(word: &AtomicU32) {
        let mut condvars = BEDS.lock().unwrap();
        sleepers(&mut condvars, word).notify_all();
    }
}
