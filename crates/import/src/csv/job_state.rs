//! States of jobs, as Slurm's accounting writes them.

/// Whether a job has done all that it had to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JobState {
    /// It ended by itself, without a failure.
    Completed,
    /// It failed, was ended, or has not ended: its time is not that of its work.
    Unfinished,
}

/// The states besides `COMPLETED`.
const UNFINISHED: [&str; 16] = [
    "BOOT_FAIL",
    "CANCELLED",
    "COMPLETING",
    "CONFIGURING",
    "DEADLINE",
    "FAILED",
    "NODE_FAIL",
    "OUT_OF_MEMORY",
    "PENDING",
    "PREEMPTED",
    "REQUEUED",
    "RESIZING",
    "REVOKED",
    "RUNNING",
    "SUSPENDED",
    "TIMEOUT",
];

impl JobState {
    /// The state in a cell: `CANCELLED by 1000`, or cut off with a `+`; `None`: it is no state of a job.
    pub(super) fn read(text: &str) -> Option<JobState> {
        let word = text.split_whitespace().next()?;
        if word == "COMPLETED" {
            return Some(JobState::Completed);
        }
        let is_known = match word.strip_suffix('+') {
            Some(start) => {
                start.len() >= 4 && UNFINISHED.iter().any(|text| text.starts_with(start))
            }
            None => UNFINISHED.contains(&word),
        };
        is_known.then_some(JobState::Unfinished)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_of_jobs_are_told_from_other_words() {
        for (text, state) in [
            ("COMPLETED", Some(JobState::Completed)),
            ("TIMEOUT", Some(JobState::Unfinished)),
            ("CANCELLED by 1000", Some(JobState::Unfinished)),
            ("CANCELLED+", Some(JobState::Unfinished)),
            ("OUT_OF_ME+", Some(JobState::Unfinished)),
            ("", None),
            ("C+", None),
            ("Texas", None),
            ("warm", None),
        ] {
            assert_eq!(JobState::read(text), state, "{text}");
        }
    }
}
