//! Tests the speed of the program's processor while it runs.
//!
//! A core's other half may be busy for 20 ms or for seconds, and a round may take longer, so tests before and
//! after it are not enough. A test takes the processor for some 8 µs, fifty times a second.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, park_timeout, spawn};
use std::time::{Duration, Instant};

use super::canary::Look;
use super::place::{Placement, Scheduler, foremost, pin};

/// Time between two tests.
const PAUSE: Duration = Duration::from_millis(20);
/// A test that is this late did not get the processor in time.
const LATE: Duration = Duration::from_millis(2);

/// Tests until it is stopped.
pub struct Sentinel {
    stop: Arc<AtomicBool>,
    looking: JoinHandle<Vec<Look>>,
}

impl Sentinel {
    /// On the processor of a program with one processor; `None` if it has several: then the program itself uses
    /// both halves of its cores.
    pub fn post(place: &Placement) -> Option<Sentinel> {
        let [cpu] = place.cpus.as_deref()? else { return None };
        let (cpu, place) = (*cpu, (place.scheduler != Scheduler::Ordinary).then(|| place.clone())?);
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let looking = spawn(move || {
            let mut looks = Vec::new();
            // Without permission for a higher priority it would have to wait for the program.
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

    /// Stops it, and returns the tests.
    pub fn call_back(self) -> Vec<Look> {
        self.stop.store(true, Ordering::Release);
        self.looking.thread().unpark();
        self.looking.join().unwrap_or_default()
    }
}
