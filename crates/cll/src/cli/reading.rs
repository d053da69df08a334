//! Arguments of the commands that read traces, data and models.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::CurveOptions;
use super::fitting::{CompareArgs, FitOptions};

/// Fit formulas to traces, or to a table of measurements
///
/// Reads all traces of one program (PROGRAM.cll.RUN.dat) together; or, with --formula, one table:
/// CSV with the names of the columns in the first line, or Extra-P's text format. Rows with equal
/// values are repetitions. --formula also replaces the formula of an experiment in a trace; the names of
/// its constants name the experiment, as in `walk[0] + walk[1]*N`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll fit nbody.cll.0.dat nbody.cll.1.dat
  cll fit times.csv --formula 'f[0] + f[1]*N*log(N)'
  cll fit times.csv --column cycles --unit cycles --formula 'f[0] + f[1]*N' -o cycles.json
  cll fit nbody.cll.*.dat --intervals greedy --error-threshold 0.05 --predict n=4000
  cll fit nbody.cll.*.dat --compare old.json")]
pub struct FitArgs {
    /// Traces, or one table (`-`: standard input)
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,

    /// A formula. For a trace: replaces that of the experiment that its constants name; may be repeated
    #[arg(long, value_name = "FORMULA")]
    pub formula: Vec<String>,

    /// Search the formula: sums and products of powers and logarithms of the variables, by their probability
    #[arg(long, conflicts_with = "formula")]
    pub search: bool,

    /// Terms of which the searched formula is a sum, instead of powers and logarithms, such as 'N^2, N*log2(N), N/P'
    #[arg(long, value_name = "EXPRESSION, …", requires = "search")]
    pub terms: Option<String>,

    /// Fit only this experiment; may be repeated. Default: what `#pragma cll report` names, or all
    #[arg(short, long, value_name = "NAME")]
    pub experiment: Vec<String>,

    /// The table's column with the measured values. Default: one with a known name (time, walltime, elapsed,
    /// seconds, …), else the only one that no formula uses
    #[arg(long, value_name = "NAME")]
    pub column: Option<String>,

    /// Unit of that column: of time (ms, us, …) or any other. Default: that of its header, else seconds
    #[arg(long, value_name = "UNIT")]
    pub unit: Option<String>,

    /// Fit a campaign even if its runs are of different programs
    #[arg(long)]
    pub mixed: bool,

    #[command(flatten)]
    pub fit: FitOptions,

    /// Constants of several experiments that have one value, such as f[1],g[1]; [1] is that constant of every
    /// experiment; may be repeated. A test says whether the data reject it
    #[arg(long, value_name = "CONSTANT,…", help_heading = "Fit")]
    pub share: Vec<String>,

    #[command(flatten)]
    pub comparison: CompareArgs,

    /// Predict at these values, such as N=3000 or N=1e6,P=8; ranges too; may be repeated
    #[arg(long, value_name = "VAR=VALUE,…", help_heading = "Output")]
    pub predict: Vec<String>,

    /// Write the model to this file, for cll predict and cll plot
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath,
          help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Also print every point: measured, spread, model, error
    #[arg(long, help_heading = "Output")]
    pub points: bool,

    /// Print the model as JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// Predict with a model, also at values that were not run
///
/// Each prediction has a range in which a new measurement is expected, and says whether it is inside
/// the measured sizes. A variable that had one value in all data (such as P) may be left out.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll predict matrix.cll --at N=3000
  cll predict matrix.cll --at N=1000:16000:*2 --experiment columns
  cll predict sort.cll/model.json --at N=1e6,P=8 --at N=1e7,P=8 --json
  cll predict sort.cll --at N=1e6 --curves P=1:64:*2")]
pub struct PredictArgs {
    /// The model: model.json, or a folder written by cll model
    #[arg(value_name = "MODEL", value_hint = ValueHint::AnyPath)]
    pub model: PathBuf,

    /// The values, such as N=3000 or N=1e6,P=8; ranges too; may be repeated
    #[arg(long, required_unless_present = "curves", value_name = "VAR=VALUE,…")]
    pub at: Vec<String>,

    /// Predict only this experiment; may be repeated
    #[arg(short, long, value_name = "NAME")]
    pub experiment: Vec<String>,

    /// Print the predictions as JSON
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub curves: CurveOptions,
}

/// Draw measured points, fitted curve, boundaries and residuals
///
/// The plot is drawn on the terminal, or written as SVG. The input is a model of cll model or cll fit -o,
/// or traces, which are fitted with the default options.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll plot matrix.cll
  cll plot matrix.cll --experiment rows --svg rows.svg
  cll plot sort.cll --x P --linear
  cll plot nbody.cll.0.dat")]
pub struct PlotArgs {
    /// The model (file or folder), or traces
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub files: Vec<PathBuf>,

    /// Draw only this experiment; may be repeated
    #[arg(short, long, value_name = "NAME")]
    pub experiment: Vec<String>,

    /// Write SVG to this file (with several experiments NAME-EXPERIMENT.svg)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub svg: Option<PathBuf>,

    /// The variable of the horizontal axis. Default: that of the intervals
    #[arg(long, value_name = "VAR")]
    pub x: Option<String>,

    /// For traces: fit this instead of the time, such as page-faults
    #[arg(long, value_name = "NAME")]
    pub observable: Option<String>,

    #[command(flatten)]
    pub axes: Axes,

    /// Print the points and the curve as JSON
    #[arg(long, conflicts_with = "svg")]
    pub json: bool,
}

/// The axes' scales.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct Axes {
    /// Logarithmic axes. Default: if the values span a wide range
    #[arg(long, conflicts_with = "linear")]
    pub log: bool,

    /// Linear axes
    #[arg(long)]
    pub linear: bool,
}

/// Write a model's page: one HTML file with all results
///
/// It has plots that can be zoomed, constants, residuals, sampling, source, environment and samples. The
/// file needs no network and no other files. cll model writes a page; this command writes it again, or
/// writes one for a model of cll fit -o. Samples are read from the traces in the folder of the model.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll page matrix.cll
  cll page matrix.cll --predict N=3000:12000:*2 -o matrix.html
  cll fit times.csv --formula 'f[0] + f[1]*N' -o times.json && cll page times.json")]
pub struct PageArgs {
    /// The model: model.json, or a folder written by cll model
    #[arg(value_name = "MODEL", value_hint = ValueHint::AnyPath)]
    pub model: PathBuf,

    /// Predict at these values, such as N=3000 or N=1e6,P=8; ranges too; may be repeated
    #[arg(long, value_name = "VAR=VALUE,…")]
    pub predict: Vec<String>,

    /// The file to write. Default: NAME.html in the folder of the model
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

/// Export the samples of traces for other programs
///
/// csv has one row per sample, json all content of the traces. extrap is the text format of Extra-P 4; all
/// experiments in it must have the same variables and values, so choose them with --experiment.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll export nbody.cll.0.dat > samples.csv
  cll export nbody.cll.*.dat --format json | jq '.experiments[].name'
  cll export matrix.cll/*.dat --format extrap --experiment rows -o rows.txt")]
pub struct ExportArgs {
    /// The traces, or a folder written by cll model
    #[arg(required = true, value_name = "TRACE", value_hint = ValueHint::AnyPath)]
    pub files: Vec<PathBuf>,

    /// The format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: ExportFormat,

    /// Export supersteps (csv or json), even if there are samples
    #[arg(long)]
    pub supersteps: bool,

    /// Export MPI calls (csv or json), even if there are samples
    #[arg(long, conflicts_with = "supersteps")]
    pub calls: bool,

    /// Export only this experiment (for extrap); may be repeated
    #[arg(short, long, value_name = "NAME")]
    pub experiment: Vec<String>,

    /// The file to write. Default: standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

/// `--format`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    #[default]
    Csv,
    Json,
    Extrap,
}
