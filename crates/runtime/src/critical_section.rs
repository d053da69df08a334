//! Critical sections of the library: nothing in them is visible to the program.
//!
//! While the library changes its state, signals are blocked, so that no handler can enter it in the same thread
//! or jump out of it, and the thread cannot be cancelled. Afterwards both are restored, and so is `errno`.
//! Regions that are entered meanwhile (the program's own `malloc` may have some) are dropped.

use std::cell::UnsafeCell;
use std::ffi::c_int;
use std::ops::{Deref, DerefMut};
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering::*};

use rustix::thread::futex;

use crate::abi;

const PTHREAD_CANCEL_DISABLE: c_int = 1;
/// Size of the kernel's signal set in bytes.
const SIGSET_SIZE: usize = 8;

unsafe extern "C" {
    fn pthread_setcancelstate(state: c_int, old: *mut c_int) -> c_int;
}

/// Saves `errno`, and restores it when dropped.
pub struct Errno(c_int);

impl Errno {
    pub fn keep() -> Errno {
        // SAFETY: the location belongs to this thread and is always valid.
        Errno(unsafe { *libc::__errno_location() })
    }
}

impl Drop for Errno {
    fn drop(&mut self) {
        // SAFETY: as in `keep`.
        unsafe { *libc::__errno_location() = self.0 }
    }
}

/// `busy` of a thread in the library: above every frame.
const BUSY: usize = usize::MAX;

/// While this exists no signal handler runs in this thread, nothing cancels it, and it records nothing.
pub struct Inside {
    mask: u64,
    cancel: c_int,
    busy: usize,
    _errno: Errno,
}

impl Inside {
    pub fn enter() -> Inside {
        let mut inside = Inside { mask: 0, cancel: 0, busy: 0, _errno: Errno::keep() };
        // SAFETY: both write one value of the right size to the given place; the thread is the calling one.
        unsafe {
            pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &mut inside.cancel);
            // Not by libc, which leaves out the signals it uses itself.
            set_mask(&u64::MAX, &mut inside.mask);
            inside.busy = std::mem::replace(&mut (*abi::this_thread()).busy, BUSY);
        }
        inside
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        // SAFETY: as in `enter`.
        unsafe {
            (*abi::this_thread()).busy = self.busy;
            set_mask(&self.mask, ptr::null_mut());
            pthread_setcancelstate(self.cancel, ptr::null_mut());
        }
    }
}

unsafe fn set_mask(new: *const u64, old: *mut u64) {
    // SAFETY: the kernel reads and writes sets of 8 bytes.
    unsafe {
        libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, new, old, SIGSET_SIZE);
    }
}

/// A lock that allocates nothing and that the child of a fork can unlock.
pub struct Lock<T> {
    /// 0 unlocked, 1 locked, 2 locked and a thread waits.
    word: AtomicU32,
    value: UnsafeCell<T>,
}

// SAFETY: one thread at a time accesses the value.
unsafe impl<T> Sync for Lock<T> {}

impl<T> Lock<T> {
    pub const fn new(value: T) -> Lock<T> {
        Lock { word: AtomicU32::new(0), value: UnsafeCell::new(value) }
    }

    /// Waits for the lock. The caller is [`Inside`]; otherwise a handler could wait for itself.
    pub fn lock<'a>(&'a self, _inside: &'a Inside) -> Locked<'a, T> {
        self.acquire();
        Locked { lock: self }
    }

    /// Locks until [`Lock::release`], across a fork.
    pub fn acquire(&self) {
        if self.word.compare_exchange(0, 1, Acquire, Relaxed).is_err() {
            while self.word.swap(2, Acquire) != 0 {
                // Woken, changed, or a signal: the word is read again in any case.
                let _ = futex::wait(&self.word, futex::Flags::PRIVATE, 2, None);
            }
        }
    }

    /// Unlocks what [`Lock::acquire`] locked.
    pub fn release(&self) {
        if self.word.swap(0, Release) == 2 {
            let _ = futex::wake(&self.word, futex::Flags::PRIVATE, 1);
        }
    }
}

/// The lock is held.
pub struct Locked<'a, T> {
    lock: &'a Lock<T>,
}

impl<T> Deref for Locked<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the lock is held.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T> DerefMut for Locked<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the lock is held, and `self` is borrowed exclusively.
        unsafe { &mut *self.lock.value.get() }
    }
}

impl<T> Drop for Locked<'_, T> {
    fn drop(&mut self) {
        self.lock.release();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_at_a_time() {
        static LOCK: Lock<u64> = Lock::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..20_000 {
                        let inside = Inside::enter();
                        let mut value = LOCK.lock(&inside);
                        let seen = *value;
                        std::hint::black_box(&seen);
                        *value = seen + 1;
                    }
                });
            }
        });
        assert_eq!(*LOCK.lock(&Inside::enter()), 80_000);
    }

    #[test]
    fn errno_and_the_signal_mask_are_as_before() {
        let mask = || {
            let mut mask = 0;
            // SAFETY: asks for the mask only.
            unsafe { set_mask(ptr::null(), &mut mask) };
            mask
        };
        let before = mask();
        // SAFETY: as in `Errno`.
        unsafe { *libc::__errno_location() = 77 };
        let inside = Inside::enter();
        assert_ne!(mask(), before);
        // SAFETY: as in `Errno`.
        unsafe { *libc::__errno_location() = 5 };
        drop(inside);
        // SAFETY: as in `Errno`.
        assert_eq!((mask(), unsafe { *libc::__errno_location() }), (before, 77));
    }
}
