//! The kinds of warnings.

/// A warning that a reader of a trace's times should know.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// One name with different formulas: they are separate experiments.
    Formulas {
        /// The experiment.
        name: String,
        /// Each formula, and its first place (`file:line`).
        formulas: Vec<(String, String)>,
    },
    /// Places of one experiment record different variables; missing ones are NaN.
    Variables {
        /// The experiment.
        name: String,
        /// The variables of each kind of place, and the first such place (`file:line`).
        variables: Vec<(Vec<String>, String)>,
    },
    /// The times of a process may be wrong, all by the same factor.
    Calibration {
        /// The process.
        process: u32,
        /// Relative uncertainty of its times; infinite if they are not seconds.
        uncertainty: f64,
        /// Nanoseconds over which its clock was compared.
        baseline_ns: u64,
    },
    /// Some samples have negative times.
    Negative {
        /// The experiment.
        name: String,
        /// How many.
        count: u64,
    },
    /// Some exclusive times may be too long, because samples inside are lost.
    Exclusive {
        /// The experiment.
        name: String,
        /// How many.
        count: u64,
    },
    /// Regions were left by a jump, a return or the end of their thread.
    Left {
        /// The experiment.
        name: String,
        /// How many of its samples.
        count: u64,
        /// Number of its samples.
        of: u64,
    },
    /// A process waited until its samples were copied.
    Waited {
        /// The process.
        process: u32,
        /// How often.
        times: u64,
        /// Nanoseconds in all.
        waited_ns: u64,
    },
    /// Regions began and never ended.
    Open {
        /// The process.
        process: u32,
        /// Each `NAME at file:line`.
        places: Vec<String>,
    },
    /// Threads ended in regions, which therefore have no samples.
    ThreadEnds {
        /// The process.
        process: u32,
        /// Each `NAME at file:line`, and how often.
        places: Vec<(String, u64)>,
    },
    /// The run ended by a signal, by a timeout or with an exit status other than 0.
    Run {
        /// The run's number.
        number: u32,
        /// The event, as text.
        what: String,
    },
    /// A requested observable is not available.
    Refused {
        /// The process.
        process: u32,
        /// The name of the observable.
        name: String,
        /// Why.
        why: String,
    },
    /// There were more events than the processor has counters.
    Scaled {
        /// The process.
        process: u32,
        /// How many samples have extrapolated counts.
        samples: u64,
    },
    /// Regions are so short that reading the counters is a large part of what was measured.
    Short {
        /// The experiment.
        name: String,
        /// How many of its samples.
        count: u64,
        /// Number of its samples.
        of: u64,
        /// The counters.
        counters: Vec<String>,
        /// The time to read all counters, nanoseconds.
        read_ns: f64,
    },
    /// Some processors of a run have no sample of an experiment that others have.
    Absent {
        /// The experiment.
        name: String,
        /// Number of runs with this.
        runs: u64,
        /// The first few missing processors of the first of these runs.
        processors: Vec<u32>,
        /// How many processors that run had.
        of: u32,
    },
    /// A run ended early, and the files of some of its processors are not here.
    Elsewhere {
        /// The first few of these processors.
        processors: Vec<u32>,
        /// Number of the others.
        more: u64,
        /// Number of processors of the run.
        of: u32,
    },
    /// P of an experiment is never the number of processes that MPI's launcher started.
    Processors {
        /// The experiment.
        name: String,
        /// The largest P that its samples have.
        recorded: f64,
        /// The largest number of processes started.
        launched: u32,
    },
    /// Runs of a BSP program are on different engines.
    Engines {
        /// The engines.
        engines: Vec<String>,
    },
    /// Threads of one process have different numbers of samples of an experiment after a `sync`.
    Uneven {
        /// The experiment.
        name: String,
        /// Number of threads.
        threads: u32,
        /// Number of samples of the thread with the fewest, at the first values with this.
        fewest: u64,
        /// Number of samples of the thread with the most.
        most: u64,
    },
    /// Several threads of the processors of a run have samples of an experiment that cannot be
    /// paired.
    Unpaired {
        /// The experiment.
        name: String,
        /// Number of threads of one processor.
        threads: u32,
    },
    /// Blocks of kinds that this version does not know were skipped.
    UnknownBlocks {
        /// How many.
        count: u64,
    },
}
