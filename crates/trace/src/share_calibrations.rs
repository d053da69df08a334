//! Traces of one machine: their clock readings together give a better calibration than each alone.

use crate::clock::{Calibration, ClockPair};
use crate::trace::{Process, Trace};
use crate::warning::Warning;

/// Better calibrations are left unchanged.
const GOOD_ENOUGH: f64 = 1e-4;
/// Boot times that differ by more are different boots; clocks are adjusted by less.
const SAME_BOOT_NS: u64 = 5_000_000_000;

/// Calibrates the processes of several traces, which were read separately, by each other's clock
/// readings. For traces whose samples were only counted ([`crate::survey`]): their times are
/// computed later, with the result.
pub fn share_calibrations(surveys: &mut [Trace]) {
    let processes: Vec<&Process> = surveys.iter().flat_map(|trace| &trace.processes).collect();
    let mut better = better(&processes).into_iter();
    for survey in surveys {
        for (process, better) in survey.processes.iter_mut().zip(better.by_ref()) {
            process.calibration = better.unwrap_or(process.calibration);
        }
        forget_good_clocks(survey);
    }
}

impl Trace {
    /// The same for the processes of a merged trace; the times of its samples are converted.
    pub(crate) fn share_calibrations(&mut self) {
        let processes: Vec<&Process> = self.processes.iter().collect();
        let better = better(&processes);
        if better.iter().all(Option::is_none) {
            return;
        }
        let factors: Vec<f64> = self
            .processes
            .iter()
            .zip(&better)
            .map(|(process, better)| match better {
                Some(better) => better.tick / process.calibration.tick,
                None => 1.0,
            })
            .collect();
        for experiment in &mut self.experiments {
            let of_process = |process: u32| factors.get(process as usize).copied().unwrap_or(1.0);
            let by_origin: Vec<f64> =
                experiment.origins.iter().map(|origin| of_process(origin.process)).collect();
            experiment.cells.iter_mut().for_each(|cell| cell.scale(&by_origin));
        }
        for (process, better) in self.processes.iter_mut().zip(better) {
            process.calibration = better.unwrap_or(process.calibration);
        }
        forget_good_clocks(self);
    }
}

/// For each process the calibration from all processes of its machine, if it is better than its
/// own.
fn better(processes: &[&Process]) -> Vec<Option<Calibration>> {
    processes
        .iter()
        .map(|process| {
            let own = process.calibration;
            if own.uncertainty <= GOOD_ENOUGH || own.pairs == 0 {
                return None;
            }
            let alike = processes.iter().filter(|other| of_one_boot(process, other));
            let pairs: Vec<ClockPair> = alike.map(|other| other.calibration.origin).collect();
            let shared = own.or_machine(&pairs);
            // If it contradicts the process, that has another clock, whatever its table says.
            let apart = (shared.tick / own.tick - 1.0).abs();
            let agrees = !own.uncertainty.is_finite() || apart <= own.uncertainty;
            let kept = Calibration { origin: own.origin, ..shared };
            (shared != own && agrees).then_some(kept)
        })
        .collect()
}

fn of_one_boot(first: &Process, other: &Process) -> bool {
    let booted = |process: &Process| {
        process.table.start_unix_ns.checked_sub(process.calibration.origin.mono_ns)
    };
    first.table.host == other.table.host
        && first.table.clock == other.table.clock
        && other.calibration.pairs > 0
        && match (booted(first), booted(other)) {
            (Some(number), Some(other)) => number.abs_diff(other) <= SAME_BOOT_NS,
            _ => false,
        }
}

/// Removes the warnings about clocks that are known better now.
fn forget_good_clocks(trace: &mut Trace) {
    let uncertain: Vec<u32> = trace
        .processes
        .iter()
        .filter(|process| process.samples > 0 && process.calibration.is_uncertain())
        .map(|process| process.pid)
        .collect();
    trace.warnings.retain(|warning| match warning {
        Warning::Calibration { process, .. } => uncertain.contains(process),
        _ => true,
    });
}
