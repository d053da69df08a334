//! Names of columns and parameters that say which run a row is of, or which row it is: they are never variables
//! unless a formula uses them. All formats follow this rule.

/// The meaning of a column of such a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RunColumn {
    /// The run, repetition or occasion of a row; of several such columns the one with the least number tells the
    /// runs, since the others count within it.
    Run(usize),
    /// The row alone: a number or a time that no two rows share.
    Row,
}

/// Normalised names that tell runs, from whole runs to what is repeated within one.
const RUNS: [&[&str]; 6] = [
    &["occasion", "session", "day"],
    &["run", "run_id", "run_index", "run_number", "job_id", "jobid", "slurm_job_id", "slurm_jobid"],
    &["launch", "launch_id", "launch_index", "invocation", "process_id", "pid"],
    &["round", "seed", "random_seed"],
    &["trial", "rep", "reps", "repetition", "repetition_index", "repeat", "replicate"],
    &["iteration", "iter", "sample", "sample_id", "sample_index", "jube_wp_iteration"],
];
/// Normalised names that number rows.
const ROWS: [&str; 12] = [
    "id",
    "index",
    "idx",
    "row",
    "row_id",
    "row_number",
    "timestamp",
    "time_stamp",
    "datetime",
    "uuid",
    "start_time",
    "end_time",
];

/// The role of a name in lower case with `_` between words; `None`: it may be a variable. JUBE numbers its work
/// packages, too.
pub(crate) fn run_column(plain: &str) -> Option<RunColumn> {
    if let Some(order) = RUNS.iter().position(|names| names.contains(&plain)) {
        return Some(RunColumn::Run(order));
    }
    (ROWS.contains(&plain) || plain.starts_with("jube_")).then_some(RunColumn::Row)
}

/// The position of the name that tells the runs.
pub(crate) fn telling<'a>(names: impl IntoIterator<Item = (usize, &'a str)>) -> Option<usize> {
    let order = |(position, plain): (usize, &str)| match run_column(plain) {
        Some(RunColumn::Run(order)) => Some((order, position)),
        _ => None,
    };
    names.into_iter().filter_map(order).min().map(|(_, position)| position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_coarsest_name_tells_the_runs() {
        assert_eq!(telling([(3, "iteration"), (5, "run"), (6, "n")]), Some(5));
        assert_eq!(telling([(1, "id"), (2, "n")]), None);
        assert_eq!(run_column("timestamp"), Some(RunColumn::Row));
        assert_eq!(run_column("runs_per_day"), None);
    }
}
