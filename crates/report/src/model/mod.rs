//! The report on a model: formula, validity, quality, predictions.

mod alternatives;
mod causes;
pub(crate) mod comparison;
pub(crate) mod constants;
pub(crate) mod formula;
pub(crate) mod head;
pub(crate) mod intervals;
pub(crate) mod levels;
mod measuring;
pub(crate) mod memory;
mod misses;
mod part;
pub(crate) mod points;
pub(crate) mod predictions;
pub(crate) mod processors;
pub(crate) mod quality;
pub(crate) mod ranking;
mod report;
mod sampling_text;
pub(crate) mod scaling;
pub(crate) mod search;
pub(crate) mod shared;
pub(crate) mod suggestion;
mod summary;
pub(crate) mod warnings;

use cll_fit::Fit;
use cll_result::PredictionView;

use crate::Style;
use crate::document::{Document, Section};

pub use causes::Causes;
pub use comparison::{ComparisonView, model_comparison_text};
pub(crate) use formula::{fitted, place_of, place_of_segment, value_with_half};
pub use memory::TouchedMemory;
pub use misses::misses_text;
pub use part::ReportPart;
pub use points::points_text;
pub(crate) use report::Views;
pub use report::{ReportOptions, model_html, model_report, parts_report, predictions_report};
pub(crate) use sampling_text::flagged;
pub use summary::summary_text;

/// The facts that are reported about one experiment.
#[derive(Clone, Copy, Debug)]
pub struct ModelView<'a> {
    /// The fit.
    pub fit: &'a Fit,
    /// The experiment's name: that of the formula, or of the data.
    pub name: &'a str,
    /// The experiment's place in the program, `matrix.c:12`; empty if that is not known.
    pub place: &'a str,
    /// Requested predictions.
    pub predictions: &'a [PredictionView],
    /// Known causes of changes of its constants.
    pub causes: Causes<'a>,
}

/// The report on one experiment: its formula with constants and their uncertainty, their intervals
/// of validity, the quality, predictions, and warnings with advice. Ends with a new line.
pub fn model_text(view: &ModelView<'_>, style: &Style) -> String {
    Document::new(sections(view, style)).text(style)
}

/// The sections of the report in the order in which a terminal shows them.
fn sections(view: &ModelView<'_>, style: &Style) -> [Section; 6] {
    let ModelView { fit, predictions, causes, .. } = *view;
    [
        head::section(view, style),
        constants::section(fit, style),
        validity(fit, causes, style),
        quality::section(fit, style),
        predictions::section(fit, predictions, style),
        warnings::section(fit, style),
    ]
}

/// Where constants hold: in intervals, or at levels.
pub(crate) fn validity(fit: &Fit, causes: Causes<'_>, style: &Style) -> Section {
    if fit.changes.is_empty() {
        intervals::section(fit, causes.memory, style)
    } else {
        levels::section(fit, causes, style)
    }
}

/// The predictions of several experiments, one table for each.
pub fn predictions_text(views: &[ModelView<'_>], style: &Style) -> String {
    Document::new(views.iter().map(|view| predictions::alone(view, style))).text(style)
}
