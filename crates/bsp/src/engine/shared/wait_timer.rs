//! How long a processor has waited, for its log.
//!
//! The clock is read between unsuccessful polls, when there is nothing else to do. Who comes last finds what it
//! looks for at once, and reads no clock: a log does not delay those that everybody waits for.

use std::cell::Cell;

/// Adds up the time between the second look, or a pause before it, and the last look of each wait, in ticks of a
/// clock.
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
    /// Reads this clock from here on.
    pub fn set(&mut self, clock: fn() -> u64) {
        self.clock = Some(clock);
    }

    /// A wait begins.
    #[inline]
    pub fn begin(&self) {
        self.state.set(State::Begun);
    }

    /// It is looked whether it is over.
    #[inline]
    pub fn look(&self) {
        if let Some(clock) = self.clock {
            self.count(clock);
        }
    }

    /// Time goes by from here on, whether it was looked or not.
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

    /// What was waited since this was asked for last.
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
    fn who_finds_it_at_once_reads_no_clock_and_who_waits_adds_up() {
        static TICKS: AtomicU64 = AtomicU64::new(0);
        let mut watch = WaitTimer::default();
        watch.set(|| TICKS.fetch_add(10, Relaxed));
        for _ in 0..3 {
            watch.begin();
            watch.look();
        }
        assert_eq!((watch.take(), TICKS.load(Relaxed)), (0, 0));
        // From the second look to the fifth, and from the second to the third.
        for looks in [5, 3] {
            watch.begin();
            (0..looks).for_each(|_| watch.look());
        }
        assert_eq!((watch.take(), watch.take()), (40, 0));
    }
}
