//! Times of fitted experiments, and how they change.

use cll_fit::{Fit, PredictError};

use crate::error::ChangeError;

use super::{Between, Change, Sensitivity, WhatIfPoint};

/// Experiments whose times are added, each at its own values.
///
/// The time that waits for memory is at least what an experiment takes more there than with the constants of its first
/// interval or level,
/// in which its data are in the first cache; all of it may. The value is the former.
///
/// # Errors
/// The first experiment that cannot be predicted, with the reason.
pub fn of_experiments(
    experiments: &[(&str, &Fit, Vec<f64>)],
    change: &Change,
) -> Result<WhatIfPoint, ChangeError> {
    let mut parts = Vec::new();
    let mut all = Vec::new();
    for (name, fit, values) in experiments {
        let (block, own) = block(fit, values, change)
            .map_err(|source| ChangeError { name: (*name).to_owned(), source })?;
        all.push(block);
        parts.extend(own);
    }
    let is_one_interval = |fit: &Fit| fit.intervals.len() == 1 && fit.changes.is_empty();
    let notes = notes(change, experiments.iter().any(|(_, fit, _)| is_one_interval(fit)));
    let before = total(&all, &|_| 1.0);
    let mut after = total(&all, &|block| block.factor);
    let extreme = total(&all, &|block| block.other);
    let ratio = ratio(&all, (before, after, extreme), change);
    if change.memory != 1.0 {
        (after.low, after.high) = (after.low.min(extreme.low), after.high.max(extreme.high));
    }
    let mut sensitivity: Vec<Sensitivity> = parts
        .into_iter()
        .filter(|part| part.time != 0.0)
        .map(|TermTime { constant, time, factor }| {
            let share = if before.value > 0.0 { time / before.value } else { 0.0 };
            Sensitivity { name: constant, kind: "constant", share, factor }
        })
        .collect();
    sensitivity.sort_by(|a, b| b.share.total_cmp(&a.share));
    Ok(WhatIfPoint { at: Vec::new(), before_s: before, after_s: after, ratio, sensitivity, notes })
}

/// The time of an experiment, and the factors of it.
struct ExperimentBlock {
    value: f64,
    below: f64,
    above: f64,
    /// With what certainly waits for memory.
    factor: f64,
    /// If all of it waits for memory.
    other: f64,
}

/// The time of a term, with its constant and the factor of that time.
struct TermTime {
    constant: String,
    time: f64,
    factor: f64,
}

/// The time of an experiment at these values, and its parts.
fn block(
    fit: &Fit,
    values: &[f64],
    change: &Change,
) -> Result<(ExperimentBlock, Vec<TermTime>), PredictError> {
    let predicted = fit.predict(values)?;
    let terms = fit.terms_at(values)?;
    let value = predicted.value;
    let (low, high) = predicted.band.as_ref().map_or((value, value), |band| (band.low, band.high));
    let owners = fit.owners();
    // Of each term; its levels together.
    let sums = |solution: &[f64]| -> Vec<f64> {
        let mut sums = vec![0.0; fit.constants.len()];
        for ((owner, term), constant) in owners.iter().zip(&terms.terms).zip(solution) {
            sums[*owner] += term * constant;
        }
        sums
    };
    let own = sums(&fit.intervals[terms.interval].solution);
    let sum: f64 = own.iter().sum();
    // The prediction may follow the data: its terms are shares of it.
    let scale = if sum == 0.0 { 1.0 } else { value / sum };
    let constants = fit.constants.iter().map(|values| values.constant.clone());
    let named: Vec<(String, f64)> =
        constants.zip(&own).map(|(constant, product)| (constant, product * scale)).collect();
    let changed = named.iter().map(|(constant, part)| part * change.of_block(constant));
    let changed: f64 = changed.sum();
    let factor = if value == 0.0 { 1.0 } else { changed / value } * change.computation;
    let first: f64 = sums(&first_level(fit)).iter().sum();
    let waits = if sum > 0.0 { ((sum - first) / sum).clamp(0.0, 1.0) } else { 0.0 };
    let some = 1.0 - waits * (1.0 - change.memory);
    let block = ExperimentBlock {
        value,
        below: value - low,
        above: high - value,
        factor: factor * some,
        other: factor * change.memory,
    };
    let parts = named.into_iter().map(|(constant, time)| {
        let factor = change.of_block(&constant) * change.computation * some;
        TermTime { constant, time, factor }
    });
    Ok((block, parts.collect()))
}

/// The constants that hold where the axis begins: those of the first interval, or the first level of each.
fn first_level(fit: &Fit) -> Vec<f64> {
    let solution = &fit.intervals[0].solution;
    fit.owners().into_iter().map(|term| solution[fit.column(term, 0)]).collect()
}

/// The sum of the times, each by a factor; ends are independent of each other.
fn total(all: &[ExperimentBlock], factor: &dyn Fn(&ExperimentBlock) -> f64) -> Between {
    let value: f64 = all.iter().map(|block| block.value * factor(block)).sum();
    let spread = |side: &dyn Fn(&ExperimentBlock) -> f64| {
        all.iter().map(|block| (side(block) * factor(block)).powi(2)).sum::<f64>().sqrt()
    };
    let low = value - spread(&|block| block.below);
    Between { value, low, high: value + spread(&|block| block.above) }
}

/// The time after the change divided by that before. `extreme`: the time if all waits for memory.
fn ratio(
    all: &[ExperimentBlock],
    (before, after, extreme): (Between, Between, Between),
    change: &Change,
) -> Between {
    let mut ratio = Between { value: 1.0, low: 1.0, high: 1.0 };
    if before.value > 0.0 {
        ratio.value = after.value / before.value;
        // What is uncertain in both times is not uncertain in their ratio.
        let off =
            |block: &ExperimentBlock| block.below.max(block.above) * (block.factor - ratio.value);
        let off = all.iter().map(|block| off(block).powi(2)).sum::<f64>().sqrt() / before.value;
        (ratio.low, ratio.high) = (ratio.value - off, ratio.value + off);
        if change.memory != 1.0 {
            ratio.low = ratio.low.min(extreme.value / before.value);
            ratio.high = ratio.high.max(extreme.value / before.value);
        }
    }
    ratio
}

/// Notes on what a change means for measured times.
fn notes(change: &Change, is_one_interval: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if change.memory != 1.0 {
        let text = if is_one_interval {
            "an experiment has one interval, so nothing is known of what waits for memory: the interval holds \
             none and all of it"
        } else {
            "what waits for memory is at least what takes more than with the constants of the first interval; \
             the interval holds that all does"
        };
        notes.push(text.to_owned());
    }
    if change.network != 1.0 {
        notes.push(
            "the model has no communication of its own: the network changes nothing".to_owned(),
        );
    }
    notes
}
