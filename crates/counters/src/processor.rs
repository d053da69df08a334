//! How many events this processor counts at the same time. It is tried, since the system does not report it.

use std::hint::black_box;
use std::io;
use std::time::{Duration, Instant};

use cll_trace::observable::PerfEvent;
use perf_event::{Builder, Counter, Group};

/// How long events are counted to check that they are: some ticks, at which the kernel lets them take turns.
const TRIAL_TIME: Duration = Duration::from_millis(10);

/// Whether the kernel counts all of these at the same time. It refuses a group for which the processor has too few
/// counters. If others (a watchdog) use some, it accepts the group and counts it never or in turns. Unavailable
/// events are ignored here: they are reported when they are recorded.
pub fn counts_together(events: &[PerfEvent]) -> bool {
    let Ok((mut group, counters)) = opened(events) else {
        return events.iter().any(|event| opened(&[*event]).is_err());
    };
    let counted = counted(&mut group);
    drop(counters);
    counted.unwrap_or(false)
}

/// Whether the processor has counters that we may use.
pub fn has_counters() -> bool {
    opened(&[PerfEvent::CYCLES]).is_ok()
}

/// A group is counted as long as its members are open.
fn opened(events: &[PerfEvent]) -> io::Result<(Group, Vec<Counter>)> {
    let mut group = Group::new()?;
    let counters = events.iter().map(|event| {
        let mut builder = Builder::new().group(&mut group);
        let attributes = builder.attrs_mut();
        (attributes.type_, attributes.config) = (event.kind, event.config);
        builder.build()
    });
    let counters = counters.collect::<io::Result<Vec<Counter>>>()?;
    Ok((group, counters))
}

/// Whether the group was counted all the time.
fn counted(group: &mut Group) -> io::Result<bool> {
    group.enable()?;
    let begin = Instant::now();
    let mut work = 0u64;
    while begin.elapsed() < TRIAL_TIME {
        work = black_box(work + 1);
    }
    group.disable()?;
    let counts = group.read()?;
    Ok(counts.time_running() > 0 && counts.time_running() >= counts.time_enabled())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAULTS: PerfEvent = PerfEvent { kind: PerfEvent::SOFTWARE, config: 2 };
    const NONSENSE: PerfEvent = PerfEvent { kind: PerfEvent::SOFTWARE, config: 0xff_ffff };

    #[test]
    fn the_kernel_counts_any_number_of_its_own_events() {
        // If all are forbidden, that is no reason to divide them.
        assert!(counts_together(&[FAULTS; 12]));
    }

    #[test]
    fn what_cannot_be_counted_at_all_is_not_divided() {
        assert!(opened(&[NONSENSE]).is_err());
        assert!(counts_together(&[FAULTS, NONSENSE]));
    }
}
