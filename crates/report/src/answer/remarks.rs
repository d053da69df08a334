//! Remarks on an experiment, to be read before its numbers are used, each with an advice.

use cll_fit::{Unit, Warning};
use cll_result::{DISPUTED, ExperimentModel, ModelFile, PredictionView, SearchModel};

use super::remark::{Remark, Remarks};
use super::warnings;
use crate::Notation;
use crate::model::ModelView;

/// The remarks on an experiment. Those on its formula are told below its name ([`super::wrong`]).
pub(super) fn remarks(
    model: &ModelFile,
    experiment: &ExperimentModel,
    view: &ModelView<'_>,
    is_wrong: bool,
    notation: Notation,
) -> Remarks {
    let (fit, mut all) = (view.fit, Remarks::default());
    let predicted = view.predictions.iter().filter_map(|view| view.result.as_ref().ok());
    let of_predictions = predicted.flat_map(|prediction| &prediction.warnings);
    let warnings_told: Vec<&Warning> = fit.warnings.iter().chain(of_predictions).collect();
    let is_not_level =
        warnings_told.iter().any(|warning| matches!(warning, Warning::NotLevel { .. }));
    let is_shape =
        warnings_told.iter().any(|warning| matches!(warning, Warning::ShapeBeyond { .. }));
    for (index, warning) in warnings_told.iter().enumerate() {
        let is_first = !warnings_told[..index].iter().any(|other| other.code() == warning.code());
        match warning {
            // Told below the name.
            Warning::OtherFormula { .. }
            | Warning::MissesExact { .. }
            | Warning::HeldAtZero { .. }
                if is_wrong => {}
            Warning::LackOfFit { .. }
            | Warning::Runs { .. }
            | Warning::Pattern { .. }
            | Warning::Negative { .. }
            | Warning::Follows { .. }
                if is_wrong =>
            {
                all.push(Remark::note());
            }
            Warning::Negative { .. } if is_first => {
                all.push(warnings::negative(&warnings_told, fit, notation))
            }
            Warning::Undetermined { .. } if !is_first => all.push(Remark::note()),
            // Told by the first one.
            Warning::Negative { .. } | Warning::NotLevel { .. } | Warning::Beyond { .. }
                if !is_first => {}
            Warning::Beyond { .. } if is_not_level || is_shape => {}
            Warning::Beyond { .. } => all.push(warnings::beyond(&warnings_told, view, notation)),
            warning => all.push(warnings::in_short(warning, fit, notation)),
        }
    }
    if view.predictions.iter().any(PredictionView::is_disputed) {
        all.push(disputed(view, notation));
    }
    if let Some(search) = &experiment.search {
        of_search(search, &fit.unit, notation, &mut all);
    }
    let notes = experiment.suggestion.iter().flat_map(|suggestion| &suggestion.notes);
    notes.for_each(|_| all.push(Remark::note()));
    for notice in experiment.warnings.iter().filter(|notice| notice.code == "part-of-points") {
        all.push(Remark::new(2, notation.text(&notice.text)));
    }
    let dilation = model.sampling.iter().flat_map(|sampling| &sampling.dilation);
    if dilation.into_iter().any(|region| region.experiment == experiment.name && region.too_short) {
        let text = "the region is too short to be distinguished from its markers: measure more work in one region";
        all.push(Remark::new(0, text));
    }
    all
}

/// The average over all formulas, where it contradicts the formula.
fn disputed(view: &ModelView<'_>, notation: Notation) -> Remark {
    let all = view.predictions.iter().filter(|view| view.is_disputed());
    let values: Vec<String> = all
        .filter_map(|view| view.averaged.as_ref()?.as_ref().ok())
        .map(|averaged| {
            let unit = &view.fit.unit;
            let value = notation.within(averaged.value, averaged.low, averaged.high, unit);
            format!("{value} ({})", notation.range(averaged.low, averaged.high, unit))
        })
        .take(2)
        .collect();
    if values.is_empty() {
        return Remark::new(1, DISPUTED);
    }
    let values = values.join(" and ");
    Remark::new(
        1,
        format!("other formulas are about as probable: use their average there, {values}"),
    )
}

/// Formulas that fit as well as the first.
fn of_search(search: &SearchModel, unit: &Unit, notation: Notation, all: &mut Remarks) {
    for note in &search.notes {
        all.push(match note.code.as_str() {
            "varies-with" => Remark::new(3, notation.text(&note.text)),
            _ => Remark::note(),
        });
    }
    for tie in search.ties.iter().take(1) {
        let Some(other) = search.candidates.get(tie.candidate) else { continue };
        let terms = notation.text(&other.terms.join(" + "));
        let weight = notation.percent(other.weight);
        let text = match (&tie.at, &tie.values) {
            (Some(point), Some((first, second))) => {
                format!(
                    "{terms} fits about as well ({weight}): measure {}, where they give {} and {}",
                    notation.values(point),
                    notation.quantity(*first, unit),
                    notation.quantity(*second, unit)
                )
            }
            _ => format!("{terms} fits about as well ({weight}), and no larger size would tell"),
        };
        all.push(Remark::new(4, text));
    }
    for _ in search.ties.iter().skip(1) {
        all.push(Remark::note());
    }
}
