//! The time that a run of virtual processors or ranks itself took.

use cll_result::VirtualRun;
use cll_trace::meta::Virtual;
use cll_units::{Bytes, Seconds};

/// From the records of all its processors or ranks.
pub(super) fn real_run<'a>(all: impl Iterator<Item = &'a Virtual> + Clone) -> VirtualRun {
    let most = |value_of: fn(&Virtual) -> u64| all.clone().map(value_of).max().unwrap_or(0);
    let sum = |value_of: fn(&Virtual) -> u64| all.clone().map(value_of).sum::<u64>();
    let seconds = |ns: u64| Seconds(ns as f64 * 1e-9);
    VirtualRun {
        run: seconds(most(|record| record.run_ns)),
        phase_time: seconds(sum(|record| record.computation_ns)),
        phase_wall_time: seconds(sum(|record| record.wall_ns)),
        phases: sum(|record| record.phases),
        restored_phases: sum(|phase| phase.restored),
        cache: Bytes(most(|phase| phase.cache)),
        memory: Bytes(most(|phase| phase.memory)),
    }
}
