//! Whether the machine was quiet while something was measured: little steal,
//! little work by others, one regime of a canary (a fixed loop of multiply-adds).

use std::fmt;
use std::fs;
use std::time::Instant;

use anyhow::{Context, Result};

/// Share of the processors' time that the hypervisor or others may have taken.
const MOST_TAKEN: f64 = 0.01;

/// The slowest canary beside the fastest.
const MOST_SPREAD: f64 = 1.10;

/// Watches from [`Watch::begin`] to [`Watch::end`].
pub struct Watch {
    begin: Ticks,
    canaries: Vec<f64>,
}

impl Watch {
    /// Starts watching.
    pub fn begin() -> Result<Watch> {
        Ok(Watch { begin: Ticks::now()?, canaries: Vec::new() })
    }

    /// Lets the canary sing once; to be called before each round.
    pub fn round(&mut self) {
        // The best of a few: one that is interrupted says nothing of the clock's regime.
        let best = (0..5).map(|_| canary()).fold(f64::INFINITY, f64::min);
        self.canaries.push(best);
    }

    /// What was seen.
    pub fn end(self) -> Result<Verdict> {
        let now = Ticks::now()?;
        let total = (now.total - self.begin.total).max(1.0);
        let busy = now.busy - self.begin.busy;
        let ours = now.ours - self.begin.ours;
        let fastest = self.canaries.iter().copied().fold(f64::INFINITY, f64::min);
        let slowest = self.canaries.iter().copied().fold(0.0, f64::max);
        Ok(Verdict {
            steal: (now.steal - self.begin.steal) / total,
            others: ((busy - ours) / total).max(0.0),
            spread: if self.canaries.is_empty() { 1.0 } else { slowest / fastest },
        })
    }
}

/// What a [`Watch`] saw.
pub struct Verdict {
    steal: f64,
    others: f64,
    spread: f64,
}

impl Verdict {
    /// Whether figures that ask for a quiet machine may be given.
    pub fn is_quiet(&self) -> bool {
        self.steal < MOST_TAKEN && self.others < MOST_TAKEN && self.spread < MOST_SPREAD
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: steal {:.2}%, others {:.2}% of the processors' time (at most {:.0}% each), canary {:.2}x (below {MOST_SPREAD:.2}x)",
            if self.is_quiet() { "quiet" } else { "not quiet" },
            100.0 * self.steal,
            100.0 * self.others,
            100.0 * MOST_TAKEN,
            self.spread,
        )
    }
}

/// Clock ticks since boot, of all processors together.
struct Ticks {
    total: f64,
    busy: f64,
    steal: f64,
    /// Of this process and of its children that have ended.
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

/// Seconds for a chain of a million multiply-adds.
fn canary() -> f64 {
    let begin = Instant::now();
    let mut x = 1.0_f64;
    for _ in 0..1_000_000 {
        x = std::hint::black_box(x * 0.999_999 + 1e-6);
    }
    std::hint::black_box(x);
    begin.elapsed().as_secs_f64()
}
