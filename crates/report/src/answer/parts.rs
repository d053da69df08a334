//! The answer in parts, for a page: its sentences are those of the terminal, its lines are those of the browser.

use cll_result::{ModelFile, Predicted};

use super::experiment::{Subject, data, error};
use super::formula::parts;
use super::predictions::{PredictedText, distinct, label, largest, reason};
use super::remark::Remarks;
use super::{MAX_REMARKS, of_notices};
use crate::model::{ModelView, Views};
use crate::style::Style;

const STYLE: Style = Style::PAGE;

/// The answer on one experiment.
pub(crate) struct AnswerParts {
    pub place: String,
    /// Points and their range; empty without a fit.
    pub data: String,
    /// Why it has no fit.
    pub failure: Option<String>,
    /// A formula that does not fit, and what to try.
    pub wrong: Option<(String, String)>,
    pub formula: AnswerFormula,
    pub error: String,
    /// Values that are missing for predictions.
    pub missing: Vec<String>,
    /// The measurement at the largest size, where a prediction is refused.
    pub largest: Option<String>,
    pub predictions: Vec<AnswerPrediction>,
    /// Warnings with advice, most important first.
    pub remarks: Vec<String>,
    /// How many sentences stand in the part on the experiment only.
    pub more: usize,
    /// Whether no number can be trusted.
    pub is_doubtful: bool,
}

/// The formula with its constants.
#[derive(Default)]
pub(crate) struct AnswerFormula {
    /// The left side.
    pub left: String,
    /// Right sides, each with where it holds, or what is not seen in the data.
    pub rows: Vec<(String, String)>,
    /// `2 intervals more`, or empty.
    pub others: String,
    /// Letters of constants that change, each with its sentence.
    pub levels: Vec<(String, String)>,
}

/// The values of variables, and the prediction there or why there is none.
pub(crate) struct AnswerPrediction {
    pub at: String,
    pub result: Result<PredictedText, String>,
}

/// The answer on every experiment of the model.
pub(crate) fn answer_parts(model: &ModelFile, predicted: &[Predicted]) -> Vec<AnswerParts> {
    let views = Views::new(model, predicted);
    let each = (0..model.experiments.len()).map(|index| {
        let subject = Subject::new(model, index, views.view(index), predicted);
        // Those on the file are said of the only experiment, or below the table of several. The state of the machine is
        // at the head of the page.
        let mut remarks = match model.experiments.len() {
            1 => of_notices(model, &STYLE),
            _ => Remarks::default(),
        };
        remarks.extend(subject.remarks(&STYLE));
        of_subject(&subject, &remarks)
    });
    each.collect()
}

fn of_subject(subject: &Subject<'_>, remarks: &Remarks) -> AnswerParts {
    let notation = STYLE.notation();
    let urgent = remarks.urgent();
    let shown = urgent.len().min(MAX_REMARKS);
    let experiment = subject.experiment;
    let common = AnswerParts {
        place: notation.text(&experiment.place()),
        data: String::new(),
        failure: None,
        wrong: None,
        formula: AnswerFormula::default(),
        error: String::new(),
        missing: subject.missing.iter().map(|text| notation.text(text)).collect(),
        largest: None,
        predictions: Vec::new(),
        remarks: urgent[..shown].iter().map(|remark| remark.text.clone()).collect(),
        more: remarks.below(shown),
        is_doubtful: !subject.doubts.is_measurable(),
    };
    let Some(view) = &subject.view else {
        let why = experiment.failure.as_deref().unwrap_or("it has no fit");
        return AnswerParts { failure: Some(notation.text(why)), ..common };
    };
    let fit = view.fit;
    let predictions = distinct(view.predictions).into_iter().map(|own| {
        let place = label(fit, own, &STYLE);
        let result = match &own.result {
            Ok(prediction) => Ok(PredictedText::new(
                (fit, view.causes),
                own,
                prediction,
                &subject.doubts,
                notation,
            )),
            Err(error) => Err(notation.text(&reason(error, &place))),
        };
        AnswerPrediction { at: place, result }
    });
    let predictions: Vec<AnswerPrediction> = predictions.collect();
    let is_refused = predictions.iter().any(|own| own.result.is_err());
    AnswerParts {
        data: data(fit, notation),
        wrong: subject
            .wrong(fit, notation)
            .map(|wrong| (notation.text(&wrong.text), notation.text(&wrong.advice))),
        formula: formula(view),
        error: error(fit, experiment, notation),
        largest: largest(fit, notation).filter(|_| is_refused),
        predictions,
        ..common
    }
}

fn formula(view: &ModelView<'_>) -> AnswerFormula {
    let notation = STYLE.notation();
    let parts = parts(view, notation);
    let what = if view.fit.splits.is_empty() { "interval" } else { "region" };
    let others = match parts.others {
        0 => String::new(),
        count => format!("{} more", notation.count(count, what, &format!("{what}s"))),
    };
    let remark = parts.remark;
    let row = |(right, place): (String, String)| {
        let beside = if place.is_empty() { remark.clone() } else { place };
        (right, beside)
    };
    AnswerFormula {
        left: parts.left,
        rows: parts.rows.into_iter().map(row).collect(),
        others,
        levels: parts.levels.into_iter().map(|level| (level.letter, level.sentence)).collect(),
    }
}
