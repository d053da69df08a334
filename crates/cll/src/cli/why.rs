//! Arguments of `cll why`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};

use super::arguments::duration;
use crate::sampling::Processors;

/// Why constants change: the array and the line whose data leave a cache there, or messages beyond a limit of MPI
///
/// The program is compiled with a call before each access to memory, and run. For each line and array the number of
/// bytes used between two uses of the same cache line is followed, at the sizes that the program runs through, and
/// described by a formula. Where it passes the size of a level of the memory, the array leaves that level; the same with
/// pages and the reach of the TLB. Of MPI programs the sizes of messages are followed, and compared with the eager limit.
/// With a model each boundary between its intervals is compared with these sizes. Sequential programs and MPI programs.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll why matrix.c
  cll why matrix.cll --machine mine.toml
  cll why examples/mpi/heat.c --machine mine.toml -n 2,4
  cll why sieve.c --arguments 20000 --arguments 40000 --arguments 80000 --arguments 160000
  cll why main.c --budget 2m -- solve.c -Iinclude -DSIZE=8")]
pub struct WhyArgs {
    /// The annotated C file, or a model: model.json, or a folder written by cll model
    #[arg(value_name = "PROGRAM", value_hint = ValueHint::AnyPath)]
    pub program: PathBuf,

    /// The machine whose levels are passed: a file, or a name of cll machine list. Default: the caches that the system
    /// names
    #[arg(long, value_name = "MACHINE", value_hint = ValueHint::FilePath)]
    pub machine: Option<PathBuf>,

    /// Only this experiment; may be repeated
    #[arg(short, long, value_name = "NAME")]
    pub experiment: Vec<String>,

    /// Arguments of the program for a run, as words of a shell; may be repeated, for several sizes. Default: those of
    /// the model's runs, else none
    #[arg(long, value_name = "WORDS", allow_hyphen_values = true)]
    pub arguments: Vec<String>,

    /// Numbers of processes of an MPI program, such as 2,4 or 2:8:*2. Default: those of the model's runs, else those that
    /// the source names, else 2
    #[arg(short = 'n', long = "processors", value_name = "LIST")]
    pub processors: Option<Processors>,

    /// Longest time of all runs together, such as 90, 10m
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "30s")]
    pub budget: Duration,

    /// Follow one cache line of so many, a power of two. Default: all in half of the time; if it is up before the
    /// largest size, one of 32 in the rest
    #[arg(long, value_name = "NUMBER", value_parser = sample)]
    pub sample: Option<u64>,

    /// Note the cause of each change in the model, which reports then name beside it: for the machine on which the model
    /// was measured
    #[arg(long)]
    pub keep: bool,

    /// Print everything as JSON
    #[arg(long)]
    pub json: bool,

    /// Options for the compiler, other files and libraries
    #[arg(last = true, value_name = "CFLAGS")]
    pub compiler: Vec<OsString>,
}

fn sample(text: &str) -> Result<u64, String> {
    let number: u64 = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
    if number.is_power_of_two() && number <= 4096 {
        Ok(number)
    } else {
        Err(format!("{number} is not a power of two up to 4096"))
    }
}
