//! Arguments of `cll mpi`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};

/// Report the logged calls of an MPI program
///
/// `cll run --log` records every MPI call of a program. These commands read such logs, of any size.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll run -n 4 --log -o logs ./heat
  cll mpi stats logs")]
pub struct MpiArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: MpiCommand,
}

/// The commands of `cll mpi`.
#[derive(Debug, Subcommand)]
pub enum MpiCommand {
    Stats(MpiStatsArgs),
}

/// Print the report of a logged run again: calls, bytes, time and waiting
///
/// It is the report that `cll run --log` prints when the program has ended: how often each call was made, what each
/// rank did, and which calls did not return.
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
