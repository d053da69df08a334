//! Looks at the program's own processor while the program runs.
//!
//! A core's other half is busy for 20 ms or for seconds, and a round may take longer: looks before
//! and after it do not tell. A look takes the processor away for some 8 µs, fifty times a second.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, park_timeout, spawn};
use std::time::{Duration, Instant};

use super::canary::Look;
use super::place::{Placement, Scheduler, foremost, pin};

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(20);
/// A look that came so much later than it should did not get the processor.
const LATE: Duration = Duration::from_millis(2);

/// Looks until it is called back.
pub struct Sentinel {
    stop: Arc<AtomicBool>,
    looking: JoinHandle<Vec<Look>>,
}

impl Sentinel {
    /// On the one processor of a program's place; `None` if it has several: then the program
    /// itself keeps both halves of its cores busy.
    pub fn post(place: &Placement) -> Option<Sentinel> {
        let [cpu] = place.cpus.as_deref()? else { return None };
        let (cpu, place) = (*cpu, (place.scheduler != Scheduler::Ordinary).then(|| place.clone())?);
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let looking = spawn(move || {
            let mut looks = Vec::new();
            // Without the right to go before it, it would wait for the program to let it.
            if !pin(&[cpu]) || !foremost(&place) {
                return looks;
            }
            loop {
                let begin = Instant::now();
                park_timeout(PAUSE);
                if stopped.load(Ordering::Acquire) {
                    return looks;
                }
                if begin.elapsed() < PAUSE + LATE {
                    looks.push(Look::now());
                }
            }
        });
        Some(Sentinel { stop, looking })
    }

    /// What it has seen.
    pub fn call_back(self) -> Vec<Look> {
        self.stop.store(true, Ordering::Release);
        self.looking.thread().unpark();
        self.looking.join().unwrap_or_default()
    }
}
