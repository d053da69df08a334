//! The texts of a plot.

use cll_fit::{Fit, Unit};

use super::choose::Along;
use crate::model::Causes;
use crate::model::levels::sentences;
use crate::model::{fitted, place_of};
use crate::{Notation, escape};

/// The values of the variables that are not along x: `P = 4`.
pub(crate) fn label(fit: &Fit, values: &[f64], used: Option<usize>) -> String {
    let parts = fit.variables.iter().zip(values).enumerate().filter(|(k, _)| Some(*k) != used);
    let parts: Vec<String> = parts
        .map(|(_, (name, value))| {
            format!("{} = {}", escape(name), Notation::Unicode.number(*value))
        })
        .collect();
    parts.join(", ")
}

/// The formula with constants, one line for each interval.
pub(crate) fn formula(fit: &Fit) -> Vec<String> {
    let notation = Notation::Unicode;
    let left = notation.observable(fit);
    let lines = fit.intervals.iter().map(|interval| {
        let right = fitted(fit, interval, notation);
        match place_of(fit, interval, notation) {
            Some(place) => format!("{left} = {right}  for {place}"),
            None => format!("{left} = {right}"),
        }
    });
    let levels = sentences(fit, Causes::default(), notation);
    let levels = levels.into_iter().map(|(name, sentence)| format!("{name} = {sentence}"));
    lines.chain(levels).collect()
}

/// The plot for those who cannot see it.
pub(crate) fn description(fit: &Fit, name: Option<&str>, along: &Along) -> String {
    let notation = Notation::Unicode;
    let mut text = format!(
        "Measured and modelled {} of {} over {}: {}, {}.",
        if fit.unit == Unit::Seconds { "time" } else { "values" },
        escape(name.unwrap_or(fit.formula.experiment())),
        escape(along.title()),
        notation.count(fit.quality.points, "point", "points"),
        notation.count(fit.quality.observations, "observation", "observations"),
    );
    for line in formula(fit) {
        text.push_str(&format!(" Model: {line}."));
    }
    text.push_str(&format!(
        " Error of the model: median {}, largest {}.",
        notation.percent(fit.quality.median_error),
        notation.percent(fit.quality.largest_error)
    ));
    text
}
