//! Phases of a process whose turns others manage: ranks of MPI.

use super::Totals;
use super::cache::{Cache, Memory};
use super::memory::own_memory;
use super::phase::{PhaseTimer, monotonic_ns};

/// The phases of the calling thread, which has a turn in each of them.
#[derive(Debug)]
pub struct Phases {
    timer: PhaseTimer,
    cache: Option<Cache>,
    runs: bool,
    began: u64,
    totals: Totals,
}

impl Phases {
    /// Creates the phases for `cores` cores that compute at a time, with private caches of `cache` bytes (0: none is
    /// restored). Memory that the process has made since `before`, or makes between phases, is not the program's own.
    pub fn new(cores: u32, cache: u64, before: &Memory) -> Phases {
        Phases {
            timer: PhaseTimer::new(),
            cache: (cache > 0).then(|| Cache::of_private_pages(cache, before)),
            runs: false,
            began: monotonic_ns(),
            totals: Totals { cores, cache, ..Totals::default() },
        }
    }

    /// A phase begins, with the cache as it would be on a core of its own.
    pub fn start(&mut self) {
        if self.cache.as_mut().is_some_and(Cache::restore) {
            self.totals.restored += 1;
        }
        self.runs = true;
        self.timer.start();
    }

    /// The phase ends, if there is one. Returns nanoseconds of all phases until now.
    pub fn stop(&mut self) -> u64 {
        if self.runs {
            let phase = self.timer.read();
            self.runs = false;
            self.totals.phases += 1;
            self.totals.computation_ns += phase.own;
            self.totals.wall_ns += phase.wall;
            if let Some(cache) = &mut self.cache {
                cache.leave();
            }
        }
        self.totals.computation_ns
    }

    /// Returns the totals of all phases; called at the end.
    pub fn totals(&self) -> Totals {
        Totals {
            time_ns: self.totals.computation_ns,
            run_ns: monotonic_ns().saturating_sub(self.began),
            memory: own_memory().unwrap_or(0),
            ..self.totals
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_start_and_stop_counts() {
        let mut phases = Phases::new(1, 0, &Memory::default());
        assert_eq!(phases.stop(), 0);
        let spin = || (0..200_000u64).fold(0, |sum, number| std::hint::black_box(sum ^ number));
        phases.start();
        spin();
        let first = phases.stop();
        assert!(first > 0);
        spin();
        assert_eq!(phases.stop(), first);
        phases.start();
        spin();
        let both = phases.stop();
        let totals = phases.totals();
        assert!(both > first && totals.run_ns >= totals.wall_ns);
        assert_eq!((totals.phases, totals.computation_ns), (2, both));
    }
}
