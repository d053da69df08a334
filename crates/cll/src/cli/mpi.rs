//! Arguments of `cll mpi`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

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
    /// What to do.
    #[command(subcommand)]
    pub command: MpiCommand,
}

/// The commands of `cll mpi`.
#[derive(Debug, Subcommand)]
pub enum MpiCommand {
    Stats(MpiStatsArgs),
    Graph(MpiGraphArgs),
    Export(MpiExportArgs),
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
  cll mpi graph logs --dot heat.dot && dot -Tpdf -o heat.pdf heat.dot")]
pub struct MpiGraphArgs {
    /// Logs of one run (one of each process), or a folder of them; or the files of a program in C (*.c)
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub files: Vec<PathBuf>,

    /// Of a source: the number of ranks that it is followed for [default: 4]
    #[arg(short = 'n', long = "processors", value_name = "P",
          value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub processors: Option<u32>,

    /// Draw the graph to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub svg: Option<PathBuf>,

    /// Write it in the language of Graphviz to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub dot: Option<PathBuf>,

    /// Print it as JSON
    #[arg(long, conflicts_with_all = ["svg", "dot"])]
    pub json: bool,
}

/// Write a logged run for a viewer of traces or for a simulator
///
/// chrome: the Trace Event Format, with an arrow for each message (Perfetto, chrome://tracing). goal: a program for
/// LogGOPSim. simgrid: a time-independent trace for `smpirun -replay`. In the last two collectives are written as
/// messages.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll mpi export logs --format chrome --out heat.json
  cll mpi export logs --format simgrid --speed 1e9 --out heat.tit")]
pub struct MpiExportArgs {
    /// Logs of one run (one of each process), or a folder of them
    #[arg(required = true, value_name = "LOG", value_hint = ValueHint::AnyPath)]
    pub files: Vec<PathBuf>,

    /// The format
    #[arg(long, value_enum)]
    pub format: MpiFormat,

    /// The file to write
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
}
