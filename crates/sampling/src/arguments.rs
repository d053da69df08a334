//! Failures of a program's arguments.

use cll_campaign::TemplateError;
use cll_files::Failure;

/// The failure of a program's arguments that are wrong.
pub fn wrong_arguments(error: TemplateError) -> Failure {
    let failure = Failure::usage(format!("the program's arguments: {error}"));
    match error.help {
        Some(help) => failure.help(help),
        None => failure.help("the program's arguments follow `--`; in a plan: arguments"),
    }
}
