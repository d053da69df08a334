//! Arguments of `cll obsp`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::arguments::{share, size};

/// Predict BSP programs by BSP, OBSP and OBSP*: from their log, or from formulas
///
/// A log (cll run --log) has what each processor computed and sent. Priced by a machine's g and L it
/// gives the time that each model says, beside the measured one, and where the time goes; priced by another
/// machine's, the time there. A program in formulas (NAME.obsp.toml) is predicted for any number of
/// processors and any size.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll obsp fft.cll.0.log --machine mine.toml
  cll obsp sort.cll.0.log --machine mine.toml --engine mpi
  cll obsp fft.cll.0.log --machine sgi-origin-2000 --json
  cll obsp fft.cll.*.log --machine mine.toml --curves P
  cll obsp fft.obsp.toml --machine mine.toml --predict N=2097152,P=32
  cll obsp fft.obsp.toml --machine mine.toml --predict N=65536 --curves P=1:1024:*2
  cll obsp one.obsp.toml --against two.obsp.toml --machine mine.toml --predict N=1e5 --curves P=2:64:*2")]
pub struct ObspArgs {
    /// A log of supersteps (those of one run are read together; with --curves P each is a run, or a folder of a
    /// run's), or a program in formulas
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,

    /// The machine: a file of cll machine, or the name of a published one
    #[arg(short, long, value_name = "MACHINE", value_hint = ValueHint::FilePath)]
    pub machine: PathBuf,

    /// Its engine. Default: that of the log, else the file's first, which is then said
    #[arg(long, value_name = "ENGINE")]
    pub engine: Option<String>,

    /// What h is: the larger of bytes in and out, or their sum. Default: what the machine's file says, else max
    #[arg(long, value_enum, value_name = "KIND")]
    pub at: Option<HSize>,

    /// Only costs of processors that each have a core of their own
    #[arg(long)]
    pub own_cores: bool,

    /// For a log: the machine it was measured on; computation is scaled by both machines' rates
    #[arg(long, value_name = "MACHINE", value_hint = ValueHint::FilePath)]
    pub measured_on: Option<PathBuf>,

    /// For formulas: predict at these values, such as N=2097152,P=32; ranges too; may be repeated
    #[arg(long, value_name = "VAR=VALUE,…")]
    pub predict: Vec<String>,

    /// Confidence of every interval that is given
    #[arg(long, value_name = "SHARE", value_parser = share, default_value_t = 0.90, help_heading = "Intervals")]
    pub confidence: f64,

    /// How often constants, g and L are drawn for an interval; 0: no interval
    #[arg(long, value_name = "COUNT", default_value_t = 400, help_heading = "Intervals")]
    pub draws: usize,

    /// What the draws begin with
    #[arg(long, value_name = "NUMBER", default_value_t = 1, help_heading = "Intervals")]
    pub seed: u64,

    #[command(flatten)]
    pub curves: CurveOptions,

    /// For a log: memory that the evaluation may need, such as 16G; all supersteps are in it at once
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "500M")]
    pub memory: u64,

    /// Show so many supersteps, processors and quantities, those with most time
    #[arg(long, value_name = "COUNT", default_value_t = 10, help_heading = "Output")]
    pub top: usize,

    /// Print all of it as JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// Speed-up, efficiency, serial fraction, isoefficiency, crossovers.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Curves")]
pub struct CurveOptions {
    /// Times and what follows from them along a variable, such as P=1:1024:*2; of logs, which have their numbers of
    /// processors, P
    #[arg(long, value_name = "VAR=RANGE")]
    pub curves: Option<String>,

    /// Also the least size at which each number of processors has this efficiency, such as 0.8
    #[arg(long, value_name = "SHARE", requires = "sizes")]
    pub isoefficiency: Option<f64>,

    /// The sizes among which it is sought, such as N=1024:1e9:*2
    #[arg(long, value_name = "VAR=RANGE", requires = "isoefficiency")]
    pub sizes: Option<String>,

    /// Also where this other one becomes quicker or slower; may be repeated
    #[arg(long, value_name = "FILE", requires = "curves", value_hint = ValueHint::AnyPath)]
    pub against: Vec<PathBuf>,

    /// Write the plot as SVG to this file
    #[arg(long, value_name = "FILE", requires = "curves", value_hint = ValueHint::FilePath)]
    pub svg: Option<PathBuf>,
}

/// `--at`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HSize {
    /// max(in, out)
    Max,
    /// in + out
    Sum,
}
