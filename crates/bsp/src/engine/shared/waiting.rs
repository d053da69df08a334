//! Waiting for another processor: polling, then `sched_yield`, then sleep in a futex.
//!
//! With no more processors than cores, the event is likely to come within a microsecond, and polling is quickest.
//! With more processors than cores, the awaited processor may need this core, so the core is yielded at once. A
//! longer wait sleeps, so that it takes no processor time; the processor that makes the event happen calls [`wake`].

use std::sync::atomic::Ordering::*;
use std::time::{Duration, Instant};

#[cfg(loom)]
use super::atomics::fence;
use super::atomics::{AtomicU32, futex, order};
use crate::engine::stop::Stopped;

/// How long a wait polls, yields and sleeps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// Polls before the core is yielded.
    looks: u32,
    /// How long to poll and yield in turn before the first sleep.
    yielding: Duration,
    /// How long one sleep lasts at most; then `check_others` is called.
    generation: Duration,
}

/// The number of cores of a machine whose processors compute in turns: a wait sleeps at once.
pub(crate) const NO_CORES: usize = 0;

/// The longest sleep of one of so many processors: together they wake some thousand times a second.
pub(crate) fn longest_sleep(processors: usize) -> Duration {
    Duration::from_millis(100 + processors as u64)
}

/// The longest sleep.
const LONGEST_SLEEP: Duration = Duration::from_millis(100);

/// Polls without a pause between them.
const EAGER: u32 = 100;

/// Yields with nothing but a poll in between: with many processors on few cores, little code and data stay in the
/// caches.
const BARE: u32 = 3;

impl Patience {
    /// Of a machine of so many processors on so many cores.
    pub fn of(processors: usize, cores: usize) -> Patience {
        if cfg!(loom) {
            return Patience { looks: 0, yielding: Duration::ZERO, generation: LONGEST_SLEEP };
        }
        if processors <= cores {
            return Patience {
                looks: 1500,
                yielding: Duration::from_micros(60),
                generation: LONGEST_SLEEP,
            };
        }
        match cores {
            NO_CORES => Patience {
                looks: 1,
                yielding: Duration::ZERO,
                generation: longest_sleep(processors),
            },
            // A round of all processors over the cores takes some 2 µs each.
            _ => {
                let yielding = Duration::from_micros(100 + 8 * processors as u64);
                Patience { looks: 0, yielding, generation: LONGEST_SLEEP }
            }
        }
    }
}

/// What a wait calls while the event has not come.
pub(crate) trait WaitHooks {
    /// Called when a wait begins, and before each poll.
    fn begins(&self) {}
    fn looks(&self) {}
    /// Called before the core is yielded for the first time: other processes may run for long then.
    fn yields_core(&self) {}
    /// Cache lines that are read next, when processor `from` has arrived: they are fetched meanwhile. Null: none.
    fn lines_to_fetch(&self, _from: usize) -> [*const u8; 3] {
        [std::ptr::null(); 3]
    }
    /// Whether the machine was stopped.
    fn is_stopped(&self) -> bool;
    /// Called by the last processor to arrive, before it releases the others.
    fn all_arrived(&self) {}
    /// Called after each long sleep: whether the processes that must run still run.
    fn check_others(&self);
    /// Called when a wait goes beyond polling, and when it is over.
    fn set_sleeping(&self, rests: bool);
    /// Called after a wait that went beyond polling, when the event has come.
    fn wait_has_ended(&self) -> Result<(), Stopped> {
        Ok(())
    }
}

/// Waits until `is_there` says that the event has come. All that wait for this event sleep on the futex `sleepers`;
/// whoever makes the event happen calls [`wake`] with it afterwards.
#[inline(always)]
pub(crate) fn wait(
    is_there: impl Fn() -> bool,
    sleepers: &AtomicU32,
    patience: Patience,
    hooks: &impl WaitHooks,
) -> Result<(), Stopped> {
    for _ in 0..EAGER.min(patience.looks) {
        if is_there() {
            return Ok(());
        }
    }
    wait_longer(&is_there, sleepers, patience, hooks)
}

/// Whether the event has come, or comes within some microseconds.
#[inline]
pub(crate) fn poll_shortly(is_there: impl Fn() -> bool) -> bool {
    /// Yields: the awaited processor may need the core.
    const YIELDS: usize = 16;
    let looks_again = |_| {
        std::hint::spin_loop();
        is_there()
    };
    let yields = |_| {
        std::thread::yield_now();
        is_there()
    };
    is_there() || (0..EAGER).any(looks_again) || (0..YIELDS).any(yields)
}

#[cold]
fn wait_longer(
    is_there: &dyn Fn() -> bool,
    sleepers: &AtomicU32,
    patience: Patience,
    hooks: &impl WaitHooks,
) -> Result<(), Stopped> {
    for _ in 0..patience.looks {
        if is_there() {
            return Ok(());
        }
        std::hint::spin_loop();
    }
    hooks.yields_core();
    if !patience.yielding.is_zero() {
        for _ in 0..BARE {
            std::thread::yield_now();
            if is_there() {
                return Ok(());
            }
        }
    }
    hooks.set_sleeping(true);
    // A program need not expect that a synchronisation changes it.
    let errno = errno();
    let outcome = rest(is_there, sleepers, patience, hooks).and_then(|()| hooks.wait_has_ended());
    set_errno(errno);
    // A processor of a stopped machine ends by itself; as a sleeper it is not killed before.
    if outcome.is_ok() {
        hooks.set_sleeping(false);
    }
    outcome
}

fn errno() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

fn set_errno(value: i32) {
    // SAFETY: the place is this thread's.
    unsafe { *libc::__errno_location() = value };
}

fn rest(
    is_there: &dyn Fn() -> bool,
    sleepers: &AtomicU32,
    patience: Patience,
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
        if begin.elapsed() >= patience.yielding {
            break;
        }
        std::thread::yield_now();
    }
    loop {
        let generation = sleepers.fetch_or(ASLEEP, Relaxed) | ASLEEP;
        // The counterpart of the order in `wake`: either that call sees the bit, or we see the event.
        order::see_all();
        // The bit stays set if we return now: others may sleep here, and a needless wake does no harm.
        if is_there() {
            return Ok(());
        }
        if hooks.is_stopped() {
            return Err(Stopped);
        }
        futex::sleep(sleepers, generation, patience.generation);
        // Poll before the bit is set again: `see_all` takes tens of microseconds.
        if is_there() {
            return Ok(());
        }
        hooks.check_others();
    }
}

/// The lowest bit of the futex: somebody may be asleep. The bits above count wakes, as a generation: `wake`
/// clears the bit and begins the next generation, so a processor that has set the bit but does not sleep yet finds
/// another value, and does not sleep, even if another one has set the bit again meanwhile.
const ASLEEP: u32 = 1;

/// Wakes all that sleep on this futex, if any do. The event was stored before, by
/// [`order::store`] or another operation that no later load passes.
#[inline]
pub(crate) fn wake(sleepers: &AtomicU32) {
    // The checker takes operations that are SeqCst for acquire and release alone, but knows fences.
    #[cfg(loom)]
    fence(SeqCst);
    let generation = sleepers.load(SeqCst);
    if generation & ASLEEP != 0 {
        wake_sleepers(sleepers, generation);
    }
}

#[cold]
fn wake_sleepers(sleepers: &AtomicU32, generation: u32) {
    // If another one has just begun the next generation, it may not have called the futex yet.
    let _ = sleepers.compare_exchange(generation, generation.wrapping_add(1), Release, Relaxed);
    futex::wake_all(sleepers);
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::cell::Cell;
    use std::sync::atomic::{AtomicBool, AtomicU64};

    use super::*;
    use crate::engine::shared::watch::Watch;

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
            // Long enough that a sleep ends by itself, which is an error to the system.
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(250));
                came.store(true, SeqCst);
                wake(&sleepers);
            });
            set_errno(7);
            wait(|| came.load(Acquire), &sleepers, Patience::of(2, 2), &Nothing).unwrap();
            assert_eq!(errno(), 7);
        });
    }
    struct Timed(Watch);

    impl WaitHooks for Timed {
        fn looks(&self) {
            self.0.look();
        }
        fn yields_core(&self) {
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
        let mut watch = Watch::default();
        watch.set(|| TICKS.load(Relaxed));
        watch.begin();
        let (timed, looks, sleepers) = (Timed(watch), Cell::new(0), AtomicU32::new(0));
        // It comes while our core is given away for the first time, and that takes long.
        let is_there = || {
            TICKS.fetch_add(1000, Relaxed);
            timed.looks();
            looks.set(looks.get() + 1);
            true
        };
        wait(is_there, &sleepers, Patience::of(2, 1), &timed).unwrap();
        assert_eq!((looks.get(), timed.0.take()), (1, 1000));
    }
}
