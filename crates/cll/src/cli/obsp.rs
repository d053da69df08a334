//! Arguments of `cll obsp`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::arguments::{share, size};

/// Predict BSP programs by the models BSP, OBSP and OBSP*, from a log or from formulas
///
/// A log (cll run --log) has the computation and communication of each processor. From this and a machine's
/// g and L, each model computes the time on that machine. The report shows its parts, and the measured time.
/// With a description in formulas (NAME.obsp.toml) the number of processors and the size can be chosen.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll obsp fft.cll.0.log --machine mine.toml
  cll obsp sort.cll.0.log --machine mine.toml --engine mpi
  cll obsp fft.cll.0.log --machine sgi-origin-2000 --json
  cll obsp fft.cll.*.log --machine mine.toml --curves P
  cll obsp a.cll.*.log --against b.cll.*.log --curves P --machine mine.toml,cray-t3e
  cll obsp fft.obsp.toml --machine mine.toml --predict N=2097152,P=32
  cll obsp fft.obsp.toml --machine mine.toml --predict N=65536 --curves P=1:1024:*2
  cll obsp fft.obsp.toml --against sort.obsp.toml --machine mine.toml --predict N=1e5 --curves P=2:64:*2")]
pub struct ObspArgs {
    /// Logs of supersteps, or a description in formulas. The logs of one run are read together; with --curves P
    /// each log, or folder of logs, is one run
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,

    /// The machine: a machine file, or the name of a published machine; several, with a comma between them, where logs of
    /// two programs are compared (--curves P --against)
    #[arg(short, long, required = true, value_name = "MACHINE", value_delimiter = ',', value_hint = ValueHint::FilePath)]
    pub machine: Vec<PathBuf>,

    /// The engine whose costs are used. Default: that of the log, else the first in the machine file, with a note
    #[arg(long, value_name = "ENGINE")]
    pub engine: Option<String>,

    /// h is the larger of bytes in and out (max), or their sum. Default: as in the machine's file, else max
    #[arg(long, value_enum, value_name = "KIND")]
    pub at: Option<HSize>,

    /// Use only costs that were measured with a core for each processor
    #[arg(long)]
    pub own_cores: bool,

    /// For a log: the machine on which it was measured; computation is scaled by the rates of both machines
    #[arg(long, value_name = "MACHINE", value_hint = ValueHint::FilePath)]
    pub measured_on: Option<PathBuf>,

    /// For formulas: predict at these values, such as N=2097152,P=32; ranges too; may be repeated
    #[arg(long, value_name = "VAR=VALUE,…")]
    pub predict: Vec<String>,

    /// Confidence of all intervals
    #[arg(long, value_name = "SHARE", value_parser = share, default_value_t = 0.90, help_heading = "Intervals")]
    pub confidence: f64,

    /// Number of random draws of constants, g and L for an interval; 0: no interval
    #[arg(long, value_name = "COUNT", default_value_t = 400, help_heading = "Intervals")]
    pub draws: usize,

    /// Seed of the draws
    #[arg(long, value_name = "NUMBER", default_value_t = 1, help_heading = "Intervals")]
    pub seed: u64,

    #[command(flatten)]
    pub curves: CurveOptions,

    /// For a log: the memory that the evaluation may use, such as 16G. All supersteps are kept in memory
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "500M")]
    pub memory: u64,

    /// Print everything: the time by object, superstep and processor, the critical path, the sensitivity
    #[arg(long, help_heading = "Output")]
    pub details: bool,

    /// With --details: only this number of supersteps, processors and quantities, those that take the most time.
    /// Default: 10
    #[arg(long, value_name = "COUNT", help_heading = "Output")]
    pub top: Option<usize>,

    /// Print all results as JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

impl ObspArgs {
    /// How many of the largest parts are printed; `None` without `--details` and `--top`.
    pub fn shown(&self) -> Option<usize> {
        self.top.or(self.details.then_some(10))
    }
}

/// Options of speed-up, efficiency, serial fraction, isoefficiency, crossovers.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Curves")]
pub struct CurveOptions {
    /// Times along a variable, such as P=1:1024:*2, with speed-up, efficiency and serial fraction along P. For logs:
    /// P, with the numbers of processors of the logs
    #[arg(long, value_name = "VAR=RANGE")]
    pub curves: Option<String>,

    /// Also find the smallest size at which each number of processors has this efficiency, such as 0.8
    #[arg(long, value_name = "SHARE", requires = "sizes")]
    pub isoefficiency: Option<f64>,

    /// The sizes that --isoefficiency searches, such as N=1024:1e9:*2
    #[arg(long, value_name = "VAR=RANGE", requires = "isoefficiency")]
    pub sizes: Option<String>,

    /// Also find the values from which this other program is faster or slower; may be repeated. For logs: the runs of
    /// the other program; both times, speed-ups and their quotient on each number of processors and machine
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "curves", value_hint = ValueHint::AnyPath)]
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
