//! The clock of a virtual processor.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::Ordering::*;

use crate::engine::shared::arena::Arena;
use crate::log::Ending;

use super::cache::Cache;
use super::memory::Need;
use super::phase::{PhaseTimer, monotonic_ns};
use super::{Combine, Costs, Virtual};

/// The total time of a processor's phases, and the cost of running them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Number of cores that computed at a time.
    pub cores: u32,
    /// Every n-th phase ran while no other computed; 0: none.
    pub alone: u32,
    /// Virtual nanoseconds from begin to end.
    pub time_ns: u64,
    /// Number of phases of computation.
    pub phases: u64,
    /// Those of them that began with the cache as on a separate core.
    pub restored: u64,
    /// Assumed size in bytes of a core's private cache; 0: phases find what others have left.
    pub cache: u64,
    /// Their time as it counts, in nanoseconds.
    pub computation_ns: u64,
    /// Their elapsed time here, in nanoseconds.
    pub wall_ns: u64,
    /// From the processor's begin to its end here, in nanoseconds.
    pub run_ns: u64,
    /// How many times the program has read the time.
    pub asked: u64,
    /// The largest size of its own memory that was seen, in bytes.
    pub memory: u64,
}

/// Computes the time of one processor.
#[derive(Debug)]
pub(crate) struct VirtualClock {
    arena: Arc<Arena>,
    me: usize,
    settings: Virtual,
    /// In a phase in which no other computes: the turns that it has in addition to its own.
    others: Vec<u32>,
    costs: Arc<Costs>,
    /// The cache content that is restored before a phase, if any.
    cache: Option<Cache>,
    need: Need,
    stopwatch: PhaseTimer,
    runs: bool,
    /// The time when the last phase ended.
    stopped: u64,
    /// Φ and the computation since then, up to the last stop.
    time: u64,
    began: u64,
    asked: Cell<u64>,
    totals: Totals,
}

impl VirtualClock {
    /// Begins at time 0; the first phase begins with [`VirtualClock::start`]. The processor must have its turn.
    pub fn new(
        arena: Arc<Arena>,
        me: usize,
        processors: usize,
        settings: &Virtual,
    ) -> VirtualClock {
        let shared = arena.base() as usize;
        let besides = (shared, shared + arena.size());
        let restores = processors > 1 && settings.cache > 0;
        VirtualClock {
            cache: restores.then(|| Cache::new(settings.cache, besides)),
            arena,
            me,
            settings: settings.clone(),
            others: Vec::new(),
            costs: settings.costs.clone(),
            need: Need::new(processors, settings.memory, settings.overcommits),
            runs: false,
            stopped: 0,
            time: 0,
            began: monotonic_ns(),
            asked: Cell::new(0),
            totals: Totals {
                cores: settings.cores as u32,
                alone: settings.alone,
                cache: if restores { settings.cache } else { 0 },
                ..Totals::default()
            },
            stopwatch: PhaseTimer::new(),
        }
    }

    /// The system's time at virtual time 0, the same on all processors: for logs.
    pub fn origin(&self) -> u64 {
        self.arena.control().origin.load(Relaxed)
    }

    /// Virtual nanoseconds since the begin.
    #[inline]
    pub fn now(&self) -> u64 {
        if self.runs { self.time + self.counted(self.stopwatch.read().own) } else { self.time }
    }

    /// As [`VirtualClock::now`], for the program.
    pub fn ask(&self) -> u64 {
        self.asked.set(self.asked.get() + 1);
        self.now()
    }

    /// A time of computation as it counts.
    #[inline]
    fn counted(&self, own: u64) -> u64 {
        match self.settings.contention {
            1.0 => own,
            factor => (own as f64 * factor).round() as u64,
        }
    }

    pub fn combine(&self) -> Combine {
        self.costs.combine()
    }

    /// Ends the phase.
    #[inline]
    pub fn stop(&mut self) {
        if self.runs {
            let phase = self.stopwatch.read();
            if let Some(callbacks) = self.settings.callbacks {
                (callbacks.stopped)();
            }
            self.runs = false;
            let own = self.counted(phase.own);
            self.time += own;
            self.stopped = self.time;
            self.totals.phases += 1;
            self.totals.computation_ns += own;
            self.totals.wall_ns += phase.wall;
            self.arena.control().turns.note_phase(phase.wall);
            if !self.others.is_empty() {
                self.arena.control().turns.share(&self.others, &self.arena);
                self.others.clear();
            }
        }
    }

    /// Begins the next phase.
    #[inline]
    pub fn start(&mut self) {
        let every = u64::from(self.settings.alone);
        if every > 0 && (self.totals.phases + 1).is_multiple_of(every) {
            self.compute_alone();
        }
        if self.cache.as_mut().is_some_and(Cache::restore) {
            self.totals.restored += 1;
        }
        if let Some(callbacks) = self.settings.callbacks {
            (callbacks.resumed)(self.time - self.stopped);
        }
        self.runs = true;
        self.stopwatch.start();
    }

    #[cold]
    fn compute_alone(&mut self) {
        let processor_state = &self.arena.processor_states()[self.me];
        if let Some(own) = processor_state.set_turn(None) {
            // If the machine is stopped meanwhile, the next synchronisation reports it.
            self.others = self.arena.control().turns.take_all(own, self.me, &self.arena);
            processor_state.set_turn(self.others.pop());
        }
    }

    /// A superstep of a machine of `processors` processors has ended. The last of those that this one depends
    /// on arrived at `latest`, with this h. Returns how long this one has waited, in nanoseconds.
    pub fn synchronise(&mut self, latest: u64, h: u64, ending: Ending, processors: usize) -> u64 {
        let waited = latest.saturating_sub(self.time);
        self.time = latest.max(self.time) + self.costs.ns(ending, processors, h);
        waited
    }

    /// The processor waits until that time, if it has not passed yet.
    pub fn wait_until(&mut self, time: u64) {
        self.time = self.time.max(time);
    }

    /// Measures the memory while not enough is known about it. An error if there is not enough for all
    /// processors.
    pub(crate) fn check_memory(&mut self) -> Result<(), String> {
        self.need.measure(&self.arena)
    }

    pub fn totals(&self) -> Totals {
        let run_ns = monotonic_ns().saturating_sub(self.began);
        Totals {
            time_ns: self.time,
            run_ns,
            memory: self.need.peak(),
            asked: self.asked.get(),
            ..self.totals
        }
    }
}
