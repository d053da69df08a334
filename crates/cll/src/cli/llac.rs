//! Arguments of `cll llac`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

/// Work with measurements, models, machines and logs in a language of their own
///
/// Without --file and --evaluate, and on a terminal, statements are typed at a prompt: `help` lists the words, `help
/// fit` explains one, the tabulator completes, Ctrl-C ends a statement, Ctrl-D ends the session. Elsewhere statements
/// are read from standard input. A script with an error in its syntax does nothing; another error ends it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll llac fft.cll.0.dat
  cll llac fft.cll.*.dat -e 'm = fit fft; predict m at N = 2^21, P = 32'
  cll llac --file study.llac --json
  echo 'show' | cll llac fft.cll.0.dat")]
pub struct LlacArgs {
    /// Files to open first: traces, tables, models, machines, logs, campaigns
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub files: Vec<String>,

    /// Run the statements of a script; `-` is standard input; may be repeated
    #[arg(short, long, value_name = "SCRIPT", value_hint = ValueHint::FilePath)]
    pub file: Vec<PathBuf>,

    /// Run these statements, after the scripts; may be repeated
    #[arg(short, long, value_name = "STATEMENTS", allow_hyphen_values = true)]
    pub evaluate: Vec<String>,

    /// After the scripts and statements, prompt for more
    #[arg(short, long)]
    pub interactive: bool,

    /// After a statement with an error, go on with the next one
    #[arg(long = "continue")]
    pub go_on: bool,

    /// Print each value as JSON, on a line of its own
    #[arg(long)]
    pub json: bool,

    /// Say nothing but results, warnings and errors
    #[arg(short, long)]
    pub quiet: bool,
}
