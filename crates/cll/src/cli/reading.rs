//! Arguments of the commands that read traces, data and models.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum, ValueHint};

use super::CurveOptions;
use super::arguments::duration;
use super::fitting::{CompareArgs, FitOptions};

/// Fit formulas to traces, or to measurements of other programs
///
/// Reads all traces of one program (PROGRAM.cll.RUN.dat) together; or, with --formula or --search, a
/// table (CSV with the names of the columns in the first line), or what Extra-P, Google Benchmark,
/// hyperfine, Criterion, Caliper, JUBE or ReFrame has written. Values at equal parameters are repetitions.
/// --formula also replaces the formula of an experiment in a trace; the names of its constants name the
/// experiment, as in `walk[0] + walk[1]*N`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll fit nbody.cll.0.dat nbody.cll.1.dat
  cll fit times.csv --formula 'f[0] + f[1]*N*log(N)'
  cll fit times.csv --formula 'f[0] + f[1]*N' --suggest
  cll fit times.csv --column cycles --unit cycles --formula 'f[0] + f[1]*N' -o cycles.json
  cll fit benchmarks.json --search
  cll fit nbody.cll.*.dat --intervals greedy --error-threshold 0.05 --predict n=4000
  cll fit nbody.cll.*.dat --compare old.json")]
pub struct FitArgs {
    /// Traces, one table, or files of another program (`-`: standard input)
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,

    /// A formula. For a trace: replaces that of the experiment that its constants name; may be repeated
    #[arg(long, value_name = "FORMULA")]
    pub formula: Vec<String>,

    /// Search the formula: sums and products of powers and logarithms of the variables, by their probability
    #[arg(long, conflicts_with = "formula")]
    pub search: bool,

    /// Name a term that the formula lacks, that it has in vain, or that should have another shape
    #[arg(long, conflicts_with = "search")]
    pub suggest: bool,

    /// Terms of which the searched formula is a sum, instead of powers and logarithms, such as 'N^2, N*log2(N), N/P'
    #[arg(long, value_name = "EXPRESSION, …", requires = "search")]
    pub terms: Option<String>,

    /// Fit only this experiment; may be repeated. Default: what `#pragma cll report` names, or all
    #[arg(short, long, value_name = "NAME")]
    pub experiment: Vec<String>,

    #[command(flatten)]
    pub import: ImportArgs,

    /// Fit a campaign even if its runs are of different programs
    #[arg(long)]
    pub mixed: bool,

    #[command(flatten)]
    pub fit: FitOptions,

    #[command(flatten)]
    pub comparison: CompareArgs,

    /// Predict at these values, such as N=3000 or N=1e6,P=8; ranges too; may be repeated
    #[arg(long, value_name = "VAR=VALUE,…", help_heading = "Output")]
    pub predict: Vec<String>,

    /// Write the model to this file, for cll predict and cll plot
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath,
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
}

/// How data of other programs are read.
#[derive(Debug, Default, Args)]
pub struct ImportArgs {
    /// The column, or the metric, with the measured values. Default: one with a known name (time, walltime, elapsed,
    /// seconds, …), else the only one that no formula uses
    #[arg(long, visible_alias = "metric", value_name = "NAME")]
    pub column: Option<String>,

    /// Unit of that column: of time (ms, us, …) or any other. Default: that of the file, else seconds
    #[arg(long, value_name = "UNIT")]
    pub unit: Option<String>,

    /// The format of the files. Default: recognised by their content
    #[arg(long, value_name = "FORMAT",
          value_parser = PossibleValuesParser::new(cll_import::format_names()))]
    pub from: Option<String>,

    /// The table's column that names the experiment. Default: a column of text with a known name (benchmark, region,
    /// algorithm, …). `file`: each of several files is fitted apart. Of traces a variable, of a campaign also a factor
    /// or `machine`, for whose values experiments are fitted apart
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,

    /// Names of the columns of a table without a line of names
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub columns: Vec<String>,

    /// The sign before a fraction in a table, `.` or `,`. Default: found from the numbers
    #[arg(long, value_name = "SIGN", value_parser = decimal)]
    pub decimal: Option<cll_import::Decimal>,

    /// Leave out lines of a table or log that cannot be used: they are counted, and the first are named
    #[arg(long)]
    pub skip_bad: bool,

    /// Exit codes besides 0 of runs that count, for what hyperfine has measured
    #[arg(long, value_name = "CODE,…", value_delimiter = ',')]
    pub exit_codes: Vec<i32>,
}

/// The sign before a fraction.
fn decimal(text: &str) -> Result<cll_import::Decimal, String> {
    let mut signs = text.chars();
    let sign = signs.next().and_then(cll_import::Decimal::of).filter(|_| signs.next().is_none());
    sign.ok_or_else(|| "it must be `.` or `,`".to_owned())
}

impl ImportArgs {
    /// The same for the readers.
    pub fn options(&self) -> cll_import::ImportOptions {
        cll_import::ImportOptions {
            format: self.from.clone(),
            result: self.column.clone(),
            unit: self.unit.clone(),
            by: self.by.clone(),
            columns: (!self.columns.is_empty()).then(|| self.columns.clone()),
            decimal: self.decimal,
            skip_bad: self.skip_bad,
            exit_codes: self.exit_codes.clone(),
            ..cll_import::ImportOptions::default()
        }
    }

    /// An error if one of the options was given.
    ///
    /// # Errors
    /// If so: a trace is in seconds, and has names of its own.
    pub fn refuse_for_traces(&self) -> Result<(), crate::failure::Failure> {
        let ImportArgs { column, unit, from, by: _, columns, decimal, skip_bad, exit_codes } = self;
        let is_given = [column, unit, from].iter().any(|option| option.is_some())
            || !columns.is_empty()
            || decimal.is_some()
            || *skip_bad
            || !exit_codes.is_empty();
        if is_given {
            Err(crate::failure::Failure::usage(
                "--column, --unit, --from, --columns, --decimal, --skip-bad and --exit-codes are for data of other programs; a trace is in seconds",
            ))
        } else {
            Ok(())
        }
    }
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
  cll predict sort.cll --at N=1e6 --curves P=1:64:*2
  cll predict matrix.cll --at N=3000 --machine theirs.toml --measured-on mine.toml")]
pub struct PredictArgs {
    /// The model: model.json, or a folder written by cll model
    #[arg(value_name = "MODEL", value_hint = ValueHint::AnyPath)]
    pub model: PathBuf,

    /// The values, such as N=3000 or N=1e6,P=8; ranges too; may be repeated
    #[arg(long, required_unless_present_any = ["curves", "machine"], value_name = "VAR=VALUE,…")]
    pub at: Vec<String>,

    /// Predict only this experiment; may be repeated
    #[arg(short, long, value_name = "NAME")]
    pub experiment: Vec<String>,

    /// Predict for this machine, by counts of accesses and the costs of both machines. The program is compiled and run
    /// again, as by cll why. Sequential programs only
    #[arg(long, value_name = "MACHINE", conflicts_with = "curves", value_hint = ValueHint::FilePath,
          help_heading = "Another machine")]
    pub machine: Option<PathBuf>,

    /// The machine on which the model was measured. Alone: predictions whose working set outgrows the level of memory in
    /// which the data were have intervals that allow for the next level
    #[arg(long, value_name = "MACHINE", conflicts_with = "curves", value_hint = ValueHint::FilePath,
          help_heading = "Another machine")]
    pub measured_on: Option<PathBuf>,

    /// Write the formulas with their constants there to this file: a model, marked as predicted
    #[arg(short, long, value_name = "FILE", requires = "machine", value_hint = ValueHint::FilePath,
          help_heading = "Another machine")]
    pub output: Option<PathBuf>,

    /// Longest time in which accesses are followed, such as 90, 10m
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "30s",
          help_heading = "Another machine")]
    pub budget: Duration,

    /// Print the predictions as JSON
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub curves: CurveOptions,

    /// With --machine: options for the compiler, other files and libraries
    #[arg(last = true, value_name = "CFLAGS")]
    pub compiler: Vec<OsString>,
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
  cll page before.cll after.cll -o both.html
  cll page matrix.cll --predict N=3000:12000:*2 -o matrix.html
  cll page matrix.cll --serve
  cll fit times.csv --formula 'f[0] + f[1]*N' -o times.json && cll page times.json")]
pub struct PageArgs {
    /// The model: model.json, or a folder written by cll model; of several models one page with one plot
    #[arg(required = true, value_name = "MODEL", value_hint = ValueHint::AnyPath)]
    pub models: Vec<PathBuf>,

    /// Predict at these values, such as N=3000 or N=1e6,P=8; ranges too; may be repeated
    #[arg(long, value_name = "VAR=VALUE,…")]
    pub predict: Vec<String>,

    /// The Υ file with the statements of the constants. Default: NAME.upsilon.toml beside the source, else they are
    /// proposed
    #[arg(long, value_name = "FILE.toml", value_hint = ValueHint::FilePath)]
    pub upsilon: Option<PathBuf>,

    /// Serve the page to browsers of this computer until Ctrl-C instead of writing it: statements that are corrected
    /// there are written into the Υ file
    #[arg(long, conflicts_with = "output")]
    pub serve: bool,

    /// The port of --serve. Default: any that is free
    #[arg(long, value_name = "PORT", default_value_t = 0, requires = "serve")]
    pub port: u16,

    /// The file to write. Default: NAME.html in the folder of the model; of several: models.html
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    /// Replace a file that cll has not made, if the name of the page is not given
    #[arg(long)]
    pub force: bool,
}

/// Export the samples of traces for other programs, or other programs' data for Extra-P
///
/// csv has one row per sample, json all content of the traces. extrap-jsonl (JSON lines) and extrap (text) are for
/// Extra-P 4: all experiments must have the same variables, in the text also the same values, so choose them with
/// --experiment.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll export nbody.cll.0.dat > samples.csv
  cll export nbody.cll.*.dat --format json | jq '.experiments[].name'
  cll export matrix.cll/*.dat --format extrap --experiment rows -o rows.txt
  cll export benchmarks.json --format extrap-jsonl -o benchmarks.jsonl")]
pub struct ExportArgs {
    /// The traces, or a folder written by cll model; or, for Extra-P, data of other programs as for cll fit
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

    /// Export only this experiment (for Extra-P); may be repeated
    #[arg(short, long, value_name = "NAME")]
    pub experiment: Vec<String>,

    #[command(flatten)]
    pub import: ImportArgs,

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
    ExtrapJsonl,
}

impl ExportFormat {
    /// Whether Extra-P reads it.
    pub fn is_of_extrap(self) -> bool {
        matches!(self, ExportFormat::Extrap | ExportFormat::ExtrapJsonl)
    }
}
