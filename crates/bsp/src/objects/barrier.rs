//! The barrier of one machine's processors, by records (tokens).
//!
//! If order is causal across pairs, the barrier delivers everything that was sent before: it is a dissemination
//! barrier, in which processor i sends what it has collected to processor i + 2^r in round r. With more
//! processors than cores all send to processor 0, which sends to all. If order is not causal, each sends to
//! every other one: then its messages have arrived before.

use crate::channel::{Channels, Record};
use crate::misuse::Misuse;
use crate::place::Place;

use super::wait_site::{WaitReason, WaitSite};
use super::{Objects, kind};

/// The values that a processor brings to a barrier: the smallest and the largest of the values that must be equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arrival {
    low: u64,
    high: u64,
}

impl Arrival {
    /// With it, the barrier returns the largest of each of two numbers.
    pub fn of_largest(first: u64, second: u64) -> Arrival {
        Arrival { low: !first, high: second }
    }

    /// Both numbers.
    pub fn largest(self) -> (u64, u64) {
        (!self.low, self.high)
    }

    pub fn new(collective: u64) -> Arrival {
        Arrival { low: collective, high: collective }
    }

    fn and(self, other: Arrival) -> Arrival {
        Arrival { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Whether all processors brought the same value.
    pub fn agrees(self) -> bool {
        self.low == self.high
    }

    fn from_token(token: &Record) -> Arrival {
        let payload = token.payload.cast::<u64>();
        // SAFETY: `send_token` has sent two words; a payload is aligned to 16.
        unsafe { Arrival { low: payload.read(), high: payload.add(1).read() } }
    }
}

/// A call that synchronises.
#[derive(Clone, Copy)]
pub(super) struct BarrierCall {
    pub name: &'static str,
    pub place: Place,
}

impl Objects {
    /// Waits for all processors of a machine. After it everything that they sent in this superstep has arrived.
    pub(super) fn pass_barrier(
        &mut self,
        level: usize,
        call: BarrierCall,
        arrival: Arrival,
    ) -> Result<Arrival, Misuse> {
        self.pass_barrier_from(0, level, call, arrival)
    }

    /// The same, with rounds from `first` on: another barrier of the same superstep.
    pub(super) fn pass_barrier_from(
        &mut self,
        first: u16,
        level: usize,
        call: BarrierCall,
        arrival: Arrival,
    ) -> Result<Arrival, Misuse> {
        let nprocs = self.stack[level].nprocs;
        let arrival = match (nprocs, self.channels.keeps_order_between_pairs()) {
            (1, _) => arrival,
            (_, false) => self.send_to_all(first, level, call, arrival)?,
            (3.., true) if self.channels.is_crowded() => {
                self.gather(first, level, call, arrival)?
            }
            (_, true) => self.disseminate(first, level, call, arrival)?,
        };
        self.take_in()?;
        Ok(arrival)
    }

    fn disseminate(
        &mut self,
        first: u16,
        level: usize,
        call: BarrierCall,
        mut arrival: Arrival,
    ) -> Result<Arrival, Misuse> {
        let (pid, nprocs) = (self.stack[level].pid, self.stack[level].nprocs);
        let (mut round, mut distance) = (first, 1);
        while distance < nprocs {
            self.send_token(level, (pid + distance) % nprocs, round, arrival)?;
            let from = (pid + nprocs - distance) % nprocs;
            arrival =
                arrival.and(self.receive_token(level, call, round, WaitReason::Processor(from))?);
            round += 1;
            distance *= 2;
        }
        Ok(arrival)
    }

    fn gather(
        &mut self,
        first: u16,
        level: usize,
        call: BarrierCall,
        mut arrival: Arrival,
    ) -> Result<Arrival, Misuse> {
        let (pid, nprocs) = (self.stack[level].pid, self.stack[level].nprocs);
        if pid > 0 {
            self.send_token(level, 0, first, arrival)?;
            return self.receive_token(level, call, first + 1, WaitReason::Processor(0));
        }
        for missing in (1..nprocs).rev() {
            arrival = arrival.and(self.receive_token(
                level,
                call,
                first,
                WaitReason::Processors(missing),
            )?);
        }
        (1..nprocs).try_for_each(|to| self.send_token(level, to, first + 1, arrival))?;
        Ok(arrival)
    }

    fn send_to_all(
        &mut self,
        first: u16,
        level: usize,
        call: BarrierCall,
        arrival: Arrival,
    ) -> Result<Arrival, Misuse> {
        let (pid, nprocs) = (self.stack[level].pid, self.stack[level].nprocs);
        for distance in 1..nprocs {
            self.send_token(level, (pid + distance) % nprocs, first, arrival)?;
        }
        (1..nprocs).rev().try_fold(arrival, |arrival, missing| {
            Ok(arrival.and(self.receive_token(
                level,
                call,
                first,
                WaitReason::Processors(missing),
            )?))
        })
    }

    #[inline]
    fn send_token(
        &mut self,
        level: usize,
        to: usize,
        round: u16,
        arrival: Arrival,
    ) -> Result<(), Misuse> {
        let words = [arrival.low, arrival.high];
        let header = self.header(level, kind::TOKEN + round, size_of_val(&words));
        let to = self.stack[level].base + to;
        // SAFETY: the words exist.
        unsafe { self.channels.send(to, header, words.as_ptr().cast()) }
    }

    /// Waits for a token of a round.
    fn receive_token(
        &mut self,
        level: usize,
        call: BarrierCall,
        round: u16,
        waits: WaitReason,
    ) -> Result<Arrival, Misuse> {
        loop {
            self.take_in()?;
            let tokens = &mut self.stack[level].tokens;
            let number = tokens.iter().position(|token| token.header.kind == kind::TOKEN + round);
            if let Some(index) = number {
                let token = tokens.swap_remove(index);
                let arrival = Arrival::from_token(&token);
                self.channels.release(&token);
                return Ok(arrival);
            }
            self.wait(level, call, waits)?;
        }
    }

    /// Waits until something has arrived.
    pub(super) fn wait(
        &mut self,
        level: usize,
        call: BarrierCall,
        waits: WaitReason,
    ) -> Result<(), Misuse> {
        if self.recorder.is_some() {
            self.record_wait(|objects| objects.wait_now(level, call, waits))
        } else {
            self.wait_now(level, call, waits)
        }
    }

    fn wait_now(
        &mut self,
        level: usize,
        call: BarrierCall,
        waits: WaitReason,
    ) -> Result<(), Misuse> {
        let BarrierCall { name, place } = call;
        let site = WaitSite { call: name, place, object: &self.stack[level], waits };
        self.channels.wait(&site).map_err(|halt| halt.misuse())
    }
}

/// Releases records.
pub(super) fn release_all(records: &mut Vec<Record>, channels: &mut dyn Channels) {
    records.drain(..).for_each(|record| channels.release(&record));
}
