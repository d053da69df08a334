//! The work of a processor while it waits for the others, and the work that the last one to arrive does for all.

use std::sync::atomic::Ordering::*;

use super::Shared;
use super::mailbox::Mailbox;
use super::turns::take_turn;
use super::waiting::WaitHooks;
use crate::engine::stop::Stopped;

/// Why processors wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Superstep,
    Replies,
    /// Nothing is exchanged.
    Barrier,
}

pub(super) struct BarrierWait<'a> {
    pub shared: &'a Shared,
    pub purpose: Purpose,
}

impl WaitHooks for BarrierWait<'_> {
    #[inline]
    fn begins(&self) {
        self.shared.timer.begin();
    }

    #[inline]
    fn before_poll(&self) {
        self.shared.timer.poll();
    }

    #[inline]
    fn before_yield(&self) {
        self.shared.timer.pause();
    }

    #[inline]
    fn lines_to_prefetch(&self, from: usize) -> [*const u8; 3] {
        if self.shared.is_large() {
            return [std::ptr::null(); 3];
        }
        let [requests, messages, replies] = Mailbox::heads(self.shared.incoming(from));
        match self.purpose {
            Purpose::Superstep if self.shared.subscriptions.any() => {
                [replies, replies.wrapping_add(64), requests]
            }
            Purpose::Superstep if self.shared.has_messages.get() => {
                [messages, messages.wrapping_add(64), requests]
            }
            Purpose::Replies => [replies, replies.wrapping_add(64), replies],
            _ => [requests, messages, requests.wrapping_add(64)],
        }
    }

    fn is_stopped(&self) -> bool {
        self.shared.arena.control().is_stopped()
    }

    fn check_others(&self) {
        self.shared.kind.check_others(&self.shared.arena);
    }

    /// Virtual processors would need another barrier to compute this; the last to arrive does it for all.
    fn all_arrived(&self) {
        if self.shared.is_virtual && self.purpose == Purpose::Superstep {
            let (mut latest, mut largest) = (0, 0);
            for processor_state in &self.shared.arena.processor_states()[..self.shared.processors] {
                let received = processor_state.bytes_in.swap(0, Relaxed);
                let h = self.shared.combine.h(received, processor_state.bytes_out.swap(0, Relaxed));
                (latest, largest) =
                    (processor_state.came.load(Relaxed).max(latest), h.max(largest));
            }
            let control = self.shared.arena.control();
            control.latest.store(latest, Relaxed);
            control.largest.store(largest, Relaxed);
        }
    }

    fn set_sleeping(&self, is_sleeping: bool) {
        self.shared.arena.processor_states()[self.shared.me].set_sleeping(is_sleeping);
        if is_sleeping {
            self.shared.leave();
        }
    }

    fn after_wait(&self) -> Result<(), Stopped> {
        if self.shared.is_virtual {
            take_turn(&self.shared.arena, self.shared.me, &*self.shared.kind)
        } else {
            Ok(())
        }
    }
}
