//! The time of one phase of computation, as it would be on a core of its own.
//!
//! That is the processor time of its thread. Where the thread slept by its own will (reading a file, waiting for
//! threads of its own), that counts, too, but not what it waited for a core: so what the system lets others
//! do meanwhile changes nothing.

use std::cell::Cell;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// Both clocks agree so far where the thread was not switched out.
const ALIKE_NS: u64 = 3_000;

/// A phase that has ended, nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Phase {
    /// On a core of its own.
    pub own: u64,
    /// From begin to end here.
    pub wall: u64,
}

/// Times the phases of the thread that calls.
#[derive(Debug)]
pub(super) struct Stopwatch {
    /// Of the thread: nanoseconds on a core, nanoseconds of waiting for one, …
    statistics: Option<File>,
    begin: Reading,
    /// What the phase has lasted by the last reading: none gives less.
    least: Cell<u64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Reading {
    wall: u64,
    cpu: u64,
    delay: Option<u64>,
    slept: i64,
}

impl Stopwatch {
    pub fn new() -> Stopwatch {
        let statistics = File::open("/proc/thread-self/schedstat").ok();
        let mut watch = Stopwatch { statistics, begin: Reading::default(), least: Cell::new(0) };
        watch.start();
        watch
    }

    /// A phase begins.
    #[inline]
    pub fn start(&mut self) {
        self.least.set(0);
        let (delay, slept) = self.switches();
        let cpu = clock(libc::CLOCK_THREAD_CPUTIME_ID);
        self.begin = Reading { wall: clock(libc::CLOCK_MONOTONIC), cpu, delay, slept };
    }

    /// How long the phase has lasted.
    #[inline]
    pub fn read(&self) -> Phase {
        let wall = clock(libc::CLOCK_MONOTONIC).saturating_sub(self.begin.wall);
        let cpu = clock(libc::CLOCK_THREAD_CPUTIME_ID).saturating_sub(self.begin.cpu);
        let own = match wall.saturating_sub(cpu) {
            // The clock of the system is read next to the phase, and quicker.
            0..ALIKE_NS => wall,
            elsewhere => cpu + self.own_sleep(elsewhere),
        };
        let own = own.max(self.least.get());
        self.least.set(own);
        Phase { own, wall }
    }

    /// Of the time without a core, what the thread has not waited for one.
    #[cold]
    fn own_sleep(&self, elsewhere: u64) -> u64 {
        let (delay, slept) = self.switches();
        let waited = match (self.begin.delay, delay) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => 0,
        };
        match slept > self.begin.slept {
            true => elsewhere.saturating_sub(waited),
            false => 0,
        }
    }

    /// How long the thread has waited for a core, and how often it has slept.
    fn switches(&self) -> (Option<u64>, i64) {
        let mut text = [0; 96];
        let read = self.statistics.as_ref().and_then(|file| file.read_at(&mut text, 0).ok());
        let text = std::str::from_utf8(&text[..read.unwrap_or(0)]).unwrap_or_default();
        let delay = text.split_whitespace().nth(1).and_then(|number| number.parse().ok());
        // SAFETY: all zero is a value of the structure, which the call fills.
        let slept = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage);
            usage.ru_nvcsw
        };
        (delay, slept)
    }
}

fn clock(which: libc::clockid_t) -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is ours.
    unsafe { libc::clock_gettime(which, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// `CLOCK_MONOTONIC`, nanoseconds.
pub(crate) fn monotonic_ns() -> u64 {
    clock(libc::CLOCK_MONOTONIC)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn computing_and_sleeping_both_count() {
        let mut watch = Stopwatch::new();
        std::thread::sleep(Duration::from_millis(20));
        let slept = watch.read();
        assert!(slept.own >= 19_000_000 && slept.own <= slept.wall, "{slept:?}");
        watch.start();
        let begin = clock(libc::CLOCK_THREAD_CPUTIME_ID);
        while clock(libc::CLOCK_THREAD_CPUTIME_ID) - begin < 5_000_000 {
            std::hint::black_box(());
        }
        let computed = watch.read();
        assert!(
            computed.own >= 5_000_000 && computed.own <= computed.wall + 100_000,
            "{computed:?}"
        );
    }

    #[test]
    fn waiting_for_a_core_does_not_count() {
        let cores = std::thread::available_parallelism().unwrap().get();
        let compute = || {
            let watch = Stopwatch::new();
            let begin = clock(libc::CLOCK_THREAD_CPUTIME_ID);
            while clock(libc::CLOCK_THREAD_CPUTIME_ID) - begin < 30_000_000 {
                std::hint::black_box(());
            }
            watch.read()
        };
        let threads = 4 * cores;
        let phases: Vec<Phase> = std::thread::scope(|scope| {
            let all: Vec<_> = (0..threads).map(|_| scope.spawn(compute)).collect();
            all.into_iter().map(|one| one.join().unwrap()).collect()
        });
        assert!(
            phases.iter().all(|phase| (30_000_000..45_000_000).contains(&phase.own)),
            "{phases:?}"
        );
        assert!(phases.iter().any(|phase| phase.wall > 60_000_000), "{phases:?}");
    }
}
