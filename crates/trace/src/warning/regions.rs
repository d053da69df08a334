//! Sentences of warnings about regions that were left.

use super::kind::Warning;
use super::words::samples;

/// The sentence of a warning about regions that were left; `None` for any other.
pub(super) fn regions(warning: &Warning) -> Option<String> {
    Some(match warning {
        Warning::Left { name, count, of } => format!(
            "{count} of {of} {} of experiment {name} {} left by a jump, a return or the end of \
             {} thread",
            samples(*of),
            if *count == 1 { "is of a region that was" } else { "are of regions that were" },
            if *count == 1 { "its" } else { "their" }
        ),
        Warning::Open { process, places } => {
            format!("regions of process {process} had begun and never ended: {}", places.join(", "))
        }
        Warning::ThreadEnds { process, places } => {
            let count: u64 = places.iter().map(|(_, count)| count).sum();
            let threads = if count == 1 { "thread" } else { "threads" };
            let places: Vec<String> =
                places.iter().map(|(place, count)| format!("{place} ({count})")).collect();
            format!(
                "{count} {threads} of process {process} ended in regions (pthread_exit in a \
                 called function, or cancelled), and left no sample of: {}",
                places.join(", ")
            )
        }
        _ => return None,
    })
}
