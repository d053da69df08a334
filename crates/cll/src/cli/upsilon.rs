//! Arguments of `cll upsilon`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueHint};

use super::arguments::duration;

/// Which statements each constant of a formula stands for
///
/// The set of a constant (Υ in the CALL papers) are the statements that are executed as often as its term says. `propose`
/// finds the sets by the nesting of loops, and with --counts by counting instructions by line; it writes them to
/// NAME.upsilon.toml beside the source, where they can be corrected. `show` prints them, with a model beside the
/// constants' values.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll upsilon propose matrix.c
  cll upsilon show matrix.c
  cll upsilon show matrix.c --model matrix.cll/model.json
  cll upsilon check matrix.upsilon.toml")]
pub struct UpsilonArgs {
    /// The subcommand.
    #[command(subcommand)]
    pub command: UpsilonCommand,
}

/// The commands of `cll upsilon`.
#[derive(Debug, Subcommand)]
pub enum UpsilonCommand {
    Propose(UpsilonProposeArgs),
    Show(UpsilonShowArgs),
    Import(UpsilonImportArgs),
    Check(UpsilonCheckArgs),
}

/// Find the sets of a source, and write them beside it
///
/// Nothing is run without --counts: the control flow of the regions and of the functions of the same file that they call
/// is followed for powers of two. Corrections by hand in the file that is there are kept.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll upsilon propose matrix.c
  cll upsilon propose matrix.c --dry-run
  cll upsilon propose sieve.c --counts --arguments 20000 --arguments 40000 --arguments 80000
  cll upsilon propose heat.c --counts --processors 2,4 --arguments 64 --arguments 128 -- mesh.c")]
pub struct UpsilonProposeArgs {
    /// The annotated C file
    #[arg(value_name = "FILE.c", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// Only this experiment; may be repeated. The others of the file that is there stay
    #[arg(short, long, value_name = "NAME")]
    pub experiment: Vec<String>,

    /// Also run the program under valgrind's callgrind, count instructions by line in each passage, and confirm or
    /// correct the sets
    #[arg(long)]
    pub counts: bool,

    /// Arguments of the program for a run of --counts, as words of a shell; may be repeated, for several sizes. Default:
    /// one run without arguments
    #[arg(long, value_name = "WORDS", requires = "counts", allow_hyphen_values = true)]
    pub arguments: Vec<String>,

    /// Processors of a program of BSP, PUB or MPI in the runs of --counts, such as 2,4; all run under valgrind. Default: 2
    #[arg(
        short = 'n',
        long,
        value_name = "P,…",
        value_delimiter = ',',
        requires = "counts",
        value_parser = clap::value_parser!(u32).range(1..=512)
    )]
    pub processors: Vec<u32>,

    /// Longest time of a run of --counts, such as 90, 10m
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5m", requires = "counts")]
    pub timeout: Duration,

    /// The file to write. Default: NAME.upsilon.toml beside FILE.c
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: Option<PathBuf>,

    /// Print the sets and write nothing
    #[arg(long, conflicts_with = "out")]
    pub dry_run: bool,

    /// Do not keep corrections by hand of the file that is there
    #[arg(long)]
    pub discard: bool,

    /// Print the sets as JSON
    #[arg(long)]
    pub json: bool,

    /// Options for the compiler, other files and libraries
    #[arg(last = true, value_name = "CFLAGS")]
    pub compiler: Vec<OsString>,
}

/// Print the sets: Table 1 of the paper
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll upsilon show matrix.c
  cll upsilon show matrix.upsilon.toml --experiment f
  cll upsilon show matrix.c --model matrix.cll/model.json --json")]
pub struct UpsilonShowArgs {
    /// The C file, or its NAME.upsilon.toml. Without such a file the sets are proposed
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// Only this experiment; may be repeated
    #[arg(short, long, value_name = "NAME")]
    pub experiment: Vec<String>,

    /// A model: value, unit and interval of each constant beside its statements
    #[arg(short, long, value_name = "MODEL", value_hint = ValueHint::FilePath)]
    pub model: Option<PathBuf>,

    /// Print the sets as JSON
    #[arg(long)]
    pub json: bool,
}

/// Take a corrected file: check it, mark what was changed by hand, and write it beside its source
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll upsilon import corrected.toml
  cll upsilon import corrected.toml --source src/matrix.c")]
pub struct UpsilonImportArgs {
    /// The corrected file
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// The source of the file. Default: the one that the file names, beside it
    #[arg(long, value_name = "FILE.c", value_hint = ValueHint::FilePath)]
    pub source: Option<PathBuf>,

    /// The file to write. Default: NAME.upsilon.toml beside the source
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: Option<PathBuf>,

    /// Print the sets as JSON
    #[arg(long)]
    pub json: bool,
}

/// Report errors in Υ files, and what has changed in their sources
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll upsilon check matrix.upsilon.toml
  cll upsilon check *.upsilon.toml --json")]
pub struct UpsilonCheckArgs {
    /// Υ files
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,

    /// Print what was found as JSON
    #[arg(long)]
    pub json: bool,
}
