//! Whether there is memory for all processors. The first ones to reach their first synchronisations determine
//! it, before the others have had a turn.

use std::sync::atomic::Ordering::*;

use crate::engine::shared::arena::Arena;

/// Processors that measure: enough for an estimate; a measurement takes the system some time.
const MEASURING_PROCESSORS: u64 = 16;
/// Synchronisations of a processor after which nothing new is expected.
const MEASUREMENTS: u32 = 2;
/// The share of the available memory that is left to the system.
const RESERVED_SHARE: f64 = 0.05;

/// The memory of one processor.
#[derive(Debug)]
pub(crate) struct Need {
    processors: u64,
    limit: Option<u64>,
    overcommits: bool,
    measurements: u32,
    peak: u64,
}

impl Need {
    pub fn new(processors: usize, limit: Option<u64>, overcommits: bool) -> Need {
        Need { processors: processors as u64, limit, overcommits, measurements: 0, peak: 0 }
    }

    /// The largest size that was seen of this processor.
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// Called at a synchronisation. An error if the machine does not fit.
    pub(super) fn measure(&mut self, arena: &Arena) -> Result<(), String> {
        let control = arena.control();
        let is_late =
            self.measurements == 0 && control.memory_known.load(Relaxed) >= MEASURING_PROCESSORS;
        if is_late || self.measurements >= MEASUREMENTS {
            self.measurements = MEASUREMENTS;
            return Ok(());
        }
        self.measurements += 1;
        let Some(own) = own_memory() else { return Ok(()) };
        let before = self.peak;
        self.peak = own.max(before);
        control.memory_in_use.fetch_add(self.peak - before, Relaxed);
        if before == 0 {
            control.memory_known.fetch_add(1, Relaxed);
        }
        let each = control.memory_peak.fetch_max(self.peak, Relaxed).max(self.peak);
        if self.overcommits {
            return Ok(());
        }
        let known = control.memory_known.load(Relaxed).min(self.processors);
        let more = (self.processors - known) * each;
        let in_use = control.memory_in_use.load(Relaxed);
        let allowed = self.limit.map(|limit| limit.saturating_sub(in_use));
        let Some(available) = available_memory().into_iter().chain(allowed).min() else {
            return Ok(());
        };
        if (more as f64) < (1.0 - RESERVED_SHARE) * available as f64 {
            return Ok(());
        }
        let there_is = match self.limit {
            Some(limit) => format!("{} are allowed", shown(limit)),
            None => format!("the system has {}", shown(available + in_use)),
        };
        Err(format!(
            "{} processors need about {} ({} each, measured on the first {known}), but {there_is}\n  help: \
             fewer processors (cll run -n) or a smaller problem; cll run --overcommit (CLL_OVERCOMMIT=1) continues \
             in spite of this",
            self.processors,
            shown(self.processors * each),
            shown(each),
        ))
    }
}

/// The private memory of this process in bytes; shared memory counts in part.
pub(super) fn own_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/smaps_rollup").ok()?;
    kilobytes(&text, "Pss:").map(|size| 1024 * size)
}

/// Bytes that the system can provide, limited by the control group.
fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let system = 1024 * kilobytes(&text, "MemAvailable:")?;
    let of_group = |name: &str| {
        let text = std::fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?;
        text.trim().parse::<u64>().ok()
    };
    let left = of_group("memory.max").zip(of_group("memory.current"));
    Some(left.map_or(system, |(most, used)| system.min(most.saturating_sub(used))))
}

fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()?.parse().ok()
}

/// `1.5 GiB`.
fn shown(bytes: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let power = (0..units.len() - 1).find(|&power| bytes >> (10 * power) < 1024);
    let power = power.unwrap_or(units.len() - 1);
    match power {
        0 => format!("{bytes} B"),
        _ => format!("{:.1} {}", bytes as f64 / (1u64 << (10 * power)) as f64, units[power]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_shown() {
        let text = "MemTotal:       100 kB\nMemAvailable:    24683672 kB\n";
        assert_eq!(kilobytes(text, "MemAvailable:"), Some(24_683_672));
        assert_eq!(kilobytes(text, "Pss:"), None);
        assert!(own_memory().is_some_and(|size| size > 10_000));
        assert!(available_memory().is_some_and(|size| size > 1 << 20));
        let all = [0, 1023, 1536, 5 << 20, 3 << 39].map(shown);
        assert_eq!(all, ["0 B", "1023 B", "1.5 KiB", "5.0 MiB", "1.5 TiB"]);
    }
}
