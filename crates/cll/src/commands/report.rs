//! The report on a model: the answer, or everything.

use std::path::Path;

use cll_report::{AnswerOptions, ReportOptions, answer_report, model_report};
use cll_result::{ModelFile, Predicted};

use crate::failure::Failure;
use crate::terminal::Terminal;

/// Rows of a terminal from which on a plot stands beside the answer.
const MIN_ROWS_FOR_PLOT: usize = 30;

/// The parts of a model that are printed, and where it is kept.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown<'a> {
    /// Everything, in place of the answer.
    pub details: bool,
    /// Also every point.
    pub points: bool,
    /// Numbers without a mark, even if the machine was too disturbed.
    pub accept: bool,
    /// The file or folder of the model, if it is kept.
    pub model: Option<&'a Path>,
    /// The page of the model, if there is one.
    pub page: Option<&'a Path>,
}

/// Prints it.
///
/// # Errors
/// If it cannot be written.
pub fn print(
    model: &ModelFile,
    predicted: &[Predicted],
    shown: Shown<'_>,
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    let style = terminal.style();
    let Shown { details, points, accept, .. } = shown;
    if details {
        let options = ReportOptions { points, accept };
        return terminal.print(model_report(model, predicted, options, &style));
    }
    let word = |path: Option<&Path>| {
        path.map(|path| cll_diagnostic::shell_word(&path.to_string_lossy())).unwrap_or_default()
    };
    let (kept, page) = (word(shown.model), word(shown.page));
    let options = AnswerOptions {
        accept,
        model: &kept,
        page: &page,
        points,
        plot: terminal.rows().is_some_and(|rows| rows >= MIN_ROWS_FOR_PLOT),
    };
    terminal.print(answer_report(model, predicted, options, &style))
}
