//! Arguments of `cll show`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

/// Print everything that is known of a model, or sections of it
///
/// cll model and cll fit print the answer. This command prints the rest: for each experiment its constants with their
/// uncertainty, the intervals or levels at which they hold, errors and tests, and all warnings; then how the samples
/// were taken. The sections are constants, intervals (or levels), quality, predictions, search, alternatives,
/// sampling, warnings, points, speed-up, misses, processors and shared.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll show matrix.cll
  cll show matrix.cll constants quality --experiment columns
  cll show times.json predictions --predict N=3000
  cll show matrix.cll --json")]
pub struct ShowArgs {
    /// The model: model.json, or a folder written by cll model
    #[arg(value_name = "MODEL", value_hint = ValueHint::AnyPath)]
    pub model: PathBuf,

    /// Print only these sections. Default: all but points and alternatives
    #[arg(value_name = "SECTION")]
    pub sections: Vec<String>,

    /// Print only this experiment; may be repeated
    #[arg(short, long, value_name = "NAME")]
    pub experiment: Vec<String>,

    /// Predict at these values, such as N=3000 or N=1e6,P=8; ranges too; may be repeated
    #[arg(long, value_name = "VAR=VALUE,…")]
    pub predict: Vec<String>,

    /// Print the model and its predictions as JSON, as cll fit does
    #[arg(long, conflicts_with = "sections")]
    pub json: bool,
}
