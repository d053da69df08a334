//! Sentences of warnings about times.

use super::kind::Warning;
use super::words::samples;
use cll_units::text::{PercentDigits, percent};

/// The sentence of a warning about times; `None` for any other.
pub(super) fn times(warning: &Warning) -> Option<String> {
    Some(match warning {
        Warning::Calibration { process, uncertainty, .. } if uncertainty.is_infinite() => {
            format!(
                "the clock of process {process} could not be compared with a second one: its \
                 times are clock ticks, not nanoseconds; run longer, or with CLL_CLOCK=mono"
            )
        }
        Warning::Calibration { process, uncertainty, baseline_ns } => format!(
            "the clock of process {process} was compared with a second one over {:.3} ms only: \
             all its times may be off by {}; run longer, or with CLL_CLOCK=mono",
            *baseline_ns as f64 * 1e-6,
            percent(*uncertainty, PercentDigits::Decimals(2))
        ),
        Warning::Negative { name, count } => format!(
            "{count} {} of experiment {name} {}: the clock went backwards; run with \
             CLL_CLOCK=mono",
            samples(*count),
            if *count == 1 { "has a negative time" } else { "have negative times" }
        ),
        Warning::Exclusive { name, count } => format!(
            "{count} exclusive {} of experiment {name} may be too long, since samples inside are \
             lost",
            if *count == 1 { "time" } else { "times" }
        ),
        Warning::Waited { process, times, waited_ns } => format!(
            "process {process} waited {times} {}, {:.3} ms in all, until its samples were copied",
            if *times == 1 { "time" } else { "times" },
            *waited_ns as f64 * 1e-6
        ),
        _ => return None,
    })
}
