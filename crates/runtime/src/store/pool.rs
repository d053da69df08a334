use std::ffi::c_int;
use std::sync::atomic::{AtomicU32, Ordering::*};

use cll_trace::layout::{BlockHeader, HEADER_SIZE, LIBRARIES, pid_of};
use cll_trace::live::{
    Control, FREE, FULL, FULL_COUNT_AT, LIBRARIES_AT, OPEN, PAGE, slots_at, state_at,
};

use crate::clock;
use crate::sys;

use super::Block;

/// Sleep between two searches for a free slot; initially short.
const FIRST_SLEEP_NS: u64 = 20_000;
const LONGEST_SLEEP_NS: u64 = 1_000_000;
/// If no slot becomes full or free during this time of sleep, the launcher does not take slots away any more.
const PATIENCE_NS: u64 = 5_000_000_000;
/// The same if no slot waits to be taken away: threads of the program hold all.
const HELD_PATIENCE_NS: u64 = 100_000_000;

/// The memory that the launcher shares.
#[derive(Debug)]
pub struct Pool {
    memory: *mut u8,
    control: Control,
    /// Mapped slots: all, if the program's limits allow.
    slots: u32,
}

/// There is no slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// The launcher takes no slots away any more.
    Abandoned,
    /// Threads of the program write to all of them.
    Held,
}

impl Pool {
    /// Maps the memory behind `fd`, if it is a launcher's.
    pub fn attach(fd: c_int) -> Option<Pool> {
        let mut page = [0; 64];
        sys::read_at(fd, 0, &mut page).ok()?;
        let control = Control::decode(&page)?;
        let (_, length) = sys::identify(fd).ok()?;
        if control.size() > length {
            return None;
        }
        let mut slots = control.slots;
        loop {
            let length = control.slot_at(slots) as usize;
            match sys::map(fd, 0, length) {
                Ok(memory) => {
                    let pool = Pool { memory, control, slots };
                    pool.take_over();
                    return Some(pool);
                }
                Err(_) if slots > 4 => slots /= 2,
                Err(_) => return None,
            }
        }
    }

    /// Takes the lowest free slot; waits for one, if `patient`. Also returns how long it waited, in
    /// nanoseconds.
    pub fn take(&self, patient: bool) -> Result<(Block, u64), Exhausted> {
        if let Some(block) = self.take_now() {
            return Ok((block, 0));
        }
        let began = clock::monotonic_ns();
        let mut sleep = FIRST_SLEEP_NS;
        let (mut slept, mut held, mut last) = (0, 0, self.full_count().load(Relaxed));
        while patient && slept < PATIENCE_NS && held < HELD_PATIENCE_NS {
            sys::sleep_ns(sleep);
            if let Some(block) = self.take_now() {
                return Ok((block, clock::monotonic_ns().saturating_sub(began).max(1)));
            }
            let count = self.full_count().load(Relaxed);
            slept = if count == last { slept + sleep } else { 0 };
            last = count;
            let waits = (0..self.slots).any(|slot| self.state(slot).load(Relaxed) == FULL);
            held = if waits { 0 } else { held + sleep };
            if sleep == LONGEST_SLEEP_NS {
                self.reclaim();
            }
            sleep = (sleep * 2).min(LONGEST_SLEEP_NS);
        }
        Err(if slept >= PATIENCE_NS { Exhausted::Abandoned } else { Exhausted::Held })
    }

    /// Gives a block to the launcher, which also seals it.
    pub fn give(&self, slot: u32) {
        self.state(slot).store(FULL, Release);
        self.full_count().fetch_add(1, Release);
    }

    fn take_now(&self) -> Option<Block> {
        let free = |&slot: &u32| {
            self.state(slot).load(Relaxed) == FREE
                && self.state(slot).compare_exchange(FREE, OPEN, AcqRel, Relaxed).is_ok()
        };
        (0..self.slots).find(free).map(|slot| self.block(slot))
    }

    /// A number for a library that is not part of the program itself; not 0, which is that of the program's
    /// library.
    pub fn number_library(&self) -> u32 {
        1 + self.word(LIBRARIES_AT).fetch_add(1, Relaxed) % (LIBRARIES - 1)
    }

    /// Gives away the slots that a former program of this process (before `exec`) left open. Blocks of other
    /// libraries in this process have another number.
    fn take_over(&self) {
        if sys::threads() == 1 {
            self.give_open(|process| process == sys::pid());
        }
    }

    /// Gives away the slots that processes left open that have ended.
    fn reclaim(&self) {
        self.give_open(|process| sys::is_gone(pid_of(process)));
    }

    fn give_open(&self, is_owner: impl Fn(u32) -> bool) {
        for slot in 0..self.slots {
            if self.state(slot).load(Acquire) != OPEN {
                continue;
            }
            // SAFETY: a slot is mapped and longer than a header. Another process may be writing it: then that
            // process has not ended.
            let bytes = unsafe { std::slice::from_raw_parts(self.block(slot).memory, HEADER_SIZE) };
            let left = BlockHeader::decode(bytes).is_some_and(|header| is_owner(header.process));
            if left && self.state(slot).compare_exchange(OPEN, FULL, AcqRel, Relaxed).is_ok() {
                self.full_count().fetch_add(1, Release);
            }
        }
    }

    fn block(&self, slot: u32) -> Block {
        let offset =
            slots_at(self.control.slots) as usize + slot as usize * self.control.slot_size as usize;
        Block {
            memory: self.memory.wrapping_add(offset),
            capacity: self.control.slot_size as usize,
            slot,
        }
    }

    fn state(&self, slot: u32) -> &AtomicU32 {
        self.word(state_at(slot) as usize)
    }

    fn full_count(&self) -> &AtomicU32 {
        self.word(FULL_COUNT_AT)
    }

    fn word(&self, offset: usize) -> &AtomicU32 {
        const { assert!(PAGE.is_multiple_of(4)) };
        // SAFETY: the control page and the states are mapped; offsets are multiples of 4.
        unsafe { AtomicU32::from_ptr(self.memory.wrapping_add(offset).cast()) }
    }
}
