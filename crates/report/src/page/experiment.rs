//! The part on one experiment.

use cll_fit::Fit;
use cll_result::{DoubtKind, ExperimentModel, PredictionView};

use super::html::{Html, brief};
use super::{MAX_POINTS, PageParts, STYLE, answer, called, counters, source};
use crate::document::{Block, Document, Section, html};
use crate::model::scaling::Pictures;
use crate::model::{
    constants, head, points, predictions, processors, quality, scaling, search, suggestion,
    validity, warnings,
};
use crate::plot::sentence;
use crate::style::Role;

/// Formula, plot, predictions, constants, quality, warnings, points.
pub(crate) fn experiment(out: &mut Html, parts: &PageParts<'_>, index: usize) {
    let Some(experiment) = parts.model.experiments.get(index) else { return };
    let id = format!("e{index}");
    // Experiments may have the same name.
    let label = format!("Experiment {}: {}", index + 1, brief(called(experiment)));
    let is_folded = parts.is_folded();
    if is_folded {
        out.open("details", &[("class", "experiment")]);
        out.open("summary", &[]);
        out.open("h2", &[]);
        out.element("bdi", &[], &brief(called(experiment)));
        out.close();
        out.close();
    }
    // What the link leads to is inside, so that browsers unfold it.
    out.open("section", &[("id", &id), ("class", "experiment"), ("aria-label", &label)]);
    if !is_folded {
        out.open("h2", &[]);
        out.element("bdi", &[], &brief(called(experiment)));
        out.close();
    }
    places(out, parts, index, experiment);
    doubts(out, parts, experiment);
    out.open("p", &[("class", "given")]);
    out.open("code", &[]);
    out.element("bdi", &[], &experiment.formula.replace('*', "·"));
    out.close();
    out.close();
    match &experiment.fit {
        Some(fit) => {
            if parts.first() != index {
                answer::answer(out, parts, index, false);
            }
            let predictions = parts.predictions.get(index).map_or(&[][..], Vec::as_slice);
            html::document(out, &document(parts, index, experiment, fit, predictions));
        }
        None => {
            let why = experiment.failure.as_deref().unwrap_or("It has no fit.");
            out.element("p", &[("class", "caution")], why);
            html::document(
                out,
                &Document::new([counters::section(parts.model, experiment, index)]),
            );
        }
    }
    out.close();
    if is_folded {
        out.close();
    }
}

/// Why its numbers are not to be believed as they stand.
fn doubts(out: &mut Html, parts: &PageParts<'_>, experiment: &ExperimentModel) {
    for doubt in &parts.model.doubts_of(experiment) {
        let (class, text) = match doubt.kind {
            DoubtKind::NotMeasurable => {
                let text =
                    "✕ The machine was too disturbed to measure: no number here can be trusted.";
                ("bad", text.to_owned())
            }
            DoubtKind::Disturbed | DoubtKind::Predicted => {
                ("caution", format!("▲ {}", sentence(&doubt.text)))
            }
        };
        out.element("p", &[("class", class)], &text);
    }
}

/// The places that are measured, as links.
fn places(out: &mut Html, parts: &PageParts<'_>, index: usize, experiment: &ExperimentModel) {
    out.open("p", &[("class", "places")]);
    for place in &experiment.places {
        match source::target(parts.page.sources, index, place) {
            Some(target) => {
                out.open("a", &[("href", &target)]);
                out.element("bdi", &[], place);
                out.close();
            }
            None => out.element("bdi", &[], place),
        }
        out.text(" ");
    }
    let observable = match experiment.observable.as_str() {
        "" | "time" => "time",
        name => name,
    };
    if !experiment.time.is_empty() {
        out.text(&format!("{} {observable}", experiment.time));
    }
    out.close();
}

/// The sections on a fit, in the order of the page.
fn document(
    parts: &PageParts<'_>,
    index: usize,
    experiment: &ExperimentModel,
    fit: &Fit,
    predictions: &[PredictionView],
) -> Document {
    let doubts = parts.model.doubts_of(experiment);
    let is_doubtful = !doubts.is_measurable();
    let causes = parts.causes(experiment);
    let head = vec![
        Block::Formulas(head::formulas(fit, causes, is_doubtful, STYLE.notation())),
        Block::paragraph(head::data(fit, &STYLE), Role::Faint),
    ];
    let residuals = Block::Live { island: "residuals", experiment: index, blocks: Vec::new() };
    let mut all = vec![
        Section::untitled(head),
        counters::section(parts.model, experiment, index),
        Section::untitled(vec![residuals]),
        predictions::section(fit, predictions, &STYLE),
    ];
    for (number, view) in parts.scalings.get(index).into_iter().flatten().enumerate() {
        let id = format!("{index}-{number}");
        all.push(scaling::section(view, Some(Pictures { id: &id, doubts: &doubts }), &STYLE));
    }
    all.extend(
        experiment
            .search
            .as_ref()
            .map(|search_model| search::section(search_model, &fit.unit, &STYLE)),
    );
    all.extend([
        constants::section(fit, &STYLE),
        validity(fit, causes, &STYLE),
        quality::section(fit, &STYLE),
        warnings::section(fit, &STYLE),
    ]);
    let suggested = experiment.suggestion.as_ref();
    all.extend(
        suggested.map(|suggestion_model| suggestion::section(suggestion_model, &fit.unit, &STYLE)),
    );
    all.extend(experiment.imbalance.as_ref().map(processors::imbalance));
    all.extend(experiment.sync.as_ref().map(processors::sync));
    all.push(points::first(fit, MAX_POINTS, index, &STYLE));
    Document::new(all)
}
