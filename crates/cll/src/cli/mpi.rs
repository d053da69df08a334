//! Arguments of `cll mpi`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

use super::arguments::duration;
use super::what_if::{BlockFactor, Factor};
use crate::sampling::{Processors, Varied};

/// Report the logged calls of an MPI program
///
/// `cll run --log` records every MPI call of a program. These commands read such logs, of any size.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll run -n 4 --log -o logs ./heat
  cll mpi stats logs
  cll mpi graph logs --svg heat.svg")]
pub struct MpiArgs {
    /// The subcommand.
    #[command(subcommand)]
    pub command: MpiCommand,
}

/// The commands of `cll mpi`.
#[derive(Debug, Subcommand)]
pub enum MpiCommand {
    Model(Box<MpiModelArgs>),
    Stats(MpiStatsArgs),
    Diff(MpiDiffArgs),
    Graph(MpiGraphArgs),
    Export(MpiExportArgs),
}

/// Run an MPI program at several sizes, make a model of its segments and calls, and predict its time
///
/// The program needs no annotations. Its calls are logged in rounds of runs, all values in shuffled order. What the ranks do
/// becomes a graph: computation between calls is segments I, II, ... with formulas that are searched, loops and bytes are
/// formulas of the sizes. The prediction is the longest path through the graph. Each value of --vary replaces {NAME} in the
/// program's arguments, which follow `--`; {P} is the number of processes. C files are compiled by the MPI's compiler with
/// -O2 -g. Logs that were kept, by -o or by `cll run --log`, take the place of the program: nothing is run then, and the
/// arguments behind `--` say which of them are variables.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll mpi model matmul.c --vary n=100:500:+50 -n 2 --predict n=600 -- {n}
  cll mpi model ./heat --vary n=200,400,600,800 -n 1,2,4 --predict n=2000,P=8 -- {n} 50
  cll mpi model ./heat --vary n=200:1000:+100 -n 2 --hold-out n=250,350 --network 2x -- {n} 50
  cll mpi model logs --predict n=2000,P=8 -- {n} 50")]
pub struct MpiModelArgs {
    /// The C files of the program, or the program; or logs of runs, or folders of them
    #[arg(required = true, value_name = "PROGRAM", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,

    /// Values of a variable that the program takes as an argument; may be repeated (all combinations are run)
    #[arg(long, value_name = "NAME=RANGE", help_heading = "Runs")]
    pub vary: Vec<Varied>,

    /// Numbers of processes to run with, such as 2 or 1,2,4. Default: 2
    #[arg(short = 'n', long = "processors", value_name = "RANGE", help_heading = "Runs")]
    pub processors: Option<Processors>,

    /// Also run more processes than the machine has cores. Then their times include waiting for a core
    #[arg(long, help_heading = "Runs")]
    pub oversubscribe: bool,

    /// How often each combination is run. Default: 5 times, and up to 15 times where the two quickest runs differ by more
    /// than 2 %
    #[arg(long, value_name = "COUNT", help_heading = "Runs",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: Option<u32>,

    /// End a run after this time, such as 90, 10m
    #[arg(long, value_name = "TIME", default_value = "600s", value_parser = duration, help_heading = "Runs")]
    pub timeout: Duration,

    /// Seed of the shuffled order
    #[arg(long, value_name = "NUMBER", default_value_t = 1, help_heading = "Runs")]
    pub seed: u64,

    /// Options for the compiler, placed after -O2 -g; may be repeated
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true, help_heading = "Runs")]
    pub cflags: Vec<String>,

    /// Libraries and options for the linker; -lm is always added; may be repeated
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true, help_heading = "Runs")]
    pub libs: Vec<String>,

    /// Keep the logs in this folder
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Runs")]
    pub output: Option<PathBuf>,

    /// The formula of every segment, such as 'c[0] + c[1]*n*n'. Default: each is searched
    #[arg(long, value_name = "FORMULA", conflicts_with = "degree", help_heading = "Model")]
    pub formula: Option<String>,

    /// The formula of every segment is a polynomial of this degree, of the first variable
    #[arg(long, value_name = "DEGREE", help_heading = "Model",
          value_parser = clap::value_parser!(u32).range(0..=6))]
    pub degree: Option<u32>,

    /// Run these points, too, and compare them with the model, which is made without them; may be repeated
    #[arg(long, value_name = "VAR=VALUE,…", help_heading = "Model")]
    pub hold_out: Vec<String>,

    /// Calls cost what this machine file says. Default: what they cost in the runs
    #[arg(short, long, value_name = "MACHINE", value_hint = ValueHint::FilePath, help_heading = "Model")]
    pub machine: Option<PathBuf>,

    /// Predict at these values, such as n=600 or n=600,P=8; ranges too; may be repeated
    #[arg(long, value_name = "VAR=VALUE,…", help_heading = "Prediction")]
    pub predict: Vec<String>,

    /// Also predict with a network that is so many times as fast: all times in calls are divided by it
    #[arg(long, value_name = "FACTOR", default_value = "1x", help_heading = "Prediction")]
    pub network: Factor,

    /// Also predict with computation that is so many times as fast
    #[arg(long, value_name = "FACTOR", default_value = "1x", help_heading = "Prediction")]
    pub computation: Factor,

    /// Also predict with a segment (II, or 2) that takes this part of its time; may be repeated
    #[arg(long, value_name = "NUMBER=FACTOR", help_heading = "Prediction")]
    pub block: Vec<BlockFactor>,

    /// Print everything as JSON
    #[arg(long)]
    pub json: bool,

    /// Print no progress
    #[arg(short, long)]
    pub quiet: bool,

    /// The program's arguments; {NAME} is the value of --vary NAME=…, {P} the number of processes
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<String>,
}

impl MpiModelArgs {
    /// The numbers of processes to run with.
    pub fn counts(&self) -> Vec<u32> {
        self.processors.as_ref().map_or_else(|| vec![2], |given| given.counts().to_vec())
    }

    /// The first option that is of runs that are made.
    pub fn of_runs(&self) -> Option<&'static str> {
        [
            ("--vary", !self.vary.is_empty()),
            ("-n", self.processors.is_some()),
            ("--oversubscribe", self.oversubscribe),
            ("--rounds", self.rounds.is_some()),
            ("--cflags", !self.cflags.is_empty()),
            ("--libs", !self.libs.is_empty()),
            ("-o", self.output.is_some()),
        ]
        .into_iter()
        .find_map(|(name, is_given)| is_given.then_some(name))
    }
}

/// Print where the time of a logged run went: by call path, with waiting and its causes
///
/// It adds to the report that `cll run --log` prints: time, bytes and imbalance of each call path, waiting by kind and
/// what it comes from, computation between calls, the critical path, efficiencies, messages between ranks, deadlocks.
/// Every log has it, also of programs without supersteps.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll mpi stats heat.cll.*.dat
  cll mpi stats logs --json")]
pub struct MpiStatsArgs {
    /// Logs of one run (one of each process), or a folder of them
    #[arg(required = true, value_name = "LOG", value_hint = ValueHint::AnyPath)]
    pub files: Vec<PathBuf>,

    /// Print the full report as JSON
    #[arg(long)]
    pub json: bool,
}

/// Compare two logged runs: what got slower, at which call, with waiting and bytes
///
/// Calls belong together if they are of one function with the same call path, also if lines have moved. A single run is
/// disturbed by others on the machine: repeat it before a small difference is believed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll mpi diff before --with after
  cll mpi diff heat.cll.0.*.dat --with heat.cll.1.*.dat --json")]
pub struct MpiDiffArgs {
    /// Logs of the first run (one of each process), or a folder of them
    #[arg(required = true, value_name = "LOG", value_hint = ValueHint::AnyPath)]
    pub files: Vec<PathBuf>,

    /// Logs of the second run, or a folder of them
    #[arg(long, required = true, num_args = 1.., value_name = "LOG", value_hint = ValueHint::AnyPath)]
    pub with: Vec<PathBuf>,

    /// Print the comparison as JSON
    #[arg(long)]
    pub json: bool,
}

/// Print or draw the graph of a program: what each rank does in order, with messages and collectives
///
/// It is that of a logged run, or of the source of a program in C, which is not run then. Repeated steps are loops, and
/// ranks that do the same are one column. Computation between calls is numbered I, II, ..., and has its time if the
/// program was run.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll mpi graph heat.cll.*.dat
  cll mpi graph logs --svg heat.svg
  cll mpi graph -n 8 heat.c exchange.c
  cll mpi graph heat.c exchange.c --run logs
  cll mpi graph logs --dot heat.dot && dot -Tpdf -o heat.pdf heat.dot")]
pub struct MpiGraphArgs {
    /// Logs of one run (one of each process), or a folder of them; or the files of a program in C (*.c)
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub files: Vec<PathBuf>,

    /// The number of ranks that a source is followed for [default: 4]
    #[arg(short = 'n', long = "processors", value_name = "P",
          value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub processors: Option<u32>,

    /// Logs of a run of the program of a source (one of each process), or a folder of them. Passages of loops, sizes,
    /// partners and times that the source does not show are taken from the run, and marked as measured
    #[arg(long, num_args = 1.., value_name = "LOG", value_hint = ValueHint::AnyPath)]
    pub run: Vec<PathBuf>,

    /// The tasks of the program in place of its calls: what each rank does from one wait for others to the next
    #[arg(long)]
    pub tasks: bool,

    /// Also list parallelism that the program does not use, with by how much it could be shorter at most
    #[arg(long)]
    pub parallelism: bool,

    /// Draw the graph to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub svg: Option<PathBuf>,

    /// Write it in the language of Graphviz to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub dot: Option<PathBuf>,

    /// Write a page with the graph, its tasks and the source to this file; it opens in a browser, without a server
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub html: Option<PathBuf>,

    /// Print it as JSON
    #[arg(long, conflicts_with_all = ["svg", "dot", "html"])]
    pub json: bool,
}

/// Write a logged run for a viewer of traces or for a simulator
///
/// chrome: the Trace Event Format, with an arrow for each message (Perfetto, chrome://tracing). goal: a program for
/// LogGOPSim. simgrid: a time-independent trace for `smpirun -replay`. In these two collectives are written as messages.
/// otf2: an archive of OTF2, a folder, where OTF2's library and a C compiler are installed (Vampir, otf2-print).
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll mpi export logs --format chrome --out heat.json
  cll mpi export logs --format simgrid --speed 1e9 --out heat.tit
  cll mpi export logs --format otf2 --out heat && otf2-print heat/traces.otf2")]
pub struct MpiExportArgs {
    /// Logs of one run (one of each process), or a folder of them
    #[arg(required = true, value_name = "LOG", value_hint = ValueHint::AnyPath)]
    pub files: Vec<PathBuf>,

    /// The format
    #[arg(long, value_enum)]
    pub format: MpiFormat,

    /// The file to write; for otf2 the folder, which must not exist
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: PathBuf,

    /// For simgrid: operations per second of the simulated hosts; a second of computation is so many
    #[arg(long, value_name = "NUMBER", default_value_t = 1e9)]
    pub speed: f64,
}

/// Formats of other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MpiFormat {
    /// Trace Event Format.
    Chrome,
    /// GOAL.
    Goal,
    /// SimGrid's time-independent trace.
    Simgrid,
    /// Open Trace Format 2.
    Otf2,
}
