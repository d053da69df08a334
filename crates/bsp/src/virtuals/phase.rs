//! The time of one phase of computation, as it would be on a separate core.
//!
//! This is the processor time of its thread, plus the time in which the thread slept by its own decision
//! (reading a file, waiting for its own threads), but not the time it waited for a core. So the result does not
//! depend on what the system lets others do meanwhile.
//!
//! Why: decision 0036.

use std::cell::Cell;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// The largest difference of both clocks, in nanoseconds, if the thread was not switched out.
const MAX_DIFFERENCE_NS: u64 = 3_000;
/// How often the waiting time is read again if the thread was switched out meanwhile.
const MAX_READINGS: u32 = 16;

/// A phase that has ended, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Phase {
    /// On a separate core.
    pub own: u64,
    /// From begin to end here.
    pub wall: u64,
}

/// Times the phases of the calling thread.
///
/// A host may take a core away without notice: such time is on the system's clock only, as sleep is. So a phase
/// is a sum of stretches, each from one reading to the next: time that is missing in a stretch without sleep is
/// not taken for sleep later.
#[derive(Debug)]
pub(super) struct PhaseTimer {
    /// The statistics of the current thread: nanoseconds on a core, nanoseconds waiting for a core, …
    statistics: Option<File>,
    /// The beginning of the stretch that is not yet in the sum.
    begin: Cell<Reading>,
    /// When the phase began.
    began_wall: u64,
    /// The time of earlier stretches on a separate core, in nanoseconds.
    sum: Cell<u64>,
    /// The length of the phase at the last reading: no later reading is less.
    minimum: Cell<u64>,
}

/// All that is known of the thread at one moment, in nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
struct Reading {
    clocks: Clocks,
    delay: Option<u64>,
    slept: i64,
}

/// The clocks of the system and of the thread, in nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
struct Clocks {
    wall: u64,
    cpu: u64,
}

impl Clocks {
    /// Read so that the system's clock is closest to what begins now.
    #[inline]
    fn at_begin() -> Clocks {
        let cpu = clock(libc::CLOCK_THREAD_CPUTIME_ID);
        Clocks { wall: clock(libc::CLOCK_MONOTONIC), cpu }
    }

    /// Read so that the system's clock is closest to what has ended now.
    #[inline]
    fn at_end() -> Clocks {
        let wall = clock(libc::CLOCK_MONOTONIC);
        Clocks { wall, cpu: clock(libc::CLOCK_THREAD_CPUTIME_ID) }
    }

    /// How long the thread was on no core since then.
    #[inline]
    fn off_core_since(&self, before: &Clocks) -> u64 {
        (self.wall.saturating_sub(before.wall)).saturating_sub(self.cpu.saturating_sub(before.cpu))
    }
}

impl Reading {
    /// The time of a stretch on a separate core, in nanoseconds.
    fn own_until(&self, end: &Reading) -> u64 {
        let cpu = end.clocks.cpu.saturating_sub(self.clocks.cpu);
        let off_core = end.clocks.off_core_since(&self.clocks);
        let waited = match (self.delay, end.delay) {
            (Some(at_begin), Some(at_end)) => at_end.saturating_sub(at_begin),
            _ => 0,
        };
        if end.slept > self.slept { cpu + off_core.saturating_sub(waited) } else { cpu }
    }
}

impl PhaseTimer {
    pub fn new() -> PhaseTimer {
        let statistics = File::open("/proc/thread-self/schedstat").ok();
        let (begin, sum, minimum) = (Cell::default(), Cell::new(0), Cell::new(0));
        let mut timer = PhaseTimer { statistics, begin, began_wall: 0, sum, minimum };
        timer.start();
        timer
    }

    /// A phase begins.
    #[inline]
    pub fn start(&mut self) {
        self.sum.set(0);
        self.minimum.set(0);
        let mut before = Clocks::at_begin();
        for _ in 0..MAX_READINGS {
            let (delay, slept) = self.switches();
            let clocks = Clocks::at_begin();
            self.begin.set(Reading { clocks, delay, slept });
            // A wait for a core between the readings would be subtracted from the phase.
            if clocks.off_core_since(&before) < MAX_DIFFERENCE_NS {
                break;
            }
            before = clocks;
        }
        self.began_wall = self.begin.get().clocks.wall;
    }

    /// The length of the phase so far.
    #[inline]
    pub fn read(&self) -> Phase {
        let now = Clocks::at_end();
        let wall = now.wall.saturating_sub(self.began_wall);
        let begin = self.begin.get().clocks;
        let own = match now.off_core_since(&begin) {
            // The system's clock is read closer to the phase, and faster.
            0..MAX_DIFFERENCE_NS => self.sum.get() + now.wall.saturating_sub(begin.wall),
            _ => self.end_of_stretch(now),
        };
        let own = own.max(self.minimum.get());
        self.minimum.set(own);
        Phase { own, wall }
    }

    /// Adds the stretch until `end` to the sum and returns that; the next stretch begins there.
    #[cold]
    fn end_of_stretch(&self, end: Clocks) -> u64 {
        let (mut before, mut known) = (end, (None, 0));
        for _ in 0..MAX_READINGS {
            known = self.switches();
            let now = Clocks::at_end();
            if now.off_core_since(&before) < MAX_DIFFERENCE_NS {
                break;
            }
            before = now;
        }
        // Waiting since the end belongs to the next stretch.
        let since = before.off_core_since(&end);
        let delay = known.0.map(|delay| delay.saturating_sub(since));
        let end = Reading { clocks: end, delay, slept: known.1 };
        self.sum.set(self.sum.get() + self.begin.get().own_until(&end));
        self.begin.set(end);
        self.sum.get()
    }

    /// How long the thread has waited for a core, and how often it has slept.
    fn switches(&self) -> (Option<u64>, i64) {
        let mut text = [0; 96];
        let read = self.statistics.as_ref().and_then(|file| file.read_at(&mut text, 0).ok());
        let text = std::str::from_utf8(&text[..read.unwrap_or(0)]).unwrap_or_default();
        let delay = text.split_whitespace().nth(1).and_then(|number| number.parse().ok());
        // SAFETY: all zero is a valid value of the structure, which the call fills.
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

    /// The largest difference of clocks that are read one after the other.
    const TOLERANCE_NS: u64 = 100_000;

    /// How long the thread has waited for a core, as the system tells it.
    fn waited(timer: &PhaseTimer) -> u64 {
        timer.switches().0.expect("/proc/thread-self/schedstat")
    }

    #[test]
    fn what_a_host_took_before_is_no_sleep() {
        let reading = |wall, cpu, delay, slept| Reading {
            clocks: Clocks { wall, cpu },
            delay: Some(delay),
            slept,
        };
        // 3 ms taken by the host, 1 ms waited for a core; then 5 ms of sleep, and 2 ms of waiting.
        let begin = reading(0, 0, 7_000_000, 4);
        let taken = reading(10_000_000, 6_000_000, 8_000_000, 4);
        let slept = reading(17_500_000, 6_500_000, 10_000_000, 5);
        assert_eq!(begin.own_until(&taken), 6_000_000);
        assert_eq!(taken.own_until(&slept), 5_500_000);
    }

    #[test]
    fn readings_add_up_and_never_go_back() {
        let timer = PhaseTimer::new();
        let (mut last, begin) = (timer.read(), waited(&timer));
        for _ in 0..20 {
            std::thread::sleep(Duration::from_millis(1));
            let waited = waited(&timer) - begin;
            let now = timer.read();
            assert!(last.own <= now.own && now.own <= now.wall, "{last:?} {now:?}");
            assert!(now.own + waited <= now.wall + TOLERANCE_NS, "{now:?} {waited}");
            last = now;
        }
        assert!(last.own >= 19_900_000, "{last:?}");
    }

    #[test]
    fn computing_and_sleeping_both_count() {
        let mut timer = PhaseTimer::new();
        std::thread::sleep(Duration::from_millis(20));
        let slept = timer.read();
        assert!(slept.own >= 19_000_000 && slept.own <= slept.wall, "{slept:?}");
        timer.start();
        let begin = clock(libc::CLOCK_THREAD_CPUTIME_ID);
        while clock(libc::CLOCK_THREAD_CPUTIME_ID) - begin < 5_000_000 {
            std::hint::black_box(());
        }
        let computed = timer.read();
        assert!(
            computed.own >= 5_000_000 && computed.own <= computed.wall + 100_000,
            "{computed:?}"
        );
    }

    #[test]
    fn sleep_counts_and_waiting_for_a_core_does_not() {
        let ends = std::sync::atomic::AtomicBool::new(false);
        let cores = std::thread::available_parallelism().unwrap().get();
        let phases: Vec<(Phase, u64)> = std::thread::scope(|scope| {
            for _ in 0..2 * cores {
                scope.spawn(|| {
                    while !ends.load(std::sync::atomic::Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                });
            }
            let mut timer = PhaseTimer::new();
            let phases = (0..40).map(|_| {
                timer.start();
                let begin = waited(&timer);
                std::thread::sleep(Duration::from_millis(10));
                let waited = waited(&timer) - begin;
                (timer.read(), waited)
            });
            let phases = phases.collect();
            ends.store(true, std::sync::atomic::Ordering::Relaxed);
            phases
        });
        // How late the system ends a sleep is not known. What it tells of the wait for a core is not in the phase.
        let slept = |(phase, waited): &(Phase, u64)| {
            phase.own >= 9_500_000 && phase.own + waited <= phase.wall + TOLERANCE_NS
        };
        assert!(phases.iter().all(slept), "{phases:?}");
    }

    #[test]
    fn waiting_for_a_core_does_not_count() {
        let cores = std::thread::available_parallelism().unwrap().get();
        let compute = || {
            let before = clock(libc::CLOCK_THREAD_CPUTIME_ID);
            let timer = PhaseTimer::new();
            let (begin, (_, sleeps)) = (waited(&timer), timer.switches());
            let computing = clock(libc::CLOCK_THREAD_CPUTIME_ID);
            while clock(libc::CLOCK_THREAD_CPUTIME_ID) - computing < 30_000_000 {
                std::hint::black_box(());
            }
            let waited = waited(&timer) - begin;
            let phase = timer.read();
            let slept = timer.switches().1 != sleeps;
            (phase, clock(libc::CLOCK_THREAD_CPUTIME_ID) - before, waited, slept)
        };
        let threads = 4 * cores;
        let phases: Vec<(Phase, u64, u64, bool)> = std::thread::scope(|scope| {
            let all: Vec<_> = (0..threads).map(|_| scope.spawn(compute)).collect();
            all.into_iter().map(|handle| handle.join().unwrap()).collect()
        });
        // A thread that the system put to sleep meanwhile was on no core for that time, too.
        let computed = |&(phase, cpu, waited, slept): &(Phase, u64, u64, bool)| {
            let most = if slept { phase.wall - waited } else { cpu };
            (30_000_000..=most + TOLERANCE_NS).contains(&phase.own)
        };
        assert!(phases.iter().all(computed), "{phases:?}");
        assert!(phases.iter().any(|(phase, ..)| phase.wall > 60_000_000), "{phases:?}");
    }
}
