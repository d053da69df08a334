//! The report on a model: formula, validity, quality, predictions.

mod alternatives;
pub(crate) mod comparison;
pub(crate) mod constants;
pub(crate) mod formula;
pub(crate) mod head;
pub(crate) mod intervals;
pub(crate) mod levels;
mod measuring;
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
use cll_units::Bytes;

use crate::Style;
use crate::document::{Document, Section};
use crate::plot::Reference;

pub use comparison::{ComparisonView, model_comparison_text};
pub(crate) use formula::{fitted, place_of, place_of_segment, value_with_half};
pub use misses::misses_text;
pub use part::Part;
pub use points::points_text;
pub(crate) use report::Views;
pub use report::{ReportOptions, model_html, model_report, parts_report, predictions_report};
pub(crate) use sampling_text::flagged;
pub use summary::summary_text;

/// What is reported about one experiment.
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
    /// What boundaries are compared with; `None` if the bytes touched are not known.
    pub memory: Option<Memory<'a>>,
}

/// How many bytes an experiment touches, and how many the caches hold.
#[derive(Clone, Copy, Debug)]
pub struct Memory<'a> {
    /// The bytes as an expression over the variables, `8*N*N`.
    pub working_set: &'a str,
    /// Name and size of each cache, the smallest first.
    pub caches: &'a [(String, Bytes)],
}

impl Memory<'_> {
    /// The values of a variable at which the caches are full.
    pub fn references(&self, fit: &Fit, along: &str) -> Vec<Reference> {
        let Ok(working_set) = fit.working_set(self.working_set) else { return Vec::new() };
        let caches = self.caches.iter();
        let full = |(name, bytes): &(String, Bytes)| {
            let at = working_set.place(along, bytes.as_f64())?;
            Some(Reference { at, label: name.clone() })
        };
        caches.filter_map(full).collect()
    }
}

/// The report on one experiment: its formula with constants and their uncertainty, their intervals
/// of validity, the quality, predictions, and warnings with advice. Ends with a new line.
pub fn model_text(view: &ModelView<'_>, style: &Style) -> String {
    Document::new(sections(view, style)).text(style)
}

/// Its sections in the order in which a terminal shows them.
fn sections(view: &ModelView<'_>, style: &Style) -> [Section; 6] {
    let ModelView { fit, predictions, memory, .. } = *view;
    [
        head::section(view, style),
        constants::section(fit, style),
        validity(fit, memory, style),
        quality::section(fit, style),
        predictions::section(fit, predictions, style),
        warnings::section(fit, style),
    ]
}

/// Where constants hold: in intervals, or at levels.
pub(crate) fn validity(fit: &Fit, memory: Option<Memory<'_>>, style: &Style) -> Section {
    if fit.changes.is_empty() {
        intervals::section(fit, memory, style)
    } else {
        levels::section(fit, memory, style)
    }
}

/// The predictions of several experiments, one table for each.
pub fn predictions_text(views: &[ModelView<'_>], style: &Style) -> String {
    Document::new(views.iter().map(|view| predictions::alone(view, style))).text(style)
}
