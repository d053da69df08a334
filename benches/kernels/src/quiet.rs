//! Whether the machine was quiet while something was measured: little steal, little work by others, one regime
//! of two canaries. A chain of multiply-adds runs at the clock's rate; eight chains side by side fill a core's
//! width, and are slower where the other half of the core is at work, which on a rented machine may be anybody's.
//! Two of them at the same time are slower than one where two processors are halves of one core.

use std::fmt;
use std::fs;
use std::num::NonZero;
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result};

/// Share of the processors' time that the hypervisor or others may have taken.
const MOST_TAKEN: f64 = 0.01;

/// The slowest of a canary beside its fastest.
const MOST_SPREAD: f64 = 1.10;

/// Two widths at the same time take this much longer than one at most, where each has a core; and the share of
/// rounds in which they may take longer.
const MOST_SHARED: (f64, f64) = (1.3, 0.1);

/// Watches from [`Watch::begin`] to [`Watch::end`].
pub struct Watch {
    begin: Ticks,
    /// The times of each round: seconds of the chain, of the width, and of the slower of two widths at the same time.
    canaries: Vec<[f64; 3]>,
}

impl Watch {
    /// Starts watching.
    pub fn begin() -> Result<Watch> {
        Ok(Watch { begin: Ticks::now()?, canaries: Vec::new() })
    }

    /// Whether the machine was at its best in a round, of those so far: each canary nearly as fast as ever.
    #[allow(dead_code, reason = "not all benchmarks leave rounds out")]
    pub fn was_at_its_best(&self, round: usize) -> bool {
        let Some(&[chain, alone, both]) = self.canaries.get(round) else { return false };
        let is_best = |kind: usize, value: f64| {
            let fastest =
                self.canaries.iter().map(|canary| canary[kind]).fold(f64::INFINITY, f64::min);
            value < MOST_SPREAD * fastest
        };
        is_best(0, chain) && is_best(1, alone) && both / alone <= MOST_SHARED.0
    }

    /// How many rounds there were.
    #[allow(dead_code, reason = "as above")]
    pub fn rounds(&self) -> usize {
        self.canaries.len()
    }

    /// Lets the canaries sing once; to be called before each round.
    pub fn round(&mut self) {
        // The best of a few: one that is interrupted says nothing of the regime.
        self.canaries.push([best(chain), best(width), together()]);
    }

    /// Stops watching and returns the verdict.
    pub fn end(self) -> Result<Verdict> {
        let now = Ticks::now()?;
        let total = (now.total - self.begin.total).max(1.0);
        let busy = now.busy - self.begin.busy;
        let ours = now.ours - self.begin.ours;
        let spread = |kind: usize| {
            let all = || self.canaries.iter().map(|canary| canary[kind]);
            if self.canaries.is_empty() {
                1.0
            } else {
                all().fold(0.0, f64::max) / all().fold(f64::INFINITY, f64::min)
            }
        };
        let shared = self.canaries.iter().filter(|[_, alone, both]| both / alone > MOST_SHARED.0);
        Ok(Verdict {
            shared: shared.count() as f64 / self.canaries.len().max(1) as f64,
            steal: (now.steal - self.begin.steal) / total,
            others: ((busy - ours) / total).max(0.0),
            spread: [spread(0), spread(1)],
        })
    }
}

/// The observations of a [`Watch`].
pub struct Verdict {
    steal: f64,
    others: f64,
    /// The spreads of the chain and of the width.
    spread: [f64; 2],
    /// Share of the rounds in which two processors were halves of one core.
    shared: f64,
}

impl Verdict {
    /// Whether nothing else took the processors, however quick they were.
    pub fn is_ours(&self) -> bool {
        self.steal < MOST_TAKEN && self.others < MOST_TAKEN
    }

    /// Whether figures that ask for a quiet machine may be given.
    pub fn is_quiet(&self) -> bool {
        self.is_ours()
            && self.shared <= MOST_SHARED.1
            && self.spread.iter().all(|spread| *spread < MOST_SPREAD)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: steal {:.2}%, others {:.2}% of the processors' time (at most {:.0}% each), \
             clock {:.2}x, width of a core {:.2}x (below {MOST_SPREAD:.2}x each), \
             two processors on one core in {:.0}% of the rounds (at most {:.0}%)",
            if self.is_quiet() { "quiet" } else { "not quiet" },
            100.0 * self.steal,
            100.0 * self.others,
            100.0 * MOST_TAKEN,
            self.spread[0],
            self.spread[1],
            100.0 * self.shared,
            100.0 * MOST_SHARED.1,
        )
    }
}

/// Clock ticks since boot, of all processors together.
struct Ticks {
    total: f64,
    busy: f64,
    steal: f64,
    /// The processor time of this process and of its children that have ended.
    ours: f64,
}

impl Ticks {
    fn now() -> Result<Ticks> {
        let stat = fs::read_to_string("/proc/stat").context("/proc/stat cannot be read")?;
        let first = stat.lines().next().unwrap_or_default();
        // user nice system idle iowait irq softirq steal
        let all: Vec<f64> =
            first.split_whitespace().skip(1).filter_map(|w| w.parse().ok()).take(8).collect();
        let [user, nice, system, idle, iowait, irq, softirq, steal] = all[..] else {
            anyhow::bail!("/proc/stat begins with {first:?}");
        };
        let own = fs::read_to_string("/proc/self/stat").context("/proc/self/stat")?;
        // Fields 14-17, counted after the name in parentheses: utime stime cutime cstime
        let fields = own.rsplit(')').next().unwrap_or_default();
        let ours = fields.split_whitespace().skip(11).take(4).filter_map(|w| w.parse::<f64>().ok());
        let busy = user + nice + system + irq + softirq;
        Ok(Ticks { total: busy + idle + iowait + steal, busy, steal, ours: ours.sum() })
    }
}

/// The shortest of a few.
fn best(canary: fn() -> f64) -> f64 {
    (0..5).map(|_| canary()).fold(f64::INFINITY, f64::min)
}

/// Seconds for the width, of the slower of two threads; nothing, where there is one processor.
fn together() -> f64 {
    if thread::available_parallelism().map_or(1, NonZero::get) < 2 {
        return 0.0;
    }
    let barrier = Barrier::new(2);
    let measure = || {
        barrier.wait();
        best(width)
    };
    thread::scope(|scope| {
        let other = scope.spawn(measure);
        let mine = measure();
        mine.max(other.join().unwrap_or(0.0))
    })
}

/// Seconds for a chain of a million multiply-adds.
fn chain() -> f64 {
    let begin = Instant::now();
    let mut x = 1.0_f64;
    for _ in 0..1_000_000 {
        x = std::hint::black_box(x * 0.999_999 + 1e-6);
    }
    std::hint::black_box(x);
    begin.elapsed().as_secs_f64()
}

/// Seconds for eight chains of whole numbers, more than a core can take at a time.
fn width() -> f64 {
    let begin = Instant::now();
    let mut x: [u64; 8] = std::hint::black_box([1, 7, 23, 12, 5, 9, 31, 2]);
    for _ in 0..20_000 {
        // Opaque after some steps, so that they are not folded into one.
        for _ in 0..8 {
            for x in &mut x {
                *x = x.wrapping_add(12345) ^ 0x5555;
            }
        }
        x = std::hint::black_box(x);
    }
    begin.elapsed().as_secs_f64()
}
