//! The atomics through which processors meet, and the sleep on them. With `--cfg loom` they are the model
//! checker's, which tries every order that the memory model allows; `model` has what it checks.

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

    /// Sleeps while the word has this value, at most so long.
    pub fn sleep(word: &AtomicU32, value: u32, longest: Duration) {
        let time =
            Timespec { tv_sec: longest.as_secs() as _, tv_nsec: longest.subsec_nanos() as _ };
        // Woken, changed, timed out, a signal: in each case the caller reads the word again.
        let _ = futex::wait(word, Flags::empty(), value, Some(&time));
    }

    /// Wakes at most `count` of those who sleep there.
    pub fn wake(word: &AtomicU32, count: u32) {
        let _ = futex::wake(word, Flags::empty(), count);
    }

    /// Wakes all who sleep there.
    pub fn wake_all(word: &AtomicU32) {
        wake(word, i32::MAX as u32);
    }
}

/// Between "it is there" and "does anybody sleep?" no load may pass a store. Who makes it come does so in every
/// superstep, who sleeps does so rarely: where the system can make all others' stores visible
/// (`membarrier`), only the sleeper pays.
#[cfg(not(loom))]
pub(super) mod order {
    use super::AtomicU64;
    use std::sync::atomic::{AtomicBool, Ordering::*, compiler_fence, fence};

    use rustix::thread::{MembarrierCommand, membarrier};

    /// Whether sleepers see to it; else who stores does.
    static SLEEPERS: AtomicBool = AtomicBool::new(false);

    /// Once in each process that takes part, before it stores anything. Should the system refuse it in
    /// one process alone, who sleeps there may be woken by time instead.
    pub fn begin() {
        SLEEPERS.store(membarrier(MembarrierCommand::RegisterGlobalExpedited).is_ok(), Relaxed);
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
            let _ = membarrier(MembarrierCommand::GlobalExpedited);
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

    pub fn wake_all(word: &AtomicU32) {
        let mut condvars = BEDS.lock().unwrap();
        sleepers(&mut condvars, word).notify_all();
    }
}
