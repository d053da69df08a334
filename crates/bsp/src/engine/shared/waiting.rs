//! Waiting for another processor: a short look, then giving way, then sleep.
//!
//! While processors are no more than cores, what is waited for is likely to come within a
//! microsecond: looking again is quickest. With more processors than cores the one that is waited for
//! may need our core: it is given away at once. Who waits longer sleeps, so that waiting costs no
//! processor time, and is woken by a futex.

use std::sync::atomic::Ordering::*;
use std::time::{Duration, Instant};

#[cfg(loom)]
use super::atomics::fence;
use super::atomics::{AtomicU32, futex, order};
use crate::engine::stop::Stopped;

/// How patient a wait is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// Looks before the core is given away.
    looks: u32,
    /// How long to go on giving it away before sleep.
    yielding: Duration,
    /// How long to sleep before a look around.
    night: Duration,
}

/// Of how many cores a machine is that computes in turns: who waits sleeps at once.
pub(crate) const NO_CORES: usize = 0;

/// Sleep between two looks of one of so many processors: together they look some thousand times a second.
pub(crate) fn a_night(processors: usize) -> Duration {
    Duration::from_millis(100 + processors as u64)
}

/// Sleep between two looks around.
const NIGHT: Duration = Duration::from_millis(100);

/// Looks without a pause between them.
const EAGER: u32 = 100;

/// Times that the core is given away with nothing but a look in between: of many processors on few cores each
/// finds in the caches only what it has just used.
const BARE: u32 = 3;

impl Patience {
    /// Of a machine of so many processors on so many cores.
    pub fn of(processors: usize, cores: usize) -> Patience {
        if cfg!(loom) {
            return Patience { looks: 0, yielding: Duration::ZERO, night: NIGHT };
        }
        if processors <= cores {
            return Patience { looks: 1500, yielding: Duration::from_micros(60), night: NIGHT };
        }
        match cores {
            NO_CORES => Patience { looks: 1, yielding: Duration::ZERO, night: a_night(processors) },
            // A round of all processors over the cores takes some 2 µs each.
            _ => {
                let yielding = Duration::from_micros(100 + 8 * processors as u64);
                Patience { looks: 0, yielding, night: NIGHT }
            }
        }
    }
}

/// What a wait looks at besides that for which it waits.
pub(crate) trait Outlook {
    /// Called at the begin of a wait, and before each look whether it is over.
    fn begins(&self) {}
    fn looks(&self) {}
    /// Called before the core is given away for the first time: others may compute for long in there.
    fn gives_way(&self) {}
    /// Lines of memory that will be wanted when this processor has come, for which is waited; null: none.
    fn expects(&self, _from: usize) -> [*const u8; 3] {
        [std::ptr::null(); 3]
    }
    /// Whether the machine was stopped.
    fn is_stopped(&self) -> bool;
    /// Called where the last to arrive releases all, by this one, before.
    fn all_are_here(&self) {}
    /// Called a few times a second during long sleep: whoever else ought to be alive.
    fn look_around(&self);
    /// Called when it waits for longer than some looks, and when that is over.
    fn rests(&self, rests: bool);
    /// Called after a wait of more than some looks, when what was waited for has come.
    fn resumes(&self) -> Result<(), Stopped> {
        Ok(())
    }
}

/// Waits until it is there. `bed` is where all sleep that wait for this; who makes it
/// come calls [`wake`] afterwards.
#[inline(always)]
pub(crate) fn wait(
    is_there: impl Fn() -> bool,
    bed: &AtomicU32,
    patience: Patience,
    outlook: &impl Outlook,
) -> Result<(), Stopped> {
    for _ in 0..EAGER.min(patience.looks) {
        if is_there() {
            return Ok(());
        }
    }
    wait_longer(&is_there, bed, patience, outlook)
}

/// Whether it is there, or comes within some microseconds.
#[inline]
pub(crate) fn glance(is_there: impl Fn() -> bool) -> bool {
    /// Times that the core is given away: what is waited for may need it.
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
    bed: &AtomicU32,
    patience: Patience,
    outlook: &impl Outlook,
) -> Result<(), Stopped> {
    for _ in 0..patience.looks {
        if is_there() {
            return Ok(());
        }
        std::hint::spin_loop();
    }
    outlook.gives_way();
    if !patience.yielding.is_zero() {
        for _ in 0..BARE {
            std::thread::yield_now();
            if is_there() {
                return Ok(());
            }
        }
    }
    outlook.rests(true);
    // A program need not expect that a synchronisation changes it.
    let errno = errno();
    let outcome = rest(is_there, bed, patience, outlook).and_then(|()| outlook.resumes());
    set_errno(errno);
    // Once stopped it ends by itself, and is left in peace meanwhile.
    if outcome.is_ok() {
        outlook.rests(false);
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
    bed: &AtomicU32,
    patience: Patience,
    outlook: &impl Outlook,
) -> Result<(), Stopped> {
    let begin = Instant::now();
    loop {
        if is_there() {
            return Ok(());
        }
        if outlook.is_stopped() {
            return Err(Stopped);
        }
        if begin.elapsed() >= patience.yielding {
            break;
        }
        std::thread::yield_now();
    }
    loop {
        let night = bed.fetch_or(ASLEEP, Relaxed) | ASLEEP;
        // Against the order in `wake`: either it sees us asleep, or we see what came.
        order::see_all();
        // It stays so if we go now: others may sleep here, and to be woken in vain does no harm.
        if is_there() {
            return Ok(());
        }
        if outlook.is_stopped() {
            return Err(Stopped);
        }
        futex::sleep(bed, night, patience.night);
        // Before all that would make another night possible: others' stores made visible take tens of microseconds.
        if is_there() {
            return Ok(());
        }
        outlook.look_around();
    }
}

/// A bed counts the nights in it, twice; this bit says that somebody may be asleep. Who was to be woken
/// but has not slept yet does not sleep then, even if another has lain down meanwhile: that is another
/// night.
const ASLEEP: u32 = 1;

/// Wakes who sleeps there, if anybody does. What it waits for was stored before, by
/// [`order::store`] or another operation that no later load passes.
#[inline]
pub(crate) fn wake(bed: &AtomicU32) {
    // The checker takes operations that are SeqCst for acquire and release alone, but knows fences.
    #[cfg(loom)]
    fence(SeqCst);
    let night = bed.load(SeqCst);
    if night & ASLEEP != 0 {
        rouse(bed, night);
    }
}

#[cold]
fn rouse(bed: &AtomicU32, night: u32) {
    // If another has just ended this night, it may not have woken them yet.
    let _ = bed.compare_exchange(night, night.wrapping_add(1), Release, Relaxed);
    futex::wake(bed);
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::cell::Cell;
    use std::sync::atomic::{AtomicBool, AtomicU64};

    use super::*;
    use crate::engine::shared::watch::Watch;

    struct Nothing;

    impl Outlook for Nothing {
        fn is_stopped(&self) -> bool {
            false
        }
        fn look_around(&self) {}
        fn rests(&self, _: bool) {}
    }

    #[test]
    fn long_sleep_leaves_errno_as_it_was() {
        let (came, bed) = (AtomicBool::new(false), AtomicU32::new(0));
        std::thread::scope(|scope| {
            // Long enough that a sleep ends by itself, which is an error to the system.
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(250));
                came.store(true, SeqCst);
                wake(&bed);
            });
            set_errno(7);
            wait(|| came.load(Acquire), &bed, Patience::of(2, 2), &Nothing).unwrap();
            assert_eq!(errno(), 7);
        });
    }
    struct Timed(Watch);

    impl Outlook for Timed {
        fn looks(&self) {
            self.0.look();
        }
        fn gives_way(&self) {
            self.0.pause();
        }
        fn is_stopped(&self) -> bool {
            false
        }
        fn look_around(&self) {}
        fn rests(&self, _: bool) {}
    }

    #[test]
    fn what_others_compute_on_our_core_is_waited() {
        static TICKS: AtomicU64 = AtomicU64::new(0);
        let mut watch = Watch::default();
        watch.set(|| TICKS.load(Relaxed));
        watch.begin();
        let (timed, looks, bed) = (Timed(watch), Cell::new(0), AtomicU32::new(0));
        // It comes while our core is given away for the first time, and that takes long.
        let is_there = || {
            TICKS.fetch_add(1000, Relaxed);
            timed.looks();
            looks.set(looks.get() + 1);
            true
        };
        wait(is_there, &bed, Patience::of(2, 1), &timed).unwrap();
        assert_eq!((looks.get(), timed.0.take()), (1, 1000));
    }
}
