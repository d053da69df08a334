//! How long a processor has waited, for its log.
//!
//! The clock is read between unsuccessful polls, when there is nothing else to do. The processor that arrives
//! last finds its condition true at once and reads no clock. So a log does not delay the processor for which
//! all others wait.

use std::cell::Cell;

/// Adds up the time from the second poll of each wait (or from a pause before it) to the last poll, in ticks of
/// a clock.
#[derive(Debug, Default)]
pub(crate) struct WaitTimer {
    clock: Option<fn() -> u64>,
    state: Cell<State>,
    waited: Cell<u64>,
}

#[derive(Clone, Copy, Debug, Default)]
enum State {
    #[default]
    Begun,
    Looked,
    Since(u64),
}

impl WaitTimer {
    /// Uses this clock from now on.
    pub fn set(&mut self, clock: fn() -> u64) {
        self.clock = Some(clock);
    }

    /// A wait begins.
    #[inline]
    pub fn begin(&self) {
        self.state.set(State::Begun);
    }

    /// Called at each poll.
    #[inline]
    pub fn poll(&self) {
        if let Some(clock) = self.clock {
            self.count(clock);
        }
    }

    /// Time counts from now on, even before the second poll.
    #[inline]
    pub fn pause(&self) {
        if let (Some(clock), State::Begun | State::Looked) = (self.clock, self.state.get()) {
            self.state.set(State::Since(clock()));
        }
    }

    fn count(&self, clock: fn() -> u64) {
        let state = match self.state.get() {
            State::Begun => State::Looked,
            State::Looked => State::Since(clock()),
            State::Since(before) => {
                let now = clock();
                self.waited.set(self.waited.get() + now.saturating_sub(before));
                State::Since(now)
            }
        };
        self.state.set(state);
    }

    /// The time waited since the last call of this function.
    #[inline]
    pub fn take(&self) -> u64 {
        self.waited.take()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::WaitTimer;

    #[test]
    fn the_clock_is_read_only_in_waits_that_are_not_over_at_once() {
        static TICKS: AtomicU64 = AtomicU64::new(0);
        let mut timer = WaitTimer::default();
        timer.set(|| TICKS.fetch_add(10, Relaxed));
        for _ in 0..3 {
            timer.begin();
            timer.poll();
        }
        assert_eq!((timer.take(), TICKS.load(Relaxed)), (0, 0));
        // From the second poll to the fifth, and from the second to the third.
        for polls in [5, 3] {
            timer.begin();
            (0..polls).for_each(|_| timer.poll());
        }
        assert_eq!((timer.take(), timer.take()), (40, 0));
    }
}
