//! Tests the speed of the program's processor while it runs.
//!
//! A core's other half may be busy for 20 ms or for seconds, and a round may take longer, so tests before and
//! after it are not enough. A test takes the processor for some 8 µs, fifty times a second.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, park_timeout, spawn};
use std::time::{Duration, Instant};

use super::placement::{Placement, Scheduler, foremost, pin};
use super::speed_test::SpeedTest;

/// Time between two tests.
const TEST_INTERVAL: Duration = Duration::from_millis(20);
/// A test that is this late did not get the processor in time.
const MAX_DELAY: Duration = Duration::from_millis(2);

/// Tests until it is stopped.
pub struct MachineSampler {
    stop: Arc<AtomicBool>,
    tester: JoinHandle<Vec<SpeedTest>>,
}

impl MachineSampler {
    /// On the processor of a program with one processor; `None` if it has several: then the program itself uses
    /// both halves of its cores.
    pub fn start(place: &Placement) -> Option<MachineSampler> {
        let [cpu] = place.cpus.as_deref()? else { return None };
        let (cpu, place) = (*cpu, (place.scheduler != Scheduler::Ordinary).then(|| place.clone())?);
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let tester = spawn(move || {
            let mut tests = Vec::new();
            // Without permission for a higher priority it would have to wait for the program.
            if !pin(&[cpu]) || !foremost(&place) {
                return tests;
            }
            loop {
                let begin = Instant::now();
                park_timeout(TEST_INTERVAL);
                if stopped.load(Ordering::Acquire) {
                    return tests;
                }
                if begin.elapsed() < TEST_INTERVAL + MAX_DELAY {
                    tests.push(SpeedTest::run());
                }
            }
        });
        Some(MachineSampler { stop, tester })
    }

    /// Stops it, and returns the tests.
    pub fn stop(self) -> Vec<SpeedTest> {
        self.stop.store(true, Ordering::Release);
        self.tester.thread().unpark();
        self.tester.join().unwrap_or_default()
    }
}
