//! Waiting for a condition that another processor makes true.
//!
//! A wait has three stages. [`WaitPolicy`] determines how long each lasts.
//! 1. Spin: poll the condition. With a core for each processor the condition usually becomes true within a microsecond.
//!    With more processors than cores this stage is left out: the awaited processor may need this core.
//! 2. Yield: call `sched_yield` between polls.
//! 3. Sleep in a futex: this takes no processor time. A sleep ends after `WaitPolicy::sleep_limit` at the latest. The
//!    sleeper then checks that the machine was not stopped and that the other processes are alive, and sleeps again.
//!
//! All processors that wait for a condition sleep on the same futex word, `sleepers`. The processor that makes the
//! condition true stores the condition first, and then calls [`wake`] with that word.
//!
//! # The futex word
//!
//! The lowest bit, [`ASLEEP`], is set while a processor sleeps or is about to. The bits above it count the wake-ups:
//! they are a generation number.
//! - A sleeper sets the bit, polls the condition once more, and calls the futex with the value of the word. The futex
//!   sleeps only while the word has that value.
//! - `wake` does nothing if the bit is clear. If it is set, `wake` adds 1 to the word: that clears the bit and begins
//!   the next generation. Then it wakes all sleepers.
//!
//! So no wake-up is lost. If `wake` runs between the last poll and the futex call, the word has changed, and the futex
//! returns immediately. The bit alone would not be enough: after `wake` a second sleeper may set it again, before the
//! first one calls the futex. Then the bit has the value that the first one expects, but the generation has changed.

use std::sync::atomic::Ordering::*;
use std::time::{Duration, Instant};

#[cfg(loom)]
use super::atomics::fence;
use super::atomics::{AtomicU32, fences, futex};
use crate::engine::stop::Stopped;

/// How long the stages of a wait last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WaitPolicy {
    /// Number of polls before the first yield, in addition to the first [`SPINS_WITHOUT_PAUSE`]. 0: no poll before it.
    spins: u32,
    /// How long to poll with a yield between polls, before the first sleep.
    yielding: Duration,
    /// How long one sleep lasts at most. After each sleep `check_others` is called.
    sleep_limit: Duration,
}

/// A value in place of the number of cores. It means that the processors are virtual and compute in turns. Then a wait
/// sleeps almost immediately.
pub(crate) const IN_TURNS: usize = 0;

/// The longest sleep of one of `processors` virtual processors. The limit grows with their number, so that all together
/// wake up at most some thousand times per second.
pub(crate) fn sleep_limit_for(processors: usize) -> Duration {
    Duration::from_millis(100 + processors as u64)
}

/// How long a processor that is not virtual sleeps at most.
const SLEEP_LIMIT: Duration = Duration::from_millis(100);

/// Number of polls at the beginning without a `spin_loop` instruction between them.
const SPINS_WITHOUT_PAUSE: u32 = 100;

/// Number of yields at the beginning without a reading of the clock between them. With many processors on few cores,
/// a processor that is scheduled finds little of its code and data in the caches. So these yields use little of both.
const YIELDS_WITHOUT_CLOCK: u32 = 3;

impl WaitPolicy {
    /// The policy for a machine of `processors` on `cores`, which may be [`IN_TURNS`].
    pub fn new(processors: usize, cores: usize) -> WaitPolicy {
        if cfg!(loom) {
            return WaitPolicy { spins: 0, yielding: Duration::ZERO, sleep_limit: SLEEP_LIMIT };
        }
        if processors <= cores {
            return WaitPolicy {
                spins: 1500,
                yielding: Duration::from_micros(60),
                sleep_limit: SLEEP_LIMIT,
            };
        }
        match cores {
            IN_TURNS => WaitPolicy {
                spins: 1,
                yielding: Duration::ZERO,
                sleep_limit: sleep_limit_for(processors),
            },
            // The scheduler needs about 2 µs for each processor to run all of them once.
            _ => {
                let yielding = Duration::from_micros(100 + 8 * processors as u64);
                WaitPolicy { spins: 0, yielding, sleep_limit: SLEEP_LIMIT }
            }
        }
    }
}

/// Functions that a wait calls. [`wait`] calls `before_yield`, `is_stopped`, `check_others`, `set_sleeping` and
/// `after_wait`; the barrier calls the others.
pub(crate) trait WaitHooks {
    /// Called before the first poll of a wait.
    fn begins(&self) {}
    /// Called before each poll.
    fn before_poll(&self) {}
    /// Called before the core is yielded for the first time. Other processes may run for a long time then.
    fn before_yield(&self) {}
    /// Cache lines that will be read when processor `from` has arrived. They are prefetched before each poll. Null
    /// pointers: there are none.
    fn lines_to_prefetch(&self, _from: usize) -> [*const u8; 3] {
        [std::ptr::null(); 3]
    }
    /// Whether the machine was stopped.
    fn is_stopped(&self) -> bool;
    /// Called at a barrier by the processor that arrives last, before it releases the others.
    fn all_arrived(&self) {}
    /// Called after each sleep: checks that the processes of the machine are alive. Stops the machine if one is not.
    fn check_others(&self);
    /// Called with true if the first polls and yields of a wait were without success, and with false when that wait is
    /// over. After a stop it is not called with false.
    fn set_sleeping(&self, is_sleeping: bool);
    /// Called after a wait that yielded or slept, when the condition is true.
    fn after_wait(&self) -> Result<(), Stopped> {
        Ok(())
    }
}

/// Waits until `is_there` returns true. `sleepers` is the futex word of this condition.
///
/// # Errors
/// If the machine was stopped.
#[inline(always)]
pub(crate) fn wait(
    is_there: impl Fn() -> bool,
    sleepers: &AtomicU32,
    policy: WaitPolicy,
    hooks: &impl WaitHooks,
) -> Result<(), Stopped> {
    for _ in 0..SPINS_WITHOUT_PAUSE.min(policy.spins) {
        if is_there() {
            return Ok(());
        }
    }
    wait_longer(&is_there, sleepers, policy, hooks)
}

/// Whether the condition is true, or becomes true within some microseconds. Does not sleep.
#[inline]
pub(crate) fn poll_shortly(is_there: impl Fn() -> bool) -> bool {
    /// Number of polls with a yield before each: the awaited processor may need the core.
    const YIELDS: usize = 16;
    let looks_again = |_| {
        std::hint::spin_loop();
        is_there()
    };
    let yields = |_| {
        std::thread::yield_now();
        is_there()
    };
    is_there() || (0..SPINS_WITHOUT_PAUSE).any(looks_again) || (0..YIELDS).any(yields)
}

#[cold]
fn wait_longer(
    is_there: &dyn Fn() -> bool,
    sleepers: &AtomicU32,
    policy: WaitPolicy,
    hooks: &impl WaitHooks,
) -> Result<(), Stopped> {
    for _ in 0..policy.spins {
        if is_there() {
            return Ok(());
        }
        std::hint::spin_loop();
    }
    hooks.before_yield();
    if !policy.yielding.is_zero() {
        for _ in 0..YIELDS_WITHOUT_CLOCK {
            std::thread::yield_now();
            if is_there() {
                return Ok(());
            }
        }
    }
    hooks.set_sleeping(true);
    // The futex changes `errno`. A program does not expect that a synchronisation changes it.
    let errno = errno();
    let outcome =
        yield_then_sleep(is_there, sleepers, policy, hooks).and_then(|()| hooks.after_wait());
    set_errno(errno);
    // After a stop this processor stays marked as sleeping. The supervisor sends SIGTERM only to processors that are
    // not marked: this one returns an error and ends without a signal.
    if outcome.is_ok() {
        hooks.set_sleeping(false);
    }
    outcome
}

fn errno() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

fn set_errno(value: i32) {
    // SAFETY: each thread has an `errno` of its own.
    unsafe { *libc::__errno_location() = value };
}

fn yield_then_sleep(
    is_there: &dyn Fn() -> bool,
    sleepers: &AtomicU32,
    policy: WaitPolicy,
    hooks: &impl WaitHooks,
) -> Result<(), Stopped> {
    let begin = Instant::now();
    loop {
        if is_there() {
            return Ok(());
        }
        if hooks.is_stopped() {
            return Err(Stopped);
        }
        if begin.elapsed() >= policy.yielding {
            break;
        }
        std::thread::yield_now();
    }
    loop {
        let generation = sleepers.fetch_or(ASLEEP, Relaxed) | ASLEEP;
        // The bit is stored before the next poll loads the condition; `wake` loads the word after the condition was
        // stored. So either `wake` sees the bit, or this poll sees the condition.
        fences::see_all();
        // On a return here the bit stays set: others may sleep on this word. A needless wake-up does no harm.
        if is_there() {
            return Ok(());
        }
        if hooks.is_stopped() {
            return Err(Stopped);
        }
        futex::sleep(sleepers, generation, policy.sleep_limit);
        // Poll here, so that a successful wait does not need the next `see_all`, which takes tens of microseconds.
        if is_there() {
            return Ok(());
        }
        hooks.check_others();
    }
}

/// The lowest bit of the futex word: a processor sleeps on it, or may be about to.
const ASLEEP: u32 = 1;

/// Wakes all processors that sleep on this futex word. Before, the caller must have stored the condition, with
/// [`fences::store`] or another operation that is not reordered with later loads.
#[inline]
pub(crate) fn wake(sleepers: &AtomicU32) {
    // Loom treats SeqCst operations as acquire and release only, but it models fences.
    #[cfg(loom)]
    fence(SeqCst);
    let generation = sleepers.load(SeqCst);
    if generation & ASLEEP != 0 {
        wake_sleepers(sleepers, generation);
    }
}

#[cold]
fn wake_sleepers(sleepers: &AtomicU32, generation: u32) {
    // The exchange fails if another call of `wake` has begun the next generation already. That call may not have woken
    // the sleepers yet, so this call wakes them even then.
    let _ = sleepers.compare_exchange(generation, generation.wrapping_add(1), Release, Relaxed);
    futex::wake_all(sleepers);
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::cell::Cell;
    use std::sync::atomic::{AtomicBool, AtomicU64};

    use super::*;
    use crate::engine::shared::wait_timer::WaitTimer;

    struct Nothing;

    impl WaitHooks for Nothing {
        fn is_stopped(&self) -> bool {
            false
        }
        fn check_others(&self) {}
        fn set_sleeping(&self, _: bool) {}
    }

    #[test]
    fn long_sleep_leaves_errno_as_it_was() {
        let (came, sleepers) = (AtomicBool::new(false), AtomicU32::new(0));
        std::thread::scope(|scope| {
            // Long enough that a sleep ends at its limit, which the system reports as an error.
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(250));
                came.store(true, SeqCst);
                wake(&sleepers);
            });
            set_errno(7);
            wait(|| came.load(Acquire), &sleepers, WaitPolicy::new(2, 2), &Nothing).unwrap();
            assert_eq!(errno(), 7);
        });
    }
    struct Timed(WaitTimer);

    impl WaitHooks for Timed {
        fn before_poll(&self) {
            self.0.poll();
        }
        fn before_yield(&self) {
            self.0.pause();
        }
        fn is_stopped(&self) -> bool {
            false
        }
        fn check_others(&self) {}
        fn set_sleeping(&self, _: bool) {}
    }

    #[test]
    fn what_others_compute_on_our_core_is_waited() {
        static TICKS: AtomicU64 = AtomicU64::new(0);
        let mut timer = WaitTimer::default();
        timer.set(|| TICKS.load(Relaxed));
        timer.begin();
        let (timed, polls, sleepers) = (Timed(timer), Cell::new(0), AtomicU32::new(0));
        // The condition becomes true during the first yield, which takes long.
        let is_there = || {
            TICKS.fetch_add(1000, Relaxed);
            timed.before_poll();
            polls.set(polls.get() + 1);
            true
        };
        wait(is_there, &sleepers, WaitPolicy::new(2, 1), &timed).unwrap();
        assert_eq!((polls.get(), timed.0.take()), (1, 1000));
    }
}
