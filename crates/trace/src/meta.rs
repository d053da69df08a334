//! The tables of a trace: JSON objects, one on a line of a block of kind
//! [`crate::layout::KIND_META`]. Fields that a writer does not know are left
//! out; readers take unknown types and fields for those of a later version.

use serde::{Deserialize, Serialize};

/// One object of a meta block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Meta {
    /// The process that the block's header names.
    Process(Process),
    /// A translated source file of that process.
    Unit(Unit),
    /// Which processor of a parallel program the process is.
    Processor(Processor),
    /// By what the processes of a communicator begin together.
    Sync(Sync),
    /// What is recorded beside the time of that process's regions.
    Observables(Observables),
    /// The experiments the program wants reported.
    Report(Report),
    /// A program or library that code of the process lies in.
    Module(Module),
    /// A machine of processors, as one of them sees it.
    Machine(Machine),
    /// Where supersteps of a processor ended.
    Point(Point),
    /// What it took to run a virtual processor, whose times are virtual.
    Virtual(Virtual),
    /// The MPI of a process whose calls are logged.
    Mpi(Mpi),
    /// A communicator of MPI's.
    Communicator(Communicator),
    /// A window of MPI's.
    Window(Window),
    /// The process ended by itself.
    End(End),
    /// What the launcher saw of the whole run.
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
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// The time stamp counter of x86.
    Tsc,
    /// `cntvct_el0` of Arm.
    Cntvct,
    /// `CLOCK_MONOTONIC`: a tick is a nanosecond.
    Mono,
    /// One this version does not know, or none told; calibrated all the same.
    #[default]
    #[serde(other)]
    Unknown,
}

/// A process, told once, before its samples.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Process {
    /// [`crate::layout::FORMAT_VERSION`] of the writer.
    pub format: u32,
    /// Version of the runtime library.
    pub runtime: String,
    /// Path of the program.
    pub program: String,
    /// Its arguments, without the program.
    pub args: Vec<String>,
    /// Folder it was started in.
    pub cwd: String,
    /// Name of the machine.
    pub host: String,
    /// The machine whose clock times are by, if that is another one.
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
    /// Frequency of the clock in hertz, where the system tells it (`cntfrq_el0`, CPUID).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tick_hz: Option<f64>,
    /// Order of the values of `cll for` (`ascending`, `shuffled SEED`, …).
    pub order: String,
    /// Whether measuring was on at the start: `on` or `off`.
    pub gate: String,
    /// How it is known that a thread was switched out during a region: `rseq`, or `none` if it
    /// is not. Empty in traces of earlier versions, which do not know it either.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub switched: String,
    /// `P` of the program's model at the start.
    pub processors: u32,
}

impl Process {
    /// The machine whose clock times are by.
    pub fn timed_by(&self) -> &str {
        if self.clock_of.is_empty() { &self.host } else { &self.clock_of }
    }
}

/// A translated source file. A large one may be told in several objects.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Unit {
    /// Number of its first place.
    pub base: u32,
    /// The source, as it was given to the translator.
    pub file: String,
    /// The compiler it was translated for.
    pub compiler: String,
    /// `sequential`, `OpenMP`, …
    pub model: String,
    /// Its places.
    pub places: Vec<Place>,
}

/// A place in the source where an experiment is measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Place {
    /// Its number in the process: what records call `place`.
    pub id: u32,
    /// Name of the experiment.
    pub experiment: String,
    /// Its formula, normalised.
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
    /// Every how many executions are recorded; 0 and 1 are all.
    pub every: u32,
    /// How many observables follow the values in its records: none, or all of the process.
    #[serde(skip_serializing_if = "is_zero")]
    pub observables: u32,
}

/// Which processor of a parallel program a process is, told once, when it becomes that.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Processor {
    /// Its number, from 0.
    pub number: u32,
    /// How many there are.
    pub count: u32,
    /// What all processors of a run have in common, where each writes a file of its own; empty if they
    /// write one together, or nothing is known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub job: String,
}

/// By what the processes of a communicator begin together (`sync`), told at the first of its kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sync {
    /// By what.
    pub by: SyncBy,
    /// Why that was chosen, where it is not what is chosen otherwise.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// Processes of the communicator.
    pub processes: u32,
    /// How many clocks they have.
    pub clocks: u32,
    /// How far these may be off from each other, nanoseconds; of one clock 0.
    pub within_ns: u64,
}

/// By what processes begin together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SyncBy {
    /// A barrier.
    Barrier,
    /// A time that all have agreed upon.
    Window,
    /// One this version does not know.
    #[default]
    #[serde(other)]
    Unknown,
}

/// What the records of counted places hold after their values, in this order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Observables {
    /// The observables.
    pub list: Vec<Observable>,
    /// What reading all of them once takes, nanoseconds.
    pub read_ns: f64,
    /// What was asked for and could not be had.
    pub refused: Vec<Refused>,
}

/// Something that is recorded with each sample beside its time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Observable {
    /// Its name: [`crate::observable`] has those of this version.
    pub name: String,
    /// Unit of its values.
    pub unit: String,
    /// What a value in a record is multiplied by to be in the unit.
    pub scale: f64,
    /// Whether a region has what is inside it and the rest together; if not, as for a highest
    /// value, there is nothing like an exclusive one.
    pub additive: bool,
}

impl Default for Observable {
    fn default() -> Observable {
        Observable { name: String::new(), unit: String::new(), scale: 1.0, additive: true }
    }
}

/// An observable that could not be had.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Refused {
    /// Its name as it was asked for.
    pub name: String,
    /// Why, in words.
    pub why: String,
}

/// The experiments that the program asks to be reported.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Report {
    /// Their names; none means all.
    pub names: Vec<String>,
}

/// A program or library that code of a process lies in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Module {
    /// Number of the processor that tells it.
    pub processor: u32,
    /// Its number among those that the processor tells.
    pub id: u32,
    /// Path of the file.
    pub path: String,
    /// Build id in hexadecimal digits, empty if it has none.
    pub build: String,
}

/// A machine of processors (PUB's object; the whole one in BSPlib), as one of them sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Machine {
    /// Number of the processor in the program.
    pub processor: u32,
    /// Number of the machine among those that the processor tells.
    pub id: u32,
    /// The same on all its processors, in hexadecimal digits; `0` is the machine of all.
    pub key: String,
    /// Key of the machine that was partitioned, its own if there is none.
    pub parent: String,
    /// Superstep of the parent, from 1, within which it was.
    pub within: u64,
    /// Number of its processor 0 in the program.
    pub first: u32,
    /// How many processors it has.
    pub nprocs: u32,
    /// The number that the processor has in it.
    pub pid: u32,
}

/// Where supersteps of a processor ended: the call, and how it was reached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Point {
    /// Number of the processor.
    pub processor: u32,
    /// Its number among those that the processor tells.
    pub id: u32,
    /// File of the call, empty if unknown.
    pub file: String,
    /// Line of the call, 0 if unknown.
    pub line: u32,
    /// Return addresses from the call outwards: number of the module, and offset in it.
    pub path: Vec<(u32, u64)>,
}

/// What it took to run a virtual processor; times of its supersteps are virtual. Told at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Virtual {
    /// Number of the processor.
    pub processor: u32,
    /// Processors of the computer that computed at a time.
    pub cores: u32,
    /// Every how manieth phase no other processor computed; 0: none.
    pub alone: u32,
    /// Virtual time from begin to end, nanoseconds.
    pub time_ns: u64,
    /// Phases of computation.
    pub phases: u64,
    /// Those of them that began with the cache as a core of its own would have it.
    pub restored: u64,
    /// Bytes of cache that a core was taken to have by itself; 0: phases found what others had left.
    pub cache: u64,
    /// Their time as it counts, nanoseconds.
    pub computation_ns: u64,
    /// Their time from begin to end as it was, nanoseconds.
    pub wall_ns: u64,
    /// Time from the processor's begin to its end as it was, nanoseconds.
    pub run_ns: u64,
    /// Times that the program asked for the time.
    pub asked: u64,
    /// Bytes of memory of its own, at the most that was seen.
    pub memory: u64,
}

/// The MPI of a process whose calls are logged, once, when MPI has begun.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Mpi {
    /// What the MPI says that it is.
    pub library: String,
    /// Rank in the communicator of all.
    pub rank: u32,
    /// How many ranks there are.
    pub ranks: u32,
    /// The level of threads that MPI grants, as it numbers them.
    pub threads: i32,
}

/// A communicator, as one of its processes sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Communicator {
    /// Its number in the process.
    pub id: u32,
    /// The same on all its processes, in hexadecimal digits; `0` is the communicator of all.
    pub key: String,
    /// Key of the communicator that it was made of; empty if that is not known.
    pub parent: String,
    /// The call that made it, without `MPI_`; `world`; empty if it was only met.
    pub made_by: String,
    /// This process's rank in it.
    pub rank: u32,
    /// Processes of its group, of this process's own if there are two.
    pub size: u32,
    /// Their ranks in the communicator of all (-1: not in that): the first, how many, how far from one to the next.
    /// Empty if there are too many stretches.
    pub ranks: Vec<(i32, u32, i32)>,
    /// Processes of the other group, 0 if there is none.
    #[serde(skip_serializing_if = "is_zero")]
    pub remote_size: u32,
    /// Their ranks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remote: Vec<(i32, u32, i32)>,
}

impl Communicator {
    /// The rank in the communicator of all of one of its processes: of the other group, if there is one, as
    /// messages name it.
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

/// A window of memory that processes have opened to each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Window {
    /// Its number in the process.
    pub id: u32,
    /// The same on all its processes, in hexadecimal digits.
    pub key: String,
    /// The number of the communicator that it was made of.
    pub communicator: u32,
}

/// The last words of a process that ended by itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct End {
    /// Places of the regions that were still open.
    pub open: Vec<u32>,
    /// Samples that could not be recorded.
    pub dropped: u64,
    /// Samples that were recorded, if counted: more than are read tells of loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<u64>,
    /// Samples some of whose counts are extrapolated, since there were more events than counters.
    #[serde(skip_serializing_if = "is_zero_long")]
    pub scaled: u64,
}

/// What the launcher saw of the whole run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Run {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Number of the run, as in the trace's file name.
    pub number: u32,
    /// Exit status, if the program ended by itself.
    pub exit: Option<i32>,
    /// The signal that ended it, if one did.
    pub signal: Option<i32>,
    /// Whether the launcher ended it because its time was up.
    pub timeout: bool,
    /// Wall time from start to end, nanoseconds.
    pub wall_ns: u64,
    /// What carried the processors of a BSP program, if that was chosen.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub engine: String,
    /// Of virtual processors: the machine whose costs of communication count, if any.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub machine: String,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn is_zero_long(number: &u64) -> bool {
    *number == 0
}
