//! Arguments of `cll model`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum, ValueHint};
use cll_contract::Engine;

use super::arguments::{budget, duration, engines, share};
use super::automatic::AutoOptions;
use super::fitting::{CompareArgs, FitOptions};
use super::observing::ObservingOptions;
use crate::sampling::{Budget, Processors, Varied};

/// Measure annotated C files, fit their formulas, and predict
///
/// Translates, compiles, runs the program several times, fits every experiment, and prints for
/// each the answer: the formula with its constants, its error, the predictions, and what to do.
/// cll show prints everything else. Writes a folder NAME.cll with the translated source, the program, the traces, model.json and
/// the plots. If there is a folder of that name that cll has not made, it is left unchanged.
///
/// The measured values come from the program's own `#pragma cll for` loops, or from --vary: each
/// value replaces {NAME} in the program's arguments, which follow `--`.
/// {P} there is the number of processors, {P:3d} its factors as three arguments, {P:3d:i} one of them.
/// Ranges are LO:HI, LO:HI:*FACTOR, LO:HI:+STEP (HI is included), or values separated by commas; 2^16 is a value, too.
///
/// It samples in rounds. A round launches every combination of values once, in shuffled order. Sampling
/// ends when the intervals of the constants (with --predict: of the predictions) are narrow enough,
/// or the time is up. Ctrl-C ends sampling; then the samples so far are fitted. If the same command is
/// run again, it continues from them. Rounds that other programs disturb are left out. If all are disturbed, intervals
/// are widened by the possible error; if it is more than half of the time, no number is given (exit code 8). The
/// compiler is CLL_CC, else cc, else gcc.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll model matrix.c --predict N=3000
  cll model sieve.c --vary N=20000:5000000:*1.4 -- {N}
  cll model sieve.c --adaptive --vary N=2^14:2^22 --precision 3% --predict N=2^26 -- {N}
  cll model sort.c -n 1,2,4 --cflags=-march=native --predict N=1e7,P=8
  cll model matrix.c --cpu-time
  cll model matrix.c --simulate-caches=LL=8M --observable sim::D1mr
  cll model main.c lists.c --cflags='-O3 -Iinclude' --libs=-lz --launches 9 --break N=1448")]
pub struct ModelArgs {
    /// The C files of the program
    #[arg(required = true, value_name = "FILE.c", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub auto: AutoOptions,

    /// Values of a variable that the program takes as an argument; may be repeated (all combinations are run)
    #[arg(long, value_name = "NAME=RANGE", help_heading = "Sampling")]
    pub vary: Vec<Varied>,

    /// Also choose where to measure: a few cheap points of --vary, then those that make the predictions of --predict
    /// narrow, until --precision or --budget is reached. LO:HI without a step gives up to 17 values to choose from
    #[arg(long, requires = "vary", conflicts_with = "launches", help_heading = "Sampling")]
    pub adaptive: bool,

    /// End sampling when half the width of the intervals is at most this, such as 2% or 0.02
    #[arg(long, value_name = "SHARE", default_value = "2%", value_parser = share,
          help_heading = "Sampling")]
    pub precision: f64,

    /// Sample for at most this time, such as 90, 10m, 2h, or 10core-min of all processors together. Default:
    /// CLL_BUDGET, else 60s, and at least five rounds
    #[arg(long, value_name = "TIME", value_parser = budget, help_heading = "Sampling")]
    pub budget: Option<Budget>,

    /// Make exactly this number of rounds; replaces --precision and --budget
    #[arg(long, value_name = "COUNT", help_heading = "Sampling",
          conflicts_with_all = ["precision", "budget"],
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub launches: Option<u32>,

    /// Begin again, even if the same command has sampled before
    #[arg(long, help_heading = "Sampling")]
    pub fresh: bool,

    /// On a loaded machine: end with exit code 8, or fit with a warning. Default: CLL_LOADED, else refuse
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Sampling")]
    pub loaded: Option<Loaded>,

    /// Do not bind the program to processors, and do not raise its priority
    #[arg(long, help_heading = "Sampling")]
    pub no_pin: bool,

    /// Numbers of processors (OpenMP: threads) to run with, such as 1,2,4 or 1:4 or 1:8:*2
    #[arg(short = 'n', long = "processors", value_name = "RANGE", help_heading = "Sampling")]
    pub processors: Option<Processors>,

    /// Also measure more processors than the machine has. Then their times include waiting for a core, and
    /// the model says so
    #[arg(long, help_heading = "Sampling")]
    pub oversubscribe: bool,

    /// How the processors of a BSP program run: processes, or virtual for more processors than cores.
    /// Default: processes
    #[arg(long, value_parser = engines(), value_name = "ENGINE", help_heading = "Sampling")]
    pub engine: Option<Engine>,

    /// For virtual processors: the machine on which communication is predicted, a machine file or the name of
    /// a published machine. Default: none, and communication takes no time
    #[arg(long, value_name = "MACHINE", value_hint = ValueHint::FilePath, help_heading = "Sampling")]
    pub machine: Option<PathBuf>,

    /// For virtual processors: how many compute at the same time. Default: the number of cores
    #[arg(long, value_name = "C", value_parser = clap::value_parser!(u32).range(1..),
          help_heading = "Sampling")]
    pub cores: Option<u32>,

    /// End a launch after this time, such as 90, 10m, 2h
    #[arg(long, value_name = "TIME", default_value = "600s", value_parser = duration,
          help_heading = "Sampling")]
    pub timeout: Duration,

    /// Count the instructions of each line with and without markers, in one run of the smallest values
    /// under valgrind, and name the lines that differ. Done automatically if times differ by more than 2 %
    #[arg(long, help_heading = "Sampling")]
    pub compare_code: bool,

    /// Seed of the shuffled order; it is printed and recorded
    #[arg(long, value_name = "NUMBER", help_heading = "Sampling")]
    pub seed: Option<u64>,

    /// Options for the compiler, placed after -O2; may be repeated
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true, help_heading = "Compiling")]
    pub cflags: Vec<String>,

    /// Libraries and options for the linker, placed after the files; -lm is always added
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true, help_heading = "Compiling")]
    pub libs: Vec<String>,

    #[command(flatten)]
    pub observing: ObservingOptions,

    #[command(flatten)]
    pub fit: FitOptions,

    #[command(flatten)]
    pub comparison: CompareArgs,

    /// Predict at these values, such as N=3000 or N=1e6,P=8; ranges too; may be repeated
    #[arg(long, value_name = "VAR=VALUE,…", help_heading = "Output")]
    pub predict: Vec<String>,

    /// Report only this experiment; may be repeated. Default: what `#pragma cll report` names, or all
    #[arg(short, long, value_name = "NAME", help_heading = "Output")]
    pub experiment: Vec<String>,

    /// Folder for all output. Default: NAME.cll, NAME being the first file's
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath,
          help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Print everything, as cll show: constants with their uncertainty, intervals, quality, all warnings
    #[arg(long, help_heading = "Output")]
    pub details: bool,

    /// Also print every point: measured, spread, model, error
    #[arg(long, help_heading = "Output")]
    pub points: bool,

    /// Print the model as JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,

    /// Serve the page to browsers of this computer while sampling: points appear as rounds end
    #[arg(long, help_heading = "Output")]
    pub live: bool,

    /// The port of --live. Default: any that is free
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 0,
        requires = "live",
        help_heading = "Output"
    )]
    pub port: u16,

    /// Print no progress
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,

    /// The program's arguments; {NAME} is the value of --vary NAME=…, {P} the number of processors
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<String>,
}

/// `--loaded`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Loaded {
    /// Give no numbers, and end with exit code 8
    Refuse,
    /// Fit, with a warning
    Accept,
}
