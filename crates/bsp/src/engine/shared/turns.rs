//! Turns: at any time only as many virtual processors compute as cores are used.
//!
//! A processor takes a turn before it computes, and gives it back when it waits for others. If there is no free turn, the
//! processor enters a queue and sleeps. The one that gives a turn back wakes the first of the queue.
//!
//! Each turn belongs to a core. The processor that gives a turn back moves the next one to that core before it wakes it.
//! Otherwise the system may leave that core idle for a while and run two processors on another core. If fewer cores are
//! used than there are, the system would also move processors to cores that were idle, which are slow at first (phases of
//! 3 µs were 40 % longer).
//!
//! All processors that have a turn may sleep for another reason (a pipe between processors, a lock), or compute without
//! end. Then the others would wait for ever. So after some time a waiting processor lets one more in, without a turn of a
//! core.
//!
//! Why: decision 0033.

use std::sync::atomic::Ordering::*;
use std::time::{Duration, Instant};

use super::ProcessorKind;
use super::arena::Arena;
use super::atomics::futex;
use super::turn_state::{MAX_TURNS, Turns};
use super::waiting::sleep_limit_for;
use crate::engine::stop::Stopped;

/// How long all processors that have a turn may sleep before one more is let in.
const LONG_SLEEP: Duration = Duration::from_millis(300);
/// How long they may compute before one more is let in: at least this time, and at least this multiple of the longest phase so far.
const LONG_PHASE: (Duration, u32) = (Duration::from_secs(3), 20);
/// Polls of the lock before the core is yielded.
const SPINS: u32 = 100;

/// The turn of a processor that was let in in addition. It belongs to no core, and ends when it is given back.
const EXTRA: u32 = u32::MAX - 1;

impl Turns {
    /// Creates `count` turns, and gives them to the processors that wait.
    pub fn open(&self, arena: &Arena, count: usize) {
        let count = count.clamp(1, MAX_TURNS);
        let cores = allowed();
        if cores.len() >= count {
            cores
                .iter()
                .zip(&self.cores)
                .for_each(|(&core, slot)| slot.store(core as u32, Relaxed));
            self.are_cores.store(1, Relaxed);
        }
        self.count.store(count as u32, Relaxed);
        (0..count as u32).for_each(|turn| self.give(turn, arena));
    }

    /// Runs `change` under the lock. A process that is killed meanwhile leaves it locked; then the machine is stopped.
    fn locked<T>(&self, arena: &Arena, change: impl FnOnce() -> T) -> Result<T, Stopped> {
        let mut polls = 0;
        while self.lock.compare_exchange(0, 1, Acquire, Relaxed).is_err() {
            polls += 1;
            if polls < SPINS {
                std::hint::spin_loop()
            } else {
                std::thread::yield_now()
            }
            if polls > SPINS && arena.control().is_stopped() {
                return Err(Stopped);
            }
        }
        let changed = change();
        self.lock.store(0, Release);
        Ok(changed)
    }

    /// Gives a turn to the processor that has waited longest; to the stack of free turns if none waits.
    pub fn give(&self, turn: u32, arena: &Arena) {
        if turn == EXTRA {
            return;
        }
        let next = self.locked(arena, || {
            let first = self.first.load(Relaxed);
            if first == self.last.load(Relaxed) {
                let free = self.free.load(Relaxed);
                self.stack[free as usize % MAX_TURNS].store(turn, Relaxed);
                self.free.store(free + 1, Relaxed);
                return None;
            }
            self.first.store(first + 1, Relaxed);
            Some(arena.queue(first).load(Relaxed) as usize)
        });
        if let Ok(Some(next)) = next {
            self.grant(turn, next, arena);
        }
    }

    fn grant(&self, turn: u32, to: usize, arena: &Arena) {
        let processor_state = &arena.processor_states()[to];
        if let Some(core) = self.core_of(turn) {
            put_on(processor_state.process.load(Relaxed) as libc::pid_t, &[core]);
        }
        processor_state.granted.store(turn + 1, Release);
        futex::wake(&processor_state.granted, 1);
    }

    fn core_of(&self, turn: u32) -> Option<usize> {
        let is_one = self.are_cores.load(Relaxed) != 0 && turn != EXTRA;
        is_one.then(|| self.cores[turn as usize % MAX_TURNS].load(Relaxed) as usize)
    }

    /// Lets the calling processor, which gives its turn back, run on all cores again.
    pub fn roam(&self) {
        if self.are_cores.load(Relaxed) != 0 {
            let count = (self.count.load(Relaxed) as usize).min(MAX_TURNS);
            let cores = self.cores[..count].iter().map(|core| core.load(Relaxed) as usize);
            put_on(0, &cores.collect::<Vec<_>>());
        }
    }

    /// Wakes all waiting processors for another reason than a free turn, such as a stop.
    pub fn wake_all(&self, arena: &Arena) {
        for processor_state in arena.processor_states() {
            futex::wake(&processor_state.granted, 1);
        }
    }

    /// Waits for a turn, and returns it.
    pub fn take(&self, me: usize, arena: &Arena, check_others: impl Fn()) -> Result<u32, Stopped> {
        let processor_state = &arena.processor_states()[me];
        let taken = self.locked(arena, || match self.free.load(Relaxed) {
            0 => {
                let last = self.last.load(Relaxed);
                arena.queue(last).store(me as u32, Relaxed);
                self.last.store(last + 1, Relaxed);
                None
            }
            free => {
                self.free.store(free - 1, Relaxed);
                Some(self.stack[(free - 1) as usize % MAX_TURNS].load(Relaxed))
            }
        })?;
        self.taken.fetch_add(1, Relaxed);
        if let Some(turn) = taken {
            if let Some(core) = self.core_of(turn) {
                put_on(0, &[core]);
            }
            return Ok(turn);
        }
        let (mut watch, limit) = (None, sleep_limit_for(arena.processors()));
        let granted = loop {
            match processor_state.granted.swap(0, Acquire) {
                0 => {}
                turn => break Ok(turn - 1),
            }
            if arena.control().is_stopped() {
                break Err(Stopped);
            }
            futex::sleep(&processor_state.granted, 0, limit);
            if processor_state.granted.load(Relaxed) == 0 {
                check_others();
                self.check_turns(me, arena, &mut watch);
            }
        };
        if watch.is_some() {
            self.checker.store(0, Relaxed);
        }
        granted
    }

    /// Records the length of a phase in nanoseconds.
    pub fn note_phase(&self, ns: u64) {
        if ns > self.longest.load(Relaxed) {
            self.longest.fetch_max(ns, Relaxed);
        }
    }

    /// Gives the turn `own` back and waits for all turns. Returns all of them; none if the machine was stopped.
    pub fn take_all(&self, own: u32, me: usize, arena: &Arena) -> Vec<u32> {
        self.give(own, arena);
        while self.all.compare_exchange(0, 1, AcqRel, Relaxed).is_err() {
            if arena.control().is_stopped() {
                return Vec::new();
            }
            futex::sleep(&self.all, 1, sleep_limit_for(arena.processors()));
        }
        let count = self.count.load(Relaxed);
        (0..count).map_while(|_| self.take(me, arena, || {}).ok()).collect()
    }

    /// Gives back all but one of the turns that `take_all` has returned.
    pub fn share(&self, turns: &[u32], arena: &Arena) {
        turns.iter().for_each(|&turn| self.give(turn, arena));
        self.all.store(0, Release);
        futex::wake(&self.all, 1);
    }

    /// Called by a waiting processor: lets one more in if the turns will not be given back soon.
    #[cold]
    fn check_turns(&self, me: usize, arena: &Arena, watch: &mut Option<(u64, Instant)>) {
        let number = me as u32 + 1;
        let checker = self.checker.compare_exchange(0, number, Relaxed, Relaxed);
        if checker.is_err_and(|other| other != number) {
            return;
        }
        let taken = self.first.load(Relaxed);
        let since = match watch {
            Some((before, since)) if *before == taken => *since,
            _ => watch.insert((taken, Instant::now())).1,
        };
        let passed = since.elapsed();
        let longest = Duration::from_nanos(self.longest.load(Relaxed));
        let long = LONG_PHASE.0.max(longest.saturating_mul(LONG_PHASE.1));
        if passed < long && (passed < LONG_SLEEP || !self.all_sleep(arena)) {
            return;
        }
        *watch = None;
        self.checker.store(0, Relaxed);
        let next = self.locked(arena, || {
            let first = self.first.load(Relaxed);
            let any = first != self.last.load(Relaxed);
            any.then(|| {
                self.first.store(first + 1, Relaxed);
                arena.queue(first).load(Relaxed) as usize
            })
        });
        if let Ok(Some(next)) = next {
            self.grant(EXTRA, next, arena);
        }
    }

    fn all_sleep(&self, arena: &Arena) -> bool {
        let processor_states = arena
            .processor_states()
            .iter()
            .filter(|processor_state| processor_state.turn().is_some());
        let mut holders = processor_states
            .map(|processor_state| processor_state.process.load(Relaxed))
            .peekable();
        holders.peek().is_some() && holders.all(sleeps)
    }
}

/// The cores that this process may use, beginning with the one that it runs on now.
fn allowed() -> Vec<usize> {
    // SAFETY: the set is plain data, and its size is passed.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        if libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set) != 0 {
            return Vec::new();
        }
        let all = (0..libc::CPU_SETSIZE as usize).filter(|&core| libc::CPU_ISSET(core, &set));
        let mut cores: Vec<usize> = all.collect();
        let here = libc::sched_getcpu() as usize;
        let index = cores.iter().position(|&core| core == here).unwrap_or(0);
        cores.rotate_left(index);
        cores
    }
}

/// Restricts a process to these cores. If the system refuses, nothing changes.
fn put_on(process: libc::pid_t, cores: &[usize]) {
    // SAFETY: the set is plain data, and its size is passed.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        cores.iter().for_each(|&core| libc::CPU_SET(core, &mut set));
        libc::sched_setaffinity(process, size_of::<libc::cpu_set_t>(), &raw const set);
    }
}

/// Whether all threads of a process sleep or are stopped.
fn sleeps(process: u32) -> bool {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { return false };
    threads.flatten().all(|thread| {
        let stat = std::fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        // The name is in parentheses and may have any characters.
        let state = stat.rsplit_once(')').and_then(|(_, rest)| rest.trim_start().chars().next());
        matches!(state, Some('S' | 'T' | 't'))
    })
}

/// Waits for a turn.
pub(crate) fn take_turn(arena: &Arena, me: usize, kind: &dyn ProcessorKind) -> Result<(), Stopped> {
    let turn = arena.control().turns.take(me, arena, || kind.check_others(arena))?;
    arena.processor_states()[me].set_turn(Some(turn));
    Ok(())
}

/// Gives the turn back, if it has one.
pub(crate) fn leave_turn(arena: &Arena, me: usize) {
    if let Some(turn) = arena.processor_states()[me].set_turn(None) {
        arena.control().turns.roam();
        arena.control().turns.give(turn, arena);
    }
}
