//! The barrier. It also gives all processors the combined values of all.
//!
//! Each processor brings an [`Arrival`]; all leave with the combination of all. With at most as many processors
//! as cores it is a dissemination barrier: in round r processor i passes what it has collected to processor i +
//! 2^r. With more processors than cores every round would need every processor to be scheduled; so there the
//! last to arrive releases all.

use std::sync::atomic::Ordering::*;

use super::atomics::{AtomicU32, AtomicU64, fences};
use super::waiting::{WaitHooks, WaitPolicy, wait, wake};
use crate::engine::stop::Stopped;
use crate::prefetch::fetch;

/// The values that a processor brings to a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arrival {
    /// Smallest and largest of the values that must be equal.
    pub low: u64,
    pub high: u64,
    /// Bits, combined by "or".
    pub any: u64,
}

impl Arrival {
    /// The value of one processor.
    pub fn new(collective: u64, any: u64) -> Arrival {
        Arrival { low: collective, high: collective, any }
    }

    fn and(self, other: Arrival) -> Arrival {
        Arrival {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            any: self.any | other.any,
        }
    }

    /// Whether all processors brought the same value.
    pub fn agrees(self) -> bool {
        self.low == self.high
    }
}

/// The data that one processor receives in one round.
#[repr(C, align(128))]
#[derive(Debug, Default)]
pub(crate) struct CacheLine {
    number: AtomicU64,
    low: AtomicU64,
    high: AtomicU64,
    any: AtomicU64,
    sleepers: AtomicU32,
}

impl CacheLine {
    #[inline(always)]
    fn announce(&self, number: u64, arrival: Arrival) {
        self.low.store(arrival.low, Relaxed);
        self.high.store(arrival.high, Relaxed);
        self.any.store(arrival.any, Relaxed);
        fences::store(&self.number, number);
        wake(&self.sleepers);
    }

    /// Waits until this barrier was announced here.
    #[inline(always)]
    fn await_it(
        &self,
        number: u64,
        policy: WaitPolicy,
        hooks: &impl WaitHooks,
        wanted: [*const u8; 3],
    ) -> Result<(), Stopped> {
        hooks.begins();
        let has_come = || {
            hooks.before_poll();
            // Repeatedly: a line that was prefetched too early has changed since.
            if !wanted[0].is_null() {
                wanted.into_iter().for_each(fetch);
            }
            self.number.load(Acquire) == number
        };
        wait(has_come, &self.sleepers, policy, hooks)
    }

    /// The last announced value.
    #[inline(always)]
    fn announced(&self) -> Arrival {
        let (low, high) = (self.low.load(Relaxed), self.high.load(Relaxed));
        Arrival { low, high, any: self.any.load(Relaxed) }
    }
}

/// Used if the last to arrive releases all.
#[repr(C, align(128))]
#[derive(Debug, Default)]
pub(crate) struct Gate {
    arrived: AtomicU32,
    /// The number of processors with a value that is not 0.
    with_collective: AtomicU32,
    /// Complement of the smallest value, so that everything begins with 0.
    not_low: AtomicU64,
    high: AtomicU64,
    any: AtomicU64,
    released: CacheLine,
}

/// A barrier of processors that share memory. All of it begins with zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Barrier<'m> {
    /// For even and odd barriers, for each round, for each processor.
    lines: &'m [CacheLine],
    /// Number of lines for even barriers; the same for odd ones.
    half: usize,
    /// For even and odd barriers.
    gates: &'m [Gate],
    processors: usize,
    policy: WaitPolicy,
    /// More processors than cores.
    crowded: bool,
}

impl<'m> Barrier<'m> {
    /// Number of lines for `processors` processors.
    pub fn lines(processors: usize) -> usize {
        2 * rounds(processors) * processors
    }

    /// Number of gates.
    pub const GATES: usize = 2;

    pub fn new(
        lines: &'m [CacheLine],
        gates: &'m [Gate],
        processors: usize,
        cores: usize,
    ) -> Barrier<'m> {
        let (policy, half) = (WaitPolicy::new(processors, cores), Barrier::lines(processors) / 2);
        Barrier { lines, half, gates, processors, policy, crowded: processors > cores }
    }

    /// Waits for all processors in the barrier with this number. The first barrier has number 1, the next ones
    /// follow. `arrival` becomes the combination of all; a returned value would go through memory, with loads
    /// that wait for several stores.
    #[inline(always)]
    pub fn pass(
        &self,
        me: usize,
        number: u64,
        arrival: &mut Arrival,
        hooks: &impl WaitHooks,
    ) -> Result<(), Stopped> {
        if self.crowded {
            self.gather(number, arrival, hooks)
        } else {
            self.disseminate(me, number, arrival, hooks)
        }
    }

    #[inline(always)]
    fn disseminate(
        &self,
        me: usize,
        number: u64,
        arrival: &mut Arrival,
        hooks: &impl WaitHooks,
    ) -> Result<(), Stopped> {
        // A processor that is ahead announces the next barrier before we have read its announcement for this
        // one, but never the one after that, since that needs us.
        let turn = if number.is_multiple_of(2) { 0 } else { self.half };
        let (mut start, mut distance) = (turn, 1);
        while distance < self.processors {
            let mut to = me + distance;
            if to >= self.processors {
                to -= self.processors;
            }
            let from = if me >= distance { me - distance } else { me + self.processors - distance };
            self.lines[start + to].announce(number, *arrival);
            let own = &self.lines[start + me];
            own.await_it(number, self.policy, hooks, hooks.lines_to_prefetch(from))?;
            *arrival = arrival.and(own.announced());
            start += self.processors;
            distance *= 2;
        }
        Ok(())
    }

    #[inline(never)]
    fn gather(
        &self,
        number: u64,
        arrival: &mut Arrival,
        hooks: &impl WaitHooks,
    ) -> Result<(), Stopped> {
        let gate = &self.gates[(number % 2) as usize];
        if arrival.high != 0 {
            gate.with_collective.fetch_add(1, Relaxed);
            gate.not_low.fetch_max(!arrival.low, Relaxed);
            gate.high.fetch_max(arrival.high, Relaxed);
        }
        if arrival.any != 0 {
            gate.any.fetch_or(arrival.any, Relaxed);
        }
        if gate.arrived.fetch_add(1, AcqRel) + 1 < self.processors as u32 {
            let nothing = [std::ptr::null(); 3];
            gate.released.await_it(number, self.policy, hooks, nothing)?;
            *arrival = gate.released.announced();
            return Ok(());
        }
        hooks.all_arrived();
        let all = gate.with_collective.swap(0, Relaxed) == self.processors as u32;
        let low = !gate.not_low.swap(0, Relaxed);
        let low = if all { low } else { 0 };
        *arrival =
            Arrival { low, high: gate.high.swap(0, Relaxed), any: gate.any.swap(0, Relaxed) };
        gate.arrived.store(0, Relaxed);
        gate.released.announce(number, *arrival);
        Ok(())
    }

    /// Wakes all sleepers for another reason than their release.
    pub fn wake_all(&self) {
        self.lines.iter().for_each(|line| wake(&line.sleepers));
        self.gates.iter().for_each(|gate| wake(&gate.released.sleepers));
    }
}

fn rounds(processors: usize) -> usize {
    processors.next_power_of_two().trailing_zeros() as usize
}
