//! Arguments of `cll profile`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

use super::arguments::share;

/// Profile a BSP program: cost centres, critical paths, differences
///
/// Reads a log (cll run --log) and builds the tree of the calls that lead to each synchronisation, with computation,
/// communication, waiting and h-relation of each. They are printed as maximum (average% | minimum%) over the
/// processors; (100% | 100%) is perfect balance. It also reads profiles of the Oxford BSP Toolset (PROF.bsp).
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll profile show sort.cll.0.log
  cll profile view sort.cll.0.log
  cll profile diff before.log after.log --fail-if 'h.max > +5%'
  cll profile export sort.cll.0.log --format callgrind -o callgrind.out")]
pub struct ProfileArgs {
    /// The subcommand.
    #[command(subcommand)]
    pub command: ProfileCommand,
}

/// The commands of `cll profile`.
#[derive(Debug, Subcommand)]
pub enum ProfileCommand {
    Show(ProfileShowArgs),
    View(ProfileViewArgs),
    Diff(ProfileDiffArgs),
    Export(ProfileExportArgs),
}

/// Show a profile: the tree or the graph of calls, or the processors, with a critical path
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll profile show sort.cll.0.log
  cll profile show sort.cll.0.log --path weighted:h-relation --as-on sgi-origin-2000
  cll profile show sort.cll.0.log --view processors
  cll profile show PROF.bsp --view graph

Critical paths: synchronisation, and absolute, imbalance, relative, weighted, each of computation, communication,
idle, h-relation, such as imbalance:idle")]
pub struct ProfileShowArgs {
    /// A log (those of one run are read together), or a PROF.bsp
    #[arg(required = true, value_name = "LOG", value_hint = ValueHint::AnyPath)]
    pub files: Vec<PathBuf>,

    /// The critical path: by what nodes are ranked. Default: imbalance:h-relation, or the next path that is not
    /// empty
    #[arg(long, value_name = "KIND:METRIC")]
    pub path: Option<String>,

    #[command(flatten)]
    pub on: AsOnArgs,

    /// By the calls of an MPI program, also if it has supersteps; without supersteps that is the default
    #[arg(long)]
    pub calls: bool,

    /// The view to show
    #[arg(long, value_enum, value_name = "VIEW", default_value_t = View::Tree)]
    pub view: View,

    /// The h-relation in 32-bit words instead of bytes
    #[arg(long)]
    pub words: bool,

    /// Leave out nodes whose shares of time, supersteps and h-relation are all below this, in per cent
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0)]
    pub hide_below: f64,

    /// Print all results as JSON
    #[arg(long)]
    pub json: bool,
}

/// A machine that a profile is read on.
#[derive(Debug, Args)]
pub struct AsOnArgs {
    /// Replace the measured communication by that on this machine, g·h + l: a machine file, or the name of a published
    /// machine
    #[arg(long, value_name = "MACHINE", value_hint = ValueHint::FilePath)]
    pub as_on: Option<PathBuf>,

    /// The engine of that machine. Default: the first in its file
    #[arg(long, value_name = "ENGINE", requires = "as_on")]
    pub engine: Option<String>,
}

/// Write a page that shows a profile, or compares two, in a browser
///
/// The page is one HTML file that opens without a server or a network: call graph, flame graph, timeline of supersteps,
/// heat map, table, source, communication matrix, and, of two logs, the difference. Of MPI programs also calls, what
/// they waited for, and why.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll profile view sort.cll.0.log
  cll profile view before.log after.log -o compared.html
  cll profile view before.*.log --with after.*.log -o compared.html
  cll profile view PROF.bsp --as-on sgi-origin-2000
  cll profile view heat.cll.0.*.dat --calls
  cll profile view --serve sort.cll.0.log")]
pub struct ProfileViewArgs {
    /// A log (those of one run are read together), or a PROF.bsp; two runs are compared. With --with all these logs are
    /// before
    #[arg(required = true, value_name = "LOG", value_hint = ValueHint::AnyPath)]
    pub files: Vec<PathBuf>,

    /// The logs after, of several runs; then differences have intervals. Of each side the first run is shown
    #[arg(long, value_name = "LOG", num_args = 1.., value_hint = ValueHint::AnyPath)]
    pub with: Vec<PathBuf>,

    #[command(flatten)]
    pub on: AsOnArgs,

    /// Show the calls of an MPI program, also if it has supersteps; without supersteps that is the default
    #[arg(long)]
    pub calls: bool,

    /// Serve the page to browsers of this computer instead of writing it, until Ctrl-C; it holds up to eight times as
    /// many supersteps
    #[arg(long, conflicts_with = "output")]
    pub serve: bool,

    /// The port of --serve. Default: any that is free
    #[arg(long, value_name = "PORT", default_value_t = 0, requires = "serve")]
    pub port: u16,

    /// The file to write. Default: beside the first log, with the extension html
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    /// Replace a file that cll has not made, if the name of the page is not given
    #[arg(long)]
    pub force: bool,
}

/// `--view`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum View {
    /// A node for each path of calls
    Tree,
    /// A node for each function, with the shares of its callers
    Graph,
    /// A row for each processor
    Processors,
}

/// Compare two profiles, or two sets of them, node by node
///
/// Nodes match if the same calls lead to them (functions and their files; lines are only a hint). Functions that were
/// moved, renamed or inlined are matched if there is one candidate, and the report says so. Nodes without a match are
/// listed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll profile diff before.log after.log
  cll profile diff before.log after.log --fail-if 'h.max > +5%'
  cll profile diff before.*.log --with after.*.log --fail-if 'computation.max > +10%'

Conditions: [NODE:]METRIC.WHAT OPERATOR VALUE; METRIC is computation, communication, idle, h, time or supersteps,
WHAT max, avg, min, or balance (avg by max); VALUE is a change in per cent (+5%) or a number (seconds, bytes).
NODE is a function's name. Default: the whole program.

Exit codes: 0 done, 9 a condition of --fail-if is met, 2 a condition is wrong")]
pub struct ProfileDiffArgs {
    /// The log before and the log after (the files of all processes of a run count as one log). With --with all
    /// these logs are before
    #[arg(required = true, value_name = "LOG", value_hint = ValueHint::AnyPath)]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub on: AsOnArgs,

    /// The logs after, of several runs; then differences have intervals
    #[arg(long, value_name = "LOG", num_args = 1.., value_hint = ValueHint::AnyPath)]
    pub with: Vec<PathBuf>,

    /// By the calls of an MPI program, also if it has supersteps; without supersteps that is the default
    #[arg(long)]
    pub calls: bool,

    /// Exit with code 9 if this condition is met; may be repeated
    #[arg(long, value_name = "CONDITION")]
    pub fail_if: Vec<String>,

    /// The metric that the table compares
    #[arg(long, value_name = "METRIC", default_value = "time")]
    pub by: String,

    /// Confidence of the intervals
    #[arg(long, value_name = "SHARE", value_parser = share, default_value_t = 0.95)]
    pub confidence: f64,

    /// Print all results as JSON
    #[arg(long)]
    pub json: bool,
}

/// Export a profile for other programs
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll profile export sort.cll.0.log --format speedscope -o sort.speedscope.json
  cll profile export sort.cll.0.log --format callgrind -o callgrind.out.sort && callgrind_annotate callgrind.out.sort
  cll profile export sort.cll.0.log --format folded --metric idle > idle.folded")]
pub struct ProfileExportArgs {
    /// A log (those of one run are read together), or a PROF.bsp
    #[arg(required = true, value_name = "LOG", value_hint = ValueHint::AnyPath)]
    pub files: Vec<PathBuf>,

    /// By the calls of an MPI program, also if it has supersteps; without supersteps that is the default
    #[arg(long)]
    pub calls: bool,

    /// The format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ProfileFormat::Csv)]
    pub format: ProfileFormat,

    /// The metric, for formats with one number per node (folded)
    #[arg(long, value_name = "METRIC", default_value = "time")]
    pub metric: String,

    /// The h-relation in 32-bit words instead of bytes
    #[arg(long)]
    pub words: bool,

    /// Write to this file
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

/// `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProfileFormat {
    /// A row for each node and metric
    Csv,
    /// The output of profile show --json
    Json,
    /// JSON lines of Extra-P
    Extrap,
    /// A profile for each metric, for speedscope.app
    Speedscope,
    /// For KCachegrind and callgrind_annotate
    Callgrind,
    /// A literal of Hatchet
    Hatchet,
    /// Trace events, a track for each processor, for Perfetto (logs only)
    Chrome,
    /// Stacks with a number, for flame graphs
    Folded,
}
