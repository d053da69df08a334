//! Turns: of virtual processors only as many compute at a time as cores are used.
//!
//! A processor takes a turn before it computes and gives it back when it waits for others; who finds none
//! sleeps, and is woken in the order in which all lay down. Should all who have turns sleep over something
//! else (a pipe between processors, a lock), or go on without end, the others would wait for ever: then
//! one more is let in.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::*};
use std::time::{Duration, Instant};

use super::arena::Arena;
use super::waiting::{Stopped, a_night};

/// How long all who have a turn may sleep.
const ASLEEP: Duration = Duration::from_millis(300);
/// How long they may compute while nobody else can.
const LONG: Duration = Duration::from_secs(30);

/// The turns of a machine; all zero while there are none yet.
#[repr(C, align(64))]
#[derive(Debug, Default)]
pub(crate) struct Turns {
    /// That can be taken.
    free: AtomicU32,
    waiting: AtomicU32,
    /// Times that one was taken.
    taken: AtomicU64,
    /// Turns too many, of those let in besides.
    besides: AtomicU32,
    /// 1 while a processor takes or has all of them.
    all: AtomicU32,
    /// 1 and the processor that looks after those who have turns.
    looks: AtomicU32,
}

impl Turns {
    /// So many, from here on.
    pub fn open(&self, count: usize) {
        self.free.fetch_add(count as u32, SeqCst);
        self.wake(count);
    }

    /// Gives one back.
    pub fn give(&self) {
        let besides = self.besides.fetch_update(AcqRel, Relaxed, |count| count.checked_sub(1));
        if besides.is_ok() {
            return;
        }
        self.free.fetch_add(1, SeqCst);
        self.wake(1);
    }

    fn wake(&self, count: usize) {
        if self.waiting.load(SeqCst) > 0 {
            // SAFETY: the word outlives the call.
            unsafe { libc::syscall(libc::SYS_futex, self.free.as_ptr(), libc::FUTEX_WAKE, count) };
        }
    }

    /// Wakes all who wait, for another reason than that there is one.
    pub fn wake_all(&self) {
        self.wake(i32::MAX as usize);
    }

    fn take_if_free(&self) -> bool {
        let taken = self.free.fetch_update(SeqCst, Relaxed, |count| count.checked_sub(1)).is_ok();
        if taken {
            self.taken.fetch_add(1, Relaxed);
        }
        taken
    }

    /// Waits for one.
    pub fn take(&self, me: usize, arena: &Arena, look_around: impl Fn()) -> Result<(), Stopped> {
        let mut watch = None;
        let taken = loop {
            if self.take_if_free() {
                break Ok(());
            }
            if arena.control().is_stopped() {
                break Err(Stopped);
            }
            self.waiting.fetch_add(1, SeqCst);
            sleep_on(&self.free, 0, a_night(arena.processors()));
            self.waiting.fetch_sub(1, SeqCst);
            look_around();
            let number = me as u32 + 1;
            if self.looks.compare_exchange(0, number, Relaxed, Relaxed).is_ok()
                || self.looks.load(Relaxed) == number
            {
                self.look_after(arena, &mut watch);
            }
        };
        if watch.is_some() {
            self.looks.store(0, Relaxed);
        }
        taken
    }

    /// For who has one of so many: waits for all of them. Whether it has them; else it has one.
    pub fn take_all(&self, me: usize, arena: &Arena, count: usize) -> bool {
        if count <= 1 {
            return false;
        }
        self.give();
        while self.all.compare_exchange(0, 1, AcqRel, Relaxed).is_err() {
            if arena.control().is_stopped() {
                return false;
            }
            sleep_on(&self.all, 1, a_night(arena.processors()));
        }
        let taken = (0..count).take_while(|_| self.take(me, arena, || {}).is_ok()).count();
        taken == count
    }

    /// Gives back all but one of so many.
    pub fn share(&self, count: usize) {
        (1..count).for_each(|_| self.give());
        self.all.store(0, Release);
        // SAFETY: the word outlives the call.
        unsafe { libc::syscall(libc::SYS_futex, self.all.as_ptr(), libc::FUTEX_WAKE, 1) };
    }

    /// Lets one more in where those who have turns will not give them back soon.
    #[cold]
    fn look_after(&self, arena: &Arena, watch: &mut Option<(u64, Instant)>) {
        let taken = self.taken.load(Relaxed);
        let since = match watch {
            Some((before, since)) if *before == taken => *since,
            _ => watch.insert((taken, Instant::now())).1,
        };
        let passed = since.elapsed();
        if passed >= LONG || passed >= ASLEEP && self.all_sleep(arena) {
            self.besides.fetch_add(1, AcqRel);
            self.free.fetch_add(1, SeqCst);
            *watch = None;
            self.looks.store(0, Relaxed);
        }
    }

    fn all_sleep(&self, arena: &Arena) -> bool {
        let seats = arena.seats().iter().filter(|seat| seat.has_turn());
        let mut holders = seats.map(|seat| seat.process.load(Relaxed)).peekable();
        holders.peek().is_some() && holders.all(sleeps)
    }
}

/// Sleeps while the word has this value, at most so long.
fn sleep_on(word: &AtomicU32, value: u32, longest: Duration) {
    let time =
        libc::timespec { tv_sec: longest.as_secs() as _, tv_nsec: longest.subsec_nanos() as _ };
    // SAFETY: word and time outlive the call; whatever ends the sleep, it is looked at again.
    unsafe {
        libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, value, &raw const time)
    };
}

/// Whether no thread of a process has anything to do.
fn sleeps(process: u32) -> bool {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { return false };
    threads.flatten().all(|thread| {
        let stat = std::fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        // The name is in parentheses and may hold anything.
        let state = stat.rsplit_once(')').and_then(|(_, rest)| rest.trim_start().chars().next());
        matches!(state, Some('S' | 'T' | 't'))
    })
}
