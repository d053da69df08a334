//! Sentences of warnings about counters.

use super::kind::Warning;
use super::words::READINGS;
use super::words::samples;

/// The sentence of a warning about counters; `None` for any other.
pub(super) fn counters(warning: &Warning) -> Option<String> {
    Some(match warning {
        Warning::Refused { name, why, .. } => format!("{name} was not recorded: {why}"),
        Warning::Scaled { process, samples } => format!(
            "process {process} counted more events than its processor has counters: they took \
             turns, and the counts of {samples} samples are extrapolated; count fewer at a time"
        ),
        Warning::Short { name, count, of, counters, read_ns } => format!(
            "{count} of {of} {} of experiment {name} {} shorter than {READINGS} \
             readings of its counters ({read_ns:.0} ns for {}): the reading is a large part of \
             these samples; measure a larger region{}",
            samples(*of),
            if *count == 1 { "is" } else { "are" },
            counters.join(", "),
            if counters.len() > 1 { ", or record fewer counters" } else { "" },
        ),
        _ => return None,
    })
}
