//! Chooses the faster way to copy for another core: plain stores, or non-temporal stores that bypass the
//! caches.
//!
//! Which is faster depends on the distance of the cores, on the size, and on what the receiver's core still has
//! in its cache. So it is measured, separately for each size class. It is measured again from time to time,
//! since processes move between cores, and when several copies in a row are slower than in the trial.
//!
//! A sender sees only its own time. The receiver's core then reads from memory what bypassed the caches. So
//! non-temporal stores must save more than such a read costs; a trial measures the read, too. At worst the
//! receiver loses as much as the sender gains.
//!
//! Why: decision 0025.

use crate::non_temporal;

/// Copies of each way that are timed in a trial.
const COPIES_PER_TRIAL: u32 = 3;
/// Copies between two trials: first value and limit. Each trial that changes nothing doubles the number.
const FIRST_INTERVAL: u32 = 128;
const MAX_INTERVAL: u32 = 4096;
/// A new trial begins when `MAX_SLOW_COPIES` copies in a row have taken more than twice the expected time, but
/// not before `MIN_INTERVAL` copies after the last trial.
const MAX_SLOW_COPIES: u32 = 4;
const MIN_INTERVAL: u32 = 32;
/// Smaller copies, in bytes, are timed only in trials.
const MIN_TIMED_BYTES: usize = 8192;
/// Smallest size in bytes for which there is a choice. Class i has sizes from this times 2^i.
const MIN_BYTES: usize = 2048;
const CLASSES: usize = 11;

/// The measurements and choices for copies into the memory of one processor, or for it.
#[derive(Clone, Debug)]
pub(crate) struct CopyTuner {
    classes: [Class; CLASSES],
    clock: fn() -> u64,
}

/// The state of one class of sizes.
#[derive(Clone, Copy, Debug)]
struct Class {
    /// Use non-temporal stores.
    non_temporal_stores: bool,
    /// Copies until the next one is timed for a trial.
    left: u32,
    /// Copies between trials.
    between: u32,
    /// The current trial: number of timed copies, and the shortest time in ticks per 1024 bytes, with plain
    /// stores and with non-temporal stores (including a read of what was written).
    timed: u32,
    plain: u64,
    other: u64,
    /// Time of the better way in the last trial, in the same unit, and the number of copies in a row that took
    /// more than twice that.
    expected: u64,
    slow: u32,
}

impl Class {
    const NEW: Class = Class {
        non_temporal_stores: false,
        // The first copies would access pages for the first time, which is slower.
        left: 8,
        between: FIRST_INTERVAL,
        timed: 0,
        plain: u64::MAX,
        other: u64::MAX,
        expected: u64::MAX,
        slow: 0,
    };

    /// Whether the next copy is timed, and if so: whether with non-temporal stores.
    #[inline]
    fn trial(&mut self) -> Option<bool> {
        match self.left {
            0 => Some(self.timed >= COPIES_PER_TRIAL),
            _ => {
                self.left -= 1;
                None
            }
        }
    }

    /// Records the time of a copy of a trial.
    fn took(&mut self, non_temporal_stores: bool, ticks: u64) {
        let shortest = if non_temporal_stores { &mut self.other } else { &mut self.plain };
        *shortest = ticks.min(*shortest);
        self.timed += 1;
        if self.timed < 2 * COPIES_PER_TRIAL {
            return;
        }
        let non_temporal_stores = self.plain > self.other;
        let between = if non_temporal_stores == self.non_temporal_stores {
            (2 * self.between).min(MAX_INTERVAL)
        } else {
            FIRST_INTERVAL
        };
        let expected = self.plain.min(self.other);
        *self = Class { non_temporal_stores, left: between, between, expected, ..Class::NEW };
    }

    /// Records the time of a copy outside a trial.
    #[inline]
    fn went(&mut self, ticks: u64) {
        if ticks / 2 <= self.expected {
            self.slow = 0;
            return;
        }
        self.slow += 1;
        if self.slow >= MAX_SLOW_COPIES && self.between - self.left >= MIN_INTERVAL {
            (self.left, self.between, self.slow) = (0, FIRST_INTERVAL, 0);
        }
    }
}

impl CopyTuner {
    /// Without any measurement yet. `clock` returns ticks of any kind.
    pub const fn new(clock: fn() -> u64) -> CopyTuner {
        CopyTuner { classes: [Class::NEW; CLASSES], clock }
    }

    /// Copies in the way that was fastest so far; may time the copy.
    ///
    /// # Safety
    /// As for `copy_nonoverlapping`.
    pub unsafe fn copy(&mut self, from: *const u8, to: *mut u8, size: usize) {
        // SAFETY: by the caller.
        unsafe { self.copy_as(size, from, to, size) }
    }

    /// The same, but uses the class of `like` bytes.
    ///
    /// # Safety
    /// As for `copy`.
    pub unsafe fn copy_as(&mut self, like: usize, from: *const u8, to: *mut u8, size: usize) {
        if size < MIN_BYTES {
            // SAFETY: by the caller.
            return unsafe { copy(false, from, to, size) };
        }
        let clock = self.clock;
        let class = self.class(like);
        let trial = class.trial();
        let non_temporal_stores = trial.unwrap_or(class.non_temporal_stores);
        if trial.is_none() && size < MIN_TIMED_BYTES {
            // SAFETY: by the caller.
            return unsafe { copy(non_temporal_stores, from, to, size) };
        }
        let begin = clock();
        // SAFETY: by the caller.
        unsafe {
            copy(non_temporal_stores, from, to, size);
            if non_temporal_stores && trial.is_some() {
                non_temporal::read_lines(to, size);
            }
        }
        let ticks = clock().wrapping_sub(begin).saturating_mul(1024) / size as u64;
        match trial {
            Some(non_temporal_stores) => class.took(non_temporal_stores, ticks),
            None => class.went(ticks),
        }
    }

    /// Whether a copy of this size is preferred over writing in place: because non-temporal stores are faster,
    /// or because a trial needs the copy.
    pub fn is_wanted(&mut self, size: usize) -> bool {
        let class = self.class(size);
        class.non_temporal_stores || class.trial().is_some()
    }

    fn class(&mut self, size: usize) -> &mut Class {
        let index = (size / MIN_BYTES).max(1).ilog2() as usize;
        &mut self.classes[index.min(CLASSES - 1)]
    }

    /// Smallest size in bytes for which there is a choice.
    pub const MIN_BYTES: usize = MIN_BYTES;
}

/// # Safety
/// As for `copy_nonoverlapping`.
#[inline]
unsafe fn copy(non_temporal_stores: bool, from: *const u8, to: *mut u8, size: usize) {
    // SAFETY: by the caller.
    unsafe {
        if non_temporal_stores {
            non_temporal::copy(from, to, size)
        } else {
            std::ptr::copy_nonoverlapping(from, to, size)
        }
    }
}

/// Ticks of the processor's counter, on processors with non-temporal stores.
#[cfg(target_arch = "x86_64")]
pub(crate) fn ticks() -> u64 {
    // SAFETY: it reads a counter.
    unsafe { std::arch::x86_64::_rdtsc() }
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn ticks() -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes `copies` copies with the given times (plain, non-temporal). Returns how many used non-temporal
    /// stores.
    fn run(class: &mut Class, copies: usize, costs: (u64, u64)) -> usize {
        let mut non_temporal_stores = 0;
        for _ in 0..copies {
            let way = class.trial();
            non_temporal_stores += usize::from(way.unwrap_or(class.non_temporal_stores));
            if let Some(way) = way {
                class.took(way, if way { costs.1 } else { costs.0 });
            }
        }
        non_temporal_stores
    }

    #[test]
    fn the_quicker_way_is_found_and_kept_by_ever_fewer_trials() {
        let mut class = Class::NEW;
        let non_temporal_stores = run(&mut class, 100_000, (1000, 100));
        assert!(class.non_temporal_stores && non_temporal_stores > 99_000, "{non_temporal_stores}");
        let mut class = Class::NEW;
        let non_temporal_stores = run(&mut class, 100_000, (100, 200));
        assert!(!class.non_temporal_stores && non_temporal_stores < 200, "{non_temporal_stores}");
    }

    #[test]
    fn it_is_noticed_when_processors_have_moved() {
        let mut class = Class::NEW;
        run(&mut class, 100_000, (1000, 100));
        for costs in [(50, 100), (1000, 100), (50, 100)] {
            run(&mut class, 2 * MAX_INTERVAL as usize, costs);
            assert_eq!(class.non_temporal_stores, costs.0 > costs.1);
        }
    }

    #[test]
    fn copies_that_have_become_slow_are_tried_again_soon_but_single_slow_ones_are_not() {
        let mut class = Class::NEW;
        run(&mut class, 100_000, (100, 200));
        let left = class.left;
        for nth in 0..100 {
            class.went(if nth % 4 == 0 { 1000 } else { 110 });
        }
        assert_eq!(class.left, left);
        class.left -= MIN_INTERVAL;
        (0..MAX_SLOW_COPIES).for_each(|_| class.went(1000));
        assert_eq!(class.left, 0);
        run(&mut class, 2 * COPIES_PER_TRIAL as usize, (1000, 200));
        assert!(class.non_temporal_stores);
    }

    #[test]
    fn a_clock_that_stands_still_changes_nothing() {
        let mut copies = CopyTuner::new(|| 7);
        let from = vec![5u8; 3000];
        for _ in 0..1000 {
            let mut to = vec![0; 3000];
            // SAFETY: both have at least 3000 bytes.
            unsafe { copies.copy(from.as_ptr(), to.as_mut_ptr(), 3000) };
            assert_eq!(to, from);
        }
        assert!(!copies.classes[0].non_temporal_stores);
    }
}
