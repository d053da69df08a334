//! The tables of a trace: JSON objects, one on each line of a block of kind
//! [`crate::layout::KIND_META`]. Writers omit fields they do not know; readers treat unknown types
//! and fields as those of a later version.

use serde::{Deserialize, Serialize};

/// One JSON object of a meta block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Meta {
    /// The process that the block's header names.
    Process(Process),
    /// A translated source file of that process.
    Unit(Unit),
    /// Which processor of a parallel program the process is.
    Processor(Processor),
    /// How the processes of a communicator start together.
    Sync(Sync),
    /// The observables that are recorded with the times of that process's regions.
    Observables(Observables),
    /// The experiments that the program wants reported.
    Report(Report),
    /// A program or library that contains code of the process.
    Module(Module),
    /// A BSP machine, as one of its processors sees it.
    Machine(Machine),
    /// A call site at which supersteps of a processor ended.
    Point(Point),
    /// The time and memory that a virtual processor took; its times are virtual.
    Virtual(Virtual),
    /// The MPI of a process whose calls are logged.
    Mpi(Mpi),
    /// The cost of recording a call of MPI.
    Cost(Cost),
    /// How wide the core of a rank was.
    Width(Width),
    /// A communicator of MPI.
    Communicator(Communicator),
    /// A window of MPI.
    Window(Window),
    /// The process ended normally.
    End(End),
    /// The launcher's record of the run.
    Run(Run),
    /// A type this version does not know.
    #[serde(other)]
    Unknown,
}

impl Meta {
    /// The object as JSON on one line, without the line's end.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("tables have string keys and no maps")
    }
}

/// The clock whose ticks the records hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// The time stamp counter of x86.
    Tsc,
    /// `cntvct_el0` of Arm.
    Cntvct,
    /// `CLOCK_MONOTONIC`: a tick is a nanosecond.
    Mono,
    /// Unknown to this version, or not given; calibrated in the same way.
    #[default]
    #[serde(other)]
    Unknown,
}

/// A process, recorded once, before its samples.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Process {
    /// [`crate::layout::FORMAT_VERSION`] of the writer.
    pub format: u32,
    /// Version of the runtime library.
    pub runtime: String,
    /// Path of the program.
    pub program: String,
    /// The arguments of the process, without the program.
    pub args: Vec<String>,
    /// Folder it was started in.
    pub cwd: String,
    /// Name of the machine.
    pub host: String,
    /// The machine whose clock the times use, if it is another one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub clock_of: String,
    /// Model name of its processor.
    pub cpu: String,
    /// Number of the process, as in the headers of its blocks.
    pub pid: u32,
    /// Number of its parent.
    pub parent_pid: u32,
    /// Unix time at its start, nanoseconds.
    pub start_unix_ns: u64,
    /// The clock of its records.
    pub clock: Clock,
    /// Frequency of the clock in hertz, if the system reports it (`cntfrq_el0`, CPUID).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tick_hz: Option<f64>,
    /// Order of the values of `cll for` (`ascending`, `shuffled SEED`, …).
    pub order: String,
    /// Whether measuring was on at the start: `on` or `off`.
    pub gate: String,
    /// How the process knows that a thread was switched out during a region: `rseq`, or `none` if
    /// it does not. Empty in traces of earlier versions, which do not know it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub switched: String,
    /// `P` of the program's model at the start.
    pub processors: u32,
}

impl Process {
    /// The machine whose clock the times use.
    pub fn timed_by(&self) -> &str {
        if self.clock_of.is_empty() { &self.host } else { &self.clock_of }
    }
}

/// A translated source file. A large one may be divided among several objects.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Unit {
    /// Number of its first place.
    pub base: u32,
    /// The source, by the name given to the translator.
    pub file: String,
    /// The compiler it was translated for.
    pub compiler: String,
    /// `sequential`, `OpenMP`, …
    pub model: String,
    /// The places of the unit.
    pub places: Vec<Place>,
}

/// A place in the source where an experiment is measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Place {
    /// The number of the place in the process: what records call `place`.
    pub id: u32,
    /// Name of the experiment.
    pub experiment: String,
    /// The formula of the place, normalised.
    pub formula: String,
    /// The file the region is in.
    pub file: String,
    /// Line where the region begins.
    pub line: u32,
    /// Line where the region ends.
    pub end_line: u32,
    /// The function around it, empty if unknown.
    pub function: String,
    /// Names of the values in its records, in their order.
    pub variables: Vec<String>,
    /// Every n-th execution is recorded; 0 and 1: all.
    pub every: u32,
    /// Number of observables after the values in its records: none, or all of the process.
    #[serde(skip_serializing_if = "is_zero")]
    pub observables: u32,
}

/// Which processor of a parallel program a process is; recorded once, when it becomes that
/// processor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Processor {
    /// The number of the processor, from 0.
    pub number: u32,
    /// How many there are.
    pub count: u32,
    /// The same for all processors of a run, if each writes its own file; empty if they write one
    /// file, or if unknown.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub job: String,
    /// The engine of a BSP program.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub engine: String,
}

/// How the processes of a communicator start together (`sync`), recorded at the first use of this
/// kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Sync {
    /// The method.
    pub by: SyncBy,
    /// The reason, if it is not the default method.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// Number of processes of the communicator.
    pub processes: u32,
    /// Number of different clocks they have.
    pub clocks: u32,
    /// Largest difference of these clocks, nanoseconds; 0 for one clock.
    pub within_ns: u64,
}

/// How processes start together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SyncBy {
    /// A barrier.
    Barrier,
    /// A time that all have agreed on.
    Window,
    /// One this version does not know.
    #[default]
    #[serde(other)]
    Unknown,
}

/// The observables that the records of counted places contain after their values, in this order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Observables {
    /// The observables.
    pub list: Vec<Observable>,
    /// Time to read all of them once, nanoseconds.
    pub read_ns: f64,
    /// Requested observables that are not available.
    pub refused: Vec<Refused>,
}

/// A quantity recorded with each sample besides its time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Observable {
    /// The name of the observable: [`crate::observable`] lists those of this version.
    pub name: String,
    /// Unit of its values.
    pub unit: String,
    /// Factor from a value in a record to the unit.
    pub scale: f64,
    /// Whether the value of a region is the sum of that of the regions inside and of the rest; if
    /// not, as for a maximum, there is no exclusive value.
    pub additive: bool,
}

impl Default for Observable {
    fn default() -> Observable {
        Observable { name: String::new(), unit: String::new(), scale: 1.0, additive: true }
    }
}

/// An observable that is not available.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Refused {
    /// The name of the observable as requested.
    pub name: String,
    /// The reason, as text.
    pub why: String,
}

/// The experiments that the program wants reported.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Report {
    /// Their names; empty: all.
    pub names: Vec<String>,
}

/// A program or library that contains code of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Module {
    /// Number of the processor that recorded it.
    pub processor: u32,
    /// The number of the module among the modules of that processor.
    pub id: u32,
    /// Path of the file.
    pub path: String,
    /// Build id in hexadecimal digits, empty if it has none.
    pub build: String,
}

/// A BSP machine (an object of PUB; in BSPlib the whole program), as one of its processors sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Machine {
    /// Number of the processor in the program.
    pub processor: u32,
    /// The number of the machine among the machines of that processor.
    pub id: u32,
    /// Equal on all its processors, in hexadecimal digits; `0` is the machine of all processors.
    pub key: String,
    /// Key of the machine that was partitioned; its own if there is none.
    pub parent: String,
    /// Superstep of the parent, from 1, during which it existed.
    pub within: u64,
    /// Number in the program of its processor 0.
    pub first: u32,
    /// Number of its processors.
    pub nprocs: u32,
    /// Number of this processor in it.
    pub pid: u32,
}

/// A call site at which supersteps of a processor ended, with its call path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Point {
    /// Number of the processor.
    pub processor: u32,
    /// The number of the call site among those of that processor.
    pub id: u32,
    /// File of the call, empty if unknown.
    pub file: String,
    /// Line of the call, 0 if unknown.
    pub line: u32,
    /// Return addresses from the call outwards: number of the module, and offset in it.
    pub path: Vec<(u32, u64)>,
}

/// The time and memory that a virtual processor took, recorded at its end. The times of its supersteps are virtual.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Virtual {
    /// Number of the processor.
    pub processor: u32,
    /// Number of cores that computed at the same time.
    pub cores: u32,
    /// Every n-th phase ran while no other processor computed; 0: none.
    pub alone: u32,
    /// Virtual time from begin to end, nanoseconds.
    pub time_ns: u64,
    /// Number of phases of computation.
    pub phases: u64,
    /// Number of phases that began with the cache as a separate core would have it.
    pub restored: u64,
    /// Bytes of cache assumed for each core; 0: phases started with what other processors had left
    /// in the cache.
    pub cache: u64,
    /// Their virtual time, nanoseconds.
    pub computation_ns: u64,
    /// Their wall time, nanoseconds.
    pub wall_ns: u64,
    /// Wall time from the processor's begin to its end, nanoseconds.
    pub run_ns: u64,
    /// How often the program read the time.
    pub asked: u64,
    /// Largest observed size of its private memory, bytes.
    pub memory: u64,
    /// How often a rank of MPI computed beside more ranks than there are cores, since all others with a turn slept.
    #[serde(skip_serializing_if = "is_zero_long")]
    pub extra: u64,
}

/// The MPI of a process whose calls are logged, recorded once, when MPI has been initialised.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Mpi {
    /// How the MPI identifies itself.
    pub library: String,
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: u32,
    /// Number of ranks.
    pub ranks: u32,
    /// The thread level that MPI provides, by MPI's number.
    pub threads: i32,
    /// Whether a program has started the process (`MPI_Comm_spawn`).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub started: bool,
    /// Time between two calls from which on the log says how long the thread had no core,
    /// nanoseconds; 0: the log does not say it.
    #[serde(skip_serializing_if = "is_zero_long")]
    pub watched_ns: u64,
    /// Whether calls without records are counted ([`crate::layout::KIND_UNRECORDED`]).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub counted: bool,
}

/// The cost of recording calls of MPI, in a trial when MPI was initialised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Cost {
    /// Calls that were recorded.
    pub calls: u32,
    /// The time.
    pub ns: u64,
    /// At the end of the process: what writing full blocks took in all, besides.
    #[serde(skip_serializing_if = "is_zero_long")]
    pub blocks_ns: u64,
}

/// The time of a loop of independent additions, which fill the width of a core: more if another one shares the core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Width {
    /// The time.
    pub ns: u64,
    /// How long the rank has computed for this in all, which the program would not have.
    pub spent_ns: u64,
}

/// A communicator, as one of its processes sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Communicator {
    /// The number of the communicator in the process.
    pub id: u32,
    /// Equal on all its processes, in hexadecimal digits; `0` is `MPI_COMM_WORLD`.
    pub key: String,
    /// Key of the communicator that it was made from; empty if unknown.
    pub parent: String,
    /// The call that made it, without `MPI_`; `world`; empty if it was only used.
    pub made_by: String,
    /// This process's rank in it.
    pub rank: u32,
    /// Number of processes of its group; of this process's group if there are two.
    pub size: u32,
    /// Their ranks in `MPI_COMM_WORLD` (-1: not in it), as stretches: first rank, count, step.
    /// Empty if there are too many stretches.
    pub ranks: Vec<(i32, u32, i32)>,
    /// Number of processes of the other group, 0 if there is none.
    #[serde(skip_serializing_if = "is_zero")]
    pub remote_size: u32,
    /// Their ranks, as in `ranks`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remote: Vec<(i32, u32, i32)>,
    /// If the other group has another `MPI_COMM_WORLD`: what the communicator there has in common with this one. Only
    /// the root of the call that made it knows it, or the processes that were started.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub link: String,
    /// When it was made, by the host's monotonic clock, nanoseconds; 0 without `link`.
    #[serde(skip_serializing_if = "is_zero_long")]
    pub linked_ns: u64,
}

impl Communicator {
    /// The rank in `MPI_COMM_WORLD` of one of its processes: of the other group if there is one, as
    /// messages address it.
    pub fn world_rank(&self, rank: i64) -> Option<u32> {
        let stretches = if self.remote_size > 0 { &self.remote } else { &self.ranks };
        let mut rest = u32::try_from(rank).ok()?;
        for &(first, count, step) in stretches {
            if rest < count {
                let rank = i64::from(first) + i64::from(rest) * i64::from(step);
                return u32::try_from(rank).ok();
            }
            rest -= count;
        }
        None
    }
}

/// A window of memory for one-sided access.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Window {
    /// The number of the window in the process.
    pub id: u32,
    /// Equal on all its processes, in hexadecimal digits.
    pub key: String,
    /// Number of the communicator that it was made from.
    pub communicator: u32,
}

/// The end record of a process that ended normally.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct End {
    /// Places of the regions that were still open.
    pub open: Vec<u32>,
    /// Places of the innermost regions in which threads ended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub thread_ends: Vec<ThreadEnds>,
    /// Samples that could not be recorded.
    pub dropped: u64,
    /// Samples that were recorded, if counted. If fewer are read, some were lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<u64>,
    /// Samples with extrapolated counts, since there were more events than counters.
    #[serde(skip_serializing_if = "is_zero_long")]
    pub scaled: u64,
}

/// Threads that ended in a region: by `pthread_exit`, or since they were cancelled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct ThreadEnds {
    /// The region's place.
    pub place: u32,
    /// How often.
    pub count: u64,
}

/// The launcher's record of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Run {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Number of the run, as in the trace's file name.
    pub number: u32,
    /// Exit status, if the program exited.
    pub exit: Option<i32>,
    /// The signal that ended it, if there was one.
    pub signal: Option<i32>,
    /// Whether the launcher ended it because of its time limit.
    pub timeout: bool,
    /// Wall time from start to end, nanoseconds.
    pub wall_ns: u64,
    /// The engine of a BSP program.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub engine: String,
    /// For virtual processors: the machine whose communication costs are used, if any.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub machine: String,
    /// The processors that it might use; `None`: not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed: Option<Allowed>,
}

/// The processors that a run might use.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Allowed {
    /// Processors of the machine.
    pub online: u32,
    /// Those in the affinity mask.
    pub mask: u32,
    /// The quota of its control group, as a number of processors; `None`: there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quota: Option<f64>,
    /// The name of that group.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// How often the group was stopped during the run since it had used up its quota.
    #[serde(skip_serializing_if = "is_zero_long")]
    pub stops: u64,
    /// For how long in all, nanoseconds; several processors are added up.
    #[serde(skip_serializing_if = "is_zero_long")]
    pub stopped_ns: u64,
}

impl Allowed {
    /// The number of processors, as the tighter limit has it.
    pub fn processors(&self) -> f64 {
        self.quota.unwrap_or(f64::INFINITY).min(f64::from(self.mask))
    }

    /// Whether a mask or a quota leaves less than the machine has.
    pub fn is_restricted(&self) -> bool {
        self.processors() < f64::from(self.online)
    }

    /// `0.2 processors (control group /q)`, `1 of 2 processors (affinity mask)`.
    pub fn in_words(&self) -> String {
        let are = |count: f64| if count == 1.0 { "processor" } else { "processors" };
        match self.quota.filter(|&quota| quota < f64::from(self.mask)) {
            Some(quota) => {
                let shown = (quota * 100.0).round() / 100.0;
                format!("{shown} {} (control group {})", are(shown), self.group)
            }
            None if self.mask < self.online => {
                format!("{} of {} processors (affinity mask)", self.mask, self.online)
            }
            None => format!("{} {}", self.mask, are(f64::from(self.mask))),
        }
    }

    /// The sentence on a quota that was used up; `None` if none was.
    pub fn stopped_in_words(&self) -> Option<String> {
        let times = match self.stops {
            0 => return None,
            1 => "once".to_owned(),
            stops => format!("{stops} times"),
        };
        let seconds = self.stopped_ns as f64 * 1e-9;
        let long = if seconds < 10.0 { format!("{seconds:.2}") } else { format!("{seconds:.0}") };
        Some(format!(
            "the program may use {}: it was stopped {times}, for {long} s in all",
            self.in_words()
        ))
    }

    /// The sentence on more processors than are allowed; `None` if there are enough.
    pub fn short_of(&self, count: f64, what: &str) -> Option<String> {
        (self.mask > 0 && count > self.processors().max(1.0) && count > 1.0).then(|| {
            format!(
                "{count} {what} ran where the program may use {}: they took turns, so the times are not those of {count} processors",
                self.in_words()
            )
        })
    }

    /// Adds what happened in another run. The limit is the tighter one.
    pub fn add(&mut self, more: &Allowed) {
        let (stops, stopped_ns) = (self.stops + more.stops, self.stopped_ns + more.stopped_ns);
        if more.processors() < self.processors() {
            *self = more.clone();
        }
        (self.stops, self.stopped_ns) = (stops, stopped_ns);
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn is_zero_long(number: &u64) -> bool {
    *number == 0
}
