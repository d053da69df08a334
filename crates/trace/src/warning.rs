use std::fmt;

/// A region should be longer than this many readings of the counters.
pub(crate) const READINGS: f64 = 20.0;

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

/// `sample` of one, `samples` of all other numbers.
fn samples(count: u64) -> &'static str {
    if count == 1 { "sample" } else { "samples" }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Formulas { name, formulas } => {
                write!(f, "experiment {name} has {} formulas: ", formulas.len())?;
                for (index, (formula, place)) in formulas.iter().enumerate() {
                    let comma = if index > 0 { "; " } else { "" };
                    write!(f, "{comma}`{formula}` at {place}")?;
                }
                f.write_str("; each is fitted on its own: give them different names")
            }
            Warning::Variables { name, variables } => {
                write!(f, "the places of experiment {name} record different variables: ")?;
                for (index, (names, place)) in variables.iter().enumerate() {
                    let comma = if index > 0 { "; " } else { "" };
                    write!(f, "{comma}{} at {place}", names.join(", "))?;
                }
                f.write_str("; missing values are NaN")
            }
            Warning::Calibration { process, uncertainty, .. } if uncertainty.is_infinite() => {
                write!(
                    f,
                    "the clock of process {process} could not be compared with a second one: its \
                 times are clock ticks, not nanoseconds; run longer, or with CLL_CLOCK=mono"
                )
            }
            Warning::Calibration { process, uncertainty, baseline_ns } => write!(
                f,
                "the clock of process {process} was compared with a second one over {:.3} ms only: \
                 all its times may be off by {:.2} %; run longer, or with CLL_CLOCK=mono",
                *baseline_ns as f64 * 1e-6,
                uncertainty * 100.0
            ),
            Warning::Negative { name, count } => write!(
                f,
                "{count} {} of experiment {name} {}: the clock went backwards; run with \
                 CLL_CLOCK=mono",
                samples(*count),
                if *count == 1 { "has a negative time" } else { "have negative times" }
            ),
            Warning::Exclusive { name, count } => write!(
                f,
                "{count} exclusive {} of experiment {name} may be too long, since samples inside are \
                 lost",
                if *count == 1 { "time" } else { "times" }
            ),
            Warning::Left { name, count, of } => write!(
                f,
                "{count} of {of} {} of experiment {name} {} left by a jump, a return or the end of \
                 {} thread",
                samples(*of),
                if *count == 1 { "is of a region that was" } else { "are of regions that were" },
                if *count == 1 { "its" } else { "their" }
            ),
            Warning::Waited { process, times, waited_ns } => write!(
                f,
                "process {process} waited {times} {}, {:.3} ms in all, until its samples were copied",
                if *times == 1 { "time" } else { "times" },
                *waited_ns as f64 * 1e-6
            ),
            Warning::Open { process, places } => write!(
                f,
                "regions of process {process} had begun and never ended: {}",
                places.join(", ")
            ),
            Warning::ThreadEnds { process, places } => {
                let count: u64 = places.iter().map(|(_, count)| count).sum();
                let threads = if count == 1 { "thread" } else { "threads" };
                let places: Vec<String> =
                    places.iter().map(|(place, count)| format!("{place} ({count})")).collect();
                write!(
                    f,
                    "{count} {threads} of process {process} ended in regions (pthread_exit in a \
                     called function, or cancelled), and left no sample of: {}",
                    places.join(", ")
                )
            }
            Warning::Run { number, what } => write!(f, "run {number} {what}"),
            Warning::Refused { name, why, .. } => write!(f, "{name} was not recorded: {why}"),
            Warning::Scaled { process, samples } => write!(
                f,
                "process {process} counted more events than its processor has counters: they took \
                 turns, and the counts of {samples} samples are extrapolated; count fewer at a time"
            ),
            Warning::Short { name, count, of, counters, read_ns } => write!(
                f,
                "{count} of {of} {} of experiment {name} {} shorter than {READINGS} \
                 readings of its counters ({read_ns:.0} ns for {}): the reading is a large part of \
                 these samples; measure a larger region{}",
                samples(*of),
                if *count == 1 { "is" } else { "are" },
                counters.join(", "),
                if counters.len() > 1 { ", or record fewer counters" } else { "" },
            ),
            Warning::Absent { name, runs, processors, of } => {
                let list: Vec<String> = processors.iter().map(u32::to_string).collect();
                let which = if list.len() == 1 { "processor" } else { "processors" };
                write!(
                    f,
                    "in {runs} runs not all processors executed experiment {name}: in the first \
                     of them {which} {} of {of} did not",
                    list.join(", ")
                )
            }
            Warning::Elsewhere { processors, more, of } => {
                let list: Vec<String> = processors.iter().map(u32::to_string).collect();
                let one = list.len() == 1 && *more == 0;
                let which = if one { "processor" } else { "processors" };
                let others = match more {
                    0 => String::new(),
                    more => format!(" and {more} others"),
                };
                write!(
                    f,
                    "the run ended early, and the files of {which} {}{others} of {of} are not \
                     here: what they recorded is in files (PROGRAM.cll.*.dat) on their hosts; \
                     copy these here and give all together",
                    list.join(", ")
                )
            }
            Warning::Processors { name, recorded, launched } => write!(
                f,
                "experiment {name} has P = {recorded} at most, and {launched} processes were \
                 started: its `parallel` line names a smaller communicator, or the launcher \
                 belongs to another MPI and each process ran alone"
            ),
            Warning::Engines { engines } => write!(
                f,
                "the runs are on different engines ({}): they communicate at different costs; fit \
                 the traces of each alone, or choose by `engine` in llac",
                engines.join(", ")
            ),
            Warning::Uneven { name, threads, fewest, most } => write!(
                f,
                "the {threads} threads of experiment {name} have {fewest} to {most} samples at \
                 the same values: these cannot be paired, so each is fitted separately; record a \
                 variable that distinguishes the teams (P, or uses(…))"
            ),
            Warning::Unpaired { name, threads } => write!(
                f,
                "up to {threads} threads of each processor executed experiment {name} at the \
                 same values: their samples cannot be paired with those of other processors; \
                 pairing needs an OpenMP source with a sync that all threads execute equally \
                 often"
            ),
            Warning::UnknownBlocks { count } => {
                write!(f, "{count} blocks of kinds that this version does not know were skipped")
            }
        }
    }
}
