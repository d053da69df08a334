//! Further abilities of processors that share memory: they can deliver puts directly, compute in turns with virtual
//! clocks, and measure their waits.

use std::sync::atomic::Ordering::*;

use super::Shared;
use super::mailbox::Mailbox;
use crate::engine::capabilities::{DirectDelivery, OutOfBand, TimedWaits, VirtualClock};
use crate::engine::traffic::Offer;
use crate::stream::StreamReader;
use crate::virtuals::Combine;

/// All memory is accessible: large data go in streams, too.
impl OutOfBand for Shared {}

impl DirectDelivery for Shared {
    fn requests(&self, from: usize, to: usize) -> StreamReader {
        let offset = self.offset_of(self.mailbox(from, to)) + Mailbox::CHUNKS.0 as u64;
        // SAFETY: the sender has completed them, and does not change them at the end of this superstep.
        unsafe { StreamReader::begin(self.arena.base(), offset) }
    }

    fn offer(&mut self, to: usize, offer: Offer) {
        // SAFETY: only atomics are accessed.
        unsafe { &*self.mailbox(self.me, to) }.offer(self.superstep, offer);
    }

    fn delivers(&self, from: usize, to: usize) -> Offer {
        // SAFETY: only atomics are accessed.
        let mailbox = |from: usize| unsafe { &*self.mailbox(from, to) };
        let has_requests =
            |from: usize| mailbox(from).sent(self.superstep).is_some_and(|sent| sent.requests);
        let offer =
            if has_requests(from) { mailbox(from).offered(self.superstep) } else { Offer::Nothing };
        let mut others = (0..self.processors).filter(|&other| other != from);
        if offer == Offer::Nothing || others.any(has_requests) { Offer::Nothing } else { offer }
    }
}

impl VirtualClock for Shared {
    fn count_bytes(&self, to: usize, sent: u64, got: u64) {
        let processor_states = self.arena.processor_states();
        processor_states[self.me].bytes_out.fetch_add(sent, Relaxed);
        processor_states[self.me].bytes_in.fetch_add(got, Relaxed);
        processor_states[to].bytes_in.fetch_add(sent, Relaxed);
        processor_states[to].bytes_out.fetch_add(got, Relaxed);
    }

    fn set_arrival(&mut self, time: u64, combine: Combine) {
        self.arena.processor_states()[self.me].came.store(time, Relaxed);
        self.combine = combine;
    }

    fn latest(&self) -> (u64, u64) {
        let control = self.arena.control();
        (control.latest.load(Relaxed), control.largest.load(Relaxed))
    }
}

impl TimedWaits for Shared {
    fn time_waits(&mut self, clock: fn() -> u64) -> bool {
        self.timer.set(clock);
        true
    }

    #[inline]
    fn waited(&self) -> u64 {
        self.timer.take()
    }
}
